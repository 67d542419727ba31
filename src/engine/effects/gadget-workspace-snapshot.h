/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: what is known of one workspace. All functions but
 * _gadget_snapshot_request_begin () are called on the snapshot thread. */

#pragma once

#include "common/gadget-job-queue.h"
#include "gadget-scan.h"

G_BEGIN_DECLS

/* The last snapshot of one workspace, and the commands that run in it. */
typedef struct _GadgetWorkspaceSnapshot GadgetWorkspaceSnapshot;

/**
 * GadgetSnapshotPhase:
 * @GADGET_SNAPSHOT_WAITING: other jobs come first
 * @GADGET_SNAPSHOT_SCANNING: the state of the workspace is not known yet
 * @GADGET_SNAPSHOT_SAVING: the state is known, and contents are being kept
 *
 * How far a snapshot has come; read by other threads.
 */
typedef enum
{
  GADGET_SNAPSHOT_WAITING,
  GADGET_SNAPSHOT_SCANNING,
  GADGET_SNAPSHOT_SAVING,
} GadgetSnapshotPhase;

/**
 * GadgetSnapshotRequest:
 * @phase: a #GadgetSnapshotPhase
 * @known: the workspace has a usable earlier snapshot, of this process or another
 * @wanted_at: of _gadget_unique_timestamp_next (): a snapshot that ended since then is used instead
 *   of a new one; 0 for always a new one
 * @until: monotonic time: until then files that did not change since the last snapshot, but were
 *   not kept, are kept too
 * @since: when a command began without waiting for the snapshot, or 0; see
 *   _gadget_snapshot_request_begin ()
 * @partly: set at the end: the state of the workspace at @since is not fully known
 * @n_unkept: set at the end: files that are still to be kept
 *
 * The purpose of a snapshot, and its result. @phase and @known are read by other threads with
 * g_atomic_int_get ().
 */
typedef struct
{
  int phase;
  int known;
  gint64 wanted_at;
  gint64 until;
  gint64 since;
  gboolean partly;
  guint n_unkept;
} GadgetSnapshotRequest;

/* Called on the main context when a command begins without waiting any longer for @request. Returns
 * whether the state of the workspace was still unknown; then the scan is corrected to this
 * moment. */
gboolean                 _gadget_snapshot_request_begin (GadgetSnapshotRequest *request);

/* @directory is the data folder, @root the workspace. @blobs must outlive the snapshot. */
GadgetWorkspaceSnapshot *_gadget_workspace_snapshot_new                (const char  *directory,
                                                                        const char  *root,
                                                                        GadgetBlobs *blobs);
void                     _gadget_workspace_snapshot_free (GadgetWorkspaceSnapshot *self);

/* Takes a snapshot and keeps contents. Returns: (transfer full) (element-type GadgetChange): what
 * differs from the last snapshot, or NULL with a #GIOErrorEnum. */
GPtrArray               *_gadget_workspace_snapshot_take (GadgetWorkspaceSnapshot *self,
                                                          GadgetSnapshotRequest   *request,
                                                          GError                 **error);
/* Takes a snapshot for a command of another process, which began at @begun, in microseconds since
 * 1970. A tree that the other process has left on disk replaces what this process knew before
 * @begun. Returns like _gadget_workspace_snapshot_take (), but NULL without an error. */
GPtrArray               *_gadget_workspace_snapshot_take_since (GadgetWorkspaceSnapshot *self,
                                                                gint64                   begun);
/* Keeps contents in advance, for a tenth of a second per call, and what snapshots had no time for.
 * Returns whether there is more to do. Ends as soon as @stopping is set, or a job waits in
 * @queue. */
gboolean                 _gadget_workspace_snapshot_prefetch (GadgetWorkspaceSnapshot *self,
                                                              const int               *stopping,
                                                              GadgetJobQueue          *queue);
/* Returns whether the last prefetch, or snapshot, left something to do. */
gboolean                 _gadget_workspace_snapshot_needs_prefetch (GadgetWorkspaceSnapshot *self);
/* The next prefetch begins with a new scan, unless a command runs. */
void                     _gadget_workspace_snapshot_request_rescan (GadgetWorkspaceSnapshot *self);

/* Called when Gadget itself has changed files of the workspace since the last snapshot. */
void                     _gadget_workspace_snapshot_set_tree_stale (GadgetWorkspaceSnapshot *self);

/* These tell whether a prefetch of this workspace waits in the queue. */
gboolean                 _gadget_workspace_snapshot_is_queued (GadgetWorkspaceSnapshot *self);
void                     _gadget_workspace_snapshot_set_queued (GadgetWorkspaceSnapshot *self,
                                                                gboolean                 queued);
/* Returns how many files are still to be kept. */
guint                    _gadget_workspace_snapshot_get_n_unkept (GadgetWorkspaceSnapshot *self);

/* Returns how many files were not kept because the limit left no room, though none of them is too
 * large. */
guint _gadget_workspace_snapshot_get_n_without_room (GadgetWorkspaceSnapshot *self);

/* The commands that run in the workspace now, by their rows in the ledger. @known_before tells
 * whether the state of the workspace at the begin of the command is known completely, partly, or
 * not at all (GADGET_RECORDING_LOST). _end_command () returns @known_before. */
void _gadget_workspace_snapshot_begin_command (GadgetWorkspaceSnapshot *self,
                                               gint64                   effect,
                                               const char              *turn_id,
                                               GadgetRecording          known_before);
GadgetRecording          _gadget_workspace_snapshot_end_command (GadgetWorkspaceSnapshot *self,
                                                                 gint64                   effect);
gboolean                 _gadget_workspace_snapshot_is_running (GadgetWorkspaceSnapshot *self);
/* Returns: (transfer full) (element-type gint64): a running command of each turn, without those of
 * @except_turn (nullable). */
GArray                  *_gadget_workspace_snapshot_list_running (GadgetWorkspaceSnapshot *self,
                                                                  const char *except_turn);
/* Returns: (transfer full) (nullable): the folders that the last snapshot left out, separated by
 * newlines. */
char                    *_gadget_workspace_snapshot_dup_skipped (GadgetWorkspaceSnapshot *self);

/* For tests: @func is called on the snapshot thread in each snapshot, when the state of the
 * workspace is known and none of it was kept yet. */
void           _gadget_workspace_snapshot_set_scanned_func (void        (*func) (gpointer),
                                                 gpointer      data);

G_END_DECLS
