/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The subscribers. A signal goes to each program that subscribed, by its unique name, and only if
 * it may see the run. A broadcast would also reach programs in sandboxes, and events contain the
 * contents of files, arguments and responses. */

#define G_LOG_DOMAIN "gadget-control"

#include "config.h"

#include "gadget-control-private.h"

typedef struct
{
  GadgetControl *control; /* (unowned): the control owns its subscribers */
  char *name;             /* unique name */
  GadgetCaller caller;
  GStrv sessions; /* ids of sessions; empty for all sessions */
  guint watch;
} Subscriber;

static void
subscriber_free (gpointer data)
{
  Subscriber *self = data;

  g_clear_handle_id (&self->watch, g_bus_unwatch_name);
  g_strfreev (self->sessions);
  g_free (self->name);
  g_free (self);
}

static Subscriber *
find_subscriber (GadgetControl *control, const char *name)
{
  for (guint i = 0; i < control->subscribers->len; i++)
    {
      Subscriber *self = g_ptr_array_index (control->subscribers, i);

      if (g_str_equal (self->name, name))
        return self;
    }
  return NULL;
}

static void
vanished_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  Subscriber *self = user_data;

  g_ptr_array_remove (self->control->subscribers, self);
}

static gboolean
is_interested (const Subscriber *self, const GadgetRunRecord *record)
{
  const char *const *sessions = (const char *const *) self->sessions;

  if (!gadget_run_record_may_access (record, self->caller, self->name))
    return FALSE;
  return sessions[0] == NULL || g_strv_contains (sessions, record->session_id)
         || g_strv_contains (sessions, record->chat_id);
}

static void
send (GadgetControl *control, const Subscriber *to, const char *name, GVariant *parameters)
{
  g_dbus_connection_emit_signal (control->connection, to->name, GADGET_CONTROL_PATH,
                                 GADGET_CONTROL_INTERFACE, name, parameters, NULL);
}

/* @parameters is a floating reference. */
void
_gadget_control_emit (GadgetControl *self, const GadgetRunRecord *record, const char *name,
                      GVariant *parameters)
{
  g_autoptr (GVariant) sunk = g_variant_ref_sink (parameters);

  for (guint i = 0; self->connection != NULL && i < self->subscribers->len; i++)
    if (is_interested (g_ptr_array_index (self->subscribers, i), record))
      send (self, g_ptr_array_index (self->subscribers, i), name, sunk);
}

/* Sends the questions that are still open to a new subscriber. */
static void
send_open_prompts (GadgetControl *control, const Subscriber *to)
{
  for (guint i = 0; i < control->records->len; i++)
    {
      const GadgetRunRecord *record = g_ptr_array_index (control->records, i);
      g_autoptr (GPtrArray) events = NULL;

      if (record->feed == NULL || !is_interested (to, record))
        continue;
      events = gadget_event_feed_list_prompts (record->feed);
      for (guint k = 0; k < events->len; k++)
        send (control, to, "Event",
              g_variant_new ("(s@a{sv})", record->run_id, g_ptr_array_index (events, k)));
    }
}

void
_gadget_control_subscribe (GadgetMethodCall *call)
{
  GadgetControl *self = call->control;
  const char *name = _gadget_method_call_get_sender (call);
  Subscriber *subscriber;

  if (self->connection == NULL)
    {
      _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_FAILED, GADGET_CONTROL_LEAVING);
      return;
    }
  /* On a connection without a bus programs have no names. */
  if (name == NULL)
    {
      _gadget_method_call_return_error (call, GADGET_CONTROL_ERROR_ACCESS_DENIED,
                                        "Only programs on the bus may subscribe");
      return;
    }
  subscriber = find_subscriber (self, name);
  if (subscriber != NULL)
    g_ptr_array_remove (self->subscribers, subscriber);
  subscriber = g_new0 (Subscriber, 1);
  subscriber->control = self;
  subscriber->name = g_strdup (name);
  subscriber->caller = call->caller;
  g_variant_get (_gadget_method_call_get_parameters (call), "(^as)", &subscriber->sessions);
  subscriber->watch = g_bus_watch_name_on_connection (
      self->connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, vanished_cb, subscriber, NULL);
  g_ptr_array_add (self->subscribers, subscriber);
  _gadget_method_call_return (call, NULL);
  send_open_prompts (self, subscriber);
}

void
_gadget_control_unsubscribe (GadgetMethodCall *call)
{
  const char *name = _gadget_method_call_get_sender (call);
  Subscriber *subscriber = name != NULL ? find_subscriber (call->control, name) : NULL;

  if (subscriber != NULL)
    g_ptr_array_remove (call->control->subscribers, subscriber);
  _gadget_method_call_return (call, NULL);
}

GPtrArray *
_gadget_control_subscribers_new (void)
{
  return g_ptr_array_new_with_free_func (subscriber_free);
}
