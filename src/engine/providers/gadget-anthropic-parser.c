/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A response is a list of blocks: text, thinking and calls. Each block begins, grows and stops
 * under its index. A response that is one JSON object is read as the same list, each block all at
 * once.
 *
 * Thinking counts as complete when its block stops; only then is its signature known, which must be
 * sent back with it. A call is complete when its block stops and its arguments are an object. If
 * they are not, either the response was cut at its limit of tokens, or the model wrote nonsense.
 * The end of the message tells which, so the call stays open until then. */

#include "config.h"

#include "gadget-anthropic-parser.h"

#include "gadget-anthropic-format.h"
#include "gadget-dialect.h"
#include "gadget-error-parser.h"
#include "gadget-response-framing.h"
#include "common/gadget-id.h"
#include "common/gadget-json.h"

#include <string.h>

/* A response with more blocks than this comes from a faulty server. */
#define MAX_BLOCKS 1024

typedef enum
{
  BLOCK_OTHER, /* a kind that was not asked for */
  BLOCK_TEXT,
  BLOCK_THINKING,
  BLOCK_REDACTED,
  BLOCK_CALL,
} BlockType;

typedef struct
{
  BlockType type;
  gint64 index;
  guint call_index;
  GString *text; /* arguments of a call, signature, or hidden thinking */
  char *input;   /* (nullable): arguments in the block's start event */
  gboolean stopped;
  gboolean ended; /* of a call: the sink got its end event */
} Block;

struct _GadgetAnthropicParser
{
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetResponseFraming *framing;
  GPtrArray *blocks; /* of Block, in the order in which they began */
  guint n_calls;
  gint64 input_tokens; /* token counts: see parse_usage () */
  gint64 cache_write_tokens;
  gint64 cache_read_tokens;
  gint64 output_tokens;
  char *stop_reason;
  char *explanation; /* (nullable): why the model refused */
  gboolean begun;
  gboolean done; /* message_stop was received */
};

static void
free_block (gpointer data)
{
  Block *block = data;

  g_string_free (block->text, TRUE);
  g_free (block->input);
  g_free (block);
}

void
gadget_anthropic_parser_free (GadgetAnthropicParser *self)
{
  if (self == NULL)
    return;
  gadget_response_framing_free (self->framing);
  g_ptr_array_unref (self->blocks);
  g_free (self->stop_reason);
  g_free (self->explanation);
  g_free (self);
}

static gboolean
fail (GadgetProviderError code, const char *message, GError **error)
{
  g_set_error_literal (error, GADGET_PROVIDER_ERROR, code, message);
  return FALSE;
}

static void
emit (GadgetAnthropicParser *self, GadgetChatEvent event)
{
  self->sink (&event, self->sink_data);
}

static void
emit_text (GadgetAnthropicParser *self, GadgetChatEventType type, const char *text)
{
  if (text != NULL && *text != '\0')
    emit (self, (GadgetChatEvent) { .type = type, .text = text });
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static BlockType
get_block_type (JsonObject *content)
{
  static const char *const names[] = { [BLOCK_TEXT] = "text",
                                       [BLOCK_THINKING] = "thinking",
                                       [BLOCK_REDACTED] = "redacted_thinking",
                                       [BLOCK_CALL] = "tool_use" };
  const char *type = gadget_json_get_string (content, "type");
  const char *name = gadget_json_get_string (content, "name");

  for (guint i = BLOCK_TEXT; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (type, names[i]) == 0)
      return i == BLOCK_CALL && (name == NULL || *name == '\0') ? BLOCK_OTHER : (BlockType) i;
  return BLOCK_OTHER;
}

static Block *
find_block (GadgetAnthropicParser *self, gint64 index)
{
  for (guint i = self->blocks->len; i > 0; i--)
    {
      Block *block = g_ptr_array_index (self->blocks, i - 1);

      if (block->index == index && !block->stopped)
        return block;
    }
  return NULL;
}

static gboolean
append (Block *block, const char *text, GError **error)
{
  if (text == NULL)
    return TRUE;
  if (strlen (text)
      > GADGET_DIALECT_MAX_ARGUMENTS - MIN (block->text->len, GADGET_DIALECT_MAX_ARGUMENTS))
    return fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "A part of the answer is too large", error);
  g_string_append (block->text, text);
  return TRUE;
}

static void
begin_call (GadgetAnthropicParser *self, Block *block, JsonObject *content)
{
  const char *id = gadget_json_get_string (content, "id");
  JsonObject *input = gadget_json_get_object (content, "input");
  g_autofree char *made_id = NULL;

  if (id == NULL || *id == '\0')
    {
      g_autofree char *random = gadget_id_new ();

      id = made_id = g_strconcat ("toolu_", random, NULL);
    }
  /* In a stream "input" is empty here, and the arguments follow. */
  if (input != NULL && json_object_get_size (input) > 0)
    block->input = json_to_string (json_object_get_member (content, "input"), FALSE);
  block->call_index = self->n_calls++;
  emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_BEGIN,
                                  .call_index = block->call_index,
                                  .call_id = id,
                                  .name = gadget_json_get_string (content, "name") });
}

static gboolean
begin_block (GadgetAnthropicParser *self, gint64 index, JsonObject *content, GError **error)
{
  Block *block;

  if (find_block (self, index) != NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "Two parts of the answer have one number",
                 error);
  if (self->blocks->len >= MAX_BLOCKS)
    return fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "The answer has too many parts", error);
  block = g_new0 (Block, 1);
  block->type = get_block_type (content);
  block->index = index;
  block->text = g_string_new (NULL);
  g_ptr_array_add (self->blocks, block);

  switch (block->type)
    {
    case BLOCK_TEXT:
      emit_text (self, GADGET_CHAT_TEXT, gadget_json_get_string (content, "text"));
      return TRUE;
    case BLOCK_THINKING:
      emit_text (self, GADGET_CHAT_REASONING, gadget_json_get_string (content, "thinking"));
      return append (block, gadget_json_get_string (content, "signature"), error);
    case BLOCK_REDACTED:
      return append (block, gadget_json_get_string (content, "data"), error);
    case BLOCK_CALL:
      begin_call (self, block, content);
      return TRUE;
    case BLOCK_OTHER:
    default:
      return TRUE;
    }
}

static gboolean
grow_block (GadgetAnthropicParser *self, gint64 index, JsonObject *delta, GError **error)
{
  Block *block = find_block (self, index);
  const char *text;

  if (block == NULL)
    return TRUE;
  switch (block->type)
    {
    case BLOCK_TEXT:
      emit_text (self, GADGET_CHAT_TEXT, gadget_json_get_string (delta, "text"));
      return TRUE;
    case BLOCK_THINKING:
      emit_text (self, GADGET_CHAT_REASONING, gadget_json_get_string (delta, "thinking"));
      return append (block, gadget_json_get_string (delta, "signature"), error);
    case BLOCK_CALL:
      text = gadget_json_get_string (delta, "partial_json");
      if (text == NULL || *text == '\0')
        return TRUE;
      if (!append (block, text, error))
        return FALSE;
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_ARGUMENTS,
                                      .call_index = block->call_index,
                                      .text = text });
      return TRUE;
    case BLOCK_REDACTED:
    case BLOCK_OTHER:
    default:
      return TRUE;
    }
}

static void
end_call (GadgetAnthropicParser *self, Block *block)
{
  block->ended = TRUE;
  emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = block->call_index });
}

static void
stop_call (GadgetAnthropicParser *self, Block *block)
{
  g_autoptr (JsonNode) arguments = NULL;

  if (block->text->len == 0)
    {
      g_string_assign (block->text, block->input != NULL ? block->input : "{}");
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_ARGUMENTS,
                                      .call_index = block->call_index,
                                      .text = block->text->str });
    }
  arguments = gadget_json_parse (block->text->str, block->text->len, NULL);
  if (arguments != NULL && JSON_NODE_HOLDS_OBJECT (arguments))
    end_call (self, block);
}

static void
stop_block (GadgetAnthropicParser *self, gint64 index)
{
  Block *block = find_block (self, index);

  if (block == NULL)
    return;
  block->stopped = TRUE;
  if (block->type == BLOCK_CALL)
    {
      stop_call (self, block);
    }
  else if (block->type == BLOCK_THINKING || block->type == BLOCK_REDACTED)
    {
      /* Without a signature the thinking cannot be sent back. */
      g_autofree char *replay =
          block->text->len == 0
              ? NULL
              : g_strconcat (block->type == BLOCK_THINKING ? GADGET_ANTHROPIC_SIGNED
                                                           : GADGET_ANTHROPIC_REDACTED,
                             block->text->str, NULL);

      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING_END, .replay = replay });
    }
}

/* --- The message ----------------------------------------------------------------------------- */

/* Each count covers the response so far. Tokens that are written to the cache or read from it are
 * not part of the input tokens, although they were sent. */
static void
parse_usage (GadgetAnthropicParser *self, JsonObject *usage)
{
  if (usage == NULL)
    return;
  gadget_json_get_int (usage, "input_tokens", &self->input_tokens);
  gadget_json_get_int (usage, "cache_creation_input_tokens", &self->cache_write_tokens);
  gadget_json_get_int (usage, "cache_read_input_tokens", &self->cache_read_tokens);
  gadget_json_get_int (usage, "output_tokens", &self->output_tokens);

  const gint64 input = MAX (self->input_tokens, 0) + MAX (self->cache_write_tokens, 0)
                       + MAX (self->cache_read_tokens, 0);
  const gint64 output = MAX (self->output_tokens, 0);

  if (input + output > 0)
    emit (self, (GadgetChatEvent) {
                    .type = GADGET_CHAT_USAGE, .input_tokens = input, .output_tokens = output });
}

/* @object: the message, or the delta of a message_delta event. */
static void
parse_stop_reason (GadgetAnthropicParser *self, JsonObject *object)
{
  const char *reason = gadget_json_get_string (object, "stop_reason");
  JsonObject *details = gadget_json_get_object (object, "stop_details");

  if (reason != NULL && *reason != '\0')
    g_set_str (&self->stop_reason, reason);
  if (gadget_json_get_string (details, "explanation") != NULL)
    g_set_str (&self->explanation, gadget_json_get_string (details, "explanation"));
}

static gboolean
parse_whole_message (GadgetAnthropicParser *self, JsonObject *message, GError **error)
{
  JsonArray *content = gadget_json_get_array (message, "content");

  if (content == NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer has no content in it", error);
  for (guint i = 0; i < json_array_get_length (content); i++)
    {
      JsonObject *block = gadget_json_get_element (content, i);

      if (block == NULL)
        continue;
      if (!begin_block (self, i, block, error))
        return FALSE;
      stop_block (self, i);
    }
  parse_stop_reason (self, message);
  parse_usage (self, gadget_json_get_object (message, "usage"));
  self->done = TRUE;
  return TRUE;
}

static gboolean
parse_stream_object (GadgetAnthropicParser *self, const char *type, JsonObject *object,
                     GError **error)
{
  JsonObject *message = gadget_json_get_object (object, "message");
  JsonObject *delta = gadget_json_get_object (object, "delta");
  gint64 index = 0;

  gadget_json_get_int (object, "index", &index);
  if (g_str_equal (type, "message_start"))
    {
      self->begun = TRUE;
      parse_usage (self, gadget_json_get_object (message, "usage"));
    }
  else if (g_str_equal (type, "content_block_start"))
    return begin_block (self, index, gadget_json_get_object (object, "content_block"), error);
  else if (g_str_equal (type, "content_block_delta"))
    return grow_block (self, index, delta, error);
  else if (g_str_equal (type, "content_block_stop"))
    stop_block (self, index);
  else if (g_str_equal (type, "message_delta"))
    {
      parse_stop_reason (self, delta);
      parse_usage (self, gadget_json_get_object (object, "usage"));
    }
  else if (g_str_equal (type, "message_stop"))
    self->done = TRUE;
  /* "ping" and unknown events are ignored. */
  return TRUE;
}

static gboolean
handle_event (const char *event, JsonNode *node, gpointer user_data, GError **error)
{
  GadgetAnthropicParser *self = user_data;
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *type = gadget_json_get_string (object, "type");
  GError *reported;

  if (self->done)
    return TRUE;
  reported = gadget_error_parser_read_error (node, 200);
  if (reported == NULL && g_strcmp0 (event, "error") == 0)
    reported = gadget_error_parser_read_error (node, 500);
  if (reported != NULL)
    {
      g_propagate_error (error, reported);
      return FALSE;
    }
  if (event == NULL)
    return parse_whole_message (self, object, error);
  return parse_stream_object (self, type != NULL ? type : event, object, error);
}

GadgetAnthropicParser *
gadget_anthropic_parser_new (GadgetChatSink sink, gpointer sink_data)
{
  GadgetAnthropicParser *self = g_new0 (GadgetAnthropicParser, 1);

  self->sink = sink;
  self->sink_data = sink_data;
  self->framing = gadget_response_framing_new (handle_event, self);
  self->blocks = g_ptr_array_new_with_free_func (free_block);
  return self;
}

/**
 * gadget_anthropic_parser_feed:
 *
 * Returns: %FALSE with a #GadgetProviderError; the parser must not be used any more then
 */
gboolean
gadget_anthropic_parser_feed (GadgetAnthropicParser *self, const char *bytes, gsize length,
                              GError **error)
{
  return gadget_response_framing_feed (self->framing, bytes, length, error);
}

/* See "Handling stop reasons" in the documentation. "pause_turn" occurs only when tools of the
 * server run, which Gadget never asks for. */
static gboolean
check_stop_reason (GadgetAnthropicParser *self, GError **error)
{
  if (g_strcmp0 (self->stop_reason, "model_context_window_exceeded") == 0)
    return fail (GADGET_PROVIDER_ERROR_CONTEXT,
                 "The answer filled what the model can read at once (stop_reason "
                 "“model_context_window_exceeded”)",
                 error);
  if (g_strcmp0 (self->stop_reason, "refusal") == 0)
    return fail (GADGET_PROVIDER_ERROR_REFUSED,
                 self->explanation != NULL && *self->explanation != '\0'
                     ? self->explanation
                     : "The model declined to answer (stop_reason “refusal”)",
                 error);
  if (g_strcmp0 (self->stop_reason, "pause_turn") == 0)
    return fail (GADGET_PROVIDER_ERROR_CUT,
                 "The provider paused in the middle (stop_reason “pause_turn”)", error);
  return TRUE;
}

/**
 * gadget_anthropic_parser_end:
 *
 * To be called when the body has ended, or when the parser is done.
 *
 * Returns: %FALSE with a #GadgetProviderError if the response is not complete, or reports a failure
 */
gboolean
gadget_anthropic_parser_end (GadgetAnthropicParser *self, GError **error)
{
  if (!self->done && !gadget_response_framing_end (self->framing, error))
    return FALSE;
  if (!self->done && self->stop_reason == NULL)
    return gadget_response_framing_fail_cut (self->framing, self->begun, error);
  if (!check_stop_reason (self, error))
    return FALSE;
  if (g_strcmp0 (self->stop_reason, "max_tokens") == 0)
    {
      /* An open call was cut. */
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
      return TRUE;
    }
  for (guint i = 0; i < self->blocks->len; i++)
    {
      Block *block = g_ptr_array_index (self->blocks, i);

      if (block->type == BLOCK_CALL && !block->stopped)
        stop_block (self, block->index);
      if (block->type == BLOCK_CALL && !block->ended)
        end_call (self, block);
    }
  return TRUE;
}

/**
 * gadget_anthropic_parser_is_done:
 *
 * Returns: %TRUE if the stream said that nothing more will come
 */
gboolean
gadget_anthropic_parser_is_done (GadgetAnthropicParser *self)
{
  return self->done || gadget_response_framing_is_done (self->framing);
}
