/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns a label that looks like keys (transfer floating). @accelerator is one that
 * gtk_accelerator_parse () reads. */
GtkWidget *gadget_keycap_new (const char *accelerator);

G_END_DECLS
