/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-limits.h"
#include "session/gadget-limit.h"

G_BEGIN_DECLS

/* What a turn may use, together with its subagents, and has used. */
GadgetBudget *_gadget_budget_new            (GadgetClock        *clock,
                                             GadgetRun          *run,
                                             GadgetTurn         *turn,
                                             const GadgetLimits *limits,
                                             gboolean            interactive);
GadgetBudget *_gadget_budget_ref            (GadgetBudget       *self);
void          _gadget_budget_unref          (GadgetBudget       *self);

GadgetRun    *_gadget_budget_get_run        (GadgetBudget       *self);
gboolean      _gadget_budget_get_hard       (GadgetBudget       *self);
gint64        _gadget_budget_get_configured (GadgetBudget       *self,
                                             GadgetLimit         limit);
gint64        _gadget_budget_get_limit      (GadgetBudget       *self,
                                             GadgetLimit         limit);
/* What is used and what may be, as raised by now. */
void          _gadget_budget_read           (GadgetBudget       *self,
                                             GadgetLimits       *spent,
                                             GadgetLimits       *allowed);
void          _gadget_budget_count_step     (GadgetBudget       *self);
GadgetLimit   _gadget_budget_find_reached   (GadgetBudget       *self);

/* The user's answers, and the end where nobody is asked. */
void          _gadget_budget_lift           (GadgetBudget       *self,
                                             GadgetLimit         limit);
void          _gadget_budget_raise          (GadgetBudget       *self,
                                             GadgetLimit         limit);
void          _gadget_budget_abort          (GadgetBudget       *self,
                                             GadgetLimit         limit,
                                             gint64              amount);

/* One question at a time: FALSE when it is open, and the task returns TRUE after its answer, or when
 * it is cancelled. */
gboolean      _gadget_budget_begin_asking   (GadgetBudget       *self,
                                             GTask              *task,
                                             GCancellable       *cancellable);
void          _gadget_budget_end_asking     (GadgetBudget       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetBudget, _gadget_budget_unref)

G_END_DECLS
