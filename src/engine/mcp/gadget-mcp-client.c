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
 * Compatibility"; 2025-11-25, basic/lifecycle.
 *
 * In the older version a server may forget a session (HTTP 404): a call that finds that out begins
 * a new one and is made again, once. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-client.h"

#include "common/gadget-json.h"
#include "gadget-mcp-task.h"

#include <glib/gi18n-lib.h>

#define PROBE_MS 5000
/* A package may have to be fetched before it can say anything. */
#define INITIALIZE_MS (90 * 1000)
#define LIST_MS (30 * 1000)
#define MAX_PAGES 100
#define MAX_TOOLS 512

struct _GadgetMcpClient
{
  GObject parent_instance;

  GadgetMcpChannel *channel;
  GadgetMcpTransport *transport;
  char *version;
  guint probe_ms;
  gboolean probe_late;
  gboolean probed_again;
  gboolean lists_change;
  gboolean has_tasks; /* of 2025-11-25: calls may be made as tasks */
  gboolean closing;
  GTask *connecting;   /* (nullable) */
  GPtrArray *renewing; /* (nullable) (element-type GTask): calls that wait for a new session */
  GPtrArray *tools;
  GPtrArray *listing; /* (nullable): tools of the pages that came */
  guint n_pages;
  gboolean list_again;
  GPtrArray *calls; /* (element-type GadgetMcpCall): under way, the latest at the end */
};

enum
{
  TOOLS_CHANGED,
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMcpClient, gadget_mcp_client, G_TYPE_OBJECT)

static void initialize (GadgetMcpClient *self); /* a probe may follow it, and it a probe */

static GPtrArray *
new_tools (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_mcp_tool_info_unref);
}

static JsonObject *
finish_request (GObject *source, GAsyncResult *result, GError **error)
{
  return gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, NULL, error);
}

/* --- The handshake's end ----------------------------------------------------------------------
 */

/* Calls that waited for a new session go on, or fail. */
static void renewed (GadgetMcpClient *self, const GError *error);

static void
fail (GadgetMcpClient *self, GError *error)
{
  g_autoptr (GError) owned = error;
  g_autoptr (GTask) task = g_steal_pointer (&self->connecting);

  renewed (self, owned);
  if (task != NULL)
    g_task_return_error (task, g_steal_pointer (&owned));
}

/* --- Tools ------------------------------------------------------------------------------------
 */

static void list_page (GadgetMcpClient *self, const char *cursor); /* one page leads to the next */

static void
add_tools (GadgetMcpClient *self, JsonArray *array)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = gadget_json_get_element (array, i);
      g_autoptr (GError) error = NULL;
      GadgetMcpToolInfo *tool;

      if (object == NULL || self->listing->len >= MAX_TOOLS)
        continue;
      tool = gadget_mcp_tool_info_parse (object, gadget_mcp_transport_has_headers (self->transport),
                                         &error);
      if (tool != NULL)
        g_ptr_array_add (self->listing, tool);
      else
        g_message ("the tool “%s” is left out: %s", gadget_json_get_string (object, "name"),
                   error->message);
    }
}

static void
listed (GadgetMcpClient *self)
{
  g_autoptr (GTask) task = NULL;

  g_ptr_array_unref (self->tools);
  self->tools = g_steal_pointer (&self->listing);
  if (self->list_again)
    {
      self->list_again = FALSE;
      self->listing = new_tools ();
      self->n_pages = 0;
      list_page (self, NULL);
      return;
    }
  task = g_steal_pointer (&self->connecting);
  /* Whoever waits for the connection finds its tools. */
  g_signal_emit (self, signals[TOOLS_CHANGED], 0);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonObject) page = finish_request (source, result, &error);
  const char *cursor;

  if (page == NULL)
    {
      g_clear_pointer (&self->listing, g_ptr_array_unref);
      if (self->connecting != NULL)
        fail (self, error);
      else
        {
          g_message ("the tools could not be listed again: %s", error->message);
          g_error_free (error);
        }
      return;
    }
  add_tools (self, gadget_json_get_array (page, "tools"));
  cursor = gadget_json_get_string (page, "nextCursor");
  if (cursor != NULL && ++self->n_pages < MAX_PAGES && self->listing->len < MAX_TOOLS)
    list_page (self, cursor);
  else
    listed (self);
}

static void
list_page (GadgetMcpClient *self, const char *cursor)
{
  const GadgetMcpRequest request = { .method = "tools/list", .limit_ms = LIST_MS };
  JsonObject *params = json_object_new ();

  if (cursor != NULL)
    json_object_set_string_member (params, "cursor", cursor);
  gadget_mcp_channel_request_async (self->channel, &request, params, NULL, listed_cb,
                                    g_object_ref (self));
}

static void
list_tools (GadgetMcpClient *self)
{
  if (self->listing != NULL)
    {
      self->list_again = TRUE;
      return;
    }
  self->listing = new_tools ();
  self->n_pages = 0;
  list_page (self, NULL);
}

static void
notification_cb (GadgetMcpChannel *channel, const char *method, JsonObject *params,
                 GadgetMcpClient *self)
{
  if (g_str_equal (method, "notifications/tools/list_changed") && self->connecting == NULL)
    list_tools (self);
}

/* --- Being told of changes --------------------------------------------------------------------
 */

static void
unsubscribed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) end = finish_request (source, result, &error);

  if (end == NULL)
    g_debug ("changes of the tools are not told any more: %s", error->message);
}

/* Its answer comes when the server has no more to tell. */
static void
subscribe (GadgetMcpClient *self)
{
  const GadgetMcpRequest request = { .method = "subscriptions/listen" };
  JsonObject *params = json_object_new ();
  JsonObject *filter = json_object_new ();

  json_object_set_boolean_member (filter, "toolsListChanged", TRUE);
  json_object_set_object_member (params, "notifications", filter);
  gadget_mcp_channel_request_async (self->channel, &request, params, NULL, unsubscribed_cb,
                                    g_object_ref (self));
}

/* --- The handshake ----------------------------------------------------------------------------
 */

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
      renewed (self, NULL);
      return;
    }
  if (modern && self->lists_change)
    subscribe (self);
  if (tools != NULL)
    {
      list_tools (self);
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

static void probe (GadgetMcpClient *self); /* see the top */

static void
initialized_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonObject) answer = finish_request (source, result, &error);
  const char *version = gadget_json_get_string (answer, "protocolVersion");

  if (answer == NULL && self->probe_late && error->domain == GADGET_JSON_RPC_ERROR)
    {
      g_error_free (error);
      self->probe_late = FALSE;
      self->probe_ms = INITIALIZE_MS;
      probe (self);
    }
  else if (answer == NULL)
    fail (self, error);
  else if (!is_legacy_version (version))
    fail (self, make_version_error ());
  else
    agreed (self, version, FALSE, answer);
}

static void
initialize (GadgetMcpClient *self)
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
      probe (self);
    }
  else if (has_version (versions, TRUE) || (answer != NULL && versions == NULL))
    initialize (self);
  else
    fail (self, make_version_error ());
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
      fail (self, error);
    }
  else
    {
      self->probe_late = g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT);
      g_error_free (error);
      initialize (self);
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

static void
probe (GadgetMcpClient *self)
{
  const GadgetMcpRequest request = { .method = "server/discover",
                                     .limit_ms = self->probe_ms,
                                     .quiet = TRUE };

  gadget_mcp_channel_set_version (self->channel, GADGET_MCP_VERSION_MODERN, TRUE);
  gadget_mcp_channel_request_async (self->channel, &request, NULL, NULL, probed_cb,
                                    g_object_ref (self));
}

/* --- What the server asks ---------------------------------------------------------------------
 */

/* The call that a question belongs to: where the transport knows it, that one; else the latest. */
static GadgetMcpCall *
find_call (GadgetMcpClient *self, gint64 stream)
{
  for (guint i = self->calls->len; i > 0 && stream != 0; i--)
    if (gadget_mcp_call_get_id (g_ptr_array_index (self->calls, i - 1)) == stream)
      return g_ptr_array_index (self->calls, i - 1);
  return self->calls->len > 0 ? g_ptr_array_index (self->calls, self->calls->len - 1) : NULL;
}

static void
request_cb (GadgetMcpChannel *channel, const GadgetJsonRpcMessage *message, gint64 stream,
            GadgetMcpClient *self)
{
  GadgetMcpCall *call;

  if (!g_str_equal (message->method, "elicitation/create"))
    {
      gadget_mcp_channel_refuse (channel, message->id, GADGET_JSON_RPC_METHOD_NOT_FOUND,
                                 "This client does not offer that");
      return;
    }
  call = find_call (self, stream);
  if (call != NULL)
    gadget_mcp_call_ask (call, message);
  else
    gadget_mcp_channel_refuse (channel, message->id, GADGET_JSON_RPC_INVALID_REQUEST,
                               "No call is under way that the user could be asked for");
}

static void
late_result_cb (GadgetMcpChannel *channel, JsonObject *result, GadgetMcpClient *self)
{
  gadget_mcp_task_stop_late (channel, result);
}

static void
closed_cb (GadgetMcpChannel *channel, const GError *error, GadgetMcpClient *self)
{
  g_signal_emit (self, signals[CLOSED], 0, error);
}

/* --- Calls ------------------------------------------------------------------------------------
 */

typedef struct
{
  GadgetMcpCallSpec spec;
  char *server;
  char *tool;
  char **headers;
  GCancellable *cancellable;
  GadgetMcpCall *call;
  GSource *cancelled; /* (nullable): while it waits for a new session */
  gboolean again;
} Use;

static void
use_free (gpointer data)
{
  Use *use = data;

  g_free (use->server);
  g_free (use->tool);
  g_strfreev (use->headers);
  g_clear_object (&use->cancellable);
  g_clear_object (&use->call);
  g_clear_object (&use->spec.item);
  g_clear_pointer (&use->spec.arguments, json_object_unref);
  g_free (use);
}

static void make_call (GTask *task); /* it may be made again */

/* Takes a call out of those that wait for a new session: whoever gets it goes on with it. */
static gboolean
wait_no_more (GadgetMcpClient *self, GTask *task)
{
  Use *use = g_task_get_task_data (task);

  if (use->cancelled != NULL)
    g_source_destroy (use->cancelled);
  g_clear_pointer (&use->cancelled, g_source_unref);
  return self->renewing != NULL && g_ptr_array_remove (self->renewing, task);
}

static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  wait_no_more (g_task_get_source_object (task), task);
  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  return G_SOURCE_REMOVE;
}

static void
renew (GadgetMcpClient *self, GTask *task)
{
  Use *use = g_task_get_task_data (task);

  if (use->cancellable != NULL)
    {
      use->cancelled = g_cancellable_source_new (use->cancellable);
      g_source_set_static_name (use->cancelled, "gadget-mcp-renew-cancelled");
      g_source_set_callback (use->cancelled, G_SOURCE_FUNC (stopped_cb), task, NULL);
      g_source_attach (use->cancelled, g_task_get_context (task));
    }
  if (self->renewing == NULL)
    {
      self->renewing = g_ptr_array_new ();
      initialize (self);
    }
  g_ptr_array_add (self->renewing, task);
}

static void
called_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetMcpClient *self = g_task_get_source_object (task);
  Use *use = g_task_get_task_data (task);
  GError *error = NULL;
  GadgetMcpResult *result =
      gadget_mcp_call_run_finish (GADGET_MCP_CALL (source), async_result, &error);

  g_ptr_array_remove (self->calls, source);
  g_clear_object (&use->call);
  if (result != NULL)
    {
      g_task_return_pointer (task, result, (GDestroyNotify) gadget_mcp_result_free);
    }
  else if (!use->again && g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_SESSION))
    {
      g_error_free (error);
      use->again = TRUE;
      renew (self, g_steal_pointer (&task));
    }
  else
    {
      g_task_return_error (task, error);
    }
}

static void
make_call (GTask *task)
{
  GadgetMcpClient *self = g_task_get_source_object (task);
  Use *use = g_task_get_task_data (task);

  use->call = gadget_mcp_call_new (self->channel, &use->spec);
  g_ptr_array_add (self->calls, g_object_ref (use->call));
  gadget_mcp_call_run_async (use->call, use->cancellable, called_cb, task);
}

static void
renewed (GadgetMcpClient *self, const GError *error)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->renewing);

  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    {
      g_autoptr (GTask) task = g_ptr_array_index (waiting, i);

      wait_no_more (self, task);
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        make_call (g_steal_pointer (&task));
    }
}

/**
 * gadget_mcp_client_call_async:
 * @spec: @headers in it are ignored, and made of what the server said of the tool
 * @cancellable: (nullable): ends the call at once; the connection stays as it is
 */
void
gadget_mcp_client_call_async (GadgetMcpClient *self, const GadgetMcpCallSpec *spec,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;
  Use *use;

  g_return_if_fail (GADGET_IS_MCP_CLIENT (self) && spec != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_client_call_async);
  use = g_new0 (Use, 1);
  g_task_set_task_data (task, use, use_free);
  use->server = g_strdup (spec->server);
  use->tool = g_strdup (spec->tool);
  g_set_object (&use->cancellable, cancellable);
  use->spec = *spec;
  use->spec.server = use->server;
  use->spec.tool = use->tool;
  use->spec.as_task = spec->as_task && self->has_tasks;
  use->spec.item = spec->item != NULL ? g_object_ref (spec->item) : NULL;
  use->spec.arguments =
      spec->arguments != NULL ? json_object_ref (spec->arguments) : json_object_new ();
  for (guint i = 0; i < self->tools->len; i++)
    {
      GadgetMcpToolInfo *tool = g_ptr_array_index (self->tools, i);

      if (g_str_equal (gadget_mcp_tool_info_get_name (tool), use->tool) && use->headers == NULL)
        use->headers = gadget_mcp_tool_info_make_headers (tool, use->spec.arguments);
    }
  use->spec.headers = (const char *const *) use->headers;
  make_call (task);
}

/**
 * gadget_mcp_client_call_finish:
 *
 * Returns: (transfer full): see gadget_mcp_call_run_finish ()
 */
GadgetMcpResult *
gadget_mcp_client_call_finish (GadgetMcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_client_finalize (GObject *object)
{
  GadgetMcpClient *self = GADGET_MCP_CLIENT (object);

  g_clear_object (&self->channel);
  g_clear_object (&self->transport);
  g_clear_pointer (&self->listing, g_ptr_array_unref);
  g_ptr_array_unref (self->tools);
  g_ptr_array_unref (self->calls);
  g_free (self->version);

  G_OBJECT_CLASS (gadget_mcp_client_parent_class)->finalize (object);
}

static void
gadget_mcp_client_class_init (GadgetMcpClientClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_client_finalize;

  signals[TOOLS_CHANGED] = g_signal_new ("tools-changed", GADGET_TYPE_MCP_CLIENT, G_SIGNAL_RUN_LAST,
                                         0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CLOSED] = g_signal_new ("closed", GADGET_TYPE_MCP_CLIENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
gadget_mcp_client_init (GadgetMcpClient *self)
{
  self->probe_ms = PROBE_MS;
  self->tools = new_tools ();
  self->calls = g_ptr_array_new_with_free_func (g_object_unref);
}

GadgetMcpClient *
gadget_mcp_client_new (GadgetMcpTransport *transport, GadgetClock *clock)
{
  GadgetMcpClient *self = g_object_new (GADGET_TYPE_MCP_CLIENT, NULL);

  self->transport = g_object_ref (transport);
  self->channel = gadget_mcp_channel_new (transport, clock);
  g_signal_connect_object (self->channel, "late-result", G_CALLBACK (late_result_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (self->channel, "notification", G_CALLBACK (notification_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (self->channel, "request", G_CALLBACK (request_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (self->channel, "closed", G_CALLBACK (closed_cb), self,
                           G_CONNECT_DEFAULT);
  return self;
}

/* How long a server may take to say that it speaks the modern version. */
void
gadget_mcp_client_set_probe_ms (GadgetMcpClient *self, guint probe_ms)
{
  g_return_if_fail (GADGET_IS_MCP_CLIENT (self) && probe_ms > 0);
  self->probe_ms = probe_ms;
}

/**
 * gadget_mcp_client_connect_async:
 *
 * Once. Starts the server, or reaches it, agrees on a version and lists the tools. A failure leaves
 * a connection that has to be closed.
 */
void
gadget_mcp_client_connect_async (GadgetMcpClient *self, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_return_if_fail (GADGET_IS_MCP_CLIENT (self) && self->connecting == NULL);

  self->connecting = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->connecting, gadget_mcp_client_connect_async);
  gadget_mcp_transport_start (self->transport);
  probe (self);
}

gboolean
gadget_mcp_client_connect_finish (GadgetMcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Ends the connection; what is under way fails. */
void
gadget_mcp_client_close (GadgetMcpClient *self)
{
  g_return_if_fail (GADGET_IS_MCP_CLIENT (self));

  if (self->closing)
    return;
  self->closing = TRUE;
  gadget_mcp_transport_close (self->transport);
}

/**
 * gadget_mcp_client_get_tools:
 *
 * Returns: (transfer none) (element-type GadgetMcpToolInfo): as the server listed them last
 */
GPtrArray *
gadget_mcp_client_get_tools (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), NULL);
  return self->tools;
}

/* (nullable): what was agreed on */
const char *
gadget_mcp_client_get_version (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), NULL);
  return self->version;
}

char *
gadget_mcp_client_dup_complaints (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), NULL);
  return gadget_mcp_transport_dup_complaints (self->transport);
}

guint
gadget_mcp_client_get_n_pending (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), 0);
  return gadget_mcp_channel_get_n_pending (self->channel);
}
