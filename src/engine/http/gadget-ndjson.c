/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-ndjson.h"

#include "gadget-http.h"

#include <string.h>

struct _GadgetNdjson
{
  gsize max_line;
  GString *line;  /* the incomplete line */
  gboolean begun; /* a line was read: a byte order mark can no longer come */
};

static const char byte_order_mark[] = "\xef\xbb\xbf";

/**
 * gadget_ndjson_new:
 * @max_line: the maximum length of a line in bytes
 *
 * Returns: (transfer full)
 */
GadgetNdjson *
gadget_ndjson_new (gsize max_line)
{
  GadgetNdjson *self = g_new0 (GadgetNdjson, 1);

  self->max_line = max_line;
  self->line = g_string_new (NULL);
  return self;
}

/* gadget_ndjson_free: frees the reader and the line that was begun; @self may be %NULL. */
void
gadget_ndjson_free (GadgetNdjson *self)
{
  if (self == NULL)
    return;
  g_string_free (self->line, TRUE);
  g_free (self);
}

static gboolean
is_space (char byte)
{
  return byte == ' ' || byte == '\t' || byte == '\r';
}

static void
trim (GadgetNdjson *self)
{
  GString *line = self->line;
  gsize leading = 0;

  if (!self->begun && line->len >= 3 && memcmp (line->str, byte_order_mark, 3) == 0)
    leading = 3;
  self->begun = TRUE;
  while (leading < line->len && is_space (line->str[leading]))
    leading++;
  g_string_erase (line, 0, (gssize) leading);
  while (line->len > 0 && is_space (line->str[line->len - 1]))
    g_string_truncate (line, line->len - 1);
}

static gboolean
emit_line (GadgetNdjson *self, GadgetNdjsonFunc func, gpointer user_data, GError **error)
{
  gboolean go_on;

  trim (self);
  go_on = self->line->len == 0 || func (self->line->str, self->line->len, user_data, error);
  g_string_truncate (self->line, 0);
  return go_on;
}

/**
 * gadget_ndjson_feed:
 * @func: called for every complete line
 *
 * Returns: %FALSE when @func returned %FALSE, or with %GADGET_HTTP_ERROR_TOO_LARGE for a line that
 *   is too long. The reader must not be used any more then.
 */
gboolean
gadget_ndjson_feed (GadgetNdjson *self, const char *bytes, gsize length, GadgetNdjsonFunc func,
                    gpointer user_data, GError **error)
{
  const char *end = bytes + length;

  while (bytes < end)
    {
      const char *stop = memchr (bytes, '\n', (gsize) (end - bytes));
      const gsize piece = (gsize) ((stop != NULL ? stop : end) - bytes);

      if (piece > self->max_line - self->line->len)
        {
          g_set_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TOO_LARGE,
                       "The answer has a line longer than %" G_GSIZE_FORMAT " bytes",
                       self->max_line);
          return FALSE;
        }
      g_string_append_len (self->line, bytes, (gssize) piece);
      if (stop == NULL)
        return TRUE;
      bytes = stop + 1;
      if (!emit_line (self, func, user_data, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * gadget_ndjson_end:
 *
 * To be called at the end of the body. The last line may lack its newline; only its content tells
 * whether it is complete.
 *
 * Returns: %FALSE when @func returned %FALSE
 */
gboolean
gadget_ndjson_end (GadgetNdjson *self, GadgetNdjsonFunc func, gpointer user_data, GError **error)
{
  return emit_line (self, func, user_data, error);
}
