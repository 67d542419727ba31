/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tests/data/ollama/ holds answers as Ollama sends them, and the events that are to come of each.
 */

#include "config.h"

#include "dialect-log.h"
#include "strict-body.h"

#include "providers/gadget-ollama-format.h"
#include "providers/gadget-ollama.h"

#include <string.h>

/* --- The request ----------------------------------------------------------------------------- */

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
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
  gadget_message_add_part (message, GADGET_PART_REASONING, "Two files.")->replay =
      g_strdup ("whole");
  gadget_message_add_part (message, GADGET_PART_TEXT, "I look.");
  gadget_message_add_call (message, "c1", "read_file", "{\"path\":\"a.c\"}");
  gadget_message_add_call (message, "c2", "wait", "{}");
  gadget_request_add_result (request, "c1", "read_file", "int main;");
  gadget_request_add_result (request, "c2", "wait", "not \xff UTF-8");
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
  gadget_message_add_call (message, "c3", "wait", "{\"seconds\":1.5}");
  gadget_request_add_result (request, "c3", "wait", "");
  gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "Done.");
  gadget_request_add_message (request, GADGET_ROLE_USER, "Thanks");
  gadget_request_add_tool (
      request, "wait", "Waits.",
      "{\"type\":\"object\",\"properties\":{\"seconds\":{\"type\":\"number\"}}}");
  return request;
}

static void
assert_good (GBytes *body)
{
  g_autofree char *wrong =
      strict_ollama (g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL);

  g_assert_cmpstr (wrong, ==, NULL);
}

static void
test_request (void)
{
  g_autoptr (GadgetRequest) request = make_request ();
  g_autoptr (GBytes) body = gadget_ollama_make_request (request, "qwen3", TRUE);

  dialect_log_assert_json (body, "ollama", "request.json");
  assert_good (body);
}

static void
test_request_plain (void)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autoptr (GBytes) body = NULL;
  const char *text;

  gadget_request_add_message (request, GADGET_ROLE_USER, "Hi");
  body = gadget_ollama_make_request (request, "gemma3", FALSE);
  text = g_bytes_get_data (body, NULL);
  g_assert_null (g_strstr_len (text, (gssize) g_bytes_get_size (body), "think"));
  g_assert_null (g_strstr_len (text, (gssize) g_bytes_get_size (body), "tools"));
  g_assert_nonnull (g_strstr_len (text, (gssize) g_bytes_get_size (body), "\"truncate\":false"));
  assert_good (body);
}

/* Bodies that the validator must refuse; %s is a good request's beginning. */
static const char *const bad_bodies[] = {
  "",
  "[]",
  "{}",
  "{\"model\":\"m\",\"messages\":[]}",
  "{\"model\":\"\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"max_tokens\":1}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"stream\":\"yes\"}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"think\":\"much\"}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"text\":\"a\"}]}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"model\",\"content\":\"a\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\",\"thinking\":\"b\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\",\"images\":[\"a?\"]}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\",\"images\":[7]}]}",
  /* Arguments as text; no name; no result; a result too many, of another tool, without a name. */
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"function\":"
  "{\"name\":\"a\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_name\":\"a\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"function\":"
  "{\"arguments\":{}}}]},{\"role\":\"tool\",\"tool_name\":\"a\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[]}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"function\":"
  "{\"name\":\"a\",\"arguments\":{}}}]}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"function\":"
  "{\"name\":\"a\",\"arguments\":{}}}]},{\"role\":\"user\",\"content\":\"a\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"tool\",\"tool_name\":\"a\",\"content\":\"b\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"function\":"
  "{\"name\":\"a\",\"arguments\":{}}}]},{\"role\":\"tool\",\"tool_name\":\"b\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"function\":"
  "{\"name\":\"a\",\"arguments\":{}}}]},{\"role\":\"tool\",\"content\":\"b\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\","
  "\"function\":{\"name\":\"a\",\"arguments\":{}}}]},{\"role\":\"tool\",\"tool_name\":\"a\"}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"tools\":[{}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"tools\":[{"
  "\"type\":\"function\",\"function\":{\"name\":\"a\",\"parameters\":{}}}]}",
  "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"tools\":[{"
  "\"type\":\"web\",\"function\":{\"name\":\"a\",\"parameters\":{\"type\":\"object\"}}}]}",
};

static void
test_validator (void)
{
  static const char good[] =
      "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";
  g_autofree char *nothing = strict_ollama (good, strlen (good), NULL);

  g_assert_cmpstr (nothing, ==, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bad_bodies); i++)
    {
      g_autofree char *wrong = strict_ollama (bad_bodies[i], strlen (bad_bodies[i]), NULL);

      if (wrong == NULL)
        g_error ("not refused: %s", bad_bodies[i]);
    }
}

static void
assert_url (const char *base, const char *expected)
{
  g_autofree char *found = gadget_ollama_make_url (base, "chat");

  g_assert_cmpstr (found, ==, expected);
}

static void
test_url (void)
{
  assert_url ("http://127.0.0.1:11434", "http://127.0.0.1:11434/api/chat");
  assert_url ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/api/chat");
  assert_url ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/api/chat");
  assert_url ("http://127.0.0.1:11434/api/", "http://127.0.0.1:11434/api/chat");
  assert_url ("https://host.example/ollama", "https://host.example/ollama/api/chat");
  assert_url ("localhost", NULL);
  assert_url (NULL, NULL);
}

/* --- Models and refusals --------------------------------------------------------------------- */

static void
test_models (void)
{
  static const char text[] =
      "{\"models\":[{\"name\":\"llava:latest\",\"model\":\"llava:latest\"},"
      "{\"model\":\"bge-m3:latest\",\"capabilities\":[\"embedding\"]},"
      "{\"name\":\"qwen3:8b\",\"capabilities\":[\"completion\",\"tools\"]},7,{},"
      "{\"model\":\"Mine:latest\",\"capabilities\":[]}]}";
  g_autoptr (GPtrArray) models = gadget_ollama_read_models (text, strlen (text), "mine", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (models->len, ==, 3);
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 0)), ==, "Mine:latest");
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 1)), ==, "llava:latest");
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 2)), ==, "qwen3:8b");

  g_assert_null (gadget_ollama_read_models ("{\"data\":[]}", 11, NULL, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS);
}

static void
assert_shown (const char *text, gint64 expected)
{
  g_autoptr (GadgetModel) model = gadget_ollama_read_show (text, strlen (text), "m", NULL);

  g_assert_cmpstr (gadget_model_get_name (model), ==, "m");
  g_assert_cmpint (gadget_model_get_context_length (model), ==, expected);
}

static void
assert_shown_images (const char *text, GadgetModelImages expected)
{
  g_autoptr (GadgetModel) model = gadget_ollama_read_show (text, strlen (text), "m", NULL);

  g_assert_cmpint (gadget_model_get_images (model), ==, expected);
}

static void
test_images (void)
{
  assert_shown_images ("{\"capabilities\":[\"completion\",\"vision\"]}", GADGET_MODEL_IMAGES_YES);
  assert_shown_images ("{\"capabilities\":[\"completion\",\"tools\"]}", GADGET_MODEL_IMAGES_NO);
  assert_shown_images ("{\"capabilities\":[]}", GADGET_MODEL_IMAGES_UNKNOWN);
  assert_shown_images ("{\"capabilities\":\"vision\"}", GADGET_MODEL_IMAGES_UNKNOWN);
  assert_shown_images ("{}", GADGET_MODEL_IMAGES_UNKNOWN);
}

static void
test_show (void)
{
  g_autoptr (GBytes) body = gadget_ollama_make_show ("a\"b");
  g_autoptr (GError) error = NULL;

  g_assert_cmpmem (g_bytes_get_data (body, NULL), g_bytes_get_size (body), "{\"model\":\"a\\\"b\"}",
                   16);
  assert_shown (
      "{\"model_info\":{\"general.architecture\":\"llama\",\"llama.context_length\":8192}}", 8192);
  assert_shown ("{\"parameters\":\"stop  \\\"x\\\"\\nnum_ctx                        4096\","
                "\"model_info\":{\"llama.context_length\":8192}}",
                4096);
  assert_shown ("{\"parameters\":\"num_ctx 65536\",\"model_info\":{\"a.context_length\":8192}}",
                8192);
  assert_shown ("{\"parameters\":\"num_ctx_is_not_this 1\\nnum_ctx\",\"model_info\":7}", 0);
  assert_shown ("{}", 0);
  g_assert_null (gadget_ollama_read_show ("no", 2, "m", &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_BAD_ANSWER);
}

static void
assert_running (const char *text, const char *model, gboolean expected, gint64 context)
{
  gint64 found = -1;

  g_assert_true (gadget_ollama_read_running (text, strlen (text), model, &found) == expected);
  g_assert_cmpint (found, ==, context);
}

static void
test_running (void)
{
  static const char text[] = "{\"models\":[{\"model\":\"qwen3:latest\",\"context_length\":4096},"
                             "{\"name\":\"llava:7b\"}]}";

  assert_running (text, "qwen3", TRUE, 4096);
  assert_running (text, "Qwen3:latest", TRUE, 4096);
  assert_running (text, "llava:7b", TRUE, 0);
  assert_running (text, "llava", FALSE, 0);
  assert_running (text, "qwen", FALSE, 0);
  assert_running (text, "gpt-oss:120b-cloud", TRUE, 0);
  assert_running ("{\"models\":[]}", "qwen3", FALSE, 0);
  /* Nothing that can be understood says nothing. */
  assert_running ("404 page not found", "qwen3", TRUE, 0);
}

static void
assert_refusal (guint status, const char *body, GadgetProviderError code, const char *said)
{
  GadgetHttpResponse response = { .status = status, .content_type = (char *) "" };
  g_autoptr (GError) error = gadget_ollama_read_refusal (&response, body, strlen (body));

  g_assert_error (error, GADGET_PROVIDER_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, said));
}

static void
test_refusals (void)
{
  assert_refusal (404, "{\"error\":\"model 'x' not found\"}", GADGET_PROVIDER_ERROR_MODEL,
                  "ollama pull");
  assert_refusal (404, "{\"error\":\"model \\\"x\\\" not found, try pulling it first\"}",
                  GADGET_PROVIDER_ERROR_MODEL, "ollama pull");
  assert_refusal (404, "404 page not found", GADGET_PROVIDER_ERROR_ADDRESS, "404");
  assert_refusal (400, "{\"error\":\"registry.ollama.ai/library/x does not support tools\"}",
                  GADGET_PROVIDER_ERROR_REFUSED, "does not support tools");
  assert_refusal (400,
                  "{\"error\":\"the prompt is longer than the context length currently available "
                  "to the model; shorten the prompt, adjust the context length in settings, or use "
                  "a model with a longer context length\"}",
                  GADGET_PROVIDER_ERROR_CONTEXT, "adjust the context length");
  assert_refusal (401, "{\"error\":\"unauthorized\",\"signin_url\":\"https://ollama.example\"}",
                  GADGET_PROVIDER_ERROR_AUTH, "unauthorized");
  assert_refusal (500, "{\"error\":\"model requires more system memory than is available\"}",
                  GADGET_PROVIDER_ERROR_OVERLOADED, "memory");
  assert_refusal (503, "{\"error\":\"server busy, please try again\"}",
                  GADGET_PROVIDER_ERROR_OVERLOADED, "busy");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/ollama-format/request", test_request);
  g_test_add_func ("/engine/ollama-format/request-plain", test_request_plain);
  g_test_add_func ("/engine/ollama-format/validator", test_validator);
  g_test_add_func ("/engine/ollama-format/url", test_url);
  g_test_add_func ("/engine/ollama-format/models", test_models);
  g_test_add_func ("/engine/ollama-format/show", test_show);
  g_test_add_func ("/engine/ollama-format/images", test_images);
  g_test_add_func ("/engine/ollama-format/running", test_running);
  g_test_add_func ("/engine/ollama-format/refusals", test_refusals);
  g_assert_cmpuint (dialect_log_add_tests (&gadget_ollama_dialect, "ollama"), >=, 20);
  return g_test_run ();
}
