/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls to the other Gadget processes on the session bus. Each call goes through three steps: list
 * the names on the bus, find the owner of each name that is Gadget's, and call the method of each
 * owner. All owners are called in parallel. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-peers.h"

#include "gadget-control-interface.h"

/* An abort waits only so long for a program that does not respond, for example one that is
 * suspended, to report what it stopped; the program has received the call all the same. */
#define TIMEOUT_MS 500

/* A call to all peers. */
typedef struct
{
  char *method;
  GVariant *parameters; /* (nullable) */
  GVariantType *reply_type;
  guint pending; /* number of peers whose reply is awaited */
  GadgetPeerAnswers *answers;
} Call;

void
gadget_peer_answers_free (GadgetPeerAnswers *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->replies);
  g_free (self->refused);
  g_free (self);
}

static void
call_free (gpointer data)
{
  Call *call = data;

  g_free (call->method);
  g_clear_pointer (&call->parameters, g_variant_unref);
  g_variant_type_free (call->reply_type);
  gadget_peer_answers_free (call->answers);
  g_free (call);
}

/* Returns whether the peer ended in the meantime, which does not count as a failure. */
static gboolean
is_gone (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY)
         || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD);
}

static void
finish_when_answered (GTask *task)
{
  Call *call = g_task_get_task_data (task);

  if (call->pending == 0)
    g_task_return_pointer (task, g_steal_pointer (&call->answers),
                           (GDestroyNotify) gadget_peer_answers_free);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Call *call = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  GVariant *reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    {
      g_ptr_array_add (call->answers->replies, reply);
    }
  else if (error->domain == GADGET_CONTROL_ERROR)
    {
      g_dbus_error_strip_remote_error (error);
      g_set_str (&call->answers->refused, error->message);
    }
  else if (!is_gone (error))
    {
      call->answers->n_silent++;
    }
  call->pending--;
  finish_when_answered (task);
}

static gboolean
is_ours (const char *name)
{
  return g_str_equal (name, APPLICATION_ID)
         || g_str_has_prefix (name, APPLICATION_ID GADGET_CONTROL_CLI_INFIX);
}

/* Calls the owner of a name, unless the owner is this process. */
static void
owner_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GDBusConnection *connection = G_DBUS_CONNECTION (source);
  Call *call = g_task_get_task_data (task);
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (connection, result, NULL);
  const char *owner = NULL;

  if (reply != NULL)
    g_variant_get (reply, "(&s)", &owner);
  if (owner != NULL && !g_str_equal (owner, g_dbus_connection_get_unique_name (connection)))
    {
      g_dbus_connection_call (connection, owner, GADGET_CONTROL_PATH, GADGET_CONTROL_INTERFACE,
                              call->method, call->parameters, call->reply_type,
                              G_DBUS_CALL_FLAGS_NO_AUTO_START, TIMEOUT_MS, NULL, answered_cb,
                              g_steal_pointer (&task));
      return;
    }
  call->pending--;
  finish_when_answered (task);
}

static void
call_peer (GTask *task, GDBusConnection *connection, const char *name)
{
  Call *call = g_task_get_task_data (task);

  call->pending++;
  g_dbus_connection_call (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                          "org.freedesktop.DBus", "GetNameOwner", g_variant_new ("(s)", name),
                          G_VARIANT_TYPE ("(s)"), G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL,
                          owner_cb, g_object_ref (task));
}

static void
names_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  g_autofree const char **names = NULL;

  if (reply == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_variant_get (reply, "(^a&s)", &names);
  for (guint i = 0; names[i] != NULL; i++)
    if (is_ours (names[i]))
      call_peer (task, G_DBUS_CONNECTION (source), names[i]);
  finish_when_answered (task);
}

/**
 * gadget_peers_call_async:
 * @connection: the session bus
 * @method: a method of Agent1
 * @parameters: (nullable): the parameters of the method; a floating reference is sunk
 * @reply_type: the type of a reply, a tuple
 *
 * Calls a method of each other Gadget process.
 */
void
gadget_peers_call_async (GDBusConnection *connection, const char *method, GVariant *parameters,
                         const GVariantType *reply_type, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task;
  Call *call;

  g_return_if_fail (G_IS_DBUS_CONNECTION (connection) && method != NULL && reply_type != NULL);

  /* Registers the error domain, so that GDBus maps the errors of peers to it. */
  (void) GADGET_CONTROL_ERROR;
  task = g_task_new (connection, NULL, callback, user_data);
  call = g_new0 (Call, 1);
  call->method = g_strdup (method);
  call->parameters = parameters != NULL ? g_variant_ref_sink (parameters) : NULL;
  call->reply_type = g_variant_type_copy (reply_type);
  call->answers = g_new0 (GadgetPeerAnswers, 1);
  call->answers->replies = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_task_set_source_tag (task, gadget_peers_call_async);
  g_task_set_task_data (task, call, call_free);
  g_dbus_connection_call (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                          "org.freedesktop.DBus", "ListNames", NULL, G_VARIANT_TYPE ("(as)"),
                          G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL, names_cb, task);
}

/**
 * gadget_peers_call_finish:
 *
 * Returns: (transfer full): the replies, or %NULL with a #GDBusError or #GIOErrorEnum when the bus
 *   does not respond
 */
GadgetPeerAnswers *
gadget_peers_call_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gadget_peers_abort_async:
 * @session_id: a session, or "" for any
 * @run_id: a run, or "" for any; everything is stopped if both are ""
 *
 * Stops runs in each other Gadget process; finish with gadget_peers_call_finish ().
 */
void
gadget_peers_abort_async (GDBusConnection *connection, const char *session_id, const char *run_id,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  gadget_peers_call_async (connection, "Abort", g_variant_new ("(ss)", session_id, run_id),
                           G_VARIANT_TYPE ("(bass)"), callback, user_data);
}

/**
 * gadget_peer_answers_dup_aborted:
 * @self: the replies to Abort
 * @any: (out): whether anything was stopped, which need not be a run
 *
 * Returns: (transfer full): the ids of the stopped runs, without duplicates
 */
char **
gadget_peer_answers_dup_aborted (GadgetPeerAnswers *self, gboolean *any)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  *any = FALSE;
  for (guint i = 0; i < self->replies->len; i++)
    {
      g_autofree const char **runs = NULL;
      gboolean aborted;

      g_variant_get (g_ptr_array_index (self->replies, i), "(b^a&ss)", &aborted, &runs, NULL);
      *any = *any || aborted;
      for (guint k = 0; runs[k] != NULL; k++)
        if (g_hash_table_add (seen, (gpointer) runs[k]))
          g_strv_builder_add (ids, runs[k]);
    }
  return g_strv_builder_end (ids);
}

guint
gadget_peer_answers_count_stopped (GadgetPeerAnswers *self)
{
  guint n = 0;

  for (guint i = 0; i < self->replies->len; i++)
    {
      gboolean aborted;

      g_variant_get (g_ptr_array_index (self->replies, i), "(bass)", &aborted, NULL, NULL);
      n += aborted;
    }
  return n;
}
