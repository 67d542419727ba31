/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-snapshot-service.h"
#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_CHANGES (gadget_turn_changes_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnChanges, gadget_turn_changes, GADGET, TURN_CHANGES, GObject)

/* The ledger's view of one turn: its effects, and how many files they changed. It does not read the
 * files themselves and therefore is cheap; gadget_undo_list_async () does. The object does not
 * change later: read a new one to see what was recorded since. */
void               gadget_turn_changes_read_async     (GadgetSnapshotService *service,
                                                       const char            *turn_id,
                                                       GAsyncReadyCallback    callback,
                                                       gpointer               user_data);
GadgetTurnChanges *gadget_turn_changes_read_finish    (GAsyncResult          *result,
                                                       GError               **error);

/* While this is %GADGET_RECORDING_PENDING there may be more files. */
GadgetRecording    gadget_turn_changes_get_recording  (GadgetTurnChanges     *self);

/* The files, without folders, whose state before and after the turn differs; if there are none, the
 * folders of which that is true; and those of the ones or the others that were undone since and not
 * redone. */
guint              gadget_turn_changes_get_n_files    (GadgetTurnChanges     *self);
guint              gadget_turn_changes_get_n_folders  (GadgetTurnChanges     *self);
guint              gadget_turn_changes_get_n_undone   (GadgetTurnChanges     *self);

/* Returns: (transfer none) (element-type GadgetEffectRow): in the order in which they began. */
GPtrArray         *gadget_turn_changes_get_effects    (GadgetTurnChanges     *self);

/* The absolute paths of the files that one call of a file tool changed; NULL when it changed none.
 * @call_turn_id is the turn with the call: the same turn, or a subagent's. */
char             **gadget_turn_changes_dup_call_paths (GadgetTurnChanges     *self,
                                                       const char            *call_turn_id,
                                                       const char            *call_id,
                                                       gboolean              *undone);

G_END_DECLS
