/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/providers/gadget-provider-list.h"
#include "gadget-registry.h"
#include "gadget-turn-options.h"
#include "agent/saving/gadget-agent-error.h"
#include "agent/saving/gadget-session-locks.h"
#include "agent/saving/gadget-unsaved-sessions.h"
#include "agent/saving/gadget-unsaved-turns.h"
#include "common/gadget-clock.h"
#include "effects/gadget-snapshot-service.h"
#include "session/gadget-session.h"
#include "store/usage/gadget-prices.h"
#include "tools/policy/gadget-policy.h"
#include "tools/gadget-toolbox.h"

G_BEGIN_DECLS

/**
 * GadgetAgent:
 *
 * Starts the turns of all sessions of this process, one at a time for each session, and stops them.
 * See the .c file for the order of events. Everything happens on the main context.
 *
 * The getters return objects that live as long as the agent. Those of the snapshot service, of the
 * unsaved turns and chats, and of the session locks return %NULL for an agent without a store.
 */
#define GADGET_TYPE_AGENT (gadget_agent_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAgent, gadget_agent, GADGET, AGENT, GObject)

/**
 * GadgetAgent::completed:
 * @turn_id: the turn
 * @success: %FALSE if the turn failed, %TRUE if it finished or was aborted
 * @message: "finished", "aborted", or why it failed
 *
 * Emitted exactly once for each turn that was started by the agent, after its final state was
 * written to the store (or could not be written) and its run has left the registry. The session is
 * idle then: a handler can start the next turn.
 */

/**
 * GadgetAgent::turn-started:
 * @session: the session of the turn
 * @turn: the turn, which has no items yet
 * @run_id: the id of its run, which is in the registry
 */

/**
 * GadgetAgent::tools-left-out:
 * @session: the user's chat
 * @turn: the turn of that chat, or of one of its subagents
 * @n_offered: how many tools the model was offered; may be 0
 * @n_left_out: how many tools were left out
 *
 * Emitted when the model of the turn can read so little that not all tools could be offered: once
 * for each model, after its first response to such a request.
 */

GadgetAgent           *gadget_agent_new                  (GadgetProviderList      *providers,
                                                          GadgetToolbox           *toolbox,
                                                          GadgetStore             *store,
                                                          GadgetClock             *clock);
GadgetRegistry        *gadget_agent_get_registry         (GadgetAgent             *self);
GadgetToolbox         *gadget_agent_get_toolbox          (GadgetAgent             *self);
GadgetSnapshotService *gadget_agent_get_snapshot_service (GadgetAgent             *self);
GadgetPolicy          *gadget_agent_get_policy           (GadgetAgent             *self);
GadgetUnsavedTurns    *gadget_agent_get_unsaved          (GadgetAgent             *self);
GadgetUnsavedSessions *gadget_agent_get_unsaved_sessions (GadgetAgent             *self);

/* (transfer none) (nullable): %NULL for an agent without a store. See
 * gadget_engine_hold_session (). */
GadgetSessionLocks    *gadget_agent_get_session_locks    (GadgetAgent             *self);

void                   gadget_agent_load_models          (GadgetAgent             *self);
GadgetPrices          *gadget_agent_get_prices           (GadgetAgent             *self);

/* Sets whether the model is asked for a title when the first turn of a chat has finished. FALSE by
 * default, because it costs a request that the user did not make. */
void                   gadget_agent_set_titles           (GadgetAgent             *self,
                                                          gboolean                 titles);

/* See gadget_engine_set_viewed (). */
void                   gadget_agent_set_viewed           (GadgetAgent             *self,
                                                          gconstpointer            viewer,
                                                          GadgetSession           *session);

/* From now on no turn starts, not even for a queued message. Called when the program is about to
 * end. */
void                   gadget_agent_close                (GadgetAgent             *self);

/* Starts a turn: makes its run, registers it, and returns it. (transfer full) (nullable) */
GadgetRun             *gadget_agent_start                (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          const char              *prompt,
                                                          const GadgetTurnOptions *options,
                                                          GError                 **error);

/* Like gadget_agent_start (), but the new turn replaces the turn at INDEX and all that follow.
 * (transfer full) (nullable) */
GadgetRun             *gadget_agent_start_over           (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          guint                    index,
                                                          const char              *prompt,
                                                          const GadgetTurnOptions *options,
                                                          GError                 **error);

/* Starts a turn with the queued message at INDEX (0 is the oldest), if the session is idle. */
gboolean               gadget_agent_send_queued          (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          guint                    index,
                                                          const GadgetTurnOptions *options,
                                                          GError                 **error);

/* For a session that another process works on: sends its queue after the turn of that process. */
void                   gadget_agent_queue_after_remote   (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          const GadgetTurnOptions *options);

/* The user aborts the turn of the other process: pauses what is queued now. If that turn could not
 * be aborted, resume () undoes the pause. */
void                   gadget_agent_pause_after_remote   (GadgetAgent             *self,
                                                          GadgetSession           *session);
void                   gadget_agent_resume_after_remote  (GadgetAgent             *self,
                                                          GadgetSession           *session);

/* Reads what the session's unsettled turn and its subagents have used so far, and what they may
 * use, including what the user has added since the start. Returns FALSE if no turn is active. */
gboolean               gadget_agent_get_spending         (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          GadgetLimits            *spent,
                                                          GadgetLimits            *allowed);

/* Aborts runs on behalf of the user and returns at once, before anything has stopped. If RUN_ID is
 * NULL, all runs of the session are aborted; if both are NULL, everything is. (transfer full) */
GadgetAbortAck        *gadget_agent_abort                (GadgetAgent             *self,
                                                          const char              *session_id,
                                                          const char              *run_id,
                                                          GadgetStopReason         reason);

/* Stops one running call of the session's turn. The turn goes on with the result of the call.
 * Returns FALSE if the call is not running. */
gboolean               gadget_agent_stop_tool            (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          const char              *call_id);

/* The user no longer waits for a connection on which nothing arrives. The request is made again; if
 * a part of the response had arrived, the turn fails with that part. Returns FALSE if no request is
 * under way. */
gboolean               gadget_agent_ask_again            (GadgetAgent             *self,
                                                          GadgetSession           *session);

/* Ends an aborted call without its tool, which has not stopped within 3 s. Returns FALSE if CALL_ID
 * is no such call. */
gboolean               gadget_agent_stop_waiting         (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          const char              *call_id);

/* Does what gadget_agent_stop_waiting () does, or else what gadget_agent_stop_tool () does, for a
 * call of the run. Returns FALSE if neither applies. */
gboolean               gadget_agent_stop_call            (GadgetAgent             *self,
                                                          const char              *run_id,
                                                          const char              *call_id);

/* Ends the session's aborted turn without anything that it still waits for: the user has insisted
 * on leaving the program. Returns FALSE if there is no such turn. */
gboolean               gadget_agent_give_up              (GadgetAgent             *self,
                                                          GadgetSession           *session);

/* Tries again to write a turn that could not be saved, together with the turns of its subagents. */
void                   gadget_agent_save_again           (GadgetAgent             *self,
                                                          GadgetSession           *session,
                                                          GadgetTurn              *turn);

G_END_DECLS
