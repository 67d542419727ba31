/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A run of another process. Its owner is found by its name on the session bus: the name of a
 * gadget-cli contains the run's id; any other run belongs to the window. Calls that are made before
 * both names have been looked up wait for that. An owner without a bus cannot be reached, and the
 * error says so; its end is still noticed, by its lease (see gadget-session-list.c).
 *
 * The content of the turn is read from the store, as for any chat that another process writes to.
 * The turn's prompts are not stored: they arrive as events with all their content, and are put on
 * the item that asks when that item has been read. */

#define G_LOG_DOMAIN "gadget-remote-run"

#include "config.h"

#include "gadget-remote-run.h"

#include "gadget-control.h"
#include "gadget-remote-prompts.h"

#include <glib/gi18n.h>

#define TIMEOUT_MS 2000

enum
{
  NAME_CLI,
  NAME_WINDOW,
  N_NAMES
};

struct _GadgetRemoteRun
{
  GObject parent_instance;

  GDBusConnection *connection; /* (nullable) */
  GadgetSession *session;
  char *run_id;
  GadgetRemotePrompts *prompts;

  guint watches[N_NAMES];
  gboolean known[N_NAMES]; /* whether the owner of the name was looked up */
  char *owners[N_NAMES];   /* (nullable): unique names */
  char *owner;             /* (nullable): the one of owners whose events are received */
  guint subscription;
  GQueue waiting; /* of GTask: calls that wait until the owner is known */
};

/* A method call, the task data of its GTask. */
typedef struct
{
  const char *method;
  const char *reply_type;
  GVariant *parameters;
} Call;

enum
{
  ANSWER_FAILED,
  ANSWER_LEFT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetRemoteRun, gadget_remote_run, G_TYPE_OBJECT)

static void
call_free (gpointer data)
{
  Call *call = data;

  g_variant_unref (call->parameters);
  g_free (call);
}

/* --- Calls -------------------------------------------------------------------------------------*/

/* Returns an error with a message for the user (transfer full). */
static GError *
explain (GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)
      || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT)
      || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY))
    return g_error_new_literal (GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_FAILED,
                                _ ("the program that writes this reply does not answer"));
  if (error->domain != GADGET_CONTROL_ERROR)
    return g_error_new_literal (GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_NOT_FOUND,
                                _ ("the program that writes this reply cannot be reached"));
  g_dbus_error_strip_remote_error (error);
  return g_error_copy (error);
}

static void
called_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GVariant *reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    g_task_return_pointer (task, reply, (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, explain (error));
}

/* @task: (transfer full) */
static void
call_owner (GTask *task)
{
  GadgetRemoteRun *self = g_task_get_source_object (task);
  const Call *call = g_task_get_task_data (task);

  if (self->owner == NULL)
    {
      g_task_return_new_error_literal (task, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_NOT_FOUND,
                                       _ ("the program that writes this reply cannot be reached"));
      g_object_unref (task);
      return;
    }
  g_dbus_connection_call (self->connection, self->owner, GADGET_CONTROL_PATH,
                          GADGET_CONTROL_INTERFACE, call->method, call->parameters,
                          G_VARIANT_TYPE (call->reply_type), G_DBUS_CALL_FLAGS_NO_AUTO_START,
                          TIMEOUT_MS, NULL, called_cb, task);
}

static gboolean
is_owner_known (GadgetRemoteRun *self)
{
  return self->owner != NULL || self->connection == NULL
         || (self->known[NAME_CLI] && self->known[NAME_WINDOW]);
}

/* @parameters is a floating reference. */
static void
call_method (GadgetRemoteRun *self, const char *method, GVariant *parameters,
             const char *reply_type, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  Call *data = g_new (Call, 1);

  *data = (Call) { method, reply_type, g_variant_ref_sink (parameters) };
  g_task_set_source_tag (task, call_method);
  g_task_set_static_name (task, method);
  g_task_set_task_data (task, data, call_free);
  if (is_owner_known (self))
    call_owner (task);
  else
    g_queue_push_tail (&self->waiting, task);
}

static GVariant *
finish_call (GadgetRemoteRun *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- The owner ---------------------------------------------------------------------------------*/

static void
event_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
          const char *signal, GVariant *parameters, gpointer user_data)
{
  GadgetRemoteRun *self = user_data;
  g_autoptr (GVariant) event = NULL;
  const char *run_id;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(sa{sv})")))
    return;
  g_variant_get (parameters, "(&s@a{sv})", &run_id, &event);
  _gadget_remote_prompts_handle_event (self->prompts, run_id, event);
}

static void
leave_owner (GadgetRemoteRun *self)
{
  if (self->owner == NULL)
    return;
  g_dbus_connection_signal_unsubscribe (self->connection, self->subscription);
  self->subscription = 0;
  g_dbus_connection_call (self->connection, self->owner, GADGET_CONTROL_PATH,
                          GADGET_CONTROL_INTERFACE, "Unsubscribe", NULL, NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, TIMEOUT_MS, NULL, NULL, NULL);
  g_clear_pointer (&self->owner, g_free);
}

static void
follow_owner (GadgetRemoteRun *self, const char *owner)
{
  const char *const sessions[] = { gadget_session_get_id (self->session), NULL };

  if (g_strcmp0 (owner, self->owner) == 0)
    return;
  leave_owner (self);
  self->owner = g_strdup (owner);
  if (owner == NULL)
    return;
  self->subscription = g_dbus_connection_signal_subscribe (
      self->connection, owner, GADGET_CONTROL_INTERFACE, "Event", GADGET_CONTROL_PATH, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, event_cb, self, NULL);
  g_dbus_connection_call (self->connection, owner, GADGET_CONTROL_PATH, GADGET_CONTROL_INTERFACE,
                          "Subscribe", g_variant_new ("(^as)", sessions), NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, TIMEOUT_MS, NULL, NULL, NULL);
}

static void
update_owner (GadgetRemoteRun *self, const char *name, const char *owner)
{
  const guint which = g_str_equal (name, APPLICATION_ID) ? NAME_WINDOW : NAME_CLI;

  self->known[which] = TRUE;
  /* If this process is the window, it does not own a run of another process. */
  if (g_strcmp0 (owner, g_dbus_connection_get_unique_name (self->connection)) == 0)
    owner = NULL;
  g_set_str (&self->owners[which], owner);
  if (self->owners[NAME_CLI] != NULL)
    follow_owner (self, self->owners[NAME_CLI]);
  else if (self->known[NAME_CLI])
    follow_owner (self, self->owners[NAME_WINDOW]);
  while (is_owner_known (self) && !g_queue_is_empty (&self->waiting))
    call_owner (g_queue_pop_head (&self->waiting));
}

static void
appeared_cb (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  update_owner (user_data, name, owner);
}

static void
vanished_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  update_owner (user_data, name, NULL);
}

static void
watch_name (GadgetRemoteRun *self, guint which, const char *name)
{
  if (g_dbus_is_name (name))
    self->watches[which] =
        g_bus_watch_name_on_connection (self->connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                        appeared_cb, vanished_cb, self, NULL);
  else
    self->known[which] = TRUE;
}

/* --- Answers -----------------------------------------------------------------------------------*/

/* An answer that is being sent. */
typedef struct
{
  char *id;
  char *words; /* (nullable): text that the user typed */
} Answer;

static void
answer_free (Answer *answer)
{
  g_free (answer->id);
  g_free (answer->words);
  g_free (answer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Answer, answer_free)

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetRemoteRun *self = GADGET_REMOTE_RUN (source);
  g_autoptr (Answer) answer = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = finish_call (self, result, &error);

  if (reply != NULL)
    return;
  if (answer->words != NULL)
    g_signal_emit (self, signals[ANSWER_LEFT], 0, self->session, answer->words);
  /* If another program answered first, or the run was stopped, the prompt is gone. */
  if (_gadget_remote_prompts_ask_again (self->prompts, answer->id))
    g_signal_emit (self, signals[ANSWER_FAILED], 0, error->message);
}

static void
answer_cb (const char *run_id, const char *id, const char *answer, const char *note,
           const char *words, gpointer user_data)
{
  Answer *waiting = g_new0 (Answer, 1);
  GVariantDict dict;

  waiting->id = g_strdup (id);
  waiting->words = g_strdup (words);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "answer", "s", answer);
  if (note != NULL)
    g_variant_dict_insert (&dict, "note", "s", note);
  call_method (user_data, "Answer", g_variant_new ("(ssv)", run_id, id, g_variant_dict_end (&dict)),
               "()", answered_cb, waiting);
}

/* -----------------------------------------------------------------------------------------------*/

static void
gadget_remote_run_dispose (GObject *object)
{
  GadgetRemoteRun *self = GADGET_REMOTE_RUN (object);

  /* Each waiting call holds a reference to the object. */
  g_assert (g_queue_is_empty (&self->waiting));
  for (guint i = 0; i < N_NAMES; i++)
    g_clear_handle_id (&self->watches[i], g_bus_unwatch_name);
  leave_owner (self);
  g_clear_object (&self->prompts);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (gadget_remote_run_parent_class)->dispose (object);
}

static void
gadget_remote_run_finalize (GObject *object)
{
  GadgetRemoteRun *self = GADGET_REMOTE_RUN (object);

  for (guint i = 0; i < N_NAMES; i++)
    g_free (self->owners[i]);
  g_free (self->owner);
  g_free (self->run_id);
  g_clear_object (&self->connection);

  G_OBJECT_CLASS (gadget_remote_run_parent_class)->finalize (object);
}

static void
gadget_remote_run_class_init (GadgetRemoteRunClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_remote_run_dispose;
  object_class->finalize = gadget_remote_run_finalize;

  signals[ANSWER_FAILED] =
      g_signal_new ("answer-failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ANSWER_LEFT] =
      g_signal_new ("answer-left", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, GADGET_TYPE_SESSION, G_TYPE_STRING);
}

static void
gadget_remote_run_init (GadgetRemoteRun *self)
{
}

/**
 * gadget_remote_run_new:
 * @engine: the engine that the session belongs to
 * @connection: (nullable): the session bus; without it the other process cannot be reached
 * @session: a session that another process works on (gadget_session_get_remote_run ())
 *
 * Returns: (transfer full): an object that shows the turn's prompts as long as it exists
 */
GadgetRemoteRun *
gadget_remote_run_new (GadgetEngine *engine, GDBusConnection *connection, GadgetSession *session)
{
  GadgetRemoteRun *self;
  g_autofree char *cli_name = NULL;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine) && GADGET_IS_SESSION (session), NULL);
  g_return_val_if_fail (gadget_session_get_remote_run (session) != NULL, NULL);

  /* Registers the errors, so that they are recognized when they come back. */
  (void) GADGET_CONTROL_ERROR;
  self = g_object_new (GADGET_TYPE_REMOTE_RUN, NULL);
  self->session = g_object_ref (session);
  self->run_id = g_strdup (gadget_session_get_remote_run (session));
  self->prompts = _gadget_remote_prompts_new (engine, session, answer_cb, self);
  if (connection == NULL || g_dbus_connection_is_closed (connection))
    return self;
  self->connection = g_object_ref (connection);
  cli_name = gadget_control_dup_cli_name (self->run_id);
  watch_name (self, NAME_CLI, cli_name);
  watch_name (self, NAME_WINDOW, APPLICATION_ID);
  return self;
}

/**
 * gadget_remote_run_get_id:
 *
 * Returns: (transfer none): the id of the run
 */
const char *
gadget_remote_run_get_id (GadgetRemoteRun *self)
{
  g_return_val_if_fail (GADGET_IS_REMOTE_RUN (self), NULL);
  return self->run_id;
}

/**
 * gadget_remote_run_abort_async:
 *
 * Stops the work of the other process in the session. The callback is called after the other
 * process has acknowledged the stop.
 */
void
gadget_remote_run_abort_async (GadgetRemoteRun *self, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_return_if_fail (GADGET_IS_REMOTE_RUN (self));
  call_method (self, "Abort", g_variant_new ("(ss)", gadget_session_get_id (self->session), ""),
               "(bass)", callback, user_data);
}

/**
 * gadget_remote_run_abort_finish:
 *
 * Returns: whether the other process had something to stop; else %FALSE with a #GadgetControlError
 *   and a translated message: %GADGET_CONTROL_ERROR_NOT_FOUND when it cannot be reached or has
 *   nothing to stop, %GADGET_CONTROL_ERROR_FAILED when it does not respond, or the error that it
 *   sent
 */
gboolean
gadget_remote_run_abort_finish (GadgetRemoteRun *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GVariant) reply = finish_call (self, result, error);
  gboolean aborted;

  if (reply == NULL)
    return FALSE;
  g_variant_get (reply, "(bass)", &aborted, NULL, NULL);
  if (!aborted)
    g_set_error_literal (error, GADGET_CONTROL_ERROR, GADGET_CONTROL_ERROR_NOT_FOUND,
                         _ ("nothing to stop"));
  return aborted;
}

/**
 * gadget_remote_run_stop_tool_async:
 * @session_id: the session, or that of a subagent that works for it
 * @call_id: the call to stop
 *
 * Stops one call; see gadget_agent_stop_call ().
 */
void
gadget_remote_run_stop_tool_async (GadgetRemoteRun *self, const char *session_id,
                                   const char *call_id, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (GADGET_IS_REMOTE_RUN (self) && session_id != NULL && call_id != NULL);
  call_method (self, "StopTool", g_variant_new ("(ss)", session_id, call_id), "(b)", callback,
               user_data);
}

/**
 * gadget_remote_run_stop_tool_finish:
 *
 * Returns: whether the call was stopped; %FALSE without an error when it was over, and with an
 *   error as of gadget_remote_run_abort_finish ()
 */
gboolean
gadget_remote_run_stop_tool_finish (GadgetRemoteRun *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GVariant) reply = finish_call (self, result, error);
  gboolean stopped = FALSE;

  if (reply != NULL)
    g_variant_get (reply, "(b)", &stopped);
  return stopped;
}
