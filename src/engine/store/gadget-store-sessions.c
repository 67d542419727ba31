/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists sessions for the list of chats, and saves their settings and queues; see
 * gadget-store-load.c for their turns. Rows are taken from the objects on the main context, and
 * read and written on the store's thread. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-attachments-private.h"
#include "gadget-store-deletion-private.h"
#include "gadget-store-repair.h"
#include "gadget-store-rows.h"
#include "gadget-store-schema.h"
#include "gadget-store-sessions.h"

/* A session in the list. */
typedef struct
{
  GadgetSessionRow *row;
  GadgetTurnStatus last_status;
  GadgetStopReason last_stop_reason;
  char *run; /* (nullable): the run of its last turn, if that is processing */
} Listed;

/* The job that lists sessions. */
typedef struct
{
  char *directory;
  GPtrArray *listed;       /* of Listed */
  GHashTable *interrupted; /* ids of the sessions in which this job ended turns */
  guint64 known;  /* the digest of a list that need not be made again; 0 if there is none */
  guint64 digest; /* of this list; 0 if it may change without being another one */
} Listing;

static void
listed_free (gpointer data)
{
  Listed *listed = data;

  _gadget_session_row_free (listed->row);
  g_free (listed->run);
  g_free (listed);
}

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->directory);
  g_ptr_array_unref (listing->listed);
  g_hash_table_unref (listing->interrupted);
  g_free (listing);
}

/* --- On the thread ---------------------------------------------------------------------------- */

/* Adds a row to the digest, which is FNV-1a with 64 bits. */
static guint64
digest_row (guint64 digest, sqlite3_stmt *stmt)
{
  for (int i = 0; i < sqlite3_column_count (stmt); i++)
    {
      const char *text = (const char *) sqlite3_column_text (stmt, i);

      for (; text != NULL && *text != '\0'; text++)
        digest = (digest ^ (guchar) *text) * G_GUINT64_CONSTANT (0x100000001b3);
      digest = (digest ^ (text != NULL ? 0x100 : 0x101)) * G_GUINT64_CONSTANT (0x100000001b3);
    }
  return digest;
}

static gboolean
list (sqlite3 *db, gpointer data, GError **error)
{
  Listing *listing = data;
  const int n_columns = (int) _gadget_session_table.n_columns;
  g_autoptr (GError) repair_error = NULL;
  g_autoptr (GError) sweep_error = NULL;
  g_autofree char *columns = NULL;
  g_autofree char *sql = NULL;
  g_autoptr (sqlite3_stmt) stmt = NULL;
  guint64 digest = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  gboolean is_busy;
  gboolean has_row;

  /* A list with a turn that wrongly seems to be processing is better than none. */
  if (!_gadget_store_repair (db, listing->directory, NULL, listing->interrupted, &repair_error))
    g_message ("unfinished turns could not be repaired: %s", repair_error->message);
  if (!_gadget_attachments_sweep (db, &sweep_error))
    g_message ("files of nobody could not be removed: %s", sweep_error->message);

  columns = _gadget_store_table_dup_read (&_gadget_session_table);
  /* With the plus signs turns that are processing are found by their index, not among all. */
  sql = g_strdup_printf ("SELECT %s,"
                         " (SELECT status FROM turn WHERE turn.session = session.number"
                         "   AND removed_at IS NULL ORDER BY position DESC LIMIT 1),"
                         " (SELECT run.id FROM turn JOIN run ON run.turn = turn.number"
                         "   WHERE turn.session = session.number AND status = 'processing'"
                         "   AND +removed_at IS NULL ORDER BY +position DESC LIMIT 1),"
                         " (SELECT stop_reason FROM turn WHERE turn.session = session.number"
                         "   AND removed_at IS NULL ORDER BY position DESC LIMIT 1)"
                         " FROM session WHERE " GADGET_SQL_IS_CHAT
                         " ORDER BY updated_at DESC, number DESC",
                         columns);
  stmt = _gadget_sql_prepare (db, sql, error);
  if (stmt == NULL)
    return FALSE;
  is_busy = g_hash_table_size (listing->interrupted) > 0;
  /* After a write of this process the list has to be merged, since the objects in memory may be
   * newer than the list that was merged last. */
  digest ^= (guint64) sqlite3_total_changes64 (db);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        {
          /* The list reads a page for nearly each chat, most of which nothing will read again. */
          if (listing->known == 0)
            sqlite3_db_release_memory (db);
          listing->digest = is_busy ? 0 : digest;
          return TRUE;
        }

      Listed *listed = g_new0 (Listed, 1);
      const char *status = (const char *) sqlite3_column_text (stmt, n_columns);

      listed->row = _gadget_session_row_read (stmt);
      listed->last_status =
          status != NULL ? gadget_turn_status_from_string (status) : GADGET_TURN_FINISHED;
      listed->run = _gadget_sql_dup_text (stmt, n_columns + 1);
      /* A turn of another process grows. */
      is_busy = is_busy || listed->last_status == GADGET_TURN_PROCESSING;
      if (sqlite3_column_type (stmt, n_columns + 2) != SQLITE_NULL)
        listed->last_stop_reason = gadget_stop_reason_from_string (
            (const char *) sqlite3_column_text (stmt, n_columns + 2));
      g_ptr_array_add (listing->listed, listed);
      digest = digest_row (digest, stmt);
    }
  return FALSE;
}

/* The job that saves a session. */
typedef struct
{
  GadgetSession *session;
  GadgetSessionRow *row;
} Saving;

static Saving *
saving_new (GadgetSession *session)
{
  Saving *saving = g_new (Saving, 1);

  saving->session = g_object_ref (session);
  saving->row = _gadget_session_row_new_from (session);
  return saving;
}

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->session);
  _gadget_session_row_free (saving->row);
  g_free (saving);
}

static gboolean
save_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  const Saving *saving = data;

  return _gadget_session_row_write (saving->row, db, error);
}

static gboolean
save (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, save_in_transaction, data, error);
}

static gboolean
update_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  const GadgetSessionRow *row = ((const Saving *) data)->row;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "SELECT 1 FROM session WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, row->id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  return has_row ? _gadget_session_row_write (row, db, error)
                 : _gadget_deletion_check (db, row->id, error);
}

static gboolean
update (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, update_in_transaction, data, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

/**
 * gadget_store_list_sessions_async:
 * @known: from gadget_store_get_listed_digest (); 0 to make the list in any case
 *
 * Lists all sessions except those of subagents, the one changed last first. Turns whose process
 * died are ended first.
 */
void
gadget_store_list_sessions_async (GadgetStore *self, guint64 known, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  Listing *listing;

  g_return_if_fail (GADGET_IS_STORE (self));

  listing = g_new0 (Listing, 1);
  listing->directory = g_strdup (gadget_store_get_directory (self));
  listing->known = known;
  listing->listed = g_ptr_array_new_with_free_func (listed_free);
  listing->interrupted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gadget_store_run_async (self, list, listing, listing_free, callback, user_data);
}

/**
 * gadget_store_list_sessions_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetSession): new objects that are not
 *   loaded, so without turns and queue; their last status and their remote run, which may be a run
 *   of this process, say whether a process works on them. Sessions in which this call ended a turn,
 *   because its process had died, are marked as interrupted. %NULL if the list is still the known
 *   one, or with @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_store_list_sessions_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) sessions = NULL;
  const Listing *listing;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  listing = gadget_store_get_job_data (result);
  if (listing->known != 0 && listing->known == listing->digest)
    return NULL;
  sessions = g_ptr_array_new_full (listing->listed->len, g_object_unref);
  for (guint i = 0; i < listing->listed->len; i++)
    {
      const Listed *listed = g_ptr_array_index (listing->listed, i);
      GadgetSession *session = gadget_session_new (listed->row->id);

      _gadget_session_row_apply (listed->row, session);
      _gadget_session_note_settings (session, listed->row, 0);
      gadget_session_set_last_stop_reason (session, listed->last_stop_reason);
      gadget_session_set_last_status (session, listed->last_status);
      gadget_session_set_remote_run (session, listed->run);
      gadget_session_set_interrupted (
          session, g_hash_table_contains (listing->interrupted, listed->row->id));
      g_ptr_array_add (sessions, session);
    }
  return g_steal_pointer (&sessions);
}

/**
 * gadget_store_get_listed_digest:
 * @result: of gadget_store_list_sessions_async ()
 *
 * Returns: what tells the list from others; 0 if chats in it may change while it stays the same
 */
guint64
gadget_store_get_listed_digest (GAsyncResult *result)
{
  return ((const Listing *) gadget_store_get_job_data (result))->digest;
}

/**
 * gadget_store_save_session_async:
 *
 * Stores the settings, like title and model, as far as they were changed here, and the queue if it
 * is loaded; creates the session if it is not stored. The creator of a new session must mark it
 * with gadget_session_set_loaded (). The journal stores the turns.
 */
void
gadget_store_save_session_async (GadgetStore *self, GadgetSession *session,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  gadget_store_run_async (self, save, saving_new (session), saving_free, callback, user_data);
}

/**
 * gadget_store_update_session_async:
 *
 * Like gadget_store_save_session_async (), but does not create a session that is not stored. To be
 * ended with gadget_store_save_session_finish ().
 */
void
gadget_store_update_session_async (GadgetStore *self, GadgetSession *session,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_SESSION (session));

  gadget_store_run_async (self, update, saving_new (session), saving_free, callback, user_data);
}

/**
 * gadget_store_save_session_finish:
 *
 * Returns: whether the session was saved; else @error is %GADGET_STORE_ERROR_DELETED or another
 *   #GadgetStoreError
 */
gboolean
gadget_store_save_session_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  const Saving *saving;

  if (!gadget_store_run_finish (self, result, error))
    return FALSE;
  saving = gadget_store_get_job_data (result);
  _gadget_session_note_settings (saving->session, saving->row, saving->row->n_changes);
  return TRUE;
}
