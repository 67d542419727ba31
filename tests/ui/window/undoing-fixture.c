/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "undoing-fixture.h"

GadgetSession *
undoing_get_session (Fixture *fixture)
{
  return gadget_window_get_session (fixture->window.window);
}

GtkWidget *
undoing_get_root (Fixture *fixture)
{
  return GTK_WIDGET (fixture->window.window);
}

void
undoing_set_up (Fixture *fixture, gconstpointer data)
{
  test_window_set_up (&fixture->window, data);
  fixture->workspace = test_window_give_workspace (&fixture->window);
}

void
undoing_tear_down (Fixture *fixture, gconstpointer data)
{
  test_window_tear_down (&fixture->window, data);
  test_dir_free (fixture->workspace);
}

void
undoing_put (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* (nullable) */
static char *
get (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

gboolean
undoing_is (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *now = get (fixture, name);

  return g_strcmp0 (now, text) == 0;
}

GtkWidget *
undoing_find_button (GtkWidget *root, const char *label)
{
  GtkWidget *found = test_find_label (root, label);

  return found != NULL ? gtk_widget_get_ancestor (found, GTK_TYPE_BUTTON) : NULL;
}

void
undoing_activate (GtkWidget *button)
{
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_grab_focus (button));
  wait_until (gtk_widget_has_focus (button));
  test_key ("Return");
}

void
undoing_press (Fixture *fixture, const char *label)
{
  wait_until (undoing_find_button (undoing_get_root (fixture), label) != NULL
              && gtk_widget_is_sensitive (undoing_find_button (undoing_get_root (fixture), label)));
  undoing_activate (undoing_find_button (undoing_get_root (fixture), label));
}

AdwDialog *
undoing_get_dialog (Fixture *fixture)
{
  return adw_application_window_get_visible_dialog (
      ADW_APPLICATION_WINDOW (fixture->window.window));
}

gboolean
undoing_shows (Fixture *fixture, const char *label)
{
  return test_find_label (undoing_get_root (fixture), label) != NULL;
}

void
undoing_wait_dialog (Fixture *fixture, const char *label)
{
  wait_until (undoing_get_dialog (fixture) != NULL
              && test_find_label (GTK_WIDGET (undoing_get_dialog (fixture)), label) != NULL);
  gadget_test_wait_frames (undoing_get_root (fixture), 3);
}

void
undoing_press_in_dialog (Fixture *fixture, const char *label)
{
  GtkWidget *button = undoing_find_button (GTK_WIDGET (undoing_get_dialog (fixture)), label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  undoing_activate (button);
}

GadgetTurn *
undoing_write_files (Fixture *fixture)
{
  GadgetTurn *turn = test_window_send (&fixture->window, "write");

  fake_provider_call (fixture->window.provider, 0, "c1", "write_file",
                      "{\"path\":\"one.txt\",\"content\":\"1\\n\"}");
  fake_provider_call (fixture->window.provider, 1, "c2", "write_file",
                      "{\"path\":\"two.txt\",\"content\":\"2\\n\"}");
  fake_provider_end (fixture->window.provider);
  wait_until (fake_provider_get_n_requests (fixture->window.provider) == 2
              && fake_provider_is_waiting (fixture->window.provider));
  g_assert_true (undoing_is (fixture, "one.txt", "1\n") && undoing_is (fixture, "two.txt", "2\n"));
  return turn;
}

void
undoing_finish (Fixture *fixture)
{
  fake_provider_text (fixture->window.provider, "Done.");
  fake_provider_end (fixture->window.provider);
  wait_until (gadget_session_get_active_run (undoing_get_session (fixture)) == NULL);
}
