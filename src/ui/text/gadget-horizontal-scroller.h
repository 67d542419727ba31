/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Makes a GtkScrolledWindow that scrolls @child horizontally when it is wider than the column;
 * vertical scrolling is left to the chat around it. @label is the accessible label. (transfer
 * floating) */
GtkWidget *gadget_horizontal_scroller_new    (GtkWidget  *child,
                                              const char *label);

/* Scrolls a scroller so that the coordinate @x of its child is visible. */
void       gadget_horizontal_scroller_reveal (GtkWidget  *scroller,
                                              double      x);

G_END_DECLS
