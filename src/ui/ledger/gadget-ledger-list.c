/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Effects are read in pages. What is read again is merged: an effect that was in the list keeps its
 * entry, and only the part of the list that differs is changed, so that the focus and the scroll
 * position stay. Answers to an earlier query are dropped. */

#define G_LOG_DOMAIN "gadget-ledger"

#include "config.h"

#include "gadget-ledger-list.h"

/* More than two windows full. */
#define PAGE 50

struct _GadgetLedgerEntry
{
  GObject parent_instance;

  GadgetSession *session;
  GadgetFoundEffect *found;
  int day; /* the date in the local time, as a number like 20240131 */
  gboolean first;
  gboolean last;
};

G_DEFINE_FINAL_TYPE (GadgetLedgerEntry, gadget_ledger_entry, G_TYPE_OBJECT)

struct _GadgetLedgerList
{
  GObject parent_instance;

  GadgetEngine *engine;
  GPtrArray *entries; /* of GadgetLedgerEntry */
  GArray *starts;     /* of guint: the position of the first entry of each day */

  GadgetEffectQuery query; /* owns its strings */
  gint64 last;             /* the cursor behind the last page: a time and a number */
  gint64 last_number;
  guint n_read;     /* how many effects were read, with those of chats that are gone */
  guint generation; /* of the query */
  gboolean loading;
  gboolean complete; /* there is no other page */
  gboolean outdated; /* to be read again after the page that is being read */
};

enum
{
  CHANGED,
  LOADED,
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* --- Entries ---------------------------------------------------------------------------------- */

static void
gadget_ledger_entry_finalize (GObject *object)
{
  GadgetLedgerEntry *self = GADGET_LEDGER_ENTRY (object);

  g_object_unref (self->session);
  gadget_found_effect_free (self->found);

  G_OBJECT_CLASS (gadget_ledger_entry_parent_class)->finalize (object);
}

static void
gadget_ledger_entry_class_init (GadgetLedgerEntryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_ledger_entry_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_ledger_entry_init (GadgetLedgerEntry *self)
{
}

static int
get_day (gint64 ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (ms / 1000);

  return time != NULL ? g_date_time_get_year (time) * 10000 + g_date_time_get_month (time) * 100
                            + g_date_time_get_day_of_month (time)
                      : 0;
}

/* @found is (transfer full). */
static GadgetLedgerEntry *
entry_new (GadgetSession *session, GadgetFoundEffect *found)
{
  GadgetLedgerEntry *entry = g_object_new (GADGET_TYPE_LEDGER_ENTRY, NULL);

  entry->session = g_object_ref (session);
  entry->found = found;
  entry->day = get_day (found->row->started_at);
  return entry;
}

static gboolean
is_same (const GadgetFoundEffect *a, const GadgetFoundEffect *b)
{
  return a->undone_at == b->undone_at && a->has_changes == b->has_changes
         && a->row->recording == b->row->recording && a->row->ended_at == b->row->ended_at
         && g_strcmp0 (a->row->outcome, b->row->outcome) == 0
         && (a->summary == NULL) == (b->summary == NULL);
}

/* @found is (transfer full). */
static void
entry_update (GadgetLedgerEntry *entry, GadgetFoundEffect *found)
{
  const gboolean changed = !is_same (entry->found, found);

  gadget_found_effect_free (entry->found);
  entry->found = found;
  if (changed)
    g_signal_emit (entry, signals[CHANGED], 0);
}

static void
entry_set_edges (GadgetLedgerEntry *entry, gboolean first, gboolean last)
{
  if (entry->first == first && entry->last == last)
    return;
  entry->first = first;
  entry->last = last;
  g_signal_emit (entry, signals[CHANGED], 0);
}

/* gadget_ledger_entry_get_found: returns the effect, which is valid until "changed" is emitted.
 * (transfer none) */
const GadgetFoundEffect *
gadget_ledger_entry_get_found (GadgetLedgerEntry *self)
{
  g_return_val_if_fail (GADGET_IS_LEDGER_ENTRY (self), NULL);
  return self->found;
}

GadgetSession *
gadget_ledger_entry_get_session (GadgetLedgerEntry *self)
{
  g_return_val_if_fail (GADGET_IS_LEDGER_ENTRY (self), NULL);
  return self->session;
}

gboolean
gadget_ledger_entry_is_first (GadgetLedgerEntry *self)
{
  g_return_val_if_fail (GADGET_IS_LEDGER_ENTRY (self), FALSE);
  return self->first;
}

gboolean
gadget_ledger_entry_is_last (GadgetLedgerEntry *self)
{
  g_return_val_if_fail (GADGET_IS_LEDGER_ENTRY (self), FALSE);
  return self->last;
}

/* --- The list --------------------------------------------------------------------------------- */

static GadgetLedgerEntry *
get_entry (GadgetLedgerList *self, guint position)
{
  return g_ptr_array_index (self->entries, position);
}

static GType
get_item_type (GListModel *model)
{
  return GADGET_TYPE_LEDGER_ENTRY;
}

static guint
get_n_items (GListModel *model)
{
  return GADGET_LEDGER_LIST (model)->entries->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  GadgetLedgerList *self = GADGET_LEDGER_LIST (model);

  return position < self->entries->len ? g_object_ref (get_entry (self, position)) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
get_section (GtkSectionModel *model, guint position, guint *start, guint *end)
{
  GadgetLedgerList *self = GADGET_LEDGER_LIST (model);

  *start = self->entries->len;
  *end = G_MAXUINT;
  if (position >= self->entries->len)
    return;
  *end = self->entries->len;
  for (guint i = self->starts->len; i > 0; i--)
    {
      *start = g_array_index (self->starts, guint, i - 1);
      if (*start <= position)
        return;
      *end = *start;
    }
}

static void
section_model_init (GtkSectionModelInterface *iface)
{
  iface->get_section = get_section;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetLedgerList, gadget_ledger_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SECTION_MODEL,
                                                          section_model_init))

static void
divide (GadgetLedgerList *self)
{
  const guint n = self->entries->len;

  g_array_set_size (self->starts, 0);
  for (guint i = 0; i < n; i++)
    {
      GadgetLedgerEntry *entry = get_entry (self, i);
      const gboolean first = i == 0 || get_entry (self, i - 1)->day != entry->day;

      if (first)
        g_array_append_val (self->starts, i);
      entry_set_edges (entry, first, i + 1 == n || get_entry (self, i + 1)->day != entry->day);
    }
}

/* Takes the place of the entries, and tells which of them differ. */
static void
replace (GadgetLedgerList *self, GPtrArray *entries)
{
  g_autoptr (GPtrArray) old = g_steal_pointer (&self->entries);
  const guint n = MIN (old->len, entries->len);
  guint begin = 0;
  guint end = 0;

  while (begin < n && old->pdata[begin] == entries->pdata[begin])
    begin++;
  while (begin + end < n
         && old->pdata[old->len - 1 - end] == entries->pdata[entries->len - 1 - end])
    end++;
  self->entries = g_ptr_array_ref (entries);
  divide (self);
  if (begin + end < MAX (old->len, entries->len))
    g_list_model_items_changed (G_LIST_MODEL (self), begin, old->len - begin - end,
                                entries->len - begin - end);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The data of a query to the store. */
typedef struct
{
  GadgetLedgerList *list;
  guint generation;
  gboolean appending;
  guint limit;
} Reading;

static void
reading_free (Reading *reading)
{
  g_object_unref (reading->list);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

static void read_page (GadgetLedgerList *self, gboolean appending, guint limit);

/* Returns the chat of an effect, if it is not about to be deleted. */
static GadgetSession *
find_session (GadgetLedgerList *self, const char *id)
{
  GadgetSession *session = gadget_engine_find_session (self->engine, id);

  return session != NULL && gadget_session_get_deletion (session) == GADGET_DELETION_NONE ? session
                                                                                          : NULL;
}

static void
add_found (GadgetLedgerList *self, GPtrArray *entries, GHashTable *known, GPtrArray *found)
{
  while (found->len > 0)
    {
      GadgetFoundEffect *effect = g_ptr_array_steal_index (found, 0);
      GadgetSession *session = find_session (self, effect->session_id);
      GadgetLedgerEntry *entry = g_hash_table_lookup (known, &effect->row->number);

      self->last = effect->row->started_at;
      self->last_number = effect->row->number;
      if (session == NULL)
        {
          gadget_found_effect_free (effect);
          continue;
        }
      if (entry == NULL)
        g_ptr_array_add (entries, entry_new (session, effect));
      else
        {
          g_ptr_array_add (entries, g_object_ref (entry));
          entry_update (entry, effect);
        }
    }
}

/* Returns the entries by the numbers of their effects, of which each has a copy. */
static GHashTable *
index_entries (GPtrArray *entries)
{
  GHashTable *known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      GadgetLedgerEntry *entry = g_ptr_array_index (entries, i);

      g_hash_table_insert (
          known, g_memdup2 (&entry->found->row->number, sizeof entry->found->row->number), entry);
    }
  return known;
}

static void
merge (GadgetLedgerList *self, GPtrArray *found, gboolean appending)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) known = index_entries (self->entries);

  for (guint i = 0; appending && i < self->entries->len; i++)
    g_ptr_array_add (entries, g_object_ref (get_entry (self, i)));
  add_found (self, entries, known, found);
  replace (self, entries);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  GadgetLedgerList *self = reading->list;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found =
      gadget_store_find_effects_finish (GADGET_STORE (source), result, &error);
  const guint n_before = reading->appending ? self->entries->len : 0;

  if (reading->generation != self->generation)
    return;
  self->loading = FALSE;
  if (found == NULL)
    {
      g_message ("the ledger could not be read: %s", error->message);
      g_signal_emit (self, signals[FAILED], 0);
      return;
    }
  self->complete = found->len < reading->limit;
  self->n_read = found->len + (reading->appending ? self->n_read : 0);
  merge (self, found, reading->appending);
  if (self->outdated)
    gadget_ledger_list_refresh (self);
  else if (!self->complete && self->entries->len == n_before)
    read_page (self, TRUE, PAGE);
  if (!reading->appending)
    g_signal_emit (self, signals[LOADED], 0);
}

static void
read_page (GadgetLedgerList *self, gboolean appending, guint limit)
{
  GadgetEffectQuery query;
  Reading *reading = g_new0 (Reading, 1);

  if (!appending)
    {
      g_strfreev ((GStrv) self->query.ignored_chats);
      self->query.ignored_chats =
          (const char *const *) gadget_engine_list_pending_deletions (self->engine);
    }
  query = self->query;
  query.limit = limit;
  if (appending)
    {
      query.before = self->last;
      query.before_number = self->last_number;
    }
  reading->list = g_object_ref (self);
  reading->generation = self->generation;
  reading->appending = appending;
  reading->limit = limit;
  self->loading = TRUE;
  gadget_store_find_effects_async (gadget_engine_get_store (self->engine), &query, read_cb,
                                   reading);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_ledger_list_finalize (GObject *object)
{
  GadgetLedgerList *self = GADGET_LEDGER_LIST (object);

  gadget_effect_query_clear (&self->query);
  g_object_unref (self->engine);
  g_ptr_array_unref (self->entries);
  g_array_unref (self->starts);

  G_OBJECT_CLASS (gadget_ledger_list_parent_class)->finalize (object);
}

static void
gadget_ledger_list_class_init (GadgetLedgerListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_ledger_list_finalize;

  signals[LOADED] = g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_ledger_list_init (GadgetLedgerList *self)
{
  self->entries = g_ptr_array_new_with_free_func (g_object_unref);
  self->starts = g_array_new (FALSE, FALSE, sizeof (guint));
  self->complete = TRUE;
}

/* gadget_ledger_list_new: makes an empty list, which reads nothing before it has a query. (transfer
 * full) */
GadgetLedgerList *
gadget_ledger_list_new (GadgetEngine *engine)
{
  GadgetLedgerList *self;

  g_return_val_if_fail (GADGET_IS_ENGINE (engine), NULL);

  self = g_object_new (GADGET_TYPE_LEDGER_LIST, NULL);
  self->engine = g_object_ref (engine);
  return self;
}

void
gadget_ledger_list_set_query (GadgetLedgerList *self, const GadgetEffectQuery *query)
{
  g_return_if_fail (GADGET_IS_LEDGER_LIST (self) && query != NULL);

  gadget_effect_query_clear (&self->query);
  self->query = gadget_effect_query_copy (query);
  self->generation++;
  self->outdated = FALSE;
  read_page (self, FALSE, PAGE);
}

GadgetEffectQuery
gadget_ledger_list_get_query (GadgetLedgerList *self)
{
  return self->query;
}

void
gadget_ledger_list_load_more (GadgetLedgerList *self)
{
  g_return_if_fail (GADGET_IS_LEDGER_LIST (self));

  if (!self->loading && !self->complete)
    read_page (self, TRUE, PAGE);
}

void
gadget_ledger_list_refresh (GadgetLedgerList *self)
{
  g_return_if_fail (GADGET_IS_LEDGER_LIST (self));

  self->outdated = self->loading;
  if (!self->loading)
    read_page (self, FALSE, MAX (PAGE, self->n_read));
}

GadgetLedgerEntry *
gadget_ledger_list_find (GadgetLedgerList *self, gint64 number)
{
  g_return_val_if_fail (GADGET_IS_LEDGER_LIST (self), NULL);

  for (guint i = 0; i < self->entries->len; i++)
    if (get_entry (self, i)->found->row->number == number)
      return get_entry (self, i);
  return NULL;
}
