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

/* The work order of one turn: asks the model, runs the calls it makes, asks again, until it is
 * answered, aborted or failed; then seals the turn and has it written. BUDGET is that of the turn
 * above, for a subagent; NULL for a turn that has its own. */
GadgetTurnLoop *_gadget_turn_loop_new          (GadgetAgent             *agent,
                                                GadgetRun               *run,
                                                GadgetSession           *session,
                                                GadgetTurn              *turn,
                                                GadgetJournal           *journal,
                                                const GadgetTurnOptions *options,
                                                GadgetBudget            *budget);
GadgetRun      *_gadget_turn_loop_get_run      (GadgetTurnLoop          *self);
GadgetSession  *_gadget_turn_loop_get_session  (GadgetTurnLoop          *self);
GadgetTurn     *_gadget_turn_loop_get_turn     (GadgetTurnLoop          *self);
GadgetBudget   *_gadget_turn_loop_get_budget   (GadgetTurnLoop          *self);

/* Closes the connection on which the model is asked. When nothing has come on it, the model is asked
 * again; else the turn fails, with what came. FALSE when the model is not asked now. */
gboolean        _gadget_turn_loop_ask_again    (GadgetTurnLoop          *self);

/* Calls back when the turn has its final status and is on disk, or is known not to be. */
void            _gadget_turn_loop_run_async    (GadgetTurnLoop          *self,
                                                GAsyncReadyCallback      callback,
                                                gpointer                 user_data);
void            _gadget_turn_loop_run_finish   (GadgetTurnLoop          *self,
                                                GAsyncResult            *result);
gboolean        _gadget_turn_loop_stop_tool    (GadgetTurnLoop          *self,
                                                const char              *call_id);
/* Ends a subagent's turn without what it waits for, which is no tool. FALSE when it has ended. */
gboolean        _gadget_turn_loop_give_up      (GadgetTurnLoop          *self);
gboolean        _gadget_turn_loop_is_given_up  (GadgetTurnLoop          *self);
/* Ends an aborted turn, and those of its subagents, without whatever they wait for. */
void            _gadget_turn_loop_leave        (GadgetTurnLoop          *self);
gboolean        _gadget_turn_loop_stop_waiting (GadgetTurnLoop          *self,
                                                const char              *call_id);

/* Of the agent, for its loops. */
GadgetProviderList *_gadget_agent_get_providers (GadgetAgent            *self);
GadgetClock        *_gadget_agent_get_clock     (GadgetAgent            *self);
GadgetStore        *_gadget_agent_get_store     (GadgetAgent            *self);
GadgetModelLimits  *_gadget_agent_get_model_limits (GadgetAgent         *self);
void                _gadget_agent_emit_tools_left_out (GadgetAgent      *self,
                                                 GadgetSession          *session,
                                                 GadgetTurn             *turn,
                                                 guint                   n_offered,
                                                 guint                   n_left_out);
void                _gadget_agent_add_loop      (GadgetAgent            *agent,
                                                 GadgetTurnLoop         *loop);
void                _gadget_agent_remove_loop   (GadgetAgent            *agent,
                                                 GadgetTurnLoop         *loop);
gboolean            _gadget_agent_keep_lease    (GadgetAgent            *self,
                                                 const char             *session_id,
                                                 GError                **error);
void                _gadget_agent_drop_lease    (GadgetAgent            *self,
                                                 const char             *session_id);

G_END_DECLS
