/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"
#include "gadget-turn-environment.h"

G_BEGIN_DECLS

/* (transfer none) */
GadgetTurnEnvironment *_gadget_agent_get_environment  (GadgetAgent             *self);

/* See gadget-agent.c. _is_closed () returns whether gadget_agent_close () was called. */
gboolean               _gadget_agent_is_closed        (GadgetAgent             *self);
void                   _gadget_agent_save_session     (GadgetAgent             *self,
                                                       GadgetSession           *session);
gboolean               _gadget_agent_send_next_queued (GadgetAgent             *self,
                                                       GadgetSession           *session,
                                                       const GadgetTurnOptions *before,
                                                       GError                 **error);

/* (transfer none) (element-type gpointer utf8): for each viewer the id of the chat that is looked at
 * there, NULL for none. See gadget-agent-unread.c. */
GHashTable            *_gadget_agent_get_views        (GadgetAgent             *self);
void                   _gadget_agent_note_phase       (GadgetAgent             *self,
                                                       GadgetSession           *session,
                                                       GadgetTurn              *turn);
void                   _gadget_agent_note_end         (GadgetAgent             *self,
                                                       GadgetSession           *session,
                                                       GadgetTurn              *turn);

G_END_DECLS
