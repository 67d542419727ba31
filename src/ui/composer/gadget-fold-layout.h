/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FOLD_LAYOUT (gadget_fold_layout_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFoldLayout, gadget_fold_layout, GADGET, FOLD_LAYOUT, GtkLayoutManager)

/**
 * GadgetFoldLayout:
 *
 * A layout manager that shows the only child of its widget whole, or not at all: a few letters of a
 * label beside an icon say less than the icon alone.
 */

G_END_DECLS
