/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that calls changed or read: their differences are copied, and they are opened. */

#include "config.h"

#include "diff-fixture.h"

#include "ui/text/gadget-text-link.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* --- What can be done with it ------------------------------------------------------------------
 */

static void
test_copy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *diff = diff_make_diff (60);
  CodeFixture code = { .window = fixture->window };
  g_autofree char *copied = NULL;
  GtkWidget *button;

  diff_add_change (fixture, "write_file", NULL, diff);
  diff_open_row (fixture);
  button = diff_find_button (fixture, "Copy Patch");
  g_assert_nonnull (button);
  test_click (button);
  copied = code_fixture_dup_clipboard (&code);
  g_assert_cmpstr (copied, ==, diff);
}

/* A part of a patch is none. */
static void
test_no_copy (Fixture *fixture, gconstpointer data)
{
  diff_add_change (fixture, "write_file", NULL,
                   SMALL "[The rest of the difference is not shown.]\n");
  diff_open_row (fixture);
  g_assert_null (diff_find_button (fixture, "Copy Patch"));
}

static char *
put_file (Fixture *fixture, const char *name, const char *text, int mode)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
  return path;
}

static void
open_file (Fixture *fixture)
{
  GtkWidget *button = diff_find_button (fixture, "Open File");

  g_assert_nonnull (button);
  g_clear_pointer (&fixture->opened, g_free);
  test_click (button);
}

/* A file that may be run is shown where it is, and one that is gone is not there. */
static void
test_open (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = put_file (fixture, "a.c", "int x;\n", 0644);
  g_autofree char *in_folder = g_strconcat ("folder of ", path, NULL);

  diff_add_change (fixture, "edit_file", NULL, SMALL);
  diff_open_row (fixture);
  open_file (fixture);
  wait_until (fixture->opened != NULL);
  g_assert_cmpstr (fixture->opened, ==, path);
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  open_file (fixture);
  wait_until (fixture->opened != NULL);
  g_assert_cmpstr (fixture->opened, ==, in_folder);
  g_assert_cmpint (g_unlink (path), ==, 0);
  open_file (fixture);
  wait_until (test_find_label (fixture->window, "“a.c” is no longer there") != NULL);
  g_assert_null (fixture->opened);
}

/* What became a link meanwhile does not lead out of the folder. */
static void
test_open_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "a.c", NULL);

  g_assert_cmpint (symlink ("/etc/passwd", path), ==, 0);
  diff_add_change (fixture, "edit_file", NULL, SMALL);
  diff_open_row (fixture);
  open_file (fixture);
  wait_until (test_find_label (fixture->window, "“a.c” could not be opened") != NULL);
  g_assert_null (fixture->opened);
}

/* Words of whoever wrote them are no path of a tool. */
static void
test_open_words (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = put_file (fixture, "a.c", "int x;\n", 0644);

  diff_add_change (fixture, "edit_file", "Edited \u2068a.c\u2069 · +1 −1", SMALL);
  diff_open_row (fixture);
  g_assert_null (diff_find_button (fixture, "Open File"));
}

/* --- The line ----------------------------------------------------------------------------------
 */

static gboolean
is_link (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_TEXT_LINK (widget);
}

static GtkWidget *
find_link (Fixture *fixture)
{
  return test_find (GTK_WIDGET (diff_find_row (fixture, GADGET_ROW_KIND_TOOL)), is_link, NULL);
}

static gboolean
is_open (Fixture *fixture)
{
  return diff_find_row (fixture, GADGET_ROW_KIND_DIFF) != NULL;
}

/* The name of the file opens it; the rest of the line unfolds what was done, as ever. */
static void
test_line (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = put_file (fixture, "a.c", "int x;\n", 0644);
  GtkWidget *link;

  diff_add_change (fixture, "edit_file", NULL, SMALL);
  link = find_link (fixture);
  g_assert_nonnull (link);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (link), ==, path);
  test_click (link);
  wait_until (fixture->opened != NULL);
  g_assert_cmpstr (fixture->opened, ==, path);
  g_assert_false (is_open (fixture));
  g_clear_pointer (&fixture->opened, g_free);
  /* The second press of a double click is none on the line. */
  test_run_for (1000);
  test_xdo ("click", "--repeat", "2", "--delay", "60", "1", NULL);
  wait_until (fixture->opened != NULL);
  gadget_test_wait_frames (fixture->window, 5);
  g_assert_false (is_open (fixture));
  g_clear_pointer (&fixture->opened, g_free);
  test_click (test_find_label (GTK_WIDGET (diff_find_row (fixture, GADGET_ROW_KIND_TOOL)), "+1"));
  wait_until (is_open (fixture));
  g_assert_null (fixture->opened);
}

/* The chat has another folder by now, and that one has a file of the same name. */
static void
test_line_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = put_file (fixture, "a.c", "int x;\n", 0644);
  g_autofree char *other = test_dir_new ();
  g_autofree char *other_path = g_build_filename (other, "a.c", NULL);

  g_assert_true (g_file_set_contents (other_path, "int y;\n", -1, NULL));
  diff_add_change (fixture, "edit_file", NULL, SMALL);
  gadget_session_set_workspace (fixture->session, other);
  diff_open_row (fixture);
  test_click (find_link (fixture));
  wait_until (fixture->opened != NULL);
  g_assert_cmpstr (fixture->opened, ==, path);
  open_file (fixture);
  wait_until (fixture->opened != NULL);
  g_assert_cmpstr (fixture->opened, ==, path);
  test_dir_free (g_steal_pointer (&other));
}

/* No stop more on the way through the rows; the menu of the row has it. */
static void
test_line_keys (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = put_file (fixture, "a.c", "int x;\n", 0644);
  GtkWindow *window = GTK_WINDOW (fixture->window);
  GtkWidget *row;
  GtkWidget *label;

  diff_add_change (fixture, "edit_file", NULL, SMALL);
  row = GTK_WIDGET (diff_find_row (fixture, GADGET_ROW_KIND_TOOL));
  gtk_widget_grab_focus (row);
  test_key ("Tab");
  wait_until (GTK_IS_BUTTON (gtk_window_get_focus (window)));
  test_key ("Tab");
  wait_until (!GTK_IS_BUTTON (gtk_window_get_focus (window)));
  g_assert_false (GADGET_IS_TEXT_LINK (gtk_window_get_focus (window)));
  gtk_widget_grab_focus (row);
  test_key ("shift+F10");
  wait_until ((label = test_find_label (fixture->window, "Open File")) != NULL);
  test_click (label);
  wait_until (fixture->opened != NULL);
  g_assert_cmpstr (fixture->opened, ==, path);
}

/* A name that a tool of somebody else gives, words, what failed, and what is no file lead nowhere.
 */
static void
test_line_none (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *tool;
    GadgetCallSummaryKind kind;
    GadgetCallOutcome outcome;
    const char *subject;
  } cases[] = {
    { "forge__read_file", GADGET_CALL_SUMMARY_READ_LINES, GADGET_CALL_OUTCOME_NONE, "a.c" },
    { "shell", GADGET_CALL_SUMMARY_RAN, GADGET_CALL_OUTCOME_NONE, "a.c" },
    { "read_file", GADGET_CALL_SUMMARY_TEXT, GADGET_CALL_OUTCOME_NONE,
      "Read \u2068/etc/passwd\u2069" },
    { "read_file", GADGET_CALL_SUMMARY_READ_LINES, GADGET_CALL_OUTCOME_FAILED, "a.c" },
    { "edit_file", GADGET_CALL_SUMMARY_EDITING, GADGET_CALL_OUTCOME_NOT_ALLOWED, "a.c" },
    { "read_file", GADGET_CALL_SUMMARY_READING, GADGET_CALL_OUTCOME_NONE, "a.c" },
    { "list_dir", GADGET_CALL_SUMMARY_LISTED, GADGET_CALL_OUTCOME_NONE, "." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GadgetCallSummary *summary =
          diff_with_path (gadget_call_summary_new (cases[i].kind, cases[i].subject, NULL), fixture);

      summary->outcome = cases[i].outcome;
      diff_add_call (fixture, cases[i].tool, summary, "");
    }
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_nonnull (diff_find_row (fixture, GADGET_ROW_KIND_TOOL));
  g_assert_null (test_find (fixture->window, is_link, NULL));
}

/* What opening a file would run, or hand to what runs it, is shown where it is. */
static void
test_line_runs (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *text;
    int mode;
    gboolean in_folder;
  } cases[] = {
    { "notes.txt", "A note.\n", 0644, FALSE },
    { "list.json", "{}\n", 0644, FALSE },
    { "page.html", "<html></html>\n", 0644, FALSE },
    { "data.toml", "a = 1\n", 0644, FALSE },
    { "picture.svg", "<svg/>\n", 0644, FALSE },
    { "new.c", "", 0644, FALSE },
    { "build.sh", "#!/bin/sh\n", 0644, FALSE },
    { "run.sh", "#!/bin/sh\n", 0755, TRUE },
    { "notes.desktop", "[Desktop Entry]\nType=Application\nName=Notes\nExec=true\n", 0644, TRUE },
    { "notes.jar", "PK\003\004", 0644, TRUE },
    { "notes.exe", "MZ", 0644, TRUE },
    { "notes", "\177ELF\002\001\001", 0644, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = put_file (fixture, cases[i].name, cases[i].text, cases[i].mode);
      g_autofree char *in_folder = g_strconcat ("folder of ", path, NULL);

      gtk_widget_activate_action (GTK_WIDGET (fixture->transcript), "transcript.open-file", "s",
                                  path);
      wait_until (fixture->opened != NULL);
      g_assert_cmpstr (fixture->opened, ==, cases[i].in_folder ? in_folder : path);
      g_clear_pointer (&fixture->opened, g_free);
    }
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

#define ADD(name, func)                                                                            \
  g_test_add ("/ui/diff/" name, Fixture, NULL, diff_set_up, func, diff_tear_down)
  ADD ("copy", test_copy);
  ADD ("no-copy", test_no_copy);
  ADD ("open", test_open);
  ADD ("open-link", test_open_link);
  ADD ("open-words", test_open_words);
  ADD ("line", test_line);
  ADD ("line-folder", test_line_folder);
  ADD ("line-keys", test_line_keys);
  ADD ("line-none", test_line_none);
  ADD ("line-runs", test_line_runs);
  return g_test_run ();
}
