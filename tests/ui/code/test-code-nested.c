/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Blocks of code in lists and quotes: what is above and below them is in their rows, too. */

#include "code-fixture.h"

#include "ui/code/gadget-code-block.h"

#include <adwaita.h>

/* Within lists the lines of the source begin further in. */
static void
test_nested (void)
{
  CodeFixture fixture;
  GadgetSelectableText *piece;

  code_fixture_set_up (&fixture,
                       "1. One:\n\n   ```c\n   int x;\n\n   /* a comment */\n   ```\n\n"
                       "2. Two:\n\n   ```py\n   # another\n   ```\n",
                       FALSE);
  piece = code_fixture_get_piece (&fixture, 1);
  code_fixture_wait_color (piece, "/* a comment */");
  g_assert_cmpuint (code_fixture_get_color (piece, "int"), !=, G_MAXUINT);
  g_assert_cmpuint (code_fixture_get_color (piece, "x;"), ==, G_MAXUINT);
  code_fixture_tear_down (&fixture);
}

/* Some of the lines are blank. (transfer full) */
static char *
make_code (guint n_lines)
{
  GString *code = g_string_new (NULL);

  for (guint i = 0; i < n_lines; i++)
    {
      if (i % 7 < 2)
        g_string_append_c (code, '\n');
      else
        g_string_append_printf (code, "  int line_%u = %u;\n", i, i);
    }
  return g_string_free_and_steal (code);
}

/* Adds @code as a block, each of its lines behind @indent. */
static void
add_block (GString *text, const char *first, const char *indent, const char *code)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);

  g_string_append_printf (text, "%s```c\n", first);
  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    g_string_append_printf (text, "%s%s\n", indent, lines[i]);
  g_string_append_printf (text, "%s```\n", indent);
}

static const char *
get_text (CodeFixture *fixture, guint position)
{
  return gadget_selectable_text_get_text (code_fixture_get_piece (fixture, position));
}

static char *
copy_code (CodeFixture *fixture, guint position)
{
  g_signal_emit_by_name (code_fixture_wait_button (fixture, position, "Copy Code"), "clicked");
  return code_fixture_dup_clipboard (fixture);
}

static void
test_fold (gconstpointer data)
{
  const char *const *container = data;
  CodeFixture fixture;
  g_autofree char *code = make_code (60);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *selected = NULL;
  g_autofree char *source = NULL;
  g_autofree char *copied = NULL;
  GtkWidget *button;

  g_string_append_printf (text, "%sBefore\n%s\n", container[0], container[2]);
  add_block (text, container[1], container[1], code);
  g_string_append_printf (text, "%s\n%sAfter\n", container[2], container[1]);
  code_fixture_set_up (&fixture, text->str, FALSE);
  /* The prompt, the answer, the status. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 3);
  g_assert_nonnull (strstr (get_text (&fixture, 1), "line_19 "));
  g_assert_null (strstr (get_text (&fixture, 1), "line_20 "));
  button = code_fixture_find_button (code_fixture_get_row (&fixture, 1), "Show 40 More Lines");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_focusable (button));
  g_assert_false (
      gtk_widget_get_visible (code_fixture_wait_button (&fixture, 1, "Show Fewer Lines")));

  gadget_transcript_select_all (fixture.transcript);
  selected = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_nonnull (strstr (selected, "int line_19 = 19;\n"));
  g_assert_nonnull (strstr (selected, "int line_20 = 20;\n"));
  g_assert_nonnull (strstr (selected, "After"));
  source = gadget_transcript_dup_selection_source (fixture.transcript);
  g_assert_true (g_str_has_suffix (source, text->str));
  copied = copy_code (&fixture, 1);
  g_strchomp (copied);
  g_assert_true (g_str_has_prefix (code, copied));
  g_assert_nonnull (strstr (copied, "line_59 "));

  g_signal_emit_by_name (button, "clicked");
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_nonnull (strstr (get_text (&fixture, 1), "line_59 "));
  g_assert_false (gtk_widget_get_visible (button));
  button = code_fixture_wait_button (&fixture, 1, "Show Fewer Lines");
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_null (strstr (get_text (&fixture, 1), "line_20 "));
  g_assert_false (gtk_widget_get_visible (button));
  code_fixture_tear_down (&fixture);
}

static void
test_fold_bounds (void)
{
  for (guint lines = 30; lines <= 31; lines++)
    {
      CodeFixture fixture;
      g_autofree char *code = make_code (lines);
      g_autoptr (GString) text = g_string_new (NULL);

      add_block (text, "- ", "  ", code);
      code_fixture_set_up (&fixture, text->str, FALSE);
      g_assert_cmpint (
          code_fixture_find_button (code_fixture_get_row (&fixture, 1), "Show 11 More Lines")
              != NULL,
          ==, lines > 30);
      code_fixture_tear_down (&fixture);
    }
}

/* Each is folded for itself. */
static void
test_fold_two (void)
{
  CodeFixture fixture;
  g_autofree char *first = make_code (40);
  g_autofree char *second = make_code (50);
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *row;

  add_block (text, "1. ", "   ", first);
  add_block (text, "2. ", "   ", second);
  code_fixture_set_up (&fixture, text->str, FALSE);
  row = code_fixture_get_row (&fixture, 1);
  g_signal_emit_by_name (code_fixture_find_button (row, "Show 30 More Lines"), "clicked");
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_null (strstr (get_text (&fixture, 1), "line_39 "));
  g_signal_emit_by_name (code_fixture_find_button (row, "Show 20 More Lines"), "clicked");
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_nonnull (strstr (get_text (&fixture, 1), "line_39 "));
  code_fixture_tear_down (&fixture);
}

/* What came while it was looked at stays open, and can be folded. */
static void
test_fold_streaming (void)
{
  CodeFixture fixture;
  g_autofree char *code = make_code (100);
  g_autoptr (GString) text = g_string_new (NULL);

  add_block (text, "- ", "  ", code);
  code_fixture_set_up (&fixture, "", TRUE);
  for (gsize at = 0; at < text->len; at += 100)
    {
      gadget_item_append_text (fixture.item, text->str + at, (gssize) MIN (100, text->len - at));
      gadget_test_wait_frames (fixture.window, 1);
    }
  gadget_item_set_status (fixture.item, GADGET_ITEM_FINISHED);
  gadget_turn_finish (fixture.turn);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_nonnull (strstr (get_text (&fixture, 1), "line_97 "));
  g_assert_true (
      gtk_widget_get_visible (code_fixture_wait_button (&fixture, 1, "Show Fewer Lines")));
  code_fixture_tear_down (&fixture);
}

static int
get_height (CodeFixture *fixture, guint position)
{
  return gtk_widget_get_height (code_fixture_get_row (fixture, position));
}

/* Also one that is hidden. */
static gboolean
has_header (GtkWidget *widget)
{
  gboolean found = g_str_equal (gtk_widget_get_css_name (widget), "codeheader");

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && !found;
       child = gtk_widget_get_next_sibling (child))
    found = has_header (child);
  return found;
}

/* A block that is cut with its list: one card, of which one row has the buttons. */
static void
test_long (void)
{
  CodeFixture fixture;
  g_autofree char *code = make_code (700);
  g_autofree char *all = g_strconcat ("/* A comment\n", code, "*/\nint last = 0x5f5f;\n", NULL);
  g_autoptr (GString) text = g_string_new ("1. Before\n\n");
  g_autofree char *copied = NULL;
  g_autofree char *selected = NULL;
  GadgetSelectableText *piece;
  guint n_rows;

  add_block (text, "   ", "   ", all);
  g_string_append (text, "\n   After\n");
  code_fixture_set_up (&fixture, text->str, FALSE);
  n_rows = gadget_transcript_model_get_n_rows (fixture.transcript->model);
  g_assert_cmpuint (n_rows, >=, 4);
  g_assert_nonnull (
      code_fixture_find_button (code_fixture_get_row (&fixture, 1), "Show 683 More Lines"));
  g_assert_true (has_header (code_fixture_get_row (&fixture, 1)));
  for (guint i = 2; i + 2 < n_rows; i++)
    {
      g_assert_cmpint (get_height (&fixture, i), ==, 0);
      g_assert_false (has_header (code_fixture_get_row (&fixture, i)));
    }
  copied = copy_code (&fixture, 1);
  g_strchomp (all);
  g_assert_true (g_str_equal (g_strchomp (copied), all));
  gadget_transcript_select_all (fixture.transcript);
  selected = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_nonnull (strstr (selected, "int line_342 = 342;\n"));

  g_signal_emit_by_name (
      code_fixture_find_button (code_fixture_get_row (&fixture, 1), "Show 683 More Lines"),
      "clicked");
  gadget_test_wait_frames (fixture.window, 3);
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 5);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpint (get_height (&fixture, n_rows - 2), >, 100);
  g_assert_false (has_header (code_fixture_get_row (&fixture, n_rows - 2)));
  g_assert_null (
      code_fixture_find_button (code_fixture_get_row (&fixture, n_rows - 2), "Copy Code"));
  code_fixture_wait_color (code_fixture_get_piece (&fixture, n_rows - 2), "0x5f5f");
  /* What began the comment is some rows above. */
  piece = code_fixture_get_piece (&fixture, n_rows - 2);
  g_assert_cmpuint (code_fixture_get_color (piece, "int line_698"), ==,
                    code_fixture_get_color (piece, "*/"));
  g_assert_cmpuint (code_fixture_get_color (piece, "int line_698"), !=, G_MAXUINT);
  code_fixture_tear_down (&fixture);
}

static void
test_wrap (void)
{
  CodeFixture fixture;
  g_autoptr (GString) text = g_string_new ("> ```c\n> int x; /*");
  g_autofree char *copied = NULL;
  GtkWidget *wrap;
  int flat;

  for (guint i = 0; i < 60; i++)
    g_string_append (text, " long");
  g_string_append (text, " */\n> ```\n");
  code_fixture_set_up (&fixture, text->str, FALSE);
  flat = gtk_widget_get_height (GTK_WIDGET (code_fixture_get_piece (&fixture, 1)));
  wrap = code_fixture_wait_button (&fixture, 1, "Wrap Lines");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (wrap), TRUE);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (code_fixture_get_piece (&fixture, 1))), >=,
                   3 * flat);
  copied = copy_code (&fixture, 1);
  g_assert_true (g_str_has_prefix (copied, "int x; /* long long"));
  g_assert_nonnull (code_fixture_wait_button (&fixture, 1, "Save Code…"));
  code_fixture_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  static const char *const list[] = { "- ", "  ", "" };
  static const char *const numbers[] = { "12. ", "    ", "" };
  static const char *const quote[] = { "> ", "> ", ">" };
  static const char *const both[] = { "> - ", ">   ", ">" };

  gadget_test_ui_init (&argc, &argv);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
  g_test_add_func ("/ui/code-nested/colors", test_nested);
  g_test_add_data_func ("/ui/code-nested/fold/list", list, test_fold);
  g_test_add_data_func ("/ui/code-nested/fold/numbers", numbers, test_fold);
  g_test_add_data_func ("/ui/code-nested/fold/quote", quote, test_fold);
  g_test_add_data_func ("/ui/code-nested/fold/both", both, test_fold);
  g_test_add_func ("/ui/code-nested/fold/bounds", test_fold_bounds);
  g_test_add_func ("/ui/code-nested/fold/two", test_fold_two);
  g_test_add_func ("/ui/code-nested/fold/streaming", test_fold_streaming);
  g_test_add_func ("/ui/code-nested/long", test_long);
  g_test_add_func ("/ui/code-nested/wrap", test_wrap);
  return g_test_run ();
}
