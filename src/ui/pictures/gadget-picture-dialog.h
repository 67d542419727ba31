/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-picture-book.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_DIALOG (gadget_picture_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureDialog, gadget_picture_dialog, GADGET, PICTURE_DIALOG, AdwDialog)

/* A picture, as large as there is room for it; it can be saved and copied. */
AdwDialog *gadget_picture_dialog_new  (GadgetPictureBook   *book,
                                       GadgetPicture       *picture);

/* For the file that the user chose. */
void       gadget_picture_dialog_save (GadgetPictureDialog *self,
                                       GFile               *file);

G_END_DECLS
