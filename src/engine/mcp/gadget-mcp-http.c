/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transport over HTTP. Each message for the server is a POST, and the response is one message
 * or a stream of messages. In the modern version a request is cancelled by closing that stream. In
 * the older version the stream is closed as well, but the channel also has to notify the server.
 * The exchanges are in gadget-mcp-http-stream.c.
 *
 * Only in the older version:
 *
 *   - The server may start a session, which each request names and which is deleted at the end.
 *   - Messages that are not responses come in the response to a GET, which is sent when the
 *     session starts.
 *   - A stream that ends before the response can be resumed: a GET names the last event.
 *
 * There, messages are held back until the server has taken "notifications/initialized", because the
 * next request would use another connection and could arrive first. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-http-private.h"

#include <string.h>

#define SESSION_HEADER "Mcp-Session-Id"

void
_gadget_mcp_http_message_free (GadgetMcpHttpMessage *message)
{
  if (message == NULL)
    return;
  g_free (message->method);
  g_free (message->text);
  g_strfreev (message->headers);
  g_free (message);
}

static GadgetMcpHttpMessage *
keep_message (const GadgetMcpOutgoing *outgoing)
{
  GadgetMcpHttpMessage *message = g_new0 (GadgetMcpHttpMessage, 1);

  message->id = outgoing->id;
  message->method = g_strdup (outgoing->method);
  message->text = g_strdup (outgoing->text);
  message->headers = g_strdupv ((char **) outgoing->headers);
  return message;
}

static void
free_message (gpointer data)
{
  _gadget_mcp_http_message_free (data);
}

/* --- Requests ---------------------------------------------------------------------------------
 */

GadgetHttpRequest *
_gadget_mcp_http_make_request (GadgetMcpHttp *self, const char *method, gboolean initializes)
{
  GadgetHttpRequest *request = gadget_http_request_new (self->name, method, self->url);

  for (guint i = 0; self->headers[i] != NULL && self->headers[i + 1] != NULL; i += 2)
    gadget_http_request_add_header (request, self->headers[i], self->headers[i + 1]);
  if (self->version != NULL && !initializes)
    gadget_http_request_add_header (request, "MCP-Protocol-Version", self->version);
  if (self->session != NULL && !initializes && !self->modern)
    gadget_http_request_add_header (request, SESSION_HEADER, self->session);
  return request;
}

void
_gadget_mcp_http_post (GadgetMcpHttpStream *stream)
{
  GadgetMcpHttp *self = stream->transport;
  const GadgetMcpHttpMessage *message = stream->message;
  g_autoptr (GadgetHttpRequest) request =
      _gadget_mcp_http_make_request (self, "POST", stream->initializes);

  request->accept = g_strdup ("application/json, text/event-stream");
  request->body = g_bytes_new (message->text, strlen (message->text));
  request->keep_header = SESSION_HEADER;
  if (self->modern && message->method != NULL)
    gadget_http_request_add_header (request, "Mcp-Method", message->method);
  for (guint i = 0; self->modern && message->headers != NULL && message->headers[i] != NULL
                    && message->headers[i + 1] != NULL;
       i += 2)
    gadget_http_request_add_header (request, message->headers[i], message->headers[i + 1]);
  _gadget_mcp_http_stream_start (stream, request);
}

/* Takes @message. */
static void
send_now (GadgetMcpHttp *self, GadgetMcpHttpMessage *message)
{
  GadgetMcpHttpStream *stream = _gadget_mcp_http_stream_new (self, STREAM_POST, message->id);

  stream->message = message;
  stream->initializes = g_strcmp0 (message->method, "initialize") == 0;
  stream->releases = g_strcmp0 (message->method, "notifications/initialized") == 0;
  if (stream->initializes)
    g_clear_pointer (&self->session, g_free);
  self->holding = self->holding || stream->releases;
  _gadget_mcp_http_post (stream);
}

void
_gadget_mcp_http_release (GadgetMcpHttp *self)
{
  GadgetMcpHttpMessage *message;

  self->holding = FALSE;
  while (!self->closed && (message = g_queue_pop_head (&self->held)) != NULL)
    send_now (self, message);
}

static void
http_send (GadgetMcpTransport *transport, const GadgetMcpOutgoing *outgoing)
{
  GadgetMcpHttp *self = GADGET_MCP_HTTP (transport);

  if (self->closed)
    return;
  if (self->holding)
    g_queue_push_tail (&self->held, keep_message (outgoing));
  else
    send_now (self, keep_message (outgoing));
}

static gboolean
http_cancel (GadgetMcpTransport *transport, gint64 id)
{
  GadgetMcpHttp *self = GADGET_MCP_HTTP (transport);

  for (GList *link = self->held.head; link != NULL; link = link->next)
    if (((GadgetMcpHttpMessage *) link->data)->id == id)
      {
        free_message (link->data);
        g_queue_delete_link (&self->held, link);
        return TRUE;
      }
  for (guint i = 0; i < self->streams->len; i++)
    {
      GadgetMcpHttpStream *stream = g_ptr_array_index (self->streams, i);

      if (stream->id == id && !stream->ended)
        {
          _gadget_mcp_http_stream_end (stream);
          break;
        }
    }
  return self->modern;
}

/* --- The life cycle ---------------------------------------------------------------------------
 */

static void
http_start (GadgetMcpTransport *transport)
{
}

static void
http_set_version (GadgetMcpTransport *transport, const char *version, gboolean modern)
{
  GadgetMcpHttp *self = GADGET_MCP_HTTP (transport);

  g_set_str (&self->version, version);
  self->modern = modern;
}

static gboolean
closed_cb (gpointer user_data)
{
  gadget_mcp_transport_emit_closed (user_data, NULL);
  return G_SOURCE_REMOVE;
}

/* Asks the server to delete the session. The response is ignored. */
static void
delete_session (GadgetMcpHttp *self)
{
  g_autoptr (GadgetHttpRequest) request = _gadget_mcp_http_make_request (self, "DELETE", FALSE);
  GadgetMcpHttpStream *stream = _gadget_mcp_http_stream_new (self, STREAM_POST, 0);

  _gadget_mcp_http_stream_start (stream, request);
}

static void
http_close (GadgetMcpTransport *transport)
{
  GadgetMcpHttp *self = GADGET_MCP_HTTP (transport);
  g_autoptr (GSource) source = NULL;

  if (self->closed)
    return;
  self->closed = TRUE;
  g_queue_clear_full (&self->held, free_message);
  for (guint i = self->streams->len; i > 0; i--)
    _gadget_mcp_http_stream_end (g_ptr_array_index (self->streams, i - 1));
  if (self->session != NULL && !self->modern)
    delete_session (self);
  source = g_idle_source_new ();
  g_source_set_static_name (source, "gadget-mcp-http-closed");
  g_source_set_callback (source, closed_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static void
transport_init (GadgetMcpTransportInterface *iface)
{
  iface->start = http_start;
  iface->send = http_send;
  iface->cancel = http_cancel;
  iface->set_version = http_set_version;
  iface->close = http_close;
  iface->has_headers = TRUE;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetMcpHttp, gadget_mcp_http, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GADGET_TYPE_MCP_TRANSPORT, transport_init))

static void
gadget_mcp_http_finalize (GObject *object)
{
  GadgetMcpHttp *self = GADGET_MCP_HTTP (object);

  /* Each stream holds a reference to the transport. */
  g_assert (self->streams->len == 0);
  g_ptr_array_unref (self->streams);
  g_queue_clear_full (&self->held, free_message);
  g_clear_object (&self->http);
  for (guint i = 0; self->headers[i] != NULL; i++)
    explicit_bzero (self->headers[i], strlen (self->headers[i]));
  g_strfreev (self->headers);
  g_free (self->name);
  g_free (self->url);
  g_free (self->version);
  g_free (self->session);

  G_OBJECT_CLASS (gadget_mcp_http_parent_class)->finalize (object);
}

static void
gadget_mcp_http_class_init (GadgetMcpHttpClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_http_finalize;
}

static void
gadget_mcp_http_init (GadgetMcpHttp *self)
{
  self->streams = g_ptr_array_new ();
  g_queue_init (&self->held);
}

/**
 * gadget_mcp_http_new:
 * @http: must have time limits that suit tools that work for a long time
 * @name: (nullable): the name of the server in error messages
 * @url: the address of the server
 * @headers: (nullable): names and values in turn; may contain secrets
 *
 * Once started, the transport must be closed.
 *
 * Returns: (transfer full): a transport for @url
 */
GadgetMcpTransport *
gadget_mcp_http_new (GadgetHttp *http, const char *name, const char *url,
                     const char *const *headers)
{
  GadgetMcpHttp *self;

  g_return_val_if_fail (GADGET_IS_HTTP (http) && url != NULL, NULL);

  self = g_object_new (GADGET_TYPE_MCP_HTTP, NULL);
  self->http = g_object_ref (http);
  self->name = g_strdup (name);
  self->url = g_strdup (url);
  self->headers = headers != NULL ? g_strdupv ((char **) headers) : g_new0 (char *, 1);
  return GADGET_MCP_TRANSPORT (self);
}
