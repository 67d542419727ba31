/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records the changes of effects whose process was killed while a command ran, or between an edit
 * and the snapshot after it. The command was killed with the process. Before a command a tree of
 * the workspace was saved to disk, and before an edit the state of the file was recorded; so the
 * next process that asks takes a snapshot now. The difference was made by the effect, or by
 * somebody else since: therefore the turn is marked as perhaps incomplete ("partly"), and undo
 * shows each file before it touches it. An edit whose file is unchanged did not happen, or was
 * reverted by others, and is complete. When the snapshot before a command had not finished, the
 * turn is marked "lost".
 *
 * Two processes that find the same effects do not both record them: each must hold the lease of the
 * dead process. No other snapshot of the workspace may be taken earlier, since it would replace the
 * old tree: a command's own begin runs this recovery first. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-crash-recovery.h"

#include "gadget-edit.h"
#include "gadget-snapshot-service-private.h"
#include "gadget-running-markers.h"
#include "store/lease/gadget-lease.h"
#include "store/gadget-store-changes.h"

typedef struct
{
  GPtrArray *rows;   /* of GadgetUnrecorded */
  GPtrArray *leases; /* of the dead processes */
  guint n_waiting;   /* rows that are not recorded yet, plus one for recover_all () */
  GHashTable *found; /* workspace → changes that were found there; used on the snapshot thread */
} Recovery;

/* One effect of a dead process. */
typedef struct
{
  Recovery *recovery; /* the task of the job keeps it alive, and so @row */
  const GadgetUnrecorded *row;

  GPtrArray *changes;
  GadgetRecording recording;
  char *skipped;
} RecoveryJob;

static void
recovery_free (gpointer data)
{
  Recovery *recovery = data;

  g_clear_pointer (&recovery->rows, g_ptr_array_unref);
  g_ptr_array_unref (recovery->leases);
  g_hash_table_unref (recovery->found);
  g_free (recovery);
}

static void
job_free (gpointer data)
{
  RecoveryJob *job = data;

  g_ptr_array_unref (job->changes);
  g_free (job->skipped);
  g_free (job);
}

/* Both functions run on the snapshot thread. */
static void
recover_edit (GadgetSnapshotWorker *worker, gpointer data)
{
  RecoveryJob *job = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes =
      _gadget_edit_read_states (worker->blobs, job->row->root, NULL, job->row->before, &error);

  if (changes == NULL)
    {
      g_message ("what a killed edit changed is not known: %s", error->message);
      changes = _gadget_edit_assume (job->row->before);
    }
  job->recording = changes->len > 0 ? GADGET_RECORDING_PARTLY : GADGET_RECORDING_DONE;
  g_ptr_array_unref (job->changes);
  job->changes = g_steal_pointer (&changes);
}

/* When several commands ran at once, each of them gets all changes, as it does without a crash.
 * Only the snapshot for the first one finds them. */
static GPtrArray *
find_changes (RecoveryJob *job, GadgetWorkspaceSnapshot *snapshot, gint64 begun)
{
  const char *root = job->row->root;
  GPtrArray *found = g_hash_table_lookup (job->recovery->found, root);
  GPtrArray *changes;

  if (found == NULL)
    found = _gadget_workspace_snapshot_take_since (snapshot, begun);
  else
    g_ptr_array_ref (found);
  if (found == NULL)
    return NULL;
  changes = gadget_changes_copy (found);
  g_hash_table_insert (job->recovery->found, g_strdup (root), found);
  return changes;
}

static void
recover_command (GadgetSnapshotWorker *worker, gpointer data)
{
  RecoveryJob *job = data;
  const char *root = job->row->root;
  GadgetWorkspaceSnapshot *snapshot = _gadget_snapshot_worker_get_snapshot (worker, root);
  const gint64 begun = _gadget_running_markers_get (worker->directory, root, job->row->effect);
  g_autoptr (GPtrArray) changes = NULL;

  /* If a command of this process runs in the workspace, nobody can tell whose changes are whose. */
  if (!_gadget_workspace_snapshot_is_running (snapshot) && begun != 0)
    changes = find_changes (job, snapshot, begun);
  _gadget_running_markers_remove (worker->directory, root, job->row->effect);
  if (changes == NULL)
    return;
  job->recording = GADGET_RECORDING_PARTLY;
  job->skipped = _gadget_workspace_snapshot_dup_skipped (snapshot);
  g_ptr_array_unref (job->changes);
  job->changes = g_steal_pointer (&changes);
}

static void
one_done (GTask *task)
{
  Recovery *recovery = g_task_get_task_data (task);

  if (--recovery->n_waiting > 0)
    return;
  for (guint i = 0; i < recovery->rows->len; i++)
    {
      const GadgetUnrecorded *row = g_ptr_array_index (recovery->rows, i);

      _gadget_snapshot_service_emit_recorded (g_task_get_source_object (task), row->turn_id);
    }
  g_ptr_array_set_size (recovery->leases, 0);
  g_task_return_boolean (task, TRUE);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  /* The rows stay unrecorded, so the next recovery tries again. */
  if (!gadget_store_add_changes_finish (GADGET_STORE (source), result, &error))
    g_message ("what was changed before a crash is not recorded: %s", error->message);
  one_done (task);
}

static void
recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const RecoveryJob *job = _gadget_snapshot_service_get_job_data (result);

  gadget_store_recover_changes_async (
      gadget_snapshot_service_get_store (GADGET_SNAPSHOT_SERVICE (source)), job->row, job->changes,
      job->recording, job->skipped, written_cb, user_data);
}

/* Acquires the lease of a dead process, once per recovery. Returns whether it is held. */
static gboolean
claim (GadgetSnapshotService *service, Recovery *recovery, GHashTable *owners, const char *owner)
{
  gpointer claimed = NULL;
  GadgetLease *lease;

  if (g_hash_table_lookup_extended (owners, owner, NULL, &claimed))
    return claimed != NULL;
  lease = gadget_lease_acquire (
      gadget_store_get_directory (gadget_snapshot_service_get_store (service)), owner, NULL);
  if (lease != NULL)
    g_ptr_array_add (recovery->leases, lease);
  g_hash_table_insert (owners, g_strdup (owner), lease);
  return lease != NULL;
}

static void
recover_all (GTask *task)
{
  GadgetSnapshotService *service = g_task_get_source_object (task);
  Recovery *recovery = g_task_get_task_data (task);
  g_autoptr (GHashTable) owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  recovery->n_waiting = 1;
  for (guint i = 0; i < recovery->rows->len; i++)
    {
      const GadgetUnrecorded *row = g_ptr_array_index (recovery->rows, i);
      RecoveryJob *job;

      if (!claim (service, recovery, owners, row->owner))
        continue;
      job = g_new0 (RecoveryJob, 1);
      job->recovery = recovery;
      job->row = row;
      job->changes = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
      job->recording = GADGET_RECORDING_LOST;
      recovery->n_waiting++;
      _gadget_snapshot_service_run_async (
          service, row->kind == GADGET_EFFECT_COMMAND ? recover_command : recover_edit, job,
          job_free, recovered_cb, g_object_ref (task));
    }
  one_done (task);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Recovery *recovery = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  recovery->rows = gadget_store_list_unrecorded_finish (GADGET_STORE (source), result, &error);
  if (recovery->rows == NULL || recovery->rows->len == 0)
    {
      if (error != NULL)
        g_message ("what was interrupted is not recovered: %s", error->message);
      g_task_return_boolean (task, TRUE);
      return;
    }
  recover_all (task);
}

void
gadget_crash_recovery_async (GadgetSnapshotService *service, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task;
  Recovery *recovery;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service));

  task = g_task_new (service, NULL, callback, user_data);
  recovery = g_new0 (Recovery, 1);
  g_task_set_source_tag (task, gadget_crash_recovery_async);
  recovery->leases = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_lease_release);
  recovery->found =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_task_set_task_data (task, recovery, recovery_free);
  gadget_store_list_unrecorded_async (gadget_snapshot_service_get_store (service), listed_cb, task);
}

/* gadget_crash_recovery_finish: always succeeds; what could not be recorded is logged. */
void
gadget_crash_recovery_finish (GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}
