/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The parser of server-sent events. It collects one line at a time, and the fields of one event
 * until the empty line that ends it. Lines end with LF, CR or CRLF. */

#include "config.h"

#include "gadget-sse.h"

#include "gadget-http.h"

#include <string.h>

struct _GadgetSse
{
  gsize max_line;
  GString *line; /* the incomplete line */
  GString *data; /* of the incomplete event, each line followed by '\n' */
  GString *event;
  char *last_id;
  gint64 retry_ms; /* the last valid "retry" field; -1 if there was none */
  guint bom;       /* number of bytes of a byte order mark seen; 3 once it can no longer come */
  gboolean has_data;
  gboolean has_fields;
  gboolean after_cr; /* a '\n' that follows belongs to the same end of line */
};

static const char byte_order_mark[] = "\xef\xbb\xbf";

/**
 * gadget_sse_new:
 * @max_line: the maximum length, in bytes, of a line and of the data of one event
 *
 * Returns: (transfer full)
 */
GadgetSse *
gadget_sse_new (gsize max_line)
{
  GadgetSse *self = g_new0 (GadgetSse, 1);

  self->max_line = max_line;
  self->retry_ms = -1;
  self->line = g_string_new (NULL);
  self->data = g_string_new (NULL);
  self->event = g_string_new (NULL);
  return self;
}

/* gadget_sse_free: frees the parser and the event that was begun; @self may be %NULL. */
void
gadget_sse_free (GadgetSse *self)
{
  if (self == NULL)
    return;
  g_string_free (self->line, TRUE);
  g_string_free (self->data, TRUE);
  g_string_free (self->event, TRUE);
  g_free (self->last_id);
  g_free (self);
}

static gboolean
fail_too_long (GadgetSse *self, GError **error)
{
  g_set_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TOO_LARGE,
               "The answer has a line longer than %" G_GSIZE_FORMAT " bytes", self->max_line);
  return FALSE;
}

static gboolean
append_line (GadgetSse *self, const char *bytes, gsize length, GError **error)
{
  if (length > self->max_line - self->line->len)
    return fail_too_long (self, error);
  g_string_append_len (self->line, bytes, (gssize) length);
  return TRUE;
}

static gboolean
dispatch (GadgetSse *self, GadgetSseFunc func, gpointer user_data, GError **error)
{
  gboolean go_on = TRUE;

  if (self->has_data)
    {
      g_string_truncate (self->data, self->data->len - 1);
      go_on = func (*self->event->str != '\0' ? self->event->str : "message", self->data->str,
                    self->data->len, user_data, error);
    }
  g_string_truncate (self->data, 0);
  g_string_truncate (self->event, 0);
  self->has_data = FALSE;
  return go_on;
}

static gboolean
parse_field (GadgetSse *self, const char *name, gsize name_length, const char *value, gsize length,
             GError **error)
{
  static const char *const known[] = { "", "data", "event", "id", "retry" };

  for (guint i = 0; i < G_N_ELEMENTS (known) && !self->has_fields; i++)
    self->has_fields =
        name_length == strlen (known[i]) && memcmp (name, known[i], name_length) == 0;

  if (name_length == 4 && memcmp (name, "data", 4) == 0)
    {
      if (length >= self->max_line - MIN (self->data->len, self->max_line))
        return fail_too_long (self, error);
      g_string_append_len (self->data, value, (gssize) length);
      g_string_append_c (self->data, '\n');
      self->has_data = TRUE;
    }
  else if (name_length == 5 && memcmp (name, "event", 5) == 0)
    {
      g_string_truncate (self->event, 0);
      g_string_append_len (self->event, value, (gssize) length);
    }
  else if (name_length == 2 && memcmp (name, "id", 2) == 0 && memchr (value, '\0', length) == NULL)
    {
      g_free (self->last_id);
      self->last_id = g_strndup (value, length);
    }
  else if (name_length == 5 && memcmp (name, "retry", 5) == 0)
    {
      g_autofree char *digits = g_strndup (value, length);
      guint64 retry_ms;

      if (g_ascii_string_to_unsigned (digits, 10, 0, G_MAXINT32, &retry_ms, NULL))
        self->retry_ms = (gint64) retry_ms;
    }
  return TRUE;
}

static gboolean
parse_line (GadgetSse *self, GadgetSseFunc func, gpointer user_data, GError **error)
{
  const char *line = self->line->str;
  gsize length = self->line->len;
  const char *colon;
  const char *value = "";
  gsize value_length = 0;
  gsize name_length = length;
  gboolean go_on;

  if (length == 0)
    return dispatch (self, func, user_data, error);

  colon = memchr (line, ':', length);
  if (colon != NULL)
    {
      name_length = (gsize) (colon - line);
      value = colon + 1;
      value_length = length - name_length - 1;
      if (value_length > 0 && *value == ' ')
        {
          value++;
          value_length--;
        }
    }
  /* A line that begins with a colon is a comment: its field name is empty, and no field has
   * that. */
  go_on = parse_field (self, line, name_length, value, value_length, error);
  g_string_truncate (self->line, 0);
  return go_on;
}

/* Skips a byte order mark at the very beginning. If only its first bytes match, they are kept. */
static gboolean
skip_mark (GadgetSse *self, const char **bytes, const char *end, GError **error)
{
  while (self->bom < 3 && *bytes < end)
    {
      if (**bytes != byte_order_mark[self->bom])
        {
          guint seen = self->bom;

          self->bom = 3;
          return append_line (self, byte_order_mark, seen, error);
        }
      self->bom++;
      (*bytes)++;
    }
  return TRUE;
}

/**
 * gadget_sse_feed:
 * @func: called for every complete event
 *
 * Returns: %FALSE when @func returned %FALSE, or with %GADGET_HTTP_ERROR_TOO_LARGE for a line that
 *   is too long. The parser must not be used any more then.
 */
gboolean
gadget_sse_feed (GadgetSse *self, const char *bytes, gsize length, GadgetSseFunc func,
                 gpointer user_data, GError **error)
{
  const char *end = bytes + length;

  if (!skip_mark (self, &bytes, end, error))
    return FALSE;

  while (bytes < end)
    {
      const char *stop;

      if (self->after_cr)
        {
          self->after_cr = FALSE;
          if (*bytes == '\n')
            {
              bytes++;
              continue;
            }
        }

      for (stop = bytes; stop < end && *stop != '\n' && *stop != '\r';)
        stop++;
      if (!append_line (self, bytes, (gsize) (stop - bytes), error))
        return FALSE;
      if (stop == end)
        return TRUE;
      self->after_cr = *stop == '\r';
      bytes = stop + 1;
      if (!parse_line (self, func, user_data, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * gadget_sse_end:
 *
 * To be called at the end of the stream. The standard drops an event without its empty line; some
 * servers omit that line after their last event, so the complete lines count here. A line that was
 * cut never counts.
 *
 * Returns: %FALSE when @func returned %FALSE
 */
gboolean
gadget_sse_end (GadgetSse *self, GadgetSseFunc func, gpointer user_data, GError **error)
{
  self->has_fields |= g_str_has_prefix (self->line->str, "data:");
  g_string_truncate (self->line, 0);
  return dispatch (self, func, user_data, error);
}

/**
 * gadget_sse_has_fields:
 *
 * Returns: %TRUE if anything so far looks like an event stream
 */
gboolean
gadget_sse_has_fields (GadgetSse *self)
{
  return self->has_fields;
}

/**
 * gadget_sse_get_retry_ms:
 *
 * Returns: how long a client should wait before it asks again, in milliseconds; -1 if the server
 *   did not say
 */
gint64
gadget_sse_get_retry_ms (GadgetSse *self)
{
  return self->retry_ms;
}

/**
 * gadget_sse_get_last_id:
 *
 * Returns: (nullable) (transfer none): the last "id" field, for resuming
 */
const char *
gadget_sse_get_last_id (GadgetSse *self)
{
  return self->last_id;
}
