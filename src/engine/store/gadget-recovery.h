/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "session/gadget-session.h"

G_BEGIN_DECLS

/**
 * GadgetRecovered:
 * @session_id: the id of the session
 * @turn_id: (nullable): the id of the turn; %NULL if @cut_off, and if only settings or the queue of
 *   the session were found, which the session itself shows
 * @title: (nullable): the title of the session
 * @path: (nullable): the path of the file, if it could not be stored now either
 * @cut_off: whether a turn of the session ended because its process died; it is stored as far as it
 *   came
 * @queue: (nullable): the queue that was found, for gadget_recovered_merge_queue ()
 *
 * One thing that was recovered.
 */
typedef struct
{
  char *session_id;
  char *turn_id;
  char *title;
  char *path;
  gboolean cut_off;
  char **queue;
} GadgetRecovered;

void       gadget_recovered_free          (GadgetRecovered       *self);
/* Adds the recovered queue to the queue of SESSION if that was changed here since it was read; the
 * caller must save it then. Returns FALSE if it was not changed; the caller must read it again
 * then. */
gboolean   gadget_recovered_merge_queue   (const GadgetRecovered *self,
                                           GadgetSession         *session);

void       gadget_recovery_restore_async  (GadgetStore           *store,
                                           GAsyncReadyCallback    callback,
                                           gpointer               user_data);
GPtrArray *gadget_recovery_restore_finish (GAsyncResult          *result,
                                           GPtrArray            **drafts,
                                           GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetRecovered, gadget_recovered_free)

G_END_DECLS
