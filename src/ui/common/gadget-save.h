/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Saves what a dialog shows as a file, or copies it to the clipboard. A toast in @toasts (nullable)
 * tells the outcome, if the overlay still exists then. */

/* Asks the user for a file and writes @bytes to it. @name is the suggested file name, @saved the
 * text of the toast on success. */
void gadget_save_ask  (GtkWidget          *parent,
                       AdwToastOverlay    *toasts,
                       const char         *title,
                       const char         *name,
                       GBytes             *bytes,
                       const char         *saved);

/* Copies @content (transfer full) to the clipboard. */
void gadget_save_copy (GtkWidget          *parent,
                       AdwToastOverlay    *toasts,
                       GdkContentProvider *content);

G_END_DECLS
