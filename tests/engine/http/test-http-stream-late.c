/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exchanges that take too long, and connections that went dead. */

#include "config.h"

#include "test-exchange.h"
#include "test-wait.h"

#include <string.h>

/* --- Time limits ----------------------------------------------------------------------------- */

static void
set_short_limits (TestExchange *f)
{
  GadgetHttpLimits limits = *gadget_http_get_limits (f->http);

  limits.connect_ms = limits.first_byte_ms = limits.idle_ms = limits.refusal_ms = 100;
  gadget_http_set_limits (f->http, &limits);
}

static void
test_late_connect (TestExchange *f, gconstpointer data)
{
  set_short_limits (f);
  test_exchange_use (f, FAKE_SERVER_DEAF);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_TIMEOUT);
}

static void
test_late_handshake (TestExchange *f, gconstpointer data)
{
  set_short_limits (f);
  test_exchange_use (f, FAKE_SERVER_TLS_MUTE);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_TIMEOUT);
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
}

static void
test_late_head (TestExchange *f, gconstpointer data)
{
  set_short_limits (f);
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_TIMEOUT);
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
}

static void
test_late_body (TestExchange *f, gconstpointer data)
{
  set_short_limits (f);
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  /* Slower than the limit as a whole, but never idle for that long. */
  fake_reply_repeat (f->reply, "x", 10, 50);
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  test_exchange_assert_finish (f, GADGET_HTTP_ERROR_CUT);
  g_assert_cmpstr (f->body->str, ==, "xxxxxxxxxx");
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
}

static void
test_late_refusal (TestExchange *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_autofree char *expected = g_strdup_printf ("%u broken", GPOINTER_TO_UINT (data));

  set_short_limits (f);
  fake_reply_head (f->reply, GPOINTER_TO_UINT (data), "text/plain",
                   "WWW-Authenticate: Basic realm=\"x\"\r\n");
  fake_reply_chunk (f->reply, "broken");
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_false (test_exchange_finish (f, &error));
  g_assert_cmpstr (error->message, ==, expected);
}

/* A body without an end is not read to its end. */
static void
test_endless_refusal (TestExchange *f, gconstpointer data)
{
  g_autofree char *piece = g_strnfill (10000, 'x');
  g_autoptr (GError) error = NULL;

  fake_reply_head (f->reply, 401, "text/plain", NULL);
  fake_reply_repeat (f->reply, piece, 1000000, 0);
  test_exchange_start (f);
  g_assert_false (test_exchange_finish (f, &error));
  g_assert_cmpuint (strlen (error->message), ==, 4 + 64 * 1024);
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
}

/* --- A dead connection ------------------------------------------------------------------------ */

#define SECOND_US G_USEC_PER_SEC

/* Nobody sees a connection die on which nothing is to be sent. The clock is the test's. */
static void
test_quiet (TestExchange *f, gconstpointer data)
{
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (SECOND_US);

  g_clear_object (&f->http);
  f->http = gadget_http_new (clock);
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "one ");
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, TEST_EXCHANGE_SOON_MS));
  gadget_clock_advance (clock, 19 * SECOND_US);
  g_assert_cmpint (gadget_receipt_get_quiet_since (f->receipt), ==, 0);
  gadget_clock_advance (clock, 1 * SECOND_US);
  g_assert_cmpint (gadget_receipt_get_quiet_since (f->receipt), ==, SECOND_US);
  g_cancellable_cancel (f->cancellable);
  g_assert_false (test_exchange_finish (f, NULL));
  g_assert_cmpint (gadget_receipt_get_quiet_since (f->receipt), ==, 0);
}

static gboolean
is_not_quiet (gpointer user_data)
{
  return gadget_receipt_get_quiet_since (user_data) == 0;
}

/* After the computer slept, or on another network, it is said sooner. What comes takes it back. */
static void
test_suspected (TestExchange *f, gconstpointer data)
{
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (SECOND_US);

  g_clear_object (&f->http);
  f->http = gadget_http_new (clock);
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "one ");
  fake_reply_delay (f->reply, 500);
  fake_reply_chunk (f->reply, "two ");
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, TEST_EXCHANGE_SOON_MS));
  gadget_http_suspect_connections (f->http);
  gadget_clock_advance (clock, 9 * SECOND_US);
  gadget_http_suspect_connections (f->http);
  gadget_clock_advance (clock, 10 * SECOND_US);
  g_assert_cmpint (gadget_receipt_get_quiet_since (f->receipt), ==, SECOND_US);
  g_assert_true (test_wait_until (is_not_quiet, f->receipt, TEST_EXCHANGE_SOON_MS));
  g_assert_cmpstr (f->body->str, ==, "one two ");
  gadget_clock_advance (clock, 19 * SECOND_US);
  g_assert_cmpint (gadget_receipt_get_quiet_since (f->receipt), ==, 0);
  gadget_clock_advance (clock, 1 * SECOND_US);
  g_assert_cmpint (gadget_receipt_get_quiet_since (f->receipt), ==, 20 * SECOND_US);
  g_cancellable_cancel (f->cancellable);
  g_assert_false (test_exchange_finish (f, NULL));
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
  ADD ("late-connect", NULL, test_late_connect);
  ADD ("late-handshake", NULL, test_late_handshake);
  ADD ("late-head", NULL, test_late_head);
  ADD ("late-body", NULL, test_late_body);
  ADD ("late-refusal/401", GUINT_TO_POINTER (401), test_late_refusal);
  ADD ("late-refusal/407", GUINT_TO_POINTER (407), test_late_refusal);
  ADD ("late-refusal/500", GUINT_TO_POINTER (500), test_late_refusal);
  ADD ("endless-refusal", NULL, test_endless_refusal);
  ADD ("quiet", NULL, test_quiet);
  ADD ("suspected", NULL, test_suspected);
  return g_test_run ();
}
