/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a server's list says of its models, and what its refusals mean. */

#include "config.h"

#include "providers/gadget-error-parser.h"
#include "providers/gadget-openai-chat-format.h"
#include "strict-body.h"

#include <string.h>

/* --- The request ----------------------------------------------------------------------------- */

static void
assert_url (const char *base, const char *expected)
{
  g_autofree char *found = gadget_openai_chat_make_url (base, "models");

  g_assert_cmpstr (found, ==, expected);
}

static void
test_url (void)
{
  assert_url ("http://localhost:8080", "http://localhost:8080/v1/models");
  assert_url ("http://localhost:8080/", "http://localhost:8080/v1/models");
  assert_url ("http://localhost:8080/v1", "http://localhost:8080/v1/models");
  assert_url ("http://localhost:8080/v1//", "http://localhost:8080/v1/models");
  assert_url ("https://api.example/openai/v2", "https://api.example/openai/v2/models");
  assert_url ("https://api.example/a%20b?version=1", "https://api.example/a%20b/models?version=1");
  assert_url ("http://[::1]:1234/v1", "http://[::1]:1234/v1/models");
  assert_url ("localhost", NULL);
  assert_url ("", NULL);
  assert_url (NULL, NULL);
}

/* --- Models and refusals --------------------------------------------------------------------- */

static void
assert_models (const char *text, const char *expected)
{
  g_autoptr (GPtrArray) models =
      gadget_openai_chat_read_models (text, strlen (text), "second", NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *found = NULL;

  g_assert_nonnull (models);
  for (guint i = 0; i < models->len; i++)
    g_ptr_array_add (names, (char *) gadget_model_get_name (g_ptr_array_index (models, i)));
  g_ptr_array_add (names, NULL);
  found = g_strjoinv (" ", (char **) names->pdata);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_models (void)
{
  g_autoptr (GError) error = NULL;

  assert_models ("{\"data\":[{\"id\":\"first\"},{\"id\":\"second\"},{\"id\":\"first\"}]}",
                 "second first");
  assert_models ("{\"data\":[1,null,{},{\"id\":7},{\"id\":\"a\"}]}", "a");
  assert_models ("{\"models\":[{\"name\":\"b\",\"model\":\"a\"},{\"name\":\"c\"}]}", "a c");
  assert_models ("{\"data\":[]}", "");

  g_assert_null (gadget_openai_chat_read_models ("<html>", 6, NULL, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS);
  g_clear_error (&error);
  g_assert_null (gadget_openai_chat_read_models ("[]", 2, NULL, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS);
}

static void
assert_refusal (guint status, const char *body, GadgetProviderError code, const char *said)
{
  GadgetHttpResponse response = { .status = status, .content_type = (char *) "" };
  g_autoptr (GError) error = gadget_error_parser_read (&response, body, strlen (body));

  g_assert_error (error, GADGET_PROVIDER_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, said));
}

static void
test_refusals (void)
{
  assert_refusal (401, "{\"error\":{\"message\":\"Incorrect key\",\"code\":\"invalid_api_key\"}}",
                  GADGET_PROVIDER_ERROR_AUTH, "Incorrect key");
  assert_refusal (401, "", GADGET_PROVIDER_ERROR_AUTH, "401");
  assert_refusal (403, "<html>no</html>", GADGET_PROVIDER_ERROR_AUTH, "403");
  assert_refusal (404, "<html>not here</html>", GADGET_PROVIDER_ERROR_ADDRESS, "404");
  assert_refusal (404, "404 page not found", GADGET_PROVIDER_ERROR_ADDRESS, "page not found");
  assert_refusal (404, "{\"detail\":\"Not Found\"}", GADGET_PROVIDER_ERROR_ADDRESS, "Not Found");
  assert_refusal (404, "{\"error\":{\"message\":\"File Not Found\",\"code\":404}}",
                  GADGET_PROVIDER_ERROR_ADDRESS, "File Not Found");
  assert_refusal (404, "{\"error\":{\"message\":\"model \\\"x\\\" not found, try pulling it\"}}",
                  GADGET_PROVIDER_ERROR_MODEL, "try pulling");
  assert_refusal (404,
                  "{\"error\":{\"message\":\"The model `x` does not exist or you do not have "
                  "access to it.\",\"code\":\"model_not_found\"}}",
                  GADGET_PROVIDER_ERROR_MODEL, "does not exist");
  assert_refusal (400,
                  "{\"error\":{\"message\":\"This model's maximum context length is 8192 "
                  "tokens\",\"code\":\"context_length_exceeded\"}}",
                  GADGET_PROVIDER_ERROR_CONTEXT, "8192");
  assert_refusal (400, "{\"error\":\"messages must not be empty\"}", GADGET_PROVIDER_ERROR_REFUSED,
                  "must not");
  assert_refusal (422, "{\"detail\":[{\"msg\":\"field required\"}]}", GADGET_PROVIDER_ERROR_REFUSED,
                  "422");
  assert_refusal (429, "{\"error\":{\"message\":\"Slow down\",\"type\":\"rate_limit\"}}",
                  GADGET_PROVIDER_ERROR_RATE_LIMITED, "Slow down");
  assert_refusal (429, "{\"error\":{\"message\":\"Pay\",\"code\":\"insufficient_quota\"}}",
                  GADGET_PROVIDER_ERROR_QUOTA, "Pay");
  assert_refusal (500, "oops", GADGET_PROVIDER_ERROR_OVERLOADED, "oops");
  assert_refusal (502, "<html>bad gateway</html>", GADGET_PROVIDER_ERROR_OVERLOADED, "502");
  assert_refusal (408, "", GADGET_PROVIDER_ERROR_TIMEOUT, "408");
  assert_refusal (302, "", GADGET_PROVIDER_ERROR_ADDRESS, "302");
}

static void
test_loading (void)
{
  GadgetHttpResponse response = { .status = 503, .content_type = (char *) "" };
  const char *body = "{\"error\":{\"code\":503,\"message\":\"Loading model\","
                     "\"type\":\"unavailable_error\"}}";
  g_autoptr (GError) error = gadget_error_parser_read (&response, body, strlen (body));

  g_assert_true (response.loading);
}

static void
assert_more (const char *base, guint step, const char *expected)
{
  g_autoptr (GadgetModel) model = gadget_model_new ("a/b");
  g_autofree char *found = gadget_openai_chat_make_more_url (base, model, step);

  g_assert_cmpstr (found, ==, expected);
  g_free (found);
  gadget_model_set_context_length (model, 1);
  found = gadget_openai_chat_make_more_url (base, model, step);
  g_assert_cmpstr (found, ==, expected);
  gadget_model_set_images (model, GADGET_MODEL_IMAGES_YES);
  g_assert_null (gadget_openai_chat_make_more_url (base, model, step));
}

static void
assert_context (const char *text, gint64 expected)
{
  g_autoptr (GadgetModel) model = gadget_model_new ("a");

  gadget_openai_chat_read_more (text, strlen (text), model);
  g_assert_cmpint (gadget_model_get_context_length (model), ==, expected);
}

static void
assert_listed_images (const char *text, GadgetModelImages expected)
{
  g_autoptr (GPtrArray) models = gadget_openai_chat_read_models (text, strlen (text), NULL, NULL);

  g_assert_cmpuint (models->len, ==, 1);
  g_assert_cmpint (gadget_model_get_images (g_ptr_array_index (models, 0)), ==, expected);
}

/* @known: before it was asked there. */
static void
assert_more_images (const char *text, GadgetModelImages known, GadgetModelImages expected)
{
  g_autoptr (GadgetModel) model = gadget_model_new ("a");

  gadget_model_set_images (model, known);
  gadget_openai_chat_read_more (text, strlen (text), model);
  g_assert_cmpint (gadget_model_get_images (model), ==, expected);
}

static void
test_images (void)
{
  const GadgetModelImages unknown = GADGET_MODEL_IMAGES_UNKNOWN;
  const GadgetModelImages no = GADGET_MODEL_IMAGES_NO;
  const GadgetModelImages yes = GADGET_MODEL_IMAGES_YES;

  /* OpenAI */
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"object\":\"model\"}]}", unknown);
  /* OpenRouter */
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"architecture\":{\"modality\":"
                        "\"text+image->text\",\"input_modalities\":[\"text\",\"image\"]}}]}",
                        yes);
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"architecture\":{"
                        "\"input_modalities\":[\"text\"],\"output_modalities\":[\"image\"]}}]}",
                        no);
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"architecture\":{"
                        "\"input_modalities\":[]}}]}",
                        unknown);
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"architecture\":{"
                        "\"input_modalities\":\"image\"}}]}",
                        unknown);
  /* Mistral */
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"capabilities\":{\"vision\":true}}]}", yes);
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"capabilities\":{\"vision\":false}}]}", no);
  assert_listed_images ("{\"data\":[{\"id\":\"a\",\"capabilities\":{\"vision\":1}}]}", unknown);
  /* llama.cpp, and Ollama's own list */
  assert_listed_images ("{\"models\":[{\"model\":\"a\",\"capabilities\":[\"completion\"]}]}", no);
  assert_listed_images ("{\"models\":[{\"model\":\"a\",\"capabilities\":[\"completion\","
                        "\"multimodal\"]}]}",
                        unknown);
  assert_listed_images ("{\"models\":[{\"model\":\"a\",\"capabilities\":[\"completion\","
                        "\"vision\"]}]}",
                        yes);

  assert_more_images ("{\"modalities\":{\"vision\":true,\"audio\":false}}", unknown, yes);
  assert_more_images ("{\"modalities\":{\"vision\":false,\"audio\":true}}", unknown, no);
  assert_more_images ("{\"modalities\":{\"vision\":\"yes\"}}", unknown, unknown);
  assert_more_images ("{\"data\":[{\"id\":\"b\",\"type\":\"llm\"},"
                      "{\"id\":\"a\",\"type\":\"vlm\"}]}",
                      unknown, yes);
  assert_more_images ("{\"data\":[{\"id\":\"b\",\"type\":\"vlm\"},"
                      "{\"id\":\"a\",\"type\":\"llm\"}]}",
                      unknown, no);
  assert_more_images ("{\"data\":[{\"id\":\"b\",\"type\":\"vlm\"}]}", unknown, unknown);
  assert_more_images ("{\"error\":\"Not Found\"}", no, no);
}

static void
test_more (void)
{
  assert_more ("http://127.0.0.1:8080/v1/", 0,
               "http://127.0.0.1:8080/props?model=a%2Fb&autoload=false");
  assert_more ("http://127.0.0.1:1234", 1, "http://127.0.0.1:1234/api/v0/models");
  assert_more ("http://127.0.0.1:1234/v1", 2, NULL);
  assert_more ("https://api.example/v1", 0, NULL);
  assert_more (NULL, 0, NULL);
  assert_context ("{\"default_generation_settings\":{\"n_ctx\":4096}}", 4096);
  assert_context ("{\"data\":[{\"id\":\"b\",\"max_context_length\":1},{\"id\":\"a\","
                  "\"max_context_length\":131072,\"loaded_context_length\":8192}]}",
                  8192);
  assert_context ("{\"data\":[{\"id\":\"a\",\"max_context_length\":131072}]}", 131072);
  assert_context ("{\"data\":[{\"id\":\"b\",\"max_context_length\":131072}]}", 0);
  assert_context ("<html>", 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/openai-chat-format/url", test_url);
  g_test_add_func ("/engine/openai-chat-format/models", test_models);
  g_test_add_func ("/engine/openai-chat-format/images", test_images);
  g_test_add_func ("/engine/openai-chat-format/more", test_more);
  g_test_add_func ("/engine/openai-chat-format/refusals", test_refusals);
  g_test_add_func ("/engine/openai-chat-format/loading", test_loading);
  return g_test_run ();
}
