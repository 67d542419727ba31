/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"

G_BEGIN_DECLS

/* "list_dir": lists a folder. Asks the user outside of the workspace. */
GadgetTool *gadget_tool_list_dir_new (void);

G_END_DECLS
