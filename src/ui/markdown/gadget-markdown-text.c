/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The writer of the texts of leaves and cells, with their runs. It replaces all bytes that are not
 * UTF-8, control characters, and characters that would reorder the text. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-text-private.h"

#include "common/gadget-bidi.h"

#include <string.h>

#define MAX_PLAIN 256

void
_gadget_markdown_writer_init (GadgetMarkdownWriter *self, GadgetMarkdownText *text)
{
  self->text = text;
  self->string = g_string_new (NULL);
}

void
_gadget_markdown_writer_finish (GadgetMarkdownWriter *self)
{
  if (self->text == NULL)
    return;
  self->text->length = (guint) self->string->len;
  self->text->text = g_string_free_and_steal (g_steal_pointer (&self->string));
  self->text = NULL;
}

/* Returns what is shown for a character that must not be shown, or NULL. */
static const char *
get_substitute (gunichar c, char buffer[16])
{
  if (c == '\t' || c == '\n')
    return NULL;
  if (c == 0)
    return "\357\277\275";
  if (c < 0x20 || c == 0x7f)
    g_snprintf (buffer, 16, "\\x%02x", c);
  else if (gadget_bidi_is_control (c))
    g_snprintf (buffer, 16, "\\u%04x", c);
  else
    return NULL;
  return buffer;
}

/* Returns how many bytes from @at on can be copied as they are. The few bytes that may begin
 * something else are looked for first, and UTF-8 is validated up to there. */
static gsize
count_plain (const char *at, const char *end)
{
  const char *p = at;
  const char *valid;

  /* Bounded, because otherwise every replaced character would cost a look at all of the rest. */
  end = MIN (end, at + MAX_PLAIN);
  while (p < end)
    {
      const guchar c = (guchar) *p;

      if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
        break;
      if (c == 0xe2 && gadget_bidi_is_control (g_utf8_get_char_validated (p, end - p)))
        break;
      p++;
    }
  if (p == at || g_utf8_validate_len (at, (gsize) (p - at), &valid))
    return (gsize) (p - at);
  return (gsize) (valid - at);
}

static void
add_run (GadgetMarkdownWriter *self, gsize length, gsize source, gsize source_length)
{
  GArray *runs = self->text->runs;
  const GadgetMarkdownRun run = { (guint) (self->string->len - length), (guint) length,
                                  (guint) source, (guint) source_length };

  if (runs->len > 0 && length == source_length)
    {
      GadgetMarkdownRun *last = &g_array_index (runs, GadgetMarkdownRun, runs->len - 1);

      if (last->length == last->source_length && last->source + last->length == source)
        {
          last->length += (guint) length;
          last->source_length += (guint) length;
          return;
        }
    }
  g_array_append_val (runs, run);
}

void
_gadget_markdown_writer_add_source (GadgetMarkdownWriter *self, const char *bytes, gsize length,
                                    gsize source)
{
  const char *end = bytes + length;

  while (bytes < end)
    {
      const gsize plain = count_plain (bytes, end);
      const char *substitute;
      char buffer[16];
      gunichar c;
      gsize n;

      if (plain > 0)
        {
          g_string_append_len (self->string, bytes, (gssize) plain);
          add_run (self, plain, source, plain);
          bytes += plain;
          source += plain;
          continue;
        }
      c = *bytes == '\0' ? 0 : g_utf8_get_char_validated (bytes, end - bytes);
      n = c == (gunichar) -1 || c == (gunichar) -2 || c == 0
              ? 1
              : (gsize) (g_utf8_next_char (bytes) - bytes);
      substitute = n == 1 && (guchar) *bytes >= 0x80 ? "\357\277\275" : get_substitute (c, buffer);
      g_string_append (self->string, substitute != NULL ? substitute : "\357\277\275");
      add_run (self, substitute != NULL ? strlen (substitute) : 3, source, n);
      bytes += n;
      source += n;
    }
}

void
_gadget_markdown_writer_add_instead (GadgetMarkdownWriter *self, const char *bytes, gsize length,
                                     gsize source, gsize source_length)
{
  g_autoptr (GString) visible = g_string_new (NULL);
  GadgetMarkdownText scratch = { .runs = g_array_new (FALSE, FALSE, sizeof (GadgetMarkdownRun)) };
  GadgetMarkdownWriter writer = { &scratch, visible };

  _gadget_markdown_writer_add_source (&writer, bytes, length, 0);
  g_array_unref (scratch.runs);
  g_string_append_len (self->string, visible->str, (gssize) visible->len);
  if (visible->len > 0)
    {
      const GadgetMarkdownRun run = { (guint) (self->string->len - visible->len),
                                      (guint) visible->len, (guint) source, (guint) source_length };

      g_array_append_val (self->text->runs, run);
    }
}

void
_gadget_markdown_writer_truncate (GadgetMarkdownWriter *self, gsize length)
{
  GArray *runs = self->text->runs;

  g_string_truncate (self->string, length);
  while (runs->len > 0)
    {
      GadgetMarkdownRun *last = &g_array_index (runs, GadgetMarkdownRun, runs->len - 1);
      const gsize end = last->text + last->length;

      if (end <= length)
        return;
      if (last->text < length)
        {
          const gboolean literal = last->length == last->source_length;

          last->length = (guint) (length - last->text);
          if (literal)
            last->source_length = last->length;
          return;
        }
      g_array_set_size (runs, runs->len - 1);
    }
}

static gsize
map_offset (const GadgetMarkdownRun *run, guint offset, gboolean end)
{
  if (run->length == run->source_length)
    return run->source + (offset - run->text);
  return run->source + (end ? run->source_length : 0);
}

gboolean
gadget_markdown_text_get_source (const GadgetMarkdownText *self, guint start, guint end,
                                 gsize *source_start, gsize *source_end)
{
  const GadgetMarkdownRun *runs = (const GadgetMarkdownRun *) (gpointer) self->runs->data;
  guint first = 0, last = self->runs->len;

  g_return_val_if_fail (start <= end && end <= self->length, FALSE);

  while (first < self->runs->len && runs[first].text + runs[first].length <= start)
    first++;
  while (last > first && runs[last - 1].text >= end)
    last--;
  if (last == first)
    return FALSE;
  *source_start = map_offset (&runs[first], MAX (start, runs[first].text), FALSE);
  *source_end =
      map_offset (&runs[last - 1], MIN (end, runs[last - 1].text + runs[last - 1].length), TRUE);

  /* The marks of a span are in the gaps between runs. */
  for (guint i = 0; i < self->spans->len; i++)
    {
      const GadgetMarkdownSpan *span = &g_array_index (self->spans, GadgetMarkdownSpan, i);

      if (span->kind == GADGET_MARKDOWN_SPAN_ADDRESS || span->start < start || span->end > end)
        continue;
      if (span->start == start && first > 0)
        *source_start =
            MIN (*source_start, (gsize) runs[first - 1].source + runs[first - 1].source_length);
      if (span->end == end && last < self->runs->len)
        *source_end = MAX (*source_end, (gsize) runs[last].source);
    }
  return TRUE;
}
