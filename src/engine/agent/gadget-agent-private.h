/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"
#include "gadget-turn-environment.h"

G_BEGIN_DECLS

/* (transfer none) */
GadgetTurnEnvironment *_gadget_agent_get_environment  (GadgetAgent             *self);

/* See gadget-agent.c. */
void                   _gadget_agent_save_session     (GadgetAgent             *self,
                                                       GadgetSession           *session);
gboolean               _gadget_agent_send_next_queued (GadgetAgent             *self,
                                                       GadgetSession           *session,
                                                       const GadgetTurnOptions *before,
                                                       GError                 **error);

G_END_DECLS
