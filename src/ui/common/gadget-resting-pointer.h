/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* To be called when a clickable widget has become visible or sensitive: from the next frame but one
 * on it gets the clicks of a pointer that rests there. */
void gadget_resting_pointer_find (GtkWidget *widget);

G_END_DECLS
