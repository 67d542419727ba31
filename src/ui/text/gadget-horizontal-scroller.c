/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-horizontal-scroller.h"

/* Space between a revealed position and the edge, in pixels. */
#define REVEAL_MARGIN 24

/* With Shift, the vertical wheel scrolls horizontally. */
static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, GtkScrolledWindow *scrolled)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (scrolled);
  const GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if ((state & GDK_SHIFT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment)
                                            + dy * gtk_adjustment_get_step_increment (adjustment));
  return GDK_EVENT_STOP;
}

/* A GtkScrolledWindow consumes vertical scroll events even when it cannot scroll vertically, but
 * the chat around it needs them. There is no property for this: the vertical policy affects only
 * drawing. A controller in front of the scrolled window's own one could only stop the event, also
 * for the chat. So the flags of the scrolled window's own controller are changed to ignore the
 * vertical direction. */
static void
scroll_only_horizontally (GtkWidget *scrolled)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (scrolled);
  GtkEventController *wheel =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_scroll_set_flags (
            GTK_EVENT_CONTROLLER_SCROLL (controller),
            (gtk_event_controller_scroll_get_flags (GTK_EVENT_CONTROLLER_SCROLL (controller))
             & ~GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)
                | GTK_EVENT_CONTROLLER_SCROLL_HORIZONTAL);
    }
  g_signal_connect (wheel, "scroll", G_CALLBACK (scroll_cb), scrolled);
  gtk_widget_add_controller (scrolled, wheel);
}

GtkWidget *
gadget_horizontal_scroller_new (GtkWidget *child, const char *label)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  scroll_only_horizontally (scrolled);
  /* The scroller can be focused, so that Ctrl with an arrow key scrolls it. */
  gtk_widget_set_focusable (scrolled, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return scrolled;
}

void
gadget_horizontal_scroller_reveal (GtkWidget *scroller, double x)
{
  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (scroller));

  gtk_adjustment_clamp_page (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller)),
                             x - REVEAL_MARGIN, x + REVEAL_MARGIN);
}
