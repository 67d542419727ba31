/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A card that waits for the user in a whole window: Ctrl+J, the banner, what folds do to the end of
 * the chat, and what was typed when the card goes. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"
#include "agent/gadget-tools-text.h"
#include "ui/common/gadget-announcer.h"
#include "ui/text/gadget-line.h"
#include "ui/transcript/gadget-transcript-private.h"
#include "ui/transcript/rows/ask/gadget-ask-row.h"
#include "asking-fixture.h"

#include <string.h>

/* The focus is offered, not taken; from there a digit answers. */
static void
test_key_j (TestWindow *self, gconstpointer data)
{
  test_key ("ctrl+j");
  wait_until (test_window_has_toast (self, "Nothing is waiting for you here"));
  asking_ask (self, 1);
  g_assert_false (asking_is_in_card (self));
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
  test_key ("2");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (self->provider), ==, 2);
}

static void
test_banner (TestWindow *self, gconstpointer data)
{
  AdwBanner *banner;
  GtkWidget *button;

  asking_ask (self, 100);
  banner = ADW_BANNER (asking_find (self, ADW_TYPE_BANNER));
  g_assert_false (adw_banner_get_revealed (banner));
  gtk_widget_grab_focus (asking_find (self, GADGET_TYPE_TRANSCRIPT));
  test_key ("Home");
  wait_until (adw_banner_get_revealed (banner));
  wait_until ((button = test_find_label (GTK_WIDGET (banner), "Show")) != NULL);
  test_run_for (400);
  test_click (gtk_widget_get_ancestor (button, GTK_TYPE_BUTTON));
  wait_until (asking_is_in_card (self));
  wait_until (!adw_banner_get_revealed (banner));
}

/* A fold that leaves the end in sight is no reason to lose what comes next, nor to offer a jump. */
static void
test_fold_follows (TestWindow *self, gconstpointer data)
{
  GadgetTranscript *transcript;
  GtkWidget *line;
  guint n_rows;

  asking_ask (self, 1);
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
  test_key ("1");
  wait_until (fake_provider_is_waiting (self->provider));
  transcript = GADGET_TRANSCRIPT (asking_find (self, GADGET_TYPE_TRANSCRIPT));
  n_rows = gadget_transcript_model_get_n_rows (transcript->model);
  /* Rows of what was answered come with the next frame. */
  wait_until ((line = asking_find (self, GADGET_TYPE_LINE)) != NULL);
  gtk_widget_grab_focus (test_find (line, asking_is_a, GSIZE_TO_POINTER (GTK_TYPE_BUTTON)));
  test_key ("Return");
  wait_until (gadget_transcript_model_get_n_rows (transcript->model) > n_rows);
  test_run_for (100);
  g_assert_true (gadget_transcript_get_following (transcript));
  g_assert_false (gadget_transcript_get_end_hidden (transcript));
  for (guint i = 0; i < 100; i++)
    fake_provider_text (self->provider, "A line of the answer.\n");
  test_run_for (200);
  g_assert_true (gadget_transcript_get_following (transcript));
  g_assert_false (gadget_transcript_get_end_hidden (transcript));
  gtk_widget_grab_focus (GTK_WIDGET (transcript));
  test_key ("Home");
  wait_until (gadget_transcript_get_end_hidden (transcript));
  test_key ("End");
  wait_until (!gadget_transcript_get_end_hidden (transcript));
}

/* --- Permissions --- */

static void
announced_cb (GadgetAnnouncer *announcer, const char *text, guint priority, char **said)
{
  g_free (*said);
  *said = g_strdup (text);
}

/* It is said at once, and what has the focus is known to a screen reader. */
static void
test_heard (TestWindow *self, gconstpointer data)
{
  g_autofree char *said = NULL;
  const gulong handler = g_signal_connect (gadget_announcer_get_default (), "announced",
                                           G_CALLBACK (announced_cb), &said);
  GtkWidget *row;

  asking_set_folder (self, "work");
  test_window_send (self, "hello");
  asking_read_outside (self, "/etc/hostname");
  wait_until (said != NULL && strstr (said, "Ctrl+J") != NULL);
  g_assert_nonnull (strstr (said, "Read this file?"));
  g_assert_nonnull (strstr (said, "/etc/hostname"));
  g_assert_nonnull (strstr (said, "outside of this chat"));
  g_signal_handler_disconnect (gadget_announcer_get_default (), handler);

  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
  row = asking_find (self, GADGET_TYPE_ASK_ROW);
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_LABEL, "Read this file?");
  g_assert_true (
      gtk_test_accessible_has_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION));
  /* Each object on the way up to the window has a parent that a screen reader sees. */
  for (GtkWidget *widget = asking_get_focus (self); widget != GTK_WIDGET (self->window);
       widget = gtk_widget_get_parent (widget))
    {
      g_autoptr (GtkAccessible) parent =
          gtk_accessible_get_accessible_parent (GTK_ACCESSIBLE (widget));

      g_assert_nonnull (parent);
    }
}

/* --- What was typed when the card goes --- */

static gboolean
is_idle (TestWindow *self)
{
  return gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL;
}

/* Not yet given. */
static void
type_answer (TestWindow *self, const char *text)
{
  asking_ask (self, 1);
  test_key ("ctrl+j");
  wait_until (asking_is_in_card (self));
  test_key ("3");
  wait_until (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (self->window))));
  test_type (text);
}

/* It comes into the composer, before what was written there. */
static void
test_stopped (TestWindow *self, gconstpointer data)
{
  type_answer (self, "by the long way");
  gadget_composer_prepend (self->composer, "later");
  test_key ("Escape");
  test_key ("Escape");
  wait_until (is_idle (self));
  g_assert_true (test_window_shows_text (self, "by the long way\n\nlater"));
}

/* An earlier message is edited meanwhile, and is not mixed with it. */
static void
test_stopped_editing (TestWindow *self, gconstpointer data)
{
  type_answer (self, "by the long way");
  gadget_composer_prepend (self->composer, "later");
  wait_until (gadget_composer_begin_edit (self->composer, "earlier", NULL));
  test_key ("shift+Escape");
  wait_until (is_idle (self));
  g_assert_true (test_window_shows_text (self, "earlier"));
  gadget_composer_end_edit (self->composer);
  g_assert_true (test_window_shows_text (self, "by the long way\n\nlater"));
}

/* White space is no answer, and one that was given does not come back. */
static void
test_nothing_left (TestWindow *self, gconstpointer data)
{
  type_answer (self, "  ");
  test_key ("Escape");
  test_key ("Escape");
  wait_until (is_idle (self));
  g_assert_true (test_window_shows_text (self, ""));

  type_answer (self, "by the long way");
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  test_key ("shift+Escape");
  wait_until (is_idle (self));
  g_assert_true (test_window_shows_text (self, ""));
}

/* Another chat is shown by then: it is a draft of its own chat. */
static void
test_stopped_elsewhere (TestWindow *self, gconstpointer data)
{
  GadgetSession *session;

  type_answer (self, "by the long way");
  session = gadget_window_get_session (self->window);
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.new-chat", NULL);
  wait_until (gadget_window_get_session (self->window) != session
              && test_window_shows_text (self, ""));
  gadget_abort_ack_free (gadget_agent_abort (gadget_engine_get_agent (self->engine),
                                             gadget_session_get_id (session), NULL,
                                             GADGET_STOP_USER));
  wait_until (gadget_session_get_active_run (session) == NULL);
  g_assert_true (test_window_shows_text (self, ""));
  gadget_window_open_session (self->window, session);
  wait_until (test_window_shows_text (self, "by the long way"));
}

/* So does a reason; by another mode, too, the card goes without it. */
static void
test_reason_left (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "hello");
  asking_read_outside (self, "/etc/hostname");
  wait_until (test_find_label (GTK_WIDGET (self->chat), "Allow Once") != NULL);
  gtk_widget_activate_action (asking_find (self, GADGET_TYPE_ASK_ROW), "ask.say-why", NULL);
  wait_until (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (self->window))));
  test_type ("rather line 1");
  gadget_session_set_mode (gadget_window_get_session (self->window), GADGET_MODE_READ_ONLY);
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_true (test_window_shows_text (self, "rather line 1"));
}

/* It is said once that a model cannot be offered all tools. */
static void
test_tools_left_out (TestWindow *self, gconstpointer data)
{
  const guint n = fake_provider_get_n_requests (self->provider);
  g_autofree char *text = NULL;
  guint n_all;
  guint n_offered;

  test_window_send (self, "hello");
  n_all = fake_provider_get_request (self->provider, n)->tools->len;
  fake_provider_fail (self->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                   GADGET_PROVIDER_ERROR_CONTEXT, "too long"));
  wait_until (fake_provider_get_n_requests (self->provider) == n + 2
              && fake_provider_is_waiting (self->provider));
  n_offered = fake_provider_get_request (self->provider, n + 1)->tools->len;
  g_assert_cmpuint (n_offered, <, n_all);
  text = gadget_tools_left_out_dup_text (n_offered, n_all - n_offered);
  g_assert_false (test_window_has_toast (self, text));
  fake_provider_text (self->provider, "Hello.");
  fake_provider_end (self->provider);
  wait_until (test_window_has_toast (self, text));
  wait_until (self->n_completed == 1);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/asking/" path, TestWindow, NULL, test_window_set_up, function,                  \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("key-j", test_key_j);
  add ("banner", test_banner);
  add ("fold-follows", test_fold_follows);
  add ("heard", test_heard);
  add ("stopped", test_stopped);
  add ("stopped-editing", test_stopped_editing);
  add ("nothing-left", test_nothing_left);
  add ("stopped-elsewhere", test_stopped_elsewhere);
  add ("reason-left", test_reason_left);
  add ("tools-left-out", test_tools_left_out);

  return g_test_run ();
}
