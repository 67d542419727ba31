/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives the menu items in @window and in its dialogs accessible names, as long as the window
 * lives. */
void gadget_menu_names_watch (GtkWindow *window);

G_END_DECLS
