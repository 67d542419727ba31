/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a stop of a whole window does beside the turn: messages in the queue, the title that is
 * made, messages that steer, and the turns of other engines when everything is stopped. */

#include "config.h"

#include "control/gadget-control.h"
#include "gadget-test-ui.h"
#include "test-stop.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"

/* --- Queue -------------------------------------------------------------------------------------
 */

static void
test_enter_queues (TestWindow *self, gconstpointer data)
{
  GListModel *queue = gadget_session_get_queue (test_stop_get_session (self));

  test_stop_start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("one");
  test_key ("Return");
  test_type ("two");
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  g_assert_true (gadget_composer_is_empty (self->composer));
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Queued"));
  test_stop_assert_goes_on (self);

  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
  test_run_for (200);
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 2);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Paused"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
}

/* A title is made in the background: nothing offers to cancel it, and stopping everything stops it.
 */
static void
test_title (TestWindow *self, gconstpointer data)
{
  gadget_agent_set_titles (gadget_engine_get_agent (self->engine), TRUE);
  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Some text");
  fake_provider_end (self->provider);
  wait_until (self->n_completed == 1 && fake_provider_is_waiting (self->provider));
  test_run_for (200);
  g_assert_false (test_stop_is_busy (self));
  g_assert_cmpstr (test_window_get_face (self), ==, "Send");
  test_stop_assert_button (self);

  /* Esc is for replies. */
  test_key ("Escape");
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  g_assert_true (fake_provider_is_waiting (self->provider));
  test_key ("ctrl+shift+Escape");
  wait_until (!fake_provider_is_waiting (self->provider));
  /* It says what it did. */
  wait_until (test_window_has_toast (self, "Stopping the work on a title"));
  g_assert_false (test_window_has_toast (self, "Nothing is running"));
  g_assert_cmpstr (gadget_session_get_title (test_stop_get_session (self)), ==, "hello");
}

static gboolean
is_drop_down (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && GTK_IS_POPOVER_MENU (gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget)))
         && gtk_widget_get_ancestor (widget, ADW_TYPE_SPLIT_BUTTON) != NULL;
}

/* Said into the turn: with Ctrl+Enter, or from the menu beside "Queue". It waits above the
 * composer, before what is queued; an abort leaves it there, paused. */
static void
test_steer (TestWindow *self, gconstpointer data)
{
  GListModel *queue = gadget_session_get_queue (test_stop_get_session (self));
  g_autoptr (GadgetQueuedMessage) first = NULL;

  test_stop_start (self);
  gtk_widget_grab_focus (self->text);
  test_type ("one");
  test_key ("Return");
  test_type ("two");
  test_key ("ctrl+Return");
  wait_until (g_list_model_get_n_items (queue) == 2);
  g_assert_true (gadget_composer_is_empty (self->composer));
  first = g_list_model_get_item (queue, 0);
  g_assert_cmpstr (gadget_queued_message_get_text (first), ==, "two");
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "With the next step"));

  test_type ("three");
  test_click (test_find (GTK_WIDGET (self->composer), is_drop_down, NULL));
  test_run_for (300);
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == 3);
  g_assert_true (gadget_composer_is_empty (self->composer));
  test_stop_assert_goes_on (self);

  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  test_stop_assert_aborted (self);
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 3);
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->composer), "Paused"));
  g_assert_null (test_find_label (GTK_WIDGET (self->composer), "With the next step"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
}

/* With nothing going on it is the same as Enter. */
static void
test_steer_idle (TestWindow *self, gconstpointer data)
{
  gtk_widget_grab_focus (self->text);
  test_type ("hello");
  test_key ("ctrl+Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (gadget_session_get_n_turns (test_stop_get_session (self)), ==, 1);
}

/* --- Everything --------------------------------------------------------------------------------
 */

/* Another program of Gadget, which answers when the test does. */
typedef struct
{
  GDBusConnection *window;
  GDBusConnection *connection;
  GDBusMessage *asked; /* (nullable) (atomic): what it was asked, and has not answered */
} Peer;

static GDBusConnection *
connect_to_bus (void)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection =
      g_dbus_connection_new_for_address_sync (address,
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                  | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL, NULL, &error);

  g_assert_no_error (error);
  return connection;
}

/* In a thread of GDBus. */
static GDBusMessage *
hold_abort (GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer data)
{
  Peer *peer = data;

  if (!incoming || g_strcmp0 (g_dbus_message_get_member (message), "Abort") != 0)
    return message;
  g_atomic_pointer_set (&peer->asked, message);
  g_main_context_wakeup (NULL);
  return NULL;
}

static void
peer_open (Peer *peer, TestWindow *self)
{
  g_autofree char *name = gadget_control_dup_cli_name ("elsewhere");
  g_autoptr (GVariant) reply = NULL;

  peer->window = connect_to_bus ();
  peer->connection = connect_to_bus ();
  g_dbus_connection_add_filter (peer->connection, hold_abort, peer, NULL);
  reply = g_dbus_connection_call_sync (
      peer->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "RequestName", g_variant_new ("(su)", name, 4), G_VARIANT_TYPE ("(u)"),
      G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  g_assert_nonnull (reply);
  gadget_window_set_bus (self->window, peer->window);
}

static gboolean
peer_is_asked (Peer *peer)
{
  return g_atomic_pointer_get (&peer->asked) != NULL;
}

static void
peer_forget (Peer *peer)
{
  g_autoptr (GDBusMessage) asked = g_atomic_pointer_exchange (&peer->asked, NULL);

  g_assert_nonnull (asked);
}

static void
peer_answer (Peer *peer, gboolean aborted)
{
  g_autoptr (GDBusMessage) asked = g_atomic_pointer_exchange (&peer->asked, NULL);
  g_autoptr (GDBusMessage) reply = g_dbus_message_new_method_reply (asked);

  g_dbus_message_set_body (
      reply, g_variant_new ("(b@ass)", aborted, g_variant_new_strv (NULL, 0), "Abort signaled"));
  g_dbus_connection_send_message (peer->connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL,
                                  NULL);
}

static void
peer_close (Peer *peer)
{
  g_dbus_connection_close_sync (peer->connection, NULL, NULL);
  g_dbus_connection_close_sync (peer->window, NULL, NULL);
  g_clear_object (&peer->connection);
  g_clear_object (&peer->window);
}

/* What was stopped here is said before another program has answered; then, what it has. */
static void
test_all_beside_slow (TestWindow *self, gconstpointer data)
{
  Peer peer = { 0 };

  peer_open (&peer, self);
  test_stop_start (self);
  test_key ("ctrl+shift+Escape");
  wait_until (peer_is_asked (&peer));
  wait_until (test_window_has_toast (self, "Stopping 1 reply"));
  peer_answer (&peer, TRUE);
  wait_until (test_window_has_toast (self, "Stopping 2 replies, also of other programs"));
  g_assert_false (test_window_has_toast (self, "Stopping 1 reply"));
  peer_close (&peer);
}

/* Nothing runs here; whether elsewhere is not known before the others answer. */
static void
test_all_elsewhere (TestWindow *self, gconstpointer data)
{
  GString *said = gadget_test_listen ();
  Peer peer = { 0 };

  peer_open (&peer, self);
  test_key ("ctrl+shift+Escape");
  wait_until (peer_is_asked (&peer));
  g_assert_false (test_window_has_toast (self, "Waiting for other programs…"));
  test_window_advance (self, 40);
  wait_until (test_window_has_toast (self, "Waiting for other programs…"));
  peer_answer (&peer, TRUE);
  wait_until (test_window_has_toast (self, "Stopping 1 reply, also of other programs"));
  wait_until (strstr (said->str, "Stopping 1 reply, also of other programs") != NULL);
  gadget_test_stop_listening (said);
  peer_close (&peer);
}

static void
test_all_silent (TestWindow *self, gconstpointer data)
{
  Peer peer = { 0 };

  peer_open (&peer, self);
  test_key ("ctrl+shift+Escape");
  wait_until (peer_is_asked (&peer));
  wait_until (test_window_has_toast (self, "Could not abort: another program does not answer"));
  g_assert_false (test_window_has_toast (self, "Nothing is running"));
  peer_forget (&peer);
  peer_close (&peer);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/stopping/" path, TestWindow, NULL, test_window_set_up, function,                \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("enter-queues", test_enter_queues);
  add ("title", test_title);
  add ("all-beside-slow", test_all_beside_slow);
  add ("all-elsewhere", test_all_elsewhere);
  add ("all-silent", test_all_silent);
  add ("steer", test_steer);
  add ("steer-idle", test_steer_idle);

  return g_test_run ();
}
