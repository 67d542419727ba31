/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is wider than the column scrolls from side to side, by itself; up and down the chat scrolls.
 * A scrolled window that does so with @child. (transfer floating) */
GtkWidget *gadget_sideways_new (GtkWidget  *child,
                                const char *label);

/* Scrolls it so that @x of its child is in sight. */
void       gadget_sideways_reveal (GtkWidget *sideways,
                                   double     x);

G_END_DECLS
