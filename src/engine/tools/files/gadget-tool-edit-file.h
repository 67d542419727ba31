/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* "edit_file": replaces exact pieces of text in a file that was read in this chat, all or none. */
GadgetTool *gadget_tool_edit_file_new (void);

G_END_DECLS
