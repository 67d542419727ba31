/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-answer-beginning.h"

#include "common/gadget-visible.h"
#include "markdown/gadget-markdown.h"

#include <pango/pango.h>
#include <string.h>

/* Of the source so many bytes are looked at, and of the sentence so many are told. */
#define MAX_SOURCE 4000
#define MAX_SENTENCE 300

static const char *
find_answer (GadgetTurn *turn)
{
  for (guint i = gadget_turn_get_n_items (turn); i > 0; i--)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i - 1);

      if (gadget_item_get_kind (item) == GADGET_ITEM_TEXT)
        return gadget_item_get_text (item);
    }
  return NULL;
}

/* Bytes at most, and whole characters. */
static gsize
measure (const char *text, gsize limit)
{
  const gsize length = strlen (text);

  return length <= limit ? length : (gsize) (g_utf8_find_prev_char (text, text + limit) - text);
}

static char *
dup_sentence (const char *text)
{
  const gsize length = measure (text, MAX_SENTENCE);
  const glong n = g_utf8_strlen (text, (gssize) length);
  g_autofree PangoLogAttr *attributes = g_new0 (PangoLogAttr, (gsize) n + 1);

  pango_get_log_attrs (text, (int) length, -1, pango_language_get_default (), attributes,
                       (int) n + 1);
  for (glong i = 1; i < n; i++)
    if (attributes[i].is_sentence_end)
      return g_strndup (text, (gsize) (g_utf8_offset_to_pointer (text, i) - text));
  return length < strlen (text) ? g_strdup_printf ("%.*s…", (int) length, text) : g_strdup (text);
}

char *
gadget_answer_dup_beginning (GadgetTurn *turn)
{
  const char *answer = find_answer (turn);
  g_autoptr (GadgetMarkdownDocument) document = NULL;

  if (answer == NULL)
    return NULL;
  document = gadget_markdown_parse (answer, 0, measure (answer, MAX_SOURCE), 0, NULL, FALSE);
  for (guint i = 0; i < document->leaves->len; i++)
    {
      const char *text = gadget_markdown_document_get_leaf (document, i)->text->text;
      g_autofree char *visible = NULL;

      if (text == NULL || *text == '\0')
        continue;
      visible = gadget_visible_dup (text);
      return dup_sentence (g_strstrip (visible));
    }
  return NULL;
}
