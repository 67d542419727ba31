/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetStoreRun:
 * @session_id: the chat
 * @turn_id: the turn of the run
 * @over: whether the run has ended
 * @unsent: whether it was stopped before it had sent anything
 * @success: whether a run that has ended did not fail
 * @message: of a run that has ended: "finished", "aborted", or why it failed
 *
 * The run of a turn, in this process or another one, whether or not it has ended.
 */
typedef struct
{
  char *session_id;
  char *turn_id;
  gboolean over;
  gboolean unsent;
  gboolean success;
  char *message;
} GadgetStoreRun;

/* Frees a run; NULL is allowed. */
void            gadget_store_run_free        (GadgetStoreRun       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetStoreRun, gadget_store_run_free)

void            gadget_store_find_run_async  (GadgetStore          *self,
                                              const char           *run_id,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
GadgetStoreRun *gadget_store_find_run_finish (GadgetStore          *self,
                                              GAsyncResult         *result,
                                              GError              **error);

/* Private to this folder: stores the run of a turn, in the transaction that writes the turn. */
gboolean        _gadget_store_run_write      (sqlite3              *db,
                                              const char           *run_id,
                                              gint64                turn_number,
                                              GError              **error);

G_END_DECLS
