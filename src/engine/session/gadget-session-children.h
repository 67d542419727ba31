/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-session.h"

G_BEGIN_DECLS

/* Returns the chat of a subagent that a call in @self started, or NULL if no call has that id. A
 * chat that has not been opened yet is created, without loading it, and set on all items that name
 * it. */
GadgetSession *gadget_session_open_child (GadgetSession *self,
                                          const char    *child_id);

/* Returns the chat with that id, if it is a subagent's chat that works for the last turn of @self,
 * at any depth; else NULL. */
GadgetSession *gadget_session_find_working_child (GadgetSession *self,
                                                  const char    *id);

G_END_DECLS
