/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes of files: the line of the call, and the difference below it. */

#include "config.h"

#include "gadget-test-ui.h"
#include "test-window.h"

#include "transcript/gadget-diff-view.h"
#include "transcript/gadget-diff.h"
#include "transcript/gadget-transcript-private.h"

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
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  fixture->session = gadget_session_new ("s");
  fixture->turn = gadget_turn_new ("turn-1", "Do it.");
  gadget_session_append (fixture->session, fixture->turn);
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  fixture->window = gadget_test_window_new (scrolled, 720, 600);
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
}

static void
add_change (Fixture *fixture, const char *name, const char *summary, const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("call-1", name);

  gadget_item_append_arguments (item, "{\"path\": \"a.c\"}");
  gadget_item_set_status (item, GADGET_ITEM_RUNNING);
  gadget_turn_append (fixture->turn, item);
  gadget_item_append_text (item, text, -1);
  gadget_item_take_call_summary (item,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, summary, NULL));
  gadget_item_set_result (item, "Edited a.c: 1 lines added, 1 removed.");
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  gadget_test_wait_frames (fixture->window, 3);
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
  sideways = gtk_scrolled_window_get_hadjustment (
      GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW)));
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
  gtk_widget_grab_focus (gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW));
  test_key ("ctrl+Right");
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (sideways), >, 0);
  gtk_adjustment_set_value (sideways, 0);
  test_xdo ("keydown", "shift", "click", "5", "keyup", "shift", NULL);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (sideways), >, 0);
  g_assert_cmpfloat (gtk_adjustment_get_value (chat), ==, top);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  g_test_add_func ("/ui/diff/counts", test_counts);
  g_test_add_func ("/ui/diff/range", test_range);
#define ADD(name, func) g_test_add ("/ui/diff/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("row", test_row);
  ADD ("others", test_others);
  ADD ("folded", test_folded);
  ADD ("wheel", test_wheel);
  return g_test_run ();
}
