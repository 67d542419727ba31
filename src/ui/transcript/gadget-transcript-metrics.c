/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The gaps between rows, their indentation, and estimates of the heights of rows that were not
 * measured yet. All values are in pixels. */

#define G_LOG_DOMAIN "gadget-transcript"

#include "config.h"

#include "gadget-row-factory.h"
#include "gadget-transcript-private.h"
#include "session/gadget-attachment.h"
#include "ui/transcript/rows/gadget-attachments-row.h"
#include "ui/transcript/rows/gadget-picture-row.h"

/* The space above the first row, and the gaps between rows: of two turns, of two items, and above
 * what belongs to the row before. */
#define PAD_TOP 18
#define GAP_TURN 24
#define GAP_ITEM 12
#define GAP_DETAIL 6

/* The rows of a subagent are indented this far for each level. */
#define INDENT 28

/* For estimates: the height of a line and the width of a character of the body text. */
#define LINE_HEIGHT 21
#define CHARACTER_WIDTH 7

/* For estimates: the line that stands for folded code, and the space at the sides of the text in a
 * bubble, which is at most four fifths as wide as the column. */
#define FOLDED_HEIGHT 34
#define BUBBLE_PADDING 36

int
_gadget_transcript_get_indent (GadgetTranscript *self, guint position)
{
  const int depth = (int) gadget_transcript_model_get_depth (self->model, position);

  /* In a narrow window the indentation is smaller, so that the text keeps its width. */
  return depth * MIN (INDENT, self->column_width / 20);
}

int
_gadget_transcript_get_row_width (GadgetTranscript *self, guint position)
{
  return MAX (1, self->column_width - _gadget_transcript_get_indent (self, position));
}

/* Returns the gap between two rows of one item. */
static int
get_inner_gap (const GadgetRowSpec *row)
{
  if (row->kind == GADGET_ROW_KIND_PICTURE)
    return GAP_DETAIL;
  return gadget_row_kind_is_markdown (row->kind) && row->context == row->start ? GAP_ITEM : 0;
}

int
_gadget_transcript_get_gap (GadgetTranscript *self, guint position)
{
  const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, position);
  const GadgetRowSpec *before;

  if (position == 0)
    return PAD_TOP;
  before = gadget_transcript_model_get_row (self->model, position - 1);
  if (row->turn != before->turn)
    return GAP_TURN;
  if (row->kind == before->kind && row->item == before->item && row->scope == before->scope)
    return get_inner_gap (row);
  /* Attachments are close to the text of their message below. */
  if ((before->kind == GADGET_ROW_KIND_ATTACHMENTS && row->kind == GADGET_ROW_KIND_PROMPT)
      || (before->kind == GADGET_ROW_KIND_STEER_ATTACHMENTS && row->kind == GADGET_ROW_KIND_STEER))
    return GAP_DETAIL;
  if (gadget_row_kind_is_line (row->kind) && gadget_row_kind_is_line (before->kind))
    return row->scope == before->scope ? 0 : GAP_DETAIL;
  if (gadget_row_kind_is_detail (row->kind)
      || (gadget_row_kind_is_line (row->kind) && gadget_row_kind_is_detail (before->kind)))
    return GAP_DETAIL;
  return GAP_ITEM;
}

static int
estimate_text (GadgetTranscript *self, guint position, const GadgetRowSpec *row, int width)
{
  const gsize per_line = (gsize) MAX (width / CHARACTER_WIDTH, 8);
  gsize length = 0;
  const char *text = gadget_transcript_model_get_source (self->model, position, &length);
  gsize end = MIN (row->end, length);
  gsize at = row->start;
  gsize lines = 0;

  /* Line ends between two blocks of Markdown are not shown. */
  while (gadget_row_kind_is_markdown (row->kind) && end > at && text[end - 1] == '\n')
    end--;
  while (at < end)
    {
      const char *newline = memchr (text + at, '\n', end - at);
      const gsize next = newline != NULL ? (gsize) (newline - text) : end;

      lines += (next - at) / per_line + 1;
      at = next + 1;
    }
  return (int) MAX (lines, 1) * LINE_HEIGHT;
}

/* Returns the exact height of a picture row; it is known before the picture is loaded. */
static int
get_picture_height (GadgetTranscript *self, guint position, const GadgetRowSpec *row, int width)
{
  GPtrArray *pictures =
      gadget_item_get_pictures (gadget_transcript_model_get_item (self->model, position));

  return gadget_picture_row_get_height (g_ptr_array_index (pictures, row->start), width);
}

static int
estimate_attachments (GadgetTranscript *self, guint position, int width)
{
  GadgetItem *item = gadget_transcript_model_get_item (self->model, position);
  gpointer message = item != NULL
                         ? (gpointer) item
                         : (gpointer) gadget_transcript_model_get_turn (self->model, position);

  return gadget_attachments_row_estimate (gadget_attachments_get (message), width);
}

int
_gadget_transcript_estimate (GadgetTranscript *self, guint position)
{
  const GadgetRowSpec *row = gadget_transcript_model_get_row (self->model, position);
  const int width = _gadget_transcript_get_row_width (self, position);
  const int gap = _gadget_transcript_get_gap (self, position);
  int height;

  if (row->folded)
    return gap + FOLDED_HEIGHT;
  height = gap + gadget_row_factory_get_height (row->kind);
  switch (gadget_row_factory_get_estimate (row->kind))
    {
    case GADGET_ROW_ESTIMATE_TEXT:
      return height + estimate_text (self, position, row, width);
    case GADGET_ROW_ESTIMATE_BUBBLE:
      return height + estimate_text (self, position, row, width * 4 / 5 - BUBBLE_PADDING);
    case GADGET_ROW_ESTIMATE_ATTACHMENTS:
      return height + estimate_attachments (self, position, width);
    case GADGET_ROW_ESTIMATE_PICTURE:
      return height + get_picture_height (self, position, row, width);
    case GADGET_ROW_ESTIMATE_HEIGHT:
    default:
      return height;
    }
}
