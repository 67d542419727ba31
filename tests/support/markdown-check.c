/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "markdown-check.h"

#include "ui/markdown/gadget-markdown-segment.h"

#include <string.h>

#define MAX_SEGMENT 9000
#define MAX_TABLE 37000

static void
check_text (const GadgetMarkdownText *text, gsize start, gsize end)
{
  guint at = 0, span_start = 0;

  g_assert_true (g_utf8_validate_len (text->text, text->length, NULL));
  for (guint i = 0; i < text->runs->len; i++)
    {
      const GadgetMarkdownRun *run = &g_array_index (text->runs, GadgetMarkdownRun, i);

      g_assert_cmpuint (run->text, ==, at);
      at += run->length;
      g_assert_cmpuint (run->source, >=, start);
      g_assert_cmpuint (run->source + run->source_length, <=, end);
    }
  g_assert_cmpuint (at, ==, text->length);
  for (guint i = 0; i < text->spans->len; i++)
    {
      const GadgetMarkdownSpan *span = &g_array_index (text->spans, GadgetMarkdownSpan, i);

      g_assert_cmpuint (span->start, >=, span_start);
      g_assert_cmpuint (span->start, <=, span->end);
      g_assert_cmpuint (span->end, <=, text->length);
      span_start = span->start;
      if (span->kind == GADGET_MARKDOWN_SPAN_LINK)
        g_assert_true (g_regex_match_simple ("^(https?://|mailto:)", span->href, G_REGEX_CASELESS,
                                             G_REGEX_MATCH_DEFAULT));
    }
}

/* It begins with its image, which may be asked for from the web. */
static void
check_picture (const GadgetMarkdownLeaf *leaf)
{
  const GadgetMarkdownSpan *image;

  g_assert_cmpuint (leaf->text->spans->len, >, 0);
  image = &g_array_index (leaf->text->spans, GadgetMarkdownSpan, 0);
  g_assert_cmpint (image->kind, ==, GADGET_MARKDOWN_SPAN_IMAGE);
  g_assert_cmpuint (image->start, ==, 0);
  g_assert_true (
      g_regex_match_simple ("^https?://", image->href, G_REGEX_CASELESS, G_REGEX_MATCH_DEFAULT));
}

void
markdown_check_document (const GadgetMarkdownDocument *document, gsize start, gsize end)
{
  gsize at = start;

  for (guint i = 0; i < document->leaves->len; i++)
    {
      const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);

      g_assert_cmpuint (leaf->source_start, ==, at);
      g_assert_cmpuint (leaf->source_end, >=, leaf->source_start);
      at = leaf->source_end;
      g_assert_cmpuint (leaf->n_containers, <=, 32);
      check_text (leaf->text, start, end);
      if (leaf->kind == GADGET_MARKDOWN_PICTURE)
        check_picture (leaf);
      for (guint k = 0; leaf->table != NULL && k < leaf->table->cells->len; k++)
        check_text (g_ptr_array_index (leaf->table->cells, k), start, end);
      g_assert_true (gadget_markdown_leaf_equal (leaf, leaf));
    }
  g_assert_true (document->leaves->len == 0 || at == end);
}

guint
markdown_check_all (const char *text, gsize length)
{
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  gsize start = 0, context = 0;
  guint n = 0;

  gadget_markdown_definitions_scan (definitions, text, length, FALSE);
  for (; start < length; n++)
    {
      gsize next;
      const gsize end = gadget_markdown_segment_end (text, length, start, context, &next);
      g_autoptr (GadgetMarkdownDocument) closed = NULL;
      g_autoptr (GadgetMarkdownDocument) open = NULL;

      g_assert_cmpuint (end, >, start);
      g_assert_cmpuint (end - start, <=, MAX_TABLE);
      closed = gadget_markdown_parse_in (text, length, start, end, context, definitions, FALSE);
      markdown_check_document (closed, start, end);
      if (closed->leaves->len == 0
          || gadget_markdown_document_get_leaf (closed, 0)->kind != GADGET_MARKDOWN_TABLE)
        g_assert_cmpuint (end - start, <=, MAX_SEGMENT);
      open = gadget_markdown_parse (text, start, end, context, definitions, TRUE);
      markdown_check_document (open, start, end);
      g_clear_pointer (&open, gadget_markdown_document_free);
      open = gadget_markdown_parse_in (text, length, start, end, context, definitions, TRUE);
      markdown_check_document (open, start, end);
      start = end;
      context = next;
    }
  return n;
}
