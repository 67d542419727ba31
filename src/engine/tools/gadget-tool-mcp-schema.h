/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Private to this folder. A tool's schema as every provider takes it; what had to be left out of it
 * is in REST, as JSON, or NULL. */
char *_gadget_tool_mcp_schema_flatten (const char  *schema,
                                       char       **rest);

G_END_DECLS
