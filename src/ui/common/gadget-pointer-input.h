/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* "clicked" of a button does not say who did it, and only the pointer, or a finger, slips. A button
 * is watched once; in "clicked" it is then asked, once a click. What does not come from the window
 * (a screen reader) is like the keyboard. */
void     gadget_pointer_input_watch (GtkWidget *button);
gboolean gadget_pointer_input_take  (GtkWidget *button);

G_END_DECLS
