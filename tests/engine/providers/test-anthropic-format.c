/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "dialect-log.h"
#include "strict-body.h"
#include "test-dialect.h"

#include "providers/gadget-anthropic-format.h"
#include "providers/gadget-anthropic.h"
#include "providers/gadget-error-parser.h"

#include <string.h>

#define DIALECT (&gadget_anthropic_dialect)

static const char *const replays[] = { "signature:c2lnMQ==", "redacted:ZGF0YQ==",
                                       "signature:c2lnMg==", NULL, NULL };

static void
test_request (void)
{
  g_autoptr (GadgetRequest) request = test_dialect_sample_request (replays);
  g_autoptr (GBytes) body =
      DIALECT->make_chat_body (request, "small", &(const GadgetModelSupport) { 0 });

  dialect_log_assert_json (body, "anthropic", "request.json");
}

/* To a server that knows no thinking, or no longer takes this. */
static void
test_plain (void)
{
  g_autoptr (GadgetRequest) request = test_dialect_sample_request (replays);
  g_autoptr (GBytes) body = DIALECT->make_chat_body (
      request, "small", &(const GadgetModelSupport) { .plain = GADGET_ANTHROPIC_NO_THINKING });

  dialect_log_assert_json (body, "anthropic", "request-plain.json");
}

static gboolean
says (GadgetRequest *request, const char *text)
{
  g_autoptr (GBytes) body =
      DIALECT->make_chat_body (request, "small", &(const GadgetModelSupport) { 0 });

  return g_strstr_len (g_bytes_get_data (body, NULL), (gssize) g_bytes_get_size (body), text)
         != NULL;
}

/* A turn of the model that began without thinking, by another model's, goes on without. */
static void
test_loop (void)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  GadgetMessage *message;

  gadget_request_add_message (request, GADGET_ROLE_USER, "Go");
  g_assert_true (says (request, "\"thinking\":{"));
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
  gadget_message_add_call (message, "c1", "wait", "{}");
  gadget_request_add_result (request, "c1", "wait", "ok");
  g_assert_false (says (request, "thinking"));

  /* What it thinks in the middle stays out too. */
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
  gadget_message_add_part (message, GADGET_PART_REASONING, "Hm")->replay =
      g_strdup ("signature:c2ln");
  gadget_message_add_call (message, "c2", "wait", "{}");
  gadget_request_add_result (request, "c2", "wait", "ok");
  g_assert_false (says (request, "thinking"));

  /* The user's words after an abort don't end that turn, since the results come first. */
  gadget_request_add_message (request, GADGET_ROLE_USER, "And now?");
  g_assert_false (says (request, "thinking"));

  gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "Fine.");
  gadget_request_add_message (request, GADGET_ROLE_USER, "Next");
  g_assert_true (says (request, "\"thinking\":{"));
  g_assert_true (says (request, "c2ln"));
}

static void
assert_url (const char *base, const char *chat, const char *models)
{
  g_autofree char *chat_url = DIALECT->make_chat_url (base, "m");
  g_autofree char *models_url = DIALECT->make_models_url (base);

  g_assert_cmpstr (chat_url, ==, chat);
  g_assert_cmpstr (models_url, ==, models);
}

static void
test_url (void)
{
  assert_url ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages",
              "https://api.anthropic.com/v1/models?limit=1000");
  assert_url ("http://localhost:1/v1/", "http://localhost:1/v1/messages",
              "http://localhost:1/v1/models?limit=1000");
  assert_url ("https://api.example/anthropic/v1?a=b",
              "https://api.example/anthropic/v1/messages?a=b",
              "https://api.example/anthropic/v1/models?a=b&limit=1000");
  assert_url ("localhost", NULL, NULL);
  assert_url (NULL, NULL, NULL);
}

static void
test_sign (void)
{
  g_autoptr (GadgetHttpRequest) request = gadget_http_request_new ("A", "POST", "http://a/");
  g_autoptr (GadgetHttpRequest) keyless = gadget_http_request_new ("A", "POST", "http://a/");

  gadget_dialect_add_headers (DIALECT, request, "sk-ant-1");
  g_assert_cmpstr (request->key_header, ==, "x-api-key");
  g_assert_cmpstr (request->key, ==, "sk-ant-1");
  g_assert_cmpuint (request->headers->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (request->headers, 0), ==, "anthropic-version");
  g_assert_cmpstr (g_ptr_array_index (request->headers, 1), ==, "2023-06-01");
  gadget_dialect_add_headers (DIALECT, keyless, NULL);
  g_assert_null (keyless->key_header);
}

static void
test_images (void)
{
  const char *list = "{\"data\":[{\"id\":\"a\",\"capabilities\":{\"image_input\":"
                     "{\"supported\":true}}},{\"id\":\"b\",\"capabilities\":{\"image_input\":"
                     "{\"supported\":false}}},{\"id\":\"c\",\"capabilities\":null},{\"id\":\"d\","
                     "\"capabilities\":{\"image_input\":{\"supported\":\"no\"}}}]}";
  g_autoptr (GPtrArray) models = DIALECT->read_models (list, strlen (list), NULL, NULL);
  const GadgetModelImages expected[] = { GADGET_MODEL_IMAGES_YES, GADGET_MODEL_IMAGES_NO,
                                         GADGET_MODEL_IMAGES_UNKNOWN, GADGET_MODEL_IMAGES_UNKNOWN };

  g_assert_cmpuint (models->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < models->len; i++)
    g_assert_cmpint (gadget_model_get_images (g_ptr_array_index (models, i)), ==, expected[i]);
}

static void
test_models (void)
{
  const char *list = "{\"data\":[{\"type\":\"model\",\"id\":\"new\",\"display_name\":\"New\","
                     "\"max_input_tokens\":200000},{\"id\":\"old\"},{\"id\":3},7],"
                     "\"has_more\":false,\"first_id\":\"new\",\"last_id\":\"old\"}";
  g_autoptr (GPtrArray) models = DIALECT->read_models (list, strlen (list), NULL, NULL);
  g_autoptr (GError) error = NULL;

  test_dialect_assert_models (DIALECT, list, NULL, "new old");
  test_dialect_assert_models (DIALECT, list, "old", "old new");
  g_assert_cmpint (gadget_model_get_context_length (g_ptr_array_index (models, 0)), ==, 200000);
  g_assert_null (DIALECT->read_models ("<html>", 6, NULL, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS);
}

#define REFUSAL(type, message)                                                                     \
  "{\"type\":\"error\",\"error\":{\"type\":\"" type "\",\"message\":\"" message "\"}}"

static void
test_refusals (void)
{
  test_dialect_assert_refusal (DIALECT, 401, REFUSAL ("authentication_error", "invalid x-api-key"),
                               GADGET_PROVIDER_ERROR_AUTH, "invalid x-api-key");
  test_dialect_assert_refusal (DIALECT, 403, REFUSAL ("permission_error", "not yours"),
                               GADGET_PROVIDER_ERROR_AUTH, "not yours");
  test_dialect_assert_refusal (DIALECT, 402, REFUSAL ("billing_error", "pay"),
                               GADGET_PROVIDER_ERROR_QUOTA, "pay");
  test_dialect_assert_refusal (
      DIALECT, 400, REFUSAL ("invalid_request_error", "Your credit balance is too low to use it"),
      GADGET_PROVIDER_ERROR_QUOTA, "credit balance");
  test_dialect_assert_refusal (DIALECT, 404, REFUSAL ("not_found_error", "model: claude-9"),
                               GADGET_PROVIDER_ERROR_MODEL, "claude-9");
  test_dialect_assert_refusal (DIALECT, 404, REFUSAL ("not_found_error", "Not Found"),
                               GADGET_PROVIDER_ERROR_ADDRESS, "Not Found");
  test_dialect_assert_refusal (
      DIALECT, 400,
      REFUSAL ("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
      GADGET_PROVIDER_ERROR_CONTEXT, "210000");
  test_dialect_assert_refusal (
      DIALECT, 400,
      REFUSAL ("invalid_request_error",
               "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"),
      GADGET_PROVIDER_ERROR_CONTEXT, "190000");
  test_dialect_assert_refusal (DIALECT, 413, REFUSAL ("request_too_large", "too many bytes"),
                               GADGET_PROVIDER_ERROR_REFUSED, "bytes");
  test_dialect_assert_refusal (DIALECT, 429, REFUSAL ("rate_limit_error", "slow"),
                               GADGET_PROVIDER_ERROR_RATE_LIMITED, "slow");
  test_dialect_assert_refusal (DIALECT, 500, REFUSAL ("api_error", "oops"),
                               GADGET_PROVIDER_ERROR_OVERLOADED, "oops");
  test_dialect_assert_refusal (DIALECT, 529, REFUSAL ("overloaded_error", "Overloaded"),
                               GADGET_PROVIDER_ERROR_OVERLOADED, "Overloaded");
}

/* --- Terms ----------------------------------------------------------------------------------- */

#define OLDER GADGET_ANTHROPIC_BUDGET
#define NONE GADGET_ANTHROPIC_NO_THINKING

static const struct
{
  const char *said;
  GadgetModelSupport before;
  gboolean learned;
  GadgetModelSupport after;
} lessons[] = {
  { "adaptive thinking is not supported on this model", { 0, 0 }, TRUE, { OLDER, 0 } },
  { "thinking.display: Extra inputs are not permitted", { 0, 0 }, TRUE, { OLDER, 0 } },
  { "'claude-3-5-haiku-20241022' does not support thinking.", { OLDER, 0 }, TRUE, { NONE, 0 } },
  { "thinking: Extra inputs are not permitted", { NONE, 0 }, FALSE, { NONE, 0 } },
  { "messages.1.content.0: Invalid `signature` in `thinking` block", { 0, 7 }, TRUE, { NONE, 7 } },
  { "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for "
    "claude-3-5-sonnet-20241022",
    { OLDER, 0 },
    TRUE,
    { OLDER, 8192 } },
  { "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for x",
    { 0, 8192 },
    FALSE,
    { 0, 8192 } },
  { "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    { 0, 0 },
    TRUE,
    { 0, 8192 } },
  { "max_tokens (current value: 32000) must be between 0 and 4000", { 0, 0 }, TRUE, { 0, 4000 } },
  { "max_tokens: must be positive", { 0, 0 }, FALSE, { 0, 0 } },
  { "max_tokens: 32000 > 99999999999999999999999", { 0, 0 }, FALSE, { 0, 0 } },
  { "messages: roles must alternate", { 0, 0 }, FALSE, { 0, 0 } },
};

static void
test_terms (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lessons); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (
          GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED, lessons[i].said);
      GadgetModelSupport terms = lessons[i].before;

      g_assert_true (DIALECT->adapt (error, &terms) == lessons[i].learned);
      g_assert_cmpuint (terms.plain, ==, lessons[i].after.plain);
      g_assert_cmpint (terms.max_tokens, ==, lessons[i].after.max_tokens);
    }
}

/* That is about the chat, which is then made shorter. */
static void
test_context_is_no_term (void)
{
  static const char said[] = "input length and `max_tokens` exceed context limit: 190000 + 32000 > "
                             "200000, decrease input length or `max_tokens` and try again";
  g_autoptr (GError) context = gadget_error_parser_new (400, "invalid_request_error", said);
  GadgetModelSupport terms = { 0 };

  g_assert_error (context, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CONTEXT);
  g_assert_false (DIALECT->adapt (context, &terms));
}

static void
check_terms (GadgetModelSupport terms, const char *thinking, const char *max_tokens)
{
  g_autoptr (GadgetRequest) request = test_dialect_sample_request (replays);
  g_autoptr (GBytes) body = DIALECT->make_chat_body (request, "small", &terms);
  const char *text = g_bytes_get_data (body, NULL);
  const gssize length = (gssize) g_bytes_get_size (body);
  g_autofree char *wrong = strict_anthropic (text, (gsize) length, NULL);

  g_assert_cmpstr (wrong, ==, NULL);
  g_assert_nonnull (g_strstr_len (text, length, max_tokens));
  if (thinking != NULL)
    g_assert_nonnull (g_strstr_len (text, length, thinking));
  else
    g_assert_null (g_strstr_len (text, length, "thinking"));
}

static void
test_request_on_terms (void)
{
  check_terms ((GadgetModelSupport) { 0, 4096 }, "\"adaptive\"", "\"max_tokens\":4096,");
  check_terms ((GadgetModelSupport) { OLDER, 0 },
               "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":16000}",
               "\"max_tokens\":32000,");
  check_terms ((GadgetModelSupport) { OLDER, 4096 },
               "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2048}",
               "\"max_tokens\":4096,");
  check_terms ((GadgetModelSupport) { OLDER, 2000 }, NULL, "\"max_tokens\":2000,");
  check_terms ((GadgetModelSupport) { NONE, 8192 }, NULL, "\"max_tokens\":8192,");
}

static void
test_endless_arguments (void)
{
  test_dialect_assert_arguments (
      DIALECT,
      "event: content_block_start\n"
      "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{"
      "\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"write\",\"input\":{}}}\n\n",
      "event: content_block_delta\n"
      "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{"
      "\"type\":\"input_json_delta\",\"partial_json\":\"%s\"}}\n\n");
}

static void
test_endless_calls (void)
{
  test_dialect_assert_calls (
      DIALECT, "event: content_block_start\n"
               "data: {\"type\":\"content_block_start\",\"index\":%u,\"content_block\":{"
               "\"type\":\"tool_use\",\"id\":\"c%u\",\"name\":\"write\",\"input\":{}}}\n\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/anthropic/endless-calls", test_endless_calls);
  g_test_add_func ("/engine/anthropic/request", test_request);
  g_test_add_func ("/engine/anthropic/request-plain", test_plain);
  g_test_add_func ("/engine/anthropic/thinking-in-a-loop", test_loop);
  g_test_add_func ("/engine/anthropic/url", test_url);
  g_test_add_func ("/engine/anthropic/sign", test_sign);
  g_test_add_func ("/engine/anthropic/models", test_models);
  g_test_add_func ("/engine/anthropic/images", test_images);
  g_test_add_func ("/engine/anthropic/refusals", test_refusals);
  g_test_add_func ("/engine/anthropic/endless-arguments", test_endless_arguments);
  g_test_add_func ("/engine/anthropic/terms", test_terms);
  g_test_add_func ("/engine/anthropic/context-is-no-term", test_context_is_no_term);
  g_test_add_func ("/engine/anthropic/request-on-terms", test_request_on_terms);
  g_assert_cmpuint (dialect_log_add_tests (DIALECT, "anthropic"), >=, 40);
  return g_test_run ();
}
