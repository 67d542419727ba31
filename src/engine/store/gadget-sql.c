/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Implementation of the SQLite layer: statements, transactions, and the translation of SQLite's
 * result codes to #GadgetStoreError. The store's thread marks itself with a GPrivate; functions
 * that run SQL assert that they are on it. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>

#include "gadget-sql.h"

/* Non-NULL on the thread of a store. */
static GPrivate is_store_thread;

void
_gadget_sql_enter_thread (void)
{
  g_private_set (&is_store_thread, GINT_TO_POINTER (TRUE));
}

gboolean
_gadget_sql_on_thread (void)
{
  return g_private_get (&is_store_thread) != NULL;
}

static GadgetStoreError
classify (sqlite3 *db, int code)
{
  int system = db != NULL ? sqlite3_system_errno (db) : 0;

  if (code == SQLITE_CONSTRAINT_TRIGGER
      && g_strcmp0 (sqlite3_errmsg (db), GADGET_SQL_SESSION_DELETED) == 0)
    return GADGET_STORE_ERROR_DELETED;
  switch (code & 0xff)
    {
    case SQLITE_FULL:
      return GADGET_STORE_ERROR_FULL;
    case SQLITE_IOERR:
      return system == ENOSPC || system == EDQUOT ? GADGET_STORE_ERROR_FULL
                                                  : GADGET_STORE_ERROR_FAILED;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return GADGET_STORE_ERROR_BUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return GADGET_STORE_ERROR_CORRUPT;
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return system == ENOSPC || system == EDQUOT ? GADGET_STORE_ERROR_FULL
                                                  : GADGET_STORE_ERROR_OPEN;
    default:
      return GADGET_STORE_ERROR_FAILED;
    }
}

void
_gadget_sql_set_error (sqlite3 *db, int code, GError **error)
{
  const char *message = db != NULL ? sqlite3_errmsg (db) : sqlite3_errstr (code);

  g_set_error (error, GADGET_STORE_ERROR, classify (db, code), "%s (%d)", message, code);
}

gboolean
_gadget_sql_exec (sqlite3 *db, const char *sql, GError **error)
{
  g_assert (_gadget_sql_on_thread ());

  int code = sqlite3_exec (db, sql, NULL, NULL, NULL);

  if (code == SQLITE_OK)
    return TRUE;
  _gadget_sql_set_error (db, code, error);
  return FALSE;
}

gboolean
_gadget_sql_get_int (sqlite3 *db, const char *sql, gint64 *value, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);
  gboolean has_row;

  if (stmt == NULL || !_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (!has_row)
    {
      g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "no row for: %s", sql);
      return FALSE;
    }
  *value = sqlite3_column_int64 (stmt, 0);
  return TRUE;
}

gboolean
_gadget_sql_transaction (sqlite3 *db, GadgetSqlFunc func, gpointer data, GError **error)
{
  /* Taking the write lock at once (IMMEDIATE) avoids the SQLITE_BUSY that a transaction may get
   * when it turns from reading to writing. */
  if (!_gadget_sql_exec (db, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (func (db, data, error) && _gadget_sql_exec (db, "COMMIT", error))
    return TRUE;
  /* Some errors (a full disk) have already rolled back the transaction. */
  if (!sqlite3_get_autocommit (db))
    _gadget_sql_exec (db, "ROLLBACK", NULL);
  return FALSE;
}

gboolean
_gadget_sql_transaction_durable (sqlite3 *db, GadgetSqlFunc func, gpointer data, GError **error)
{
  gboolean ok;

  if (!_gadget_sql_exec (db, "PRAGMA synchronous = FULL", error))
    return FALSE;
  ok = _gadget_sql_transaction (db, func, data, error);
  _gadget_sql_exec (db, "PRAGMA synchronous = NORMAL", NULL);
  return ok;
}

sqlite3_stmt *
_gadget_sql_prepare (sqlite3 *db, const char *sql, GError **error)
{
  g_assert (_gadget_sql_on_thread ());

  sqlite3_stmt *stmt = NULL;
  int code = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL);

  if (code != SQLITE_OK)
    _gadget_sql_set_error (db, code, error);
  return stmt;
}

void
_gadget_sql_bind_text (sqlite3_stmt *stmt, int index, const char *text)
{
  if (text != NULL)
    _gadget_sql_bind_bytes (stmt, index, text, strlen (text));
  else
    sqlite3_bind_null (stmt, index);
}

void
_gadget_sql_bind_bytes (sqlite3_stmt *stmt, int index, const char *text, gsize length)
{
  sqlite3_bind_text64 (stmt, index, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

void
_gadget_sql_bind_int (sqlite3_stmt *stmt, int index, gint64 value)
{
  sqlite3_bind_int64 (stmt, index, value);
}

gboolean
_gadget_sql_next (sqlite3_stmt *stmt, gboolean *has_row, GError **error)
{
  g_assert (_gadget_sql_on_thread ());

  int code = sqlite3_step (stmt);

  if (code != SQLITE_ROW && code != SQLITE_DONE)
    {
      _gadget_sql_set_error (sqlite3_db_handle (stmt), code, error);
      return FALSE;
    }
  *has_row = code == SQLITE_ROW;
  return TRUE;
}

gboolean
_gadget_sql_run (sqlite3_stmt *stmt, GError **error)
{
  gboolean has_row;
  gboolean ok = _gadget_sql_next (stmt, &has_row, error);

  sqlite3_reset (stmt);
  sqlite3_clear_bindings (stmt);
  return ok;
}

char *
_gadget_sql_dup_text (sqlite3_stmt *stmt, int column)
{
  const char *text = (const char *) sqlite3_column_text (stmt, column);

  return text != NULL ? g_strndup (text, (gsize) sqlite3_column_bytes (stmt, column)) : NULL;
}

gboolean
_gadget_sql_read_rows (sqlite3 *db, const char *sql, GadgetSqlReadFunc read, GPtrArray *rows,
                       GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      g_ptr_array_add (rows, read (stmt));
    }
  return FALSE;
}

void
_gadget_sql_unref_rows (gpointer rows)
{
  g_ptr_array_unref (rows);
}

gboolean
_gadget_sql_remove_row (sqlite3 *db, const char *sql, const char *what, const char *id,
                        GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  if (sqlite3_changes (db) > 0)
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND, "there is no %s %s", what,
               id);
  return FALSE;
}
