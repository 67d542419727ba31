/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The floor of bench-start: a bare window of libadwaita with the shape of Gadget's, and nothing
 * behind it. */

#include "config.h"

#include <adwaita.h>

static GtkWidget *
button_new (const char *icon_name)
{
  return gtk_button_new_from_icon_name (icon_name);
}

static GtkWidget *
sidebar_new (void)
{
  GtkWidget *view = adw_toolbar_view_new ();
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_widget_add_css_class (list, "navigation-sidebar");
  for (guint i = 0; i < 4; i++)
    gtk_list_box_append (GTK_LIST_BOX (list), gtk_label_new ("A chat"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), adw_header_bar_new ());
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (view), scrolled);
  return view;
}

static GtkWidget *
content_new (void)
{
  GtkWidget *view = adw_toolbar_view_new ();
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *text = gtk_text_view_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  adw_header_bar_pack_start (ADW_HEADER_BAR (header), button_new ("sidebar-show-symbolic"));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), text);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), button_new ("go-up-symbolic"));
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), header);
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (view), box);
  return view;
}

static void
activate_cb (GtkApplication *application)
{
  GtkWidget *window = adw_application_window_new (application);
  GtkWidget *split = adw_overlay_split_view_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 720);
  gtk_window_set_title (GTK_WINDOW (window), "Bare");
  adw_overlay_split_view_set_sidebar (ADW_OVERLAY_SPLIT_VIEW (split), sidebar_new ());
  adw_overlay_split_view_set_content (ADW_OVERLAY_SPLIT_VIEW (split), content_new ());
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), split);
  gtk_window_present (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) application =
      adw_application_new (APPLICATION_ID ".Bare", G_APPLICATION_DEFAULT_FLAGS);

  g_signal_connect (application, "activate", G_CALLBACK (activate_cb), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
