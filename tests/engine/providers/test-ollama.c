/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The provider of Ollama's own API against a server that answers well, badly, late or not at all.
 * What all dialects share is tested with openai-chat. */

#include "config.h"

#include "provider-fixture.h"
#include "strict-body.h"

#include "agent/gadget-failure.h"
#include "providers/gadget-ollama.h"

#include <string.h>

#define TYPE "application/x-ndjson"
#define SAY(words) "{\"message\":{\"role\":\"assistant\"," words "},\"done\":false}\n"
#define END                                                                                        \
  "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\","                        \
  "\"prompt_eval_count\":12,\"eval_count\":34}\n"
#define LOADED "{\"models\":[{\"model\":\"fake-model:latest\",\"context_length\":4096}]}"

static void
set_up (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_set_up (f, &gadget_ollama_dialect, "");
  fake_server_set_models (f->server, LOADED);
}

static void
tear_down (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_tear_down (f);
}

/* The chat's request; the question for what is loaded comes before. */
static const FakeRequest *
get_chat (ProviderFixture *f, guint nth)
{
  const FakeRequest *request = fake_server_get_request (f->server, nth);

  g_assert_cmpstr (request->method, ==, "POST");
  g_assert_cmpstr (request->path, ==, "/api/chat");
  return request;
}

static void
test_text (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *wrong = NULL;
  const FakeRequest *request;

  fake_reply_head (f->reply, 200, TYPE, NULL);
  fake_reply_chunk (f->reply, SAY ("\"content\":\"\",\"thinking\":\"hm\""));
  fake_reply_repeat (f->reply, SAY ("\"content\":\"word \""), 50, 1000);
  fake_reply_chunk (f->reply, SAY ("\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":"
                                   "\"shell\",\"arguments\":{\"command\":\"ls\"}}}]") END);
  fake_reply_end (f->reply);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (f->text->len, ==, 250);
  g_assert_cmpstr (f->log->str, ==,
                   "reasoning:hm reasoning-end:whole call:shell {\"command\":\"ls\"} end:- "
                   "usage:12/34 ");
  g_assert_cmpuint (f->n_loading, ==, 0);

  g_assert_cmpstr (fake_server_get_request (f->server, 0)->path, ==, "/api/ps");
  request = get_chat (f, 1);
  g_assert_nonnull (strstr (request->head, "Authorization: Bearer " PROVIDER_FIXTURE_KEY "\r\n"));
  wrong = strict_ollama (request->body, strlen (request->body), NULL);
  g_assert_cmpstr (wrong, ==, NULL);
}

static void
test_generate (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  fake_reply_body (f->reply, 200, TYPE,
                   SAY ("\"content\":\"A \"") SAY ("\"content\":\"title\"") END, NULL);
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  text = gadget_provider_generate_finish (f->provider, f->result, NULL);
  g_assert_cmpstr (text, ==, "A title");
}

/* A server that does not stream. */
static void
test_whole (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 200, "application/json",
                   "{\"message\":{\"content\":\"Whole\"},\"done\":true}", NULL);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "Whole");
}

static void
test_not_utf8 (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 200, TYPE, SAY ("\"content\":\"a\xff\"") SAY ("\"content\":\"b\"") END,
                   NULL);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==,
                   "a\xef\xbf\xbd"
                   "b");
}

static void
test_does_not_think (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 400, "application/json",
                   "{\"error\":\"\\\"fake-model\\\" does not support thinking\"}", NULL);
  fake_reply_body (second, 200, TYPE, SAY ("\"content\":\"ok\"") END, NULL);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_nonnull (strstr (get_chat (f, 1)->body, "\"think\":true"));
  g_assert_null (strstr (get_chat (f, 2)->body, "\"think\""));
}

static void
test_models (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) models = NULL;

  fake_server_set_models (f->server,
                          "{\"models\":[{\"model\":\"a:1b\"},{\"model\":\"fake-model\"}]}");
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 2);
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 0)), ==, "fake-model");
  g_assert_cmpstr (fake_server_get_request (f->server, 0)->path, ==, "/api/tags");
}

/* What the model was made for, and, once it is loaded, what Ollama allocated for it. */
static void
test_describe (ProviderFixture *f, gconstpointer data)
{
  const gboolean loaded = GPOINTER_TO_INT (data) > 0;
  g_autoptr (GadgetModel) model = NULL;

  fake_reply_body (f->reply, 200, "application/json",
                   "{\"model_info\":{\"llama.context_length\":131072}}", NULL);
  if (!loaded)
    fake_server_set_models (f->server, "{\"models\":[]}");
  gadget_provider_describe_model_async (f->provider, NULL, NULL, f->cancellable, test_result_cb,
                                        &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  model = gadget_provider_describe_model_finish (f->provider, f->result, NULL);
  g_assert_cmpstr (gadget_model_get_name (model), ==, "fake-model");
  g_assert_cmpint (gadget_model_get_context_length (model), ==, loaded ? 4096 : 131072);
  g_assert_cmpstr (fake_server_get_request (f->server, 0)->path, ==, "/api/show");
  g_assert_cmpstr (fake_server_get_request (f->server, 0)->body, ==, "{\"model\":\"fake-model\"}");
  g_assert_cmpstr (fake_server_get_request (f->server, 1)->path, ==, "/api/ps");
}

static void
test_describe_abort (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_reply_body (f->reply, 200, "application/json", "{}", NULL);
  fake_reply_stall (fake_server_set_get_reply (f->server));
  gadget_provider_describe_model_async (f->provider, NULL, NULL, f->cancellable, test_result_cb,
                                        &f->result);
  test_run_for (100);
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  g_assert_null (gadget_provider_describe_model_finish (f->provider, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- Loading --------------------------------------------------------------------------------- */

static gboolean
is_loading (gpointer user_data)
{
  return ((ProviderFixture *) user_data)->n_loading > 0;
}

static void
test_loading (ProviderFixture *f, gconstpointer data)
{
  fake_server_set_models (f->server, "{\"models\":[]}");
  fake_reply_delay (f->reply, 100);
  fake_reply_body (f->reply, 200, TYPE, SAY ("\"content\":\"loaded\"") END, NULL);
  provider_fixture_start (f);
  g_assert_true (test_wait_until (is_loading, f, PROVIDER_FIXTURE_SOON_MS));
  g_assert_cmpstr (f->text->str, ==, "");
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "loaded");
  g_assert_cmpuint (f->n_loading, ==, 1);
}

/* Ollama says nothing, not even its head, until there is a first word. */
static void
test_abort_loading (ProviderFixture *f, gconstpointer data)
{
  fake_server_set_models (f->server, "{\"models\":[]}");
  fake_reply_stall (f->reply);
  provider_fixture_start (f);
  g_assert_true (test_wait_until (is_loading, f, PROVIDER_FIXTURE_SOON_MS));
  test_run_for (50);
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
  provider_fixture_assert_closed (f);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
}

/* Nor is a chat sent when the abort comes while it is asked what is loaded. */
static void
test_abort_asking (ProviderFixture *f, gconstpointer data)
{
  fake_reply_stall (fake_server_set_get_reply (f->server));
  provider_fixture_start (f);
  test_run_for (50);
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
  provider_fixture_assert_closed (f);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

/* --- Bad answers ----------------------------------------------------------------------------- */

static const ProviderBadAnswer bad_answers[] = {
  { "unauthorized", 401, "application/json",
    "{\"error\":\"unauthorized: " PROVIDER_FIXTURE_KEY "\"}", GADGET_PROVIDER_ERROR_AUTH,
    "unauthorized: …" },
  { "forbidden", 403, "text/plain", "no", GADGET_PROVIDER_ERROR_AUTH, "403" },
  { "model", 404, "application/json", "{\"error\":\"model 'fake-model' not found\"}",
    GADGET_PROVIDER_ERROR_MODEL, "ollama pull" },
  { "not-ollama", 404, "text/plain", "404 page not found", GADGET_PROVIDER_ERROR_ADDRESS, "404" },
  { "tools", 400, "application/json", "{\"error\":\"fake-model does not support tools\"}",
    GADGET_PROVIDER_ERROR_REFUSED, "tools" },
  { "context", 400, "application/json",
    "{\"error\":\"the prompt is longer than the context length currently available\"}",
    GADGET_PROVIDER_ERROR_CONTEXT, "context length" },
  { "html", 200, "text/html", "<!DOCTYPE html><html></html>\n", GADGET_PROVIDER_ERROR_ADDRESS,
    "web page" },
  { "in-stream", 200, TYPE, SAY ("\"content\":\"Half\"") "{\"error\":\"CUDA error\"}\n",
    GADGET_PROVIDER_ERROR_OVERLOADED, "CUDA" },
  { "cut", 200, TYPE, SAY ("\"content\":\"Half\""), GADGET_PROVIDER_ERROR_CUT, "middle" },
  { NULL },
};

static void
test_missing_model_in_words (void)
{
  g_autoptr (GError) error = g_error_new_literal (
      GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_MODEL, "x (“ollama pull” gets a model)");
  g_autofree char *code = gadget_failure_code_from_error (error);
  g_autoptr (GadgetFailure) failure = gadget_failure_new (code, "Ollama");

  g_assert_cmpstr (failure->title, ==, "Ollama does not have this model.");
  g_assert_nonnull (strstr (failure->hint, "ollama pull"));
  g_assert_cmpint (failure->remedy, ==, GADGET_REMEDY_CHOOSE_MODEL);
}

static void
test_retries (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);
  FakeReply *third = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 503, "application/json", "{\"error\":\"server busy\"}", NULL);
  fake_reply_body (second, 429, "application/json", "{\"error\":\"slow\"}", "Retry-After: 7\r\n");
  fake_reply_body (third, 200, TYPE, SAY ("\"content\":\"at last\"") END, NULL);
  provider_fixture_start (f);
  provider_fixture_await_retry (f, 1);
  gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
  provider_fixture_await_retry (f, 2);
  g_assert_cmpuint (f->retry_ms, ==, 7000);
  gadget_clock_advance (f->clock, 7000 * 1000);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "at last");
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
  fake_reply_head (f->reply, 200, TYPE, NULL);
  fake_reply_repeat (f->reply, SAY ("\"content\":\"word \""), 100000, 2000);
  provider_fixture_start (f);
  provider_fixture_abort_mid_text (f);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
}

/* Its line is cut in the middle of the arguments: no call is seen. */
static void
test_abort_in_call (ProviderFixture *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, TYPE, NULL);
  fake_reply_chunk (f->reply,
                    "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":"
                    "\"shell\",\"arguments\":{\"comm");
  fake_reply_stall (f->reply);
  provider_fixture_start (f);
  test_run_for (100);
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
  provider_fixture_assert_closed (f);
  g_assert_cmpstr (f->log->str, ==, "");
}

/* Whoever gets the text aborts: nothing of the same piece comes after. */
static void
test_abort_from_sink (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 200, TYPE,
                   SAY ("\"content\":\"one\"") SAY ("\"content\":\"two\"")
                       SAY ("\"content\":\"three\"") END,
                   NULL);
  f->abort_at_length = 4;
  provider_fixture_start (f);
  provider_fixture_assert_aborted (f);
  g_assert_cmpstr (f->text->str, ==, "onetwo");
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/ollama/" path, ProviderFixture, data, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  provider_fixture_watch_log ();
  ADD ("text", NULL, test_text);
  ADD ("generate", NULL, test_generate);
  ADD ("whole", NULL, test_whole);
  ADD ("not-utf8", NULL, test_not_utf8);
  ADD ("does-not-think", NULL, test_does_not_think);
  ADD ("models", NULL, test_models);
  ADD ("describe", GINT_TO_POINTER (0), test_describe);
  ADD ("describe-loaded", GINT_TO_POINTER (1), test_describe);
  ADD ("describe-abort", NULL, test_describe_abort);
  ADD ("loading", NULL, test_loading);
  provider_fixture_add_bad_answers ("/engine/ollama", bad_answers, set_up, tear_down);
  g_test_add_func ("/engine/ollama/missing-model-in-words", test_missing_model_in_words);
  ADD ("retries", NULL, test_retries);
  ADD ("abort/before", NULL, test_abort_before);
  ADD ("abort/asking", NULL, test_abort_asking);
  ADD ("abort/loading", NULL, test_abort_loading);
  ADD ("abort/mid-text", NULL, test_abort_mid_text);
  ADD ("abort/in-call", NULL, test_abort_in_call);
  ADD ("abort/from-sink", NULL, test_abort_from_sink);
  return g_test_run ();
}
