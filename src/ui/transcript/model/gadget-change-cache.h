/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "effects/gadget-turn-changes.h"

G_BEGIN_DECLS

#define GADGET_TYPE_CHANGE_CACHE (gadget_change_cache_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChangeCache, gadget_change_cache, GADGET, CHANGE_CACHE, GObject)

/**
 * GadgetChangeCache:
 *
 * The changes that the turns of a chat made, for those turns that were asked about; the rows in
 * sight ask. A turn is read when it is first asked about, and again each time the snapshot service
 * has recorded more of it. Signal "changed" (the id of a turn): the changes of the turn were read
 * again.
 */

/* Keeps a reference to @service, which reads the changes. (transfer full) */
GadgetChangeCache *gadget_change_cache_new (GadgetSnapshotService *service);

/* Returns the changes of a turn; NULL while they are being read, or when they cannot be read. The
 * first call for a turn starts the reading. (transfer none) (nullable) */
GadgetTurnChanges *gadget_change_cache_get (GadgetChangeCache     *self,
                                            const char            *turn_id);

G_END_DECLS
