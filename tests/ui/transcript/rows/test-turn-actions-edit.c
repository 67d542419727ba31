/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that are edited: sent, left, discarded and brought back. */

#include "config.h"

#include "turn-actions-fixture.h"
#include "ui/composer/gadget-composer-private.h"

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
  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  gadget_chat_focus (window->chat);
  test_type ("a draft");
  wait_until (has_text (window, "a draft"));

  turn_actions_press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  g_assert_true (gtk_revealer_get_reveal_child (window->chat->edit_banner));
  test_key ("Escape");
  wait_until (has_text (window, "a draft"));
  g_assert_false (gtk_revealer_get_reveal_child (window->chat->edit_banner));
  turn_actions_expect (window, "one two");

  turn_actions_press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  test_type (" more");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (window->provider));
  turn_actions_expect (window, "one more");
  g_assert_true (has_text (window, "a draft"));
  g_assert_false (gtk_revealer_get_reveal_child (window->chat->edit_banner));
  fake_provider_text (window->provider, "third");
  fake_provider_end (window->provider);
  wait_until (turn_actions_shows (window, "Messages replaced"));
  turn_actions_press_label (window, "Undo");
  wait_until (turn_actions_has_prompts (window, "one two"));
}

/* It is not the first one of two that stop. */
static void
test_edit_escape (TestWindow *window, gconstpointer data)
{
  turn_actions_say (window, "one", "first");
  turn_actions_press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  /* Begun from elsewhere. */
  gadget_session_enqueue (turn_actions_get_session (window), "queued");
  g_assert_true (gadget_agent_send_queued (gadget_engine_get_agent (window->engine),
                                           turn_actions_get_session (window), 0, NULL, NULL));
  wait_until (fake_provider_is_waiting (window->provider));
  test_key ("Escape");
  wait_until (has_text (window, ""));
  g_assert_false (test_window_has_toast (window, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (test_window_has_toast (window, "Press Esc again to abort"));
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (turn_actions_get_session (window)) == NULL);
}

/* What is edited belongs to its chat. */
static void
test_edit_and_leave (TestWindow *window, gconstpointer data)
{
  GadgetSession *session;

  turn_actions_say (window, "one", "first");
  session = turn_actions_get_session (window);
  turn_actions_press (window, "session.edit-turn", 0);
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
  gadget_attachment_list_add (window->composer->attachments, attachments);
}

/* What was made of the message of a turn that leaves meanwhile is there, and can be sent. */
static void
test_edit_without_turn (TestWindow *window, gconstpointer action)
{
  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  gadget_chat_focus (window->chat);
  test_type ("draft");
  wait_until (has_text (window, "draft"));
  give_notes (window);
  turn_actions_press (window, "session.edit-turn", 1);
  wait_until (has_text (window, "two"));
  test_type (" more");
  wait_until (has_text (window, "two more"));
  give_notes (window);
  turn_actions_press (window, action, 1);
  wait_until (!is_editing (window));
  g_assert_true (has_text (window, "draft\n\ntwo more"));
  if (g_str_equal (action, "session.regenerate"))
    {
      wait_until (fake_provider_is_waiting (window->provider));
      fake_provider_end (window->provider);
      wait_until (gadget_session_get_active_run (turn_actions_get_session (window)) == NULL);
    }
  gadget_chat_focus (window->chat);
  test_key ("Escape");
  g_assert_true (has_text (window, "draft\n\ntwo more"));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (window->provider));
  g_assert_true (has_text (window, ""));
  {
    GadgetTurn *turn = gadget_session_get_last_turn (turn_actions_get_session (window));

    g_assert_cmpstr (gadget_turn_get_prompt (turn), ==, "draft\n\ntwo more");
    g_assert_cmpuint (gadget_attachments_get (turn)->len, ==, 2);
  }
  fake_provider_end (window->provider);
  wait_until (gadget_session_get_active_run (turn_actions_get_session (window)) == NULL);
}

static void
edit_first (TestWindow *window)
{
  turn_actions_press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  test_type (" more");
  wait_until (has_text (window, "one more"));
}

static void
bring_edit_back (TestWindow *window)
{
  wait_until (!is_editing (window) || !has_text (window, "one more"));
  turn_actions_press_label (window, "Undo");
  wait_until (is_editing (window) && has_text (window, "one more"));
  wait_until (!test_window_has_toast (window, "Edit discarded"));
}

/* However it ended: what was changed and not sent comes back, to its place. */
static void
test_edit_discarded (TestWindow *window, gconstpointer data)
{
  GadgetSession *session;

  turn_actions_say (window, "one", "first");
  turn_actions_say (window, "two", "second");
  session = turn_actions_get_session (window);
  gadget_chat_focus (window->chat);
  test_type ("draft");
  wait_until (has_text (window, "draft"));
  turn_actions_press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  test_key ("Escape");
  wait_until (has_text (window, "draft"));
  g_assert_false (test_window_has_toast (window, "Edit discarded"));

  edit_first (window);
  give_notes (window);
  test_key ("Escape");
  wait_until (has_text (window, "draft"));
  bring_edit_back (window);

  turn_actions_press (window, "session.edit-turn", 1);
  wait_until (has_text (window, "two"));
  bring_edit_back (window);

  gadget_window_new_chat (window->window);
  g_assert_true (has_text (window, ""));
  bring_edit_back (window);
  g_assert_true (turn_actions_get_session (window) == session);

  test_key ("Return");
  wait_until (fake_provider_is_waiting (window->provider));
  turn_actions_expect (window, "one more");
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
  turn_actions_say (window, "one", "first");
  edit_first (window);
  test_key ("Escape");
  wait_until (test_window_has_toast (window, "Edit discarded"));
  gtk_widget_activate_action (
      GTK_WIDGET (window->chat), "session.delete-turn", "s",
      gadget_turn_get_id (gadget_session_get_turn (turn_actions_get_session (window), 0)));
  wait_until (turn_actions_has_prompts (window, ""));
  turn_actions_press_label (window, "Undo");
  wait_until (has_text (window, "one more"));
  g_assert_false (is_editing (window));
}

/* It is no edit any more when it steers the turn that goes on. */
static void
test_edit_steers (TestWindow *window, gconstpointer data)
{
  g_autoptr (GadgetQueuedMessage) message = NULL;

  turn_actions_say (window, "one", "first");
  gadget_chat_focus (window->chat);
  test_type ("draft");
  wait_until (has_text (window, "draft"));
  turn_actions_press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  /* Begun from elsewhere. */
  gadget_session_enqueue (turn_actions_get_session (window), "queued");
  g_assert_true (gadget_agent_send_queued (gadget_engine_get_agent (window->engine),
                                           turn_actions_get_session (window), 0, NULL, NULL));
  wait_until (fake_provider_is_waiting (window->provider));
  test_type (" more");
  wait_until (has_text (window, "one more"));
  test_key ("ctrl+Return");
  wait_until (!is_editing (window));
  message = g_list_model_get_item (gadget_session_get_queue (turn_actions_get_session (window)), 0);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, "one more");
  g_assert_true (has_text (window, "draft"));
  g_assert_false (test_window_has_toast (window, "Edit discarded"));
}

/* An edit of the first turn, and another one that goes on, of which nothing has come yet. */
static void
edit_while_running (TestWindow *window, const char *draft)
{
  turn_actions_say (window, "one", "first");
  gadget_chat_focus (window->chat);
  test_type (draft);
  wait_until (has_text (window, draft));
  turn_actions_press (window, "session.edit-turn", 0);
  wait_until (has_text (window, "one"));
  /* Begun from elsewhere. */
  gadget_session_enqueue (turn_actions_get_session (window), "aborted");
  g_assert_true (gadget_agent_send_queued (gadget_engine_get_agent (window->engine),
                                           turn_actions_get_session (window), 0, NULL, NULL));
  wait_until (fake_provider_is_waiting (window->provider));
}

static void
abort_now (TestWindow *window)
{
  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (turn_actions_get_session (window)) == NULL);
  wait_idle ();
}

static void
empty_edit (TestWindow *window)
{
  test_key ("ctrl+a");
  test_key ("BackSpace");
  wait_until (has_text (window, ""));
}

/* An aborted prompt that comes back is the draft, and not a part of what is edited. */
static void
test_edit_and_abort (TestWindow *window, gconstpointer data)
{
  edit_while_running (window, "");
  empty_edit (window);
  abort_now (window);
  g_assert_true (is_editing (window));
  g_assert_true (has_text (window, ""));
  test_key ("Escape");
  wait_until (!is_editing (window));
  g_assert_true (has_text (window, "aborted"));
}

/* As ever, it does not come before a draft; but Edit Prompt ends the edit and shows it. */
static void
test_edit_and_abort_with_draft (TestWindow *window, gconstpointer data)
{
  edit_while_running (window, "draft");
  empty_edit (window);
  abort_now (window);
  g_assert_true (has_text (window, ""));
  gtk_widget_activate_action (
      GTK_WIDGET (window->chat), "session.edit-prompt", "s",
      gadget_turn_get_id (gadget_session_get_last_turn (turn_actions_get_session (window))));
  wait_until (!is_editing (window));
  g_assert_true (has_text (window, "aborted\n\ndraft"));
}

#define ADD(path, function)                                                                        \
  g_test_add ("/ui/turn-actions/" path, TestWindow, NULL, test_window_set_up, function,            \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

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
  ADD ("edit-and-abort", test_edit_and_abort);
  ADD ("edit-and-abort-with-draft", test_edit_and_abort_with_draft);
  return g_test_run ();
}
