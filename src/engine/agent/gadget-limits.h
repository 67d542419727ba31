/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/**
 * GadgetLimits:
 * @time_ms: how long a turn may work, in milliseconds, not counting the time it waits for the user
 * @steps: how many requests it may make to the model
 * @tokens: how many tokens it may use, input and output together
 * @cost: what it may cost, in billionths of a US dollar
 * @day_cost: what all turns of a day may cost, in billionths of a US dollar. The turn that reaches
 *   it, and each later one, is asked about
 * @hard: the turn is aborted at a limit even if somebody is there to be asked
 *
 * The limits of a turn, together with its subagents. 0 means no limit. What requests to models
 * without a price cost is not known, and not counted.
 */
typedef struct
{
  guint time_ms;
  guint steps;
  gint64 tokens;
  gint64 cost;
  gint64 day_cost;
  gboolean hard;
} GadgetLimits;

/* Returns a sentence like "The turn was aborted at its limit: 20 steps."; NULL for a turn that was
 * not ended by a limit. (transfer full) (nullable) */
char *gadget_limits_dup_text (GadgetTurn *turn);

G_END_DECLS
