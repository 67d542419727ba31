/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Listens to the turns that can still change. The signal handlers only note what changed; the
 * changes are applied once a frame. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model-private.h"

/* --- Listening --- */

static void
item_appended_cb (GadgetItem *item, guint64 offset, GadgetLiveTurn *live)
{
  GPtrArray *grown = live->grown;

  if (grown->len > 0 && g_ptr_array_index (grown, grown->len - 1) == item)
    return;
  if (!g_ptr_array_find (grown, item, NULL))
    g_ptr_array_add (grown, item);
  _gadget_transcript_model_mark_dirty (live->model, FALSE);
}

static void
item_notify_cb (GadgetItem *item, GParamSpec *pspec, GadgetLiveTurn *live)
{
  const char *name = g_param_spec_get_name (pspec);

  if (!g_str_equal (name, "prompt") && !g_str_equal (name, "asking")
      && !g_str_equal (name, "unresponsive")
      && !gadget_transcript_model_get_expanded (live->model, G_OBJECT (item)))
    return;
  live->needs_rebuild = TRUE;
  _gadget_transcript_model_mark_dirty (live->model, TRUE);
}

static void
turn_notify_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetLiveTurn *live)
{
  live->needs_rebuild = TRUE;
  _gadget_transcript_model_mark_dirty (live->model, TRUE);
}

static void
listen_to_items (GadgetLiveTurn *live)
{
  for (guint i = live->items->len; i < gadget_turn_get_n_items (live->turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (live->turn, i);

      g_ptr_array_add (live->items, g_object_ref (item));
      g_signal_connect (item, "appended", G_CALLBACK (item_appended_cb), live);
      g_signal_connect (item, "notify", G_CALLBACK (item_notify_cb), live);
    }
}

static void
turn_items_changed_cb (GListModel *turn, guint position, guint removed, guint added,
                       GadgetLiveTurn *live)
{
  listen_to_items (live);
  live->needs_rebuild = TRUE;
  _gadget_transcript_model_mark_dirty (live->model, TRUE);
}

/* Returns whether @turn can still change. */
gboolean
_gadget_live_turn_is_needed (GadgetTurn *turn)
{
  return gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING || !gadget_turn_get_saved (turn);
}

/* Returns whether @index is the last turn of the chat. The model listens to that one in any case,
 * since a turn may end before it is known whether it could be saved. */
gboolean
_gadget_live_turn_is_last (GadgetTranscriptModel *self, guint index)
{
  return index + 1 == g_list_model_get_n_items (G_LIST_MODEL (self->session));
}

GadgetLiveTurn *
_gadget_live_turn_new (GadgetTranscriptModel *self, GadgetTurn *turn, guint index, GadgetTurn *root)
{
  GadgetLiveTurn *live = g_rc_box_new0 (GadgetLiveTurn);

  live->model = self;
  live->turn = g_object_ref (turn);
  live->index = index;
  g_set_object (&live->root, root);
  live->items = g_ptr_array_new_with_free_func (g_object_unref);
  live->grown = g_ptr_array_new ();
  g_signal_connect (turn, "items-changed", G_CALLBACK (turn_items_changed_cb), live);
  g_signal_connect (turn, "notify::status", G_CALLBACK (turn_notify_cb), live);
  g_signal_connect (turn, "notify::saved", G_CALLBACK (turn_notify_cb), live);
  listen_to_items (live);
  g_ptr_array_add (self->live_turns, live);
  return live;
}

static void
clear (gpointer data)
{
  GadgetLiveTurn *live = data;

  g_ptr_array_unref (live->items);
  g_ptr_array_unref (live->grown);
  g_clear_object (&live->root);
  g_object_unref (live->turn);
}

static void
release (gpointer live)
{
  g_rc_box_release_full (live, clear);
}

void
_gadget_live_turn_free (GadgetLiveTurn *live)
{
  g_ptr_array_remove_fast (live->model->live_turns, live);
  for (guint i = 0; i < live->items->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (live->items, i), live);
  g_signal_handlers_disconnect_by_data (live->turn, live);
  live->model = NULL;
  release (live);
}

/* --- Applying the changes --- */

/* Returns the number of the chat's turn that it is, or that contains it; -1 when that was
 * removed. */
static int
get_index (const GadgetLiveTurn *live)
{
  return live->root != NULL ? _gadget_transcript_model_find_turn (live->model, live->root)
                            : (int) live->index;
}

/* Returns the last row of @kind that shows @item, or -1. It is usually near the end of its turn, so
 * the search begins there. */
static int
find_last_row (GadgetTranscriptModel *self, GadgetLiveTurn *live, GadgetItem *item,
               GadgetRowKind kind)
{
  const int index = get_index (live);
  const guint first =
      index >= 0 ? _gadget_transcript_model_get_entry (self, (guint) index)->first_row : 0;

  for (guint i = index >= 0 ? _gadget_transcript_model_get_end_row (self, (guint) index) : 0;
       i > first; i--)
    {
      const GadgetRowSpec *row = _gadget_transcript_model_peek_row (self, i - 1);

      if (row->kind == kind && gadget_transcript_model_get_item (self, i - 1) == item)
        return (int) i - 1;
    }
  return -1;
}

static void
grow_text (GadgetTranscriptModel *self, GadgetLiveTurn *live, GadgetItem *item, GadgetRowKind kind)
{
  const int last = find_last_row (self, live, item, kind);
  const char *text;
  gsize length = 0;

  if (last < 0)
    {
      live->needs_rebuild = TRUE;
      return;
    }
  text = gadget_row_data_get_source (kind, live->turn, item, &length);
  /* The output of a terminal may become shorter when its last line is overwritten. */
  if (length <= _gadget_transcript_model_peek_row (self, (guint) last)->start && last > 0)
    {
      live->needs_rebuild = TRUE;
      return;
    }
  _gadget_transcript_model_grow_row (self, (guint) last, text, length);
}

static void
grow_item (GadgetTranscriptModel *self, GadgetLiveTurn *live, GadgetItem *item)
{
  const gboolean expanded = gadget_transcript_model_get_expanded (self, G_OBJECT (item));

  if (live->folded)
    return;
  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TEXT:
      grow_text (self, live, item, GADGET_ROW_KIND_TEXT);
      break;
    case GADGET_ITEM_SUMMARY:
      break;
    case GADGET_ITEM_STEER:
      grow_text (self, live, item, GADGET_ROW_KIND_STEER);
      break;
    case GADGET_ITEM_NOTE:
      grow_text (self, live, item, GADGET_ROW_KIND_NOTE);
      break;
    case GADGET_ITEM_REASONING:
      {
        const int line = find_last_row (self, live, item, GADGET_ROW_KIND_REASONING);

        if (line < 0)
          live->needs_rebuild = TRUE;
        else
          _gadget_transcript_model_emit_row_changed (self, (guint) line);
        if (expanded && live->model != NULL)
          grow_text (self, live, item, GADGET_ROW_KIND_REASONING_TEXT);
        break;
      }
    case GADGET_ITEM_TOOL_CALL:
    default:
      if (expanded && gadget_item_get_prompt (item) == NULL)
        grow_text (self, live, item, GADGET_ROW_KIND_TOOL_OUTPUT);
      break;
    }
}

/* A handler that hears of a changed row may remove turns of the chat, this one too, which has no
 * model any more then. */
static void
flush_live (GadgetTranscriptModel *self, GadgetLiveTurn *live)
{
  int index;

  for (guint k = 0; live->model != NULL && k < live->grown->len; k++)
    grow_item (self, live, g_ptr_array_index (live->grown, k));
  g_ptr_array_set_size (live->grown, 0);
  index = live->model != NULL ? get_index (live) : -1;
  if (!live->needs_rebuild || index < 0)
    return;
  live->needs_rebuild = FALSE;
  _gadget_transcript_model_rebuild_turn (self, (guint) index);
  if (live->model == NULL || _gadget_live_turn_is_needed (live->turn)
      || (live->root == NULL && _gadget_live_turn_is_last (self, live->index)))
    return;
  if (live->root != NULL)
    g_hash_table_remove (self->nested, live->turn);
  else
    g_clear_pointer (&_gadget_transcript_model_get_entry (self, live->index)->live,
                     _gadget_live_turn_free);
}

static gpointer
acquire (gconstpointer live, gpointer user_data)
{
  return g_rc_box_acquire ((gpointer) live);
}

/**
 * gadget_transcript_model_flush:
 *
 * Applies the changes inside turns since the last flush.
 */
void
gadget_transcript_model_flush (GadgetTranscriptModel *self)
{
  g_autoptr (GPtrArray) live_turns = NULL;

  g_return_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self));

  if (!self->dirty)
    return;
  self->dirty = FALSE;
  self->urgent = FALSE;
  /* Flushing one turn may add or remove others, so the array is copied, with references. */
  live_turns = g_ptr_array_copy (self->live_turns, acquire, NULL);
  g_ptr_array_set_free_func (live_turns, release);
  for (guint i = 0; i < live_turns->len; i++)
    flush_live (self, g_ptr_array_index (live_turns, i));
}
