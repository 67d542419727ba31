/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-engine.h"
#include "agent/saving/gadget-session-list.h"

G_BEGIN_DECLS

/* Puts a stored chat into the list. (transfer none): the chat in the list, which is another object
 * if the list had one with the same id. */
GadgetSession     *_gadget_engine_adopt_session    (GadgetEngine  *self,
                                                    GadgetSession *session);

/* (transfer none): the list of chats that the engine owns. */
GadgetSessionList *_gadget_engine_get_session_list (GadgetEngine  *self);

/* (transfer none) (element-type GadgetSession GadgetDeletion): the chats whose deletion was begun
 * and can still be cancelled. */
GHashTable        *_gadget_engine_get_deletions    (GadgetEngine  *self);

/* Deletes the chats whose deletion was begun. Called when the engine closes. */
void               _gadget_engine_settle_deletions (GadgetEngine  *self);

G_END_DECLS
