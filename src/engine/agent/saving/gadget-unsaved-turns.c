/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A turn that has ended and is not saved is written again until it is saved; see
 * gadget-unsaved-table.c. Its recovery file also has the title and the queue of the chat, and is
 * written again when these change. A write that is not answered is no news for the user, who was
 * told when the turn ended.
 *
 * The same is done for a turn that is going on and cannot be journaled, or not within a second, as
 * far as it has come, because its process may be killed. That file is removed when the journal has
 * written again; otherwise it becomes the file of the ended turn.
 *
 * A turn of a chat on which another process works cannot be written, because that needs the lease.
 * Such a turn waits as after any other failure, except that the success of another write does not
 * wake it. The chat of an unsaved turn is held, so that another process does not delete it
 * unknowingly; if the chat is deleted all the same, the turn is deleted with it.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-turns.h"

#include "gadget-agent-error.h"
#include "gadget-save-problem.h"
#include "gadget-unsaved-table.h"
#include "store/recovery/gadget-recovery-write.h"
#include "store/gadget-store-sessions.h"

struct _GadgetUnsavedTurns
{
  GObject parent_instance;

  GadgetUnsavedTable *turns; /* turn id → Unsaved */
  GadgetSessionLocks *locks;
};

/* A turn that is not saved. */
typedef struct
{
  GadgetUnsavedEntry entry;
  GadgetTurn *turn;
  GadgetJournal *journal;
  gboolean processing;     /* the journal writes the turn, and the user is not told */
  gboolean journaled;      /* while it is processing the journal has written again */
  gboolean queue_saved;    /* since then the queue was written, too */
  char *locked_session_id; /* (nullable): its open lock is held; NULL while processing */
} Unsaved;

G_DEFINE_FINAL_TYPE (GadgetUnsavedTurns, gadget_unsaved_turns, G_TYPE_OBJECT)

static GListModel *
get_queue (const Unsaved *unsaved)
{
  return gadget_session_get_queue (gadget_journal_get_session (unsaved->journal));
}

static Unsaved *
find (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  return g_hash_table_lookup (self->turns->entries, gadget_turn_get_id (turn));
}

static gint
compare_begun (gconstpointer a, gconstpointer b)
{
  const Unsaved *first = *(const Unsaved *const *) a;
  const Unsaved *second = *(const Unsaved *const *) b;
  const gint64 begun[] = { gadget_turn_get_started_at (first->turn),
                           gadget_turn_get_started_at (second->turn) };

  if (begun[0] != begun[1])
    return begun[0] < begun[1] ? -1 : 1;
  return g_strcmp0 (gadget_turn_get_id (first->turn), gadget_turn_get_id (second->turn));
}

/* Returns the turns that have ended, in the order in which they began, because the store puts a
 * turn that it does not have yet after those that it has. (transfer container) */
static GPtrArray *
list_ended (GadgetUnsavedTable *turns)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, turns->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (!((const Unsaved *) value)->processing)
      g_ptr_array_add (all, value);
  g_ptr_array_sort (all, compare_begun);
  return all;
}

/* --- Recovery files --------------------------------------------------------------------------- */

static gboolean
write_turn_file (GadgetUnsavedEntry *entry, GAsyncReadyCallback callback, gpointer user_data)
{
  gadget_recovery_write_async (entry->table->store, ((Unsaved *) entry)->journal, callback,
                               user_data);
  return TRUE;
}

static gboolean
turn_file_written (GadgetUnsavedEntry *entry, gboolean done)
{
  const Unsaved *unsaved = (const Unsaved *) entry;

  if (unsaved->processing && unsaved->queue_saved)
    _gadget_unsaved_entry_forget (entry);
  return TRUE;
}

/* The queue, and the title of a chat that is not stored, are in no other file either. */
static void
session_changed_cb (Unsaved *unsaved)
{
  unsaved->entry.outdated = TRUE;
  if (unsaved->entry.file != NULL)
    _gadget_unsaved_entry_write_file (&unsaved->entry);
}

/* --- Saving ----------------------------------------------------------------------------------- */

static void
fail (Unsaved *unsaved, const GError *error)
{
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    {
      _gadget_unsaved_entry_forget (&unsaved->entry);
      return;
    }
  gadget_turn_set_save_problem (unsaved->turn, gadget_save_problem_from_error (error));
  _gadget_unsaved_entry_fail (&unsaved->entry, error);
}

/* Another write may have saved the turn before this one ended. */
static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedAttempt) attempt = user_data;
  Unsaved *unsaved = (Unsaved *) attempt->entry;
  GadgetUnsavedTurns *self = attempt->entry->table->owner;
  g_autoptr (GError) error = NULL;

  gadget_journal_commit_finish (GADGET_JOURNAL (source), result, &error);
  gadget_session_locks_release_lease (self->locks, unsaved->locked_session_id);
  if (error == NULL)
    gadget_turn_set_saved (unsaved->turn, TRUE);
  else if (!attempt->entry->forgotten)
    fail (unsaved, error);
}

/* Returns whether the write was started. */
static gboolean
start_commit (Unsaved *unsaved)
{
  GadgetUnsavedTurns *self = unsaved->entry.table->owner;
  g_autoptr (GError) error = NULL;

  if (unsaved->entry.writing)
    return TRUE;
  _gadget_unsaved_entry_begin_write (&unsaved->entry);
  if (!gadget_session_locks_acquire_lease (self->locks, unsaved->locked_session_id, &error))
    {
      fail (unsaved, error);
      return FALSE;
    }
  gadget_journal_commit_async (unsaved->journal, saved_cb,
                               _gadget_unsaved_attempt_new (&unsaved->entry));
  return TRUE;
}

/* Starts to commit the turns of the session that have ended, in their order, up to @last; NULL for
 * all: the store does not take a turn before it has the one that comes before. Returns whether the
 * last write was started. */
static gboolean
commit_up_to (GadgetUnsavedTurns *self, GadgetSession *session, const Unsaved *last)
{
  g_autoptr (GPtrArray) all = list_ended (self->turns);
  gboolean started = FALSE;

  for (guint i = 0; i < all->len; i++)
    {
      Unsaved *unsaved = g_ptr_array_index (all, i);

      if (gadget_journal_get_session (unsaved->journal) != session)
        continue;
      started = start_commit (unsaved);
      if (unsaved == last)
        break;
    }
  return started;
}

static void
write_turn (GadgetUnsavedEntry *entry)
{
  Unsaved *unsaved = (Unsaved *) entry;

  commit_up_to (entry->table->owner, gadget_journal_get_session (unsaved->journal), unsaved);
}

static void
saved_late_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetUnsavedTurns *self)
{
  Unsaved *unsaved = find (self, turn);

  if (gadget_turn_get_saved (turn) && unsaved != NULL)
    _gadget_unsaved_entry_forget (&unsaved->entry);
}

/* --- Processing turns ------------------------------------------------------------------------- */

static Unsaved *
unsaved_new (GadgetUnsavedTurns *self, GadgetTurn *turn, GadgetJournal *journal)
{
  const char *id = gadget_turn_get_id (turn);
  Unsaved *unsaved = _gadget_unsaved_table_add (self->turns, sizeof (Unsaved), id,
                                                g_strdup_printf ("turn %s", id));

  unsaved->turn = g_object_ref (turn);
  unsaved->journal = g_object_ref (journal);
  g_signal_connect_swapped (get_queue (unsaved), "items-changed", G_CALLBACK (session_changed_cb),
                            unsaved);
  g_signal_connect_swapped (gadget_journal_get_session (journal), "notify::title",
                            G_CALLBACK (session_changed_cb), unsaved);
  return unsaved;
}

static void
forget_turn (GadgetUnsavedEntry *entry)
{
  Unsaved *unsaved = (Unsaved *) entry;
  GadgetUnsavedTurns *self = entry->table->owner;

  g_signal_handlers_disconnect_by_func (unsaved->turn, saved_late_cb, self);
  g_signal_handlers_disconnect_by_data (gadget_journal_get_session (unsaved->journal), unsaved);
  g_signal_handlers_disconnect_by_data (get_queue (unsaved), unsaved);
  if (unsaved->locked_session_id != NULL)
    gadget_session_locks_release_open (self->locks, unsaved->locked_session_id);
}

static void
free_turn (GadgetUnsavedEntry *entry)
{
  Unsaved *unsaved = (Unsaved *) entry;

  g_object_unref (unsaved->turn);
  g_object_unref (unsaved->journal);
  g_free (unsaved->locked_session_id);
}

/* The file is removed only now, since it may be the only place that has the queue. */
static void
queue_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetUnsavedAttempt) attempt = user_data;
  Unsaved *unsaved = (Unsaved *) attempt->entry;
  g_autoptr (GError) error = NULL;

  if (!gadget_store_save_session_finish (GADGET_STORE (source), result, &error)
      && !g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    {
      g_message ("a queue is not saved: %s", error->message);
      return;
    }
  if (attempt->entry->forgotten || !unsaved->processing || !unsaved->journaled)
    return;
  unsaved->queue_saved = TRUE;
  if (!unsaved->entry.writing_file)
    _gadget_unsaved_entry_forget (&unsaved->entry);
}

/* The journal has written the turn. The queue is written, too, because it may have changed while it
 * could not be written. */
static void
note_journaled (Unsaved *unsaved)
{
  unsaved->journaled = TRUE;
  gadget_store_update_session_async (unsaved->entry.table->store,
                                     gadget_journal_get_session (unsaved->journal), queue_saved_cb,
                                     _gadget_unsaved_attempt_new (&unsaved->entry));
}

static void
journaled_cb (GadgetJournal *journal, gboolean stored, GadgetUnsavedTurns *self)
{
  GadgetTurn *turn = gadget_journal_get_turn (journal);
  Unsaved *unsaved = find (self, turn);

  if (stored && unsaved != NULL)
    note_journaled (unsaved);
  if (stored
      || gadget_session_get_deletion (gadget_journal_get_session (journal)) == GADGET_DELETION_DONE)
    return;
  /* The store may miss only the turns before this one. */
  commit_up_to (self, gadget_journal_get_session (journal), NULL);
  if (unsaved == NULL)
    unsaved = unsaved_new (self, turn, journal);
  unsaved->processing = TRUE;
  unsaved->journaled = FALSE;
  unsaved->queue_saved = FALSE;
  unsaved->entry.outdated = TRUE;
  _gadget_unsaved_entry_write_file (&unsaved->entry);
}

void
gadget_unsaved_turns_watch (GadgetUnsavedTurns *self, GadgetJournal *journal)
{
  g_signal_connect_object (journal, "written", G_CALLBACK (journaled_cb), self, G_CONNECT_DEFAULT);
}

/* Called when the turn has ended and its commit has succeeded. */
void
gadget_unsaved_turns_note_saved (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  Unsaved *unsaved = find (self, turn);

  if (unsaved != NULL && unsaved->processing)
    note_journaled (unsaved);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_unsaved_turns_finalize (GObject *object)
{
  GadgetUnsavedTurns *self = GADGET_UNSAVED_TURNS (object);

  _gadget_unsaved_table_free (self->turns);
  gadget_session_locks_unref (self->locks);

  G_OBJECT_CLASS (gadget_unsaved_turns_parent_class)->finalize (object);
}

static void
gadget_unsaved_turns_class_init (GadgetUnsavedTurnsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_turns_finalize;

  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
gadget_unsaved_turns_init (GadgetUnsavedTurns *self)
{
}

/**
 * gadget_unsaved_turns_new:
 * @locks: the locks of this process; a reference is kept
 * @store: where the turns are saved; a reference is kept
 * @clock: for the pauses between attempts to save, and the limits of waiting
 *
 * Returns: (transfer full): an object with nothing unsaved
 */
GadgetUnsavedTurns *
gadget_unsaved_turns_new (GadgetSessionLocks *locks, GadgetStore *store, GadgetClock *clock)
{
  static const GadgetUnsavedFuncs funcs = {
    .hash = g_str_hash,
    .equal = g_str_equal,
    .timeout_name = "[gadget] save a turn again",
    .list = list_ended,
    .write = write_turn,
    .write_file = write_turn_file,
    .file_written = turn_file_written,
    .forget = forget_turn,
    .free = free_turn,
  };
  GadgetUnsavedTurns *self = g_object_new (GADGET_TYPE_UNSAVED_TURNS, NULL);

  self->locks = gadget_session_locks_ref (locks);
  self->turns = _gadget_unsaved_table_new (self, store, clock, &funcs);
  return self;
}

void
gadget_unsaved_turns_add (GadgetUnsavedTurns *self, GadgetTurn *turn, GadgetJournal *journal,
                          const char *locked_session_id, const GError *error)
{
  Unsaved *unsaved = find (self, turn);
  const gboolean is_known_late = unsaved != NULL;

  /* Without a commit the journal goes on, but what it writes is not the end of the turn. */
  g_signal_handlers_disconnect_by_func (journal, journaled_cb, self);
  if (unsaved == NULL)
    unsaved = unsaved_new (self, turn, journal);
  unsaved->processing = FALSE;
  unsaved->entry.outdated = TRUE;
  unsaved->locked_session_id = g_strdup (locked_session_id);
  gadget_session_locks_acquire_open (self->locks, locked_session_id);
  _gadget_unsaved_entry_begin_write (&unsaved->entry);
  gadget_turn_set_saved (turn, FALSE);
  g_signal_connect_object (turn, "notify::saved", G_CALLBACK (saved_late_cb), self,
                           G_CONNECT_DEFAULT);
  if (error != NULL)
    {
      fail (unsaved, error);
      return;
    }
  /* The recovery file has the turn as it was before it ended. */
  if (is_known_late)
    _gadget_unsaved_entry_write_file (&unsaved->entry);
  _gadget_unsaved_table_changed (self->turns);
}

void
gadget_unsaved_turns_failed (GadgetUnsavedTurns *self, GadgetTurn *turn, const GError *error)
{
  Unsaved *unsaved = find (self, turn);

  if (unsaved != NULL)
    fail (unsaved, error);
}

guint
gadget_unsaved_turns_get_n (GadgetUnsavedTurns *self)
{
  g_autoptr (GPtrArray) all = NULL;

  g_return_val_if_fail (GADGET_IS_UNSAVED_TURNS (self), 0);
  all = list_ended (self->turns);
  return all->len;
}

GPtrArray *
gadget_unsaved_turns_list (GadgetUnsavedTurns *self)
{
  GPtrArray *turns = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) all = NULL;

  g_return_val_if_fail (GADGET_IS_UNSAVED_TURNS (self), turns);

  all = list_ended (self->turns);
  for (guint i = 0; i < all->len; i++)
    g_ptr_array_add (turns, g_object_ref (((const Unsaved *) g_ptr_array_index (all, i))->turn));
  return turns;
}

const char *
gadget_unsaved_turns_get_path (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  const Unsaved *unsaved;

  g_return_val_if_fail (GADGET_IS_UNSAVED_TURNS (self) && GADGET_IS_TURN (turn), NULL);

  unsaved = find (self, turn);
  return unsaved != NULL && unsaved->entry.file != NULL
             ? gadget_recovery_file_get_path (unsaved->entry.file)
             : NULL;
}

gboolean
gadget_unsaved_turns_save (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  Unsaved *unsaved;

  g_return_val_if_fail (GADGET_IS_UNSAVED_TURNS (self) && GADGET_IS_TURN (turn), FALSE);

  unsaved = find (self, turn);
  return unsaved != NULL && !unsaved->processing
         && commit_up_to (self, gadget_journal_get_session (unsaved->journal), unsaved);
}

/* Called before a turn of the chat begins, which has to come after these turns. */
void
gadget_unsaved_turns_save_session (GadgetUnsavedTurns *self, GadgetSession *session)
{
  g_return_if_fail (GADGET_IS_UNSAVED_TURNS (self) && GADGET_IS_SESSION (session));
  commit_up_to (self, session, NULL);
}

void
gadget_unsaved_turns_keep_files (GadgetUnsavedTurns *self)
{
  g_return_if_fail (GADGET_IS_UNSAVED_TURNS (self));
  self->turns->keep_files = TRUE;
}

/**
 * gadget_unsaved_turns_settle_async:
 * @milliseconds: how long to wait for the answers of the store
 */
void
gadget_unsaved_turns_settle_async (GadgetUnsavedTurns *self, guint milliseconds,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_UNSAVED_TURNS (self));
  _gadget_unsaved_table_settle_async (self->turns, milliseconds, callback, user_data);
}

gboolean
gadget_unsaved_turns_settle_finish (GadgetUnsavedTurns *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), NULL) && gadget_unsaved_turns_get_n (self) == 0;
}
