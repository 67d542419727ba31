/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* What is decoded at most, whatever the file says of itself: 200 MB for a moment. */
#define GADGET_PICTURE_MAX_PIXELS (50 * 1000 * 1000)

/**
 * GadgetPictureError:
 * @GADGET_PICTURE_ERROR_KIND: it is not a picture of a kind that can be shown here
 * @GADGET_PICTURE_ERROR_SIZE: it has too many pixels
 * @GADGET_PICTURE_ERROR_DAMAGED: it cannot be read, or its end is missing
 * @GADGET_PICTURE_ERROR_GONE: its bytes are not there any more
 */
typedef enum
{
  GADGET_PICTURE_ERROR_KIND,
  GADGET_PICTURE_ERROR_SIZE,
  GADGET_PICTURE_ERROR_DAMAGED,
  GADGET_PICTURE_ERROR_GONE,
} GadgetPictureError;

#define GADGET_PICTURE_ERROR (gadget_picture_error_quark ())
GQuark      gadget_picture_error_quark (void);

/* Whether a picture of that size is decoded at all. */
gboolean    gadget_picture_is_decodable (guint    width,
                                         guint    height);

/* The size that a picture is shown in, so that it is nowhere larger than it is, or than the room
 * for it: at least one pixel each way. */
void        gadget_picture_fit         (guint     width,
                                        guint     height,
                                        guint     max_width,
                                        guint     max_height,
                                        guint    *fit_width,
                                        guint    *fit_height);

/* Blocks; for a thread. */
GdkTexture *gadget_picture_decode      (GBytes   *data,
                                        guint     max_width,
                                        guint     max_height,
                                        GError  **error);

/* @data again, or NULL if it is damaged; what is only of no kind or size that is shown here is not.
 * Blocks; for a thread. (transfer full) */
GBytes     *gadget_picture_check       (GBytes   *data,
                                        GError  **error);

G_END_DECLS
