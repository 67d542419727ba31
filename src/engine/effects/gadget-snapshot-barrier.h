/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: lets an effect wait until the changes of earlier effects are recorded. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Counts the effects that have ended and are not recorded yet. For the main context only. */
typedef struct _GadgetSnapshotBarrier GadgetSnapshotBarrier;

GadgetSnapshotBarrier *_gadget_snapshot_barrier_new         (void);
void                   _gadget_snapshot_barrier_free        (GadgetSnapshotBarrier *self);

/* _close () is called when an effect has ended and its changes are still to be recorded, _open ()
 * when they are. The calls nest. */
void                   _gadget_snapshot_barrier_close       (GadgetSnapshotBarrier *self);
void                   _gadget_snapshot_barrier_open        (GadgetSnapshotBarrier *self);

/* Finishes when the barrier is open, or after @max_wait_ms milliseconds at the latest. */
void                   _gadget_snapshot_barrier_wait_async  (GadgetSnapshotBarrier *self,
                                                             guint                  max_wait_ms,
                                                             GAsyncReadyCallback    callback,
                                                             gpointer               user_data);
void                   _gadget_snapshot_barrier_wait_finish (GAsyncResult          *result);

G_END_DECLS
