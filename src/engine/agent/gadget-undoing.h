/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Undo of what a turn did to files, by the user. It is a run of its own, so that whatever stops
 * everything stops it, and the end of the program waits until files and record agree. */

#pragma once

#include "effects/gadget-undo.h"
#include "gadget-registry.h"

G_BEGIN_DECLS

GadgetRun        *gadget_undoing_start  (GadgetRegistry       *registry,
                                         GadgetKeeper         *keeper,
                                         const char           *session_id,
                                         const char           *turn_id,
                                         gboolean              redo,
                                         const char *const    *paths,
                                         GadgetUndoPolicy      policy,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
GadgetUndoReport *gadget_undoing_finish (GAsyncResult         *result,
                                         GError              **error);

G_END_DECLS
