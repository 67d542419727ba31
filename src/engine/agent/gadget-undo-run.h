/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Undoes what a turn did to files, at the user's command. Undoing is a run of its own, so
 * everything that stops all work stops it, and the end of the program waits until the files and the
 * records agree. */

#pragma once

#include "gadget-registry.h"
#include "effects/gadget-undo.h"

G_BEGIN_DECLS

GadgetRun        *gadget_undo_run_start  (GadgetRegistry        *registry,
                                          GadgetSnapshotService *service,
                                          const char            *session_id,
                                          const char            *turn_id,
                                          gboolean               redo,
                                          const char     *const *paths,
                                          GadgetUndoPolicy       policy,
                                          GAsyncReadyCallback    callback,
                                          gpointer               user_data);
GadgetUndoReport *gadget_undo_run_finish (GAsyncResult          *result,
                                          GError               **error);

G_END_DECLS
