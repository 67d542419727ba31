/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes GTK find a widget that appears under a resting pointer.
 *
 * GTK gives a click to the widget that it knows to be under the pointer. It updates that when the
 * pointer moves, when the widget under it goes away or becomes insensitive, and after the whole
 * window was laid out; but not when a widget appears or becomes sensitive in a part of the window,
 * and in a window that draws all the time the update after a layout may not come at all. Then a
 * click of a hand that rests was lost.
 *
 * The update is part of the flush-events phase, which is requested here, in the frame after the
 * layout. It is requested only for widgets that need it and not after each layout: GTK synthesizes
 * a pointer motion for it, with the current state of the buttons, and between a press and a release
 * that motion would cancel the click. */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-resting-pointer.h"

static gboolean
find_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  guint *n_frames = user_data;

  if (++*n_frames == 1)
    return G_SOURCE_CONTINUE;
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_FLUSH_EVENTS);
  return G_SOURCE_REMOVE;
}

void
gadget_resting_pointer_find (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  gtk_widget_add_tick_callback (widget, find_cb, g_new0 (guint, 1), g_free);
}
