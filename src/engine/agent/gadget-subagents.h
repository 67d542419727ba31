/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"

G_BEGIN_DECLS

#define GADGET_TYPE_SUBAGENTS (gadget_subagents_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSubagents, gadget_subagents, GADGET, SUBAGENTS, GObject)

/* The subagents of one turn. The turn's calls of the tool "task" use it as their #GadgetTaskHost.
 * BUDGET is shared with the subagents. */
GadgetSubagents *_gadget_subagents_new               (GadgetAgent             *agent,
                                                      GadgetRun               *run,
                                                      GadgetSession           *session,
                                                      GadgetTurn              *turn,
                                                      const GadgetTurnOptions *options,
                                                      GadgetBudget            *budget);

/* Removes the tools from REQUEST that the model of this turn is not offered: "task" at the largest
 * depth, "ask_user" for a subagent without a user. */
void             _gadget_subagents_limit_tools       (GadgetSubagents         *self,
                                                      GadgetRequest           *request);

/* Ends the wait of the subagent of ITEM, a call of the turn, for whatever it waits for. Returns
 * FALSE if ITEM has no subagent that works. */
gboolean         _gadget_subagents_stop_waiting      (GadgetSubagents         *self,
                                                      GadgetItem              *item);

/* Ends all subagents that work, without whatever they wait for. */
void             _gadget_subagents_abandon           (GadgetSubagents         *self);

/* Returns the id of the session whose lease RUN works under: that of its uppermost ancestor.
 * (transfer none) */
const char      *_gadget_subagents_get_lease_session (GadgetRun               *run);

G_END_DECLS
