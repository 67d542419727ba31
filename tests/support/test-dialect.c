/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-dialect.h"

#include <string.h>

void
test_dialect_assert_models (const GadgetDialect *dialect, const char *text,
                            const char *default_model, const char *expected)
{
  g_autoptr (GPtrArray) models = dialect->read_models (text, strlen (text), default_model, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *found = NULL;

  g_assert_nonnull (models);
  for (guint i = 0; i < models->len; i++)
    g_ptr_array_add (names, (char *) gadget_model_get_name (g_ptr_array_index (models, i)));
  g_ptr_array_add (names, NULL);
  found = g_strjoinv (" ", (char **) names->pdata);
  g_assert_cmpstr (found, ==, expected);
}

void
test_dialect_assert_refusal (const GadgetDialect *dialect, guint status, const char *body,
                             GadgetProviderError code, const char *said)
{
  GadgetHttpResponse response = { .status = status, .content_type = (char *) "" };
  g_autoptr (GError) error = dialect->read_refusal (&response, body, strlen (body));

  g_assert_error (error, GADGET_PROVIDER_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, said));
}

static void
add_reasoning (GadgetMessage *message, const char *text, const char *replay)
{
  if (replay != NULL)
    gadget_message_add_part (message, GADGET_PART_REASONING, text)->replay = g_strdup (replay);
}

static void
add_image (GadgetMessage *message, const char *name, const char *mime_type)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("image", 5);

  gadget_message_add_image (message, name, mime_type, bytes);
}

static void
count_arguments (const GadgetChatEvent *event, gpointer user_data)
{
  if (event->type == GADGET_CHAT_CALL_ARGUMENTS)
    *(gsize *) user_data += strlen (event->text);
}

void
test_dialect_assert_arguments (const GadgetDialect *dialect, const char *begin, const char *piece)
{
  const gsize million = 1000 * 1000;
  g_autofree char *many = g_strnfill (million, 'x');
  g_autoptr (GString) whole = g_string_new (piece);
  g_autoptr (GError) error = NULL;
  gsize told = 0;
  GadgetResponseParser *parser =
      gadget_response_parser_new (dialect->parser, count_arguments, &told);
  guint n = 0;

  g_string_replace (whole, "%s", many, 1);
  g_assert_true (gadget_response_parser_feed (parser, begin, strlen (begin), &error));
  while (gadget_response_parser_feed (parser, whole->str, whole->len, &error))
    g_assert_cmpuint (++n, <, 20);
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_TOO_LARGE);
  g_assert_cmpuint (n, ==, GADGET_DIALECT_MAX_ARGUMENTS / million);
  g_assert_cmpuint (told, ==, n * million);
  gadget_response_parser_free (parser);
}

void
test_dialect_assert_calls (const GadgetDialect *dialect, const char *call)
{
  g_autoptr (GError) error = NULL;
  gsize told = 0;
  GadgetResponseParser *parser =
      gadget_response_parser_new (dialect->parser, count_arguments, &told);
  guint n = 0;
  gboolean good = TRUE;

  while (good)
    {
      g_autoptr (GString) body = g_string_new (call);
      g_autofree char *number = g_strdup_printf ("%u", n);

      g_assert_cmpuint (n, <=, GADGET_DIALECT_MAX_CALLS);
      g_string_replace (body, "%u", number, 0);
      good = gadget_response_parser_feed (parser, body->str, body->len, &error);
      n += good;
    }
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_TOO_LARGE);
  g_assert_cmpuint (n, ==, GADGET_DIALECT_MAX_CALLS);
  gadget_response_parser_free (parser);
}

GadgetRequest *
test_dialect_sample_request (const char *const *replays)
{
  static const char *const none[] = { NULL, NULL, NULL, NULL };
  GadgetRequest *request = gadget_request_new ();
  GadgetMessage *message;

  if (replays == NULL)
    replays = none;
  request->system = g_strdup ("Be brief.");
  message = gadget_request_add_message (request, GADGET_ROLE_USER, "Look at “a.c” \\ \"quoted\"\n");
  add_image (message, "screen.png", "image/png");
  add_image (message, "scan.tiff", "image/tiff");
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
  add_reasoning (message, "First the file.", replays[0]);
  add_reasoning (message, "", replays[1]);
  gadget_message_add_part (message, GADGET_PART_TEXT, "I look.");
  gadget_message_add_call (message, "c1", "read_file", "{\"path\":\"a.c\"}")->replay =
      g_strdup (replays[3]);
  gadget_message_add_call (message, "c.2", "wait", "{}");
  message = gadget_request_add_result (request, "c1", "read_file", "int main;");
  add_image (message, "icon.webp", "image/webp");
  gadget_request_add_result (request, "c.2", "wait", "not \xff UTF-8")->failed = TRUE;
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
  add_reasoning (message, "Now the other.", replays[2]);
  gadget_message_add_call (message, "c_2", "wait", "{\"seconds\":1}");
  gadget_request_add_result (request, "c_2", "wait", "");
  gadget_request_add_message (request, GADGET_ROLE_USER, "[Note]\n\nThanks");
  gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "Welcome.");
  gadget_request_add_message (request, GADGET_ROLE_USER, "Bye");
  gadget_request_add_tool (request, "read_file", "Reads.", "not JSON");
  gadget_request_add_tool (
      request, "wait", "Waits.",
      "{\"type\":\"object\",\"properties\":{\"seconds\":{\"type\":\"number\"}}}");
  return request;
}
