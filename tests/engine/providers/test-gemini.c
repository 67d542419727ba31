/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The provider of the Gemini API against a server that answers well, badly, late or not at all.
 * What all dialects share is tested with openai-chat. */

#include "config.h"

#include "provider-fixture.h"
#include "strict-body.h"

#include "providers/gadget-gemini.h"

#include <string.h>

#define TYPE "text/event-stream"
#define SAY(part) "data: {\"candidates\":[{\"content\":{\"parts\":[" part "]}}]}\n\n"
#define TEXT(words) SAY ("{\"text\":\"" words "\"}")
#define END                                                                                        \
  "data: {\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":"                         \
  "{\"promptTokenCount\":12,\"candidatesTokenCount\":30,\"thoughtsTokenCount\":4}}\n\n"
#define ERROR(code, status, message)                                                               \
  "{\"error\":{\"code\":" code ",\"message\":\"" message "\",\"status\":\"" status "\"}}"

static void
set_up (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_set_up (f, &gadget_gemini_dialect, "/v1beta");
}

static void
tear_down (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_tear_down (f);
}

static void
test_text (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *wrong = NULL;
  const FakeRequest *request;

  fake_reply_head (f->reply, 200, TYPE, NULL);
  fake_reply_chunk (f->reply, SAY ("{\"text\":\"hm\",\"thought\":true}"));
  fake_reply_repeat (f->reply, TEXT ("word "), 50, 1000);
  fake_reply_chunk (f->reply,
                    SAY ("{\"functionCall\":{\"name\":\"shell\",\"args\":{\"command\":\"ls\"}},"
                         "\"thoughtSignature\":\"c2ln\"}") END);
  fake_reply_end (f->reply);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (f->text->len, ==, 250);
  g_assert_cmpstr (f->log->str, ==,
                   "reasoning:hm reasoning-end:- call:shell {\"command\":\"ls\"} "
                   "end:{\"thoughtSignature\":\"c2ln\"} usage:12/34 ");

  request = fake_server_get_request (f->server, 0);
  g_assert_cmpstr (request->path, ==, "/v1beta/models/fake-model:streamGenerateContent?alt=sse");
  g_assert_nonnull (strstr (request->head, "x-goog-api-key: " PROVIDER_FIXTURE_KEY "\r\n"));
  wrong = strict_gemini (request->body, strlen (request->body), NULL);
  g_assert_cmpstr (wrong, ==, NULL);
}

/* A reason that was invented later ends the answer, and takes no call from it that is whole. */
static void
test_unknown_reason (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (
      f->reply, 200, TYPE,
      SAY ("{\"functionCall\":{\"name\":\"shell\",\"args\":{\"command\":\"ls\"}}}") "data: "
                                                                                    "{\"candidates"
                                                                                    "\":[{"
                                                                                    "\"finishReason"
                                                                                    "\":\"OF_"
                                                                                    "TOMORROW\"}]}"
                                                                                    "\n\n",
      NULL);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_nonnull (strstr (f->log->str, "call:shell {\"command\":\"ls\"} end:"));
}

static void
test_generate (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  fake_reply_body (f->reply, 200, TYPE, TEXT ("A ") TEXT ("title") END, NULL);
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  text = gadget_provider_generate_finish (f->provider, f->result, NULL);
  g_assert_cmpstr (text, ==, "A title");
}

static void
test_does_not_think (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 400, "application/json",
                   ERROR ("400", "INVALID_ARGUMENT", "Thinking is not enabled for this model"),
                   NULL);
  fake_reply_body (second, 200, TYPE, TEXT ("ok") END, NULL);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 0)->body, "includeThoughts"));
  g_assert_null (strstr (fake_server_get_request (f->server, 1)->body, "includeThoughts"));
}

static void
test_models (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) models = NULL;

  fake_server_set_models (f->server, "{\"models\":[{\"name\":\"models/a\","
                                     "\"supportedGenerationMethods\":[\"generateContent\"]}]}");
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 1);
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 0)), ==, "a");
  g_assert_cmpstr (fake_server_get_request (f->server, 0)->path, ==,
                   "/v1beta/models?pageSize=1000");
}

#define MODEL(name)                                                                                \
  "{\"name\":\"models/" name "\",\"supportedGenerationMethods\":[\"generateContent\"]}"

static char *
dup_names (GPtrArray *models)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < models->len; i++)
    g_string_append_printf (names, "%s ", gadget_model_get_name (g_ptr_array_index (models, i)));
  return g_string_free_and_steal (g_steal_pointer (&names));
}

/* The one that was chosen comes first, wherever it was. */
static void
test_pages (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);
  FakeReply *third = fake_server_add_reply (f->server);
  g_autoptr (GPtrArray) models = NULL;
  g_autofree char *names = NULL;

  fake_server_set_models (f->server, "{\"models\":[" MODEL ("a") "],\"nextPageToken\":\"p=2&\"}");
  fake_reply_when (second, "pageToken=p%3D2%26");
  fake_reply_body (second, 200, "application/json",
                   "{\"models\":[" MODEL ("fake-model") "," MODEL ("b") "],"
                                                                        "\"nextPageToken\":\"3\"}",
                   NULL);
  fake_reply_when (third, "pageToken=3");
  fake_reply_body (third, 200, "application/json",
                   "{\"models\":[" MODEL ("c") "],\"nextPageToken\":\"\"}", NULL);
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  names = dup_names (models);
  g_assert_cmpstr (names, ==, "fake-model a b c ");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
}

/* A list without an end is not read to its end. */
static void
test_endless_pages (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) models = NULL;

  fake_server_set_models (f->server, "{\"models\":[" MODEL ("a") "],\"nextPageToken\":\"2\"}");
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 20);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 20);
}

/* What came is told, if the rest does not come. */
static void
test_broken_pages (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);
  g_autoptr (GPtrArray) models = NULL;

  fake_server_set_models (f->server, "{\"models\":[" MODEL ("a") "],\"nextPageToken\":\"2\"}");
  fake_reply_when (second, "pageToken=2");
  fake_reply_body (second, 500, "text/plain", "broken", NULL);
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 1);
}

static gboolean
has_asked_twice (gpointer user_data)
{
  return fake_server_get_n_requests (user_data) == 2;
}

static void
test_abort_in_pages (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);
  g_autoptr (GError) error = NULL;

  fake_server_set_models (f->server, "{\"models\":[" MODEL ("a") "],\"nextPageToken\":\"2\"}");
  fake_reply_when (second, "pageToken=2");
  fake_reply_stall (second);
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_until (has_asked_twice, f->server, PROVIDER_FIXTURE_SOON_MS));
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  g_assert_null (gadget_provider_list_models_finish (f->provider, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  provider_fixture_assert_closed (f);
}

static void
test_describe (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GadgetModel) model = NULL;

  fake_server_set_models (f->server,
                          "{\"name\":\"models/fake-model\",\"inputTokenLimit\":1048576}");
  gadget_provider_describe_model_async (f->provider, NULL, NULL, f->cancellable, test_result_cb,
                                        &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  model = gadget_provider_describe_model_finish (f->provider, f->result, NULL);
  g_assert_cmpstr (gadget_model_get_name (model), ==, "fake-model");
  g_assert_cmpint (gadget_model_get_context_length (model), ==, 1048576);
  g_assert_cmpstr (fake_server_get_request (f->server, 0)->path, ==, "/v1beta/models/fake-model");
}

/* --- Bad answers ----------------------------------------------------------------------------- */

static const ProviderBadAnswer bad_answers[] = {
  { "key", 400, "application/json",
    ERROR ("400", "INVALID_ARGUMENT", "API key not valid: " PROVIDER_FIXTURE_KEY),
    GADGET_PROVIDER_ERROR_AUTH, "API key not valid: …" },
  { "unauthorized", 401, "application/json", ERROR ("401", "UNAUTHENTICATED", "Who are you"),
    GADGET_PROVIDER_ERROR_AUTH, "Who are you" },
  { "forbidden", 403, "application/json", ERROR ("403", "PERMISSION_DENIED", "Not you"),
    GADGET_PROVIDER_ERROR_AUTH, "Not you" },
  { "model", 404, "application/json",
    ERROR ("404", "NOT_FOUND", "models/fake-model is not found for API version v1beta"),
    GADGET_PROVIDER_ERROR_MODEL, "not found" },
  { "html", 200, "text/html", "<!DOCTYPE html><html></html>\n", GADGET_PROVIDER_ERROR_ADDRESS,
    "web page" },
  { "in-stream", 200, TYPE,
    TEXT ("Half") "data: " ERROR ("503", "UNAVAILABLE", "The model is overloaded.") "\n\n",
    GADGET_PROVIDER_ERROR_OVERLOADED, "overloaded" },
  { "safety", 200, TYPE, TEXT ("Half") "data: {\"candidates\":[{\"finishReason\":\"SAFETY\"}]}\n\n",
    GADGET_PROVIDER_ERROR_REFUSED, "SAFETY" },
  { "blocked", 200, TYPE, "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\n",
    GADGET_PROVIDER_ERROR_REFUSED, "blockReason" },
  { "cut", 200, TYPE, TEXT ("Half"), GADGET_PROVIDER_ERROR_CUT, "middle" },
  { NULL },
};

/* The time to wait is in the body, not in a header. */
static void
test_retries (ProviderFixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);
  FakeReply *third = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 503, "application/json", ERROR ("503", "UNAVAILABLE", "busy"), NULL);
  fake_reply_body (
      second, 429, "application/json",
      "{\"error\":{\"code\":429,\"message\":\"slow\",\"status\":\"RESOURCE_EXHAUSTED\","
      "\"details\":[{\"retryDelay\":\"6.5s\"}]}}",
      NULL);
  fake_reply_body (third, 200, TYPE, TEXT ("at last") END, NULL);
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

static gboolean
has_request (gpointer user_data)
{
  return fake_server_count (user_data, FAKE_EVENT_REQUEST) > 0;
}

static void
test_abort_before_head (ProviderFixture *f, gconstpointer data)
{
  fake_reply_stall (f->reply);
  provider_fixture_start (f);
  g_assert_true (test_wait_until (has_request, f->server, PROVIDER_FIXTURE_SOON_MS));
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
  provider_fixture_assert_closed (f);
}

static void
test_abort_mid_text (ProviderFixture *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, TYPE, NULL);
  fake_reply_repeat (f->reply, TEXT ("word "), 100000, 2000);
  provider_fixture_start (f);
  provider_fixture_abort_mid_text (f);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

/* Its event is cut in the middle of the arguments: no call is seen. */
static void
test_abort_in_call (ProviderFixture *f, gconstpointer data)
{
  fake_reply_head (f->reply, 200, TYPE, NULL);
  fake_reply_chunk (f->reply, "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
                              "{\"name\":\"shell\",\"args\":{\"comm");
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
  fake_reply_body (f->reply, 200, TYPE, TEXT ("one") TEXT ("two") TEXT ("three") END, NULL);
  f->abort_at_length = 4;
  provider_fixture_start (f);
  provider_fixture_assert_aborted (f);
  g_assert_cmpstr (f->text->str, ==, "onetwo");
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/gemini/" path, ProviderFixture, data, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  provider_fixture_watch_log ();
  ADD ("text", NULL, test_text);
  ADD ("unknown-reason", NULL, test_unknown_reason);
  ADD ("generate", NULL, test_generate);
  ADD ("does-not-think", NULL, test_does_not_think);
  ADD ("models", NULL, test_models);
  ADD ("pages", NULL, test_pages);
  ADD ("pages/endless", NULL, test_endless_pages);
  ADD ("pages/broken", NULL, test_broken_pages);
  ADD ("pages/abort", NULL, test_abort_in_pages);
  ADD ("describe", NULL, test_describe);
  provider_fixture_add_bad_answers ("/engine/gemini", bad_answers, set_up, tear_down);
  ADD ("retries", NULL, test_retries);
  ADD ("abort/before", NULL, test_abort_before);
  ADD ("abort/before-head", NULL, test_abort_before_head);
  ADD ("abort/mid-text", NULL, test_abort_mid_text);
  ADD ("abort/in-call", NULL, test_abort_in_call);
  ADD ("abort/from-sink", NULL, test_abort_from_sink);
  return g_test_run ();
}
