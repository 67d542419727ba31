/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "markdown-forms.h"

#include "ui/markdown/gadget-markdown-segment.h"

#include <string.h>

/* --- What form each byte of the source has ------------------------------------------------------
 */

typedef struct
{
  guint64 *forms; /* of each byte: 0 is not shown */
  gsize length;
} Forms;

static void
add_forms (Forms *forms, guint64 leaf, const GadgetMarkdownText *text)
{
  for (guint i = 0; i < text->runs->len; i++)
    {
      const GadgetMarkdownRun *run = &g_array_index (text->runs, GadgetMarkdownRun, i);
      guint64 form = leaf;
      gboolean is_break = FALSE;

      for (guint k = 0; k < text->spans->len; k++)
        {
          const GadgetMarkdownSpan *span = &g_array_index (text->spans, GadgetMarkdownSpan, k);

          g_assert_cmpuint (span->start, <=, span->end);
          g_assert_cmpuint (span->end, <=, text->length);
          if (span->start > run->text || run->text + run->length > span->end)
            continue;
          is_break = is_break || span->kind == GADGET_MARKDOWN_SPAN_BREAK;
          if (span->kind != GADGET_MARKDOWN_SPAN_HTML)
            form |= MARKDOWN_FORMS_SPAN (span->kind);
        }
      /* It has no form, and at a cut there is none: there a row ends. */
      if (is_break)
        continue;
      for (guint at = run->source; at < run->source + run->source_length; at++)
        {
          g_assert_cmpuint (at, <, forms->length);
          forms->forms[at] = form;
        }
    }
}

/* What the containers look like, in eight bits. */
static guint
hash_containers (const GadgetMarkdownLeaf *leaf)
{
  guint hash = 0;

  for (guint i = 0; i < leaf->n_containers; i++)
    {
      const GadgetMarkdownContainer *container = &leaf->containers[i];

      hash = hash * 31 + 1 + container->kind + 2 * container->ordered + 4 * container->task;
      if (container->kind == GADGET_MARKDOWN_ITEM && container->ordered)
        hash = hash * 31 + container->number;
    }
  return (hash ^ (hash >> 8) ^ (hash >> 16) ^ (hash >> 24)) & 255;
}

static void
add_document (Forms *forms, const char *text, const GadgetMarkdownDocument *document)
{
  for (guint i = 0; i < document->leaves->len; i++)
    {
      const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);
      const guint64 form = (1 + (guint64) leaf->kind) | ((leaf->n_containers & 31) << 3)
                           | ((guint64) leaf->level << 32)
                           | ((guint64) hash_containers (leaf) << 40);

      add_forms (forms, form, leaf->text);
      for (guint k = 0; leaf->table != NULL && k < leaf->table->cells->len; k++)
        add_forms (forms, form, g_ptr_array_index (leaf->table->cells, k));
      for (gsize at = leaf->source_start;
           leaf->kind == GADGET_MARKDOWN_RULE && at < MIN (leaf->source_end, forms->length); at++)
        if (strchr ("*-_", text[at]) != NULL)
          forms->forms[at] = form;
    }
}

void
markdown_forms_get_whole (const char *text, gsize length, guint64 *forms)
{
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  g_autoptr (GadgetMarkdownDocument) document = NULL;
  Forms whole = { forms, length };

  memset (forms, 0, length * sizeof *forms);
  gadget_markdown_definitions_scan (definitions, text, length, FALSE);
  document = gadget_markdown_parse (text, 0, length, 0, definitions, FALSE);
  add_document (&whole, text, document);
}

void
markdown_forms_get (const char *text, gsize length, gboolean open, guint64 *out)
{
  g_autoptr (GadgetMarkdownDefinitions) definitions = gadget_markdown_definitions_new ();
  Forms forms = { out, length };
  gsize start = 0, context = 0;

  memset (out, 0, length * sizeof *out);
  gadget_markdown_definitions_scan (definitions, text, length, open);
  while (start < length)
    {
      gsize next;
      const gsize end = gadget_markdown_segment_end (text, length, start, context, &next);
      g_autoptr (GadgetMarkdownDocument) document =
          gadget_markdown_parse_in (text, length, start, end, context, definitions, open);

      add_document (&forms, text, document);
      start = end;
      context = next;
    }
}

/* What a form is made of; each may change once. Where a byte is hidden, the rest of it stays. */
#define SPAN(kind) MARKDOWN_FORMS_SPAN (GADGET_MARKDOWN_SPAN_##kind)

static const guint64 aspects[] = {
  7,
  31U << 3,
  G_GUINT64_CONSTANT (7) << 32,
  G_GUINT64_CONSTANT (255) << 40,
  SPAN (STRONG),
  SPAN (EMPHASIS),
  SPAN (STRIKE),
  SPAN (CODE),
  SPAN (LINK) | SPAN (REFUSED),
  SPAN (IMAGE),
  SPAN (MATH),
  SPAN (UNDERLINE),
  SPAN (HIGHLIGHT),
  SPAN (SUPERSCRIPT) | SPAN (SUBSCRIPT),
};

typedef struct
{
  guint64 last;
  gboolean seen;
  guint hidden;
  guint changes[G_N_ELEMENTS (aspects)];
} Byte;

static void
take_form (Byte *byte, guint64 form)
{
  if (!byte->seen)
    {
      byte->seen = form != 0;
      byte->last = form;
      return;
    }
  byte->hidden += (byte->hidden % 2 == 0) == (form == 0);
  if (form == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
    byte->changes[i] += ((byte->last ^ form) & aspects[i]) != 0;
  byte->last = form;
}

static guint
get_worst (const Byte *byte)
{
  guint worst = byte->hidden;

  for (guint i = 0; i < G_N_ELEMENTS (aspects); i++)
    worst = MAX (worst, byte->changes[i]);
  return worst;
}

static void
take_forms (Byte *bytes, guint64 *forms, const char *text, gsize n, gboolean open)
{
  markdown_forms_get (text, n, open, forms);
  for (gsize i = 0; i < n; i++)
    take_form (&bytes[i], forms[i]);
}

guint
markdown_forms_count_changes (const char *text, gsize length, gsize from, GRand *random, gsize *at)
{
  g_autofree Byte *bytes = g_new0 (Byte, length + 1);
  g_autofree guint64 *now = g_new0 (guint64, length + 1);
  guint worst = 0;
  gsize n = MAX (from, 1);

  while (n < length)
    {
      take_forms (bytes, now, text, n, TRUE);
      n += random != NULL ? (gsize) g_rand_int_range (random, 1, 12) : 1;
    }
  take_forms (bytes, now, text, length, TRUE);
  take_forms (bytes, now, text, length, FALSE);
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isspace (text[i]) && get_worst (&bytes[i]) > worst)
      {
        worst = get_worst (&bytes[i]);
        *at = i;
      }
  return worst;
}
