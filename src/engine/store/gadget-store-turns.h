/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/* Removes turns from their session and restores them. The caller holds the session's lease; see
 * agent/gadget-turn-edits.h for the turns in memory. */
void     gadget_store_remove_turn_async    (GadgetStore          *self,
                                            const char           *session_id,
                                            const char           *turn_id,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean gadget_store_remove_turn_finish   (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);
void     gadget_store_restore_turns_async  (GadgetStore          *self,
                                            const char           *session_id,
                                            const char           *turn_id,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean gadget_store_restore_turns_finish (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

/* Creates a session with copies of the turns of another one, up to and including a given turn. */
void     gadget_store_branch_async         (GadgetStore          *self,
                                            const char           *session_id,
                                            const char           *turn_id,
                                            const char           *new_id,
                                            const char           *title,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean gadget_store_branch_finish        (GadgetStore          *self,
                                            GAsyncResult         *result,
                                            GError              **error);

G_END_DECLS
