/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The selection as text. It is read from the sources, so rows out of sight need not become
 * widgets. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-selection-private.h"
#include "ui/markdown/gadget-markdown-copy.h"

static gboolean
is_text (GadgetRowKind kind)
{
  return gadget_row_kind_get_text (kind) != GADGET_ROW_TEXT_NONE;
}

static gboolean
is_same_source (const GadgetRowSpec *a, const GadgetRowSpec *b)
{
  return a->turn == b->turn && a->kind == b->kind && a->item == b->item && a->scope == b->scope;
}

/* The separator between two rows of one source: nothing when Markdown source is copied; line breaks
 * when Markdown is copied as it is shown. */
static const char *
get_inner_separator (GadgetTranscriptModel *model, guint position, gboolean as_source)
{
  const GadgetRowSpec *row = gadget_transcript_model_get_row (model, position);
  gsize length = 0;
  const char *source;

  if (as_source || !gadget_row_kind_is_markdown (row->kind))
    return "";
  if (row->context == row->start)
    return "\n\n";
  source = gadget_transcript_model_get_source (model, position, &length);
  return row->start <= length && source[row->start - 1] == '\n' ? "\n" : "";
}

/* The separator between rows of different sources: one line break between two tool lines, else an
 * empty line. */
static const char *
get_separator (const GadgetRowSpec *before, const GadgetRowSpec *row)
{
  return before->kind == GADGET_ROW_KIND_TOOL && row->kind == GADGET_ROW_KIND_TOOL ? "\n" : "\n\n";
}

/* The marks around code in the line of a tool are invisible, so they are not copied. */
static void
drop_code_marks (GString *text, gsize from)
{
  g_autoptr (GString) line = g_string_new (text->str + from);

  g_string_replace (line, GADGET_CODE_BEGIN, "", 0);
  g_string_replace (line, GADGET_CODE_END, "", 0);
  g_string_truncate (text, from);
  g_string_append_len (text, line->str, (gssize) line->len);
}

static void
append_markdown (GadgetTranscriptModel *model, GString *text, guint position, gsize start,
                 gsize end, gboolean as_source)
{
  const GadgetRowSpec *row = gadget_transcript_model_get_row (model, position);
  GadgetItem *item = gadget_transcript_model_get_item (model, position);
  GadgetMarkdownPart part = { row->start, row->end, row->context, start, end };

  if (!as_source)
    {
      gadget_markdown_copy_text (item, &part, text);
      return;
    }
  gadget_markdown_widen (item, &part);
  g_string_append_len (text, gadget_item_get_text (item) + part.from,
                       (gssize) (part.to - part.from));
}

static void
append_row (GadgetTranscriptSelection *self, GString *text, guint position, gboolean as_source)
{
  GadgetTranscriptModel *model = gadget_selection_host_get_model (self->host);
  const GadgetTextRange *range = &self->range;
  const GadgetRowSpec *row = gadget_transcript_model_get_row (model, position);
  gsize length = 0;
  const char *source = gadget_transcript_model_get_source (model, position, &length);
  gsize start = row->start;
  gsize end = MIN (row->end, length);
  gsize at;

  if (position == range->start.row)
    start = CLAMP (range->start.offset, start, end);
  if (position == range->end.row)
    end = CLAMP (range->end.offset, start, end);
  if (gadget_row_kind_is_markdown (row->kind))
    {
      append_markdown (model, text, position, start, end, as_source);
      return;
    }
  at = text->len;
  g_string_append_len (text, source + start, (gssize) (end - start));
  if (row->kind == GADGET_ROW_KIND_TOOL)
    drop_code_marks (text, at);
}

/* Line ends at the end of a source are not shown, so they are dropped before a separator. */
static void
chop_newlines (GString *text)
{
  while (text->len > 0 && text->str[text->len - 1] == '\n')
    g_string_truncate (text, text->len - 1);
}

char *
gadget_transcript_selection_dup_text (GadgetTranscriptSelection *self, gboolean as_source)
{
  GadgetTranscriptModel *model = gadget_selection_host_get_model (self->host);
  const GadgetRowSpec *before = NULL;
  g_autoptr (GString) text = NULL;

  if (_gadget_transcript_selection_is_empty (self))
    return NULL;
  text = g_string_new (NULL);
  for (guint i = self->range.start.row; i <= self->range.end.row; i++)
    {
      const GadgetRowSpec *row = gadget_transcript_model_get_row (model, i);
      const char *separator = "";

      if (!is_text (row->kind) || (i == self->range.end.row && self->range.end.offset == 0))
        continue;
      if (before != NULL)
        separator = is_same_source (before, row) ? get_inner_separator (model, i, as_source)
                                                 : get_separator (before, row);
      if (*separator != '\0')
        {
          /* Blank lines at a cut through a block of code belong to the code, so they are kept. */
          if (strcmp (separator, "\n") != 0 || !gadget_row_kind_is_markdown (row->kind))
            chop_newlines (text);
          g_string_append (text, separator);
        }
      append_row (self, text, i, as_source);
      before = row;
    }
  return text->len > 0 ? g_string_free_and_steal (g_steal_pointer (&text)) : NULL;
}
