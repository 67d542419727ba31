/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Rows and buttons of pages and dialogs in a window, by what is written on them. ROOT is the
 * window; only what is mapped is found. */

/* By its title. */
GtkWidget *test_find_row    (GtkWidget  *root,
                             const char *title);
/* By its label, its tooltip, or the name that a screen reader is told. */
GtkWidget *test_find_button (GtkWidget  *root,
                             const char *label);
/* Tells whether some label has this part. */
gboolean   test_says        (GtkWidget  *root,
                             const char *part);

/* Waits for the button, which has to be sensitive, and clicks it. */
void       test_press       (GtkWidget  *root,
                             const char *label);
/* Waits for the row, and gives it this text. */
void       test_enter       (GtkWidget  *root,
                             const char *title,
                             const char *text);

G_END_DECLS
