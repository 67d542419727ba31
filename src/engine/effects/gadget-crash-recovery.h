/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records the changes of effects whose process was killed. */

#pragma once

#include "gadget-snapshot-service.h"

G_BEGIN_DECLS

/* Records what the effects of dead processes changed, as far as that can be known; errors are only
 * logged. It finishes when all of it is recorded. The snapshots that it needs are queued on the
 * snapshot thread earlier: before the store answers any request that is made after this call.
 * Requests for the changes of a turn wait for this by themselves. */
void gadget_crash_recovery_async  (GadgetSnapshotService *service,
                                   GAsyncReadyCallback    callback,
                                   gpointer               user_data);
void gadget_crash_recovery_finish (GAsyncResult          *result);

G_END_DECLS
