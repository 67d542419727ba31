/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A request ends in exactly one way, whichever happens first: its response, its cancellable, a time
 * limit, or the transport's report that no response will come. Messages that arrive later find no
 * pending request and are dropped. Cancelling returns at once and never blocks: the transport tells
 * the server, and it does not block either. Source: MCP 2026-07-28, basic/patterns/cancellation and
 * progress; the 2025-11-25 texts do not differ in anything that matters here. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-channel.h"

#include "common/gadget-json.h"
#include "common/gadget-pending.h"
#include "gadget-mcp-meta.h"

#include <glib/gi18n-lib.h>

/* The number of cancelled requests whose late responses are still recognized. */
#define MAX_ABANDONED 64

struct _GadgetMcpChannel
{
  GObject parent_instance;

  GadgetMcpTransport *transport;
  GadgetClock *clock;
  char *version;
  gboolean modern;
  gint64 last_id;
  GHashTable *pending; /* (element-type gint64 Request) */
  GArray *abandoned;   /* (element-type gint64): ids of cancelled requests, the latest at the end */
  gboolean closed;
};

typedef struct
{
  GadgetMcpChannel *channel; /* (unowned): the GTask holds it */
  GadgetPending *wait;
  gint64 id;
  char *method;
  gboolean quiet;
  GadgetMcpProgressFunc progress;
  gpointer progress_data;
  guint idle_ms;
  gint64 idle_due_us;  /* G_MAXINT64 for no limit */
  gint64 limit_due_us; /* G_MAXINT64 for no limit */
  JsonNode *data;      /* additional data of a failure */
} Request;

enum
{
  LATE_RESULT,
  NOTIFICATION,
  REQUEST,
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetMcpChannel, gadget_mcp_channel, G_TYPE_OBJECT)

static void
request_free (gpointer data)
{
  Request *self = data;

  g_clear_pointer (&self->wait, gadget_pending_free);
  g_clear_pointer (&self->data, json_node_unref);
  g_free (self->method);
  g_free (self);
}

/* --- Sending ----------------------------------------------------------------------------------
 */

/* Only in the modern version each message states the version of the protocol. */
static const char *
get_meta_version (GadgetMcpChannel *self)
{
  return self->modern ? self->version : NULL;
}

static void
send_text (GadgetMcpChannel *self, gint64 id, const char *method, const char *text,
           const char *const *headers)
{
  const GadgetMcpOutgoing outgoing = { id, method, text, headers };

  if (!self->closed)
    gadget_mcp_transport_send (self->transport, &outgoing);
}

/**
 * gadget_mcp_channel_notify:
 * @params: (nullable) (transfer full):
 *
 * Sends a notification. Does nothing on a closed channel.
 */
void
gadget_mcp_channel_notify (GadgetMcpChannel *self, const char *method, JsonObject *params)
{
  g_autoptr (JsonObject) owned = params != NULL ? params : json_object_new ();
  g_autofree char *text = NULL;

  g_return_if_fail (GADGET_IS_MCP_CHANNEL (self) && method != NULL);

  gadget_mcp_meta_add (owned, get_meta_version (self), 0);
  text =
      gadget_json_rpc_build_notification (method, json_object_get_size (owned) > 0 ? owned : NULL);
  send_text (self, 0, method, text, NULL);
}

/**
 * gadget_mcp_channel_answer:
 * @id: the id of the server's request; not kept
 * @result: (nullable) (transfer full): %NULL for an empty object
 *
 * Sends the result of a request that the server made.
 */
void
gadget_mcp_channel_answer (GadgetMcpChannel *self, JsonNode *id, JsonObject *result)
{
  g_autoptr (JsonObject) owned = result;
  g_autofree char *text = NULL;

  g_return_if_fail (GADGET_IS_MCP_CHANNEL (self) && id != NULL);

  text = gadget_json_rpc_build_result (id, owned);
  send_text (self, 0, NULL, text, NULL);
}

/**
 * gadget_mcp_channel_refuse:
 * @id: the id of the server's request; not kept
 * @code: a #GadgetJsonRpcError
 * @words: an English text for the server
 *
 * Sends an error as the response to a request that the server made.
 */
void
gadget_mcp_channel_refuse (GadgetMcpChannel *self, JsonNode *id, int code, const char *words)
{
  g_autofree char *text = NULL;

  g_return_if_fail (GADGET_IS_MCP_CHANNEL (self) && id != NULL && words != NULL);

  text = gadget_json_rpc_build_failure (id, code, words);
  send_text (self, 0, NULL, text, NULL);
}

/* --- The end of a request ---------------------------------------------------------------------
 */

/* Removes a request from the pending ones. Only the caller that gets the GTask (transfer full)
 * completes it. Returns NULL for an id that is not pending. */
static GTask *
take_pending (GadgetMcpChannel *self, gint64 id)
{
  Request *request;

  if (!g_hash_table_steal_extended (self->pending, &id, NULL, (gpointer *) &request))
    return NULL;
  return gadget_pending_take (request->wait);
}

static void
notify_cancelled (GadgetMcpChannel *self, const Request *request, const char *reason)
{
  JsonObject *params;

  if (self->abandoned->len >= MAX_ABANDONED)
    g_array_remove_index (self->abandoned, 0);
  g_array_append_val (self->abandoned, request->id);
  if (gadget_mcp_transport_cancel (self->transport, request->id) || request->quiet)
    return;
  params = json_object_new ();
  json_object_set_int_member (params, "requestId", request->id);
  json_object_set_string_member (params, "reason", reason);
  gadget_mcp_channel_notify (self, "notifications/cancelled", params);
}

static void
stopped_cb (GadgetPending *wait, gpointer data)
{
  Request *request = data;
  GadgetMcpChannel *self = request->channel;
  g_autoptr (GTask) task = take_pending (self, request->id);

  notify_cancelled (self, request, "The user stopped it");
  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
}

static gboolean set_timeout (Request *request);

static void
timed_out_cb (GadgetPending *wait, gpointer data)
{
  Request *request = data;
  GadgetMcpChannel *self = request->channel;
  g_autoptr (GTask) task = NULL;

  if (set_timeout (request))
    return;
  task = take_pending (self, request->id);
  notify_cancelled (self, request, "It took too long");
  g_task_return_new_error (task, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT,
                           _ ("The server did not answer in time (%s)"), request->method);
}

/* Returns FALSE when a limit is over. Progress moves the end of the idle time. */
static gboolean
set_timeout (Request *request)
{
  GadgetClock *clock = request->channel->clock;
  const gint64 due_us = MIN (request->idle_due_us, request->limit_due_us);
  const gint64 left_us = due_us - gadget_clock_now (clock);

  if (left_us <= 0)
    return FALSE;
  if (due_us < G_MAXINT64)
    gadget_pending_set_timeout (request->wait, clock, (guint) ((left_us + 999) / 1000),
                                timed_out_cb);
  return TRUE;
}

/**
 * gadget_mcp_channel_abandon:
 *
 * Ends a request whose outcome became known in another way, if it is pending. Its callback gets
 * %G_IO_ERROR_CANCELLED; no "notifications/cancelled" is sent to the server.
 */
void
gadget_mcp_channel_abandon (GadgetMcpChannel *self, gint64 id)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_MCP_CHANNEL (self));

  task = take_pending (self, id);
  if (task == NULL)
    return;
  gadget_mcp_transport_cancel (self->transport, id);
  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "given up");
}

/* --- Receiving --------------------------------------------------------------------------------
 */

static void
handle_late_response (GadgetMcpChannel *self, const GadgetJsonRpcMessage *message)
{
  gint64 id;

  g_debug ("an answer that nobody waits for");
  for (guint i = 0; gadget_json_rpc_message_get_id (message, &id) && i < self->abandoned->len; i++)
    {
      if (g_array_index (self->abandoned, gint64, i) != id)
        continue;
      g_array_remove_index (self->abandoned, i);
      if (message->kind == GADGET_JSON_RPC_RESULT && message->object != NULL)
        g_signal_emit (self, signals[LATE_RESULT], 0, message->object);
      return;
    }
}

static void
handle_response (GadgetMcpChannel *self, const GadgetJsonRpcMessage *message)
{
  g_autoptr (GTask) task = NULL;
  Request *request;
  gint64 id;

  if (gadget_json_rpc_message_get_id (message, &id))
    task = take_pending (self, id);
  if (task == NULL)
    {
      handle_late_response (self, message);
      return;
    }
  request = g_task_get_task_data (task);
  if (message->kind == GADGET_JSON_RPC_FAILURE)
    {
      request->data = message->data != NULL ? json_node_copy (message->data) : NULL;
      g_task_return_error (task, gadget_json_rpc_message_make_error (message));
    }
  else
    {
      g_task_return_pointer (
          task, message->object != NULL ? json_object_ref (message->object) : json_object_new (),
          (GDestroyNotify) json_object_unref);
    }
}

static double
get_number (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  double number = 0;

  if (node != NULL && JSON_NODE_HOLDS_VALUE (node)
      && json_node_get_value_type (node) != G_TYPE_STRING)
    number = json_node_get_double (node);
  return number > 0 && number < 1e15 ? number : 0;
}

static void
handle_progress (GadgetMcpChannel *self, JsonObject *params)
{
  Request *request;
  gint64 token;

  if (!gadget_json_rpc_read_id (json_object_get_member (params, "progressToken"), &token))
    return;
  request = g_hash_table_lookup (self->pending, &token);
  if (request == NULL)
    return;
  if (request->idle_ms > 0)
    request->idle_due_us = gadget_clock_now (self->clock) + (gint64) request->idle_ms * 1000;
  if (request->progress != NULL)
    request->progress (get_number (params, "progress"), get_number (params, "total"),
                       gadget_json_get_string (params, "message"), request->progress_data);
}

static void
received_cb (GadgetMcpTransport *transport, const GadgetJsonRpcMessage *message, gint64 stream,
             GadgetMcpChannel *self)
{
  g_autoptr (GadgetMcpChannel) keep = g_object_ref (self);

  switch (message->kind)
    {
    case GADGET_JSON_RPC_RESULT:
    case GADGET_JSON_RPC_FAILURE:
      handle_response (self, message);
      break;
    case GADGET_JSON_RPC_REQUEST:
      if (g_str_equal (message->method, "ping"))
        gadget_mcp_channel_answer (self, message->id, NULL);
      else
        g_signal_emit (self, signals[REQUEST], 0, message, stream);
      break;
    case GADGET_JSON_RPC_NOTIFICATION:
    default:
      if (g_str_equal (message->method, "notifications/progress") && message->object != NULL)
        handle_progress (self, message->object);
      else
        g_signal_emit (self, signals[NOTIFICATION], 0, message->method, message->object);
      break;
    }
}

static void
failed_cb (GadgetMcpTransport *transport, gint64 id, const GError *error, GadgetMcpChannel *self)
{
  g_autoptr (GTask) task = take_pending (self, id);

  if (task != NULL)
    g_task_return_error (task, g_error_copy (error));
}

static void
closed_cb (GadgetMcpTransport *transport, const GError *error, GadgetMcpChannel *self)
{
  g_autoptr (GadgetMcpChannel) keep = g_object_ref (self);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  GHashTableIter iter;
  gpointer key;

  self->closed = TRUE;
  /* The ids are copied because the callback of one request may end another one and free its key. */
  g_hash_table_iter_init (&iter, self->pending);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_val (ids, *(gint64 *) key);
  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (GTask) task = take_pending (self, g_array_index (ids, gint64, i));

      if (task == NULL)
        continue;
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_new_error_literal (task, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                                         _ ("The server was switched off"));
    }
  g_signal_emit (self, signals[CLOSED], 0, error);
}

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_channel_dispose (GObject *object)
{
  GadgetMcpChannel *self = GADGET_MCP_CHANNEL (object);

  g_clear_object (&self->transport);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (gadget_mcp_channel_parent_class)->dispose (object);
}

static void
gadget_mcp_channel_finalize (GObject *object)
{
  GadgetMcpChannel *self = GADGET_MCP_CHANNEL (object);

  /* Each pending GTask holds a reference to the channel. */
  g_assert (g_hash_table_size (self->pending) == 0);
  g_hash_table_unref (self->pending);
  g_array_unref (self->abandoned);
  g_free (self->version);

  G_OBJECT_CLASS (gadget_mcp_channel_parent_class)->finalize (object);
}

static void
gadget_mcp_channel_class_init (GadgetMcpChannelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gadget_mcp_channel_dispose;
  object_class->finalize = gadget_mcp_channel_finalize;

  signals[LATE_RESULT] = g_signal_new ("late-result", GADGET_TYPE_MCP_CHANNEL, G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[NOTIFICATION] =
      g_signal_new ("notification", GADGET_TYPE_MCP_CHANNEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE, G_TYPE_POINTER);
  signals[REQUEST] = g_signal_new ("request", GADGET_TYPE_MCP_CHANNEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_INT64);
  signals[CLOSED] = g_signal_new ("closed", GADGET_TYPE_MCP_CHANNEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
gadget_mcp_channel_init (GadgetMcpChannel *self)
{
  self->version = g_strdup (GADGET_MCP_VERSION_MODERN);
  self->abandoned = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->pending = g_hash_table_new (g_int64_hash, g_int64_equal);
}

/**
 * gadget_mcp_channel_new:
 * @transport: a transport that has not been started; a reference is kept
 *
 * Returns: (transfer full): a channel of %GADGET_MCP_VERSION_MODERN, in which messages do not state
 *   the version until gadget_mcp_channel_set_version ()
 */
GadgetMcpChannel *
gadget_mcp_channel_new (GadgetMcpTransport *transport, GadgetClock *clock)
{
  GadgetMcpChannel *self = g_object_new (GADGET_TYPE_MCP_CHANNEL, NULL);

  self->transport = g_object_ref (transport);
  self->clock = g_object_ref (clock);
  g_signal_connect_object (transport, "received", G_CALLBACK (received_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (transport, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (transport, "closed", G_CALLBACK (closed_cb), self, G_CONNECT_DEFAULT);
  return self;
}

/**
 * gadget_mcp_channel_set_version:
 * @version: the version to state in messages and headers
 * @modern: whether the protocol is that of 2026-07-28 or later
 *
 * Sets the version of the protocol for all messages that follow, also in the transport.
 */
void
gadget_mcp_channel_set_version (GadgetMcpChannel *self, const char *version, gboolean modern)
{
  g_return_if_fail (GADGET_IS_MCP_CHANNEL (self) && version != NULL);

  g_set_str (&self->version, version);
  self->modern = modern;
  gadget_mcp_transport_set_version (self->transport, version, modern);
}

/**
 * gadget_mcp_channel_get_modern:
 *
 * Returns: whether the version set with gadget_mcp_channel_set_version () is a modern one
 */
gboolean
gadget_mcp_channel_get_modern (GadgetMcpChannel *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CHANNEL (self), FALSE);
  return self->modern;
}

/**
 * gadget_mcp_channel_get_n_pending:
 *
 * Returns: the number of requests without a response
 */
guint
gadget_mcp_channel_get_n_pending (GadgetMcpChannel *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CHANNEL (self), 0);
  return g_hash_table_size (self->pending);
}

/**
 * gadget_mcp_channel_is_closed:
 *
 * Returns: whether the transport closed, so that every request fails
 */
gboolean
gadget_mcp_channel_is_closed (GadgetMcpChannel *self)
{
  g_return_val_if_fail (GADGET_IS_MCP_CHANNEL (self), TRUE);
  return self->closed;
}

static gint64
due (GadgetMcpChannel *self, guint milliseconds)
{
  if (milliseconds == 0)
    return G_MAXINT64;
  return gadget_clock_now (self->clock) + (gint64) milliseconds * 1000;
}

/**
 * gadget_mcp_channel_request_async:
 * @spec: what to request; not kept
 * @params: (nullable) (transfer full): the parameters of the method
 * @cancellable: (nullable): ends the request at once, whatever the server does
 *
 * Sends a request.
 *
 * Returns: the request's id, or 0 if it fails without being sent
 */
gint64
gadget_mcp_channel_request_async (GadgetMcpChannel *self, const GadgetMcpRequest *spec,
                                  JsonObject *params, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (JsonObject) owned = params != NULL ? params : json_object_new ();
  g_autoptr (GTask) task = NULL;
  g_autofree char *text = NULL;
  Request *request;

  g_return_val_if_fail (GADGET_IS_MCP_CHANNEL (self) && spec != NULL, 0);

  /* The GTask gets no cancellable: a response counts even if the cancellation came in the same
   * instant. The caller checks for itself whether it was stopped. */
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_channel_request_async);
  g_task_set_static_name (task, "gadget-mcp-request");
  request = g_new0 (Request, 1);
  g_task_set_task_data (task, request, request_free);
  if (g_cancellable_is_cancelled (cancellable))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
      return 0;
    }
  if (self->closed)
    {
      g_task_return_new_error_literal (task, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                                       _ ("The server does not run"));
      return 0;
    }

  const gint64 id = ++self->last_id;

  request->channel = self;
  request->id = id;
  request->method = g_strdup (spec->method);
  request->quiet = spec->quiet;
  request->progress = spec->progress;
  request->progress_data = spec->progress_data;
  request->idle_ms = spec->idle_ms;
  request->idle_due_us = due (self, spec->idle_ms);
  request->limit_due_us = due (self, spec->limit_ms);
  request->wait = gadget_pending_new (g_steal_pointer (&task), cancellable, stopped_cb, request);
  set_timeout (request);
  gadget_mcp_meta_add (owned, get_meta_version (self), spec->progress != NULL ? id : 0);
  text = gadget_json_rpc_build_request (id, spec->method,
                                        json_object_get_size (owned) > 0 ? owned : NULL);
  g_hash_table_insert (self->pending, &request->id, request);
  send_text (self, id, spec->method, text, spec->headers);
  return id;
}

/**
 * gadget_mcp_channel_request_finish:
 * @data: (out) (optional) (nullable) (transfer full): additional data of a failure
 *
 * Returns: (transfer full): the result, or %NULL with %GADGET_JSON_RPC_ERROR for an error that the
 *   server sent, %G_IO_ERROR_CANCELLED when the request was cancelled or given up, else a
 *   #GadgetMcpError
 */
JsonObject *
gadget_mcp_channel_request_finish (GadgetMcpChannel *self, GAsyncResult *result, JsonNode **data,
                                   GError **error)
{
  Request *request;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  request = g_task_get_task_data (G_TASK (result));
  if (data != NULL)
    *data = g_steal_pointer (&request->data);
  return g_task_propagate_pointer (G_TASK (result), error);
}
