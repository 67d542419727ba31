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
 * Children in a row. Where there is not enough room for all of them, the last one gets what it
 * wants first, as much of it as there is; then each of the others in turn what it wants, or only
 * what it needs.
 */

G_END_DECLS
