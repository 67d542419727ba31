/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the snapshot thread and the data that its jobs share. */

#pragma once

#include "common/gadget-job-queue.h"
#include "gadget-snapshot-barrier.h"
#include "gadget-snapshot-service.h"
#include "gadget-workspace-snapshot.h"

G_BEGIN_DECLS

/* In bytes: the largest content that is kept, and the limit for all contents together. */
#define GADGET_SNAPSHOT_MAX_FILE (G_GUINT64_CONSTANT (200) << 20)
#define GADGET_SNAPSHOT_MAX_TOTAL (G_GUINT64_CONSTANT (2) << 30)

/**
 * GadgetSnapshotWorker:
 * @directory: the data folder
 * @owner: the lease of this process
 * @queue: the jobs
 * @stopping: set with g_atomic_int_set () when detached jobs are to stop
 * @blobs: may be used in any thread
 * @snapshots: workspace snapshots by path; only used on the snapshot thread
 * @lock: protects @unkept
 * @unkept: (element-type utf8 guint): how many files of a workspace are not kept yet
 *
 * The data that the jobs work with.
 */
typedef struct
{
  char *directory;
  const char *owner;
  GadgetJobQueue *queue;
  int stopping;
  GadgetBlobs *blobs;
  GHashTable *snapshots;
  GMutex lock;
  GHashTable *unkept;
} GadgetSnapshotWorker;

/* A job. It runs on the snapshot thread, after all jobs queued before it, and must not touch
 * GObjects. */
typedef void (*GadgetSnapshotWorkFunc) (GadgetSnapshotWorker *worker, gpointer data);

/* Returns: (transfer none): the name of this process in the ledger; NULL with a
 * GadgetLeaseError. */
const char              *_gadget_snapshot_service_get_owner     (GadgetSnapshotService *self,
                                                                 GError               **error);
/* Both return (transfer none). */
GadgetBlobs             *_gadget_snapshot_service_get_blobs     (GadgetSnapshotService *self);
GadgetSnapshotBarrier   *_gadget_snapshot_service_get_barrier   (GadgetSnapshotService *self);
/* Queues @func. @callback is called on the main context; @data belongs to the job and is freed with
 * @free_data after that. */
void                     _gadget_snapshot_service_run_async     (GadgetSnapshotService *self,
                                                                 GadgetSnapshotWorkFunc func,
                                                                 gpointer               data,
                                                                 GDestroyNotify         free_data,
                                                                 GAsyncReadyCallback    callback,
                                                                 gpointer               user_data);

/* Queues a job that reports to nobody. When the snapshot service is freed it waits for the job that
 * runs and drops the others. The second function is for jobs on the snapshot thread. */
void                     _gadget_snapshot_service_run_detached  (GadgetSnapshotService *self,
                                                                 GadgetSnapshotWorkFunc func,
                                                                 gpointer               data,
                                                                 GDestroyNotify         free_data);
void                     _gadget_snapshot_worker_run_later      (GadgetSnapshotWorker  *worker,
                                                                 GadgetSnapshotWorkFunc func,
                                                                 gpointer               data,
                                                                 GDestroyNotify         free_data);
/* For the callback of _gadget_snapshot_service_run_async (). Returns: (transfer none): its
 * @data. */
gpointer                 _gadget_snapshot_service_get_job_data  (GAsyncResult          *result);
/* Returns: (transfer none): the snapshot of the workspace @root, made on first use; snapshot thread
 * only. */
GadgetWorkspaceSnapshot *_gadget_snapshot_worker_get_snapshot   (GadgetSnapshotWorker  *worker,
                                                                 const char            *root);
/* Queues a prefetch of the workspace if earlier snapshots had no time to keep all of its contents.
 * Called on the snapshot thread. */
void                     _gadget_snapshot_worker_queue_prefetch (GadgetSnapshotWorker  *worker,
                                                                 const char            *root);
/* Remember how many files of a workspace are not kept yet. Set on the snapshot thread, read on the
 * main context. */
void                     _gadget_snapshot_worker_note_unkept    (GadgetSnapshotWorker  *worker,
                                                                 const char            *root,
                                                                 guint                  n_unkept);
guint                    _gadget_snapshot_service_get_n_unkept  (GadgetSnapshotService *self,
                                                                 const char            *root);
/* The folders of a workspace that its last snapshot left out, separated by newlines; NULL for
 * none. */
void                     _gadget_snapshot_service_set_skipped   (GadgetSnapshotService *self,
                                                                 const char            *root,
                                                                 const char            *skipped);
const char              *_gadget_snapshot_service_get_skipped   (GadgetSnapshotService *self,
                                                                 const char            *root);
/* Emits #GadgetSnapshotService::recorded. */
void                     _gadget_snapshot_service_emit_recorded (GadgetSnapshotService *self,
                                                                 const char            *turn_id);

G_END_DECLS
