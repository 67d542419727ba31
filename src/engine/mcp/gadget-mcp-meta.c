/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The data that the client states about itself. Source: MCP 2026-07-28, basic ("_meta");
 * 2025-11-25, basic/lifecycle. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-meta.h"

#include "common/gadget-json.h"

#define META "io.modelcontextprotocol/"

/**
 * gadget_mcp_meta_make_capabilities:
 * @modern: whether tasks are included, which the modern version has as an extension
 *
 * The client offers questions to the user (elicitation) and tasks; it does not offer sampling,
 * roots or logging.
 *
 * Returns: (transfer full): the capabilities for initialize, or for each message of the modern
 *   version
 */
JsonObject *
gadget_mcp_meta_make_capabilities (gboolean modern)
{
  JsonObject *capabilities = json_object_new ();
  JsonObject *elicitation = json_object_new ();

  json_object_set_object_member (elicitation, "form", json_object_new ());
  json_object_set_object_member (elicitation, "url", json_object_new ());
  json_object_set_object_member (capabilities, "elicitation", elicitation);
  if (modern)
    {
      JsonObject *extensions = json_object_new ();

      json_object_set_object_member (extensions, META "tasks", json_object_new ());
      json_object_set_object_member (capabilities, "extensions", extensions);
    }
  return capabilities;
}

/* Returns the name and version of this client (transfer full). */
JsonObject *
gadget_mcp_meta_make_info (void)
{
  JsonObject *info = json_object_new ();

  json_object_set_string_member (info, "name", "gadget");
  json_object_set_string_member (info, "title", "Gadget");
  json_object_set_string_member (info, "version", GADGET_VERSION);
  return info;
}

/**
 * gadget_mcp_meta_add:
 * @params: the parameters of a message, changed in place
 * @version: (nullable): the modern version, in which each message states what initialize states in
 *   older ones
 * @progress_token: the token for progress notifications, or 0 for none
 *
 * Adds "_meta" to the parameters, unless it would be empty.
 */
void
gadget_mcp_meta_add (JsonObject *params, const char *version, gint64 progress_token)
{
  JsonObject *meta = gadget_json_get_object (params, "_meta");

  if (meta == NULL && version == NULL && progress_token == 0)
    return;
  if (meta == NULL)
    {
      meta = json_object_new ();
      json_object_set_object_member (params, "_meta", meta);
    }
  if (progress_token != 0)
    json_object_set_int_member (meta, "progressToken", progress_token);
  if (version == NULL)
    return;
  json_object_set_string_member (meta, META "protocolVersion", version);
  json_object_set_object_member (meta, META "clientInfo", gadget_mcp_meta_make_info ());
  json_object_set_object_member (meta, META "clientCapabilities",
                                 gadget_mcp_meta_make_capabilities (TRUE));
}
