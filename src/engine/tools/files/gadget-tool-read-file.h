/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_READ_FILE (gadget_tool_read_file_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolReadFile, gadget_tool_read_file, GADGET, TOOL_READ_FILE, GObject)

/* "read_file": reads a text file, or some lines of it. Asks the user outside of the workspace. */
GadgetTool *gadget_tool_read_file_new (void);

G_END_DECLS
