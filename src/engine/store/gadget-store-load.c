/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loading the turns of a session.
 *
 * The thread reads rows into plain data; the GObjects are created on the main context, in slices,
 * so that a chat of ten thousand turns does not delay a frame.
 *
 * A session may be loaded again after another process wrote. Turns that have ended never change, so
 * only the turns behind them are read. Turns that are in memory keep their objects: a turn that the
 * other process works on grows in place. A turn of a run of this process is never touched, because
 * memory is newer than the database then.
 *
 * The user may remove turns from a chat and restore them, and a turn that was found without an end
 * may be recovered later. The stored session counts these edits: if the count differs from the one
 * known here, all turns are read. If an edit happens here while the thread reads, the result is
 * thrown away and read again. A turn that was removed from the session, but not on disk yet, gets
 * no object. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-deletion-private.h"
#include "gadget-store-pictures-private.h"
#include "gadget-store-private.h"
#include "gadget-store-repair.h"
#include "gadget-store-rows.h"
#include "gadget-store-sessions.h"
#include "gadget-store-turns-private.h"

/* A slice that creates objects yields to the main loop after this time. */
#define SLICE_US 4000

/* The job of the thread. */
typedef struct
{
  char *directory;
  char *session_id;
  guint first;      /* index of the first turn to read */
  char *last_known; /* id of the turn before it; NULL for none */
  gint64 after;     /* stored position of the last known turn; -1 for none */
  gint64 edits;     /* when requested: the count known here; when read: the stored one */
  gboolean has_removed;
  GadgetSessionRow *session;
  GPtrArray *turns; /* of GadgetTurnRow, from "first" on */
} LoadJob;

/* Creates the objects from the rows on the main context. */
typedef struct
{
  GadgetSession *session;
  GPtrArray *rows; /* of GadgetTurnRow */
  guint n_asked;   /* number of turns in memory at the request */
  guint n_edits;   /* gadget_session_get_n_edits () at the request */
  guint n_changes; /* _gadget_session_count_changes () at the request */
  gint64 edits;    /* the stored count that was read */
  gboolean has_removed;
  gboolean queue_merged; /* the merged queue must be stored */
  guint first;
  guint next;       /* index of the next row to make a turn of */
  GPtrArray *turns; /* of GadgetTurn, made so far */
  GHashTable *here; /* utf8 id → GadgetTurn; turns in memory that are read again */

  /* The settings that changed here since the request, and are newer than those that were read. */
  GadgetSessionSettings touched;
  gboolean updated; /* the time of the last change */
  gulong notify_id;
} LoadTask;

static void
free_row (gpointer data)
{
  if (data != NULL)
    _gadget_turn_row_free (data);
}

static void
reading_free (gpointer data)
{
  LoadJob *reading = data;

  g_free (reading->directory);
  g_free (reading->session_id);
  g_free (reading->last_known);
  g_clear_pointer (&reading->session, _gadget_session_row_free);
  g_clear_pointer (&reading->turns, g_ptr_array_unref);
  g_free (reading);
}

static void
making_free (gpointer data)
{
  LoadTask *making = data;

  g_clear_signal_handler (&making->notify_id, making->session);
  g_object_unref (making->session);
  g_clear_pointer (&making->rows, g_ptr_array_unref);
  g_ptr_array_unref (making->turns);
  g_clear_pointer (&making->here, g_hash_table_unref);
  g_free (making);
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gboolean
read_queue (sqlite3 *db, LoadJob *reading, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT text, coalesce (attachments, '') FROM queued WHERE session = "
                           "(SELECT number FROM session WHERE id = ?1)"
                           " ORDER BY position",
                           error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, reading->session_id);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        {
          reading->session->queue = g_strv_builder_end (builder);
          return TRUE;
        }
      g_strv_builder_take (builder, _gadget_sql_dup_text (stmt, 0));
      g_strv_builder_take (builder, _gadget_sql_dup_text (stmt, 1));
    }
  return FALSE;
}

static gboolean
read_session (sqlite3 *db, LoadJob *reading, GError **error)
{
  if (!_gadget_session_row_find (db, reading->session_id, &reading->session, error))
    return FALSE;
  if (reading->session == NULL)
    {
      g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                   "there is no session %s", reading->session_id);
      _gadget_deletion_explain (db, reading->session_id, error);
      return FALSE;
    }
  return read_queue (db, reading, error);
}

static gboolean
read_edits (sqlite3 *db, const char *session_id, gint64 *edits, gboolean *has_removed,
            GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT edits, EXISTS (SELECT 1 FROM turn WHERE turn.session = session.number"
      " AND removed_at IS NOT NULL) FROM session WHERE id = ?1",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  *edits = has_row ? sqlite3_column_int64 (stmt, 0) : 0;
  *has_removed = has_row && sqlite3_column_int (stmt, 1) != 0;
  return TRUE;
}

/* Checks that the turns before reading->first are still those that were read before. If not, all
 * turns are read. */
static gboolean
check_last_known (sqlite3 *db, LoadJob *reading, GError **error)
{
  const gint64 known_edits = reading->edits;
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean has_row;

  reading->after = -1;
  if (!read_edits (db, reading->session_id, &reading->edits, &reading->has_removed, error))
    return FALSE;
  if (reading->last_known == NULL)
    return TRUE;
  /* As long as no turn was ever removed, positions are indices. */
  stmt = _gadget_sql_prepare (
      db,
      "SELECT position FROM turn WHERE session = (SELECT number FROM session WHERE id = ?1)"
      " AND id = ?2 AND removed_at IS NULL AND (?3 > 0 OR position = ?4)",
      error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, reading->session_id);
  _gadget_sql_bind_text (stmt, 2, reading->last_known);
  _gadget_sql_bind_int (stmt, 3, reading->edits);
  _gadget_sql_bind_int (stmt, 4, (gint64) reading->first - 1);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (has_row && reading->edits == known_edits)
    reading->after = sqlite3_column_int64 (stmt, 0);
  else
    reading->first = 0;
  return TRUE;
}

static gboolean
read_turns (sqlite3 *db, LoadJob *reading, GError **error)
{
  const int first_of_item = 1 + (int) _gadget_turn_table.n_columns;
  g_autofree char *turn_columns = _gadget_store_table_dup_read (&_gadget_turn_table);
  g_autofree char *item_columns = _gadget_store_table_dup_read (&_gadget_item_table);
  g_autofree char *sql = g_strdup_printf (
      "SELECT turn.number, %s, %s"
      " FROM turn LEFT JOIN item ON item.turn = turn.number"
      " WHERE turn.session = (SELECT number FROM session WHERE id = ?1) AND turn.position > ?2"
      " AND turn.removed_at IS NULL ORDER BY turn.position, item.position",
      turn_columns, item_columns);
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);
  gboolean has_row;
  GadgetTurnRow *turn = NULL;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, reading->session_id);
  _gadget_sql_bind_int (stmt, 2, reading->after);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      if (turn == NULL || turn->number != sqlite3_column_int64 (stmt, 0))
        {
          turn = _gadget_turn_row_read (stmt);
          g_ptr_array_add (reading->turns, turn);
        }
      if (sqlite3_column_type (stmt, first_of_item) != SQLITE_NULL)
        g_ptr_array_add (turn->items, _gadget_item_row_read (stmt, first_of_item));
    }
  return FALSE;
}

/* Only a turn that is processing has pieces. */
static gboolean
read_pieces (sqlite3 *db, LoadJob *reading, GError **error)
{
  for (guint i = 0; i < reading->turns->len; i++)
    {
      const GadgetTurnRow *turn = g_ptr_array_index (reading->turns, i);

      if (turn->status == GADGET_TURN_PROCESSING
          && !_gadget_pieces_read (db, turn->number, turn->items, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_all (sqlite3 *db, gpointer data, GError **error)
{
  LoadJob *reading = data;

  return read_session (db, reading, error) && check_last_known (db, reading, error)
         && read_turns (db, reading, error) && read_pieces (db, reading, error)
         && _gadget_pictures_read (db, reading->session_id, reading->after, reading->turns, error);
}

static gboolean
load (sqlite3 *db, gpointer data, GError **error)
{
  LoadJob *reading = data;
  g_autoptr (GError) repair_error = NULL;
  gboolean ok;

  if (!_gadget_store_repair (db, reading->directory, reading->session_id, NULL, &repair_error))
    g_message ("session %s could not be repaired: %s", reading->session_id, repair_error->message);

  /* The transaction gives a consistent view of the database while other processes write. */
  if (!_gadget_sql_exec (db, "BEGIN", error))
    return FALSE;
  ok = read_all (db, reading, error);
  _gadget_sql_exec (db, "COMMIT", NULL);
  return ok;
}

/* --- On the main context ---------------------------------------------------------------------- */

/* Counts the turns at the beginning that cannot change any more. */
static guint
count_known (GadgetSession *session)
{
  guint n = 0;

  for (; n < gadget_session_get_n_turns (session); n++)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, n);

      if (gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING || !gadget_turn_get_saved (turn))
        break;
    }
  return n;
}

/* Tells whether the turn in memory is newer than the database. */
static gboolean
is_ours (GadgetSession *session, GadgetTurn *turn)
{
  return !gadget_turn_get_saved (turn)
         || (gadget_session_get_active_run (session) != NULL
             && turn == gadget_session_get_last_turn (session));
}

static void
apply_queue (LoadTask *making, const GadgetSessionRow *row)
{
  GadgetSession *session = making->session;

  /* The user changed the queue before the stored one was loaded, so both are merged. */
  if (!_gadget_session_has_loaded_queue (session)
      && _gadget_session_merge_queue (session, row->queue))
    {
      making->queue_merged = TRUE;
      return;
    }
  if (!_gadget_session_should_replace_queue (session, row->queue))
    return;
  while (g_list_model_get_n_items (gadget_session_get_queue (session)) > 0)
    g_free (gadget_session_dequeue (session, 0));
  for (guint i = 0; row->queue[i] != NULL; i += 2)
    {
      g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new (row->queue[i]);
      g_autoptr (GPtrArray) attachments = _gadget_attachments_parse (row->queue[i + 1]);

      gadget_attachments_set (message, attachments);
      gadget_session_enqueue_message (session, message);
    }
  _gadget_session_note_queue (session, row->queue);
  /* Messages that were queued in an earlier process are not sent without the user. */
  gadget_session_set_queue_paused (session, TRUE);
}

static gsize
count_read (const GadgetTurnRow *row)
{
  gsize length = 0;

  for (guint i = 0; i < row->items->len; i++)
    length += ((const GadgetItemRow *) g_ptr_array_index (row->items, i))->text->len;
  return length + row->items->len;
}

static gsize
count_shown (GadgetTurn *turn)
{
  gsize length = 0;

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    length += gadget_item_get_length (gadget_turn_get_item (turn, i));
  return length + gadget_turn_get_n_items (turn);
}

/* Tells whether the turn had been found without an end, and more of it was stored since from a
 * recovery file. */
static gboolean
was_recovered (const GadgetTurnRow *row, GadgetTurn *turn)
{
  return gadget_turn_get_stop_reason (turn) == GADGET_STOP_INTERRUPTED
         && (row->stop_reason != GADGET_STOP_INTERRUPTED || count_read (row) > count_shown (turn));
}

static GadgetTurn *
make_turn (LoadTask *making, const GadgetTurnRow *row)
{
  GadgetTurn *turn = g_hash_table_lookup (making->here, row->id);

  if (turn == NULL || was_recovered (row, turn))
    return _gadget_turn_row_make (row);
  /* A turn that has ended keeps its state: the row may be older than its end. */
  if (!is_ours (making->session, turn) && gadget_turn_get_status (turn) == GADGET_TURN_PROCESSING)
    _gadget_turn_row_update (row, turn);
  return g_object_ref (turn);
}

static gboolean
has_id (GadgetTurn *turn, const char *id)
{
  return g_str_equal (gadget_turn_get_id (turn), id);
}

static gboolean
is_in (GPtrArray *turns, GadgetTurn *turn, guint likely)
{
  const char *id = gadget_turn_get_id (turn);

  if (likely < turns->len && has_id (g_ptr_array_index (turns, likely), id))
    return TRUE;
  for (guint i = turns->len; i > 0; i--)
    if (has_id (g_ptr_array_index (turns, i - 1), id))
      return TRUE;
  return FALSE;
}

/* Another load of the same session may have finished first. A turn that it put into the session
 * stays the same object. */
static void
keep_objects (LoadTask *making)
{
  g_autoptr (GHashTable) others = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = making->first; i < gadget_session_get_n_turns (making->session); i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (making->session, i);
      const char *id = gadget_turn_get_id (turn);

      if (g_hash_table_lookup (making->here, id) != turn)
        g_hash_table_insert (others, (gpointer) id, turn);
    }
  for (guint i = 0; i < making->turns->len; i++)
    {
      GadgetTurn **turn = (GadgetTurn **) &g_ptr_array_index (making->turns, i);
      GadgetTurn *other = g_hash_table_lookup (others, gadget_turn_get_id (*turn));

      if (other != NULL)
        g_set_object (turn, other);
    }
}

static void
finish_making (LoadTask *making)
{
  GadgetSession *session = making->session;
  const guint n_before = gadget_session_get_n_turns (session);

  keep_objects (making);
  /* A turn that was started during the load comes last; a turn that could not be saved keeps its
   * position among those that were in memory. */
  for (guint i = making->first; i < n_before; i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (session, i);
      guint place = i + 1 < n_before ? MIN (i, making->turns->len) : making->turns->len;

      if ((is_ours (session, turn) || i >= making->n_asked) && !is_in (making->turns, turn, i))
        g_ptr_array_insert (making->turns, (int) place, g_object_ref (turn));
    }

  gadget_session_set_turns (session, making->turns);

  GadgetTurn *last = gadget_session_get_last_turn (session);

  gadget_session_set_last_status (session, last != NULL ? gadget_turn_get_status (last)
                                                        : GADGET_TURN_FINISHED);
  gadget_session_set_has_removed (session, making->has_removed);
  _gadget_session_note_edits (session, making->edits);
  gadget_session_set_loaded (session, TRUE);
  _gadget_session_has_loaded_queue (session);
}

static void ask (GTask *task); /* defined below; called again if the result is void */

/* Tells whether turns were removed or restored here since the request. */
static gboolean
is_void (const LoadTask *making)
{
  return gadget_session_get_n_edits (making->session) != making->n_edits;
}

static void
merged_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_save_session_finish (GADGET_STORE (source), result, &error))
    g_message ("a queue is not saved: %s", error->message);
}

static gboolean
make_slice_cb (gpointer data)
{
  GTask *task = data;
  LoadTask *making = g_task_get_task_data (task);
  const gint64 until = g_get_monotonic_time () + SLICE_US;

  while (making->next < making->rows->len)
    {
      /* The rows are freed one by one too: freeing all of them at once would take a frame. */
      g_autoptr (GadgetTurnRow) row =
          g_steal_pointer (&g_ptr_array_index (making->rows, making->next));

      making->next++;
      if (!gadget_session_is_removal_pending (making->session, row->id))
        g_ptr_array_add (making->turns, make_turn (making, row));
      if (g_get_monotonic_time () >= until)
        return G_SOURCE_CONTINUE;
    }
  if (is_void (making))
    {
      ask (task);
      return G_SOURCE_REMOVE;
    }
  finish_making (making);
  if (making->queue_merged)
    gadget_store_update_session_async (g_task_get_source_object (task), making->session,
                                       merged_saved_cb, NULL);
  _gadget_store_emit_session_loaded (g_task_get_source_object (task), making->session);
  g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
start_making (GTask *task, LoadJob *reading)
{
  LoadTask *making = g_task_get_task_data (task);
  const guint n_here = gadget_session_get_n_turns (making->session);
  g_autoptr (GSource) source = NULL;

  making->rows = g_steal_pointer (&reading->turns);
  making->edits = reading->edits;
  making->has_removed = reading->has_removed;
  making->here = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  making->first = MIN (reading->first, n_here);
  for (guint i = 0; i < n_here; i++)
    {
      GadgetTurn *turn = gadget_session_get_turn (making->session, i);

      if (i < making->first)
        g_ptr_array_add (making->turns, g_object_ref (turn));
      else
        g_hash_table_insert (making->here, g_strdup (gadget_turn_get_id (turn)),
                             g_object_ref (turn));
    }

  /* The first slice, which is all of most chats, does not wait for a frame without the turns. The
   * others have a lower priority than drawing and input. */
  if (make_slice_cb (task) == G_SOURCE_REMOVE)
    return;
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_HIGH_IDLE + 30);
  g_source_set_static_name (source, "[gadget] make loaded turns");
  g_source_set_callback (source, make_slice_cb, g_object_ref (task), g_object_unref);
  g_source_attach (source, g_task_get_context (task));
}

static void
touched_cb (GadgetSession *session, GParamSpec *pspec, LoadTask *making)
{
  making->touched |= _gadget_session_find_setting (pspec->name);
  making->updated |= g_str_equal (pspec->name, "updated-at");
}

static void
apply_row (LoadTask *making, GadgetSessionRow *row)
{
  GadgetSession *session = making->session;

  _gadget_session_merge_settings (session, row, making->n_changes, making->touched);
  if (making->updated)
    row->updated_at = MAX (row->updated_at, gadget_session_get_updated_at (session));
  _gadget_session_row_apply (row, session);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  LoadTask *making = g_task_get_task_data (task);
  LoadJob *reading = gadget_store_get_job_data (result);
  GError *error = NULL;

  g_clear_signal_handler (&making->notify_id, making->session);
  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  apply_queue (making, reading->session);
  if (gadget_session_get_active_run (making->session) == NULL)
    apply_row (making, reading->session);
  if (is_void (making))
    ask (task);
  else
    start_making (task, reading);
}

static LoadJob *
reading_new (GadgetStore *store, GadgetSession *session)
{
  LoadJob *reading = g_new0 (LoadJob, 1);

  reading->directory = g_strdup (gadget_store_get_directory (store));
  reading->session_id = g_strdup (gadget_session_get_id (session));
  reading->turns = g_ptr_array_new_with_free_func (free_row);
  reading->edits = _gadget_session_get_known_edits (session);
  reading->first = count_known (session);
  if (reading->first > 0)
    reading->last_known =
        g_strdup (gadget_turn_get_id (gadget_session_get_turn (session, reading->first - 1)));
  return reading;
}

static void
ask (GTask *task)
{
  GadgetStore *store = g_task_get_source_object (task);
  LoadTask *making = g_task_get_task_data (task);
  GadgetSession *session = making->session;

  making->n_asked = gadget_session_get_n_turns (session);
  making->n_edits = gadget_session_get_n_edits (session);
  making->n_changes = _gadget_session_count_changes (session);
  making->next = 0;
  g_clear_pointer (&making->rows, g_ptr_array_unref);
  g_clear_pointer (&making->here, g_hash_table_unref);
  g_ptr_array_set_size (making->turns, 0);
  making->touched = 0;
  making->updated = FALSE;
  making->notify_id = g_signal_connect (session, "notify", G_CALLBACK (touched_cb), making);
  gadget_store_run_async (store, load, reading_new (store, session), reading_free, read_cb,
                          g_object_ref (task));
}

/**
 * gadget_store_load_session_async:
 * @session: from gadget_store_list_sessions_finish (), or new with the id of a stored one
 *
 * Fills in the stored settings, the queue (paused if it is not empty) and the turns. A turn whose
 * process died is ended first. May be called again, for example after
 * #GadgetStore::changed-outside: existing objects stay, and grow.
 */
void
gadget_store_load_session_async (GadgetStore *self, GadgetSession *session,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  LoadTask *making;

  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  making = g_new0 (LoadTask, 1);
  making->session = g_object_ref (session);
  making->turns = g_ptr_array_new_with_free_func (g_object_unref);
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_store_load_session_async);
  g_task_set_task_data (task, making, making_free);
  ask (task);
}

/**
 * gadget_store_load_session_finish:
 *
 * Returns: whether the session was loaded; else @error is %GADGET_STORE_ERROR_DELETED,
 *   %GADGET_STORE_ERROR_NOT_FOUND or another #GadgetStoreError
 */
gboolean
gadget_store_load_session_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
