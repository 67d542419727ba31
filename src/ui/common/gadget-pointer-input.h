/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Tells whether a pointer clicked a button. "clicked" does not say that, and only a pointer or a
 * finger can slip. gadget_pointer_input_watch() is called once for a button;
 * gadget_pointer_input_take() once in each "clicked" handler. Activation that does not come through
 * the window, as by a screen reader, counts as the keyboard. */
void     gadget_pointer_input_watch (GtkWidget *button);
gboolean gadget_pointer_input_take  (GtkWidget *button);

G_END_DECLS
