/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "control-ask-fixture.h"
#include "test-wait.h"
#include "wait.h"

void
control_asked_clear (ControlAsked *asked)
{
  g_free (asked->session);
  g_free (asked->turn);
  g_free (asked->run);
}

void
control_ask_set_up (ControlFixture *fixture, gconstpointer data)
{
  control_set_up (fixture, data);
  gadget_control_set_accepts_work (fixture->control, TRUE);
  gadget_provider_list_set_default (gadget_engine_get_providers (fixture->engine), "fake");
}

GVariant *
control_make_ask (const char *session, const char *text, const char *options)
{
  return g_variant_new ("(ss@a{sv})", session, text,
                        g_variant_new_parsed (options != NULL ? options : "@a{sv} {}"));
}

void
control_ask (ControlFixture *fixture, const char *session, const char *options, ControlAsked *asked)
{
  g_auto (ControlAnswer) answer = { 0 };

  control_call_bus (fixture, "Ask", control_make_ask (session, "prompt", options), &answer);
  wait_until (control_is_answered (&answer));
  g_assert_cmpstr (answer.error, ==, NULL);
  g_variant_get (answer.reply, "(sss)", &asked->session, &asked->turn, &asked->run);
}

void
control_assert_refused (ControlFixture *fixture, const char *method, GVariant *parameters,
                        const char *error)
{
  g_auto (ControlAnswer) answer = { 0 };

  control_call_bus (fixture, method, parameters, &answer);
  wait_until (control_is_answered (&answer));
  g_assert_cmpstr (answer.error, ==, error);
}

static gboolean
new_connection_cb (GDBusServer *server, GDBusConnection *connection, GDBusConnection **taken)
{
  *taken = g_object_ref (connection);
  return TRUE;
}

void
control_peer_open (ControlPeer *peer, ControlFixture *fixture)
{
  g_autofree char *guid = g_dbus_generate_guid ();
  g_autofree char *address = g_strdup_printf ("unix:path=%s/peer", fixture->folder);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  peer->server =
      g_dbus_server_new_sync (address, G_DBUS_SERVER_FLAGS_NONE, guid, NULL, NULL, &error);
  g_assert_no_error (error);
  g_signal_connect (peer->server, "new-connection", G_CALLBACK (new_connection_cb), &peer->here);
  g_dbus_server_start (peer->server);
  g_dbus_connection_new_for_address (address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, NULL,
                                     NULL, test_result_cb, &result);
  wait_until (result != NULL && peer->here != NULL);
  peer->there = g_dbus_connection_new_for_address_finish (result, &error);
  g_assert_no_error (error);
  peer->control = gadget_control_new (fixture->engine);
  gadget_control_set_accepts_work (peer->control, TRUE);
  g_assert_true (gadget_control_export (peer->control, peer->here, &error));
  g_assert_no_error (error);
}

void
control_peer_close (ControlPeer *peer)
{
  g_object_unref (peer->control);
  g_dbus_connection_close_sync (peer->there, NULL, NULL);
  g_dbus_server_stop (peer->server);
  g_object_unref (peer->there);
  g_object_unref (peer->here);
  g_object_unref (peer->server);
}

void
control_assert_peer_refused (ControlPeer *peer, const char *method, GVariant *parameters)
{
  g_auto (ControlAnswer) answered = { 0 };

  control_call (peer->there, NULL, method, parameters, &answered);
  wait_until (control_is_answered (&answered));
  g_assert_cmpstr (answered.error, ==, ERRORS "AccessDenied");
}
