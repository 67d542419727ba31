/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Models and most refusals are as in Chat Completions, and tested there. */

#include "config.h"

#include "dialect-log.h"
#include "test-dialect.h"

#include "providers/gadget-openai-responses.h"

#define DIALECT (&gadget_openai_responses_dialect)

#define THOUGHT(words, code)                                                                       \
  "{\"type\":\"reasoning\",\"summary\":[" words "],\"encrypted_content\":\"" code "\"}"

static const char *const replays[] = {
  THOUGHT ("{\"type\":\"summary_text\",\"text\":\"First the file.\"}", "gAAAA1"),
  THOUGHT ("", "gAAAA2"),
  THOUGHT ("{\"type\":\"summary_text\",\"text\":\"Now the other.\"}", "gAAAA3"),
  NULL,
  NULL,
};

static void
test_request (void)
{
  g_autoptr (GadgetRequest) request = test_dialect_sample_request (replays);
  g_autoptr (GBytes) body =
      DIALECT->make_chat_body (request, "small", &(const GadgetModelSupport) { 0 });
  g_autoptr (GBytes) plain =
      DIALECT->make_chat_body (request, "small", &(const GadgetModelSupport) { .plain = 1 });

  dialect_log_assert_json (body, "openai-responses", "request.json");
  dialect_log_assert_json (plain, "openai-responses", "request-plain.json");
}

static void
test_url (void)
{
  g_autofree char *chat = DIALECT->make_chat_url ("https://api.openai.com/v1", "m");
  g_autofree char *host = DIALECT->make_chat_url ("http://localhost:1", "m");
  g_autofree char *models = DIALECT->make_models_url ("https://api.openai.com/v1");

  g_assert_cmpstr (chat, ==, "https://api.openai.com/v1/responses");
  g_assert_cmpstr (host, ==, "http://localhost:1/v1/responses");
  g_assert_cmpstr (models, ==, "https://api.openai.com/v1/models");
}

static void
test_models (void)
{
  test_dialect_assert_models (DIALECT, "{\"data\":[{\"id\":\"a\"},{\"id\":\"b\"}]}", "b", "b a");
}

static void
test_refusals (void)
{
  test_dialect_assert_refusal (
      DIALECT, 400,
      "{\"error\":{\"message\":\"Your input exceeds the context window of this model.\","
      "\"type\":\"invalid_request_error\",\"param\":\"input\",\"code\":\"context_length_exceeded\"}"
      "}",
      GADGET_PROVIDER_ERROR_CONTEXT, "context window");
  test_dialect_assert_refusal (
      DIALECT, 429, "{\"error\":{\"message\":\"Slow\",\"code\":\"rate_limit_exceeded\"}}",
      GADGET_PROVIDER_ERROR_RATE_LIMITED, "Slow");
}

static gboolean
refuses_extras (const char *message)
{
  g_autoptr (GError) error =
      g_error_new_literal (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED, message);
  GadgetModelSupport terms = { 0 };

  return DIALECT->adapt (error, &terms) && !DIALECT->adapt (error, &terms);
}

static void
test_extras (void)
{
  g_assert_true (refuses_extras ("Encrypted content is not supported with this model."));
  g_assert_true (refuses_extras ("Unsupported parameter: 'reasoning.summary'"));
  g_assert_false (refuses_extras ("No tool output found for function call a"));
}

static void
test_endless_arguments (void)
{
  test_dialect_assert_arguments (
      DIALECT,
      "event: response.output_item.added\n"
      "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{"
      "\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"write\",\"arguments\":\"\"}}\n\n",
      "event: response.function_call_arguments.delta\n"
      "data: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":0,"
      "\"delta\":\"%s\"}\n\n");
}

static void
test_endless_calls (void)
{
  test_dialect_assert_calls (
      DIALECT, "event: response.output_item.added\n"
               "data: {\"type\":\"response.output_item.added\",\"output_index\":%u,\"item\":{"
               "\"type\":\"function_call\",\"call_id\":\"c%u\",\"name\":\"write\","
               "\"arguments\":\"\"}}\n\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/openai-responses/endless-calls", test_endless_calls);
  g_test_add_func ("/engine/openai-responses/request", test_request);
  g_test_add_func ("/engine/openai-responses/url", test_url);
  g_test_add_func ("/engine/openai-responses/models", test_models);
  g_test_add_func ("/engine/openai-responses/refusals", test_refusals);
  g_test_add_func ("/engine/openai-responses/extras", test_extras);
  g_test_add_func ("/engine/openai-responses/endless-arguments", test_endless_arguments);
  g_assert_cmpuint (dialect_log_add_tests (DIALECT, "openai-responses"), >=, 30);
  return g_test_run ();
}
