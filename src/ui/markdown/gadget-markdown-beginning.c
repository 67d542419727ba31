/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-ui"

#include "config.h"

#include "gadget-markdown-beginning.h"

#include "gadget-markdown.h"
#include "common/gadget-visible.h"

#include <pango/pango.h>
#include <string.h>

/* In bytes: how much of the source is parsed, and how long the sentence may be. */
#define MAX_SOURCE 4000
#define MAX_SENTENCE 300

/* Returns the length of @text, but at most @limit bytes of whole characters. */
static gsize
measure (const char *text, gsize limit)
{
  const gsize length = strlen (text);

  return length <= limit ? length : (gsize) (g_utf8_find_prev_char (text, text + limit) - text);
}

/* Returns the first sentence. @complete: (out): whether the sentence ends within @text. (transfer
 * full) */
static char *
dup_sentence (const char *text, gboolean *complete)
{
  const gsize length = measure (text, MAX_SENTENCE);
  const glong n = g_utf8_strlen (text, (gssize) length);
  g_autofree PangoLogAttr *attributes = g_new0 (PangoLogAttr, (gsize) n + 1);

  pango_get_log_attrs (text, (int) length, -1, pango_language_get_default (), attributes,
                       (int) n + 1);
  for (glong i = 1; i < n; i++)
    if (attributes[i].is_sentence_end)
      {
        *complete = TRUE;
        return g_strndup (text, (gsize) (g_utf8_offset_to_pointer (text, i) - text));
      }
  *complete = length < strlen (text);
  return *complete ? g_strdup_printf ("%.*s…", (int) length, text) : g_strdup (text);
}

char *
gadget_text_dup_beginning (const char *text)
{
  g_autofree char *visible = gadget_visible_escape (text);
  gboolean complete;

  return dup_sentence (g_strstrip (visible), &complete);
}

char *
gadget_markdown_dup_beginning (GadgetItem *item)
{
  const gboolean streams = gadget_item_get_status (item) == GADGET_ITEM_STREAMING;
  const char *answer = gadget_item_get_text (item);
  g_autoptr (GadgetMarkdownDocument) document =
      gadget_markdown_parse (answer, 0, measure (answer, MAX_SOURCE), 0, NULL, streams);

  for (guint i = 0; i < document->leaves->len; i++)
    {
      const char *text = gadget_markdown_document_get_leaf (document, i)->text->text;
      g_autofree char *visible = NULL;
      g_autofree char *sentence = NULL;
      gboolean complete;

      if (text == NULL || *text == '\0')
        continue;
      visible = gadget_visible_escape (text);
      sentence = dup_sentence (g_strstrip (visible), &complete);
      return complete || !streams || i + 1 < document->leaves->len ? g_steal_pointer (&sentence)
                                                                   : NULL;
    }
  return NULL;
}
