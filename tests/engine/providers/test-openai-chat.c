/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The provider against a server that answers well, and aborts in the midst of it. */

#include "config.h"

#include "provider-fixture.h"

#include "providers/gadget-openai-chat.h"

#include <string.h>

static void
set_up (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_set_up (f, &gadget_openai_chat_dialect, "/v1");
  f->logs_call_ids = TRUE;
}

static void
tear_down (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_tear_down (f);
}

/* --- Good answers ---------------------------------------------------------------------------- */

static void
test_text (ProviderFixture *f, gconstpointer data)
{
  const FakeRequest *request;

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_flow (f->reply, "word ", 50, 1000);
  fake_reply_chat_finish (f->reply, "stop");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (f->text->len, ==, 250);
  g_assert_cmpstr (f->log->str, ==, "usage:12/34 ");

  request = fake_server_get_request (f->server, 0);
  g_assert_cmpstr (request->path, ==, "/v1/chat/completions");
  g_assert_nonnull (strstr (request->head, "Authorization: Bearer " PROVIDER_FIXTURE_KEY "\r\n"));
  g_assert_nonnull (strstr (request->body, "\"model\":\"fake-model\""));
  g_assert_null (strstr (request->body, PROVIDER_FIXTURE_KEY));
  g_assert_null (strstr (request->path, PROVIDER_FIXTURE_KEY));
}

static void
test_calls (ProviderFixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_call (f->reply, 0, "c1", "shell", "{\"command\"");
  fake_reply_chat_call (f->reply, 0, NULL, NULL, ":\"ls\"}");
  fake_reply_chat_call (f->reply, 1, "c2", "wait", "{}");
  fake_reply_chat_finish (f->reply, "tool_calls");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->log->str, ==,
                   "call:shell id:c1 {\"command\" :\"ls\"} end:- "
                   "call:wait id:c2 {} usage:12/34 end:- ");
}

static void
test_generate (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_reasoning (f->reply, "hm");
  fake_reply_chat_text (f->reply, "A ");
  fake_reply_chat_text (f->reply, "title");
  fake_reply_chat_finish (f->reply, "stop");
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  text = gadget_provider_generate_finish (f->provider, f->result, NULL);
  g_assert_cmpstr (text, ==, "A title");
}

static void
test_generate_abort (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_flow (f->reply, "word ", 10000, 200);
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  test_run_for (100);
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  g_assert_null (gadget_provider_generate_finish (f->provider, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  provider_fixture_assert_closed (f);
}

/* A server that does not stream. */
static void
test_json (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (
      f->reply, 200, "application/json",
      "{\"choices\":[{\"message\":{\"content\":\"Whole\"},\"finish_reason\":\"stop\"}],"
      "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}",
      NULL);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "Whole");
  g_assert_cmpstr (f->log->str, ==, "usage:1/2 ");
}

/* OpenRouter says what an answer cost, others something else under the same name. */
static void
test_cost (ProviderFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *cost;
    const char *log;
  } cases[] = {
    { "0.95", "usage:1/2 cost:950000000 " },
    { "0.00000012", "usage:1/2 cost:120 " },
    { "2", "usage:1/2 cost:2000000000 " },
    { "0", "usage:1/2 " },
    { "-1", "usage:1/2 " },
    { "1e300", "usage:1/2 " },
    { "{\"total_cost\":0.5}", "usage:1/2 " },
    { "\"0.5\"", "usage:1/2 " },
    { "null", "usage:1/2 " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *body = g_strdup_printf (
          "{\"choices\":[{\"message\":{\"content\":\"Whole\"},\"finish_reason\":\"stop\"}],"
          "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2,\"cost\":%s}}",
          cases[i].cost);

      g_string_truncate (f->log, 0);
      if (i > 0)
        f->reply = fake_server_add_reply (f->server);
      fake_reply_body (f->reply, 200, "application/json", body, NULL);
      provider_fixture_start (f);
      g_assert_true (provider_fixture_finish (f, NULL));
      g_assert_cmpstr (f->log->str, ==, cases[i].log);
    }
}

/* A server that cut a character in two, in the middle of a good answer: half a character is lost,
 * not all that follows. */
static void
test_not_utf8 (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 200, "text/event-stream",
                   "data: {\"choices\":[{\"delta\":{\"content\":\"a\xe4\xb8\"}}]}\n\n"
                   "data: {\"choices\":[{\"delta\":{\"content\":\"\x96"
                   "b\"},\"finish_reason\":\"stop\"}]}\n\n"
                   "data: [DONE]\n\n",
                   NULL);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==,
                   "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                   "b");
}

static void
test_without_usage (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 400, "application/json",
                   "{\"error\":{\"message\":\"Unknown field stream_options\"}}", NULL);
  fake_reply_chat_begin (second);
  fake_reply_chat_text (second, "ok");
  fake_reply_chat_finish (second, "stop");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 0)->body, "stream_options"));
  g_assert_null (strstr (fake_server_get_request (f->server, 1)->body, "stream_options"));

  /* And it is remembered. */
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
}

static void
test_models (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) models = NULL;

  fake_server_set_models (f->server, "{\"data\":[{\"id\":\"other\"},{\"id\":\"fake-model\"}]}");
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 2);
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 0)), ==, "fake-model");
  g_assert_cmpstr (fake_server_get_request (f->server, 0)->path, ==, "/v1/models");
  g_assert_nonnull (
      strstr (fake_server_get_request (f->server, 0)->head, "Bearer " PROVIDER_FIXTURE_KEY));
}

static void
test_models_abort (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_reply_stall (fake_server_set_get_reply (f->server));
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  test_run_for (50);
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  g_assert_null (gadget_provider_list_models_finish (f->provider, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  provider_fixture_assert_closed (f);
}

/* --- Aborts ---------------------------------------------------------------------------------- */

static void
test_abort_before (ProviderFixture *f, gconstpointer data)
{
  g_cancellable_cancel (f->cancellable);
  provider_fixture_start (f);
  provider_fixture_assert_aborted (f);
  test_run_for (50);
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 0);
}

static void
test_abort_mid_text (ProviderFixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_flow (f->reply, "word ", 100000, GPOINTER_TO_INT (data));
  provider_fixture_start (f);
  provider_fixture_abort_mid_text (f);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

/* Whoever gets the text aborts: nothing of the same piece comes after. */
static void
test_abort_from_sink (ProviderFixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chunk (f->reply, "data: {\"choices\":[{\"delta\":{\"content\":\"one\"}}]}\n\n"
                              "data: {\"choices\":[{\"delta\":{\"content\":\"two\"}}]}\n\n"
                              "data: {\"choices\":[{\"delta\":{\"content\":\"three\"}}]}\n\n");
  fake_reply_chat_finish (f->reply, "stop");
  f->abort_at_length = 4;
  provider_fixture_start (f);
  provider_fixture_assert_aborted (f);
  g_assert_cmpstr (f->text->str, ==, "onetwo");
}

/* A stream of nothing but a tool call has no text to look at. */
static void
test_abort_in_call (ProviderFixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_call (f->reply, 0, "c1", "shell", "{\"command\":\"");
  fake_reply_stall (f->reply);
  provider_fixture_start (f);
  test_run_for (100);
  g_assert_cmpstr (f->log->str, ==, "call:shell id:c1 {\"command\":\" ");
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
  provider_fixture_assert_closed (f);
}

/* Errors that look like a cancellation, with nobody having aborted, are the provider's. */
static void
test_nobody_aborted (ProviderFixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chunk (f->reply,
                    "data: {\"error\":{\"message\":\"aborted\",\"type\":\"aborted\"}}\n\n");
  fake_reply_end (f->reply);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_REFUSED, "aborted");
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/openai-chat/" path, ProviderFixture, data, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  provider_fixture_watch_log ();
  ADD ("text", NULL, test_text);
  ADD ("calls", NULL, test_calls);
  ADD ("generate", NULL, test_generate);
  ADD ("generate-abort", NULL, test_generate_abort);
  ADD ("json", NULL, test_json);
  ADD ("cost", NULL, test_cost);
  ADD ("not-utf8", NULL, test_not_utf8);
  ADD ("without-usage", NULL, test_without_usage);
  ADD ("models", NULL, test_models);
  ADD ("models-abort", NULL, test_models_abort);
  ADD ("abort/before", NULL, test_abort_before);
  ADD ("abort/mid-text-20", GINT_TO_POINTER (20), test_abort_mid_text);
  ADD ("abort/mid-text-2000", GINT_TO_POINTER (2000), test_abort_mid_text);
  ADD ("abort/from-sink", NULL, test_abort_from_sink);
  ADD ("abort/in-call", NULL, test_abort_in_call);
  ADD ("abort/nobody", NULL, test_nobody_aborted);
  return g_test_run ();
}
