/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The truth about a session's work is in two places: the session names the run of its unsettled
 * turn, and the registry has that run as long as it goes on in this process. A run that the session
 * names and the registry has not is taken to be somebody else's, until an abort of it is refused.
 * Nothing is remembered here but that refusal; the phase is read anew after every change. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-session-watch.h"

struct _GadgetSessionWatch
{
  GObject parent_instance;

  GadgetSession *session;
  GadgetRegistry *registry;
  GadgetRun *run;
  GadgetTurn *turn;
  char *refused_run;
  GadgetStopPhase phase;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSessionWatch, gadget_session_watch, G_TYPE_OBJECT)

static GadgetStopPhase
read_phase (GadgetSessionWatch *self)
{
  const char *active = self->session ? gadget_session_get_active_run (self->session) : NULL;

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
  /* The run is sealed just before its turn's status is fixed; that is when the button changes. */
  if (turn != NULL)
    g_signal_connect_object (turn, "notify::status", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static void
follow (GadgetSessionWatch *self)
{
  const char *active = self->session ? gadget_session_get_active_run (self->session) : NULL;
  GadgetRun *run = NULL;

  if (active != NULL && self->registry != NULL)
    run = gadget_registry_find (self->registry, active);
  /* It leaves the registry just before the session is idle; until then it is still ours. */
  if (run == NULL && active != NULL && self->run != NULL
      && g_str_equal (gadget_run_get_id (self->run), active))
    run = self->run;
  set_run (self, run);
  set_turn (self, active != NULL ? gadget_session_get_last_turn (self->session) : NULL);
  update (self);
}

static void
release (GadgetSessionWatch *self)
{
  set_run (self, NULL);
  set_turn (self, NULL);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->registry != NULL)
    g_signal_handlers_disconnect_by_data (self->registry, self);
  g_clear_object (&self->session);
  g_clear_object (&self->registry);
}

static void
gadget_session_watch_dispose (GObject *object)
{
  release (GADGET_SESSION_WATCH (object));

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
 * @session: (nullable): what to follow from now on
 * @registry: (nullable): where its runs are
 */
void
gadget_session_watch_set_session (GadgetSessionWatch *self, GadgetSession *session,
                                  GadgetRegistry *registry)
{
  g_return_if_fail (GADGET_IS_SESSION_WATCH (self));

  release (self);
  g_set_object (&self->session, session);
  g_set_object (&self->registry, registry);
  if (session != NULL)
    {
      g_signal_connect_object (session, "notify::active-run", G_CALLBACK (follow), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (session, "items-changed", G_CALLBACK (follow), self,
                               G_CONNECT_SWAPPED);
    }
  if (registry != NULL)
    {
      g_signal_connect_object (registry, "added", G_CALLBACK (follow), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (registry, "removed", G_CALLBACK (follow), self, G_CONNECT_SWAPPED);
    }
  follow (self);
}

GadgetStopPhase
gadget_session_watch_get_phase (GadgetSessionWatch *self)
{
  g_return_val_if_fail (GADGET_IS_SESSION_WATCH (self), GADGET_STOP_PHASE_IDLE);
  return self->phase;
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
