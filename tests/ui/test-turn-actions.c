/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be done with turns, in the window: buttons, menus and keys that come from outside. */

#include "config.h"

#include "gadget-test-ui.h"
#include "session/gadget-attachment.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/gadget-turn-actions.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

#include <string.h>

static GadgetSession *
get_session (TestWindow *window)
{
  return gadget_window_get_session (window->window);
}

static GadgetTurn *
say (TestWindow *window, const char *prompt, const char *answer)
{
  GadgetTurn *turn = test_window_send (window, prompt);

  fake_provider_text (window->provider, answer);
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (get_session (window)) == NULL);
  return turn;
}

static char *
dup_prompts (TestWindow *window)
{
  GString *text = g_string_new (NULL);
  GadgetSession *session = get_session (window);

  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            gadget_turn_get_prompt (gadget_session_get_turn (session, i)));
  return g_string_free_and_steal (text);
}

static gboolean
has_prompts (TestWindow *window, const char *prompts)
{
  g_autofree char *text = dup_prompts (window);

  return g_str_equal (text, prompts);
}

static void
expect (TestWindow *window, const char *prompts)
{
  g_autofree char *text = dup_prompts (window);

  g_assert_cmpstr (text, ==, prompts);
}

/* --- Looking ---------------------------------------------------------------------------------- */

typedef struct
{
  const char *action;
  const char *turn_id; /* (nullable) */
} Wanted;

static gboolean
does (GtkWidget *widget, gpointer user_data)
{
  const Wanted *wanted = user_data;
  const char *name =
      GTK_IS_BUTTON (widget) ? gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)) : NULL;

  return g_strcmp0 (name, wanted->action) == 0
         && (wanted->turn_id == NULL
             || g_str_equal (
                 g_variant_get_string (
                     gtk_actionable_get_action_target_value (GTK_ACTIONABLE (widget)), NULL),
                 wanted->turn_id));
}

static GtkWidget *
find (TestWindow *window, const char *action, guint nth)
{
  const Wanted wanted = { action, gadget_turn_get_id (
                                      gadget_session_get_turn (get_session (window), nth)) };

  return test_find (GTK_WIDGET (window->window), does, (gpointer) &wanted);
}

static gboolean
shows (TestWindow *window, const char *label)
{
  return test_find_label (GTK_WIDGET (window->window), label) != NULL;
}

static gboolean
is_more (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_MENU_BUTTON (widget)
         && gtk_widget_get_ancestor (widget, GADGET_TYPE_TURN_ACTIONS) != NULL;
}

/* What has no button is in the menu beside the buttons. */
static const char *
get_menu_label (const char *action)
{
  return g_str_equal (action, "session.delete-turn") ? "Delete Turn"
         : g_str_equal (action, "session.edit-turn") ? "Edit and Resend"
         : g_str_equal (action, "session.branch")    ? "Branch into New Chat"
                                                     : NULL;
}

static void
focus_and_press (GtkWidget *button)
{
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}

static void
press_in_menu (TestWindow *window, const char *label, guint nth)
{
  GtkWidget *actions;
  GtkWidget *item;

  wait_until (find (window, "session.regenerate", nth) != NULL
              && gtk_widget_is_sensitive (find (window, "session.regenerate", nth)));
  actions =
      gtk_widget_get_ancestor (find (window, "session.regenerate", nth), GADGET_TYPE_TURN_ACTIONS);
  focus_and_press (gtk_widget_get_first_child (test_find (actions, is_more, NULL)));
  wait_until (shows (window, label));
  item = test_find_label (GTK_WIDGET (window->window), label);
  focus_and_press (gtk_widget_get_parent (item));
  wait_until (!shows (window, label));
}

/* With a key: rows move when others come, so that a click may come to where the button was. */
static void
press (TestWindow *window, const char *action, guint nth)
{
  GtkWidget *button;

  if (get_menu_label (action) != NULL)
    {
      press_in_menu (window, get_menu_label (action), nth);
      return;
    }
  wait_until (find (window, action, nth) != NULL
              && gtk_widget_is_sensitive (find (window, action, nth)));
  button = find (window, action, nth);
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}

static void
press_label (TestWindow *window, const char *label)
{
  GtkWidget *button;

  wait_until (shows (window, label));
  button = gtk_widget_get_ancestor (test_find_label (GTK_WIDGET (window->window), label),
                                    GTK_TYPE_BUTTON);
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}

static gboolean
is_transcript (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_TRANSCRIPT (widget);
}

static GadgetTranscript *
get_transcript (TestWindow *window)
{
  return GADGET_TRANSCRIPT (test_find (GTK_WIDGET (window->window), is_transcript, NULL));
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **text = user_data;
  g_autoptr (GError) error = NULL;

  *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);
  g_assert_no_error (error);
}

static char *
read_clipboard (TestWindow *window)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (window->window)), NULL,
                                 read_cb, &text);
  wait_until (text != NULL);
  return text;
}

/* --- Copying ---------------------------------------------------------------------------------- */

static void
test_copy (TestWindow *window, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;

  say (window, "one", "# A *first* answer\n\n- x");
  say (window, "two", "second");
  press (window, "session.copy-turn", 0);
  wait_until (shows (window, "Reply copied"));
  first = read_clipboard (window);
  g_assert_cmpstr (first, ==, "# A *first* answer\n\n- x");
  gadget_chat_focus (window->chat);
  test_key ("ctrl+shift+c");
  wait_idle ();
  last = read_clipboard (window);
  g_assert_cmpstr (last, ==, "second");
}

/* --- Deleting --------------------------------------------------------------------------------- */

static void
test_delete (TestWindow *window, gconstpointer data)
{
  say (window, "one", "first");
  say (window, "two", "second");
  press (window, "session.delete-turn", 0);
  wait_until (shows (window, "Turn deleted"));
  expect (window, "two");
  press_label (window, "Undo");
  wait_until (has_prompts (window, "one two"));
}

/* By the menu of the chat, after a restart. */
static void
test_restore_later (TestWindow *window, gconstpointer data)
{
  g_autofree char *id = NULL;
  GadgetSession *session;

  say (window, "one", "first");
  say (window, "two", "second");
  press (window, "session.delete-turn", 1);
  wait_until (shows (window, "Turn deleted"));
  id = g_strdup (gadget_session_get_id (get_session (window)));
  test_window_restart (window);
  session = gadget_engine_find_session (window->engine, id);
  g_assert_nonnull (session);
  gadget_window_open_session (window->window, session);
  wait_until (gadget_session_get_loaded (session) && has_prompts (window, "one"));
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (window->window), "win.restore-turns", NULL));
  wait_until (has_prompts (window, "one two"));
}

/* The last one: the chat is empty then, and comes back. */
static void
test_delete_only (TestWindow *window, gconstpointer data)
{
  say (window, "one", "first");
  press (window, "session.delete-turn", 0);
  wait_until (shows (window, "Turn deleted"));
  expect (window, "");
  press_label (window, "Undo");
  wait_until (has_prompts (window, "one"));
  wait_until (find (window, "session.regenerate", 0) != NULL);
}

static gboolean
has_file (const char *workspace)
{
  g_autofree char *path = g_build_filename (workspace, "one.txt", NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
write_file (TestWindow *window)
{
  const guint n = fake_provider_get_n_requests (window->provider);

  test_window_send (window, "write");
  fake_provider_call (window->provider, 0, "c1", "write_file",
                      "{\"path\":\"one.txt\",\"content\":\"1\\n\"}");
  fake_provider_end (window->provider);
  wait_until (fake_provider_get_n_requests (window->provider) == n + 2
              && fake_provider_is_waiting (window->provider));
  fake_provider_text (window->provider, "Done.");
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (get_session (window)) == NULL);
}

static void
test_delete_changes (TestWindow *window, gconstpointer data)
{
  char *workspace = test_window_give_workspace (window);

  write_file (window);
  press (window, "session.delete-turn", 0);
  wait_until (shows (window, "Undo File Changes?"));
  press_label (window, "Cancel");
  wait_until (!shows (window, "Undo File Changes?"));
  expect (window, "write");
  g_assert_true (has_file (workspace));

  press (window, "session.delete-turn", 0);
  press_label (window, "Keep Changes");
  wait_until (has_prompts (window, ""));
  g_assert_true (has_file (workspace));
  press_label (window, "Undo");
  wait_until (has_prompts (window, "write"));
  wait_until (!shows (window, "Undo File Changes?"));

  press (window, "session.delete-turn", 0);
  press_label (window, "Undo Changes");
  wait_until (has_prompts (window, ""));
  g_assert_false (has_file (workspace));
  test_dir_free (workspace);
}

/* --- Replacing -------------------------------------------------------------------------------- */

static void
test_regenerate (TestWindow *window, gconstpointer data)
{
  say (window, "one", "first");
  say (window, "two", "second");
  press (window, "session.regenerate", 1);
  wait_until (fake_provider_is_waiting (window->provider));
  expect (window, "one two");
  fake_provider_text (window->provider, "other");
  fake_provider_end (window->provider);
  wait_until (shows (window, "Reply replaced"));
  g_assert_cmpstr (gadget_item_get_text (
                       gadget_turn_get_item (gadget_session_get_turn (get_session (window), 1), 0)),
                   ==, "other");
  press_label (window, "Undo");
  wait_until (g_str_equal (gadget_item_get_text (gadget_turn_get_item (
                               gadget_session_get_turn (get_session (window), 1), 0)),
                           "second"));
  expect (window, "one two");
}

/* Of an earlier turn: what followed is kept in a chat of its own. */
static void
test_regenerate_earlier (TestWindow *window, gconstpointer data)
{
  GListModel *sessions = gadget_engine_get_sessions (window->engine);
  GadgetSession *session = get_session (window);
  g_autoptr (GadgetSession) branch = NULL;

  say (window, "one", "first");
  say (window, "two", "second");
  press (window, "session.regenerate", 0);
  wait_until (fake_provider_is_waiting (window->provider));
  expect (window, "one");
  g_assert_true (get_session (window) == session);
  g_assert_cmpuint (g_list_model_get_n_items (sessions), ==, 2);
  fake_provider_text (window->provider, "other");
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GadgetSession) other = g_list_model_get_item (sessions, i);

      if (other != session)
        g_set_object (&branch, other);
    }
  gadget_window_open_session (window->window, branch);
  wait_until (has_prompts (window, "one two"));
}

/* With another model, with which the chat goes on. */
static void
test_regenerate_with (TestWindow *window, gconstpointer data)
{
  GadgetTurn *turn = say (window, "one", "first");

  gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.regenerate-with", "(sss)",
                              gadget_turn_get_id (turn), "fake", "larger");
  wait_until (fake_provider_is_waiting (window->provider));
  expect (window, "one");
  g_assert_cmpstr (gadget_session_get_model (get_session (window)), ==, "larger");
  fake_provider_end (window->provider);
}

static char *
dup_text (TestWindow *window)
{
  return gadget_composer_dup_text (window->composer);
}

static gboolean
has_text (TestWindow *window, const char *text)
{
  g_autofree char *now = dup_text (window);

  return g_str_equal (now, text);
}

static void
test_edit (TestWindow *window, gconstpointer data)
{
  say (window, "one", "first");
  say (window, "two", "second");
  gadget_chat_focus (window->chat);
  test_type ("a draft");
  wait_until (has_text (window, "a draft"));

  press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  g_assert_true (gtk_revealer_get_reveal_child (window->chat->edit_banner));
  test_key ("Escape");
  wait_until (has_text (window, "a draft"));
  g_assert_false (gtk_revealer_get_reveal_child (window->chat->edit_banner));
  expect (window, "one two");

  press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  test_type (" more");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (window->provider));
  expect (window, "one more");
  g_assert_true (has_text (window, "a draft"));
  g_assert_false (gtk_revealer_get_reveal_child (window->chat->edit_banner));
  fake_provider_text (window->provider, "third");
  fake_provider_end (window->provider);
  wait_until (shows (window, "Messages replaced"));
  press_label (window, "Undo");
  wait_until (has_prompts (window, "one two"));
}

/* It is not the first one of two that stop. */
static void
test_edit_escape (TestWindow *window, gconstpointer data)
{
  say (window, "one", "first");
  press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  /* Begun from elsewhere. */
  gadget_session_enqueue (get_session (window), "queued");
  g_assert_true (gadget_agent_send_queued (gadget_engine_get_agent (window->engine),
                                           get_session (window), 0, NULL, NULL));
  wait_until (fake_provider_is_waiting (window->provider));
  test_key ("Escape");
  wait_until (has_text (window, ""));
  g_assert_false (test_window_has_toast (window, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (test_window_has_toast (window, "Press Esc again to abort"));
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (get_session (window)) == NULL);
}

/* What is edited belongs to its chat. */
static void
test_edit_and_leave (TestWindow *window, gconstpointer data)
{
  GadgetSession *session;

  say (window, "one", "first");
  session = get_session (window);
  press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  gadget_window_new_chat (window->window);
  g_assert_true (has_text (window, ""));
  g_assert_false (gtk_revealer_get_reveal_child (window->chat->edit_banner));
  gadget_window_open_session (window->window, session);
  g_assert_true (has_text (window, ""));
}

static gboolean
is_editing (TestWindow *window)
{
  return gtk_revealer_get_reveal_child (window->chat->edit_banner);
}

static void
give_notes (TestWindow *window)
{
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();

  g_ptr_array_add (attachments, gadget_attachment_new_text ("notes.txt", "Some notes", 10));
  gadget_composer_bring_back (window->composer, "", attachments);
}

/* What was made of the message of a turn that leaves meanwhile is there, and can be sent. */
static void
test_edit_without_turn (TestWindow *window, gconstpointer action)
{
  say (window, "one", "first");
  say (window, "two", "second");
  gadget_chat_focus (window->chat);
  test_type ("draft");
  wait_until (has_text (window, "draft"));
  give_notes (window);
  press (window, "session.edit-turn", 1);
  wait_until (has_text (window, "two"));
  test_type (" more");
  wait_until (has_text (window, "two more"));
  give_notes (window);
  press (window, action, 1);
  wait_until (!is_editing (window));
  g_assert_true (has_text (window, "draft\n\ntwo more"));
  if (g_str_equal (action, "session.regenerate"))
    {
      wait_until (fake_provider_is_waiting (window->provider));
      fake_provider_end (window->provider);
      wait_until (gadget_session_get_active_run (get_session (window)) == NULL);
    }
  gadget_chat_focus (window->chat);
  test_key ("Escape");
  g_assert_true (has_text (window, "draft\n\ntwo more"));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (window->provider));
  g_assert_true (has_text (window, ""));
  {
    GadgetTurn *turn = gadget_session_get_last_turn (get_session (window));

    g_assert_cmpstr (gadget_turn_get_prompt (turn), ==, "draft\n\ntwo more");
    g_assert_cmpuint (gadget_attachments_get (turn)->len, ==, 2);
  }
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (get_session (window)) == NULL);
}

static void
edit_first (TestWindow *window)
{
  press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  test_type (" more");
  wait_until (has_text (window, "one more"));
}

static void
bring_edit_back (TestWindow *window)
{
  wait_until (!is_editing (window) || !has_text (window, "one more"));
  press_label (window, "Undo");
  wait_until (is_editing (window) && has_text (window, "one more"));
  wait_until (!test_window_has_toast (window, "Edit discarded"));
}

/* However it ended: what was changed and not sent comes back, to its place. */
static void
test_edit_discarded (TestWindow *window, gconstpointer data)
{
  GadgetSession *session;

  say (window, "one", "first");
  say (window, "two", "second");
  session = get_session (window);
  gadget_chat_focus (window->chat);
  test_type ("draft");
  wait_until (has_text (window, "draft"));
  press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  test_key ("Escape");
  wait_until (has_text (window, "draft"));
  g_assert_false (test_window_has_toast (window, "Edit discarded"));

  edit_first (window);
  give_notes (window);
  test_key ("Escape");
  wait_until (has_text (window, "draft"));
  bring_edit_back (window);

  press (window, "session.edit-turn", 1);
  wait_until (has_text (window, "two"));
  bring_edit_back (window);

  gadget_window_new_chat (window->window);
  g_assert_true (has_text (window, ""));
  bring_edit_back (window);
  g_assert_true (get_session (window) == session);

  test_key ("Return");
  wait_until (fake_provider_is_waiting (window->provider));
  expect (window, "one more");
  g_assert_cmpuint (gadget_attachments_get (gadget_session_get_turn (session, 0))->len, ==, 1);
  g_assert_true (has_text (window, "draft"));
  g_assert_false (test_window_has_toast (window, "Edit discarded"));
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
}

/* Its turn is gone when it is to come back. */
static void
test_edit_discarded_and_deleted (TestWindow *window, gconstpointer data)
{
  say (window, "one", "first");
  edit_first (window);
  test_key ("Escape");
  wait_until (test_window_has_toast (window, "Edit discarded"));
  gtk_widget_activate_action (
      GTK_WIDGET (window->chat), "session.delete-turn", "s",
      gadget_turn_get_id (gadget_session_get_turn (get_session (window), 0)));
  wait_until (has_prompts (window, ""));
  press_label (window, "Undo");
  wait_until (has_text (window, "one more"));
  g_assert_false (is_editing (window));
}

/* It is no edit any more when it steers the turn that goes on. */
static void
test_edit_steers (TestWindow *window, gconstpointer data)
{
  g_autoptr (GadgetQueuedMessage) message = NULL;

  say (window, "one", "first");
  gadget_chat_focus (window->chat);
  test_type ("draft");
  wait_until (has_text (window, "draft"));
  press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  /* Begun from elsewhere. */
  gadget_session_enqueue (get_session (window), "queued");
  g_assert_true (gadget_agent_send_queued (gadget_engine_get_agent (window->engine),
                                           get_session (window), 0, NULL, NULL));
  wait_until (fake_provider_is_waiting (window->provider));
  test_type (" more");
  wait_until (has_text (window, "one more"));
  test_key ("ctrl+Return");
  wait_until (!is_editing (window));
  message = g_list_model_get_item (gadget_session_get_queue (get_session (window)), 0);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, "one more");
  g_assert_true (has_text (window, "draft"));
  g_assert_false (test_window_has_toast (window, "Edit discarded"));
}

/* --- While a reply is written ------------------------------------------------------------------
 */

static void
test_running (TestWindow *window, gconstpointer data)
{
  GtkWidget *button;

  say (window, "one", "first");
  wait_until (find (window, "session.regenerate", 0) != NULL);
  test_window_send (window, "two");
  button = find (window, "session.regenerate", 0);
  wait_until (!gtk_widget_is_sensitive (button));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (button), "Not available"));
  g_assert_true (gtk_widget_is_sensitive (find (window, "session.copy-turn", 0)));
  g_assert_null (find (window, "session.regenerate", 1));
  fake_provider_text (window->provider, "second");
  fake_provider_end (window->provider);
  wait_until (gtk_widget_is_sensitive (button));
  g_assert_null (strstr (gtk_widget_get_tooltip_text (button), "Not available"));
  wait_until (find (window, "session.regenerate", 1) != NULL);
}

/* --- Branching -------------------------------------------------------------------------------- */

static void
test_branch (TestWindow *window, gconstpointer data)
{
  GadgetSession *before;

  say (window, "one", "first");
  say (window, "two", "second");
  say (window, "three", "third");
  before = get_session (window);
  press (window, "session.branch", 1);
  wait_until (get_session (window) != before);
  expect (window, "one two");
  g_assert_cmpstr (gadget_session_get_title (get_session (window)), ==, "one (Branch)");
  g_assert_true (
      gadget_engine_find_session (window->engine, gadget_session_get_id (get_session (window)))
      == get_session (window));
  say (window, "four", "fourth");
  expect (window, "one two four");
  g_assert_cmpuint (gadget_session_get_n_turns (before), ==, 3);
}

/* --- Menus and places --------------------------------------------------------------------------
 */

static void
test_menu (TestWindow *window, gconstpointer data)
{
  say (window, "one", "first");
  gtk_widget_grab_focus (GTK_WIDGET (get_transcript (window)));
  test_key ("shift+F10");
  wait_until (shows (window, "Delete Turn"));
  g_assert_true (shows (window, "Edit and Resend"));
  g_assert_true (shows (window, "Regenerate Reply"));
  g_assert_true (shows (window, "Branch into New Chat"));
  g_assert_true (shows (window, "Copy Reply"));
  /* With its letter. */
  test_key ("d");
  wait_until (has_prompts (window, ""));
}

static GtkGesture *
find_long_press (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_LONG_PRESS (controller))
        return GTK_GESTURE (controller);
    }
  return NULL;
}

/* A finger that stays, which has no second button. */
static void
test_long_press (TestWindow *window, gconstpointer data)
{
  GtkWidget *transcript;
  GtkGesture *gesture;

  say (window, "one", "first");
  transcript = GTK_WIDGET (get_transcript (window));
  gesture = find_long_press (transcript);
  g_assert_nonnull (gesture);
  g_assert_true (gtk_gesture_single_get_touch_only (GTK_GESTURE_SINGLE (gesture)));
  g_signal_emit_by_name (gesture, "pressed", 40.0, 20.0);
  wait_until (shows (window, "Copy as Markdown"));
  g_assert_true (shows (window, "Delete Turn"));
  test_key ("Escape");
  wait_until (!shows (window, "Delete Turn"));
}

/* Shown where the pointer is, and in the last turn. */
static void
test_hover (TestWindow *window, gconstpointer data)
{
  GtkWidget *actions;
  GtkWidget *last;

  say (window, "one", "first");
  say (window, "two", "second");
  wait_until (find (window, "session.regenerate", 1) != NULL);
  test_point_at (window->text);
  actions =
      gtk_widget_get_ancestor (find (window, "session.regenerate", 0), GADGET_TYPE_TURN_ACTIONS);
  last = gtk_widget_get_ancestor (find (window, "session.regenerate", 1), GADGET_TYPE_TURN_ACTIONS);
  wait_until (!gtk_widget_has_css_class (actions, "shown"));
  g_assert_true (gtk_widget_has_css_class (last, "shown"));
  test_point_at (actions);
  wait_until (gtk_widget_has_css_class (actions, "shown"));
  g_assert_true (gtk_widget_has_css_class (last, "shown"));
  /* A window that goes while the pointer is over a button leaves its tooltip to the next one. */
  test_point_at (window->text);
  wait_until (!gtk_widget_has_css_class (actions, "shown"));
}

static void
open_narrow_menu (TestWindow *window)
{
  GtkWidget *button =
      gtk_widget_get_first_child (test_find (GTK_WIDGET (window->window), is_more, NULL));

  gtk_widget_grab_focus (button);
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
  wait_until (shows (window, "Delete Turn"));
}

static void
test_narrow (TestWindow *window, gconstpointer data)
{
  static const char reason[] = "Not available while a reply is in progress";

  say (window, "one", "first");
  wait_until (find (window, "session.regenerate", 0) != NULL);
  gtk_window_set_default_size (GTK_WINDOW (window->window), 360, 640);
  wait_until (find (window, "session.regenerate", 0) == NULL);
  open_narrow_menu (window);
  g_assert_false (shows (window, reason));
  test_key ("Escape");
  wait_until (!shows (window, "Delete Turn"));

  /* Why most of it cannot be chosen now. */
  gadget_composer_focus (window->composer);
  test_window_send (window, "two");
  open_narrow_menu (window);
  wait_until (shows (window, reason));
  test_key ("Escape");
  wait_until (!shows (window, "Delete Turn"));
  fake_provider_end (window->provider);
}

/* Keys that scroll, and where a chat was left. */
static void
test_place (TestWindow *window, gconstpointer data)
{
  g_autofree char *words = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  GadgetTranscript *transcript;
  GadgetSession *session;
  double value;

  words = gadget_test_words (random, 6000);
  say (window, "one", words);
  say (window, "two", words);
  say (window, "three", words);
  session = get_session (window);
  transcript = get_transcript (window);
  gtk_widget_grab_focus (GTK_WIDGET (transcript));
  test_key ("Home");
  wait_until (!gadget_transcript_get_following (transcript)
              && gtk_adjustment_get_value (transcript->vadjustment) == 0);
  test_key ("Next");
  wait_until (gtk_adjustment_get_value (transcript->vadjustment) > 100);
  test_key ("Prior");
  wait_until (gtk_adjustment_get_value (transcript->vadjustment) == 0);
  test_key ("ctrl+Down");
  wait_until (transcript->anchor == gadget_transcript_model_get_turn_row (transcript->model, 1));
  test_key ("Next");
  wait_until (transcript->anchor_y < -50
              || transcript->anchor > gadget_transcript_model_get_turn_row (transcript->model, 1));
  gadget_test_wait_frames (GTK_WIDGET (window->window), 20);
  value = transcript->anchor_y;

  gadget_window_new_chat (window->window);
  gadget_test_wait_frames (GTK_WIDGET (window->window), 3);
  {
    const guint anchor = transcript->anchor;

    gadget_window_open_session (window->window, session);
    gadget_test_wait_frames (GTK_WIDGET (window->window), 3);
    g_assert_false (gadget_transcript_get_following (transcript));
    g_assert_cmpuint (transcript->anchor, ==, anchor);
    g_assert_cmpfloat (ABS (transcript->anchor_y - value), <=, 1);
  }
  gtk_widget_grab_focus (GTK_WIDGET (transcript));
  test_key ("End");
  wait_until (gadget_transcript_get_following (transcript));
}

/* A turn in the midst goes and comes back: what is read below it does not move. */
static void
test_no_jump (TestWindow *window, gconstpointer data)
{
  g_autofree char *words = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  GadgetTranscript *transcript;
  g_autofree char *id = NULL;

  words = gadget_test_words (random, 4000);
  say (window, "one", words);
  say (window, "two", words);
  say (window, "three", words);
  transcript = get_transcript (window);
  gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
  _gadget_transcript_scroll_to (
      transcript, gadget_transcript_model_get_turn_row (transcript->model, 2) + 1, -20);
  gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
  g_assert_cmpuint (gadget_transcript_model_get_row (transcript->model, transcript->anchor)->turn,
                    ==, 2);
  {
    const GadgetRowSpec row =
        *gadget_transcript_model_get_row (transcript->model, transcript->anchor);
    const double y = transcript->anchor_y;

    id = g_strdup (gadget_turn_get_id (gadget_session_get_turn (get_session (window), 1)));
    gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.delete-turn", "s", id);
    wait_until (has_prompts (window, "one three"));
    gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
    g_assert_cmpfloat (ABS (transcript->anchor_y - y), <=, 1);
    g_assert_cmpuint (gadget_transcript_model_get_row (transcript->model, transcript->anchor)->item,
                      ==, row.item);
    gtk_widget_activate_action (GTK_WIDGET (window->chat), "session.restore-turns", NULL);
    wait_until (has_prompts (window, "one two three"));
    gadget_test_wait_frames (GTK_WIDGET (window->window), 10);
    g_assert_cmpuint (gadget_transcript_model_get_row (transcript->model, transcript->anchor)->turn,
                      ==, 2);
    g_assert_cmpfloat (ABS (transcript->anchor_y - y), <=, 1);
  }
}

#define ADD(path, function)                                                                        \
  g_test_add ("/ui/turn-actions/" path, TestWindow, NULL, test_window_set_up, function,            \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  ADD ("copy", test_copy);
  ADD ("delete", test_delete);
  ADD ("restore-later", test_restore_later);
  ADD ("delete-only", test_delete_only);
  ADD ("delete-changes", test_delete_changes);
  ADD ("long-press", test_long_press);
  ADD ("regenerate", test_regenerate);
  ADD ("regenerate-earlier", test_regenerate_earlier);
  ADD ("regenerate-with", test_regenerate_with);
  ADD ("edit", test_edit);
  ADD ("edit-escape", test_edit_escape);
  ADD ("edit-and-leave", test_edit_and_leave);
  g_test_add ("/ui/turn-actions/edit-and-delete", TestWindow, "session.delete-turn",
              test_window_set_up, test_edit_without_turn, test_window_tear_down);
  g_test_add ("/ui/turn-actions/edit-and-regenerate", TestWindow, "session.regenerate",
              test_window_set_up, test_edit_without_turn, test_window_tear_down);
  ADD ("edit-discarded", test_edit_discarded);
  ADD ("edit-discarded-and-deleted", test_edit_discarded_and_deleted);
  ADD ("edit-steers", test_edit_steers);
  ADD ("running", test_running);
  ADD ("branch", test_branch);
  ADD ("menu", test_menu);
  ADD ("hover", test_hover);
  ADD ("narrow", test_narrow);
  ADD ("place", test_place);
  ADD ("no-jump", test_no_jump);
  return g_test_run ();
}
