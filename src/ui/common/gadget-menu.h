/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Appends an item with a name as its label: of a model or a folder, say. An underscore in the
 * name is shown; in other labels it marks a mnemonic. @target is consumed if it is floating. */
void gadget_menu_append_name (GMenu      *menu,
                              const char *name,
                              const char *action,
                              GVariant   *target);

/* Appends an item that shows a key, which is bound elsewhere. */
void gadget_menu_append_with_key (GMenu      *menu,
                                  const char *label,
                                  const char *action,
                                  const char *key);

G_END_DECLS
