/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The limits of the strictest of the large providers: 5 MiB as base64, and pixels per side. */
#define GADGET_PICTURE_MAX_BYTES (5 * 1024 * 1024 / 4 * 3)
#define GADGET_PICTURE_MAX_SIDE 8000

/**
 * GadgetPicture:
 *
 * A picture that a tool returned with its result, or that the user attached. Its description never
 * changes. Its bytes are in memory while they are needed, and otherwise only in the store; only the
 * main context sets and releases them. Reference counted.
 */
typedef struct _GadgetPicture GadgetPicture;

/* Create a picture from the bytes of a file, or from its description in the store; count
 * references. */
GadgetPicture *gadget_picture_new           (const char           *name,
                                             GBytes               *data,
                                             GError              **error);
GadgetPicture *gadget_picture_new_stored    (const char           *id,
                                             const char           *name,
                                             const char           *mime_type,
                                             guint                 width,
                                             guint                 height,
                                             gsize                 size);
GadgetPicture *gadget_picture_ref           (GadgetPicture        *self);
void           gadget_picture_unref         (GadgetPicture        *self);

/* The description of the picture. The name is nullable; width and height are in pixels and 0 if
 * unknown; the size is in bytes. */
const char    *gadget_picture_get_id        (const GadgetPicture  *self);
const char    *gadget_picture_get_name      (const GadgetPicture  *self);
const char    *gadget_picture_get_mime_type (const GadgetPicture  *self);
guint          gadget_picture_get_width     (const GadgetPicture  *self);
guint          gadget_picture_get_height    (const GadgetPicture  *self);
gsize          gadget_picture_get_size      (const GadgetPicture  *self);
char          *gadget_picture_dup_pixels    (const GadgetPicture  *self);

GBytes        *gadget_picture_get_data      (const GadgetPicture  *self);
void           gadget_picture_set_data      (GadgetPicture        *self,
                                             GBytes               *data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPicture, gadget_picture_unref)

G_END_DECLS
