/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Saves code to a file, and shows a toast with the outcome. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Asks the user for a file, with @name as a suggestion, and saves @text there. */
void gadget_code_save    (GtkWidget  *widget,
                          const char *text,
                          const char *name);

/* Saves @text to @file without asking. */
void gadget_code_save_to (GtkWidget  *widget,
                          const char *text,
                          GFile      *file);

G_END_DECLS
