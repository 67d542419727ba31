/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* The parts of a bar, each with a pattern of its own. */
#define GADGET_STORAGE_BAR_PARTS 4

/* A stacked bar; or a sample of one part, for its legend, with the property "part" (int, -1 for a
 * bar). The legend says all that it shows, so screen readers pass it over. */
#define GADGET_TYPE_STORAGE_BAR (gadget_storage_bar_get_type ())
G_DECLARE_FINAL_TYPE (GadgetStorageBar, gadget_storage_bar, GADGET, STORAGE_BAR, GtkWidget)

/* Sets the sizes of the parts. */
void gadget_storage_bar_set_sizes (GadgetStorageBar *self,
                                   const gint64      sizes[GADGET_STORAGE_BAR_PARTS]);

G_END_DECLS
