/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A session is deleted under its lease, in one transaction that also stores its id as deleted. From
 * then on no session is stored under that id (a trigger of the schema refuses it), and every write
 * for it fails with GADGET_STORE_ERROR_DELETED. So a deletion and a message that is sent at the
 * same time, in whatever processes, never mix: whichever has the lease succeeds, and the other one
 * is refused. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-store-deletion.h"

#include "common/gadget-clock.h"
#include "gadget-store-deletion-private.h"
#include "gadget-store-schema.h"

struct _GadgetDeletion
{
  char *session_id;
  GadgetOpenLock *open_lock; /* (nullable): the open lock of this process */
  GadgetDeleteFlags flags;
  gint64 unused_since;  /* deletes it only if it was used last before that; G_MAXINT64 for any */
  gboolean also_pinned; /* and if it is not pinned, or this is set */
};

/* --- On the thread ---------------------------------------------------------------------------- */

/* Sets @found to whether a query with the session's id as ?1 returns a row. */
static gboolean
has_row (sqlite3 *db, const char *sql, const char *session_id, gboolean *found, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  return _gadget_sql_next (stmt, found, error);
}

gboolean
_gadget_deletion_check (sqlite3 *db, const char *session_id, GError **error)
{
  gboolean deleted;

  if (!has_row (db, "SELECT 1 FROM deleted_session WHERE id = ?1", session_id, &deleted, error))
    return FALSE;
  if (deleted)
    g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED,
                 "the session %s was deleted", session_id);
  return !deleted;
}

void
_gadget_deletion_explain (sqlite3 *db, const char *session_id, GError **error)
{
  g_autoptr (GError) deleted = NULL;

  _gadget_deletion_check (db, session_id, &deleted);
  if (!g_error_matches (deleted, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
    return;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&deleted));
}

static gboolean
run (sqlite3 *db, const char *sql, const char *session_id, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, session_id);
  return _gadget_sql_run (stmt, error);
}

static gboolean
check_unsent (sqlite3 *db, const GadgetDeletion *self, GError **error)
{
  gboolean unsent;

  if ((self->flags & GADGET_DELETE_UNSENT) != 0)
    return TRUE;
  if (!has_row (db, "SELECT 1 FROM session WHERE id = ?1 AND " GADGET_SQL_IS_UNSENT,
                self->session_id, &unsent, error))
    return FALSE;
  if (unsent)
    g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_UNSENT,
                 "the session %s has something that was not sent", self->session_id);
  return !unsent;
}

static gboolean
check_unused (sqlite3 *db, const GadgetDeletion *self, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gboolean used;

  if (self->unused_since == G_MAXINT64)
    return TRUE;
  stmt = _gadget_sql_prepare (db,
                              "SELECT 1 FROM session WHERE id = ?1"
                              " AND (updated_at >= ?2 OR (pinned AND NOT ?3))",
                              error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, self->session_id);
  _gadget_sql_bind_int (stmt, 2, self->unused_since);
  _gadget_sql_bind_int (stmt, 3, self->also_pinned);
  if (!_gadget_sql_next (stmt, &used, error))
    return FALSE;
  if (used)
    g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY,
                 "the session %s was used or pinned in the meantime", self->session_id);
  return !used;
}

/* Another process that shows the session keeps its draft and queue. The bytes of their attachments
 * may be in the database only, so they are kept without a session until that process stores them
 * again. */
static gboolean
keep_attachments (sqlite3 *db, const GadgetDeletion *self, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = NULL;

  if (self->open_lock == NULL || gadget_open_lock_is_alone (self->open_lock))
    return TRUE;
  stmt = _gadget_sql_prepare (db,
                              "UPDATE attachment SET session = NULL, made_at = ?2 WHERE kept = 0"
                              " AND session = (SELECT number FROM session WHERE id = ?1)",
                              error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, self->session_id);
  _gadget_sql_bind_int (stmt, 2, gadget_clock_wall_ms ());
  return _gadget_sql_run (stmt, error);
}

gboolean
_gadget_deletion_delete (sqlite3 *db, const char *session_id, GError **error)
{
  return run (db, "INSERT OR IGNORE INTO deleted_session (id) VALUES (?1)", session_id, error)
         && run (db, "DELETE FROM session WHERE id = ?1", session_id, error)
         /* The saved scroll position (gadget-chat-position.c). */
         && run (db, "DELETE FROM setting WHERE key = 'position:' || ?1", session_id, error);
}

static gboolean
delete_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  const GadgetDeletion *self = data;

  return check_unsent (db, self, error) && check_unused (db, self, error)
         && keep_attachments (db, self, error)
         && _gadget_deletion_delete (db, self->session_id, error);
}

static gboolean
delete_session (sqlite3 *db, gpointer data, GError **error)
{
  const GadgetDeletion *self = data;

  if (!_gadget_sql_transaction (db, delete_in_transaction, data, error))
    return FALSE;
  if (self->open_lock != NULL)
    gadget_open_lock_mark_deleted (self->open_lock);
  return TRUE;
}

static gboolean
check_session (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_deletion_check (db, data, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

/* Frees a deletion that is not to be done; gadget_store_delete_session_async () frees its own. */
void
gadget_deletion_free (GadgetDeletion *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->open_lock, gadget_open_lock_unref);
  g_free (self->session_id);
  g_free (self);
}

/**
 * gadget_deletion_new:
 * @open_lock: (nullable) (transfer none): the open lock of the session, if this process has it
 *   already
 * @flags: what may be deleted with the session
 *
 * The caller must hold the session's lease until the session is deleted, or is not to be deleted
 * any more.
 *
 * Returns: (transfer full) (nullable): the deletion; %NULL with %GADGET_STORE_ERROR_OPEN_ELSEWHERE
 *   if another process shows the session
 */
GadgetDeletion *
gadget_deletion_new (GadgetStore *store, const char *session_id, GadgetOpenLock *open_lock,
                     GadgetDeleteFlags flags, GError **error)
{
  g_autoptr (GadgetDeletion) self = NULL;

  g_return_val_if_fail (GADGET_IS_STORE (store) && session_id != NULL, NULL);

  self = g_new0 (GadgetDeletion, 1);
  self->session_id = g_strdup (session_id);
  self->flags = flags;
  self->unused_since = G_MAXINT64;
  self->open_lock = open_lock != NULL
                        ? gadget_open_lock_ref (open_lock)
                        : gadget_open_lock_new (gadget_store_get_directory (store), session_id);
  if ((flags & GADGET_DELETE_OPEN) == 0 && self->open_lock != NULL
      && !gadget_open_lock_is_alone (self->open_lock))
    {
      g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN_ELSEWHERE,
                   "the session %s is open in another window", session_id);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * gadget_deletion_set_unused_since:
 * @ms: milliseconds since 1970
 * @also_pinned: whether a pinned session is deleted, too
 *
 * Lets the deletion fail with %GADGET_STORE_ERROR_BUSY if the session was used at that time or
 * later, in whatever process, or is pinned.
 */
void
gadget_deletion_set_unused_since (GadgetDeletion *self, gint64 ms, gboolean also_pinned)
{
  g_return_if_fail (self != NULL);

  self->unused_since = ms;
  self->also_pinned = also_pinned;
}

/**
 * gadget_store_delete_session_async:
 * @deletion: (transfer full): the deletion of the session; freed when the job has ended
 *
 * Deletes the session with all its turns. A session that was never stored is marked as deleted, so
 * that it will not be stored later.
 */
void
gadget_store_delete_session_async (GadgetStore *self, GadgetDeletion *deletion,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && deletion != NULL);

  gadget_store_run_async (self, delete_session, deletion, (GDestroyNotify) gadget_deletion_free,
                          callback, user_data);
}

/**
 * gadget_store_delete_session_finish:
 *
 * Returns: whether the session was deleted; else @error is %GADGET_STORE_ERROR_UNSENT or another
 *   #GadgetStoreError, and nothing was changed
 */
gboolean
gadget_store_delete_session_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

void
gadget_store_check_session_async (GadgetStore *self, const char *session_id,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && session_id != NULL);

  gadget_store_run_async (self, check_session, g_strdup (session_id), g_free, callback, user_data);
}

/**
 * gadget_store_check_session_finish:
 *
 * Returns: whether the session may be written to; else @error is %GADGET_STORE_ERROR_DELETED or
 *   another #GadgetStoreError
 */
gboolean
gadget_store_check_session_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
