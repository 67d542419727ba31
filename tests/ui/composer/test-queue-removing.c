/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that are removed from the queue above the composer, or taken back into the composer, by
 * keys that are really pressed; and that a removal is undone. */

#include "config.h"

#include "gadget-test-ui.h"
#include "queue-fixture.h"
#include "session/gadget-attachment.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/common/gadget-toast.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static gboolean
is_button (GtkWidget *widget, gpointer icon)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon) == 0;
}

static void
press (TestWindow *self, const char *text, const char *icon)
{
  GListModel *queue = gadget_session_get_queue (test_window_get_session (self));
  const guint n = g_list_model_get_n_items (queue);

  gtk_widget_grab_focus (test_find (queue_find_row (self, text), is_button, (gpointer) icon));
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == n - 1);
}

static void
stop (TestWindow *self)
{
  test_xdo ("key", "--delay", "20", "Escape", "Escape", NULL);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
}

static gboolean
has_text (TestWindow *self, const char *expected)
{
  g_autofree char *text = gadget_composer_dup_text (self->composer);

  return g_strcmp0 (text, expected) == 0;
}

static void
assert_text (TestWindow *self, const char *expected)
{
  g_autofree char *text = gadget_composer_dup_text (self->composer);

  g_assert_cmpstr (text, ==, expected);
}

/* Nothing runs, so that nothing else writes the chat: what is taken out stays out, and what is
 * taken out to be edited is the draft. */
static void
test_taken_out (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  queue_fill (self);
  fake_provider_text (self->provider, "Yes");
  stop (self);
  press (self, "one", "window-close-symbolic");
  queue_assert_queue (self, "two three ");
  press (self, "three", "document-edit-symbolic");
  queue_assert_queue (self, "two ");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (gadget_session_get_loaded (test_window_get_session (self))
              && !gadget_composer_is_empty (self->composer));
  queue_assert_queue (self, "two ");
  assert_text (self, "three");
}

static void
undo (TestWindow *self)
{
  GListModel *queue = gadget_session_get_queue (test_window_get_session (self));
  const guint n = g_list_model_get_n_items (queue);
  GtkWidget *label;

  wait_until ((label = test_find_label (GTK_WIDGET (self->window), "Undo")) != NULL);
  gtk_widget_grab_focus (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON));
  test_key ("Return");
  wait_until (g_list_model_get_n_items (queue) == n + 1);
  wait_until (!test_window_has_toast (self, "Message removed"));
}

/* It comes back with what is given with it, to where it was, and is stored there. */
static void
test_removed (TestWindow *self, gconstpointer data)
{
  g_autoptr (GPtrArray) attachments = queue_make_attachments ();
  g_autoptr (GadgetQueuedMessage) four = gadget_queued_message_new ("four");
  g_autoptr (GadgetQueuedMessage) message = NULL;
  g_autofree char *id = NULL;

  queue_fill (self);
  gadget_attachments_set (four, attachments);
  gadget_session_enqueue_message (test_window_get_session (self), four);
  g_signal_emit_by_name (queue_find_row (self, "four"), "remove");
  queue_assert_queue (self, "one two three ");
  undo (self);
  queue_assert_queue (self, "one two three four ");
  message = g_list_model_get_item (gadget_session_get_queue (test_window_get_session (self)), 3);
  g_assert_cmpuint (gadget_attachments_get (message)->len, ==, 2);

  g_signal_emit_by_name (queue_find_row (self, "two"), "remove");
  queue_assert_queue (self, "one three four ");
  /* The one before it is sent meanwhile. */
  g_assert_cmpstr (queue_end_one (self), ==, "one");
  undo (self);
  queue_assert_queue (self, "two three four ");
  fake_provider_text (self->provider, "Yes");
  stop (self);
  wait_until (test_window_has_toast (self, "Aborting…"));
  test_window_advance (self, 5000);
  wait_until (!test_window_has_toast (self, "Aborting…"));
  press (self, "three", "window-close-symbolic");
  queue_assert_queue (self, "two four ");
  undo (self);
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (gadget_session_get_loaded (test_window_get_session (self)));
  queue_assert_queue (self, "two three four ");
}

static gboolean
has_focus (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* Whoever removes one after the other with the keyboard goes on with the next one, and is at the
 * message entry then. */
static void
test_removed_by_key (TestWindow *self, gconstpointer data)
{
  queue_fill (self);
  gtk_widget_grab_focus (queue_find_row (self, "two"));
  g_signal_emit_by_name (queue_find_row (self, "two"), "remove");
  g_assert_true (has_focus (queue_find_row (self, "three")));
  g_signal_emit_by_name (queue_find_row (self, "three"), "remove");
  g_assert_true (has_focus (queue_find_row (self, "one")));
  g_signal_emit_by_name (queue_find_row (self, "one"), "remove");
  g_assert_true (has_focus (self->text));
}

/* It can be undone at once, whatever was said just before; that stands there again afterwards. */
static void
test_removed_beside_toast (TestWindow *self, gconstpointer data)
{
  AdwToast *toast = gadget_toast_new ("Something else");

  queue_fill (self);
  adw_toast_set_timeout (toast, 0);
  gadget_chat_add_toast (self->chat, toast);
  wait_until (test_window_has_toast (self, "Something else"));
  g_signal_emit_by_name (queue_find_row (self, "two"), "remove");
  wait_until (test_window_has_toast (self, "Message removed"));
  queue_assert_queue (self, "one three ");
}

/* Not while Esc is armed: that stays in sight. */
static void
test_removed_beside_escape (TestWindow *self, gconstpointer data)
{
  queue_fill (self);
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  g_signal_emit_by_name (queue_find_row (self, "two"), "remove");
  test_run_for (500);
  g_assert_true (test_window_has_toast (self, "Press Esc again to abort"));
}

/* The turn that it was to steer is over when it comes back. */
static void
test_removed_steering (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  g_autoptr (GadgetQueuedMessage) message = NULL;
  GtkWidget *label;

  test_window_send (self, "first");
  session = test_window_get_session (self);
  test_type ("steer");
  test_key ("ctrl+Return");
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 1);
  g_signal_emit_by_name (queue_find_row (self, "steer"), "remove");
  stop (self);
  wait_until ((label = test_find_label (GTK_WIDGET (self->window), "Undo")) != NULL);
  gtk_widget_grab_focus (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON));
  test_key ("Return");
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 1);
  message = g_list_model_get_item (gadget_session_get_queue (session), 0);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, "steer");
  g_assert_false (gadget_queued_message_get_steering (message));
  g_assert_true (gadget_session_get_queue_paused (session));
}

/* It can be undone from another chat, too, and comes back to its own queue. */
static void
test_removed_switched (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  GtkWidget *label;

  queue_fill (self);
  session = test_window_get_session (self);
  g_signal_emit_by_name (queue_find_row (self, "two"), "remove");
  wait_until (test_window_has_toast (self, "Message removed"));
  gadget_window_new_chat (self->window);
  wait_until ((label = test_find_label (GTK_WIDGET (self->window), "Undo")) != NULL);
  gtk_widget_grab_focus (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON));
  test_key ("Return");
  wait_until (!test_window_has_toast (self, "Message removed"));
  queue_assert_queue (self, "");
  gadget_window_open_session (self->window, session);
  queue_assert_queue (self, "one two three ");
}

/* What is taken out is the draft, also when an earlier message was being edited. */
static void
test_taken_out_of_edit (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *id = NULL;

  queue_fill (self);
  fake_provider_text (self->provider, "Yes");
  stop (self);
  test_type ("before");
  wait_until (has_text (self, "before"));
  gtk_widget_activate_action (
      GTK_WIDGET (self->chat), "session.edit-turn", "s",
      gadget_turn_get_id (gadget_session_get_last_turn (test_window_get_session (self))));
  assert_text (self, "first");
  press (self, "two", "document-edit-symbolic");
  queue_assert_queue (self, "one three ");
  assert_text (self, "two\n\nbefore");
  g_assert_false (gtk_revealer_get_reveal_child (self->chat->edit_banner));
  /* Nothing is edited any more that it could end. */
  test_key ("Escape");
  assert_text (self, "two\n\nbefore");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  session = gadget_engine_find_session (self->engine, id);
  gadget_engine_load_async (self->engine, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_engine_load_finish (self->engine, result, NULL));
  gadget_window_open_session (self->window, session);
  /* Nor is it while the draft is not known yet. */
  g_signal_emit_by_name (queue_find_row (self, "one"), "edit");
  wait_until (!gadget_composer_is_empty (self->composer));
  queue_assert_queue (self, "one three ");
  assert_text (self, "two\n\nbefore");
}

/* The queue changes by itself whenever a reply ends. Whoever is at a row stays there; when that
 * message is sent, the message entry has the focus. */
static void
test_sent_beside_focus (TestWindow *self, gconstpointer data)
{
  GtkWidget *more;

  queue_fill (self);
  gtk_widget_grab_focus (queue_find_row (self, "three"));
  g_assert_cmpstr (queue_end_one (self), ==, "one");
  g_assert_true (gtk_widget_is_focus (queue_find_row (self, "three")));

  /* Also at a button of it. */
  more = test_find (queue_find_row (self, "two"), queue_is_more, NULL);
  g_assert_true (gtk_widget_grab_focus (more));
  g_assert_cmpstr (queue_end_one (self), ==, "two");
  g_assert_true (has_focus (self->text));
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/queue/" path, TestWindow, NULL, test_window_set_up, function,                   \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("taken-out", test_taken_out);
  add ("removed", test_removed);
  add ("removed-by-key", test_removed_by_key);
  add ("sent-beside-focus", test_sent_beside_focus);
  add ("removed-beside-toast", test_removed_beside_toast);
  add ("removed-beside-escape", test_removed_beside_escape);
  add ("removed-steering", test_removed_steering);
  add ("removed-switched", test_removed_switched);
  add ("taken-out-of-edit", test_taken_out_of_edit);

  return g_test_run ();
}
