/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* The first sentence of what a turn said last, without its marks, to be read aloud. (nullable): it
 * said nothing. (transfer full) */
char *gadget_answer_dup_beginning (GadgetTurn *turn);

G_END_DECLS
