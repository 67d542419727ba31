/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is being written in a chat, beside all that happens to the chat meanwhile:
 * tests/session-pairs.md has the table. Another process is a program of its own here. */

#include "config.h"

#include "gadget-test-ui.h"
#include "store/gadget-store-turns.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

static guint
count_turns (TestWindow *self)
{
  return gadget_session_get_n_turns (test_window_get_session (self));
}

static void
say (TestWindow *self, const char *prompt)
{
  test_window_send (self, prompt);
  fake_provider_text (self->provider, "An answer");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
}

static gboolean
has_draft (TestWindow *self, const char *session_id, const char *text)
{
  g_autofree char *draft = test_window_load_draft (self, session_id);

  return g_str_equal (draft, text);
}

static const char *
get_turn_id (TestWindow *self, guint index)
{
  return gadget_turn_get_id (gadget_session_get_turn (test_window_get_session (self), index));
}

static void
act_on_turn (TestWindow *self, const char *action, guint index)
{
  gtk_widget_activate_action (GTK_WIDGET (self->chat), action, "s", get_turn_id (self, index));
}

static gboolean
is_undo (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Undo") == 0;
}

/* (nullable): of the toast that says that */
static GtkWidget *
find_undo (TestWindow *self, const char *title)
{
  GtkWidget *toast = test_find_label (GTK_WIDGET (self->chat), title);

  while (toast != NULL && g_strcmp0 (gtk_widget_get_css_name (toast), "toast") != 0)
    toast = gtk_widget_get_parent (toast);
  return toast != NULL ? test_find (toast, is_undo, NULL) : NULL;
}

static void
press_undo (TestWindow *self, const char *title)
{
  wait_until (find_undo (self, title) != NULL);
  g_signal_emit_by_name (find_undo (self, title), "clicked");
}

/* What goes with the chat is measured first; then it is deleted, or the user is asked. */
static void
delete_chat (TestWindow *self)
{
  g_autoptr (GadgetSession) session = g_object_ref (test_window_get_session (self));

  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.delete-chat", NULL);
  wait_until (gadget_session_get_deletion (session) != GADGET_DELETION_NONE
              || adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window))
                     != NULL);
}

/* A turn of another process, which is over then. */
static void
write_elsewhere (TestWindow *self)
{
  g_autoptr (GSubprocess) worker = test_worker_start (
      "write", self->folder, gadget_session_get_id (test_window_get_session (self)), "1");
  const guint n = count_turns (self);

  g_assert_true (g_subprocess_wait_check (worker, NULL, NULL));
  wait_until (count_turns (self) == n + 1);
  g_assert_cmpstr (gadget_session_get_model (test_window_get_session (self)), ==, "model");
}

static void
fill_queue (TestWindow *self)
{
  gadget_session_enqueue (test_window_get_session (self), "later");
  gadget_session_set_queue_paused (test_window_get_session (self), TRUE);
  gadget_engine_save (self->engine, test_window_get_session (self));
}

static gboolean
has_queue (GadgetSession *session, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message =
      g_list_model_get_item (gadget_session_get_queue (session), 0);

  return text == NULL
             ? message == NULL
             : message != NULL && g_str_equal (gadget_queued_message_get_text (message), text)
                   && gadget_session_get_queue_paused (session);
}

static void
begin_edit (TestWindow *self, const char *message)
{
  act_on_turn (self, "session.edit-turn", 0);
  wait_until (test_window_shows_text (self, message));
}

/* --- A draft ---------------------------------------------------------------------------------- */

static void
test_draft_turn_deleted (TestWindow *self, gconstpointer data)
{
  say (self, "first");
  test_window_type (self, "a draft");
  act_on_turn (self, "session.delete-turn", 0);
  wait_until (count_turns (self) == 0);
  test_window_assert_text (self, "a draft");
  press_undo (self, "Turn deleted");
  wait_until (count_turns (self) == 1);
  test_window_assert_text (self, "a draft");
  wait_until (has_draft (self, gadget_session_get_id (test_window_get_session (self)), "a draft"));
}

static void
test_draft_branched (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  say (self, "first");
  session = test_window_get_session (self);
  test_window_type (self, "a draft");
  act_on_turn (self, "session.branch", 0);
  wait_until (test_window_get_session (self) != session);
  wait_until (test_window_shows_text (self, ""));
  gadget_window_open_session (self->window, session);
  test_window_assert_text (self, "a draft");
  g_assert_true (has_draft (self, gadget_session_get_id (session), "a draft"));
}

/* What is typed while another process works on the chat stays, and is sent behind that. */
static void
test_draft_reread (TestWindow *self, gconstpointer data)
{
  say (self, "first");
  test_window_type (self, "a dra");
  write_elsewhere (self);
  test_window_type (self, "ft");
  test_window_assert_text (self, "a draft");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (count_turns (self), ==, 3);
  test_window_assert_text (self, "");
}

/* What was typed in a chat that is deleted goes with it, and not into the new chat. */
static void
test_draft_deleted (TestWindow *self, gconstpointer data)
{
  g_autoptr (GadgetSession) session = NULL;

  say (self, "first");
  session = g_object_ref (test_window_get_session (self));
  test_window_type (self, "a draft");
  delete_chat (self);
  test_window_assert_text (self, "");
  test_window_type (self, "of the new chat");
  adw_toast_overlay_dismiss_all (self->chat->toasts);
  wait_until (gadget_session_get_deletion (session) == GADGET_DELETION_DONE);
  wait_until (has_draft (self, NULL, "of the new chat"));
}

/* --- A queue ---------------------------------------------------------------------------------- */

static void
test_queue_deleted (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  say (self, "first");
  session = test_window_get_session (self);
  fill_queue (self);
  delete_chat (self);
  g_assert_true (has_queue (test_window_get_session (self), NULL));
  press_undo (self, "Chat deleted");
  g_assert_true (test_window_get_session (self) == session);
  g_assert_true (has_queue (session, "later"));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 1);
}

static void
test_queue_turn_deleted (TestWindow *self, gconstpointer data)
{
  say (self, "first");
  fill_queue (self);
  act_on_turn (self, "session.delete-turn", 0);
  wait_until (count_turns (self) == 0);
  g_assert_true (has_queue (test_window_get_session (self), "later"));
  press_undo (self, "Turn deleted");
  wait_until (count_turns (self) == 1);
  g_assert_true (has_queue (test_window_get_session (self), "later"));
}

static void
test_queue_branched (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  say (self, "first");
  session = test_window_get_session (self);
  fill_queue (self);
  act_on_turn (self, "session.branch", 0);
  wait_until (test_window_get_session (self) != session);
  g_assert_true (has_queue (test_window_get_session (self), NULL));
  g_assert_true (has_queue (session, "later"));
}

static void
test_queue_reread (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  say (self, "first");
  fill_queue (self);
  write_elsewhere (self);
  g_assert_true (has_queue (test_window_get_session (self), "later"));
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (count_turns (self) == 2);
  g_assert_true (has_queue (test_window_get_session (self), "later"));
}

/* --- A message that is edited ----------------------------------------------------------------- */

/* Each of the two toasts brings back what it says. */
static void
test_edit_deleted (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  say (self, "first");
  session = test_window_get_session (self);
  test_window_type (self, "a draft");
  begin_edit (self, "first");
  test_window_type (self, " and more");
  delete_chat (self);
  test_window_assert_text (self, "");
  press_undo (self, "Chat deleted");
  g_assert_true (test_window_get_session (self) == session);
  test_window_assert_text (self, "a draft");
  press_undo (self, "Edit discarded");
  test_window_assert_text (self, "first and more");
  g_assert_nonnull (self->chat->editing);
}

static void
test_edit_branched (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  say (self, "first");
  session = test_window_get_session (self);
  begin_edit (self, "first");
  test_window_type (self, " and more");
  act_on_turn (self, "session.branch", 0);
  wait_until (test_window_get_session (self) != session);
  test_window_assert_text (self, "");
  press_undo (self, "Edit discarded");
  g_assert_true (test_window_get_session (self) == session);
  test_window_assert_text (self, "first and more");
}

/* The program ends meanwhile: what was changed is a draft, behind what was put aside for it. */
static void
test_edit_ended (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  say (self, "first");
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_type (self, "a draft");
  begin_edit (self, "first");
  /* A message that was not changed yet is no draft. */
  test_run_for (1000);
  g_assert_true (has_draft (self, id, "a draft"));
  test_window_type (self, " and more");
  /* As much would be there after a crash. */
  wait_until (has_draft (self, id, "a draft\n\nfirst and more"));
  test_window_type (self, "!");
  test_window_restart (self);
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
  wait_until (test_window_shows_text (self, "a draft\n\nfirst and more!"));
}

/* Once it is sent, or given up, the draft is what was put aside. */
static void
test_edit_over (TestWindow *self, gconstpointer data)
{
  const char *id;

  say (self, "first");
  id = gadget_session_get_id (test_window_get_session (self));
  test_window_type (self, "a draft");
  begin_edit (self, "first");
  test_window_type (self, " and more");
  wait_until (has_draft (self, id, "a draft\n\nfirst and more"));
  test_key ("Escape");
  wait_until (has_draft (self, id, "a draft"));
  test_window_assert_text (self, "a draft");
  begin_edit (self, "first");
  test_window_type (self, " again");
  wait_until (has_draft (self, id, "a draft\n\nfirst again"));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  test_window_assert_text (self, "a draft");
  wait_until (has_draft (self, id, "a draft"));
}

/* Another process takes the turn out whose message is edited: that is a draft then. */
static void
test_edit_reread (TestWindow *self, gconstpointer data)
{
  GadgetStore *store;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  say (self, "first");
  test_window_type (self, "a draft");
  begin_edit (self, "first");
  test_window_type (self, " and more");
  write_elsewhere (self);
  g_assert_nonnull (self->chat->editing);
  test_window_assert_text (self, "first and more");
  store = test_store_open (self->folder);
  gadget_store_remove_turn_async (store, gadget_session_get_id (test_window_get_session (self)),
                                  get_turn_id (self, 0), test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_remove_turn_finish (store, result, NULL));
  g_clear_object (&result);
  test_store_close (store);
  wait_until (count_turns (self) == 1);
  wait_until (self->chat->editing == NULL);
  test_window_assert_text (self, "a draft\n\nfirst and more");
}

/* --- A running turn --------------------------------------------------------------------------- */

static gboolean
is_dialog (GtkWidget *widget, gpointer user_data)
{
  return ADW_IS_ALERT_DIALOG (widget) && gtk_widget_get_mapped (widget);
}

/* It is asked about, stopped, and there again when the deletion is undone. */
static void
test_running_deleted (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;
  GtkWidget *dialog;

  test_window_send (self, "first");
  session = test_window_get_session (self);
  fake_provider_text (self->provider, "So far");
  delete_chat (self);
  wait_until ((dialog = test_find (GTK_WIDGET (self->window), is_dialog, NULL)) != NULL);
  g_assert_true (test_window_get_session (self) == session);
  g_assert_cmpint (gadget_session_get_deletion (session), ==, GADGET_DELETION_NONE);
  g_signal_emit_by_name (dialog, "response", "delete");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  wait_until (gadget_session_get_deletion (session) == GADGET_DELETION_PENDING);
  g_assert_true (test_window_get_session (self) != session);
  press_undo (self, "Chat deleted");
  g_assert_true (test_window_get_session (self) == session);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_last_turn (session)), ==,
                   GADGET_TURN_ABORTED);
  say (self, "second");
  g_assert_cmpuint (count_turns (self), ==, 2);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/session-pairs/" path, TestWindow, NULL, test_window_set_up, function,           \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("draft-turn-deleted", test_draft_turn_deleted);
  add ("draft-branched", test_draft_branched);
  add ("draft-reread", test_draft_reread);
  add ("draft-deleted", test_draft_deleted);
  add ("queue-deleted", test_queue_deleted);
  add ("queue-turn-deleted", test_queue_turn_deleted);
  add ("queue-branched", test_queue_branched);
  add ("queue-reread", test_queue_reread);
  add ("edit-deleted", test_edit_deleted);
  add ("edit-branched", test_edit_branched);
  add ("edit-ended", test_edit_ended);
  add ("edit-over", test_edit_over);
  add ("edit-reread", test_edit_reread);
  add ("running-deleted", test_running_deleted);

  return g_test_run ();
}
