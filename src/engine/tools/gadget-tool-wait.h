/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-tool.h"

G_BEGIN_DECLS

/* "wait": does nothing for a number of seconds. */
GadgetTool *gadget_tool_wait_new (GadgetClock *clock);

G_END_DECLS
