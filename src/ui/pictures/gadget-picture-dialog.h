/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-picture-loader.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_DIALOG (gadget_picture_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureDialog, gadget_picture_dialog, GADGET, PICTURE_DIALOG, AdwDialog)

/* A dialog that shows a picture as large as there is room for it; it can be saved and copied.
 * (transfer floating) */
AdwDialog *gadget_picture_dialog_new (GadgetPictureLoader *loader,
                                      GadgetPicture       *picture);

G_END_DECLS
