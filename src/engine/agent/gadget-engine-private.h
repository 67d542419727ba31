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

/* Goes on with deleting everything, if an earlier process died in it; cannot fail. Nothing of the
 * chats may be read before it has ended. */
void            _gadget_engine_purge_async      (GadgetEngine  *self,
                                                 const char    *cache_directory,
                                                 GAsyncReadyCallback callback,
                                                 gpointer       user_data);
void            _gadget_engine_purge_finish     (GadgetEngine  *self,
                                                 GAsyncResult  *result);

/* Deletes a chat that nobody uses, and that was not used since @unused_since, as
 * gadget_engine_delete_async () does, which has the finish function, but leaves the contents for
 * undo to the caller's sweep. */
void               _gadget_engine_delete_rows_async (GadgetEngine *self,
                                                     GadgetSession *session,
                                                     gint64         unused_since,
                                                     gboolean       also_pinned,
                                                     GAsyncReadyCallback callback,
                                                     gpointer       user_data);

/* Removes the keys of all providers and tool servers from the keyring. Fails with a
 * #GadgetSecretsError if one may still be there. */
void               _gadget_engine_clear_keys_async  (GadgetEngine *self,
                                                     GAsyncReadyCallback callback,
                                                     gpointer       user_data);
gboolean           _gadget_engine_clear_keys_finish (GadgetEngine *self,
                                                     GAsyncResult *result,
                                                     GError      **error);

/* Deletes the chats whose deletion was begun. Called when the engine closes. */
void               _gadget_engine_settle_deletions (GadgetEngine  *self);

G_END_DECLS
