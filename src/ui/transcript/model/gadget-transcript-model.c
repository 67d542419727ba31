/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All rows are in one flat array of 24 bytes each, and each turn knows its first row. So finding
 * the turn of a row, or the rows of a turn, is one array access, and a change in the last turn (the
 * only one that changes while an agent works) moves no other rows. A change further up moves the
 * rest of the array once.
 *
 * The model connects only to objects that can still change: a turn that is processing or not saved,
 * and its items. The signal handlers only note what changed; flush () processes that once a frame.
 * When a text grew, only its last row is looked at. Any other change makes the rows of the turn be
 * computed again, and the difference to the old rows is emitted as "items-changed".
 *
 * The rows of a subagent belong to the chat's turn that waits for it, directly behind its call. The
 * model listens to the subagent's turn from the first unfolding until it has ended; while it is
 * folded again, nothing but the signal handlers cost time. */

#define G_LOG_DOMAIN "gadget-transcript-model"

#include "config.h"

#include "gadget-row-data-private.h"
#include "gadget-transcript-model-private.h"
#include "ui/code/gadget-code.h"
#include "ui/terminal/gadget-output-text.h"

#include "providers/gadget-provider-config.h"

enum
{
  DIRTY,
  ROW_CHANGED,
  LOAD_CHILD,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* --- GListModel --- */

static GType
model_get_item_type (GListModel *model)
{
  return GADGET_TYPE_ROW_DATA;
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
  GadgetRowData *row_data;

  if (position >= self->rows->len)
    return NULL;
  row_data = gadget_row_data_new (_gadget_transcript_model_peek_row (self, position)->kind,
                                  gadget_transcript_model_get_turn (self, position),
                                  gadget_transcript_model_get_item (self, position));
  gadget_transcript_model_update_row_data (self, position, row_data);
  return row_data;
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
session_changed_cb (GListModel *session, guint position, guint removed, guint added,
                    GadgetTranscriptModel *self)
{
  _gadget_transcript_model_turns_changed (self, position, removed, added);
}

static void
clear_entry (gpointer data)
{
  GadgetTurnEntry *entry = data;

  g_clear_pointer (&entry->live, _gadget_live_turn_free);
  g_clear_object (&entry->turn);
}

static void
free_nested (gpointer data)
{
  _gadget_live_turn_free (data);
}

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
  g_hash_table_remove_all (self->unfolded_groups);
  g_hash_table_remove_all (self->shown_groups);
  g_hash_table_remove_all (self->unfolded_diffs);
  g_hash_table_remove_all (self->unfolded_calls);
  g_clear_object (&self->session);
  g_clear_object (&self->providers);
  g_clear_object (&self->cache);

  G_OBJECT_CLASS (gadget_transcript_model_parent_class)->dispose (object);
}

static void
gadget_transcript_model_finalize (GObject *object)
{
  GadgetTranscriptModel *self = GADGET_TRANSCRIPT_MODEL (object);

  g_array_unref (self->entries);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->live_turns);
  g_hash_table_unref (self->expanded);
  g_hash_table_unref (self->unfolded_groups);
  g_hash_table_unref (self->shown_groups);
  g_hash_table_unref (self->unfolded_diffs);
  g_hash_table_unref (self->unfolded_calls);
  g_hash_table_unref (self->nested);
  g_hash_table_unref (self->opening);
  gadget_nested_turns_free (self->nested_turns);

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
   * @urgent: whether something other than the length of a text has changed
   *
   * Emitted when there is something to flush, for the first time since the last flush, and once
   * more when the first urgent change comes after that.
   */
  signals[DIRTY] = g_signal_new ("dirty", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);

  /**
   * GadgetTranscriptModel::row-changed:
   * @position: a row that is the same as before, but whose content changed: usually its text grew
   */
  signals[ROW_CHANGED] = g_signal_new ("row-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);

  /**
   * GadgetTranscriptModel::load-child:
   * @child: the chat of a subagent, whose turns are to be loaded from the store
   */
  signals[LOAD_CHILD] = g_signal_new ("load-child", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);
}

static void
gadget_transcript_model_init (GadgetTranscriptModel *self)
{
  self->entries = g_array_new (FALSE, TRUE, sizeof (GadgetTurnEntry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->rows = g_array_new (FALSE, FALSE, sizeof (GadgetRowSpec));
  self->live_turns = g_ptr_array_new ();
  self->expanded = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->unfolded_groups = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->shown_groups = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->unfolded_diffs = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->unfolded_calls = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  self->nested_turns = gadget_nested_turns_new ();
  self->nested = g_hash_table_new_full (NULL, NULL, NULL, free_nested);
  self->opening = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
}

/* Emits "dirty", unless it was emitted since the last flush for a change that was as urgent. */
void
_gadget_transcript_model_mark_dirty (GadgetTranscriptModel *self, gboolean urgent)
{
  if (self->dirty && (self->urgent || !urgent))
    return;
  self->dirty = TRUE;
  self->urgent = urgent;
  g_signal_emit (self, signals[DIRTY], 0, urgent);
}

void
_gadget_transcript_model_emit_row_changed (GadgetTranscriptModel *self, guint position)
{
  g_signal_emit (self, signals[ROW_CHANGED], 0, position);
}

void
_gadget_transcript_model_emit_load_child (GadgetTranscriptModel *self, GadgetSession *child)
{
  g_signal_emit (self, signals[LOAD_CHILD], 0, child);
}

GadgetTranscriptModel *
gadget_transcript_model_new (GadgetSession *session)
{
  GadgetTranscriptModel *self;

  g_return_val_if_fail (GADGET_IS_SESSION (session), NULL);

  self = g_object_new (GADGET_TYPE_TRANSCRIPT_MODEL, NULL);
  self->session = g_object_ref (session);
  _gadget_transcript_model_apply_folds (self);
  _gadget_transcript_model_turns_changed (self, 0, 0, gadget_session_get_n_turns (session));
  g_signal_connect_object (session, "items-changed", G_CALLBACK (session_changed_cb), self,
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
 * Returns: (transfer none): the row at @position, valid until the rows change
 */
const GadgetRowSpec *
gadget_transcript_model_get_row (GadgetTranscriptModel *self, guint position)
{
  g_return_val_if_fail (position < self->rows->len, NULL);
  return _gadget_transcript_model_peek_row (self, position);
}

GadgetTurn *
gadget_transcript_model_get_turn (GadgetTranscriptModel *self, guint position)
{
  const GadgetRowSpec *row;

  g_return_val_if_fail (position < self->rows->len, NULL);

  row = _gadget_transcript_model_peek_row (self, position);
  return row->scope > 0 ? gadget_nested_turns_get_turn (self->nested_turns, row->scope)
                        : _gadget_transcript_model_get_entry (self, row->turn)->turn;
}

/**
 * gadget_transcript_model_get_depth:
 *
 * Returns: how many subagents and groups the row is inside of
 */
guint
gadget_transcript_model_get_depth (GadgetTranscriptModel *self, guint position)
{
  const GadgetRowSpec *row;

  g_return_val_if_fail (position < self->rows->len, 0);

  row = _gadget_transcript_model_peek_row (self, position);
  return gadget_nested_turns_get_depth (self->nested_turns, row->scope) + row->indent;
}

/**
 * gadget_transcript_model_get_item:
 *
 * Returns: (transfer none) (nullable): the item that the row shows, %NULL when the row belongs to
 *   its turn
 */
GadgetItem *
gadget_transcript_model_get_item (GadgetTranscriptModel *self, guint position)
{
  const GadgetRowSpec *row;

  g_return_val_if_fail (position < self->rows->len, NULL);

  row = _gadget_transcript_model_peek_row (self, position);
  if (gadget_row_kind_is_of_turn (row->kind))
    return NULL;
  return gadget_turn_get_item (gadget_transcript_model_get_turn (self, position), row->item);
}

const char *
gadget_transcript_model_get_source (GadgetTranscriptModel *self, guint position, gsize *length)
{
  g_return_val_if_fail (position < self->rows->len, NULL);

  return gadget_row_data_get_source (_gadget_transcript_model_peek_row (self, position)->kind,
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
  return _gadget_transcript_model_get_entry (self, turn)->first_row;
}

static void
set_provider_name (GadgetTranscriptModel *self, GadgetRowData *row_data)
{
  const char *id = gadget_turn_get_provider (row_data->turn);
  const guint n = self->providers != NULL ? g_list_model_get_n_items (self->providers) : 0;

  g_set_str (&row_data->provider_name, id);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (self->providers, i);

      if (g_strcmp0 (gadget_provider_config_get_id (config), id) == 0)
        g_set_str (&row_data->provider_name, gadget_provider_config_get_name (config));
    }
}

/* Returns the set in which the unfolded state of the row's object is stored. A call has up to three
 * such states: its group (if it is the first one), its details, and its difference. */
static GHashTable *
get_folds (GadgetTranscriptModel *self, const GadgetRowSpec *row)
{
  if (row->kind == GADGET_ROW_KIND_GROUP)
    return self->unfolded_groups;
  return row->kind == GADGET_ROW_KIND_DIFF ? self->unfolded_diffs : self->expanded;
}

/**
 * gadget_transcript_model_update_row_data:
 * @row_data: row data that were made for the row at @position
 *
 * Updates @row_data to what the row shows now.
 */
void
gadget_transcript_model_update_row_data (GadgetTranscriptModel *self, guint position,
                                         GadgetRowData *row_data)
{
  const GadgetRowSpec *row;
  GObject *object;

  g_return_if_fail (position < self->rows->len && GADGET_IS_ROW_DATA (row_data));

  row = _gadget_transcript_model_peek_row (self, position);
  object = row_data->item != NULL ? G_OBJECT (row_data->item) : G_OBJECT (row_data->turn);
  row_data->start = row->start;
  row_data->end = row->end;
  row_data->context = row->context;
  row_data->folded = row->folded;
  row_data->expanded = g_hash_table_contains (get_folds (self, row), object);
  if (row->scope > 0)
    {
      g_set_object (&row_data->session,
                    gadget_nested_turns_get_session (self->nested_turns, row->scope));
      row_data->depth = gadget_nested_turns_get_depth (self->nested_turns, row->scope);
    }
  g_set_object (&row_data->cache, self->cache);
  g_set_object (&row_data->root, _gadget_transcript_model_get_entry (self, row->turn)->turn);
  g_set_str (&row_data->workspace, gadget_session_get_workspace (self->session));
  if (row->kind == GADGET_ROW_KIND_ERROR || row->kind == GADGET_ROW_KIND_FOOTER)
    set_provider_name (self, row_data);
}

void
gadget_transcript_model_set_providers (GadgetTranscriptModel *self, GListModel *providers)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self));
  g_set_object (&self->providers, providers);
}

void
gadget_transcript_model_set_change_cache (GadgetTranscriptModel *self, GadgetChangeCache *cache)
{
  g_return_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self));
  g_set_object (&self->cache, cache);
}

/**
 * gadget_transcript_model_find_ask:
 * @after: the position of a row, or -1
 *
 * Returns: the first ask card behind @after, else the first of all, which has waited longest; -1
 *   when there is none
 */
int
gadget_transcript_model_find_ask (GadgetTranscriptModel *self, int after)
{
  int first = -1;
  int next = -1;
  guint n_left;

  g_return_val_if_fail (GADGET_IS_TRANSCRIPT_MODEL (self), -1);

  /* All ask cards are in the last turn, so a search from the end is short. */
  n_left = self->n_asks;
  for (guint i = self->rows->len; i > 0 && n_left > 0; i--)
    {
      if (_gadget_transcript_model_peek_row (self, i - 1)->kind != GADGET_ROW_KIND_ASK)
        continue;
      n_left--;
      first = (int) i - 1;
      if (first > after)
        next = first;
    }
  return next >= 0 ? next : first;
}

gboolean
gadget_transcript_model_get_expanded (GadgetTranscriptModel *self, GObject *object)
{
  return g_hash_table_contains (self->expanded, object);
}

/* Requests the subagent's chat of a call that was just unfolded, if it is not in memory. */
static void
need_child (GadgetTranscriptModel *self, const GadgetRowSpec *row, GadgetItem *item)
{
  GadgetSession *session = row->scope > 0
                               ? gadget_nested_turns_get_session (self->nested_turns, row->scope)
                               : self->session;

  _gadget_transcript_model_need_child (
      self, session, _gadget_transcript_model_get_entry (self, row->turn)->turn, item);
}

/**
 * gadget_transcript_model_set_expanded:
 * @position: a row whose item or turn is to be unfolded or folded
 */
void
gadget_transcript_model_set_expanded (GadgetTranscriptModel *self, guint position,
                                      gboolean expanded)
{
  GadgetRowSpec row;
  GHashTable *folds;
  GObject *object;

  g_return_if_fail (position < self->rows->len);

  row = *_gadget_transcript_model_peek_row (self, position);
  folds = get_folds (self, &row);
  object = (GObject *) gadget_transcript_model_get_item (self, position);
  if (object == NULL)
    object = G_OBJECT (gadget_transcript_model_get_turn (self, position));
  _gadget_transcript_model_note_fold (self, &row, expanded);
  if (gadget_row_kind_is_markdown (row.kind))
    {
      _gadget_transcript_model_set_code_open (&row, GADGET_ITEM (object), expanded);
      _gadget_transcript_model_rebuild_turn (self, row.turn);
      _gadget_transcript_model_emit_row_changed (self, position);
      return;
    }
  if (g_hash_table_contains (folds, object) == expanded)
    return;
  if (expanded)
    {
      g_hash_table_add (folds, g_object_ref (object));
      if (folds == self->expanded && GADGET_IS_ITEM (object))
        need_child (self, &row, GADGET_ITEM (object));
    }
  else
    {
      g_hash_table_remove (folds, object);
      if (folds == self->expanded && GADGET_IS_ITEM (object))
        gadget_output_text_forget (GADGET_ITEM (object));
    }
  _gadget_transcript_model_rebuild_turn (self, row.turn);
  _gadget_transcript_model_emit_row_changed (self, position);
}
