/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

/* Private to this folder. Returns the instructions that a model gets before the messages of the
 * chat. (transfer full) */
char *_gadget_instructions_new (GadgetSession *session);

G_END_DECLS
