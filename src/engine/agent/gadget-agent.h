/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-limits.h"
#include "gadget-open-sessions.h"
#include "gadget-provider-list.h"
#include "gadget-registry.h"
#include "gadget-unsaved-sessions.h"
#include "gadget-unsaved-turns.h"
#include "common/gadget-clock.h"
#include "effects/gadget-keeper.h"
#include "session/gadget-session.h"
#include "tools/gadget-policy.h"
#include "tools/gadget-toolbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_AGENT (gadget_agent_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAgent, gadget_agent, GADGET, AGENT, GObject)

#define GADGET_AGENT_ERROR (gadget_agent_error_quark ())
GQuark gadget_agent_error_quark (void);

/**
 * GadgetAgentError:
 * @GADGET_AGENT_ERROR_BUSY: the session has an unsettled turn in this process
 * @GADGET_AGENT_ERROR_BUSY_ELSEWHERE: another process works on the session
 * @GADGET_AGENT_ERROR_DELETED: the session was deleted, or is about to be
 * @GADGET_AGENT_ERROR_FAILED: the session cannot be worked on; the message says why
 */
typedef enum
{
  GADGET_AGENT_ERROR_BUSY,
  GADGET_AGENT_ERROR_BUSY_ELSEWHERE,
  GADGET_AGENT_ERROR_DELETED,
  GADGET_AGENT_ERROR_FAILED,
} GadgetAgentError;

/**
 * GadgetTurnOptions:
 * @run_id: (nullable): the id that the starter wants for the run; NULL for a fresh one
 * @attachments: (nullable) (element-type GadgetAttachment): what is given with the prompt
 * @provider: (nullable): what the session uses from this turn on; %NULL leaves it
 * @model: (nullable): likewise
 * @turn_provider: (nullable): who answers this turn alone; the session keeps its provider and model
 * @workspace: (nullable): likewise, a folder's whole path
 * @approval: what happens with calls that need permission
 * @chat: (nullable): of a subagent, the chat of the user's that it works for; set by the agent
 * @interactive: whether somebody is there to answer questions
 * @deadline_ms: the turn is aborted after that long, whoever is there; 0 for no limit
 * @limits: what the turn may use before somebody is asked, or before it is aborted
 *
 * All zero is a good default but for @interactive. A turn that does not start changes nothing.
 */
typedef struct
{
  const char *run_id;
  GPtrArray *attachments;
  const char *provider;
  const char *model;
  const char *turn_provider;
  const char *workspace;
  GadgetApproval approval;
  GadgetSession *chat;
  gboolean interactive;
  guint deadline_ms;
  GadgetLimits limits;
} GadgetTurnOptions;

/* Of a copy that is kept: drops what was lent for the start alone. */
void            _gadget_turn_options_drop_lent (GadgetTurnOptions *self);

/* For gadget-agent-queue.c. */
void            _gadget_agent_save_session (GadgetAgent            *self,
                                            GadgetSession          *session);
gboolean        _gadget_agent_go_on_with_queue (GadgetAgent             *self,
                                                GadgetSession           *session,
                                                const GadgetTurnOptions *before,
                                                GError                 **error);

/**
 * GadgetAgent::completed:
 * @turn_id: the turn
 * @success: %TRUE for a turn that finished, and for one that was aborted
 * @message: "finished", "aborted", or why it failed
 *
 * Exactly once for each turn, after its final state is on disk (or could not be put there) and its
 * run has left the registry: the session takes the next message.
 */

/**
 * GadgetAgent::turn-started:
 * @session: its session
 * @turn: the turn, before anything is in it
 * @run_id: its run, which is registered
 */

/**
 * GadgetAgent::tools-left-out:
 * @session: the user's chat
 * @turn: its turn, or that of a subagent
 * @n_offered: how many tools the model was offered; 0 for none
 * @n_left_out: how many it was not
 *
 * The turn's model can read so little that not all tools can be offered. Once for each model, when
 * it has answered.
 */

GadgetAgent    *gadget_agent_new          (GadgetProviderList      *providers,
                                           GadgetToolbox           *toolbox,
                                           GadgetStore             *store,
                                           GadgetClock             *clock);
GadgetRegistry *gadget_agent_get_registry (GadgetAgent             *self);
GadgetToolbox  *gadget_agent_get_toolbox  (GadgetAgent             *self);
GadgetKeeper   *gadget_agent_get_keeper   (GadgetAgent             *self);
GadgetPolicy   *gadget_agent_get_policy   (GadgetAgent             *self);
GadgetUnsavedTurns *gadget_agent_get_unsaved (GadgetAgent          *self);
GadgetUnsavedSessions *gadget_agent_get_unsaved_sessions (GadgetAgent *self);

/* (transfer none) (nullable): there with the store. See gadget_engine_hold_session (). */
GadgetOpenSessions *gadget_agent_get_open_sessions (GadgetAgent    *self);

void            gadget_agent_load_model_limits (GadgetAgent        *self);

/* Whether a chat whose first turn finished gets a title from its model. FALSE unless set: it costs a
 * request that nobody asked for. */
void            gadget_agent_set_titles   (GadgetAgent             *self,
                                           gboolean                 titles);

/* From now on no turn starts, not from a queue either: the program is about to end. */
void            gadget_agent_close        (GadgetAgent             *self);

/* Starts a turn: makes and registers its run, then returns. (transfer full) */
GadgetRun      *gadget_agent_start        (GadgetAgent             *self,
                                           GadgetSession           *session,
                                           const char              *prompt,
                                           const GadgetTurnOptions *options,
                                           GError                 **error);

/* The same in the place of the turn at INDEX and of all behind it. (transfer full) */
GadgetRun      *gadget_agent_start_over   (GadgetAgent             *self,
                                           GadgetSession           *session,
                                           guint                    index,
                                           const char              *prompt,
                                           const GadgetTurnOptions *options,
                                           GError                 **error);

/* Starts the oldest queued message, or the one at INDEX, if the session is idle. */
gboolean        gadget_agent_send_queued  (GadgetAgent             *self,
                                           GadgetSession           *session,
                                           guint                    index,
                                           const GadgetTurnOptions *options,
                                           GError                 **error);

/* For a session on which another process works: what is queued is sent after its turn. */
void            gadget_agent_queue_after_remote (GadgetAgent             *self,
                                                 GadgetSession           *session,
                                                 const GadgetTurnOptions *options);

/* The user stops that turn: what is queued now is paused; or goes on, when it could not be stopped. */
void            gadget_agent_pause_after_remote (GadgetAgent             *self,
                                                 GadgetSession           *session);
void            gadget_agent_resume_after_remote (GadgetAgent            *self,
                                                 GadgetSession           *session);

/* What the session's unsettled turn and its subagents have used so far, and what they may use, as
 * the user may have raised it meanwhile. FALSE when nothing is going on there. */
gboolean        gadget_agent_get_spending (GadgetAgent             *self,
                                           GadgetSession           *session,
                                           GadgetLimits            *spent,
                                           GadgetLimits            *allowed);

/* The user's stop. Returns at once; NULL for the run means the session's. (transfer full) */
GadgetAbortAck *gadget_agent_abort        (GadgetAgent             *self,
                                           const char              *session_id,
                                           const char              *run_id,
                                           GadgetStopReason         reason);

/* Ends one running call of the session's turn, which goes on with what the call answers. */
gboolean        gadget_agent_stop_tool    (GadgetAgent             *self,
                                           GadgetSession           *session,
                                           const char              *call_id);

/* The user no longer waits for a connection on which nothing comes: the model is asked again, or,
 * when a part of its answer came, the turn ends with that. FALSE when it is not asked now. */
gboolean        gadget_agent_ask_again    (GadgetAgent             *self,
                                           GadgetSession           *session);

/* Ends the turn without a tool that did not heed the abort for 3 s. FALSE when it is not so. */
gboolean        gadget_agent_stop_waiting (GadgetAgent             *self,
                                           GadgetSession           *session,
                                           const char              *call_id);

/* One or the other, whichever it is time for, by the run. */
gboolean        gadget_agent_stop_call    (GadgetAgent             *self,
                                           const char              *run_id,
                                           const char              *call_id);

/* Ends the session's turn, which was aborted, without anything that it still waits for: the user has
 * said a second time that the program is to leave. FALSE when there is no such turn. */
gboolean        gadget_agent_give_up      (GadgetAgent             *self,
                                           GadgetSession           *session);

/* Tries again to write a turn that could not be saved. */
void            gadget_agent_save_again   (GadgetAgent             *self,
                                           GadgetSession           *session,
                                           GadgetTurn              *turn);

G_END_DECLS
