/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measures in threads what the data takes, and what clearing a part of it would remove. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/gadget-blocking.h"
#include "gadget-sql.h"
#include "gadget-storage.h"
#include "gadget-store-schema.h"

/* How long a query waits for the lock of another process, in milliseconds. */
#define BUSY_TIMEOUT_MS 5000

/* The folders that are measured. */
typedef struct
{
  char *directory;
  char *cache_directory;
} Measurement;

static void
measurement_free (gpointer data)
{
  Measurement *measurement = data;

  g_free (measurement->directory);
  g_free (measurement->cache_directory);
  g_free (measurement);
}

/* Returns the size of a folder with everything in it, without following links. */
static gint64
measure_folder (const char *path, GCancellable *cancellable)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  gint64 size = 0;
  const char *name;

  while (dir != NULL && !g_cancellable_is_cancelled (cancellable)
         && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      struct stat info;

      if (g_lstat (inner, &info) != 0)
        continue;
      size += S_ISDIR (info.st_mode) ? measure_folder (inner, cancellable) : (gint64) info.st_size;
    }
  return size;
}

static gint64
measure_part (const char *directory, const char *name, GCancellable *cancellable)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return measure_folder (path, cancellable);
}

static gint64
measure_file (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  struct stat info;

  return g_stat (path, &info) == 0 ? info.st_size : 0;
}

/* SQLite knows the length of a blob without reading it. Pages that deleted rows have left are not
 * in use: the next chats get them. */
static gboolean
measure_rows (sqlite3 *db, gpointer data, GError **error)
{
  GadgetStorage *storage = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT (SELECT count(*) FROM session WHERE " GADGET_SQL_IS_CHAT " AND NOT archived),"
      " (SELECT count(*) FROM session WHERE " GADGET_SQL_IS_CHAT " AND archived),"
      " sum (size), sum (n), max (page_size * freelist_count) FROM"
      " (SELECT coalesce (sum (length (data)), 0) AS size, count(*) AS n FROM attachment"
      "  UNION ALL SELECT coalesce (sum (length (data)), 0), count(*) FROM picture"
      "   WHERE length (data) > 0),"
      " pragma_page_size, pragma_freelist_count",
      error);
  gboolean has_row;

  if (stmt == NULL || !_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  storage->n_chats = (guint) sqlite3_column_int64 (stmt, 0);
  storage->n_archived = (guint) sqlite3_column_int64 (stmt, 1);
  storage->attachments = sqlite3_column_int64 (stmt, 2);
  storage->n_attachments = (guint) sqlite3_column_int64 (stmt, 3);
  storage->chats = -storage->attachments - sqlite3_column_int64 (stmt, 4);
  return TRUE;
}

/* Runs @func on a connection of its own, which only reads, so that the store's thread goes on. */
static gboolean
read_database (const char *directory, GadgetSqlFunc func, gpointer data, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  const int code = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  gboolean ok = FALSE;

  _gadget_sql_enter_thread ();
  if (code != SQLITE_OK)
    _gadget_sql_set_error (db, code, error);
  else
    {
      sqlite3_busy_timeout (db, BUSY_TIMEOUT_MS);
      ok = func (db, data, error);
    }
  sqlite3_close_v2 (db);
  return ok;
}

static gpointer
measure_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Measurement *measurement = data;
  g_autofree GadgetStorage *storage = g_new0 (GadgetStorage, 1);
  struct statvfs info;

  if (!read_database (measurement->directory, measure_rows, storage, error))
    return NULL;
  storage->chats += measure_file (measurement->directory, "gadget.db")
                    + measure_file (measurement->directory, "gadget.db-wal");
  storage->chats = MAX (storage->chats, 0);
  if (statvfs (measurement->directory, &info) == 0)
    storage->free = (gint64) (info.f_bavail * info.f_frsize);
  storage->undo = measure_part (measurement->directory, "blobs", cancellable)
                  + measure_part (measurement->directory, "trees", cancellable);
  storage->backups = measure_part (measurement->directory, "backups", cancellable);
  storage->caches = measure_folder (measurement->cache_directory, cancellable);
  return g_steal_pointer (&storage);
}

/**
 * gadget_storage_measure_async:
 * @directory: the data folder
 * @cache_directory: the folder of caches
 *
 * Measures what the data takes on the disk.
 */
void
gadget_storage_measure_async (const char *directory, const char *cache_directory,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  Measurement *measurement;

  g_return_if_fail (directory != NULL && cache_directory != NULL);

  measurement = g_new0 (Measurement, 1);
  measurement->directory = g_strdup (directory);
  measurement->cache_directory = g_strdup (cache_directory);
  gadget_blocking_run_async (cancellable, measure_in_thread, measurement, measurement_free, g_free,
                             callback, user_data);
}

/**
 * gadget_storage_measure_finish:
 * @storage: (out): the sizes
 *
 * Returns: whether @storage was set; else @error is a #GadgetStoreError, or an error of
 *   gadget_blocking_run_finish ()
 */
gboolean
gadget_storage_measure_finish (GAsyncResult *result, GadgetStorage *storage, GError **error)
{
  g_autofree GadgetStorage *measured = gadget_blocking_run_finish (result, error);

  if (measured == NULL)
    return FALSE;
  *storage = *measured;
  return TRUE;
}

/* --- Chats that were not used for long -------------------------------------------------------- */

/* The condition for such chats, and what is measured of them. */
typedef struct
{
  char *directory;
  gint64 before;
  gboolean also_pinned;
  gboolean also_unsent;
  GadgetStorageOld old;
} OldMeasurement;

static void
old_measurement_free (gpointer data)
{
  OldMeasurement *measurement = data;

  g_free (measurement->directory);
  g_free (measurement);
}

static gboolean
measure_old_rows (sqlite3 *db, gpointer data, GError **error)
{
  OldMeasurement *self = data;
  GadgetStorageOld *old = &self->old;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "WITH RECURSIVE " GADGET_SQL_OLD_CHATS
      " SELECT (SELECT count(*) FROM session WHERE parent IS NULL"
      "   AND number IN (SELECT number FROM old)),"
      " (SELECT coalesce (sum (octet_length (prompt)), 0) FROM turn"
      "  WHERE session IN (SELECT number FROM old))"
      " + (SELECT coalesce (sum (octet_length (text) + octet_length (arguments)"
      "   + coalesce (octet_length (result), 0)), 0) FROM item JOIN turn ON turn.number = item.turn"
      "  WHERE turn.session IN (SELECT number FROM old)),"
      " sum (size), sum (n) FROM"
      " (SELECT coalesce (sum (length (data)), 0) AS size, count(*) AS n FROM attachment"
      "   WHERE kept AND session IN (SELECT number FROM old)"
      "  UNION ALL SELECT coalesce (sum (length (data)), 0), count(*) FROM picture"
      "   JOIN turn ON turn.number = picture.turn"
      "   WHERE length (data) > 0 AND turn.session IN (SELECT number FROM old))",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, self->before);
  _gadget_sql_bind_int (stmt, 2, self->also_pinned);
  _gadget_sql_bind_int (stmt, 3, self->also_unsent);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  old->n_chats = (guint) sqlite3_column_int64 (stmt, 0);
  old->texts = sqlite3_column_int64 (stmt, 1);
  old->attachments = sqlite3_column_int64 (stmt, 2);
  old->n_attachments = (guint) sqlite3_column_int64 (stmt, 3);
  return TRUE;
}

static gpointer
measure_old_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable,
                       GError **error)
{
  OldMeasurement *measurement = data;

  if (!read_database (measurement->directory, measure_old_rows, measurement, error))
    return NULL;
  return g_memdup2 (&measurement->old, sizeof measurement->old);
}

/**
 * gadget_storage_measure_old_async:
 * @directory: the data folder
 * @before: chats that were used last before this time, in milliseconds since 1970
 * @also_pinned: whether pinned chats are measured, too
 * @also_unsent: whether chats with a message that is not sent are measured, too: their attachments
 *   can be cleared, but the chats are not deleted
 *
 * Measures what clearing such chats, or their attachments, would remove. Running chats are not
 * measured.
 */
void
gadget_storage_measure_old_async (const char *directory, gint64 before, gboolean also_pinned,
                                  gboolean also_unsent, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  OldMeasurement *measurement;

  g_return_if_fail (directory != NULL);

  measurement = g_new0 (OldMeasurement, 1);
  measurement->directory = g_strdup (directory);
  measurement->before = before;
  measurement->also_pinned = also_pinned;
  measurement->also_unsent = also_unsent;
  gadget_blocking_run_async (NULL, measure_old_in_thread, measurement, old_measurement_free, g_free,
                             callback, user_data);
}

/**
 * gadget_storage_measure_old_finish:
 * @old: (out): the sizes
 *
 * Returns: whether @old was set; else @error is a #GadgetStoreError, or an error of
 *   gadget_blocking_run_finish ()
 */
gboolean
gadget_storage_measure_old_finish (GAsyncResult *result, GadgetStorageOld *old, GError **error)
{
  g_autofree GadgetStorageOld *measured = gadget_blocking_run_finish (result, error);

  if (measured == NULL)
    return FALSE;
  *old = *measured;
  return TRUE;
}
