/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: commands whose process was killed. */

#pragma once

#include "gadget-keeper.h"

G_BEGIN_DECLS

/* Records what commands of dead processes changed, as far as that can be known. Has finished when
 * all of it is on record; but already before anything that is asked of the store after this call is
 * answered, the looks that it needs are queued on the keeper's thread. */
void _gadget_recover_async  (GadgetKeeper        *keeper,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data);
void _gadget_recover_finish (GAsyncResult        *result);

G_END_DECLS
