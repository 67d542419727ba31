/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code becomes a file. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Asks where, suggests @name, and saves @text there. */
void gadget_code_save    (GtkWidget  *widget,
                          const char *text,
                          const char *name);

/* Without asking. What came of it is said in a toast. */
void gadget_code_save_to (GtkWidget  *widget,
                          const char *text,
                          GFile      *file);

G_END_DECLS
