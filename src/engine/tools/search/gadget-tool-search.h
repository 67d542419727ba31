/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"
#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* "search": finds lines of files by a regular expression. Asks the user outside of the
 * workspace. */
GadgetTool *gadget_tool_search_new (GadgetRipgrep *ripgrep);

G_END_DECLS
