/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A request has messages of two roles, which alternate. All results of the calls of an assistant
 * message stand at the beginning of the one user message that follows, before any text.
 *
 * Thinking is requested as "adaptive" first, the kind that newer models know. Older models refuse
 * it; they are then asked for thinking with a budget, and then without thinking. Thinking blocks
 * are sent back only in a request that asks for thinking, and exactly as they were received. While
 * the model waits for tool results, thinking may not begin in the middle of its turn: the first
 * message of that turn has to begin with a thinking block, or this request does without
 * thinking. */

#include "config.h"

#include "gadget-anthropic-format.h"

#include "gadget-dialect-json.h"
#include "gadget-error-parser.h"
#include "gadget-model.h"
#include "common/gadget-json.h"

#include <string.h>

/* With the marks of the tools and of the instructions these are the four that a request may have.
 * The last one makes the server keep this request, the one before finds what it kept of the request
 * before, also when the new messages have more than the twenty blocks through which it searches. */
#define N_MARKED 2

/* The smallest budget that the API accepts, in tokens. */
#define MIN_BUDGET 1024

typedef struct
{
  JsonBuilder *json;
  gboolean with_thinking;
  gboolean in_user;     /* TRUE while a user message is open */
  GHashTable *ids;      /* (element-type utf8 utf8): ids of calls, and what is sent for them */
  GHashTable *sent_ids; /* (element-type utf8): the ids that are sent */
  const GadgetMessage *marked[N_MARKED]; /* (nullable): those that end with a mark */
} Builder;

/* --- Content blocks -------------------------------------------------------------------------- */

/* Tells the server to cache everything up to this block for the next request ("Prompt caching"). A
 * request may have four such marks. */
static void
add_cache_mark (JsonBuilder *json)
{
  gadget_dialect_begin_object (json, "cache_control");
  gadget_dialect_add_string (json, "type", "ephemeral");
  json_builder_end_object (json);
}

/* An image of an unsupported type is replaced by text, so that the model knows that there was
 * one. */
static void
add_image_members (JsonBuilder *json, const GadgetPart *part)
{
  g_autofree char *words = gadget_dialect_dup_image_words (part);
  g_autofree char *code = NULL;

  if (words != NULL)
    {
      gadget_dialect_add_string (json, "type", "text");
      gadget_dialect_add_string (json, "text", words);
      return;
    }
  code = gadget_dialect_dup_base64 (part);
  gadget_dialect_add_string (json, "type", "image");
  gadget_dialect_begin_object (json, "source");
  gadget_dialect_add_string (json, "type", "base64");
  gadget_dialect_add_string (json, "media_type", part->mime_type);
  gadget_dialect_add_string (json, "data", code);
  json_builder_end_object (json);
}

static void
add_thinking_members (JsonBuilder *json, const GadgetPart *part)
{
  if (g_str_has_prefix (part->replay, GADGET_ANTHROPIC_REDACTED))
    {
      gadget_dialect_add_string (json, "type", "redacted_thinking");
      gadget_dialect_add_string (json, "data", part->replay + strlen (GADGET_ANTHROPIC_REDACTED));
      return;
    }
  gadget_dialect_add_string (json, "type", "thinking");
  gadget_dialect_add_string (json, "thinking", part->text);
  gadget_dialect_add_string (json, "signature", part->replay + strlen (GADGET_ANTHROPIC_SIGNED));
}

/* Returns the id that is sent for a call. Ids may have only letters, digits, '_' and '-', but a
 * call of another kind of server may have an id with other characters. Unique ids stay unique. */
static const char *
get_id (Builder *self, const char *call_id)
{
  const char *known = g_hash_table_lookup (self->ids, call_id);
  g_autofree char *base = NULL;
  char *id;

  if (known != NULL)
    return known;
  base = g_strcanon (g_strdup (call_id), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-", '_');
  id = g_strdup (base);
  for (guint i = 2; g_hash_table_contains (self->sent_ids, id); i++)
    {
      g_free (id);
      id = g_strdup_printf ("%s_%u", base, i);
    }
  g_hash_table_insert (self->ids, g_strdup (call_id), id);
  g_hash_table_add (self->sent_ids, id);
  return id;
}

static void
add_call_members (Builder *self, const GadgetPart *part)
{
  gadget_dialect_add_string (self->json, "type", "tool_use");
  gadget_dialect_add_string (self->json, "id", get_id (self, part->call_id));
  gadget_dialect_add_string (self->json, "name", part->name);
  if (!gadget_dialect_add_json (self->json, "input", part->arguments))
    {
      gadget_dialect_begin_object (self->json, "input");
      json_builder_end_object (self->json);
    }
}

static gboolean
is_sent (Builder *self, const GadgetPart *part)
{
  if (part->type == GADGET_PART_REASONING)
    return self->with_thinking && part->replay != NULL;
  return part->type != GADGET_PART_TEXT || !gadget_dialect_is_blank (part->text);
}

static void
add_part (Builder *self, const GadgetPart *part, gboolean marked)
{
  if (!is_sent (self, part))
    return;
  json_builder_begin_object (self->json);
  switch (part->type)
    {
    case GADGET_PART_REASONING:
      add_thinking_members (self->json, part);
      break;
    case GADGET_PART_CALL:
      add_call_members (self, part);
      break;
    case GADGET_PART_IMAGE:
      add_image_members (self->json, part);
      break;
    case GADGET_PART_TEXT:
    default:
      gadget_dialect_add_string (self->json, "type", "text");
      gadget_dialect_add_string (self->json, "text", part->text);
      break;
    }
  if (marked)
    add_cache_mark (self->json);
  json_builder_end_object (self->json);
}

/* --- Messages -------------------------------------------------------------------------------- */

/* The result of a failed call may have only text. */
static gboolean
is_in_result (const GadgetMessage *message, const GadgetPart *part)
{
  if (part->type == GADGET_PART_IMAGE)
    return !message->failed;
  return part->type == GADGET_PART_TEXT && !gadget_dialect_is_blank (part->text);
}

static void
add_result (Builder *self, const GadgetMessage *message, gboolean marked)
{
  gboolean has_content = FALSE;

  json_builder_begin_object (self->json);
  gadget_dialect_add_string (self->json, "type", "tool_result");
  gadget_dialect_add_string (self->json, "tool_use_id", get_id (self, message->call_id));
  if (message->failed)
    gadget_dialect_add_boolean (self->json, "is_error", TRUE);
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      if (!is_in_result (message, part))
        continue;
      if (!has_content)
        gadget_dialect_begin_array (self->json, "content");
      has_content = TRUE;
      add_part (self, part, FALSE);
    }
  if (has_content)
    json_builder_end_array (self->json);
  if (marked)
    add_cache_mark (self->json);
  json_builder_end_object (self->json);
}

static void
end_message (Builder *self)
{
  json_builder_end_array (self->json);
  json_builder_end_object (self->json);
  self->in_user = FALSE;
}

static void
begin_message (Builder *self, gboolean user)
{
  if (self->in_user && user)
    return;
  if (self->in_user)
    end_message (self);
  json_builder_begin_object (self->json);
  gadget_dialect_add_string (self->json, "role", user ? "user" : "assistant");
  gadget_dialect_begin_array (self->json, "content");
  self->in_user = user;
}

static gboolean
has_content (Builder *self, const GadgetMessage *message)
{
  for (guint i = 0; i < message->parts->len; i++)
    if (is_sent (self, g_ptr_array_index (message->parts, i)))
      return TRUE;
  return FALSE;
}

/* Finds the messages with which the last user messages of the request end. */
static void
find_marked (Builder *self, GPtrArray *messages)
{
  gboolean ends = TRUE;
  guint n = 0;

  for (guint i = messages->len; i > 0 && n < N_MARKED; i--)
    {
      const GadgetMessage *message = g_ptr_array_index (messages, i - 1);

      if (message->role != GADGET_ROLE_TOOL && !has_content (self, message))
        continue;
      if (message->role != GADGET_ROLE_ASSISTANT && ends)
        self->marked[n++] = message;
      ends = message->role == GADGET_ROLE_ASSISTANT;
    }
}

static gboolean
is_marked (Builder *self, const GadgetMessage *message)
{
  for (guint i = 0; i < N_MARKED; i++)
    if (message == self->marked[i])
      return TRUE;
  return FALSE;
}

static void
add_parts (Builder *self, const GadgetMessage *message)
{
  const GadgetPart *last = NULL;

  for (guint i = 0; i < message->parts->len && is_marked (self, message); i++)
    if (is_sent (self, g_ptr_array_index (message->parts, i)))
      last = g_ptr_array_index (message->parts, i);
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      add_part (self, part, part == last);
    }
}

static void
add_messages (Builder *self, GPtrArray *messages)
{
  find_marked (self, messages);
  gadget_dialect_begin_array (self->json, "messages");
  for (guint i = 0; i < messages->len; i++)
    {
      const GadgetMessage *message = g_ptr_array_index (messages, i);

      if (message->role != GADGET_ROLE_TOOL && !has_content (self, message))
        continue;
      begin_message (self, message->role != GADGET_ROLE_ASSISTANT);
      if (message->role == GADGET_ROLE_TOOL)
        add_result (self, message, is_marked (self, message));
      else
        add_parts (self, message);
      if (message->role == GADGET_ROLE_ASSISTANT)
        end_message (self);
    }
  if (self->in_user)
    end_message (self);
  json_builder_end_array (self->json);
}

/* --- The request ----------------------------------------------------------------------------- */

/* Returns TRUE unless the model is in the middle of a turn that did not begin with thinking. Text
 * of the user after the last results does not end that turn, since the results are sent first. */
static gboolean
may_think (GPtrArray *messages)
{
  const GadgetMessage *first = NULL; /* the first message of the model's turn */
  gboolean in_loop = FALSE;

  for (guint i = 0; i < messages->len; i++)
    {
      const GadgetMessage *message = g_ptr_array_index (messages, i);

      if (message->role == GADGET_ROLE_ASSISTANT)
        {
          if (first == NULL)
            first = message;
          in_loop = gadget_message_count (message, GADGET_PART_CALL) > 0;
        }
      else if (message->role == GADGET_ROLE_USER && i + 1 < messages->len)
        first = NULL;
    }
  if (!in_loop || first == NULL)
    return TRUE;
  return ((const GadgetPart *) g_ptr_array_index (first->parts, 0))->type == GADGET_PART_REASONING;
}

static void
add_tools (JsonBuilder *json, GPtrArray *tools)
{
  gadget_dialect_begin_array (json, "tools");
  for (guint i = 0; i < tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (tools, i);

      json_builder_begin_object (json);
      gadget_dialect_add_string (json, "name", tool->name);
      gadget_dialect_add_string (json, "description", tool->description);
      if (!gadget_dialect_add_json (json, "input_schema", tool->schema))
        gadget_dialect_add_json (json, "input_schema", "{\"type\":\"object\"}");
      if (i + 1 == tools->len)
        add_cache_mark (json);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_system (JsonBuilder *json, const char *system)
{
  gadget_dialect_begin_array (json, "system");
  json_builder_begin_object (json);
  gadget_dialect_add_string (json, "type", "text");
  gadget_dialect_add_string (json, "text", system);
  add_cache_mark (json);
  json_builder_end_object (json);
  json_builder_end_array (json);
}

/* Newer models hide their thinking unless "display" asks for it. A budget counts against the tokens
 * of the response: half of them are left for the text. */
static void
add_thinking (JsonBuilder *json, GadgetAnthropicThinking thinking, gint64 max_tokens)
{
  gadget_dialect_begin_object (json, "thinking");
  if (thinking == GADGET_ANTHROPIC_ADAPTIVE)
    {
      gadget_dialect_add_string (json, "type", "adaptive");
      gadget_dialect_add_string (json, "display", "summarized");
    }
  else
    {
      gadget_dialect_add_string (json, "type", "enabled");
      gadget_json_add_int (json, "budget_tokens", max_tokens / 2);
    }
  json_builder_end_object (json);
}

static gboolean
has_room_to_think (GadgetAnthropicThinking thinking, gint64 max_tokens)
{
  return thinking == GADGET_ANTHROPIC_ADAPTIVE
         || (thinking == GADGET_ANTHROPIC_BUDGET && max_tokens / 2 >= MIN_BUDGET);
}

/**
 * gadget_anthropic_make_request:
 * @model: (nullable): left out if %NULL
 * @thinking: the kind of thinking to ask for; except with %GADGET_ANTHROPIC_NO_THINKING, earlier
 *   thinking is sent back
 * @max_tokens: the most tokens that the model allows for a response; 0 if unknown
 *
 * Returns: (transfer full): the JSON body of a streamed request
 */
GBytes *
gadget_anthropic_make_request (GadgetRequest *request, const char *model,
                               GadgetAnthropicThinking thinking, gint64 max_tokens)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) sent_ids = g_hash_table_new (g_str_hash, g_str_equal);
  Builder self = { .json = json, .ids = ids, .sent_ids = sent_ids };

  if (max_tokens <= 0 || max_tokens > GADGET_ANTHROPIC_MAX_TOKENS)
    max_tokens = GADGET_ANTHROPIC_MAX_TOKENS;
  self.with_thinking = has_room_to_think (thinking, max_tokens) && may_think (request->messages);
  json_builder_begin_object (json);
  if (model != NULL)
    gadget_dialect_add_string (json, "model", model);
  gadget_json_add_int (json, "max_tokens", max_tokens);
  gadget_dialect_add_boolean (json, "stream", TRUE);
  if (self.with_thinking)
    add_thinking (json, thinking, max_tokens);
  if (request->tools->len > 0)
    add_tools (json, request->tools);
  if (request->system != NULL && !gadget_dialect_is_blank (request->system))
    add_system (json, request->system);
  add_messages (&self, request->messages);
  json_builder_end_object (json);

  return gadget_dialect_to_bytes (json);
}

/* --- Models ---------------------------------------------------------------------------------- */

static GadgetModelImages
read_images (JsonObject *entry)
{
  JsonObject *capabilities = gadget_json_get_object (entry, "capabilities");
  gboolean supported;

  if (!gadget_json_get_boolean (gadget_json_get_object (capabilities, "image_input"), "supported",
                                &supported))
    return GADGET_MODEL_IMAGES_UNKNOWN;
  return supported ? GADGET_MODEL_IMAGES_YES : GADGET_MODEL_IMAGES_NO;
}

/**
 * gadget_anthropic_read_models:
 * @default_model: (nullable): moved to the front if it is in the list
 *
 * Reads the response of GET /v1/models, which lists the newest models first.
 *
 * Returns: (transfer full) (element-type GadgetModel): the models, or %NULL with
 *   %GADGET_PROVIDER_ERROR_ADDRESS
 */
GPtrArray *
gadget_anthropic_read_models (const char *text, gsize length, const char *default_model,
                              GError **error)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  g_autoptr (GPtrArray) models =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_model_unref);
  JsonObject *object =
      root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonArray *list = gadget_json_get_array (object, "data");

  if (list == NULL)
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS,
                           gadget_error_parser_is_html (text, length)
                               ? "A web page answered, not an API"
                               : "The answer is not a list of models");
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *entry = gadget_json_get_element (list, i);
      const char *id = gadget_json_get_string (entry, "id");
      gint64 context_length = 0;
      GadgetModel *model;

      if (id == NULL || *id == '\0')
        continue;
      gadget_json_get_int (entry, "max_input_tokens", &context_length);
      model = gadget_model_new (id);
      gadget_model_set_context_length (model, MAX (context_length, 0));
      gadget_model_set_images (model, read_images (entry));
      g_ptr_array_insert (models, g_strcmp0 (id, default_model) == 0 ? 0 : -1, model);
    }
  return g_steal_pointer (&models);
}
