/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The agent starts turns and reports, once for each, how they ended.
 *
 * The order at the start is: lease, turn, run, registry, session, and only then the return to the
 * caller. An abort that follows at once therefore finds the run. The order at the end is: the final
 * state of the turn is written (or the write is known to have failed or to be late), the run leaves
 * the registry, the lease is dropped, the session becomes idle, and only then "completed" is
 * emitted, so that a handler can start the next turn. After that the first queued message that is
 * not paused is sent; if there is none and the turn finished, the model is asked for a title.
 *
 * An abort or a failure pauses all messages that are queued at that moment. Messages that the user
 * queues later, while the turn still settles, are not paused and are sent after it.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-agent-private.h"

#include "gadget-edit-obstacle.h"
#include "gadget-subagents.h"
#include "gadget-title.h"
#include "common/gadget-id.h"
#include "session/gadget-attachment.h"
#include "store/gadget-store-sessions.h"

struct _GadgetAgent
{
  GObject parent_instance;

  GadgetTurnEnvironment *environment;
  gboolean titles; /* whether models are asked for titles */
  gboolean closed; /* no turn starts any more */
  GHashTable *views;
};

/* A turn that was started, for settled_cb (). */
typedef struct
{
  GadgetAgent *agent;
  GadgetSession *session;
  GadgetTurn *turn; /* (nullable) */
  char *leased;     /* (nullable): the session whose lease the turn holds */
  GadgetTurnOptions options;
} StartedTurn;

enum
{
  COMPLETED,
  TURN_STARTED,
  TOOLS_LEFT_OUT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetAgent, gadget_agent, G_TYPE_OBJECT)

static void
gadget_agent_dispose (GObject *object)
{
  GadgetAgent *self = GADGET_AGENT (object);

  if (self->environment != NULL)
    self->environment->tools_left_out = NULL;
  g_clear_object (&self->environment);
  g_clear_pointer (&self->views, g_hash_table_unref);

  G_OBJECT_CLASS (gadget_agent_parent_class)->dispose (object);
}

static void
gadget_agent_class_init (GadgetAgentClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_agent_dispose;

  signals[COMPLETED] =
      g_signal_new ("completed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_BOOLEAN, G_TYPE_STRING);
  signals[TURN_STARTED] =
      g_signal_new ("turn-started", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 3, GADGET_TYPE_SESSION, GADGET_TYPE_TURN, G_TYPE_STRING);
  signals[TOOLS_LEFT_OUT] = g_signal_new (
      "tools-left-out", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_NONE, 4, GADGET_TYPE_SESSION, GADGET_TYPE_TURN, G_TYPE_UINT, G_TYPE_UINT);
}

static void
gadget_agent_init (GadgetAgent *self)
{
  self->views = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

static void
tools_left_out_cb (GadgetSession *session, GadgetTurn *turn, guint n_offered, guint n_left_out,
                   gpointer agent)
{
  g_signal_emit (agent, signals[TOOLS_LEFT_OUT], 0, session, turn, n_offered, n_left_out);
}

/**
 * gadget_agent_new:
 * @store: (nullable): where turns are kept; with %NULL nothing is kept
 *
 * Returns: (transfer full): an agent
 */
GadgetAgent *
gadget_agent_new (GadgetProviderList *providers, GadgetToolbox *toolbox, GadgetStore *store,
                  GadgetClock *clock)
{
  GadgetAgent *self = g_object_new (GADGET_TYPE_AGENT, NULL);

  self->environment = _gadget_turn_environment_new (providers, toolbox, store, clock);
  self->environment->tools_left_out = tools_left_out_cb;
  self->environment->tools_left_out_data = self;
  return self;
}

GadgetTurnEnvironment *
_gadget_agent_get_environment (GadgetAgent *self)
{
  return self->environment;
}

GHashTable *
_gadget_agent_get_views (GadgetAgent *self)
{
  return self->views;
}

/* gadget_agent_get_registry () and gadget_agent_get_toolbox () return the runs that are going on
 * and the tools that models can be offered. Both belong to the agent. (transfer none) */
GadgetRegistry *
gadget_agent_get_registry (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->registry;
}

GadgetToolbox *
gadget_agent_get_toolbox (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->toolbox;
}

/**
 * gadget_agent_get_policy:
 *
 * Returns: (transfer none): the policy that decides what calls may do
 */
GadgetPolicy *
gadget_agent_get_policy (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->policy;
}

/**
 * gadget_agent_get_snapshot_service:
 *
 * Returns: (transfer none) (nullable): the service that records what turns changed; %NULL without a
 *   store
 */
GadgetSnapshotService *
gadget_agent_get_snapshot_service (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->storage != NULL ? self->environment->storage->snapshots : NULL;
}

/**
 * gadget_agent_get_unsaved:
 *
 * Returns: (transfer none) (nullable): the ended turns that are not saved; %NULL without a store
 */
GadgetUnsavedTurns *
gadget_agent_get_unsaved (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->storage != NULL ? self->environment->storage->unsaved_turns : NULL;
}

GadgetSessionLocks *
gadget_agent_get_session_locks (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->storage != NULL ? self->environment->storage->locks : NULL;
}

/**
 * gadget_agent_get_prices:
 *
 * Returns: (transfer none): the prices of models
 */
GadgetPrices *
gadget_agent_get_prices (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->prices;
}

/**
 * gadget_agent_load_models:
 *
 * Reads from the store what is known about models: how much each can read, and the prices that the
 * user has set. The agent must have a store that has been opened.
 */
void
gadget_agent_load_models (GadgetAgent *self)
{
  g_return_if_fail (GADGET_IS_AGENT (self) && self->environment->storage != NULL);
  _gadget_model_limits_load (self->environment->model_limits);
  gadget_prices_start (self->environment->prices);
}

static GadgetTurnStorage *
get_storage (GadgetAgent *self, GadgetSession *session)
{
  return _gadget_turn_environment_get_storage (self->environment, session);
}

/* Writes the row of the session, which exists since the session's first turn was stored. Without a
 * store it does nothing. */
void
_gadget_agent_save_session (GadgetAgent *self, GadgetSession *session)
{
  const GadgetTurnStorage *storage = get_storage (self, session);

  if (storage != NULL)
    gadget_unsaved_sessions_save (storage->unsaved_sessions, session);
}

/**
 * gadget_agent_get_unsaved_sessions:
 *
 * Returns: (transfer none) (nullable): the chats with changes that are not saved; %NULL without a
 *   store
 */
GadgetUnsavedSessions *
gadget_agent_get_unsaved_sessions (GadgetAgent *self)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);
  return self->environment->storage != NULL ? self->environment->storage->unsaved_sessions : NULL;
}

/* --- The end of a turn ------------------------------------------------------------------------ */

static void
started_turn_release_lease (StartedTurn *started)
{
  if (started->leased != NULL)
    gadget_session_locks_release_lease (started->agent->environment->storage->locks,
                                        started->leased);
  g_clear_pointer (&started->leased, g_free);
}

static void
started_turn_free (StartedTurn *started)
{
  started_turn_release_lease (started);
  if (started->turn != NULL)
    g_signal_handlers_disconnect_by_data (started->turn, started);
  g_clear_object (&started->turn);
  g_object_unref (started->session);
  g_object_unref (started->agent);
  g_free (started);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StartedTurn, started_turn_free)

static void
phase_cb (GadgetTurn *turn, GParamSpec *pspec, StartedTurn *started)
{
  _gadget_agent_note_phase (started->agent, started->session, turn);
}

static const char *
completion_message (GadgetTurn *turn)
{
  const char *detail = gadget_turn_get_error_detail (turn);

  switch (gadget_turn_get_status (turn))
    {
    case GADGET_TURN_FINISHED:
      return "finished";
    case GADGET_TURN_ABORTED:
      return "aborted";
    default:
      return detail != NULL && *detail != '\0' ? detail : gadget_turn_get_error_code (turn);
    }
}

/* Sends the first message that is not paused, with the approval of the chat and without a deadline:
 * those in @before may have been chosen by another caller, for its own turn only. Returns FALSE
 * with a GADGET_AGENT_ERROR if it could not be sent; the message then stays in the queue. */
gboolean
_gadget_agent_send_next_queued (GadgetAgent *self, GadgetSession *session,
                                const GadgetTurnOptions *before, GError **error)
{
  const guint next = gadget_session_find_unpaused (session);
  GadgetTurnOptions options = *before;

  if (self->closed || next == g_list_model_get_n_items (gadget_session_get_queue (session))
      || gadget_session_get_active_run (session) != NULL)
    return TRUE;
  options.approval = GADGET_APPROVAL_SESSION;
  options.deadline_ms = 0;
  return gadget_agent_send_queued (self, session, next, &options, error);
}

static void
send_next_queued (GadgetAgent *self, GadgetSession *session, const GadgetTurnOptions *before)
{
  g_autoptr (GError) error = NULL;

  if (_gadget_agent_send_next_queued (self, session, before, &error))
    return;
  g_message ("the queued message stays: %s", error->message);
  gadget_session_set_queue_paused (session, TRUE);
}

/* --- Titles ----------------------------------------------------------------------------------- */

static guint
count_named_after (GadgetSession *session)
{
  guint n = 0;

  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    n += _gadget_title_can_name (gadget_session_get_turn (session, i));
  return n;
}

static void
titled_cb (GadgetSession *session, const GError *error, gpointer user_data)
{
  if (error == NULL)
    _gadget_agent_save_session (user_data, session);
}

/* A title is due after the first turn that finished and was not the Guide's. If queued messages
 * follow, the request is made after the last of their turns. */
static void
make_title (GadgetAgent *self, GadgetSession *session, GadgetTurn *turn)
{
  static const char due_key[] = "gadget-agent-title-due";
  GObject *object = G_OBJECT (session);

  if (!self->titles || self->closed || gadget_session_get_incognito (session)
      || gadget_turn_get_status (turn) != GADGET_TURN_FINISHED
      || gadget_session_get_deletion (session) != GADGET_DELETION_NONE)
    return;
  if (count_named_after (session) != 1 && g_object_get_data (object, due_key) == NULL)
    return;
  g_object_set_data (object, due_key, GINT_TO_POINTER (TRUE));
  if (gadget_session_get_active_run (session) != NULL)
    return;
  g_object_set_data (object, due_key, NULL);
  if (!_gadget_title_can_name (turn) || !_gadget_title_is_wanted (session))
    return;
  _gadget_title_start (self->environment, NULL, session, FALSE, titled_cb, g_object_ref (self),
                       g_object_unref);
}

static void
aborted_cb (GadgetSession *session)
{
  gadget_session_set_queue_paused (session, TRUE);
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetTurnLoop *loop = GADGET_TURN_LOOP (source);
  g_autoptr (StartedTurn) started = user_data;
  GadgetAgent *self = started->agent;
  GadgetSession *session = started->session;
  GadgetTurn *turn = started->turn;
  const GadgetTurnStatus status = gadget_turn_get_status (turn);

  _gadget_turn_loop_run_finish (loop, result);
  gadget_session_end_steering (session);
  gadget_session_set_last_status (session, status);
  gadget_session_set_updated_at (session, gadget_clock_wall_ms ());
  _gadget_agent_note_end (self, session, turn);
  _gadget_agent_save_session (self, session);

  _gadget_turn_loop_unregister (loop);
  started_turn_release_lease (started);
  gadget_session_set_active_run (session, NULL);

  g_signal_emit (self, signals[COMPLETED], 0, gadget_turn_get_id (turn),
                 status != GADGET_TURN_ERROR, completion_message (turn));
  send_next_queued (self, session, &started->options);
  make_title (self, session, turn);
}

/* --- The start of a turn ---------------------------------------------------------------------- */

/* Makes the turn and updates the session. The journal stores both together. */
static GadgetTurn *
make_turn (GadgetAgent *self, GadgetSession *session, const char *prompt,
           const GadgetTurnOptions *options)
{
  const gboolean once = options->turn_provider != NULL;
  g_autofree char *id = gadget_id_new ();
  GadgetTurn *turn = gadget_turn_new (id, prompt);
  const char *provider = once ? options->turn_provider : gadget_session_get_provider (session);
  const char *model = once ? NULL : gadget_session_get_model (session);
  GadgetProviderConfig *config = gadget_provider_list_find (self->environment->providers, provider);

  if (provider == NULL)
    provider = gadget_provider_list_get_default_id (self->environment->providers);
  if (model == NULL && config != NULL)
    model = gadget_provider_config_get_model (config);
  gadget_turn_set_model (turn, provider, model);
  gadget_attachments_set (turn, options->attachments);
  if (gadget_session_get_title (session) == NULL && !gadget_session_get_incognito (session))
    {
      g_autofree char *title = _gadget_title_from_turn (turn);

      gadget_session_set_title (session, *title != '\0' ? title : NULL);
    }
  gadget_session_set_updated_at (session, gadget_clock_wall_ms ());
  gadget_session_set_last_status (session, GADGET_TURN_PROCESSING);
  return turn;
}

/* Returns the ids of the turns from index @first on. */
static char **
dup_ids (GadgetSession *session, guint first)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = first; i < gadget_session_get_n_turns (session); i++)
    g_strv_builder_add (ids, gadget_turn_get_id (gadget_session_get_turn (session, i)));
  return g_strv_builder_end (ids);
}

static gboolean
check_deletion (GadgetSession *session, GError **error)
{
  if (gadget_session_get_deletion (session) == GADGET_DELETION_NONE)
    return TRUE;
  g_set_error_literal (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED,
                       "the chat was deleted, or is about to be");
  return FALSE;
}

/* Called under the session's lease: another process may have deleted the session after this process
 * took its open lock. */
static gboolean
check_deleted_elsewhere (GadgetAgent *self, GadgetSession *session, GError **error)
{
  GadgetOpenLock *lock = gadget_session_locks_get_open_lock (self->environment->storage->locks,
                                                             gadget_session_get_id (session));

  if (lock != NULL && gadget_open_lock_is_deleted (lock))
    gadget_session_set_deletion (session, GADGET_DELETION_DONE);
  return check_deletion (session, error);
}

/* Makes the checks that do not need the lease. */
static gboolean
may_start (GadgetAgent *self, GadgetSession *session, GError **error)
{
  if (self->closed)
    {
      g_set_error_literal (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_FAILED,
                           "the program is about to end");
      return FALSE;
    }
  if (gadget_session_get_active_run (session) != NULL)
    {
      g_set_error_literal (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY,
                           "the session has an active turn");
      return FALSE;
    }
  return check_deletion (session, error);
}

static void
apply_choices (GadgetSession *session, const GadgetTurnOptions *options)
{
  if (options->provider != NULL)
    gadget_session_set_model (session, options->provider, options->model);
  else if (options->model != NULL)
    gadget_session_set_model (session, gadget_session_get_provider (session), options->model);
  if (options->workspace != NULL)
    gadget_session_set_workspace (session, options->workspace);
}

/* @place is the index of the first turn that is replaced, together with all that follow; G_MAXUINT
 * appends the new turn. */
static GadgetRun *
start (GadgetAgent *self, GadgetSession *session, guint place, const char *prompt,
       const GadgetTurnOptions *options, GError **error)
{
  g_autoptr (StartedTurn) started = NULL;
  g_autoptr (GadgetTurn) turn = NULL;
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GadgetTurnLoop) loop = NULL;
  const GadgetTurnStorage *storage = get_storage (self, session);
  g_auto (GStrv) replaced = place != G_MAXUINT ? dup_ids (session, place) : NULL;

  if (!may_start (self, session, error))
    return NULL;
  started = g_new0 (StartedTurn, 1);
  started->agent = g_object_ref (self);
  started->session = g_object_ref (session);
  started->options = *options;
  gadget_turn_options_drop_lent (&started->options);
  started->options.chat = NULL;
  if (storage != NULL)
    {
      if (!gadget_session_locks_acquire_lease (storage->locks, gadget_session_get_id (session),
                                               error))
        return NULL;
      started->leased = g_strdup (gadget_session_get_id (session));
      if (!check_deleted_elsewhere (self, session, error))
        return NULL;
      gadget_session_set_remote_run (session, NULL);
    }

  apply_choices (session, options);
  turn = make_turn (self, session, prompt, options);
  started->turn = g_object_ref (turn);
  g_signal_connect (turn, "notify::phase", G_CALLBACK (phase_cb), started);
  run = gadget_run_new (GADGET_RUN_TURN, options->run_id, gadget_session_get_id (session),
                        gadget_turn_get_id (turn), NULL, gadget_turn_get_receipt (turn));
  if (storage != NULL)
    {
      gadget_unsaved_turns_save_session (storage->unsaved_turns, session);
      journal = gadget_journal_new_for_run (
          storage->store, session, turn, (const char *const *) replaced, gadget_run_get_id (run));
    }
  g_signal_connect_object (run, "aborted", G_CALLBACK (aborted_cb), session, G_CONNECT_SWAPPED);
  loop = _gadget_subagents_new_loop (self->environment, run, session, turn, journal, options, NULL);
  _gadget_turn_loop_register (loop);
  gadget_session_set_active_run (session, gadget_run_get_id (run));
  if (place != G_MAXUINT)
    gadget_session_replace_turns (session, place, turn);
  else
    gadget_session_append (session, turn);
  g_signal_emit (self, signals[TURN_STARTED], 0, session, turn, gadget_run_get_id (run));
  _gadget_turn_loop_run_async (loop, settled_cb, g_steal_pointer (&started));
  return g_steal_pointer (&run);
}

/**
 * gadget_agent_start:
 * @prompt: what the user wrote; may be empty only if something is attached
 * @options: (nullable): %NULL for the defaults, with nobody there to answer questions
 *
 * Starts a turn of an idle session. When this returns, the run is registered and can be aborted;
 * its work begins in the same iteration of the main context. If @options names a run that is
 * active, that run is returned and nothing is started.
 *
 * Returns: (transfer full) (nullable): the run; %NULL with a #GadgetAgentError: BUSY if the session
 *   has an unsettled turn, BUSY_ELSEWHERE if another process works on it, DELETED, or FAILED
 */
GadgetRun *
gadget_agent_start (GadgetAgent *self, GadgetSession *session, const char *prompt,
                    const GadgetTurnOptions *options, GError **error)
{
  static const GadgetTurnOptions defaults = { 0 };

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), NULL);

  options = options != NULL ? options : &defaults;
  g_return_val_if_fail (prompt != NULL && (*prompt != '\0' || options->attachments != NULL), NULL);
  if (options->run_id != NULL
      && gadget_registry_find (self->environment->registry, options->run_id) != NULL)
    return g_object_ref (gadget_registry_find (self->environment->registry, options->run_id));
  return start (self, session, G_MAXUINT, prompt, options, error);
}

/**
 * gadget_agent_start_over:
 * @index: the first turn that is to be replaced
 * @prompt: what the user wrote; may be empty only if something is attached
 * @options: as for gadget_agent_start (), without a run id
 *
 * Starts a turn that replaces the turn at @index and all that follow. These leave the chat, in
 * memory and in the store, at the moment at which the new turn enters it. They can be brought back
 * once the new turn has ended, see gadget_turn_edits_restore_async (). Fails with
 * %GADGET_AGENT_ERROR_FAILED while one of the replaced turns is not saved.
 *
 * Returns: (transfer full) (nullable): the run; %NULL with a #GadgetAgentError
 */
GadgetRun *
gadget_agent_start_over (GadgetAgent *self, GadgetSession *session, guint index, const char *prompt,
                         const GadgetTurnOptions *options, GError **error)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), NULL);
  g_return_val_if_fail (index < gadget_session_get_n_turns (session), NULL);
  g_return_val_if_fail (prompt != NULL && options != NULL, NULL);
  g_return_val_if_fail (*prompt != '\0' || options->attachments != NULL, NULL);

  if (gadget_edit_obstacle_find (session, index) == GADGET_EDIT_OBSTACLE_UNSAVED)
    {
      g_set_error_literal (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_FAILED,
                           "a turn that would be replaced is not saved");
      return NULL;
    }
  return start (self, session, index, prompt, options, error);
}

GadgetAbortAck *
gadget_agent_abort (GadgetAgent *self, const char *session_id, const char *run_id,
                    GadgetStopReason reason)
{
  g_return_val_if_fail (GADGET_IS_AGENT (self), NULL);

  if (session_id == NULL && run_id == NULL)
    return gadget_registry_abort_all (self->environment->registry, reason);
  return gadget_registry_abort (self->environment->registry, session_id, run_id, reason);
}

void
gadget_agent_set_titles (GadgetAgent *self, gboolean titles)
{
  g_return_if_fail (GADGET_IS_AGENT (self));
  self->titles = titles;
}

gboolean
_gadget_agent_is_closed (GadgetAgent *self)
{
  return self->closed;
}

void
gadget_agent_close (GadgetAgent *self)
{
  g_return_if_fail (GADGET_IS_AGENT (self));
  self->closed = TRUE;
}

gboolean
gadget_agent_get_spending (GadgetAgent *self, GadgetSession *session, GadgetLimits *spent,
                           GadgetLimits *allowed)
{
  GadgetTurnLoop *loop;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), FALSE);
  g_return_val_if_fail (spent != NULL && allowed != NULL, FALSE);

  loop = _gadget_turn_loop_find (self->environment, session);
  if (loop == NULL)
    return FALSE;
  _gadget_budget_read (_gadget_turn_loop_get_budget (loop), spent, allowed);
  return TRUE;
}

gboolean
gadget_agent_stop_tool (GadgetAgent *self, GadgetSession *session, const char *call_id)
{
  GadgetTurnLoop *loop;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), FALSE);

  loop = _gadget_turn_loop_find (self->environment, session);
  return loop != NULL && _gadget_turn_loop_stop_tool (loop, call_id);
}

gboolean
gadget_agent_ask_again (GadgetAgent *self, GadgetSession *session)
{
  GadgetTurnLoop *loop;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), FALSE);

  loop = _gadget_turn_loop_find (self->environment, session);
  return loop != NULL && _gadget_turn_loop_ask_again (loop);
}

gboolean
gadget_agent_stop_waiting (GadgetAgent *self, GadgetSession *session, const char *call_id)
{
  GadgetTurnLoop *loop;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), FALSE);

  loop = _gadget_turn_loop_find (self->environment, session);
  return loop != NULL && _gadget_turn_loop_stop_waiting (loop, call_id);
}

gboolean
gadget_agent_stop_call (GadgetAgent *self, const char *run_id, const char *call_id)
{
  GadgetTurnLoop *loop;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && run_id != NULL && call_id != NULL, FALSE);

  loop = g_hash_table_lookup (self->environment->loops, run_id);
  return loop != NULL
         && (_gadget_turn_loop_stop_waiting (loop, call_id)
             || _gadget_turn_loop_stop_tool (loop, call_id));
}

gboolean
gadget_agent_give_up (GadgetAgent *self, GadgetSession *session)
{
  GadgetTurnLoop *loop;

  g_return_val_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_SESSION (session), FALSE);

  loop = _gadget_turn_loop_find (self->environment, session);
  if (loop == NULL || !gadget_run_is_aborted (_gadget_turn_loop_get_run (loop)))
    return FALSE;
  _gadget_turn_loop_give_up_all (loop);
  return TRUE;
}

void
gadget_agent_save_again (GadgetAgent *self, GadgetSession *session, GadgetTurn *turn)
{
  const GadgetTurnStorage *storage;

  g_return_if_fail (GADGET_IS_AGENT (self) && GADGET_IS_TURN (turn));

  storage = get_storage (self, session);
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);
      GadgetTurn *child = gadget_item_get_child_turn (item);

      if (child != NULL)
        gadget_agent_save_again (self, gadget_item_get_child (item), child);
    }
  if (storage != NULL && gadget_unsaved_turns_save (storage->unsaved_turns, turn))
    _gadget_agent_save_session (self, session);
}
