/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the abort to the server seeing the connection end, one row of JSON a case. Three clients
 * take turns against one server: the provider as the agent uses it, bare libsoup closed the same
 * way (cancel, the read returns, close, drop), and a bare socket that is closed. */

#include "config.h"

#include "fake-server.h"
#include "test-wait.h"

#include "providers/gadget-http-provider.h"
#include "providers/gadget-openai-chat.h"

#include <libsoup/soup.h>

#include <stdio.h>

#define N 60
#define SOON_MS 10000
#define MARGIN_MS 1.0
#define P95_LIMIT_MS 5.0

typedef struct
{
  const char *name;
  double per_second; /* 0 for a server that says nothing at all */
} Case;

static const Case cases[] = {
  { "before-head", 0 },
  { "mid-text-20", 20 },
  { "mid-text-200", 200 },
  { "mid-text-2000", 2000 },
};

typedef struct
{
  FakeServer *server;
  char *url;
  GadgetHttp *http;
  GadgetProvider *provider;
  GadgetRequest *request;
  SoupSession *session;
  guint n_connections;
} Bench;

static int
compare (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a;
  double second = *(const double *) b;

  return first < second ? -1 : first > second;
}

/* --- Waiting --------------------------------------------------------------------------------- */

typedef struct
{
  Bench *bench;
  guint connection;
} Wait;

static gboolean
has_request (gpointer user_data)
{
  const Wait *wait = user_data;

  return fake_server_count (wait->bench->server, FAKE_EVENT_REQUEST) > wait->connection;
}

static gboolean
has_ended (gpointer user_data)
{
  const Wait *wait = user_data;

  return fake_server_get_end_time (wait->bench->server, wait->connection) != 0;
}

/* Runs until the answer flows, and then for a time that is different at each turn. */
static void
run_into_the_middle (Bench *bench, guint turn)
{
  Wait wait = { bench, bench->n_connections };

  g_assert_true (test_wait_until (has_request, &wait, SOON_MS));
  test_run_for (60 + turn * 7 % 50);
}

static double
await_end (Bench *bench, gint64 began_us)
{
  Wait wait = { bench, bench->n_connections++ };

  g_assert_true (test_wait_until (has_ended, &wait, SOON_MS));
  return (double) (fake_server_get_end_time (bench->server, wait.connection) - began_us) / 1000;
}

/* --- The three clients ----------------------------------------------------------------------- */

static void
ignore (const GadgetChatEvent *event, gpointer user_data)
{
}

static double
measure_provider (Bench *bench, guint turn)
{
  g_autoptr (GadgetReceipt) receipt = gadget_receipt_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  gint64 began_us;
  double ms;

  gadget_provider_chat_async (bench->provider, bench->request, ignore, NULL, receipt, cancellable,
                              test_result_cb, &result);
  run_into_the_middle (bench, turn);
  began_us = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  ms = await_end (bench, began_us);
  g_assert_true (test_wait_result (&result, SOON_MS));
  return ms;
}

typedef struct
{
  GInputStream *body;
  GCancellable *cancellable;
  char buffer[32768];
  gboolean closed;
} Soup;

static void
soup_closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Soup *soup = user_data;

  g_input_stream_close_finish (G_INPUT_STREAM (source), result, NULL);
  g_clear_object (&soup->body);
  soup->closed = TRUE;
}

static void
soup_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Soup *soup = user_data;
  GInputStream *body = G_INPUT_STREAM (source);

  if (g_input_stream_read_finish (body, result, NULL) > 0)
    g_input_stream_read_async (body, soup->buffer, sizeof soup->buffer, G_PRIORITY_DEFAULT,
                               soup->cancellable, soup_read_cb, soup);
  else
    g_input_stream_close_async (body, G_PRIORITY_DEFAULT, NULL, soup_closed_cb, soup);
}

static void
soup_sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Soup *soup = user_data;

  soup->body = soup_session_send_finish (SOUP_SESSION (source), result, NULL);
  if (soup->body == NULL)
    soup->closed = TRUE;
  else
    g_input_stream_read_async (soup->body, soup->buffer, sizeof soup->buffer, G_PRIORITY_DEFAULT,
                               soup->cancellable, soup_read_cb, soup);
}

static gboolean
soup_is_closed (gpointer user_data)
{
  return ((Soup *) user_data)->closed;
}

static double
measure_soup (Bench *bench, guint turn)
{
  g_autofree char *url = g_strconcat (bench->url, "/chat/completions", NULL);
  g_autoptr (SoupMessage) message = soup_message_new ("POST", url);
  g_autoptr (GBytes) body = g_bytes_new_static ("{}", 2);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree Soup *soup = g_new0 (Soup, 1);
  gint64 began_us;
  double ms;

  soup->cancellable = cancellable;
  soup_message_set_force_http1 (message, TRUE);
  soup_message_set_request_body_from_bytes (message, "application/json", body);
  soup_session_send_async (bench->session, message, G_PRIORITY_DEFAULT, cancellable, soup_sent_cb,
                           soup);
  run_into_the_middle (bench, turn);
  began_us = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  ms = await_end (bench, began_us);
  g_assert_true (test_wait_until (soup_is_closed, soup, SOON_MS));
  return ms;
}

static double
measure_socket (Bench *bench, guint turn)
{
  static const char request[] = "POST /v1/chat/completions HTTP/1.1\r\nHost: fake\r\n"
                                "Content-Length: 2\r\n\r\n{}";
  g_autoptr (GSocket) socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);
  g_autoptr (GSocketAddress) address =
      g_inet_socket_address_new_from_string ("127.0.0.1", fake_server_get_port (bench->server));
  gint64 began_us;

  g_assert_true (g_socket_connect (socket, address, NULL, NULL));
  g_assert_cmpint (g_socket_send (socket, request, sizeof request - 1, NULL, NULL), >, 0);
  run_into_the_middle (bench, turn);
  began_us = g_get_monotonic_time ();
  g_socket_close (socket, NULL);
  return await_end (bench, began_us);
}

/* --- Rows ------------------------------------------------------------------------------------ */

static gboolean
print_row (const char *client, const Case *self, double *times, double floor)
{
  gboolean ok = TRUE;

  qsort (times, N, sizeof *times, compare);
  printf ("{\"bench\":\"abort\",\"case\":\"%s/%s\",\"metric\":\"close_ms\",\"n\":%d,"
          "\"median\":%.3f,\"p95\":%.3f,\"worst\":%.3f,",
          client, self->name, N, times[N / 2], times[N * 95 / 100], times[N - 1]);
  if (floor < 0)
    {
      printf ("\"floor\":null,\"ratio\":null,\"limit\":\"none, for comparison\",\"ok\":true}\n");
    }
  else
    {
      ok = times[N / 2] <= floor + MARGIN_MS && times[N * 95 / 100] <= P95_LIMIT_MS;
      printf ("\"floor\":%.3f,\"ratio\":%.2f,\"limit\":\"median <= floor (bare libsoup) + %.0f ms, "
              "p95 <= %.0f ms\",\"ok\":%s}\n",
              floor, times[N / 2] / MAX (floor, 0.001), MARGIN_MS, P95_LIMIT_MS,
              ok ? "true" : "false");
    }
  fflush (stdout);
  return ok;
}

static gboolean
run_case (const Case *self)
{
  Bench bench = { .server = fake_server_new () };
  FakeReply *reply = fake_server_add_reply (bench.server);
  g_autoptr (GadgetProviderConfig) config = NULL;
  double provider[N];
  double soup[N];
  double socket[N];
  double floor;
  gboolean ok;

  if (self->per_second > 0)
    {
      fake_reply_chat_begin (reply);
      fake_reply_chat_flow (reply, "word ", 1000000, self->per_second);
    }
  else
    fake_reply_stall (reply);
  bench.url = fake_server_dup_url (bench.server, "/v1");
  config = gadget_provider_config_new ("fake", "Fake", GADGET_PROVIDER_KIND_OPENAI_CHAT, bench.url,
                                       "fake-model");
  bench.http = gadget_http_new (NULL);
  bench.provider = gadget_http_provider_new (&gadget_openai_chat_dialect, config, bench.http, NULL);
  bench.request = gadget_request_new ();
  gadget_request_add_message (bench.request, GADGET_ROLE_USER, "Hi");
  bench.session = soup_session_new_with_options ("timeout", 0, "proxy-resolver", NULL, NULL);

  for (guint i = 0; i < N; i++)
    {
      provider[i] = measure_provider (&bench, i);
      soup[i] = measure_soup (&bench, i);
      socket[i] = measure_socket (&bench, i);
    }
  qsort (soup, N, sizeof *soup, compare);
  floor = soup[N / 2];
  ok = print_row ("openai-chat", self, provider, floor);
  print_row ("bare-libsoup", self, soup, -1);
  print_row ("bare-gsocket", self, socket, -1);

  g_object_unref (bench.provider);
  g_object_unref (bench.http);
  g_object_unref (bench.session);
  gadget_request_unref (bench.request);
  fake_server_free (bench.server);
  g_free (bench.url);
  return ok;
}

int
main (void)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ok &= run_case (&cases[i]);
  return ok ? 0 : 1;
}
