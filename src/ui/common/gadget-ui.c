/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "gadget-ui.h"

#include "gadget-ui-resources.h"

#include <adwaita.h>

/* A dialog is open in the third frame after it is mapped. */
#define OPENING_FRAMES 3

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

GtkWidget *
gadget_ui_row_new (const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  return row;
}

gboolean
gadget_ui_is_in_front (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkApplication *application =
      GTK_IS_WINDOW (root) ? gtk_window_get_application (GTK_WINDOW (root)) : NULL;

  return application == NULL
         || gtk_application_get_active_window (application) == GTK_WINDOW (root);
}

static gboolean
opening_cb (GtkWidget *dialog, GdkFrameClock *clock, gpointer user_data)
{
  guint *n_frames = user_data;

  if ((*n_frames)++ < OPENING_FRAMES)
    return G_SOURCE_CONTINUE;
  gtk_widget_grab_focus (dialog);
  return G_SOURCE_REMOVE;
}

static void
mapped_cb (GtkWidget *dialog)
{
  gtk_widget_add_tick_callback (dialog, opening_cb, g_new0 (guint, 1), g_free);
}

void
gadget_ui_focus_when_open (GtkWidget *dialog)
{
  g_return_if_fail (ADW_IS_DIALOG (dialog));
  g_signal_connect (dialog, "map", G_CALLBACK (mapped_cb), NULL);
}

void
gadget_ui_set_css_class (GtkWidget *widget, const char *css_class, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

GtkSizeRequestMode
gadget_ui_get_height_for_width (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
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
