/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-immediate-button.h"

#include "gadget-resting-pointer.h"

struct _GadgetImmediateButton
{
  GtkButton parent_instance;
};

G_DEFINE_FINAL_TYPE (GadgetImmediateButton, gadget_immediate_button, GTK_TYPE_BUTTON)

static void
gadget_immediate_button_activate (GtkButton *button)
{
  g_signal_emit_by_name (button, "clicked");
}

static void
gadget_immediate_button_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gadget_immediate_button_parent_class)->map (widget);
  gadget_resting_pointer_find (widget);
}

static void
gadget_immediate_button_state_flags_changed (GtkWidget *widget, GtkStateFlags before)
{
  GTK_WIDGET_CLASS (gadget_immediate_button_parent_class)->state_flags_changed (widget, before);
  if ((before & GTK_STATE_FLAG_INSENSITIVE) != 0 && gtk_widget_is_sensitive (widget)
      && gtk_widget_get_mapped (widget))
    {
      /* GTK looks for the widget under the pointer only after a layout, so one is requested. */
      gtk_widget_queue_resize (widget);
      gadget_resting_pointer_find (widget);
    }
}

static void
gadget_immediate_button_class_init (GadgetImmediateButtonClass *klass)
{
  GTK_BUTTON_CLASS (klass)->activate = gadget_immediate_button_activate;
  GTK_WIDGET_CLASS (klass)->map = gadget_immediate_button_map;
  GTK_WIDGET_CLASS (klass)->state_flags_changed = gadget_immediate_button_state_flags_changed;
}

static void
gadget_immediate_button_init (GadgetImmediateButton *self)
{
}

GtkWidget *
gadget_immediate_button_new (void)
{
  return g_object_new (GADGET_TYPE_IMMEDIATE_BUTTON, NULL);
}
