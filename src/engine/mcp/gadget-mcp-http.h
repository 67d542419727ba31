/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-transport.h"
#include "http/gadget-http.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_HTTP (gadget_mcp_http_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpHttp, gadget_mcp_http, GADGET, MCP_HTTP, GObject)

/* A server that is reached over HTTP; each message is a request of its own. Source: "Streamable
 * HTTP" of MCP 2026-07-28 and of 2025-11-25. */
GadgetMcpTransport *gadget_mcp_http_new (GadgetHttp         *http,
                                         const char         *name,
                                         const char         *url,
                                         const char *const  *headers);

G_END_DECLS
