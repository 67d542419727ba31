/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that lists the keyboard shortcuts, from the table of ui/common. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-shortcuts.h"

#include "ui/common/gadget-shortcut-table.h"

#include <glib/gi18n.h>
#include <string.h>

struct _GadgetShortcuts
{
  AdwDialog parent_instance;

  AdwPreferencesPage *page;
};

G_DEFINE_FINAL_TYPE (GadgetShortcuts, gadget_shortcuts, ADW_TYPE_DIALOG)

static char *
label_for (const char *accelerator)
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

static GtkWidget *
make_keycap (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "gadget-keycap");
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

/* A wrap box: in a narrow window two keys with long names go one above the other. */
static GtkWidget *
make_row (const GadgetShortcut *shortcut)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *keys = adw_wrap_box_new ();
  g_autofree char *first = label_for (shortcut->first);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ (shortcut->title));
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (keys), 6);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (keys), 6);
  adw_wrap_box_set_align (ADW_WRAP_BOX (keys), 1);
  gtk_widget_set_valign (keys, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (keys, 6);
  gtk_widget_set_margin_bottom (keys, 6);
  adw_wrap_box_append (ADW_WRAP_BOX (keys), make_keycap (first));
  if (shortcut->second != NULL)
    {
      g_autofree char *second = label_for (shortcut->second);

      adw_wrap_box_append (ADW_WRAP_BOX (keys), make_keycap (second));
    }
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), keys);
  return row;
}

static void
add_group (GadgetShortcuts *self, GadgetShortcutGroup group)
{
  AdwPreferencesGroup *rows = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_preferences_group_set_title (rows, gadget_shortcut_table_get_group_title (group));
  for (guint i = 0; i < gadget_shortcut_table_get_n (); i++)
    {
      const GadgetShortcut *shortcut = gadget_shortcut_table_get (i);

      if (shortcut->group == group && shortcut->title != NULL)
        adw_preferences_group_add (rows, make_row (shortcut));
    }
  adw_preferences_page_add (self->page, rows);
}

static void
gadget_shortcuts_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), GADGET_TYPE_SHORTCUTS);

  G_OBJECT_CLASS (gadget_shortcuts_parent_class)->dispose (object);
}

static void
gadget_shortcuts_class_init (GadgetShortcutsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gadget_shortcuts_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/gadgetchat/Gadget/window/gadget-shortcuts.ui");
  gtk_widget_class_bind_template_child (widget_class, GadgetShortcuts, page);
}

static void
gadget_shortcuts_init (GadgetShortcuts *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  for (guint group = 0; group < GADGET_N_SHORTCUT_GROUPS; group++)
    add_group (self, (GadgetShortcutGroup) group);
}

GtkWidget *
gadget_shortcuts_new (void)
{
  return g_object_new (GADGET_TYPE_SHORTCUTS, NULL);
}
