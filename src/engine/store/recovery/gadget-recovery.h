/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/**
 * GadgetRecoveredChat:
 * @session_id: the id of the session
 * @turn_id: (nullable): the id of the turn; %NULL if @interrupted, and if only settings or the
 *   queue of the session were found, which the session itself shows
 * @title: (nullable): the title of the session
 * @path: (nullable): the path of the file, if it could not be stored now either
 * @interrupted: whether a turn of the session ended because its process died; it is stored as far
 *   as it came
 * @queue: (nullable): the queue that was found, for gadget_recovered_chat_merge_queue ()
 *
 * A turn, or changes of a session, that was recovered.
 */
typedef struct
{
  char *session_id;
  char *turn_id;
  char *title;
  char *path;
  gboolean interrupted;
  char **queue;
} GadgetRecoveredChat;

void       gadget_recovered_chat_free        (gpointer                    self);
gboolean   gadget_recovered_chat_merge_queue (const GadgetRecoveredChat  *self,
                                              GadgetSession              *session);

void       gadget_store_recover_async        (GadgetStore                *store,
                                              GAsyncReadyCallback         callback,
                                              gpointer                    user_data);
GPtrArray *gadget_store_recover_finish       (GAsyncResult               *result,
                                              GPtrArray                 **drafts,
                                              GError                    **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRecoveredChat, gadget_recovered_chat_free)

G_END_DECLS
