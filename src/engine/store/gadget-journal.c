/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything the user sees is stored within a quarter of a second, so that a crash loses no more
 * than that.
 *
 * The journal listens to the turn and its items. The first change after a pause is written by the
 * next iteration of the main loop, later changes at most WRITE_INTERVAL_MS after they were made. At
 * most one write is under way: a slow disk makes writes fewer and larger, and never a queue of
 * them. Nothing is marked as stored before the store's thread has reported success, so the next
 * write makes up for a failed one.
 *
 * For an item that grows, only the new bytes are sent to the thread (a "piece", which says where it
 * belongs, so that writing it twice is harmless); the item's other fields are sent when one of them
 * changed; the whole item is sent once, when it settles.
 *
 * A message that moves from the queue into the turn is written in one transaction with the
 * shortened queue, as is the turn's prompt. A turn that replaces others is written in one
 * transaction with their removal.
 *
 * While the journal runs, the stored turn is "processing", whatever status the turn has: only the
 * commit stores its end, together with everything that is not stored yet, in one transaction that
 * waits for the disk (synchronous = FULL; earlier writes survive a crash of Gadget but perhaps not
 * a power cut). The caller may repeat the commit until it succeeds. It takes its data from the
 * objects each time, so a database that missed all earlier writes still gets the whole turn. After
 * the first call of commit, the journal writes no changes by itself. */

#define G_LOG_DOMAIN "gadget-journal"

#include "config.h"

#include "common/gadget-clock.h"
#include "gadget-journal-private.h"

/* Well below the 250 ms that may be lost, since the main loop may be late and the disk slow. */
#define WRITE_INTERVAL_MS 100
/* The pause after a failed write (the disk may be full). If one write takes longer than this,
 * "written" reports that the changes are not stored (another program may lock the database). */
#define RETRY_INTERVAL_MS 1000

/* The state of an item in the database. Lengths are in bytes. */
typedef struct
{
  GadgetItem *item;
  gboolean changed;       /* fields other than text and arguments changed since the last write */
  gboolean whole;         /* stored completely, as a settled item */
  gsize text_stored;      /* stored length of its text */
  gsize arguments_stored; /* stored length of its arguments */
} ItemState;

struct _GadgetJournal
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetSession *session;
  GadgetTurn *turn;
  GPtrArray *states; /* of ItemState, by position of the item */
  char **replaced;   /* (nullable): ids of turns that this one replaces */
  char *run_id;      /* (nullable): id of the turn's run */

  gboolean started;       /* the turn's row is stored */
  gboolean queue_changed; /* a queued message became an item, so the queue must be written too */
  gboolean dirty;         /* there are changes to write */
  gboolean writing;       /* a write is under way */
  gboolean committing;    /* commit was called */
  gboolean failed;        /* the last write failed */
  gint64 written_us;      /* monotonic time at which the last write was sent */
  guint timeout;
  guint slow_timeout; /* runs while a write is under way */
};

enum
{
  WRITTEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetJournal, gadget_journal, G_TYPE_OBJECT)

static void
item_state_free (gpointer data)
{
  ItemState *state = data;

  g_object_unref (state->item);
  g_free (state);
}

/* --- Taking changes --------------------------------------------------------------------------- */

/* Returns the id of the turn before this one if that turn is not saved, so that the store may not
 * have it. (transfer full) (nullable) */
static char *
dup_unsaved_previous (GadgetJournal *self)
{
  const int index = gadget_session_find_turn (self->session, gadget_turn_get_id (self->turn));
  GadgetTurn *previous =
      index > 0 ? gadget_session_get_turn (self->session, (guint) index - 1) : NULL;

  return previous != NULL && !gadget_turn_get_saved (previous)
             ? g_strdup (gadget_turn_get_id (previous))
             : NULL;
}

static GadgetJournalWrite *
write_new (GadgetJournal *self, gboolean with_session, gboolean with_attachments)
{
  GadgetJournalWrite *write =
      _gadget_journal_write_new (self->session, self->turn, with_session, with_attachments);

  if (!self->started)
    {
      write->replaced = g_strdupv (self->replaced);
      write->run_id = g_strdup (self->run_id);
      write->previous = dup_unsaved_previous (self);
    }
  return write;
}

static gboolean
is_stored (const ItemState *state)
{
  return state->whole && !state->changed;
}

static void
add_pieces (GadgetJournalWrite *write, const ItemState *state, guint position)
{
  const char *arguments = gadget_item_get_arguments (state->item);
  gsize text_length = gadget_item_get_length (state->item);
  gsize arguments_length = strlen (arguments);

  if (text_length > state->text_stored)
    g_ptr_array_add (write->pieces, _gadget_piece_row_new (position, GADGET_PIECE_TEXT,
                                                           gadget_item_get_text (state->item),
                                                           state->text_stored, text_length));
  if (arguments_length > state->arguments_stored)
    g_ptr_array_add (write->pieces,
                     _gadget_piece_row_new (position, GADGET_PIECE_ARGUMENTS, arguments,
                                            state->arguments_stored, arguments_length));
}

static GadgetJournalWrite *
take_changes (GadgetJournal *self)
{
  GadgetJournalWrite *write =
      write_new (self, !self->started || self->queue_changed, !self->started);

  write->turn->status = GADGET_TURN_PROCESSING;
  write->turn->stop_reason = GADGET_STOP_NONE;
  write->turn->ended_at = 0;
  for (guint i = 0; i < self->states->len; i++)
    {
      const ItemState *state = g_ptr_array_index (self->states, i);
      gboolean settled = gadget_item_is_settled (state->item);

      if (is_stored (state))
        continue;
      if (state->changed)
        g_ptr_array_add (write->items, _gadget_item_row_new_from (state->item, i, settled));
      if (!settled)
        add_pieces (write, state, i);
    }
  return write;
}

static GadgetJournalWrite *
take_end (GadgetJournal *self)
{
  GadgetJournalWrite *write = write_new (self, TRUE, TRUE);

  for (guint i = 0; i < self->states->len; i++)
    {
      const ItemState *state = g_ptr_array_index (self->states, i);

      if (!is_stored (state))
        g_ptr_array_add (write->items, _gadget_item_row_new_from (state->item, i, TRUE));
    }
  return write;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* The end of a write schedules the next one. */
static void schedule (GadgetJournal *self);

/* The replaced turns are removed from the stored session now. */
static void
mark_replaced (GadgetJournal *self, const GadgetJournalWrite *write)
{
  for (guint i = 0; write->replaced != NULL && write->replaced[i] != NULL; i++)
    gadget_session_finish_removal (self->session, write->replaced[i]);
}

static void
mark_session_stored (GadgetJournal *self, const GadgetJournalWrite *write)
{
  if (write->session != NULL)
    _gadget_session_note_settings (self->session, write->session, write->session->n_changes);
}

/* The stored lengths come from the rows that were written, because the objects may have grown
 * since. */
static void
mark_stored (GadgetJournal *self, const GadgetJournalWrite *write)
{
  self->started = TRUE;
  mark_session_stored (self, write);
  mark_replaced (self, write);
  for (guint i = 0; i < write->items->len; i++)
    {
      const GadgetItemRow *row = g_ptr_array_index (write->items, i);
      ItemState *state = g_ptr_array_index (self->states, row->position);

      state->whole = row->whole;
      if (row->whole)
        {
          state->text_stored = row->text->len;
          state->arguments_stored = row->arguments->len;
        }
    }
  for (guint i = 0; i < write->pieces->len; i++)
    {
      const GadgetPieceRow *row = g_ptr_array_index (write->pieces, i);
      ItemState *state = g_ptr_array_index (self->states, row->position);
      gsize *stored = g_str_equal (row->field, GADGET_PIECE_TEXT) ? &state->text_stored
                                                                  : &state->arguments_stored;

      *stored = row->offset + row->length;
    }
}

/* A deleted session is never stored again. The session tells that to its views and to all who would
 * write to it. */
static void
mark_deleted (GadgetJournal *self, const GError *error)
{
  if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    gadget_session_set_deletion (self->session, GADGET_DELETION_DONE);
}

static void
mark_unsaved (GadgetJournal *self, const GadgetJournalWrite *write)
{
  self->dirty = TRUE;
  self->queue_changed = self->queue_changed || write->session != NULL;
  for (guint i = 0; i < write->items->len; i++)
    {
      const GadgetItemRow *row = g_ptr_array_index (write->items, i);
      ItemState *state = g_ptr_array_index (self->states, row->position);

      state->changed = TRUE;
    }
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetJournal) self = user_data;
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->slow_timeout, g_source_remove);
  self->writing = FALSE;
  self->failed = !gadget_store_run_finish (GADGET_STORE (source), result, &error);
  if (!self->failed)
    mark_stored (self, gadget_store_get_job_data (result));
  else
    {
      /* The next write includes the change; only a failed commit is shown to the user. */
      g_info ("a change of a turn could not be written: %s", error->message);
      mark_unsaved (self, gadget_store_get_job_data (result));
      mark_deleted (self, error);
    }
  if (!self->committing)
    g_signal_emit (self, signals[WRITTEN], 0, !self->failed);
  schedule (self);
}

static gboolean
write_slow_cb (gpointer data)
{
  g_signal_emit (data, signals[WRITTEN], 0, FALSE);
  return G_SOURCE_CONTINUE;
}

static void
write_now (GadgetJournal *self)
{
  g_assert (!self->writing && !self->committing);

  g_clear_handle_id (&self->timeout, g_source_remove);
  self->writing = TRUE;
  self->written_us = g_get_monotonic_time ();
  self->slow_timeout = g_timeout_add (RETRY_INTERVAL_MS, write_slow_cb, self);
  g_source_set_name_by_id (self->slow_timeout, "[gadget] a journal whose write is slow");
  gadget_store_run_async (self->store, _gadget_journal_write_change, take_changes (self),
                          _gadget_journal_write_free, written_cb, g_object_ref (self));
  self->dirty = FALSE;
  self->queue_changed = FALSE;
  for (guint i = 0; i < self->states->len; i++)
    ((ItemState *) g_ptr_array_index (self->states, i))->changed = FALSE;
}

static void
write_cb (gpointer data)
{
  GadgetJournal *self = data;

  self->timeout = 0;
  write_now (self);
}

static void
schedule (GadgetJournal *self)
{
  const gint64 interval_ms = self->failed ? RETRY_INTERVAL_MS : WRITE_INTERVAL_MS;
  gint64 since_ms;
  guint delay;

  if (!self->dirty || self->writing || self->committing || self->timeout != 0)
    return;
  since_ms = (g_get_monotonic_time () - self->written_us) / 1000;
  delay = since_ms < interval_ms ? (guint) (interval_ms - since_ms) : 0;
  self->timeout = g_timeout_add_once (delay, write_cb, self);
  g_source_set_name_by_id (self->timeout, "[gadget] journal a turn");
}

static void
mark_dirty (GadgetJournal *self)
{
  self->dirty = TRUE;
  schedule (self);
}

/* --- Listening -------------------------------------------------------------------------------- */

static ItemState *
find_state (GadgetJournal *self, GadgetItem *item)
{
  /* Most changes are in the last items. */
  for (guint i = self->states->len; i > 0; i--)
    {
      ItemState *state = g_ptr_array_index (self->states, i - 1);

      if (state->item == item)
        return state;
    }
  g_assert_not_reached ();
}

static void
item_notify_cb (GadgetJournal *self, GParamSpec *pspec, GadgetItem *item)
{
  static const char *const stored[] = { "status",   "summary", "result", "replay",
                                        "pictures", "child",   NULL };

  if (g_strv_contains (stored, pspec->name))
    find_state (self, item)->changed = TRUE;
  else if (!g_str_equal (pspec->name, "arguments"))
    return;
  mark_dirty (self);
}

static void
track (GadgetJournal *self, GadgetItem *item)
{
  ItemState *state = g_new0 (ItemState, 1);

  state->item = g_object_ref (item);
  state->changed = TRUE;
  self->queue_changed = self->queue_changed || gadget_item_get_kind (item) == GADGET_ITEM_STEER;
  g_ptr_array_add (self->states, state);
  g_signal_connect_object (item, "appended", G_CALLBACK (mark_dirty), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (item, "notify", G_CALLBACK (item_notify_cb), self, G_CONNECT_SWAPPED);
}

static void
track_new_items (GadgetJournal *self)
{
  for (guint i = self->states->len; i < gadget_turn_get_n_items (self->turn); i++)
    track (self, gadget_turn_get_item (self->turn, i));
}

static void
items_changed_cb (GadgetJournal *self)
{
  track_new_items (self);
  mark_dirty (self);
}

static void
stop_listening (GadgetJournal *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_handle_id (&self->slow_timeout, g_source_remove);
  if (self->turn != NULL)
    g_signal_handlers_disconnect_by_data (self->turn, self);
  for (guint i = 0; i < self->states->len; i++)
    {
      const ItemState *state = g_ptr_array_index (self->states, i);

      g_signal_handlers_disconnect_by_data (state->item, self);
    }
}

static void
touch_session (GadgetJournal *self, gint64 ms)
{
  if (gadget_session_get_updated_at (self->session) < ms)
    gadget_session_set_updated_at (self->session, ms);
}

/* --- Object ----------------------------------------------------------------------------------- */

static void
gadget_journal_dispose (GObject *object)
{
  GadgetJournal *self = GADGET_JOURNAL (object);

  stop_listening (self);
  g_clear_object (&self->store);
  g_clear_object (&self->session);
  g_clear_object (&self->turn);

  G_OBJECT_CLASS (gadget_journal_parent_class)->dispose (object);
}

static void
gadget_journal_finalize (GObject *object)
{
  GadgetJournal *self = GADGET_JOURNAL (object);

  g_ptr_array_unref (self->states);
  g_strfreev (self->replaced);
  g_free (self->run_id);

  G_OBJECT_CLASS (gadget_journal_parent_class)->finalize (object);
}

static void
gadget_journal_class_init (GadgetJournalClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_journal_dispose;
  object_class->finalize = gadget_journal_finalize;

  /**
   * GadgetJournal::written:
   * @stored: whether everything shown until then is stored
   *
   * Emitted after each write before the commit, and once a second while a write has not returned.
   */
  signals[WRITTEN] = g_signal_new ("written", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
gadget_journal_init (GadgetJournal *self)
{
  self->states = g_ptr_array_new_with_free_func (item_state_free);
}

/**
 * gadget_journal_new:
 * @session: the session, whose lease the caller holds until after the commit
 * @turn: a new turn of @session, which is processing
 *
 * Starts to store @turn. The turn's row is written at once, together with the session and its
 * queue, so that a message leaves the stored queue at the moment at which it becomes a turn. Also
 * updates the session's "updated-at".
 *
 * Returns: (transfer full): a journal, to be ended with gadget_journal_commit_async ()
 */
GadgetJournal *
gadget_journal_new (GadgetStore *store, GadgetSession *session, GadgetTurn *turn)
{
  return gadget_journal_new_for_run (store, session, turn, NULL, NULL);
}

/**
 * gadget_journal_new_for_run:
 * @replaced: (nullable): ids of turns of @session that @turn replaces
 * @run_id: (nullable): the id under which other programs know the turn's run
 *
 * Like gadget_journal_new (). The replaced turns leave the stored session at the moment at which
 * @turn enters it.
 *
 * Returns: (transfer full): a journal
 */
GadgetJournal *
gadget_journal_new_for_run (GadgetStore *store, GadgetSession *session, GadgetTurn *turn,
                            const char *const *replaced, const char *run_id)
{
  GadgetJournal *self;

  g_return_val_if_fail (GADGET_IS_STORE (store) && GADGET_IS_SESSION (session), NULL);
  g_return_val_if_fail (GADGET_IS_TURN (turn), NULL);

  self = g_object_new (GADGET_TYPE_JOURNAL, NULL);
  self->store = g_object_ref (store);
  self->session = g_object_ref (session);
  self->turn = g_object_ref (turn);
  self->replaced = g_strdupv ((char **) replaced);
  self->run_id = g_strdup (run_id);
  touch_session (self, gadget_turn_get_started_at (turn));
  track_new_items (self);
  g_signal_connect_object (turn, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (turn, "notify::usage", G_CALLBACK (mark_dirty), self, G_CONNECT_SWAPPED);
  write_now (self);
  return self;
}

/* gadget_journal_get_session: returns the session of the turn (transfer none). */
GadgetSession *
gadget_journal_get_session (GadgetJournal *self)
{
  g_return_val_if_fail (GADGET_IS_JOURNAL (self), NULL);
  return self->session;
}

/* gadget_journal_get_turn: returns the turn that is stored while it happens (transfer none). */
GadgetTurn *
gadget_journal_get_turn (GadgetJournal *self)
{
  g_return_val_if_fail (GADGET_IS_JOURNAL (self), NULL);
  return self->turn;
}

static void
committed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gadget_store_run_finish (GADGET_STORE (source), result, &error))
    {
      mark_session_stored (g_task_get_source_object (task), gadget_store_get_job_data (result));
      mark_replaced (g_task_get_source_object (task), gadget_store_get_job_data (result));
      g_task_return_boolean (task, TRUE);
    }
  else
    {
      mark_deleted (g_task_get_source_object (task), error);
      g_task_return_error (task, error);
    }
}

/**
 * gadget_journal_commit_async:
 *
 * Stores the turn as it is now, which should be its end: items, receipt and usage in one
 * transaction that waits for the disk. Ends the journal: later changes are not written. May be
 * called again after a failure, to store the turn as it is then, and also while an earlier call has
 * not completed. It has no time limit; see gadget-turn-commit.c for the caller's.
 */
void
gadget_journal_commit_async (GadgetJournal *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_JOURNAL (self));

  track_new_items (self);
  self->committing = TRUE;
  stop_listening (self);
  touch_session (self, gadget_turn_get_ended_at (self->turn));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_journal_commit_async);
  gadget_store_run_async (self->store, _gadget_journal_write_end, take_end (self),
                          _gadget_journal_write_free, committed_cb, task);
}

/**
 * gadget_journal_commit_finish:
 *
 * Returns: whether the turn is stored on the disk; else @error is a #GadgetStoreError
 */
gboolean
gadget_journal_commit_finish (GadgetJournal *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Ends the turn in the same way as a repair of a turn whose process died. */
static void
interrupt (GadgetJournalWrite *write)
{
  write->turn->status = GADGET_TURN_ABORTED;
  write->turn->stop_reason = GADGET_STOP_INTERRUPTED;
  write->turn->ended_at = gadget_clock_wall_ms ();
  for (guint i = 0; i < write->items->len; i++)
    _gadget_item_row_interrupt (g_ptr_array_index (write->items, i), write->turn->ended_at);
}

/* Copies all rows, whatever is stored already, for a recovery file. The copy of a turn that is
 * still processing has an end, since the file is only read when the turn cannot continue. */
GadgetJournalWrite *
_gadget_journal_dup_all (GadgetJournal *self)
{
  GadgetJournalWrite *write;

  track_new_items (self);
  write = _gadget_journal_write_new (self->session, self->turn, TRUE, TRUE);
  write->replaced = g_strdupv (self->replaced);
  write->run_id = g_strdup (self->run_id);
  for (guint i = 0; i < self->states->len; i++)
    {
      const ItemState *state = g_ptr_array_index (self->states, i);

      g_ptr_array_add (write->items, _gadget_item_row_new_from (state->item, i, TRUE));
    }
  if (write->turn->status == GADGET_TURN_PROCESSING)
    interrupt (write);
  return write;
}
