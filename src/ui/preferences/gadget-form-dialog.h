/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FORM_DIALOG (gadget_form_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFormDialog, gadget_form_dialog, GADGET, FORM_DIALOG, AdwDialog)

/**
 * GadgetFormDialog:
 *
 * A dialog with pages that are filled in. While the page in sight has a property "dirty" that is
 * %TRUE, whatever closes the dialog (Esc, the close button, a swipe) asks first.
 */
GtkWidget *gadget_form_dialog_new  (AdwNavigationPage *page);

/* Goes on to another page, which has a back button. */
void       gadget_form_dialog_push (GadgetFormDialog  *self,
                                    AdwNavigationPage *page);

G_END_DECLS
