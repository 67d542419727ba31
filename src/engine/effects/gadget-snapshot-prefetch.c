/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Does in advance what the first command in a folder would have to wait for. From the moment at
 * which a chat has the folder, its files are scanned and their contents kept, a tenth of a second
 * at a time, at the end of the snapshot service's queue. Prefetching does not keep the snapshot
 * service alive; it stops when the service is disposed. */

#define G_LOG_DOMAIN "gadget-snapshot-service"

#include "config.h"

#include "gadget-snapshot-service-private.h"
#include "gadget-crash-recovery.h"

#include "common/gadget-blocking.h"

#include <stdlib.h>

/* One slice of prefetching. */
typedef struct
{
  char *root;
  gboolean begun; /* FALSE for the first slice, which begins with a new scan */
} Slice;

static void
slice_free (gpointer data)
{
  Slice *slice = data;

  g_free (slice->root);
  g_free (slice);
}

static void
keep_slice (GadgetSnapshotWorker *worker, gpointer data)
{
  Slice *slice = data;
  GadgetWorkspaceSnapshot *snapshot = _gadget_snapshot_worker_get_snapshot (worker, slice->root);

  if (slice->begun)
    _gadget_workspace_snapshot_set_queued (snapshot, FALSE);
  else
    _gadget_workspace_snapshot_request_rescan (snapshot);
  /* Either a command runs, and the first slice must not scan; or a command's snapshot has done the
   * rest since this slice was queued. */
  if (slice->begun != _gadget_workspace_snapshot_needs_prefetch (snapshot))
    return;
  _gadget_workspace_snapshot_prefetch (snapshot, &worker->stopping, worker->queue);
  _gadget_snapshot_worker_note_unkept (worker, slice->root,
                                       _gadget_workspace_snapshot_get_n_unkept (snapshot));
  _gadget_snapshot_worker_queue_prefetch (worker, slice->root);
}

void
_gadget_snapshot_worker_queue_prefetch (GadgetSnapshotWorker *worker, const char *root)
{
  GadgetWorkspaceSnapshot *snapshot = _gadget_snapshot_worker_get_snapshot (worker, root);
  Slice *next;

  if (!_gadget_workspace_snapshot_needs_prefetch (snapshot)
      || _gadget_workspace_snapshot_is_queued (snapshot))
    return;
  _gadget_workspace_snapshot_set_queued (snapshot, TRUE);
  next = g_new0 (Slice, 1);
  next->root = g_strdup (root);
  next->begun = TRUE;
  _gadget_snapshot_worker_run_later (worker, keep_slice, next, slice_free);
}

static void
weak_ref_free (GWeakRef *service)
{
  g_weak_ref_clear (service);
  g_free (service);
}

static void
recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Slice *slice = g_new0 (Slice, 1);

  slice->root = user_data;
  gadget_crash_recovery_finish (result);
  _gadget_snapshot_service_run_detached (GADGET_SNAPSHOT_SERVICE (source), keep_slice, slice,
                                         slice_free);
}

static gpointer
find_root (GadgetBlocking *job, gpointer workspace, GCancellable *cancellable, GError **error)
{
  char *root = realpath (workspace, NULL);

  if (root == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no such folder");
  return root;
}

static void
root_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GWeakRef *weak = user_data;
  g_autoptr (GadgetSnapshotService) service = g_weak_ref_get (weak);
  g_autofree char *root = gadget_blocking_run_finish (result, NULL);

  weak_ref_free (weak);
  /* Changes by a killed command must be recorded first: this scan would replace the tree from
   * before the command. */
  if (service != NULL && root != NULL)
    gadget_crash_recovery_async (service, recovered_cb, g_steal_pointer (&root));
}

/**
 * gadget_snapshot_service_prepare:
 * @workspace: an absolute path
 *
 * Begins to keep what is needed to undo commands in a folder, in the background.
 */
void
gadget_snapshot_service_prepare (GadgetSnapshotService *self, const char *workspace)
{
  GWeakRef *weak;

  g_return_if_fail (GADGET_IS_SNAPSHOT_SERVICE (self) && workspace != NULL);

  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  gadget_blocking_run_async (NULL, find_root, g_strdup (workspace), g_free, g_free, root_found_cb,
                             weak);
}
