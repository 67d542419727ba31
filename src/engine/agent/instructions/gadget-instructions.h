/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Returns the instructions that a model gets before the messages of the chat. (transfer full) */
char *gadget_instructions_new (GadgetSession *session,
                               gint64         today_ms,
                               GPtrArray     *tools,
                               gboolean       small);

G_END_DECLS
