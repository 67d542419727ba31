/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code and HTML that were cut need no parser: every line of them is what the first one said, but
 * the one that ends them. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-builder.h"

#include <string.h>

typedef struct
{
  guint indent; /* columns that are none of the code's */
  char mark;    /* of a fence, or 0 */
  guint length;
} Opening;

/* Reads the first line of the code. */
static Opening
read_opening (const char *text, gsize start, gsize context, GadgetMarkdownLeaf *leaf)
{
  const gsize line = _gadget_markdown_skip_blank (text, start, context);
  g_autoptr (GadgetMarkdownDocument) first = NULL;
  Opening opening = { GADGET_MARKDOWN_CODE_INDENT, 0, 0 };
  const char *at;
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
      at = gadget_markdown_line_skip_spaces (text + line, text + end);
      opening.indent = (guint) (at - (text + line));
      opening.mark = *at;
      opening.length = gadget_markdown_line_get_fence (at, text + end);
    }
  return opening;
}

/* Appends the line without the indentation that is not the code's; half a tab is some spaces. */
static void
add_line (GadgetMarkdownWriter *writer, const char *text, gsize line, gsize end, guint indent)
{
  gsize at = line;
  guint column = 0;

  while (at < end && column < indent && gadget_markdown_is_space (text[at]))
    column = text[at++] == '\t' ? (column + 4) & ~3U : column + 1;
  if (column > indent)
    _gadget_markdown_writer_add_instead (writer, "   ", column - indent, at - 1, 1);
  _gadget_markdown_writer_add_source (writer, text + at, end - at, at);
}

static void
add_code (GadgetMarkdownWriter *writer, const char *text, gsize start, gsize limit,
          const Opening *opening)
{
  gboolean inside = _gadget_markdown_is_inside_line (text, start);
  gboolean began = FALSE;
  gsize next;

  for (gsize line = start; line < limit; line = next)
    {
      const gsize end = gadget_markdown_find_line (text, limit, line, &next);
      const char *at = gadget_markdown_line_skip_spaces (text + line, text + end);

      if (opening->mark != 0 && !inside && at - (text + line) < GADGET_MARKDOWN_CODE_INDENT
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

      /* Blank lines at its end are none of indented code. */
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
