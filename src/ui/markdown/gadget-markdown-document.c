/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-document-private.h"

#include <string.h>

static void
clear_span (gpointer data)
{
  GadgetMarkdownSpan *span = data;

  g_clear_pointer (&span->href, g_free);
  g_clear_pointer (&span->title, g_free);
}

GadgetMarkdownText *
_gadget_markdown_text_new (void)
{
  GadgetMarkdownText *self = g_new0 (GadgetMarkdownText, 1);

  self->spans = g_array_new (FALSE, FALSE, sizeof (GadgetMarkdownSpan));
  g_array_set_clear_func (self->spans, clear_span);
  self->runs = g_array_new (FALSE, FALSE, sizeof (GadgetMarkdownRun));
  return self;
}

void
_gadget_markdown_text_free (GadgetMarkdownText *self)
{
  g_free (self->text);
  g_array_unref (self->spans);
  g_array_unref (self->runs);
  g_free (self);
}

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

GadgetMarkdownDocument *
_gadget_markdown_document_new (void)
{
  GadgetMarkdownDocument *self = g_new0 (GadgetMarkdownDocument, 1);

  self->leaves = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_markdown_leaf_free);
  return self;
}

/* gadget_markdown_document_free: frees the leaves, too; @self may not be NULL. */
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
