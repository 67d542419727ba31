/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool.h"
#include "process/gadget-sandbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TOOL_SHELL (gadget_tool_shell_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolShell, gadget_tool_shell, GADGET, TOOL_SHELL, GObject)

/* "shell": runs a command in the session's folder, under a sandbox that was found to work by
 * gadget_sandbox_probe_async (). Without one the tool is not offered. */
GadgetTool *gadget_tool_shell_new (GadgetSandbox *sandbox);

G_END_DECLS
