/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-pointer-input.h"

#define KEY "gadget-pointer-input"

static void
set (GtkWidget *button, gboolean by_pointer)
{
  g_object_set_data (G_OBJECT (button), KEY, GINT_TO_POINTER (by_pointer));
}

static gboolean
event_cb (GtkWidget *button, GdkEvent *event)
{
  switch (gdk_event_get_event_type (event))
    {
    case GDK_BUTTON_PRESS:
    case GDK_BUTTON_RELEASE:
    case GDK_TOUCH_BEGIN:
    case GDK_TOUCH_END:
      set (button, TRUE);
      break;
    case GDK_KEY_PRESS:
    case GDK_KEY_RELEASE:
      set (button, FALSE);
      break;
    default:
      break;
    }
  return GDK_EVENT_PROPAGATE;
}

void
gadget_pointer_input_watch (GtkWidget *button)
{
  GtkEventController *events;

  g_return_if_fail (GTK_IS_BUTTON (button));

  events = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (event_cb), button);
  gtk_widget_add_controller (button, events);
}

/**
 * gadget_pointer_input_take:
 *
 * To be called once in each "clicked" handler: it forgets the input.
 *
 * Returns: whether the last input at @button came from a pointer or a finger
 */
gboolean
gadget_pointer_input_take (GtkWidget *button)
{
  gboolean by_pointer;

  g_return_val_if_fail (GTK_IS_BUTTON (button), FALSE);

  by_pointer = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), KEY));
  set (button, FALSE);
  return by_pointer;
}
