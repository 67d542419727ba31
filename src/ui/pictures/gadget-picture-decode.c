/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures come from tools and servers and cannot be trusted. The first bytes decide the kind: only
 * the four kinds that models accept are decoded, each by the loader of that kind, so that a file
 * which claims to be a picture is not read as a vector drawing, which could refer to other files. A
 * picture that is too large is refused when its loader knows the size, before memory is allocated;
 * the others are scaled to the size at which they are shown. A file whose end is missing is
 * refused, since a loader leaves the missing part undefined. */

#define G_LOG_DOMAIN "gadget-picture"

#include "config.h"

#include "gadget-picture-decode.h"

#include "common/gadget-image-info.h"
#include "session/gadget-picture.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

/* The loader gets this many bytes at once. */
#define PIECE (64 * 1024)

/* The limits of one decoding, and whether the size was refused. */
typedef struct
{
  guint max_width;
  guint max_height;
  gboolean refused;
} DecodeLimits;

G_DEFINE_QUARK (gadget-picture-error, gadget_picture_error)

gboolean
gadget_picture_is_decodable (guint width, guint height)
{
  return width > 0 && height > 0 && MAX (width, height) <= GADGET_PICTURE_MAX_SIDE
         && (guint64) width * height <= GADGET_PICTURE_MAX_PIXELS;
}

void
gadget_picture_fit (guint width, guint height, guint max_width, guint max_height, guint *fit_width,
                    guint *fit_height)
{
  const double scale =
      MIN (1, MIN ((double) max_width / MAX (width, 1), (double) max_height / MAX (height, 1)));

  *fit_width = (guint) MAX (1, width * scale + 0.5);
  *fit_height = (guint) MAX (1, height * scale + 0.5);
}

/* --- Whole files --- */

static guint32
be32 (const guint8 *data)
{
  return (guint32) data[0] << 24 | (guint32) data[1] << 16 | (guint32) data[2] << 8 | data[3];
}

/* A PNG file is a sequence of chunks (length, name, data, checksum) up to IEND. */
static gboolean
is_whole_png (const guint8 *data, gsize length)
{
  gsize at = 8;

  while (length - at >= 12)
    {
      const gsize size = be32 (data + at);

      if (memcmp (data + at + 4, "IEND", 4) == 0)
        return TRUE;
      if (size > length - at - 12)
        return FALSE;
      at += 12 + size;
    }
  return FALSE;
}

/* A JPEG file has segments up to the first scan; within the data of a scan the end marker does not
 * occur. */
static gboolean
is_whole_jpeg (const guint8 *data, gsize length)
{
  gsize at = 2;

  while (length - at >= 4 && data[at] == 0xff)
    {
      if (data[at + 1] == 0xda)
        return memmem (data + at, length - at, "\xff\xd9", 2) != NULL;
      at += data[at + 1] == 0xff
                ? 1
                : 2 + MIN ((gsize) data[at + 2] << 8 | data[at + 3], length - at - 2);
    }
  return FALSE;
}

static gboolean
is_whole (const char *mime_type, const guint8 *data, gsize length)
{
  if (g_str_equal (mime_type, "image/png"))
    return is_whole_png (data, length);
  if (g_str_equal (mime_type, "image/jpeg"))
    return is_whole_jpeg (data, length);
  return TRUE;
}

/* --- Decoding --- */

/* The size that the header of the file said may differ from the size that the decoder finds. */
static void
size_prepared_cb (GdkPixbufLoader *loader, int width, int height, DecodeLimits *limits)
{
  guint fit_width, fit_height;

  limits->refused =
      width < 1 || height < 1 || !gadget_picture_is_decodable ((guint) width, (guint) height);
  if (limits->refused)
    {
      /* A size of 0 makes the loader stop. */
      gdk_pixbuf_loader_set_size (loader, 0, 0);
      return;
    }
  gadget_picture_fit ((guint) width, (guint) height, limits->max_width, limits->max_height,
                      &fit_width, &fit_height);
  if (fit_width != (guint) width || fit_height != (guint) height)
    gdk_pixbuf_loader_set_size (loader, (int) fit_width, (int) fit_height);
}

static gboolean
feed (GdkPixbufLoader *loader, const guint8 *data, gsize length, const DecodeLimits *limits)
{
  gboolean fed = TRUE;

  for (gsize at = 0; fed && !limits->refused && at < length; at += PIECE)
    fed = gdk_pixbuf_loader_write (loader, data + at, MIN (PIECE, length - at), NULL);
  /* A loader must be closed even after an error. */
  return gdk_pixbuf_loader_close (loader, NULL) && fed && !limits->refused;
}

static GdkTexture *
make_texture (GdkPixbuf *loaded)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_apply_embedded_orientation (loaded);
  g_autoptr (GBytes) pixels = gdk_pixbuf_read_pixel_bytes (pixbuf);

  return gdk_memory_texture_new (gdk_pixbuf_get_width (pixbuf), gdk_pixbuf_get_height (pixbuf),
                                 gdk_pixbuf_get_has_alpha (pixbuf) ? GDK_MEMORY_R8G8B8A8
                                                                   : GDK_MEMORY_R8G8B8,
                                 pixels, (gsize) gdk_pixbuf_get_rowstride (pixbuf));
}

/**
 * gadget_picture_decode:
 * @max_width: in pixels; a larger picture is scaled down
 * @max_height: in pixels
 *
 * Blocks, so it is called in a thread.
 *
 * Returns: (transfer full): the picture, or %NULL with %GADGET_PICTURE_ERROR_KIND,
 *   %GADGET_PICTURE_ERROR_SIZE or %GADGET_PICTURE_ERROR_DAMAGED
 */
GdkTexture *
gadget_picture_decode (GBytes *data, guint max_width, guint max_height, GError **error)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (data, &length);
  g_autoptr (GdkPixbufLoader) loader = NULL;
  DecodeLimits limits = { .max_width = max_width, .max_height = max_height };
  GadgetImageInfo info;
  GdkPixbuf *pixbuf;

  if (gadget_image_info_read (&info, bytes, length))
    loader = gdk_pixbuf_loader_new_with_mime_type (info.mime_type, NULL);
  if (loader == NULL)
    {
      g_set_error_literal (error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_KIND,
                           "It is of no kind that can be shown.");
      return NULL;
    }
  if (!is_whole (info.mime_type, bytes, length))
    {
      gdk_pixbuf_loader_close (loader, NULL);
      g_set_error_literal (error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_DAMAGED,
                           "Its end is missing.");
      return NULL;
    }
  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_prepared_cb), &limits);
  pixbuf = feed (loader, bytes, length, &limits) ? gdk_pixbuf_loader_get_pixbuf (loader) : NULL;
  if (pixbuf == NULL)
    {
      g_set_error_literal (error, GADGET_PICTURE_ERROR,
                           limits.refused ? GADGET_PICTURE_ERROR_SIZE
                                          : GADGET_PICTURE_ERROR_DAMAGED,
                           limits.refused ? "It has too many pixels." : "It cannot be read.");
      return NULL;
    }
  return make_texture (pixbuf);
}

GBytes *
gadget_picture_check_undamaged (GBytes *data, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GdkTexture) texture = gadget_picture_decode (data, 1, 1, &local_error);

  if (g_error_matches (local_error, GADGET_PICTURE_ERROR, GADGET_PICTURE_ERROR_DAMAGED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  return g_bytes_ref (data);
}
