/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-limits.h"
#include "gadget-run.h"
#include "common/gadget-clock.h"
#include "session/gadget-limit.h"

G_BEGIN_DECLS

/* A budget has the amounts that a turn may use, together with its subagents, and that it has used.
 * Amounts are in the units of GadgetLimit. Reference-counted. */
typedef struct _GadgetBudget GadgetBudget;

GadgetBudget *_gadget_budget_new            (GadgetClock        *clock,
                                             GadgetRun          *run,
                                             GadgetTurn         *turn,
                                             const GadgetLimits *limits,
                                             gboolean            interactive);
GadgetBudget *_gadget_budget_ref            (GadgetBudget       *self);
void          _gadget_budget_unref          (GadgetBudget       *self);

/* get_run () returns the run of the turn (transfer none). get_hard () returns whether limits abort
 * the turn instead of asking the user. get_configured () returns a limit as it was set,
 * get_limit () returns it as the user has changed it since; 0 means no limit. */
GadgetRun    *_gadget_budget_get_run        (GadgetBudget       *self);
gboolean      _gadget_budget_get_hard       (GadgetBudget       *self);
gint64        _gadget_budget_get_configured (GadgetBudget       *self,
                                             GadgetLimit         limit);
gint64        _gadget_budget_get_limit      (GadgetBudget       *self,
                                             GadgetLimit         limit);
/* Reads what has been used and what may be used, with what the user has added. */
void          _gadget_budget_read           (GadgetBudget       *self,
                                             GadgetLimits       *spent,
                                             GadgetLimits       *allowed);
/* Counts a step of the turn or of a subagent, before the request is made. */
void          _gadget_budget_count_step     (GadgetBudget       *self);
/* Sets what all turns of this day cost, which the limit of a day is compared with. */
void          _gadget_budget_set_day_cost   (GadgetBudget       *self,
                                             gint64              cost);
/* Returns a limit that is reached, or GADGET_N_LIMITS. */
GadgetLimit   _gadget_budget_find_reached   (GadgetBudget       *self);

/* These functions act on a limit that was reached. lift () removes it. raise () sets it to what has
 * been used by now plus the configured amount. abort () aborts the turn, with AMOUNT, which is the
 * limit, for the record. */
void          _gadget_budget_lift           (GadgetBudget       *self,
                                             GadgetLimit         limit);
void          _gadget_budget_raise          (GadgetBudget       *self,
                                             GadgetLimit         limit);
void          _gadget_budget_abort          (GadgetBudget       *self,
                                             GadgetLimit         limit,
                                             gint64              amount);

/* Only one question is asked at a time. Returns TRUE if the caller is to ask, and to call
 * end_asking () afterwards. Returns FALSE if another question is open: TASK then returns TRUE after
 * that question was answered, or when CANCELLABLE is cancelled. */
gboolean      _gadget_budget_begin_asking   (GadgetBudget       *self,
                                             GTask              *task,
                                             GCancellable       *cancellable);
void          _gadget_budget_end_asking     (GadgetBudget       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetBudget, _gadget_budget_unref)

G_END_DECLS
