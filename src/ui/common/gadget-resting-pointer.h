/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Something that is to be clicked has come into sight, or can be clicked again: it gets the clicks
 * of a pointer that rests where it is from the next frame but one on. */
void gadget_resting_pointer_find (GtkWidget *widget);

G_END_DECLS
