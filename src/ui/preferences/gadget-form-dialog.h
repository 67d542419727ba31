/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_FORM_DIALOG (gadget_form_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetFormDialog, gadget_form_dialog, GADGET, FORM_DIALOG, AdwDialog)

/**
 * GadgetFormDialog:
 *
 * A dialog with pages that are filled in. While one of them has a property "dirty" that is %TRUE,
 * whatever closes the dialog (Esc, the close button, a swipe) asks first.
 */
GtkWidget         *gadget_form_dialog_new  (AdwNavigationPage *page);

/* The page with that tag, also one that was left by its back button.
 * Returns: (transfer none) (nullable) */
AdwNavigationPage *gadget_form_dialog_find (GadgetFormDialog *self,
                                            const char       *tag);

/* Goes on to another page, which has a back button and a tag: a new one, or one that was found. */
void               gadget_form_dialog_push (GadgetFormDialog  *self,
                                            AdwNavigationPage *page);

G_END_DECLS
