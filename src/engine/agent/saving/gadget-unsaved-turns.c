/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A turn that has ended and is not saved is written again until it is saved:
 *
 *   writing ── answer ──▶ saved, and forgotten here
 *     ▲  │
 *     │  └── failure ──▶ waiting: 1, 2, 4 … 30 s, or until another write succeeds
 *     └───────────────────┘
 *
 * Until then its text is in a recovery file outside of the database, from the first failure on, or
 * when a write has not been answered for a second. So the turn survives however the process ends.
 * The file also has the title and the queue of the chat, and is written again when these change. It
 * is removed when the turn is saved; a process that ends before leaves it to the next process.
 *
 * The same is done for a turn that is going on and cannot be journaled, or not within a second, as
 * far as it has come, because its process may be killed. That file is removed when the journal has
 * written again; otherwise it becomes the file of the ended turn.
 *
 * A turn of a chat on which another process works cannot be written, because that needs the lease.
 * It waits as after any other failure, except that the success of another write does not wake it.
 * The chat of an unsaved turn is held, so that another process does not delete it unknowingly; if
 * the chat is deleted all the same, the turn is deleted with it.
 *
 * Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-unsaved-turns.h"

#include "gadget-agent-error.h"
#include "gadget-save-problem.h"
#include "gadget-save-retry.h"
#include "gadget-settle-waiters.h"
#include "store/gadget-recovery-write.h"
#include "store/gadget-store-sessions.h"

struct _GadgetUnsavedTurns
{
  GObject parent_instance;

  GadgetLeases *leases;
  GadgetOpenSessions *open_sessions;
  GadgetStore *store;
  GadgetClock *clock;
  GHashTable *turns; /* turn id → Unsaved */
  GadgetSettleWaiters *settlings;
  gboolean told; /* the user knows the paths of the files, so these stay */
};

/* A turn that is not saved. */
typedef struct
{
  GadgetUnsavedTurns *owner; /* (unowned): it owns this */
  GadgetTurn *turn;
  GadgetJournal *journal;
  gboolean going_on;   /* the turn has not ended: the journal writes it, and the user is not told */
  gboolean journalled; /* the turn goes on, and the journal has written again */
  char *lease_session; /* (nullable): NULL while the turn goes on */
  GadgetSaveRetry retry;
  gboolean writing;  /* a write is under way */
  gboolean in_use;   /* another process works on the chat */
  gboolean copying;  /* a recovery file is being written */
  gboolean outdated; /* the file, or what is being written to it, is older than the turn */
  gboolean uncopied; /* no recovery file could be written */
  GadgetRecoveryFile *file;
} Unsaved;

/* One write of a turn to the store, or to a recovery file. Another write may save the turn before
 * this one ends. */
typedef struct
{
  GadgetUnsavedTurns *owner;
  GadgetTurn *turn;
  char *leased; /* (nullable): the session whose lease it holds */
} Attempt;

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetUnsavedTurns, gadget_unsaved_turns, G_TYPE_OBJECT)

static GListModel *
get_queue (const Unsaved *unsaved)
{
  return gadget_session_get_queue (gadget_journal_get_session (unsaved->journal));
}

static void
unsaved_free (gpointer data)
{
  Unsaved *unsaved = data;

  _gadget_save_retry_clear (&unsaved->retry);
  g_signal_handlers_disconnect_by_data (gadget_journal_get_session (unsaved->journal), unsaved);
  g_signal_handlers_disconnect_by_data (get_queue (unsaved), unsaved);
  g_clear_pointer (&unsaved->file, gadget_recovery_file_close);
  if (unsaved->lease_session != NULL)
    gadget_open_sessions_release (unsaved->owner->open_sessions, unsaved->lease_session);
  g_object_unref (unsaved->turn);
  g_object_unref (unsaved->journal);
  g_free (unsaved->lease_session);
  g_free (unsaved);
}

static Unsaved *
find (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  return g_hash_table_lookup (self->turns, gadget_turn_get_id (turn));
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
get_all (GadgetUnsavedTurns *self)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->turns);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (!((const Unsaved *) value)->going_on)
      g_ptr_array_add (all, value);
  g_ptr_array_sort (all, compare_begun);
  return all;
}

static Attempt *
attempt_new (Unsaved *unsaved, const char *leased)
{
  Attempt *attempt = g_new0 (Attempt, 1);

  attempt->owner = g_object_ref (unsaved->owner);
  attempt->turn = g_object_ref (unsaved->turn);
  attempt->leased = g_strdup (leased);
  return attempt;
}

static void
attempt_free (Attempt *attempt)
{
  g_object_unref (attempt->owner);
  g_object_unref (attempt->turn);
  g_free (attempt->leased);
  g_free (attempt);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Attempt, attempt_free)

/* --- Waiting for the end ---------------------------------------------------------------------- */

static gboolean
is_settled (gpointer owner, gboolean late)
{
  g_autoptr (GPtrArray) all = get_all (owner);

  for (guint i = 0; i < all->len; i++)
    {
      const Unsaved *unsaved = g_ptr_array_index (all, i);

      if (unsaved->copying || (unsaved->writing && !late)
          || (unsaved->file == NULL && !unsaved->uncopied))
        return FALSE;
    }
  return TRUE;
}

static void
changed (GadgetUnsavedTurns *self)
{
  g_autoptr (GadgetUnsavedTurns) hold = g_object_ref (self);

  g_signal_emit (self, signals[CHANGED], 0);
  _gadget_settle_waiters_check (self->settlings);
}

/* --- Copying ---------------------------------------------------------------------------------- */

static void copy (Unsaved *unsaved); /* called again when the file is outdated */

/* Called when the turn needs no saving any more. */
static void
drop (Unsaved *unsaved)
{
  GadgetUnsavedTurns *self = unsaved->owner;
  g_autofree char *id = g_strdup (gadget_turn_get_id (unsaved->turn));

  if (!self->told && unsaved->file != NULL)
    _gadget_settle_waiters_remove (self->settlings, g_steal_pointer (&unsaved->file));
  g_hash_table_remove (self->turns, id);
  changed (self);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Attempt) attempt = user_data;
  g_autoptr (GError) error = NULL;
  GadgetRecoveryFile *file = gadget_recovery_write_finish (result, &error);
  Unsaved *unsaved = find (attempt->owner, attempt->turn);

  if (file == NULL)
    g_message ("turn %s is in no recovery file either: %s", gadget_turn_get_id (attempt->turn),
               error->message);
  if (unsaved == NULL)
    {
      /* The turn was saved meanwhile. */
      if (file != NULL)
        _gadget_settle_waiters_remove (attempt->owner->settlings, file);
      return;
    }
  unsaved->copying = FALSE;
  if (file != NULL)
    gadget_recovery_file_replace (&unsaved->file, file);
  else
    unsaved->outdated = TRUE;
  if (unsaved->going_on && unsaved->journalled)
    {
      drop (unsaved);
      return;
    }
  unsaved->uncopied = unsaved->file == NULL;
  if (unsaved->outdated && file != NULL)
    copy (unsaved);
  changed (attempt->owner);
}

static void
copy (Unsaved *unsaved)
{
  if (unsaved->copying || (unsaved->file != NULL && !unsaved->outdated))
    return;
  unsaved->copying = TRUE;
  unsaved->outdated = FALSE;
  gadget_recovery_write_async (unsaved->owner->store, unsaved->journal, copied_cb,
                               attempt_new (unsaved, NULL));
}

/* Called when the answers of the store are late. */
static void
copy_all (gpointer owner)
{
  g_autoptr (GPtrArray) all = get_all (owner);

  for (guint i = 0; i < all->len; i++)
    copy (g_ptr_array_index (all, i));
}

/* The queue, and the title of a chat that is not stored, are in no other file either. */
static void
session_changed_cb (Unsaved *unsaved)
{
  unsaved->outdated = TRUE;
  if (unsaved->file != NULL)
    copy (unsaved);
}

/* --- Saving ----------------------------------------------------------------------------------- */

static gboolean try (Unsaved *unsaved); /* called again after a failure */

static void
retry_cb (gpointer user_data)
{
  Unsaved *unsaved = user_data;

  if (unsaved->writing)
    {
      _gadget_save_retry_fail (&unsaved->retry);
      copy (unsaved);
    }
  else
    {
      try (unsaved);
    }
}

static void forget (GadgetUnsavedTurns *self, GadgetTurn *turn);

static void
fail (Unsaved *unsaved, const GError *error)
{
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    {
      forget (unsaved->owner, unsaved->turn);
      return;
    }
  g_message ("turn %s is not saved: %s", gadget_turn_get_id (unsaved->turn), error->message);
  unsaved->writing = FALSE;
  unsaved->in_use = g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE);
  gadget_turn_set_save_problem (unsaved->turn, gadget_save_problem_from_error (error));
  _gadget_save_retry_fail (&unsaved->retry);
  copy (unsaved);
  changed (unsaved->owner);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Attempt) attempt = user_data;
  GadgetUnsavedTurns *self = attempt->owner;
  g_autoptr (GError) error = NULL;
  Unsaved *unsaved = find (self, attempt->turn);

  gadget_journal_commit_finish (GADGET_JOURNAL (source), result, &error);
  gadget_leases_drop (self->leases, attempt->leased);
  if (error == NULL)
    gadget_turn_set_saved (attempt->turn, TRUE);
  else if (unsaved != NULL)
    fail (unsaved, error);
}

/* Returns whether the write was started. */
static gboolean
try (Unsaved *unsaved)
{
  GadgetUnsavedTurns *self = unsaved->owner;
  g_autoptr (GError) error = NULL;

  if (unsaved->writing)
    return TRUE;
  _gadget_save_retry_begin (&unsaved->retry);
  if (!gadget_leases_hold (self->leases, unsaved->lease_session, &error))
    {
      fail (unsaved, error);
      return FALSE;
    }
  unsaved->writing = TRUE;
  gadget_journal_commit_async (unsaved->journal, saved_cb,
                               attempt_new (unsaved, unsaved->lease_session));
  return TRUE;
}

/* Called when a write to the store has succeeded: others may succeed now, too. */
static void
written_cb (GadgetUnsavedTurns *self)
{
  g_autoptr (GPtrArray) all = get_all (self);

  for (guint i = 0; i < all->len; i++)
    {
      Unsaved *unsaved = g_ptr_array_index (all, i);

      if (!unsaved->in_use && _gadget_save_retry_is_due (self->clock, unsaved->retry.tried_at))
        try (unsaved);
    }
}

static void
saved_late_cb (GadgetTurn *turn, GParamSpec *pspec, GadgetUnsavedTurns *self)
{
  if (gadget_turn_get_saved (turn) && find (self, turn) != NULL)
    forget (self, turn);
}

static void
forget (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  g_autoptr (GadgetTurn) hold = g_object_ref (turn);

  g_signal_handlers_disconnect_by_func (turn, saved_late_cb, self);
  drop (find (self, turn));
}

/* --- Turns that go on ------------------------------------------------------------------------- */

static Unsaved *
unsaved_new (GadgetUnsavedTurns *self, GadgetTurn *turn, GadgetJournal *journal)
{
  Unsaved *unsaved = g_new0 (Unsaved, 1);

  unsaved->owner = self;
  unsaved->turn = g_object_ref (turn);
  unsaved->journal = g_object_ref (journal);
  _gadget_save_retry_init (&unsaved->retry, self->clock, "[gadget] save a turn again", retry_cb,
                           unsaved);
  g_hash_table_insert (self->turns, g_strdup (gadget_turn_get_id (turn)), unsaved);
  g_signal_connect_swapped (get_queue (unsaved), "items-changed", G_CALLBACK (session_changed_cb),
                            unsaved);
  g_signal_connect_swapped (gadget_journal_get_session (journal), "notify::title",
                            G_CALLBACK (session_changed_cb), unsaved);
  return unsaved;
}

static void
session_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_save_session_finish (GADGET_STORE (source), result, &error))
    g_message ("a queue is not saved: %s", error->message);
}

/* The journal has written the turn. The queue is written, too, because it may have changed while it
 * could not be written. */
static void
end_going_on (Unsaved *unsaved)
{
  gadget_store_update_session_async (
      unsaved->owner->store, gadget_journal_get_session (unsaved->journal), session_saved_cb, NULL);
  unsaved->journalled = TRUE;
  if (!unsaved->copying)
    drop (unsaved);
}

static void
journalled_cb (GadgetJournal *journal, gboolean stored, GadgetUnsavedTurns *self)
{
  GadgetTurn *turn = gadget_journal_get_turn (journal);
  Unsaved *unsaved = find (self, turn);

  if (stored && unsaved != NULL)
    end_going_on (unsaved);
  if (stored
      || gadget_session_get_deletion (gadget_journal_get_session (journal)) == GADGET_DELETION_DONE)
    return;
  if (unsaved == NULL)
    unsaved = unsaved_new (self, turn, journal);
  unsaved->going_on = TRUE;
  unsaved->journalled = FALSE;
  unsaved->outdated = TRUE;
  copy (unsaved);
}

void
gadget_unsaved_turns_watch (GadgetUnsavedTurns *self, GadgetJournal *journal)
{
  g_signal_connect_object (journal, "written", G_CALLBACK (journalled_cb), self, G_CONNECT_DEFAULT);
}

/* Called when the turn has ended and its commit has succeeded. */
void
gadget_unsaved_turns_note_saved (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  Unsaved *unsaved = find (self, turn);

  if (unsaved != NULL && unsaved->going_on)
    end_going_on (unsaved);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_unsaved_turns_finalize (GObject *object)
{
  GadgetUnsavedTurns *self = GADGET_UNSAVED_TURNS (object);

  g_hash_table_unref (self->turns);
  _gadget_settle_waiters_free (self->settlings);
  gadget_leases_unref (self->leases);
  gadget_open_sessions_unref (self->open_sessions);
  g_object_unref (self->store);
  g_object_unref (self->clock);

  G_OBJECT_CLASS (gadget_unsaved_turns_parent_class)->finalize (object);
}

static void
gadget_unsaved_turns_class_init (GadgetUnsavedTurnsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_unsaved_turns_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_unsaved_turns_init (GadgetUnsavedTurns *self)
{
  self->turns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unsaved_free);
}

GadgetUnsavedTurns *
gadget_unsaved_turns_new (GadgetLeases *leases, GadgetOpenSessions *open_sessions,
                          GadgetStore *store, GadgetClock *clock)
{
  GadgetUnsavedTurns *self = g_object_new (GADGET_TYPE_UNSAVED_TURNS, NULL);

  self->leases = gadget_leases_ref (leases);
  self->open_sessions = gadget_open_sessions_ref (open_sessions);
  self->store = g_object_ref (store);
  self->clock = g_object_ref (clock);
  self->settlings = _gadget_settle_waiters_new (clock, is_settled, copy_all, self);
  g_signal_connect_object (store, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return self;
}

void
gadget_unsaved_turns_add (GadgetUnsavedTurns *self, GadgetTurn *turn, GadgetJournal *journal,
                          const char *lease_session, const GError *error)
{
  Unsaved *unsaved = find (self, turn);
  const gboolean is_known_late = unsaved != NULL;

  if (unsaved == NULL)
    unsaved = unsaved_new (self, turn, journal);
  unsaved->going_on = FALSE;
  unsaved->outdated = TRUE;
  unsaved->lease_session = g_strdup (lease_session);
  gadget_open_sessions_hold (self->open_sessions, lease_session);
  _gadget_save_retry_begin (&unsaved->retry);
  gadget_turn_set_saved (turn, FALSE);
  g_signal_connect_object (turn, "notify::saved", G_CALLBACK (saved_late_cb), self,
                           G_CONNECT_DEFAULT);
  if (error != NULL)
    {
      fail (unsaved, error);
      return;
    }
  unsaved->writing = TRUE;
  /* The recovery file has the turn as it was before it ended. */
  if (is_known_late)
    copy (unsaved);
  changed (self);
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
  all = get_all (self);
  return all->len;
}

GPtrArray *
gadget_unsaved_turns_list (GadgetUnsavedTurns *self)
{
  GPtrArray *turns = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) all = NULL;

  g_return_val_if_fail (GADGET_IS_UNSAVED_TURNS (self), turns);

  all = get_all (self);
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
  return unsaved != NULL && unsaved->file != NULL ? gadget_recovery_file_get_path (unsaved->file)
                                                  : NULL;
}

gboolean
gadget_unsaved_turns_save (GadgetUnsavedTurns *self, GadgetTurn *turn)
{
  Unsaved *unsaved;

  g_return_val_if_fail (GADGET_IS_UNSAVED_TURNS (self) && GADGET_IS_TURN (turn), FALSE);

  unsaved = find (self, turn);
  return unsaved != NULL && !unsaved->going_on && try (unsaved);
}

/* Called before a turn of the chat begins, which has to come after these turns. */
void
gadget_unsaved_turns_save_chat (GadgetUnsavedTurns *self, GadgetSession *session)
{
  g_autoptr (GPtrArray) all = NULL;

  g_return_if_fail (GADGET_IS_UNSAVED_TURNS (self) && GADGET_IS_SESSION (session));

  all = get_all (self);
  for (guint i = 0; i < all->len; i++)
    {
      Unsaved *unsaved = g_ptr_array_index (all, i);

      if (gadget_journal_get_session (unsaved->journal) == session)
        try (unsaved);
    }
}

void
gadget_unsaved_turns_keep_files (GadgetUnsavedTurns *self)
{
  g_return_if_fail (GADGET_IS_UNSAVED_TURNS (self));
  self->told = TRUE;
}

/**
 * gadget_unsaved_turns_settle_async:
 * @milliseconds: how long to wait for the answers of the store
 */
void
gadget_unsaved_turns_settle_async (GadgetUnsavedTurns *self, guint milliseconds,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) all = NULL;
  GTask *task;

  g_return_if_fail (GADGET_IS_UNSAVED_TURNS (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_unsaved_turns_settle_async);
  all = get_all (self);
  for (guint i = 0; i < all->len; i++)
    try (g_ptr_array_index (all, i));
  _gadget_settle_waiters_add (self->settlings, task, milliseconds);
  changed (self);
}

gboolean
gadget_unsaved_turns_settle_finish (GadgetUnsavedTurns *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), NULL) && gadget_unsaved_turns_get_n (self) == 0;
}
