/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tool calls arrive as fragments. By the API, a fragment belongs to the call of its "index"; but
 * some servers omit the index, give complete calls all with index 0, give a new id with every
 * fragment, or repeat the name. See find_call (). The sink learns of a call once its name is
 * known. */

#include "config.h"

#include "gadget-openai-chat-parser.h"

#include "gadget-dialect-json.h"
#include "common/gadget-json.h"
#include "session/gadget-turn.h"

#include <string.h>

#define MAX_DOLLARS 1e6 /* for one response; more is not a price */

typedef struct
{
  gint64 index; /* the server's index, -1 if it gave none */
  guint call_index;
  char *id; /* (nullable): the server's id, if it gave one before the call began */
  char *name;
  GString *arguments;
  gsize reported; /* bytes of the arguments passed to the sink */
  gsize scanned;  /* bytes of the arguments that find_end () has scanned */
  gsize end;      /* end of their first object or array, 0 until it ends */
  guint depth;
  gboolean in_string;
  gboolean parsed; /* the text up to end was parsed */
  gboolean whole;  /* the text up to end is an object */
  gboolean begun;
  gboolean ended;
} Call;

typedef struct
{
  GadgetResponseParser base;

  GPtrArray *calls; /* of Call */
} GadgetOpenaiChatParser;

static void
free_call (gpointer data)
{
  Call *call = data;

  g_free (call->id);
  g_free (call->name);
  g_string_free (call->arguments, TRUE);
  g_free (call);
}

/* --- Tool calls ------------------------------------------------------------------------------ */

/* Tracks the brackets as the arguments grow. Parsing the text again for every fragment would take
 * longer and longer, and would delay an abort. */
static gsize
find_end (Call *call)
{
  const GString *text = call->arguments;

  for (; call->scanned < text->len && call->end == 0; call->scanned++)
    {
      const char c = text->str[call->scanned];

      if (call->in_string && c == '\\')
        {
          /* The next character, which this one escapes, has not arrived yet. */
          if (call->scanned + 1 == text->len)
            break;
          call->scanned++;
        }
      else if (c == '"')
        call->in_string = !call->in_string;
      else if (call->in_string)
        continue;
      else if (c == '{' || c == '[')
        call->depth++;
      else if ((c == '}' || c == ']') && call->depth > 0)
        {
          call->depth--;
          if (call->depth == 0)
            call->end = call->scanned + 1;
        }
    }
  return call->end;
}

static gboolean
is_whole_object (Call *call)
{
  const gsize end = find_end (call);

  if (end > 0 && !call->parsed)
    {
      g_autoptr (JsonNode) node = gadget_json_parse (call->arguments->str, end, NULL);

      call->parsed = TRUE;
      call->whole = node != NULL && JSON_NODE_HOLDS_OBJECT (node);
    }
  return call->whole;
}

static Call *
add_call (GadgetOpenaiChatParser *self, gint64 index)
{
  Call *call = g_new0 (Call, 1);

  call->index = index;
  call->arguments = g_string_new (NULL);
  g_ptr_array_add (self->calls, call);
  return call;
}

/* Finds the last call of this index (or the last of all without an index). Another call is added if
 * the fragment begins one: it has a name and an id that differs from that call's, and that call is
 * complete or has another name. */
static Call *
find_call (GadgetOpenaiChatParser *self, gint64 index, const char *id, const char *name)
{
  Call *found = NULL;

  for (guint i = self->calls->len; i > 0 && found == NULL; i--)
    {
      Call *call = g_ptr_array_index (self->calls, i - 1);

      if (index < 0 || call->index == index)
        found = call;
    }
  if (found == NULL)
    return add_call (self, index);
  if (name != NULL && id != NULL && (found->id != NULL || found->begun)
      && g_strcmp0 (id, found->id) != 0
      && (g_strcmp0 (name, found->name) != 0 || is_whole_object (found)))
    return add_call (self, index);
  /* These are complete calls without ids, in a row, without indices or all with the same index. */
  if (name != NULL && id == NULL && found->name != NULL
      && (strcmp (name, found->name) != 0 || is_whole_object (found)))
    return add_call (self, index);
  return found;
}

static void
emit_call (GadgetOpenaiChatParser *self, Call *call)
{
  if (call->name == NULL || call->ended)
    return;
  if (!call->begun)
    /* parse_call () has refused too many of them. */
    call->begun = gadget_response_parser_begin_call (&self->base, call->id, "call_", call->name,
                                                     &call->call_index, NULL);
  gadget_response_parser_append_arguments (&self->base, call->call_index,
                                           call->arguments->str + call->reported);
  call->reported = call->arguments->len;
}

static void
end_call (GadgetOpenaiChatParser *self, Call *call)
{
  call->ended = TRUE;
  gadget_response_parser_end_call (&self->base, call->call_index, NULL);
}

/* A later call began, or the response was cut at the model's limit. The API does not say so, but
 * the calls before @begun (nullable) whose arguments can be parsed are complete. */
static void
end_earlier_calls (GadgetOpenaiChatParser *self, const Call *begun)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      Call *call = g_ptr_array_index (self->calls, i);

      if (call == begun)
        return;
      if (call->begun && !call->ended && is_whole_object (call))
        end_call (self, call);
    }
}

static gboolean
parse_arguments (Call *call, JsonObject *function, GError **error)
{
  const char *text = gadget_json_get_string (function, "arguments");
  g_autofree char *made = NULL;

  if (text == NULL && gadget_json_get_object (function, "arguments") != NULL)
    {
      made = json_to_string (json_object_get_member (function, "arguments"), FALSE);
      text = made;
    }
  if (!gadget_response_parser_check_part_size (call->arguments->len, text,
                                               "The arguments of a tool call are too large", error))
    return FALSE;
  g_string_append (call->arguments, text != NULL ? text : "");
  return TRUE;
}

static gboolean
parse_call (GadgetOpenaiChatParser *self, JsonObject *fragment, GError **error)
{
  JsonObject *function = gadget_json_get_object (fragment, "function");
  const char *id = gadget_dialect_get_text (fragment, "id");
  const char *name = gadget_dialect_get_text (function, "name");
  gint64 index = -1;
  Call *call;

  if (fragment == NULL)
    return TRUE;
  gadget_json_get_int (fragment, "index", &index);
  call = find_call (self, index, id, name);
  if (self->calls->len > GADGET_DIALECT_MAX_CALLS)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_TOO_LARGE,
                                        "The answer has too many tool calls", error);
  if (call->id == NULL && !call->begun)
    call->id = g_strdup (id);
  if (call->name == NULL)
    call->name = g_strdup (name);
  if (!parse_arguments (call, function, error))
    return FALSE;
  end_earlier_calls (self, call);
  emit_call (self, call);
  return TRUE;
}

static gboolean
parse_calls (GadgetOpenaiChatParser *self, JsonObject *delta, GError **error)
{
  JsonArray *calls = gadget_json_get_array (delta, "tool_calls");

  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    if (!parse_call (self, gadget_json_get_element (calls, i), error))
      return FALSE;
  return TRUE;
}

/* The response is complete, and so is every call. Missing arguments mean none: {}. */
static void
end_calls (GadgetOpenaiChatParser *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      Call *call = g_ptr_array_index (self->calls, i);

      if (call->ended || call->name == NULL)
        continue;
      if (call->arguments->len == 0)
        g_string_append (call->arguments, "{}");
      emit_call (self, call);
      end_call (self, call);
    }
}

/* --- Objects --------------------------------------------------------------------------------- */

/* Takes one part of a content that is a list. Mistral sends its reasoning in such parts, as lists
 * of parts (its documentation, "Reasoning"). */
static void
parse_part (GadgetOpenaiChatParser *self, JsonObject *part)
{
  JsonArray *thinking = gadget_json_get_array (part, "thinking");

  gadget_response_parser_emit_text (&self->base, GADGET_CHAT_TEXT,
                                    gadget_json_get_string (part, "text"));
  for (guint i = 0; thinking != NULL && i < json_array_get_length (thinking); i++)
    gadget_response_parser_emit_text (
        &self->base, GADGET_CHAT_REASONING,
        gadget_json_get_string (gadget_json_get_element (thinking, i), "text"));
}

static gboolean
parse_delta (GadgetOpenaiChatParser *self, JsonObject *delta, GError **error)
{
  const char *reasoning = gadget_json_get_string (delta, "reasoning_content");
  JsonArray *parts = gadget_json_get_array (delta, "content");

  if (reasoning == NULL)
    reasoning = gadget_json_get_string (delta, "reasoning");
  gadget_response_parser_emit_text (&self->base, GADGET_CHAT_REASONING, reasoning);
  gadget_response_parser_emit_text (&self->base, GADGET_CHAT_TEXT,
                                    gadget_json_get_string (delta, "content"));
  gadget_response_parser_emit_text (&self->base, GADGET_CHAT_TEXT,
                                    gadget_json_get_string (delta, "refusal"));
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    parse_part (self, gadget_json_get_element (parts, i));
  return parse_calls (self, delta, error);
}

/* OpenRouter reports the cost of every response in credits, which are US dollars
 * (openrouter.ai/docs, "Usage Accounting"). Other servers have no such member, or an object. */
static void
read_cost (JsonObject *usage, GadgetUsage *sum)
{
  double dollars = 0;

  if (!gadget_json_get_double (usage, "cost", &dollars) || !(dollars >= 0 && dollars < MAX_DOLLARS))
    return;
  sum->cost = (gint64) (dollars * (double) GADGET_COST_DOLLAR + 0.5);
  sum->known |= GADGET_USAGE_COST;
}

static void
parse_usage (GadgetOpenaiChatParser *self, JsonObject *usage)
{
  GadgetUsage sum = { 0 };

  if (usage == NULL)
    return;
  gadget_json_get_int (usage, "prompt_tokens", &sum.input_tokens);
  gadget_json_get_int (usage, "completion_tokens", &sum.output_tokens);
  gadget_response_parser_read_details (gadget_json_get_object (usage, "prompt_tokens_details"),
                                       gadget_json_get_object (usage, "completion_tokens_details"),
                                       &sum);
  /* DeepSeek has a name of its own (api-docs.deepseek.com, "Context Caching"). */
  gadget_response_parser_read_part (usage, "prompt_cache_hit_tokens", GADGET_USAGE_CACHED, &sum);
  read_cost (usage, &sum);
  gadget_response_parser_emit_usage (&self->base, sum);
}

/* Takes one object of the stream ("delta"), or the whole response ("message"). */
static gboolean
parse_object (GadgetOpenaiChatParser *self, JsonNode *node, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonArray *choices = gadget_json_get_array (object, "choices");
  JsonObject *choice = gadget_json_get_element (choices, 0);
  JsonObject *delta = gadget_json_get_object (choice, "delta");
  const char *reason;

  if (choices != NULL)
    self->base.begun = TRUE;
  if (delta == NULL)
    delta = gadget_json_get_object (choice, "message");
  if (delta != NULL && !parse_delta (self, delta, error))
    return FALSE;
  reason = gadget_dialect_get_text (choice, "finish_reason");
  if (reason != NULL)
    g_set_str (&self->base.finish_reason, reason);
  parse_usage (self, gadget_json_get_object (object, "usage"));
  return TRUE;
}

static gboolean
parse_value (GadgetResponseParser *base, const char *event, JsonNode *node, GError **error)
{
  if (!gadget_response_parser_check_error (event, node, error)
      || !parse_object ((GadgetOpenaiChatParser *) base, node, error))
    return FALSE;
  if (event == NULL && !base->begun)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_BAD_ANSWER,
                                        "The answer has no choices in it", error);
  return TRUE;
}

/* --- The body -------------------------------------------------------------------------------- */

static gboolean
end (GadgetResponseParser *base, GError **error)
{
  GadgetOpenaiChatParser *self = (GadgetOpenaiChatParser *) base;

  if (!gadget_response_parser_is_done (base) && base->finish_reason == NULL)
    return gadget_response_parser_fail_cut (base, error);
  if (g_strcmp0 (base->finish_reason, "content_filter") == 0)
    return gadget_response_parser_fail (
        GADGET_PROVIDER_ERROR_REFUSED,
        "The provider's filter stopped the answer (finish_reason “content_filter”)", error);
  if (g_strcmp0 (base->finish_reason, "length") == 0)
    {
      end_earlier_calls (self, NULL);
      gadget_response_parser_emit (base, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
    }
  else
    end_calls (self);
  return TRUE;
}

static void
init (GadgetResponseParser *base)
{
  ((GadgetOpenaiChatParser *) base)->calls = g_ptr_array_new_with_free_func (free_call);
}

static void
clear (GadgetResponseParser *base)
{
  GadgetOpenaiChatParser *self = (GadgetOpenaiChatParser *) base;

  g_ptr_array_unref (self->calls);
}

const GadgetResponseParserClass gadget_openai_chat_parser_class = {
  .size = sizeof (GadgetOpenaiChatParser),
  .init = init,
  .clear = clear,
  .parse_value = parse_value,
  .end = end,
};
