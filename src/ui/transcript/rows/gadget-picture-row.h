/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

#define GADGET_TYPE_PICTURE_ROW (gadget_picture_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureRow, gadget_picture_row, GADGET, PICTURE_ROW, GadgetRow)

/* How high the row of a picture is, before it is made. */
int gadget_picture_row_get_height (const GadgetPicture *picture,
                                   int                  width);

G_END_DECLS
