/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry points of the parser: they choose how to read a segment, and set the source ranges of
 * the leaves. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown.h"

#include "gadget-markdown-builder.h"

/* Returns the number of the next item of the list that the segment continues; -1 when the segment's
 * own number is used. */
static gint64
count_items (const char *text, gsize start, gsize end, gsize context)
{
  GadgetMarkdownMarker marker;
  GadgetMarkdownScanner scanner;
  gsize next, line = start;
  guint first;

  if (!_gadget_markdown_get_count (text, start, context, &first))
    return -1;
  while (line < end && gadget_markdown_is_space (text[line]))
    line++;
  /* A number that is larger than the first one is used as it is; only a list that repeats its
   * number is counted. */
  if (!gadget_markdown_line_get_marker (text + line, text + end, &marker) || marker.number > first)
    return -1;
  line = gadget_markdown_find_line_begin (text, context, 0);
  gadget_markdown_scanner_init (&scanner, text);
  for (; line < start; line = next)
    {
      next = gadget_markdown_scanner_read_next (&scanner, line, start);
      first += scanner.began && scanner.sibling && scanner.kept == 0;
    }
  return (gint64) first + 1;
}

/* Sets the source range of each leaf: from its own first line to that of the next leaf. */
static void
place_leaves (GadgetMarkdownDocument *self, const char *text, gsize start, gsize end)
{
  gsize limit = start;

  for (guint i = 0; i < self->leaves->len; i++)
    {
      GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (self, i);
      gsize begin =
          i == 0 ? start : gadget_markdown_find_line_begin (text, leaf->source_start, limit);

      if (i > 0 && leaf->code_begin > limit && leaf->code_begin < begin)
        begin = leaf->code_begin;
      if (i > 0)
        gadget_markdown_document_get_leaf (self, i - 1)->source_end = begin;
      limit = leaf->source_end;
      leaf->source_start = begin;
      leaf->source_end = end;
    }
}

GadgetMarkdownDocument *
gadget_markdown_parse_in (const char *text, gsize length, gsize start, gsize end, gsize context,
                          const GadgetMarkdownDefinitions *definitions, gboolean growing)
{
  const gboolean open = growing && end == length;
  GadgetMarkdownDocument *self = _gadget_markdown_document_new ();
  GadgetMarkdownSource source;

  gadget_markdown_source_init (&source, text, length, start, end, context, definitions, growing);
  if (source.resume == GADGET_MARKDOWN_RESUME_FRESH
      && _gadget_markdown_build_math (self, text, start, end, open))
    ;
  else if (source.resume == GADGET_MARKDOWN_RESUME_HTML)
    _gadget_markdown_build_html (self, text, start, end);
  else
    _gadget_markdown_build (self, &source, count_items (text, start, end, context));
  _gadget_markdown_find_code (self, &source);
  gadget_markdown_source_clear (&source);
  place_leaves (self, text, start, end);
  return self;
}

GadgetMarkdownDocument *
gadget_markdown_parse (const char *text, gsize start, gsize end, gsize context,
                       const GadgetMarkdownDefinitions *definitions, gboolean open)
{
  return gadget_markdown_parse_in (text, end, start, end, context, definitions, open);
}
