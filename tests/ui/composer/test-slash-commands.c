/* SPDX-License-Identifier: GPL-3.0-or-later */

/* "/" in the composer: what is offered, and what the keys do with it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/composer/gadget-mode-menu.h"
#include "wait.h"

static gboolean
is_offered (TestWindow *self)
{
  return self->composer->command_popover != NULL
         && gtk_widget_get_mapped (GTK_WIDGET (self->composer->command_popover));
}

static gboolean
is_mode_menu (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_MODE_MENU (widget) && gtk_widget_get_mapped (widget);
}

static void
test_choose (TestWindow *self, gconstpointer data)
{
  g_autofree char *first =
      g_strdup (gadget_session_get_id (gadget_window_get_session (self->window)));

  test_type ("/");
  wait_until (is_offered (self));
  g_assert_cmpuint (gadget_suggestions_get_n (self->composer->command_popover), >=, 4);
  g_assert_cmpstr (gadget_suggestions_get_selected (self->composer->command_popover), ==, "/new");
  g_assert_true (gtk_widget_is_focus (self->text));
  test_key ("Down");
  g_assert_cmpstr (gadget_suggestions_get_selected (self->composer->command_popover), ==, "/model");
  test_key ("Up");
  test_key ("Up");
  g_assert_cmpstr (gadget_suggestions_get_selected (self->composer->command_popover), ==,
                   "/rename");
  test_type ("mo");
  g_assert_cmpuint (gadget_suggestions_get_n (self->composer->command_popover), ==, 2);
  test_key ("Down");
  test_key ("Tab");
  test_window_assert_text (self, "/mode");
  test_key ("Return");
  wait_until (test_find (GTK_WIDGET (self->window), is_mode_menu, NULL) != NULL);
  test_window_assert_text (self, "");
  g_assert_false (is_offered (self));
  test_key ("Escape");
  wait_until (test_find (GTK_WIDGET (self->window), is_mode_menu, NULL) == NULL);

  test_window_send (self, "hello");
  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
  gtk_widget_grab_focus (self->text);
  test_type ("/new");
  wait_until (is_offered (self));
  test_key ("Return");
  wait_until (
      !g_str_equal (gadget_session_get_id (gadget_window_get_session (self->window)), first));
  test_window_assert_text (self, "");
}

/* The offer is shown again with more commands than it had when it was closed. */
static void
test_grows (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));

  for (guint i = 0; i < 5; i++)
    {
      test_type ("/");
      wait_until (is_offered (self));
      gtk_text_buffer_set_text (buffer, "/co", -1);
      g_assert_cmpuint (gadget_suggestions_get_n (self->composer->command_popover), ==, 1);
      gtk_text_buffer_set_text (buffer, "", -1);
      g_assert_false (is_offered (self));
      test_type ("/");
      wait_until (is_offered (self));
      test_run_for (100);
      g_assert_true (is_offered (self));
      gtk_text_buffer_set_text (buffer, "", -1);
    }
}

/* A key that ends what is being composed is not for what is offered. */
static void
test_input_method (TestWindow *self, gconstpointer data)
{
  test_type ("/");
  wait_until (is_offered (self));
  /* GTK's own input of code points: Enter ends it. */
  test_key ("ctrl+shift+u");
  test_type ("6e");
  test_key ("Return");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  test_window_assert_text (self, "/n");
  wait_until (is_offered (self));
  test_key ("Escape");
  wait_until (!is_offered (self));
  test_window_assert_text (self, "/n");
}

static GtkWidget *
find_send_as_text (TestWindow *self)
{
  GtkWidget *label = test_find_label (GTK_WIDGET (self->window), "Send as Text");

  return label != NULL ? gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON) : NULL;
}

static guint
count_turns (TestWindow *self)
{
  return gadget_session_get_n_turns (gadget_window_get_session (self->window));
}

/* What looks like a command is held back, until the user says that it is none. */
static void
test_unknown (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_type ("/foo bar");
  test_key ("Return");
  wait_until (test_find_label (GTK_WIDGET (self->window), "Unknown command “/foo”. Send as text?")
              != NULL);
  test_window_assert_text (self, "/foo bar");
  g_assert_cmpuint (count_turns (self), ==, 0);
  /* A second Enter is no answer. */
  test_key ("Return");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  g_assert_cmpuint (count_turns (self), ==, 0);

  /* It goes as soon as something else is written. */
  test_key ("BackSpace");
  wait_until (find_send_as_text (self) == NULL);
  test_key ("Return");
  wait_until (find_send_as_text (self) != NULL);
  gtk_widget_grab_focus (find_send_as_text (self));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_turn (session, 0)), ==, "/foo ba");
  g_assert_null (find_send_as_text (self));
  test_window_assert_text (self, "");
  g_assert_true (gtk_widget_is_focus (self->text));

  /* While a reply is written it is queued in the same way, or given to it. */
  test_type ("/later");
  test_key ("Return");
  wait_until (find_send_as_text (self) != NULL);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 0);
  test_key ("ctrl+Return");
  gadget_test_wait_frames (GTK_WIDGET (self->window), 3);
  gtk_widget_grab_focus (find_send_as_text (self));
  test_key ("Return");
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 1);
  {
    g_autoptr (GadgetQueuedMessage) message =
        g_list_model_get_item (gadget_session_get_queue (session), 0);

    g_assert_cmpstr (gadget_queued_message_get_text (message), ==, "/later");
    g_assert_true (gadget_queued_message_get_steering (message));
  }
}

/* What was held back to steer a reply is sent when that has ended meanwhile. */
static void
test_unknown_after_the_reply (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_window_send (self, "hello");
  test_type ("/later");
  test_key ("ctrl+Return");
  wait_until (find_send_as_text (self) != NULL);
  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  test_window_advance (self, 1000);
  gtk_widget_grab_focus (find_send_as_text (self));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpuint (count_turns (self), ==, 2);
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_turn (session, 1)), ==, "/later");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 0);
  test_window_assert_text (self, "");
}

/* Neither is it sent without what is still being read. */
static void
test_unknown_while_reading (TestWindow *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "notes.txt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GPtrArray *attachments;

  g_assert_true (g_file_set_contents (path, "Some notes", -1, NULL));
  test_type ("/foo bar");
  test_key ("Return");
  wait_until (find_send_as_text (self) != NULL);
  gtk_widget_grab_focus (find_send_as_text (self));
  gadget_attachment_list_add_file (self->composer->attachments, file);
  g_assert_true (gadget_attachment_list_is_reading (self->composer->attachments));
  g_assert_false (gtk_widget_get_sensitive (find_send_as_text (self)));
  g_assert_true (gtk_widget_is_focus (self->text));
  gtk_widget_activate_action (self->text, "composer.send-as-text", NULL);
  g_assert_cmpuint (count_turns (self), ==, 0);
  test_window_assert_text (self, "/foo bar");

  wait_until (!gadget_attachment_list_is_reading (self->composer->attachments));
  g_assert_true (gtk_widget_get_sensitive (find_send_as_text (self)));
  gtk_widget_grab_focus (find_send_as_text (self));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  attachments = gadget_attachments_get (
      gadget_session_get_turn (gadget_window_get_session (self->window), 0));
  g_assert_nonnull (attachments);
  g_assert_cmpuint (attachments->len, ==, 1);
}

/* What is no command is a message. */
static void
test_no_command (TestWindow *self, gconstpointer data)
{
  static const char *const texts[] = { "//new", "/usr/bin/env is there", "a/new", "/ new", "/2" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GadgetTurn *turn = test_window_send (self, texts[i]);

      g_assert_cmpstr (gadget_turn_get_prompt (turn), ==, texts[i]);
      g_assert_false (is_offered (self));
      fake_provider_text (self->provider, "Yes");
      fake_provider_end (self->provider);
      wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
      test_window_advance (self, 1000);
    }
}

/* A command is no message, whether or not it is still offered when it is sent. */
static void
test_send (TestWindow *self, gconstpointer data)
{
  test_type ("/mode");
  wait_until (is_offered (self));
  test_key ("Escape");
  wait_until (!is_offered (self));
  test_key ("Return");
  wait_until (test_find (GTK_WIDGET (self->window), is_mode_menu, NULL) != NULL);
  test_window_assert_text (self, "");
  test_key ("Escape");
  wait_until (test_find (GTK_WIDGET (self->window), is_mode_menu, NULL) == NULL);

  gtk_widget_grab_focus (self->text);
  test_type ("/mode ");
  wait_until (!is_offered (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->composer->button));
  test_key ("Return");
  wait_until (test_find (GTK_WIDGET (self->window), is_mode_menu, NULL) != NULL);
  test_window_assert_text (self, "");
  g_assert_cmpuint (count_turns (self), ==, 0);
  g_assert_false (fake_provider_is_waiting (self->provider));
}

/* The button takes the focus when it is clicked, which closes what was offered. */
static void
test_click_send (TestWindow *self, gconstpointer data)
{
  test_type ("/mode");
  wait_until (is_offered (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->composer->button));
  wait_until (!is_offered (self));
  test_click (GTK_WIDGET (self->composer->button));
  wait_until (test_find (GTK_WIDGET (self->window), is_mode_menu, NULL) != NULL);
  test_window_assert_text (self, "");
  g_assert_cmpuint (count_turns (self), ==, 0);
}

/* A command takes no words: what follows one is held back, like an unknown command. */
static void
test_words_after (TestWindow *self, gconstpointer data)
{
  GadgetSession *session = gadget_window_get_session (self->window);

  test_type ("/rename My title");
  test_key ("Return");
  wait_until (test_find_label (GTK_WIDGET (self->window), "“/rename” takes no text. Send as text?")
              != NULL);
  test_window_assert_text (self, "/rename My title");
  g_assert_cmpuint (count_turns (self), ==, 0);
  gtk_widget_grab_focus (find_send_as_text (self));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_turn (session, 0)), ==,
                   "/rename My title");
}

/* The Esc that closes it is not the first of two. */
static void
test_escape (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "hello");
  test_type ("/n");
  wait_until (is_offered (self));
  test_key ("Escape");
  wait_until (!is_offered (self));
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_window_assert_text (self, "/n");
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/slash-commands/" path, TestWindow, NULL, test_window_set_up, function,          \
              test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("choose", test_choose);
  add ("grows", test_grows);
  add ("no-command", test_no_command);
  add ("unknown", test_unknown);
  add ("unknown-after-the-reply", test_unknown_after_the_reply);
  add ("unknown-while-reading", test_unknown_while_reading);
  add ("send", test_send);
  add ("click-send", test_click_send);
  add ("words-after", test_words_after);
  add ("escape", test_escape);
  add ("input-method", test_input_method);

  return g_test_run ();
}
