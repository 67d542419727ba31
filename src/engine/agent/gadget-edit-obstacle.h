/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

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

/* Returns the obstacle to taking out the turn at INDEX and all that follow. With G_MAXUINT, only an
 * active turn is one. */
GadgetEditObstacle gadget_edit_obstacle_find (GadgetSession *session,
                                              guint          index);

G_END_DECLS
