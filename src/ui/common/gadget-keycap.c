/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-keycap.h"

#include <glib/gi18n.h>
#include <string.h>

static char *
dup_label (const char *accelerator)
{
  guint key;
  GdkModifierType modifiers;
  g_autofree char *label = NULL;
  g_autofree char *name = NULL;

  if (!gtk_accelerator_parse (accelerator, &key, &modifiers))
    g_assert_not_reached ();
  label = gtk_accelerator_get_label (key, modifiers);
  if (key != GDK_KEY_Return && key != GDK_KEY_Escape)
    return g_steal_pointer (&label);
  /* GTK names these two keys differently from what is printed on them. */
  name = gtk_accelerator_get_label (key, 0);
  if (g_str_has_suffix (label, name))
    label[strlen (label) - strlen (name)] = '\0';
  return g_strconcat (label, key == GDK_KEY_Return ? _ ("Enter") : _ ("Esc"), NULL);
}

GtkWidget *
gadget_keycap_new (const char *accelerator)
{
  g_autofree char *text = dup_label (accelerator);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "gadget-keycap");
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}
