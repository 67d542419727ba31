/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code in quotes and lists. It may begin anywhere in a segment, and be cut with it, so its first
 * line is found by the scanner. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown.h"

#include "gadget-markdown-builder.h"

static gboolean
is_in_code (const GadgetMarkdownScanner *scanner)
{
  return scanner->leaf == GADGET_MARKDOWN_LEAF_FENCED
         || scanner->leaf == GADGET_MARKDOWN_LEAF_INDENTED;
}

static gboolean
is_nested_code (const GadgetMarkdownLeaf *leaf)
{
  return leaf->kind == GADGET_MARKDOWN_CODE && leaf->n_containers > 0;
}

void
_gadget_markdown_find_code (GadgetMarkdownDocument *document, const GadgetMarkdownSource *source)
{
  const gboolean nested = source->resume == GADGET_MARKDOWN_RESUME_NESTED;
  gsize line = nested ? source->context : source->start;
  GadgetMarkdownScanner scanner;

  gadget_markdown_scanner_init (&scanner, source->text);
  for (guint i = 0; i < document->leaves->len; i++)
    {
      GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);

      if (!is_nested_code (leaf))
        continue;
      /* The position that the parser reports is somewhere in the block. */
      while (line <= leaf->source_start && line < source->end)
        line = gadget_markdown_scanner_read_next (&scanner, line, source->end);
      leaf->code_begin = is_in_code (&scanner) ? scanner.leaf_begin : leaf->source_start;
      leaf->continued = leaf->code_begin < source->start;
    }
}

gboolean
gadget_markdown_code_goes_on (const char *text, gsize length, gsize start, gsize end, gsize context)
{
  GadgetMarkdownScanner scanner;
  gsize begin, next;

  g_return_val_if_fail (start <= end && end <= length, FALSE);

  if (end == length)
    return FALSE;
  if (_gadget_markdown_resume (&scanner, text, start, context) > GADGET_MARKDOWN_RESUME_NESTED)
    return FALSE;
  gadget_markdown_find_line (text, length, start, &next);
  for (gsize line = gadget_markdown_is_inside_line (text, start) ? next : start; line < end;)
    line = gadget_markdown_scanner_read_next (&scanner, line, end);
  if (!is_in_code (&scanner))
    return FALSE;
  if (gadget_markdown_is_inside_line (text, end))
    return TRUE;
  begin = scanner.leaf_begin;
  gadget_markdown_scanner_read_next (&scanner, end, length);
  return is_in_code (&scanner) && scanner.leaf_begin == begin && !scanner.began;
}
