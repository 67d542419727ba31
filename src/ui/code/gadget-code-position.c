/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-code"

#include "config.h"

#include "gadget-code-position.h"

#include "ui/markdown/gadget-markdown-segment.h"

static gsize
find_end (const GadgetCodePosition *self, GadgetItem *item, gsize *next_context)
{
  return gadget_markdown_segment_end (gadget_item_get_text (item), gadget_item_get_length (item),
                                      self->segment, self->context, next_context);
}

void
gadget_code_position_set_nested (GadgetCodePosition *self, GadgetItem *item, gsize segment,
                                 gsize context)
{
  const gsize length = gadget_item_get_length (item);
  gsize end, next_context;

  self->nested = TRUE;
  self->segment = segment;
  self->context = context;
  if (self->begin >= segment)
    return;
  self->segment = context;
  while ((end = find_end (self, item, &next_context)) <= self->begin && end < length)
    {
      self->segment = end;
      self->context = next_context;
    }
}

static const GadgetMarkdownLeaf *
find_leaf (const GadgetCodePosition *self, const GadgetMarkdownDocument *document)
{
  for (guint i = 0; i < document->leaves->len; i++)
    {
      const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);

      if (leaf->kind == GADGET_MARKDOWN_CODE && (!self->nested || leaf->code_begin == self->begin))
        return leaf;
    }
  return NULL;
}

GadgetMarkdownDocument *
gadget_code_position_read (const GadgetCodePosition *self, GadgetItem *item,
                           const GadgetMarkdownLeaf **leaf, gboolean *last)
{
  gsize next_context;
  const gsize end = find_end (self, item, &next_context);
  const gboolean streaming = gadget_item_get_status (item) == GADGET_ITEM_STREAMING;
  GadgetMarkdownDocument *document;

  *last = end >= gadget_item_get_length (item);
  document = gadget_markdown_parse (gadget_item_get_text (item), self->segment, end, self->context,
                                    NULL, *last && streaming);
  *leaf = find_leaf (self, document);
  return document;
}

gboolean
gadget_code_position_next (GadgetCodePosition *self, GadgetItem *item)
{
  const gsize length = gadget_item_get_length (item);
  gsize next_context;
  const gsize end = find_end (self, item, &next_context);

  if (end >= length)
    return FALSE;
  if (self->nested ? !gadget_markdown_code_goes_on (gadget_item_get_text (item), length,
                                                    self->segment, end, self->context)
                   : next_context != self->context)
    return FALSE;
  self->segment = end;
  self->context = next_context;
  return TRUE;
}

static gboolean
ends_line (GadgetItem *item, gsize at)
{
  const char before = gadget_item_get_text (item)[at - 1];

  return before == '\n' || before == '\r';
}

char *
gadget_code_position_dup_text (const GadgetCodePosition *self, GadgetItem *item)
{
  GadgetCodePosition place = *self;
  GString *code = g_string_new (NULL);
  gboolean last;

  do
    {
      const GadgetMarkdownLeaf *leaf;
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_code_position_read (&place, item, &leaf, &last);

      if (leaf == NULL)
        continue;
      /* A cut removes the line break before it from both parts. */
      if (place.segment > self->segment && ends_line (item, place.segment))
        g_string_append_c (code, '\n');
      g_string_append_len (code, leaf->text->text, leaf->text->length);
    }
  while (!last && gadget_code_position_next (&place, item));
  return g_string_free_and_steal (code);
}
