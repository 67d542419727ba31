/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of sleep, as logind tells it on the system bus; the bus and logind are the test's. */

#include "config.h"

#include "agent/gadget-network-watch.h"
#include "test-wait.h"
#include "wait.h"

static void
suspected_cb (GadgetHttp *http, guint *n_suspected)
{
  ++*n_suspected;
}

static void
emit_sleep (GDBusConnection *logind, gboolean begins)
{
  g_autoptr (GError) error = NULL;

  g_dbus_connection_emit_signal (logind, NULL, "/org/freedesktop/login1",
                                 "org.freedesktop.login1.Manager", "PrepareForSleep",
                                 g_variant_new ("(b)", begins), &error);
  g_assert_no_error (error);
}

static GDBusConnection *
play_logind (GTestDBus *bus)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;
  GDBusConnection *connection =
      g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (bus),
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                  | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL, NULL, &error);

  g_assert_no_error (error);
  reply = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus", "RequestName",
                                       g_variant_new ("(su)", "org.freedesktop.login1", 4u), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  return connection;
}

static void
test_resume (void)
{
  g_autofree char *daemon = g_find_program_in_path ("dbus-daemon");
  g_autoptr (GTestDBus) bus = NULL;
  g_autoptr (GDBusConnection) logind = NULL;
  g_autoptr (GadgetHttp) http = NULL;
  GadgetNetworkWatch *watch;
  guint n_suspected = 0;

  if (daemon == NULL)
    {
      g_test_skip ("dbus-daemon is not installed");
      return;
    }
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (bus), TRUE);
  logind = play_logind (bus);
  http = gadget_http_new (NULL);
  g_signal_connect (http, "connections-suspected", G_CALLBACK (suspected_cb), &n_suspected);
  watch = _gadget_network_watch_new (http);
  /* Until the watch is on the bus it hears nothing. */
  while (n_suspected == 0)
    {
      emit_sleep (logind, FALSE);
      test_run_for (20);
    }
  test_run_for (100);
  n_suspected = 0;
  emit_sleep (logind, TRUE);
  emit_sleep (logind, FALSE);
  wait_until (n_suspected > 0);
  wait_idle ();
  g_assert_cmpuint (n_suspected, ==, 1);
  g_assert_finalize_object (watch);
  g_dbus_connection_close_sync (logind, NULL, NULL);
  g_test_dbus_stop (bus);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/network-watch/resume", test_resume);
  return g_test_run ();
}
