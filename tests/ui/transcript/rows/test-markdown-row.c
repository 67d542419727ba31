/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers in Markdown: what their rows show, also while they are written. */

#include "config.h"

#include "gadget-test-ui.h"
#include "markdown-row-fixture.h"
#include "ui/text/gadget-selectable-text.h"

static void
add_shown (GtkWidget *widget, GString *text)
{
  if (GADGET_IS_SELECTABLE_TEXT (widget))
    g_string_append_printf (text, "%s\n",
                            gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_shown (child, text);
}

/* What the texts of the answer are, a line each. */
static char *
dup_shown (Fixture *fixture)
{
  GString *text = g_string_new (NULL);

  for (guint i = 1; markdown_row_get_row (fixture, i) != NULL; i++)
    add_shown (GTK_WIDGET (markdown_row_get_row (fixture, i)), text);
  return g_string_free_and_steal (text);
}

static void
test_looks (void)
{
  Fixture fixture;
  graphene_rect_t title, text, item, inner, quote, code;

  markdown_row_set_up (&fixture, DOCUMENT, FALSE);
  /* The prompt, seven segments, the status. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 9);
  title = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "Title"));
  text = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "Some bold and"));
  item = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "two"));
  inner = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "inner"));
  quote = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "quoted"));
  code = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "int x;\nint y;"));
  g_assert_cmpfloat (title.size.height, >, text.size.height);
  g_assert_cmpfloat (text.origin.x, ==, title.origin.x);
  g_assert_cmpfloat (item.origin.x, ==, text.origin.x + 18);
  g_assert_cmpfloat (inner.origin.x, >=, item.origin.x + 18);
  g_assert_cmpfloat (quote.origin.x, ==, text.origin.x + 15);
  g_assert_cmpfloat (code.origin.x, ==, text.origin.x + 12);
  gtk_test_accessible_assert_role (markdown_row_find_piece (&fixture, "Title"),
                                   GTK_ACCESSIBLE_ROLE_HEADING);
  markdown_row_tear_down (&fixture);
}

/* Several items, and a quote, that begin in one line: each has its marker, at its own place. */
static void
test_markers (void)
{
  static const struct
  {
    const char *text;
    const char *outer;
    const char *inner; /* NULL: none */
  } cases[] = {
    { "- - words", "•", "◦" },       { "1. - words", "1.", "•" }, { "- 7. words", "•", "7." },
    { "- > words", "•", NULL },      { "- # words", "•", NULL },  { "-\n  1) words", "•", "1)" },
    { "> - - words", "•", "◦" },     { "- - - words", "•", "◦" }, { "- a\n- 1. words", "•", "1." },
    { "> 1. > - words", "1.", "•" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture fixture;
      graphene_rect_t words, outer, inner;
      GtkWidget *widget;

      markdown_row_set_up (&fixture, cases[i].text, FALSE);
      words = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "words"));
      widget = markdown_row_find_piece (&fixture, "words");
      while (widget != NULL
             && (!GADGET_IS_SELECTABLE_TEXT (widget)
                 || strcmp (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)),
                            cases[i].outer)
                        != 0))
        widget = gtk_widget_get_prev_sibling (widget);
      outer = markdown_row_get_box (&fixture, widget);
      g_assert_cmpfloat (outer.origin.x, >=, 0);
      g_assert_cmpfloat (outer.origin.x + outer.size.width, <=, words.origin.x - 6);
      g_assert_cmpfloat (outer.origin.y, <, words.origin.y + words.size.height);
      if (strchr (cases[i].text, '#') != NULL)
        g_assert_cmpfloat (outer.origin.y, >, words.origin.y);
      if (cases[i].inner != NULL)
        {
          inner =
              markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, cases[i].inner));
          g_assert_cmpfloat (outer.origin.x + outer.size.width, <=, inner.origin.x);
          g_assert_cmpfloat (inner.origin.x + inner.size.width, <=, words.origin.x - 6);
        }
      else if (strchr (cases[i].text, '>') != NULL)
        /* The quote's bar is between them. */
        g_assert_cmpfloat (outer.origin.x + outer.size.width, <=, words.origin.x - 15 - 6);
      markdown_row_tear_down (&fixture);
    }
}

/* What shows nothing takes no place. */
static void
test_definitions (void)
{
  Fixture fixture, without;
  graphene_rect_t below, expected;

  markdown_row_set_up (&without, "One.\n\nTwo.\n", FALSE);
  expected = markdown_row_get_box (&without, markdown_row_find_piece (&without, "Two."));
  markdown_row_tear_down (&without);
  markdown_row_set_up (
      &fixture, "[a]: https://example.org\n\nOne.\n\n[b]: https://example.org/b\n\nTwo.\n", FALSE);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 6);
  below = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "Two."));
  g_assert_cmpfloat (below.origin.y, ==, expected.origin.y);
  markdown_row_tear_down (&fixture);
}

static void
test_table (void)
{
  Fixture fixture;
  graphene_rect_t header, cell, right;
  GtkWidget *rows;

  markdown_row_set_up (&fixture, "| first | second |\n|---|--:|\n| left cell | right cell |\n",
                       FALSE);
  header = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "first"));
  cell = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "left cell"));
  right = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "right cell"));
  gtk_test_accessible_assert_role (markdown_row_find_piece (&fixture, "first"),
                                   GTK_ACCESSIBLE_ROLE_COLUMN_HEADER);
  gtk_test_accessible_assert_role (markdown_row_find_piece (&fixture, "left cell"),
                                   GTK_ACCESSIBLE_ROLE_CELL);
  rows = gtk_widget_get_parent (markdown_row_find_piece (&fixture, "left cell"));
  gtk_test_accessible_assert_role (rows, GTK_ACCESSIBLE_ROLE_ROW_GROUP);
  gtk_test_accessible_assert_role (gtk_widget_get_parent (rows), GTK_ACCESSIBLE_ROLE_TABLE);
  g_assert_cmpfloat (header.origin.x, ==, cell.origin.x);
  g_assert_cmpfloat (cell.origin.y, >, header.origin.y + header.size.height);
  g_assert_cmpfloat (cell.origin.y, ==, right.origin.y);
  g_assert_cmpfloat (right.origin.x, >=, cell.origin.x + cell.size.width + 24);
  gadget_transcript_select_all (fixture.transcript);
  {
    g_autofree char *text = gadget_transcript_dup_selection (fixture.transcript);

    g_assert_cmpstr (text, ==, "?\n\nfirst\tsecond\nleft cell\tright cell");
  }
  markdown_row_tear_down (&fixture);
}

static guint
get_layout_serial (GtkWidget *piece)
{
  g_assert_nonnull (piece);
  return pango_layout_get_serial (
      gadget_selectable_text_get_layout (GADGET_SELECTABLE_TEXT (piece)));
}

/* Rows that are there are not laid out again while others come, but for a column that grows. */
static void
test_table_grows (void)
{
  Fixture fixture;
  GtkWidget *name, *last;
  graphene_rect_t before, after;
  guint name_serial;

  markdown_row_set_up (&fixture, "| name | number |\n|---|---|\n| first | 1 |\n", TRUE);
  name = markdown_row_find_piece (&fixture, "first");
  name_serial = get_layout_serial (name);
  for (guint i = 2; i <= 100; i++)
    {
      g_autofree char *row = g_strdup_printf ("| next | %u |\n", i);

      gadget_item_append_text (fixture.item, row, -1);
      gadget_test_wait_frames (fixture.window, 1);
    }
  gadget_test_wait_frames (fixture.window, 20);
  g_assert_true (markdown_row_find_piece (&fixture, "first") == name);
  g_assert_cmpuint (get_layout_serial (name), ==, name_serial);
  last = markdown_row_find_piece (&fixture, "100");
  before = markdown_row_get_box (&fixture, last);
  g_assert_cmpfloat (
      before.origin.y, >,
      markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "99")).origin.y);

  /* A longer name moves the numbers of all rows, also of those of other groups. */
  gadget_item_append_text (fixture.item, "| a name that is longer | 101 |\n", -1);
  gadget_test_wait_frames (fixture.window, 20);
  after = markdown_row_get_box (&fixture, last);
  g_assert_cmpfloat (after.origin.x, >, before.origin.x);
  g_assert_cmpfloat (
      markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "50")).origin.x, ==,
      after.origin.x);
  g_assert_cmpfloat (
      markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, "101")).origin.x, ==,
      after.origin.x);
  markdown_row_tear_down (&fixture);
}

/* A table is as wide as its text, and the rest of the chat's width is free behind its end. */
static void
check_direction (const char *text, const char *first, const char *second, gboolean mirrored)
{
  Fixture fixture;
  graphene_rect_t column, next, all;

  markdown_row_set_up (&fixture, text, FALSE);
  all = markdown_row_get_box (&fixture, GTK_WIDGET (markdown_row_get_row (&fixture, 1)));
  column = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, first));
  next = markdown_row_get_box (&fixture, markdown_row_find_piece (&fixture, second));
  if (mirrored)
    {
      g_assert_cmpfloat (next.origin.x + next.size.width, <, column.origin.x);
      g_assert_cmpfloat (column.origin.x, >, all.origin.x + all.size.width / 2);
    }
  else
    {
      g_assert_cmpfloat (column.origin.x + column.size.width, <, next.origin.x);
      g_assert_cmpfloat (next.origin.x + next.size.width, <, all.origin.x + all.size.width / 2);
    }
  markdown_row_tear_down (&fixture);
}

#define HEBREW "| 1 | \327\251\327\235 |\n|---|---|\n| 2 | \327\222\327\231\327\234 |\n"

#define ENGLISH "| 1 | name |\n|---|---|\n| 2 | age |\n"

static void
test_table_direction (void)
{
  const GtkTextDirection before = gtk_widget_get_default_direction ();

  check_direction (HEBREW, "2", "\327\222\327\231\327\234", TRUE);
  check_direction (ENGLISH, "1", "name", FALSE);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  check_direction (ENGLISH, "2", "age", FALSE);
  check_direction (HEBREW, "2", "\327\222\327\231\327\234", TRUE);
  check_direction ("| 1 | 2 |\n|---|---|\n| 3 | 4 |\n", "3", "4", TRUE);
  gtk_widget_set_default_direction (before);
}

/* However it comes, in the end it looks as if it had been there at once; and rows that are closed
 * stay the widgets that they are. */
static void
test_streaming (void)
{
  Fixture fixture, whole;
  g_autofree char *grown = NULL;
  g_autofree char *expected = NULL;
  GadgetRow *first = NULL;
  const char *text = DOCUMENT;

  markdown_row_set_up (&fixture, "#", TRUE);
  for (gsize i = 1; i < strlen (text); i++)
    {
      const char byte[] = { text[i], '\0' };

      gadget_item_append_text (fixture.item, byte, -1);
      gadget_test_wait_frames (fixture.window, 1);
      if (i == 40)
        first = markdown_row_get_row (&fixture, 1);
    }
  g_assert_true (first == markdown_row_get_row (&fixture, 1));
  gadget_item_set_status (fixture.item, GADGET_ITEM_FINISHED);
  gadget_test_wait_frames (fixture.window, 2);
  markdown_row_set_up (&whole, text, FALSE);
  grown = dup_shown (&fixture);
  expected = dup_shown (&whole);
  g_assert_cmpstr (grown, ==, expected);
  markdown_row_tear_down (&whole);
  markdown_row_tear_down (&fixture);
}

/* Behind a rule there is no text that the caret could stand in: it has a line of its own, until
 * there is one, or nothing comes any more. */
static void
test_caret (void)
{
  Fixture fixture;
  GtkWidget *row;

  markdown_row_set_up (&fixture, "Some words\n\n---\n", TRUE);
  row = GTK_WIDGET (markdown_row_get_row (&fixture, 2));
  g_assert_nonnull (markdown_row_find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  g_assert_null (gadget_row_get_piece (GADGET_ROW (row)));
  gadget_item_append_text (fixture.item, "\nmore", -1);
  gadget_test_wait_frames (fixture.window, 2);
  g_assert_null (markdown_row_find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  g_assert_nonnull (markdown_row_find_piece (&fixture, "more"));
  gadget_item_append_text (fixture.item, "\n\n***\n", -1);
  gadget_test_wait_frames (fixture.window, 2);
  row = GTK_WIDGET (markdown_row_get_row (&fixture, 4));
  g_assert_nonnull (markdown_row_find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  gadget_item_set_status (fixture.item, GADGET_ITEM_FINISHED);
  gadget_test_wait_frames (fixture.window, 2);
  g_assert_null (markdown_row_find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  markdown_row_tear_down (&fixture);
}

static GtkWidget *
find_view (GtkWidget *widget)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GadgetMarkdownView"))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_view (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The shortest time that drawing the answer's first row takes, in microseconds. */
static gint64
time_snapshot (guint n_items)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 shortest = G_MAXINT64;
  GtkWidget *row;
  Fixture fixture;

  for (guint i = 0; i < n_items; i++)
    g_string_append (text, "- x\n");
  markdown_row_set_up (&fixture, text->str, FALSE);
  row = GTK_WIDGET (markdown_row_get_row (&fixture, 1));
  for (guint i = 0; i < 20; i++)
    {
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      GtkWidget *view = find_view (row);
      const gint64 start = g_get_monotonic_time ();

      GTK_WIDGET_GET_CLASS (view)->snapshot (view, snapshot);
      shortest = MIN (shortest, g_get_monotonic_time () - start);
      g_object_unref (snapshot);
    }
  markdown_row_tear_down (&fixture);
  g_test_message ("%u items: %" G_GINT64_FORMAT " us", n_items, shortest);
  return shortest;
}

/* Eight times the items take about eight times as long to draw, and not sixty-four times. */
static void
test_long_list (void)
{
  const gint64 few = time_snapshot (50);

  g_assert_cmpint (time_snapshot (400), <, 24 * few);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/markdown-row/looks", test_looks);
  g_test_add_func ("/ui/markdown-row/markers", test_markers);
  g_test_add_func ("/ui/markdown-row/definitions", test_definitions);
  g_test_add_func ("/ui/markdown-row/table", test_table);
  g_test_add_func ("/ui/markdown-row/table-direction", test_table_direction);
  g_test_add_func ("/ui/markdown-row/table-grows", test_table_grows);
  g_test_add_func ("/ui/markdown-row/streaming", test_streaming);
  g_test_add_func ("/ui/markdown-row/caret", test_caret);
  g_test_add_func ("/ui/markdown-row/long-list", test_long_list);

  return g_test_run ();
}
