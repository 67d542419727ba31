/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tests/data/openai-chat/ holds bodies as servers of several kinds send them, and the events that
 * are to come of each. */

#include "config.h"

#include "common/gadget-json.h"
#include "providers/gadget-error-parser.h"
#include "providers/gadget-openai-chat-format.h"
#include "providers/gadget-openai-chat-parser.h"
#include "providers/gadget-openai-chat.h"
#include "strict-body.h"
#include "test-dialect.h"

#include <string.h>

static const char *const code_names[] = { "UNREACHABLE", "TIMEOUT", "TLS",          "AUTH",
                                          "MODEL",       "ADDRESS", "RATE_LIMITED", "OVERLOADED",
                                          "REFUSED",     "CONTEXT", "CUT",          "BAD_ANSWER",
                                          "EMPTY",       "QUOTA",   "COMPRESSED",   "TOO_LARGE" };

/* --- The answer ------------------------------------------------------------------------------ */

static void
print_event (const GadgetChatEvent *event, gpointer user_data)
{
  GString *out = user_data;

  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
    case GADGET_CHAT_REASONING:
      g_string_append_printf (out, "%s ", event->type == GADGET_CHAT_TEXT ? "text" : "reasoning");
      for (const char *c = event->text; *c != '\0'; c++)
        if (*c == '\n')
          g_string_append (out, "\\n");
        else
          g_string_append_c (out, *c);
      g_string_append_c (out, '\n');
      break;
    case GADGET_CHAT_CALL_BEGIN:
      g_string_append_printf (
          out, "call %u %s %s\n", event->call_index,
          g_str_has_prefix (event->call_id, "call_") ? "call_*" : event->call_id, event->name);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_string_append_printf (out, "args %u %s\n", event->call_index, event->text);
      break;
    case GADGET_CHAT_CALL_END:
      g_string_append_printf (out, "end %u\n", event->call_index);
      break;
    case GADGET_CHAT_USAGE:
      g_string_append_printf (out, "usage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                              event->usage.input_tokens, event->usage.output_tokens);
      break;
    case GADGET_CHAT_LIMIT:
      g_string_append (out, "limit\n");
      break;
    case GADGET_CHAT_IMAGES_LEFT_OUT:
    case GADGET_CHAT_LOADING:
    case GADGET_CHAT_RETRY:
    default:
      g_assert_not_reached ();
    }
}

static char *
parse (const char *body, gsize length, gsize piece)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GadgetResponseParser) parser =
      gadget_response_parser_new (&gadget_openai_chat_parser_class, print_event, out);
  g_autoptr (GError) error = NULL;
  gboolean good = TRUE;

  for (gsize i = 0; good && i < length && !gadget_response_parser_is_done (parser); i += piece)
    good = gadget_response_parser_feed (parser, body + i, MIN (piece, length - i), &error);
  if (good)
    good = gadget_response_parser_end (parser, &error);
  if (good)
    g_string_append (out, "done\n");
  else
    {
      g_assert_true (error->domain == GADGET_PROVIDER_ERROR);
      g_assert_cmpstr (error->message, !=, "");
      g_string_append_printf (out, "error %s\n", code_names[error->code]);
    }
  return g_string_free (out, FALSE);
}

static void
test_body (gconstpointer data)
{
  g_autofree char *path = g_strconcat (data, ".events", NULL);
  g_autofree char *body = NULL;
  g_autofree char *expected = NULL;
  gsize pieces[] = { 1, 2, 3, 7, 64, 1000000 };
  g_autofree char *body_path = g_strconcat (data, ".body", NULL);
  gsize length;

  g_assert_true (g_file_get_contents (body_path, &body, &length, NULL));
  g_assert_true (g_file_get_contents (path, &expected, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autofree char *found = parse (body, length, pieces[i]);

      g_assert_cmpstr (found, ==, expected);
    }
}

static guint
add_bodies (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "data", "openai-chat", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *stem = NULL;
      g_autofree char *test = NULL;

      if (!g_str_has_suffix (name, ".body"))
        continue;
      stem = g_strndup (name, strlen (name) - 5);
      test = g_strconcat ("/engine/openai-chat-format/body/", stem, NULL);
      g_test_add_data_func_full (test, g_build_filename (folder, stem, NULL), test_body, g_free);
      n++;
    }
  return n;
}

/* --- The request ----------------------------------------------------------------------------- */

static void
test_request (void)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  GadgetMessage *message;
  g_autoptr (GBytes) body = NULL;
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "data", "openai-chat", "request.json", NULL);
  g_autofree char *golden = NULL;
  g_autoptr (JsonNode) expected = NULL;
  g_autoptr (JsonNode) found = NULL;
  g_autofree char *text = NULL;

  request->system = g_strdup ("Be brief.");
  gadget_request_add_message (request, GADGET_ROLE_USER, "Look at “a.c” \\ \"quoted\"\n");
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "");
  gadget_message_add_call (message, "c1", "read_file", "{\"path\":\"a.c\"}");
  gadget_message_add_call (message, "c2", "wait", "{}");
  message = gadget_request_add_message (request, GADGET_ROLE_TOOL, "int main;");
  message->call_id = g_strdup ("c1");
  gadget_request_add_result (request, "c2", "wait", "not \xff UTF-8");
  message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "Now the other.");
  gadget_message_add_call (message, "c3", "wait", "{\"seconds\":1}");
  gadget_request_add_result (request, "c3", "wait", "");
  gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "Done.");
  gadget_request_add_message (request, GADGET_ROLE_USER, "Thanks");
  gadget_request_add_tool (
      request, "wait", "Waits.",
      "{\"type\":\"object\",\"properties\":{\"seconds\":{\"type\":\"number\"}}}");

  body = gadget_openai_chat_make_request (request, "small", TRUE);
  found = gadget_json_parse (g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL);
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  expected = gadget_json_parse (golden, strlen (golden), NULL);
  g_assert_nonnull (expected);
  text = json_to_string (found, TRUE);
  if (!json_node_equal (expected, found))
    g_error ("%s", text);
}

/* What servers say that were sent an image. */
static void
test_image_refusals (void)
{
  static const struct
  {
    GadgetImageRefusal means;
    const char *message;
  } cases[] = {
    { GADGET_IMAGES_ALL_REFUSED, "image input is not supported by this server" },
    { GADGET_IMAGES_ALL_REFUSED, "Failed to parse messages: Unsupported content part type: "
                                 "\"image_url\"; messages = [" },
    { GADGET_IMAGES_ALL_REFUSED, "unknown variant `image_url`, expected `text`" },
    { GADGET_IMAGES_ALL_REFUSED, "this model is missing data required for image input" },
    { GADGET_IMAGES_ALL_REFUSED, "No endpoints found that support image input" },
    { GADGET_IMAGES_ALL_REFUSED, "messages[3].content must be a string" },
    { GADGET_IMAGES_THESE_REFUSED, "messages.1.content.2.image.source.base64: image exceeds 5 MB "
                                   "maximum: 6000000 bytes > 5242880 bytes" },
    { GADGET_IMAGES_THESE_REFUSED, "unsupported image format" },
    { GADGET_IMAGES_THESE_REFUSED, "Could not process image" },
    { GADGET_IMAGES_NOT_MEANT, "The key is wrong" },
    { GADGET_IMAGES_NOT_MEANT, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].message);
      g_assert_cmpint (gadget_error_parser_of_images (cases[i].message), ==, cases[i].means);
    }
  /* Not to be tried again as it is, though the server says that the fault is its own. */
  g_assert_cmpint (gadget_error_parser_classify (500, NULL, cases[0].message), ==,
                   GADGET_PROVIDER_ERROR_REFUSED);
  g_assert_cmpint (gadget_error_parser_classify (404, NULL, cases[4].message), ==,
                   GADGET_PROVIDER_ERROR_REFUSED);
}

static JsonArray *
get_content (JsonArray *messages, guint index, const char *role)
{
  JsonObject *message = json_array_get_object_element (messages, index);

  g_assert_cmpstr (json_object_get_string_member (message, "role"), ==, role);
  return gadget_json_get_array (message, "content");
}

/* What tools show is the user's, in one message with what the user says then. */
static void
test_request_pictures (void)
{
  for (guint said = 0; said < 2; said++)
    {
      g_autoptr (GadgetRequest) request = gadget_request_new ();
      g_autoptr (GBytes) picture = g_bytes_new_static ("picture", 7);
      g_autoptr (GBytes) body = NULL;
      g_autofree char *wrong = NULL;
      g_autoptr (JsonNode) node = NULL;
      JsonArray *messages;
      JsonArray *content;
      GadgetMessage *message;

      gadget_request_add_message (request, GADGET_ROLE_USER, "Look.");
      message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, "");
      gadget_message_add_call (message, "c1", "look", "{}");
      gadget_message_add_call (message, "c2", "look", "{}");
      message = gadget_request_add_result (request, "c1", "look", "Here.");
      gadget_message_add_image (message, "p.png", "image/png", picture);
      message = gadget_request_add_result (request, "c2", "look", "");
      gadget_message_add_image (message, "q.png", "image/png", picture);
      if (said == 1)
        gadget_request_add_message (request, GADGET_ROLE_USER, "Stop.");

      body = gadget_openai_chat_make_request (request, "small", TRUE);
      wrong = strict_openai_chat (g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL);
      g_assert_cmpstr (wrong, ==, NULL);
      node = gadget_json_parse (g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL);
      messages = gadget_json_get_array (json_node_get_object (node), "messages");
      g_assert_cmpuint (json_array_get_length (messages), ==, 5);
      g_assert_null (get_content (messages, 2, "tool"));
      g_assert_null (get_content (messages, 3, "tool"));
      content = get_content (messages, 4, "user");
      g_assert_cmpuint (json_array_get_length (content), ==, 3 + said);
    }
}

static void
test_request_options (void)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autoptr (GBytes) body = NULL;
  const char *text;

  gadget_request_add_message (request, GADGET_ROLE_USER, "Hi");
  body = gadget_openai_chat_make_request (request, "large", FALSE);
  text = g_bytes_get_data (body, NULL);
  g_assert_nonnull (g_strstr_len (text, (gssize) g_bytes_get_size (body), "\"model\":\"large\""));
  g_assert_null (g_strstr_len (text, (gssize) g_bytes_get_size (body), "stream_options"));
  g_assert_null (g_strstr_len (text, (gssize) g_bytes_get_size (body), "tools"));
}

/* --- Models and refusals --------------------------------------------------------------------- */

/* A fragment of the arguments of "write", with an id that no other has. */
static void
add_fragment (GString *body, const char *fragment)
{
  static guint n_ids;
  g_autoptr (JsonNode) text = json_node_init_string (json_node_alloc (), fragment);
  g_autofree char *quoted = json_to_string (text, FALSE);

  g_string_append_printf (
      body,
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
      "\"id\":\"id-%u\",\"function\":{\"name\":\"write\",\"arguments\":%s}}]}}]}\n\n",
      n_ids++, quoted);
}

static void
count_event (const GadgetChatEvent *event, gpointer user_data)
{
  gsize *counts = user_data;

  if (event->type == GADGET_CHAT_CALL_BEGIN)
    counts[0]++;
  else if (event->type == GADGET_CHAT_CALL_ARGUMENTS)
    counts[1] += strlen (event->text);
}

static void
assert_fragments (const GString *body, gsize n_calls, gsize length)
{
  gsize counts[2] = { 0 };
  g_autoptr (GadgetResponseParser) parser =
      gadget_response_parser_new (&gadget_openai_chat_parser_class, count_event, counts);
  g_autoptr (GError) error = NULL;

  gadget_response_parser_feed (parser, body->str, body->len, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (counts[0], ==, n_calls);
  g_assert_cmpuint (counts[1], ==, length);
}

/* Brackets in strings, and escapes that are split, do not end the arguments. */
static void
test_fragments_with_ids (void)
{
  static const char *const fragments[] = { "{\"a\"",      ":\"}]\\", "\"}\", \"b", "\":[{", "}]",
                                           ",\"c\":\"\\", "\\\"",    " ",          "}" };
  g_autoptr (GString) body = g_string_new (NULL);
  gsize length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (fragments); i++)
    {
      add_fragment (body, fragments[i]);
      length += strlen (fragments[i]);
      assert_fragments (body, 1, length);
    }
  add_fragment (body, "{}");
  assert_fragments (body, 2, length + 2);
  add_fragment (body, "{}");
  assert_fragments (body, 3, length + 4);
}

/* Reading all that came anew with every fragment would take many minutes, in which nothing could
 * be stopped. */
static void
test_long_fragments_with_ids (void)
{
  const guint n_fragments = 40000;
  g_autofree char *fragment = g_strnfill (100, 'x');
  g_autoptr (GString) body = g_string_new (NULL);

  add_fragment (body, "{\"text\":\"");
  for (guint i = 0; i < n_fragments; i++)
    add_fragment (body, fragment);
  assert_fragments (body, 1, strlen ("{\"text\":\"") + n_fragments * 100);
}

static void
test_endless_arguments (void)
{
  test_dialect_assert_arguments (
      &gadget_openai_chat_dialect,
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\","
      "\"function\":{\"name\":\"write\",\"arguments\":\"\"}}]}}]}\n\n",
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
      "\"function\":{\"arguments\":\"%s\"}}]}}]}\n\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/openai-chat-format/request", test_request);
  g_test_add_func ("/engine/openai-chat-format/endless-arguments", test_endless_arguments);
  g_test_add_func ("/engine/openai-chat-format/request-pictures", test_request_pictures);
  g_test_add_func ("/engine/openai-chat-format/image-refusals", test_image_refusals);
  g_test_add_func ("/engine/openai-chat-format/request-options", test_request_options);
  g_test_add_func ("/engine/openai-chat-format/fragments-with-ids", test_fragments_with_ids);
  g_test_add_func ("/engine/openai-chat-format/long-fragments-with-ids",
                   test_long_fragments_with_ids);
  g_assert_cmpuint (add_bodies (), >=, 40);
  return g_test_run ();
}
