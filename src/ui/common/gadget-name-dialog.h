/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Makes an alert dialog that asks for the name of something: it has HEADING, an entry with NAME, and
 * a button ACCEPT. (transfer floating) */
AdwDialog *gadget_name_dialog_new      (const char     *heading,
                                        const char     *name,
                                        const char     *accept);

/* The name that the user gave, for a handler of "response": without spaces around it; NULL if it is
 * empty, or if the user cancelled. (transfer full) (nullable) */
char      *gadget_name_dialog_dup_name (AdwAlertDialog *dialog,
                                        const char     *response);

/* Shows the dialog, and gives the focus to its entry. */
void       gadget_name_dialog_present  (AdwDialog      *dialog,
                                        GtkWidget      *parent);

G_END_DECLS
