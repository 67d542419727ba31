/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One exchange: what is sent, and the message or the stream of them that answers it. Every stream
 * has a cancellable of its own, since libsoup gives no other handle on a request; the call's own
 * never gets here. In the older version one that ends before its answer is gone on with: a GET
 * names the last event. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-http-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define RETRY_MS 1000
#define LONGEST_RETRY_MS (60 * 1000)
#define MAX_RESUMES 30
#define MAX_QUOTE 200

GadgetMcpHttpStream *
_gadget_mcp_http_stream_new (GadgetMcpHttp *self, StreamKind kind, gint64 id)
{
  GadgetMcpHttpStream *stream = g_new0 (GadgetMcpHttpStream, 1);

  stream->transport = g_object_ref (self);
  stream->kind = kind;
  stream->id = id;
  stream->own = g_cancellable_new ();
  stream->json = g_byte_array_new ();
  stream->retry_ms = RETRY_MS;
  g_ptr_array_add (self->streams, stream);
  return stream;
}

static void
stream_free (GadgetMcpHttpStream *stream)
{
  g_autoptr (GadgetMcpHttp) self = stream->transport;

  g_ptr_array_remove (self->streams, stream);
  g_clear_pointer (&stream->sse, gadget_sse_free);
  g_byte_array_unref (stream->json);
  g_clear_object (&stream->own);
  g_clear_error (&stream->refusal);
  g_clear_pointer (&stream->failure, gadget_json_rpc_message_free);
  g_free (stream->last_event);
  g_free (stream);
}

/* Closes its connection; it is freed when that is done. */
void
_gadget_mcp_http_stream_end (GadgetMcpHttpStream *stream)
{
  stream->ended = TRUE;
  if (stream->timer != 0)
    {
      gadget_clock_remove (gadget_http_get_clock (stream->transport->http), stream->timer);
      stream_free (stream);
      return;
    }
  g_cancellable_cancel (stream->own);
}

static gboolean
take_message (GadgetMcpHttpStream *stream, const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetJsonRpcMessage) message = gadget_json_rpc_parse (text, length, &error);
  gint64 id;

  if (message == NULL)
    {
      g_debug ("an event that is no message: %s", error->message);
      return FALSE;
    }
  if ((message->kind == GADGET_JSON_RPC_RESULT || message->kind == GADGET_JSON_RPC_FAILURE)
      && gadget_json_rpc_message_get_id (message, &id) && id == stream->id)
    stream->answered = TRUE;
  gadget_mcp_transport_emit_received (GADGET_MCP_TRANSPORT (stream->transport), message,
                                      stream->id);
  return TRUE;
}

static gboolean
take_event (const char *event, const char *data, gsize length, gpointer user_data, GError **error)
{
  GadgetMcpHttpStream *stream = user_data;

  stream->n_events++;
  if (length > 0 && !stream->ended)
    take_message (stream, data, length);
  return TRUE;
}

static gboolean
head_cb (GadgetHttpResponse *response, gpointer user_data, GError **error)
{
  GadgetMcpHttpStream *stream = user_data;

  if (stream->initializes && response->kept != NULL)
    g_set_str (&stream->transport->session, response->kept);
  stream->is_json = g_str_equal (response->content_type, "application/json");
  if (g_str_equal (response->content_type, "text/event-stream"))
    stream->sse = gadget_sse_new (GADGET_MCP_MAX_MESSAGE);
  else if (!stream->is_json && (stream->id != 0 || stream->kind == STREAM_LISTEN))
    {
      g_set_error_literal (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL,
                           _ ("What answers at this address is not an MCP server"));
      return FALSE;
    }
  return TRUE;
}

static GadgetHttpVerdict
data_cb (const char *bytes, gsize length, gpointer user_data, GError **error)
{
  GadgetMcpHttpStream *stream = user_data;

  if (stream->sse != NULL)
    {
      if (!gadget_sse_feed (stream->sse, bytes, length, take_event, stream, error))
        return GADGET_HTTP_FAILED;
      g_set_str (&stream->last_event, gadget_sse_get_last_id (stream->sse));
      if (gadget_sse_get_retry_ms (stream->sse) >= 0)
        stream->retry_ms = MIN (gadget_sse_get_retry_ms (stream->sse), LONGEST_RETRY_MS);
      return stream->answered ? GADGET_HTTP_DONE : GADGET_HTTP_MORE;
    }
  if (!stream->is_json)
    return GADGET_HTTP_MORE;
  if (length > GADGET_MCP_MAX_MESSAGE - MIN (stream->json->len, GADGET_MCP_MAX_MESSAGE))
    {
      g_set_error_literal (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL,
                           _ ("The server sent a message that is too large"));
      return GADGET_HTTP_FAILED;
    }
  g_byte_array_append (stream->json, (const guint8 *) bytes, (guint) length);
  return GADGET_HTTP_MORE;
}

static gboolean
end_cb (gpointer user_data, GError **error)
{
  GadgetMcpHttpStream *stream = user_data;

  if (stream->sse != NULL)
    return gadget_sse_end (stream->sse, take_event, stream, error);
  if (stream->is_json && stream->json->len > 0)
    take_message (stream, (const char *) stream->json->data, stream->json->len);
  return TRUE;
}

static GError *
make_refusal (GadgetMcpHttp *self, const GadgetHttpResponse *response, const char *body,
              gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (body, (gssize) MIN (length, MAX_QUOTE));

  if (response->status == 404 && self->session != NULL)
    return g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_SESSION,
                                _ ("The server has forgotten the session"));
  if (response->status == 401 || response->status == 403)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                        _ ("The server wants a key, or does not accept the one it has (%u)"),
                        response->status);
  if (response->status >= 300 && response->status < 400)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                        _ ("The server has moved; its new address must be given (%u)"),
                        response->status);
  return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                      _ ("The server refused the request (%u): %s"), response->status,
                      g_strstrip (g_strdelimit (valid, "\r\n\t", ' ')));
}

static GError *
refusal_cb (GadgetHttpResponse *response, const char *body, gsize length, gpointer user_data)
{
  GadgetMcpHttpStream *stream = user_data;
  g_autoptr (GadgetJsonRpcMessage) message = gadget_json_rpc_parse (body, length, NULL);

  if (message != NULL && message->kind == GADGET_JSON_RPC_FAILURE)
    stream->failure = g_steal_pointer (&message);
  return make_refusal (stream->transport, response, body, length);
}

static const GadgetHttpHandler handler = { head_cb, data_cb, end_cb, refusal_cb };

/* --- Going on ---------------------------------------------------------------------------------
 */

static void exchanged_cb (GObject *source, GAsyncResult *result, gpointer user_data);

void
_gadget_mcp_http_stream_start (GadgetMcpHttpStream *stream, GadgetHttpRequest *request)
{
  gadget_http_stream_async (stream->transport->http, request, &handler, stream, NULL, stream->own,
                            exchanged_cb, stream);
}

/* The answer that ended early is gone on with. */
static void
get (GadgetMcpHttpStream *stream)
{
  GadgetMcpHttp *self = stream->transport;
  g_autoptr (GadgetHttpRequest) request = _gadget_mcp_http_make_request (self, "GET", FALSE);

  g_clear_pointer (&stream->sse, gadget_sse_free);
  stream->is_json = FALSE;
  stream->n_events = 0;
  request->accept = g_strdup ("text/event-stream");
  if (stream->last_event != NULL)
    gadget_http_request_add_header (request, "Last-Event-ID", stream->last_event);
  _gadget_mcp_http_stream_start (stream, request);
}

static void
retry_cb (gpointer user_data)
{
  GadgetMcpHttpStream *stream = user_data;

  stream->timer = 0;
  get (stream);
}

static void
retry (GadgetMcpHttpStream *stream, gint64 milliseconds)
{
  stream->timer =
      gadget_clock_add_timeout (gadget_http_get_clock (stream->transport->http),
                                (guint) MAX (milliseconds, 1), "mcp retry", retry_cb, stream);
}

void
_gadget_mcp_http_listen (GadgetMcpHttp *self)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      GadgetMcpHttpStream *stream = g_ptr_array_index (self->streams, i);

      if (stream->kind == STREAM_LISTEN && !stream->ended)
        return;
    }
  get (_gadget_mcp_http_stream_new (self, STREAM_LISTEN, 0));
}

static GError *
translate (const GError *error)
{
  if (error->domain == GADGET_HTTP_ERROR && error->code == GADGET_HTTP_ERROR_CUT)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                        _ ("The connection to the server was lost: %s"), error->message);
  if (error->domain == GADGET_HTTP_ERROR && error->code == GADGET_HTTP_ERROR_BAD_ANSWER)
    return g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL, error->message);
  if (error->domain == GADGET_HTTP_ERROR)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_START,
                        _ ("The server could not be reached: %s"), error->message);
  return g_error_copy (error);
}

/* What a stream without an answer comes to. Returns whether it goes on. */
static gboolean
go_on (GadgetMcpHttpStream *stream, const GError *error)
{
  const gboolean lost =
      error == NULL || g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_CUT);
  const gboolean unreachable =
      stream->n_resumes > 0 && error != NULL && error->domain == GADGET_HTTP_ERROR;

  if (stream->transport->modern || !(lost || unreachable))
    return FALSE;
  stream->n_resumes = stream->n_events > 0 ? 1 : stream->n_resumes + 1;
  if (stream->n_resumes > MAX_RESUMES)
    return FALSE;
  if (stream->kind == STREAM_LISTEN)
    {
      /* It may end for no reason; asking again at once for ever would be no use. */
      retry (stream, MIN (stream->retry_ms << MIN (stream->n_resumes - 1, 6), LONGEST_RETRY_MS));
      return TRUE;
    }
  if (stream->id == 0 || stream->last_event == NULL)
    return FALSE;
  stream->kind = STREAM_RESUME;
  retry (stream, stream->retry_ms);
  return TRUE;
}

static void
fail_stream (GadgetMcpHttpStream *stream, const GError *error)
{
  GadgetMcpTransport *transport = GADGET_MCP_TRANSPORT (stream->transport);
  g_autoptr (GError) told = NULL;

  if (stream->failure != NULL)
    {
      /* One whose request could not be read has no id, but came in the request's answer. */
      g_clear_pointer (&stream->failure->id, json_node_unref);
      stream->failure->id = json_node_new (JSON_NODE_VALUE);
      json_node_set_int (stream->failure->id, stream->id);
      gadget_mcp_transport_emit_received (transport, stream->failure, stream->id);
      return;
    }
  told = error != NULL
             ? translate (error)
             : g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                                    _ ("The server ended its answer before it was complete"));
  gadget_mcp_transport_emit_failed (transport, stream->id, told);
}

static void
exchanged_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetMcpHttpStream *stream = user_data;
  g_autoptr (GadgetMcpHttp) self = g_object_ref (stream->transport);
  g_autoptr (GError) error = NULL;

  gadget_http_stream_finish (GADGET_HTTP (source), result, NULL, &error);
  if (!stream->ended && !stream->answered && stream->sse != NULL && go_on (stream, error))
    return;
  if (!stream->ended && !stream->answered && stream->kind == STREAM_RESUME && stream->sse == NULL
      && error != NULL && error->domain == GADGET_HTTP_ERROR && go_on (stream, error))
    return;
  if (!stream->ended && !stream->answered && stream->id != 0)
    fail_stream (stream, error);
  else if (error != NULL && !stream->ended)
    g_debug ("a message that needs no answer: %s", error->message);

  const gboolean releases = stream->releases;

  stream_free (stream);
  if (releases && !self->closed)
    {
      _gadget_mcp_http_release (self);
      _gadget_mcp_http_listen (self);
    }
}
