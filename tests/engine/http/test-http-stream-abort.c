/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An abort at each moment of an exchange, seen from the server. The times asserted are wide:
 * tests/bench measures. */

#include "config.h"

#include "test-exchange.h"
#include "test-process.h"
#include "test-wait.h"

#include "http/gadget-http-stream.h"

#include <string.h>

/* --- Aborts ---------------------------------------------------------------------------------- */

static void
test_abort_before (TestExchange *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (f->cancellable);
  test_exchange_start (f);
  g_assert_null (f->result);
  g_assert_false (test_exchange_finish (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_run_for (50);
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 0);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 0);
}

/* In the same iteration as the start. */
static void
test_abort_at_once (TestExchange *f, gconstpointer data)
{
  test_exchange_start (f);
  test_exchange_abort (f);
  test_run_for (50);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 0);
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==,
                    fake_server_count_ends (f->server));
}

static void
test_abort_in_connect (TestExchange *f, gconstpointer data)
{
  test_exchange_use (f, FAKE_SERVER_DEAF);
  test_exchange_start (f);
  test_run_for (50);
  g_assert_null (f->result);
  test_exchange_abort (f);
}

static void
test_abort_in_handshake (TestExchange *f, gconstpointer data)
{
  test_exchange_use (f, FAKE_SERVER_TLS_MUTE);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_accepted, f->server, TEST_EXCHANGE_SOON_MS));
  test_run_for (20);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static gboolean
contains (GBytes *bytes, const char *text)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return memmem (data, size, text, strlen (text)) != NULL;
}

static gboolean
has_greeting (gpointer user_data)
{
  g_autoptr (GBytes) rest = fake_server_dup_rest (user_data);

  return g_bytes_get_size (rest) > 100;
}

/* The client's greeting names the protocols that it speaks (ALPN, RFC 7301). Were h2 among them, a
 * close would be no real close. */
static void
test_no_h2 (TestExchange *f, gconstpointer data)
{
  g_autoptr (GBytes) greeting = NULL;

  test_exchange_use (f, FAKE_SERVER_TLS_MUTE);
  test_exchange_start (f);
  g_assert_true (test_wait_until (has_greeting, f->server, TEST_EXCHANGE_SOON_MS));
  test_run_for (20);
  greeting = fake_server_dup_rest (f->server);
  g_assert_true (contains (greeting, "\x08http/1.1"));
  g_assert_false (contains (greeting, "\x02h2"));
  test_exchange_abort (f);
}

static void
test_abort_before_head (TestExchange *f, gconstpointer data)
{
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_request, f->server, TEST_EXCHANGE_SOON_MS));
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
test_abort_after_head (TestExchange *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_request, f->server, TEST_EXCHANGE_SOON_MS));
  test_run_for (20);
  g_assert_cmpuint (f->n_heads, ==, 1);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
test_abort_mid_body (TestExchange *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_repeat (f->reply, "some text ", 1000000, GPOINTER_TO_INT (data));
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, TEST_EXCHANGE_SOON_MS));
  test_run_for (100);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
test_abort_in_stall (TestExchange *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "some text");
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, TEST_EXCHANGE_SOON_MS));
  test_run_for (20);
  test_exchange_assert_ended (f, test_exchange_abort (f));
  g_assert_cmpstr (f->body->str, ==, "some text");
}

/* A body of a known length of which little came: closing must not wait for the rest (nor read it).
 */
static void
test_abort_large (TestExchange *f, gconstpointer data)
{
  g_autofree char *piece = g_strnfill (10000, 'x');

  fake_reply_head (f->reply, 200, "text/plain", "Content-Length: 1000000000\r\n");
  fake_reply_repeat (f->reply, piece, 100000, 100);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, TEST_EXCHANGE_SOON_MS));
  test_exchange_assert_ended (f, test_exchange_abort (f));
  g_assert_cmpuint (fake_server_get_n_sent (f->server), <, 2000000);
}

static void
test_abort_in_refusal (TestExchange *f, gconstpointer data)
{
  fake_reply_head (f->reply, 500, "text/plain", NULL);
  fake_reply_chunk (f->reply, "it is ");
  fake_reply_stall (f->reply);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_request, f->server, TEST_EXCHANGE_SOON_MS));
  test_run_for (20);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static gboolean
has_last (gpointer user_data)
{
  return g_str_has_suffix (((TestExchange *) user_data)->body->str, "[DONE]");
}

/* The answer is complete, its body is not. */
static void
test_abort_at_last_byte (TestExchange *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_chunk (f->reply, "all[DONE]");
  fake_reply_stall (f->reply);
  f->enough = "[DONE]";
  test_exchange_start (f);
  g_assert_true (test_wait_until (has_last, f, TEST_EXCHANGE_SOON_MS));
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
test_abort_after (TestExchange *f, gconstpointer data)
{
  fake_reply_body (f->reply, 200, "text/plain", "all", NULL);
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_cancellable_cancel (f->cancellable);
  test_run_for (20);
  g_assert_cmpuint (f->n_calls_after_abort, ==, 0);

  /* Nothing of the pool was harmed. */
  g_clear_object (&f->cancellable);
  f->cancellable = g_cancellable_new ();
  test_exchange_start (f);
  g_assert_true (test_exchange_finish (f, NULL));
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 1);
}

static gboolean
hold_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  g_ptr_array_add (user_data, g_object_ref (g_value_get_object (values)));
  return TRUE;
}

/* Somebody else holds what libsoup made for the exchange: the connection still ends. */
static void
test_abort_while_held (TestExchange *f, gconstpointer data)
{
  g_autoptr (GPtrArray) held = g_ptr_array_new_with_free_func (g_object_unref);
  GType type = g_type_from_name ("SoupMessage");
  guint signal = g_signal_lookup ("got-headers", type);
  gulong hook = g_signal_add_emission_hook (signal, 0, hold_cb, held, NULL);

  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_repeat (f->reply, "some text ", 100000, 200);
  test_exchange_start (f);
  g_assert_true (test_wait_until (test_exchange_has_body, f, TEST_EXCHANGE_SOON_MS));
  g_signal_remove_emission_hook (signal, hook);
  g_assert_cmpuint (held->len, ==, 1);
  test_exchange_assert_ended (f, test_exchange_abort (f));
}

static void
abort_one (TestExchange *f, guint after_ms)
{
  g_clear_object (&f->cancellable);
  f->cancellable = g_cancellable_new ();
  g_string_truncate (f->body, 0);
  test_exchange_start (f);
  test_run_for (after_ms);
  g_cancellable_cancel (f->cancellable);
  g_assert_false (test_exchange_finish (f, NULL));
  g_assert_cmpuint (f->n_calls_after_abort, ==, 0);
}

typedef struct
{
  guint fds;
  guint threads;
} Counts;

/* GIO asks the system for a proxy in a pool of threads, which keeps idle ones for a while. */
static gboolean
is_at_baseline (gpointer user_data)
{
  const Counts *before = user_data;

  g_thread_pool_stop_unused_threads ();
  return test_count_fds () <= before->fds && test_count_threads () <= before->threads;
}

/* Aborts at any moment of an exchange with a large request, so many that a moment of a hundredth of
 * a millisecond is met. The seed is printed by the test framework. */
static void
test_abort_anywhere (TestExchange *f, gconstpointer data)
{
  g_autofree char *large = g_strnfill (3 * 1024 * 1024, 'x');

  g_clear_pointer (&f->request->body, g_bytes_unref);
  f->request->body = g_bytes_new_take (g_steal_pointer (&large), 3 * 1024 * 1024);
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_repeat (f->reply, "some text ", 40, 20000);
  fake_reply_end (f->reply);
  for (guint i = 0; i < 300; i++)
    {
      gint64 until = g_get_monotonic_time () + g_test_rand_int_range (0, 9000);

      g_clear_object (&f->cancellable);
      f->cancellable = g_cancellable_new ();
      test_exchange_start (f);
      while (f->result == NULL && g_get_monotonic_time () < until)
        g_main_context_iteration (NULL, FALSE);
      g_cancellable_cancel (f->cancellable);
      test_exchange_finish (f, NULL);
      g_assert_cmpuint (f->n_calls_after_abort, ==, 0);
      g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 0);
    }
}

#define UPLOAD (4 * 1024 * 1024)
#define INTAKE (256 * 1024) /* bytes a second */
/* What may arrive of an upload: what the server had when it was aborted, the portion that our
 * kernel had, and what was on the way. */
#define MAX_ARRIVED (512 * 1024)

static gboolean
has_some_of_upload (gpointer user_data)
{
  return fake_server_get_n_received (user_data) >= 64 * 1024;
}

/* The kernel's buffers hold megabytes of a request, and would send them after a close. */
static void
test_abort_upload (TestExchange *f, gconstpointer data)
{
  const GadgetReceiptLine *line;
  guint64 received;

  if (GPOINTER_TO_UINT (data) != FAKE_SERVER_PLAIN)
    test_exchange_use (f, GPOINTER_TO_UINT (data));
  fake_tls_set_trusted (TRUE);
  fake_server_set_intake (f->server, INTAKE);
  g_clear_pointer (&f->request->body, g_bytes_unref);
  f->request->body = g_bytes_new_take (g_strnfill (UPLOAD, 'x'), UPLOAD);
  test_exchange_start (f);
  g_assert_true (test_wait_until (has_some_of_upload, f->server, TEST_EXCHANGE_SOON_MS));
  gadget_receipt_mark_abort (f->receipt);
  received = fake_server_get_n_received (f->server);
  g_cancellable_cancel (f->cancellable);
  g_assert_false (test_exchange_finish (f, NULL));
  g_assert_true (test_wait_until (test_exchange_has_ended, f->server, TEST_EXCHANGE_SOON_MS));
  g_assert_cmpuint (fake_server_get_n_received (f->server), <, MAX_ARRIVED);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 0);

  g_assert_cmpuint (gadget_receipt_get_n_lines (f->receipt), ==, 1);
  line = gadget_receipt_get_line (f->receipt, 0);
  g_assert_cmpstr (line->outcome, ==, "reset");
  g_assert_cmpuint (line->size, ==, UPLOAD);
  g_assert_cmpuint (line->sent, >=, received / 2);
  g_assert_cmpuint (line->sent, <, MAX_ARRIVED);
  fake_tls_set_trusted (FALSE);
}

/* --- A dead connection ------------------------------------------------------------------------ */

/* Many aborts at random moments leave nothing behind. */
static void
test_abort_leaves_nothing (TestExchange *f, gconstpointer data)
{
  Counts before;

  fake_reply_delay (f->reply, 2);
  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_repeat (f->reply, "some text ", 100000, 1000);
  abort_one (f, 5);
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, TEST_EXCHANGE_SOON_MS));
  g_thread_pool_stop_unused_threads ();
  test_run_for (50);
  before = (Counts) { test_count_fds (), test_count_threads () };
  for (guint i = 0; i < 100; i++)
    abort_one (f, (guint) g_test_rand_int_range (0, 8));
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, TEST_EXCHANGE_SOON_MS));
  g_assert_true (test_wait_until (is_at_baseline, &before, TEST_EXCHANGE_SOON_MS));
}

/* Far more streams at once than libsoup's defaults allow for one host (2) or in all (10). */
static void
test_many_at_once (TestExchange *f, gconstpointer data)
{
  GAsyncResult *results[40] = { NULL };

  fake_reply_head (f->reply, 200, "text/plain", NULL);
  fake_reply_stall (f->reply);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    gadget_http_stream_async (f->http, f->request, &test_exchange_handler, f, NULL, f->cancellable,
                              test_result_cb, &results[i]);
  for (guint i = 0; i < 500 && f->n_heads < G_N_ELEMENTS (results); i++)
    test_run_for (10);
  g_assert_cmpuint (f->n_heads, ==, G_N_ELEMENTS (results));
  g_cancellable_cancel (f->cancellable);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_assert_true (test_wait_result (&results[i], TEST_EXCHANGE_SOON_MS));
      g_clear_object (&results[i]);
    }
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, TEST_EXCHANGE_SOON_MS));
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
  ADD ("abort-before", NULL, test_abort_before);
  ADD ("abort-at-once", NULL, test_abort_at_once);
  ADD ("abort-in-connect", NULL, test_abort_in_connect);
  ADD ("abort-in-handshake", NULL, test_abort_in_handshake);
  ADD ("no-h2", NULL, test_no_h2);
  ADD ("abort-before-head", NULL, test_abort_before_head);
  ADD ("abort-after-head", NULL, test_abort_after_head);
  ADD ("abort-mid-body-20", GINT_TO_POINTER (20), test_abort_mid_body);
  ADD ("abort-mid-body-2000", GINT_TO_POINTER (2000), test_abort_mid_body);
  ADD ("abort-in-stall", NULL, test_abort_in_stall);
  ADD ("abort-large", NULL, test_abort_large);
  ADD ("abort-in-refusal", NULL, test_abort_in_refusal);
  ADD ("abort-at-last-byte", NULL, test_abort_at_last_byte);
  ADD ("abort-after", NULL, test_abort_after);
  ADD ("abort-while-held", NULL, test_abort_while_held);
  ADD ("abort-anywhere", NULL, test_abort_anywhere);
  ADD ("abort-upload", GUINT_TO_POINTER (FAKE_SERVER_PLAIN), test_abort_upload);
  ADD ("abort-upload-tls", GUINT_TO_POINTER (FAKE_SERVER_TLS), test_abort_upload);
  ADD ("abort-leaves-nothing", NULL, test_abort_leaves_nothing);
  ADD ("many-at-once", NULL, test_many_at_once);
  return g_test_run ();
}
