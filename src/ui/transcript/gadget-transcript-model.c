/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All rows are in one flat array of 20 bytes each, and each turn knows its first row: finding the
 * turn of a row, or the rows of a turn, is one look, and a change in the last turn (the only one
 * that changes while an agent works) moves nothing else. A change further up moves the rest of
 * the array, once.
 *
 * Only what can still change is listened to: a turn that is processing or could not be saved, and
 * its items. The signals of one frame are gathered: they only note what became of whom, and
 * flush () looks at the noted ones. A growing text has its last piece looked at, nothing more;
 * whatever changes the rows themselves has the rows of its turn described anew, and the difference
 * is told.
 *
 * What a subagent does is rows of the turn that waits for it, directly behind its call. Its turn is
 * listened to from the moment in which it is first unfolded until it has ended; as long as it is
 * folded again, that costs nothing but the listening. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-transcript-model.h"

#include "gadget-chunks.h"
#include "gadget-scopes.h"

#include "providers/gadget-provider-config.h"
#include "session/gadget-session-children.h"

typedef struct
{
  GadgetTranscriptModel *model; /* not owned */
  GadgetTurn *turn;
  guint index;       /* among the chat's; not of a subagent's */
  GadgetTurn *root;  /* (nullable) of a subagent's: the chat's turn that waits for it */
  gboolean folded;   /* it has no rows */
  GPtrArray *items;  /* those listened to */
  GPtrArray *grown;  /* those whose text grew since the last flush */
  gboolean reshaped; /* its rows have to be described anew */
} Live;

typedef struct
{
  GadgetTurn *turn;
  guint first_row;
  Live *live;
} Entry;

struct _GadgetTranscriptModel
{
  GObject parent_instance;

  GadgetSession *session;
  GListModel *providers; /* (nullable) of GadgetProviderConfig */
  guint n_asks;          /* rows that wait for an answer */
  GArray *entries;       /* of Entry, one a turn */
  GArray *rows;          /* of GadgetRowSpec */
  GPtrArray *lives;      /* of Live, not owned: those of all entries */
  GHashTable *expanded;  /* set of items and turns, referenced */
  GadgetScopes *scopes;
  GHashTable *nested;  /* GadgetTurn of a subagent → Live: those that can change */
  GHashTable *opening; /* GadgetSession of a subagent, being loaded → GadgetTurn of the chat */
  gboolean dirty;
};

enum
{
  DIRTY,
  ROW_CHANGED,
  LOAD_CHILD,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static Entry *
get_entry (GadgetTranscriptModel *self, guint turn)
{
  return &g_array_index (self->entries, Entry, turn);
}

static GadgetRowSpec *
get_row (GadgetTranscriptModel *self, guint position)
{
  return &g_array_index (self->rows, GadgetRowSpec, position);
}

static guint
get_end_row (GadgetTranscriptModel *self, guint turn)
{
  return turn + 1 < self->entries->len ? get_entry (self, turn + 1)->first_row : self->rows->len;
}

static void
mark_dirty (GadgetTranscriptModel *self)
{
  if (self->dirty)
    return;
  self->dirty = TRUE;
  g_signal_emit (self, signals[DIRTY], 0);
}

static int
find_turn (GadgetTranscriptModel *self, GadgetTurn *turn)
{
  for (guint i = self->entries->len; i > 0; i--)
    if (get_entry (self, i - 1)->turn == turn)
      return (int) i - 1;
  return -1;
}

/* The number of the chat's turn that it is, or is unfolded in; -1 if that is gone. */
static int
get_live_index (GadgetTranscriptModel *self, const Live *live)
{
  return live->root != NULL ? find_turn (self, live->root) : (int) live->index;
}

/* --- Describing the rows of a turn --- */

static void listen_to_child (GadgetTranscriptModel *self, GadgetTurn *child, GadgetTurn *root);

/* Where rows are described, and of whose items. */
typedef struct
{
  GArray *rows;
  guint turn;
  GadgetTurn *root; /* the turn of that number */
  guint scope;
} Place;

static void
add_row (const Place *place, GadgetBlockKind kind, guint item, gsize start, gsize end)
{
  const GadgetRowSpec row = {
    place->turn, kind, item, (guint32) start, (guint32) end, place->scope
  };

  g_array_append_val (place->rows, row);
}

static void
add_text (const Place *place, GadgetBlockKind kind, guint index, GadgetTurn *object,
          GadgetItem *item)
{
  gsize length = 0;
  const char *text = gadget_block_get_source (kind, object, item, &length);
  gsize start = 0;

  while (start < length)
    {
      const gsize end = gadget_chunk_end (text, length, start);

      add_row (place, kind, index, start, end);
      start = end;
    }
}

static void add_item (GadgetTranscriptModel *self, const Place *place, guint index,
                      GadgetTurn *object); /* a subagent has items, which may be subagents */

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
  listen_to_child (self, child, place->root);
  for (guint i = 0; i < gadget_turn_get_n_items (child); i++)
    add_item (self, &inner, i, child);
  /* Its own words do not say why it failed. */
  if (gadget_item_get_status (item) == GADGET_ITEM_FAILED)
    add_text (place, GADGET_BLOCK_TOOL_OUTPUT, index, object, item);
}

static void
add_call (GadgetTranscriptModel *self, const Place *place, guint index, GadgetTurn *object)
{
  GadgetItem *item = gadget_turn_get_item (object, index);

  if (gadget_item_get_prompt (item) != NULL)
    {
      add_row (place, GADGET_BLOCK_ASK, index, 0, 0);
      return;
    }
  add_row (place, GADGET_BLOCK_TOOL, index, 0, G_MAXUINT32);
  if (!is_open (self, item))
    return;
  if (gadget_item_get_child_id (item) != NULL)
    {
      add_child (self, place, index, object);
      return;
    }
  add_text (place, GADGET_BLOCK_TOOL_ARGUMENTS, index, object, item);
  add_text (place, GADGET_BLOCK_TOOL_OUTPUT, index, object, item);
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
      add_row (place, GADGET_BLOCK_SUMMARY, index, 0, 0);
      if (gadget_transcript_model_get_expanded (self, G_OBJECT (item)))
        add_text (place, GADGET_BLOCK_REASONING_TEXT, index, object, item);
      break;
    case GADGET_ITEM_STEER:
      add_text (place, GADGET_BLOCK_STEER, index, object, item);
      break;
    case GADGET_ITEM_NOTE:
      if (gadget_item_get_prompt (item) != NULL)
        add_row (place, GADGET_BLOCK_ASK, index, 0, 0);
      else
        add_text (place, GADGET_BLOCK_NOTE, index, object, item);
      break;
    case GADGET_ITEM_REASONING:
      if (gadget_item_get_length (item) == 0)
        break;
      add_row (place, GADGET_BLOCK_REASONING, index, 0, 0);
      if (gadget_transcript_model_get_expanded (self, G_OBJECT (item)))
        add_text (place, GADGET_BLOCK_REASONING_TEXT, index, object, item);
      break;
    case GADGET_ITEM_TOOL_CALL:
    default:
      add_call (self, place, index, object);
      break;
    }
}

static void
add_turn (GadgetTranscriptModel *self, GArray *rows, guint turn, GadgetTurn *object)
{
  const Place place = { rows, turn, object, 0 };
  const guint n_items = gadget_turn_get_n_items (object);
  const GadgetTurnStatus status = gadget_turn_get_status (object);

  add_text (&place, GADGET_BLOCK_PROMPT, 0, object, NULL);
  for (guint i = 0; i < n_items; i++)
    add_item (self, &place, i, object);
  if (status == GADGET_TURN_ABORTED)
    add_row (&place, GADGET_BLOCK_ABORTED, 0, 0, 0);
  if (status == GADGET_TURN_ERROR)
    add_row (&place, GADGET_BLOCK_ERROR, 0, 0, 0);
  if (status != GADGET_TURN_PROCESSING && !gadget_turn_get_saved (object))
    add_row (&place, GADGET_BLOCK_UNSAVED, 0, 0, 0);
  add_row (&place, GADGET_BLOCK_FOOTER, 0, 0, 0);
}

static gboolean
is_same_row (const GadgetRowSpec *a, const GadgetRowSpec *b)
{
  return a->kind == b->kind && a->item == b->item && a->start == b->start && a->scope == b->scope;
}

static guint
count_asks (const GArray *rows, guint from, guint n)
{
  guint count = 0;

  for (guint i = from; i < from + n; i++)
    count += g_array_index (rows, GadgetRowSpec, i).kind == GADGET_BLOCK_ASK;
  return count;
}

/* Puts @rows in the place of others; the turns from @next_turn on begin that much later. */
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
    get_entry (self, i)->first_row += added - removed;
}

static void
change_end (GadgetTranscriptModel *self, guint position, guint32 end)
{
  GadgetRowSpec *row = get_row (self, position);

  if (row->end == end)
    return;
  row->end = end;
  g_signal_emit (self, signals[ROW_CHANGED], 0, position);
}

/* Which of the subagents' turns have rows is found out by describing them. */
static void
fold_nested (GadgetTranscriptModel *self, guint turn)
{
  for (guint i = 0; i < self->lives->len; i++)
    {
      Live *live = g_ptr_array_index (self->lives, i);

      if (live->root != NULL && live->root == get_entry (self, turn)->turn)
        live->folded = TRUE;
    }
}

/* Describes the rows of a turn anew and tells the difference to what they were. */
static void
reshape_turn (GadgetTranscriptModel *self, guint turn)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  const guint first = get_entry (self, turn)->first_row;
  const guint n_old = get_end_row (self, turn) - first;
  guint head = 0;
  guint tail = 0;

  fold_nested (self, turn);
  add_turn (self, rows, turn, get_entry (self, turn)->turn);
  while (head < MIN (n_old, rows->len)
         && is_same_row (get_row (self, first + head), &g_array_index (rows, GadgetRowSpec, head)))
    head++;
  while (tail < MIN (n_old, rows->len) - head
         && is_same_row (get_row (self, first + n_old - 1 - tail),
                         &g_array_index (rows, GadgetRowSpec, rows->len - 1 - tail)))
    tail++;

  for (guint i = 0; i < head; i++)
    change_end (self, first + i, g_array_index (rows, GadgetRowSpec, i).end);
  for (guint i = 0; i < tail; i++)
    change_end (self, first + n_old - 1 - i,
                g_array_index (rows, GadgetRowSpec, rows->len - 1 - i).end);
  if (head + tail == MAX (n_old, rows->len))
    return;
  replace_rows (self, turn + 1, first + head, n_old - head - tail, rows, head,
                rows->len - head - tail);
  g_list_model_items_changed (G_LIST_MODEL (self), first + head, n_old - head - tail,
                              rows->len - head - tail);
}

/* --- Growing texts --- */

/* The last row of @kind that shows @item, or -1: near the end of its turn as a rule. */
static int
find_last_row (GadgetTranscriptModel *self, Live *live, GadgetItem *item, GadgetBlockKind kind)
{
  const int index = get_live_index (self, live);
  const guint first = index >= 0 ? get_entry (self, (guint) index)->first_row : 0;

  for (guint i = index >= 0 ? get_end_row (self, (guint) index) : 0; i > first; i--)
    {
      const GadgetRowSpec *row = get_row (self, i - 1);

      if (row->kind == kind && gadget_transcript_model_get_item (self, i - 1) == item)
        return (int) i - 1;
    }
  return -1;
}

static void
grow_text (GadgetTranscriptModel *self, Live *live, GadgetItem *item, GadgetBlockKind kind)
{
  const int last = find_last_row (self, live, item, kind);
  g_autoptr (GArray) more = NULL;
  GadgetRowSpec row;
  Place place;
  const char *text;
  gsize length = 0;
  gsize end;

  if (last < 0)
    {
      live->reshaped = TRUE;
      return;
    }
  row = *get_row (self, (guint) last);
  text = gadget_block_get_source (kind, live->turn, item, &length);
  end = gadget_chunk_end (text, length, row.start);
  change_end (self, (guint) last, (guint32) end);
  if (end == length)
    return;

  more = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  place = (Place) { more, row.turn, get_entry (self, row.turn)->turn, row.scope };
  while (end < length)
    {
      const gsize start = end;

      end = gadget_chunk_end (text, length, start);
      add_row (&place, kind, row.item, start, end);
    }
  replace_rows (self, row.turn + 1, (guint) last + 1, 0, more, 0, more->len);
  g_list_model_items_changed (G_LIST_MODEL (self), (guint) last + 1, 0, more->len);
}

static void
grow_item (GadgetTranscriptModel *self, Live *live, GadgetItem *item)
{
  const gboolean expanded = gadget_transcript_model_get_expanded (self, G_OBJECT (item));

  if (live->folded)
    return;
  switch (gadget_item_get_kind (item))
    {
    case GADGET_ITEM_TEXT:
      grow_text (self, live, item, GADGET_BLOCK_TEXT);
      break;
    case GADGET_ITEM_SUMMARY:
      break;
    case GADGET_ITEM_STEER:
      grow_text (self, live, item, GADGET_BLOCK_STEER);
      break;
    case GADGET_ITEM_NOTE:
      grow_text (self, live, item, GADGET_BLOCK_NOTE);
      break;
    case GADGET_ITEM_REASONING:
      {
        const int line = find_last_row (self, live, item, GADGET_BLOCK_REASONING);

        if (line < 0)
          live->reshaped = TRUE;
        else
          g_signal_emit (self, signals[ROW_CHANGED], 0, (guint) line);
        if (expanded)
          grow_text (self, live, item, GADGET_BLOCK_REASONING_TEXT);
        break;
      }
    case GADGET_ITEM_TOOL_CALL:
    default:
      if (expanded && gadget_item_get_prompt (item) == NULL)
        grow_text (self, live, item, GADGET_BLOCK_TOOL_OUTPUT);
      break;
    }
}

/* --- Listening to what can still change --- */

static void
item_appended_cb (GadgetItem *item, guint64 offset, Live *live)
{
  GPtrArray *grown = live->grown;

  if (grown->len > 0 && g_ptr_array_index (grown, grown->len - 1) == item)
    return;
  if (!g_ptr_array_find (grown, item, NULL))
    g_ptr_array_add (grown, item);
  mark_dirty (live->model);
}

static void
item_notify_cb (GadgetItem *item, GParamSpec *pspec, Live *live)
{
  const char *name = g_param_spec_get_name (pspec);

  if (!g_str_equal (name, "prompt") && !g_str_equal (name, "asking")
      && !gadget_transcript_model_get_expanded (live->model, G_OBJECT (item)))
    return;
  live->reshaped = TRUE;
  mark_dirty (live->model);
}

static void
turn_notify_cb (GadgetTurn *turn, GParamSpec *pspec, Live *live)
{
  live->reshaped = TRUE;
  mark_dirty (live->model);
}

static void
listen_to_items (Live *live)
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
turn_items_changed_cb (GListModel *turn, guint position, guint removed, guint added, Live *live)
{
  listen_to_items (live);
  live->reshaped = TRUE;
  mark_dirty (live->model);
}

static gboolean
can_change (GadgetTurn *turn)
{
  return gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING || !gadget_turn_get_saved (turn);
}

static Live *
live_new (GadgetTranscriptModel *self, GadgetTurn *turn, guint index, GadgetTurn *root)
{
  Live *live = g_new0 (Live, 1);

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
  g_ptr_array_add (self->lives, live);
  return live;
}

static void
live_free (Live *live)
{
  g_ptr_array_remove_fast (live->model->lives, live);
  for (guint i = 0; i < live->items->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (live->items, i), live);
  g_signal_handlers_disconnect_by_data (live->turn, live);
  g_ptr_array_unref (live->items);
  g_ptr_array_unref (live->grown);
  g_clear_object (&live->root);
  g_object_unref (live->turn);
  g_free (live);
}

/* --- Subagents --- */

static void
free_nested (gpointer data)
{
  live_free (data);
}

/* Its rows are being described. */
static void
listen_to_child (GadgetTranscriptModel *self, GadgetTurn *child, GadgetTurn *root)
{
  Live *live = g_hash_table_lookup (self->nested, child);

  if (live == NULL && can_change (child))
    {
      live = live_new (self, child, 0, root);
      g_hash_table_insert (self->nested, child, live);
    }
  if (live != NULL)
    live->folded = FALSE;
}

static void
child_loaded_cb (GListModel *child, guint position, guint removed, guint added,
                 GadgetTranscriptModel *self)
{
  GadgetTurn *turn = g_hash_table_lookup (self->opening, child);
  const int index = find_turn (self, turn);

  g_signal_handlers_disconnect_by_func (child, child_loaded_cb, self);
  if (index >= 0)
    reshape_turn (self, (guint) index);
  g_hash_table_remove (self->opening, child);
}

/* Asks for the chat behind a call that was just unfolded, if it is not here. */
static void
need_child (GadgetTranscriptModel *self, guint position, GadgetItem *item)
{
  const GadgetRowSpec *row = get_row (self, position);
  GadgetSession *session =
      row->scope > 0 ? gadget_scopes_get_session (self->scopes, row->scope) : self->session;
  GadgetSession *child;

  if (gadget_item_get_child_id (item) == NULL || gadget_item_get_child_turn (item) != NULL)
    return;
  child = gadget_session_open_child (session, gadget_item_get_child_id (item));
  if (child == NULL || g_hash_table_contains (self->opening, child))
    return;
  g_hash_table_insert (self->opening, g_object_ref (child),
                       g_object_ref (get_entry (self, row->turn)->turn));
  g_signal_connect_object (child, "items-changed", G_CALLBACK (child_loaded_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_emit (self, signals[LOAD_CHILD], 0, child);
}

/* Of turns that are not in the chat any more. */
static void
drop_nested (GadgetTranscriptModel *self)
{
  for (guint i = self->lives->len; i > 0; i--)
    {
      const Live *live = g_ptr_array_index (self->lives, i - 1);

      if (live->root != NULL && find_turn (self, live->root) < 0)
        g_hash_table_remove (self->nested, live->turn);
    }
}

/* --- Turns --- */

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->live, live_free);
  g_clear_object (&entry->turn);
}

static void
renumber (GadgetTranscriptModel *self, guint from)
{
  for (guint i = from; i < self->entries->len; i++)
    {
      Entry *entry = get_entry (self, i);
      const guint end = get_end_row (self, i);

      if (entry->live != NULL)
        entry->live->index = i;
      for (guint row = entry->first_row; row < end; row++)
        get_row (self, row)->turn = i;
    }
}

static void
turns_changed_cb (GListModel *session, guint position, guint removed, guint added,
                  GadgetTranscriptModel *self)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  g_autofree Entry *entries = g_new0 (Entry, added);
  const guint n_entries = self->entries->len;
  const guint first =
      position < n_entries ? get_entry (self, position)->first_row : self->rows->len;
  const guint end = position + removed < n_entries ? get_entry (self, position + removed)->first_row
                                                   : self->rows->len;

  for (guint i = 0; i < added; i++)
    {
      GadgetTurn *turn = g_list_model_get_item (session, position + i);

      entries[i].turn = turn;
      entries[i].first_row = first + rows->len;
      if (can_change (turn))
        entries[i].live = live_new (self, turn, position + i, NULL);
      add_turn (self, rows, position + i, turn);
    }
  if (removed > 0)
    g_array_remove_range (self->entries, position, removed);
  if (added > 0)
    g_array_insert_vals (self->entries, position, entries, added);
  replace_rows (self, position + added, first, end - first, rows, 0, rows->len);
  if (removed != added)
    renumber (self, position + added);
  if (removed > 0)
    drop_nested (self);
  if (end > first || rows->len > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), first, end - first, rows->len);
}

/* --- GListModel --- */

static GType
model_get_item_type (GListModel *model)
{
  return GADGET_TYPE_BLOCK;
}

static guint
model_get_n_items (GListModel *model)
{
  return GADGET_TRANSCRIPT_MODEL (model)->rows->len;
}

static gpointer
model_get_item (GListModel *model, guint position)
{
  GadgetTranscriptModel *self = GADGET_TRANSCRIPT_MODEL (model);
  GadgetBlock *block;

  if (position >= self->rows->len)
    return NULL;
  block = gadget_block_new (get_row (self, position)->kind,
                            gadget_transcript_model_get_turn (self, position),
                            gadget_transcript_model_get_item (self, position));
  gadget_transcript_model_update_block (self, position, block);
  return block;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = model_get_item_type;
  iface->get_n_items = model_get_n_items;
  iface->get_item = model_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetTranscriptModel, gadget_transcript_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

/* --- Object --- */

static void
gadget_transcript_model_dispose (GObject *object)
{
  GadgetTranscriptModel *self = GADGET_TRANSCRIPT_MODEL (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_hash_table_remove_all (self->nested);
  g_hash_table_remove_all (self->opening);
  g_array_set_size (self->entries, 0);
  g_array_set_size (self->rows, 0);
  g_hash_table_remove_all (self->expanded);
  g_clear_object (&self->session);
  g_clear_object (&self->providers);

  G_OBJECT_CLASS (gadget_transcript_model_parent_class)->dispose (object);
}

static void
gadget_transcript_model_finalize (GObject *object)
{
  GadgetTranscriptModel *self = GADGET_TRANSCRIPT_MODEL (object);

  g_array_unref (self->entries);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->lives);
  g_hash_table_unref (self->expanded);
  g_hash_table_unref (self->nested);
  g_hash_table_unref (self->opening);
  gadget_scopes_free (self->scopes);

  G_OBJECT_CLASS (gadget_transcript_model_parent_class)->finalize (object);
}

static void
gadget_transcript_model_class_init (GadgetTranscriptModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_transcript_model_dispose;
  object_class->finalize = gadget_transcript_model_finalize;

  /**
   * GadgetTranscriptModel::dirty:
   *
   * There is something to flush, for the first time since the last flush.
   */
  signals[DIRTY] = g_signal_new ("dirty", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GadgetTranscriptModel::row-changed:
   * @position: a row that is the same as before, but shows more (or, having been cut, less)
   */
  signals[ROW_CHANGED] = g_signal_new ("row-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);

  /**
   * GadgetTranscriptModel::load-child:
   * @child: the chat of a subagent, to be read from the store
   */
  signals[LOAD_CHILD] = g_signal_new ("load-child", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
}

static void
gadget_transcript_model_init (GadgetTranscriptModel *self)
{
  self->entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  self->lives = g_ptr_array_new ();
  self->expanded = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->scopes = gadget_scopes_new ();
  self->nested = g_hash_table_new_full (NULL, NULL, NULL, free_nested);
  self->opening = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
}

GadgetTranscriptModel *
gadget_transcript_model_new (GadgetSession *session)
{
  GadgetTranscriptModel *self;

  g_return_val_if_fail (GADGET_IS_SESSION (session), NULL);

  self = g_object_new (GADGET_TYPE_TRANSCRIPT_MODEL, NULL);
  self->session = g_object_ref (session);
  turns_changed_cb (G_LIST_MODEL (session), 0, 0, gadget_session_get_n_turns (session), self);
  g_signal_connect_object (session, "items-changed", G_CALLBACK (turns_changed_cb), self,
                           G_CONNECT_DEFAULT);
  return self;
}

GadgetSession *
gadget_transcript_model_get_session (GadgetTranscriptModel *self)
{
  return self->session;
}

guint
gadget_transcript_model_get_n_rows (GadgetTranscriptModel *self)
{
  return self->rows->len;
}

/**
 * gadget_transcript_model_get_row:
 *
 * Returns: (transfer none): the row at @position, valid until the model changes
 */
const GadgetRowSpec *
gadget_transcript_model_get_row (GadgetTranscriptModel *self, guint position)
{
  g_return_val_if_fail (position < self->rows->len, NULL);
  return get_row (self, position);
}

GadgetTurn *
gadget_transcript_model_get_turn (GadgetTranscriptModel *self, guint position)
{
  const GadgetRowSpec *row;

  g_return_val_if_fail (position < self->rows->len, NULL);

  row = get_row (self, position);
  return row->scope > 0 ? gadget_scopes_get_turn (self->scopes, row->scope)
                        : get_entry (self, row->turn)->turn;
}

/**
 * gadget_transcript_model_get_depth:
 *
 * Returns: how many subagents deep the row is
 */
guint
gadget_transcript_model_get_depth (GadgetTranscriptModel *self, guint position)
{
  g_return_val_if_fail (position < self->rows->len, 0);
  return gadget_scopes_get_depth (self->scopes, get_row (self, position)->scope);
}

/**
 * gadget_transcript_model_get_item:
 *
 * Returns: (transfer none) (nullable): the item that the row shows, NULL if it belongs to its turn
 */
GadgetItem *
gadget_transcript_model_get_item (GadgetTranscriptModel *self, guint position)
{
  const GadgetRowSpec *row;

  g_return_val_if_fail (position < self->rows->len, NULL);

  row = get_row (self, position);
  if (row->kind == GADGET_BLOCK_PROMPT || row->kind >= GADGET_BLOCK_ABORTED)
    return NULL;
  return gadget_turn_get_item (gadget_transcript_model_get_turn (self, position), row->item);
}

const char *
gadget_transcript_model_get_source (GadgetTranscriptModel *self, guint position, gsize *length)
{
  g_return_val_if_fail (position < self->rows->len, NULL);

  return gadget_block_get_source (get_row (self, position)->kind,
                                  gadget_transcript_model_get_turn (self, position),
                                  gadget_transcript_model_get_item (self, position), length);
}

guint
gadget_transcript_model_get_n_turns (GadgetTranscriptModel *self)
{
  return self->entries->len;
}

guint
gadget_transcript_model_get_turn_row (GadgetTranscriptModel *self, guint turn)
{
  g_return_val_if_fail (turn < self->entries->len, 0);
  return get_entry (self, turn)->first_row;
}

static void
set_provider_name (GadgetTranscriptModel *self, GadgetBlock *block)
{
  const char *id = gadget_turn_get_provider (gadget_block_get_turn (block));
  const guint n = self->providers != NULL ? g_list_model_get_n_items (self->providers) : 0;

  gadget_block_set_provider_name (block, id);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (self->providers, i);

      if (g_strcmp0 (gadget_provider_config_get_id (config), id) == 0)
        gadget_block_set_provider_name (block, gadget_provider_config_get_name (config));
    }
}

/**
 * gadget_transcript_model_update_block:
 *
 * Makes @block, which stands for the row at @position, show what the row shows now.
 */
void
gadget_transcript_model_update_block (GadgetTranscriptModel *self, guint position,
                                      GadgetBlock *block)
{
  const GadgetRowSpec *row;
  GObject *object;

  g_return_if_fail (position < self->rows->len && GADGET_IS_BLOCK (block));

  row = get_row (self, position);
  object = (GObject *) gadget_block_get_item (block);
  if (object == NULL)
    object = G_OBJECT (gadget_block_get_turn (block));
  gadget_block_set_range (block, row->start, row->end);
  gadget_block_set_expanded (block, gadget_transcript_model_get_expanded (self, object));
  if (row->scope > 0)
    gadget_block_set_nested (block, gadget_scopes_get_session (self->scopes, row->scope),
                             gadget_scopes_get_depth (self->scopes, row->scope));
  if (row->kind == GADGET_BLOCK_ERROR || row->kind == GADGET_BLOCK_FOOTER)
    set_provider_name (self, block);
}

void
gadget_transcript_model_set_providers (GadgetTranscriptModel *self, GListModel *providers)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self));
  g_set_object (&self->providers, providers);
}

int
gadget_transcript_model_find_ask (GadgetTranscriptModel *self)
{
  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self), -1);

  /* There are some only while a turn waits, which is the last one. */
  for (guint i = self->n_asks > 0 ? self->rows->len : 0; i > 0; i--)
    if (get_row (self, i - 1)->kind == GADGET_BLOCK_ASK)
      return (int) i - 1;
  return -1;
}

static void
flush_live (GadgetTranscriptModel *self, Live *live)
{
  const int index = get_live_index (self, live);

  for (guint k = 0; k < live->grown->len; k++)
    grow_item (self, live, g_ptr_array_index (live->grown, k));
  g_ptr_array_set_size (live->grown, 0);
  if (!live->reshaped || index < 0)
    return;
  live->reshaped = FALSE;
  reshape_turn (self, (guint) index);
  if (can_change (live->turn))
    return;
  if (live->root != NULL)
    g_hash_table_remove (self->nested, live->turn);
  else
    g_clear_pointer (&get_entry (self, live->index)->live, live_free);
}

/**
 * gadget_transcript_model_flush:
 *
 * Takes over what happened inside turns since the last time.
 */
void
gadget_transcript_model_flush (GadgetTranscriptModel *self)
{
  g_autoptr (GPtrArray) lives = NULL;

  g_return_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self));

  if (!self->dirty)
    return;
  self->dirty = FALSE;
  /* A copy: looking at one may unfold another. */
  lives = g_ptr_array_copy (self->lives, NULL, NULL);
  for (guint i = 0; i < lives->len; i++)
    flush_live (self, g_ptr_array_index (lives, i));
}

gboolean
gadget_transcript_model_get_expanded (GadgetTranscriptModel *self, GObject *object)
{
  return g_hash_table_contains (self->expanded, object);
}

/**
 * gadget_transcript_model_set_expanded:
 * @position: a row whose item, or turn, is to be folded or unfolded
 */
void
gadget_transcript_model_set_expanded (GadgetTranscriptModel *self, guint position,
                                      gboolean expanded)
{
  guint turn;
  GObject *object;

  g_return_if_fail (position < self->rows->len);

  turn = get_row (self, position)->turn;
  object = (GObject *) gadget_transcript_model_get_item (self, position);
  if (object == NULL)
    object = G_OBJECT (gadget_transcript_model_get_turn (self, position));
  if (gadget_transcript_model_get_expanded (self, object) == expanded)
    return;
  if (expanded)
    {
      g_hash_table_add (self->expanded, g_object_ref (object));
      if (GADGET_IS_ITEM (object))
        need_child (self, position, GADGET_ITEM (object));
    }
  else
    g_hash_table_remove (self->expanded, object);
  reshape_turn (self, turn);
  g_signal_emit (self, signals[ROW_CHANGED], 0, position);
}
