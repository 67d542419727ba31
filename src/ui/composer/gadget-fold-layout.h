/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FOLD_LAYOUT (gadget_fold_layout_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFoldLayout, gadget_fold_layout, GADGET, FOLD_LAYOUT, GtkLayoutManager)

/**
 * GadgetFoldLayout:
 *
 * Shows the only child of its widget whole, or not at all: some letters of a word beside an icon
 * say less than the icon alone.
 */

G_END_DECLS
