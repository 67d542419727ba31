/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads around a cut paragraph. A paragraph that is longer than a segment is cut anywhere, also
 * inside a link or bold words. What is open at a cut is then parsed together with the other parts
 * of the paragraph, which are not shown. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-split-paragraph.h"

#include "gadget-markdown-emphasis.h"
#include "gadget-markdown-segment-private.h"

#include <string.h>

/* In bytes: how far openings and closings are searched for. A longer element is shown as it was
 * written. */
#define MAX_BEHIND 32768
#define MAX_AHEAD 16384

/* Finds the top-level paragraph that the segment at @start continues. Returns FALSE when it is
 * another block. */
static gboolean
find_paragraph (const char *text, gsize start, gsize context, gsize *begin)
{
  GadgetMarkdownScanner scanner;
  gsize next;
  const gsize line = _gadget_markdown_skip_blank (text, start, context);
  const gsize end = gadget_markdown_find_line (text, start, line, &next);

  gadget_markdown_scanner_init (&scanner, text);
  gadget_markdown_scanner_read_line (&scanner, line,
                                     MIN (end, line + GADGET_MARKDOWN_SEGMENT_BYTES));
  *begin = line;
  return scanner.leaf == GADGET_MARKDOWN_LEAF_TEXT && scanner.depth == 0;
}

/* Formulas are found elsewhere (gadget-markdown-math-mask.c); they are short. */
static gboolean
may_be_formula (const char *text, gsize length)
{
  const gsize begin = length - MIN (length, GADGET_MARKDOWN_MAX_FORMULA);

  return memchr (text + begin, '$', length - begin) != NULL
         || memmem (text + begin, length - begin, "\\(", 2) != NULL
         || memmem (text + begin, length - begin, "\\[", 2) != NULL;
}

static gboolean
is_open_at (const char *text, gsize begin, gsize at)
{
  return may_be_formula (text + begin, at - begin) || _gadget_markdown_is_open_at (text, begin, at);
}

gsize
_gadget_markdown_look_behind (const char *text, gsize start, gsize context)
{
  gsize begin;

  if (start - context > MAX_BEHIND || !find_paragraph (text, start, context, &begin)
      || !is_open_at (text, begin, start))
    return start;
  return begin;
}

gsize
_gadget_markdown_look_ahead (const GadgetMarkdownScanner *begin, gsize behind, gsize start,
                             gsize end, gsize length)
{
  GadgetMarkdownScanner scanner = *begin;
  const char *text = scanner.text;
  const gsize limit = MIN (length, end + MAX_AHEAD);
  gsize next, line = gadget_markdown_scanner_read_lines (&scanner, start, end);

  if (line < end)
    gadget_markdown_scanner_read_line (&scanner, line, end);
  if (scanner.leaf != GADGET_MARKDOWN_LEAF_TEXT || scanner.blank
      || !is_open_at (text, MAX (scanner.content_begin, behind), end))
    return end;
  line = end;
  if (gadget_markdown_is_inside_line (text, line))
    gadget_markdown_find_line (text, limit, line, &line);
  for (; line < limit; line = next)
    {
      next = gadget_markdown_scanner_read_next (&scanner, line, limit);
      if (scanner.leaf != GADGET_MARKDOWN_LEAF_TEXT || scanner.blank || scanner.began)
        break;
    }
  return line;
}
