/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GTK gives a click to what it knows to be under the pointer. It looks for that when the pointer
 * moves, when what was under it goes away or can't be clicked any more, and after the whole window
 * was laid out; but not when something appears or wakes up in a part of it, and in a window that
 * draws all the time its look after a layout may not come at all. A click of a hand that rests was
 * lost then.
 *
 * The look is part of flushing events, which is asked for here, in the frame after the layout. It
 * is made for what matters alone, and not after each layout: GTK makes up a motion of the pointer
 * for it, with the buttons as they are by now, and between a press and a release that motion would
 * take the click away. */

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
