/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Leaves that need no parser: each line of cut HTML has the form of the first one, and a display
 * formula goes from mark to mark. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder.h"

#include "ui/markdown/tex/gadget-tex.h"

#include <string.h>

void
_gadget_markdown_build_html (GadgetMarkdownDocument *document, const char *text, gsize start,
                             gsize end)
{
  GadgetMarkdownLeaf *leaf = _gadget_markdown_leaf_new (GADGET_MARKDOWN_HTML_TEXT);
  GadgetMarkdownWriter writer;
  gsize limit = end;

  leaf->source_start = start;
  leaf->source_end = end;
  while (limit > start && g_ascii_isspace (text[limit - 1]))
    limit--;
  _gadget_markdown_writer_init (&writer, leaf->text);
  _gadget_markdown_writer_add_source (&writer, text + start, limit - start, start);
  _gadget_markdown_writer_finish (&writer);
  g_ptr_array_add (document->leaves, leaf);
}

/* Returns the offset of the end of the formula's contents; 0 when it is no formula. */
static gsize
find_math_end (const char *text, gsize begin, gsize end, char mark, gboolean open)
{
  gsize next;

  for (gsize line = begin; line < end; line = next)
    {
      const gsize line_end = gadget_markdown_find_line (text, end, line, &next);
      const char *at = gadget_markdown_line_skip_spaces (text + line, text + line_end);
      const char *behind = text + line_end;

      if (at == behind && (next > line_end || !open))
        return 0;
      if (gadget_markdown_line_get_fence (at, behind) > 0)
        return 0;
      if ((next > line_end || !open) && gadget_markdown_line_ends_math (at, behind, mark))
        {
          while (gadget_markdown_is_space (behind[-1]))
            behind--;
          return (gsize) (behind - 2 - text);
        }
    }
  if (!open)
    return 0;
  /* Holds back what may be a part of the closing mark. */
  while (end > begin && (g_ascii_isspace (text[end - 1]) || text[end - 1] == mark))
    end--;
  return end > begin && text[end - 1] == '\\' ? end - 1 : end;
}

gboolean
_gadget_markdown_build_math (GadgetMarkdownDocument *document, const char *text, gsize start,
                             gsize end, gboolean open)
{
  const gsize line = _gadget_markdown_skip_blank (text, end, start);
  gsize next, begin, content_end;
  const gsize line_end = gadget_markdown_find_line (text, end, line, &next);
  guint indent;
  const char *at = gadget_markdown_line_skip_indent (text + line, text + line_end, &indent);
  g_autofree char *tex = NULL;
  g_autofree char *shown = NULL;
  GadgetMarkdownWriter writer;
  GadgetMarkdownLeaf *leaf;
  gboolean closed;
  const char mark = gadget_markdown_line_get_math (at, text + line_end, &closed);

  if (mark == 0 || indent >= GADGET_MARKDOWN_CODE_INDENT || (open && next == line_end))
    return FALSE;
  begin = (gsize) (at + 2 - text);
  content_end =
      find_math_end (text, closed ? begin : next, closed ? line_end : end, mark, open && !closed);
  if (content_end == 0)
    return FALSE;

  leaf = _gadget_markdown_leaf_new (GADGET_MARKDOWN_MATH);
  leaf->source_start = start;
  leaf->source_end = end;
  tex = g_utf8_make_valid (text + begin, (gssize) (MAX (content_end, begin) - begin));
  shown = gadget_tex_to_text (tex, TRUE);
  _gadget_markdown_writer_init (&writer, leaf->text);
  _gadget_markdown_writer_add_instead (&writer, shown, strlen (shown), begin,
                                       MAX (content_end, begin) - begin);
  _gadget_markdown_writer_finish (&writer);
  g_ptr_array_add (document->leaves, leaf);
  return TRUE;
}
