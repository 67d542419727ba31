/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* Why a turn was aborted, for people: the one table of these sentences, for the window and the
 * command line. */
const char *gadget_stop_reason_get_text (GadgetStopReason  reason);

/* The same of a turn, with the limit if one was reached. (transfer full) */
char       *gadget_turn_dup_stop_text   (GadgetTurn       *turn);

G_END_DECLS
