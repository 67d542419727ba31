/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ASK_BUTTONS (gadget_ask_buttons_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskButtons, gadget_ask_buttons, GADGET, ASK_BUTTONS, GtkWidget)

/* The one row of buttons of a permission: to allow it, for how long (nullable), and at the end to
 * refuse it. It never breaks into two rows: where it is narrow, LASTING gives way first, then the
 * digits of the others, then their words wrap. */
GtkWidget *gadget_ask_buttons_new (GtkWidget *allow,
                                   GtkWidget *lasting,
                                   GtkWidget *deny);

G_END_DECLS
