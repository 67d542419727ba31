/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Derives what works on a session from two sources: the session names the run of its unsettled
 * turn, and the registry has that run as long as it goes on in this process. A run that only the
 * session names is believed to go on until an abort of it is refused. When another process works on
 * the session, the session names its run too, and GadgetRemoteRun reaches it. The only state kept
 * here is a refused run, and that a remote run was told to stop; the phase is derived anew after
 * every change. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-session-watch.h"

struct _GadgetSessionWatch
{
  GObject parent_instance;

  GadgetSession *session;
  GadgetEngine *engine;
  GDBusConnection *connection; /* (nullable) */
  GadgetRegistry *registry;
  GadgetRun *run;
  GadgetRemoteRun *remote; /* (nullable) */
  gboolean aborting_remote;
  GadgetTurn *turn;
  char *refused_run;
  GadgetStopPhase phase;
};

enum
{
  CHANGED,
  REMOTE_STARTED,
  REMOTE_ENDED,
  ABORT_FAILED,
  ANSWER_FAILED,
  ANSWER_LEFT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSessionWatch, gadget_session_watch, G_TYPE_OBJECT)

static GadgetStopPhase
read_phase (GadgetSessionWatch *self)
{
  const char *active = self->session ? gadget_session_get_active_run (self->session) : NULL;

  if (self->remote != NULL)
    return self->aborting_remote ? GADGET_STOP_PHASE_ABORTING : GADGET_STOP_PHASE_RUNNING;
  if (active == NULL || g_strcmp0 (active, self->refused_run) == 0)
    return GADGET_STOP_PHASE_IDLE;
  if (self->run == NULL)
    return GADGET_STOP_PHASE_RUNNING;
  if (gadget_run_is_aborted (self->run))
    return GADGET_STOP_PHASE_ABORTING;
  return gadget_run_get_state (self->run) == GADGET_RUN_RUNNING ? GADGET_STOP_PHASE_RUNNING
                                                                : GADGET_STOP_PHASE_SEALING;
}

static void
update (GadgetSessionWatch *self)
{
  GadgetStopPhase phase = read_phase (self);

  if (phase == self->phase)
    return;
  self->phase = phase;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
set_run (GadgetSessionWatch *self, GadgetRun *run)
{
  if (run == self->run)
    return;
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_set_object (&self->run, run);
  if (run != NULL)
    {
      g_signal_connect_object (run, "aborted", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (run, "ended", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    }
}

static void
set_turn (GadgetSessionWatch *self, GadgetTurn *turn)
{
  if (turn == self->turn)
    return;
  if (self->turn != NULL)
    g_signal_handlers_disconnect_by_data (self->turn, self);
  g_set_object (&self->turn, turn);
  /* The run is sealed just before the status of its turn is fixed; the phase changes then. */
  if (turn != NULL)
    g_signal_connect_object (turn, "notify::status", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static void
answer_failed_cb (GadgetSessionWatch *self, const char *message)
{
  g_signal_emit (self, signals[ANSWER_FAILED], 0, message);
}

static void
answer_left_cb (GadgetSessionWatch *self, GadgetSession *session, const char *text)
{
  g_signal_emit (self, signals[ANSWER_LEFT], 0, session, text);
}

static void
set_remote (GadgetSessionWatch *self, const char *run_id)
{
  if (self->remote != NULL && g_strcmp0 (gadget_remote_run_get_id (self->remote), run_id) == 0)
    return;
  /* The old object must not report failures any more, but it lives on until its answers are
   * settled: "answer-left" may still bring back what the user typed. */
  if (self->remote != NULL)
    g_signal_handlers_disconnect_by_func (self->remote, answer_failed_cb, self);
  g_clear_object (&self->remote);
  self->aborting_remote = FALSE;
  if (run_id == NULL)
    return;
  self->remote = gadget_remote_run_new (self->engine, self->connection, self->session);
  g_signal_connect_object (self->remote, "answer-failed", G_CALLBACK (answer_failed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->remote, "answer-left", G_CALLBACK (answer_left_cb), self,
                           G_CONNECT_SWAPPED);
}

static void
follow_remote (GadgetSessionWatch *self)
{
  const gboolean is_remote = self->session != NULL && self->engine != NULL
                             && gadget_session_get_active_run (self->session) == NULL;

  set_remote (self, is_remote ? gadget_session_get_remote_run (self->session) : NULL);
}

static void
follow (GadgetSessionWatch *self)
{
  const char *active = self->session ? gadget_session_get_active_run (self->session) : NULL;
  GadgetRun *run = NULL;

  if (active != NULL && self->registry != NULL)
    run = gadget_registry_find (self->registry, active);
  /* The run leaves the registry just before the session is idle; until then it is still
   * followed. */
  if (run == NULL && active != NULL && self->run != NULL
      && g_str_equal (gadget_run_get_id (self->run), active))
    run = self->run;
  set_run (self, run);
  set_turn (self, active != NULL ? gadget_session_get_last_turn (self->session) : NULL);
  follow_remote (self);
  update (self);
}

static void
changed_cb (GadgetSessionWatch *self)
{
  g_autoptr (GadgetRemoteRun) before = NULL;

  g_set_object (&before, self->remote);
  follow (self);
  if (before == self->remote)
    return;
  if (before != NULL)
    g_signal_emit (self, signals[REMOTE_ENDED], 0);
  if (self->remote != NULL)
    g_signal_emit (self, signals[REMOTE_STARTED], 0);
}

static void
release (GadgetSessionWatch *self)
{
  set_run (self, NULL);
  set_turn (self, NULL);
  set_remote (self, NULL);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->registry != NULL)
    g_signal_handlers_disconnect_by_data (self->registry, self);
  g_clear_object (&self->session);
  g_clear_object (&self->registry);
  g_clear_object (&self->engine);
}

static void
gadget_session_watch_dispose (GObject *object)
{
  release (GADGET_SESSION_WATCH (object));
  g_clear_object (&GADGET_SESSION_WATCH (object)->connection);

  G_OBJECT_CLASS (gadget_session_watch_parent_class)->dispose (object);
}

static void
gadget_session_watch_finalize (GObject *object)
{
  g_free (GADGET_SESSION_WATCH (object)->refused_run);

  G_OBJECT_CLASS (gadget_session_watch_parent_class)->finalize (object);
}

static void
gadget_session_watch_class_init (GadgetSessionWatchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_session_watch_dispose;
  object_class->finalize = gadget_session_watch_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[REMOTE_STARTED] = g_signal_new ("remote-started", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[REMOTE_ENDED] = g_signal_new ("remote-ended", G_TYPE_FROM_CLASS (klass),
                                        G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ABORT_FAILED] =
      g_signal_new ("abort-failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ANSWER_FAILED] =
      g_signal_new ("answer-failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ANSWER_LEFT] =
      g_signal_new ("answer-left", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, GADGET_TYPE_SESSION, G_TYPE_STRING);
}

static void
gadget_session_watch_init (GadgetSessionWatch *self)
{
}

GadgetSessionWatch *
gadget_session_watch_new (void)
{
  return g_object_new (GADGET_TYPE_SESSION_WATCH, NULL);
}

/**
 * gadget_session_watch_set_session:
 * @session: (nullable): the session to follow from now on
 * @engine: (nullable): the engine of @session
 */
void
gadget_session_watch_set_session (GadgetSessionWatch *self, GadgetSession *session,
                                  GadgetEngine *engine)
{
  GadgetRegistry *registry =
      engine != NULL ? gadget_agent_get_registry (gadget_engine_get_agent (engine)) : NULL;

  g_return_if_fail (GADGET_IS_SESSION_WATCH (self));

  release (self);
  g_set_object (&self->session, session);
  g_set_object (&self->registry, registry);
  g_set_object (&self->engine, engine);
  if (session != NULL)
    {
      g_signal_connect_object (session, "notify::active-run", G_CALLBACK (changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (session, "notify::remote-run", G_CALLBACK (changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (session, "items-changed", G_CALLBACK (changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
  if (registry != NULL)
    {
      g_signal_connect_object (registry, "added", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (registry, "removed", G_CALLBACK (changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
  follow (self);
}

GadgetStopPhase
gadget_session_watch_get_phase (GadgetSessionWatch *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION_WATCH (self), GADGET_STOP_PHASE_IDLE);
  return self->phase;
}

GadgetRemoteRun *
gadget_session_watch_get_remote (GadgetSessionWatch *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION_WATCH (self), NULL);
  return self->remote;
}

/**
 * gadget_session_watch_set_bus:
 * @connection: (nullable): the bus where other processes are reached; to be set before a session
 */
void
gadget_session_watch_set_bus (GadgetSessionWatch *self, GDBusConnection *connection)
{
  g_return_if_fail (GADGET_IS_SESSION_WATCH (self));
  g_set_object (&self->connection, connection);
}

static void
remote_aborted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetSessionWatch) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gadget_remote_run_abort_finish (GADGET_REMOTE_RUN (source), result, &error)
      || self->remote != GADGET_REMOTE_RUN (source))
    return;
  self->aborting_remote = FALSE;
  gadget_agent_resume_after_remote (gadget_engine_get_agent (self->engine), self->session);
  follow (self);
  g_signal_emit (self, signals[ABORT_FAILED], 0, error->message);
}

gboolean
gadget_session_watch_abort_remote (GadgetSessionWatch *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION_WATCH (self), FALSE);

  if (self->remote == NULL)
    return FALSE;
  self->aborting_remote = TRUE;
  gadget_agent_pause_after_remote (gadget_engine_get_agent (self->engine), self->session);
  gadget_remote_run_abort_async (self->remote, remote_aborted_cb, g_object_ref (self));
  update (self);
  return TRUE;
}

void
gadget_session_watch_read_again (GadgetSessionWatch *self)
{
  const char *active = NULL;

  g_return_if_fail (GADGET_IS_SESSION_WATCH (self));

  if (self->session != NULL)
    active = gadget_session_get_active_run (self->session);
  if (active != NULL
      && (self->registry == NULL || gadget_registry_find (self->registry, active) == NULL))
    g_set_str (&self->refused_run, active);
  follow (self);
}
