/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-snapshot-service.h"

G_BEGIN_DECLS

/**
 * GadgetKeptVersions:
 * @n_files: the files of which an earlier version is kept
 * @size: the sum of these versions, in bytes
 *
 * What undo needs of the files that some chats changed, and what goes with these chats.
 */
typedef struct
{
  guint n_files;
  guint64 size;
} GadgetKeptVersions;

void     gadget_kept_versions_measure_async  (GadgetSnapshotService *service,
                                              const char *const     *session_ids,
                                              GAsyncReadyCallback    callback,
                                              gpointer               user_data);

/* Sets @kept; nothing is kept if FALSE is returned, with a #GadgetStoreError. */
gboolean gadget_kept_versions_measure_finish (GAsyncResult          *result,
                                              GadgetKeptVersions    *kept,
                                              GError               **error);

G_END_DECLS
