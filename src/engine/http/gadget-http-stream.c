/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One HTTP request and its answer, read as it comes. With gadget-http.c and
 * gadget-http-message.c the only code that talks to libsoup.
 *
 *   send → status and headers → handler.head → read, handler.data, read … → end → close → callback
 *
 * The end of an exchange, whatever the reason, has one order: the pending operation returns, the
 * body is closed (asynchronously, with no cancellable), every reference is dropped, the receipt's
 * line ends, and only then the caller is told. Cancelling a read alone would leave the connection
 * open, and the model at work, for as long as anybody holds the stream; closing while a read is
 * pending fails.
 *
 * Every exchange has a cancellable of its own, handed to the send and to each read. It follows the
 * caller's, and the time limits below use it too, because libsoup gives no other handle on a send
 * that hangs. It is cancelled in one place, cut (). An abort is told from a time limit by asking
 * the caller's cancellable, never by the error.
 *
 * A close lets the kernel send what is in its buffer, which can be all of a long request. So an
 * exchange that is cut while the other side has not confirmed everything resets its connection.
 *
 * HTTP/1.1 only: a close is then a real close, and one run can't disturb another on a shared
 * connection. Redirects are not followed: the key goes to the host that the user named. */

#define G_LOG_DOMAIN "gadget-http"

#include "config.h"

#include "gadget-http-stream.h"

#include "gadget-http-private.h"

#define READ_SIZE (32 * 1024)

typedef enum
{
  PHASE_CONNECT,
  PHASE_FIRST_BYTE,
  PHASE_BODY,
  PHASE_REFUSAL,
  PHASE_DRAIN,
} Phase;

typedef struct
{
  GadgetHttp *http;
  SoupMessage *message;
  GInputStream *body;
  char *buffer;
  GCancellable *run;
  gulong run_handler;
  GCancellable *own;
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
  gint64 heard_us; /* when something was received, or it began */
  gint64 quiet_us; /* when it is quiet, unless something is received */
  gboolean quiet;
  gint64 begun_us;
  gint64 due_us;      /* when the time limit of the phase is reached */
  gboolean late;      /* it was */
  gsize size;         /* of the request's body */
  gsize written;      /* of that, to the kernel */
  gboolean unsent;    /* as long as that is not written whole */
  gboolean head_came; /* and the callback that tells so is about to be called: see cut () */
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

  g_assert (self->timer == 0 && self->quiet_timer == 0 && self->run_handler == 0
            && self->body == NULL);
  g_clear_object (&self->message);
  g_clear_object (&self->run);
  g_clear_object (&self->own);
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
  return self->run != NULL && g_cancellable_is_cancelled (self->run);
}

/* (transfer full) (nullable): %NULL when there is no connection (any more) */
static GSocket *
dup_socket (Exchange *self)
{
  return _gadget_http_sockets_get (_gadget_http_get_sockets (self->http),
                                   soup_message_get_connection_id (self->message));
}

/* The head and what TLS adds are not told from the body: the figure is right but for these. */
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

/* The one way in which an exchange is ended early. Between the moment when libsoup has the head and
 * its callback, which comes by itself then, a cancel would make libsoup 3.6 use a queue item after
 * it was freed; what sent_cb () then finds is the same. */
static void
cut (Exchange *self)
{
  reset_upload (self);
  if (!self->head_came || self->body != NULL)
    g_cancellable_cancel (self->own);
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

  /* There are several where addresses are tried side by side: the last one is used. */
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
run_cancelled_cb (GCancellable *run, gpointer user_data)
{
  cut (user_data);
}

/* The limit moves on with every piece that is read; the timer is only armed again when it fires,
 * not for each of thousands of pieces a second. */
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
  self->late = TRUE;
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
    case PHASE_REFUSAL:
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

/* --- Quiet ------------------------------------------------------------------------------------ */

static void quiet_cb (gpointer user_data); /* which waits on */

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

/* As with the time limit, the timer is not armed again for each piece. */
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
  gadget_receipt_set_quiet (self->receipt, self->receipt_line, self->heard_us);
}

static void
heard (Exchange *self)
{
  if (self->receipt_line == 0 || gadget_http_get_limits (self->http)->quiet_ms == 0)
    return;
  self->heard_us = gadget_clock_now (gadget_http_get_clock (self->http));
  self->quiet_us = self->heard_us + (gint64) gadget_http_get_limits (self->http)->quiet_ms * 1000;
  if (!self->quiet)
    return;
  self->quiet = FALSE;
  gadget_receipt_set_quiet (self->receipt, self->receipt_line, 0);
  await_quiet (self);
}

/* The computer was asleep, or the network changed: the connection may be dead, and only what comes
 * on it shows that it is not. */
static void
disturbed_cb (GadgetHttp *http, Exchange *self)
{
  const gint64 soon_us = gadget_clock_now (gadget_http_get_clock (http))
                         + (gint64) gadget_http_get_limits (http)->disturbed_ms * 1000;

  if (self->quiet || soon_us >= self->quiet_us)
    return;
  self->quiet_us = soon_us;
  await_quiet (self);
}

static void
listen (Exchange *self)
{
  heard (self);
  await_quiet (self);
  g_signal_connect (self->http, "disturbed", G_CALLBACK (disturbed_cb), self);
}

/* --- The error ------------------------------------------------------------------------------- */

/* A server, or a proxy before it, may refuse a request when it has read its head, and close.
 * Libsoup reads no answer before all is written, so that "broken pipe" is all that is heard. Sent
 * again, the same would happen. What libsoup sends on a connection that it had kept, it sends once
 * more on a new one by itself. */
static gboolean
is_unsent (Exchange *self, const GError *error)
{
  return self->unsent && self->phase == PHASE_FIRST_BYTE
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

/* What forwards a port (for a container, over SSH) takes the connection before it finds that there
 * is no server behind it, and closes it then. */
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
    case PHASE_REFUSAL:
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

/* Keeps the first reason of the end. What the handler found is told as it is; what the network
 * said, in our words. A cancelled-looking error that nobody caused is a failure of the connection
 * like any other. */
static void
take_error (Exchange *self, GError *error, gboolean by_handler)
{
  g_autoptr (GError) cause = error;

  g_assert (cause != NULL);
  if (self->error != NULL)
    return;
  if (is_aborted (self))
    self->error = make_abort_error ();
  else if (self->late)
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
  if (self->run_handler != 0)
    g_cancellable_disconnect (self->run, self->run_handler);
  self->run_handler = 0;
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
  /* Whether or not the close found something to complain about, the stream is closed now. */
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

/* TRUE to read on. */
static gboolean
take_data (Exchange *self, gsize length)
{
  GError *error = NULL;

  if (self->phase == PHASE_DRAIN)
    return TRUE;
  if (self->phase == PHASE_REFUSAL)
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
      take_error (self, error, TRUE);
      return FALSE;
    }
}

static void
take_end (Exchange *self)
{
  GError *error = NULL;

  if (self->phase == PHASE_REFUSAL)
    refuse (self);
  else if (self->phase == PHASE_BODY && self->handler->end != NULL
           && !self->handler->end (self->handler_data, &error))
    take_error (self, error, TRUE);
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
    heard (self);
  if (length > 0 && take_data (self, (gsize) length))
    {
      read_on (task);
      return;
    }
  if (length == 0)
    take_end (self);
  else if (length < 0 && self->phase == PHASE_REFUSAL)
    refuse (self);
  else if (length < 0 && self->phase != PHASE_DRAIN)
    take_error (self, g_steal_pointer (&error), FALSE);
  close_body (task);
}

static void
read_on (GTask *task)
{
  Exchange *self = g_task_get_task_data (task);

  g_input_stream_read_async (self->body, self->buffer, READ_SIZE, G_PRIORITY_DEFAULT, self->own,
                             read_cb, task);
}

/* --- The head -------------------------------------------------------------------------------- */

/* Whether the answer is to be read. If not, @error may be set, or the exchange has one already. */
static gboolean
take_head (Exchange *self, GError **error)
{
  const GadgetHttpResponse *response = self->response;

  if (!SOUP_STATUS_IS_SUCCESSFUL (response->status))
    {
      self->refusal = g_byte_array_new ();
      arm (self, PHASE_REFUSAL);
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
      take_error (self, error, FALSE);
      finish (task);
      return;
    }
  if (self->late)
    self->error = make_time_error (self);
  if (self->late || is_aborted (self))
    {
      close_body (task);
      return;
    }

  heard (self);
  self->response = _gadget_http_read_head (self->message, self->keep_header);
  self->buffer = g_malloc (READ_SIZE);
  if (take_head (self, &error))
    {
      read_on (task);
      return;
    }
  if (error != NULL)
    take_error (self, error, TRUE);
  close_body (task);
}

/* The connection is there, and the request is about to be written. */
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
 * @request: lent for the call
 * @handler: (scope notified): static; what is done with the answer
 * @receipt: (nullable): gets a line for the connection, which ends when it is really closed
 *
 * Sends a request and hands its answer to @handler as it comes. The callback is called when the
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
  g_set_object (&self->run, cancellable);

  if (is_aborted (self))
    {
      finish (task);
      return;
    }
  self->message = _gadget_http_make_message (request);
  if (self->message == NULL)
    {
      take_error (self,
                  g_error_new (GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_ADDRESS,
                               "“%s” is not an address", request->url),
                  TRUE);
      finish (task);
      return;
    }

  if (receipt != NULL)
    {
      self->receipt = g_object_ref (receipt);
      self->receipt_line = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, request->name);
    }
  self->own = g_cancellable_new ();
  if (cancellable != NULL)
    self->run_handler =
        g_cancellable_connect (cancellable, G_CALLBACK (run_cancelled_cb), self, NULL);
  self->begun_us = gadget_clock_now (gadget_http_get_clock (http));
  self->size = request->body != NULL ? g_bytes_get_size (request->body) : 0;
  arm (self, PHASE_CONNECT);
  if (self->receipt_line != 0 && gadget_http_get_limits (http)->quiet_ms > 0)
    listen (self);
  g_signal_connect (self->message, "starting", G_CALLBACK (starting_cb), self);
  g_signal_connect (self->message, "network-event", G_CALLBACK (network_event_cb), self);
  g_signal_connect (self->message, "wrote-body-data", G_CALLBACK (wrote_body_data_cb), self);
  g_signal_connect (self->message, "wrote-body", G_CALLBACK (wrote_body_cb), self);
  g_signal_connect (self->message, "got-headers", G_CALLBACK (got_headers_cb), self);
  soup_session_send_async (_gadget_http_get_session (http), self->message, G_PRIORITY_DEFAULT,
                           self->own, sent_cb, task);
}

/**
 * gadget_http_stream_finish:
 * @response: (out) (optional) (nullable) (transfer full): the head, if one came; set on failure too
 *
 * Returns: %TRUE when the answer was complete. Otherwise a #GadgetHttpError, an error of the
 *   handler's, or %G_IO_ERROR_CANCELLED when the cancellable was.
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
