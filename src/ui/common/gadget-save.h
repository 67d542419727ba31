/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Something that is shown in a dialog becomes a file of the user's, or goes to the clipboard; a
 * toast in TOASTS (nullable) says how it went, if that is still there then. */

/* Asks where; NAME is what it is called unless the user calls it otherwise. SAVED is said when it
 * was. */
void gadget_save_ask   (GtkWidget          *parent,
                        AdwToastOverlay    *toasts,
                        const char         *title,
                        const char         *name,
                        GBytes             *bytes,
                        const char         *saved);

/* In FILE, in place of what is there. */
void gadget_save_bytes (AdwToastOverlay    *toasts,
                        GFile              *file,
                        GBytes             *bytes,
                        const char         *saved);

/* Takes CONTENT. */
void gadget_save_copy  (GtkWidget          *parent,
                        AdwToastOverlay    *toasts,
                        GdkContentProvider *content);

G_END_DECLS
