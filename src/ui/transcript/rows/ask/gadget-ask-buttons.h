/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ASK_BUTTONS (gadget_ask_buttons_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskButtons, gadget_ask_buttons, GADGET, ASK_BUTTONS, GtkWidget)

/* The row of buttons of a permission: ALLOW, LASTING (nullable; allow for longer), and DENY at the
 * end. It never wraps into two rows: in a narrow card LASTING shrinks to its arrow first, then the
 * digits of the others disappear, then their labels wrap. Takes the widgets as children. (transfer
 * floating) */
GtkWidget *gadget_ask_buttons_new (GtkWidget *allow,
                                   GtkWidget *lasting,
                                   GtkWidget *deny);

G_END_DECLS
