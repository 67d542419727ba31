/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-immediate-button.h"

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
gadget_immediate_button_class_init (GadgetImmediateButtonClass *klass)
{
  GTK_BUTTON_CLASS (klass)->activate = gadget_immediate_button_activate;
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
