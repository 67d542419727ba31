/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each event holds complete parts. A call is complete, usually without an id, or it arrives in
 * parts if the server says that it will continue; gadget-gemini-parts.c joins those. The signature
 * of a call stands beside it in the part and is sent back with it, and so is the signature of
 * reasoning and of text.
 *
 * A stream has no end marker: a response is complete if it had a "finishReason". */

#include "config.h"

#include "gadget-gemini-parser.h"

#include "gadget-dialect-json.h"
#include "gadget-gemini-format.h"
#include "gadget-gemini-parts.h"
#include "common/gadget-json.h"

#include <string.h>

typedef struct
{
  GadgetResponseParser base;

  char *finish_message;
  char *block_reason;
  GadgetUsage usage;
  gboolean in_reasoning;
  gboolean in_text;
  gboolean in_call; /* a call arrives in parts, the last of n_calls */
  GadgetGeminiParts *pieces;
  char *call_id;        /* (nullable): of that call, as the server gave it */
  char *call_signature; /* (nullable): of that call */
} GadgetGeminiParser;

/* --- Parts ----------------------------------------------------------------------------------- */

/* The data that is sent back unchanged. (transfer full) (nullable) */
static char *
make_replay (const char *id, const char *signature)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  if (id == NULL && signature == NULL)
    return NULL;
  json_builder_begin_object (builder);
  if (id != NULL)
    gadget_dialect_add_string (builder, GADGET_GEMINI_ID, id);
  if (signature != NULL)
    gadget_dialect_add_string (builder, GADGET_GEMINI_SIGNATURE, signature);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static void
end_reasoning (GadgetGeminiParser *self, const char *replay)
{
  if (self->in_reasoning || replay != NULL)
    gadget_response_parser_emit (
        &self->base, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING_END, .replay = replay });
  self->in_reasoning = FALSE;
}

static void
parse_thought (GadgetGeminiParser *self, const char *text, const char *signature)
{
  g_autofree char *replay = make_replay (NULL, signature);

  self->in_text = FALSE;
  if (text != NULL)
    {
      self->in_reasoning = TRUE;
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_REASONING, text);
    }
  if (replay != NULL)
    end_reasoning (self, replay);
}

static gboolean
begin_call (GadgetGeminiParser *self, const char *name, const char *id, GError **error)
{
  guint index;

  end_reasoning (self, NULL);
  self->in_text = FALSE;
  return gadget_response_parser_begin_call (&self->base, id, "call_", name, &index, error);
}

/* The arguments are emitted only when they are complete: a call that is cut before has none. */
static gboolean
add_arguments (GadgetGeminiParser *self, JsonObject *call, const char *signature, GError **error)
{
  const char *id = gadget_dialect_get_text (call, "id");

  if (id != NULL)
    g_set_str (&self->call_id, id);
  if (signature != NULL)
    g_set_str (&self->call_signature, signature);
  if (!gadget_gemini_parts_add (self->pieces, call))
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                                        "The pieces of a tool call's arguments do not fit together",
                                        error);
  if (!gadget_json_get_flag (call, "willContinue"))
    {
      g_autofree char *arguments = gadget_gemini_parts_dup (self->pieces);
      g_autofree char *replay = make_replay (self->call_id, self->call_signature);

      self->in_call = FALSE;
      gadget_response_parser_append_arguments (&self->base, self->base.n_calls - 1, arguments);
      gadget_response_parser_end_call (&self->base, self->base.n_calls - 1, replay);
    }
  return TRUE;
}

static gboolean
parse_call (GadgetGeminiParser *self, JsonObject *call, const char *signature, GError **error)
{
  const char *name = gadget_dialect_get_text (call, "name");
  const char *id = gadget_dialect_get_text (call, "id");

  /* A part with a name begins another call, even if the last one was to continue. */
  if (self->in_call && name == NULL)
    return add_arguments (self, call, signature, error);
  if (name == NULL)
    return TRUE;
  if (!begin_call (self, name, id, error))
    return FALSE;
  gadget_gemini_parts_clear (self->pieces);
  g_set_str (&self->call_id, NULL);
  g_set_str (&self->call_signature, NULL);
  self->in_call = TRUE;
  return add_arguments (self, call, signature, error);
}

/* A signature may arrive with the last text, or after it without any text. */
static void
parse_text (GadgetGeminiParser *self, const char *text, const char *signature)
{
  g_autofree char *replay = make_replay (NULL, signature);

  if (text != NULL)
    {
      end_reasoning (self, NULL);
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_TEXT, text);
      self->in_text = TRUE;
    }
  if (!self->in_text || replay == NULL)
    return;
  gadget_response_parser_emit (
      &self->base, (GadgetChatEvent) { .type = GADGET_CHAT_TEXT_END, .replay = replay });
  self->in_text = FALSE;
}

static gboolean
parse_part (GadgetGeminiParser *self, JsonObject *part, GError **error)
{
  const char *text = gadget_dialect_get_text (part, "text");
  const char *signature = gadget_dialect_get_text (part, "thoughtSignature");
  JsonObject *call = gadget_json_get_object (part, "functionCall");

  if (call != NULL)
    return parse_call (self, call, signature, error);
  if (gadget_json_get_flag (part, "thought"))
    parse_thought (self, text, signature);
  else
    parse_text (self, text, signature);
  return TRUE;
}

/* --- Objects --------------------------------------------------------------------------------- */

static gint64
get_count (JsonObject *usage, const char *name)
{
  gint64 count = 0;

  gadget_json_get_int (usage, name, &count);
  return CLAMP (count, 0, G_MAXINT32);
}

/* Each event has the counts of the response so far. */
static void
parse_usage (GadgetGeminiParser *self, JsonObject *usage)
{
  GadgetUsage sum = { 0 };

  if (usage == NULL)
    return;
  sum.input_tokens =
      get_count (usage, "promptTokenCount") + get_count (usage, "toolUsePromptTokenCount");
  sum.output_tokens =
      get_count (usage, "candidatesTokenCount") + get_count (usage, "thoughtsTokenCount");
  sum.cached_tokens = get_count (usage, "cachedContentTokenCount");
  sum.reasoning_tokens = get_count (usage, "thoughtsTokenCount");
  /* Counts of 0 are left out. */
  sum.known = GADGET_USAGE_CACHED | GADGET_USAGE_REASONING;
  if (memcmp (&sum, &self->usage, sizeof sum) == 0)
    return;
  self->usage = sum;
  gadget_response_parser_emit_usage (&self->base, sum);
}

static gboolean
parse_object (GadgetGeminiParser *self, JsonObject *object, GError **error)
{
  JsonObject *candidate = gadget_json_get_element (gadget_json_get_array (object, "candidates"), 0);
  JsonArray *parts = gadget_json_get_array (gadget_json_get_object (candidate, "content"), "parts");
  JsonObject *feedback = gadget_json_get_object (object, "promptFeedback");
  JsonObject *usage = gadget_json_get_object (object, "usageMetadata");
  const char *reason = gadget_dialect_get_text (candidate, "finishReason");
  const char *blocked = gadget_dialect_get_text (feedback, "blockReason");

  if (candidate != NULL || feedback != NULL || usage != NULL)
    self->base.begun = TRUE;
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    if (!parse_part (self, gadget_json_get_element (parts, i), error))
      return FALSE;
  if (reason != NULL)
    {
      g_set_str (&self->base.finish_reason, reason);
      g_set_str (&self->finish_message, gadget_json_get_string (candidate, "finishMessage"));
    }
  if (blocked != NULL)
    g_set_str (&self->block_reason, blocked);
  parse_usage (self, usage);
  return TRUE;
}

static gboolean
parse_value (GadgetResponseParser *base, const char *event, JsonNode *node, GError **error)
{
  GError *reported = gadget_gemini_read_error (node, 200);

  if (reported != NULL)
    {
      g_propagate_error (error, reported);
      return FALSE;
    }
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        if (!parse_value (base, event, json_array_get_element (array, i), error))
          return FALSE;
      return TRUE;
    }
  return !JSON_NODE_HOLDS_OBJECT (node)
         || parse_object ((GadgetGeminiParser *) base, json_node_get_object (node), error);
}

/* --- The body -------------------------------------------------------------------------------- */

/* An unknown reason ends a response like STOP does: the API may have new ones, and what was
 * received is complete. Source: https://ai.google.dev/api/generate-content#FinishReason */
static gboolean
check_reason (GadgetGeminiParser *self, GError **error)
{
  static const char *const failures[] = { "FINISH_REASON_UNSPECIFIED",
                                          "OTHER",
                                          "MALFORMED_FUNCTION_CALL",
                                          "MALFORMED_RESPONSE",
                                          "UNEXPECTED_TOOL_CALL",
                                          "TOO_MANY_TOOL_CALLS",
                                          "MISSING_THOUGHT_SIGNATURE",
                                          "NO_IMAGE",
                                          "IMAGE_OTHER",
                                          NULL };
  static const char *const filters[] = { "SAFETY",
                                         "RECITATION",
                                         "LANGUAGE",
                                         "BLOCKLIST",
                                         "PROHIBITED_CONTENT",
                                         "SPII",
                                         "IMAGE_SAFETY",
                                         "IMAGE_PROHIBITED_CONTENT",
                                         "IMAGE_RECITATION",
                                         NULL };
  const char *reason = self->base.finish_reason;
  const char *said = self->finish_message != NULL ? self->finish_message : "";

  if (g_strv_contains (filters, reason))
    g_set_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED,
                 "The provider's filter stopped the answer (finishReason “%s”) %s", reason, said);
  else if (!g_strv_contains (failures, reason))
    return TRUE;
  else
    g_set_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT,
                 "The model could not go on (finishReason “%s”) %s", reason, said);
  g_strchomp ((*error)->message);
  return FALSE;
}

static gboolean
end (GadgetResponseParser *base, GError **error)
{
  GadgetGeminiParser *self = (GadgetGeminiParser *) base;
  g_autoptr (GError) reason = NULL;

  if (base->finish_reason == NULL && self->block_reason != NULL)
    {
      g_set_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED,
                   "The provider's filter refused the request (blockReason “%s”)",
                   self->block_reason);
      return FALSE;
    }
  if (base->finish_reason == NULL)
    return gadget_response_parser_fail_cut (base, error);
  if (!check_reason (self, &reason))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  end_reasoning (self, NULL);
  if (g_str_equal (base->finish_reason, "MAX_TOKENS"))
    gadget_response_parser_emit (base, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
  return TRUE;
}

static void
init (GadgetResponseParser *base)
{
  ((GadgetGeminiParser *) base)->pieces = gadget_gemini_parts_new ();
}

static void
clear (GadgetResponseParser *base)
{
  GadgetGeminiParser *self = (GadgetGeminiParser *) base;

  gadget_gemini_parts_free (self->pieces);
  g_free (self->call_id);
  g_free (self->call_signature);
  g_free (self->finish_message);
  g_free (self->block_reason);
}

const GadgetResponseParserClass gadget_gemini_parser_class = {
  .size = sizeof (GadgetGeminiParser),
  .init = init,
  .clear = clear,
  .parse_value = parse_value,
  .end = end,
};
