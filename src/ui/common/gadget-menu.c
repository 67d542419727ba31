/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-menu.h"

void
gadget_menu_append_name (GMenu *menu, const char *name, const char *action, GVariant *target)
{
  g_autoptr (GString) label = g_string_new (name);
  g_autoptr (GMenuItem) item = NULL;

  g_return_if_fail (G_IS_MENU (menu) && name != NULL && action != NULL);

  /* GTK takes every label of a menu for one with mnemonics, also without "use-markup". */
  g_string_replace (label, "_", "__", 0);
  item = g_menu_item_new (label->str, NULL);
  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

void
gadget_menu_append_with_key (GMenu *menu, const char *label, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_return_if_fail (G_IS_MENU (menu) && key != NULL);

  g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (menu, item);
}
