/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-clock.h"
#include "gadget-tool.h"
#include "web/gadget-web-load.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_FETCH (gadget_tool_fetch_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolFetch, gadget_tool_fetch, GADGET, TOOL_FETCH, GObject)

/* "fetch": reads a page of the web. */
GadgetTool *gadget_tool_fetch_new            (GadgetClock          *clock);

/* The same with another setup, of which nothing may be missing. */
GadgetTool *gadget_tool_fetch_new_with_setup (const GadgetWebSetup *setup);

G_END_DECLS
