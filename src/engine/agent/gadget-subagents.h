/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"

G_BEGIN_DECLS

#define GADGET_TYPE_SUBAGENTS (gadget_subagents_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSubagents, gadget_subagents, GADGET, SUBAGENTS, GObject)

/* The subagents of one turn: what the turn's calls of the tool "task" get as their
 * #GadgetTaskHost. */
GadgetSubagents *_gadget_subagents_new               (GadgetAgent              *agent,
                                                      GadgetRun                *run,
                                                      GadgetSession            *session,
                                                      GadgetTurn               *turn,
                                                      const GadgetTurnOptions  *options,
                                                      GadgetBudget             *budget);

/* Takes out of REQUEST what this turn does not offer its model. */
void             _gadget_subagents_limit_tools       (GadgetSubagents          *self,
                                                      GadgetRequest            *request);

/* Ends the waiting for whatever the subagent that ITEM, a call of the turn, waits for. FALSE when
 * there is no such subagent any more. */
gboolean         _gadget_subagents_stop_waiting      (GadgetSubagents          *self,
                                                      GadgetItem               *item);

/* Ends all that work, without whatever they wait for. */
void             _gadget_subagents_leave             (GadgetSubagents          *self);

/* Whose lease a run works under: the session of the uppermost run. */
const char      *_gadget_subagents_get_lease_session (GadgetRun                *run);

G_END_DECLS
