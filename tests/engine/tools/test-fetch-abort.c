/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A fetch that is stopped at each of its moments. */

#include "config.h"

#include "fetch-fixture.h"
#include "test-wait.h"
#include "wait.h"

/* --- Aborts ------------------------------------------------------------------------------------
 */

static void
press (FetchFixture *f)
{
  const gint64 begun = g_get_monotonic_time ();

  g_assert_false (f->done);
  g_cancellable_cancel (f->cancellable);
  wait_until (f->done);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 500 * 1000);
}

static void
assert_stopped (FetchFixture *f)
{
  press (f);
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, FETCH_SOON_MS));
}

static void
test_abort_before (FetchFixture *f, gconstpointer data)
{
  fetch_start (f, "/");
  assert_stopped (f);
  fetch_assert_not_contacted (f);
}

static void
test_abort_resolving (FetchFixture *f, gconstpointer data)
{
  f->resolver->answers[0] = NULL;
  fetch_start (f, "/");
  wait_until (f->resolver->n_lookups == 1);
  test_run_for (20);
  assert_stopped (f);
  fetch_assert_not_contacted (f);
}

static void
test_abort_connecting (FetchFixture *f, gconstpointer data)
{
  g_autoptr (FakeServer) deaf = fake_server_new_deaf ();
  g_autofree char *url = g_strdup_printf ("http://" FETCH_NAME ":%u/", fake_server_get_port (deaf));

  fetch_start_url (f, url, "");
  test_run_for (50);
  assert_stopped (f);
}

static void
test_abort_head (FetchFixture *f, gconstpointer data)
{
  fake_reply_stall (fetch_add_page (f, "/"));
  fetch_start (f, "/");
  wait_until (fake_server_get_n_requests (f->server) == 1);
  test_run_for (20);
  assert_stopped (f);
}

static void
test_abort_body (FetchFixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (f, "/");

  fake_reply_head (reply, 200, "text/html", NULL);
  fake_reply_chunk (reply, "<h1>The beginning</h1><p>of a");
  fake_reply_stall (reply);
  fetch_start (f, "/");
  wait_until (fake_server_count (f->server, FAKE_EVENT_STALL) == 1);
  test_run_for (50);
  press (f);
  fetch_assert_text (f, "# The beginning\n\nof a");
  g_assert_true (f->result->cut);
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, FETCH_SOON_MS));
}

/* In the second of two requests. */
static void
test_abort_redirected (FetchFixture *f, gconstpointer data)
{
  fake_reply_stall (fetch_add_page (f, "/next"));
  fetch_add_redirect (f, "/", 302, "/next");
  fetch_start (f, "/");
  wait_until (fake_server_get_n_requests (f->server) == 2);
  assert_stopped (f);
}

static void
test_abort_parsing (FetchFixture *f, gconstpointer data)
{
  g_autoptr (GString) html = g_string_new ("<p>begin");

  /* It takes seconds to find that nothing ends here. */
  for (guint i = 0; i < 200000; i++)
    g_string_append (html, "<div>");
  for (guint i = 0; i < 500000; i++)
    g_string_append (html, "</i>");
  fake_reply_body (fetch_add_page (f, "/"), 200, "text/html", html->str, "Connection: close\r\n");
  fetch_start (f, "/");
  wait_until (fake_server_count (f->server, FAKE_EVENT_REPLIED) == 1);
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, FETCH_SOON_MS));
  test_run_for (100);
  press (f);
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* After each of the steps that the main loop takes, and a little later. */
static void
test_abort_anywhere (FetchFixture *f, gconstpointer data)
{
  g_autofree char *url = fetch_dup_url (f, "127.0.0.1", "/");
  FakeReply *reply = fetch_add_page (f, "/");

  fake_reply_head (reply, 200, "text/html", NULL);
  fake_reply_chunk (reply, "<p>begun");
  fake_reply_stall (reply);
  for (guint i = 0; i < 60; i++)
    {
      fetch_start_url (f, url, "");
      for (guint j = 0; j < i && !f->done; j++)
        {
          test_run_for (j % 10 == 9 ? 1 : 0);
          g_main_context_iteration (NULL, FALSE);
        }
      press (f);
      g_assert_true (f->error == NULL
                     || g_error_matches (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
    }
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, FETCH_SOON_MS));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  fetch_test_add ("abort-before", test_abort_before);
  fetch_test_add ("abort-resolving", test_abort_resolving);
  fetch_test_add ("abort-connecting", test_abort_connecting);
  fetch_test_add ("abort-before-head", test_abort_head);
  fetch_test_add ("abort-mid-body", test_abort_body);
  fetch_test_add ("abort-redirected", test_abort_redirected);
  fetch_test_add ("abort-anywhere", test_abort_anywhere);
  fetch_test_add ("abort-parsing", test_abort_parsing);
  return g_test_run ();
}
