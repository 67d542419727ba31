/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The client of one server: it passes notifications and requests of the server on to its parts. The
 * parts are the handshake (gadget-mcp-handshake.c), the list of tools (gadget-mcp-client-tools.c)
 * and the calls (gadget-mcp-client-calls.c). Everything runs on the main context. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-client-private.h"

#include "common/gadget-json.h"
#include "gadget-mcp-task.h"

/* A server of the older version need not respond to the probe at all. A call waits meanwhile. */
#define PROBE_MS 5000

enum
{
  TOOLS_CHANGED,
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMcpClient, gadget_mcp_client, G_TYPE_OBJECT)

JsonObject *
_gadget_mcp_client_finish_request (GObject *source, GAsyncResult *result, GError **error)
{
  return gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, NULL, error);
}

static void
notification_cb (GadgetMcpChannel *channel, const char *method, JsonObject *params,
                 GadgetMcpClient *self)
{
  if (g_str_equal (method, "notifications/tools/list_changed"))
    _gadget_mcp_client_tools_changed (self);
  else if (g_str_equal (method, "notifications/subscriptions/acknowledged"))
    _gadget_mcp_client_subscribed (self);
}

/* --- Requests of the server -------------------------------------------------------------------
 */

/* The task that a message names (nullable): MCP 2025-11-25, basic/utilities/tasks, "Related Task
 * Metadata". */
static const char *
get_task_id (JsonObject *params)
{
  JsonObject *meta = gadget_json_get_object (params, "_meta");

  return gadget_json_get_string (
      gadget_json_get_object (meta, "io.modelcontextprotocol/related-task"), "taskId");
}

/* Finds the call that a question belongs to: that of the task that it names, or of @stream if the
 * transport knows it. The latest call is assumed for a question that tells neither, or when it is
 * the only one. Returns NULL when no call fits. */
static GadgetMcpCall *
find_call (GadgetMcpClient *self, const GadgetJsonRpcMessage *message, gint64 stream)
{
  const char *task_id = get_task_id (message->object);

  for (guint i = self->calls->len; i > 0; i--)
    if (gadget_mcp_call_is_of (g_ptr_array_index (self->calls, i - 1), stream, task_id))
      return g_ptr_array_index (self->calls, i - 1);
  if (self->calls->len == 0 || (self->calls->len > 1 && (stream != 0 || task_id != NULL)))
    return NULL;
  return g_ptr_array_index (self->calls, self->calls->len - 1);
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
  call = find_call (self, message, stream);
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
  self->closed = TRUE;
  _gadget_mcp_client_forget_tools (self);
  g_signal_emit (self, signals[CLOSED], 0, error);
}

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_client_finalize (GObject *object)
{
  GadgetMcpClient *self = GADGET_MCP_CLIENT (object);

  g_assert (self->search.timer == 0);
  _gadget_mcp_client_forget_tools (self);
  g_clear_object (&self->channel);
  g_clear_object (&self->transport);
  g_clear_object (&self->clock);
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
  self->tools = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_mcp_tool_info_unref);
  self->calls = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * gadget_mcp_client_new:
 * @transport: a transport that has not been started; a reference is kept
 *
 * Returns: (transfer full): a client that is not connected yet
 */
GadgetMcpClient *
gadget_mcp_client_new (GadgetMcpTransport *transport, GadgetClock *clock)
{
  GadgetMcpClient *self = g_object_new (GADGET_TYPE_MCP_CLIENT, NULL);

  self->transport = g_object_ref (transport);
  self->clock = g_object_ref (clock);
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

/* Sets how long a server may take to respond to a probe for the modern version, in milliseconds. */
void
gadget_mcp_client_set_probe_ms (GadgetMcpClient *self, guint probe_ms)
{
  g_return_if_fail (GADGET_IS_MCP_CLIENT (self) && probe_ms > 0);
  self->probe_ms = probe_ms;
}

/**
 * gadget_mcp_client_connect_async:
 *
 * Starts or reaches the server, agrees on a version and lists the tools. To be called once. After a
 * failure the client still has to be closed.
 */
void
gadget_mcp_client_connect_async (GadgetMcpClient *self, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_return_if_fail (GADGET_IS_MCP_CLIENT (self) && self->connecting == NULL);

  self->connecting = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->connecting, gadget_mcp_client_connect_async);
  gadget_mcp_transport_start (self->transport);
  _gadget_mcp_client_begin_handshake (self);
}

/**
 * gadget_mcp_client_connect_finish:
 *
 * Returns: %TRUE when the tools are listed; else %FALSE with an error as of
 *   gadget_mcp_channel_request_finish (), or with %GADGET_MCP_ERROR_VERSION
 */
gboolean
gadget_mcp_client_connect_finish (GadgetMcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Ends the connection. Pending requests and calls fail. */
void
gadget_mcp_client_close (GadgetMcpClient *self)
{
  g_return_if_fail (GADGET_IS_MCP_CLIENT (self));

  if (self->closing)
    return;
  self->closing = TRUE;
  _gadget_mcp_client_forget_tools (self);
  gadget_mcp_transport_close (self->transport);
}

/**
 * gadget_mcp_client_get_tools:
 *
 * Returns: (transfer none) (element-type GadgetMcpToolInfo): the tools as the server listed them
 *   last; another array after each "tools-changed"
 */
GPtrArray *
gadget_mcp_client_get_tools (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), NULL);
  return self->tools;
}

/* Returns the version that was agreed on, or NULL before that. */
const char *
gadget_mcp_client_get_version (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), NULL);
  return self->version;
}

/**
 * gadget_mcp_client_dup_complaints:
 *
 * Returns: (transfer full) (nullable): see gadget_mcp_transport_dup_complaints ()
 */
char *
gadget_mcp_client_dup_complaints (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), NULL);
  return gadget_mcp_transport_dup_complaints (self->transport);
}

/**
 * gadget_mcp_client_get_n_pending:
 *
 * Returns: the number of requests without a response
 */
guint
gadget_mcp_client_get_n_pending (GadgetMcpClient *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CLIENT (self), 0);
  return gadget_mcp_channel_get_n_pending (self->channel);
}
