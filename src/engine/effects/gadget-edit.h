/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the state of one file, and of the folders above it, before and after an
 * edit. */

#pragma once

#include "gadget-snapshot-service-private.h"

G_BEGIN_DECLS

/* Without @before (nullable): reads the states of @path, relative to @root, and of each folder
 * above it up to @root itself, since an edit may make these folders. Returns changes (GadgetChange)
 * whose states before and after are the same.
 *
 * With @before, such a list: reads the same files again. Returns the changes since.
 *
 * Contents are kept in @blobs. Blocks, so it is called in a thread. Returns: (transfer full): NULL
 * with a #GIOErrorEnum. */
GPtrArray *_gadget_edit_read_states        (GadgetBlobs           *blobs,
                                            const char            *root,
                                            const char            *path,
                                            const GPtrArray       *before,
                                            GError               **error);

/* Returns: (transfer full): the second list for files that cannot be read now, because the drive is
 * absent or the folder is locked. */
GPtrArray *_gadget_edit_assume             (const GPtrArray       *before);

/* Runs _gadget_edit_read_states () in a thread, from the main context. */
void       _gadget_edit_read_states_async  (GadgetSnapshotService *service,
                                            const char            *root,
                                            const char            *path,
                                            GPtrArray             *before,
                                            GCancellable          *cancellable,
                                            GAsyncReadyCallback    callback,
                                            gpointer               user_data);
GPtrArray *_gadget_edit_read_states_finish (GAsyncResult          *result,
                                            GError               **error);

G_END_DECLS
