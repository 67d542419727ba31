/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* "read_file": reads a text file, or some lines of it. Asks the user outside of the workspace. */
GadgetTool *gadget_tool_read_file_new (void);

G_END_DECLS
