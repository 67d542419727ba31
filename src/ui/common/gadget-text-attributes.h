/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Add attributes for the bytes from @start up to @end to a list: the color of a widget, or a bold
 * weight. */
void gadget_text_attributes_color (PangoAttrList *attributes, GtkWidget *color_widget,
                                   gsize start, gsize end);
void gadget_text_attributes_embolden (PangoAttrList *attributes, gsize start, gsize end);

G_END_DECLS
