/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which rows a turn has: its prompt, its items and its status, one after the other; directly behind
 * the call of a subagent that is unfolded, what that did. Nothing is told here. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model-private.h"

#include "gadget-diff.h"
#include "ui/markdown/gadget-markdown-segment.h"
#include "ui/text/gadget-chunks.h"

#include "session/gadget-attachment.h"
#include "session/gadget-session-children.h"

/* So many calls of one step are a group. */
#define MIN_GROUP 3

/* As many as a row can say. */
#define MAX_INDENT 3

/* Where rows are described, and of whose items. */
typedef struct
{
  GArray *rows;
  guint turn;
  GadgetTurn *root; /* the turn of that number */
  guint scope;
  guint indent;
} Place;

static void add_items (GadgetTranscriptModel *self, const Place *place,
                       GadgetTurn *object); /* a subagent has items, which may be subagents */

G_STATIC_ASSERT (GADGET_BLOCK_FOOTER < 1 << 5);

static void
add_row (const Place *place, GadgetBlockKind kind, guint item, guint32 end)
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
add_text (const Place *place, GadgetBlockKind kind, guint index, GadgetTurn *object,
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
  const char *text = gadget_block_get_source (kind, object, item, &length);

  _gadget_transcript_model_add_pieces (place->rows, row, text, length);
  if (gadget_block_kind_is_markdown (kind))
    _gadget_transcript_model_fold_code (place->rows, first, item);
}

/* What is waited for cannot be folded away, and stays unfolded afterwards: somebody reads it. */
static gboolean
is_open (GadgetTranscriptModel *self, GadgetItem *item)
{
  if (gadget_item_get_asking (item)
      && !gadget_transcript_model_get_expanded (self, G_OBJECT (item)))
    g_hash_table_add (self->expanded, g_object_ref (item));
  return gadget_transcript_model_get_expanded (self, G_OBJECT (item));
}

static void
add_child (GadgetTranscriptModel *self, const Place *place, guint index, GadgetTurn *object)
{
  GadgetItem *item = gadget_turn_get_item (object, index);
  GadgetTurn *child = gadget_item_get_child_turn (item);
  Place inner = *place;

  add_text (place, GADGET_BLOCK_TOOL_ARGUMENTS, index, object, item);
  if (child == NULL)
    return;
  inner.scope = gadget_scopes_add (self->scopes, gadget_item_get_child (item), child, place->scope);
  _gadget_transcript_model_listen_to_child (self, child, place->root);
  add_items (self, &inner, child);
  /* Its own words do not say why it failed. */
  if (gadget_item_get_status (item) == GADGET_ITEM_FAILED)
    add_text (place, GADGET_BLOCK_TOOL_OUTPUT, index, object, item);
}

static void
add_diff (GadgetTranscriptModel *self, const Place *place, guint index, GadgetItem *item)
{
  GadgetRowSpec row = {
    .turn = place->turn,
    .kind = GADGET_BLOCK_DIFF,
    .indent = place->indent,
    .item = index,
    .scope = place->scope,
  };
  gsize start, end;

  gadget_diff_get_range (gadget_item_get_text (item), gadget_item_get_length (item),
                         g_hash_table_contains (self->whole, item), &start, &end);
  row.start = (guint32) start;
  row.end = (guint32) end;
  row.context = row.start;
  g_array_append_val (place->rows, row);
}

static void
add_pictures (const Place *place, guint index, GadgetItem *item)
{
  GPtrArray *pictures = gadget_item_get_pictures (item);

  for (guint i = 0; pictures != NULL && i < pictures->len; i++)
    {
      const GadgetRowSpec row = {
        .turn = place->turn,
        .kind = GADGET_BLOCK_PICTURE,
        .indent = place->indent,
        .item = index,
        .start = i,
        .end = i + 1,
        .scope = place->scope,
      };

      g_array_append_val (place->rows, row);
    }
}

/* The next question about the same item has a card of its own. */
static void
add_ask (const Place *place, guint index, GadgetItem *item)
{
  const GadgetRowSpec row = {
    .turn = place->turn,
    .kind = GADGET_BLOCK_ASK,
    .indent = place->indent,
    .item = index,
    .start = gadget_item_get_n_prompts (item),
    .end = gadget_item_get_n_prompts (item),
    .scope = place->scope,
  };

  g_array_append_val (place->rows, row);
}

static void
add_call (GadgetTranscriptModel *self, const Place *place, guint index, GadgetTurn *object)
{
  GadgetItem *item = gadget_turn_get_item (object, index);

  if (gadget_item_get_prompt (item) != NULL)
    {
      add_ask (place, index, item);
      return;
    }
  add_row (place, GADGET_BLOCK_TOOL, index, G_MAXUINT32);
  if (!is_open (self, item))
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
  add_text (place, GADGET_BLOCK_TOOL_ARGUMENTS, index, object, item);
  add_text (place, GADGET_BLOCK_TOOL_OUTPUT, index, object, item);
  add_pictures (place, index, item);
}

static void
add_item (GadgetTranscriptModel *self, const Place *place, guint index, GadgetTurn *object)
{
  GadgetItem *item = gadget_turn_get_item (object, index);

  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TEXT:
      add_text (place, GADGET_BLOCK_TEXT, index, object, item);
      break;
    case GADGET_ITEM_SUMMARY:
      add_row (place, GADGET_BLOCK_SUMMARY, index, 0);
      if (gadget_transcript_model_get_expanded (self, G_OBJECT (item)))
        add_text (place, GADGET_BLOCK_REASONING_TEXT, index, object, item);
      break;
    case GADGET_ITEM_STEER:
      if (gadget_attachments_get (item) != NULL)
        add_row (place, GADGET_BLOCK_STEER_GIVEN, index, 0);
      add_text (place, GADGET_BLOCK_STEER, index, object, item);
      break;
    case GADGET_ITEM_NOTE:
      if (gadget_item_get_prompt (item) != NULL)
        add_ask (place, index, item);
      else
        add_text (place, GADGET_BLOCK_NOTE, index, object, item);
      break;
    case GADGET_ITEM_REASONING:
      if (gadget_item_get_length (item) == 0)
        break;
      add_row (place, GADGET_BLOCK_REASONING, index, 0);
      if (gadget_transcript_model_get_expanded (self, G_OBJECT (item)))
        add_text (place, GADGET_BLOCK_REASONING_TEXT, index, object, item);
      break;
    case GADGET_ITEM_TOOL_CALL:
    default:
      add_call (self, place, index, object);
      break;
    }
}

/* --- Groups --- */

/* A subagent is looked at and stopped by itself, and has a line of its own for that. */
static gboolean
can_be_grouped (GadgetItem *item)
{
  return gadget_item_get_kind (item) == GADGET_ITEM_TOOL_CALL
         && g_strcmp0 (gadget_item_get_name (item), "task") != 0;
}

/* Where the calls end that the model made together with the one at @index. */
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

/* What is being read when a line becomes one of a group stays in sight. */
static gboolean
is_group_open (GadgetTranscriptModel *self, guint first, guint end, GadgetTurn *object)
{
  GadgetItem *head = gadget_turn_get_item (object, first);

  if (g_hash_table_contains (self->known, head))
    return g_hash_table_contains (self->groups, head);
  g_hash_table_add (self->known, g_object_ref (head));
  for (guint i = first; i < end; i++)
    if (gadget_transcript_model_get_expanded (self, G_OBJECT (gadget_turn_get_item (object, i))))
      {
        g_hash_table_add (self->groups, g_object_ref (head));
        return TRUE;
      }
  return FALSE;
}

/* Whatever is folded, nothing that waits for the user is. */
static gboolean
needs_user (GadgetItem *item)
{
  return gadget_item_get_prompt (item) != NULL || gadget_item_get_asking (item)
         || gadget_item_get_unresponsive (item);
}

static void
add_group (GadgetTranscriptModel *self, const Place *place, guint first, guint end,
           GadgetTurn *object)
{
  const GadgetRowSpec row = {
    .turn = place->turn,
    .kind = GADGET_BLOCK_GROUP,
    .indent = place->indent,
    .item = first,
    .start = first,
    .end = end,
    .scope = place->scope,
  };
  const gboolean open = is_group_open (self, first, end, object);
  Place inner = *place;

  g_array_append_val (place->rows, row);
  inner.indent = MIN (place->indent + 1, MAX_INDENT);
  for (guint i = first; i < end; i++)
    if (open || needs_user (gadget_turn_get_item (object, i)))
      add_item (self, &inner, i, object);
}

static void
add_items (GadgetTranscriptModel *self, const Place *place, GadgetTurn *object)
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

/* Adds the rows of @object, which is, or is going to be, the turn of that number. */
void
_gadget_transcript_model_add_turn (GadgetTranscriptModel *self, GArray *rows, guint turn,
                                   GadgetTurn *object)
{
  const Place place = { rows, turn, object, 0, 0 };
  const GadgetTurnStatus status = gadget_turn_get_status (object);

  if (gadget_attachments_get (object) != NULL)
    add_row (&place, GADGET_BLOCK_GIVEN, 0, 0);
  add_text (&place, GADGET_BLOCK_PROMPT, 0, object, NULL);
  add_items (self, &place, object);
  if (status == GADGET_TURN_ABORTED)
    add_row (&place, GADGET_BLOCK_ABORTED, 0, 0);
  if (status == GADGET_TURN_ERROR)
    add_row (&place, GADGET_BLOCK_ERROR, 0, 0);
  if (status != GADGET_TURN_PROCESSING && !gadget_turn_get_saved (object))
    add_row (&place, GADGET_BLOCK_UNSAVED, 0, 0);
  add_row (&place, GADGET_BLOCK_FOOTER, 0, 0);
}

/* Where the piece of @text ends that begins where @row does; @next_context is for the one behind.
 */
gsize
_gadget_transcript_model_cut (const GadgetRowSpec *row, const char *text, gsize length,
                              guint32 *next_context)
{
  gsize context = 0;
  gsize end;

  if (gadget_block_kind_is_markdown (row->kind))
    end = gadget_markdown_segment_end (text, length, row->start, row->context, &context);
  else
    context = end = gadget_chunk_end (text, length, row->start);
  *next_context = (guint32) context;
  return end;
}

/* Adds rows like @row for the pieces of @text that follow its own; its context is the first one's.
 */
void
_gadget_transcript_model_add_pieces (GArray *rows, GadgetRowSpec row, const char *text,
                                     gsize length)
{
  while (row.end < length)
    {
      guint32 next_context;

      row.start = row.end;
      row.end = (guint32) _gadget_transcript_model_cut (&row, text, length, &next_context);
      g_array_append_val (rows, row);
      row.context = next_context;
    }
}
