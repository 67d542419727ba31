/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

/* Shortens the descriptions of the tools in REQUEST, and leaves tools out, until the tools take at
 * most MAX_TOKENS, estimated; 0 leaves all of them out. */
void gadget_tool_set_reduce (GadgetRequest *request,
                             gint64         max_tokens);

G_END_DECLS
