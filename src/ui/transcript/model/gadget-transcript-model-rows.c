/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Computes the rows of a turn: its prompt, its items and its status; the rows of an unfolded
 * subagent come directly behind its call. Nothing is emitted here. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model-private.h"

#include "gadget-diff.h"
#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/text/gadget-chunks.h"

#include "session/gadget-attachment.h"

/* This many or more successive calls of one step form a group. */
#define MIN_GROUP 3

/* The largest value of GadgetRowSpec.indent. */
#define MAX_INDENT 3

/* The array that rows are appended to, and the values that all of these rows have in common. */
typedef struct
{
  GArray *rows;
  guint turn;
  GadgetTurn *root; /* the turn with that number */
  guint scope;
  guint indent;
  gboolean unfolded; /* nothing is folded, and the model does not change */
} RowTemplate;

static void add_items (GadgetTranscriptModel *self, const RowTemplate *place,
                       GadgetTurn *object); /* recursive: an item may be a subagent */

/* The field of a row has room for them, and for GADGET_N_ROW_KINDS, which is none. */
G_STATIC_ASSERT (GADGET_N_ROW_KINDS < 1 << 5);

static void
add_row (const RowTemplate *place, GadgetRowKind kind, guint item, guint32 end)
{
  const GadgetRowSpec row = {
    .turn = place->turn,
    .kind = kind,
    .indent = place->indent,
    .item = item,
    .end = end,
    .scope = place->scope,
  };

  g_array_append_val (place->rows, row);
}

static void
add_text (const RowTemplate *place, GadgetRowKind kind, guint index, GadgetTurn *object,
          GadgetItem *item)
{
  const GadgetRowSpec row = {
    .turn = place->turn,
    .kind = kind,
    .indent = place->indent,
    .item = index,
    .scope = place->scope,
  };
  const guint first = place->rows->len;
  gsize length = 0;
  const char *text = gadget_row_data_get_source (kind, object, item, &length);

  _gadget_transcript_model_add_chunks (place->rows, row, text, length);
  if (gadget_row_kind_is_markdown (kind) && !place->unfolded)
    _gadget_transcript_model_fold_code (place->rows, first, item);
}

/* Returns whether what the item can fold is unfolded. */
static gboolean
is_expanded (GadgetTranscriptModel *self, const RowTemplate *place, GadgetItem *item)
{
  return place->unfolded || gadget_transcript_model_get_expanded (self, G_OBJECT (item));
}

/* Returns whether the details of a call are unfolded. A subagent that waits for the user is
 * unfolded, and stays so afterwards, since the user may be reading it. */
static gboolean
is_open (GadgetTranscriptModel *self, const RowTemplate *place, GadgetItem *item)
{
  if (!place->unfolded && gadget_item_get_asking (item)
      && !gadget_transcript_model_get_expanded (self, G_OBJECT (item)))
    g_hash_table_add (self->expanded, g_object_ref (item));
  return is_expanded (self, place, item);
}

static void
add_child (GadgetTranscriptModel *self, const RowTemplate *place, guint index, GadgetTurn *object)
{
  GadgetItem *item = gadget_turn_get_item (object, index);
  GadgetTurn *child = gadget_item_get_child_turn (item);
  RowTemplate inner = *place;

  add_text (place, GADGET_ROW_KIND_TOOL_ARGUMENTS, index, object, item);
  if (child == NULL)
    return;
  inner.scope = gadget_nested_turns_add (self->nested_turns, gadget_item_get_child (item), child,
                                         place->scope);
  if (!place->unfolded)
    _gadget_transcript_model_listen_to_child (self, child, place->root);
  add_items (self, &inner, child);
  /* The rows of a failed subagent do not say why it failed, so the result of its call is shown. */
  if (gadget_item_get_status (item) == GADGET_ITEM_FAILED)
    add_text (place, GADGET_ROW_KIND_TOOL_OUTPUT, index, object, item);
}

static void
add_diff (GadgetTranscriptModel *self, const RowTemplate *place, guint index, GadgetItem *item)
{
  GadgetRowSpec row = {
    .turn = place->turn,
    .kind = GADGET_ROW_KIND_DIFF,
    .indent = place->indent,
    .item = index,
    .scope = place->scope,
  };
  gsize start, end;

  gadget_diff_get_range (gadget_item_get_text (item), gadget_item_get_length (item),
                         place->unfolded || g_hash_table_contains (self->unfolded_diffs, item),
                         &start, &end);
  row.start = (guint32) start;
  row.end = (guint32) end;
  row.context = row.start;
  g_array_append_val (place->rows, row);
}

static void
add_pictures (const RowTemplate *place, guint index, GadgetItem *item)
{
  GPtrArray *pictures = gadget_item_get_pictures (item);

  for (guint i = 0; pictures != NULL && i < pictures->len; i++)
    {
      const GadgetRowSpec row = {
        .turn = place->turn,
        .kind = GADGET_ROW_KIND_PICTURE,
        .indent = place->indent,
        .item = index,
        .start = i,
        .end = i + 1,
        .scope = place->scope,
      };

      g_array_append_val (place->rows, row);
    }
}

/* Each question about an item has a card of its own, so the number of the question is the row's
 * range. */
static void
add_ask (const RowTemplate *place, guint index, GadgetItem *item)
{
  const GadgetRowSpec row = {
    .turn = place->turn,
    .kind = GADGET_ROW_KIND_ASK,
    .indent = place->indent,
    .item = index,
    .start = gadget_item_get_n_prompts (item),
    .end = gadget_item_get_n_prompts (item),
    .scope = place->scope,
  };

  g_array_append_val (place->rows, row);
}

static void
add_call (GadgetTranscriptModel *self, const RowTemplate *place, guint index, GadgetTurn *object)
{
  GadgetItem *item = gadget_turn_get_item (object, index);

  if (gadget_item_get_prompt (item) != NULL)
    {
      add_ask (place, index, item);
      return;
    }
  add_row (place, GADGET_ROW_KIND_TOOL, index, G_MAXUINT32);
  if (!is_open (self, place, item))
    return;
  if (gadget_item_get_child_id (item) != NULL)
    {
      add_child (self, place, index, object);
      return;
    }
  if (gadget_diff_is_in (item))
    {
      add_diff (self, place, index, item);
      return;
    }
  add_text (place, GADGET_ROW_KIND_TOOL_ARGUMENTS, index, object, item);
  add_text (place, GADGET_ROW_KIND_TOOL_OUTPUT, index, object, item);
  add_pictures (place, index, item);
}

static void
add_item (GadgetTranscriptModel *self, const RowTemplate *place, guint index, GadgetTurn *object)
{
  GadgetItem *item = gadget_turn_get_item (object, index);

  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TEXT:
      add_text (place, GADGET_ROW_KIND_TEXT, index, object, item);
      break;
    case GADGET_ITEM_SUMMARY:
      add_row (place, GADGET_ROW_KIND_SUMMARY, index, 0);
      if (is_expanded (self, place, item))
        add_text (place, GADGET_ROW_KIND_REASONING_TEXT, index, object, item);
      break;
    case GADGET_ITEM_STEER:
      if (gadget_attachments_get (item) != NULL)
        add_row (place, GADGET_ROW_KIND_STEER_ATTACHMENTS, index, 0);
      add_text (place, GADGET_ROW_KIND_STEER, index, object, item);
      break;
    case GADGET_ITEM_NOTE:
      if (gadget_item_get_prompt (item) != NULL)
        add_ask (place, index, item);
      else
        add_text (place, GADGET_ROW_KIND_NOTE, index, object, item);
      break;
    case GADGET_ITEM_REASONING:
      if (gadget_item_get_length (item) == 0)
        break;
      add_row (place, GADGET_ROW_KIND_REASONING, index, 0);
      if (is_expanded (self, place, item))
        add_text (place, GADGET_ROW_KIND_REASONING_TEXT, index, object, item);
      break;
    case GADGET_ITEM_TOOL_CALL:
    default:
      add_call (self, place, index, object);
      break;
    }
}

/* --- Groups --- */

/* A subagent is not grouped, since the user looks at it and stops it by its own line. */
static gboolean
can_be_grouped (GadgetItem *item)
{
  return gadget_item_get_kind (item) == GADGET_ITEM_TOOL_CALL
         && g_strcmp0 (gadget_item_get_name (item), "task") != 0;
}

/* Returns the end (exclusive) of the successive calls that the model made in the same step as the
 * item at @index. */
static guint
find_group_end (GadgetTurn *object, guint index)
{
  const guint n_items = gadget_turn_get_n_items (object);
  const guint step = gadget_item_get_step (gadget_turn_get_item (object, index));
  guint end = index;

  while (end < n_items && can_be_grouped (gadget_turn_get_item (object, end))
         && gadget_item_get_step (gadget_turn_get_item (object, end)) == step)
    end++;
  return end;
}

/* Returns whether a group is unfolded. When it appears for the first time, it is unfolded if one of
 * its calls is, so that the text which the user reads stays in sight. */
static gboolean
is_group_open (GadgetTranscriptModel *self, guint first, guint end, GadgetTurn *object)
{
  GadgetItem *head = gadget_turn_get_item (object, first);

  if (g_hash_table_contains (self->shown_groups, head))
    return g_hash_table_contains (self->unfolded_groups, head);
  g_hash_table_add (self->shown_groups, g_object_ref (head));
  for (guint i = first; i < end; i++)
    if (gadget_transcript_model_get_expanded (self, G_OBJECT (gadget_turn_get_item (object, i))))
      {
        g_hash_table_add (self->unfolded_groups, g_object_ref (head));
        return TRUE;
      }
  return FALSE;
}

/* Returns whether the item waits for the user; such an item is shown even in a folded group. */
static gboolean
needs_user (GadgetItem *item)
{
  return gadget_item_get_prompt (item) != NULL || gadget_item_get_asking (item)
         || gadget_item_get_unresponsive (item);
}

static void
add_group (GadgetTranscriptModel *self, const RowTemplate *place, guint first, guint end,
           GadgetTurn *object)
{
  const GadgetRowSpec row = {
    .turn = place->turn,
    .kind = GADGET_ROW_KIND_GROUP,
    .indent = place->indent,
    .item = first,
    .start = first,
    .end = end,
    .scope = place->scope,
  };
  const gboolean open = place->unfolded || is_group_open (self, first, end, object);
  RowTemplate inner = *place;

  g_array_append_val (place->rows, row);
  inner.indent = MIN (place->indent + 1, MAX_INDENT);
  for (guint i = first; i < end; i++)
    if (open || needs_user (gadget_turn_get_item (object, i)))
      add_item (self, &inner, i, object);
}

static void
add_items (GadgetTranscriptModel *self, const RowTemplate *place, GadgetTurn *object)
{
  for (guint i = 0; i < gadget_turn_get_n_items (object);)
    {
      const guint end = find_group_end (object, i);

      if (end >= i + MIN_GROUP)
        {
          add_group (self, place, i, end, object);
          i = end;
        }
      else
        add_item (self, place, i++, object);
    }
}

static void
add_contents (GadgetTranscriptModel *self, const RowTemplate *place, GadgetTurn *object)
{
  if (gadget_attachments_get (object) != NULL)
    add_row (place, GADGET_ROW_KIND_ATTACHMENTS, 0, 0);
  add_text (place, GADGET_ROW_KIND_PROMPT, 0, object, NULL);
  add_items (self, place, object);
}

/* Appends the rows of @object, which is or will be the turn number @turn of the chat. */
void
_gadget_transcript_model_add_turn (GadgetTranscriptModel *self, GArray *rows, guint turn,
                                   GadgetTurn *object)
{
  const RowTemplate place = { rows, turn, object, 0, 0, FALSE };
  const GadgetTurnStatus status = gadget_turn_get_status (object);

  add_contents (self, &place, object);
  if (status == GADGET_TURN_ABORTED)
    add_row (&place, GADGET_ROW_KIND_ABORTED, 0, 0);
  if (status == GADGET_TURN_ERROR)
    add_row (&place, GADGET_ROW_KIND_ERROR, 0, 0);
  if (status != GADGET_TURN_PROCESSING && !gadget_turn_get_saved (object))
    add_row (&place, GADGET_ROW_KIND_UNSAVED, 0, 0);
  add_row (&place, GADGET_ROW_KIND_FOOTER, 0, 0);
}

/* Appends the rows that the turn would have before its end if nothing was folded. What is really
 * folded does not change by that. */
void
_gadget_transcript_model_add_unfolded (GadgetTranscriptModel *self, GArray *rows, guint turn)
{
  GadgetTurn *object = _gadget_transcript_model_get_entry (self, turn)->turn;
  const RowTemplate place = { rows, turn, object, 0, 0, TRUE };

  add_contents (self, &place, object);
}

/* Returns where the part of @text ends that begins at row->start. @next_context is set to the
 * context of the part behind it. */
gsize
_gadget_transcript_model_find_chunk_end (const GadgetRowSpec *row, const char *text, gsize length,
                                         guint32 *next_context)
{
  gsize context = 0;
  gsize end;

  if (gadget_row_kind_is_markdown (row->kind))
    end = gadget_markdown_segment_end (text, length, row->start, row->context, &context);
  else
    context = end = gadget_chunk_end (text, length, row->start);
  *next_context = (guint32) context;
  return end;
}

/* Appends rows like @row for the parts of @text behind row.end; row.context is the context of the
 * first of these parts. */
void
_gadget_transcript_model_add_chunks (GArray *rows, GadgetRowSpec row, const char *text,
                                     gsize length)
{
  while (row.end < length)
    {
      guint32 next_context;

      row.start = row.end;
      row.end =
          (guint32) _gadget_transcript_model_find_chunk_end (&row, text, length, &next_context);
      g_array_append_val (rows, row);
      row.context = next_context;
    }
}
