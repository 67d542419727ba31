/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats whose turns go on, ask, were stopped or failed, for pictures. (transfer full) */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

GadgetSession *show_conversation_new      (void);
GadgetSession *show_aborted_new           (void);
GadgetSession *show_limited_new           (void);
GadgetSession *show_limit_asking_new      (void);
GadgetSession *show_failed_new            (void);
GadgetSession *show_asking_new            (void);
GadgetSession *show_permissions_new       (void);
GadgetSession *show_permissions_rare_new  (void);
GadgetSession *show_stubborn_new          (void);
GadgetSession *show_subagents_new         (void);
GadgetSession *show_subagents_stopped_new (void);
GadgetSession *show_subagent_asking_new   (void);

G_END_DECLS
