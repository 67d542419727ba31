/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One exchange over HTTP: a message of the client, and the message or stream of messages that the
 * server sends back. Each stream has a cancellable of its own, because libsoup has no other way to
 * end a request. The caller's cancellable never gets here; the channel watches it and calls
 * gadget_mcp_transport_cancel ().
 *
 * In the older version a stream that ends before its response is resumed: a GET names the last
 * event. The first GET is sent at once, unless the server named a delay. If a connection is
 * refused, the server is gone and the calls fail. Other failures to connect may be the network's
 * and are tried again. A server that only says "202 Accepted" responds in the stream for
 * unsolicited messages; the exchange waits for that without a connection. A redirect is followed up
 * to MAX_MOVES times if it stays on the same host, because frameworks redirect for a slash at the
 * end of an address. It is not followed to another host, because the headers may contain keys. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-http-private.h"
#include "web/gadget-web-address.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* RETRY_MS is the delay until a server names one (the field "retry" of server-sent events); it
 * doubles up to LONGEST_RETRY_MS. MAX_QUOTE is in bytes. */
#define RETRY_MS 1000
#define LONGEST_RETRY_MS (60 * 1000)
#define MAX_RESUMES 30
#define MAX_QUOTE 200
#define MAX_MOVES 3
#define URI_FLAGS (G_URI_FLAGS_ENCODED | G_URI_FLAGS_SCHEME_NORMALIZE)

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
  g_clear_pointer (&stream->failure, gadget_json_rpc_message_free);
  g_clear_pointer (&stream->message, _gadget_mcp_http_message_free);
  g_free (stream->moved_to);
  g_free (stream->last_event);
  g_free (stream);
}

/* Closes the stream's connection. The stream is freed when that is done, or at once if it has no
 * connection. */
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
  if (stream->waits)
    stream_free (stream);
  else
    g_cancellable_cancel (stream->own);
}

/* --- Received data ----------------------------------------------------------------------------
 */

/* Notes that the response to request @id has arrived. Its exchange may be another stream, which is
 * then freed. */
static void
note_answer (GadgetMcpHttpStream *stream, gint64 id)
{
  GPtrArray *streams = stream->transport->streams;

  if (id == stream->id)
    {
      stream->answered = TRUE;
      return;
    }
  for (guint i = streams->len; i > 0; i--)
    {
      GadgetMcpHttpStream *other = g_ptr_array_index (streams, i - 1);

      if (other->waits && other->id == id)
        stream_free (other);
    }
}

static void
handle_messages (GadgetMcpHttpStream *stream, const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = gadget_json_rpc_parse_batch (text, length, &error);
  gint64 id;

  if (messages == NULL)
    {
      g_debug ("an event that is no message: %s", error->message);
      /* An unreadable event may be anything, but an unreadable JSON body is the response. */
      if (!gadget_json_rpc_salvage_id (text, length, &id))
        id = stream->is_json ? stream->id : 0;
      if (id == 0)
        return;
      note_answer (stream, id);
      gadget_mcp_transport_emit_unreadable (GADGET_MCP_TRANSPORT (stream->transport), id);
      return;
    }
  for (guint i = 0; i < messages->len && !stream->ended; i++)
    {
      const GadgetJsonRpcMessage *message = g_ptr_array_index (messages, i);

      if ((message->kind == GADGET_JSON_RPC_RESULT || message->kind == GADGET_JSON_RPC_FAILURE)
          && gadget_json_rpc_message_get_id (message, &id))
        note_answer (stream, id);
      gadget_mcp_transport_emit_received (GADGET_MCP_TRANSPORT (stream->transport), message,
                                          stream->id);
    }
}

static gboolean
handle_event (const char *event, const char *data, gsize length, gpointer user_data, GError **error)
{
  GadgetMcpHttpStream *stream = user_data;

  stream->n_events++;
  if (length > 0 && !stream->ended)
    handle_messages (stream, data, length);
  return TRUE;
}

static gboolean
head_cb (GadgetHttpResponse *response, gpointer user_data, GError **error)
{
  GadgetMcpHttpStream *stream = user_data;

  if (stream->initializes && response->kept != NULL)
    g_set_str (&stream->transport->session, response->kept);
  stream->is_json = g_str_equal (response->content_type, "application/json");
  stream->accepted = response->status == 202 && stream->id != 0 && !stream->transport->modern;
  if (g_str_equal (response->content_type, "text/event-stream"))
    stream->sse = gadget_sse_new (GADGET_MCP_MAX_MESSAGE);
  else if (!stream->is_json && !stream->accepted
           && (stream->id != 0 || stream->kind == STREAM_LISTEN))
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
      if (!gadget_sse_feed (stream->sse, bytes, length, handle_event, stream, error))
        return GADGET_HTTP_FAILED;
      /* The id is kept because a resumed stream may break off again before it names an id
       * itself. */
      if (gadget_sse_get_last_id (stream->sse) != NULL)
        g_set_str (&stream->last_event, gadget_sse_get_last_id (stream->sse));
      if (gadget_sse_get_retry_ms (stream->sse) >= 0)
        {
          stream->has_retry = TRUE;
          stream->retry_ms = MIN (gadget_sse_get_retry_ms (stream->sse), LONGEST_RETRY_MS);
        }
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
    return gadget_sse_end (stream->sse, handle_event, stream, error);
  if (stream->is_json && stream->json->len > 0)
    handle_messages (stream, (const char *) stream->json->data, stream->json->len);
  return TRUE;
}

/* --- HTTP errors ------------------------------------------------------------------------------
 */

/* Returns whether the error means that the session is lost. Servers say 404, as the specification
 * demands, or 400 without a JSON-RPC error for the request. */
static gboolean
is_session_lost (GadgetMcpHttpStream *stream, guint status)
{
  if (stream->transport->session == NULL || stream->transport->modern || stream->kind != STREAM_POST
      || stream->initializes)
    return FALSE;
  return status == 404
         || (status == 400 && (stream->failure == NULL || stream->failure->id == NULL));
}

static gboolean
is_page (const GadgetHttpResponse *response, const char *body)
{
  return g_str_equal (response->content_type, "text/html")
         || g_ascii_strncasecmp (body, "<!doctype html", strlen ("<!doctype html")) == 0;
}

/* Makes an error for a response that is a web page. The transport of MCP 2024-11-05 has a separate
 * address for POSTs and is mostly found at "/sse"; a framework responds to a POST there with an
 * error page of its own. */
static GError *
make_page_error (GadgetMcpHttpStream *stream, const GadgetHttpResponse *response)
{
  if (g_str_has_suffix (stream->transport->url, "/sse"))
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                        _ ("The server refused the request (%u). It seems to use the transport of "
                           "2024, HTTP with SSE, which is not supported; its newer address mostly "
                           "ends with “/mcp”"),
                        response->status);
  return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                      _ ("The server refused the request (%u), with a web page as its answer"),
                      response->status);
}

static GError *
make_refusal (GadgetMcpHttpStream *stream, const GadgetHttpResponse *response, const char *body,
              gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (body, (gssize) MIN (length, MAX_QUOTE));

  if (is_session_lost (stream, response->status))
    return g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_SESSION,
                                _ ("The server has forgotten the session"));
  if (stream->kind == STREAM_RESUME)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                        _ ("The connection to the server was lost, and its answer with it (%u)"),
                        response->status);
  if (response->status == 401 || response->status == 403)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                        _ ("The server wants a key, or does not accept the one it has (%u)"),
                        response->status);
  if (response->status >= 300 && response->status < 400)
    {
      g_autofree char *where = g_utf8_make_valid (
          response->location != NULL ? response->location : "?",
          response->location != NULL ? (gssize) MIN (strlen (response->location), MAX_QUOTE) : 1);

      return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                          _ ("The server has moved to %s; that address must be given (%u)"), where,
                          response->status);
    }
  if (is_page (response, valid))
    return make_page_error (stream, response);
  return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED,
                      _ ("The server refused the request (%u): %s"), response->status,
                      g_strstrip (g_strdelimit (valid, "\r\n\t", ' ')));
}

/* Returns the address of a redirect (transfer full), or NULL if it leads to another server. */
static char *
dup_new_address (GadgetMcpHttp *self, const GadgetHttpResponse *response)
{
  g_autoptr (GUri) old = NULL;
  g_autoptr (GUri) new = NULL;

  if ((response->status != 307 && response->status != 308) || response->location == NULL)
    return NULL;
  old = g_uri_parse (self->url, URI_FLAGS, NULL);
  new = old != NULL ? g_uri_parse_relative (old, response->location, URI_FLAGS, NULL) : NULL;
  if (new == NULL || g_uri_get_host (new) == NULL || g_uri_get_userinfo (new) != NULL
      || !g_str_equal (g_uri_get_scheme (new), g_uri_get_scheme (old))
      || g_ascii_strcasecmp (g_uri_get_host (new), g_uri_get_host (old)) != 0
      || gadget_web_address_get_port (new) != gadget_web_address_get_port (old))
    return NULL;
  return g_uri_to_string (new);
}

static GError *
refusal_cb (GadgetHttpResponse *response, const char *body, gsize length, gpointer user_data)
{
  GadgetMcpHttpStream *stream = user_data;
  g_autoptr (GadgetJsonRpcMessage) message = gadget_json_rpc_parse (body, length, NULL);

  if (message != NULL && message->kind == GADGET_JSON_RPC_FAILURE)
    stream->failure = g_steal_pointer (&message);
  g_clear_pointer (&stream->moved_to, g_free);
  if (stream->kind == STREAM_POST && stream->n_moves < MAX_MOVES)
    stream->moved_to = dup_new_address (stream->transport, response);
  return make_refusal (stream, response, body, length);
}

static const GadgetHttpHandler handler = { head_cb, data_cb, end_cb, refusal_cb };

/* --- Resuming ---------------------------------------------------------------------------------
 */

static void exchanged_cb (GObject *source, GAsyncResult *result, gpointer user_data);

void
_gadget_mcp_http_stream_start (GadgetMcpHttpStream *stream, GadgetHttpRequest *request)
{
  gadget_http_stream_async (stream->transport->http, request, &handler, stream, NULL, stream->own,
                            exchanged_cb, stream);
}

/* Sends the GET of a stream: it opens the stream for unsolicited messages or resumes a response. */
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

/* Opens the stream for messages that are not responses, if it is not open yet. */
static void
listen_for_messages (GadgetMcpHttp *self)
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
translate (GadgetMcpHttpStream *stream, const GError *error)
{
  /* A stream that is resumed had begun before, so the call did reach the server. */
  if (g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_CUT)
      || (error->domain == GADGET_HTTP_ERROR && stream->kind == STREAM_RESUME))
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                        _ ("The connection to the server was lost: %s"), error->message);
  if (g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_BAD_ANSWER)
      || g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_COMPRESSED)
      || g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TOO_LARGE))
    return g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL, error->message);
  if (error->domain == GADGET_HTTP_ERROR)
    return g_error_new (GADGET_MCP_ERROR, GADGET_MCP_ERROR_START,
                        _ ("The server could not be reached: %s"), error->message);
  return g_error_copy (error);
}

/* The first attempt is made at once if the server named no delay. */
static gint64
get_delay_ms (GadgetMcpHttpStream *stream)
{
  return stream->kind == STREAM_POST && !stream->has_retry ? 0 : stream->retry_ms;
}

/* Resumes a stream that ended without a response, or with an error. Returns whether it is
 * resumed. */
static gboolean
resume (GadgetMcpHttpStream *stream, const GError *error)
{
  const gboolean lost =
      error == NULL || g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_CUT);
  const gboolean unreachable =
      stream->n_resumes > 0 && error != NULL && error->domain == GADGET_HTTP_ERROR
      && !g_error_matches (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_REFUSED);

  if (stream->transport->modern || !(lost || unreachable))
    return FALSE;
  stream->n_resumes = stream->n_events > 0 ? 1 : stream->n_resumes + 1;
  if (stream->n_resumes > MAX_RESUMES)
    return FALSE;
  if (stream->kind == STREAM_LISTEN)
    {
      /* This stream may end at any time; the growing delay avoids a loop of immediate GETs. */
      retry (stream, MIN (stream->retry_ms << MIN (stream->n_resumes - 1, 6), LONGEST_RETRY_MS));
      return TRUE;
    }
  if (stream->id == 0 || stream->last_event == NULL)
    return FALSE;
  retry (stream, get_delay_ms (stream));
  stream->kind = STREAM_RESUME;
  return TRUE;
}

static void
fail_stream (GadgetMcpHttpStream *stream, const GError *error)
{
  GadgetMcpTransport *transport = GADGET_MCP_TRANSPORT (stream->transport);
  g_autoptr (GError) told = NULL;

  if (stream->failure != NULL
      && !g_error_matches (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_SESSION))
    {
      /* An error for a request that the server could not read has no id; but it came in the
       * response to this request. */
      g_clear_pointer (&stream->failure->id, json_node_unref);
      stream->failure->id = json_node_new (JSON_NODE_VALUE);
      json_node_set_int (stream->failure->id, stream->id);
      gadget_mcp_transport_emit_received (transport, stream->failure, stream->id);
      return;
    }
  told = error != NULL
             ? translate (stream, error)
             : g_error_new_literal (GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE,
                                    _ ("The server ended its answer before it was complete"));
  gadget_mcp_transport_emit_failed (transport, stream->id, told);
}

/* Fails the exchanges that wait for their response, because the stream that could bring it
 * ended. */
static void
fail_waiting (GadgetMcpHttp *self)
{
  for (guint i = self->streams->len; i > 0; i--)
    {
      GadgetMcpHttpStream *stream =
          i <= self->streams->len ? g_ptr_array_index (self->streams, i - 1) : NULL;

      if (stream == NULL || !stream->waits)
        continue;
      /* A handler of "failed" may close the transport, which ends all waiting streams. */
      stream->waits = FALSE;
      stream->ended = TRUE;
      fail_stream (stream, NULL);
      stream_free (stream);
    }
}

/* Returns whether the exchange continues in some way: at a new address, in another stream, or
 * resumed. */
static gboolean
continue_exchange (GadgetMcpHttpStream *stream, const GError *error)
{
  GadgetMcpHttp *self = stream->transport;

  if (stream->ended)
    return FALSE;
  if (stream->moved_to != NULL)
    {
      g_free (self->url);
      self->url = g_steal_pointer (&stream->moved_to);
      g_clear_pointer (&stream->failure, gadget_json_rpc_message_free);
      stream->n_moves++;
      _gadget_mcp_http_post (stream);
      return TRUE;
    }
  if (stream->answered)
    return FALSE;
  if (error == NULL && stream->accepted && stream->sse == NULL)
    {
      stream->waits = TRUE;
      listen_for_messages (self);
      return TRUE;
    }
  if (stream->sse != NULL)
    return resume (stream, error);
  return stream->kind == STREAM_RESUME && error != NULL && error->domain == GADGET_HTTP_ERROR
         && resume (stream, error);
}

static void
exchanged_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetMcpHttpStream *stream = user_data;
  g_autoptr (GadgetMcpHttp) self = g_object_ref (stream->transport);
  g_autoptr (GError) error = NULL;

  gadget_http_stream_finish (GADGET_HTTP (source), result, NULL, &error);
  if (continue_exchange (stream, error))
    return;
  if (!stream->ended && !stream->answered && stream->id != 0)
    fail_stream (stream, error);
  else if (error != NULL && !stream->ended)
    g_debug ("a message that needs no answer: %s", error->message);

  const gboolean releases = stream->releases;
  const gboolean listened = stream->kind == STREAM_LISTEN;

  stream_free (stream);
  if (listened)
    fail_waiting (self);
  if (releases && !self->closed)
    {
      _gadget_mcp_http_release (self);
      listen_for_messages (self);
    }
}
