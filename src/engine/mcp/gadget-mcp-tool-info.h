/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A tool as tools/list describes it, with bounded texts. Annotations such as "readOnlyHint" are
 * left out, because they are only the server's claims. The object is immutable; references can be
 * taken on any thread. */
typedef struct _GadgetMcpToolInfo GadgetMcpToolInfo;

/* A tool: parsed from a list of tools, its references, and its properties. Strings that getters
 * return belong to the object. */
GadgetMcpToolInfo *gadget_mcp_tool_info_parse           (JsonObject         *tool,
                                                         gboolean            with_headers,
                                                         GError            **error);
GadgetMcpToolInfo *gadget_mcp_tool_info_ref             (GadgetMcpToolInfo  *self);
void               gadget_mcp_tool_info_unref           (GadgetMcpToolInfo  *self);
const char        *gadget_mcp_tool_info_get_name        (GadgetMcpToolInfo  *self);
const char        *gadget_mcp_tool_info_get_title       (GadgetMcpToolInfo  *self);
const char        *gadget_mcp_tool_info_get_description (GadgetMcpToolInfo  *self);
const char        *gadget_mcp_tool_info_get_schema      (GadgetMcpToolInfo  *self);
gboolean           gadget_mcp_tool_info_get_as_task     (GadgetMcpToolInfo  *self);
char             **gadget_mcp_tool_info_make_headers    (GadgetMcpToolInfo  *self,
                                                         JsonObject         *arguments);

/* Store and read lists of tools (element-type GadgetMcpToolInfo) (transfer full). Elements that
 * cannot be read are skipped; @json is nullable. */
char              *gadget_mcp_tool_infos_to_json        (GPtrArray          *tools);
GPtrArray         *gadget_mcp_tool_infos_from_json      (const char         *json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMcpToolInfo, gadget_mcp_tool_info_unref)

G_END_DECLS
