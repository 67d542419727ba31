/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_WRITE_FILE (gadget_tool_write_file_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolWriteFile, gadget_tool_write_file, GADGET, TOOL_WRITE_FILE, GObject)

/* "write_file": creates a file, or replaces the whole content of one that was read in this chat. */
GadgetTool *gadget_tool_write_file_new (void);

G_END_DECLS
