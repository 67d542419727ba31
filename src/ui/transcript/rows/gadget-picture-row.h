/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-row.h"

G_BEGIN_DECLS

/* A picture that came with the result of a tool call. */
#define GADGET_TYPE_PICTURE_ROW (gadget_picture_row_get_type ())
G_DECLARE_FINAL_TYPE (GadgetPictureRow, gadget_picture_row, GADGET, PICTURE_ROW, GadgetRow)

/* Returns the height, in pixels, of the row of a picture in a column of @width; it is known before
 * the picture is loaded. */
int gadget_picture_row_get_height (const GadgetPicture *picture,
                                   int                  width);

G_END_DECLS
