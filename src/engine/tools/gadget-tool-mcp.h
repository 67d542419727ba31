/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool.h"
#include "mcp/gadget-mcp-server.h"

G_BEGIN_DECLS

/* A tool of an MCP server. The model gets the server's description as the server's words. Gadget
 * trusts none of it: each use must be allowed, as "server/tool". */
GadgetTool *gadget_tool_mcp_new       (GadgetMcpServer    *server,
                                       GadgetMcpToolInfo  *info,
                                       const char         *name);

/* Returns: (transfer full): the tool's name for models: "server__tool" in letters, digits, "-" and
 * "_", at most 64 characters, the same in every run. With @clash another name for the same tool. */
char       *gadget_tool_mcp_make_name (const char         *server,
                                       const char         *tool,
                                       gboolean            clash);

G_END_DECLS
