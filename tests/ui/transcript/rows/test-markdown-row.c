/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers in Markdown: what their rows show, and what of them is selected, copied and opened. */

#include "gadget-test-ui.h"

#include "ui/code/gadget-code-block.h"
#include "ui/text/gadget-selectable-text-private.h"
#include "ui/text/gadget-text-link.h"
#include "ui/transcript/gadget-transcript-private.h"

typedef struct
{
  GadgetSession *session;
  GadgetItem *item;
  GtkWidget *window;
  GadgetTranscript *transcript;
  char *opened;
} Fixture;

static gboolean
open_link_cb (GadgetTranscript *transcript, const char *address, Fixture *fixture)
{
  g_set_str (&fixture->opened, address);
  return TRUE;
}

/* An answer to an empty prompt: its rows begin at 1. */
static void
set_up (Fixture *fixture, const char *text, gboolean streaming)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("turn", "?");
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  *fixture =
      (Fixture) { .session = gadget_session_new ("s"), .item = gadget_item_new (GADGET_ITEM_TEXT) };
  gadget_turn_append (turn, fixture->item);
  gadget_item_append_text (fixture->item, text, -1);
  if (!streaming)
    {
      gadget_item_set_status (fixture->item, GADGET_ITEM_FINISHED);
      gadget_turn_finish (turn);
    }
  gadget_session_append (fixture->session, turn);
  fixture->transcript = GADGET_TRANSCRIPT (gadget_transcript_new ());
  g_signal_connect (fixture->transcript, "open-link", G_CALLBACK (open_link_cb), fixture);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (fixture->transcript));
  gadget_transcript_set_session (fixture->transcript, fixture->session);
  fixture->window = gadget_test_window_new (scrolled, 720, 1400);
}

static void
tear_down (Fixture *fixture)
{
  GtkWidget *transcript = GTK_WIDGET (fixture->transcript);

  g_object_add_weak_pointer (G_OBJECT (transcript), (gpointer *) &transcript);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (transcript);
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->item);
  g_free (fixture->opened);
}

static GadgetRow *
get_row (Fixture *fixture, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, position);

  return row != NULL ? row->widget : NULL;
}

/* The first widget of @type within @widget whose text or address has @part. */
static GtkWidget *
find (GtkWidget *widget, GType type, const char *part)
{
  const char *text = "";

  if (GADGET_IS_SELECTABLE_TEXT (widget))
    text = gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget));
  else if (GADGET_IS_TEXT_LINK (widget))
    text = gadget_text_link_get_address (GADGET_TEXT_LINK (widget));
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && strstr (text, part) != NULL)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type, part);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
find_piece (Fixture *fixture, const char *text)
{
  return find (GTK_WIDGET (fixture->transcript), GADGET_TYPE_SELECTABLE_TEXT, text);
}

static graphene_rect_t
get_box (Fixture *fixture, GtkWidget *widget)
{
  graphene_rect_t box;

  g_assert_nonnull (widget);
  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (fixture->transcript), &box));
  return box;
}

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

  for (guint i = 1; get_row (fixture, i) != NULL; i++)
    add_shown (GTK_WIDGET (get_row (fixture, i)), text);
  return g_string_free_and_steal (text);
}

#define DOCUMENT                                                                                   \
  "# Title\n\n"                                                                                    \
  "Some **bold** and `code`, [a link](https://example.org/x).\n\n"                                 \
  "- one\n- two\n  1. inner\n\n"                                                                   \
  "> quoted\n\n"                                                                                   \
  "---\n\n"                                                                                        \
  "| A | B |\n|---|--:|\n| c | d |\n\n"                                                            \
  "```c\nint x;\nint y;\n```\n"

static void
test_looks (void)
{
  Fixture fixture;
  graphene_rect_t title, text, item, inner, quote, code;

  set_up (&fixture, DOCUMENT, FALSE);
  /* The prompt, seven segments, the status. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 9);
  title = get_box (&fixture, find_piece (&fixture, "Title"));
  text = get_box (&fixture, find_piece (&fixture, "Some bold and"));
  item = get_box (&fixture, find_piece (&fixture, "two"));
  inner = get_box (&fixture, find_piece (&fixture, "inner"));
  quote = get_box (&fixture, find_piece (&fixture, "quoted"));
  code = get_box (&fixture, find_piece (&fixture, "int x;\nint y;"));
  g_assert_cmpfloat (title.size.height, >, text.size.height);
  g_assert_cmpfloat (text.origin.x, ==, title.origin.x);
  g_assert_cmpfloat (item.origin.x, ==, text.origin.x + 18);
  g_assert_cmpfloat (inner.origin.x, >=, item.origin.x + 18);
  g_assert_cmpfloat (quote.origin.x, ==, text.origin.x + 15);
  g_assert_cmpfloat (code.origin.x, ==, text.origin.x + 12);
  gtk_test_accessible_assert_role (find_piece (&fixture, "Title"), GTK_ACCESSIBLE_ROLE_HEADING);
  tear_down (&fixture);
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

      set_up (&fixture, cases[i].text, FALSE);
      words = get_box (&fixture, find_piece (&fixture, "words"));
      widget = find_piece (&fixture, "words");
      while (widget != NULL
             && (!GADGET_IS_SELECTABLE_TEXT (widget)
                 || strcmp (gadget_selectable_text_get_text (GADGET_SELECTABLE_TEXT (widget)),
                            cases[i].outer)
                        != 0))
        widget = gtk_widget_get_prev_sibling (widget);
      outer = get_box (&fixture, widget);
      g_assert_cmpfloat (outer.origin.x, >=, 0);
      g_assert_cmpfloat (outer.origin.x + outer.size.width, <=, words.origin.x - 6);
      g_assert_cmpfloat (outer.origin.y, <, words.origin.y + words.size.height);
      if (strchr (cases[i].text, '#') != NULL)
        g_assert_cmpfloat (outer.origin.y, >, words.origin.y);
      if (cases[i].inner != NULL)
        {
          inner = get_box (&fixture, find_piece (&fixture, cases[i].inner));
          g_assert_cmpfloat (outer.origin.x + outer.size.width, <=, inner.origin.x);
          g_assert_cmpfloat (inner.origin.x + inner.size.width, <=, words.origin.x - 6);
        }
      else if (strchr (cases[i].text, '>') != NULL)
        /* The quote's bar is between them. */
        g_assert_cmpfloat (outer.origin.x + outer.size.width, <=, words.origin.x - 15 - 6);
      tear_down (&fixture);
    }
}

/* What shows nothing takes no place. */
static void
test_definitions (void)
{
  Fixture fixture, without;
  graphene_rect_t below, expected;

  set_up (&without, "One.\n\nTwo.\n", FALSE);
  expected = get_box (&without, find_piece (&without, "Two."));
  tear_down (&without);
  set_up (&fixture, "[a]: https://example.org\n\nOne.\n\n[b]: https://example.org/b\n\nTwo.\n",
          FALSE);
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 6);
  below = get_box (&fixture, find_piece (&fixture, "Two."));
  g_assert_cmpfloat (below.origin.y, ==, expected.origin.y);
  tear_down (&fixture);
}

static void
test_table (void)
{
  Fixture fixture;
  graphene_rect_t header, cell, right;
  GtkWidget *rows;

  set_up (&fixture, "| first | second |\n|---|--:|\n| left cell | right cell |\n", FALSE);
  header = get_box (&fixture, find_piece (&fixture, "first"));
  cell = get_box (&fixture, find_piece (&fixture, "left cell"));
  right = get_box (&fixture, find_piece (&fixture, "right cell"));
  gtk_test_accessible_assert_role (find_piece (&fixture, "first"),
                                   GTK_ACCESSIBLE_ROLE_COLUMN_HEADER);
  gtk_test_accessible_assert_role (find_piece (&fixture, "left cell"), GTK_ACCESSIBLE_ROLE_CELL);
  rows = gtk_widget_get_parent (find_piece (&fixture, "left cell"));
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
  tear_down (&fixture);
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

  set_up (&fixture, "| name | number |\n|---|---|\n| first | 1 |\n", TRUE);
  name = find_piece (&fixture, "first");
  name_serial = get_layout_serial (name);
  for (guint i = 2; i <= 100; i++)
    {
      g_autofree char *row = g_strdup_printf ("| next | %u |\n", i);

      gadget_item_append_text (fixture.item, row, -1);
      gadget_test_wait_frames (fixture.window, 1);
    }
  gadget_test_wait_frames (fixture.window, 20);
  g_assert_true (find_piece (&fixture, "first") == name);
  g_assert_cmpuint (get_layout_serial (name), ==, name_serial);
  last = find_piece (&fixture, "100");
  before = get_box (&fixture, last);
  g_assert_cmpfloat (before.origin.y, >, get_box (&fixture, find_piece (&fixture, "99")).origin.y);

  /* A longer name moves the numbers of all rows, also of those of other groups. */
  gadget_item_append_text (fixture.item, "| a name that is longer | 101 |\n", -1);
  gadget_test_wait_frames (fixture.window, 20);
  after = get_box (&fixture, last);
  g_assert_cmpfloat (after.origin.x, >, before.origin.x);
  g_assert_cmpfloat (get_box (&fixture, find_piece (&fixture, "50")).origin.x, ==, after.origin.x);
  g_assert_cmpfloat (get_box (&fixture, find_piece (&fixture, "101")).origin.x, ==, after.origin.x);
  tear_down (&fixture);
}

/* A table is as wide as its text, and the rest of the chat's width is free behind its end. */
static void
check_direction (const char *text, const char *first, const char *second, gboolean mirrored)
{
  Fixture fixture;
  graphene_rect_t column, next, all;

  set_up (&fixture, text, FALSE);
  all = get_box (&fixture, GTK_WIDGET (get_row (&fixture, 1)));
  column = get_box (&fixture, find_piece (&fixture, first));
  next = get_box (&fixture, find_piece (&fixture, second));
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
  tear_down (&fixture);
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

static void
test_copy_all (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;
  g_autofree char *source = NULL;

  set_up (&fixture, DOCUMENT, FALSE);
  gadget_transcript_select_all (fixture.transcript);
  text = gadget_transcript_dup_selection (fixture.transcript);
  source = gadget_transcript_dup_selection_source (fixture.transcript);
  g_strchomp (text);
  g_assert_cmpstr (text, ==,
                   "?\n\nTitle\n\nSome bold and code, a link.\n\n• one\n• two\n  1. inner\n\n"
                   "quoted\n\n---\n\nA\tB\nc\td\n\nint x;\nint y;");
  g_assert_true (g_str_has_prefix (source, "?\n\n"));
  g_assert_cmpstr (source + 3, ==, DOCUMENT);
  tear_down (&fixture);
}

/* Selects what a row's text has, from @start to @end. */
static void
select_in_row (Fixture *fixture, guint position, guint start, guint end)
{
  GadgetRow *row = get_row (fixture, position);

  g_assert_nonnull (row);
  gadget_transcript_selection_set_ends (
      fixture->transcript->selection,
      (GadgetTextPosition) { position, gadget_row_to_source (row, start) },
      (GadgetTextPosition) { position, gadget_row_to_source (row, end) });
}

static void
test_copy_part (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;
  g_autofree char *source = NULL;
  const char *shown;
  guint start;

  set_up (&fixture, DOCUMENT, FALSE);
  shown = gadget_selectable_text_get_text (gadget_row_get_piece (get_row (&fixture, 2)));
  start = (guint) (strstr (shown, "bold") - shown);
  select_in_row (&fixture, 2, start, start + 4);
  text = gadget_transcript_dup_selection (fixture.transcript);
  source = gadget_transcript_dup_selection_source (fixture.transcript);
  g_assert_cmpstr (text, ==, "bold");
  g_assert_cmpstr (source, ==, "**bold**");
  g_clear_pointer (&text, g_free);
  g_clear_pointer (&source, g_free);

  /* Half of a word in bold has no marks around it that would be whole. */
  select_in_row (&fixture, 2, start, start + 2);
  text = gadget_transcript_dup_selection (fixture.transcript);
  g_assert_cmpstr (text, ==, "bo");
  tear_down (&fixture);
}

/* From a row's text to the source and back, at each byte that is a character's first: the same
 * place, but for what is shown and not written (the narrow spaces around code). */
static void
test_places (void)
{
  Fixture fixture;
  guint n_same = 0;
  guint n = 0;

  set_up (&fixture, DOCUMENT, FALSE);
  for (guint i = 1; i < 8; i++)
    {
      GadgetRow *row = get_row (&fixture, i);
      gsize before = 0;

      g_assert_nonnull (row);
      for (guint offset = 0; offset <= gadget_row_get_length (row); offset++)
        {
          const gsize source = gadget_row_to_source (row, offset);
          const guint back = gadget_row_from_source (row, source);

          g_assert_cmpuint (source, >=, before);
          g_assert_cmpuint (source, <=, strlen (DOCUMENT));
          g_assert_cmpuint (gadget_row_to_source (row, back), ==, source);
          before = source;
          n_same += back == offset;
          n++;
        }
    }
  g_assert_cmpuint (n, >, 80);
  g_assert_cmpuint (n_same, >=, n - 2 * 3 - 2);
  tear_down (&fixture);
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

  set_up (&fixture, "#", TRUE);
  for (gsize i = 1; i < strlen (text); i++)
    {
      const char byte[] = { text[i], '\0' };

      gadget_item_append_text (fixture.item, byte, -1);
      gadget_test_wait_frames (fixture.window, 1);
      if (i == 40)
        first = get_row (&fixture, 1);
    }
  g_assert_true (first == get_row (&fixture, 1));
  gadget_item_set_status (fixture.item, GADGET_ITEM_FINISHED);
  gadget_test_wait_frames (fixture.window, 2);
  set_up (&whole, text, FALSE);
  grown = dup_shown (&fixture);
  expected = dup_shown (&whole);
  g_assert_cmpstr (grown, ==, expected);
  tear_down (&whole);
  tear_down (&fixture);
}

/* Behind a rule there is no text that the caret could stand in: it has a line of its own, until
 * there is one, or nothing comes any more. */
static void
test_caret (void)
{
  Fixture fixture;
  GtkWidget *row;

  set_up (&fixture, "Some words\n\n---\n", TRUE);
  row = GTK_WIDGET (get_row (&fixture, 2));
  g_assert_nonnull (find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  g_assert_null (gadget_row_get_piece (GADGET_ROW (row)));
  gadget_item_append_text (fixture.item, "\nmore", -1);
  gadget_test_wait_frames (fixture.window, 2);
  g_assert_null (find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  g_assert_nonnull (find_piece (&fixture, "more"));
  gadget_item_append_text (fixture.item, "\n\n***\n", -1);
  gadget_test_wait_frames (fixture.window, 2);
  row = GTK_WIDGET (get_row (&fixture, 4));
  g_assert_nonnull (find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  gadget_item_set_status (fixture.item, GADGET_ITEM_FINISHED);
  gadget_test_wait_frames (fixture.window, 2);
  g_assert_null (find (row, GADGET_TYPE_SELECTABLE_TEXT, ""));
  tear_down (&fixture);
}

static void
test_links (void)
{
  Fixture fixture;
  GtkWidget *link;
  GMenuModel *menu;
  g_autoptr (GMenuModel) section = NULL;

  set_up (&fixture,
          "[one](https://example.org/1) [two](javascript:alert(1)) <ada@example.org>\n\n"
          "[three][later]\n",
          TRUE);
  link = find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "https://example.org/1");
  g_assert_nonnull (link);
  g_assert_null (find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "javascript"));
  g_assert_nonnull (find_piece (&fixture, "javascript:alert(1)"));
  g_assert_nonnull (find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "mailto:"));
  g_assert_true (gtk_widget_grab_focus (link));
  g_assert_true (gtk_widget_activate_action (link, "link.open", NULL));
  g_assert_cmpstr (fixture.opened, ==, "https://example.org/1");

  /* Whatever asks for it: nothing else is opened. */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.transcript),
                                             "transcript.open-link", "s", "file:///etc/passwd"));
  g_assert_cmpstr (fixture.opened, ==, "https://example.org/1");

  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "menu.popup", NULL);
  menu = gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (fixture.transcript->menu));
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 2);
  section = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_assert_cmpint (g_menu_model_get_n_items (section), ==, 2);
  gtk_popover_popdown (GTK_POPOVER (fixture.transcript->menu));

  /* Its address comes at the end. */
  g_assert_null (find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "org/3"));
  gadget_item_append_text (fixture.item, "\nWords.\n\n[later]: https://example.org/3\n\nEnd.", -1);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_nonnull (find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "org/3"));
  tear_down (&fixture);
}

static void
read_text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

/* A block that is several rows is one card, and its button copies all of it. */
static GtkWidget *
find_button (GtkWidget *widget, const char *icon_name)
{
  if (GTK_IS_BUTTON (widget)
      && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon_name) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, icon_name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_long_code (void)
{
  Fixture fixture;
  g_autoptr (GString) code = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new ("Look:\n\n```c\n");
  g_autofree char *copied = NULL;
  GtkWidget *first, *second;
  graphene_rect_t above, below;

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (code, "int line_%u;\n", i);
  g_string_append (text, code->str);
  g_string_append (text, "```\n");
  set_up (&fixture, text->str, FALSE);
  /* Its first lines, and a row for the others. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 5);
  gadget_row_set_expanded (get_row (&fixture, 3), TRUE);
  gadget_test_wait_frames (fixture.window, 2);
  /* At the end: of the first row the last lines are in sight. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 5);
  gadget_test_wait_frames (fixture.window, 2);
  first = find (GTK_WIDGET (get_row (&fixture, 2)), GADGET_TYPE_CODE_BLOCK, "");
  second = find (GTK_WIDGET (get_row (&fixture, 3)), GADGET_TYPE_CODE_BLOCK, "");
  above = get_box (&fixture, first);
  below = get_box (&fixture, second);
  g_assert_cmpfloat (above.origin.y + above.size.height, ==, below.origin.y);
  g_signal_emit_by_name (find_button (first, "edit-copy-symbolic"), "clicked");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (fixture.window), NULL, read_text_cb,
                                 &copied);
  while (copied == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_strchomp (copied);
  g_strchomp (code->str);
  g_assert_cmpstr (copied, ==, code->str);
  tear_down (&fixture);
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
  set_up (&fixture, text->str, FALSE);
  row = GTK_WIDGET (get_row (&fixture, 1));
  for (guint i = 0; i < 7; i++)
    {
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      GtkWidget *view = find_view (row);
      const gint64 start = g_get_monotonic_time ();

      GTK_WIDGET_GET_CLASS (view)->snapshot (view, snapshot);
      shortest = MIN (shortest, g_get_monotonic_time () - start);
      g_object_unref (snapshot);
    }
  tear_down (&fixture);
  g_test_message ("%u items: %" G_GINT64_FORMAT " us", n_items, shortest);
  return shortest;
}

/* Four times the items take about four times as long to draw, and not sixteen times. */
static void
test_long_list (void)
{
  const gint64 few = time_snapshot (100);

  g_assert_cmpint (time_snapshot (400), <, 8 * few);
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
  g_test_add_func ("/ui/markdown-row/copy/all", test_copy_all);
  g_test_add_func ("/ui/markdown-row/copy/part", test_copy_part);
  g_test_add_func ("/ui/markdown-row/places", test_places);
  g_test_add_func ("/ui/markdown-row/streaming", test_streaming);
  g_test_add_func ("/ui/markdown-row/caret", test_caret);
  g_test_add_func ("/ui/markdown-row/links", test_links);
  g_test_add_func ("/ui/markdown-row/long-code", test_long_code);
  g_test_add_func ("/ui/markdown-row/long-list", test_long_list);

  return g_test_run ();
}
