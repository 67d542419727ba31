/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/* The user's chats, the one that changed last first. */
#define GADGET_TYPE_CHAT_LIST (gadget_chat_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetChatList, gadget_chat_list, GADGET, CHAT_LIST, GObject)

GadgetChatList *_gadget_chat_list_new       (GadgetStore    *store);

/* Begins with SESSIONS, which were read from the open store, and follows what others write to it. */
void            _gadget_chat_list_open      (GadgetChatList *self,
                                             GPtrArray      *sessions);

/* Takes over SESSIONS, which were read again. */
void            _gadget_chat_list_merge     (GadgetChatList *self,
                                             GPtrArray      *sessions);

/* (transfer none): a GListModel of GadgetSession */
GListModel     *_gadget_chat_list_get_model (GadgetChatList *self);

/* (transfer none) (nullable) */
GadgetSession  *_gadget_chat_list_find      (GadgetChatList *self,
                                             const char     *id);

void            _gadget_chat_list_add       (GadgetChatList *self,
                                             GadgetSession  *session);

/* Does nothing with one that is not in it. */
void            _gadget_chat_list_remove    (GadgetChatList *self,
                                             GadgetSession  *session);

G_END_DECLS
