/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads around a cut paragraph. A paragraph that is longer than a segment is cut anywhere, also
 * inside a link or bold words. What is open at a cut is then parsed together with the other parts
 * of the paragraph, which are not shown. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-split-paragraph.h"

#include "gadget-markdown-streaming-tail.h"

/* In bytes: how far openings and closings are searched for. A longer element is shown as it was
 * written. */
#define MAX_BEHIND 32768
#define MAX_AHEAD 16384

/* Finds the top-level paragraph that the segment continues. Returns FALSE when it is another
 * block. */
static gboolean
find_paragraph (const GadgetMarkdownSource *self, gsize *begin)
{
  GadgetMarkdownScanner scanner;
  gsize next;
  const gsize line = _gadget_markdown_skip_blank (self->text, self->start, self->context);
  const gsize end = gadget_markdown_find_line (self->text, self->start, line, &next);

  gadget_markdown_scanner_init (&scanner, self->text);
  gadget_markdown_scanner_read_line (&scanner, line,
                                     MIN (end, line + GADGET_MARKDOWN_SEGMENT_BYTES));
  *begin = line;
  return scanner.leaf == GADGET_MARKDOWN_LEAF_TEXT && scanner.depth == 0;
}

gsize
_gadget_markdown_look_behind (const GadgetMarkdownSource *self)
{
  gsize begin;

  if (self->start - self->context > MAX_BEHIND || !find_paragraph (self, &begin)
      || !_gadget_markdown_is_open_at (self->text, begin, self->start))
    return self->start;
  return begin;
}

gsize
_gadget_markdown_look_ahead (const GadgetMarkdownSource *self, gsize length)
{
  GadgetMarkdownScanner scanner = self->scanner;
  const gsize limit = MIN (length, self->end + MAX_AHEAD);
  gsize next, line = gadget_markdown_scanner_read_lines (&scanner, self->start, self->end);

  if (line < self->end)
    gadget_markdown_scanner_read_line (&scanner, line, self->end);
  if (scanner.leaf != GADGET_MARKDOWN_LEAF_TEXT || scanner.blank
      || !_gadget_markdown_is_open_at (self->text, MAX (scanner.content_begin, self->behind),
                                       self->end))
    return self->end;
  line = self->end;
  if (gadget_markdown_is_inside_line (self->text, line))
    gadget_markdown_find_line (self->text, limit, line, &line);
  for (; line < limit; line = next)
    {
      next = gadget_markdown_scanner_read_next (&scanner, line, limit);
      if (scanner.leaf != GADGET_MARKDOWN_LEAF_TEXT || scanner.blank || scanner.began)
        break;
    }
  return line;
}
