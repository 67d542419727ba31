/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "session/gadget-turn.h"

G_BEGIN_DECLS

/* Signs that a reply goes on move, which costs a frame each 16 ms, and come to rest when nothing
 * was received for a while. */
guint gadget_motion_get_left_ms (GadgetTurn *turn);

/* For tests: how long that is. */
void  gadget_motion_set_rest_ms (guint       ms);

G_END_DECLS
