/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "control-fixture.h"

#include "test-engine.h"
#include "wait.h"

#include <glib/gstdio.h>

void
control_answer_clear (ControlAnswer *answer)
{
  g_clear_pointer (&answer->reply, g_variant_unref);
  g_clear_pointer (&answer->error, g_free);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ControlAnswer *answer = user_data;
  g_autoptr (GError) error = NULL;

  answer->reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  if (error != NULL)
    answer->error = g_dbus_error_get_remote_error (error);
  g_assert_true (answer->reply != NULL || answer->error != NULL);
}

gboolean
control_is_answered (const ControlAnswer *answer)
{
  return answer->reply != NULL || answer->error != NULL;
}

void
control_call (GDBusConnection *connection, const char *name, const char *method,
              GVariant *parameters, ControlAnswer *answer)
{
  g_dbus_connection_call (connection, name, GADGET_CONTROL_PATH, GADGET_CONTROL_INTERFACE, method,
                          parameters, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, answered_cb, answer);
}

void
control_call_bus (ControlFixture *fixture, const char *method, GVariant *parameters,
                  ControlAnswer *answer)
{
  control_call (fixture->client, g_dbus_connection_get_unique_name (fixture->service), method,
                parameters, answer);
}

static void
signal_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
           const char *name, GVariant *parameters, gpointer user_data)
{
  ControlFixture *fixture = user_data;
  const char *id = NULL;
  const char *message = "";

  if (g_str_equal (name, "Event"))
    {
      g_autoptr (GVariant) event = g_variant_get_child_value (parameters, 1);

      g_variant_get_child (parameters, 0, "&s", &id);
      g_assert_true (g_variant_lookup (event, "event", "&s", &message));
      g_ptr_array_add (fixture->events, g_steal_pointer (&event));
      g_ptr_array_add (fixture->signals, g_strdup_printf ("Event %s %s", id, message));
      return;
    }
  if (g_str_equal (name, "Completed"))
    g_variant_get (parameters, "(&sb&s)", &id, NULL, &message);
  else
    g_variant_get_child (parameters, 0, "&s", &id);
  g_ptr_array_add (fixture->signals, g_strdup_printf ("%s %s %s", name, id, message));
}

static GDBusConnection *
connect_to (const char *address)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection =
      g_dbus_connection_new_for_address_sync (address,
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                  | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL, NULL, &error);

  g_assert_no_error (error);
  return connection;
}

/* Another one, of another program. (transfer full) */
GDBusConnection *
control_connect (ControlFixture *fixture)
{
  return connect_to (g_test_dbus_get_bus_address (fixture->bus));
}

/* @sessions: in the text form of variants */
void
control_subscribe (ControlFixture *fixture, GDBusConnection *client, const char *sessions)
{
  g_auto (ControlAnswer) answer = { 0 };

  control_call (client, g_dbus_connection_get_unique_name (fixture->service), "Subscribe",
                g_variant_new ("(@as)", g_variant_new_parsed (sessions)), &answer);
  wait_until (control_is_answered (&answer));
  g_assert_cmpstr (answer.error, ==, NULL);
}

static void
open_engine (ControlFixture *fixture)
{
  fixture->engine = gadget_engine_new (fixture->folder);
  test_engine_open (fixture->engine);
  fixture->provider = fake_provider_new ();
  gadget_provider_list_override (gadget_engine_get_providers (fixture->engine), "fake",
                                 GADGET_PROVIDER (fixture->provider));
}

void
control_set_up (ControlFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("gadget-control-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (fixture->bus);
  fixture->service = connect_to (g_test_dbus_get_bus_address (fixture->bus));
  fixture->client = connect_to (g_test_dbus_get_bus_address (fixture->bus));
  fixture->signals = g_ptr_array_new_with_free_func (g_free);
  fixture->events = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_dbus_connection_signal_subscribe (fixture->client,
                                      g_dbus_connection_get_unique_name (fixture->service),
                                      GADGET_CONTROL_INTERFACE, NULL, GADGET_CONTROL_PATH, NULL,
                                      G_DBUS_SIGNAL_FLAGS_NONE, signal_cb, fixture, NULL);

  open_engine (fixture);
  fixture->control = gadget_control_new (fixture->engine);
  g_assert_true (gadget_control_export (fixture->control, fixture->service, &error));
  g_assert_no_error (error);
  control_subscribe (fixture, fixture->client, "@as []");
}

void
control_remove_folder (const char *path)
{
  const char *name;
  GDir *folder = g_dir_open (path, 0, NULL);

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      control_remove_folder (child);
    }
  g_clear_pointer (&folder, g_dir_close);
  g_remove (path);
}

void
control_tear_down (ControlFixture *fixture, gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (fixture->control), (gpointer *) &fixture->control);
  g_object_unref (fixture->control);
  g_assert_null (fixture->control);
  test_engine_close (fixture->engine, GADGET_STOP_CLOSED);
  g_clear_object (&fixture->session);
  g_clear_object (&fixture->provider);
  g_clear_object (&fixture->engine);
  g_dbus_connection_close_sync (fixture->client, NULL, NULL);
  g_dbus_connection_close_sync (fixture->service, NULL, NULL);
  g_clear_object (&fixture->client);
  g_clear_object (&fixture->service);
  g_test_dbus_down (fixture->bus);
  g_clear_object (&fixture->bus);
  g_ptr_array_unref (fixture->signals);
  g_ptr_array_unref (fixture->events);
  control_remove_folder (fixture->folder);
  g_free (fixture->folder);
}

guint
control_count_signals (ControlFixture *fixture, const char *text)
{
  guint n = 0;

  for (guint i = 0; i < fixture->signals->len; i++)
    n += g_str_has_prefix (g_ptr_array_index (fixture->signals, i), text) ? 1 : 0;
  return n;
}

GadgetRun *
control_start_run (ControlFixture *fixture)
{
  const GadgetTurnOptions options = { .interactive = FALSE };
  g_autoptr (GError) error = NULL;
  GadgetRun *run;

  if (fixture->session == NULL)
    {
      fixture->session = gadget_engine_new_session (fixture->engine);
      gadget_session_set_model (fixture->session, "fake", "model");
    }
  run = gadget_agent_start (gadget_engine_get_agent (fixture->engine), fixture->session, "prompt",
                            &options, &error);
  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (fixture->provider));
  return run;
}

void
control_assert_aborted_answer (const ControlAnswer *answer, const char *run_id)
{
  gboolean aborted;
  g_autofree const char **runs = NULL;
  const char *message;

  g_assert_cmpstr (answer->error, ==, NULL);
  g_variant_get (answer->reply, "(b^a&s&s)", &aborted, &runs, &message);
  g_assert_cmpint (aborted, ==, run_id != NULL);
  g_assert_cmpstr (runs[0], ==, run_id);
  g_assert_cmpstr (message, ==, run_id != NULL ? GADGET_ABORT_SIGNALED : GADGET_ABORT_NOTHING);
  if (run_id != NULL)
    g_assert_null (runs[1]);
}
