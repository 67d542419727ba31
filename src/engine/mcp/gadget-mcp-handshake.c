/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The handshake finds out which version of the protocol the server speaks:
 *
 *   server/discover ──▶ it lists 2026-07-28: no further negotiation is needed
 *          ├──────────▶ another response: initialize, as in 2025-11-25
 *          └ no response in time ──▶ initialize as well, while the probe stays pending
 *
 * The probe is the request server/discover. An error that only the modern version defines is not
 * "another response": it names the versions that the server speaks, and the probe is repeated if
 * the modern version is among them. A result that names no version comes from a server that
 * responds to any request; initialize follows then as well.
 *
 * A server that does not respond in time either does not know the request or is only slow, for
 * example because a package has to be downloaded first. When a slow server responds at last, it has
 * received both requests, and initialize decides, because it makes a server that knows both
 * versions speak the older one from then on. The modern version is used only if initialize fails,
 * or gets no response soon after the response to the probe. A server that names the modern version
 * in its response to initialize is probed again.
 *
 * After the handshake the tools are listed. Source: MCP 2026-07-28, basic/versioning and the
 * transports' "Backward Compatibility"; 2025-11-25, basic/lifecycle. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-client-private.h"

#include "gadget-mcp-meta.h"
#include "common/gadget-json.h"

#include <glib/gi18n-lib.h>

/* The server may have to download a package before it can respond. */
#define INITIALIZE_MS (90 * 1000)

/* A server that has responded once needs no such time. */
#define PROBE_AGAIN_MS (10 * 1000)
#define MAX_PROBES 3

static void probe (GadgetMcpClient *self, guint limit_ms); /* declared early because it may be
                                                            * repeated */

/* --- The end of the handshake -----------------------------------------------------------------
 */

static void
stop_timer (GadgetMcpClient *self)
{
  if (self->search.timer != 0)
    gadget_clock_remove (self->clock, self->search.timer);
  self->search.timer = 0;
}

/* Ends the handshake. Requests that are still pending are given up. */
static void
end_search (GadgetMcpClient *self)
{
  GadgetMcpSearch *search = &self->search;

  search->open = FALSE;
  stop_timer (self);
  gadget_mcp_channel_abandon (self->channel, search->probe_id);
  gadget_mcp_channel_abandon (self->channel, search->initialize_id);
  search->probe_id = 0;
  search->initialize_id = 0;
  g_clear_pointer (&search->discovered, json_object_unref);
  g_clear_error (&search->refusal);
}

void
_gadget_mcp_client_fail (GadgetMcpClient *self, GError *error)
{
  g_autoptr (GError) owned = error;
  g_autoptr (GTask) task = g_steal_pointer (&self->connecting);

  end_search (self);
  _gadget_mcp_client_renewed (self, owned);
  if (task != NULL)
    g_task_return_error (task, g_steal_pointer (&owned));
}

static gboolean
has_task_calls (JsonObject *capabilities)
{
  JsonObject *tasks = gadget_json_get_object (capabilities, "tasks");
  JsonObject *requests = gadget_json_get_object (tasks, "requests");

  return gadget_json_get_object (gadget_json_get_object (requests, "tools"), "call") != NULL;
}

static void
finish_handshake (GadgetMcpClient *self, const char *version, gboolean modern, JsonObject *answer)
{
  JsonObject *capabilities = gadget_json_get_object (answer, "capabilities");
  JsonObject *tools = gadget_json_get_object (capabilities, "tools");

  self->lists_change = gadget_json_get_flag (tools, "listChanged");
  self->has_tasks = !modern && has_task_calls (capabilities);
  end_search (self);
  g_set_str (&self->version, version);
  gadget_mcp_channel_set_version (self->channel, version, modern);
  if (!modern)
    gadget_mcp_channel_notify (self->channel, "notifications/initialized", NULL);
  if (self->connecting == NULL)
    {
      _gadget_mcp_client_renewed (self, NULL);
      /* A server that forgot a session was perhaps started anew, with other tools. */
      if (tools != NULL)
        _gadget_mcp_client_list_tools (self);
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

  /* The server has no tools now, so the tools of the last connection are gone. */
  g_signal_emit_by_name (self, "tools-changed");
  g_task_return_boolean (task, TRUE);
}

static void
finish_modern (GadgetMcpClient *self, JsonObject *answer)
{
  g_autoptr (JsonObject) hold = json_object_ref (answer);

  finish_handshake (self, GADGET_MCP_VERSION_MODERN, TRUE, hold);
}

static gboolean
is_abandoned (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static GError *
make_version_error (void)
{
  return g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_VERSION,
                              _ ("The server speaks no version of the protocol that Gadget knows"));
}

/* --- Versions ---------------------------------------------------------------------------------
 */

static gboolean
is_legacy_version (const char *version)
{
  static const char *const known[] = { GADGET_MCP_VERSION_LEGACY, "2025-06-18", "2025-03-26",
                                       "2024-11-05", NULL };

  return version != NULL && g_strv_contains (known, version);
}

static gboolean
is_modern_version (const char *version)
{
  return g_strcmp0 (version, GADGET_MCP_VERSION_MODERN) == 0;
}

static gboolean
has_version (JsonArray *versions, gboolean (*is_known) (const char *version))
{
  for (guint i = 0; versions != NULL && i < json_array_get_length (versions); i++)
    {
      JsonNode *node = json_array_get_element (versions, i);

      if (json_node_get_value_type (node) == G_TYPE_STRING
          && is_known (json_node_get_string (node)))
        return TRUE;
    }
  return FALSE;
}

/* Returns the versions that the data of an error lists (nullable). */
static JsonArray *
get_supported (JsonNode *data)
{
  JsonObject *object =
      data != NULL && JSON_NODE_HOLDS_OBJECT (data) ? json_node_get_object (data) : NULL;

  return gadget_json_get_array (object, "supported");
}

/* --- Initialize -------------------------------------------------------------------------------
 */

/* Returns whether an error means that another kind of request would fail as well. */
static gboolean
is_final (const GError *error)
{
  static const int codes[] = { GADGET_MCP_ERROR_GONE, GADGET_MCP_ERROR_START,
                               GADGET_MCP_ERROR_WEDGED, GADGET_MCP_ERROR_PROTOCOL };

  if (error->domain == GADGET_JSON_RPC_ERROR)
    return error->code == GADGET_JSON_RPC_HEADER_MISMATCH
           || error->code == GADGET_JSON_RPC_MISSING_CAPABILITY;
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, GADGET_MCP_ERROR, codes[i]))
      return TRUE;
  return FALSE;
}

/* Handles an initialize that led to no known version. Takes @error. @answered says whether the
 * server responded at all, @names_modern whether its response names the modern version. */
static void
handle_initialize_error (GadgetMcpClient *self, GError *error, gboolean answered,
                         gboolean names_modern)
{
  GadgetMcpSearch *search = &self->search;
  const gboolean late = search->probe_id != 0;

  if (!search->open || (!answered && is_final (error)))
    {
      _gadget_mcp_client_fail (self, error);
    }
  else if (search->discovered != NULL)
    {
      g_error_free (error);
      finish_modern (self, search->discovered);
    }
  else if (answered && (late || names_modern) && search->n_probes < MAX_PROBES)
    {
      g_clear_error (&search->refusal);
      search->refusal = error;
      gadget_mcp_channel_abandon (self->channel, search->probe_id);
      probe (self, PROBE_AGAIN_MS);
    }
  else
    {
      _gadget_mcp_client_fail (self, error);
    }
}

static void
initialized_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonNode) data = NULL;
  g_autoptr (JsonObject) answer =
      gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, &data, &error);
  const char *version = gadget_json_get_string (answer, "protocolVersion");

  if (is_abandoned (error))
    {
      g_error_free (error);
      return;
    }
  self->search.initialize_id = 0;
  if (answer != NULL && is_legacy_version (version))
    finish_handshake (self, version, FALSE, answer);
  else if (answer != NULL)
    handle_initialize_error (self, make_version_error (), TRUE, is_modern_version (version));
  else
    handle_initialize_error (
        self, error,
        error->domain == GADGET_JSON_RPC_ERROR
            || g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED),
        has_version (get_supported (data), is_modern_version));
}

/* Starts a session, the first one or one in place of another that the server forgot. */
void
_gadget_mcp_client_initialize (GadgetMcpClient *self)
{
  /* The specification forbids to cancel initialize by a notification. */
  const GadgetMcpRequest request = { .method = "initialize",
                                     .limit_ms = INITIALIZE_MS,
                                     .quiet = TRUE };
  JsonObject *params = json_object_new ();

  stop_timer (self);
  gadget_mcp_channel_set_version (self->channel, GADGET_MCP_VERSION_LEGACY, FALSE);
  json_object_set_string_member (params, "protocolVersion", GADGET_MCP_VERSION_LEGACY);
  json_object_set_object_member (params, "capabilities", gadget_mcp_meta_make_capabilities (FALSE));
  json_object_set_object_member (params, "clientInfo", gadget_mcp_meta_make_info ());
  self->search.initialize_id = gadget_mcp_channel_request_async (
      self->channel, &request, params, NULL, initialized_cb, g_object_ref (self));
}

/* --- The probe --------------------------------------------------------------------------------
 */

static void
late_cb (gpointer user_data)
{
  GadgetMcpClient *self = user_data;

  self->search.timer = 0;
  _gadget_mcp_client_initialize (self);
}

static void
settled_cb (gpointer user_data)
{
  GadgetMcpClient *self = user_data;

  self->search.timer = 0;
  finish_modern (self, self->search.discovered);
}

static void
set_timer (GadgetMcpClient *self, void (*callback) (gpointer user_data))
{
  stop_timer (self);
  self->search.timer =
      gadget_clock_add_timeout (self->clock, self->probe_ms, "mcp handshake", callback, self);
}

/* The server speaks the modern version. */
static void
handle_discovery (GadgetMcpClient *self, JsonObject *answer)
{
  if (self->search.initialize_id == 0)
    {
      finish_modern (self, answer);
      return;
    }
  g_clear_pointer (&self->search.discovered, json_object_unref);
  self->search.discovered = json_object_ref (answer);
  set_timer (self, settled_cb);
}

/* The probe failed; takes @error. An initialize that is pending decides. Otherwise initialize
 * starts, or the connection fails if initialize failed before or @is_final. */
static void
fall_back (GadgetMcpClient *self, GError *error, gboolean is_final)
{
  GadgetMcpSearch *search = &self->search;
  g_autoptr (GError) owned = error;

  if (search->initialize_id != 0)
    return;
  if (search->refusal != NULL)
    _gadget_mcp_client_fail (self, g_steal_pointer (&search->refusal));
  else if (is_final)
    _gadget_mcp_client_fail (self, g_steal_pointer (&owned));
  else
    _gadget_mcp_client_initialize (self);
}

/* @answer is NULL when @versions come from an error. */
static void
handle_versions (GadgetMcpClient *self, JsonArray *versions, JsonObject *answer)
{
  const gboolean modern = has_version (versions, is_modern_version);

  if (answer != NULL && modern)
    handle_discovery (self, answer);
  else if (modern && self->search.n_probes < MAX_PROBES)
    probe (self, PROBE_AGAIN_MS);
  else
    fall_back (self, make_version_error (),
               !has_version (versions, is_legacy_version) && (answer == NULL || versions != NULL));
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) data = NULL;
  g_autoptr (JsonObject) answer =
      gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, &data, &error);

  if (is_abandoned (error) || !self->search.open)
    return;
  self->search.probe_id = 0;
  if (self->search.initialize_id == 0)
    stop_timer (self);
  if (answer != NULL)
    handle_versions (self, gadget_json_get_array (answer, "supportedVersions"), answer);
  else if (g_error_matches (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_UNSUPPORTED_VERSION))
    handle_versions (self, get_supported (data), NULL);
  else
    fall_back (self, g_error_copy (error), is_final (error));
}

static void
probe (GadgetMcpClient *self, guint limit_ms)
{
  const GadgetMcpRequest request = { .method = "server/discover",
                                     .limit_ms = limit_ms,
                                     .quiet = TRUE };

  self->search.n_probes++;
  gadget_mcp_channel_set_version (self->channel, GADGET_MCP_VERSION_MODERN, TRUE);
  self->search.probe_id = gadget_mcp_channel_request_async (self->channel, &request, NULL, NULL,
                                                            probed_cb, g_object_ref (self));
}

void
_gadget_mcp_client_begin_handshake (GadgetMcpClient *self)
{
  self->search.open = TRUE;
  set_timer (self, late_cb);
  probe (self, self->probe_ms + INITIALIZE_MS);
}
