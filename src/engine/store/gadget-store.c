/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One SQLite connection on one named thread.
 *
 *   main context                               thread "gadget-store"
 *   gadget_store_run_async () ── queue ──────→ jobs, one after the other, in the order of the calls
 *   GTask returns  ←── an idle source each ─── done
 *
 * Promises:
 * - FIFO. A job sees everything that earlier jobs wrote. Opening is a job too: what is queued
 *   behind it waits for it, and fails with its error if it fails.
 * - A job that was queued is run, also when its caller has lost interest or the store is closed
 *   meanwhile: closing is the last entry of the queue. Nothing can be taken back from the queue.
 * - The thread touches plain data only. The GTask of a job travels through it as a pointer and is
 *   returned, and dropped, on the main context; so no GObject is ever finalized on the thread.
 * - A database that cannot be opened (damaged, newer, another program's, read-only) is an error to
 *   show. It is never replaced, renamed or repaired in place.
 *
 * Opening holds a lock file, because switching a new database to WAL and migrating an old one are
 * not safe against another process that does the same. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "gadget-sql.h"
#include "gadget-store-private.h"
#include "gadget-store-schema.h"

/* How long SQLite waits for another process's write, which takes milliseconds. */
#define BUSY_TIMEOUT_MS 5000

typedef enum
{
  JOB_RUN,
  JOB_OPEN,
  JOB_CLOSE,
} JobKind;

typedef struct
{
  JobKind kind;
  GTask *task; /* of the main context; the thread only carries it. NULL: the blocking close */
  GadgetStoreFunc func;
  gpointer data;  /* the task's, who frees it */
  GError *error;  /* set by the thread: why it failed */
  gboolean wrote; /* set by the thread: rows were changed */
} Job;

/* What the thread works with; made before it starts and freed after it was joined. */
typedef struct
{
  char *directory;
  GMainContext *context;
  GAsyncQueue *queue; /* of Job */
  sqlite3 *db;        /* the thread's alone */
  GError *open_error; /* the thread's alone */
} Worker;

struct _GadgetStore
{
  GObject parent_instance;

  Worker *worker;
  GThread *thread;
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

G_DEFINE_QUARK (gadget-store-error-quark, gadget_store_error)
G_DEFINE_FINAL_TYPE (GadgetStore, gadget_store, G_TYPE_OBJECT)

static void
job_free (Job *job)
{
  g_clear_error (&job->error);
  g_free (job);
}

/* --- On the thread ---------------------------------------------------------------------------- */

/* Waits for other processes that open the same database. The lock goes with the descriptor. */
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
make_place (const char *directory, const char *path, GError **error)
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

  /* SQLite would make it readable for everybody; its side files take the mode of this one. */
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

static gboolean
set_up (sqlite3 *db, GError **error)
{
  gint64 version;

  sqlite3_busy_timeout (db, BUSY_TIMEOUT_MS);
  if (!_gadget_sql_exec (db, "PRAGMA foreign_keys = ON", error)
      || !_gadget_store_schema_migrate (db, error)
      || !_gadget_sql_exec (db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error))
    return FALSE;
  /* The first answer is what later ones are compared with. */
  return _gadget_sql_get_int (db, "PRAGMA data_version", &version, error);
}

static gboolean
open_database (Worker *worker, GError **error)
{
  g_autofree char *path = g_build_filename (worker->directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  gboolean ok = FALSE;
  int lock;
  int code;

  if (!make_place (worker->directory, path, error))
    {
      g_prefix_error (error, "opening the database: ");
      return FALSE;
    }

  lock = lock_opening (worker->directory);
  code = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  sqlite3_extended_result_codes (db, 1);
  if (code == SQLITE_OK)
    ok = set_up (db, error);
  else
    _gadget_sql_set_error (db, code, error);
  if (lock >= 0)
    close (lock);

  if (ok)
    worker->db = db;
  else
    {
      sqlite3_close_v2 (db);
      g_prefix_error (error, "opening the database %s: ", path);
    }
  return ok;
}

static void
do_open (Worker *worker, Job *job)
{
  if (worker->db != NULL)
    return;
  g_clear_error (&worker->open_error);
  if (!open_database (worker, &job->error))
    worker->open_error = g_error_copy (job->error);
}

/* A folder that was deleted under an open database takes every write, and keeps none. */
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
do_run (Worker *worker, Job *job)
{
  sqlite3_int64 n_changes;

  if (worker->db == NULL)
    {
      job->error = worker->open_error != NULL
                       ? g_error_copy (worker->open_error)
                       : g_error_new_literal (GADGET_STORE_ERROR, GADGET_STORE_ERROR_CLOSED,
                                              "the database is not open");
      return;
    }

  n_changes = sqlite3_total_changes64 (worker->db);

  gboolean ok = job->func (worker->db, job->data, &job->error);

  job->wrote = ok && sqlite3_total_changes64 (worker->db) != n_changes;
  if (job->wrote)
    ok = job->wrote = check_file (worker->db, &job->error);
  g_assert (ok == (job->error == NULL));
  /* A job that forgot its transaction would hold the lock against every other process. */
  g_assert (sqlite3_get_autocommit (worker->db));
}

static gboolean
job_done_cb (gpointer data)
{
  Job *job = data;
  g_autoptr (GTask) task = job->task;

  if (job->kind == JOB_OPEN && job->error == NULL)
    _gadget_store_opened (g_task_get_source_object (task));

  if (job->wrote)
    g_signal_emit (g_task_get_source_object (task), signals[WRITTEN], 0);
  if (job->error != NULL)
    g_task_return_error (task, g_steal_pointer (&job->error));
  else
    g_task_return_boolean (task, TRUE);
  job_free (job);
  return G_SOURCE_REMOVE;
}

static void
send_back (Worker *worker, Job *job)
{
  g_autoptr (GSource) source = NULL;

  if (job->task == NULL)
    {
      job_free (job);
      return;
    }
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[gadget] store job done");
  g_source_set_callback (source, job_done_cb, job, NULL);
  g_source_attach (source, worker->context);
}

static gpointer
thread_main (gpointer data)
{
  Worker *worker = data;
  gboolean going = TRUE;

  _gadget_sql_enter_thread ();
  while (going)
    {
      Job *job = g_async_queue_pop (worker->queue);

      switch (job->kind)
        {
        case JOB_RUN:
          do_run (worker, job);
          break;
        case JOB_OPEN:
          do_open (worker, job);
          break;
        case JOB_CLOSE:
          sqlite3_close_v2 (g_steal_pointer (&worker->db));
          going = FALSE;
          break;
        }
      send_back (worker, job);
    }
  return NULL;
}

/* --- On the main context ---------------------------------------------------------------------- */

static void
worker_free (Worker *worker)
{
  g_free (worker->directory);
  g_main_context_unref (worker->context);
  g_async_queue_unref (worker->queue);
  g_clear_error (&worker->open_error);
  g_free (worker);
}

static void
push (GadgetStore *self, JobKind kind, GTask *task, GadgetStoreFunc func, gpointer data)
{
  Job *job = g_new0 (Job, 1);

  job->kind = kind;
  job->task = task;
  job->func = func;
  job->data = data;
  if (self->thread == NULL)
    self->thread = g_thread_new ("gadget-store", thread_main, self->worker);
  g_async_queue_push (self->worker->queue, job);
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

  /* Each job's task holds a reference, so that the queue is empty here and this does not wait. */
  gadget_store_close (self);
  g_clear_pointer (&self->thread, g_thread_join);
  worker_free (self->worker);

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
   * Another process wrote to the database: lists and settings may be read again.
   */
  signals[CHANGED_OUTSIDE] = g_signal_new ("changed-outside", G_TYPE_FROM_CLASS (klass),
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GadgetStore::lease-ended:
   * @session_id: the session
   *
   * Nobody holds the session's lease any more: it was released, by this process or another, or its
   * owner died. A turn that still seems to go on is ended when the session is read again.
   */
  signals[LEASE_ENDED] = g_signal_new ("lease-ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  /**
   * GadgetStore::session-loaded:
   * @session: the session
   *
   * The turns of the session are as they were read just now, for the first time or again. Emitted
   * just before the caller of gadget_store_load_session_async () is told.
   */
  signals[SESSION_LOADED] =
      g_signal_new ("session-loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GADGET_TYPE_SESSION);

  /**
   * GadgetStore::written:
   *
   * A job of this process has changed rows, and they are in the file: writing works. Emitted just
   * before the job's caller is told.
   */
  signals[WRITTEN] = g_signal_new ("written", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_store_init (GadgetStore *self)
{
  self->worker = g_new0 (Worker, 1);
  self->worker->context = g_main_context_ref_thread_default ();
  self->worker->queue = g_async_queue_new ();
}

/* Called when the database has been opened. */
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
 * Touches nothing yet; see gadget_store_open_async ().
 *
 * Returns: (transfer full): a store, to be used on this main context only
 */
GadgetStore *
gadget_store_new (const char *directory)
{
  GadgetStore *self = g_object_new (GADGET_TYPE_STORE, NULL);

  self->worker->directory = directory != NULL
                                ? g_strdup (directory)
                                : g_build_filename (g_get_user_data_dir (), "gadget", NULL);
  return self;
}

/**
 * gadget_store_get_directory:
 *
 * Returns: (transfer none): the data folder, also the one for gadget_lease_acquire ()
 */
const char *
gadget_store_get_directory (GadgetStore *self)
{
  g_return_val_if_fail (GADGET_IS_STORE (self), NULL);
  return self->worker->directory;
}

/**
 * gadget_store_open_async:
 *
 * Makes the folder (mode 0700) and the database (0600) if they are missing, and brings an older
 * database to the newest version. Jobs may be queued at once, without waiting for the end of this.
 * After a failure it may be tried again; opening an open store succeeds.
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
    push (self, JOB_OPEN, g_steal_pointer (&task), NULL, NULL);
}

/**
 * gadget_store_open_finish:
 *
 * Returns: whether the database can be used; else @error is a #GadgetStoreError: OPEN, CORRUPT,
 *   NEWER, FULL, BUSY or FAILED, and the file is as it was
 */
gboolean
gadget_store_open_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_store_run_async:
 * @func: what to do on the store's thread
 * @data: (transfer full) (nullable): for @func; results go there too
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

  g_return_if_fail (GADGET_IS_STORE (self) && func != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_store_run_async);
  g_task_set_task_data (task, data, free_data);
  if (self->closed)
    return_closed (task);
  else
    push (self, JOB_RUN, g_steal_pointer (&task), func, data);
}

gboolean
gadget_store_run_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_store_get_job_data:
 * @result: of gadget_store_run_async ()
 *
 * Returns: (transfer none): the job's data with what the job left in it, valid as long as @result
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
 * Takes no more jobs, and ends once the queued ones are done and the database is closed.
 */
void
gadget_store_close_async (GadgetStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_STORE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_store_close_async);
  if (self->closed || self->thread == NULL)
    {
      stop_taking (self);
      g_task_return_boolean (task, TRUE);
      return;
    }
  stop_taking (self);
  push (self, JOB_CLOSE, g_steal_pointer (&task), NULL, NULL);
}

gboolean
gadget_store_close_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gadget_store_close:
 *
 * The same for a program's end, after its main loop: blocks until the queue is drained. Callbacks
 * of those jobs need the main context to run once more.
 */
void
gadget_store_close (GadgetStore *self)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  if (!self->closed)
    {
      stop_taking (self);
      if (self->thread != NULL)
        push (self, JOB_CLOSE, NULL, NULL, NULL);
    }
  g_clear_pointer (&self->thread, g_thread_join);
}
