/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: records which files one effect changes. */

#pragma once

#include "gadget-snapshot-service-private.h"
#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

/* Watches one effect: keeps what was there before it, and records what is there after it. */
typedef struct _GadgetEffectWatch GadgetEffectWatch;

/* @root is the real path of @workspace (both are NULL for a turn without a folder). @subject may
 * begin with either of them. Free the watch with _gadget_effect_watch_end () or
 * _gadget_effect_watch_drop (). */
GadgetEffectWatch *_gadget_effect_watch_new           (GadgetSnapshotService *service,
                                                       const char            *turn_id,
                                                       GadgetEffectKind       kind,
                                                       const char            *workspace,
                                                       const char            *root,
                                                       const char            *subject);
/* Returns: (transfer none): the folder that the recorded paths are relative to: the workspace, or
 * "/" for a file outside of it. */
const char        *_gadget_effect_watch_get_root      (GadgetEffectWatch     *self);

/* The effect must not happen before this has finished. Fails with G_IO_ERROR_CANCELLED, with a
 * #GIOErrorEnum when the file cannot be read or kept, or with a GadgetStoreError. */
void               _gadget_effect_watch_begin_async   (GadgetEffectWatch     *self,
                                                       gint64                 effect,
                                                       GCancellable          *cancellable,
                                                       GAsyncReadyCallback    callback,
                                                       gpointer               user_data);
gboolean           _gadget_effect_watch_begin_finish  (GAsyncResult          *result,
                                                       GError               **error);

/* For an effect that has begun. Returns GADGET_RECORDING_DONE as long as all of its changes will be
 * recorded. Sets how many files of the workspace are not kept because there was no room, and how
 * many because there was no time yet. */
GadgetRecording    _gadget_effect_watch_get_recording (GadgetEffectWatch     *self,
                                                       guint                 *n_without_room,
                                                       guint                 *n_unkept);

/* For an effect that is not going to happen: its row gets no changes. Returns at once. What is going
 * on may still end. */
void               _gadget_effect_watch_record_nothing (GadgetEffectWatch    *self,
                                                        gint64                effect);

/* Both free the watch and return at once; their work goes on in the background. _end () is for an
 * effect that is over, _drop () for one that never happened; both only when
 * _gadget_effect_watch_begin_async () has finished, or was never called. */
void               _gadget_effect_watch_end           (GadgetEffectWatch     *self);
void               _gadget_effect_watch_drop          (GadgetEffectWatch     *self);

G_END_DECLS
