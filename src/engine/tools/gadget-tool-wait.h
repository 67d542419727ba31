/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_WAIT (gadget_tool_wait_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolWait, gadget_tool_wait, GADGET, TOOL_WAIT, GObject)

/* "wait": does nothing for a number of seconds. */
GadgetTool *gadget_tool_wait_new (GadgetClock *clock);

G_END_DECLS
