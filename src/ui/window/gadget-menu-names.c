/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names menu items for screen readers. GTK (4.18) labels an item of a menu by a widget that has no
 * accessible object, so that screen readers find no name. Here every item of a menu gets its text
 * as its accessible name as soon as one of them has the focus, which is before it is read. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-menu-names.h"

static gboolean
is_item (GtkWidget *widget)
{
  switch ((int) gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)))
    {
    case GTK_ACCESSIBLE_ROLE_MENU_ITEM:
    case GTK_ACCESSIBLE_ROLE_MENU_ITEM_CHECKBOX:
    case GTK_ACCESSIBLE_ROLE_MENU_ITEM_RADIO:
      /* The class is private, but it has a "text" property. */
      return g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "text") != NULL;
    default:
      return FALSE;
    }
}

/* Returns the text of the item without the mnemonic underscore. */
static char *
dup_name (GtkWidget *item)
{
  g_autofree char *text = NULL;
  GString *name = g_string_new (NULL);

  g_object_get (item, "text", &text, NULL);
  for (const char *p = text != NULL ? text : ""; *p != '\0'; p++)
    {
      if (*p == '_' && p[1] != '\0')
        p++;
      g_string_append_c (name, *p);
    }
  return g_string_free (name, FALSE);
}

static void
name_items (GtkWidget *widget)
{
  g_autofree char *name = is_item (widget) ? dup_name (widget) : NULL;

  if (name != NULL)
    {
      gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
      gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    name_items (child);
}

static void
focus_cb (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  GtkWidget *menu = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER_MENU) : NULL;

  if (menu != NULL)
    name_items (menu);
}

void
gadget_menu_names_watch (GtkWindow *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window));
  g_signal_connect (window, "notify::focus-widget", G_CALLBACK (focus_cb), NULL);
}
