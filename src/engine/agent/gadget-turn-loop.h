/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-budget.h"
#include "gadget-turn-environment.h"
#include "gadget-turn-options.h"
#include "store/gadget-journal.h"
#include "tools/gadget-task-host.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_LOOP (gadget_turn_loop_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnLoop, gadget_turn_loop, GADGET, TURN_LOOP, GObject)

/* Works on one turn: asks the model, runs the calls that it makes, asks it again, until the turn
 * has finished, failed or was aborted; then seals the turn and has it written. BUDGET is NULL for a
 * turn of the user's chat, which gets a budget of its own; a subagent shares the budget of that
 * turn. JOURNAL is NULL without a store. The loop needs a host for its subagents before it runs, see
 * _gadget_subagents_new_loop (). The getters are (transfer none). */
GadgetTurnLoop     *_gadget_turn_loop_new             (GadgetTurnEnvironment   *environment,
                                                       GadgetRun               *run,
                                                       GadgetSession           *session,
                                                       GadgetTurn              *turn,
                                                       GadgetJournal           *journal,
                                                       const GadgetTurnOptions *options,
                                                       GadgetBudget            *budget);
GadgetRun          *_gadget_turn_loop_get_run         (GadgetTurnLoop          *self);
GadgetSession      *_gadget_turn_loop_get_session     (GadgetTurnLoop          *self);
GadgetTurn         *_gadget_turn_loop_get_turn        (GadgetTurnLoop          *self);
const GadgetTurnOptions *
                    _gadget_turn_loop_get_options     (GadgetTurnLoop          *self);
GadgetBudget       *_gadget_turn_loop_get_budget      (GadgetTurnLoop          *self);
void                _gadget_turn_loop_set_task_host   (GadgetTurnLoop          *self,
                                                       GadgetTaskHost          *task_host);

/* Stores the turn, which was not stored until now, from its beginning on: JOURNAL does. */
void                _gadget_turn_loop_keep            (GadgetTurnLoop          *self,
                                                       GadgetJournal           *journal);

/* Adds the loop and its run to the environment, which makes the run abortable. */
void                _gadget_turn_loop_register        (GadgetTurnLoop          *self);
/* Ends the run and takes both out. */
void                _gadget_turn_loop_unregister      (GadgetTurnLoop          *self);
/* Returns the loop of the session's turn. (transfer none) (nullable) */
GadgetTurnLoop     *_gadget_turn_loop_find            (GadgetTurnEnvironment   *environment,
                                                       GadgetSession           *session);

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
void                _gadget_turn_loop_give_up_all     (GadgetTurnLoop          *self);
/* Ends the wait for a call that is marked as unresponsive. Returns FALSE if the call is not. */
gboolean            _gadget_turn_loop_stop_waiting    (GadgetTurnLoop          *self,
                                                       const char              *call_id);

G_END_DECLS
