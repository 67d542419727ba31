/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The parts of a call that are repeated in headers. Source: MCP 2026-07-28,
 * basic/transports/streamable-http, "Request Metadata". */

gboolean   gadget_mcp_headers_check_schema (JsonObject  *schema,
                                            GError     **error);
char     **gadget_mcp_headers_make         (const char  *name,
                                            JsonObject  *schema,
                                            JsonObject  *arguments);
char      *gadget_mcp_headers_encode       (const char  *value);

G_END_DECLS
