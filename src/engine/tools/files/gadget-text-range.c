/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-text-range.h"

#include "tools/gadget-tool.h"

#include <string.h>

void
_gadget_text_range_init (GadgetTextRange *self)
{
  self->offset = 0;
  self->line = 1;
  self->in_line = FALSE;
  self->text = g_string_new (NULL);
  self->text_offset = -1;
  self->text_line = 0;
  self->n_lines = 0;
  self->full = FALSE;
}

void
_gadget_text_range_clear (GadgetTextRange *self)
{
  if (self->text != NULL)
    g_string_free (g_steal_pointer (&self->text), TRUE);
}

static gboolean
is_wanted (GadgetTextRange *self)
{
  if (self->full)
    return FALSE;
  return self->first_byte > 0 ? self->offset >= self->first_byte : self->line >= self->first_line;
}

static void
append (GadgetTextRange *self, const char *data, gsize length)
{
  if (self->text_offset < 0)
    {
      self->text_offset = self->offset;
      self->text_line = self->line;
    }
  g_string_append_len (self->text, data, (gssize) length);
  if (self->text->len > self->max_bytes)
    self->full = TRUE;
  else if (data[length - 1] == '\n')
    {
      self->n_lines++;
      self->full = self->max_lines > 0 && self->n_lines >= self->max_lines;
    }
}

void
_gadget_text_range_feed (GadgetTextRange *self, const char *data, gsize length)
{
  while (length > 0)
    {
      const char *end = memchr (data, '\n', length);
      gsize n = end != NULL ? (gsize) (end - data) + 1 : length;

      /* The wanted bytes begin within this line. */
      if (self->first_byte > self->offset && self->first_byte < self->offset + (gint64) n)
        n = (gsize) (self->first_byte - self->offset);
      if (is_wanted (self))
        append (self, data, n);
      self->in_line = data[n - 1] != '\n';
      self->line += self->in_line ? 0 : 1;
      self->offset += (gint64) n;
      data += n;
      length -= n;
    }
}

gint64
_gadget_text_range_count (GadgetTextRange *self)
{
  return self->line - 1 + (self->in_line ? 1 : 0);
}

/* Returns where the last whole character of the first @length bytes ends. */
static gsize
end_of_character (const char *text, gsize length)
{
  gsize end = length;

  for (int i = 0; i < 3 && end > 0 && ((guchar) text[end] & 0xc0) == 0x80; i++)
    end--;
  return end > 0 ? end : length;
}

static char *
describe_next (GadgetTextRange *self, gint64 total, gint64 next_line)
{
  if (total > 0)
    return g_strdup_printf ("[Lines %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                            " of %" G_GINT64_FORMAT
                            ". To go on, call this with \"start_line\": %" G_GINT64_FORMAT ".]",
                            self->text_line, next_line - 1, total, next_line);
  return g_strdup_printf ("[Lines %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                          "; there are more. To go on, call this with \"start_line\": "
                          "%" G_GINT64_FORMAT ".]",
                          self->text_line, next_line - 1, next_line);
}

/* An empty result would leave the model guessing why it is empty. */
static char *
describe_nothing (GadgetTextRange *self)
{
  g_autofree char *count = NULL;
  gint64 n;

  if (self->offset == 0)
    return g_strdup ("[The file is empty.]");
  n = self->first_byte > 0 ? self->offset : _gadget_text_range_count (self);
  count = self->first_byte > 0 ? gadget_tool_dup_count ((guint64) n, "byte", "bytes")
                               : gadget_tool_dup_count ((guint64) n, "line", "lines");
  return g_strdup_printf ("[There %s only %s.]", n == 1 ? "is" : "are", count);
}

char *
_gadget_text_range_finish (GadgetTextRange *self, gint64 total)
{
  const char *last;
  gsize end;

  if (self->text->len == 0)
    return describe_nothing (self);
  if (self->text->len <= self->max_bytes)
    return NULL;
  end = end_of_character (self->text->str, self->max_bytes);
  last = g_strrstr_len (self->text->str, (gssize) end, "\n");
  if (last != NULL)
    {
      g_string_truncate (self->text, (gsize) (last - self->text->str) + 1);
      return describe_next (self, total, self->text_line + self->n_lines);
    }
  g_string_truncate (self->text, end);
  return g_strdup_printf ("[This is a part of line %" G_GINT64_FORMAT
                          ", which is too long to be given at once. To go on, call this with "
                          "\"start_byte\": %" G_GINT64_FORMAT ".]",
                          self->text_line, self->text_offset + (gint64) end);
}
