/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* The most pixels that are decoded, whatever the file says; this takes 200 MB for a moment. */
#define GADGET_PICTURE_MAX_PIXELS (50 * 1000 * 1000)

/**
 * GadgetPictureError:
 * @GADGET_PICTURE_ERROR_KIND: the data are not a picture of a supported kind
 * @GADGET_PICTURE_ERROR_SIZE: the picture has too many pixels
 * @GADGET_PICTURE_ERROR_DAMAGED: the picture cannot be read, or its end is missing
 * @GADGET_PICTURE_ERROR_GONE: the stored file does not exist any more
 *
 * Errors of reading and decoding pictures.
 */
typedef enum
{
  GADGET_PICTURE_ERROR_KIND,
  GADGET_PICTURE_ERROR_SIZE,
  GADGET_PICTURE_ERROR_DAMAGED,
  GADGET_PICTURE_ERROR_GONE,
} GadgetPictureError;

#define GADGET_PICTURE_ERROR (gadget_picture_error_quark ())
GQuark      gadget_picture_error_quark  (void);

/* Returns whether a picture of that size, in pixels, is decoded at all. */
gboolean    gadget_picture_is_decodable (guint    width,
                                         guint    height);

/* Gets the size at which a picture is shown: scaled down to fit into the maximum, never scaled up,
 * and at least one pixel in each direction. */
void        gadget_picture_fit          (guint    width,
                                         guint    height,
                                         guint    max_width,
                                         guint    max_height,
                                         guint   *fit_width,
                                         guint   *fit_height);

/* Decodes @data and scales the picture down to fit into the maximum. Blocks; for a thread. NULL
 * with a GadgetPictureError. (transfer full) */
GdkTexture *gadget_picture_decode       (GBytes  *data,
                                         guint    max_width,
                                         guint    max_height,
                                         GError **error);

/* Returns @data, or NULL with GADGET_PICTURE_ERROR_DAMAGED when the picture is damaged. A picture
 * of an unsupported kind or size is not an error. Blocks; for a thread. (transfer full) */
GBytes     *gadget_picture_check_undamaged (GBytes *data,
                                         GError **error);

G_END_DECLS
