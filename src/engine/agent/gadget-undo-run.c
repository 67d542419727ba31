/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-undo-run.h"

/* The data of the task. */
typedef struct
{
  GadgetRegistry *registry;
  GadgetRun *run;
} Undoing;

static void
undoing_free (gpointer data)
{
  Undoing *undoing = data;

  g_object_unref (undoing->registry);
  g_object_unref (undoing->run);
  g_free (undoing);
}

static void
applied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Undoing *undoing = g_task_get_task_data (task);
  GError *error = NULL;
  GadgetUndoReport *report = gadget_undo_apply_finish (result, &error);

  if (error != NULL)
    gadget_run_set_failure (undoing->run, error->message);
  gadget_run_seal (undoing->run);
  gadget_run_end (undoing->run);
  gadget_registry_remove (undoing->registry, undoing->run);
  if (report != NULL)
    g_task_return_pointer (task, report, (GDestroyNotify) gadget_undo_report_free);
  else
    g_task_return_error (task, error);
}

/**
 * gadget_undo_run_start:
 * @session_id: (nullable): the chat of the turn, so that a stop of the chat stops this, too; %NULL
 *   if it is not known
 * @turn_id: see gadget_undo_apply_async ()
 * @redo: see gadget_undo_apply_async ()
 * @paths: (nullable): see gadget_undo_apply_async ()
 * @policy: see gadget_undo_apply_async ()
 *
 * Returns: (transfer full): the run, which is registered
 */
GadgetRun *
gadget_undo_run_start (GadgetRegistry *registry, GadgetSnapshotService *service,
                       const char *session_id, const char *turn_id, gboolean redo,
                       const char *const *paths, GadgetUndoPolicy policy,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Undoing *undoing;
  GadgetRun *run;

  g_return_val_if_fail (GADGET_IS_REGISTRY (registry) && GADGET_IS_SNAPSHOT_SERVICE (service),
                        NULL);
  g_return_val_if_fail (turn_id != NULL, NULL);

  run = gadget_run_new (GADGET_RUN_UNDO, NULL, session_id != NULL ? session_id : "", NULL, NULL,
                        NULL);
  undoing = g_new0 (Undoing, 1);
  undoing->registry = g_object_ref (registry);
  undoing->run = g_object_ref (run);
  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_undo_run_start);
  g_task_set_task_data (task, undoing, undoing_free);
  gadget_registry_add (registry, run);
  gadget_undo_apply_async (service, turn_id, redo, paths, policy, gadget_run_get_cancellable (run),
                           applied_cb, task);
  return run;
}

/**
 * gadget_undo_run_finish:
 *
 * Returns: (transfer full) (nullable): see gadget_undo_apply_finish ()
 */
GadgetUndoReport *
gadget_undo_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gadget_undo_run_start), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
