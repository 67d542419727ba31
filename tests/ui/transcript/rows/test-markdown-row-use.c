/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers in Markdown: what of them is selected, copied, folded and opened. */

#include "config.h"

#include "gadget-test-ui.h"
#include "markdown-row-fixture.h"
#include "ui/code/gadget-code-block.h"
#include "ui/text/gadget-text-link.h"

static void
test_copy_all (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;
  g_autofree char *source = NULL;

  markdown_row_set_up (&fixture, DOCUMENT, FALSE);
  gadget_transcript_select_all (fixture.transcript);
  text = gadget_transcript_dup_selection (fixture.transcript);
  source = gadget_transcript_dup_selection_source (fixture.transcript);
  g_strchomp (text);
  g_assert_cmpstr (text, ==,
                   "?\n\nTitle\n\nSome bold and code, a link.\n\n• one\n• two\n  1. inner\n\n"
                   "quoted\n\n---\n\nA\tB\nc\td\n\nint x;\nint y;");
  g_assert_true (g_str_has_prefix (source, "?\n\n"));
  g_assert_cmpstr (source + 3, ==, DOCUMENT);
  markdown_row_tear_down (&fixture);
}

/* Selects what a row's text has, from @start to @end. */
static void
select_in_row (Fixture *fixture, guint position, guint start, guint end)
{
  GadgetRow *row = markdown_row_get_row (fixture, position);

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

  markdown_row_set_up (&fixture, DOCUMENT, FALSE);
  shown =
      gadget_selectable_text_get_text (gadget_row_get_piece (markdown_row_get_row (&fixture, 2)));
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
  markdown_row_tear_down (&fixture);
}

/* From a row's text to the source and back, at each byte that is a character's first: the same
 * place, but for what is shown and not written (the narrow spaces around code). */
static void
test_places (void)
{
  Fixture fixture;
  guint n_same = 0;
  guint n = 0;

  markdown_row_set_up (&fixture, DOCUMENT, FALSE);
  for (guint i = 1; i < 8; i++)
    {
      GadgetRow *row = markdown_row_get_row (&fixture, i);
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
  markdown_row_tear_down (&fixture);
}

static void
test_links (void)
{
  Fixture fixture;
  GtkWidget *link;
  GMenuModel *menu;
  g_autoptr (GMenuModel) section = NULL;

  markdown_row_set_up (
      &fixture,
      "[one](https://example.org/1) [two](javascript:alert(1)) <ada@example.org>\n\n"
      "[three][later] and ![a](https:bad.png) with ![b](https://example.org/good.png)\n",
      TRUE);
  link = markdown_row_find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK,
                            "https://example.org/1");
  g_assert_nonnull (link);
  g_assert_null (
      markdown_row_find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "javascript"));
  g_assert_nonnull (markdown_row_find_piece (&fixture, "javascript:alert(1)"));
  g_assert_nonnull (
      markdown_row_find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "mailto:"));
  g_assert_null (
      markdown_row_find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "bad.png"));
  g_assert_nonnull (
      markdown_row_find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "good.png"));
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
  g_assert_null (
      markdown_row_find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "org/3"));
  gadget_item_append_text (fixture.item, "\nWords.\n\n[later]: https://example.org/3\n\nEnd.", -1);
  gadget_test_wait_frames (fixture.window, 3);
  g_assert_nonnull (
      markdown_row_find (GTK_WIDGET (fixture.transcript), GADGET_TYPE_TEXT_LINK, "org/3"));
  markdown_row_tear_down (&fixture);
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
  markdown_row_set_up (&fixture, text->str, FALSE);
  /* Its first lines, and a row for the others. */
  g_assert_cmpuint (gadget_transcript_model_get_n_rows (fixture.transcript->model), ==, 5);
  gadget_row_set_expanded (markdown_row_get_row (&fixture, 3), TRUE);
  gadget_test_wait_frames (fixture.window, 2);
  /* At the end: of the first row the last lines are in sight. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.transcript), "transcript.scroll", "i", 5);
  gadget_test_wait_frames (fixture.window, 2);
  first = markdown_row_find (GTK_WIDGET (markdown_row_get_row (&fixture, 2)),
                             GADGET_TYPE_CODE_BLOCK, "");
  second = markdown_row_find (GTK_WIDGET (markdown_row_get_row (&fixture, 3)),
                              GADGET_TYPE_CODE_BLOCK, "");
  above = markdown_row_get_box (&fixture, first);
  below = markdown_row_get_box (&fixture, second);
  g_assert_cmpfloat (above.origin.y + above.size.height, ==, below.origin.y);
  g_signal_emit_by_name (find_button (first, "edit-copy-symbolic"), "clicked");
  copied = gadget_test_read_clipboard (gtk_widget_get_clipboard (fixture.window));
  g_strchomp (copied);
  g_strchomp (code->str);
  g_assert_cmpstr (copied, ==, code->str);
  markdown_row_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gadget_test_ui_init (&argc, &argv);
  g_test_add_func ("/ui/markdown-row/copy/all", test_copy_all);
  g_test_add_func ("/ui/markdown-row/copy/part", test_copy_part);
  g_test_add_func ("/ui/markdown-row/places", test_places);
  g_test_add_func ("/ui/markdown-row/links", test_links);
  g_test_add_func ("/ui/markdown-row/long-code", test_long_code);

  return g_test_run ();
}
