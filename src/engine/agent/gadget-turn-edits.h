/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-agent.h"

G_BEGIN_DECLS

/**
 * GadgetEditObstacle:
 * @GADGET_EDIT_OBSTACLE_NONE: nothing is in the way
 * @GADGET_EDIT_OBSTACLE_RUNNING: a turn of the chat is active, in this process or another
 * @GADGET_EDIT_OBSTACLE_UNSAVED: a turn that would be taken out is not saved
 *
 * Why turns cannot be taken out of a chat now.
 */
typedef enum
{
  GADGET_EDIT_OBSTACLE_NONE,
  GADGET_EDIT_OBSTACLE_RUNNING,
  GADGET_EDIT_OBSTACLE_UNSAVED,
} GadgetEditObstacle;

/* Returns the obstacle to taking out the turn at INDEX and all that follow. */
GadgetEditObstacle gadget_turn_edits_get_obstacle   (GadgetSession       *session,
                                                     guint                index);

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
