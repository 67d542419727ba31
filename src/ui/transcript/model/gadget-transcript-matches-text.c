/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The text of rows as it is shown, and the sources of a turn, in which matches are looked for. */

#define G_LOG_DOMAIN "gadget-transcript-matches"

#include "config.h"

#include "gadget-transcript-matches-private.h"

#include "gadget-diff.h"
#include "session/gadget-attachment.h"
#include "ui/markdown/gadget-markdown-attributes.h"
#include "ui/markdown/gadget-markdown-links.h"
#include "ui/terminal/gadget-output-text.h"
#include "ui/text/gadget-chunks.h"

#include <string.h>

/* A longer source is not looked at as a whole, which could not be interrupted, but row by row. */
#define LONG_BYTES (256 * 1024)

/* --- The matches in a row --- */

GadgetTurn *
_gadget_transcript_matches_get_turn (GadgetTranscriptMatches *self, guint turn,
                                     const GadgetRowSpec *row)
{
  return row->scope > 0 ? gadget_nested_turns_get_turn (self->model->nested_turns, row->scope)
                        : _gadget_transcript_model_get_entry (self->model, turn)->turn;
}

static gboolean
visit_text (GadgetTranscriptMatches *self, GadgetMatchHit hit, GadgetMatchFunc func,
            gpointer user_data)
{
  gsize from = 0;

  while (gadget_text_pattern_next (self->pattern, hit.text, hit.length, from, &hit.start, &hit.end))
    {
      if (!func (&hit, user_data))
        return FALSE;
      from = hit.end;
    }
  return TRUE;
}

static gboolean
visit_markdown_text (GadgetTranscriptMatches *self, const GadgetMarkdownText *text, gsize base,
                     GadgetMatchFunc func, gpointer user_data)
{
  const GadgetMatchHit hit = {
    .text = text->text, .length = text->length, .markdown = text, .base = base
  };

  return visit_text (self, hit, func, user_data);
}

/* Returns whether a link of the text may have its address elsewhere in it. */
static gboolean
has_definitions (const char *text, gsize length)
{
  const char *end = text + length;

  for (const char *p = memchr (text, ']', length); p != NULL;
       p = memchr (p + 1, ']', (gsize) (end - p - 1)))
    if (p + 1 < end && p[1] == ':')
      return TRUE;
  return FALSE;
}

static void
visit_markdown (GadgetTranscriptMatches *self, const GadgetRowSpec *row, GadgetItem *item,
                GadgetMatchFunc func, gpointer user_data)
{
  const gsize length = gadget_item_get_length (item);
  const char *text = gadget_item_get_text (item);
  const gsize start = MIN (row->start, length);
  const gsize end = MIN (row->end, length);
  g_autoptr (GadgetMarkdownDocument) document = NULL;
  GadgetMarkdownLinks *links;

  if (!has_definitions (text, length)
      && !gadget_text_pattern_may_be_in_markup (self->pattern, text + start, end - start))
    return;
  links = gadget_markdown_links_update (item);
  document = gadget_markdown_parse_in (text, length, start, end, row->context,
                                       gadget_markdown_links_get_definitions (links),
                                       gadget_item_get_status (item) == GADGET_ITEM_STREAMING);
  for (guint i = 0; i < document->leaves->len; i++)
    {
      const GadgetMarkdownLeaf *leaf = gadget_markdown_document_get_leaf (document, i);

      if (leaf->table == NULL)
        {
          if (!visit_markdown_text (self, leaf->text, start, func, user_data))
            return;
          continue;
        }
      for (guint k = 0; k < leaf->table->cells->len; k++)
        if (!visit_markdown_text (self, g_ptr_array_index (leaf->table->cells, k), start, func,
                                  user_data))
          return;
    }
}

static void
visit_attachments (GadgetTranscriptMatches *self, GPtrArray *attachments, GadgetMatchFunc func,
                   gpointer user_data)
{
  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    {
      const char *name = gadget_attachment_get_name (g_ptr_array_index (attachments, i));
      const GadgetMatchHit hit = { .text = name, .length = name != NULL ? strlen (name) : 0 };

      if (name != NULL && !visit_text (self, hit, func, user_data))
        return;
    }
}

static void
visit_plain (GadgetTranscriptMatches *self, const GadgetRowSpec *row, GadgetTurn *turn,
             GadgetItem *item, GadgetMatchFunc func, gpointer user_data)
{
  gsize length = 0;
  const char *source = gadget_row_data_get_source (row->kind, turn, item, &length);
  GadgetMatchHit hit = { .base = row->start };

  if (source == NULL || row->start >= length)
    return;
  hit.text = source + row->start;
  if (row->kind == GADGET_ROW_KIND_TOOL)
    {
      guint n_added, n_removed;
      g_autofree char *line = g_strndup (source, strcspn (source, "\n"));

      /* The numbers of lines are not shown as text. */
      hit.length = strlen (line);
      if (!gadget_diff_split_counts (line, &hit.length, &n_added, &n_removed))
        hit.length = strlen (line);
    }
  else
    hit.length = gadget_chunk_visible (source, length, row->start, MIN (row->end, length));
  visit_text (self, hit, func, user_data);
}

/* Calls @func for the matches in the row, in the order in which they are shown. */
void
_gadget_transcript_matches_visit_row (GadgetTranscriptMatches *self, guint turn,
                                      const GadgetRowSpec *row, GadgetMatchFunc func,
                                      gpointer user_data)
{
  GadgetTurn *object = _gadget_transcript_matches_get_turn (self, turn, row);
  GadgetItem *item = NULL;

  if (!gadget_row_kind_is_of_turn (row->kind))
    {
      if (row->item >= gadget_turn_get_n_items (object))
        return;
      item = gadget_turn_get_item (object, row->item);
    }
  if (row->kind == GADGET_ROW_KIND_ATTACHMENTS || row->kind == GADGET_ROW_KIND_STEER_ATTACHMENTS)
    visit_attachments (self,
                       gadget_attachments_get (item != NULL ? (gpointer) item : (gpointer) object),
                       func, user_data);
  else if (gadget_row_kind_is_markdown (row->kind))
    visit_markdown (self, row, item, func, user_data);
  else if (gadget_row_kind_get_text (row->kind) != GADGET_ROW_TEXT_NONE)
    visit_plain (self, row, object, item, func, user_data);
}

/* --- Sources --- */

static gboolean
is_in (GadgetTranscriptMatches *self, const char *text, gsize length)
{
  gsize start, end;

  return length > LONG_BYTES
         || gadget_text_pattern_next (self->pattern, text, length, 0, &start, &end);
}

gboolean
_gadget_transcript_matches_is_in_string (GadgetTranscriptMatches *self, const char *text)
{
  return text != NULL && is_in (self, text, strlen (text));
}

static gboolean
is_in_output (GadgetTranscriptMatches *self, const char *text, gsize length)
{
  return length > LONG_BYTES || gadget_terminal_text_is_needed (text, length)
         || is_in (self, text, length);
}

static gboolean
may_be_in_call (GadgetTranscriptMatches *self, GadgetItem *item)
{
  const char *arguments = gadget_item_get_arguments (item);
  const char *result = gadget_item_get_result (item);
  const char *summary = gadget_item_get_summary (item);

  return gadget_item_get_child_turn (item) != NULL
         || _gadget_transcript_matches_is_in_string (
             self, summary != NULL ? summary : gadget_item_get_name (item))
         || strchr (arguments, '\\') != NULL
         || gadget_text_pattern_may_be_in_markup (self->pattern, arguments, strlen (arguments))
         || is_in_output (self, gadget_item_get_text (item), gadget_item_get_length (item))
         || (result != NULL && is_in_output (self, result, strlen (result)));
}

gboolean
_gadget_transcript_matches_may_be_in_item (GadgetTranscriptMatches *self, GadgetItem *item)
{
  const char *text = gadget_item_get_text (item);
  const gsize length = gadget_item_get_length (item);

  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TEXT:
    case GADGET_ITEM_NOTE:
      return length > LONG_BYTES || has_definitions (text, length)
             || gadget_text_pattern_may_be_in_markup (self->pattern, text, length);
    case GADGET_ITEM_TOOL_CALL:
      return may_be_in_call (self, item);
    case GADGET_ITEM_STEER:
      return gadget_attachments_get (item) != NULL || is_in (self, text, length);
    case GADGET_ITEM_REASONING:
    case GADGET_ITEM_SUMMARY:
    default:
      return is_in (self, text, length);
    }
}
