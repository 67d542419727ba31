/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Source: MCP 2026-07-28, basic ("_meta"); 2025-11-25, basic/lifecycle. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-meta.h"

#include "common/gadget-json.h"

#define META "io.modelcontextprotocol/"

/**
 * gadget_mcp_meta_make_capabilities:
 *
 * Questions to the user are what we offer, and tasks; sampling, roots and logging are not.
 *
 * Returns: (transfer full): for initialize, or for every message of the modern version
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

/* (transfer full): who we are */
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
 * @params: what a message says
 * @version: (nullable): the modern version, in which every message says what initialize said before
 * @progress_token: by which its progress is told, or 0
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
