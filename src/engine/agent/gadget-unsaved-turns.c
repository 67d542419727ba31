/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-turns.h"

struct _GadgetUnsavedTurns
{
  GObject parent_instance;

  GadgetLeases *leases;
  GHashTable *turns; /* turn id → Unsaved */
};

typedef struct
{
  GadgetJournal *journal;
  char *lease_session;
} Unsaved;

/* A try to write one. */
typedef struct
{
  GadgetLeases *leases;
  GadgetTurn *turn;
  char *leased;
} Saving;

G_DEFINE_FINAL_TYPE (GadgetUnsavedTurns, gadget_unsaved_turns, G_TYPE_OBJECT)

static void
unsaved_free (gpointer data)
{
  Unsaved *unsaved = data;

  g_object_unref (unsaved->journal);
  g_free (unsaved->lease_session);
  g_free (unsaved);
}

static void
gadget_unsaved_turns_finalize (GObject *object)
{
  GadgetUnsavedTurns *self = GADGET_UNSAVED_TURNS (object);

  g_hash_table_unref (self->turns);
  _gadget_leases_unref (self->leases);

  G_OBJECT_CLASS (gadget_unsaved_turns_parent_class)->finalize (object);
}

static void
gadget_unsaved_turns_class_init (GadgetUnsavedTurnsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_turns_finalize;
}

static void
gadget_unsaved_turns_init (GadgetUnsavedTurns *self)
{
  self->turns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unsaved_free);
}

GadgetUnsavedTurns *
_gadget_unsaved_turns_new (GadgetLeases *leases)
{
  GadgetUnsavedTurns *self = g_object_new (GADGET_TYPE_UNSAVED_TURNS, NULL);

  self->leases = _gadget_leases_ref (leases);
  return self;
}

static void
saved_late_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetUnsavedTurns *self)
{
  if (!gadget_turn_get_saved (turn))
    return;
  g_signal_handlers_disconnect_by_func (turn, saved_late_cb, self);
  g_hash_table_remove (self->turns, gadget_turn_get_id (turn));
}

void
_gadget_unsaved_turns_keep (GadgetUnsavedTurns *self, GadgetTurn *turn, GadgetJournal *journal,
                            const char *lease_session)
{
  Unsaved *unsaved = g_new0 (Unsaved, 1);

  unsaved->journal = g_object_ref (journal);
  unsaved->lease_session = g_strdup (lease_session);
  g_hash_table_insert (self->turns, g_strdup (gadget_turn_get_id (turn)), unsaved);
  g_signal_connect_object (turn, "notify::saved", G_CALLBACK (saved_late_cb), self,
                           G_CONNECT_DEFAULT);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Saving *saving = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean saved = gadget_journal_commit_finish (GADGET_JOURNAL (source), result, &error);

  _gadget_leases_drop (saving->leases, saving->leased);
  if (saved)
    gadget_turn_set_saved (saving->turn, TRUE);
  else
    g_message ("turn %s is still not saved: %s", gadget_turn_get_id (saving->turn), error->message);
  _gadget_leases_unref (saving->leases);
  g_object_unref (saving->turn);
  g_free (saving->leased);
  g_free (saving);
}

gboolean
_gadget_unsaved_turns_save (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  const Unsaved *unsaved = g_hash_table_lookup (self->turns, gadget_turn_get_id (turn));
  g_autoptr (GError) error = NULL;
  Saving *saving;

  if (unsaved == NULL)
    return FALSE;
  /* Another process may have gone on with the chat. */
  if (!_gadget_leases_hold (self->leases, unsaved->lease_session, &error))
    {
      g_message ("turn %s is still not saved: %s", gadget_turn_get_id (turn), error->message);
      return FALSE;
    }
  saving = g_new0 (Saving, 1);
  saving->leases = _gadget_leases_ref (self->leases);
  saving->turn = g_object_ref (turn);
  saving->leased = g_strdup (unsaved->lease_session);
  gadget_journal_commit_async (unsaved->journal, saved_cb, saving);
  return TRUE;
}
