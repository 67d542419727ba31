/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* "write_file": creates a file, or replaces the whole content of one that was read in this chat. */
GadgetTool *gadget_tool_write_file_new (void);

G_END_DECLS
