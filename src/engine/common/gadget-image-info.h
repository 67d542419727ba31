/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The first bytes of a file that are enough to find its size in pixels, unless its header is
 * huge. */
#define GADGET_IMAGE_HEAD (128 * 1024)

/**
 * GadgetImageInfo:
 * @mime_type: "image/png", "image/jpeg", "image/gif" or "image/webp"
 * @width: in pixels; 0 when the header could not be read
 * @height: in pixels; 0 when the header could not be read
 *
 * The facts that the header of an image file gives.
 */
typedef struct
{
  const char *mime_type;
  guint width;
  guint height;
} GadgetImageInfo;

/* Reads the header in DATA, the beginning of a file. FALSE when it is none of these formats. */
gboolean gadget_image_info_read (GadgetImageInfo *self,
                                 const void      *data,
                                 gsize            length);

G_END_DECLS
