/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bench-abort-floor.h"

#include "test-wait.h"

#include <libsoup/soup.h>

#define SOON_MS 10000

/* --- Waiting --------------------------------------------------------------------------------- */

typedef struct
{
  FakeServer *server;
  guint n; /* connections, or the number of one */
} Wait;

static gboolean
has_connection (gpointer user_data)
{
  const Wait *wait = user_data;

  return fake_server_count (wait->server, FAKE_EVENT_ACCEPT) > wait->n;
}

static gboolean
has_ended (gpointer user_data)
{
  const Wait *wait = user_data;

  return fake_server_get_end_time (wait->server, wait->n) != 0;
}

double
bench_await_end (FakeServer *server, gint64 began_us)
{
  Wait wait = { server, fake_server_count (server, FAKE_EVENT_ACCEPT) - 1 };

  g_assert_true (test_wait_until (has_ended, &wait, SOON_MS));
  return (double) (fake_server_get_end_time (server, wait.n) - began_us) / 1000;
}

/* --- libsoup --------------------------------------------------------------------------------- */

typedef struct
{
  GInputStream *body;
  GCancellable *cancellable;
  char buffer[32768];
  gboolean closed;
} Soup;

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Soup *soup = user_data;

  g_input_stream_close_finish (G_INPUT_STREAM (source), result, NULL);
  g_clear_object (&soup->body);
  soup->closed = TRUE;
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Soup *soup = user_data;
  GInputStream *body = G_INPUT_STREAM (source);

  if (g_input_stream_read_finish (body, result, NULL) > 0)
    g_input_stream_read_async (body, soup->buffer, sizeof soup->buffer, G_PRIORITY_DEFAULT,
                               soup->cancellable, read_cb, soup);
  else
    g_input_stream_close_async (body, G_PRIORITY_DEFAULT, NULL, closed_cb, soup);
}

static void
sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Soup *soup = user_data;

  soup->body = soup_session_send_finish (SOUP_SESSION (source), result, NULL);
  if (soup->body == NULL)
    soup->closed = TRUE;
  else
    g_input_stream_read_async (soup->body, soup->buffer, sizeof soup->buffer, G_PRIORITY_DEFAULT,
                               soup->cancellable, read_cb, soup);
}

static gboolean
is_closed (gpointer user_data)
{
  return ((Soup *) user_data)->closed;
}

double
bench_floor_libsoup (FakeServer *server, guint wait_ms)
{
  static SoupSession *session;
  g_autofree char *url = fake_server_dup_url (server, "/v1/chat/completions");
  g_autoptr (SoupMessage) message = soup_message_new ("POST", url);
  g_autoptr (GBytes) body = g_bytes_new_static ("{}", 2);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree Soup *soup = g_new0 (Soup, 1);
  Wait wait = { server, fake_server_count (server, FAKE_EVENT_ACCEPT) };
  gint64 began_us;
  double ms;

  if (session == NULL)
    session = soup_session_new_with_options ("timeout", 0, "proxy-resolver", NULL, NULL);
  soup->cancellable = cancellable;
  soup_message_set_force_http1 (message, TRUE);
  soup_message_set_request_body_from_bytes (message, "application/json", body);
  soup_session_send_async (session, message, G_PRIORITY_DEFAULT, cancellable, sent_cb, soup);
  g_assert_true (test_wait_until (has_connection, &wait, SOON_MS));
  test_run_for (wait_ms);
  began_us = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  ms = bench_await_end (server, began_us);
  g_assert_true (test_wait_until (is_closed, soup, SOON_MS));
  return ms;
}

/* --- A socket -------------------------------------------------------------------------------- */

double
bench_floor_gsocket (FakeServer *server, guint wait_ms)
{
  static const char request[] = "POST /v1/chat/completions HTTP/1.1\r\nHost: fake\r\n"
                                "Content-Length: 2\r\n\r\n{}";
  g_autoptr (GSocket) socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);
  g_autoptr (GSocketAddress) address =
      g_inet_socket_address_new_from_string ("127.0.0.1", fake_server_get_port (server));
  Wait wait = { server, fake_server_count (server, FAKE_EVENT_ACCEPT) };
  gint64 began_us;

  g_assert_true (g_socket_connect (socket, address, NULL, NULL));
  g_assert_cmpint (g_socket_send (socket, request, sizeof request - 1, NULL, NULL), >, 0);
  g_assert_true (test_wait_until (has_connection, &wait, SOON_MS));
  test_run_for (wait_ms);
  began_us = g_get_monotonic_time ();
  g_socket_close (socket, NULL);
  return bench_await_end (server, began_us);
}
