/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_NARROW_BIN (gadget_narrow_bin_get_type ())
G_DECLARE_FINAL_TYPE (GadgetNarrowBin, gadget_narrow_bin, GADGET, NARROW_BIN, GtkWidget)

/* Cards narrower than this, in pixels of their content, are laid out for a phone. */
#define GADGET_CARD_NARROW 414

/* Shows WIDE where it gets GADGET_CARD_NARROW or more, else NARROW. Both say the same, so screen
 * readers are told of WIDE alone. */
GtkWidget *gadget_narrow_bin_new (GtkWidget *wide,
                                  GtkWidget *narrow);

G_END_DECLS
