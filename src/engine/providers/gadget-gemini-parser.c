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
#include "gadget-response-framing.h"
#include "common/gadget-id.h"
#include "common/gadget-json.h"

#include <string.h>

/* A response with more calls than this comes from a faulty server. */
#define MAX_CALLS 128

struct _GadgetGeminiParser
{
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetResponseFraming *framing;
  guint n_calls;
  guint n_objects; /* objects with candidates, feedback or usage */
  char *finish_reason;
  char *finish_message;
  char *block_reason;
  gint64 input_tokens;
  gint64 output_tokens;
  gboolean in_reasoning;
  gboolean in_text;
  gboolean in_call; /* a call arrives in parts, the last of n_calls */
  GadgetGeminiParts *pieces;
  char *call_id;        /* (nullable): of that call, as the server gave it */
  char *call_signature; /* (nullable): of that call */
};

static gboolean
fail (GadgetProviderError code, const char *message, GError **error)
{
  g_set_error_literal (error, GADGET_PROVIDER_ERROR, code, message);
  return FALSE;
}

static void
emit (GadgetGeminiParser *self, GadgetChatEvent event)
{
  self->sink (&event, self->sink_data);
}

static const char *
not_empty (const char *text)
{
  return text != NULL && *text != '\0' ? text : NULL;
}

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
    emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING_END, .replay = replay });
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
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING, .text = text });
    }
  if (replay != NULL)
    end_reasoning (self, replay);
}

static gboolean
begin_call (GadgetGeminiParser *self, const char *name, const char *id, GError **error)
{
  g_autofree char *made_id = NULL;

  if (self->n_calls >= MAX_CALLS)
    return fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "The answer has too many tool calls", error);
  if (id == NULL)
    {
      g_autofree char *unique = gadget_id_new ();

      id = made_id = g_strconcat ("call_", unique, NULL);
    }
  end_reasoning (self, NULL);
  self->in_text = FALSE;
  emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_BEGIN,
                                  .call_index = self->n_calls++,
                                  .call_id = id,
                                  .name = name });
  return TRUE;
}

static void
end_call (GadgetGeminiParser *self, const char *arguments, const char *replay)
{
  const guint index = self->n_calls - 1;

  emit (self, (GadgetChatEvent) {
                  .type = GADGET_CHAT_CALL_ARGUMENTS, .call_index = index, .text = arguments });
  emit (self,
        (GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = index, .replay = replay });
}

/* The arguments are emitted only when they are complete: a call that is cut before has none. */
static gboolean
add_arguments (GadgetGeminiParser *self, JsonObject *call, const char *signature, GError **error)
{
  const char *id = not_empty (gadget_json_get_string (call, "id"));

  if (id != NULL)
    g_set_str (&self->call_id, id);
  if (signature != NULL)
    g_set_str (&self->call_signature, signature);
  if (!gadget_gemini_parts_add (self->pieces, call))
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                 "The pieces of a tool call's arguments do not fit together", error);
  if (!gadget_json_get_flag (call, "willContinue"))
    {
      g_autofree char *arguments = gadget_gemini_parts_dup (self->pieces);
      g_autofree char *replay = make_replay (self->call_id, self->call_signature);

      self->in_call = FALSE;
      end_call (self, arguments, replay);
    }
  return TRUE;
}

static gboolean
parse_call (GadgetGeminiParser *self, JsonObject *call, const char *signature, GError **error)
{
  const char *name = not_empty (gadget_json_get_string (call, "name"));
  const char *id = not_empty (gadget_json_get_string (call, "id"));

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
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_TEXT, .text = text });
      self->in_text = TRUE;
    }
  if (!self->in_text || replay == NULL)
    return;
  emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_TEXT_END, .replay = replay });
  self->in_text = FALSE;
}

static gboolean
parse_part (GadgetGeminiParser *self, JsonObject *part, GError **error)
{
  const char *text = not_empty (gadget_json_get_string (part, "text"));
  const char *signature = not_empty (gadget_json_get_string (part, "thoughtSignature"));
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
  gint64 input;
  gint64 output;

  if (usage == NULL)
    return;
  input = get_count (usage, "promptTokenCount") + get_count (usage, "toolUsePromptTokenCount");
  output = get_count (usage, "candidatesTokenCount") + get_count (usage, "thoughtsTokenCount");
  if (input == self->input_tokens && output == self->output_tokens)
    return;
  self->input_tokens = input;
  self->output_tokens = output;
  emit (self, (GadgetChatEvent) {
                  .type = GADGET_CHAT_USAGE, .input_tokens = input, .output_tokens = output });
}

static gboolean
parse_object (GadgetGeminiParser *self, JsonObject *object, GError **error)
{
  JsonObject *candidate = gadget_json_get_element (gadget_json_get_array (object, "candidates"), 0);
  JsonArray *parts = gadget_json_get_array (gadget_json_get_object (candidate, "content"), "parts");
  JsonObject *feedback = gadget_json_get_object (object, "promptFeedback");
  JsonObject *usage = gadget_json_get_object (object, "usageMetadata");
  const char *reason = not_empty (gadget_json_get_string (candidate, "finishReason"));
  const char *blocked = not_empty (gadget_json_get_string (feedback, "blockReason"));

  if (candidate != NULL || feedback != NULL || usage != NULL)
    self->n_objects++;
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    if (!parse_part (self, gadget_json_get_element (parts, i), error))
      return FALSE;
  if (reason != NULL)
    {
      g_set_str (&self->finish_reason, reason);
      g_set_str (&self->finish_message, gadget_json_get_string (candidate, "finishMessage"));
    }
  if (blocked != NULL)
    g_set_str (&self->block_reason, blocked);
  parse_usage (self, usage);
  return TRUE;
}

static gboolean
parse_node (const char *event, JsonNode *node, gpointer user_data, GError **error)
{
  GadgetGeminiParser *self = user_data;
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
        if (!parse_node (event, json_array_get_element (array, i), self, error))
          return FALSE;
      return TRUE;
    }
  return !JSON_NODE_HOLDS_OBJECT (node) || parse_object (self, json_node_get_object (node), error);
}

/* --- The body -------------------------------------------------------------------------------- */

GadgetGeminiParser *
gadget_gemini_parser_new (GadgetChatSink sink, gpointer sink_data)
{
  GadgetGeminiParser *self = g_new0 (GadgetGeminiParser, 1);

  self->sink = sink;
  self->sink_data = sink_data;
  self->framing = gadget_response_framing_new (parse_node, self);
  self->pieces = gadget_gemini_parts_new ();
  return self;
}

void
gadget_gemini_parser_free (GadgetGeminiParser *self)
{
  if (self == NULL)
    return;
  gadget_response_framing_free (self->framing);
  gadget_gemini_parts_free (self->pieces);
  g_free (self->call_id);
  g_free (self->call_signature);
  g_free (self->finish_reason);
  g_free (self->finish_message);
  g_free (self->block_reason);
  g_free (self);
}

/**
 * gadget_gemini_parser_feed:
 *
 * Returns: %FALSE with a #GadgetProviderError; the parser must not be used any more then
 */
gboolean
gadget_gemini_parser_feed (GadgetGeminiParser *self, const char *bytes, gsize length,
                           GError **error)
{
  return gadget_response_framing_feed (self->framing, bytes, length, error);
}

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
  const char *reason = self->finish_reason;
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

/**
 * gadget_gemini_parser_end:
 *
 * To be called when the body has ended.
 *
 * Returns: %FALSE with a #GadgetProviderError if the response is not complete, or reports a failure
 */
gboolean
gadget_gemini_parser_end (GadgetGeminiParser *self, GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (!gadget_response_framing_end (self->framing, error))
    return FALSE;
  if (self->finish_reason == NULL && self->block_reason != NULL)
    {
      g_set_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_REFUSED,
                   "The provider's filter refused the request (blockReason “%s”)",
                   self->block_reason);
      return FALSE;
    }
  if (self->finish_reason == NULL)
    return gadget_response_framing_fail_cut (self->framing, self->n_objects > 0, error);
  if (!check_reason (self, &reason))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  end_reasoning (self, NULL);
  if (g_str_equal (self->finish_reason, "MAX_TOKENS"))
    emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
  return TRUE;
}

/**
 * gadget_gemini_parser_is_done:
 *
 * Returns: %TRUE if nothing more will come; streams of this API do not say so before they end
 */
gboolean
gadget_gemini_parser_is_done (GadgetGeminiParser *self)
{
  return gadget_response_framing_is_done (self->framing);
}
