/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is selected, as a text: read from the sources, so that rows need not be widgets for it. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-transcript-private.h"

static gboolean
is_text (GadgetBlockKind kind)
{
  switch (kind)
    {
    case GADGET_BLOCK_PROMPT:
    case GADGET_BLOCK_STEER:
    case GADGET_BLOCK_TEXT:
    case GADGET_BLOCK_NOTE:
    case GADGET_BLOCK_REASONING_TEXT:
    case GADGET_BLOCK_TOOL:
    case GADGET_BLOCK_TOOL_ARGUMENTS:
    case GADGET_BLOCK_TOOL_OUTPUT:
    case GADGET_BLOCK_DIFF:
      return TRUE;
    case GADGET_BLOCK_REASONING:
    case GADGET_BLOCK_SUMMARY:
    case GADGET_BLOCK_GROUP:
    case GADGET_BLOCK_PICTURE:
    case GADGET_BLOCK_ASK:
    case GADGET_BLOCK_ABORTED:
    case GADGET_BLOCK_ERROR:
    case GADGET_BLOCK_UNSAVED:
    case GADGET_BLOCK_FOOTER:
    default:
      return FALSE;
    }
}

/* Between the sources of two rows: nothing if they are one source, a line's end between the lines
 * of tools, else an empty line. */
static const char *
get_separator (const GadgetRowSpec *before, const GadgetRowSpec *row)
{
  if (before->turn == row->turn && before->kind == row->kind && before->item == row->item
      && before->scope == row->scope)
    return "";
  if (before->kind == GADGET_BLOCK_TOOL && row->kind == GADGET_BLOCK_TOOL)
    return "\n";
  return "\n\n";
}

/* What marks code in the line of a tool is not seen, and not copied. */
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
append_row (GadgetTranscript *self, GString *text, guint position)
{
  const GadgetTextRange *range = &self->selection;
  const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, position);
  gsize length = 0;
  const char *source = gadget_transcript_model_get_source (self->model, position, &length);
  gsize start = row->start;
  gsize end = MIN (row->end, length);
  gsize at;

  if (position == range->start.row)
    start = CLAMP (range->start.offset, start, end);
  if (position == range->end.row)
    end = CLAMP (range->end.offset, start, end);
  at = text->len;
  g_string_append_len (text, source + start, (gssize) (end - start));
  if (row->kind == GADGET_BLOCK_TOOL)
    drop_code_marks (text, at);
}

/* Ends of lines at the end of a source are not seen, so they don't count between two of them. */
static void
chop_newlines (GString *text)
{
  while (text->len > 0 && text->str[text->len - 1] == '\n')
    g_string_truncate (text, text->len - 1);
}

char *
gadget_transcript_dup_selection (GadgetTranscript *self)
{
  const GadgetRowSpec *before = NULL;
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT (self), NULL);

  if (!_gadget_transcript_has_selection (self))
    return NULL;
  text = g_string_new (NULL);
  for (guint i = self->selection.start.row; i <= self->selection.end.row; i++)
    {
      const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, i);

      if (!is_text (row->kind) || (i == self->selection.end.row && self->selection.end.offset == 0))
        continue;
      if (before != NULL && *get_separator (before, row) != '\0')
        {
          chop_newlines (text);
          g_string_append (text, get_separator (before, row));
        }
      append_row (self, text, i);
      before = row;
    }
  return text->len > 0 ? g_string_free_and_steal (g_steal_pointer (&text)) : NULL;
}
