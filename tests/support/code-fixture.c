/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "code-fixture.h"

#include "gadget-test-ui.h"
#include "ui/code/gadget-code-block.h"
#include "ui/text/gadget-selectable-text.h"

/* An answer to an empty prompt: its rows begin at 1. */
void
code_fixture_set_up (CodeFixture *fixture, const char *text, gboolean streaming)
{
  *fixture = (CodeFixture) { .session = gadget_session_new ("s"),
                             .turn = gadget_turn_new ("turn", "?"),
                             .item = gadget_item_new (GADGET_ITEM_TEXT) };
  gadget_turn_append (fixture->turn, fixture->item);
  gadget_item_append_text (fixture->item, text, -1);
  if (!streaming)
    {
      gadget_item_set_status (fixture->item, GADGET_ITEM_FINISHED);
      gadget_turn_finish (fixture->turn);
    }
  gadget_session_append (fixture->session, fixture->turn);
  fixture->window = gadget_test_transcript_new (fixture->session, 720, 1400, &fixture->transcript);
}

void
code_fixture_tear_down (CodeFixture *fixture)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->turn);
  g_assert_finalize_object (fixture->item);
}

GtkWidget *
code_fixture_get_row (CodeFixture *fixture, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, position);

  return row != NULL ? GTK_WIDGET (row->widget) : NULL;
}

static GtkWidget *
find_type (GtkWidget *widget, GType type)
{
  if (widget == NULL || G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_type (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
code_fixture_find_button (GtkWidget *widget, const char *tooltip)
{
  if (GTK_IS_BUTTON (widget)
      && (g_strcmp0 (gtk_widget_get_tooltip_text (widget), tooltip) == 0
          || g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), tooltip) == 0))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = code_fixture_find_button (child, tooltip);

      if (found != NULL)
        return found;
    }
  return NULL;
}

GadgetSelectableText *
code_fixture_get_piece (CodeFixture *fixture, guint position)
{
  GtkWidget *block = find_type (code_fixture_get_row (fixture, position), GADGET_TYPE_CODE_BLOCK);

  g_assert_nonnull (block);
  return gadget_code_block_get_piece (GADGET_CODE_BLOCK (block));
}

/* The colour of the first byte of @part, 0xRRGGBB, and G_MAXUINT for that of the text; all of @part
 * has it, and what is around it has not. */
guint
code_fixture_get_color (GadgetSelectableText *piece, const char *part)
{
  const char *text = gadget_selectable_text_get_text (piece);
  const char *found = strstr (text, part);
  PangoAttrList *list = pango_layout_get_attributes (gadget_selectable_text_get_layout (piece));
  PangoAttrIterator *iterator = pango_attr_list_get_iterator (list);
  const int start = (int) (found - text);
  guint result = G_MAXUINT;

  g_assert_nonnull (found);
  do
    {
      PangoAttribute *attribute = pango_attr_iterator_get (iterator, PANGO_ATTR_FOREGROUND);
      int from, to;

      pango_attr_iterator_range (iterator, &from, &to);
      if (from > start || to <= start || attribute == NULL)
        continue;
      g_assert_cmpuint (attribute->start_index, <=, start);
      g_assert_cmpuint (attribute->end_index, >=, start + strlen (part));
      {
        const PangoColor *color = &((PangoAttrColor *) attribute)->color;

        result = (guint) (color->red >> 8) << 16 | (guint) (color->green >> 8) << 8
                 | (guint) color->blue >> 8;
      }
    }
  while (pango_attr_iterator_next (iterator));
  pango_attr_iterator_destroy (iterator);
  return result;
}

static gboolean
late_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Colours come when there is time for them. */
void
code_fixture_wait_color (GadgetSelectableText *piece, const char *part)
{
  gboolean late = FALSE;
  const guint timeout = g_timeout_add_seconds (60, late_cb, &late);

  while (!late && code_fixture_get_color (piece, part) == G_MAXUINT)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (late);
  g_source_remove (timeout);
}

/* Buttons of many blocks that came at once are made a moment later. */
GtkWidget *
code_fixture_wait_button (CodeFixture *fixture, guint position, const char *tooltip)
{
  gboolean late = FALSE;
  const guint timeout = g_timeout_add_seconds (60, late_cb, &late);
  GtkWidget *button = NULL;

  while (!late
         && (button = code_fixture_find_button (code_fixture_get_row (fixture, position), tooltip))
                == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (late);
  g_source_remove (timeout);
  return button;
}

char *
code_fixture_dup_clipboard (CodeFixture *fixture)
{
  return gadget_test_read_clipboard (gtk_widget_get_clipboard (fixture->window));
}
