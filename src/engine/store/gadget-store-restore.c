/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Restoring a backup: what it would change, and the restoration itself.
 *
 * The backup is copied into the open database by SQLite, in one transaction, so other processes go
 * on with the restored content. A backup of an older version is migrated before that, in a copy of
 * its own: either the database gets all of it, or it stays as it is. The objects in memory do not
 * follow, so the program must be started again. What the database held before is a backup as well,
 * by which the restoration is undone. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gadget-backup-private.h"
#include "gadget-sql.h"
#include "gadget-store-repair.h"
#include "gadget-store-restore.h"
#include "gadget-store-schema.h"

/* The job for one backup. */
typedef struct
{
  char *directory;
  char *name;
  GadgetBackupPreview preview;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->directory);
  g_free (job->name);
  g_free (job);
}

/* --- On the thread ---------------------------------------------------------------------------- */

static sqlite3 *
open_backup (const Job *job, GError **error)
{
  g_autofree char *path = _gadget_backup_dup_path (job->directory, job->name);
  sqlite3 *backup = NULL;
  int code = sqlite3_open_v2 (path, &backup, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

  if (code == SQLITE_OK && _gadget_store_schema_check (backup, error))
    return backup;
  if (code != SQLITE_OK)
    _gadget_sql_set_error (backup, code, error);
  g_prefix_error (error, "%s: ", path);
  sqlite3_close_v2 (backup);
  return NULL;
}

/* Reads when each chat was changed. Databases of version 1 have no subagents. */
static GHashTable *
read_chats (sqlite3 *db, GError **error)
{
  g_autoptr (GHashTable) chats = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gint64 has_parent;
  gboolean has_row;

  if (!_gadget_sql_get_int (
          db, "SELECT count(*) FROM pragma_table_info ('session') WHERE name = 'parent'",
          &has_parent, error))
    return NULL;
  stmt = _gadget_sql_prepare (db,
                              has_parent != 0
                                  ? "SELECT id, updated_at FROM session WHERE parent IS NULL"
                                  : "SELECT id, updated_at FROM session",
                              error);
  while (stmt != NULL && _gadget_sql_next (stmt, &has_row, error))
    {
      gint64 *updated_at;

      if (!has_row)
        return g_steal_pointer (&chats);
      updated_at = g_new (gint64, 1);
      *updated_at = sqlite3_column_int64 (stmt, 1);
      g_hash_table_insert (chats, _gadget_sql_dup_text (stmt, 0), updated_at);
    }
  return NULL;
}

static void
compare (GHashTable *saved, GHashTable *current, GadgetBackupPreview *preview)
{
  GHashTableIter iter;
  gpointer id;
  gpointer updated_at;

  preview->n_chats = g_hash_table_size (saved);
  preview->n_missing = g_hash_table_size (current);
  g_hash_table_iter_init (&iter, saved);
  while (g_hash_table_iter_next (&iter, &id, &updated_at))
    {
      const gint64 *now = g_hash_table_lookup (current, id);

      if (now == NULL)
        preview->n_returning++;
      else
        {
          preview->n_missing--;
          preview->n_older += *(const gint64 *) updated_at < *now;
        }
    }
}

static gboolean
preview (sqlite3 *db, gpointer data, GError **error)
{
  Job *job = data;
  sqlite3 *backup = open_backup (job, error);
  g_autoptr (GHashTable) saved = backup != NULL ? read_chats (backup, error) : NULL;
  g_autoptr (GHashTable) current = saved != NULL ? read_chats (db, error) : NULL;

  sqlite3_close_v2 (backup);
  if (current == NULL)
    return FALSE;
  compare (saved, current, &job->preview);
  return TRUE;
}

/* A turn that goes on, here or in another process, would be written into the restored database. */
static gboolean
check_idle (sqlite3 *db, const char *directory, GError **error)
{
  gint64 n_processing;

  if (!_gadget_store_repair (db, directory, NULL, NULL, error)
      || !_gadget_sql_get_int (db, "SELECT count(*) FROM turn WHERE status = 'processing'",
                               &n_processing, error))
    return FALSE;
  if (n_processing == 0)
    return TRUE;
  g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY, "a turn is processing");
  return FALSE;
}

/* Returns a migrated copy of the backup of an older version. The copy has no name any more when it
 * is open, so that it goes with its connection. */
static sqlite3 *
open_migrated (sqlite3 *backup, const Job *job, GError **error)
{
  g_autofree char *path = _gadget_backup_dup_path (job->directory, job->name);
  g_autofree char *copy_path = g_strconcat (path, ".migrated", NULL);
  sqlite3 *copy = NULL;
  gboolean ok = _gadget_backup_copy_to_file (backup, copy_path, NULL, error);

  if (ok)
    {
      const int code =
          sqlite3_open_v2 (copy_path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

      if (code != SQLITE_OK)
        _gadget_sql_set_error (copy, code, error);
      ok = code == SQLITE_OK && _gadget_store_schema_migrate (copy, error);
    }
  if (!ok)
    sqlite3_close_v2 (g_steal_pointer (&copy));
  g_unlink (copy_path);
  return copy;
}

static sqlite3 *
open_newest_version (const Job *job, GError **error)
{
  sqlite3 *backup = open_backup (job, error);
  sqlite3 *migrated;

  if (backup == NULL || _gadget_store_schema_get_old_version (backup) == 0)
    return backup;
  migrated = open_migrated (backup, job, error);
  sqlite3_close_v2 (backup);
  return migrated;
}

static gboolean
restore (sqlite3 *db, gpointer data, GError **error)
{
  const Job *job = data;
  sqlite3 *backup =
      check_idle (db, job->directory, error) ? open_newest_version (job, error) : NULL;
  gboolean ok;

  if (backup == NULL)
    return FALSE;
  ok = _gadget_backup_make (db, job->directory, "restore", job->name, NULL, error)
       && _gadget_backup_copy (backup, db, NULL, error);
  sqlite3_close_v2 (backup);
  return ok;
}

/* --- On the main context ---------------------------------------------------------------------- */

static Job *
job_new (GadgetStore *store, const char *name)
{
  Job *job = g_new0 (Job, 1);

  job->directory = g_strdup (gadget_store_get_directory (store));
  job->name = g_strdup (name);
  return job;
}

/**
 * gadget_store_preview_backup_async:
 * @name: the name of a backup
 *
 * Compares the chats of a backup with those of the database.
 */
void
gadget_store_preview_backup_async (GadgetStore *self, const char *name,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && name != NULL && strchr (name, '/') == NULL);
  gadget_store_run_async (self, preview, job_new (self, name), job_free, callback, user_data);
}

/**
 * gadget_store_preview_backup_finish:
 * @preview: (out): what restoring the backup would change
 *
 * Returns: whether @preview was set; else @error is a #GadgetStoreError: NEWER or CORRUPT if the
 *   backup cannot be restored
 */
gboolean
gadget_store_preview_backup_finish (GadgetStore *self, GAsyncResult *result,
                                    GadgetBackupPreview *preview, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return FALSE;
  *preview = ((const Job *) gadget_store_get_job_data (result))->preview;
  return TRUE;
}

/**
 * gadget_store_restore_backup_async:
 * @name: the name of a backup
 *
 * Makes a backup of the database, then replaces its content by that of the backup @name. Sessions
 * in memory are not changed, so nothing may be written from them afterwards: the program is to be
 * started again.
 */
void
gadget_store_restore_backup_async (GadgetStore *self, const char *name,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && name != NULL && strchr (name, '/') == NULL);
  gadget_store_run_async (self, restore, job_new (self, name), job_free, callback, user_data);
}

/**
 * gadget_store_restore_backup_finish:
 *
 * Returns: whether the database has the content of the backup; else it is unchanged, and @error is
 *   a #GadgetStoreError: BUSY while a turn is going on
 */
gboolean
gadget_store_restore_backup_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
