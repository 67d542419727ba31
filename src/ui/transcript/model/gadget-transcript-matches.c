/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of each turn are computed as if nothing was folded, and for each row with matches their
 * number is kept; where exactly they are is found again for the few rows that are in sight. Most
 * turns have no match, which is seen by their sources without computing rows or reading Markdown.
 *
 * The matches of a turn that changes stay until it was searched again. */

#define G_LOG_DOMAIN "gadget-transcript-matches"

#include "config.h"

#include "gadget-transcript-matches-private.h"

#include "gadget-diff.h"
#include "session/gadget-attachment.h"
#include "ui/markdown/gadget-markdown-attributes.h"
#include "ui/terminal/gadget-output-text.h"

#include <string.h>

/* How long a slice takes, in microseconds; and how long changes are gathered, in milliseconds. */
#define SLICE_US 2500
#define GATHER_MS 150

/* A slice waits for a frame that is due. */
#define PRIORITY (GDK_PRIORITY_REDRAW + 5)

/* The longest line that is read to the user, in bytes. */
#define LINE_BYTES 160

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetTranscriptMatches, gadget_transcript_matches, G_TYPE_OBJECT)

static Entry *
get_entry (GadgetTranscriptMatches *self, guint turn)
{
  return &g_array_index (self->entries, Entry, turn);
}

static const Block *
get_block (const Entry *entry, guint index)
{
  return &g_array_index (entry->blocks, Block, index);
}

static guint
get_n_blocks (const Entry *entry)
{
  return entry->blocks != NULL ? entry->blocks->len : 0;
}

gboolean
gadget_row_spec_shows_same (const GadgetRowSpec *row, const GadgetRowSpec *other)
{
  return row->kind == other->kind && row->item == other->item && row->scope == other->scope
         && row->start <= other->start && other->start < MAX (row->end, row->start + 1);
}

/* --- Searching a turn --- */

static gboolean
count_cb (const GadgetMatchHit *hit, gpointer user_data)
{
  ++*(guint *) user_data;
  return TRUE;
}

static gboolean
is_over (gint64 deadline)
{
  return g_get_monotonic_time () >= deadline;
}

/* Looks at the sources until one may have a match. Returns whether all of them were looked at. */
static gboolean
scan_sources (GadgetTranscriptMatches *self, gint64 deadline)
{
  Scan *scan = &self->scan;
  GadgetTurn *turn = _gadget_transcript_model_get_entry (self->model, scan->turn)->turn;

  if (scan->item == 0)
    scan->reading =
        gadget_attachments_get (turn) != NULL
        || _gadget_transcript_matches_is_in_string (self, gadget_turn_get_prompt (turn));
  while (!scan->reading && scan->item < gadget_turn_get_n_items (turn))
    {
      scan->reading = _gadget_transcript_matches_may_be_in_item (
          self, gadget_turn_get_item (turn, scan->item++));
      if (is_over (deadline))
        break;
    }
  if (!scan->reading)
    return scan->item >= gadget_turn_get_n_items (turn);
  _gadget_transcript_model_add_unfolded (self->model, scan->rows, scan->turn);
  return FALSE;
}

/* Frees what was computed only for the search. */
static void
forget_output (GadgetTranscriptMatches *self, const GadgetRowSpec *row)
{
  GadgetTurn *turn = _gadget_transcript_matches_get_turn (self, self->scan.turn, row);
  GadgetItem *item =
      row->item < gadget_turn_get_n_items (turn) ? gadget_turn_get_item (turn, row->item) : NULL;

  if (row->kind == GADGET_ROW_KIND_TOOL_OUTPUT && item != NULL && gadget_item_is_settled (item)
      && !gadget_transcript_model_get_expanded (self->model, G_OBJECT (item)))
    gadget_output_text_forget (item);
}

static gboolean
scan_rows (GadgetTranscriptMatches *self, gint64 deadline)
{
  Scan *scan = &self->scan;

  while (scan->row < scan->rows->len)
    {
      const GadgetRowSpec *row = &g_array_index (scan->rows, GadgetRowSpec, scan->row);
      Block block = { .row = *row, .order = scan->row };

      _gadget_transcript_matches_visit_row (self, scan->turn, row, count_cb, &block.n);
      scan->row++;
      if (block.n > 0)
        {
          if (scan->blocks == NULL)
            scan->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
          g_array_append_val (scan->blocks, block);
          scan->n += block.n;
        }
      if (is_over (deadline))
        break;
    }
  if (scan->row < scan->rows->len)
    return FALSE;
  for (guint i = 0; i < scan->rows->len; i++)
    forget_output (self, &g_array_index (scan->rows, GadgetRowSpec, i));
  return TRUE;
}

static void
end_scan (GadgetTranscriptMatches *self)
{
  Scan *scan = &self->scan;

  g_array_set_size (scan->rows, 0);
  g_clear_pointer (&scan->blocks, g_array_unref);
  *scan = (Scan) { .rows = scan->rows };
}

static void
set_state (GadgetTranscriptMatches *self, Entry *entry, State state)
{
  self->n_new += (state == STATE_NEW) - (entry->state == STATE_NEW);
  self->n_changed += (state == STATE_CHANGED) - (entry->state == STATE_CHANGED);
  entry->state = state;
}

/* Returns whether the turn is searched, and its matches are known. */
static gboolean
scan_turn (GadgetTranscriptMatches *self, gint64 deadline)
{
  Scan *scan = &self->scan;
  Entry *entry = get_entry (self, scan->turn);

  if (!scan->reading && !scan_sources (self, deadline))
    return FALSE;
  if (scan->reading && !scan_rows (self, deadline))
    return FALSE;
  self->n += scan->n - entry->n;
  entry->n = scan->n;
  g_clear_pointer (&entry->blocks, g_array_unref);
  entry->blocks = g_steal_pointer (&scan->blocks);
  end_scan (self);
  return TRUE;
}

/* Chooses the next turn: from the origin to the end, from there back, and then what has changed,
 * which is mostly at the end. */
static gboolean
choose_turn (GadgetTranscriptMatches *self)
{
  const guint n = self->entries->len;
  Scan *scan = &self->scan;
  guint turn = n;

  if (self->n_new > 0)
    {
      while (self->forward < n && get_entry (self, self->forward)->state != STATE_NEW)
        self->forward++;
      while (self->forward == n && self->backward > 0
             && get_entry (self, self->backward - 1)->state != STATE_NEW)
        self->backward--;
      if (self->forward < n)
        turn = self->forward;
      else if (self->backward > 0)
        turn = self->backward - 1;
    }
  else if (self->n_changed > 0)
    for (guint i = n; turn == n && i > 0; i--)
      if (get_entry (self, i - 1)->state == STATE_CHANGED)
        turn = i - 1;
  if (turn == n)
    return FALSE;
  scan->active = TRUE;
  scan->first = get_entry (self, turn)->state == STATE_NEW;
  /* If it changes while it is searched, it is searched once more. */
  set_state (self, get_entry (self, turn), STATE_DONE);
  scan->turn = turn;
  return TRUE;
}

static gboolean
slice_cb (gpointer data)
{
  g_autoptr (GadgetTranscriptMatches) self = g_object_ref (data);
  const gint64 deadline = g_get_monotonic_time () + SLICE_US;
  gboolean changed = FALSE;
  gboolean more = TRUE;

  do
    {
      const guint before = self->n;

      more = self->scan.active || choose_turn (self);
      if (more && scan_turn (self, deadline))
        changed = changed || self->n != before || self->n_new == 0;
    }
  while (more && !is_over (deadline));
  if (!more)
    self->slice_id = 0;
  if (changed)
    g_signal_emit (self, signals[CHANGED], 0);
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
begin_slices (GadgetTranscriptMatches *self)
{
  if (self->slice_id != 0)
    return;
  self->slice_id = g_idle_add_full (PRIORITY, slice_cb, self, NULL);
  g_source_set_name_by_id (self->slice_id, "gadget-transcript-matches search");
}

/* --- Changes of the chat --- */

static gboolean
gather_cb (gpointer data)
{
  GadgetTranscriptMatches *self = data;

  self->gather_id = 0;
  begin_slices (self);
  return G_SOURCE_REMOVE;
}

static void
mark_changed (GadgetTranscriptMatches *self, guint turn)
{
  if (turn >= self->entries->len || get_entry (self, turn)->state != STATE_DONE)
    return;
  set_state (self, get_entry (self, turn), STATE_CHANGED);
  if (self->slice_id != 0 || self->gather_id != 0)
    return;
  self->gather_id = g_timeout_add (GATHER_MS, gather_cb, self);
  g_source_set_name_by_id (self->gather_id, "gadget-transcript-matches changes");
}

/* Text may also grow where it is folded, and then no row changes. */
static void
dirty_cb (GadgetTranscriptMatches *self)
{
  for (guint i = 0; i < self->model->live_turns->len; i++)
    {
      const GadgetLiveTurn *live = g_ptr_array_index (self->model->live_turns, i);

      if (live->root == NULL)
        mark_changed (self, live->index);
      else
        mark_changed (self, (guint) _gadget_transcript_model_find_turn (self->model, live->root));
    }
}

static void
row_changed_cb (GadgetTranscriptMatches *self, guint position)
{
  if (position < self->model->rows->len)
    mark_changed (self, _gadget_transcript_model_peek_row (self->model, position)->turn);
}

static void
clear_entry (gpointer data)
{
  g_clear_pointer (&((Entry *) data)->blocks, g_array_unref);
}

/* The rows of the model are other ones already. */
static void
turns_changed_cb (GadgetTranscriptMatches *self, guint position, guint removed, guint added)
{
  const Entry none = { 0 };

  if (self->scan.active && self->scan.turn < self->entries->len)
    set_state (self, get_entry (self, self->scan.turn), STATE_NEW);
  end_scan (self);
  for (guint i = position; i < position + removed; i++)
    {
      self->n -= get_entry (self, i)->n;
      set_state (self, get_entry (self, i), STATE_DONE);
    }
  g_array_remove_range (self->entries, position, removed);
  for (guint i = 0; i < added; i++)
    g_array_insert_val (self->entries, position, none);
  self->n_new += added;
  self->origin = MIN (self->origin, self->entries->len);
  self->forward = self->backward = self->origin;
  begin_slices (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- Object --- */

static void
gadget_transcript_matches_dispose (GObject *object)
{
  GadgetTranscriptMatches *self = GADGET_TRANSCRIPT_MATCHES (object);

  g_clear_handle_id (&self->slice_id, g_source_remove);
  g_clear_handle_id (&self->gather_id, g_source_remove);
  if (self->model != NULL)
    {
      g_signal_handlers_disconnect_by_data (gadget_transcript_model_get_session (self->model),
                                            self);
      g_signal_handlers_disconnect_by_data (self->model, self);
    }
  g_clear_object (&self->model);

  G_OBJECT_CLASS (gadget_transcript_matches_parent_class)->dispose (object);
}

static void
gadget_transcript_matches_finalize (GObject *object)
{
  GadgetTranscriptMatches *self = GADGET_TRANSCRIPT_MATCHES (object);

  end_scan (self);
  g_array_unref (self->scan.rows);
  g_array_unref (self->entries);
  g_clear_pointer (&self->pattern, gadget_text_pattern_unref);

  G_OBJECT_CLASS (gadget_transcript_matches_parent_class)->finalize (object);
}

static void
gadget_transcript_matches_class_init (GadgetTranscriptMatchesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_transcript_matches_dispose;
  G_OBJECT_CLASS (klass)->finalize = gadget_transcript_matches_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_transcript_matches_init (GadgetTranscriptMatches *self)
{
  self->entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->scan.rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
}

/**
 * gadget_transcript_matches_new:
 * @turn: the number of the turn in sight
 *
 * Returns: (transfer full): the matches of @pattern, of which none is known yet
 */
GadgetTranscriptMatches *
gadget_transcript_matches_new (GadgetTranscriptModel *model, GadgetTextPattern *pattern, guint turn)
{
  GadgetTranscriptMatches *self;
  GadgetSession *session;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MODEL (model) && pattern != NULL, NULL);

  self = g_object_new (GADGET_TYPE_TRANSCRIPT_MATCHES, NULL);
  self->model = g_object_ref (model);
  self->pattern = gadget_text_pattern_ref (pattern);
  self->n_new = gadget_transcript_model_get_n_turns (model);
  g_array_set_size (self->entries, self->n_new);
  self->origin = self->forward = self->backward = MIN (turn, self->n_new);
  session = gadget_transcript_model_get_session (model);
  /* The model was connected before. */
  g_signal_connect_swapped (session, "items-changed", G_CALLBACK (turns_changed_cb), self);
  g_signal_connect_swapped (model, "dirty", G_CALLBACK (dirty_cb), self);
  g_signal_connect_swapped (model, "row-changed", G_CALLBACK (row_changed_cb), self);
  begin_slices (self);
  return self;
}

GadgetTextPattern *
gadget_transcript_matches_get_pattern (GadgetTranscriptMatches *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), NULL);
  return self->pattern;
}

guint
gadget_transcript_matches_get_n (GadgetTranscriptMatches *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), 0);
  return self->n;
}

gboolean
gadget_transcript_matches_is_complete (GadgetTranscriptMatches *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), TRUE);
  return self->n_new == 0 && !(self->scan.active && self->scan.first);
}

/* --- Going through the matches --- */

static int
find_block (const Entry *entry, const GadgetRowSpec *row)
{
  for (guint i = 0; i < get_n_blocks (entry); i++)
    if (gadget_row_spec_shows_same (row, &get_block (entry, i)->row))
      return (int) i;
  return -1;
}

guint
gadget_transcript_matches_count_in (GadgetTranscriptMatches *self, const GadgetRowSpec *row)
{
  const Entry *entry;
  int index;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), 0);

  if (row->turn >= self->entries->len || row->folded)
    return 0;
  entry = get_entry (self, row->turn);
  index = find_block (entry, row);
  return index >= 0 && get_block (entry, (guint) index)->row.start == row->start
             ? get_block (entry, (guint) index)->n
             : 0;
}

guint
gadget_transcript_matches_get_number (GadgetTranscriptMatches *self,
                                      const GadgetTranscriptMatch *match)
{
  guint number = 1;
  const Entry *entry;
  int index;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), 0);

  if (!gadget_transcript_matches_is_complete (self) || match->turn >= self->entries->len)
    return 0;
  entry = get_entry (self, match->turn);
  index = find_block (entry, &match->row);
  if (index < 0)
    return 0;
  for (guint i = 0; i < match->turn; i++)
    number += get_entry (self, i)->n;
  for (guint i = 0; i < (guint) index; i++)
    number += get_block (entry, i)->n;
  return number + MIN (match->nth, get_block (entry, (guint) index)->n - 1);
}

static gboolean
set_match (GadgetTranscriptMatches *self, guint turn, guint index, guint nth,
           GadgetTranscriptMatch *match)
{
  match->turn = turn;
  match->row = get_block (get_entry (self, turn), index)->row;
  match->nth = nth;
  return TRUE;
}

static gboolean
set_last_match (GadgetTranscriptMatches *self, guint turn, guint index,
                GadgetTranscriptMatch *match)
{
  return set_match (self, turn, index, get_block (get_entry (self, turn), index)->n - 1, match);
}

static gboolean
is_known (GadgetTranscriptMatches *self, guint turn)
{
  return get_entry (self, turn)->state != STATE_NEW
         && !(self->scan.active && self->scan.first && self->scan.turn == turn);
}

/* Returns the place of a row in its turn when nothing is folded. */
static guint
get_order (GadgetTranscriptMatches *self, const GadgetRowSpec *row)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));

  _gadget_transcript_model_add_unfolded (self->model, rows, row->turn);
  for (guint i = 0; i < rows->len; i++)
    if (gadget_row_spec_shows_same (&g_array_index (rows, GadgetRowSpec, i), row))
      return i;
  return rows->len;
}

gboolean
gadget_transcript_matches_find (GadgetTranscriptMatches *self, const GadgetRowSpec *row, guint skip,
                                GadgetTranscriptMatch *match)
{
  const Entry *entry;
  guint order, n_before;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), FALSE);

  if (row->turn >= self->entries->len || !is_known (self, row->turn))
    return FALSE;
  entry = get_entry (self, row->turn);
  order = entry->n > 0 ? get_order (self, row) : 0;
  for (n_before = 0; n_before < get_n_blocks (entry); n_before++)
    {
      const Block *block = get_block (entry, n_before);

      if (block->order > order)
        return set_match (self, row->turn, n_before, 0, match);
      if (block->order == order && block->n > skip)
        return set_match (self, row->turn, n_before, skip, match);
    }
  for (guint turn = row->turn + 1; turn < self->entries->len; turn++)
    {
      if (!is_known (self, turn))
        return FALSE;
      if (get_entry (self, turn)->n > 0)
        return set_match (self, turn, 0, 0, match);
    }
  if (n_before > 0)
    return set_last_match (self, row->turn, n_before - 1, match);
  for (guint turn = row->turn; turn > 0; turn--)
    {
      if (!is_known (self, turn - 1))
        return FALSE;
      if (get_entry (self, turn - 1)->n > 0)
        return set_last_match (self, turn - 1, get_n_blocks (get_entry (self, turn - 1)) - 1,
                               match);
    }
  return FALSE;
}

/* The key by which a match is looked for. */
typedef struct
{
  gsize offset;
  guint nth;
  char *line;
} Search;

static gboolean
before_cb (const GadgetMatchHit *hit, gpointer user_data)
{
  Search *search = user_data;
  const gsize at =
      hit->markdown != NULL
          ? gadget_markdown_attributes_to_source (hit->markdown, (guint) hit->start, hit->base)
          : hit->base + hit->start;

  if (at >= search->offset)
    return FALSE;
  search->nth++;
  return TRUE;
}

gboolean
gadget_transcript_matches_find_source (GadgetTranscriptMatches *self, const GadgetRowSpec *row,
                                       gsize offset, GadgetTranscriptMatch *match)
{
  const Entry *entry;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), FALSE);

  if (row->turn >= self->entries->len || !is_known (self, row->turn))
    return FALSE;
  entry = get_entry (self, row->turn);
  for (guint i = 0; i < get_n_blocks (entry); i++)
    {
      const Block *block = get_block (entry, i);
      Search search = { .offset = offset };

      if (block->row.kind != row->kind || block->row.item != row->item
          || block->row.scope != row->scope || block->row.end <= offset)
        continue;
      _gadget_transcript_matches_visit_row (self, row->turn, &block->row, before_cb, &search);
      if (search.nth < block->n)
        return set_match (self, row->turn, i, search.nth, match);
    }
  return gadget_transcript_matches_find (self, row, 0, match);
}

gboolean
gadget_transcript_matches_step (GadgetTranscriptMatches *self, gboolean forward,
                                GadgetTranscriptMatch *match, gboolean *wrapped)
{
  const guint n_turns = self->entries->len;
  const Entry *entry;
  int index;
  guint turn = match->turn;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), FALSE);

  *wrapped = FALSE;
  if (turn >= n_turns)
    return FALSE;
  entry = get_entry (self, turn);
  index = find_block (entry, &match->row);
  if (index >= 0 && forward && match->nth + 1 < get_block (entry, (guint) index)->n)
    return set_match (self, turn, (guint) index, match->nth + 1, match);
  if (index >= 0 && !forward && match->nth > 0)
    return set_match (self, turn, (guint) index, match->nth - 1, match);
  if (index >= 0 && forward && (guint) index + 1 < get_n_blocks (entry))
    return set_match (self, turn, (guint) index + 1, 0, match);
  if (index > 0 && !forward)
    return set_last_match (self, turn, (guint) index - 1, match);
  for (guint i = 0; i < n_turns; i++)
    {
      *wrapped = *wrapped || (forward ? turn + 1 == n_turns : turn == 0);
      turn = (turn + (forward ? 1 : n_turns - 1)) % n_turns;
      if (!is_known (self, turn))
        return FALSE;
      entry = get_entry (self, turn);
      if (entry->n > 0)
        return forward ? set_match (self, turn, 0, 0, match)
                       : set_last_match (self, turn, get_n_blocks (entry) - 1, match);
    }
  return FALSE;
}

/* --- What is said and unfolded --- */

static gboolean
line_cb (const GadgetMatchHit *hit, gpointer user_data)
{
  Search *search = user_data;
  const char *begin = hit->text + hit->start;
  const char *end = hit->text + hit->end;

  if (search->nth-- > 0)
    return TRUE;
  while (begin > hit->text && begin[-1] != '\n' && hit->text + hit->start - begin < LINE_BYTES / 2)
    begin = g_utf8_find_prev_char (hit->text, begin);
  while (end < hit->text + hit->length && *end != '\n' && end - begin < LINE_BYTES)
    end = g_utf8_next_char (end);
  search->line = g_strstrip (g_strndup (begin, (gsize) (end - begin)));
  return FALSE;
}

char *
gadget_transcript_matches_dup_line (GadgetTranscriptMatches *self,
                                    const GadgetTranscriptMatch *match)
{
  Search search = { .nth = match->nth };

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), NULL);

  if (match->turn < self->entries->len)
    _gadget_transcript_matches_visit_row (self, match->turn, &match->row, line_cb, &search);
  return search.line;
}

/* Returns whether @inner is in what the line @row unfolds to. @row is before @inner, and of the
 * rows for which this is true the last ones are its own. */
static gboolean
is_fold_of (GadgetTranscriptMatches *self, const GadgetRowSpec *row, const GadgetRowSpec *inner)
{
  GadgetNestedTurns *nested = self->model->nested_turns;

  if (row->scope != inner->scope)
    return row->kind == GADGET_ROW_KIND_TOOL
           && gadget_nested_turns_get_depth (nested, row->scope) + 1
                  == gadget_nested_turns_get_depth (nested, inner->scope);
  if (row->kind == GADGET_ROW_KIND_GROUP)
    return row->start <= inner->item && inner->item < row->end;
  return row->item == inner->item && gadget_row_kind_is_line (row->kind)
         && !gadget_row_kind_is_line (inner->kind);
}

GArray *
gadget_transcript_matches_dup_folds (GadgetTranscriptMatches *self,
                                     const GadgetTranscriptMatch *match)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  GArray *folds = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  GadgetRowSpec inner = match->row;
  gboolean behind = FALSE;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MATCHES (self), folds);

  if (match->turn < self->entries->len)
    _gadget_transcript_model_add_unfolded (self->model, rows, match->turn);
  for (guint i = rows->len; i > 0; i--)
    {
      const GadgetRowSpec *row = &g_array_index (rows, GadgetRowSpec, i - 1);

      if (behind && is_fold_of (self, row, &inner))
        {
          inner = *row;
          g_array_prepend_val (folds, inner);
        }
      behind = behind || gadget_row_spec_shows_same (row, &match->row);
    }
  return folds;
}

GadgetRowKind
gadget_transcript_matches_get_kind (GadgetItem *item, GadgetRowText text)
{
  if (item == NULL)
    return GADGET_ROW_KIND_PROMPT;
  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TEXT:
      return GADGET_ROW_KIND_TEXT;
    case GADGET_ITEM_NOTE:
      return GADGET_ROW_KIND_NOTE;
    case GADGET_ITEM_STEER:
      return GADGET_ROW_KIND_STEER;
    case GADGET_ITEM_TOOL_CALL:
      if (text == GADGET_ROW_TEXT_CALL)
        return GADGET_ROW_KIND_TOOL;
      if (gadget_diff_is_in (item))
        return GADGET_ROW_KIND_DIFF;
      return text == GADGET_ROW_TEXT_ARGUMENTS ? GADGET_ROW_KIND_TOOL_ARGUMENTS
                                               : GADGET_ROW_KIND_TOOL_OUTPUT;
    case GADGET_ITEM_REASONING:
    case GADGET_ITEM_SUMMARY:
    default:
      return GADGET_ROW_KIND_REASONING_TEXT;
    }
}
