/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-sideways.h"

/* What is revealed does not stand at the very edge. */
#define REVEAL_MARGIN 24

/* With Shift the wheel that goes up and down goes sideways. */
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

/* A scrolled window keeps the wheel's other direction from what is around it, even where it cannot
 * scroll that way itself; the chat needs it. No property says so: its policy for that direction is
 * looked at when it draws, not when it scrolls. A controller in front of its own one could only
 * keep the event from it, and with it from the chat; so its own one is told to leave it alone. */
static void
scroll_only_sideways (GtkWidget *scrolled)
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
gadget_sideways_new (GtkWidget *child, const char *label)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  scroll_only_sideways (scrolled);
  /* Ctrl with an arrow key scrolls what has the focus. */
  gtk_widget_set_focusable (scrolled, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return scrolled;
}

void
gadget_sideways_reveal (GtkWidget *sideways, double x)
{
  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (sideways));

  gtk_adjustment_clamp_page (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (sideways)),
                             x - REVEAL_MARGIN, x + REVEAL_MARGIN);
}
