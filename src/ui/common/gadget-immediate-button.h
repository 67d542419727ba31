/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_IMMEDIATE_BUTTON (gadget_immediate_button_get_type ())
G_DECLARE_FINAL_TYPE (GadgetImmediateButton, gadget_immediate_button, GADGET, IMMEDIATE_BUTTON,
                      GtkButton)

/* A button that stops something. It emits "clicked" at the moment when a key or a screen reader
 * activates it; other buttons first show for 250 ms that they are pressed. A pointer that rests
 * where the button appears can click it too. */
GtkWidget *gadget_immediate_button_new (void);

G_END_DECLS
