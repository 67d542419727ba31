/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs snapshots of workspaces, and undo, as the jobs of one queue, so that they never overlap.
 * Nothing on the main context blocks on its thread; see gadget-effect-watch.c for how long a
 * command waits for it. */

#define G_LOG_DOMAIN "gadget-snapshot-service"

#include "config.h"

#include "gadget-snapshot-service-private.h"

#include "common/gadget-id.h"
#include "gadget-running-markers.h"
#include "store/lease/gadget-lease.h"
#include "store/gadget-store-changes.h"

#include <glib/gstdio.h>

/* Contents that were kept so recently may be about to be referred to by another process. */
#define SWEEP_AGE_SECONDS 3600
/* The same when the user has them removed: changes may just be being recorded. */
#define CLEAR_AGE_SECONDS 60
/* The saved tree of a workspace without commands for so long is removed; its files are read again
 * before the next command. */
#define TREE_AGE_SECONDS (14 * 24 * 3600)
#define SWEEP_INTERVAL_SECONDS (24 * 3600)

struct _GadgetSnapshotService
{
  GObject parent_instance;

  GadgetStore *store;
  char *owner;
  GadgetLease *lease; /* (nullable): of @owner, from its first row on */

  GadgetSnapshotBarrier *barrier;
  GHashTable *skipped; /* workspace → folders in it that are not recorded */
  GadgetSnapshotWorker worker;
};

typedef struct
{
  GadgetSnapshotWorker *worker; /* the service, which finishes the queue, outlives it */
  GTask *task;                  /* NULL for a detached job */
  GadgetSnapshotWorkFunc func;
  gpointer data;            /* owned by the task, or by a detached job */
  GDestroyNotify free_data; /* NULL: the task frees it */
} Job;

enum
{
  RECORDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetSnapshotService, gadget_snapshot_service, G_TYPE_OBJECT)

/* --- On the thread -----------------------------------------------------------------------------
 */

static void
run_in_thread (gpointer data)
{
  Job *job = data;

  job->func (job->worker, job->data);
}

static void
run_detached_in_thread (gpointer data)
{
  g_autofree Job *job = data;

  if (!g_atomic_int_get (&job->worker->stopping))
    job->func (job->worker, job->data);
  job->free_data (job->data);
}

void
_gadget_snapshot_worker_run_later (GadgetSnapshotWorker *worker, GadgetSnapshotWorkFunc func,
                                   gpointer data, GDestroyNotify free_data)
{
  Job *job = g_new0 (Job, 1);

  job->worker = worker;
  job->func = func;
  job->data = data;
  job->free_data = free_data;
  gadget_job_queue_push (worker->queue, run_detached_in_thread, NULL, job);
}

GadgetWorkspaceSnapshot *
_gadget_snapshot_worker_get_snapshot (GadgetSnapshotWorker *worker, const char *root)
{
  GadgetWorkspaceSnapshot *snapshot = g_hash_table_lookup (worker->snapshots, root);

  if (snapshot == NULL)
    {
      snapshot = _gadget_workspace_snapshot_new (worker->directory, root, worker->blobs);
      g_hash_table_insert (worker->snapshots, g_strdup (root), snapshot);
    }
  return snapshot;
}

/* --- On the main context -----------------------------------------------------------------------
 */

static void
gadget_snapshot_service_finalize (GObject *object)
{
  GadgetSnapshotService *self = GADGET_SNAPSHOT_SERVICE (object);

  /* The task of every other job holds a reference to the service, so the only job that can be
   * running is a detached one, which stops within moments. */
  g_atomic_int_set (&self->worker.stopping, TRUE);
  gadget_job_queue_free (self->worker.queue);
  g_clear_pointer (&self->worker.snapshots, g_hash_table_unref);
  g_clear_pointer (&self->worker.blobs, _gadget_blobs_free);
  g_free (self->worker.directory);
  _gadget_snapshot_barrier_free (self->barrier);
  g_hash_table_unref (self->skipped);
  g_hash_table_unref (self->worker.unkept);
  g_mutex_clear (&self->worker.lock);
  g_clear_pointer (&self->lease, gadget_lease_release);
  g_clear_object (&self->store);
  g_free (self->owner);

  G_OBJECT_CLASS (gadget_snapshot_service_parent_class)->finalize (object);
}

static void
gadget_snapshot_service_class_init (GadgetSnapshotServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_snapshot_service_finalize;

  /**
   * GadgetSnapshotService::recorded:
   * @turn_id: the turn
   *
   * More is known of what a turn changed; see gadget_undo_list_async ().
   */
  signals[RECORDED] = g_signal_new ("recorded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gadget_snapshot_service_init (GadgetSnapshotService *self)
{
  g_autofree char *id = gadget_id_new ();

  self->owner = g_strconcat ("effects-", id, NULL);
  self->worker.owner = self->owner;
  self->worker.queue = gadget_job_queue_new ("gadget-snapshot");
  self->barrier = _gadget_snapshot_barrier_new ();
  self->skipped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_mutex_init (&self->worker.lock);
  self->worker.unkept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->worker.snapshots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                  (GDestroyNotify) _gadget_workspace_snapshot_free);
}

GadgetSnapshotService *
gadget_snapshot_service_new (GadgetStore *store)
{
  GadgetSnapshotService *self;

  g_return_val_if_fail (GADGET_IS_STORE (store), NULL);

  self = g_object_new (GADGET_TYPE_SNAPSHOT_SERVICE, NULL);
  self->store = g_object_ref (store);
  self->worker.directory = g_strdup (gadget_store_get_directory (store));
  self->worker.blobs = _gadget_blobs_new (self->worker.directory, GADGET_SNAPSHOT_MAX_TOTAL);
  return self;
}

GadgetStore *
gadget_snapshot_service_get_store (GadgetSnapshotService *self)
{
  g_return_val_if_fail (GADGET_IS_SNAPSHOT_SERVICE (self), NULL);
  return self->store;
}

GadgetBlobs *
_gadget_snapshot_service_get_blobs (GadgetSnapshotService *self)
{
  return self->worker.blobs;
}

GadgetSnapshotBarrier *
_gadget_snapshot_service_get_barrier (GadgetSnapshotService *self)
{
  return self->barrier;
}

void
_gadget_snapshot_service_set_skipped (GadgetSnapshotService *self, const char *root,
                                      const char *skipped)
{
  if (skipped != NULL)
    g_hash_table_insert (self->skipped, g_strdup (root), g_utf8_make_valid (skipped, -1));
  else
    g_hash_table_remove (self->skipped, root);
}

const char *
_gadget_snapshot_service_get_skipped (GadgetSnapshotService *self, const char *root)
{
  return g_hash_table_lookup (self->skipped, root);
}

void
_gadget_snapshot_worker_note_unkept (GadgetSnapshotWorker *worker, const char *root, guint n_unkept)
{
  g_mutex_lock (&worker->lock);
  g_hash_table_insert (worker->unkept, g_strdup (root), GUINT_TO_POINTER (n_unkept));
  g_mutex_unlock (&worker->lock);
}

guint
_gadget_snapshot_service_get_n_unkept (GadgetSnapshotService *self, const char *root)
{
  guint n_unkept;

  g_mutex_lock (&self->worker.lock);
  n_unkept = GPOINTER_TO_UINT (g_hash_table_lookup (self->worker.unkept, root));
  g_mutex_unlock (&self->worker.lock);
  return n_unkept;
}

void
_gadget_snapshot_service_emit_recorded (GadgetSnapshotService *self, const char *turn_id)
{
  g_signal_emit (self, signals[RECORDED], 0, turn_id);
}

/* Returns the name under which this process writes rows. Its lease is held from the first call on,
 * so that other processes see that this one lives. */
const char *
_gadget_snapshot_service_get_owner (GadgetSnapshotService *self, GError **error)
{
  if (self->lease == NULL)
    self->lease =
        gadget_lease_acquire (gadget_store_get_directory (self->store), self->owner, error);
  return self->lease != NULL ? self->owner : NULL;
}

static void
done_cb (gpointer data)
{
  g_autofree Job *job = data;
  g_autoptr (GTask) task = job->task;

  g_task_return_boolean (task, TRUE);
}

/* The callback gets @data from _gadget_snapshot_service_get_job_data (). */
void
_gadget_snapshot_service_run_async (GadgetSnapshotService *self, GadgetSnapshotWorkFunc func,
                                    gpointer data, GDestroyNotify free_data,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  Job *job = g_new0 (Job, 1);

  job->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (job->task, _gadget_snapshot_service_run_async);
  g_task_set_task_data (job->task, data, free_data);
  job->worker = &self->worker;
  job->func = func;
  job->data = data;
  gadget_job_queue_push (self->worker.queue, run_in_thread, done_cb, job);
}

void
_gadget_snapshot_service_run_detached (GadgetSnapshotService *self, GadgetSnapshotWorkFunc func,
                                       gpointer data, GDestroyNotify free_data)
{
  _gadget_snapshot_worker_run_later (&self->worker, func, data, free_data);
}

gpointer
_gadget_snapshot_service_get_job_data (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, _gadget_snapshot_service_run_async),
                        NULL);
  return g_task_get_task_data (G_TASK (result));
}

/* --- The end -----------------------------------------------------------------------------------
 */

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  _gadget_snapshot_barrier_wait_finish (result);
  g_task_return_boolean (task, TRUE);
}

void
gadget_snapshot_service_close_async (GadgetSnapshotService *self, guint max_wait_ms,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_snapshot_service_close_async);
  g_atomic_int_set (&self->worker.stopping, TRUE);
  _gadget_snapshot_barrier_wait_async (self->barrier, max_wait_ms, recorded_cb, task);
}

/* gadget_snapshot_service_close_finish: always succeeds, also when the time was over first. */
void
gadget_snapshot_service_close_finish (GadgetSnapshotService *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* --- Sweeping ----------------------------------------------------------------------------------
 */

static gboolean
is_older (const char *path, gint64 seconds)
{
  struct stat info;

  return stat (path, &info) == 0
         && info.st_mtim.tv_sec < g_get_real_time () / G_USEC_PER_SEC - seconds;
}

static void
add_trees (GadgetSnapshotWorker *worker, GHashTable *used)
{
  g_autofree char *folder = g_build_filename (worker->directory, "trees", NULL);
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GadgetTree) tree = NULL;

      if (is_older (path, TREE_AGE_SECONDS))
        g_unlink (path);
      else
        tree = _gadget_tree_load (path);
      if (tree != NULL)
        _gadget_tree_add_hashes (tree, used);
    }
}

/* The time of this file is that of the last daily sweep. */
static char *
make_sweep_marker_path (const char *directory)
{
  return g_build_filename (directory, "blobs", "swept", NULL);
}

/* One sweep. */
typedef struct
{
  GByteArray *hashes; /* of the contents that are needed */
  guint64 max_total;  /* bytes that all contents may take */
  gint64 age;         /* seconds; what is younger stays */
  gboolean daily;
} Sweep;

static Sweep *
sweep_new (GByteArray *hashes, guint64 max_total, gint64 age, gboolean daily)
{
  Sweep *self = g_new0 (Sweep, 1);

  self->hashes = hashes;
  self->max_total = max_total;
  self->age = age;
  self->daily = daily;
  return self;
}

static void
sweep_free (gpointer data)
{
  Sweep *self = data;

  g_byte_array_unref (self->hashes);
  g_free (self);
}

static void
sweep (GadgetSnapshotWorker *worker, gpointer data)
{
  const Sweep *self = data;
  const GByteArray *hashes = self->hashes;
  g_autofree char *sweep_marker = make_sweep_marker_path (worker->directory);
  g_autoptr (GHashTable) trees =
      g_hash_table_new_full (_gadget_hash_hash, _gadget_hash_equal, g_free, NULL);
  g_autoptr (GHashTable) used =
      g_hash_table_new_full (_gadget_hash_hash, _gadget_hash_equal, g_free, NULL);
  guint n;

  for (guint i = 0; i + GADGET_HASH_LENGTH <= hashes->len; i += GADGET_HASH_LENGTH)
    g_hash_table_add (used, g_memdup2 (hashes->data + i, GADGET_HASH_LENGTH));
  add_trees (worker, used);
  add_trees (worker, trees);
  _gadget_running_markers_sweep (worker->directory, TREE_AGE_SECONDS);
  if (self->daily)
    g_file_set_contents (sweep_marker, "", 0, NULL);
  n = _gadget_blobs_sweep (worker->blobs, used, self->age);
  /* What files contain now is taken to be kept by the next snapshot. */
  n += _gadget_blobs_trim (worker->blobs, self->max_total, trees, self->age);
  if (n > 0)
    g_info ("%u contents that nothing refers to, or that are beyond a limit, are removed", n);
}

/* @self is (transfer full). */
static void
run_sweep (GadgetSnapshotService *service, GObject *source, GAsyncResult *result, gboolean daily)
{
  g_autoptr (GadgetSnapshotService) self = service;
  g_autoptr (GError) error = NULL;
  guint64 max_total;
  GByteArray *hashes =
      gadget_store_list_hashes_finish (GADGET_STORE (source), result, &max_total, &error);

  if (hashes == NULL)
    {
      g_message ("what is kept of files is not swept: %s", error->message);
      return;
    }
  _gadget_snapshot_service_run_async (
      self, sweep, sweep_new (hashes, max_total, SWEEP_AGE_SECONDS, daily), sweep_free, NULL, NULL);
}

static void
hashes_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  run_sweep (user_data, source, result, FALSE);
}

static void
limited_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  run_sweep (user_data, source, result, TRUE);
}

void
gadget_snapshot_service_sweep (GadgetSnapshotService *self, gboolean needed)
{
  g_autofree char *sweep_marker = NULL;
  g_autofree char *blobs = NULL;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (self));

  sweep_marker = make_sweep_marker_path (self->worker.directory);
  blobs = g_path_get_dirname (sweep_marker);
  if (!g_file_test (blobs, G_FILE_TEST_IS_DIR)
      || (!needed && g_file_test (sweep_marker, G_FILE_TEST_EXISTS)
          && !is_older (sweep_marker, SWEEP_INTERVAL_SECONDS)))
    return;
  gadget_store_list_hashes_async (
      self->store, needed ? GADGET_STORE_HASHES_ALL : GADGET_STORE_HASHES_LIMITED,
      needed ? hashes_listed_cb : limited_listed_cb, g_object_ref (self));
}

/* --- Clearing ----------------------------------------------------------------------------------
 */

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_task_return_boolean (task, TRUE);
}

static void
needed_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSnapshotService *self = g_task_get_source_object (task);
  GError *error = NULL;
  GByteArray *hashes =
      gadget_store_list_hashes_finish (GADGET_STORE (source), result, NULL, &error);

  if (hashes != NULL)
    _gadget_snapshot_service_run_async (self, sweep,
                                        sweep_new (hashes, G_MAXUINT64, CLEAR_AGE_SECONDS, FALSE),
                                        sweep_free, cleared_cb, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

/**
 * gadget_snapshot_service_clear_async:
 * @also_pinned: whether the changes of pinned chats need no contents, either
 *
 * Removes the earlier contents of files, so that changes can no longer be undone. What was kept
 * within the last minute, and what the files of the workspaces contain now, stays.
 */
void
gadget_snapshot_service_clear_async (GadgetSnapshotService *self, gboolean also_pinned,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_snapshot_service_clear_async);
  gadget_store_list_hashes_async (
      self->store, also_pinned ? GADGET_STORE_HASHES_NONE : GADGET_STORE_HASHES_PINNED,
      needed_listed_cb, task);
}

/**
 * gadget_snapshot_service_clear_finish:
 *
 * Returns: whether they were removed; else none was, and @error is a #GadgetStoreError: BUSY while
 *   a turn is going on
 */
gboolean
gadget_snapshot_service_clear_finish (GadgetSnapshotService *self, GAsyncResult *result,
                                      GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
