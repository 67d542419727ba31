/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives the items of menus in @window, and in its dialogs, the names that screen readers read. */
void gadget_menu_names_watch (GtkWindow *window);

G_END_DECLS
