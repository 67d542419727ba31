/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * gadget_column_get_width:
 * @width: of what the column is in the middle of
 *
 * Where the transcript and the composer begin and end: the one rule for both, so that their edges
 * are on one line in a window of any width, whatever is open beside the chat.
 *
 * Returns: the width of the column
 */
int gadget_column_get_width (int width);

#define GADGET_TYPE_COLUMN_LAYOUT (gadget_column_layout_get_type ())
G_DECLARE_FINAL_TYPE (GadgetColumnLayout, gadget_column_layout, GADGET, COLUMN_LAYOUT,
                      GtkLayoutManager)

/**
 * GadgetColumnLayout:
 *
 * Puts the only child of its widget in that column.
 */

G_END_DECLS
