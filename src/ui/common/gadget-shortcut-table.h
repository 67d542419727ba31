/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The groups of the dialog, in its order. */
typedef enum
{
  GADGET_SHORTCUT_STOPPING,
  GADGET_SHORTCUT_WRITING,
  GADGET_SHORTCUT_CHATS,
  GADGET_SHORTCUT_GENERAL,
  GADGET_N_SHORTCUT_GROUPS,
} GadgetShortcutGroup;

/**
 * GadgetShortcut:
 * @title: (nullable) (not translated yet): what the keys do, in the dialog; %NULL for keys that it
 *   does not show
 * @first: an accelerator, as gtk_accelerator_parse () reads it
 * @second: (nullable): another one
 * @action: (nullable): the action that the keys activate; %NULL where a widget handles the keys
 *   itself
 * @parameter: (nullable): of the action, as g_variant_parse () reads it
 *
 * Keys, and what they do.
 */
typedef struct
{
  GadgetShortcutGroup group;
  const char *title;
  const char *first;
  const char *second;
  const char *action;
  const char *parameter;
} GadgetShortcut;

/* The shortcuts, in the order of the dialog; they are static. */
guint                 gadget_shortcut_table_get_n           (void);
const GadgetShortcut *gadget_shortcut_table_get             (guint                index);
const char           *gadget_shortcut_table_get_group_title (GadgetShortcutGroup  group);

/* Bind keys of the table in the class of a widget, which has installed the actions already: those
 * of all actions whose names begin with @prefix; and those of @action to a function in place of the
 * action. */
void                  gadget_shortcut_table_bind            (GtkWidgetClass      *widget_class,
                                                             const char          *prefix);
void                  gadget_shortcut_table_bind_func       (GtkWidgetClass      *widget_class,
                                                             const char          *action,
                                                             GtkShortcutFunc      func);

G_END_DECLS
