/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-client-private.h"

#include "common/gadget-json.h"
#include "gadget-mcp-task.h"

#define PROBE_MS 5000
#define LIST_MS (30 * 1000)
#define LIST_ALL_MS (60 * 1000)
#define MAX_PAGES 100
#define MAX_TOOLS 512

enum
{
  TOOLS_CHANGED,
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMcpClient, gadget_mcp_client, G_TYPE_OBJECT)

static GPtrArray *
new_tools (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_mcp_tool_info_unref);
}

JsonObject *
_gadget_mcp_client_finish_request (GObject *source, GAsyncResult *result, GError **error)
{
  return gadget_mcp_channel_request_finish (GADGET_MCP_CHANNEL (source), result, NULL, error);
}

/* --- Tools ------------------------------------------------------------------------------------
 */

static void list_page (GadgetMcpClient *self, const char *cursor); /* one page leads to the next */

static gboolean
is_listed (GadgetMcpClient *self, GadgetMcpToolInfo *tool)
{
  const char *name = gadget_mcp_tool_info_get_name (tool);

  for (guint i = 0; i < self->listing->len; i++)
    if (g_str_equal (gadget_mcp_tool_info_get_name (g_ptr_array_index (self->listing, i)), name))
      return TRUE;
  return FALSE;
}

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
      if (tool != NULL && is_listed (self, tool))
        gadget_mcp_tool_info_unref (tool);
      else if (tool != NULL)
        g_ptr_array_add (self->listing, tool);
      else
        g_message ("the tool “%s” is left out: %s", gadget_json_get_string (object, "name"),
                   error->message);
    }
}

static void
begin_list (GadgetMcpClient *self)
{
  self->listing = new_tools ();
  self->n_pages = 0;
  self->list_due_us = gadget_clock_now (self->clock) + (gint64) LIST_ALL_MS * 1000;
  list_page (self, NULL);
}

/* A list that has no end is as long as it is when our patience has one. */
static gboolean
has_more (GadgetMcpClient *self, const char *cursor)
{
  if (cursor == NULL)
    return FALSE;
  self->n_pages++;
  if (self->n_pages < MAX_PAGES && self->listing->len < MAX_TOOLS
      && g_strcmp0 (cursor, self->cursor) != 0
      && gadget_clock_now (self->clock) < self->list_due_us)
    return TRUE;
  g_message ("the list of tools has no end; %u are taken", self->listing->len);
  return FALSE;
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
      begin_list (self);
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
  g_autoptr (JsonObject) page = _gadget_mcp_client_finish_request (source, result, &error);
  const char *cursor;

  if (page == NULL && self->listing->len > 0
      && g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT))
    {
      g_message ("the list of tools breaks off: %s", error->message);
      g_error_free (error);
      listed (self);
      return;
    }
  if (page == NULL)
    {
      g_clear_pointer (&self->listing, g_ptr_array_unref);
      if (self->connecting != NULL)
        _gadget_mcp_client_fail (self, error);
      else
        {
          g_message ("the tools could not be listed again: %s", error->message);
          g_error_free (error);
        }
      return;
    }
  add_tools (self, gadget_json_get_array (page, "tools"));
  cursor = gadget_json_get_string (page, "nextCursor");
  if (has_more (self, cursor))
    list_page (self, cursor);
  else
    listed (self);
}

static void
list_page (GadgetMcpClient *self, const char *cursor)
{
  const GadgetMcpRequest request = { .method = "tools/list", .limit_ms = LIST_MS };
  JsonObject *params = json_object_new ();

  g_set_str (&self->cursor, cursor);
  if (cursor != NULL)
    json_object_set_string_member (params, "cursor", cursor);
  gadget_mcp_channel_request_async (self->channel, &request, params, NULL, listed_cb,
                                    g_object_ref (self));
}

void
_gadget_mcp_client_list_tools (GadgetMcpClient *self)
{
  if (self->listing != NULL)
    {
      self->list_again = TRUE;
      return;
    }
  begin_list (self);
}

static void
notification_cb (GadgetMcpChannel *channel, const char *method, JsonObject *params,
                 GadgetMcpClient *self)
{
  /* While the connection is made, they are about to be listed, or are listed again. */
  if (g_str_equal (method, "notifications/tools/list_changed")
      && (self->connecting == NULL || self->listing != NULL))
    _gadget_mcp_client_list_tools (self);
}

/* --- Being told of changes --------------------------------------------------------------------
 */

static void
unsubscribed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpClient) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) end = _gadget_mcp_client_finish_request (source, result, &error);

  if (end == NULL)
    g_debug ("changes of the tools are not told any more: %s", error->message);
}

/* Its answer comes when the server has no more to tell. */
void
_gadget_mcp_client_subscribe (GadgetMcpClient *self)
{
  const GadgetMcpRequest request = { .method = "subscriptions/listen" };
  JsonObject *params = json_object_new ();
  JsonObject *filter = json_object_new ();

  json_object_set_boolean_member (filter, "toolsListChanged", TRUE);
  json_object_set_object_member (params, "notifications", filter);
  gadget_mcp_channel_request_async (self->channel, &request, params, NULL, unsubscribed_cb,
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

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_client_finalize (GObject *object)
{
  GadgetMcpClient *self = GADGET_MCP_CLIENT (object);

  g_assert (self->search.timer == 0);
  g_clear_object (&self->channel);
  g_clear_object (&self->transport);
  g_clear_object (&self->clock);
  g_clear_pointer (&self->listing, g_ptr_array_unref);
  g_ptr_array_unref (self->tools);
  g_ptr_array_unref (self->calls);
  g_free (self->version);
  g_free (self->cursor);

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
  _gadget_mcp_client_shake_hands (self);
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
