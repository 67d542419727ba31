/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One SQLite connection on the thread of a job queue; see common/gadget-job-queue.c.
 *
 * Promises:
 * - A job sees everything that earlier jobs wrote. Opening is a job too: jobs queued behind it wait
 *   for it, and fail with its error if it fails.
 * - A queued job always runs, even if its caller has lost interest or the store is closed
 *   meanwhile, since closing is the last job.
 * - A database that cannot be opened (damaged, newer, another program's, read-only) is an error for
 *   the user interface to show. This file never replaces, renames or repairs it;
 *   gadget-store-aside.c renames it on request.
 *
 * Opening holds a lock file, because switching a new database to WAL and migrating an old one are
 * not safe while another process does the same. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "common/gadget-job-queue.h"
#include "gadget-backup-private.h"
#include "gadget-sql.h"
#include "gadget-store-private.h"
#include "gadget-store-schema.h"

/* SQLite waits this long for another process's write, which normally takes milliseconds. */
#define BUSY_TIMEOUT_MS 5000

/* The data that the jobs work with. The store outlives them. */
typedef struct
{
  char *directory;
  sqlite3 *db;        /* used on the thread only */
  GError *open_error; /* used on the thread only; why the database is not open */
} Connection;

typedef struct
{
  Connection *connection;
  GTask *task; /* belongs to the main context, the thread only carries it */
  GadgetStoreFunc func;
  gpointer data;  /* owned by the task */
  GError *error;  /* set on the thread if the job failed */
  gboolean wrote; /* set on the thread if the job changed rows */
} Job;

struct _GadgetStore
{
  GObject parent_instance;

  Connection connection;
  GadgetJobQueue *queue;
  gboolean closed;
  GadgetStoreWatch *watch;
};

enum
{
  CHANGED_OUTSIDE,
  LEASE_ENDED,
  SESSION_LOADED,
  WRITTEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetStore, gadget_store, G_TYPE_OBJECT)

/* --- On the thread ---------------------------------------------------------------------------- */

/* Blocks while another process opens the same database. Closing the returned descriptor releases
 * the lock; -1 if the lock file cannot be opened. */
static int
lock_opening (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "gadget.lock", NULL);
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  while (fd >= 0 && fcntl (fd, F_OFD_SETLKW, &lock) != 0 && errno == EINTR)
    ;
  return fd;
}

static gboolean
create_files (const char *directory, const char *path, GError **error)
{
  if (g_mkdir_with_parents (directory, 0700) != 0)
    {
      int saved_errno = errno;

      g_set_error (error, GADGET_STORE_ERROR,
                   saved_errno == ENOSPC || saved_errno == EDQUOT ? GADGET_STORE_ERROR_FULL
                                                                  : GADGET_STORE_ERROR_OPEN,
                   "%s: %s", directory, g_strerror (saved_errno));
      return FALSE;
    }

  /* SQLite would make the file readable for everyone; its WAL and shared-memory files inherit this
   * mode. */
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);

  if (fd < 0)
    {
      int saved_errno = errno;

      g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN, "%s: %s", path,
                   g_strerror (saved_errno));
      return FALSE;
    }
  return g_close (fd, error);
}

/* A migration is one transaction, so it goes on if no backup can be made, for want of space. */
static void
back_up_old_version (sqlite3 *db, const char *directory)
{
  const guint version = _gadget_store_schema_get_old_version (db);
  g_autofree char *reason = g_strdup_printf ("version-%u", version);
  g_autoptr (GError) error = NULL;

  if (version != 0 && !_gadget_backup_make (db, directory, reason, NULL, NULL, &error))
    g_message ("no backup of the older database could be made: %s", error->message);
}

/* A database that has tables already gets this when it is rewritten: see gadget-store-erase.c. */
static gboolean
set_up_new (sqlite3 *db, GError **error)
{
  gint64 n_pages;

  return _gadget_sql_get_int (db, "PRAGMA page_count", &n_pages, error)
         && (n_pages > 0 || _gadget_sql_exec (db, "PRAGMA auto_vacuum = INCREMENTAL", error));
}

static gboolean
set_up (sqlite3 *db, const char *directory, GError **error)
{
  gint64 version;

  sqlite3_busy_timeout (db, BUSY_TIMEOUT_MS);
  back_up_old_version (db, directory);
  if (!set_up_new (db, error) || !_gadget_sql_exec (db, "PRAGMA foreign_keys = ON", error)
      || !_gadget_store_schema_migrate (db, error)
      || !_gadget_sql_exec (db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error))
    return FALSE;
  /* Later values of data_version are compared with the one of this first query. */
  return _gadget_sql_get_int (db, "PRAGMA data_version", &version, error);
}

static gboolean
open_database (Connection *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  gboolean ok = FALSE;
  int lock;
  int code;

  if (!create_files (self->directory, path, error))
    {
      g_prefix_error (error, "opening the database: ");
      return FALSE;
    }

  lock = lock_opening (self->directory);
  code = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  sqlite3_extended_result_codes (db, 1);
  if (code == SQLITE_OK)
    ok = set_up (db, self->directory, error);
  else
    _gadget_sql_set_error (db, code, error);
  if (lock >= 0)
    close (lock);

  if (ok)
    self->db = db;
  else
    {
      sqlite3_close_v2 (db);
      g_prefix_error (error, "opening the database %s: ", path);
    }
  return ok;
}

static void
open_in_thread (gpointer data)
{
  Job *job = data;
  Connection *connection = job->connection;

  _gadget_sql_enter_thread ();
  if (connection->db != NULL)
    return;
  g_clear_error (&connection->open_error);
  if (!open_database (connection, &job->error))
    connection->open_error = g_error_copy (job->error);
}

/* If the folder was deleted while the database is open, writes still succeed but are lost. */
static gboolean
check_file (sqlite3 *db, GError **error)
{
  int moved = 0;

  if (sqlite3_file_control (db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved == 0)
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN,
               "%s is not there any more, or another file is in its place",
               sqlite3_db_filename (db, "main"));
  return FALSE;
}

static void
run_in_thread (gpointer data)
{
  Job *job = data;
  Connection *connection = job->connection;
  sqlite3_int64 n_changes;

  if (connection->db == NULL)
    {
      job->error = connection->open_error != NULL
                       ? g_error_copy (connection->open_error)
                       : g_error_new_literal (GADGET_STORE_ERROR, GADGET_STORE_ERROR_CLOSED,
                                              "the database is not open");
      return;
    }

  n_changes = sqlite3_total_changes64 (connection->db);

  gboolean ok = job->func (connection->db, job->data, &job->error);

  job->wrote = ok && sqlite3_total_changes64 (connection->db) != n_changes;
  if (job->wrote)
    ok = job->wrote = check_file (connection->db, &job->error);
  g_assert (ok == (job->error == NULL));
  /* A job that left its transaction open would lock out every other process. */
  g_assert (sqlite3_get_autocommit (connection->db));
}

static void
close_in_thread (gpointer data)
{
  Job *job = data;

  sqlite3_close_v2 (g_steal_pointer (&job->connection->db));
}

static void
close_and_free (gpointer data)
{
  g_autofree Job *job = data;

  close_in_thread (job);
}

/* --- On the main context ---------------------------------------------------------------------- */

static void
done_cb (gpointer data)
{
  g_autofree Job *job = data;
  g_autoptr (GTask) task = job->task;

  if (job->wrote)
    g_signal_emit (g_task_get_source_object (task), signals[WRITTEN], 0);
  if (job->error != NULL)
    g_task_return_error (task, g_steal_pointer (&job->error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
opened_cb (gpointer data)
{
  Job *job = data;

  if (job->error == NULL)
    _gadget_store_opened (g_task_get_source_object (job->task));
  done_cb (job);
}

static Job *
job_new (GadgetStore *self, GTask *task)
{
  Job *job = g_new0 (Job, 1);

  job->connection = &self->connection;
  job->task = task;
  return job;
}

static void
return_closed (GTask *task)
{
  g_task_return_new_error_literal (task, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CLOSED,
                                   "the database is closed");
}

static void
gadget_store_dispose (GObject *object)
{
  GadgetStore *self = GADGET_STORE (object);

  g_clear_pointer (&self->watch, _gadget_store_watch_free);

  G_OBJECT_CLASS (gadget_store_parent_class)->dispose (object);
}

static void
gadget_store_finalize (GObject *object)
{
  GadgetStore *self = GADGET_STORE (object);

  /* Each queued job's task holds a reference to the store, so the queue is empty here and waiting
   * for the thread does not block. */
  gadget_store_close (self);
  gadget_job_queue_free (self->queue);
  g_free (self->connection.directory);
  g_clear_error (&self->connection.open_error);

  G_OBJECT_CLASS (gadget_store_parent_class)->finalize (object);
}

static void
gadget_store_class_init (GadgetStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_store_dispose;
  object_class->finalize = gadget_store_finalize;

  /**
   * GadgetStore::changed-outside:
   *
   * Another process wrote to the database, so lists and settings may need to be read again.
   */
  signals[CHANGED_OUTSIDE] = g_signal_new ("changed-outside", G_TYPE_FROM_CLASS (klass),
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GadgetStore::lease-ended:
   * @session_id: the id of the session
   *
   * The session's lease is not held any more: this or another process released it, or its owner
   * died. Loading the session again ends a turn that still seems to be processing.
   */
  signals[LEASE_ENDED] = g_signal_new ("lease-ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  /**
   * GadgetStore::session-loaded:
   * @session: the session
   *
   * The turns of the session were just read, for the first time or again. Emitted just before the
   * callback of gadget_store_load_session_async () runs.
   */
  signals[SESSION_LOADED] =
      g_signal_new ("session-loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);

  /**
   * GadgetStore::written:
   *
   * A job of this process changed rows and they are in the file, so writing works. Emitted just
   * before the job's callback runs.
   */
  signals[WRITTEN] = g_signal_new ("written", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_store_init (GadgetStore *self)
{
  self->queue = gadget_job_queue_new ("gadget-store");
}

void
_gadget_store_opened (GadgetStore *self)
{
  if (self->watch == NULL && !self->closed)
    self->watch = _gadget_store_watch_new (self);
}

void
_gadget_store_emit_changed_outside (GadgetStore *self)
{
  g_signal_emit (self, signals[CHANGED_OUTSIDE], 0);
}

void
_gadget_store_emit_lease_ended (GadgetStore *self, const char *session_id)
{
  g_signal_emit (self, signals[LEASE_ENDED], 0, session_id);
}

void
_gadget_store_emit_session_loaded (GadgetStore *self, GadgetSession *session)
{
  g_signal_emit (self, signals[SESSION_LOADED], 0, session);
}

/**
 * gadget_store_new:
 * @directory: (nullable): the data folder; %NULL for the user's own, `$XDG_DATA_HOME/gadget`
 *
 * Touches no file yet; see gadget_store_open_async ().
 *
 * Returns: (transfer full): a store, to be used on this main context only
 */
GadgetStore *
gadget_store_new (const char *directory)
{
  GadgetStore *self = g_object_new (GADGET_TYPE_STORE, NULL);

  self->connection.directory = directory != NULL
                                   ? g_strdup (directory)
                                   : g_build_filename (g_get_user_data_dir (), "gadget", NULL);
  return self;
}

/**
 * gadget_store_get_directory:
 *
 * Returns: (transfer none): the data folder, which is also the one for gadget_lease_acquire ()
 */
const char *
gadget_store_get_directory (GadgetStore *self)
{
  g_return_val_if_fail (GADGET_IS_STORE (self), NULL);
  return self->connection.directory;
}

/**
 * gadget_store_open_async:
 *
 * Creates the folder (mode 0700) and the database (0600) if they are missing, and migrates an older
 * database to the newest version. Jobs may be queued at once, without waiting for the callback.
 * After a failure the caller may try again; opening an open store succeeds.
 */
void
gadget_store_open_async (GadgetStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_STORE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_store_open_async);
  if (self->closed)
    return_closed (task);
  else
    gadget_job_queue_push (self->queue, open_in_thread, opened_cb,
                           job_new (self, g_steal_pointer (&task)));
}

/**
 * gadget_store_open_finish:
 *
 * Returns: whether the database can be used; else @error is a #GadgetStoreError: OPEN, CORRUPT,
 *   NEWER, FULL, BUSY, CLOSED or FAILED, and the file is unchanged
 */
gboolean
gadget_store_open_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_store_run_async:
 * @func: the function to run on the store's thread
 * @data: (transfer full) (nullable): passed to @func, which stores its results in it too
 * @free_data: (nullable): frees @data, on the main context, after @callback has returned
 * @callback: (nullable): called on the main context
 *
 * Queues a job behind all earlier ones.
 */
void
gadget_store_run_async (GadgetStore *self, GadgetStoreFunc func, gpointer data,
                        GDestroyNotify free_data, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (GADGET_IS_STORE (self) && func != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_store_run_async);
  g_task_set_task_data (task, data, free_data);
  if (self->closed)
    {
      return_closed (task);
      return;
    }
  job = job_new (self, g_steal_pointer (&task));
  job->func = func;
  job->data = data;
  gadget_job_queue_push (self->queue, run_in_thread, done_cb, job);
}

/**
 * gadget_store_run_finish:
 *
 * Returns: whether the job succeeded; else @error is the error of the job, that of opening the
 *   database, or %GADGET_STORE_ERROR_CLOSED
 */
gboolean
gadget_store_run_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_store_get_job_data:
 * @result: the result of gadget_store_run_async ()
 *
 * Returns: (transfer none): the job's data with the results that the job stored in it, valid as
 *   long as @result
 */
gpointer
gadget_store_get_job_data (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_store_run_async), NULL);
  return g_task_get_task_data (G_TASK (result));
}

static void
stop_taking (GadgetStore *self)
{
  self->closed = TRUE;
  g_clear_pointer (&self->watch, _gadget_store_watch_free);
}

/**
 * gadget_store_close_async:
 *
 * Accepts no more jobs, and completes once the queued ones are done and the database is closed.
 */
void
gadget_store_close_async (GadgetStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_STORE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_store_close_async);
  if (self->closed)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  stop_taking (self);
  gadget_job_queue_push (self->queue, close_in_thread, done_cb,
                         job_new (self, g_steal_pointer (&task)));
}

/* gadget_store_close_finish: always succeeds. */
gboolean
gadget_store_close_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_store_close:
 *
 * Closes the store at the end of the program, after its main loop: blocks until the queue is
 * drained. The callbacks of those jobs run only if the main context is iterated once more.
 */
void
gadget_store_close (GadgetStore *self)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  if (!self->closed)
    {
      stop_taking (self);
      gadget_job_queue_push (self->queue, close_and_free, NULL, job_new (self, NULL));
    }
  gadget_job_queue_finish (self->queue);
}
