/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Horizontal scrolling of text that is wider than the column: code, a difference, or a table, each
 * in a scrolling view of its own. */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-private.h"
#include "ui/code/gadget-code-scroll.h"
#include "ui/text/gadget-horizontal-scroller.h"

/* Returns the view in which the text at @offset scrolls, or NULL. */
static GtkWidget *
find_view (GadgetRow *self, guint offset)
{
  guint begin;
  GtkWidget *piece = GTK_WIDGET (_gadget_row_find_piece (self, offset, &begin));

  for (GtkWidget *at = piece; at != NULL && at != GTK_WIDGET (self);
       at = gtk_widget_get_parent (at))
    if (GADGET_IS_CODE_SCROLL (at) || GTK_IS_SCROLLED_WINDOW (at))
      return at;
  return NULL;
}

/**
 * gadget_row_get_horizontal_overshoot:
 * @widget: the widget whose coordinate @x is
 *
 * Returns: how far @x is outside of the visible part of the text at @offset, in pixels: negative at
 *   the left; 0 when @x is inside or the text does not scroll
 */
double
gadget_row_get_horizontal_overshoot (GadgetRow *self, GtkWidget *widget, guint offset, double x)
{
  GtkWidget *view;
  graphene_rect_t box;

  g_return_val_if_fail (GADGET_IS_ROW (self), 0);

  view = find_view (self, offset);
  if (view == NULL || !gtk_widget_compute_bounds (view, widget, &box))
    return 0;
  return x < box.origin.x ? x - box.origin.x : MAX (0, x - box.origin.x - box.size.width);
}

/**
 * gadget_row_scroll_horizontally:
 * @distance: in pixels, positive to the right
 *
 * Scrolls the view of the text at @offset, within its limits.
 */
void
gadget_row_scroll_horizontally (GadgetRow *self, guint offset, double distance)
{
  GtkWidget *view;
  GtkAdjustment *adjustment;

  g_return_if_fail (GADGET_IS_ROW (self));

  view = find_view (self, offset);
  if (GADGET_IS_CODE_SCROLL (view))
    {
      gadget_code_scroll_by (GADGET_CODE_SCROLL (view), distance);
    }
  else if (view != NULL)
    {
      adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (view));
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + distance);
    }
}

/**
 * gadget_row_reveal:
 *
 * Scrolls the view of the text at @offset horizontally so that a caret there is visible.
 */
void
gadget_row_reveal (GadgetRow *self, guint offset)
{
  GtkWidget *view;
  GtkWidget *content;
  graphene_rect_t box;

  g_return_if_fail (GADGET_IS_ROW (self));

  view = find_view (self, offset);
  if (view == NULL)
    return;
  /* The first child of the scrolled window's child is the content, since a viewport is between
   * them. */
  content = gtk_widget_get_first_child (
      GADGET_IS_CODE_SCROLL (view) ? view
                                   : gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (view)));
  if (!gadget_row_get_caret_box (self, content, offset, &box))
    return;
  if (GADGET_IS_CODE_SCROLL (view))
    gadget_code_scroll_reveal (GADGET_CODE_SCROLL (view), box.origin.x);
  else
    gadget_horizontal_scroller_reveal (view, box.origin.x);
}
