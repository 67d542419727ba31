/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-keeper.h"
#include "session/gadget-call-summary.h"
#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

#define GADGET_TYPE_EFFECTS (gadget_effects_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEffects, gadget_effects, GADGET, EFFECTS, GObject)

/* What the tools of one turn meet: they say what they are about to do, wait until that is on
 * record, do it, and say how it ended. */
GadgetEffects *gadget_effects_new          (GadgetKeeper         *keeper,
                                            const char           *turn_id,
                                            const char           *call_turn_id,
                                            const char           *workspace);
void           gadget_effects_begin_async  (GadgetEffects        *self,
                                            const char           *call_id,
                                            GadgetEffectKind      kind,
                                            const char           *subject,
                                            const char           *detail,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
void           gadget_effects_begin_command_async (GadgetEffects *self,
                                            const char           *call_id,
                                            const char           *command,
                                            const char           *folder,
                                            gboolean              network,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gint64         gadget_effects_begin_finish (GadgetEffects        *self,
                                            GAsyncResult         *result,
                                            GError              **error);
/* Of one that has begun and not ended: why perhaps not all of it can be undone, for people; NULL if
 * it can. */
GadgetCallSummary *gadget_effects_dup_warning (GadgetEffects     *self,
                                            gint64                id);
/* The same before anything was begun: what is known of the workspace. */
char          *gadget_effects_dup_unkept   (GadgetEffects        *self);
/* Folders of the workspace in which changes are not recorded, as the last command showed, separated
 * by line ends; NULL for none, and before the first command. */
const char    *gadget_effects_get_skipped  (GadgetEffects        *self);
void           gadget_effects_end          (GadgetEffects        *self,
                                            gint64                id,
                                            const char           *outcome);

G_END_DECLS
