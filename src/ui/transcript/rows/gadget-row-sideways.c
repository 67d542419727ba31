/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text that is wider than the column: code, a difference, a table, each in a view of its own. */

#define G_LOG_DOMAIN "gadget-row"

#include "config.h"

#include "gadget-row-private.h"
#include "ui/code/gadget-code-scroll.h"
#include "ui/text/gadget-sideways.h"

/* What the text at @offset is scrolled in, or NULL. */
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
 * gadget_row_get_beside:
 * @widget: whose coordinate @x is
 *
 * Returns: how far @x is beside what can be seen of the text at @offset: less than 0 for the left
 *   of it; 0 where nothing can be scrolled
 */
double
gadget_row_get_beside (GadgetRow *self, GtkWidget *widget, guint offset, double x)
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
 * gadget_row_scroll_sideways:
 * @distance: in pixels, to the right
 *
 * Scrolls the text at @offset, as far as there is any.
 */
void
gadget_row_scroll_sideways (GadgetRow *self, guint offset, double distance)
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
 * Scrolls the text at @offset so that a caret there is in sight.
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
  /* Between a scrolled window and what it shows stands a viewport. */
  content = gtk_widget_get_first_child (
      GADGET_IS_CODE_SCROLL (view) ? view
                                   : gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (view)));
  if (!gadget_row_get_caret_box (self, content, offset, &box))
    return;
  if (GADGET_IS_CODE_SCROLL (view))
    gadget_code_scroll_reveal (GADGET_CODE_SCROLL (view), box.origin.x);
  else
    gadget_sideways_reveal (view, box.origin.x);
}
