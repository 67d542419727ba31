/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures: their description, and their bytes while these are in memory. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture.h"

#include "common/gadget-id.h"
#include "common/gadget-image-info.h"

struct _GadgetPicture
{
  gatomicrefcount ref_count;
  char *id;   /* names the bytes in the store */
  char *name; /* (nullable) */
  char *mime_type;
  guint width;  /* in pixels; 0 if unknown */
  guint height; /* likewise */
  gsize size;   /* of the file, in bytes */
  GBytes *data; /* (nullable): NULL while the bytes are not in memory */
};

static gboolean
check (const GadgetImageInfo *info, gsize size, GError **error)
{
  if (size > GADGET_PICTURE_MAX_BYTES)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
                 "It is too large to be shown: at most %d bytes can be.", GADGET_PICTURE_MAX_BYTES);
  else if (MAX (info->width, info->height) > GADGET_PICTURE_MAX_SIDE)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
                 "It is too large to be shown: at most %d pixels a side can be.",
                 GADGET_PICTURE_MAX_SIDE);
  else
    return TRUE;
  return FALSE;
}

/**
 * gadget_picture_new:
 * @name: (nullable): the name of the picture's file
 * @data: the bytes of the file; a reference is kept. The format is detected from them, not from the
 *   name
 *
 * Returns: (transfer full): a picture with a new id, or %NULL if models cannot be shown it, with
 *   %G_IO_ERROR_NOT_SUPPORTED if it is not a PNG, JPEG, GIF or WebP picture, or
 *   %G_IO_ERROR_MESSAGE_TOO_LARGE
 */
GadgetPicture *
gadget_picture_new (const char *name, GBytes *data, GError **error)
{
  GadgetImageInfo info;
  GadgetPicture *self;
  gsize size;
  const void *bytes;

  g_return_val_if_fail (data != NULL, NULL);

  bytes = g_bytes_get_data (data, &size);
  if (!gadget_image_info_read (&info, bytes, size))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                           "It is not a PNG, JPEG, GIF or WebP picture.");
      return NULL;
    }
  if (!check (&info, size, error))
    return NULL;
  g_autofree char *id = gadget_id_new ();

  self = gadget_picture_new_stored (id, name, info.mime_type, info.width, info.height, size);
  self->data = g_bytes_ref (data);
  return self;
}

/**
 * gadget_picture_new_stored:
 * @id: the id in the store
 * @name: (nullable): the name of the picture's file
 * @mime_type: the MIME type
 * @width: in pixels, 0 if unknown
 * @height: in pixels, 0 if unknown
 * @size: in bytes
 *
 * Returns: (transfer full): a picture whose bytes are in the store
 */
GadgetPicture *
gadget_picture_new_stored (const char *id, const char *name, const char *mime_type, guint width,
                           guint height, gsize size)
{
  GadgetPicture *self;

  g_return_val_if_fail (id != NULL && mime_type != NULL, NULL);

  self = g_new0 (GadgetPicture, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->id = g_strdup (id);
  self->name = g_strdup (name);
  self->mime_type = g_strdup (mime_type);
  self->width = width;
  self->height = height;
  self->size = size;
  return self;
}

/* gadget_picture_ref () and gadget_picture_unref () may be called on any thread; neither accepts
 * %NULL. */
GadgetPicture *
gadget_picture_ref (GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gadget_picture_unref (GadgetPicture *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->id);
  g_free (self->name);
  g_free (self->mime_type);
  g_clear_pointer (&self->data, g_bytes_unref);
  g_free (self);
}

const char *
gadget_picture_get_id (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->id;
}

/* gadget_picture_get_name: returns the name of the picture's file; %NULL if it does not come from a
 * file. (transfer none) */
const char *
gadget_picture_get_name (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}

/* gadget_picture_get_mime_type: returns a type such as "image/png"; never %NULL. (transfer none) */
const char *
gadget_picture_get_mime_type (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->mime_type;
}

/* gadget_picture_get_width () and gadget_picture_get_height () return pixels; 0 if they are
 * unknown. */
guint
gadget_picture_get_width (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->width;
}

guint
gadget_picture_get_height (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->height;
}

/* gadget_picture_get_size: returns the size of the file in bytes, also while the bytes are not in
 * memory. */
gsize
gadget_picture_get_size (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->size;
}

/**
 * gadget_picture_dup_pixels:
 *
 * Returns: (transfer full) (nullable): the size in pixels, such as "640 × 480"; %NULL if unknown
 */
char *
gadget_picture_dup_pixels (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->width == 0 || self->height == 0)
    return NULL;
  return g_strdup_printf ("%u × %u", self->width, self->height);
}

/**
 * gadget_picture_get_data:
 *
 * Returns: (transfer none) (nullable): the bytes of the file; %NULL while they are not in memory
 */
GBytes *
gadget_picture_get_data (const GadgetPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->data;
}

/**
 * gadget_picture_set_data:
 * @data: (nullable): a reference is kept; %NULL releases the bytes, which the store has
 *
 * Sets or releases the bytes. To be called on the main context only.
 */
void
gadget_picture_set_data (GadgetPicture *self, GBytes *data)
{
  g_return_if_fail (self != NULL);

  if (data != NULL)
    g_bytes_ref (data);
  g_clear_pointer (&self->data, g_bytes_unref);
  self->data = data;
}
