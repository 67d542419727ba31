/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-library"

#include "config.h"

#include "gadget-library-private.h"

#include "gadget-chat-row.h"

/* Tells whether the current chat is in view now, and would not be with the list scrolled to its
 * top. */
static gboolean
needs_scrolling (GadgetLibrary *self, GtkAdjustment *adjustment)
{
  const double height = gtk_adjustment_get_page_size (adjustment);

  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);
      graphene_rect_t bounds;
      double end;

      if (!GADGET_IS_CHAT_ROW (row)
          || gadget_chat_row_get_session (GADGET_CHAT_ROW (row)) != self->current
          || !gtk_widget_compute_bounds (item, GTK_WIDGET (self->list), &bounds))
        continue;
      end = (double) bounds.origin.y + (double) bounds.size.height;
      return end <= height && end + gtk_adjustment_get_value (adjustment) > height;
    }
  return FALSE;
}

static void
laid_out_cb (GadgetLibrary *self, GdkFrameClock *clock)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));

  g_signal_handlers_disconnect_by_func (clock, laid_out_cb, self);
  if (!needs_scrolling (self, adjustment))
    gtk_adjustment_set_value (adjustment, 0);
}

/* Keeps the list scrolled to its top when it changes. GTK keeps the first visible chat where it is,
 * so that chats, or a group's heading, that come before it end up above the edge. The position is
 * corrected after the next layout and before it is painted. */
void
_gadget_library_keep_top (GadgetLibrary *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self->list));

  if (clock == NULL || adjustment == NULL || gtk_adjustment_get_value (adjustment) > 0)
    return;
  g_signal_handlers_disconnect_by_func (clock, laid_out_cb, self);
  g_signal_connect_object (clock, "layout", G_CALLBACK (laid_out_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}
