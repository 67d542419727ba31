/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-agent.h"
#include "gadget-edit-obstacle.h"

G_BEGIN_DECLS

/* Takes one turn out of the chat, and so out of what models are sent. See
 * gadget_agent_start_over () for replacing turns. */
void               gadget_turn_edits_delete_async   (GadgetAgent         *agent,
                                                     GadgetSession       *session,
                                                     const char          *turn_id,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
gboolean           gadget_turn_edits_delete_finish  (GAsyncResult        *result,
                                                     GError             **error);

/* Brings turns back: those that were taken out together with TURN_ID, or, if that is NULL, those
 * that were taken out last. */
void               gadget_turn_edits_restore_async  (GadgetAgent         *agent,
                                                     GadgetSession       *session,
                                                     const char          *turn_id,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
gboolean           gadget_turn_edits_restore_finish (GAsyncResult        *result,
                                                     GError             **error);

G_END_DECLS
