/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store.h"

G_BEGIN_DECLS

#define GADGET_TYPE_SNAPSHOT_SERVICE (gadget_snapshot_service_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSnapshotService, gadget_snapshot_service, GADGET, SNAPSHOT_SERVICE, GObject)

/* The snapshot service is shared by the effects of all turns of this process; there is one per
 * store. It has the kept contents of files, and the snapshot thread, which takes snapshots of
 * workspaces. */
GadgetSnapshotService *gadget_snapshot_service_new          (GadgetStore           *store);
/* Returns: (transfer none): the store. */
GadgetStore           *gadget_snapshot_service_get_store    (GadgetSnapshotService *self);

/* Called when the program ends: waits until the changes of all turns are recorded, for @max_wait_ms
 * milliseconds at most. Prefetching stops for good. */
void                   gadget_snapshot_service_close_async  (GadgetSnapshotService *self,
                                                             guint                  max_wait_ms,
                                                             GAsyncReadyCallback    callback,
                                                             gpointer               user_data);
void                   gadget_snapshot_service_close_finish (GadgetSnapshotService *self,
                                                             GAsyncResult          *result);

/* Called when a chat has chosen this folder, or is about to do something in it. */
void                   gadget_snapshot_service_prepare      (GadgetSnapshotService *self,
                                                             const char            *workspace);

/* Removes contents that nothing refers to any longer, and those that were stored first of more than
 * the user lets them take, in the background. Unless @needed, at most once a day; then contents also
 * go that are older than the user wants them kept. */
void                   gadget_snapshot_service_sweep        (GadgetSnapshotService *self,
                                                             gboolean               needed);

/* Removes contents that only undo needs. */
void                   gadget_snapshot_service_clear_async  (GadgetSnapshotService *self,
                                                             gboolean               also_pinned,
                                                             GAsyncReadyCallback    callback,
                                                             gpointer               user_data);
gboolean               gadget_snapshot_service_clear_finish (GadgetSnapshotService *self,
                                                             GAsyncResult          *result,
                                                             GError               **error);

G_END_DECLS
