/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The codings of RFC 9110, 8.4.1: "gzip", also called "x-gzip", and "deflate", which is the zlib
 * format. */

#define G_LOG_DOMAIN "gadget-web"

#include "config.h"

#include "gadget-web-decoder.h"

#include <string.h>

#define STEP (32 * 1024)

struct _GadgetWebDecoder
{
  GConverter *converter;
  GByteArray *rest; /* received bytes that cannot be decompressed without the next ones */
  gboolean done;
};

GadgetWebDecoder *
gadget_web_decoder_new (const char *coding)
{
  GadgetWebDecoder *self;
  GZlibCompressorFormat format;

  g_return_val_if_fail (coding != NULL, NULL);

  if (g_ascii_strcasecmp (coding, "gzip") == 0 || g_ascii_strcasecmp (coding, "x-gzip") == 0)
    format = G_ZLIB_COMPRESSOR_FORMAT_GZIP;
  else if (g_ascii_strcasecmp (coding, "deflate") == 0)
    format = G_ZLIB_COMPRESSOR_FORMAT_ZLIB;
  else
    return NULL;
  self = g_new0 (GadgetWebDecoder, 1);
  self->converter = G_CONVERTER (g_zlib_decompressor_new (format));
  self->rest = g_byte_array_new ();
  return self;
}

/* gadget_web_decoder_free: frees the decoder and the bytes that it has not decompressed; @self must
 * not be %NULL. */
void
gadget_web_decoder_free (GadgetWebDecoder *self)
{
  g_object_unref (self->converter);
  g_byte_array_unref (self->rest);
  g_free (self);
}

gboolean
gadget_web_decoder_is_done (GadgetWebDecoder *self)
{
  return self->done;
}

/* Decompresses one step. Returns FALSE when nothing more can be decompressed, now or ever, with or
 * without an error. */
static gboolean
convert (GadgetWebDecoder *self, gsize *used, GByteArray *body, GError **error)
{
  g_autoptr (GError) failure = NULL;
  const guint length = body->len;
  gsize n_read = 0;
  gsize n_written = 0;
  GConverterResult result;

  g_byte_array_set_size (body, length + STEP);
  result = g_converter_convert (self->converter, self->rest->data + *used, self->rest->len - *used,
                                body->data + length, STEP, G_CONVERTER_NO_FLAGS, &n_read,
                                &n_written, &failure);
  g_byte_array_set_size (body, length + (guint) n_written);
  *used += n_read;
  self->done = self->done || result == G_CONVERTER_FINISHED;
  if (result == G_CONVERTER_ERROR
      && !g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
    g_propagate_error (error, g_steal_pointer (&failure));
  return result == G_CONVERTER_CONVERTED;
}

gboolean
gadget_web_decoder_feed (GadgetWebDecoder *self, const char *bytes, gsize length, GByteArray *body,
                         gsize max, gboolean *full, GError **error)
{
  g_autoptr (GError) failure = NULL;
  gsize used = 0;

  g_return_val_if_fail (self != NULL && body != NULL && full != NULL, FALSE);

  g_byte_array_append (self->rest, (const guint8 *) bytes, (guint) length);
  /* Bytes after the end of the compressed data are ignored. */
  while (!self->done && body->len <= max && used < self->rest->len
         && convert (self, &used, body, &failure))
    continue;
  g_byte_array_remove_range (self->rest, 0, (guint) used);
  *full = body->len > max;
  if (*full)
    g_byte_array_set_size (body, (guint) max);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}
