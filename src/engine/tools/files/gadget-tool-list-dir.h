/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_LIST_DIR (gadget_tool_list_dir_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolListDir, gadget_tool_list_dir, GADGET, TOOL_LIST_DIR, GObject)

/* "list_dir": lists a folder. Asks the user outside of the workspace. */
GadgetTool *gadget_tool_list_dir_new (void);

G_END_DECLS
