/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Collects definitions from paragraphs that begin with "[", in any container. Those of closed
 * segments are kept; those of the last segment, which is open, are collected again at each call. */

#define G_LOG_DOMAIN "gadget-markdown"

#include "config.h"

#include "gadget-markdown-definitions.h"

#include "gadget-markdown-definition.h"
#include "gadget-markdown-segment-private.h"

#include <string.h>

#define MAX_LABEL 1000

struct _GadgetMarkdownDefinitions
{
  GHashTable *closed; /* folded label → source text of its definition */
  GHashTable *open;   /* the same for the open segment */
  gsize start;        /* of the open segment */
  gsize context;
};

static GHashTable *
table_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

GadgetMarkdownDefinitions *
gadget_markdown_definitions_new (void)
{
  GadgetMarkdownDefinitions *self = g_new0 (GadgetMarkdownDefinitions, 1);

  self->closed = table_new ();
  self->open = table_new ();
  return self;
}

void
gadget_markdown_definitions_free (GadgetMarkdownDefinitions *self)
{
  g_hash_table_unref (self->closed);
  g_hash_table_unref (self->open);
  g_free (self);
}

/* Takes the definitions at the beginning of @paragraph, and empties it. The first definition of a
 * label counts. */
static void
parse_paragraph (GHashTable *table, GString *paragraph)
{
  const char *at = paragraph->str;
  const char *end = at + paragraph->len;
  GadgetMarkdownDefinition definition;

  while (at < end && gadget_markdown_definition_read (at, end, &definition))
    {
      char *label = gadget_markdown_fold_label (definition.label, definition.label_length);

      /* A footnote is shown as text. */
      if (*label == '^' || g_hash_table_contains (table, label))
        g_free (label);
      else
        g_hash_table_insert (table, label, g_strndup (at, (gsize) (definition.end - at)));
      at = definition.end;
    }
  g_string_truncate (paragraph, 0);
}

static void
parse_segment (GHashTable *table, const char *text, gsize start, gsize end, gsize context)
{
  g_autoptr (GString) paragraph = NULL;
  GadgetMarkdownScanner scanner;
  gsize next;

  if (memmem (text + start, end - start, "]:", 2) == NULL
      || _gadget_markdown_resume (&scanner, text, start, context) >= GADGET_MARKDOWN_RESUME_TEXT)
    return;
  paragraph = g_string_new (NULL);
  for (gsize line = start; line < end; line = next)
    {
      const gsize line_end = gadget_markdown_find_line (text, end, line, &next);
      gboolean is_text;

      gadget_markdown_scanner_read_line (&scanner, line, line_end);
      is_text = scanner.leaf == GADGET_MARKDOWN_LEAF_TEXT && !scanner.blank;
      if (paragraph->len > 0 && (!is_text || scanner.began))
        parse_paragraph (table, paragraph);
      if (is_text && (paragraph->len > 0 || (scanner.began && text[scanner.content] == '[')))
        {
          g_string_append_len (paragraph, text + scanner.content,
                               (gssize) (line_end - scanner.content));
          g_string_append_c (paragraph, '\n');
        }
    }
  parse_paragraph (table, paragraph);
}

static gboolean
is_same (GHashTable *a, GHashTable *b)
{
  GHashTableIter iter;
  gpointer key, value;

  if (g_hash_table_size (a) != g_hash_table_size (b))
    return FALSE;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (g_strcmp0 (g_hash_table_lookup (b, key), value) != 0)
      return FALSE;
  return TRUE;
}

gboolean
gadget_markdown_definitions_scan (GadgetMarkdownDefinitions *self, const char *text, gsize length,
                                  gboolean open)
{
  const guint before = g_hash_table_size (self->closed);
  g_autoptr (GHashTable) fresh = table_new ();
  gboolean changed;

  g_return_val_if_fail (self != NULL, FALSE);

  while (self->start < length)
    {
      gsize context;
      const gsize end =
          gadget_markdown_segment_end (text, length, self->start, self->context, &context);

      if (end == length)
        break;
      parse_segment (self->closed, text, self->start, end, self->context);
      self->start = end;
      self->context = context;
    }
  if (self->start < length)
    {
      /* The last line of a streaming text may be half of a definition. */
      const gsize end = open ? gadget_markdown_find_line_begin (text, length, self->start) : length;

      parse_segment (fresh, text, self->start, end, self->context);
    }
  changed = g_hash_table_size (self->closed) != before || !is_same (self->open, fresh);
  g_hash_table_unref (self->open);
  self->open = g_steal_pointer (&fresh);
  return changed;
}

void
gadget_markdown_definitions_add_used (const GadgetMarkdownDefinitions *self, const char *text,
                                      gsize length, GString *out)
{
  const char *end = text + length;
  g_autoptr (GHashTable) used = NULL;

  g_return_if_fail (self != NULL);

  if (g_hash_table_size (self->closed) + g_hash_table_size (self->open) == 0)
    return;
  used = g_hash_table_new (g_direct_hash, g_direct_equal);
  for (const char *at = text; (at = memchr (at, '[', (gsize) (end - at))) != NULL; at++)
    {
      const char *behind = gadget_markdown_skip_label (at, MIN (end, at + MAX_LABEL));
      g_autofree char *label = NULL;
      const char *source;

      if (behind == NULL)
        continue;
      label = gadget_markdown_fold_label (at + 1, (gsize) (behind - at - 2));
      source = g_hash_table_lookup (self->closed, label);
      if (source == NULL)
        source = g_hash_table_lookup (self->open, label);
      if (source == NULL || !g_hash_table_add (used, (gpointer) source))
        continue;
      g_string_append (out, source);
      if (out->str[out->len - 1] != '\n')
        g_string_append_c (out, '\n');
    }
}
