/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-server.h"
#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* Returns: (transfer full): the prompt that asks the user about a call of an MCP tool, with all of
 * its arguments. @name is the tool's name for models, @subject is "server/tool". */
GadgetPrompt *_gadget_tool_mcp_ask (const char        *name,
                                    const char        *subject,
                                    GadgetMcpServer   *server,
                                    GadgetMcpToolInfo *info,
                                    JsonObject        *arguments);

G_END_DECLS
