/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The handshake finds out what the server speaks:
 *
 *   server/discover ──▶ it lists 2026-07-28: nothing more is to be agreed on
 *          └──────────▶ anything else, or nothing in time: initialize, as in 2025-11-25
 *
 * An error that only the modern version has is not "anything else": it names the versions that the
 * server speaks; where ours is among them, the probe is repeated, once. A result that names none is
 * of a server that answers whatever it is asked. A server that did not answer the probe in time,
 * and then does not know initialize either, was only slow and is probed once more. After that the
 * tools are listed. Source: MCP 2026-07-28, basic/versioning and the transports' "Backward
 * Compatibility"; 2025-11-25, basic/lifecycle. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-client-private.h"

#include "common/gadget-json.h"

#include <glib/gi18n-lib.h>

/* A package may have to be fetched before it can say anything. */
#define INITIALIZE_MS (90 * 1000)

void
_gadget_mcp_client_fail (GadgetMcpClient *self, GError *error)
{
  g_autoptr (GError) owned = error;
  g_autoptr (GTask) task = g_steal_pointer (&self->connecting);

  _gadget_mcp_client_renewed (self, owned);
  if (task != NULL)
    g_task_return_error (task, g_steal_pointer (&owned));
}

static void
agreed (GadgetMcpClient *self, const char *version, gboolean modern, JsonObject *answer)
{
  JsonObject *capabilities = gadget_json_get_object (answer, "capabilities");
  JsonObject *tools = gadget_json_get_object (capabilities, "tools");

  g_set_str (&self->version, version);
  gadget_mcp_channel_set_version (self->channel, version, modern);
  if (!modern)
    gadget_mcp_channel_notify (self->channel, "notifications/initialized", NULL);
  self->lists_change =
      tools != NULL && json_object_get_boolean_member_with_default (tools, "listChanged", FALSE);
  self->has_tasks = !modern
                    && gadget_json_get_object (
                           gadget_json_get_object (
                               gadget_json_get_object (
                                   gadget_json_get_object (capabilities, "tasks"), "requests"),
                               "tools"),
                           "call")
                           != NULL;
  if (self->connecting == NULL)
    {
      _gadget_mcp_client_renewed (self, NULL);
      return;
    }
  if (modern && self->lists_change)
    _gadget_mcp_client_subscribe (self);
  if (tools != NULL)
    {
      _gadget_mcp_client_list_tools (self);
      return;
    }

  g_autoptr (GTask) task = g_steal_pointer (&self->connecting);

  g_task_return_boolean (task, TRUE);
}

static gboolean
is_legacy_version (const char *version)
{
  static const char *const known[] = { GADGET_MCP_VERSION_LEGACY, "2025-06-18", "2025-03-26",
                                       "2024-11-05", NULL };

  return version != NULL && g_strv_contains (known, version);
}

static GError *
make_version_error (void)
{
  return g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_VERSION,
                              _ ("The server speaks no version of the protocol that Gadget knows"));
}

static void
initialized_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonObject) answer = _gadget_mcp_client_finish_request (source, result, &error);
  const char *version = gadget_json_get_string (answer, "protocolVersion");

  if (answer == NULL && self->probe_late && error->domain == GADGET_JSON_RPC_ERROR)
    {
      g_error_free (error);
      self->probe_late = FALSE;
      self->probe_ms = INITIALIZE_MS;
      _gadget_mcp_client_probe (self);
    }
  else if (answer == NULL)
    _gadget_mcp_client_fail (self, error);
  else if (!is_legacy_version (version))
    _gadget_mcp_client_fail (self, make_version_error ());
  else
    agreed (self, version, FALSE, answer);
}

void
_gadget_mcp_client_initialize (GadgetMcpClient *self)
{
  /* It may not be cancelled by a notification. */
  const GadgetMcpRequest request = { .method = "initialize",
                                     .limit_ms = INITIALIZE_MS,
                                     .quiet = TRUE };
  JsonObject *params = json_object_new ();

  gadget_mcp_channel_set_version (self->channel, GADGET_MCP_VERSION_LEGACY, FALSE);
  json_object_set_string_member (params, "protocolVersion", GADGET_MCP_VERSION_LEGACY);
  json_object_set_object_member (params, "capabilities",
                                 gadget_mcp_channel_make_capabilities (FALSE));
  json_object_set_object_member (params, "clientInfo", gadget_mcp_channel_make_info ());
  gadget_mcp_channel_request_async (self->channel, &request, params, NULL, initialized_cb,
                                    g_object_ref (self));
}

static gboolean
has_version (JsonArray *versions, gboolean legacy)
{
  for (guint i = 0; versions != NULL && i < json_array_get_length (versions); i++)
    {
      JsonNode *node = json_array_get_element (versions, i);
      const char *version =
          json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;

      if (legacy ? is_legacy_version (version)
                 : g_strcmp0 (version, GADGET_MCP_VERSION_MODERN) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
take_versions (GadgetMcpClient *self, JsonArray *versions, JsonObject *answer)
{
  const gboolean modern = has_version (versions, FALSE);

  if (answer != NULL && modern)
    agreed (self, GADGET_MCP_VERSION_MODERN, TRUE, answer);
  else if (modern && !self->probed_again)
    {
      self->probed_again = TRUE;
      _gadget_mcp_client_probe (self);
    }
  else if (has_version (versions, TRUE) || (answer != NULL && versions == NULL))
    _gadget_mcp_client_initialize (self);
  else
    _gadget_mcp_client_fail (self, make_version_error ());
}

static void
take_probe_error (GadgetMcpClient *self, GError *error, JsonNode *data)
{
  const gboolean answered = error->domain == GADGET_JSON_RPC_ERROR;
  JsonObject *object =
      data != NULL && JSON_NODE_HOLDS_OBJECT (data) ? json_node_get_object (data) : NULL;

  if (answered && error->code == GADGET_JSON_RPC_UNSUPPORTED_VERSION)
    {
      take_versions (self, gadget_json_get_array (object, "supported"), NULL);
      g_error_free (error);
    }
  else if ((answered && error->code == GADGET_JSON_RPC_HEADER_MISMATCH)
           || (answered && error->code == GADGET_JSON_RPC_MISSING_CAPABILITY)
           || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE)
           || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_START)
           || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_WEDGED)
           || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL))
    {
      _gadget_mcp_client_fail (self, error);
    }
  else
    {
      self->probe_late = g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT);
      g_error_free (error);
      _gadget_mcp_client_initialize (self);
    }
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonNode) data = NULL;
  g_autoptr (JsonObject) answer =
      gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, &data, &error);

  if (answer == NULL)
    take_probe_error (self, error, data);
  else
    take_versions (self, gadget_json_get_array (answer, "supportedVersions"), answer);
}

void
_gadget_mcp_client_probe (GadgetMcpClient *self)
{
  const GadgetMcpRequest request = { .method = "server/discover",
                                     .limit_ms = self->probe_ms,
                                     .quiet = TRUE };

  gadget_mcp_channel_set_version (self->channel, GADGET_MCP_VERSION_MODERN, TRUE);
  gadget_mcp_channel_request_async (self->channel, &request, NULL, NULL, probed_cb,
                                    g_object_ref (self));
}
