/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Changes of chats are saved as gadget-unsaved-table.c says. A chat whose first turn is not stored
 * has nothing to save here: it is stored together with that turn, and is in the recovery file of
 * the turn until then. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-sessions.h"

#include "gadget-unsaved-table.h"
#include "common/gadget-id.h"
#include "store/recovery/gadget-recovery-write.h"
#include "store/gadget-store-sessions.h"

/* In milliseconds. A message that is sent leaves the queue before its turn is in a recovery file,
 * which takes up to a second if the store does not answer. Until then the file of the chat keeps
 * the message. */
#define COPY_AFTER_SENDING_MS 2000

struct _GadgetUnsavedSessions
{
  GObject parent_instance;

  GadgetUnsavedTable *sessions; /* GadgetSession → Unsaved */
};

/* A chat with changes that are not saved. Nothing needs to be in a file if only the time of its
 * last change is new. */
typedef struct
{
  GadgetUnsavedEntry entry;
  GadgetSession *session;
  guint file_timeout; /* id of the clock's timeout; 0 for none */
  char *file_name;
} Unsaved;

G_DEFINE_FINAL_TYPE (GadgetUnsavedSessions, gadget_unsaved_sessions, G_TYPE_OBJECT)

/* --- Recovery files --------------------------------------------------------------------------- */

static void
clear_file_timeout (Unsaved *unsaved)
{
  if (unsaved->file_timeout != 0)
    gadget_clock_remove (unsaved->entry.table->clock, unsaved->file_timeout);
  unsaved->file_timeout = 0;
}

static gboolean
write_session_file (GadgetUnsavedEntry *entry, GAsyncReadyCallback callback, gpointer user_data)
{
  Unsaved *unsaved = (Unsaved *) entry;

  if (!gadget_recovery_write_session_async (entry->table->store, unsaved->file_name,
                                            unsaved->session, callback, user_data))
    return FALSE;
  clear_file_timeout (unsaved);
  return TRUE;
}

static gboolean
session_file_written (GadgetUnsavedEntry *entry, gboolean done)
{
  return ((const Unsaved *) entry)->file_timeout == 0;
}

static void
file_timeout_cb (gpointer user_data)
{
  Unsaved *unsaved = user_data;

  unsaved->file_timeout = 0;
  _gadget_unsaved_entry_write_file (&unsaved->entry);
}

/* A message that leaves the queue may become a turn, which is saved with the turn. */
static void
queue_changed_cb (GListModel *queue, guint position, guint removed, guint added, Unsaved *unsaved)
{
  unsaved->entry.outdated = TRUE;
  if (!unsaved->entry.failed)
    return;
  if (added > 0)
    _gadget_unsaved_entry_write_file (&unsaved->entry);
  else if (unsaved->file_timeout == 0)
    unsaved->file_timeout = gadget_clock_add_timeout (
        unsaved->entry.table->clock, COPY_AFTER_SENDING_MS,
        "[gadget] write the file of a chat again", file_timeout_cb, unsaved);
}

/* --- Saving ----------------------------------------------------------------------------------- */

static Unsaved *
ensure (GadgetUnsavedSessions *self, GadgetSession *session)
{
  Unsaved *unsaved = g_hash_table_lookup (self->sessions->entries, session);

  if (unsaved != NULL)
    return unsaved;
  unsaved =
      _gadget_unsaved_table_add (self->sessions, sizeof (Unsaved), session, g_strdup ("the chat"));
  unsaved->session = g_object_ref (session);
  unsaved->file_name = gadget_id_new ();
  g_signal_connect (gadget_session_get_queue (session), "items-changed",
                    G_CALLBACK (queue_changed_cb), unsaved);
  return unsaved;
}

static void
forget_session (GadgetUnsavedEntry *entry)
{
  Unsaved *unsaved = (Unsaved *) entry;

  clear_file_timeout (unsaved);
  g_signal_handlers_disconnect_by_data (gadget_session_get_queue (unsaved->session), unsaved);
}

static void
free_session (GadgetUnsavedEntry *entry)
{
  Unsaved *unsaved = (Unsaved *) entry;

  g_object_unref (unsaved->session);
  g_free (unsaved->file_name);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedAttempt) attempt = user_data;
  g_autoptr (GError) error = NULL;

  gadget_store_save_session_finish (GADGET_STORE (source), result, &error);
  if (!_gadget_unsaved_attempt_end (attempt))
    return;
  if (error == NULL)
    _gadget_unsaved_entry_written (attempt->entry);
  else if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    _gadget_unsaved_entry_forget (attempt->entry);
  else
    _gadget_unsaved_entry_fail (attempt->entry, error);
}

static void
write_session (GadgetUnsavedEntry *entry)
{
  _gadget_unsaved_entry_begin_write (entry);
  gadget_store_update_session_async (entry->table->store, ((Unsaved *) entry)->session, saved_cb,
                                     _gadget_unsaved_attempt_new (entry));
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_unsaved_sessions_finalize (GObject *object)
{
  _gadget_unsaved_table_free (GADGET_UNSAVED_SESSIONS (object)->sessions);

  G_OBJECT_CLASS (gadget_unsaved_sessions_parent_class)->finalize (object);
}

static void
gadget_unsaved_sessions_class_init (GadgetUnsavedSessionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_sessions_finalize;

  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
gadget_unsaved_sessions_init (GadgetUnsavedSessions *self)
{
}

/**
 * gadget_unsaved_sessions_new:
 * @store: where the chats are saved; a reference is kept
 * @clock: for the pauses between attempts to save, and the limits of waiting
 *
 * Returns: (transfer full): an object with nothing unsaved
 */
GadgetUnsavedSessions *
gadget_unsaved_sessions_new (GadgetStore *store, GadgetClock *clock)
{
  static const GadgetUnsavedFuncs funcs = {
    .timeout_name = "[gadget] save a chat again",
    .reports_late = TRUE,
    .write = write_session,
    .write_file = write_session_file,
    .file_written = session_file_written,
    .forget = forget_session,
    .free = free_session,
  };
  GadgetUnsavedSessions *self = g_object_new (GADGET_TYPE_UNSAVED_SESSIONS, NULL);

  self->sessions = _gadget_unsaved_table_new (self, store, clock, &funcs);
  return self;
}

void
gadget_unsaved_sessions_save (GadgetUnsavedSessions *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_UNSAVED_SESSIONS (self) && GADGET_IS_SESSION (session));
  _gadget_unsaved_entry_changed (&ensure (self, session)->entry);
}

GPtrArray *
gadget_unsaved_sessions_list_lost (GadgetUnsavedSessions *self)
{
  GPtrArray *lost = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer value;

  g_return_val_if_fail (GADGET_IS_UNSAVED_SESSIONS (self), lost);

  g_hash_table_iter_init (&iter, self->sessions->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Unsaved *unsaved = value;

      if (_gadget_unsaved_entry_is_lost (&unsaved->entry))
        g_ptr_array_add (lost, g_object_ref (unsaved->session));
    }
  return lost;
}

void
gadget_unsaved_sessions_settle_async (GadgetUnsavedSessions *self, guint milliseconds,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_UNSAVED_SESSIONS (self));
  _gadget_unsaved_table_settle_async (self->sessions, milliseconds, callback, user_data);
}

/* gadget_unsaved_sessions_settle_finish: always succeeds. What is neither saved nor in a recovery
 * file by then is tried again as long as the process lives. */
void
gadget_unsaved_sessions_settle_finish (GadgetUnsavedSessions *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
