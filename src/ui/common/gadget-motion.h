/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* How long animations that show that a reply goes on keep moving. Moving costs a frame each 16 ms,
 * so they rest when nothing was received for a while (10 seconds). */
guint gadget_motion_get_left_ms (GadgetTurn *turn);

/* Sets after how long they rest, for tests. */
void  gadget_motion_set_rest_ms (guint       ms);

G_END_DECLS
