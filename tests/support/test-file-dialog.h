/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The next dialog that asks where to save answers with @file at once. A program that calls this
 * gets the functions of test-file-dialog.c in place of those of GTK. */
void test_file_dialog_choose (GFile          *file);

/* The next one fails. */
void test_file_dialog_fail   (GtkDialogError  code);

G_END_DECLS
