/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry points of the parser: they choose how to read a segment, and set the source ranges of
 * the leaves. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown.h"

#include "gadget-markdown-builder.h"

#include <string.h>

GadgetMarkdownLeaf *
_gadget_markdown_leaf_new (GadgetMarkdownKind kind)
{
  GadgetMarkdownLeaf *self = g_new0 (GadgetMarkdownLeaf, 1);

  self->kind = kind;
  self->text = _gadget_markdown_text_new ();
  self->source_start = G_MAXSIZE;
  return self;
}

void
_gadget_markdown_leaf_free (GadgetMarkdownLeaf *self)
{
  if (self->table != NULL)
    {
      g_free (self->table->alignments);
      g_ptr_array_unref (self->table->cells);
      g_free (self->table);
    }
  _gadget_markdown_text_free (self->text);
  g_free (self->containers);
  g_free (self->info);
  g_free (self->language);
  g_free (self);
}

static gsize
find_line_begin (const char *text, gsize at, gsize limit)
{
  while (at > limit && gadget_markdown_is_inside_line (text, at))
    at--;
  return at;
}

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
  line = find_line_begin (text, context, 0);
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
      gsize begin = i == 0 ? start : find_line_begin (text, leaf->source_start, limit);

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
  GadgetMarkdownDocument *self = g_new0 (GadgetMarkdownDocument, 1);
  GadgetMarkdownSource source;

  self->leaves = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_markdown_leaf_free);
  gadget_markdown_source_init (&source, text, length, start, end, context, definitions, growing);
  if (source.resume == GADGET_MARKDOWN_RESUME_FRESH
      && _gadget_markdown_build_math (self, text, start, end, open))
    ;
  else if (source.resume == GADGET_MARKDOWN_RESUME_CODE
           || source.resume == GADGET_MARKDOWN_RESUME_HTML)
    _gadget_markdown_build_verbatim (self, text, start, end, context);
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

void
gadget_markdown_document_free (GadgetMarkdownDocument *self)
{
  g_ptr_array_unref (self->leaves);
  g_free (self);
}

gboolean
gadget_markdown_text_equal (const GadgetMarkdownText *a, const GadgetMarkdownText *b)
{
  if (a->length != b->length || a->spans->len != b->spans->len
      || memcmp (a->text, b->text, a->length) != 0)
    return FALSE;
  for (guint i = 0; i < a->spans->len; i++)
    {
      const GadgetMarkdownSpan *first = &g_array_index (a->spans, GadgetMarkdownSpan, i);
      const GadgetMarkdownSpan *second = &g_array_index (b->spans, GadgetMarkdownSpan, i);

      if (first->start != second->start || first->end != second->end || first->kind != second->kind
          || g_strcmp0 (first->href, second->href) != 0
          || g_strcmp0 (first->title, second->title) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_same_table (const GadgetMarkdownTable *a, const GadgetMarkdownTable *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (a->n_columns != b->n_columns || a->n_rows != b->n_rows || a->has_header != b->has_header
      || memcmp (a->alignments, b->alignments, a->n_columns * sizeof *a->alignments) != 0)
    return FALSE;
  for (guint i = 0; i < a->cells->len; i++)
    if (!gadget_markdown_text_equal (g_ptr_array_index (a->cells, i),
                                     g_ptr_array_index (b->cells, i)))
      return FALSE;
  return TRUE;
}

static gboolean
is_same_container (const GadgetMarkdownContainer *a, const GadgetMarkdownContainer *b)
{
  return a->kind == b->kind && a->first == b->first && a->tight == b->tight && a->task == b->task
         && strcmp (a->marker, b->marker) == 0;
}

gboolean
gadget_markdown_leaf_equal (const GadgetMarkdownLeaf *a, const GadgetMarkdownLeaf *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a->kind != b->kind || a->level != b->level || a->n_containers != b->n_containers
      || g_strcmp0 (a->info, b->info) != 0)
    return FALSE;
  for (guint i = 0; i < a->n_containers; i++)
    if (!is_same_container (&a->containers[i], &b->containers[i]))
      return FALSE;
  return gadget_markdown_text_equal (a->text, b->text) && is_same_table (a->table, b->table);
}
