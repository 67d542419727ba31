/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Requests that fail and are tried again, or not. */

#include "config.h"

#include "provider-fixture.h"

#include "providers/gadget-openai-chat.h"
#include "providers/gadget-retry.h"

static void
set_up (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_set_up (f, &gadget_openai_chat_dialect, "/v1");
}

static void
tear_down (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_tear_down (f);
}

static void
test_retry_then_good (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);
  FakeReply *third = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 503, "text/plain", "busy", NULL);
  fake_reply_body (second, 429, "application/json", "{\"error\":{\"message\":\"slow\"}}",
                   "Retry-After: 7\r\n");
  fake_reply_chat_begin (third);
  fake_reply_chat_text (third, "at last");
  fake_reply_chat_finish (third, "stop");

  provider_fixture_start (f);
  provider_fixture_await_retry (f, 1);
  g_assert_cmpuint (f->retry_ms, >=, 250);
  g_assert_cmpuint (f->retry_ms, <=, 500);
  gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
  provider_fixture_await_retry (f, 2);
  g_assert_cmpuint (f->retry_ms, ==, 7000);
  gadget_clock_advance (f->clock, 6999 * 1000);
  test_run_for (50);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
  gadget_clock_advance (f->clock, 1000);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "at last");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
}

static void
test_retries_used_up (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 500, "text/plain", "broken", NULL);
  provider_fixture_start (f);
  for (guint i = 1; i <= GADGET_RETRY_MAX; i++)
    {
      provider_fixture_await_retry (f, i);
      gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
    }
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "broken");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, GADGET_RETRY_MAX + 1);
}

static void
test_retry_unreachable (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_use (f, &gadget_openai_chat_dialect, "http://127.0.0.1:1/v1", "fake-model",
                        PROVIDER_FIXTURE_KEY);
  provider_fixture_start (f);
  for (guint i = 1; i <= GADGET_RETRY_MAX; i++)
    {
      provider_fixture_await_retry (f, i);
      gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
    }
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_UNREACHABLE, "");
}

static void
test_retry_after_too_long (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 429, "application/json", "{\"error\":{\"message\":\"tomorrow\"}}",
                   "Retry-After: 86400\r\n");
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_RATE_LIMITED,
                                 "tomorrow (the server asks to wait until 2");
  g_assert_cmpuint (f->n_retries, ==, 0);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

static void
test_no_retry_after_output (ProviderFixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_text (f->reply, "some");
  fake_reply_chunk (f->reply, "data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n");
  fake_reply_end (f->reply);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "overloaded");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_retry_after_usage (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);

  fake_reply_chat_begin (f->reply);
  fake_reply_chunk (f->reply, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,"
                              "\"completion_tokens\":0}}\n\n");
  fake_reply_chunk (f->reply, "data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n");
  fake_reply_end (f->reply);
  fake_reply_chat_begin (second);
  fake_reply_chat_text (second, "at last");
  fake_reply_chat_finish (second, "stop");
  provider_fixture_start (f);
  provider_fixture_await_retry (f, 1);
  gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "at last");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
}

static void
test_abort_in_retry (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 began;

  fake_reply_body (f->reply, 503, "text/plain", "busy", "Retry-After: 60\r\n");
  provider_fixture_start (f);
  provider_fixture_await_retry (f, 1);
  began = g_get_monotonic_time ();
  g_cancellable_cancel (f->cancellable);
  g_assert_false (provider_fixture_finish (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 100 * 1000);
  gadget_clock_advance (f->clock, 120 * G_USEC_PER_SEC);
  test_run_for (50);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

static void
test_loading (ProviderFixture *f, gconstpointer data)
{
  FakeReply *reply = f->reply;

  for (guint i = 0; i < 10; i++)
    {
      fake_reply_body (reply, 503, "application/json",
                       "{\"error\":{\"message\":\"Loading model\",\"code\":503}}", NULL);
      reply = fake_server_add_reply (f->server);
    }
  fake_reply_chat_begin (reply);
  fake_reply_chat_text (reply, "loaded");
  fake_reply_chat_finish (reply, "stop");
  provider_fixture_start (f);
  for (guint i = 0; i < 500 && f->result == NULL; i++)
    {
      test_run_for (5);
      gadget_clock_advance (f->clock, G_USEC_PER_SEC);
    }
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (f->n_loading, ==, 10);
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_delays (void)
{
  g_assert_cmpuint (gadget_retry_get_delay (0, 0), ==, 250);
  g_assert_cmpuint (gadget_retry_get_delay (0, 1), ==, 500);
  g_assert_cmpuint (gadget_retry_get_delay (1, 1), ==, 1000);
  g_assert_cmpuint (gadget_retry_get_delay (2, 1), ==, 2000);
  g_assert_cmpuint (gadget_retry_get_delay (100, 1), <, 1000000);
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/openai-chat/" path, ProviderFixture, data, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  provider_fixture_watch_log ();
  ADD ("retry/then-good", NULL, test_retry_then_good);
  ADD ("retry/used-up", NULL, test_retries_used_up);
  ADD ("retry/unreachable", NULL, test_retry_unreachable);
  ADD ("retry/after-too-long", NULL, test_retry_after_too_long);
  ADD ("retry/not-after-output", NULL, test_no_retry_after_output);
  ADD ("retry/after-usage", NULL, test_retry_after_usage);
  ADD ("retry/abort", NULL, test_abort_in_retry);
  ADD ("retry/loading", NULL, test_loading);
  g_test_add_func ("/engine/openai-chat/retry/delays", test_delays);
  return g_test_run ();
}
