/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What commands do about the last turn: typed, as a user types them. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "ui/window/gadget-chat-private.h"
#include "wait.h"

typedef struct
{
  TestWindow window;
  char *workspace;
} Fixture;

static GadgetSession *
get_session (Fixture *fixture)
{
  return gadget_window_get_session (fixture->window.window);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  test_window_set_up (&fixture->window, data);
  fixture->workspace = test_window_give_workspace (&fixture->window);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  test_window_tear_down (&fixture->window, data);
  test_dir_free (fixture->workspace);
}

static void
wait_settled (Fixture *fixture)
{
  wait_until (gadget_session_get_active_run (get_session (fixture)) == NULL);
  test_window_advance (&fixture->window, 1000);
}

static void
answer (Fixture *fixture, const char *text)
{
  fake_provider_text (fixture->window.provider, text);
  fake_provider_end (fixture->window.provider);
  wait_settled (fixture);
}

static void
command (Fixture *fixture, const char *name)
{
  GadgetComposer *composer = fixture->window.composer;

  gtk_widget_grab_focus (fixture->window.text);
  test_type (name);
  wait_until (composer->command_popover != NULL
              && gtk_widget_get_mapped (GTK_WIDGET (composer->command_popover))
              && g_strcmp0 (gadget_suggestions_get_selected (composer->command_popover), name)
                     == 0);
  test_key ("Return");
  wait_until (gadget_composer_is_empty (composer));
}

/* One toast waits for the other. */
static void
wait_said (Fixture *fixture, const char *text)
{
  wait_until (test_window_has_toast (&fixture->window, text));
  adw_toast_overlay_dismiss_all (fixture->window.chat->toasts);
}

/* --- Copy --- */

static void
test_copy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  command (fixture, "/copy");
  wait_said (fixture, "There is no reply to copy yet");
  test_window_send (&fixture->window, "hello");
  answer (fixture, "Some **bold** words");
  command (fixture, "/copy");
  wait_said (fixture, "Reply copied");
  text = gadget_test_read_clipboard (gtk_widget_get_clipboard (fixture->window.text));
  g_assert_cmpstr (text, ==, "Some **bold** words");
}

/* --- Retry --- */

static void
test_retry (Fixture *fixture, gconstpointer data)
{
  FakeProvider *provider = fixture->window.provider;
  g_autofree char *first = NULL;

  command (fixture, "/retry");
  wait_said (fixture, "There is nothing to try again yet");
  first = g_strdup (gadget_turn_get_id (test_window_send (&fixture->window, "hello")));
  command (fixture, "/retry");
  wait_said (fixture, "A turn is running in this chat. Wait until it has ended, or stop it.");
  g_assert_true (gadget_session_get_n_turns (get_session (fixture)) == 1);
  answer (fixture, "Yes");

  command (fixture, "/retry");
  wait_until (fake_provider_get_n_requests (provider) == 2 && fake_provider_is_waiting (provider));
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (fixture)), ==, 1);
  g_assert_cmpstr (gadget_turn_get_id (gadget_session_get_turn (get_session (fixture), 0)), !=,
                   first);
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_turn (get_session (fixture), 0)), ==,
                   "hello");
  answer (fixture, "No");
  wait_said (fixture, "Reply replaced");
}

/* As the button on its card. */
static void
test_retry_failed (Fixture *fixture, gconstpointer data)
{
  FakeProvider *provider = fixture->window.provider;

  test_window_send (&fixture->window, "hello");
  fake_provider_fail (
      provider, g_error_new_literal (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_AUTH, "No"));
  wait_settled (fixture);
  command (fixture, "/retry");
  wait_until (fake_provider_get_n_requests (provider) == 2 && fake_provider_is_waiting (provider));
  g_assert_cmpuint (gadget_session_get_n_turns (get_session (fixture)), ==, 2);
  answer (fixture, "Yes");
}

/* --- Undo --- */

static void
write_file (Fixture *fixture, const char *name)
{
  const guint n = fake_provider_get_n_requests (fixture->window.provider);
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\",\"content\":\"1\\n\"}", name);

  test_window_send (&fixture->window, "write");
  fake_provider_call (fixture->window.provider, 0, name, "write_file", arguments);
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == n + 2
              && fake_provider_is_waiting (fixture->window.provider));
}

static gboolean
is_there (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static AdwDialog *
get_dialog (Fixture *fixture)
{
  return adw_application_window_get_visible_dialog (
      ADW_APPLICATION_WINDOW (fixture->window.window));
}

static GtkWidget *
find_undo (Fixture *fixture)
{
  GtkWidget *label = get_dialog (fixture) != NULL
                         ? test_find_label (GTK_WIDGET (get_dialog (fixture)), "Undo")
                         : NULL;

  return label != NULL ? gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON) : NULL;
}

/* The dialog is that of the last turn that changed something, and does what it always does. */
static void
undo (Fixture *fixture, const char *name)
{
  command (fixture, "/undo");
  wait_until (find_undo (fixture) != NULL
              && test_find_label (GTK_WIDGET (get_dialog (fixture)), name) != NULL);
  gadget_test_wait_frames (GTK_WIDGET (fixture->window.window), 3);
  g_assert_true (gtk_widget_grab_focus (find_undo (fixture)));
  wait_until (gtk_widget_has_focus (find_undo (fixture)));
  test_key ("Return");
  wait_until (!is_there (fixture, name) && get_dialog (fixture) == NULL);
  /* The file is gone before all is recorded. */
  wait_said (fixture, "Changes undone");
}

static void
test_undo (Fixture *fixture, gconstpointer data)
{
  command (fixture, "/undo");
  wait_said (fixture, "There are no changes to undo in this chat");
  write_file (fixture, "one.txt");
  command (fixture, "/undo");
  wait_said (fixture, "A turn is running in this chat. Wait until it has ended, or stop it.");
  g_assert_null (get_dialog (fixture));
  answer (fixture, "Done");
  write_file (fixture, "two.txt");
  answer (fixture, "Done");
  /* This one changes nothing. */
  test_window_send (&fixture->window, "hello");
  answer (fixture, "Yes");

  undo (fixture, "two.txt");
  g_assert_true (is_there (fixture, "one.txt"));
  undo (fixture, "one.txt");
  command (fixture, "/undo");
  wait_said (fixture, "There are no changes to undo in this chat");
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/slash-actions/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("copy", test_copy);
  add ("retry", test_retry);
  add ("retry-failed", test_retry_failed);
  add ("undo", test_undo);

  return g_test_run ();
}
