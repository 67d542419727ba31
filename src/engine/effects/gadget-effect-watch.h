/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-keeper-private.h"
#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

/* Which files one effect changes: what was there before is kept, what is there afterwards is put on
 * record. */
typedef struct _GadgetEffectWatch GadgetEffectWatch;

/* ROOT is the real path of WORKSPACE, which SUBJECT may begin with. */
GadgetEffectWatch *_gadget_effect_watch_new          (GadgetKeeper         *keeper,
                                                      const char           *turn_id,
                                                      GadgetEffectKind      kind,
                                                      const char           *workspace,
                                                      const char           *root,
                                                      const char           *subject);
const char        *_gadget_effect_watch_get_root     (GadgetEffectWatch    *self);

/* The effect must not happen before this has finished. */
void               _gadget_effect_watch_begin_async  (GadgetEffectWatch    *self,
                                                      gint64                effect,
                                                      GCancellable         *cancellable,
                                                      GAsyncReadyCallback   callback,
                                                      gpointer              user_data);
gboolean           _gadget_effect_watch_begin_finish (GAsyncResult         *result,
                                                      GError              **error);

/* Of one that has begun: GADGET_RECORDING_DONE as long as all that changes will be on record; and how
 * many files of the folder are not kept for want of room, or for want of time. */
GadgetRecording    _gadget_effect_watch_get_recording (GadgetEffectWatch *self,
                                                       guint             *n_without_room,
                                                       guint             *n_unkept);

/* Both free it: the effect is over, or it never happened (EFFECT is 0 where it has no row). Nobody
 * waits for what they do. */
void               _gadget_effect_watch_end          (GadgetEffectWatch    *self);
void               _gadget_effect_watch_drop         (GadgetEffectWatch    *self,
                                                      gint64                effect);

G_END_DECLS
