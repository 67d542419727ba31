/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One thread, one job after the other, in the order of the calls: looks at workspaces, and undoing,
 * which thereby never meet. It touches plain data only; a job's GTask travels through it as a
 * pointer and is returned on the main context. Nobody who must not wait waits for it: see
 * gadget-effects.c. */

#define G_LOG_DOMAIN "gadget-keeper"

#include "config.h"

#include "gadget-keeper-private.h"

#include "common/gadget-id.h"
#include "gadget-marks.h"
#include "gadget-recover.h"
#include "store/gadget-lease.h"
#include "store/gadget-store-changes.h"

#include <glib/gstdio.h>

/* What was kept so recently may be about to be referred to by another process. */
#define SWEEP_AGE_SECONDS 3600
/* A workspace in which no command ran for so long is read again at the next one. */
#define TREE_AGE_SECONDS (14 * 24 * 3600)
#define SWEEP_INTERVAL_SECONDS (24 * 3600)

struct _GadgetKeeper
{
  GObject parent_instance;

  GadgetStore *store;
  char *owner;
  GadgetLease *lease; /* (nullable): of the owner, from its first row on */

  GMainContext *context;
  GThread *thread; /* (nullable): from the first job on */
  GadgetTurnstile *turnstile;
  GHashTable *skipped; /* workspace → folders in it */
  GadgetKeeping keeping;
};

typedef struct
{
  GTask *task;            /* NULL for one that is detached */
  GadgetKeepingFunc func; /* NULL: the thread ends */
  gpointer data;          /* the task's, who frees it */
  GDestroyNotify free_data;
} Job;

/* What the thread is given. The jobs in the queue hold the keeper, who joins it. */
typedef struct
{
  GadgetKeeping *keeping;
  GMainContext *context;
} Worker;

enum
{
  RECORDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetKeeper, gadget_keeper, G_TYPE_OBJECT)

/* --- On the thread -----------------------------------------------------------------------------
 */

static gboolean
job_done_cb (gpointer data)
{
  Job *job = data;
  g_autoptr (GTask) task = job->task;

  g_task_return_boolean (task, TRUE);
  g_free (job);
  return G_SOURCE_REMOVE;
}

static void
run_detached (GadgetKeeping *keeping, Job *job)
{
  if (!g_atomic_int_get (&keeping->stopping))
    job->func (keeping, job->data);
  job->free_data (job->data);
  g_free (job);
}

void
_gadget_keeping_run_later (GadgetKeeping *keeping, GadgetKeepingFunc func, gpointer data,
                           GDestroyNotify free_data)
{
  Job *job = g_new0 (Job, 1);

  job->func = func;
  job->data = data;
  job->free_data = free_data;
  g_async_queue_push (keeping->queue, job);
}

static gpointer
thread_main (gpointer data)
{
  g_autofree Worker *worker = data;

  while (TRUE)
    {
      Job *job = g_async_queue_pop (worker->keeping->queue);
      g_autoptr (GSource) source = NULL;

      if (job->func == NULL)
        {
          g_free (job);
          return NULL;
        }
      if (job->task == NULL)
        {
          run_detached (worker->keeping, job);
          continue;
        }
      job->func (worker->keeping, job->data);
      source = g_idle_source_new ();
      g_source_set_priority (source, G_PRIORITY_DEFAULT);
      g_source_set_static_name (source, "[gadget] keeper's job done");
      g_source_set_callback (source, job_done_cb, job, NULL);
      g_source_attach (source, worker->context);
    }
}

GadgetTracker *
_gadget_keeping_get_tracker (GadgetKeeping *keeping, const char *root)
{
  GadgetTracker *tracker = g_hash_table_lookup (keeping->trackers, root);

  if (tracker == NULL)
    {
      tracker = _gadget_tracker_new (keeping->directory, root, keeping->blobs);
      g_hash_table_insert (keeping->trackers, g_strdup (root), tracker);
    }
  return tracker;
}

/* --- On the main context -----------------------------------------------------------------------
 */

/* What the last one put behind the end. */
static void
drop_detached (GadgetKeeper *self)
{
  Job *job;

  while ((job = g_async_queue_try_pop (self->keeping.queue)) != NULL)
    {
      job->free_data (job->data);
      g_free (job);
    }
}

static void
gadget_keeper_finalize (GObject *object)
{
  GadgetKeeper *self = GADGET_KEEPER (object);

  /* Each other job's task holds a reference: all there can be is one that is detached, which stops
   * within moments. */
  g_atomic_int_set (&self->keeping.stopping, TRUE);
  if (self->thread != NULL)
    {
      g_async_queue_push (self->keeping.queue, g_new0 (Job, 1));
      g_thread_join (self->thread);
    }
  drop_detached (self);
  g_clear_pointer (&self->keeping.trackers, g_hash_table_unref);
  g_clear_pointer (&self->keeping.blobs, _gadget_blobs_free);
  g_free (self->keeping.directory);
  g_async_queue_unref (self->keeping.queue);
  _gadget_turnstile_free (self->turnstile);
  g_hash_table_unref (self->skipped);
  g_hash_table_unref (self->keeping.unkept);
  g_mutex_clear (&self->keeping.lock);
  g_main_context_unref (self->context);
  g_clear_pointer (&self->lease, gadget_lease_release);
  g_clear_object (&self->store);
  g_free (self->owner);

  G_OBJECT_CLASS (gadget_keeper_parent_class)->finalize (object);
}

static void
gadget_keeper_class_init (GadgetKeeperClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_keeper_finalize;

  /**
   * GadgetKeeper::recorded:
   * @turn_id: the turn
   *
   * More is known of what a turn changed; see gadget_undo_list_async ().
   */
  signals[RECORDED] = g_signal_new ("recorded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gadget_keeper_init (GadgetKeeper *self)
{
  g_autofree char *id = gadget_id_new ();

  self->owner = g_strconcat ("effects-", id, NULL);
  self->keeping.owner = self->owner;
  self->context = g_main_context_ref_thread_default ();
  self->keeping.queue = g_async_queue_new ();
  self->turnstile = _gadget_turnstile_new ();
  self->skipped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_mutex_init (&self->keeping.lock);
  self->keeping.unkept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->keeping.trackers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                  (GDestroyNotify) _gadget_tracker_free);
}

GadgetKeeper *
gadget_keeper_new (GadgetStore *store)
{
  GadgetKeeper *self;

  g_return_val_if_fail (GADGET_IS_STORE (store), NULL);

  self = g_object_new (GADGET_TYPE_KEEPER, NULL);
  self->store = g_object_ref (store);
  self->keeping.directory = g_strdup (gadget_store_get_directory (store));
  self->keeping.blobs = _gadget_blobs_new (self->keeping.directory, GADGET_KEEP_MAX_TOTAL);
  return self;
}

GadgetStore *
gadget_keeper_get_store (GadgetKeeper *self)
{
  g_return_val_if_fail (GADGET_IS_KEEPER (self), NULL);
  return self->store;
}

GadgetBlobs *
_gadget_keeper_get_blobs (GadgetKeeper *self)
{
  return self->keeping.blobs;
}

GadgetTurnstile *
_gadget_keeper_get_turnstile (GadgetKeeper *self)
{
  return self->turnstile;
}

void
_gadget_keeper_set_skipped (GadgetKeeper *self, const char *root, const char *skipped)
{
  if (skipped != NULL)
    g_hash_table_insert (self->skipped, g_strdup (root), g_utf8_make_valid (skipped, -1));
  else
    g_hash_table_remove (self->skipped, root);
}

const char *
_gadget_keeper_get_skipped (GadgetKeeper *self, const char *root)
{
  return g_hash_table_lookup (self->skipped, root);
}

void
_gadget_keeping_note_unkept (GadgetKeeping *keeping, const char *root, guint n_unkept)
{
  g_mutex_lock (&keeping->lock);
  g_hash_table_insert (keeping->unkept, g_strdup (root), GUINT_TO_POINTER (n_unkept));
  g_mutex_unlock (&keeping->lock);
}

guint
_gadget_keeper_get_n_unkept (GadgetKeeper *self, const char *root)
{
  guint n_unkept;

  g_mutex_lock (&self->keeping.lock);
  n_unkept = GPOINTER_TO_UINT (g_hash_table_lookup (self->keeping.unkept, root));
  g_mutex_unlock (&self->keeping.lock);
  return n_unkept;
}

void
_gadget_keeper_emit_recorded (GadgetKeeper *self, const char *turn_id)
{
  g_signal_emit (self, signals[RECORDED], 0, turn_id);
}

/* In whose name rows are written; its lease is held from now on, so that others see that the
 * process lives. NULL with an error where it cannot be taken. */
const char *
_gadget_keeper_get_owner (GadgetKeeper *self, GError **error)
{
  if (self->lease == NULL)
    self->lease =
        gadget_lease_acquire (gadget_store_get_directory (self->store), self->owner, error);
  return self->lease != NULL ? self->owner : NULL;
}

static void
need_thread (GadgetKeeper *self)
{
  Worker *worker;

  if (self->thread != NULL)
    return;
  worker = g_new0 (Worker, 1);
  *worker = (Worker) { &self->keeping, self->context };
  self->thread = g_thread_new ("gadget-keeper", thread_main, worker);
}

/* The callback is called on the main context and gets @data by _gadget_keeper_get_job_data (). */
void
_gadget_keeper_run_async (GadgetKeeper *self, GadgetKeepingFunc func, gpointer data,
                          GDestroyNotify free_data, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Job *job = g_new0 (Job, 1);

  job->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (job->task, _gadget_keeper_run_async);
  g_task_set_task_data (job->task, data, free_data);
  job->func = func;
  job->data = data;
  need_thread (self);
  g_async_queue_push (self->keeping.queue, job);
}

void
_gadget_keeper_run_detached (GadgetKeeper *self, GadgetKeepingFunc func, gpointer data,
                             GDestroyNotify free_data)
{
  need_thread (self);
  _gadget_keeping_run_later (&self->keeping, func, data, free_data);
}

gpointer
_gadget_keeper_get_job_data (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, _gadget_keeper_run_async), NULL);
  return g_task_get_task_data (G_TASK (result));
}

/* --- The end -----------------------------------------------------------------------------------
 */

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  _gadget_turnstile_pass_finish (result, NULL);
  g_task_return_boolean (task, TRUE);
}

void
gadget_keeper_settle_async (GadgetKeeper *self, guint max_wait_ms, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_KEEPER (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_keeper_settle_async);
  g_atomic_int_set (&self->keeping.stopping, TRUE);
  _gadget_turnstile_pass_async (self->turnstile, max_wait_ms, NULL, settled_cb, task);
}

void
gadget_keeper_settle_finish (GadgetKeeper *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* --- After a crash -----------------------------------------------------------------------------
 */

void
gadget_keeper_recover (GadgetKeeper *self)
{
  g_return_if_fail (GADGET_IS_KEEPER (self));
  _gadget_recover_async (self, NULL, NULL);
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
add_trees (GadgetKeeping *keeping, GHashTable *used)
{
  g_autofree char *folder = g_build_filename (keeping->directory, "trees", NULL);
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

/* When it was swept last. */
static char *
make_stamp_path (const char *directory)
{
  return g_build_filename (directory, "blobs", "swept", NULL);
}

static void
sweep (GadgetKeeping *keeping, gpointer data)
{
  const GByteArray *hashes = data;
  g_autofree char *stamp = make_stamp_path (keeping->directory);
  g_autoptr (GHashTable) used =
      g_hash_table_new_full (_gadget_hash_hash, _gadget_hash_equal, g_free, NULL);
  guint n;

  for (guint i = 0; i + GADGET_HASH_LENGTH <= hashes->len; i += GADGET_HASH_LENGTH)
    g_hash_table_add (used, g_memdup2 (hashes->data + i, GADGET_HASH_LENGTH));
  add_trees (keeping, used);
  _gadget_marks_sweep (keeping->directory, TREE_AGE_SECONDS);
  g_file_set_contents (stamp, "", 0, NULL);
  n = _gadget_blobs_sweep (keeping->blobs, used, SWEEP_AGE_SECONDS);
  if (n > 0)
    g_info ("%u contents that nothing refers to are removed", n);
}

static void
hashes_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetKeeper) self = user_data;
  g_autoptr (GError) error = NULL;
  GByteArray *hashes = gadget_store_list_hashes_finish (GADGET_STORE (source), result, &error);

  if (hashes == NULL)
    {
      g_message ("what is kept of files is not swept: %s", error->message);
      return;
    }
  _gadget_keeper_run_async (self, sweep, hashes, (GDestroyNotify) g_byte_array_unref, NULL, NULL);
}

void
gadget_keeper_sweep (GadgetKeeper *self, gboolean needed)
{
  g_autofree char *stamp = NULL;
  g_autofree char *blobs = NULL;

  g_return_if_fail (GADGET_IS_KEEPER (self));

  stamp = make_stamp_path (self->keeping.directory);
  blobs = g_path_get_dirname (stamp);
  if (!g_file_test (blobs, G_FILE_TEST_IS_DIR)
      || (!needed && g_file_test (stamp, G_FILE_TEST_EXISTS)
          && !is_older (stamp, SWEEP_INTERVAL_SECONDS)))
    return;
  gadget_store_list_hashes_async (self->store, hashes_listed_cb, g_object_ref (self));
}
