/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "tools/gadget-tool.h"
#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

/* "shell": runs a command in the session's folder, in a sandbox that gadget_sandbox_probe_async ()
 * found to work. Without such a sandbox the tool is not offered, unless the user wants that; then
 * @sandbox is of the kind %GADGET_SANDBOX_NONE. */
GadgetTool *gadget_tool_shell_new (GadgetSandbox *sandbox);

G_END_DECLS
