/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was typed and not sent is still there: after another chat was looked at, after the window
 * was closed, and after the program was killed. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-faults.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "wait.h"

#include <sqlite3.h>
#include <string.h>

/* What is on disk by now, as another process sees it. */
static gboolean
has_draft (TestWindow *self, const char *session_id, const char *text)
{
  g_autofree char *draft = test_window_load_draft (self, session_id);

  return g_str_equal (draft, text);
}

static void
finish_turn (TestWindow *self)
{
  fake_provider_text (self->provider, "An answer");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
}

/* Returns: (transfer full): its id */
static char *
begin_stored_chat (TestWindow *self)
{
  test_window_send (self, "hello");
  finish_turn (self);
  return g_strdup (gadget_session_get_id (test_window_get_session (self)));
}

static void
open_chat (TestWindow *self, const char *id)
{
  gadget_window_open_session (self->window, gadget_engine_find_session (self->engine, id));
}

/* Before anything that is read has come. */
static void
type_at_once (TestWindow *self, const char *text)
{
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), text,
                                    -1);
}

/* A process that is killed loses no more than the last second: nothing is done here but typing. */
static void
test_saved_while_typing (TestWindow *self, gconstpointer data)
{
  const char *id;

  test_type ("of a new chat");
  wait_until (has_draft (self, NULL, "of a new chat"));
  gadget_composer_clear (self->composer);
  wait_until (has_draft (self, NULL, ""));

  test_window_send (self, "hello");
  finish_turn (self);
  id = gadget_session_get_id (test_window_get_session (self));
  test_type ("of a stored one");
  wait_until (has_draft (self, id, "of a stored one"));
  g_assert_true (has_draft (self, NULL, ""));
}

static void
test_restart (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_stored_chat (self);

  test_type ("in the old chat");
  wait_until (test_window_shows_text (self, "in the old chat"));
  test_window_new_chat (self);
  wait_until (test_window_shows_text (self, ""));
  test_type ("in the new chat");
  wait_until (test_window_shows_text (self, "in the new chat"));
  /* At once, and without a pause in which it would be saved. */
  test_window_restart (self);
  wait_until (test_window_shows_text (self, "in the new chat"));
  open_chat (self, id);
  wait_until (test_window_shows_text (self, "in the old chat"));
  test_window_new_chat (self);
  wait_until (test_window_shows_text (self, "in the new chat"));
  g_assert_true (has_draft (self, id, "in the old chat"));
}

/* The first message of a new chat takes its draft with it. */
static void
test_sent (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;

  test_type ("to be sent");
  wait_until (has_draft (self, NULL, "to be sent"));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  wait_until (has_draft (self, NULL, ""));
  g_assert_true (has_draft (self, gadget_session_get_id (test_window_get_session (self)), ""));
  test_type ("queued");
  test_key ("Return");
  wait_until (test_window_shows_text (self, ""));
  wait_until (has_draft (self, gadget_session_get_id (test_window_get_session (self)), ""));
  gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                             gadget_session_get_id (test_window_get_session (self)),
                                             NULL, GADGET_STOP_USER));
  wait_until (gadget_session_get_active_run (test_window_get_session (self)) == NULL);
  /* Nothing was answered: it comes back, and is a draft again. */
  g_assert_true (test_window_shows_text (self, "to be sent"));
  id = g_strdup (gadget_session_get_id (test_window_get_session (self)));
  test_window_restart (self);
  open_chat (self, id);
  wait_until (test_window_shows_text (self, "to be sent"));
}

/* What is typed before the draft was read is not lost, and neither is the draft. */
static void
test_typed_before_it_came (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_stored_chat (self);

  test_type ("before");
  wait_until (test_window_shows_text (self, "before"));
  test_window_restart (self);
  open_chat (self, id);
  type_at_once (self, "typed");
  g_assert_true (test_window_shows_text (self, "typed"));
  wait_until (test_window_shows_text (self, "before\n\ntyped"));
  wait_until (has_draft (self, id, "before\n\ntyped"));

  /* The same, but gone to another chat before it was read. */
  test_window_restart (self);
  open_chat (self, id);
  type_at_once (self, "again");
  test_window_new_chat (self);
  wait_until (has_draft (self, id, "before\n\ntyped\n\nagain"));
  g_assert_true (test_window_shows_text (self, ""));
  open_chat (self, id);
  g_assert_true (test_window_shows_text (self, "before\n\ntyped\n\nagain"));
}

/* There is no draft to be read, and the chat is left before that is known. */
static void
test_left_before_it_came (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_stored_chat (self);

  test_window_restart (self);
  open_chat (self, id);
  type_at_once (self, "typed");
  test_window_new_chat (self);
  wait_until (has_draft (self, id, "typed"));
  g_assert_true (test_window_shows_text (self, ""));
}

/* As a damaged store: what is asked for is not there. */
#define HIDE "ALTER TABLE session RENAME COLUMN draft TO hidden"
#define UNHIDE "ALTER TABLE session RENAME COLUMN hidden TO draft"

/* Longer than it takes to save what is typed. */
#define LONG_ENOUGH 1500

/* A stored draft that could not be read is not replaced by what was typed meanwhile. */
static void
test_not_read (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_stored_chat (self);

  test_type ("before");
  wait_until (test_window_shows_text (self, "before"));
  test_window_restart (self);
  test_store_run_sql (gadget_engine_get_store (self->engine), HIDE);
  open_chat (self, id);
  type_at_once (self, "typed");
  g_assert_false (_gadget_composer_keeps_draft (self->composer));
  test_store_run_sql (gadget_engine_get_store (self->engine), UNHIDE);
  wait_until (_gadget_composer_keeps_draft (self->composer));
  test_run_for (LONG_ENOUGH);
  g_assert_true (has_draft (self, id, "before"));
  /* What was typed is there as long as the window is. */
  test_window_new_chat (self);
  wait_until (test_window_shows_text (self, ""));
  open_chat (self, id);
  g_assert_true (test_window_shows_text (self, "typed"));
  test_run_for (LONG_ENOUGH);
  g_assert_true (has_draft (self, id, "before"));
  gtk_widget_grab_focus (self->text);
  test_type (" again");
  wait_until (has_draft (self, id, "typed again"));
}

/* Neither when the chat is out of sight by then. */
static void
test_not_read_out_of_sight (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = NULL;
  GadgetSession *session;

  id = begin_stored_chat (self);
  test_type ("before");
  wait_until (test_window_shows_text (self, "before"));
  test_window_restart (self);
  test_store_run_sql (gadget_engine_get_store (self->engine), HIDE);
  session = gadget_engine_find_session (self->engine, id);
  gadget_window_open_session (self->window, session);
  type_at_once (self, "typed");
  test_window_new_chat (self);
  test_store_run_sql (gadget_engine_get_store (self->engine), UNHIDE);
  test_run_for (LONG_ENOUGH);
  g_assert_true (has_draft (self, id, "before"));
  gadget_window_open_session (self->window, session);
  g_assert_true (test_window_shows_text (self, "typed"));
}

/* A question ends with something typed into its card while an earlier message is edited: all three
 * texts are on disk at once. */
static void
test_answer_left_in_edit (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_stored_chat (self);

  test_type ("before");
  wait_until (has_draft (self, id, "before"));
  gtk_widget_activate_action (
      GTK_WIDGET (self->chat), "session.edit-turn", "s",
      gadget_turn_get_id (gadget_session_get_last_turn (test_window_get_session (self))));
  wait_until (test_window_shows_text (self, "hello"));
  test_type (" again");
  wait_until (has_draft (self, id, "before\n\nhello again"));

  gadget_composer_prepend_to (self->composer, test_window_get_session (self), "an answer");
  g_assert_true (test_window_shows_text (self, "hello again"));
  test_window_restart (self);
  open_chat (self, id);
  wait_until (test_window_shows_text (self, "an answer\n\nbefore\n\nhello again"));
}

static gboolean
has_note (TestWindow *self, const char *words)
{
  return gtk_widget_get_visible (self->composer->draft_note)
         && strstr (gtk_label_get_label (self->composer->draft_note_label), words) != NULL;
}

static void
fill_disk (TestWindow *self)
{
  /* What the turn left to be written is written. */
  test_run_for (LONG_ENOUGH);
  test_faults_set (TEST_FAULT_FULL);
}

/* The disk is full: the composer says so as long as there is something that is not saved, and where
 * it is. It is saved by itself when there is room. */
static void
test_disk_full (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_stored_chat (self);

  fill_disk (self);
  test_type ("no room");
  wait_until (has_note (self, "the disk is full"));
  test_window_new_chat (self);
  g_assert_false (has_note (self, ""));
  open_chat (self, id);
  g_assert_true (test_window_shows_text (self, "no room"));
  g_assert_true (has_note (self, "the disk is full"));
  gadget_composer_clear (self->composer);
  g_assert_false (has_note (self, ""));
  gtk_widget_grab_focus (self->text);
  test_type ("room");
  wait_until (has_note (self, "the disk is full"));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!has_note (self, ""));
  wait_until (has_draft (self, id, "room"));
}

/* A program that ends meanwhile leaves it to the next one, that of the new chat too. */
static void
test_disk_full_restart (TestWindow *self, gconstpointer data)
{
  g_autofree char *id = begin_stored_chat (self);

  fill_disk (self);
  test_type ("of the old chat");
  wait_until (has_note (self, "the disk is full"));
  test_window_new_chat (self);
  test_type ("of the new chat");
  wait_until (test_window_shows_text (self, "of the new chat"));
  /* Before it was found out that it cannot be saved. */
  test_window_restart (self);
  open_chat (self, id);
  wait_until (test_window_shows_text (self, "of the old chat"));
  wait_until (has_note (self, "the disk is full"));
  test_window_new_chat (self);
  wait_until (test_window_shows_text (self, "of the new chat"));
  wait_until (has_note (self, "the disk is full"));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (has_draft (self, id, "of the old chat"));
  wait_until (has_draft (self, NULL, "of the new chat"));
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/drafts/" path, TestWindow, NULL, test_window_set_up, function,                  \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  test_faults_install ();

  add ("saved-while-typing", test_saved_while_typing);
  add ("restart", test_restart);
  add ("sent", test_sent);
  add ("typed-before-it-came", test_typed_before_it_came);
  add ("left-before-it-came", test_left_before_it_came);
  add ("not-read", test_not_read);
  add ("not-read-out-of-sight", test_not_read_out_of_sight);
  add ("answer-left-in-edit", test_answer_left_in_edit);
  add ("disk-full", test_disk_full);
  add ("disk-full-restart", test_disk_full_restart);

  return g_test_run ();
}
