/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is written and not sent, with several windows: one draft of a chat in all that show it, and
 * one of each new chat, none of which is lost. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "wait.h"

static void
answer (TestWindow *self)
{
  fake_provider_text (self->provider, "An answer");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
}

static void
go_to (TestWindow *window)
{
  test_window_go_to (window);
  gtk_widget_grab_focus (window->text);
}

/* @session: (nullable) */
static void
open_second (TestWindow *self, GadgetSession *session, TestWindow *second)
{
  test_window_adopt (self, gadget_window_new_beside (self->window, session), second);
}

static void
close_second (TestWindow *second)
{
  gtk_window_destroy (GTK_WINDOW (second->window));
  wait_idle ();
}

static gboolean
has_draft (TestWindow *self, const char *session_id, const char *text)
{
  g_autofree char *draft = test_window_load_draft (self, session_id);

  return g_str_equal (draft, text);
}

/* The other window follows, in both directions; what is sent is gone in both. */
static void
test_same_chat (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = test_window_get_session (self);
  TestWindow second;

  test_window_send (self, "hello");
  answer (self);
  test_window_type (self, "half");
  open_second (self, session, &second);
  wait_until (test_window_shows_text (&second, "half"));
  go_to (&second);
  test_window_type (&second, " a draft");
  wait_until (test_window_shows_text (self, "half a draft"));
  go_to (self);
  test_window_type (self, " and");
  wait_until (test_window_shows_text (&second, "half a draft and"));
  wait_until (has_draft (self, gadget_session_get_id (session), "half a draft and"));
  /* At once: the window that is left saves what was typed there. */
  test_type (" so");
  go_to (&second);
  wait_until (test_window_shows_text (&second, "half a draft and so"));
  test_type ("!");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (session)), ==,
                   "half a draft and so!");
  wait_until (test_window_shows_text (self, ""));
  answer (self);
  close_second (&second);
  g_assert_true (has_draft (self, gadget_session_get_id (session), ""));
}

/* A message without an answer comes back once, although both windows see its end. */
static void
test_brought_back (TestWindow *self, gconstpointer data)
{
  TestWindow second;

  test_window_send (self, "hello");
  answer (self);
  open_second (self, test_window_get_session (self), &second);
  test_window_send (&second, "again");
  test_key ("shift+Escape");
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  wait_until (test_window_shows_text (self, "again") && test_window_shows_text (&second, "again"));
  test_run_for (1200);
  test_window_assert_text (self, "again");
  test_window_assert_text (&second, "again");
  close_second (&second);
}

/* A command that is typed in one window offers nothing in the other. */
static void
test_no_popover (TestWindow *self, gconstpointer data)
{
  TestWindow second;

  test_window_send (self, "hello");
  answer (self);
  open_second (self, test_window_get_session (self), &second);
  go_to (self);
  test_window_type (self, "/re");
  wait_until (test_window_shows_text (&second, "/re"));
  test_run_for (200);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (self->composer->command_popover)));
  g_assert_false (second.composer->command_popover != NULL
                  && gtk_widget_get_visible (GTK_WIDGET (second.composer->command_popover)));
  close_second (&second);
}

/* An earlier message is edited in one window, and the draft changed in the other. */
static void
test_editing (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn = test_window_send (self, "hello");
  TestWindow second;

  answer (self);
  test_window_type (self, "a draft");
  open_second (self, test_window_get_session (self), &second);
  wait_until (test_window_shows_text (&second, "a draft"));
  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.edit-turn", "s",
                              gadget_turn_get_id (turn));
  wait_until (test_window_shows_text (self, "hello"));
  go_to (&second);
  test_window_type (&second, ", longer");
  test_run_for (900);
  g_assert_true (test_window_shows_text (self, "hello"));
  gtk_widget_activate_action (GTK_WIDGET (self->chat), "session.stop-editing", NULL);
  wait_until (test_window_shows_text (self, "a draft, longer"));
  test_run_for (900);
  test_window_assert_text (&second, "a draft, longer");
  close_second (&second);
}

/* Each new chat has its own; the next start shows both. */
static void
test_new_chats (TestWindow *self, gconstpointer data)
{
  TestWindow second;

  test_window_type (self, "one");
  wait_until (has_draft (self, NULL, "one"));
  open_second (self, NULL, &second);
  test_run_for (300);
  g_assert_true (test_window_shows_text (&second, ""));
  test_window_type (&second, "two");
  wait_until (has_draft (self, NULL, "one\n\ntwo"));
  test_window_assert_text (self, "one");
  close_second (&second);
  wait_until (has_draft (self, NULL, "one\n\ntwo"));
  test_window_restart (self);
  wait_until (test_window_shows_text (self, "one\n\ntwo"));
}

/* What was left in a new chat waits for the next one, in whichever window. */
static void
test_left (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = test_window_get_session (self);
  TestWindow second;

  test_window_send (self, "hello");
  answer (self);
  test_window_new_chat (self);
  test_window_type (self, "left here");
  open_second (self, NULL, &second);
  g_assert_true (test_window_shows_text (&second, ""));
  gadget_window_open_session (self->window, session);
  test_window_new_chat (&second);
  g_assert_true (test_window_shows_text (&second, ""));
  gadget_window_open_session (second.window, session);
  test_window_new_chat (&second);
  wait_until (test_window_shows_text (&second, "left here"));
  g_assert_true (has_draft (self, NULL, "left here"));
  go_to (&second);
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  answer (&second);
  wait_until (has_draft (self, NULL, ""));
  close_second (&second);
}

#define add(name, test)                                                                            \
  g_test_add ("/ui/windows/drafts/" name, TestWindow, NULL, test_window_set_up, test,              \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  add ("same-chat", test_same_chat);
  add ("brought-back", test_brought_back);
  add ("no-popover", test_no_popover);
  add ("editing", test_editing);
  add ("new-chats", test_new_chats);
  add ("left", test_left);
  return g_test_run ();
}
