/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"
#include "tools/gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_SEARCH (gadget_tool_search_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolSearch, gadget_tool_search, GADGET, TOOL_SEARCH, GObject)

/* "search": finds lines of files by a regular expression. Asks the user outside of the
 * workspace. */
GadgetTool *gadget_tool_search_new (GadgetRipgrep *ripgrep);

G_END_DECLS
