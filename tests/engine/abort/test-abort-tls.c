/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Aborts of an exchange over TLS, seen from a server that really speaks it: case T3, and the same
 * moments as over plain HTTP. An end may be orderly (close_notify, FIN) or a reset, when the client
 * leaves bytes unread; what counts is that it comes at once. */

#include "config.h"

#include "test-exchange.h"
#include "test-process.h"
#include "test-wait.h"

#include <string.h>

#define SOON_MS TEST_EXCHANGE_SOON_MS

static void
set_up (TestExchange *f, gconstpointer kind)
{
  fake_tls_set_trusted (TRUE);
  test_exchange_set_up (f, NULL);
  test_exchange_use (f, (FakeServerKind) GPOINTER_TO_INT (kind));
}

static void
tear_down (TestExchange *f, gconstpointer kind)
{
  test_exchange_tear_down (f, kind);
  fake_tls_set_trusted (FALSE);
}

static void
flow (TestExchange *f, double per_second)
{
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_repeat (f->reply, "some text ", 1000000, per_second);
}

static void
test_whole (TestExchange *f, gconstpointer kind)
{
  const FakeRequest *request;
  g_autoptr (GError) error = NULL;

  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "one ");
  fake_reply_chunk (f->reply, "two");
  fake_reply_end (f->reply);
  for (guint i = 0; i < 2; i++)
    {
      test_exchange_start (f);
      test_exchange_finish (f, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpstr (f->body->str, ==, "one twoone two");
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 1);
  /* T13: the server would have preferred h2. */
  request = fake_server_get_request (f->server, 0);
  g_assert_nonnull (strstr (request->head, " HTTP/1.1\r\n"));
}

/* The trust of these tests is theirs alone: without it the same server is refused. */
static void
test_untrusted (TestExchange *f, gconstpointer kind)
{
  fake_tls_set_trusted (FALSE);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_TLS);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 0);
}

static gboolean
has_greeting (gpointer user_data)
{
  g_autoptr (GBytes) rest = fake_server_dup_rest (user_data);

  return g_bytes_get_size (rest) > 100;
}

/* No word of the handshake, or half of it, and then nothing. */
static void
test_abort_in_handshake (TestExchange *f, gconstpointer kind)
{
  test_exchange_start (f);
  g_assert_true (test_wait_until (has_greeting, f->server, SOON_MS));
  test_run_for (50);
  g_assert_null (f->result);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
test_deadline_in_handshake (TestExchange *f, gconstpointer kind)
{
  GadgetHttpLimits limits = *gadget_http_get_limits (f->http);
  const gint64 began = g_get_monotonic_time ();

  limits.connect_ms = 100;
  gadget_http_set_limits (f->http, &limits);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_TIMEOUT);
  g_assert_cmpint (g_get_monotonic_time () - began, >=, 100 * 1000);
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, SOON_MS));
}

static void
test_abort_before_head (TestExchange *f, gconstpointer kind)
{
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_request, f->server, SOON_MS));
  test_run_for (20);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
test_abort_in_stall (TestExchange *f, gconstpointer kind)
{
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "some text");
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, SOON_MS));
  test_run_for (20);
  test_exchange_assert_ended (f, test_exchange_abort (f));
  g_assert_cmpstr (f->body->str, ==, "some text");
  /* Nothing was left unread: the end is an orderly one. */
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_RST), ==, 0);
}

static void
test_abort_mid_body (TestExchange *f, gconstpointer kind)
{
  flow (f, 20);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, SOON_MS));
  test_run_for (100);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
test_abort_in_flood (TestExchange *f, gconstpointer kind)
{
  flow (f, 2000);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, SOON_MS));
  test_run_for (100);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

/* A server that sends faster than the client reads, so that its own buffers are full: saying
 * good-bye in TLS must not wait for room. */
static void
test_abort_in_torrent (TestExchange *f, gconstpointer kind)
{
  g_autofree char *piece = g_strnfill (16000, 'x');

  fake_reply_head (f->reply, 200, "text/plain", "Content-Length: 1600000000\r\n");
  fake_reply_repeat (f->reply, piece, 100000, 0);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, SOON_MS));
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

/* R2: at any moment of a connection, which takes some 5 ms to be set up. */
static void
test_abort_anywhere (TestExchange *f, gconstpointer kind)
{
  guint n_fds = 0;

  flow (f, 1000);
  for (guint i = 0; i < 200; i++)
    {
      const gint64 until = g_get_monotonic_time () + g_test_rand_int_range (0, 12000);

      if (i == 20)
        n_fds = test_count_fds ();
      g_clear_object (&f->cancellable);
      f->cancellable = g_cancellable_new ();
      test_exchange_start (f);
      while (f->result == NULL && g_get_monotonic_time () < until)
        g_main_context_iteration (NULL, FALSE);
      g_cancellable_cancel (f->cancellable);
      test_exchange_finish (f, NULL);
      g_assert_cmpuint (f->n_calls_after_abort, ==, 0);
      g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 0);
      g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, SOON_MS));
    }
  test_run_for (20);
  g_assert_cmpuint (test_count_fds (), <=, n_fds + 4);
}

#define ADD(path, kind, func)                                                                      \
  g_test_add ("/abort/" path, TestExchange, GINT_TO_POINTER (kind), set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("T13-tls-http1-though-h2-is-there", FAKE_SERVER_TLS, test_whole);
  ADD ("T3-tls-untrusted", FAKE_SERVER_TLS, test_untrusted);
  ADD ("T3-tls-no-server-hello", FAKE_SERVER_TLS_MUTE, test_abort_in_handshake);
  ADD ("T3-tls-half-a-handshake", FAKE_SERVER_TLS_HALF, test_abort_in_handshake);
  ADD ("T3-tls-deadline-no-server-hello", FAKE_SERVER_TLS_MUTE, test_deadline_in_handshake);
  ADD ("T3-tls-deadline-half-a-handshake", FAKE_SERVER_TLS_HALF, test_deadline_in_handshake);
  ADD ("T6-tls-before-headers", FAKE_SERVER_TLS, test_abort_before_head);
  ADD ("T1-tls-stall", FAKE_SERVER_TLS, test_abort_in_stall);
  ADD ("T1-tls-mid-body", FAKE_SERVER_TLS, test_abort_mid_body);
  ADD ("T1-tls-2000-chunks-a-second", FAKE_SERVER_TLS, test_abort_in_flood);
  ADD ("T9-tls-unread", FAKE_SERVER_TLS, test_abort_in_torrent);
  ADD ("R2-tls-anywhere", FAKE_SERVER_TLS, test_abort_anywhere);
  return g_test_run ();
}
