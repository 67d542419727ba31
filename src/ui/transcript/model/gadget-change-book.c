/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-change-book"

#include "config.h"

#include "gadget-change-book.h"

struct _GadgetChangeBook
{
  GObject parent_instance;

  GadgetKeeper *keeper;
  GHashTable *entries; /* id of a turn → Entry */
};

typedef struct
{
  GadgetTurnChanges *changes; /* (nullable) */
  gboolean reading;
  gboolean stale; /* there was more while it was being read */
} Entry;

/* A reading. */
typedef struct
{
  GadgetChangeBook *book;
  char *turn_id;
} Reading;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetChangeBook, gadget_change_book, G_TYPE_OBJECT)

static void read_turn (GadgetChangeBook *self, const char *turn_id, Entry *entry); /* again */

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
  g_object_unref (reading->book);
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
  Entry *entry = g_hash_table_lookup (reading->book->entries, reading->turn_id);

  entry->reading = FALSE;
  if (entry->stale)
    {
      read_turn (reading->book, reading->turn_id, entry);
      return;
    }
  if (changes == NULL)
    {
      g_message ("what a turn changed could not be read: %s", error->message);
      return;
    }
  g_set_object (&entry->changes, changes);
  g_signal_emit (reading->book, signals[CHANGED], 0, reading->turn_id);
}

static void
read_turn (GadgetChangeBook *self, const char *turn_id, Entry *entry)
{
  Reading *reading;

  entry->stale = entry->reading;
  if (entry->reading)
    return;
  entry->reading = TRUE;
  reading = g_new0 (Reading, 1);
  reading->book = g_object_ref (self);
  reading->turn_id = g_strdup (turn_id);
  gadget_turn_changes_read_async (self->keeper, turn_id, read_cb, reading);
}

static void
recorded_cb (GadgetChangeBook *self, const char *turn_id)
{
  Entry *entry = g_hash_table_lookup (self->entries, turn_id);

  if (entry != NULL)
    read_turn (self, turn_id, entry);
}

static void
gadget_change_book_finalize (GObject *object)
{
  GadgetChangeBook *self = GADGET_CHANGE_BOOK (object);

  g_hash_table_unref (self->entries);
  g_clear_object (&self->keeper);

  G_OBJECT_CLASS (gadget_change_book_parent_class)->finalize (object);
}

static void
gadget_change_book_class_init (GadgetChangeBookClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_change_book_finalize;

  /**
   * GadgetChangeBook::changed:
   * @turn_id: whose
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gadget_change_book_init (GadgetChangeBook *self)
{
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
}

GadgetChangeBook *
gadget_change_book_new (GadgetKeeper *keeper)
{
  GadgetChangeBook *self;

  g_return_val_if_fail (GADGET_IS_KEEPER (keeper), NULL);

  self = g_object_new (GADGET_TYPE_CHANGE_BOOK, NULL);
  self->keeper = g_object_ref (keeper);
  g_signal_connect_object (keeper, "recorded", G_CALLBACK (recorded_cb), self, G_CONNECT_SWAPPED);
  return self;
}

GadgetTurnChanges *
gadget_change_book_look (GadgetChangeBook *self, const char *turn_id)
{
  Entry *entry;

  g_return_val_if_fail (GADGET_IS_CHANGE_BOOK (self) && turn_id != NULL, NULL);

  entry = g_hash_table_lookup (self->entries, turn_id);
  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      g_hash_table_insert (self->entries, g_strdup (turn_id), entry);
      read_turn (self, turn_id, entry);
    }
  return entry->changes;
}
