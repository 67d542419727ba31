/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes of files: the line of the call, and the difference below it. */

#include "config.h"

#include "code-fixture.h"
#include "gadget-test-ui.h"
#include "test-store.h"
#include "test-wait.h"
#include "test-window.h"
#include "wait.h"

#include "transcript/ask/gadget-ask-body.h"
#include "transcript/diff/gadget-diff-gutter.h"
#include "transcript/diff/gadget-diff-view.h"
#include "transcript/diff/gadget-diff.h"
#include "transcript/gadget-text-link.h"
#include "transcript/gadget-transcript-private.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#define SMALL "--- a.c\n+++ a.c\n@@ -1,3 +1,3 @@\n int\n-old (void);\n+new (void);\n \n"

/* --- Lines -------------------------------------------------------------------------------------
 */

static void
assert_counts (const char *summary, const char *text, guint n_added, guint n_removed)
{
  g_autofree char *rest = NULL;
  guint added = 0;
  guint removed = 0;
  gsize length = 0;

  g_assert_true (gadget_diff_split_counts (summary, &length, &added, &removed));
  rest = g_strndup (summary, length);
  g_assert_cmpstr (rest, ==, text);
  g_assert_cmpuint (added, ==, n_added);
  g_assert_cmpuint (removed, ==, n_removed);
}

static void
test_counts (void)
{
  static const char *const others[] = { "",
                                        "Wrote a · 12 lines",
                                        "Wrote a · +12",
                                        "Wrote a · +12 -3",
                                        "Wrote a · +12 −3 lines",
                                        "Wrote a · + −3",
                                        "Ran make · +1 −1 · 3 s" };
  gsize length;
  guint n_added, n_removed;

  assert_counts ("Edited a · +12 −3", "Edited a", 12, 3);
  assert_counts ("Created a · +1 −1 · +4 −0", "Created a · +1 −1", 4, 0);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (gadget_diff_split_counts (others[i], &length, &n_added, &n_removed));
}

static char *
dup_range (const char *text, gboolean whole)
{
  gsize start = 0;
  gsize end = 0;

  gadget_diff_get_range (text, strlen (text), whole, &start, &end);
  return g_strndup (text + start, end - start);
}

static char *
make_diff (guint n_lines)
{
  GString *text = g_string_new ("--- a\n+++ a\n");

  for (guint i = 0; i < n_lines; i++)
    g_string_append_printf (text, "+line %u\n", i);
  return g_string_free_and_steal (text);
}

static void
test_range (void)
{
  g_autofree char *small = dup_range (SMALL, FALSE);
  g_autofree char *nothing = dup_range ("--- a", FALSE);
  g_autofree char *medium = make_diff (40);
  g_autofree char *large = make_diff (41);
  g_autofree char *folded = dup_range (large, FALSE);
  g_autofree char *whole = dup_range (large, TRUE);

  g_assert_cmpstr (small, ==, &SMALL[strlen ("--- a.c\n+++ a.c\n")]);
  g_assert_cmpstr (nothing, ==, "");
  g_assert_cmpuint (gadget_diff_count_folded (medium, strlen (medium)), ==, 0);
  g_assert_cmpuint (gadget_diff_count_folded (large, strlen (large)), ==, 41);
  g_assert_true (g_str_has_suffix (folded, "+line 22\n+line 23\n"));
  g_assert_true (g_str_has_suffix (whole, "+line 40\n"));
  g_assert_true (g_str_has_prefix (folded, "+line 0\n"));
}

/* --- Rows --------------------------------------------------------------------------------------
 */

typedef struct
{
  GadgetSession *session;
  GadgetTurn *turn;
  GtkWidget *window;
  GadgetTranscript *transcript;
  char *folder;
  char
      *opened; /* (nullable): the path of what was opened, behind "folder of " where it was shown */
} Fixture;

static gboolean
open_file_cb (GadgetTranscript *transcript, const char *path, gboolean in_folder, Fixture *fixture)
{
  g_free (fixture->opened);
  fixture->opened = g_strconcat (in_folder ? "folder of " : "", path, NULL);
  return TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *toasts = adw_toast_overlay_new ();

  fixture->folder = test_dir_new ();
  fixture->session = gadget_session_new ("s");
  gadget_session_set_workspace (fixture->session, fixture->folder);
  fixture->turn = gadget_turn_new ("turn-1", "Do it.");
  gadget_session_append (fixture->session, fixture->turn);
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  g_signal_connect (fixture->transcript, "open-file", G_CALLBACK (open_file_cb), fixture);
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (toasts), scrolled);
  fixture->window = gadget_test_window_new (toasts, 720, 600);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  GtkWidget *transcript = GTK_WIDGET (fixture->transcript);

  g_object_add_weak_pointer (G_OBJECT (transcript), (gpointer *) &transcript);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (transcript);
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
  test_dir_free (fixture->folder);
  g_free (fixture->opened);
}

static void
add_call (Fixture *fixture, const char *name, GadgetCallSummary *summary, const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call-1", name);

  gadget_item_append_arguments (item, "{\"path\": \"a.c\"}");
  gadget_item_set_step (item, gadget_turn_get_n_items (fixture->turn));
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture->turn, item);
  gadget_item_append_text (item, text, -1);
  gadget_item_take_call_summary (item, summary);
  gadget_item_set_result (item, "Edited a.c: 1 line added, 1 removed.");
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_test_wait_frames (fixture->window, 3);
}

static GadgetCallSummary *
with_path (GadgetCallSummary *summary, Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->folder, "a.c", NULL);

  return gadget_call_summary_with_path (summary, path);
}

/* @summary: in words, or NULL for that of the tool */
static void
add_change (Fixture *fixture, const char *name, const char *summary, const char *text)
{
  add_call (fixture, name,
            summary != NULL ? gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summary, NULL)
                            : with_path (gadget_call_summary_new_with_numbers (
                                             GADGET_CALL_SUMMARY_EDITED, "a.c", 1, 1),
                                         fixture),
            text);
}

static GadgetRow *
find_row (Fixture *fixture, GadgetBlockKind kind)
{
  GadgetTranscriptModel *model = fixture->transcript->model;

  for (guint i = 0; i < gadget_transcript_model_get_n_rows (model); i++)
    if (gadget_transcript_model_get_row (model, i)->kind == kind)
      {
        GadgetRealised *row = _gadget_transcript_get_realised (fixture->transcript, i);

        return row != NULL ? row->widget : NULL;
      }
  return NULL;
}

static gboolean
is_diff_view (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_DIFF_VIEW (widget);
}

static gboolean
is_scrolled (GtkWidget *widget, gpointer user_data)
{
  return GTK_IS_SCROLLED_WINDOW (widget);
}

static void
open_row (Fixture *fixture)
{
  gadget_row_set_expanded (find_row (fixture, GADGET_BLOCK_TOOL), TRUE);
  gadget_test_wait_frames (fixture->window, 3);
}

static void
test_row (Fixture *fixture, gconstpointer data)
{
  GtkWidget *line;
  g_autofree char *text = NULL;

  add_change (fixture, "edit_file", "Edited \u2068a.c\u2069 · +1 −1", SMALL);
  line = GTK_WIDGET (find_row (fixture, GADGET_BLOCK_TOOL));
  g_assert_nonnull (test_find_label (line, "+1"));
  g_assert_nonnull (test_find_label (line, "−1"));
  g_assert_cmpstr (gadget_text_piece_get_text (gadget_row_get_piece (GADGET_ROW (line))), ==,
                   "Edited \u2068a.c\u2069");
  /* Nothing is built for what is folded. */
  g_assert_null (test_find (fixture->window, is_diff_view, NULL));

  open_row (fixture);
  g_assert_nonnull (test_find (fixture->window, is_diff_view, NULL));
  g_assert_null (find_row (fixture, GADGET_BLOCK_TOOL_ARGUMENTS));
  g_assert_null (find_row (fixture, GADGET_BLOCK_TOOL_OUTPUT));
  gadget_transcript_select_all (fixture->transcript);
  text = gadget_transcript_dup_selection (fixture->transcript);
  g_assert_cmpstr (text, ==,
                   "Do it.\n\nEdited a.c · +1 −1\n\n@@ -1,3 +1,3 @@\n int\n-old (void);\n"
                   "+new (void);\n \n");

  gadget_row_set_expanded (GADGET_ROW (line), FALSE);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_null (test_find (fixture->window, is_diff_view, NULL));
}

/* The same text from a tool that does not write files is an output like others. */
static void
test_others (Fixture *fixture, gconstpointer data)
{
  add_change (fixture, "shell", "Ran \u2068diff\u2069", SMALL);
  open_row (fixture);
  g_assert_null (find_row (fixture, GADGET_BLOCK_DIFF));
  g_assert_nonnull (find_row (fixture, GADGET_BLOCK_TOOL_OUTPUT));
}

static gsize
get_shown_length (Fixture *fixture)
{
  return gadget_text_piece_get_length (
      gadget_row_get_piece (find_row (fixture, GADGET_BLOCK_DIFF)));
}

static void
test_folded (Fixture *fixture, gconstpointer data)
{
  g_autofree char *diff = make_diff (60);
  GtkWidget *label;
  gsize folded;

  add_change (fixture, "write_file", "Wrote \u2068a.c\u2069 · +60 −0", diff);
  open_row (fixture);
  folded = get_shown_length (fixture);
  label = test_find_label (fixture->window, "Show All 60 Lines");
  g_assert_nonnull (label);
  test_click (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON));
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpuint (get_shown_length (fixture), ==,
                    strlen (diff) - strlen ("--- a\n+++ a\n") - strlen ("\n"));
  label = test_find_label (GTK_WIDGET (find_row (fixture, GADGET_BLOCK_DIFF)), "Show Less");
  g_assert_nonnull (label);
  gadget_row_set_expanded (find_row (fixture, GADGET_BLOCK_DIFF), FALSE);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpuint (get_shown_length (fixture), ==, folded);
  /* The call itself is still unfolded. */
  g_assert_nonnull (find_row (fixture, GADGET_BLOCK_DIFF));
}

/* The wheel scrolls the chat also over a difference that is wider than the column, and that one
 * only sideways, as keys do. */
static void
test_wheel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (SMALL "+");
  GtkAdjustment *chat;
  GtkAdjustment *sideways;
  GtkWidget *view;
  GtkWidget *scrolled;
  double top;

  for (guint i = 0; i < 60; i++)
    g_string_append (text, "a long line ");
  for (guint i = 0; i < 38; i++)
    g_string_append (text, "\n+more");
  add_change (fixture, "write_file", "Wrote \u2068a.c\u2069 · +60 −0", text->str);
  open_row (fixture);
  gadget_row_set_expanded (find_row (fixture, GADGET_BLOCK_DIFF), TRUE);
  gadget_test_wait_frames (fixture->window, 3);
  view = test_find (fixture->window, is_diff_view, NULL);
  chat = fixture->transcript->vadjustment;
  scrolled = test_find (view, is_scrolled, NULL);
  sideways = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled));
  g_assert_cmpfloat (gtk_adjustment_get_upper (sideways), >,
                     gtk_adjustment_get_page_size (sideways) + 100);
  g_assert_cmpfloat (gtk_adjustment_get_upper (chat), >, gtk_adjustment_get_page_size (chat) + 100);
  test_point_at (fixture->window);
  top = gtk_adjustment_get_value (chat);
  test_xdo ("click", "5", "click", "5", NULL);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (chat), >, top);
  g_assert_cmpfloat (gtk_adjustment_get_value (sideways), ==, 0);
  top = gtk_adjustment_get_value (chat);
  test_xdo ("click", "7", "click", "7", NULL);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (sideways), >, 0);
  g_assert_cmpfloat (gtk_adjustment_get_value (chat), ==, top);
  gtk_adjustment_set_value (sideways, 0);
  gtk_widget_grab_focus (scrolled);
  test_key ("ctrl+Right");
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (sideways), >, 0);
  gtk_adjustment_set_value (sideways, 0);
  test_xdo ("keydown", "shift", "click", "5", "keyup", "shift", NULL);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (sideways), >, 0);
  g_assert_cmpfloat (gtk_adjustment_get_value (chat), ==, top);
}

/* --- Code --------------------------------------------------------------------------------------
 */

static double
get_luminance (guint color)
{
  const double parts[] = { ((color >> 16) & 0xff) / 255.0, ((color >> 8) & 0xff) / 255.0,
                           (color & 0xff) / 255.0 };
  const double weights[] = { 0.2126, 0.7152, 0.0722 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    sum += weights[i]
           * (parts[i] <= 0.04045 ? parts[i] / 12.92 : pow ((parts[i] + 0.055) / 1.055, 2.4));
  return sum;
}

static double
get_contrast (guint a, guint b)
{
  const double first = get_luminance (a);
  const double second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

#define CODE                                                                                       \
  "--- a.c\n+++ a.c\n@@ -8,3 +8,4 @@\n /* ends\n-   there */ static int old;\n"                    \
  "+   here */ static int fresh;\n+/* is open\n \n"                                                \
  "@@ -120,2 +121,2 @@\n return 0;\n-\"an old text\"\n+\"a new text\"\n"

/* Each side is colored as the file of which it is, and each hunk by itself. */
static void
test_colors (Fixture *fixture, gconstpointer data)
{
  GadgetTextPiece *piece;
  guint comment;

  add_change (fixture, "edit_file", NULL, CODE);
  open_row (fixture);
  piece = gadget_row_get_piece (find_row (fixture, GADGET_BLOCK_DIFF));
  code_fixture_wait_color (piece, "/* ends");
  comment = code_fixture_get_color (piece, "/* ends");
  g_assert_cmpuint (code_fixture_get_color (piece, "   there */"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "   here */"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, " old;"), ==, G_MAXUINT);
  g_assert_cmpuint (code_fixture_get_color (piece, " fresh;"), ==, G_MAXUINT);
  g_assert_cmpuint (code_fixture_get_color (piece, "/* is open"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "return"), !=, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "return"), !=, G_MAXUINT);
  g_assert_cmpuint (code_fixture_get_color (piece, "\"an old text\""), !=, G_MAXUINT);
  g_assert_cmpuint (code_fixture_get_color (piece, "\"an old text\""), ==,
                    code_fixture_get_color (piece, "\"a new text\""));
  /* The tint of a removed line. */
  g_assert_cmpfloat (get_contrast (comment, 0xf5dfe1), >=, 4.5);

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpuint (code_fixture_get_color (piece, "/* ends"), !=, comment);
  g_assert_cmpfloat (get_contrast (code_fixture_get_color (piece, "/* ends"), 0x263732), >=, 4.5);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpuint (code_fixture_get_color (piece, "/* ends"), ==, comment);
}

/* What is unfolded has its colors by what is above it, and a file without a language has none. */
static void
test_colors_unfolded (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("--- a.c\n+++ a.c\n@@ -1,0 +1,60 @@\n+/* begins\n");
  GadgetTextPiece *piece;
  guint comment;

  for (guint i = 0; i < 57; i++)
    g_string_append_printf (text, "+line %u;\n", i);
  g_string_append (text, "+ends */\n+int last;\n");
  add_change (fixture, "write_file", NULL, text->str);
  open_row (fixture);
  piece = gadget_row_get_piece (find_row (fixture, GADGET_BLOCK_DIFF));
  code_fixture_wait_color (piece, "/* begins");
  comment = code_fixture_get_color (piece, "/* begins");
  gadget_row_set_expanded (find_row (fixture, GADGET_BLOCK_DIFF), TRUE);
  gadget_test_wait_frames (fixture->window, 1);
  g_assert_cmpuint (code_fixture_get_color (piece, "/* begins"), ==, comment);
  code_fixture_wait_color (piece, "ends */");
  g_assert_cmpuint (code_fixture_get_color (piece, "ends */"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "line 40;"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, " last;"), ==, G_MAXUINT);
}

static gboolean
is_piece (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_TEXT_PIECE (widget);
}

/* A permission has the same colors in front of the same tints, and the same text as without. */
static void
test_card_colors (void)
{
  static const char body[] =
      "@@ -1,2 +1,2 @@\n-/* an old */ int a;\n+/* a new */ int a;\n /* same */\n";
  GtkWidget *view = gadget_ask_body_new (GADGET_PROMPT_BODY_DIFF, "/home/u/a.c", body);
  GtkWidget *window = gadget_test_window_new (view, 600, 200);
  GadgetTextPiece *piece = GADGET_TEXT_PIECE (test_find (view, is_piece, NULL));
  guint comment;

  code_fixture_wait_color (piece, "/* same */");
  comment = code_fixture_get_color (piece, "/* same */");
  g_assert_cmpuint (code_fixture_get_color (piece, "/* an old */"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "/* a new */"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, " a;"), ==, G_MAXUINT);
  g_assert_nonnull (strstr (gadget_text_piece_get_text (piece), "    1 + /* a new */ int a;\n"));
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (window);
}

static gboolean
is_gutter (GtkWidget *widget, gpointer user_data)
{
  return GADGET_IS_DIFF_GUTTER (widget);
}

static void
assert_numbers (GtkWidget *gutter, guint line, guint old_number, guint new_number)
{
  guint old_shown = 0;
  guint new_shown = 0;

  gadget_diff_gutter_get_numbers (GADGET_DIFF_GUTTER (gutter), line, &old_shown, &new_shown);
  g_assert_cmpuint (old_shown, ==, old_number);
  g_assert_cmpuint (new_shown, ==, new_number);
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  GtkWidget *gutter;
  int wide, narrow, natural;

  add_change (fixture, "edit_file", NULL, CODE);
  open_row (fixture);
  gutter = test_find (fixture->window, is_gutter, NULL);
  g_assert_nonnull (gutter);
  assert_numbers (gutter, 0, 0, 0);
  assert_numbers (gutter, 1, 8, 8);
  assert_numbers (gutter, 2, 9, 0);
  assert_numbers (gutter, 3, 0, 9);
  assert_numbers (gutter, 4, 0, 10);
  assert_numbers (gutter, 5, 10, 11);
  assert_numbers (gutter, 7, 120, 121);
  assert_numbers (gutter, 9, 0, 122);
  /* Both columns, and where it is narrow the one that counts. */
  gtk_widget_measure (gutter, GTK_ORIENTATION_HORIZONTAL, -1, &narrow, &natural, NULL, NULL);
  wide = gtk_widget_get_width (gutter);
  g_assert_cmpint (wide, ==, natural);
  g_assert_cmpint (narrow, <, natural);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 360, 600);
  wait_until (gtk_widget_get_width (gutter) == narrow);
  g_assert_cmpint (narrow, <, 48);
}

static GtkWidget *
find_button (Fixture *fixture, const char *tooltip)
{
  GtkWidget *button = code_fixture_find_button (fixture->window, tooltip);

  return button != NULL && gtk_widget_get_visible (button) ? button : NULL;
}

/* --- What can be done with it ------------------------------------------------------------------
 */

static void
test_copy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *diff = make_diff (60);
  CodeFixture code = { .window = fixture->window };
  g_autofree char *copied = NULL;
  GtkWidget *button;

  add_change (fixture, "write_file", NULL, diff);
  open_row (fixture);
  button = find_button (fixture, "Copy Patch");
  g_assert_nonnull (button);
  test_click (button);
  copied = code_fixture_dup_clipboard (&code);
  g_assert_cmpstr (copied, ==, diff);
}

/* A part of a patch is none. */
static void
test_no_copy (Fixture *fixture, gconstpointer data)
{
  add_change (fixture, "write_file", NULL, SMALL "[The rest of the difference is not shown.]\n");
  open_row (fixture);
  g_assert_null (find_button (fixture, "Copy Patch"));
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
  GtkWidget *button = find_button (fixture, "Open File");

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

  add_change (fixture, "edit_file", NULL, SMALL);
  open_row (fixture);
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
  add_change (fixture, "edit_file", NULL, SMALL);
  open_row (fixture);
  open_file (fixture);
  wait_until (test_find_label (fixture->window, "“a.c” could not be opened") != NULL);
  g_assert_null (fixture->opened);
}

/* Words of whoever wrote them are no path of a tool. */
static void
test_open_words (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = put_file (fixture, "a.c", "int x;\n", 0644);

  add_change (fixture, "edit_file", "Edited \u2068a.c\u2069 · +1 −1", SMALL);
  open_row (fixture);
  g_assert_null (find_button (fixture, "Open File"));
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
  return test_find (GTK_WIDGET (find_row (fixture, GADGET_BLOCK_TOOL)), is_link, NULL);
}

static gboolean
is_open (Fixture *fixture)
{
  return find_row (fixture, GADGET_BLOCK_DIFF) != NULL;
}

/* The name of the file opens it; the rest of the line unfolds what was done, as ever. */
static void
test_line (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = put_file (fixture, "a.c", "int x;\n", 0644);
  GtkWidget *link;

  add_change (fixture, "edit_file", NULL, SMALL);
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
  test_click (test_find_label (GTK_WIDGET (find_row (fixture, GADGET_BLOCK_TOOL)), "+1"));
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
  add_change (fixture, "edit_file", NULL, SMALL);
  gadget_session_set_workspace (fixture->session, other);
  open_row (fixture);
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

  add_change (fixture, "edit_file", NULL, SMALL);
  row = GTK_WIDGET (find_row (fixture, GADGET_BLOCK_TOOL));
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
          with_path (gadget_call_summary_new (cases[i].kind, cases[i].subject, NULL), fixture);

      summary->outcome = cases[i].outcome;
      add_call (fixture, cases[i].tool, summary, "");
    }
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_nonnull (find_row (fixture, GADGET_BLOCK_TOOL));
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

  g_test_add_func ("/ui/diff/counts", test_counts);
  g_test_add_func ("/ui/diff/range", test_range);
  g_test_add_func ("/ui/diff/card-colors", test_card_colors);
#define ADD(name, func) g_test_add ("/ui/diff/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("row", test_row);
  ADD ("others", test_others);
  ADD ("folded", test_folded);
  ADD ("wheel", test_wheel);
  ADD ("colors", test_colors);
  ADD ("colors-unfolded", test_colors_unfolded);
  ADD ("numbers", test_numbers);
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
