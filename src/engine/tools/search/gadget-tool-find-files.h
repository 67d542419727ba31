/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"
#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* "find_files": finds files by a pattern of their names. Asks the user outside of the workspace. */
GadgetTool *gadget_tool_find_files_new (GadgetRipgrep *ripgrep);

G_END_DECLS
