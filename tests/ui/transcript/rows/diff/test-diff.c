/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes of files: the line of the call, and the difference below it. */

#include "config.h"

#include "diff-fixture.h"

#include "ui/text/gadget-selectable-text.h"
#include "ui/transcript/model/gadget-diff.h"
#include "ui/transcript/rows/ask/gadget-ask-body.h"
#include "ui/transcript/rows/diff/gadget-diff-gutter.h"
#include "ui/transcript/rows/diff/gadget-diff-view.h"

#include <adwaita.h>
#include <math.h>

#define CREATED "--- /dev/null\n+++ a.c\n@@ -0,0 +1,2 @@\n+one\n+two\n"

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

static void
test_range (void)
{
  g_autofree char *small = dup_range (SMALL, FALSE);
  g_autofree char *nothing = dup_range ("--- a", FALSE);
  g_autofree char *created = dup_range (CREATED, FALSE);
  g_autofree char *medium = diff_make_diff (40);
  g_autofree char *large = diff_make_diff (41);
  g_autofree char *folded = dup_range (large, FALSE);
  g_autofree char *whole = dup_range (large, TRUE);

  g_assert_cmpstr (small, ==, &SMALL[strlen ("--- a.c\n+++ a.c\n")]);
  g_assert_cmpstr (nothing, ==, "");
  /* Where a new file begins needs not be said. */
  g_assert_cmpstr (created, ==, "+one\n+two\n");
  g_assert_cmpuint (gadget_diff_count_folded (medium, strlen (medium)), ==, 0);
  g_assert_cmpuint (gadget_diff_count_folded (large, strlen (large)), ==, 41);
  g_assert_true (g_str_has_suffix (folded, "+line 22\n+line 23\n"));
  g_assert_true (g_str_has_suffix (whole, "+line 40\n"));
  g_assert_true (g_str_has_prefix (folded, "+line 0\n"));
}

/* --- Rows --------------------------------------------------------------------------------------
 */

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
test_row (Fixture *fixture, gconstpointer data)
{
  GtkWidget *line;
  g_autofree char *text = NULL;

  diff_add_change (fixture, "edit_file", "Edited \u2068a.c\u2069 · +1 −1", SMALL);
  line = GTK_WIDGET (diff_find_row (fixture, GADGET_ROW_KIND_TOOL));
  g_assert_nonnull (test_find_label (line, "+1"));
  g_assert_nonnull (test_find_label (line, "−1"));
  g_assert_cmpstr (gadget_selectable_text_get_text (gadget_row_get_piece (GADGET_ROW (line))), ==,
                   "Edited \u2068a.c\u2069");
  /* Nothing is built for what is folded. */
  g_assert_null (test_find (fixture->window, is_diff_view, NULL));

  diff_open_row (fixture);
  g_assert_nonnull (test_find (fixture->window, is_diff_view, NULL));
  g_assert_null (diff_find_row (fixture, GADGET_ROW_KIND_TOOL_ARGUMENTS));
  g_assert_null (diff_find_row (fixture, GADGET_ROW_KIND_TOOL_OUTPUT));
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
  diff_add_change (fixture, "shell", "Ran \u2068diff\u2069", SMALL);
  diff_open_row (fixture);
  g_assert_null (diff_find_row (fixture, GADGET_ROW_KIND_DIFF));
  g_assert_nonnull (diff_find_row (fixture, GADGET_ROW_KIND_TOOL_OUTPUT));
}

static gsize
get_shown_length (Fixture *fixture)
{
  return gadget_selectable_text_get_length (
      gadget_row_get_piece (diff_find_row (fixture, GADGET_ROW_KIND_DIFF)));
}

static void
test_folded (Fixture *fixture, gconstpointer data)
{
  g_autofree char *diff = diff_make_diff (60);
  GtkWidget *label;
  gsize folded;

  diff_add_change (fixture, "write_file", "Wrote \u2068a.c\u2069 · +60 −0", diff);
  diff_open_row (fixture);
  folded = get_shown_length (fixture);
  label = test_find_label (fixture->window, "Show All 60 Lines");
  g_assert_nonnull (label);
  test_click (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON));
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpuint (get_shown_length (fixture), ==,
                    strlen (diff) - strlen ("--- a\n+++ a\n") - strlen ("\n"));
  label = test_find_label (GTK_WIDGET (diff_find_row (fixture, GADGET_ROW_KIND_DIFF)), "Show Less");
  g_assert_nonnull (label);
  gadget_row_set_expanded (diff_find_row (fixture, GADGET_ROW_KIND_DIFF), FALSE);
  gadget_test_wait_frames (fixture->window, 3);
  g_assert_cmpuint (get_shown_length (fixture), ==, folded);
  /* The call itself is still unfolded. */
  g_assert_nonnull (diff_find_row (fixture, GADGET_ROW_KIND_DIFF));
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
  diff_add_change (fixture, "write_file", "Wrote \u2068a.c\u2069 · +60 −0", text->str);
  diff_open_row (fixture);
  gadget_row_set_expanded (diff_find_row (fixture, GADGET_ROW_KIND_DIFF), TRUE);
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
  GadgetSelectableText *piece;
  guint comment;

  diff_add_change (fixture, "edit_file", NULL, CODE);
  diff_open_row (fixture);
  piece = gadget_row_get_piece (diff_find_row (fixture, GADGET_ROW_KIND_DIFF));
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
  GadgetSelectableText *piece;
  guint comment;

  for (guint i = 0; i < 57; i++)
    g_string_append_printf (text, "+line %u;\n", i);
  g_string_append (text, "+ends */\n+int last;\n");
  diff_add_change (fixture, "write_file", NULL, text->str);
  diff_open_row (fixture);
  piece = gadget_row_get_piece (diff_find_row (fixture, GADGET_ROW_KIND_DIFF));
  code_fixture_wait_color (piece, "/* begins");
  comment = code_fixture_get_color (piece, "/* begins");
  gadget_row_set_expanded (diff_find_row (fixture, GADGET_ROW_KIND_DIFF), TRUE);
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
  return GADGET_IS_SELECTABLE_TEXT (widget);
}

/* A permission has the same colors in front of the same tints, and the same text as without. */
static void
test_card_colors (void)
{
  static const char body[] =
      "@@ -1,2 +1,2 @@\n-/* an old */ int a;\n+/* a new */ int a;\n /* same */\n";
  GtkWidget *view = gadget_ask_body_new (GADGET_PROMPT_BODY_DIFF, "/home/u/a.c", body);
  GtkWidget *window = gadget_test_window_new (view, 600, 200);
  GadgetSelectableText *piece = GADGET_SELECTABLE_TEXT (test_find (view, is_piece, NULL));
  guint comment;

  code_fixture_wait_color (piece, "/* same */");
  comment = code_fixture_get_color (piece, "/* same */");
  g_assert_cmpuint (code_fixture_get_color (piece, "/* an old */"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, "/* a new */"), ==, comment);
  g_assert_cmpuint (code_fixture_get_color (piece, " a;"), ==, G_MAXUINT);
  g_assert_nonnull (
      strstr (gadget_selectable_text_get_text (piece), "    1 + /* a new */ int a;\n"));
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

static int
get_x (GadgetSelectableText *piece, const char *needle)
{
  const char *text = gadget_selectable_text_get_text (piece);
  const char *found = strstr (text, needle);
  PangoRectangle rectangle;

  g_assert_nonnull (found);
  pango_layout_index_to_pos (gadget_selectable_text_get_layout (piece), (int) (found - text),
                             &rectangle);
  return rectangle.x;
}

/* The sign does not touch the text of its line, and all lines begin where the others do. */
static void
test_new_file (Fixture *fixture, gconstpointer data)
{
  GadgetSelectableText *piece;
  GtkWidget *gutter;

  diff_add_change (fixture, "write_file", NULL, CREATED);
  diff_open_row (fixture);
  gutter = test_find (fixture->window, is_gutter, NULL);
  assert_numbers (gutter, 0, 0, 1);
  assert_numbers (gutter, 1, 0, 2);
  piece = gadget_row_get_piece (diff_find_row (fixture, GADGET_ROW_KIND_DIFF));
  g_assert_cmpint (get_x (piece, "one") - get_x (piece, "+one"), >,
                   get_x (piece, "wo") - get_x (piece, "two") + 3 * PANGO_SCALE);
  g_assert_cmpint (get_x (piece, "one"), ==, get_x (piece, "two"));
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  GtkWidget *gutter;
  int wide, narrow, natural;

  diff_add_change (fixture, "edit_file", NULL, CODE);
  diff_open_row (fixture);
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

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);

  g_test_add_func ("/ui/diff/counts", test_counts);
  g_test_add_func ("/ui/diff/range", test_range);
  g_test_add_func ("/ui/diff/card-colors", test_card_colors);
#define ADD(name, func)                                                                            \
  g_test_add ("/ui/diff/" name, Fixture, NULL, diff_set_up, func, diff_tear_down)
  ADD ("row", test_row);
  ADD ("others", test_others);
  ADD ("folded", test_folded);
  ADD ("wheel", test_wheel);
  ADD ("colors", test_colors);
  ADD ("colors-unfolded", test_colors_unfolded);
  ADD ("numbers", test_numbers);
  ADD ("new-file", test_new_file);
  return g_test_run ();
}
