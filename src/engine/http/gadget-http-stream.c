/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One HTTP request and its response, read as it arrives. Together with gadget-http.c and
 * gadget-http-message.c this is the only code that talks to libsoup. Everything runs on the main
 * context.
 *
 *   send → status and headers → handler.head → read, handler.data, read … → end → close → callback
 *
 * The end of an exchange always has the same order, whatever the reason: the pending operation
 * returns, the body is closed (asynchronously, without a cancellable), every reference is dropped,
 * the line of the receipt ends, and only then the callback is called. Cancelling a read alone would
 * leave the connection open, and the model working, for as long as something holds the stream;
 * closing while a read is pending fails.
 *
 * Every exchange has a cancellable of its own, which is passed to the send and to each read. It
 * follows the caller's cancellable, and the time limits below use it too, because libsoup offers no
 * other way to end a send that hangs. Only cut () cancels it. The caller's cancellable, never the
 * error, tells an abort from a time limit.
 *
 * Closing a connection lets the kernel send what is in its buffer, which can be all of a long
 * request. An exchange that is cut before the other side has confirmed everything therefore resets
 * its connection.
 *
 * HTTP/1.1 only: closing then really closes the connection, and one run cannot disturb another on a
 * shared connection. Redirects are not followed: the key is sent only to the host that the user
 * named. */

#define G_LOG_DOMAIN "gadget-http"

#include "config.h"

#include "gadget-http-stream.h"

#include "gadget-http-message-private.h"
#include "gadget-http-private.h"

#define READ_SIZE (32 * 1024)

typedef enum
{
  PHASE_CONNECT,
  PHASE_FIRST_BYTE,
  PHASE_BODY,
  PHASE_ERROR_RESPONSE,
  PHASE_DRAIN,
} Phase;

/* The state of one request, owned by its task. */
typedef struct
{
  GadgetHttp *http;
  SoupMessage *message;
  GInputStream *body;
  char *buffer;
  GCancellable *caller; /* (nullable): of the caller */
  gulong caller_handler;
  GCancellable *cancellable; /* of this exchange */
  GadgetReceipt *receipt;
  guint receipt_line;
  const GadgetHttpHandler *handler;
  gpointer handler_data;
  const char *keep_header;
  gboolean takes_codings;
  GadgetHttpResponse *response;
  GByteArray *refusal;
  Phase phase;
  guint timer;
  guint quiet_timer;
  gint64 last_received_us; /* when bytes were last received, or when listening began */
  gint64 quiet_us;         /* when the connection becomes quiet unless bytes are received */
  gboolean quiet;
  gint64 begun_us;
  gint64 due_us;      /* when the time limit of the phase expires */
  gboolean timed_out; /* the time limit has expired */
  gsize size;         /* of the body of the request, in bytes */
  gsize written;      /* bytes of that given to the kernel */
  gboolean unsent;    /* TRUE until the whole body is written */
  gboolean connected; /* the connection was made for this request, not kept from an earlier one */
  gboolean head_came; /* libsoup has the head and is about to call sent_cb (): see cut () */
  GError *error;
} Exchange;

static void read_on (GTask *task);

static void
disarm (Exchange *self)
{
  if (self->timer != 0)
    gadget_clock_remove (gadget_http_get_clock (self->http), self->timer);
  self->timer = 0;
}

static void
stop_listening (Exchange *self)
{
  if (self->quiet_timer != 0)
    gadget_clock_remove (gadget_http_get_clock (self->http), self->quiet_timer);
  self->quiet_timer = 0;
  g_signal_handlers_disconnect_by_data (self->http, self);
}

static void
free_exchange (gpointer data)
{
  Exchange *self = data;

  g_assert (self->timer == 0 && self->quiet_timer == 0 && self->caller_handler == 0
            && self->body == NULL);
  g_clear_object (&self->message);
  g_clear_object (&self->caller);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->receipt);
  g_clear_object (&self->http);
  g_clear_pointer (&self->response, gadget_http_response_free);
  g_clear_pointer (&self->refusal, g_byte_array_unref);
  g_clear_error (&self->error);
  g_free (self->buffer);
  g_free (self);
}

static gboolean
is_aborted (Exchange *self)
{
  return self->caller != NULL && g_cancellable_is_cancelled (self->caller);
}

/* (transfer full) (nullable): %NULL when there is no connection, or no longer one */
static GSocket *
dup_socket (Exchange *self)
{
  return _gadget_http_sockets_get (_gadget_http_get_sockets (self->http),
                                   soup_message_get_connection_id (self->message));
}

/* Notes in the receipt how much of the body has left this computer. @written does not count the
 * head and the overhead of TLS, while the kernel's count includes them, so the figure is off by
 * these. */
static void
note_sent (Exchange *self, GSocket *socket)
{
  const gsize unsent = _gadget_http_socket_count_unsent (socket);
  const gsize sent = self->written > unsent ? self->written - unsent : 0;

  if (self->receipt_line != 0 && sent < self->size)
    gadget_receipt_set_sent (self->receipt, self->receipt_line, sent, self->size);
}

static void
reset_upload (Exchange *self)
{
  g_autoptr (GSocket) socket = dup_socket (self);

  if (socket == NULL || (!self->unsent && _gadget_http_socket_count_unconfirmed (socket) == 0))
    return;
  note_sent (self, socket);
  _gadget_http_socket_reset (socket);
}

/* The only way to end an exchange early. Between the arrival of the head and the call of
 * sent_cb (), cancelling would make libsoup 3.6 use a queue item after it was freed. sent_cb () is
 * about to be called then anyway, and ends the exchange in the same way. */
static void
cut (Exchange *self)
{
  reset_upload (self);
  if (!self->head_came || self->body != NULL)
    g_cancellable_cancel (self->cancellable);
}

static void
got_headers_cb (SoupMessage *message, gpointer user_data)
{
  Exchange *self = user_data;

  self->head_came = TRUE;
}

static void
network_event_cb (SoupMessage *message, GSocketClientEvent event, GIOStream *stream,
                  gpointer user_data)
{
  Exchange *self = user_data;

  self->connected = TRUE;
  /* Several connections are tried side by side when there are several addresses; libsoup uses the
   * last one that is reported. */
  if (stream != NULL && (event == G_SOCKET_CLIENT_CONNECTED || event == G_SOCKET_CLIENT_COMPLETE))
    _gadget_http_sockets_add (_gadget_http_get_sockets (self->http),
                              soup_message_get_connection_id (message), stream);
}

static void
wrote_body_data_cb (SoupMessage *message, guint size, gpointer user_data)
{
  Exchange *self = user_data;

  self->written += size;
}

static void
wrote_body_cb (SoupMessage *message, gpointer user_data)
{
  Exchange *self = user_data;

  self->unsent = FALSE;
}

static void
caller_cancelled_cb (GCancellable *caller, gpointer user_data)
{
  cut (user_data);
}

/* Every read moves the limit. The timer is set again only when it fires, not for each of thousands
 * of reads per second. */
static void
time_limit_cb (gpointer user_data)
{
  Exchange *self = user_data;
  GadgetClock *clock = gadget_http_get_clock (self->http);
  gint64 left_us = self->due_us - gadget_clock_now (clock);

  self->timer = 0;
  if (left_us > 0)
    {
      self->timer = gadget_clock_add_timeout (clock, (guint) ((left_us + 999) / 1000),
                                              "http time limit", time_limit_cb, self);
      return;
    }
  self->timed_out = TRUE;
  cut (self);
}

static guint
get_limit (Exchange *self, Phase phase)
{
  const GadgetHttpLimits *limits = gadget_http_get_limits (self->http);

  switch (phase)
    {
    case PHASE_CONNECT:
      return limits->connect_ms;
    case PHASE_FIRST_BYTE:
      return limits->first_byte_ms;
    case PHASE_BODY:
      return limits->idle_ms;
    case PHASE_ERROR_RESPONSE:
      return limits->refusal_ms;
    case PHASE_DRAIN:
      return limits->drain_ms;
    default:
      g_assert_not_reached ();
    }
}

static void
touch (Exchange *self)
{
  const guint total_ms = gadget_http_get_limits (self->http)->total_ms;

  self->due_us = gadget_clock_now (gadget_http_get_clock (self->http))
                 + (gint64) get_limit (self, self->phase) * 1000;
  if (total_ms > 0)
    self->due_us = MIN (self->due_us, self->begun_us + (gint64) total_ms * 1000);
}

static void
arm (Exchange *self, Phase phase)
{
  GadgetClock *clock = gadget_http_get_clock (self->http);
  gint64 left_us;

  disarm (self);
  self->phase = phase;
  touch (self);
  left_us = MAX (0, self->due_us - gadget_clock_now (clock));
  self->timer = gadget_clock_add_timeout (clock, (guint) ((left_us + 999) / 1000),
                                          "http time limit", time_limit_cb, self);
}

/* --- Quiet connections ------------------------------------------------------------------------ */

static void quiet_cb (gpointer user_data); /* called back by await_quiet () */

static void
await_quiet (Exchange *self)
{
  GadgetClock *clock = gadget_http_get_clock (self->http);
  const gint64 left_us = MAX (0, self->quiet_us - gadget_clock_now (clock));

  if (self->quiet_timer != 0)
    gadget_clock_remove (clock, self->quiet_timer);
  self->quiet_timer = gadget_clock_add_timeout (clock, (guint) ((left_us + 999) / 1000),
                                                "quiet connection", quiet_cb, self);
}

/* As with the time limit, reads do not set the timer again. */
static void
quiet_cb (gpointer user_data)
{
  Exchange *self = user_data;

  self->quiet_timer = 0;
  if (gadget_clock_now (gadget_http_get_clock (self->http)) < self->quiet_us)
    {
      await_quiet (self);
      return;
    }
  self->quiet = TRUE;
  gadget_receipt_set_quiet (self->receipt, self->receipt_line, self->last_received_us);
}

static void
note_received (Exchange *self)
{
  if (self->receipt_line == 0 || gadget_http_get_limits (self->http)->quiet_ms == 0)
    return;
  self->last_received_us = gadget_clock_now (gadget_http_get_clock (self->http));
  self->quiet_us =
      self->last_received_us + (gint64) gadget_http_get_limits (self->http)->quiet_ms * 1000;
  if (!self->quiet)
    return;
  self->quiet = FALSE;
  gadget_receipt_set_quiet (self->receipt, self->receipt_line, 0);
  await_quiet (self);
}

/* The computer slept, or the network changed: the connection may be dead, and only received bytes
 * can show that it is not. The quiet timer is therefore shortened. */
static void
connections_suspected_cb (GadgetHttp *http, Exchange *self)
{
  const gint64 soon_us = gadget_clock_now (gadget_http_get_clock (http))
                         + (gint64) gadget_http_get_limits (http)->suspected_ms * 1000;

  if (self->quiet || soon_us >= self->quiet_us)
    return;
  self->quiet_us = soon_us;
  await_quiet (self);
}

static void
watch_quiet (Exchange *self)
{
  note_received (self);
  await_quiet (self);
  g_signal_connect (self->http, "connections-suspected", G_CALLBACK (connections_suspected_cb),
                    self);
}

/* --- Errors ---------------------------------------------------------------------------------- */

/* A server, or a proxy in front of it, may refuse a request as soon as it has read the head, and
 * close the connection. libsoup does not read a response before it has written the whole request,
 * so it reports only "broken pipe". Another attempt would end in the same way. A kept connection is
 * another matter: the server may close it at any time, whatever is sent. (libsoup sends a GET once
 * more then, but never a POST.) */
static gboolean
is_unsent (Exchange *self, const GError *error)
{
  return self->unsent && self->connected && self->phase == PHASE_FIRST_BYTE
         && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
}

static GError *
make_unsent_error (Exchange *self, const GError *error)
{
  g_autofree char *size = g_format_size_full (self->size, G_FORMAT_SIZE_IEC_UNITS);

  return g_error_new (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_UNSENT,
                      "The server closed the connection before it had read the request of %s; "
                      "perhaps that is more than it takes (%s)",
                      size, error->message);
}

/* A port forwarder (for a container, or over SSH) accepts the connection before it finds out that
 * there is no server behind it, and closes it then. A kept connection may be closed as well. */
static gboolean
is_refused (Exchange *self, const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)
         || (self->phase == PHASE_FIRST_BYTE
             && (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)
                 || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)));
}

static GadgetHttpError
classify (Exchange *self, const GError *error)
{
  if (error->domain == G_TLS_ERROR)
    return GADGET_HTTP_ERROR_TLS;
  if (self->response != NULL)
    return GADGET_HTTP_ERROR_CUT;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return GADGET_HTTP_ERROR_TIMEOUT;
  if (error->domain == SOUP_SESSION_ERROR && error->code == SOUP_SESSION_ERROR_PARSING)
    return GADGET_HTTP_ERROR_ADDRESS;
  if (is_unsent (self, error))
    return GADGET_HTTP_ERROR_UNSENT;
  if (is_refused (self, error))
    return GADGET_HTTP_ERROR_REFUSED;
  return GADGET_HTTP_ERROR_UNREACHABLE;
}

static GError *
make_time_error (Exchange *self)
{
  const GadgetHttpLimits *limits = gadget_http_get_limits (self->http);

  if (limits->total_ms > 0
      && gadget_clock_now (gadget_http_get_clock (self->http))
             >= self->begun_us + (gint64) limits->total_ms * 1000)
    return g_error_new (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TIMEOUT,
                        "The answer was not complete within %u s", (limits->total_ms + 999) / 1000);
  switch (self->phase)
    {
    case PHASE_CONNECT:
      return g_error_new (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TIMEOUT, "No connection within %u s",
                          (limits->connect_ms + 999) / 1000);
    case PHASE_FIRST_BYTE:
      return g_error_new (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TIMEOUT, "No answer within %u s",
                          (limits->first_byte_ms + 999) / 1000);
    case PHASE_BODY:
    case PHASE_ERROR_RESPONSE:
    case PHASE_DRAIN:
    default:
      return g_error_new (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_CUT, "Nothing more came for %u s",
                          (limits->idle_ms + 999) / 1000);
    }
}

static GError *
make_abort_error (void)
{
  return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The request was aborted");
}

/* Keeps the first reason for the end. An error of the handler is passed on unchanged; an error of
 * the network is converted to a #GadgetHttpError. A cancelled error without an abort or a time
 * limit is a failure of the connection like any other. */
static void
handle_error (Exchange *self, GError *error, gboolean by_handler)
{
  g_autoptr (GError) cause = error;

  g_assert (cause != NULL);
  if (self->error != NULL)
    return;
  if (is_aborted (self))
    self->error = make_abort_error ();
  else if (self->timed_out)
    self->error = make_time_error (self);
  else if (by_handler)
    self->error = g_steal_pointer (&cause);
  else if (classify (self, cause) == GADGET_HTTP_ERROR_UNSENT)
    self->error = make_unsent_error (self, cause);
  else
    self->error = g_error_new_literal (GADGET_HTTP_ERROR, classify (self, cause), cause->message);
}

/* --- The end --------------------------------------------------------------------------------- */

static void
finish (GTask *task)
{
  Exchange *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  disarm (self);
  stop_listening (self);
  if (self->caller_handler != 0)
    g_cancellable_disconnect (self->caller, self->caller_handler);
  self->caller_handler = 0;
  g_clear_object (&self->body);
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->message);

  if (is_aborted (self))
    {
      g_clear_error (&self->error);
      self->error = make_abort_error ();
    }
  if (self->receipt_line != 0)
    gadget_receipt_end (self->receipt, self->receipt_line, self->error != NULL ? "closed" : "ended",
                        0);
  error = g_steal_pointer (&self->error);
  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  /* The stream is closed now, even if closing reported an error. */
  g_input_stream_close_finish (G_INPUT_STREAM (source), result, NULL);
  finish (user_data);
}

static void
close_body (GTask *task)
{
  Exchange *self = g_task_get_task_data (task);

  disarm (self);
  g_input_stream_close_async (self->body, G_PRIORITY_DEFAULT, NULL, closed_cb, task);
}

static void
refuse (Exchange *self)
{
  GByteArray *body = self->refusal;
  const char *bytes = body->len > 0 ? (const char *) body->data : "";

  if (!is_aborted (self))
    self->error = self->handler->refusal (self->response, bytes, body->len, self->handler_data);
}

/* --- The body -------------------------------------------------------------------------------- */

/* Returns TRUE to read on. */
static gboolean
handle_data (Exchange *self, gsize length)
{
  GError *error = NULL;

  if (self->phase == PHASE_DRAIN)
    return TRUE;
  if (self->phase == PHASE_ERROR_RESPONSE)
    {
      gsize room = gadget_http_get_limits (self->http)->max_refusal - self->refusal->len;

      g_byte_array_append (self->refusal, (const guint8 *) self->buffer,
                           (guint) MIN (length, room));
      if (length < room)
        return TRUE;
      refuse (self);
      return FALSE;
    }

  switch (self->handler->data (self->buffer, length, self->handler_data, &error))
    {
    case GADGET_HTTP_MORE:
      touch (self);
      return !is_aborted (self);
    case GADGET_HTTP_DONE:
      arm (self, PHASE_DRAIN);
      return !is_aborted (self);
    case GADGET_HTTP_FAILED:
    default:
      handle_error (self, error, TRUE);
      return FALSE;
    }
}

static void
handle_end (Exchange *self)
{
  GError *error = NULL;

  if (self->phase == PHASE_ERROR_RESPONSE)
    refuse (self);
  else if (self->phase == PHASE_BODY && self->handler->end != NULL
           && !self->handler->end (self->handler_data, &error))
    handle_error (self, error, TRUE);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Exchange *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (is_aborted (self))
    {
      close_body (task);
      return;
    }
  if (length > 0)
    note_received (self);
  if (length > 0 && handle_data (self, (gsize) length))
    {
      read_on (task);
      return;
    }
  if (length == 0)
    handle_end (self);
  else if (length < 0 && self->phase == PHASE_ERROR_RESPONSE)
    refuse (self);
  else if (length < 0 && self->phase != PHASE_DRAIN)
    handle_error (self, g_steal_pointer (&error), FALSE);
  close_body (task);
}

static void
read_on (GTask *task)
{
  Exchange *self = g_task_get_task_data (task);

  g_input_stream_read_async (self->body, self->buffer, READ_SIZE, G_PRIORITY_DEFAULT,
                             self->cancellable, read_cb, task);
}

/* --- The head -------------------------------------------------------------------------------- */

/* Returns TRUE if the response is to be read. If FALSE, @error may be set, or the exchange has an
 * error already. */
static gboolean
handle_head (Exchange *self, GError **error)
{
  const GadgetHttpResponse *response = self->response;

  if (!SOUP_STATUS_IS_SUCCESSFUL (response->status))
    {
      self->refusal = g_byte_array_new ();
      arm (self, PHASE_ERROR_RESPONSE);
      if (response->coding != NULL)
        refuse (self);
      return response->coding == NULL;
    }
  if (response->coding != NULL && !self->takes_codings)
    {
      g_set_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_COMPRESSED,
                   "The server sent compressed data that was not asked for (Content-Encoding: %s)",
                   response->coding);
      return FALSE;
    }
  arm (self, PHASE_BODY);
  return self->handler->head (self->response, self->handler_data, error);
}

static void
sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Exchange *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->body = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  if (self->body == NULL)
    {
      handle_error (self, error, FALSE);
      finish (task);
      return;
    }
  if (self->timed_out)
    self->error = make_time_error (self);
  if (self->timed_out || is_aborted (self))
    {
      close_body (task);
      return;
    }

  note_received (self);
  self->response = _gadget_http_read_head (self->message, self->keep_header);
  self->buffer = g_malloc (READ_SIZE);
  if (handle_head (self, &error))
    {
      read_on (task);
      return;
    }
  if (error != NULL)
    handle_error (self, error, TRUE);
  close_body (task);
}

/* The connection exists, and the request is about to be written. */
static void
starting_cb (SoupMessage *message, gpointer user_data)
{
  Exchange *self = user_data;

  self->unsent = self->size > 0;
  self->written = 0;
  if (self->phase == PHASE_CONNECT)
    arm (self, PHASE_FIRST_BYTE);
}

/**
 * gadget_http_stream_async:
 * @request: only used during the call
 * @handler: (scope notified): static; receives the response
 * @receipt: (nullable): gets a line for the connection, which ends when the connection is really
 *   closed
 *
 * Sends a request and passes the response to @handler as it arrives. @callback is called once the
 * connection was closed, or is free for the next request.
 */
void
gadget_http_stream_async (GadgetHttp *http, GadgetHttpRequest *request,
                          const GadgetHttpHandler *handler, gpointer handler_data,
                          GadgetReceipt *receipt, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Exchange *self;

  g_return_if_fail (GADGET_IS_HTTP (http));
  g_return_if_fail (request != NULL && handler != NULL);

  task = g_task_new (http, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_http_stream_async);
  g_task_set_check_cancellable (task, FALSE);
  self = g_new0 (Exchange, 1);
  g_task_set_task_data (task, self, free_exchange);
  self->http = g_object_ref (http);
  self->handler = handler;
  self->handler_data = handler_data;
  self->keep_header = request->keep_header;
  self->takes_codings = request->takes_codings;
  g_set_object (&self->caller, cancellable);

  if (is_aborted (self))
    {
      finish (task);
      return;
    }
  self->message = _gadget_http_make_message (request);
  if (self->message == NULL)
    {
      handle_error (self,
                    g_error_new (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_ADDRESS,
                                 "“%s” is not an address", request->url),
                    TRUE);
      finish (task);
      return;
    }

  if (_gadget_http_is_suspect (http))
    soup_message_add_flags (self->message, SOUP_MESSAGE_NEW_CONNECTION);
  if (receipt != NULL)
    {
      self->receipt = g_object_ref (receipt);
      self->receipt_line = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, request->name);
    }
  self->cancellable = g_cancellable_new ();
  if (cancellable != NULL)
    self->caller_handler =
        g_cancellable_connect (cancellable, G_CALLBACK (caller_cancelled_cb), self, NULL);
  self->begun_us = gadget_clock_now (gadget_http_get_clock (http));
  self->size = request->body != NULL ? g_bytes_get_size (request->body) : 0;
  arm (self, PHASE_CONNECT);
  if (self->receipt_line != 0 && gadget_http_get_limits (http)->quiet_ms > 0)
    watch_quiet (self);
  g_signal_connect (self->message, "starting", G_CALLBACK (starting_cb), self);
  g_signal_connect (self->message, "network-event", G_CALLBACK (network_event_cb), self);
  g_signal_connect (self->message, "wrote-body-data", G_CALLBACK (wrote_body_data_cb), self);
  g_signal_connect (self->message, "wrote-body", G_CALLBACK (wrote_body_cb), self);
  g_signal_connect (self->message, "got-headers", G_CALLBACK (got_headers_cb), self);
  soup_session_send_async (_gadget_http_get_session (http), self->message, G_PRIORITY_DEFAULT,
                           self->cancellable, sent_cb, task);
}

/**
 * gadget_http_stream_finish:
 * @response: (out) (optional) (nullable) (transfer full): the head, if one came; set on failure,
 *   too
 *
 * Returns: %TRUE when the response was complete; otherwise %FALSE with a #GadgetHttpError, an error
 *   of the handler, or %G_IO_ERROR_CANCELLED after a cancel
 */
gboolean
gadget_http_stream_finish (GadgetHttp *http, GAsyncResult *result, GadgetHttpResponse **response,
                           GError **error)
{
  Exchange *self;

  g_return_val_if_fail (g_task_is_valid (result, http), FALSE);

  self = g_task_get_task_data (G_TASK (result));
  if (response != NULL)
    *response = g_steal_pointer (&self->response);
  return g_task_propagate_boolean (G_TASK (result), error);
}
