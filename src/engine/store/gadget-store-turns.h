/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/* Turns leave their chat and come back. Under the session's lease; for what is in memory see
 * agent/gadget-turn-edits.h. */
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

/* A new session with the turns up to, and with, one of another. */
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
