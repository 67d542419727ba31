/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GADGET_TYPE_ASK_LABEL (gadget_ask_label_get_type ())
G_DECLARE_FINAL_TYPE (GadgetAskLabel, gadget_ask_label, GADGET, ASK_LABEL, GtkWidget)

/* The content of a button of a card: KEPT and beside it EXTRA, which is hidden when there is no
 * room for both. EXTRA_FIRST puts EXTRA before KEPT. Takes the widgets as children. (transfer
 * floating) */
GtkWidget *gadget_ask_label_new (GtkWidget *kept,
                                 GtkWidget *extra,
                                 gboolean   extra_first);

G_END_DECLS
