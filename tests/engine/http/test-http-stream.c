/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exchanges that end by themselves, well or badly. */

#include "config.h"

#include "test-exchange.h"
#include "test-wait.h"

#include "providers/gadget-provider.h"

#include <string.h>

/* --- Plain ----------------------------------------------------------------------------------- */

static void
test_whole (TestExchange *f, gconstpointer data)
{
  const FakeRequest *request;

  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "one ");
  fake_reply_delay (f->reply, 5);
  fake_reply_chunk (f->reply, "two");
  fake_reply_end (f->reply);
  gadget_http_request_take_key (f->request, "Authorization", g_strdup ("Bearer k3y"));
  test_exchange_start (f);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 1);
  g_assert_true (test_exchange_finish (f, NULL));
  g_assert_cmpstr (f->body->str, ==, "one two");
  g_assert_cmpuint (f->n_heads, ==, 1);

  /* The connection is used again, and with it the same headers. */
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 1);
  request = fake_server_get_request (f->server, 1);
  g_assert_cmpstr (request->method, ==, "POST");
  g_assert_cmpstr (request->body, ==, "{}");
  g_assert_nonnull (strstr (request->head, "HTTP/1.1\r\n"));
  g_assert_nonnull (strstr (request->head, "Authorization: Bearer k3y\r\n"));
  g_assert_nonnull (strstr (request->head, "Content-Type: application/json\r\n"));
  g_assert_null (strstr (request->head, "gzip"));
  g_assert_null (strstr (request->head, "h2"));
}

static void
test_enough (TestExchange *f, gconstpointer data)
{
  GadgetHttpLimits limits = *gadget_http_get_limits (f->http);

  /* A server that says "done" and then keeps the connection open. */
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "all[DONE]");
  fake_reply_stall (f->reply);
  limits.drain_ms = 20;
  gadget_http_set_limits (f->http, &limits);
  f->enough = "[DONE]";
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_assert_cmpstr (f->body->str, ==, "all[DONE]");
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
}

static void
test_refusal (TestExchange *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *large = g_strnfill (200000, 'x');

  fake_reply_body (f->reply, 418, "text/plain", large, NULL);
  test_exchange_start (f);
  g_assert_false (test_exchange_finish (f, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED);
  g_assert_cmpuint (strlen (error->message), ==, 4 + 64 * 1024);
  g_assert_cmpuint (f->n_heads, ==, 0);
}

static void
test_empty_refusal (TestExchange *f, gconstpointer data)
{
  fake_reply_body (f->reply, 401, "text/plain", "", NULL);
  test_exchange_start (f);
  test_exchange_assert_refused (f);
}

#define GZIP_MAGIC "\x1f\x8b\x08"

/* Not asked for, and not waited for either. */
static void
test_compressed (TestExchange *f, gconstpointer data)
{
  g_autofree char *header = g_strdup_printf ("Content-Encoding: %s\r\n", (const char *) data);
  g_autofree char *words = g_strdup_printf ("compressed data that was not asked for "
                                            "(Content-Encoding: %s)",
                                            (const char *) data);
  g_autoptr (GError) error = NULL;

  fake_reply_head (f->reply, 200, "text/event-stream", header);
  fake_reply_chunk (f->reply, GZIP_MAGIC);
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_false (test_exchange_finish (f, &error));
  g_assert_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_COMPRESSED);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpuint (f->n_heads, ==, 0);
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
}

static void
test_compressed_refusal (TestExchange *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_reply_head (f->reply, 401, "application/json", "Content-Encoding: gzip\r\n");
  fake_reply_chunk (f->reply, GZIP_MAGIC);
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_false (test_exchange_finish (f, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED);
  g_assert_cmpstr (error->message, ==, "401 ");
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
}

static void
test_not_compressed (TestExchange *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, "text/plain", "Content-Encoding: Identity\r\n");
  fake_reply_chunk (f->reply, "plain");
  fake_reply_end (f->reply);
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_assert_cmpstr (f->body->str, ==, "plain");
}

static void
test_redirect (TestExchange *f, gconstpointer data)
{
  g_autoptr (FakeServer) other = fake_server_new ();
  g_autofree char *url = fake_server_dup_url (other, "/");
  g_autofree char *location = g_strdup_printf ("Location: %s\r\n", url);

  gadget_http_request_take_key (f->request, "Authorization", g_strdup ("Bearer k3y"));
  fake_reply_body (f->reply, 307, "text/plain", "over there", location);
  test_exchange_start (f);
  test_exchange_assert_refused (f);
  test_run_for (50);
  g_assert_cmpuint (fake_server_count (other, FAKE_EVENT_ACCEPT), ==, 0);
}

static void
test_refused_connection (TestExchange *f, gconstpointer data)
{
  g_clear_pointer (&f->request->url, g_free);
  f->request->url = g_strdup ("http://127.0.0.1:1/");
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_REFUSED);
}

static void
test_not_http (TestExchange *f, gconstpointer data)
{
  fake_reply_raw (f->reply, "220 mail.example ESMTP\r\n", -1);
  fake_reply_close (f->reply);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_ADDRESS);
}

static void
test_closed_before_head (TestExchange *f, gconstpointer data)
{
  fake_reply_close (f->reply);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_REFUSED);
}

typedef struct
{
  GSocketListener *listener;
  GCancellable *end;
  gint n_requests; /* atomic */
} Hasty;

/* Reads the head, says no, and closes: what it has not read makes that a reset. */
static gpointer
refuse_heads (gpointer data)
{
  static const char answer[] = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n";
  Hasty *hasty = data;

  while (TRUE)
    {
      g_autoptr (GSocketConnection) connection =
          g_socket_listener_accept (hasty->listener, NULL, hasty->end, NULL);
      char bytes[512];

      if (connection == NULL)
        return NULL;
      g_atomic_int_inc (&hasty->n_requests);
      g_input_stream_read (g_io_stream_get_input_stream (G_IO_STREAM (connection)), bytes,
                           sizeof bytes, NULL, NULL);
      g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), answer,
                                 sizeof answer - 1, NULL, NULL, NULL);
      g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
    }
}

/* Said to be what it is, and not a connection that could not be had. */
static void
test_unsent (TestExchange *f, gconstpointer data)
{
  const gsize size = 64 * 1024 * 1024;
  Hasty hasty = { g_socket_listener_new (), g_cancellable_new (), 0 };
  g_autoptr (GError) error = NULL;
  const guint16 port = g_socket_listener_add_any_inet_port (hasty.listener, NULL, NULL);
  GThread *thread = g_thread_new ("hasty", refuse_heads, &hasty);

  g_free (f->request->url);
  f->request->url = g_strdup_printf ("http://127.0.0.1:%u/", port);
  g_set_str (&f->request->method, "POST");
  g_clear_pointer (&f->request->body, g_bytes_unref);
  f->request->body = g_bytes_new_take (g_malloc0 (size), size);
  test_exchange_start (f);
  g_assert_false (test_exchange_finish (f, &error));
  g_assert_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_UNSENT);
  g_assert_nonnull (strstr (error->message, "64.0"));
  g_assert_cmpint (g_atomic_int_get (&hasty.n_requests), ==, 1);
  gadget_provider_adopt_error (error);
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED);

  g_cancellable_cancel (hasty.end);
  g_thread_join (thread);
  g_object_unref (hasty.end);
  g_object_unref (hasty.listener);
}

/* Answers one request and keeps the connection; resets it after the head of the next request. */
static gpointer
keep_and_reset (gpointer data)
{
  static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  Hasty *hasty = data;
  g_autoptr (GSocketConnection) connection =
      g_socket_listener_accept (hasty->listener, NULL, hasty->end, NULL);
  GInputStream *in = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  GString *request = g_string_new (NULL);
  char bytes[512];

  while (!g_str_has_suffix (request->str, "\r\n\r\n{}"))
    g_string_append_len (request, bytes, g_input_stream_read (in, bytes, sizeof bytes, NULL, NULL));
  g_string_free (request, TRUE);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), answer,
                             sizeof answer - 1, NULL, NULL, NULL);
  g_atomic_int_set (&hasty->n_requests,
                    1 + (g_input_stream_read (in, bytes, sizeof bytes, NULL, NULL) > 0));
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
  return NULL;
}

/* A server may close a kept connection at any time, whatever the size of the next request. */
static void
test_kept_connection_reset (TestExchange *f, gconstpointer data)
{
  const gsize size = 8 * 1024 * 1024;
  Hasty hasty = { g_socket_listener_new (), g_cancellable_new (), 0 };
  g_autoptr (GError) error = NULL;
  const guint16 port = g_socket_listener_add_any_inet_port (hasty.listener, NULL, NULL);
  GThread *thread = g_thread_new ("keep-and-reset", keep_and_reset, &hasty);

  g_free (f->request->url);
  f->request->url = g_strdup_printf ("http://127.0.0.1:%u/", port);
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_clear_pointer (&f->request->body, g_bytes_unref);
  f->request->body = g_bytes_new_take (g_malloc0 (size), size);
  test_exchange_start (f);
  g_assert_false (test_exchange_finish (f, &error));
  g_thread_join (thread);
  g_assert_cmpint (hasty.n_requests, ==, 2);
  g_assert_error (error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_REFUSED);
  gadget_provider_adopt_error (error);
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_UNREACHABLE);

  g_object_unref (hasty.end);
  g_object_unref (hasty.listener);
}

/* After a change of the network no kept connection is used until they have all been dropped. */
static void
test_kept_connection_suspected (TestExchange *f, gconstpointer data)
{
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (G_TIME_SPAN_SECOND);

  g_clear_object (&f->http);
  f->http = gadget_http_new (clock);
  fake_reply_body (f->reply, 200, "text/plain", "one", NULL);
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  gadget_http_suspect_connections (f->http);
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 2);

  gadget_clock_advance (clock, 31 * G_TIME_SPAN_SECOND);
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 2);
}

static void
test_cut (TestExchange *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "half");
  if (data != NULL)
    fake_reply_rst (f->reply);
  else
    fake_reply_close (f->reply);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_CUT);
}

/* --- A dead connection ------------------------------------------------------------------------ */

static void
test_retry_after (void)
{
  gint64 now_ms = G_GINT64_CONSTANT (784111770000); /* 1994-11-06 08:49:30 UTC */

  g_assert_cmpint (gadget_http_parse_retry_after (NULL, now_ms), ==, -1);
  g_assert_cmpint (gadget_http_parse_retry_after ("", now_ms), ==, -1);
  g_assert_cmpint (gadget_http_parse_retry_after ("soon", now_ms), ==, -1);
  g_assert_cmpint (gadget_http_parse_retry_after ("-1", now_ms), ==, -1);
  g_assert_cmpint (gadget_http_parse_retry_after ("0", now_ms), ==, 0);
  g_assert_cmpint (gadget_http_parse_retry_after ("120", now_ms), ==, 120000);
  g_assert_cmpint (gadget_http_parse_retry_after ("Sun, 06 Nov 1994 08:49:37 GMT", now_ms), ==,
                   7000);
  g_assert_cmpint (gadget_http_parse_retry_after ("Sun, 06 Nov 1994 08:49:00 GMT", now_ms), ==, 0);
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/http-stream/" path, TestExchange, data, test_exchange_set_up, func,         \
              test_exchange_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* A proxy where nobody answers: all of this shows that this machine is not reached through it. */
  g_setenv ("http_proxy", "http://127.0.0.1:1", TRUE);
  g_setenv ("https_proxy", "http://127.0.0.1:1", TRUE);
  ADD ("whole", NULL, test_whole);
  ADD ("enough", NULL, test_enough);
  ADD ("refusal", NULL, test_refusal);
  ADD ("empty-refusal", NULL, test_empty_refusal);
  ADD ("compressed/gzip", "gzip", test_compressed);
  ADD ("compressed/zstd", "zstd", test_compressed);
  ADD ("compressed/refusal", NULL, test_compressed_refusal);
  ADD ("compressed/identity", NULL, test_not_compressed);
  ADD ("redirect", NULL, test_redirect);
  ADD ("refused-connection", NULL, test_refused_connection);
  ADD ("not-http", NULL, test_not_http);
  ADD ("closed-before-head", NULL, test_closed_before_head);
  ADD ("unsent", NULL, test_unsent);
  ADD ("kept-connection/reset", NULL, test_kept_connection_reset);
  ADD ("kept-connection/suspected", NULL, test_kept_connection_suspected);
  ADD ("cut-by-fin", NULL, test_cut);
  ADD ("cut-by-rst", "rst", test_cut);
  g_test_add_func ("/engine/http-stream/retry-after", test_retry_after);
  return g_test_run ();
}
