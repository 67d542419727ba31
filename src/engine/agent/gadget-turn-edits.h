/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-agent.h"

G_BEGIN_DECLS

/**
 * GadgetEditObstacle:
 * @GADGET_EDIT_OBSTACLE_NONE: it can be done
 * @GADGET_EDIT_OBSTACLE_RUNNING: a turn of the chat is going on, here or elsewhere
 * @GADGET_EDIT_OBSTACLE_UNSAVED: a turn that would leave is in memory alone
 *
 * Why turns cannot be taken out of a chat now.
 */
typedef enum
{
  GADGET_EDIT_OBSTACLE_NONE,
  GADGET_EDIT_OBSTACLE_RUNNING,
  GADGET_EDIT_OBSTACLE_UNSAVED,
} GadgetEditObstacle;

/* Of the turn at INDEX, and of those behind it. */
GadgetEditObstacle gadget_turn_edits_get_obstacle   (GadgetSession       *session,
                                                     guint                index);

/* A turn leaves the chat, and what models are sent. To replace turns see gadget_agent_start_over ().
 */
void               gadget_turn_edits_delete_async   (GadgetAgent         *agent,
                                                     GadgetSession       *session,
                                                     const char          *turn_id,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
gboolean           gadget_turn_edits_delete_finish  (GAsyncResult        *result,
                                                     GError             **error);

/* Turns come back: those that left together with TURN_ID, or, for NULL, the last that left. */
void               gadget_turn_edits_restore_async  (GadgetAgent         *agent,
                                                     GadgetSession       *session,
                                                     const char          *turn_id,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
gboolean           gadget_turn_edits_restore_finish (GAsyncResult        *result,
                                                     GError             **error);

G_END_DECLS
