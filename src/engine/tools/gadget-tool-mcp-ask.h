/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-server.h"
#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* Returns: (transfer full): the prompt that asks the user about a call of an MCP tool, with all of
 * its arguments. @name is the tool's name for models, @subject is "server/tool". */
GadgetPrompt *_gadget_tool_mcp_ask              (const char        *name,
                                                 const char        *subject,
                                                 GadgetMcpServer   *server,
                                                 GadgetMcpToolInfo *info,
                                                 JsonObject        *arguments);

/* Returns: (transfer full): a hash of the name, title, description and schema of a tool,
 * independent of the order in which the server writes the members of objects. */
char         *_gadget_tool_mcp_dup_fingerprint  (GadgetMcpToolInfo *info);

/* Returns: (transfer full): all arguments as lines, see %GADGET_PROMPT_BODY_ARGUMENTS. */
char         *_gadget_tool_mcp_dup_body         (JsonObject        *arguments);

G_END_DECLS
