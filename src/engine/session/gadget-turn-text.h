/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-turn.h"

G_BEGIN_DECLS

/* The prompt and the answer as plain text; what the user said into the answer is quoted, as in a
 * mail. (transfer full) */
char *gadget_turn_dup_text (GadgetTurn *turn);

G_END_DECLS
