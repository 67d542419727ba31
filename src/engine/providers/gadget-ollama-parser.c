/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses the lines of a response. Calls are complete, but old versions of Ollama give them no ids.
 * Reasoning has no signature: it is complete when something else follows, and only then may it be
 * sent back. A replay text marks it as complete. */

#include "config.h"

#include "gadget-ollama-parser.h"

#include "gadget-error-parser.h"
#include "common/gadget-id.h"
#include "common/gadget-json.h"
#include "http/gadget-ndjson.h"

#include <string.h>

/* A response with more calls than this comes from a faulty server. */
#define MAX_CALLS 128

/* The replay text of complete reasoning; only the reasoning itself is sent back. */
#define REPLAY "whole"

struct _GadgetOllamaParser
{
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetNdjson *lines;
  guint n_objects;
  guint n_calls;
  char *done_reason;
  gboolean in_reasoning;
  gboolean ending; /* the line is the last one and has no newline */
  gboolean done;
};

GadgetOllamaParser *
gadget_ollama_parser_new (GadgetChatSink sink, gpointer sink_data)
{
  GadgetOllamaParser *self = g_new0 (GadgetOllamaParser, 1);

  self->sink = sink;
  self->sink_data = sink_data;
  self->lines = gadget_ndjson_new (GADGET_NDJSON_MAX_LINE);
  return self;
}

void
gadget_ollama_parser_free (GadgetOllamaParser *self)
{
  if (self == NULL)
    return;
  gadget_ndjson_free (self->lines);
  g_free (self->done_reason);
  g_free (self);
}

static gboolean
fail (GadgetProviderError code, const char *message, GError **error)
{
  g_set_error_literal (error, GADGET_PROVIDER_ERROR, code, message);
  return FALSE;
}

static void
emit (GadgetOllamaParser *self, GadgetChatEvent event)
{
  self->sink (&event, self->sink_data);
}

static const char *
not_empty (const char *text)
{
  return text != NULL && *text != '\0' ? text : NULL;
}

static void
end_reasoning (GadgetOllamaParser *self)
{
  if (self->in_reasoning)
    emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING_END, .replay = REPLAY });
  self->in_reasoning = FALSE;
}

static gboolean
parse_call (GadgetOllamaParser *self, JsonObject *call, GError **error)
{
  JsonObject *function = gadget_json_get_object (call, "function");
  const char *name = not_empty (gadget_json_get_string (function, "name"));
  const char *arguments = gadget_json_get_string (function, "arguments");
  const char *id = not_empty (gadget_json_get_string (call, "id"));
  g_autofree char *made_id = NULL;
  g_autofree char *made_arguments = NULL;
  const guint index = self->n_calls;

  if (name == NULL)
    return TRUE;
  if (++self->n_calls > MAX_CALLS)
    return fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "The answer has too many tool calls", error);
  if (id == NULL)
    {
      g_autofree char *unique = gadget_id_new ();

      id = made_id = g_strconcat ("call_", unique, NULL);
    }
  if (gadget_json_get_object (function, "arguments") != NULL)
    arguments = made_arguments =
        json_to_string (json_object_get_member (function, "arguments"), FALSE);
  end_reasoning (self);
  emit (self,
        (GadgetChatEvent) {
            .type = GADGET_CHAT_CALL_BEGIN, .call_index = index, .call_id = id, .name = name });
  emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_ARGUMENTS,
                                  .call_index = index,
                                  .text = not_empty (arguments) != NULL ? arguments : "{}" });
  emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = index });
  return TRUE;
}

static gboolean
parse_message (GadgetOllamaParser *self, JsonObject *message, GError **error)
{
  const char *thinking = not_empty (gadget_json_get_string (message, "thinking"));
  const char *content = not_empty (gadget_json_get_string (message, "content"));
  JsonArray *calls = gadget_json_get_array (message, "tool_calls");

  if (thinking != NULL)
    {
      self->in_reasoning = TRUE;
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING, .text = thinking });
    }
  if (content != NULL)
    {
      end_reasoning (self);
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_TEXT, .text = content });
    }
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    if (!parse_call (self, gadget_json_get_element (calls, i), error))
      return FALSE;
  return TRUE;
}

static void
parse_usage (GadgetOllamaParser *self, JsonObject *object)
{
  gint64 input = 0;
  gint64 output = 0;

  gadget_json_get_int (object, "prompt_eval_count", &input);
  gadget_json_get_int (object, "eval_count", &output);
  if (input >= 0 && output >= 0 && (input > 0 || output > 0))
    emit (self, (GadgetChatEvent) {
                    .type = GADGET_CHAT_USAGE, .input_tokens = input, .output_tokens = output });
}

/* Returns TRUE if the object is not an error. The status is 200 in the middle of a response; before
 * the first text it would have been 500, so an error without a more specific code is treated like
 * that. */
static gboolean
check_error (JsonNode *node, GError **error)
{
  GError *reported = gadget_error_parser_read_error (node, 200);

  if (reported == NULL)
    return TRUE;
  if (reported->code == GADGET_PROVIDER_ERROR_REFUSED)
    reported->code = GADGET_PROVIDER_ERROR_OVERLOADED;
  g_propagate_error (error, reported);
  return FALSE;
}

static gboolean
parse_line (const char *line, gsize length, gpointer user_data, GError **error)
{
  GadgetOllamaParser *self = user_data;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;
  JsonObject *message;

  if (self->done)
    return TRUE;
  if (self->n_objects == 0 && *line == '<')
    return fail (GADGET_PROVIDER_ERROR_ADDRESS, "A web page answered, not an API", error);
  node = gadget_json_parse_repaired (line, length, NULL);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      if (self->ending && *line == '{')
        return fail (GADGET_PROVIDER_ERROR_CUT, "The answer stopped in the middle", error);
      return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "A line of the answer is not JSON", error);
    }
  if (!check_error (node, error))
    return FALSE;

  object = json_node_get_object (node);
  message = gadget_json_get_object (object, "message");
  if (message == NULL && json_object_get_member (object, "done") == NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer is not one of Ollama's chat API",
                 error);
  self->n_objects++;
  if (message != NULL && !parse_message (self, message, error))
    return FALSE;
  if (gadget_json_get_flag (object, "done"))
    {
      self->done = TRUE;
      self->done_reason = g_strdup (gadget_json_get_string (object, "done_reason"));
      end_reasoning (self);
      parse_usage (self, object);
    }
  return TRUE;
}

/**
 * gadget_ollama_parser_feed:
 *
 * Returns: %FALSE with a #GadgetProviderError; the parser must not be used any more then
 */
gboolean
gadget_ollama_parser_feed (GadgetOllamaParser *self, const char *bytes, gsize length,
                           GError **error)
{
  if (gadget_ndjson_feed (self->lines, bytes, length, parse_line, self, error))
    return TRUE;
  if (error != NULL)
    gadget_provider_adopt_error (*error);
  return FALSE;
}

/**
 * gadget_ollama_parser_end:
 *
 * To be called when the body has ended, or when the parser is done.
 *
 * Returns: %FALSE with a #GadgetProviderError if the response is not complete, or reports a failure
 */
gboolean
gadget_ollama_parser_end (GadgetOllamaParser *self, GError **error)
{
  self->ending = TRUE;
  if (!self->done && !gadget_ndjson_end (self->lines, parse_line, self, error))
    return FALSE;
  if (!self->done)
    return fail (GADGET_PROVIDER_ERROR_CUT,
                 self->n_objects > 0 ? "The answer stopped in the middle"
                                     : "The server ended its answer before it began",
                 error);
  if (g_strcmp0 (self->done_reason, "length") == 0)
    emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
  return TRUE;
}

/**
 * gadget_ollama_parser_is_done:
 *
 * Returns: %TRUE if the response said that nothing more will come
 */
gboolean
gadget_ollama_parser_is_done (GadgetOllamaParser *self)
{
  return self->done;
}
