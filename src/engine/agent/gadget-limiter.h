/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-budget.h"

G_BEGIN_DECLS

/* Applies the limits to the loop of one turn or subagent. stop () ends the deadline; count_step ()
 * is called before each step; is_reached () says whether halt_async () has to be called before the
 * next one. */
typedef struct _GadgetLimiter GadgetLimiter;

GadgetLimiter *_gadget_limiter_new          (GadgetClock          *clock,
                                             GadgetBudget         *budget,
                                             GadgetRun            *run,
                                             GadgetTurn           *turn,
                                             guint                 deadline_ms);
void           _gadget_limiter_free         (GadgetLimiter        *self);
void           _gadget_limiter_stop         (GadgetLimiter        *self);
void           _gadget_limiter_count_step   (GadgetLimiter        *self);
gboolean       _gadget_limiter_is_reached   (GadgetLimiter        *self);
void           _gadget_limiter_halt_async   (GadgetLimiter        *self,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
void           _gadget_limiter_halt_finish  (GAsyncResult         *result);

G_END_DECLS
