/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-turn.h"

G_BEGIN_DECLS

/* Returns the prompt and the response as plain text (transfer full). Messages that the user sent
 * into the turn are quoted as in an email. */
char *gadget_turn_dup_text (GadgetTurn *turn);

G_END_DECLS
