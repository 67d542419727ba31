/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-session.h"

G_BEGIN_DECLS

/* Pictures of a chat: which of them a model is shown, and which are in memory. */
GPtrArray *gadget_session_choose_pictures (GadgetSession *session);
void       gadget_session_drop_pictures   (GadgetSession *session);

G_END_DECLS
