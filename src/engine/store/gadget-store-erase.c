/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Deletes all chats, and everything that has words of them.
 *
 * 1. gadget_store_erase_async () deletes the rows of all chats, their index, folders, drafts and
 *    permission rules, and those of providers and tool servers if the user wants that, in one
 *    transaction, which also stores a mark. Sessions in memory are deleted
 *    ones for every process from then on.
 * 2. gadget_store_purge_async () looks for the mark and deletes what is in files: backups, data for
 *    undo, databases that were set aside, caches. It then rewrites the database, since the pages of
 *    deleted rows would keep their words, and empties the write-ahead log.
 * 3. gadget_store_end_purge_async () deletes the mark, when the recovery files are deleted, too.
 *
 * When the process dies before the transaction is committed, everything is there; when it dies
 * later, the next start begins with step 2. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gadget-backup-private.h"
#include "gadget-sql.h"
#include "gadget-store-erase.h"
#include "gadget-store-providers.h"
#include "gadget-store-repair.h"

#define MARK "erasing"

/* One of the steps. */
typedef struct
{
  char *directory;
  char *cache_directory;
  gboolean also_providers;
  gboolean purged;
} Erasure;

static Erasure *
erasure_new (GadgetStore *store, const char *cache_directory)
{
  Erasure *erasure = g_new0 (Erasure, 1);

  erasure->directory = g_strdup (gadget_store_get_directory (store));
  erasure->cache_directory = g_strdup (cache_directory);
  return erasure;
}

static void
erasure_free (gpointer data)
{
  Erasure *erasure = data;

  g_free (erasure->directory);
  g_free (erasure->cache_directory);
  g_free (erasure);
}

/* --- On the thread ---------------------------------------------------------------------------- */

/* The index of a damaged structure takes no commands; without its contents it has no words either,
 * and it is built again by the user. */
static gboolean
empty_index (sqlite3 *db, GError **error)
{
  if (_gadget_sql_exec (db, "INSERT INTO search (search) VALUES ('delete-all')", NULL))
    return TRUE;
  return _gadget_sql_exec (db, "DELETE FROM search_data; DELETE FROM search_docsize", error);
}

static gboolean
erase_providers (sqlite3 *db, GError **error)
{
  return _gadget_sql_exec (db,
                           "DELETE FROM provider;"
                           "DELETE FROM mcp_server;"
                           "DELETE FROM setting WHERE key IN ('" GADGET_SETTING_DEFAULT_PROVIDER
                           "', '" GADGET_SETTING_DEFAULT_MODEL "')"
                           " OR key LIKE '" GADGET_SETTING_MODEL_LIMITS "%'"
                           " OR key LIKE '" GADGET_SETTING_PRICES "%'",
                           error);
}

static gboolean
erase_rows (sqlite3 *db, gpointer data, GError **error)
{
  const Erasure *erasure = data;

  return (!erasure->also_providers || erase_providers (db, error))
         && _gadget_sql_exec (db,
                              "INSERT OR IGNORE INTO deleted_session (id) SELECT id FROM session;"
                              "DELETE FROM session;"
                              "DELETE FROM attachment;"
                              "DELETE FROM rule;"
                              "DELETE FROM chat_folder;"
                              "DELETE FROM import;"
                              "DELETE FROM usage;"
                              "DELETE FROM setting WHERE key IN ('draft', 'draft-attachments')"
                              " OR key LIKE 'position:%'",
                              error)
         && empty_index (db, error)
         && _gadget_sql_exec (db,
                              "DELETE FROM search_pending; UPDATE search_build SET next = 0;"
                              "INSERT OR REPLACE INTO setting (key, value) VALUES ('" MARK
                              "', '1')",
                              error);
}

/* An import would go on to add chats. */
static gboolean
check_imports (sqlite3 *db, GError **error)
{
  gint64 n;

  if (!_gadget_sql_get_int (db, "SELECT count(*) FROM import WHERE ended_at IS NULL", &n, error))
    return FALSE;
  if (n > 0)
    g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY,
                         "an import is going on");
  return n == 0;
}

/* A backup that is being made would have all chats. */
static int
lock_backups (const Erasure *erasure, GError **error)
{
  const int lock = _gadget_backup_lock (erasure->directory);

  if (lock < 0)
    g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY,
                         "a backup is being made");
  return lock;
}

static gboolean
check_erasable (sqlite3 *db, gpointer data, GError **error)
{
  const Erasure *erasure = data;
  const int lock = lock_backups (erasure, error);

  if (lock < 0)
    return FALSE;
  close (lock);
  return _gadget_store_check_idle (db, erasure->directory, error) && check_imports (db, error);
}

static gboolean
erase (sqlite3 *db, gpointer data, GError **error)
{
  const Erasure *erasure = data;
  const int lock = lock_backups (erasure, error);
  gboolean ok;

  if (lock < 0)
    return FALSE;
  ok = _gadget_store_check_idle (db, erasure->directory, error) && check_imports (db, error)
       && _gadget_sql_transaction_durable (db, erase_rows, data, error);
  close (lock);
  return ok;
}

/* Deletes a folder with everything in it, without following links. What cannot be deleted is
 * logged, and tried again by the next start. */
static gboolean
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  gboolean ok = TRUE;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      struct stat info;

      if (g_lstat (inner, &info) == 0 && S_ISDIR (info.st_mode))
        ok = remove_tree (inner) && ok;
      else
        ok = g_unlink (inner) == 0 && ok;
    }
  if (g_rmdir (path) == 0 || errno == ENOENT)
    return ok;
  g_message ("%s could not be deleted: %s", path, g_strerror (errno));
  return FALSE;
}

static gboolean
remove_part (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return remove_tree (path);
}

/* Databases that were set aside (gadget-store-aside.c) have chats, too. */
static gboolean
remove_set_aside (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  gboolean ok = TRUE;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      if (g_pattern_match_simple ("gadget-*.db*", name))
        ok = g_unlink (path) == 0 && ok;
    }
  return ok;
}

static gboolean
remove_files (const Erasure *erasure, GError **error)
{
  gboolean ok = remove_part (erasure->directory, "backups");

  ok = remove_part (erasure->directory, "blobs") && ok;
  ok = remove_part (erasure->directory, "trees") && ok;
  ok = remove_set_aside (erasure->directory) && ok;
  ok = remove_tree (erasure->cache_directory) && ok;
  if (!ok)
    g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FAILED,
                         "some files could not be deleted");
  return ok;
}

/* The log is only emptied when nobody reads from it. */
static gboolean
rewrite (sqlite3 *db, GError **error)
{
  gint64 busy;

  if (!_gadget_sql_exec (db, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM", error)
      || !_gadget_sql_get_int (db, "PRAGMA wal_checkpoint (TRUNCATE)", &busy, error))
    return FALSE;
  if (busy == 0)
    return TRUE;
  g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY,
                       "the write-ahead log is in use");
  return FALSE;
}

static gboolean
purge (sqlite3 *db, gpointer data, GError **error)
{
  Erasure *erasure = data;
  gint64 marked;

  if (!_gadget_sql_get_int (db, "SELECT count(*) FROM setting WHERE key = '" MARK "'", &marked,
                            error))
    return FALSE;
  if (marked == 0)
    return TRUE;
  erasure->purged = TRUE;
  return remove_files (erasure, error) && rewrite (db, error);
}

static gboolean
end_purge (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_exec (db, "DELETE FROM setting WHERE key = '" MARK "'", error);
}

/* --- On the main context ---------------------------------------------------------------------- */

/* Checks what gadget_store_erase_async () checks first, and deletes nothing. */
void
gadget_store_check_erasable_async (GadgetStore *self, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));
  gadget_store_run_async (self, check_erasable, erasure_new (self, NULL), erasure_free, callback,
                          user_data);
}

/**
 * gadget_store_check_erasable_finish:
 *
 * Returns: whether everything could be deleted now; else @error is a #GadgetStoreError: BUSY while
 * a turn or an import is going on
 */
gboolean
gadget_store_check_erasable_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_erase_async:
 * @also_providers: whether providers and tool servers are deleted, too
 *
 * Deletes all chats. Nothing may be written from sessions in memory afterwards: the program is to
 * be started again.
 */
void
gadget_store_erase_async (GadgetStore *self, gboolean also_providers, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Erasure *erasure;

  g_return_if_fail (GADGET_IS_STORE (self));

  erasure = erasure_new (self, NULL);
  erasure->also_providers = also_providers;
  gadget_store_run_async (self, erase, erasure, erasure_free, callback, user_data);
}

/**
 * gadget_store_erase_finish:
 *
 * Returns: whether all chats were deleted; else none was, and @error is a #GadgetStoreError: BUSY
 *   while a turn is going on or a backup is being made
 */
gboolean
gadget_store_erase_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_purge_async:
 * @cache_directory: a folder of caches, which is deleted
 *
 * Deletes files that may have words of deleted chats, if gadget_store_erase_async () has been
 * called and the mark is still there.
 */
void
gadget_store_purge_async (GadgetStore *self, const char *cache_directory,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && cache_directory != NULL);
  gadget_store_run_async (self, purge, erasure_new (self, cache_directory), erasure_free, callback,
                          user_data);
}

/**
 * gadget_store_purge_finish:
 * @purged: (out): whether the mark was there
 *
 * Returns: whether no such file is left; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_purge_finish (GadgetStore *self, GAsyncResult *result, gboolean *purged,
                           GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return FALSE;
  *purged = ((const Erasure *) gadget_store_get_job_data (result))->purged;
  return TRUE;
}

/* Deletes the mark. */
void
gadget_store_end_purge_async (GadgetStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));
  gadget_store_run_async (self, end_purge, NULL, NULL, callback, user_data);
}

gboolean
gadget_store_end_purge_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
