/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of the keys that people are told of. The dialog shows it, and widgets bind their keys
 * from it. Keys that belong to one widget and have no row here, such as those of its menu, are
 * bound there.
 *
 * Keys without an action are taken by a widget before a text or a menu could use them, or need a
 * parameter of the widget's own; tests/ui/window/test-shortcuts.c says where each is. */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-shortcut-table.h"

#include <glib/gi18n.h>

static const GadgetShortcut shortcuts[] = {
  { GADGET_SHORTCUT_STOPPING, N_ ("Stop the reply"), "Escape", "Escape" },
  { GADGET_SHORTCUT_STOPPING, N_ ("Stop the reply at once"), "<Shift>Escape" },
  { GADGET_SHORTCUT_STOPPING, N_ ("Stop everything"), "<Control><Shift>Escape" },

  { GADGET_SHORTCUT_WRITING, N_ ("Send, or queue while a reply is written"), "Return" },
  { GADGET_SHORTCUT_WRITING, N_ ("Steer the reply that is written"), "<Control>Return" },
  { GADGET_SHORTCUT_WRITING, N_ ("New line"), "<Shift>Return" },
  { GADGET_SHORTCUT_WRITING, N_ ("Move a queued message up"), "<Alt>Up", NULL, "queued.move-up" },
  { GADGET_SHORTCUT_WRITING, N_ ("Move a queued message down"), "<Alt>Down", NULL,
    "queued.move-down" },
  { GADGET_SHORTCUT_WRITING, N_ ("Mention a file"), "at" },
  { GADGET_SHORTCUT_WRITING, N_ ("Focus message entry"), "<Control>l", NULL, "win.focus-composer" },
  { GADGET_SHORTCUT_WRITING, N_ ("Go to pending question"), "<Control>j", NULL, "win.focus-ask" },

  { GADGET_SHORTCUT_CHATS, N_ ("New chat"), "<Control>n", NULL, "win.new-chat" },
  { GADGET_SHORTCUT_CHATS, N_ ("New incognito chat"), "<Control><Shift>p", NULL,
    "win.new-incognito-chat" },
  { GADGET_SHORTCUT_CHATS, N_ ("New window"), "<Control><Shift>n", NULL, "win.new-window" },
  { GADGET_SHORTCUT_CHATS, N_ ("Open a chat or a match in a new window"), "<Control>Return", NULL,
    "library.open-in-window" },
  { GADGET_SHORTCUT_CHATS, N_ ("Go to a chat or an action"), "<Control>k", NULL, "win.switch" },
  { GADGET_SHORTCUT_CHATS, N_ ("Search titles of chats"), "<Control><Shift>k", NULL, "win.search" },
  { GADGET_SHORTCUT_CHATS, N_ ("Search all chats"), "<Control><Shift>f", NULL, "win.search-all" },
  { GADGET_SHORTCUT_CHATS, N_ ("Find in the chat"), "<Control>f", NULL, "win.find" },
  { GADGET_SHORTCUT_CHATS, N_ ("Next match"), "<Control>g", NULL, "win.find-step", "1" },
  { GADGET_SHORTCUT_CHATS, N_ ("Previous match"), "<Control><Shift>g", NULL, "win.find-step",
    "-1" },
  { GADGET_SHORTCUT_CHATS, N_ ("Print the chat"), "<Control>p", NULL, "win.print" },
  { GADGET_SHORTCUT_CHATS, N_ ("Rename a chat in the list"), "F2", NULL, "library.rename" },
  { GADGET_SHORTCUT_CHATS, N_ ("Delete a chat in the list"), "Delete", NULL, "library.delete" },
  { GADGET_SHORTCUT_CHATS, NULL, "KP_Delete", NULL, "library.delete" },
  { GADGET_SHORTCUT_CHATS, N_ ("Previous turn"), "<Control>Up", NULL, "win.go-to-turn", "-1" },
  { GADGET_SHORTCUT_CHATS, N_ ("Next turn"), "<Control>Down", NULL, "win.go-to-turn", "1" },
  { GADGET_SHORTCUT_CHATS, N_ ("Scroll through the chat"), "Page_Up", "Page_Down" },
  { GADGET_SHORTCUT_CHATS, N_ ("Select text"), "<Shift>Right", "<Control><Shift>Right" },
  { GADGET_SHORTCUT_CHATS, N_ ("Copy the last reply"), "<Control><Shift>c", NULL,
    "win.copy-last-answer" },

  { GADGET_SHORTCUT_GENERAL, N_ ("Show or hide the chats"), "F9", NULL, "win.toggle-sidebar" },
  { GADGET_SHORTCUT_GENERAL, N_ ("Toggle activity panel"), "<Shift>F9", NULL,
    "win.toggle-activity" },
  { GADGET_SHORTCUT_GENERAL, N_ ("Main menu"), "F10", NULL, "win.menu" },
  { GADGET_SHORTCUT_GENERAL, N_ ("Preferences"), "<Control>comma", NULL, "win.preferences" },
  { GADGET_SHORTCUT_GENERAL, N_ ("Keyboard shortcuts"), "<Control>question", NULL,
    "win.shortcuts" },
  { GADGET_SHORTCUT_GENERAL, N_ ("Close the window"), "<Control>w" },
  { GADGET_SHORTCUT_GENERAL, N_ ("Quit"), "<Control>q" },
};

guint
gadget_shortcut_table_get_n (void)
{
  return G_N_ELEMENTS (shortcuts);
}

/**
 * gadget_shortcut_table_get:
 * @index: less than gadget_shortcut_table_get_n ()
 *
 * Returns: (transfer none): the shortcut
 */
const GadgetShortcut *
gadget_shortcut_table_get (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (shortcuts), &shortcuts[0]);
  return &shortcuts[index];
}

/* Returns the title of the group in the reader's language. (transfer none) */
const char *
gadget_shortcut_table_get_group_title (GadgetShortcutGroup group)
{
  static const char *const titles[GADGET_N_SHORTCUT_GROUPS] = {
    [GADGET_SHORTCUT_STOPPING] = N_ ("Stopping"),
    [GADGET_SHORTCUT_WRITING] = N_ ("Writing"),
    [GADGET_SHORTCUT_CHATS] = N_ ("Chats"),
    [GADGET_SHORTCUT_GENERAL] = N_ ("General"),
  };

  g_return_val_if_fail (group < GADGET_N_SHORTCUT_GROUPS, NULL);
  return _ (titles[group]);
}

static gboolean
has_action (GtkWidgetClass *widget_class, const char *action)
{
  const GVariantType *parameter_type;
  const char *name, *property;
  GType owner;

  for (guint i = 0;
       gtk_widget_class_query_action (widget_class, i, &owner, &name, &parameter_type, &property);
       i++)
    if (g_str_equal (name, action))
      return TRUE;
  return FALSE;
}

/* @func: (nullable): in place of the action */
static void
bind (GtkWidgetClass *widget_class, const GadgetShortcut *row, GtkShortcutFunc func)
{
  const char *const keys[] = { row->first, row->second };

  /* GTK would bind the keys to an action that does not exist, and they would do nothing. */
  g_return_if_fail (has_action (widget_class, row->action));

  for (guint i = 0; i < G_N_ELEMENTS (keys) && keys[i] != NULL; i++)
    {
      g_autoptr (GtkShortcut) shortcut =
          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys[i]),
                            func != NULL ? gtk_callback_action_new (func, NULL, NULL)
                                         : gtk_named_action_new (row->action));

      if (row->parameter != NULL)
        {
          g_autoptr (GVariant) parameter = g_variant_parse (NULL, row->parameter, NULL, NULL, NULL);

          gtk_shortcut_set_arguments (shortcut, parameter);
        }
      gtk_widget_class_add_shortcut (widget_class, shortcut);
    }
}

void
gadget_shortcut_table_bind (GtkWidgetClass *widget_class, const char *prefix)
{
  g_return_if_fail (GTK_IS_WIDGET_CLASS (widget_class) && prefix != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (shortcuts[i].action != NULL && g_str_has_prefix (shortcuts[i].action, prefix))
      bind (widget_class, &shortcuts[i], NULL);
}

void
gadget_shortcut_table_bind_func (GtkWidgetClass *widget_class, const char *action,
                                 GtkShortcutFunc func)
{
  g_return_if_fail (GTK_IS_WIDGET_CLASS (widget_class) && action != NULL && func != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (g_strcmp0 (shortcuts[i].action, action) == 0)
      bind (widget_class, &shortcuts[i], func);
}
