/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes of the flat array of rows: turns are added and removed, the rows of a turn are computed
 * again, a text grows. Signals are emitted for what changed and nothing else. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model-private.h"

/* Returns: the number of @turn in the chat, or -1 */
int
_gadget_transcript_model_find_turn (GadgetTranscriptModel *self, GadgetTurn *turn)
{
  for (guint i = self->entries->len; i > 0; i--)
    if (_gadget_transcript_model_get_entry (self, i - 1)->turn == turn)
      return (int) i - 1;
  return -1;
}

static gboolean
is_same_row (const GadgetRowSpec *a, const GadgetRowSpec *b)
{
  return a->kind == b->kind && a->item == b->item && a->start == b->start && a->scope == b->scope
         && a->indent == b->indent && a->folded == b->folded;
}

/* Returns whether the text of the row at @index goes on in the next row. */
static gboolean
is_continued (const GArray *rows, guint index)
{
  const GadgetRowSpec *row = &g_array_index (rows, GadgetRowSpec, index);

  return index + 1 < rows->len && row[1].turn == row->turn && row[1].kind == row->kind
         && row[1].item == row->item && row[1].scope == row->scope && row[1].start > row->start;
}

static guint
count_asks (const GArray *rows, guint from, guint n)
{
  guint count = 0;

  for (guint i = from; i < from + n; i++)
    count += g_array_index (rows, GadgetRowSpec, i).kind == GADGET_ROW_KIND_ASK;
  return count;
}

/* Replaces @removed rows by @added rows of @rows from @skip on, and adjusts the first rows of the
 * turns from @next_turn on. */
static void
replace_rows (GadgetTranscriptModel *self, guint next_turn, guint position, guint removed,
              const GArray *rows, guint skip, guint added)
{
  self->n_asks += count_asks (rows, skip, added) - count_asks (self->rows, position, removed);
  if (removed > 0)
    g_array_remove_range (self->rows, position, removed);
  if (added > 0)
    g_array_insert_vals (self->rows, position, &g_array_index (rows, GadgetRowSpec, skip), added);
  for (guint i = next_turn; i < self->entries->len; i++)
    _gadget_transcript_model_get_entry (self, i)->first_row += added - removed;
}

static void
change_end (GadgetTranscriptModel *self, guint position, guint32 end)
{
  GadgetRowSpec *row = _gadget_transcript_model_peek_row (self, position);

  if (row->end == end)
    return;
  row->end = end;
  _gadget_transcript_model_emit_row_changed (self, position);
}

/* Computes the rows of a turn again, and replaces those that differ. */
void
_gadget_transcript_model_rebuild_turn (GadgetTranscriptModel *self, guint turn)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  const guint first = _gadget_transcript_model_get_entry (self, turn)->first_row;
  const guint n_old = _gadget_transcript_model_get_end_row (self, turn) - first;
  guint head = 0;
  guint tail = 0;
  gboolean closes;

  _gadget_transcript_model_fold_nested (self, turn);
  _gadget_transcript_model_add_turn (self, rows, turn,
                                     _gadget_transcript_model_get_entry (self, turn)->turn);
  while (head < MIN (n_old, rows->len)
         && is_same_row (_gadget_transcript_model_peek_row (self, first + head),
                         &g_array_index (rows, GadgetRowSpec, head)))
    head++;
  while (tail < MIN (n_old, rows->len) - head
         && is_same_row (_gadget_transcript_model_peek_row (self, first + n_old - 1 - tail),
                         &g_array_index (rows, GadgetRowSpec, rows->len - 1 - tail)))
    tail++;

  for (guint i = 0; i < head; i++)
    change_end (self, first + i, g_array_index (rows, GadgetRowSpec, i).end);
  for (guint i = 0; i < tail; i++)
    change_end (self, first + n_old - 1 - i,
                g_array_index (rows, GadgetRowSpec, rows->len - 1 - i).end);
  if (head + tail == MAX (n_old, rows->len))
    return;
  /* A row looks different at its end when its text goes on in the next row, so the last unchanged
   * row is updated when that has changed. */
  closes = head > 0 && is_continued (self->rows, first + head - 1) != is_continued (rows, head - 1);
  replace_rows (self, turn + 1, first + head, n_old - head - tail, rows, head,
                rows->len - head - tail);
  g_list_model_items_changed (G_LIST_MODEL (self), first + head, n_old - head - tail,
                              rows->len - head - tail);
  if (closes)
    _gadget_transcript_model_emit_row_changed (self, first + head - 1);
}

/* Extends the text whose last row is at @position to @length bytes; adds rows when it needs
 * them. */
void
_gadget_transcript_model_grow_row (GadgetTranscriptModel *self, guint position, const char *text,
                                   gsize length)
{
  GadgetRowSpec *last = _gadget_transcript_model_peek_row (self, position);
  g_autoptr (GArray) more = NULL;
  GadgetRowSpec row;
  guint32 next_context;

  last->end = (guint32) _gadget_transcript_model_find_chunk_end (last, text, length, &next_context);
  row = *last;
  row.context = next_context;
  /* Emitted even if the end is the same, since the row may not be the last one of the text any
   * more. */
  _gadget_transcript_model_emit_row_changed (self, position);
  if (row.end == length)
    return;

  more = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  _gadget_transcript_model_add_chunks (more, row, text, length);
  replace_rows (self, row.turn + 1, position + 1, 0, more, 0, more->len);
  g_list_model_items_changed (G_LIST_MODEL (self), position + 1, 0, more->len);
}

static void
renumber (GadgetTranscriptModel *self, guint from)
{
  for (guint i = from; i < self->entries->len; i++)
    {
      GadgetTurnEntry *entry = _gadget_transcript_model_get_entry (self, i);
      const guint end = _gadget_transcript_model_get_end_row (self, i);

      if (entry->live != NULL)
        entry->live->index = i;
      for (guint row = entry->first_row; row < end; row++)
        _gadget_transcript_model_peek_row (self, row)->turn = i;
    }
}

/* Stops listening to a turn that another one was added behind, if only its place at the end was the
 * reason to listen. */
static void
leave_turn (GadgetTranscriptModel *self, guint turn)
{
  GadgetTurnEntry *entry = _gadget_transcript_model_get_entry (self, turn);

  if (entry->live != NULL && !entry->live->needs_rebuild
      && !_gadget_live_turn_is_needed (entry->turn))
    g_clear_pointer (&entry->live, _gadget_live_turn_free);
}

/* Updates the rows after GListModel::items-changed of the session, with the same arguments. */
void
_gadget_transcript_model_turns_changed (GadgetTranscriptModel *self, guint position, guint removed,
                                        guint added)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  g_autofree GadgetTurnEntry *entries = g_new0 (GadgetTurnEntry, added);
  const guint n_entries = self->entries->len;
  const guint first = position < n_entries
                          ? _gadget_transcript_model_get_entry (self, position)->first_row
                          : self->rows->len;
  const guint end = position + removed < n_entries
                        ? _gadget_transcript_model_get_entry (self, position + removed)->first_row
                        : self->rows->len;

  if (position > 0 && added > 0)
    leave_turn (self, position - 1);
  for (guint i = 0; i < added; i++)
    {
      GadgetTurn *turn = g_list_model_get_item (G_LIST_MODEL (self->session), position + i);

      entries[i].turn = turn;
      entries[i].first_row = first + rows->len;
      if (_gadget_live_turn_is_needed (turn) || _gadget_live_turn_is_last (self, position + i))
        entries[i].live = _gadget_live_turn_new (self, turn, position + i, NULL);
      _gadget_transcript_model_add_turn (self, rows, position + i, turn);
    }
  if (removed > 0)
    g_array_remove_range (self->entries, position, removed);
  if (added > 0)
    g_array_insert_vals (self->entries, position, entries, added);
  replace_rows (self, position + added, first, end - first, rows, 0, rows->len);
  if (removed != added)
    renumber (self, position + added);
  if (removed > 0)
    _gadget_transcript_model_drop_nested (self);
  if (end > first || rows->len > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), first, end - first, rows->len);
}
