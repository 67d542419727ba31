/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "markdown-row-fixture.h"
#include "test-launcher.h"
#include "ui/text/gadget-text-link.h"

void
markdown_row_set_up (Fixture *fixture, const char *text, gboolean streaming)
{
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("turn", "?");

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
  fixture->window = gadget_test_transcript_new (fixture->session, 720, 1400, &fixture->transcript);
  test_launcher_watch (&fixture->opened);
}

void
markdown_row_tear_down (Fixture *fixture)
{
  gadget_test_window_destroy (fixture->window, GTK_WIDGET (fixture->transcript));
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->item);
  g_free (fixture->opened);
}

GadgetRow *
markdown_row_get_row (Fixture *fixture, guint position)
{
  GadgetRealizedRow *row = _gadget_transcript_get_realized (fixture->transcript, position);

  return row != NULL ? row->widget : NULL;
}

GtkWidget *
markdown_row_find (GtkWidget *widget, GType type, const char *part)
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
      GtkWidget *found = markdown_row_find (child, type, part);

      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
markdown_row_find_piece (Fixture *fixture, const char *text)
{
  return markdown_row_find (GTK_WIDGET (fixture->transcript), GADGET_TYPE_SELECTABLE_TEXT, text);
}

graphene_rect_t
markdown_row_get_box (Fixture *fixture, GtkWidget *widget)
{
  graphene_rect_t box;

  g_assert_nonnull (widget);
  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (fixture->transcript), &box));
  return box;
}
