/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* Returns a sentence for the user that says why a turn was aborted. All texts of the window and the
 * command line come from here. (transfer none) */
const char *gadget_stop_reason_get_text (GadgetStopReason  reason);

/* Does the same for an aborted turn, and names the limit if one was reached. (transfer full) */
char       *gadget_turn_dup_stop_text   (GadgetTurn       *turn);

G_END_DECLS
