/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "gadget-ui.h"

#include "gadget-ui-resources.h"

void
gadget_ui_init (void)
{
  static gsize registered = 0;

  /* Called by name, because the linker drops the constructors of a static library. */
  if (g_once_init_enter (&registered))
    {
      gadget_ui_register_resource ();
      g_once_init_leave (&registered, 1);
    }
}

void
gadget_ui_set_css_class (GtkWidget *widget, const char *css_class, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

int
gadget_ui_get_minimum_width (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

int
gadget_ui_get_natural_width (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}
