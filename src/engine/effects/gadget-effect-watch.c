/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds out what an effect changes, in one of two ways.
 *
 * The state of a single file is read before and after the effect, in a thread of its own, since it
 * must not wait for a long snapshot of a workspace; see gadget-edit.c.
 *
 * A command may change anything. So the snapshot thread takes a snapshot of the workspace before
 * and after it. The command waits for the first snapshot for at most a quarter of a second (longer
 * for the first snapshot of a workspace), and not at all after a stop. Then it starts, and the
 * snapshot finds out by itself what was there before it, see gadget-workspace-snapshot.c; where it
 * cannot, the turn says that it can perhaps not be undone completely. Nothing waits for the second
 * snapshot but the next effect, see gadget-snapshot-barrier.c.
 *
 * Commands that run in a folder at the same time are not told apart. What a snapshot finds,
 * compared with the snapshot before it, is recorded for each turn whose command ran in between, and
 * so is undone with any of these turns. What the user changes while a command runs is recorded in
 * the same way; while no command runs it is not recorded. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-effect-watch.h"

#include "common/gadget-pending.h"
#include "gadget-edit.h"
#include "gadget-running-markers.h"
#include "gadget-unique-timestamp.h"
#include "store/gadget-store-changes.h"

#include <string.h>

/* The longest wait for the snapshot barrier, which takes milliseconds unless the disk hangs. */
#define MAX_WAIT_MS 2000
/* The longest waits for a snapshot: of a workspace that has an earlier one, and for its first one.
 * A command that starts so much later does not yet seem slow. */
#define SNAPSHOT_MS 250
#define FIRST_SNAPSHOT_MS 800

struct _GadgetEffectWatch
{
  GadgetSnapshotService *service;
  char *turn_id;
  char *root; /* the folder that paths are relative to */
  char *path; /* (nullable): of the file, below @root */
  gint64 effect;
  gint64 begun_at;           /* from _gadget_unique_timestamp_next () */
  gboolean whole;            /* the workspace is watched, not only the file */
  GadgetRecording recording; /* the least that is known about the end */
  guint n_without_room;
  guint n_unkept;
  GPtrArray *before; /* (nullable): states of the file, see gadget-edit.h */
};

/* Returns the part of @path below @folder, or NULL. */
static const char *
get_below (const char *path, const char *folder)
{
  const gsize length = folder != NULL ? strlen (folder) : 0;

  if (length <= 1 || strncmp (path, folder, length) != 0 || path[length] != '/')
    return NULL;
  return path + length + 1;
}

GadgetEffectWatch *
_gadget_effect_watch_new (GadgetSnapshotService *service, const char *turn_id,
                          GadgetEffectKind kind, const char *workspace, const char *root,
                          const char *subject)
{
  GadgetEffectWatch *self = g_new0 (GadgetEffectWatch, 1);
  const char *below = get_below (subject, workspace);

  if (below == NULL)
    below = get_below (subject, root);
  self->service = g_object_ref (service);
  self->turn_id = g_strdup (turn_id);
  self->recording = GADGET_RECORDING_DONE;
  self->whole = kind == GADGET_EFFECT_COMMAND;
  if (self->whole || below != NULL)
    self->root = g_strdup (root);
  else
    self->root = g_strdup ("/");
  if (!self->whole)
    self->path = g_strdup (below != NULL ? below : subject + strspn (subject, "/"));
  return self;
}

const char *
_gadget_effect_watch_get_root (GadgetEffectWatch *self)
{
  return self->root;
}

GadgetRecording
_gadget_effect_watch_get_recording (GadgetEffectWatch *self, guint *n_without_room, guint *n_unkept)
{
  *n_without_room = self->n_without_room;
  *n_unkept = self->n_unkept;
  return self->recording;
}

static void
watch_free (GadgetEffectWatch *self)
{
  g_object_unref (self->service);
  g_clear_pointer (&self->before, g_ptr_array_unref);
  g_free (self->turn_id);
  g_free (self->root);
  g_free (self->path);
  g_free (self);
}

/* --- Recording ---------------------------------------------------------------------------------
 */

typedef struct
{
  GadgetSnapshotService *service;
  char *turn_id;
} Written;

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Written *written = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_store_add_changes_finish (GADGET_STORE (source), result, &error))
    g_message ("changes of files are not recorded: %s", error->message);
  _gadget_snapshot_service_emit_recorded (written->service, written->turn_id);
  g_object_unref (written->service);
  g_free (written->turn_id);
  g_free (written);
}

static Written *
written_new (GadgetEffectWatch *self)
{
  Written *written = g_new0 (Written, 1);

  written->service = g_object_ref (self->service);
  written->turn_id = g_strdup (self->turn_id);
  return written;
}

static void
write_changes (GadgetEffectWatch *self, gint64 effect, GPtrArray *changes,
               GadgetRecording recording, const char *skipped)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  gadget_store_add_changes_async (gadget_snapshot_service_get_store (self->service), effect,
                                  changes != NULL ? changes : none, recording, skipped, written_cb,
                                  written_new (self));
}

/* The changes replace the recorded state before the edit. */
static void
write_edit (GadgetEffectWatch *self, gint64 effect, GPtrArray *changes, GadgetRecording recording)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  gadget_store_end_edit_async (gadget_snapshot_service_get_store (self->service), effect,
                               changes != NULL ? changes : none, recording, written_cb,
                               written_new (self));
}

/* --- A whole workspace -------------------------------------------------------------------------
 */

/* The data of a job that takes a snapshot. */
typedef struct
{
  char *root;
  char *turn_id;
  gint64 effect;
  gboolean ends; /* this is the snapshot after the effect */
  GadgetSnapshotRequest request;

  GPtrArray *changes; /* (nullable): the difference to the last snapshot */
  GArray *running;    /* of gint64: commands of other turns, which the changes belong to as well */
  GadgetRecording known_before; /* how completely the state before the effect is known */
  guint n_without_room;
  char *skipped;
  GError *error;
} SnapshotJob;

static void
job_free (gpointer data)
{
  SnapshotJob *job = data;

  g_free (job->root);
  g_free (job->turn_id);
  g_clear_pointer (&job->changes, g_ptr_array_unref);
  g_clear_pointer (&job->running, g_array_unref);
  g_free (job->skipped);
  g_clear_error (&job->error);
  g_free (job);
}

static void
take_snapshot (GadgetSnapshotWorker *worker, gpointer data)
{
  SnapshotJob *job = data;
  GadgetWorkspaceSnapshot *snapshot = _gadget_snapshot_worker_get_snapshot (worker, job->root);

  job->running =
      _gadget_workspace_snapshot_list_running (snapshot, job->ends ? job->turn_id : NULL);
  job->changes = _gadget_workspace_snapshot_take (snapshot, &job->request, &job->error);
  if (job->ends)
    {
      job->known_before = _gadget_workspace_snapshot_end_command (snapshot, job->effect);
      _gadget_running_markers_remove (worker->directory, job->root, job->effect);
    }
  else
    {
      if (job->changes == NULL)
        job->known_before = GADGET_RECORDING_LOST;
      else if (job->request.partly)
        job->known_before = GADGET_RECORDING_PARTLY;
      else
        job->known_before = GADGET_RECORDING_DONE;
      _gadget_workspace_snapshot_begin_command (snapshot, job->effect, job->turn_id,
                                                job->known_before);
      if (job->changes != NULL)
        _gadget_running_markers_set (worker->directory, job->root, job->effect, worker->owner);
    }
  job->n_without_room = _gadget_workspace_snapshot_get_n_without_room (snapshot);
  job->skipped = _gadget_workspace_snapshot_dup_skipped (snapshot);
  _gadget_snapshot_worker_note_unkept (worker, job->root, job->request.n_unkept);
  _gadget_snapshot_worker_queue_prefetch (worker, job->root);
}

static SnapshotJob *
job_new (GadgetEffectWatch *self, gboolean ends)
{
  SnapshotJob *job = g_new0 (SnapshotJob, 1);

  job->root = g_strdup (self->root);
  job->turn_id = g_strdup (self->turn_id);
  job->effect = self->effect;
  job->ends = ends;
  if (!ends)
    {
      job->request.wanted_at = self->begun_at;
      job->request.until = g_get_monotonic_time () + SNAPSHOT_MS * G_TIME_SPAN_MILLISECOND;
    }
  return job;
}

/* Records the changes for the commands of other turns that are still running. */
static void
write_for_running (GadgetSnapshotService *service, const SnapshotJob *job)
{
  for (guint i = 0; job->changes != NULL && job->changes->len > 0 && i < job->running->len; i++)
    {
      /* The store takes changes out of the list that it gets. */
      g_autoptr (GPtrArray) changes = gadget_changes_copy (job->changes);

      gadget_store_add_changes_async (gadget_snapshot_service_get_store (service),
                                      g_array_index (job->running, gint64, i), changes,
                                      GADGET_RECORDING_PENDING, job->skipped, NULL, NULL);
    }
}

/* The first snapshot of an effect, until the job is done. */
typedef struct
{
  GadgetSnapshotService *service;
  GadgetPending *pending; /* over once the effect does not wait any more */
  SnapshotJob *job;       /* owned by the task of the job */
  gboolean extended;      /* the time limit is FIRST_SNAPSHOT_MS */
} Waiting;

static void
timed_out_cb (GadgetPending *pending, gpointer user_data)
{
  Waiting *waiting = user_data;
  GadgetSnapshotRequest *request = &waiting->job->request;
  const gboolean known = g_atomic_int_get (&request->known);
  g_autoptr (GTask) task = NULL;
  GadgetEffectWatch *self;

  if (!known && !waiting->extended)
    {
      waiting->extended = TRUE;
      gadget_pending_set_timeout (pending, gadget_clock_get_default (),
                                  FIRST_SNAPSHOT_MS - SNAPSHOT_MS, timed_out_cb);
      return;
    }
  task = gadget_pending_take (pending);
  self = g_task_get_task_data (task);
  /* From now on a content is kept only for a file that has not changed since it was scanned; see
   * gadget-workspace-snapshot.c. */
  if (_gadget_snapshot_request_begin (request) && !known)
    self->recording = GADGET_RECORDING_PARTLY;
  self->n_unkept = _gadget_snapshot_service_get_n_unkept (waiting->service, self->root);
  g_task_return_boolean (task, TRUE);
}

static void
snapshot_before_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waiting *waiting = user_data;
  SnapshotJob *job = _gadget_snapshot_service_get_job_data (result);
  g_autoptr (GTask) task = gadget_pending_free_and_take (waiting->pending);

  write_for_running (waiting->service, job);
  if (task != NULL)
    {
      GadgetEffectWatch *self = g_task_get_task_data (task);

      if (job->error != NULL)
        self->recording = GADGET_RECORDING_LOST;
      self->n_without_room = job->n_without_room;
      self->n_unkept = job->request.n_unkept;
      g_task_return_boolean (task, TRUE);
    }
  g_object_unref (waiting->service);
  g_free (waiting);
}

/* Takes the task. A stop does not end the snapshot: the command may have begun without waiting for
 * it, and the snapshot after the command needs to know what was there before. */
static void
snapshot_before (GTask *task)
{
  GadgetEffectWatch *self = g_task_get_task_data (task);
  Waiting *waiting = g_new0 (Waiting, 1);

  waiting->service = g_object_ref (self->service);
  waiting->job = job_new (self, FALSE);
  waiting->pending = gadget_pending_new (task, NULL, NULL, waiting);
  gadget_pending_set_timeout (waiting->pending, gadget_clock_get_default (), SNAPSHOT_MS,
                              timed_out_cb);
  _gadget_snapshot_service_run_async (self->service, take_snapshot, waiting->job, job_free,
                                      snapshot_before_cb, waiting);
}

static void
snapshot_after_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetEffectWatch *self = user_data;
  const SnapshotJob *job = _gadget_snapshot_service_get_job_data (result);
  /* Without the state before the command, the difference also has what the user changed then. */
  const gboolean lost = job->changes == NULL || job->known_before == GADGET_RECORDING_LOST;
  GadgetRecording recording = job->known_before;

  if (lost)
    recording = GADGET_RECORDING_LOST;
  else if (job->skipped != NULL)
    recording = GADGET_RECORDING_PARTLY;
  _gadget_snapshot_service_set_skipped (self->service, self->root, job->skipped);
  write_for_running (self->service, job);
  write_changes (self, self->effect, lost ? NULL : job->changes, recording, job->skipped);
  _gadget_snapshot_barrier_open (_gadget_snapshot_service_get_barrier (self->service));
  watch_free (self);
}

static void
forget (GadgetSnapshotWorker *worker, gpointer data)
{
  const SnapshotJob *job = data;

  _gadget_workspace_snapshot_end_command (_gadget_snapshot_worker_get_snapshot (worker, job->root),
                                          job->effect);
  _gadget_running_markers_remove (worker->directory, job->root, job->effect);
}

/* --- One file ----------------------------------------------------------------------------------
 */

static void
read_states (GadgetEffectWatch *self, GCancellable *cancellable, GAsyncReadyCallback callback,
             gpointer user_data)
{
  _gadget_edit_read_states_async (self->service, self->root, self->path, self->before, cancellable,
                                  callback, user_data);
}

static void
before_recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gadget_store_add_changes_finish (GADGET_STORE (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
states_before_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEffectWatch *self = g_task_get_task_data (task);
  g_autoptr (GPtrArray) recorded = NULL;
  GError *error = NULL;

  self->before = _gadget_edit_read_states_finish (result, &error);
  if (self->before == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  /* When this is stored, it survives the process. The store takes changes out of the list that it
   * gets. */
  recorded = gadget_changes_copy (self->before);
  gadget_store_add_changes_async (gadget_snapshot_service_get_store (self->service), self->effect,
                                  recorded, GADGET_RECORDING_PENDING, NULL, before_recorded_cb,
                                  g_steal_pointer (&task));
}

static void
states_after_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetEffectWatch *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes = _gadget_edit_read_states_finish (result, &error);
  GadgetRecording recording = self->recording;

  if (changes == NULL)
    {
      g_message ("what became of %s is not known: %s", self->path, error->message);
      changes = _gadget_edit_assume (self->before);
      recording = GADGET_RECORDING_PARTLY;
    }
  write_edit (self, self->effect, changes, recording);
  _gadget_snapshot_barrier_open (_gadget_snapshot_service_get_barrier (self->service));
  watch_free (self);
}

/* --- Beginning and ending ----------------------------------------------------------------------
 */

static void
passed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetEffectWatch *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  _gadget_snapshot_barrier_wait_finish (result);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->whole)
    snapshot_before (g_steal_pointer (&task));
  else
    read_states (self, cancellable, states_before_cb, g_steal_pointer (&task));
}

void
_gadget_effect_watch_begin_async (GadgetEffectWatch *self, gint64 effect, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, _gadget_effect_watch_begin_async);
  g_task_set_task_data (task, self, NULL);
  self->effect = effect;
  self->begun_at = _gadget_unique_timestamp_next ();
  _gadget_snapshot_barrier_wait_async (_gadget_snapshot_service_get_barrier (self->service),
                                       MAX_WAIT_MS, passed_cb, task);
}

gboolean
_gadget_effect_watch_begin_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
_gadget_effect_watch_end (GadgetEffectWatch *self)
{
  _gadget_snapshot_barrier_close (_gadget_snapshot_service_get_barrier (self->service));
  if (self->whole)
    _gadget_snapshot_service_run_async (self->service, take_snapshot, job_new (self, TRUE),
                                        job_free, snapshot_after_cb, self);
  else
    read_states (self, NULL, states_after_cb, self);
}

void
_gadget_effect_watch_record_nothing (GadgetEffectWatch *self, gint64 effect)
{
  if (self->whole)
    write_changes (self, effect, NULL, GADGET_RECORDING_NONE, NULL);
  else
    write_edit (self, effect, NULL, GADGET_RECORDING_NONE);
}

void
_gadget_effect_watch_drop (GadgetEffectWatch *self)
{
  if (self->whole && self->effect != 0)
    _gadget_snapshot_service_run_async (self->service, forget, job_new (self, TRUE), job_free, NULL,
                                        NULL);
  watch_free (self);
}
