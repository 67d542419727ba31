/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Backups of the database: files in "backups" below the data folder, each a complete database that
 * SQLite's backup API copied. The name of a file is the local time, and why it was made:
 *
 *   gadget-2026-11-28-161530-weekly.db     a week after the last one
 *   gadget-2026-11-28-161530-version-12.db before a database of version 12 was migrated
 *   gadget-2026-11-28-161530-restore.db    before another backup was restored
 *
 * A copy is written under another name, is on the disk when it gets its own, and no file is ever
 * written again. The weekly one is made in a thread with a connection of its own, within one read
 * transaction: the store goes on meanwhile, and the copy is of one moment. The database is checked
 * first, since the copy of a damaged one must not replace a good one. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/gadget-blocking.h"
#include "common/gadget-clock.h"
#include "gadget-backup-private.h"
#include "gadget-sql.h"

#define FOLDER "backups"
#define PREFIX "gadget-"
#define SUFFIX ".db"
#define PARTIAL_SUFFIX ".part"
/* So many pages are copied between two looks at the cancellable: 1 MB. */
#define PAGES_PER_STEP 256
/* How long the copy waits for the lock of another process, in milliseconds. */
#define BUSY_TIMEOUT_MS 5000

/* The arguments of gadget_backups_make_async (). */
typedef struct
{
  char *directory;
  gboolean always;
} Request;

void
gadget_backup_free (GadgetBackup *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self);
}

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->directory);
  g_free (request);
}

static gboolean
fail (GError **error, const char *path, int saved_errno)
{
  g_set_error (error, GADGET_STORE_ERROR,
               saved_errno == ENOSPC || saved_errno == EDQUOT ? GADGET_STORE_ERROR_FULL
                                                              : GADGET_STORE_ERROR_OPEN,
               "%s: %s", path, g_strerror (saved_errno));
  return FALSE;
}

char *
_gadget_backup_dup_path (const char *directory, const char *name)
{
  return g_build_filename (directory, FOLDER, name, NULL);
}

/* --- The list --------------------------------------------------------------------------------- */

static gint
compare_backups (gconstpointer a, gconstpointer b)
{
  const GadgetBackup *first = *(const GadgetBackup *const *) a;
  const GadgetBackup *second = *(const GadgetBackup *const *) b;

  if (first->made_at != second->made_at)
    return first->made_at < second->made_at ? 1 : -1;
  return strcmp (second->name, first->name);
}

static GadgetBackupReason
get_reason (const char *name)
{
  if (g_str_has_suffix (name, "-restore" SUFFIX))
    return GADGET_BACKUP_RESTORATION;
  return strstr (name, "-version-") != NULL ? GADGET_BACKUP_MIGRATION : GADGET_BACKUP_WEEKLY;
}

/* Returns the backups of a folder, newest first, by the times of their files: a clock that was set
 * back makes names that lie. */
static GPtrArray *
list (const char *directory)
{
  g_autoptr (GPtrArray) backups =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_backup_free);
  g_autofree char *folder = g_build_filename (directory, FOLDER, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat info;
      GadgetBackup *backup;

      if (!g_str_has_prefix (name, PREFIX) || !g_str_has_suffix (name, SUFFIX)
          || lstat (path, &info) != 0 || !S_ISREG (info.st_mode))
        continue;
      backup = g_new (GadgetBackup, 1);
      backup->name = g_strdup (name);
      backup->reason = get_reason (name);
      backup->made_at = info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000)
                        + info.st_mtim.tv_nsec / G_GINT64_CONSTANT (1000000);
      backup->size = info.st_size;
      g_ptr_array_add (backups, backup);
    }
  g_ptr_array_sort (backups, compare_backups);
  return g_steal_pointer (&backups);
}

static void
delete_oldest (const char *directory, const char *needed)
{
  g_autoptr (GPtrArray) backups = list (directory);

  for (guint i = GADGET_BACKUPS_KEPT; i < backups->len; i++)
    {
      const GadgetBackup *backup = g_ptr_array_index (backups, i);
      g_autofree char *path = _gadget_backup_dup_path (directory, backup->name);

      if (g_strcmp0 (backup->name, needed) != 0 && g_unlink (path) != 0)
        g_message ("an old backup could not be deleted: %s: %s", path, g_strerror (errno));
    }
}

static gpointer
list_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  return list (data);
}

void
gadget_backups_list_async (const char *directory, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (directory != NULL);
  gadget_blocking_run_async (cancellable, list_in_thread, g_strdup (directory), g_free,
                             (GDestroyNotify) g_ptr_array_unref, callback, user_data);
}

/**
 * gadget_backups_list_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetBackup): the backups, newest first; %NULL
 *   with an error of gadget_blocking_run_finish ()
 */
GPtrArray *
gadget_backups_list_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}

/* --- Copies ----------------------------------------------------------------------------------- */

gboolean
_gadget_backup_copy (sqlite3 *from, sqlite3 *to, GCancellable *cancellable, GError **error)
{
  sqlite3_backup *backup = sqlite3_backup_init (to, "main", from, "main");
  int code = SQLITE_OK;

  if (backup == NULL)
    {
      _gadget_sql_set_error (to, sqlite3_errcode (to), error);
      return FALSE;
    }
  while (code == SQLITE_OK && !g_cancellable_is_cancelled (cancellable))
    code = sqlite3_backup_step (backup, PAGES_PER_STEP);
  code = sqlite3_backup_finish (backup) == SQLITE_OK && code == SQLITE_DONE ? SQLITE_OK : code;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (code == SQLITE_OK)
    return TRUE;
  _gadget_sql_set_error (to, code, error);
  return FALSE;
}

/* A backup is one file, so it has no write-ahead log. */
gboolean
_gadget_backup_copy_to_file (sqlite3 *db, const char *path, GCancellable *cancellable,
                             GError **error)
{
  const int fd = g_open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  sqlite3 *copy = NULL;
  gboolean ok;

  if (fd < 0)
    return fail (error, path, errno);
  close (fd);
  ok =
      sqlite3_open_v2 (path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK;
  if (!ok)
    _gadget_sql_set_error (copy, sqlite3_errcode (copy), error);
  ok = ok && _gadget_backup_copy (db, copy, cancellable, error);
  if (ok && sqlite3_exec (copy, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK)
    {
      _gadget_sql_set_error (copy, sqlite3_errcode (copy), error);
      ok = FALSE;
    }
  sqlite3_close_v2 (copy);
  return ok;
}

static gboolean
rename_durably (const char *folder, const char *from, const char *to, GError **error)
{
  int fd;

  if (g_rename (from, to) != 0)
    return fail (error, to, errno);
  fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd >= 0)
    {
      fsync (fd);
      close (fd);
    }
  return TRUE;
}

gboolean
_gadget_backup_make (sqlite3 *db, const char *directory, const char *reason, const char *needed,
                     GCancellable *cancellable, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *name = g_strdup_printf (PREFIX "%s-%s" SUFFIX, time, reason);
  g_autofree char *folder = g_build_filename (directory, FOLDER, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *partial = g_strconcat (path, PARTIAL_SUFFIX, NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return fail (error, folder, errno);
  if (!_gadget_backup_copy_to_file (db, partial, cancellable, error)
      || !rename_durably (folder, partial, path, error))
    {
      g_unlink (partial);
      return FALSE;
    }
  delete_oldest (directory, needed);
  return TRUE;
}

/* --- The weekly backup ------------------------------------------------------------------------ */

/* Parts of copies that a process left when it was killed. */
static void
delete_partial (const char *directory)
{
  g_autofree char *folder = g_build_filename (directory, FOLDER, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_prefix (name, PREFIX) && g_str_has_suffix (name, SUFFIX PARTIAL_SUFFIX))
        g_unlink (path);
    }
}

/* Several processes may have the same idea; the first one makes the backup. */
int
_gadget_backup_lock (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "backups.lock", NULL);
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd >= 0 && fcntl (fd, F_OFD_SETLK, &lock) != 0)
    {
      close (fd);
      return -1;
    }
  return fd;
}

static gboolean
is_due (const char *directory)
{
  g_autoptr (GPtrArray) backups = list (directory);
  const GadgetBackup *newest = backups->len > 0 ? g_ptr_array_index (backups, 0) : NULL;
  const gint64 now = gadget_clock_wall_ms ();

  /* A backup of the future is one of a clock that was wrong. */
  return newest == NULL || newest->made_at > now
         || now - newest->made_at >= GADGET_BACKUP_INTERVAL_MS;
}

static int
stop_check_cb (gpointer data)
{
  return g_cancellable_is_cancelled (data);
}

/* Checks every page within the read transaction that the copy is made in. */
static gboolean
check (sqlite3 *db, GCancellable *cancellable, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  g_autofree char *message = NULL;
  int code;

  sqlite3_progress_handler (db, 10000, cancellable != NULL ? stop_check_cb : NULL, cancellable);
  code = sqlite3_prepare_v2 (db, "PRAGMA quick_check (1)", -1, &stmt, NULL);
  if (code == SQLITE_OK && (code = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      message = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
      code = SQLITE_OK;
    }
  sqlite3_finalize (stmt);
  sqlite3_progress_handler (db, 0, NULL, NULL);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (code != SQLITE_OK)
    {
      _gadget_sql_set_error (db, code, error);
      return FALSE;
    }
  if (g_strcmp0 (message, "ok") == 0)
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT, "%s", message);
  return FALSE;
}

static gboolean
make_weekly (const char *directory, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  int code = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
  gboolean ok = FALSE;

  if (code == SQLITE_OK)
    {
      sqlite3_busy_timeout (db, BUSY_TIMEOUT_MS);
      code = sqlite3_exec (db, "BEGIN", NULL, NULL, NULL);
    }
  if (code != SQLITE_OK)
    _gadget_sql_set_error (db, code, error);
  else
    ok = check (db, cancellable, error)
         && _gadget_backup_make (db, directory, "weekly", NULL, cancellable, error);
  sqlite3_close_v2 (db);
  return ok;
}

static gpointer
make_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Request *request = data;
  const int lock = _gadget_backup_lock (request->directory);
  gboolean ok = TRUE;

  if (lock < 0)
    return GINT_TO_POINTER (TRUE);
  delete_partial (request->directory);
  if (request->always || is_due (request->directory))
    ok = make_weekly (request->directory, cancellable, error);
  close (lock);
  return GINT_TO_POINTER (ok);
}

/**
 * gadget_backups_make_async:
 * @directory: the data folder
 * @always: whether to make one although none is due
 *
 * Checks the database and copies it, in a thread: a backup is due a week after the last one. Does
 * nothing while another process makes one.
 */
void
gadget_backups_make_async (const char *directory, gboolean always, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  Request *request;

  g_return_if_fail (directory != NULL);

  request = g_new (Request, 1);
  request->directory = g_strdup (directory);
  request->always = always;
  gadget_blocking_run_async (cancellable, make_in_thread, request, request_free, NULL, callback,
                             user_data);
}

/**
 * gadget_backups_make_finish:
 *
 * Returns: whether there is a backup that is not due, or one is being made; else @error is
 *   %GADGET_STORE_ERROR_CORRUPT if the database is damaged, another #GadgetStoreError, or an error
 *   of gadget_blocking_run_finish ()
 */
gboolean
gadget_backups_make_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error) != NULL;
}
