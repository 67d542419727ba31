/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "session/gadget-request.h"

G_BEGIN_DECLS

/* Leaves out of REQUEST what is more than MAX_TOKENS, estimated, of what says what the tools are. */
void _gadget_offer_reduce (GadgetRequest *request,
                           gint64         max_tokens);

G_END_DECLS
