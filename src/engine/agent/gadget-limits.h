/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-run.h"
#include "common/gadget-clock.h"
#include "session/gadget-turn.h"

G_BEGIN_DECLS

/**
 * GadgetLimits:
 * @time_ms: how long a turn may work, in milliseconds, not counting the time it waits for the user
 * @steps: how many requests it may make to the model
 * @tokens: how many tokens it may use, input and output together
 * @hard: the turn is aborted at a limit even if somebody is there to be asked
 *
 * The limits of a turn, together with its subagents. 0 means no limit.
 */
typedef struct
{
  guint time_ms;
  guint steps;
  gint64 tokens;
  gboolean hard;
} GadgetLimits;

/* Returns a sentence like "The turn was aborted at its limit: 20 steps."; NULL for a turn that was
 * not ended by a limit. (transfer full) (nullable) */
char *gadget_limits_dup_text (GadgetTurn *turn);

/* The rest is private to this folder. GadgetBudget: see gadget-budget.h. GadgetLimiter applies the
 * limits to the loop of one turn or subagent: stop () ends the deadline; count_step () is called
 * before each step; is_reached () says whether halt_async () has to be called before the next
 * one. */
typedef struct _GadgetBudget GadgetBudget;
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
