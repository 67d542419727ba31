/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the run of a turn. A turn that is "processing" is running as long as its session's lease is
 * held, which is until its end was committed. If the lease is not held after the turn was read, the
 * turn is read again: it has ended meanwhile, or its owner has died, and the turn will be repaired
 * as an interrupted one. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "store/lease/gadget-lease.h"
#include "gadget-sql.h"
#include "gadget-store-runs.h"
#include "gadget-store-schema.h"

/* The job that finds a run. */
typedef struct
{
  char *directory;
  char *run_id;
  GadgetStoreRun *found;
  char *lease_id; /* the session under whose lease the run works */
} Finding;

void
gadget_store_run_free (GadgetStoreRun *self)
{
  if (self == NULL)
    return;
  g_free (self->session_id);
  g_free (self->turn_id);
  g_free (self->message);
  g_free (self);
}

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_free (finding->directory);
  g_free (finding->lease_id);
  g_free (finding->run_id);
  gadget_store_run_free (finding->found);
  g_free (finding);
}

/* --- On the thread ---------------------------------------------------------------------------- */

gboolean
_gadget_store_run_write (sqlite3 *db, const char *run_id, gint64 turn_number, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "INSERT INTO run (id, turn) VALUES (?1, ?2)"
                           " ON CONFLICT (id) DO UPDATE SET turn = excluded.turn",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, run_id);
  _gadget_sql_bind_int (stmt, 2, turn_number);
  return _gadget_sql_run (stmt, error);
}

static GadgetStoreRun *
read_run (sqlite3_stmt *stmt)
{
  GadgetStoreRun *run = g_new0 (GadgetStoreRun, 1);
  g_autofree char *status = _gadget_sql_dup_text (stmt, 2);
  g_autofree char *detail = _gadget_sql_dup_text (stmt, 4);

  run->session_id = _gadget_sql_dup_text (stmt, 0);
  run->turn_id = _gadget_sql_dup_text (stmt, 1);
  run->over = g_strcmp0 (status, "processing") != 0;
  run->success = g_strcmp0 (status, "error") != 0;
  run->unsent = sqlite3_column_int (stmt, 5) != 0;
  if (run->success)
    run->message = g_steal_pointer (&status);
  else
    run->message = detail != NULL && *detail != '\0' ? g_steal_pointer (&detail)
                                                     : _gadget_sql_dup_text (stmt, 3);
  if (run->message == NULL)
    run->message = g_strdup ("failed");
  return run;
}

static gboolean
read_once (sqlite3 *db, Finding *finding, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT session.id, turn.id, turn.status, turn.error_code, turn.error_detail,"
      /* A request that was being sent when the turn was stopped has a line in the receipt. */
      " turn.status = 'aborted' AND turn.stop_reason != 'interrupted'"
      "  AND coalesce (json_array_length (turn.receipt, '$.lines'), 0) = 0"
      "  AND NOT EXISTS (SELECT 1 FROM item WHERE item.turn = turn.number), " GADGET_SQL_LEASE_ID
      " FROM run JOIN turn ON turn.number = run.turn JOIN session ON session.number = turn.session"
      " WHERE run.id = ?1",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, finding->run_id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  g_clear_pointer (&finding->found, gadget_store_run_free);
  g_clear_pointer (&finding->lease_id, g_free);
  finding->found = has_row ? read_run (stmt) : NULL;
  finding->lease_id = has_row ? _gadget_sql_dup_text (stmt, 6) : NULL;
  return TRUE;
}

static gboolean
find_run (sqlite3 *db, gpointer data, GError **error)
{
  Finding *finding = data;

  if (!read_once (db, finding, error))
    return FALSE;
  if (finding->found != NULL && !finding->found->over
      && !gadget_lease_is_held (finding->directory, finding->lease_id))
    {
      if (!read_once (db, finding, error))
        return FALSE;
      if (finding->found != NULL && !finding->found->over)
        {
          finding->found->over = TRUE;
          g_set_str (&finding->found->message, "aborted");
        }
    }
  if (finding->found != NULL)
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "There is no run \"%s\"",
               finding->run_id);
  return FALSE;
}

/* --- On the main context ---------------------------------------------------------------------- */

/**
 * gadget_store_find_run_async:
 * @run_id: the id under which other programs know the run
 *
 * Finds the run of a turn of any process.
 */
void
gadget_store_find_run_async (GadgetStore *self, const char *run_id, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  Finding *finding;

  g_return_if_fail (GADGET_IS_STORE (self) && run_id != NULL);

  finding = g_new0 (Finding, 1);
  finding->directory = g_strdup (gadget_store_get_directory (self));
  finding->run_id = g_strdup (run_id);
  gadget_store_run_async (self, find_run, finding, finding_free, callback, user_data);
}

/**
 * gadget_store_find_run_finish:
 *
 * Returns: (transfer full): the run, or %NULL with @error set: %GADGET_STORE_ERROR_NOT_FOUND if no
 *   turn has this run, or another #GadgetStoreError
 */
GadgetStoreRun *
gadget_store_find_run_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_steal_pointer (&((Finding *) gadget_store_get_job_data (result))->found);
}
