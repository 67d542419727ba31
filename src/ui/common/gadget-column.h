/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * gadget_column_get_width:
 * @width: the width of the widget that the column is centered in, in pixels
 *
 * The one rule for the edges of the transcript and of the composer, so that they align in a window
 * of any width, whatever is open beside the chat.
 *
 * Returns: the width of the column, in pixels; at least 1
 */
int gadget_column_get_width (int width);

#define GADGET_TYPE_COLUMN_LAYOUT (gadget_column_layout_get_type ())
G_DECLARE_FINAL_TYPE (GadgetColumnLayout, gadget_column_layout, GADGET, COLUMN_LAYOUT,
                      GtkLayoutManager)

/**
 * GadgetColumnLayout:
 *
 * A layout manager that centers the only child of its widget in a column of
 * gadget_column_get_width().
 */

G_END_DECLS
