/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_TILE_LAYOUT (gadget_tile_layout_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTileLayout, gadget_tile_layout, GADGET, TILE_LAYOUT, GtkLayoutManager)

/**
 * GadgetTileLayout:
 *
 * A layout manager for tiles of equal size in rows: three in a row, or fewer where there is not
 * enough space for their natural width.
 */

G_END_DECLS
