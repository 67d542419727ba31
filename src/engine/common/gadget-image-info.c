/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the headers of pictures: PNG (W3C, IHDR), GIF89a, JPEG (ITU T.81, B.2.2: the frame header)
 * and WebP (RFC 9649). Nothing is decoded. */

#define G_LOG_DOMAIN "gadget-image-info"

#include "config.h"

#include "gadget-image-info.h"

#include <string.h>

static guint
be16 (const guint8 *data)
{
  return (guint) data[0] << 8 | data[1];
}

static guint
le16 (const guint8 *data)
{
  return (guint) data[1] << 8 | data[0];
}

static guint
le24 (const guint8 *data)
{
  return (guint) data[2] << 16 | le16 (data);
}

static void
read_png (GadgetImageInfo *self, const guint8 *data, gsize length)
{
  if (length < 24 || memcmp (data + 12, "IHDR", 4) != 0)
    return;
  self->width = be16 (data + 16) << 16 | be16 (data + 18);
  self->height = be16 (data + 20) << 16 | be16 (data + 22);
}

/* A frame header has a marker from SOF0 to SOF15, except DHT, JPG and DAC, which lie in that
 * range. */
static gboolean
is_frame (guint8 marker)
{
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

static void
read_jpeg (GadgetImageInfo *self, const guint8 *data, gsize length)
{
  gsize at = 2;

  while (at + 9 <= length && data[at] == 0xff)
    {
      const guint8 marker = data[at + 1];

      if (marker == 0xff)
        {
          at++;
          continue;
        }
      if (is_frame (marker))
        {
          self->height = be16 (data + at + 5);
          self->width = be16 (data + at + 7);
          return;
        }
      at += 2 + be16 (data + at + 2);
    }
}

static void
read_webp (GadgetImageInfo *self, const guint8 *data, gsize length)
{
  if (length < 30)
    return;
  if (memcmp (data + 12, "VP8X", 4) == 0)
    {
      self->width = le24 (data + 24) + 1;
      self->height = le24 (data + 27) + 1;
    }
  else if (memcmp (data + 12, "VP8L", 4) == 0)
    {
      self->width = (le16 (data + 21) & 0x3fff) + 1;
      self->height = ((le24 (data + 22) >> 6) & 0x3fff) + 1;
    }
  else if (memcmp (data + 12, "VP8 ", 4) == 0)
    {
      self->width = le16 (data + 26) & 0x3fff;
      self->height = le16 (data + 28) & 0x3fff;
    }
}

gboolean
gadget_image_info_read (GadgetImageInfo *self, const void *bytes, gsize length)
{
  const guint8 *data = bytes;

  g_return_val_if_fail (self != NULL, FALSE);

  *self = (GadgetImageInfo) { 0 };
  if (length >= 8 && memcmp (data, "\x89PNG\r\n\x1a\n", 8) == 0)
    {
      self->mime_type = "image/png";
      read_png (self, data, length);
    }
  else if (length >= 10 && (memcmp (data, "GIF87a", 6) == 0 || memcmp (data, "GIF89a", 6) == 0))
    {
      self->mime_type = "image/gif";
      self->width = le16 (data + 6);
      self->height = le16 (data + 8);
    }
  else if (length >= 3 && memcmp (data, "\xff\xd8\xff", 3) == 0)
    {
      self->mime_type = "image/jpeg";
      read_jpeg (self, data, length);
    }
  else if (length >= 12 && memcmp (data, "RIFF", 4) == 0 && memcmp (data + 8, "WEBP", 4) == 0)
    {
      self->mime_type = "image/webp";
      read_webp (self, data, length);
    }
  return self->mime_type != NULL;
}
