/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-session.h"

G_BEGIN_DECLS

/* The chat of a subagent that a call in SELF started, or NULL when none has that id. One that is
 * not here yet is made, not loaded, and given to all items that name it. */
GadgetSession *gadget_session_open_child (GadgetSession *self,
                                          const char    *child_id);

/* The chat of that id of a subagent that works for the last turn of SELF, at whatever depth, or
 * NULL. */
GadgetSession *gadget_session_find_working_child (GadgetSession *self,
                                                  const char    *id);

G_END_DECLS
