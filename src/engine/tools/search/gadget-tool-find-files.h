/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-ripgrep.h"
#include "tools/gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_FIND_FILES (gadget_tool_find_files_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolFindFiles, gadget_tool_find_files, GADGET, TOOL_FIND_FILES, GObject)

/* "find_files": finds files by a pattern of their names. Asks the user outside of the workspace. */
GadgetTool *gadget_tool_find_files_new (GadgetRipgrep *ripgrep);

G_END_DECLS
