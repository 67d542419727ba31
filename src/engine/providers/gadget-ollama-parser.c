/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses the lines of a response. Calls are complete, but old versions of Ollama give them no ids.
 * Reasoning has no signature: it is complete when something else follows, and only then may it be
 * sent back. A replay text marks it as complete. */

#include "config.h"

#include "gadget-ollama-parser.h"

#include "gadget-dialect-json.h"
#include "gadget-error-parser.h"
#include "common/gadget-json.h"

/* The replay text of complete reasoning; only the reasoning itself is sent back. */
#define REPLAY "whole"

typedef struct
{
  GadgetResponseParser base;

  gboolean in_reasoning;
} GadgetOllamaParser;

static void
end_reasoning (GadgetOllamaParser *self)
{
  if (self->in_reasoning)
    gadget_response_parser_emit (
        &self->base, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING_END, .replay = REPLAY });
  self->in_reasoning = FALSE;
}

static gboolean
parse_call (GadgetOllamaParser *self, JsonObject *call, GError **error)
{
  JsonObject *function = gadget_json_get_object (call, "function");
  const char *name = gadget_dialect_get_text (function, "name");
  const char *arguments = gadget_dialect_get_text (function, "arguments");
  const char *id = gadget_dialect_get_text (call, "id");
  g_autofree char *made_arguments = NULL;
  guint index;

  if (name == NULL)
    return TRUE;
  if (gadget_json_get_object (function, "arguments") != NULL)
    arguments = made_arguments =
        json_to_string (json_object_get_member (function, "arguments"), FALSE);
  end_reasoning (self);
  if (!gadget_response_parser_begin_call (&self->base, id, "call_", name, &index, error))
    return FALSE;
  gadget_response_parser_append_arguments (&self->base, index,
                                           arguments != NULL ? arguments : "{}");
  gadget_response_parser_end_call (&self->base, index, NULL);
  return TRUE;
}

static gboolean
parse_message (GadgetOllamaParser *self, JsonObject *message, GError **error)
{
  const char *thinking = gadget_dialect_get_text (message, "thinking");
  const char *content = gadget_dialect_get_text (message, "content");
  JsonArray *calls = gadget_json_get_array (message, "tool_calls");

  if (thinking != NULL)
    {
      self->in_reasoning = TRUE;
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_REASONING, thinking);
    }
  if (content != NULL)
    {
      end_reasoning (self);
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_TEXT, content);
    }
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    if (!parse_call (self, gadget_json_get_element (calls, i), error))
      return FALSE;
  return TRUE;
}

static void
parse_usage (GadgetOllamaParser *self, JsonObject *object)
{
  GadgetUsage usage = { 0 };

  gadget_json_get_int (object, "prompt_eval_count", &usage.input_tokens);
  gadget_json_get_int (object, "eval_count", &usage.output_tokens);
  gadget_response_parser_emit_usage (&self->base, usage);
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
parse_value (GadgetResponseParser *base, const char *event, JsonNode *node, GError **error)
{
  GadgetOllamaParser *self = (GadgetOllamaParser *) base;
  JsonObject *object;
  JsonObject *message;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                                        "A line of the answer is not JSON", error);
  if (!check_error (node, error))
    return FALSE;

  object = json_node_get_object (node);
  message = gadget_json_get_object (object, "message");
  if (message == NULL && json_object_get_member (object, "done") == NULL)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                                        "The answer is not one of Ollama's chat API", error);
  base->begun = TRUE;
  if (message != NULL && !parse_message (self, message, error))
    return FALSE;
  if (gadget_json_get_flag (object, "done"))
    {
      gadget_response_parser_finish (base);
      base->finish_reason = g_strdup (gadget_json_get_string (object, "done_reason"));
      end_reasoning (self);
      parse_usage (self, object);
    }
  return TRUE;
}

static gboolean
end (GadgetResponseParser *base, GError **error)
{
  if (!base->done)
    return gadget_response_parser_fail_cut (base, error);
  if (g_strcmp0 (base->finish_reason, "length") == 0)
    gadget_response_parser_emit (base, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
  return TRUE;
}

const GadgetResponseParserClass gadget_ollama_parser_class = {
  .size = sizeof (GadgetOllamaParser),
  .lines = TRUE,
  .parse_value = parse_value,
  .end = end,
};
