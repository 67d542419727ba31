/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-keeper.h"
#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TURN_CHANGES (gadget_turn_changes_get_type ())
G_DECLARE_FINAL_TYPE (GadgetTurnChanges, gadget_turn_changes, GADGET, TURN_CHANGES, GObject)

/* What one turn did, as it is on record: its effects, and how many files these changed. The files
 * themselves are not looked at, so that it is cheap; gadget_undo_list_async () does. It stays as it
 * is: what comes later is in the next one. */
void               gadget_turn_changes_read_async  (GadgetKeeper         *keeper,
                                                    const char           *turn_id,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
GadgetTurnChanges *gadget_turn_changes_read_finish (GAsyncResult         *result,
                                                    GError              **error);

/* While it is %GADGET_RECORDING_PENDING there may be more files. */
GadgetRecording    gadget_turn_changes_get_recording (GadgetTurnChanges  *self);

/* Files, without folders, that the turn left otherwise than they were, and those of them that were taken back since,
 * and not made again. */
guint              gadget_turn_changes_get_n_files  (GadgetTurnChanges   *self);
guint              gadget_turn_changes_get_n_undone (GadgetTurnChanges   *self);

/* (element-type GadgetEffectRow): in the order of their beginnings. */
GPtrArray         *gadget_turn_changes_get_effects  (GadgetTurnChanges   *self);

/* The absolute paths of the files that one call of a tool for files changed, NULL for none; the call
 * stands in the turn CALL_TURN_ID, which is the same turn or a subagent's. */
char             **gadget_turn_changes_dup_call_paths (GadgetTurnChanges *self,
                                                       const char        *call_turn_id,
                                                       const char        *call_id,
                                                       gboolean          *undone);

G_END_DECLS
