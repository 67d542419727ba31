/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Undoes and redoes what a turn did to files.
 *
 * gadget-undo-list.c tells what that is: each file has one state before all effects of the turn and
 * one after. Whether a change is done or undone is not stored anywhere: the
 * file itself tells, since it is as it was before, or as the turn left it, or neither; in the last
 * case somebody else has changed it since, and the user is asked. So nothing goes wrong when files
 * are restored by other means.
 *
 * Files that the turn did not change are not read. An undo is an effect too, with a row in the
 * ledger under the same turn; coalescing leaves those rows out. Files are read and written on the
 * snapshot thread. */

#define G_LOG_DOMAIN "gadget-undo"

#include "config.h"

#include "gadget-undo.h"

#include "gadget-apply-state.h"
#include "gadget-crash-recovery.h"
#include "gadget-running-markers.h"
#include "gadget-snapshot-service-private.h"
#include "common/gadget-clock.h"
#include "common/gadget-path.h"

#include <string.h>

G_DEFINE_QUARK (gadget-undo-error-quark, gadget_undo_error)

/* gadget_undo_report_free: frees the messages, too; @self must not be %NULL. */
void
gadget_undo_report_free (GadgetUndoReport *self)
{
  g_ptr_array_unref (self->problems);
  g_free (self);
}

/* One undo or redo. */
typedef struct
{
  char *turn_id;
  gboolean redo;
  char **paths; /* (nullable): absolute */
  GadgetUndoPolicy policy;
  GCancellable *cancellable; /* (nullable) */

  GPtrArray *entries;
  gint64 effect; /* the row in the ledger */
  GPtrArray *done;
  guint n_skipped;
  gboolean is_partial;
  GPtrArray *problems;
  GError *error;
} Apply;

static void
apply_free (gpointer data)
{
  Apply *apply = data;

  g_free (apply->turn_id);
  g_strfreev (apply->paths);
  g_clear_object (&apply->cancellable);
  g_clear_pointer (&apply->entries, g_ptr_array_unref);
  g_ptr_array_unref (apply->done);
  g_ptr_array_unref (apply->problems);
  g_clear_error (&apply->error);
  g_free (apply);
}

/* Returns the state to reach if @wanted, else the state to leave. */
static const GadgetFileState *
get_state (const Apply *apply, const GadgetUndoEntry *entry, gboolean wanted)
{
  return wanted == apply->redo ? &entry->after : &entry->before;
}

/* Reduces the entries to those that the caller asked for, and the folders that must exist for
 * them. */
static void
choose (Apply *apply)
{
  for (guint i = apply->entries->len; i > 0; i--)
    {
      GadgetUndoEntry *entry = g_ptr_array_index (apply->entries, i - 1);
      g_autofree char *path = g_build_filename (entry->root, entry->path, NULL);

      entry->chosen =
          apply->paths == NULL || g_strv_contains ((const char *const *) apply->paths, path);
      if (entry->chosen || get_state (apply, entry, TRUE)->type != GADGET_FILE_FOLDER
          || get_state (apply, entry, FALSE)->type != GADGET_FILE_NONE)
        continue;
      /* The entries below a folder come after it. */
      for (guint j = i; j < apply->entries->len && !entry->chosen; j++)
        {
          const GadgetUndoEntry *below = g_ptr_array_index (apply->entries, j);

          entry->chosen = below->chosen && strcmp (below->root, entry->root) == 0
                          && gadget_path_is_within (below->path, entry->path)
                          && get_state (apply, below, TRUE)->type != GADGET_FILE_NONE;
        }
    }
  for (guint i = apply->entries->len; i > 0; i--)
    if (!((GadgetUndoEntry *) g_ptr_array_index (apply->entries, i - 1))->chosen)
      g_ptr_array_remove_index (apply->entries, i - 1);
}

/* Counts the files that have changed since. Fails with their names where the policy refuses
 * them. */
static gboolean
check_changed (Apply *apply)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < apply->entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (apply->entries, i);
      g_autofree char *shown = NULL;

      if (entry->state != GADGET_UNDO_STATE_CHANGED || entry->quiet)
        continue;
      n++;
      shown = g_filename_display_name (entry->path);
      g_string_append_printf (names, "%s%s", n > 1 ? "\n" : "", shown);
    }
  if (apply->policy != GADGET_UNDO_OVERWRITE)
    apply->n_skipped = n;
  if (n == 0 || apply->policy != GADGET_UNDO_REFUSE)
    return TRUE;
  g_set_error (&apply->error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_CHANGED, "%s", names->str);
  return FALSE;
}

/* Returns the folders in which commands of this process or another one run. */
static GPtrArray *
find_running (GadgetSnapshotWorker *worker)
{
  GPtrArray *roots = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer root, snapshot;

  g_hash_table_iter_init (&iter, worker->snapshots);
  while (g_hash_table_iter_next (&iter, &root, &snapshot))
    if (_gadget_workspace_snapshot_is_running (snapshot))
      g_ptr_array_add (roots, g_strdup (root));
  _gadget_running_markers_add_others (worker->directory, worker->owner, roots);
  return roots;
}

/* A command that runs in a folder above the file may touch it; one in a folder beside it does not
 * count. */
static gboolean
is_in_use (const GadgetUndoEntry *entry, const GPtrArray *running)
{
  g_autofree char *path = g_build_filename (entry->root, entry->path, NULL);

  for (guint i = 0; i < running->len; i++)
    {
      const char *root = g_ptr_array_index (running, i);

      if (strcmp (entry->root, root) == 0 || gadget_path_is_within (path, root))
        return TRUE;
    }
  return FALSE;
}

/* A turn that works in the folder while no command runs is no obstacle: its tools check a file
 * again before they write it. A command that begins meanwhile waits for the snapshot thread. */
static gboolean
check_running (GadgetSnapshotWorker *worker, Apply *apply)
{
  g_autoptr (GPtrArray) running = find_running (worker);

  for (guint i = 0; i < apply->entries->len; i++)
    {
      if (!is_in_use (g_ptr_array_index (apply->entries, i), running))
        continue;
      g_set_error_literal (&apply->error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_BUSY,
                           "a command is running in this folder");
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_missing (Apply *apply)
{
  const char *missing = _gadget_undo_find_missing (apply->entries);

  if (missing == NULL)
    return TRUE;
  g_set_error (&apply->error, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_MISSING,
               "the folder %s is not there", missing);
  return FALSE;
}

/* Marks the entries from @index on, which are not begun because of a stop. */
static void
leave (Apply *apply, guint index)
{
  for (; index < apply->entries->len; index++)
    ((GadgetUndoEntry *) g_ptr_array_index (apply->entries, index))->left = TRUE;
}

/* Runs on the snapshot thread. A turn with files in its workspace and outside of it has several
 * roots. */
static void
apply_all (GadgetSnapshotWorker *worker, gpointer data)
{
  Apply *apply = data;

  choose (apply);
  if (!check_missing (apply) || !check_running (worker, apply))
    return;
  if (!_gadget_apply_state_inspect (worker->blobs, apply->entries, FALSE, apply->cancellable))
    {
      leave (apply, 0);
      return;
    }
  if (!check_changed (apply))
    return;
  for (guint from = 0; from < apply->entries->len;)
    {
      const char *root = ((GadgetUndoEntry *) g_ptr_array_index (apply->entries, from))->root;
      g_autoptr (GPtrArray) together = g_ptr_array_new ();

      if (g_cancellable_is_cancelled (apply->cancellable))
        {
          leave (apply, from);
          return;
        }
      while (from < apply->entries->len
             && strcmp (((GadgetUndoEntry *) g_ptr_array_index (apply->entries, from))->root, root)
                    == 0)
        g_ptr_array_add (together, g_ptr_array_index (apply->entries, from++));
      _gadget_workspace_snapshot_set_tree_stale (
          _gadget_snapshot_worker_get_snapshot (worker, root));
      _gadget_apply_state_run (worker->blobs, root, together, apply->redo,
                               apply->policy == GADGET_UNDO_OVERWRITE, apply->cancellable,
                               apply->done, apply->problems);
    }
}

static gboolean
is_folder (const GadgetFileState *before, const GadgetFileState *after)
{
  return before->type == GADGET_FILE_FOLDER || after->type == GADGET_FILE_FOLDER;
}

static GadgetUndoReport *
make_report (Apply *apply)
{
  GadgetUndoReport *report = g_new0 (GadgetUndoReport, 1);

  for (guint i = 0; i < apply->done->len; i++)
    {
      const GadgetChange *change = g_ptr_array_index (apply->done, i);

      if (gadget_file_state_same (&change->before, &change->after))
        continue;
      report->n_done++;
      report->n_folders_done += is_folder (&change->before, &change->after);
    }
  for (guint i = 0; i < apply->entries->len; i++)
    {
      const GadgetUndoEntry *entry = g_ptr_array_index (apply->entries, i);

      if (!entry->left || entry->quiet)
        continue;
      report->n_left++;
      report->n_files_left += !is_folder (&entry->before, &entry->after);
    }
  report->n_skipped = apply->n_skipped;
  report->is_partial = apply->is_partial;
  report->problems = g_ptr_array_ref (apply->problems);
  return report;
}

static void
applied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Apply *apply = _gadget_snapshot_service_get_job_data (result);
  GadgetSnapshotService *service = GADGET_SNAPSHOT_SERVICE (source);
  GadgetStore *store = gadget_snapshot_service_get_store (service);
  g_autoptr (GadgetUndoReport) report = make_report (apply);
  const char *outcome = apply->error != NULL                             ? "refused"
                        : apply->problems->len > 0 || report->n_left > 0 ? "partly"
                                                                         : "done";

  gadget_store_add_changes_async (store, apply->effect, apply->done, GADGET_RECORDING_NONE, NULL,
                                  NULL, NULL);
  gadget_store_end_effect (store, apply->effect, outcome);
  if (apply->error != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&apply->error));
      return;
    }
  _gadget_snapshot_service_emit_recorded (service, apply->turn_id);
  g_task_return_pointer (task, g_steal_pointer (&report), (GDestroyNotify) gadget_undo_report_free);
}

static void
row_written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Apply *apply = g_task_get_task_data (task);
  GadgetSnapshotService *service = g_task_get_source_object (task);
  GError *error = NULL;

  apply->effect = gadget_store_begin_effect_finish (GADGET_STORE (source), result, &error);
  if (apply->effect == 0)
    {
      g_task_return_error (task, error);
      return;
    }
  _gadget_snapshot_service_run_async (service, apply_all, apply, NULL, applied_cb,
                                      g_steal_pointer (&task));
}

static void
changes_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Apply *apply = g_task_get_task_data (task);
  GadgetSnapshotService *service = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GadgetUndoList) list = _gadget_undo_read_list (GADGET_STORE (source), result, &error);
  g_autofree char *subject = apply->paths != NULL ? g_strjoinv (", ", apply->paths) : g_strdup ("");
  const char *owner = list != NULL ? _gadget_snapshot_service_get_owner (service, &error) : NULL;
  GadgetEffectRow row = {
    .turn_id = apply->turn_id,
    .call_turn_id = apply->turn_id,
    .kind = apply->redo ? GADGET_EFFECT_REDO : GADGET_EFFECT_UNDO,
    .subject = subject,
    .started_at = gadget_clock_wall_ms (),
  };

  if (owner == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (list->recording == GADGET_RECORDING_PENDING)
    {
      g_task_return_new_error_literal (task, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_PENDING,
                                       "what the turn changed is still being recorded");
      return;
    }
  if (list->recording == GADGET_RECORDING_LOST && list->entries->len == 0)
    {
      g_task_return_new_error_literal (task, GADGET_UNDO_ERROR, GADGET_UNDO_ERROR_LOST,
                                       "what the turn changed could not be recorded");
      return;
    }
  apply->is_partial = list->recording == GADGET_RECORDING_LOST;
  apply->entries = g_ptr_array_ref (list->entries);
  gadget_store_begin_effect_async (GADGET_STORE (source), &row, owner, row_written_cb,
                                   g_steal_pointer (&task));
}

static void
apply_recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  const Apply *apply = g_task_get_task_data (task);
  GadgetSnapshotService *service = GADGET_SNAPSHOT_SERVICE (source);

  gadget_crash_recovery_finish (result);
  gadget_store_list_changes_async (gadget_snapshot_service_get_store (service), apply->turn_id,
                                   changes_read_cb, task);
}

/**
 * gadget_undo_apply_async:
 * @redo: redoes changes that were undone
 * @paths: (nullable): absolute paths of files; %NULL for all that the turn changed
 * @policy: what to do about files that have changed since
 * @cancellable: (nullable): when it is cancelled, no further file is begun
 *
 * Undoes what a turn did to files: contents, modes, times, folders and links. Each file is replaced
 * whole or not at all. Cancelling is not an error: the report says what was done until then, and
 * how much is left, which can be undone later.
 */
void
gadget_undo_apply_async (GadgetSnapshotService *service, const char *turn_id, gboolean redo,
                         const char *const *paths, GadgetUndoPolicy policy,
                         GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task;
  Apply *apply;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (service) && turn_id != NULL);

  apply = g_new0 (Apply, 1);
  apply->turn_id = g_strdup (turn_id);
  apply->redo = redo;
  apply->paths = g_strdupv ((char **) paths);
  apply->policy = policy;
  g_set_object (&apply->cancellable, cancellable);
  apply->done = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
  apply->problems = g_ptr_array_new_with_free_func (g_free);
  task = g_task_new (service, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_undo_apply_async);
  g_task_set_task_data (task, apply, apply_free);
  gadget_crash_recovery_async (service, apply_recovered_cb, task);
}

/**
 * gadget_undo_apply_finish:
 *
 * Returns: (transfer full): what was done; or, when nothing was done, %NULL with a #GadgetUndoError
 *   (for %GADGET_UNDO_ERROR_CHANGED the message is the names of the files, one per line), a
 *   #GadgetLeaseError or a #GadgetStoreError
 */
GadgetUndoReport *
gadget_undo_apply_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_undo_apply_async), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
