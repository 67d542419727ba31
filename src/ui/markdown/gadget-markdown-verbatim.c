/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Leaves that need no parser. Each line of cut code or HTML has the form of the first one, except
 * for the line that ends it; a display formula goes from mark to mark. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder.h"

#include "gadget-markdown.h"
#include "ui/markdown/tex/gadget-tex.h"

#include <string.h>

/* How a block of code began, which decides how its lines are read. */
typedef struct
{
  guint indent; /* columns of indentation that are not part of the code */
  char mark;    /* the character of the fence; 0 for indented code */
  guint length;
} Opening;

/* Reads the first line of the block. */
static Opening
read_opening (const char *text, gsize start, gsize context, GadgetMarkdownLeaf *leaf)
{
  const gsize line = _gadget_markdown_skip_blank (text, start, context);
  g_autoptr (GadgetMarkdownDocument) first = NULL;
  Opening opening = { GADGET_MARKDOWN_CODE_INDENT, 0, 0 };
  gsize next;
  const gsize end = gadget_markdown_find_line (text, start, line, &next);

  first = gadget_markdown_parse (text, line, end, line, NULL, FALSE);
  if (first->leaves->len == 0)
    return opening;
  leaf->info = g_strdup (gadget_markdown_document_get_leaf (first, 0)->info);
  leaf->language = g_strdup (gadget_markdown_document_get_leaf (first, 0)->language);
  leaf->fenced = gadget_markdown_document_get_leaf (first, 0)->fenced;
  if (leaf->fenced)
    {
      const char *at = gadget_markdown_line_skip_indent (text + line, text + end, &opening.indent);

      opening.mark = *at;
      opening.length = gadget_markdown_line_get_fence (at, text + end);
    }
  return opening;
}

/* Appends the line without the indentation that is not part of the code; part of a tab becomes
 * spaces. */
static void
add_line (GadgetMarkdownWriter *writer, const char *text, gsize line, gsize end, guint indent)
{
  gsize at = line;
  guint column = 0;

  while (at < end && column < indent && gadget_markdown_is_space (text[at]))
    column = gadget_markdown_line_get_next_column (column, text[at++]);
  if (column > indent)
    _gadget_markdown_writer_add_instead (writer, "   ", column - indent, at - 1, 1);
  _gadget_markdown_writer_add_source (writer, text + at, end - at, at);
}

static void
add_code (GadgetMarkdownWriter *writer, const char *text, gsize start, gsize limit,
          const Opening *opening)
{
  gboolean inside = gadget_markdown_is_inside_line (text, start);
  gboolean began = FALSE;
  gsize next;

  for (gsize line = start; line < limit; line = next)
    {
      const gsize end = gadget_markdown_find_line (text, limit, line, &next);
      guint indent;
      const char *at = gadget_markdown_line_skip_indent (text + line, text + end, &indent);

      if (opening->mark != 0 && !inside && indent < GADGET_MARKDOWN_CODE_INDENT
          && gadget_markdown_line_closes_fence (at, text + end, opening->mark, opening->length))
        break;
      if (began)
        _gadget_markdown_writer_add_instead (writer, "\n", 1, line - 1, 1);
      add_line (writer, text, line, end, inside ? 0 : opening->indent);
      inside = FALSE;
      began = TRUE;
    }
}

void
_gadget_markdown_build_verbatim (GadgetMarkdownDocument *document, const char *text, gsize start,
                                 gsize end, gsize context)
{
  GadgetMarkdownScanner scanner;
  const GadgetMarkdownResume resume = _gadget_markdown_resume (&scanner, text, end, start, context);
  GadgetMarkdownLeaf *leaf = _gadget_markdown_leaf_new (
      resume == GADGET_MARKDOWN_RESUME_CODE ? GADGET_MARKDOWN_CODE : GADGET_MARKDOWN_HTML_TEXT);
  GadgetMarkdownWriter writer;
  gsize limit = end;

  leaf->source_start = start;
  leaf->source_end = end;
  _gadget_markdown_writer_init (&writer, leaf->text);
  if (resume == GADGET_MARKDOWN_RESUME_CODE)
    {
      const Opening opening = read_opening (text, start, context, leaf);

      /* Blank lines at the end are not part of indented code. */
      while (opening.mark == 0 && limit > start && g_ascii_isspace (text[limit - 1]))
        limit--;
      add_code (&writer, text, start, limit, &opening);
    }
  else
    {
      while (limit > start && g_ascii_isspace (text[limit - 1]))
        limit--;
      _gadget_markdown_writer_add_source (&writer, text + start, limit - start, start);
    }
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
