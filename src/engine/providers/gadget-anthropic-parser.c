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
#include "common/gadget-json.h"

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

typedef struct
{
  GadgetResponseParser base;

  GPtrArray *blocks;   /* of Block, in the order in which they began */
  gint64 fresh_tokens; /* token counts: see parse_usage () */
  GadgetUsage usage;
  char *explanation; /* (nullable): why the model refused */
} GadgetAnthropicParser;

static void
free_block (gpointer data)
{
  Block *block = data;

  g_string_free (block->text, TRUE);
  g_free (block->input);
  g_free (block);
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
  if (!gadget_response_parser_check_part_size (block->text->len, text,
                                               "A part of the answer is too large", error))
    return FALSE;
  g_string_append (block->text, text != NULL ? text : "");
  return TRUE;
}

static gboolean
begin_call (GadgetAnthropicParser *self, Block *block, JsonObject *content, GError **error)
{
  JsonObject *input = gadget_json_get_object (content, "input");

  /* In a stream "input" is empty here, and the arguments follow. */
  if (input != NULL && json_object_get_size (input) > 0)
    block->input = json_to_string (json_object_get_member (content, "input"), FALSE);
  return gadget_response_parser_begin_call (&self->base, gadget_json_get_string (content, "id"),
                                            "toolu_", gadget_json_get_string (content, "name"),
                                            &block->call_index, error);
}

static gboolean
begin_block (GadgetAnthropicParser *self, gint64 index, JsonObject *content, GError **error)
{
  Block *block;

  if (find_block (self, index) != NULL)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                                        "Two parts of the answer have one number", error);
  if (self->blocks->len >= GADGET_DIALECT_MAX_PARTS)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_TOO_LARGE,
                                        "The answer has too many parts", error);
  block = g_new0 (Block, 1);
  block->type = get_block_type (content);
  block->index = index;
  block->text = g_string_new (NULL);
  g_ptr_array_add (self->blocks, block);

  switch (block->type)
    {
    case BLOCK_TEXT:
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_TEXT,
                                        gadget_json_get_string (content, "text"));
      return TRUE;
    case BLOCK_THINKING:
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_REASONING,
                                        gadget_json_get_string (content, "thinking"));
      return append (block, gadget_json_get_string (content, "signature"), error);
    case BLOCK_REDACTED:
      return append (block, gadget_json_get_string (content, "data"), error);
    case BLOCK_CALL:
      return begin_call (self, block, content, error);
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
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_TEXT,
                                        gadget_json_get_string (delta, "text"));
      return TRUE;
    case BLOCK_THINKING:
      gadget_response_parser_emit_text (&self->base, GADGET_CHAT_REASONING,
                                        gadget_json_get_string (delta, "thinking"));
      return append (block, gadget_json_get_string (delta, "signature"), error);
    case BLOCK_CALL:
      text = gadget_json_get_string (delta, "partial_json");
      if (!append (block, text, error))
        return FALSE;
      gadget_response_parser_append_arguments (&self->base, block->call_index, text);
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
  gadget_response_parser_end_call (&self->base, block->call_index, NULL);
}

static void
stop_call (GadgetAnthropicParser *self, Block *block)
{
  g_autoptr (JsonNode) arguments = NULL;

  if (block->text->len == 0)
    {
      g_string_assign (block->text, block->input != NULL ? block->input : "{}");
      gadget_response_parser_append_arguments (&self->base, block->call_index, block->text->str);
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

      gadget_response_parser_emit (
          &self->base, (GadgetChatEvent) { .type = GADGET_CHAT_REASONING_END, .replay = replay });
    }
}

/* --- The message ----------------------------------------------------------------------------- */

/* Each count covers the response so far. Tokens that are written to the cache or read from it are
 * not part of the input tokens, although they were sent. */
static void
parse_usage (GadgetAnthropicParser *self, JsonObject *usage)
{
  GadgetUsage *sum = &self->usage;

  if (usage == NULL)
    return;
  gadget_json_get_int (usage, "input_tokens", &self->fresh_tokens);
  gadget_json_get_int (usage, "output_tokens", &sum->output_tokens);
  gadget_response_parser_read_part (usage, "cache_creation_input_tokens", GADGET_USAGE_CACHE_WRITE,
                                    sum);
  gadget_response_parser_read_part (usage, "cache_read_input_tokens", GADGET_USAGE_CACHED, sum);
  sum->output_tokens = MAX (sum->output_tokens, 0);
  sum->input_tokens = MAX (self->fresh_tokens, 0) + sum->cache_write_tokens + sum->cached_tokens;
  gadget_response_parser_emit_usage (&self->base, *sum);
}

/* @object: the message, or the delta of a message_delta event. */
static void
parse_stop_reason (GadgetAnthropicParser *self, JsonObject *object)
{
  const char *reason = gadget_json_get_string (object, "stop_reason");
  JsonObject *details = gadget_json_get_object (object, "stop_details");

  if (reason != NULL && *reason != '\0')
    g_set_str (&self->base.finish_reason, reason);
  if (gadget_json_get_string (details, "explanation") != NULL)
    g_set_str (&self->explanation, gadget_json_get_string (details, "explanation"));
}

static gboolean
parse_whole_message (GadgetAnthropicParser *self, JsonObject *message, GError **error)
{
  JsonArray *content = gadget_json_get_array (message, "content");

  if (content == NULL)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                                        "The answer has no content in it", error);
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
  gadget_response_parser_finish (&self->base);
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
      self->base.begun = TRUE;
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
    gadget_response_parser_finish (&self->base);
  /* "ping" and unknown events are ignored. */
  return TRUE;
}

static gboolean
parse_value (GadgetResponseParser *base, const char *event, JsonNode *node, GError **error)
{
  GadgetAnthropicParser *self = (GadgetAnthropicParser *) base;
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *type = gadget_json_get_string (object, "type");

  if (!gadget_response_parser_check_error (event, node, error))
    return FALSE;
  if (event == NULL)
    return parse_whole_message (self, object, error);
  return parse_stream_object (self, type != NULL ? type : event, object, error);
}

/* See "Handling stop reasons" in the documentation. "pause_turn" occurs only when tools of the
 * server run, which Gadget never asks for. */
static gboolean
check_stop_reason (GadgetAnthropicParser *self, GError **error)
{
  if (g_strcmp0 (self->base.finish_reason, "model_context_window_exceeded") == 0)
    return gadget_response_parser_fail (
        GADGET_PROVIDER_ERROR_CONTEXT,
        "The answer filled what the model can read at once (stop_reason "
        "“model_context_window_exceeded”)",
        error);
  if (g_strcmp0 (self->base.finish_reason, "refusal") == 0)
    return gadget_response_parser_fail (
        GADGET_PROVIDER_ERROR_REFUSED,
        self->explanation != NULL && *self->explanation != '\0'
            ? self->explanation
            : "The model declined to answer (stop_reason “refusal”)",
        error);
  if (g_strcmp0 (self->base.finish_reason, "pause_turn") == 0)
    return gadget_response_parser_fail (
        GADGET_PROVIDER_ERROR_CUT, "The provider paused in the middle (stop_reason “pause_turn”)",
        error);
  return TRUE;
}

static gboolean
end (GadgetResponseParser *base, GError **error)
{
  GadgetAnthropicParser *self = (GadgetAnthropicParser *) base;

  if (!base->done && base->finish_reason == NULL)
    return gadget_response_parser_fail_cut (base, error);
  if (!check_stop_reason (self, error))
    return FALSE;
  if (g_strcmp0 (base->finish_reason, "max_tokens") == 0)
    {
      /* An open call was cut. */
      gadget_response_parser_emit (base, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
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

static void
init (GadgetResponseParser *base)
{
  ((GadgetAnthropicParser *) base)->blocks = g_ptr_array_new_with_free_func (free_block);
}

static void
clear (GadgetResponseParser *base)
{
  GadgetAnthropicParser *self = (GadgetAnthropicParser *) base;

  g_ptr_array_unref (self->blocks);
  g_free (self->explanation);
}

const GadgetResponseParserClass gadget_anthropic_parser_class = {
  .size = sizeof (GadgetAnthropicParser),
  .init = init,
  .clear = clear,
  .parse_value = parse_value,
  .end = end,
};
