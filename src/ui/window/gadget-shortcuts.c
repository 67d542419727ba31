/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that lists the keyboard shortcuts, from the table of ui/common. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-shortcuts.h"

#include "ui/common/gadget-keycap.h"
#include "ui/common/gadget-shortcut-table.h"

#include <glib/gi18n.h>

struct _GadgetShortcuts
{
  AdwDialog parent_instance;

  AdwPreferencesPage *page;
};

G_DEFINE_FINAL_TYPE (GadgetShortcuts, gadget_shortcuts, ADW_TYPE_DIALOG)

/* A wrap box: in a narrow window two keys with long names go one above the other. */
static GtkWidget *
make_row (const GadgetShortcut *shortcut)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *keys = adw_wrap_box_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ (shortcut->title));
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (keys), 6);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (keys), 6);
  adw_wrap_box_set_align (ADW_WRAP_BOX (keys), 1);
  gtk_widget_set_valign (keys, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (keys, 6);
  gtk_widget_set_margin_bottom (keys, 6);
  adw_wrap_box_append (ADW_WRAP_BOX (keys), gadget_keycap_new (shortcut->first));
  if (shortcut->second != NULL)
    adw_wrap_box_append (ADW_WRAP_BOX (keys), gadget_keycap_new (shortcut->second));
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
