/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "session/gadget-session.h"

G_BEGIN_DECLS

void _gadget_steering_take (GadgetSession *session,
                            GadgetTurn    *turn,
                            guint          step);

G_END_DECLS
