/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-tool.h"
#include "web/gadget-web-load.h"

G_BEGIN_DECLS

/* "fetch": reads a page from the web. */
GadgetTool *gadget_tool_fetch_new            (GadgetClock          *clock);

/* Like gadget_tool_fetch_new (), with other settings; all members of @setup must be set. */
GadgetTool *gadget_tool_fetch_new_with_setup (const GadgetWebSetup *setup);

G_END_DECLS
