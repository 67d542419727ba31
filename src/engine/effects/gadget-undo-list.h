/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-snapshot-service.h"
#include "gadget-undo-entry.h"

G_BEGIN_DECLS

/**
 * GadgetUndoList:
 * @recording: how far the turn is recorded; while it is %GADGET_RECORDING_PENDING nothing can be
 *   undone
 * @skipped: (nullable): folders in which nothing was recorded, separated by newlines
 * @missing: (nullable): one of the entries' folders that does not exist now: then the states of its
 *   files mean nothing
 * @entries: (element-type GadgetUndoEntry): sorted by folder, then by path
 *
 * The changes of one turn to files.
 */
typedef struct
{
  GadgetRecording recording;
  char *skipped;
  char *missing;
  GPtrArray *entries;
} GadgetUndoList;

void            gadget_undo_list_free     (GadgetUndoList        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetUndoList, gadget_undo_list_free)

void            gadget_undo_list_async    (GadgetSnapshotService *service,
                                           const char            *turn_id,
                                           GAsyncReadyCallback    callback,
                                           gpointer               user_data);
GadgetUndoList *gadget_undo_list_finish   (GAsyncResult          *result,
                                           GError               **error);

/* --- Private to this folder ---------------------------------------------------------------------
 */

/* Finishes gadget_store_list_changes_async (). The entries have their states before and after the
 * turn, and not yet what the files are now. Returns: (transfer full): NULL with a
 * #GadgetStoreError. */
GadgetUndoList *_gadget_undo_read_list    (GadgetStore           *store,
                                           GAsyncResult          *result,
                                           GError               **error);

/* Returns: (transfer none) (nullable): one of the entries' folders that does not exist: its drive
 * is absent, or it was moved. Blocks. */
const char     *_gadget_undo_find_missing (const GPtrArray       *entries);

G_END_DECLS
