/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that are deleted, in the window and by another process, while somebody writes: keys are
 * really pressed. A second engine on the same folder is the other process. */

#include "config.h"

#include "gadget-test-ui.h"
#include "session/gadget-attachment.h"
#include "engine-fixture.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/composer/gadget-queue-row.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static void
answer (TestWindow *self)
{
  fake_provider_text (self->provider, "An answer");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
}

static void
say (TestWindow *self, const char *prompt)
{
  test_window_send (self, prompt);
  answer (self);
}

static void
press_action (TestWindow *self, const char *name)
{
  gtk_widget_activate_action (GTK_WIDGET (self->window), name, NULL);
}

static void
new_chat (TestWindow *self)
{
  press_action (self, "win.new-chat");
  gadget_session_set_model (test_window_get_session (self), "fake", "model");
}

/* Waits until the chat is gone, or the question whether it is to go is there. */
static void
delete_chat (TestWindow *self)
{
  g_autoptr (GadgetSession) session = g_object_ref (test_window_get_session (self));

  press_action (self, "win.delete-chat");
  wait_until (gadget_session_get_deletion (session) != GADGET_DELETION_NONE
              || adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window))
                     != NULL);
}

static void
dismiss_toasts (TestWindow *self)
{
  adw_toast_overlay_dismiss_all (self->chat->toasts);
}

static gboolean
has_banner (TestWindow *self)
{
  return gtk_revealer_get_reveal_child (self->chat->deleted_banner);
}

static gboolean
is_undo (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Undo") == 0;
}

static void
press_undo (TestWindow *self)
{
  GtkWidget *button;

  wait_until (test_find (GTK_WIDGET (self->chat), is_undo, NULL) != NULL);
  button = test_find (GTK_WIDGET (self->chat), is_undo, NULL);
  g_signal_emit_by_name (button, "clicked");
}

static guint
count_listed (TestWindow *self)
{
  return g_list_model_get_n_items (gadget_engine_get_sessions (self->engine));
}

/* The chat as it is on disk, or NULL. (transfer full) */
static GadgetSession *
read_stored (TestWindow *self, const char *id)
{
  GadgetStore *store = test_store_open (self->folder);
  GadgetSession *session = gadget_session_new (id);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_load_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  if (!gadget_store_load_session_finish (store, result, NULL))
    g_clear_object (&session);
  g_clear_object (&result);
  test_store_close (store);
  return session;
}

static gboolean
is_stored (TestWindow *self, const char *id)
{
  g_autoptr (GadgetSession) session = read_stored (self, id);

  return session != NULL;
}

static gboolean
has_new_draft (TestWindow *self, const char *text)
{
  g_autofree char *draft = test_window_load_draft (self, NULL);

  return g_str_equal (draft, text);
}

/* By another process, which ends then. */
static gboolean
delete_elsewhere (TestWindow *self, GadgetDeleteFlags flags)
{
  g_autofree char *id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  GadgetStore *store = test_store_open (self->folder);
  const gboolean done = test_store_try_delete (store, id, flags, NULL);

  test_store_close (store);
  return done;
}

static void
remove_turn (TestWindow *self)
{
  GadgetTurn *turn = gadget_session_get_turn (test_window_get_session (self), 0);

  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.delete-turn", "s",
                              gadget_turn_get_id (turn));
  wait_until (gadget_session_get_n_turns (test_window_get_session (self)) == 0);
}

/* --- In the window ---------------------------------------------------------------------------- */

/* A chat may have lost all its turns before. What is sent next goes into another one, and is kept.
 */
static void
test_without_turns (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) deleted = NULL;
  g_autofree char *id = NULL;

  say (self, "first");
  deleted = g_object_ref (test_window_get_session (self));
  remove_turn (self);
  delete_chat (self);
  g_assert_true (test_window_get_session (self) != deleted);
  say (self, "kept");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  dismiss_toasts (self);
  wait_until (gadget_session_get_deletion (deleted) == GADGET_DELETION_DONE);
  g_assert_cmpuint (count_listed (self), ==, 1);
  g_assert_true (is_stored (self, id));
  g_assert_false (is_stored (self, gadget_session_get_id (deleted)));
}

/* New Chat leaves a chat without turns that is stored: they may come back there. */
static void
test_new_chat_beside_empty (TestWindow *self, gconstpointer data)
{
  GadgetSession *empty;

  say (self, "first");
  empty = test_window_get_session (self);
  remove_turn (self);
  new_chat (self);
  g_assert_true (test_window_get_session (self) != empty);
  empty = test_window_get_session (self);
  new_chat (self);
  g_assert_true (test_window_get_session (self) == empty);
}

/* Undo shows it again, with what was being written there, and with all that can be done. */
static void
test_undo (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  say (self, "first");
  session = test_window_get_session (self);
  test_window_type (self, "a draft");
  delete_chat (self);
  g_assert_true (test_window_get_session (self) != session);
  g_assert_true (test_window_shows_text (self, ""));
  g_assert_cmpuint (count_listed (self), ==, 0);
  /* It cannot be shown meanwhile. */
  gadget_window_open_session (self->window, session);
  g_assert_true (test_window_get_session (self) != session);
  test_window_type (self, "of the new chat");
  press_undo (self);
  g_assert_true (test_window_get_session (self) == session);
  g_assert_true (test_window_shows_text (self, "a draft"));
  g_assert_cmpuint (count_listed (self), ==, 1);
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  answer (self);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 2);
  new_chat (self);
  wait_until (test_window_shows_text (self, "of the new chat"));
}

/* The window is closed while the deletion could still be undone. */
static void
test_closing (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  say (self, "first");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  delete_chat (self);
  g_assert_true (is_stored (self, id));
  test_window_restart (self);
  g_assert_false (is_stored (self, id));
  g_assert_cmpuint (count_listed (self), ==, 0);
}

static gboolean
is_toast (GtkWidget *widget, gpointer user_data)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwToastWidget");
}

/* There is more time than other toasts give. */
static void
test_undo_time (TestWindow *self, gconstpointer data)
{
  g_autoptr (AdwToast) toast = NULL;
  GtkWidget *widget;

  say (self, "first");
  delete_chat (self);
  wait_until (test_window_has_toast (self, "Chat deleted"));
  widget = test_find (GTK_WIDGET (self->chat), is_toast, NULL);
  g_assert_nonnull (widget);
  g_object_get (widget, "toast", &toast, NULL);
  g_assert_cmpuint (adw_toast_get_timeout (toast), ==, 10);
}

/* What other toasts offer to undo does not lead into a chat that is to be deleted. */
static void
test_other_undo (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  g_autoptr (GPtrArray) none = NULL;

  say (self, "first");
  session = test_window_get_session (self);
  gtk_widget_activate_action (
      GTK_WIDGET (self->chat), "session.edit-turn", "s",
      gadget_turn_get_id (gadget_session_get_turn (test_window_get_session (self), 0)));
  wait_until (test_window_shows_text (self, "first"));
  test_window_type (self, " and more");
  new_chat (self);
  g_assert_true (gadget_engine_begin_delete (self->engine, session, GADGET_DELETE_UNSENT, NULL));
  g_assert_true (test_window_has_toast (self, "Edit discarded"));
  press_undo (self);
  g_assert_true (test_window_get_session (self) != session);
  wait_until (test_window_shows_text (self, "first and more"));
}

/* --- By another process ----------------------------------------------------------------------- */

/* Not as long as it is shown; later it is. */
static void
test_shown (TestWindow *self, gconstpointer data)
{
  GadgetStore *store;
  g_autofree char *id = NULL;

  say (self, "first");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  g_assert_false (delete_elsewhere (self, GADGET_DELETE_UNUSED));
  new_chat (self);
  store = test_store_open (self->folder);
  g_assert_true (test_store_try_delete (store, id, GADGET_DELETE_UNUSED, NULL));
  test_store_close (store);
  wait_until (count_listed (self) == 0);
  g_assert_false (has_banner (self));
}

/* By force: the text stays where it is, what is typed goes on there, Enter sends nothing; and all
 * of it is in the new chat, also if the program ends before. */
static void
test_forced (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;
  const GadgetSession *deleted;

  say (self, "first");
  deleted = test_window_get_session (self);
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_type (self, "do not delete");
  g_assert_true (delete_elsewhere (self, GADGET_DELETE_FORCE));
  wait_until (has_banner (self));
  g_assert_true (test_window_get_session (self) == deleted);
  g_assert_true (test_window_shows_text (self, "do not delete"));
  g_assert_false (gtk_widget_get_sensitive (self->button));
  test_window_type (self, " anything");
  test_key ("Return");
  /* Nothing comes of it. */
  test_run_for (300);
  g_assert_true (test_window_shows_text (self, "do not delete anything"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  wait_until (has_new_draft (self, "do not delete anything"));

  new_chat (self);
  g_assert_false (has_banner (self));
  g_assert_true (test_window_get_session (self) != deleted);
  wait_until (test_window_shows_text (self, "do not delete anything"));
  g_assert_true (gtk_widget_get_sensitive (self->button));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  answer (self);
  g_assert_false (is_stored (self, id));
  g_assert_true (is_stored (self, gadget_session_get_id (test_window_get_session (self))));
  wait_until (has_new_draft (self, ""));
}

/* Enter comes before anything of the deletion was seen here. */
static void
test_sent_at_once (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  say (self, "first");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_type (self, "first look");
  g_assert_true (delete_elsewhere (self, GADGET_DELETE_FORCE));
  test_key ("Return");
  wait_until (has_banner (self));
  g_assert_true (test_window_shows_text (self, "first look"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  g_assert_false (is_stored (self, id));
  /* The program ends before what is written would be saved by itself. */
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  test_window_restart (self);
  wait_until (test_window_shows_text (self, "first look"));
}

/* What was written in the new chat before is not lost either; it comes first. */
static void
test_two_drafts (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  say (self, "first");
  session = test_window_get_session (self);
  new_chat (self);
  test_window_type (self, "in the new chat");
  gadget_window_open_session (self->window, session);
  test_window_type (self, "in the old one");
  wait_until (has_new_draft (self, "in the new chat"));
  g_assert_true (delete_elsewhere (self, GADGET_DELETE_FORCE));
  wait_until (has_banner (self));
  g_assert_true (test_window_shows_text (self, "in the old one"));
  wait_until (has_new_draft (self, "in the new chat\n\nin the old one"));
  test_window_type (self, " and more");
  new_chat (self);
  wait_until (test_window_shows_text (self, "in the new chat\n\nin the old one and more"));
  test_window_type (self, "!");
  wait_until (has_new_draft (self, "in the new chat\n\nin the old one and more!"));
}

static GPtrArray *
make_attachments (void)
{
  GPtrArray *attachments = gadget_attachments_new ();

  g_ptr_array_add (attachments, gadget_attachment_new_text ("note.txt", "A note", 6));
  return attachments;
}

/* Messages that wait in the chat, and what is attached to them, are in the text then; who is typing
 * goes on at the same place. */
static void
test_queue (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new ("later");
  g_autoptr (GPtrArray) given = make_attachments ();
  g_autoptr (GPtrArray) attached = NULL;

  say (self, "first");
  gadget_attachments_set (message, given);
  gadget_session_set_queue_paused (test_window_get_session (self), TRUE);
  gadget_session_enqueue (test_window_get_session (self), "soon");
  gadget_session_enqueue_message (test_window_get_session (self), message);
  gadget_engine_save (self->engine, test_window_get_session (self));
  test_window_type (self, "now");
  test_key ("Left");
  g_assert_true (delete_elsewhere (self, GADGET_DELETE_FORCE));
  wait_until (has_banner (self));
  g_assert_cmpuint (
      g_list_model_get_n_items (gadget_session_get_queue (test_window_get_session (self))), ==, 0);
  g_assert_true (test_window_shows_text (self, "soon\n\nlater\n\nnow"));
  test_window_type (self, "-");
  g_assert_true (test_window_shows_text (self, "soon\n\nlater\n\nno-w"));
  new_chat (self);
  wait_until (test_window_shows_text (self, "soon\n\nlater\n\nno-w"));
  attached = gadget_composer_dup_attachments (self->composer);
  g_assert_nonnull (attached);
  g_assert_cmpuint (attached->len, ==, 1);
}

/* A message that is edited is a draft then, and so is what was put aside for it. */
static void
test_editing (TestWindow *self, gconstpointer data)
{
  say (self, "first");
  test_window_type (self, "aside");
  gtk_widget_activate_action (
      GTK_WIDGET (self->chat), "session.edit-turn", "s",
      gadget_turn_get_id (gadget_session_get_turn (test_window_get_session (self), 0)));
  wait_until (test_window_shows_text (self, "first"));
  test_window_type (self, " and more");
  g_assert_true (delete_elsewhere (self, GADGET_DELETE_FORCE));
  wait_until (has_banner (self));
  g_assert_null (self->chat->editing);
  g_assert_true (test_window_shows_text (self, "aside\n\nfirst and more"));
  test_key ("Return");
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  wait_until (has_new_draft (self, "aside\n\nfirst and more"));
}

/* Nothing that is offered for its turns works on it any more. */
static void
test_actions (TestWindow *self, gconstpointer data)
{
  const char *id;

  say (self, "first");
  id = gadget_turn_get_id (gadget_session_get_turn (test_window_get_session (self), 0));
  g_assert_true (delete_elsewhere (self, GADGET_DELETE_FORCE));
  wait_until (has_banner (self));
  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.regenerate", "s", id);
  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.delete-turn", "s", id);
  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.continue", "s", id);
  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.retry", "s", id);
  delete_chat (self);
  test_run_for (50);
  g_assert_true (has_banner (self));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
  g_assert_cmpuint (gadget_session_get_n_turns (test_window_get_session (self)), ==, 1);
}

/* It was deleted just before it is shown, and the list does not know it yet. */
static void
test_opened_deleted (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;
  GadgetSession *session;
  GadgetStore *store;

  say (self, "first");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  session = gadget_engine_find_session (self->engine, id);
  store = test_store_open (self->folder);
  test_store_delete (store, id);
  gadget_window_open_session (self->window, session);
  test_window_type (self, "hello?");
  test_key ("Return");
  wait_until (has_banner (self));
  g_assert_true (test_window_shows_text (self, "hello?"));
  g_assert_nonnull (test_find_label (GTK_WIDGET (self->chat), "This Chat Was Deleted"));
  test_store_close (store);
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 0);
}

static gboolean
is_queue_row (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_QUEUE_ROW (widget);
}

/* A toast offers to put a message back into the queue of a chat that is gone: it is a draft. */
static void
test_removed_message (TestWindow *self, gconstpointer data)
{
  say (self, "first");
  gadget_session_set_queue_paused (test_window_get_session (self), TRUE);
  gadget_session_enqueue (test_window_get_session (self), "later");
  g_signal_emit_by_name (test_find (GTK_WIDGET (self->composer), is_queue_row, NULL), "remove", 0);
  g_assert_true (test_window_has_toast (self, "Message removed"));
  g_assert_true (delete_elsewhere (self, GADGET_DELETE_FORCE));
  wait_until (has_banner (self));
  press_undo (self);
  g_assert_cmpuint (
      g_list_model_get_n_items (gadget_session_get_queue (test_window_get_session (self))), ==, 0);
  g_assert_true (test_window_shows_text (self, "later"));
  wait_until (has_new_draft (self, "later"));
}

/* --- Reading fails ---------------------------------------------------------------------------- */

static void
note_failure_cb (GtkStack *stack, GParamSpec *pspec, gboolean *failed)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (stack), "failure") == 0)
    *failed = TRUE;
}

/* That of one chat is not told of another one that is shown by then. */
static void
test_failure_of_another (TestWindow *self, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  GadgetSession *other;
  GadgetStore *store;
  gboolean failed = FALSE;

  say (self, "first");
  first = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  new_chat (self);
  say (self, "second");
  second = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  store = test_store_open (self->folder);
  test_store_delete (store, first);
  other = gadget_engine_find_session (self->engine, second);
  g_signal_connect (self->chat->stack, "notify::visible-child-name", G_CALLBACK (note_failure_cb),
                    &failed);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, first));
  gadget_window_open_session (self->window, other);
  wait_until (gadget_engine_find_session (self->engine, first) == NULL
              && gadget_session_get_loaded (other));
  test_run_for (50);
  test_store_close (store);
  g_signal_handlers_disconnect_by_data (self->chat->stack, &failed);
  g_assert_false (failed);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (self->chat->stack), ==, "transcript");
  g_assert_false (has_banner (self));
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/deleting/" path, TestWindow, NULL, test_window_set_up, function,                \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("without-turns", test_without_turns);
  add ("new-chat-beside-empty", test_new_chat_beside_empty);
  add ("undo", test_undo);
  add ("undo-time", test_undo_time);
  add ("closing", test_closing);
  add ("other-undo", test_other_undo);
  add ("shown", test_shown);
  add ("forced", test_forced);
  add ("sent-at-once", test_sent_at_once);
  add ("two-drafts", test_two_drafts);
  add ("queue", test_queue);
  add ("editing", test_editing);
  add ("actions", test_actions);
  add ("opened-deleted", test_opened_deleted);
  add ("removed-message", test_removed_message);
  add ("failure-of-another", test_failure_of_another);

  return g_test_run ();
}
