/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copies a selected part of an answer: as plain text, from the parsed document, or as Markdown, by
 * widening the range of the source. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-copy.h"

#include "gadget-markdown-attributes.h"
#include "gadget-markdown-links.h"

static GadgetMarkdownDocument *
parse (GadgetItem *item, const GadgetMarkdownPart *part)
{
  const gsize length = gadget_item_get_length (item);

  return gadget_markdown_parse_in (
      gadget_item_get_text (item), length, MIN (part->start, length), MIN (part->end, length),
      part->context, gadget_markdown_links_get_definitions (gadget_markdown_links_update (item)),
      gadget_item_get_status (item) == GADGET_ITEM_STREAMING);
}

/* Sets the byte range of @text that is in the part. Returns FALSE when it is empty. */
static gboolean
get_range (const GadgetMarkdownText *text, const GadgetMarkdownPart *part, guint *start, guint *end)
{
  gsize begin;

  if (!gadget_markdown_attributes_get_begin (text, &begin) || begin >= part->to)
    return FALSE;
  *start = part->from <= begin ? 0 : gadget_markdown_attributes_from_source (text, part->from);
  *end = part->to >= part->end ? text->length
                               : gadget_markdown_attributes_from_source (text, part->to);
  return *start < *end;
}

/* --- As text --- */

static gboolean
is_in_item (const GadgetMarkdownLeaf *leaf)
{
  return leaf->n_containers > 0
         && leaf->containers[leaf->n_containers - 1].kind == GADGET_MARKDOWN_ITEM;
}

static const char *
get_marker (const GadgetMarkdownContainer *item)
{
  switch (item->task)
    {
    case GADGET_MARKDOWN_TASK_OPEN:
      return "☐";
    case GADGET_MARKDOWN_TASK_DONE:
      return "☑";
    case GADGET_MARKDOWN_NO_TASK:
    default:
      return item->marker;
    }
}

/* Appends what comes before the first line of a leaf, and before its other lines: markers of items,
 * or spaces of the same width. */
static void
get_indents (const GadgetMarkdownLeaf *leaf, gboolean marked, GString *first, GString *others)
{
  for (guint i = 0; i < leaf->n_containers; i++)
    {
      const GadgetMarkdownContainer *container = &leaf->containers[i];
      const char *marker = get_marker (container);
      const glong n = g_utf8_strlen (marker, -1) + 1;

      if (container->kind != GADGET_MARKDOWN_ITEM)
        continue;
      if (container->first && marked)
        g_string_append_printf (first, "%s ", marker);
      for (glong k = 0; k < n; k++)
        {
          if (!container->first && marked)
            g_string_append_c (first, ' ');
          g_string_append_c (others, ' ');
        }
    }
}

static void
append_lines (GString *out, const char *text, gsize length, const char *indent)
{
  for (gsize i = 0; i < length; i++)
    {
      g_string_append_c (out, text[i]);
      if (text[i] == '\n' && i + 1 < length)
        g_string_append (out, indent);
    }
}

static void
append_text (const GadgetMarkdownLeaf *leaf, const GadgetMarkdownPart *part, GString *out)
{
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) others = g_string_new (NULL);
  gsize begin = 0;
  guint start, end;

  if (!get_range (leaf->text, part, &start, &end))
    return;
  gadget_markdown_attributes_get_begin (leaf->text, &begin);
  /* A selection that begins with the words of an item is copied without the item's marker; one that
   * begins before them, with it. */
  get_indents (leaf, start == 0 && part->from < begin, first, others);
  g_string_append (out, first->str);
  append_lines (out, leaf->text->text + start, end - start, others->str);
}

static void
append_table (const GadgetMarkdownTable *table, const GadgetMarkdownPart *part, GString *out)
{
  gboolean any_row = FALSE;

  for (guint row = 0; row < table->n_rows; row++)
    {
      gboolean any = FALSE;

      for (guint column = 0; column < table->n_columns; column++)
        {
          const GadgetMarkdownText *cell = gadget_markdown_table_get_cell (table, row, column);
          guint start, end;

          if (!get_range (cell, part, &start, &end))
            continue;
          if (any)
            g_string_append_c (out, '\t');
          else if (any_row)
            g_string_append_c (out, '\n');
          g_string_append_len (out, cell->text + start, (gssize) (end - start));
          any = any_row = TRUE;
        }
    }
}

static void
append_leaf (const GadgetMarkdownLeaf *leaf, const GadgetMarkdownPart *part, GString *out)
{
  if (leaf->kind == GADGET_MARKDOWN_RULE && part->from <= leaf->source_start
      && part->to >= leaf->source_end)
    g_string_append (out, "---");
  else if (leaf->table != NULL)
    append_table (leaf->table, part, out);
  else
    append_text (leaf, part, out);
}

void
gadget_markdown_copy_text (GadgetItem *item, const GadgetMarkdownPart *part, GString *out)
{
  g_autoptr (GadgetMarkdownDocument) document = parse (item, part);
  const GadgetMarkdownLeaf *before = NULL;

  for (guint i = 0; i < document->leaves->len; i++)
    {
      const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);
      const gsize at = out->len;

      append_leaf (leaf, part, out);
      if (out->len == at)
        continue;
      if (before != NULL)
        g_string_insert (out, (gssize) at,
                         is_in_item (before) && is_in_item (leaf) ? "\n" : "\n\n");
      before = leaf;
    }
}

/* --- As Markdown --- */

/* Finds the source range of a leaf that is copied, with the marks and markers around it. Returns
 * FALSE when it is empty. */
static gboolean
get_source (const GadgetMarkdownLeaf *leaf, const GadgetMarkdownPart *part, gsize *from, gsize *to)
{
  guint start, end;

  if (leaf->source_end <= part->from || leaf->source_start >= part->to)
    return FALSE;
  if (leaf->text->runs->len == 0)
    {
      *from = MAX (leaf->source_start, part->from);
      *to = MIN (leaf->source_end, part->to);
      return TRUE;
    }
  if (!get_range (leaf->text, part, &start, &end)
      || !gadget_markdown_text_get_source (leaf->text, start, end, from, to))
    return FALSE;
  if (start == 0 && part->from <= leaf->source_start)
    *from = leaf->source_start;
  if (end == leaf->text->length && part->to >= leaf->source_end)
    *to = leaf->source_end;
  return TRUE;
}

void
gadget_markdown_widen (GadgetItem *item, GadgetMarkdownPart *part)
{
  g_autoptr (GadgetMarkdownDocument) document = parse (item, part);
  gboolean any = FALSE;
  gsize first = part->from;
  gsize last = part->to;

  for (guint i = 0; i < document->leaves->len; i++)
    {
      gsize from, to;

      if (!get_source (gadget_markdown_document_get_leaf (document, i), part, &from, &to))
        continue;
      if (!any)
        first = from;
      last = any ? MAX (last, to) : to;
      any = TRUE;
    }
  /* A part that begins or ends with its segment keeps that bound, since the segment was selected up
   * to there. */
  part->from = part->from <= part->start ? part->from : first;
  part->to = part->to >= part->end ? part->to : last;
}
