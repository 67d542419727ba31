/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-edit-obstacle.h"

GadgetEditObstacle
gadget_edit_obstacle_find (GadgetSession *session, guint index)
{
  g_return_val_if_fail (GADGET_IS_SESSION (session), GADGET_EDIT_OBSTACLE_RUNNING);

  if (gadget_session_get_active_run (session) != NULL
      || gadget_session_get_last_status (session) == GADGET_TURN_PROCESSING)
    return GADGET_EDIT_OBSTACLE_RUNNING;
  for (guint i = index; i < gadget_session_get_n_turns (session); i++)
    if (!gadget_turn_get_saved (gadget_session_get_turn (session, i)))
      return GADGET_EDIT_OBSTACLE_UNSAVED;
  return GADGET_EDIT_OBSTACLE_NONE;
}
