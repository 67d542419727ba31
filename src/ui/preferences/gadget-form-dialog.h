/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FORM_DIALOG (gadget_form_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFormDialog, gadget_form_dialog, GADGET, FORM_DIALOG, AdwDialog)

/**
 * GadgetFormDialog:
 *
 * A dialog with pages that the user fills in, beginning with @page. While the property "dirty" of
 * any page is %TRUE, everything that closes the dialog (Esc, the close button, a swipe) asks first.
 */
GtkWidget         *gadget_form_dialog_new  (AdwNavigationPage *page);

/* Returns the page with a tag, also one that the user left with the back button. (transfer none)
 * (nullable) */
AdwNavigationPage *gadget_form_dialog_find (GadgetFormDialog *self,
                                            const char       *tag);

/* Shows a page with a back button: a new one, which must have a tag, or one that was found. Goes
 * back to @page if it is in the stack already. */
void               gadget_form_dialog_push (GadgetFormDialog  *self,
                                            AdwNavigationPage *page);

G_END_DECLS
