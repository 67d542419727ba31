/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"
#include "store/gadget-store.h"

G_BEGIN_DECLS

/* The user's chats, the one that was changed last first. It follows the changes of other
 * processes. */
#define GADGET_TYPE_SESSION_LIST (gadget_session_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetSessionList, gadget_session_list, GADGET, SESSION_LIST, GObject)

/* Makes an empty list. STORE need not be open yet. */
GadgetSessionList *gadget_session_list_new       (GadgetStore       *store);

/* Adds SESSIONS, which were read from the open store as a list with that digest, and from then on
 * follows what other processes write to the store. */
void               gadget_session_list_open      (GadgetSessionList *self,
                                                  GPtrArray         *sessions,
                                                  guint64            digest);

/* Merges SESSIONS, which were read again, into the list. Chats that are not in SESSIONS stay. */
void               gadget_session_list_merge     (GadgetSessionList *self,
                                                  GPtrArray         *sessions);

/* (transfer none): a GListModel of GadgetSession, without the chats that are to be deleted */
GListModel        *gadget_session_list_get_model (GadgetSessionList *self);

/* (transfer none) (nullable): the chat with that id, also if it is to be deleted */
GadgetSession     *gadget_session_list_find      (GadgetSessionList *self,
                                                  const char        *id);

/* Adds a chat that is not in the list. */
void               gadget_session_list_add       (GadgetSessionList *self,
                                                  GadgetSession     *session);

/* Removes a chat. Does nothing if it is not in the list. */
void               gadget_session_list_remove    (GadgetSessionList *self,
                                                  GadgetSession     *session);

G_END_DECLS
