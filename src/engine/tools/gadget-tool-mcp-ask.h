/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-server.h"
#include "session/gadget-prompt.h"

G_BEGIN_DECLS

/* What a call of a tool needs: to be asked about, with all of its arguments. NAME is for models,
 * SUBJECT "server/tool". */
GadgetPrompt *_gadget_tool_mcp_ask              (const char        *name,
                                                 const char        *subject,
                                                 GadgetMcpServer   *server,
                                                 GadgetMcpToolInfo *info,
                                                 JsonObject        *arguments);

/* Stands for name, description and schema of a tool, in whatever order the server writes them.
 * (transfer full) */
char         *_gadget_tool_mcp_dup_fingerprint  (GadgetMcpToolInfo *info);

/* All arguments as lines, see %GADGET_PROMPT_BODY_ARGUMENTS. (transfer full) */
char         *_gadget_tool_mcp_dup_body         (JsonObject        *arguments);

G_END_DECLS
