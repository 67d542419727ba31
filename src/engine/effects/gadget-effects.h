/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-snapshot-service.h"
#include "session/gadget-call-summary.h"
#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

#define GADGET_TYPE_EFFECTS (gadget_effects_get_type ())
G_DECLARE_FINAL_TYPE (GadgetEffects, gadget_effects, GADGET, EFFECTS, GObject)

/* The ledger as the tools of one turn use it: a tool begins an effect, waits until that is
 * recorded, has its effect, and ends it with an outcome. */
GadgetEffects     *gadget_effects_new                 (GadgetSnapshotService *service,
                                                       const char            *turn_id,
                                                       const char            *call_turn_id,
                                                       const char            *workspace);
void               gadget_effects_begin_async         (GadgetEffects         *self,
                                                       const char            *call_id,
                                                       GadgetEffectKind       kind,
                                                       const char            *subject,
                                                       const char            *detail,
                                                       GCancellable          *cancellable,
                                                       GAsyncReadyCallback    callback,
                                                       gpointer               user_data);
void               gadget_effects_begin_command_async (GadgetEffects         *self,
                                                       const char            *call_id,
                                                       const char            *command,
                                                       const char            *folder,
                                                       gboolean               network,
                                                       GCancellable          *cancellable,
                                                       GAsyncReadyCallback    callback,
                                                       gpointer               user_data);
gint64             gadget_effects_begin_finish        (GadgetEffects         *self,
                                                       GAsyncResult          *result,
                                                       GError               **error);
/* Tells why perhaps not all of an effect that has begun and not ended can be undone, for the user.
 * Returns NULL when all of it can be undone. */
GadgetCallSummary *gadget_effects_dup_warning         (GadgetEffects         *self,
                                                       gint64                 id);
/* Before any effect has begun: how much of the workspace is not kept yet, for the user. */
char              *gadget_effects_dup_unkept          (GadgetEffects         *self);
/* Returns: (transfer none) (nullable): the folders of the workspace in which changes are not
 * recorded, separated by newlines, as the last command's snapshot showed. NULL when there are none,
 * and before the first command. */
const char        *gadget_effects_get_skipped         (GadgetEffects         *self);
void               gadget_effects_end                 (GadgetEffects         *self,
                                                       gint64                 id,
                                                       const char            *outcome);

G_END_DECLS
