/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-engine.h"

G_BEGIN_DECLS

/* Puts a chat into the list. (transfer none): it, or the one of that id that was there. */
GadgetSession *_gadget_engine_adopt_session (GadgetEngine  *self,
                                             GadgetSession *session);

/* (transfer none) (element-type GadgetSession GadgetDeletion): chats whose deletion can still be
 * taken back. */
GHashTable    *_gadget_engine_get_deletions (GadgetEngine  *self);

/* Deletes them. */
void           _gadget_engine_settle_deletions (GadgetEngine *self);

G_END_DECLS
