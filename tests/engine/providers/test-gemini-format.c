/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tests/data/gemini/ holds answers as the Gemini API sends them, and the events that are to come of
 * each. */

#include "config.h"

#include "dialect-log.h"
#include "strict-body.h"

#include "providers/gadget-gemini-format.h"
#include "providers/gadget-gemini.h"

#include <string.h>

/* --- The request ----------------------------------------------------------------------------- */

static void
add_first_step (GadgetRequest *request)
{
  GadgetMessage *message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);

  gadget_message_add_part (message, GADGET_PART_REASONING, "Two files.")->replay =
      g_strdup ("{\"thoughtSignature\":\"dGhvdWdodA==\"}");
  gadget_message_add_part (message, GADGET_PART_TEXT, "I look.")->replay =
      g_strdup ("{\"thoughtSignature\":\"d29yZHM=\"}");
  gadget_message_add_call (message, "c1", "read_file", "{\"path\":\"a.c\"}")->replay =
      g_strdup ("{\"id\":\"id-1\",\"thoughtSignature\":\"c2lnbmVk+/==\"}");
  gadget_message_add_call (message, "c2", "wait", "{}");
  gadget_request_add_result (request, "c1", "read_file", "int main;");
  gadget_request_add_result (request, "c2", "wait", "not \xff UTF-8")->failed = TRUE;
}

static GadgetRequest *
make_request (void)
{
  GadgetRequest *request = gadget_request_new ();
  g_autoptr (GBytes) image = g_bytes_new_static ("\x89PNG\r", 5);
  GadgetMessage *message;

  request->system = g_strdup ("Be brief.");
  message =
      gadget_request_add_message (request, GADGET_ROLE_USER, "What is in “a.png” \\ and a.c?\n");
  gadget_message_add_image (message, "a.png", "image/png", image);
  add_first_step (request);
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
  gadget_message_add_call (message, "c3", "9wait", "{\"seconds\":1.5}");
  message = gadget_request_add_result (request, "c3", "9wait", "");
  gadget_message_add_image (message, "b.png", "image/png", image);
  gadget_request_add_message (request, GADGET_ROLE_USER, "Thanks");
  gadget_request_add_tool (
      request, "wait", "Waits.",
      "{\"type\":\"object\",\"properties\":{\"seconds\":{\"type\":\"number\"}},"
      "\"additionalProperties\":false}");
  return request;
}

static void
assert_good (GBytes *body)
{
  g_autofree char *wrong =
      strict_gemini (g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL);

  g_assert_cmpstr (wrong, ==, NULL);
}

static gboolean
contains (GBytes *body, const char *text)
{
  return g_strstr_len (g_bytes_get_data (body, NULL), (gssize) g_bytes_get_size (body), text)
         != NULL;
}

static void
test_request (void)
{
  g_autoptr (GadgetRequest) request = make_request ();
  g_autoptr (GBytes) body = gadget_gemini_make_request (request, "gemini-3-pro", TRUE);

  dialect_log_assert_json (body, "gemini", "request.json");
  assert_good (body);
}

/* Older models demand no signature and get no made one; those that they gave go back. */
static void
test_request_older (void)
{
  g_autoptr (GadgetRequest) request = make_request ();
  g_autoptr (GBytes) body = gadget_gemini_make_request (request, "gemini-2.5-flash", FALSE);

  g_assert_false (contains (body, "skip_thought_signature_validator"));
  g_assert_true (contains (body, "c2lnbmVk+/=="));
  g_assert_false (contains (body, "thinkingConfig"));
}

/* Bodies that the validator must refuse: an array of parts for each content, the user's first. */
static const char *const bad_contents[] = {
  /* None, an empty one, no words, a model at the end, an unknown member, two kinds in one. */
  "",
  "{\"role\":\"user\",\"parts\":[]}",
  "{\"role\":\"user\",\"parts\":[{\"text\":\"\"}]}",
  "{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]},{\"role\":\"model\",\"parts\":[{\"text\":\"a\"}"
  "]}",
  "{\"role\":\"user\",\"parts\":[{\"text\":\"a\",\"cache\":1}]}",
  "{\"role\":\"user\",\"parts\":[{\"text\":\"a\",\"inlineData\":{\"mimeType\":\"b\",\"data\":\"c\"}"
  "}]}",
  "{\"role\":\"assistant\",\"parts\":[{\"text\":\"a\"}]}",
  "{\"role\":\"user\",\"parts\":[{\"inlineData\":{\"mimeType\":\"b\",\"data\":\"?\"}}]}",
  /* Roles that do not alternate. */
  "{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]},{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]"
  "},"
  "{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]}",
  /* Results without calls, of the model; calls of the user. */
  "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"a\",\"response\":{}}}]}",
  "{\"role\":\"user\",\"parts\":[{\"functionCall\":{\"name\":\"a\",\"args\":{}}}]}",
  "{\"role\":\"user\",\"parts\":[{\"text\":\"a\",\"thought\":true}]}",
};

#define STEP(call, result)                                                                         \
  "{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]},{\"role\":\"model\",\"parts\":[" call          \
  "]},{\"role\":\"user\",\"parts\":[" result "]}"
#define SIGNED ",\"thoughtSignature\":\"c2ln\"}"

static const char good_step[] = STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}" SIGNED,
                                      "{\"functionResponse\":{\"name\":\"a\",\"response\":{}}}");

static const char *const bad_steps[] = {
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}}",
        "{\"functionResponse\":{\"name\":\"a\",\"response\":{}}}"),
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":\"{}\"}" SIGNED,
        "{\"functionResponse\":{\"name\":\"a\",\"response\":{}}}"),
  STEP ("{\"functionCall\":{\"name\":\"9a\",\"args\":{}}" SIGNED,
        "{\"functionResponse\":{\"name\":\"9a\",\"response\":{}}}"),
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}" SIGNED, "{\"text\":\"b\"}"),
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}" SIGNED,
        "{\"text\":\"b\"},{\"functionResponse\":{\"name\":\"a\",\"response\":{}}}"),
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}" SIGNED,
        "{\"functionResponse\":{\"name\":\"b\",\"response\":{}}}"),
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}" SIGNED,
        "{\"functionResponse\":{\"name\":\"a\",\"response\":\"c\"}}"),
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}" SIGNED,
        "{\"functionResponse\":{\"name\":\"a\",\"response\":{}}},"
        "{\"functionResponse\":{\"name\":\"a\",\"response\":{}}}"),
  STEP ("{\"functionCall\":{\"id\":\"1\",\"name\":\"a\",\"args\":{}}" SIGNED,
        "{\"functionResponse\":{\"name\":\"a\",\"response\":{}}}"),
  STEP ("{\"functionCall\":{\"name\":\"a\",\"args\":{}}" SIGNED,
        "{\"functionResponse\":{\"id\":\"1\",\"name\":\"a\",\"response\":{}}}"),
};

static const char *const bad_rests[] = {
  ",\"model\":\"m\"",
  ",\"systemInstruction\":\"a\"",
  ",\"systemInstruction\":{\"parts\":[]}",
  ",\"tools\":[{\"type\":\"function\"}]",
  ",\"tools\":[{\"functionDeclarations\":[{\"name\":\"a\"}]}]",
  ",\"tools\":[{\"functionDeclarations\":[{\"name\":\"a\",\"description\":\"b\",\"schema\":{}}]}]",
  ",\"generationConfig\":{\"thinking\":true}",
  ",\"generationConfig\":{\"thinkingConfig\":{\"includeThoughts\":1}}",
};

static void
assert_checked (const char *contents, const char *rest, gboolean good)
{
  g_autofree char *body = g_strdup_printf ("{\"contents\":[%s]%s}", contents, rest);
  g_autofree char *wrong = strict_gemini (body, strlen (body), NULL);

  if ((wrong == NULL) != good)
    g_error ("%s: %s", wrong != NULL ? wrong : "not refused", body);
}

static void
test_validator (void)
{
  static const char good[] = "{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]}";

  assert_checked (good, "", TRUE);
  assert_checked (good_step, "", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (bad_contents); i++)
    assert_checked (bad_contents[i], "", FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (bad_steps); i++)
    assert_checked (bad_steps[i], "", FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (bad_rests); i++)
    assert_checked (good, bad_rests[i], FALSE);
}

static void
assert_url (char *url, const char *expected)
{
  g_autofree char *found = url;

  g_assert_cmpstr (found, ==, expected);
}

static void
test_url (void)
{
  const char *base = "https://api.example/v1beta/";

  assert_url (gadget_gemini_make_chat_url (base, "gemini-3-pro"),
              "https://api.example/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse");
  assert_url (gadget_gemini_make_chat_url ("https://api.example", "models/a b"),
              "https://api.example/v1beta/models/a%20b:streamGenerateContent?alt=sse");
  assert_url (gadget_gemini_make_chat_url ("https://api.example/v1?x=1", "tunedModels/a"),
              "https://api.example/v1/tunedModels/a:streamGenerateContent?x=1&alt=sse");
  assert_url (gadget_gemini_make_model_url (base, "a?b"),
              "https://api.example/v1beta/models/a%3Fb");
  assert_url (gadget_gemini_make_models_url (base),
              "https://api.example/v1beta/models?pageSize=1000");
  assert_url (gadget_gemini_make_chat_url ("nowhere", "a"), NULL);
  assert_url (gadget_gemini_make_models_url (NULL), NULL);
}

/* --- Models and refusals --------------------------------------------------------------------- */

static void
test_models (void)
{
  static const char text[] =
      "{\"models\":[{\"name\":\"models/embed\",\"supportedGenerationMethods\":[\"embedContent\"]},"
      "{\"name\":\"models/flash\",\"inputTokenLimit\":1048576,"
      "\"supportedGenerationMethods\":[\"generateContent\",\"countTokens\"]},7,{},"
      "{\"name\":\"models/\",\"supportedGenerationMethods\":[\"generateContent\"]},"
      "{\"name\":\"models/pro\",\"supportedGenerationMethods\":[7,\"generateContent\"]}]}";
  g_autoptr (GPtrArray) models = gadget_gemini_read_models (text, strlen (text), "pro", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (models->len, ==, 2);
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 0)), ==, "pro");
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 1)), ==, "flash");
  g_assert_cmpint (gadget_model_get_context_length (g_ptr_array_index (models, 1)), ==, 1048576);

  g_assert_null (gadget_gemini_read_models ("{}", 2, NULL, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS);
  g_clear_error (&error);
  g_assert_null (gadget_gemini_read_description ("{}", 2, "m", &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_BAD_ANSWER);
}

static void
assert_refusal (guint status, const char *body, GadgetProviderError code, const char *retry_after)
{
  GadgetHttpResponse response = { .status = status, .content_type = (char *) "" };
  g_autoptr (GError) error = gadget_gemini_read_refusal (&response, body, strlen (body));

  g_assert_error (error, GADGET_PROVIDER_ERROR, (gint) code);
  g_assert_cmpstr (response.retry_after, ==, retry_after);
  g_free (response.retry_after);
}

#define ERROR(code, status, message, details)                                                      \
  "{\"error\":{\"code\":" code ",\"message\":\"" message "\",\"status\":\"" status                 \
  "\",\"details\":[" details "]}}"
#define RETRY_INFO(delay)                                                                          \
  "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"" delay "\"}"
#define QUOTA(id)                                                                                  \
  "{\"@type\":\"type.googleapis.com/google.rpc.QuotaFailure\",\"violations\":[{\"quotaId\":\"" id  \
  "\"}]}"

static void
test_refusals (void)
{
  assert_refusal (
      400, ERROR ("400", "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", ""),
      GADGET_PROVIDER_ERROR_AUTH, NULL);
  assert_refusal (400, ERROR ("400", "INVALID_ARGUMENT", "No", "{\"reason\":\"API_KEY_INVALID\"}"),
                  GADGET_PROVIDER_ERROR_AUTH, NULL);
  assert_refusal (403, ERROR ("403", "PERMISSION_DENIED", "Not you", ""),
                  GADGET_PROVIDER_ERROR_AUTH, NULL);
  assert_refusal (404,
                  ERROR ("404", "NOT_FOUND",
                         "models/x is not found for API version v1beta, or is not supported for "
                         "generateContent.",
                         ""),
                  GADGET_PROVIDER_ERROR_MODEL, NULL);
  assert_refusal (404, "<html></html>", GADGET_PROVIDER_ERROR_ADDRESS, NULL);
  assert_refusal (400,
                  ERROR ("400", "INVALID_ARGUMENT",
                         "The input token count (2000000) exceeds the maximum number of tokens "
                         "allowed (1048576).",
                         ""),
                  GADGET_PROVIDER_ERROR_CONTEXT, NULL);
  assert_refusal (429,
                  ERROR ("429", "RESOURCE_EXHAUSTED", "Slow down",
                         QUOTA ("GenerateRequestsPerMinutePerProject") "," RETRY_INFO ("34.07s")),
                  GADGET_PROVIDER_ERROR_RATE_LIMITED, "35");
  assert_refusal (429, "[" ERROR ("429", "RESOURCE_EXHAUSTED", "Slow down", RETRY_INFO ("7s")) "]",
                  GADGET_PROVIDER_ERROR_RATE_LIMITED, "7");
  assert_refusal (429,
                  ERROR ("429", "RESOURCE_EXHAUSTED", "Enough for today",
                         QUOTA ("GenerateRequestsPerDayPerProject-FreeTier")),
                  GADGET_PROVIDER_ERROR_REFUSED, NULL);
  assert_refusal (503, ERROR ("503", "UNAVAILABLE", "The model is overloaded.", ""),
                  GADGET_PROVIDER_ERROR_OVERLOADED, NULL);
  assert_refusal (400,
                  ERROR ("400", "FAILED_PRECONDITION", "User location is not supported", "7,[]"),
                  GADGET_PROVIDER_ERROR_REFUSED, NULL);
  assert_refusal (500, "oops", GADGET_PROVIDER_ERROR_OVERLOADED, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/gemini-format/request", test_request);
  g_test_add_func ("/engine/gemini-format/request-older", test_request_older);
  g_test_add_func ("/engine/gemini-format/validator", test_validator);
  g_test_add_func ("/engine/gemini-format/url", test_url);
  g_test_add_func ("/engine/gemini-format/models", test_models);
  g_test_add_func ("/engine/gemini-format/refusals", test_refusals);
  g_assert_cmpuint (dialect_log_add_tests (&gadget_gemini_dialect, "gemini"), >=, 20);
  return g_test_run ();
}
