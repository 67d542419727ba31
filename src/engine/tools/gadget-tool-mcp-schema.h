/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Private to this folder. Returns: (transfer full): a tool's schema in a form that every provider
 * accepts. @rest is set to what had to be left out of it, as JSON (transfer full), or NULL. */
char *_gadget_tool_mcp_schema_flatten (const char  *schema,
                                       char       **rest);

G_END_DECLS
