/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-picture-shrink"

#include "config.h"

#include "gadget-picture-shrink.h"

#include "session/gadget-picture.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

/* In pixels, for the longer side. Models scale larger pictures down, and take this size even when
 * there are many pictures; below LEAST_SIDE a picture is not halved again. */
#define SIDE 2000
#define LEAST_SIDE 250
/* The most pixels that a decoder may allocate, since the file itself says how many it has. */
#define MAX_PIXELS (G_GUINT64_CONSTANT (200) * 1000 * 1000)

static void
size_prepared_cb (GdkPixbufLoader *loader, int width, int height, gboolean *refused)
{
  const double scale = (double) SIDE / MAX (width, height);

  *refused = width < 1 || height < 1 || (guint64) width * (guint64) height > MAX_PIXELS;
  if (*refused)
    gdk_pixbuf_loader_set_size (loader, 0, 0);
  else if (scale < 1)
    gdk_pixbuf_loader_set_size (loader, MAX ((int) (width * scale), 1),
                                MAX ((int) (height * scale), 1));
}

static GdkPixbuf *
decode (GBytes *data, GError **error)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();
  g_autoptr (GError) local_error = NULL;
  gboolean refused = FALSE;
  gboolean closed;
  GdkPixbuf *pixbuf;

  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_prepared_cb), &refused);
  gdk_pixbuf_loader_write_bytes (loader, data, &local_error);
  closed = gdk_pixbuf_loader_close (loader, local_error == NULL ? &local_error : NULL);
  pixbuf = gdk_pixbuf_loader_get_pixbuf (loader);
  if (closed && local_error == NULL && !refused && pixbuf != NULL)
    return gdk_pixbuf_apply_embedded_orientation (pixbuf);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s",
               local_error != NULL ? local_error->message : "The picture cannot be read.");
  return NULL;
}

static GBytes *
encode (GdkPixbuf *pixbuf, GError **error)
{
  gchar *buffer = NULL;
  gsize size = 0;
  gboolean ok;

  if (gdk_pixbuf_get_has_alpha (pixbuf))
    ok = gdk_pixbuf_save_to_buffer (pixbuf, &buffer, &size, "png", error, NULL);
  else
    ok = gdk_pixbuf_save_to_buffer (pixbuf, &buffer, &size, "jpeg", error, "quality", "85", NULL);
  return ok ? g_bytes_new_take (buffer, size) : NULL;
}

/**
 * gadget_picture_shrink:
 * @data: a file that gdk-pixbuf reads
 * @error: %G_IO_ERROR_INVALID_DATA when the picture is too large or cannot be decoded; a
 *   #GdkPixbufError when it cannot be encoded
 *
 * Scales the picture down to what models take, and further until its file has at most
 * %GADGET_PICTURE_MAX_BYTES or it is very small. Of an animation, the first frame is taken.
 *
 * Returns: (transfer full) (nullable): a PNG if the picture has transparency, else a JPEG
 */
GBytes *
gadget_picture_shrink (GBytes *data, GError **error)
{
  g_autoptr (GdkPixbuf) pixbuf = NULL;

  g_return_val_if_fail (data != NULL, NULL);

  pixbuf = decode (data, error);
  while (pixbuf != NULL)
    {
      g_autoptr (GBytes) smaller = encode (pixbuf, error);
      const int width = gdk_pixbuf_get_width (pixbuf);
      const int height = gdk_pixbuf_get_height (pixbuf);
      GdkPixbuf *half;

      if (smaller == NULL || g_bytes_get_size (smaller) <= GADGET_PICTURE_MAX_BYTES
          || MAX (width, height) < LEAST_SIDE)
        return g_steal_pointer (&smaller);
      half = gdk_pixbuf_scale_simple (pixbuf, MAX (width / 2, 1), MAX (height / 2, 1),
                                      GDK_INTERP_BILINEAR);
      g_object_unref (pixbuf);
      pixbuf = half;
    }
  return NULL;
}
