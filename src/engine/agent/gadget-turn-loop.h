/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"
#include "gadget-model-limits.h"
#include "gadget-subagents.h"
#include "store/gadget-journal.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_LOOP (gadget_turn_loop_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnLoop, gadget_turn_loop, GADGET, TURN_LOOP, GObject)

/* Works on one turn: asks the model, runs the calls that it makes, asks it again, until the turn
 * has finished, failed or was aborted; then seals the turn and has it written. BUDGET is NULL for a
 * turn of the user's chat, which gets a budget of its own; a subagent shares the budget of that
 * turn. JOURNAL is NULL without a store. The getters are (transfer none). */
GadgetTurnLoop     *_gadget_turn_loop_new             (GadgetAgent             *agent,
                                                       GadgetRun               *run,
                                                       GadgetSession           *session,
                                                       GadgetTurn              *turn,
                                                       GadgetJournal           *journal,
                                                       const GadgetTurnOptions *options,
                                                       GadgetBudget            *budget);
GadgetRun          *_gadget_turn_loop_get_run         (GadgetTurnLoop          *self);
GadgetSession      *_gadget_turn_loop_get_session     (GadgetTurnLoop          *self);
GadgetTurn         *_gadget_turn_loop_get_turn        (GadgetTurnLoop          *self);
GadgetBudget       *_gadget_turn_loop_get_budget      (GadgetTurnLoop          *self);

/* Closes the connection of the request that is under way. If nothing of the response has arrived,
 * the request is made again; else the turn fails with what has arrived. Returns FALSE if no request
 * is under way. */
gboolean            _gadget_turn_loop_ask_again       (GadgetTurnLoop          *self);

/* Calls back when the turn has its final status and was written, or its write is known to have
 * failed or to be late. Called once; it cannot fail. */
void                _gadget_turn_loop_run_async       (GadgetTurnLoop          *self,
                                                       GAsyncReadyCallback      callback,
                                                       gpointer                 user_data);
void                _gadget_turn_loop_run_finish      (GadgetTurnLoop          *self,
                                                       GAsyncResult            *result);
/* Stops one running call; the turn goes on. Returns FALSE if the call is not running. */
gboolean            _gadget_turn_loop_stop_tool       (GadgetTurnLoop          *self,
                                                       const char              *call_id);
/* Ends the turn of a subagent without what it waits for, which must not be a tool. Returns FALSE if
 * the turn has ended or waits for a tool. */
gboolean            _gadget_turn_loop_give_up         (GadgetTurnLoop          *self);
gboolean            _gadget_turn_loop_is_given_up     (GadgetTurnLoop          *self);
/* Ends an aborted turn, and the turns of its subagents, without whatever they wait for. */
void                _gadget_turn_loop_abandon         (GadgetTurnLoop          *self);
/* Ends the wait for a call that is marked as unresponsive. Returns FALSE if the call is not. */
gboolean            _gadget_turn_loop_stop_waiting    (GadgetTurnLoop          *self,
                                                       const char              *call_id);

/* Private functions of the agent, for its loops. See gadget-agent.c. The getters are
 * (transfer none); the store is NULL if the agent has none. */
GadgetProviderList *_gadget_agent_get_providers       (GadgetAgent             *self);
GadgetClock        *_gadget_agent_get_clock           (GadgetAgent             *self);
GadgetStore        *_gadget_agent_get_store           (GadgetAgent             *self);
GadgetModelLimits  *_gadget_agent_get_model_limits    (GadgetAgent             *self);
void                _gadget_agent_emit_tools_left_out (GadgetAgent             *self,
                                                       GadgetSession           *session,
                                                       GadgetTurn              *turn,
                                                       guint                    n_offered,
                                                       guint                    n_left_out);
void                _gadget_agent_add_loop            (GadgetAgent             *agent,
                                                       GadgetTurnLoop          *loop);
void                _gadget_agent_remove_loop         (GadgetAgent             *agent,
                                                       GadgetTurnLoop          *loop);
gboolean            _gadget_agent_keep_lease          (GadgetAgent             *self,
                                                       const char              *session_id,
                                                       GError                 **error);
void                _gadget_agent_drop_lease          (GadgetAgent             *self,
                                                       const char              *session_id);

G_END_DECLS
