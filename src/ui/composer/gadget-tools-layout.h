/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TOOLS_LAYOUT (gadget_tools_layout_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolsLayout, gadget_tools_layout, GADGET, TOOLS_LAYOUT,
                      GtkLayoutManager)

/**
 * GadgetToolsLayout:
 *
 * A layout manager for children in a row. When there is not enough space for all natural sizes, the
 * last child gets as much of its natural size as there is; then each of the others in turn gets its
 * natural size if there is space for it, and otherwise its minimum size.
 */

G_END_DECLS
