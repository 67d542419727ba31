/* SPDX-License-Identifier: GPL-3.0-or-later */

/* "@" in the composer: the files of the workspace that are offered, and what is written then. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-wait.h"
#include "test-window.h"
#include "ui/composer/gadget-composer-private.h"
#include "wait.h"

#include <glib/gstdio.h>

static void
put (TestWindow *self, const char *path)
{
  g_autofree char *full = g_build_filename (self->folder, "work", path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, "x", -1, NULL));
}

static void
set_up (TestWindow *self, gconstpointer data)
{
  g_autofree char *workspace = NULL;

  test_window_set_up (self, data);
  put (self, "README.md");
  put (self, "src/main.c");
  put (self, "src/menu.c");
  put (self, "a file.txt");
  workspace = g_build_filename (self->folder, "work", NULL);
  gadget_session_set_workspace (gadget_window_get_session (self->window), workspace);
  gtk_widget_grab_focus (self->text);
}

static gboolean
is_offered (TestWindow *self)
{
  return self->composer->mention_popover != NULL
         && gtk_widget_get_mapped (GTK_WIDGET (self->composer->mention_popover));
}

static gboolean
is_selected (TestWindow *self, const char *path)
{
  return is_offered (self)
         && g_strcmp0 (gadget_suggestions_get_selected (self->composer->mention_popover), path)
                == 0;
}

static gboolean
is_row (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_LIST_BOX_ROW (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_shown (TestWindow *self, const char *text)
{
  g_autofree char *shown = gadget_composer_dup_text (self->composer);

  return g_str_equal (shown, text);
}

/* A key that was pressed reaches a slow window late. */
static void
assert_shows (TestWindow *self, const char *text)
{
  wait_until (is_shown (self, text));
}

static gboolean
is_attach (GtkWidget *widget, gpointer user_data)
{
  return gtk_widget_has_css_class (widget, "suggestion-attach") && gtk_widget_get_mapped (widget);
}

static guint
count_attached (TestWindow *self)
{
  g_autoptr (GPtrArray) attachments = gadget_composer_dup_attachments (self->composer);

  return attachments != NULL ? attachments->len : 0;
}

/* Instead of its name the file itself: with the keyboard, and with the pointer. */
static void
test_attach (TestWindow *self, gconstpointer data)
{
  test_type ("see @menu");
  wait_until (is_selected (self, "src/menu.c"));
  test_key ("ctrl+Return");
  wait_until (count_attached (self) == 1);
  assert_shows (self, "see ");
  g_assert_false (is_offered (self));
  test_type ("@READ");
  wait_until (is_selected (self, "README.md"));
  /* The offer has become smaller: the display server gives it another place. */
  test_run_for (300);
  test_point_at (test_find (GTK_WIDGET (self->composer->mention_popover), is_attach, NULL));
  test_run_for (100);
  test_click (test_find (GTK_WIDGET (self->composer->mention_popover), is_attach, NULL));
  wait_until (count_attached (self) == 2);
  assert_shows (self, "see ");
  g_assert_true (gtk_widget_is_focus (self->text));
  /* Nothing is offered: the key is what it ever was. */
  g_assert_cmpuint (gadget_session_get_n_turns (gadget_window_get_session (self->window)), ==, 0);
}

static void
test_choose (TestWindow *self, gconstpointer data)
{
  GadgetTurn *turn;
  GtkWidget *row;

  test_type ("see @");
  wait_until (is_offered (self));
  g_assert_cmpuint (gadget_suggestions_get_n (self->composer->mention_popover), ==, 4);
  g_assert_true (gtk_widget_is_focus (self->text));
  test_type ("main");
  wait_until (is_selected (self, "src/main.c"));
  test_key ("Return");
  assert_shows (self, "see @src/main.c ");
  wait_until (!is_offered (self));

  /* A blank needs quotes. */
  test_type ("and @fil");
  wait_until (is_selected (self, "a file.txt"));
  test_key ("Tab");
  assert_shows (self, "see @src/main.c and @\"a file.txt\" ");

  test_type ("or @me");
  wait_until (is_selected (self, "src/menu.c"));
  /* The offer has become smaller: the display server gives it another place. */
  test_run_for (300);
  row = test_find (GTK_WIDGET (self->composer->mention_popover), is_row, NULL);
  /* As a hand does: in, over it, and then the button. */
  test_point_at_end (row);
  test_run_for (100);
  test_click (row);
  assert_shows (self, "see @src/main.c and @\"a file.txt\" or @src/menu.c ");

  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  turn = gadget_session_get_last_turn (gadget_window_get_session (self->window));
  g_assert_cmpstr (gadget_turn_get_prompt (turn), ==,
                   "see @src/main.c and @\"a file.txt\" or @src/menu.c");
}

/* Types @text and presses @keyval before the matches of the text can be known. */
static void
type_fast (TestWindow *self, const char *text, guint keyval)
{
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (self->composer->text), text, -1);
  g_assert_true (_gadget_composer_mention_key (self->composer, keyval));
}

/* Enter right after the last key inserts what matches all the keys. */
static void
test_choose_typed (TestWindow *self, gconstpointer data)
{
  test_type ("see @");
  wait_until (is_offered (self));
  type_fast (self, "menu", GDK_KEY_Return);
  assert_shows (self, "see @src/menu.c ");
  wait_until (!is_offered (self));
  test_type ("@");
  wait_until (is_offered (self));
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (self->composer->text), "fil", -1);
  g_assert_true (_gadget_composer_attach_mention (self->composer));
  wait_until (count_attached (self) == 1);
  assert_shows (self, "see @src/menu.c ");
  g_assert_cmpuint (gadget_session_get_n_turns (gadget_window_get_session (self->window)), ==, 0);
}

/* The offer is shown again with more files than before: it has not the size for them at first. */
static void
test_grows (TestWindow *self, gconstpointer data)
{
  for (guint i = 0; i < 5; i++)
    {
      test_type ("@");
      wait_until (is_offered (self));
      type_fast (self, "fil", GDK_KEY_Tab);
      assert_shows (self, "@\"a file.txt\" ");
      gadget_composer_clear (self->composer);
      gtk_widget_grab_focus (self->text);
      test_type ("@");
      wait_until (is_offered (self));
      g_assert_cmpuint (gadget_suggestions_get_n (self->composer->mention_popover), ==, 4);
      test_run_for (100);
      g_assert_true (is_offered (self));
      gadget_composer_clear (self->composer);
    }
}

static void
test_move (TestWindow *self, gconstpointer data)
{
  test_type ("@m");
  wait_until (is_selected (self, "src/main.c"));
  test_key ("Down");
  g_assert_true (is_selected (self, "src/menu.c"));
  test_key ("Up");
  test_key ("Up");
  g_assert_false (is_selected (self, "src/main.c"));
  /* Out of the word. */
  test_key ("Home");
  wait_until (!is_offered (self));
  assert_shows (self, "@m");
}

/* The Esc that closes it is not the first of two, and it stays closed. */
static void
test_escape (TestWindow *self, gconstpointer data)
{
  test_window_send (self, "hello");
  test_type ("@ma");
  wait_until (is_offered (self));
  test_key ("Escape");
  wait_until (!is_offered (self));
  g_assert_false (test_window_has_toast (self, "Press Esc again to abort"));
  test_type ("in");
  test_run_for (300);
  g_assert_false (is_offered (self));
  assert_shows (self, "@main");
  test_key ("Escape");
  wait_until (test_window_has_toast (self, "Press Esc again to abort"));
  test_key ("Escape");
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);
}

/* Addresses, what no file has, and chats without a folder. */
static void
test_none (TestWindow *self, gconstpointer data)
{
  test_type ("mail ada@");
  test_run_for (300);
  g_assert_false (is_offered (self));
  test_type ("m @zzz");
  test_run_for (500);
  g_assert_false (is_offered (self));
  test_key ("Return");
  wait_until (fake_provider_is_waiting (self->provider));
  fake_provider_text (self->provider, "Yes");
  fake_provider_end (self->provider);
  wait_until (gadget_session_get_active_run (gadget_window_get_session (self->window)) == NULL);

  gadget_session_set_workspace (gadget_window_get_session (self->window), NULL);
  test_type ("@");
  test_run_for (300);
  g_assert_false (is_offered (self));
}

/* A folder that hangs must not take a thread for each "@": what is being read is left to be read.
 */
static void
test_read_once (TestWindow *self, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));

  for (guint i = 0; i < 3; i++)
    {
      gtk_text_buffer_insert_at_cursor (buffer, "@", -1);
      g_assert_cmpuint (g_hash_table_size (self->composer->reading_from), ==, 1);
      gtk_text_buffer_insert_at_cursor (buffer, " ", -1);
      g_assert_cmpint (self->composer->mention_offset, ==, -1);
      g_assert_false (g_cancellable_is_cancelled (self->composer->reading));
    }
  wait_until (self->composer->files != NULL);
  g_assert_cmpuint (g_hash_table_size (self->composer->reading_from), ==, 0);
  test_type ("@");
  wait_until (is_offered (self));
}

/* The model reads what is written: letters stay letters. */
static void
test_letters (TestWindow *self, gconstpointer data)
{
  put (self, "gr\u00fc\u00df \"a\\b\".txt");
  test_type ("@gr");
  wait_until (is_selected (self, "gr\u00fc\u00df \"a\\b\".txt"));
  test_key ("Tab");
  assert_shows (self, "@\"gr\u00fc\u00df \\\"a\\\\b\\\".txt\" ");
}

/* Whoever goes elsewhere has no use for it. */
static void
test_focus_leaves (TestWindow *self, gconstpointer data)
{
  test_type ("@");
  wait_until (is_offered (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->composer->attach_button));
  wait_until (!is_offered (self));
  gadget_composer_clear (self->composer);
  gtk_widget_grab_focus (self->text);
  test_type ("/");
  wait_until (gtk_widget_get_mapped (GTK_WIDGET (self->composer->command_popover)));
  gtk_widget_grab_focus (GTK_WIDGET (self->composer->attach_button));
  wait_until (!gtk_widget_get_mapped (GTK_WIDGET (self->composer->command_popover)));
}

static void
test_no_ripgrep (TestWindow *self, gconstpointer data)
{
  GadgetRipgrep *ripgrep = gadget_commands_get_ripgrep (gadget_engine_get_commands (self->engine));

  gadget_ripgrep_set_program (ripgrep, "/nonexistent/rg");
  test_type ("@");
  wait_until (test_window_has_toast (self, "To mention files by name, install “ripgrep”"));
  g_assert_false (is_offered (self));
}

#define add(path, function)                                                                        \
  g_test_add ("/ui/mentions/" path, TestWindow, NULL, set_up, function, test_window_tear_down)

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  add ("choose", test_choose);
  add ("choose-typed", test_choose_typed);
  add ("grows", test_grows);
  add ("attach", test_attach);
  add ("move", test_move);
  add ("escape", test_escape);
  add ("none", test_none);
  add ("read-once", test_read_once);
  add ("letters", test_letters);
  add ("focus-leaves", test_focus_leaves);
  add ("no-ripgrep", test_no_ripgrep);

  return g_test_run ();
}
