/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_NARROW_BIN (gadget_narrow_bin_get_type ())
G_DECLARE_FINAL_TYPE (GadgetNarrowBin, gadget_narrow_bin, GADGET, NARROW_BIN, GtkWidget)

/* Cards whose content is narrower than this, in pixels, have the layout for a phone. */
#define GADGET_CARD_NARROW 414

/* Shows WIDE when its width is GADGET_CARD_NARROW or more, else NARROW. Both have the same
 * information, so NARROW is hidden from screen readers. Takes the widgets as children. (transfer
 * floating) */
GtkWidget *gadget_narrow_bin_new (GtkWidget *wide,
                                  GtkWidget *narrow);

G_END_DECLS
