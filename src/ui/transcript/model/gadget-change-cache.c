/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A cache in front of gadget_turn_changes_read_async (). Everything here runs on the main context.
 * For each turn there is at most one reading; when the turn changes meanwhile, it is read once more
 * after that. */

#define G_LOG_DOMAIN "gadget-change-cache"

#include "config.h"

#include "gadget-change-cache.h"

struct _GadgetChangeCache
{
  GObject parent_instance;

  GadgetSnapshotService *service;
  GHashTable *entries; /* id of a turn → Entry */
};

typedef struct
{
  GadgetTurnChanges *changes; /* (nullable) */
  gboolean reading;
  gboolean stale; /* the turn changed while it was being read */
} Entry;

/* One asynchronous reading of a turn's changes. */
typedef struct
{
  GadgetChangeCache *cache;
  char *turn_id;
} Reading;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetChangeCache, gadget_change_cache, G_TYPE_OBJECT)

static void read_turn (GadgetChangeCache *self, const char *turn_id, Entry *entry); /* needed by
                                                                                     * read_cb () */

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_clear_object (&entry->changes);
  g_free (entry);
}

static void
reading_free (Reading *reading)
{
  g_object_unref (reading->cache);
  g_free (reading->turn_id);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetTurnChanges) changes = gadget_turn_changes_read_finish (result, &error);
  Entry *entry = g_hash_table_lookup (reading->cache->entries, reading->turn_id);

  entry->reading = FALSE;
  if (entry->stale)
    {
      read_turn (reading->cache, reading->turn_id, entry);
      return;
    }
  if (changes == NULL)
    {
      g_message ("what a turn changed could not be read: %s", error->message);
      return;
    }
  g_set_object (&entry->changes, changes);
  g_signal_emit (reading->cache, signals[CHANGED], 0, reading->turn_id);
}

static void
read_turn (GadgetChangeCache *self, const char *turn_id, Entry *entry)
{
  Reading *reading;

  entry->stale = entry->reading;
  if (entry->reading)
    return;
  entry->reading = TRUE;
  reading = g_new0 (Reading, 1);
  reading->cache = g_object_ref (self);
  reading->turn_id = g_strdup (turn_id);
  gadget_turn_changes_read_async (self->service, turn_id, read_cb, reading);
}

static void
recorded_cb (GadgetChangeCache *self, const char *turn_id)
{
  Entry *entry = g_hash_table_lookup (self->entries, turn_id);

  if (entry != NULL)
    read_turn (self, turn_id, entry);
}

static void
gadget_change_cache_finalize (GObject *object)
{
  GadgetChangeCache *self = GADGET_CHANGE_CACHE (object);

  g_hash_table_unref (self->entries);
  g_clear_object (&self->service);

  G_OBJECT_CLASS (gadget_change_cache_parent_class)->finalize (object);
}

static void
gadget_change_cache_class_init (GadgetChangeCacheClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_change_cache_finalize;

  /**
   * GadgetChangeCache::changed:
   * @turn_id: the turn whose changes were read
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gadget_change_cache_init (GadgetChangeCache *self)
{
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
}

GadgetChangeCache *
gadget_change_cache_new (GadgetSnapshotService *service)
{
  GadgetChangeCache *self;

  g_return_val_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service), NULL);

  self = g_object_new (GADGET_TYPE_CHANGE_CACHE, NULL);
  self->service = g_object_ref (service);
  g_signal_connect_object (service, "recorded", G_CALLBACK (recorded_cb), self, G_CONNECT_SWAPPED);
  return self;
}

GadgetTurnChanges *
gadget_change_cache_get (GadgetChangeCache *self, const char *turn_id)
{
  Entry *entry;

  g_return_val_if_fail (GADGET_IS_CHANGE_CACHE (self) && turn_id != NULL, NULL);

  entry = g_hash_table_lookup (self->entries, turn_id);
  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      g_hash_table_insert (self->entries, g_strdup (turn_id), entry);
      read_turn (self, turn_id, entry);
    }
  return entry->changes;
}
