/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tool calls arrive as fragments. By the API, a fragment belongs to the call of its "index"; but
 * some servers omit the index, give complete calls all with index 0, give a new id with every
 * fragment, or repeat the name. See find_call (). The sink learns of a call once its name is
 * known. */

#include "config.h"

#include "gadget-openai-chat-parser.h"

#include "gadget-dialect.h"
#include "gadget-error-parser.h"
#include "gadget-response-framing.h"
#include "common/gadget-id.h"
#include "common/gadget-json.h"
#include "http/gadget-sse.h"
#include "session/gadget-turn.h"

#include <string.h>

/* A response with more calls than this comes from a faulty server. */
#define MAX_CALLS 128
#define MAX_DOLLARS 1e6 /* for one response; more is not a price */

typedef struct
{
  gint64 index; /* the server's index, -1 if it gave none */
  char *id;
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

struct _GadgetOpenaiChatParser
{
  GadgetChatSink sink;
  gpointer sink_data;
  GadgetResponseFraming *framing;
  GPtrArray *calls; /* of Call; the position is the call_index of the events */
  char *finish_reason;
  guint n_events; /* number of objects with choices */
};

static void
free_call (gpointer data)
{
  Call *call = data;

  g_free (call->id);
  g_free (call->name);
  g_string_free (call->arguments, TRUE);
  g_free (call);
}

void
gadget_openai_chat_parser_free (GadgetOpenaiChatParser *self)
{
  if (self == NULL)
    return;
  gadget_response_framing_free (self->framing);
  g_ptr_array_unref (self->calls);
  g_free (self->finish_reason);
  g_free (self);
}

static gboolean
fail (GadgetProviderError code, const char *message, GError **error)
{
  g_set_error_literal (error, GADGET_PROVIDER_ERROR, code, message);
  return FALSE;
}

static void
emit (GadgetOpenaiChatParser *self, GadgetChatEvent event)
{
  self->sink (&event, self->sink_data);
}

static void
emit_text (GadgetOpenaiChatParser *self, GadgetChatEventType type, const char *text)
{
  if (text != NULL && *text != '\0')
    emit (self, (GadgetChatEvent) { .type = type, .text = text });
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
  if (name != NULL && id != NULL && found->id != NULL && strcmp (id, found->id) != 0
      && (g_strcmp0 (name, found->name) != 0 || is_whole_object (found)))
    return add_call (self, index);
  /* These are complete calls without ids, in a row, without indices or all with the same index. */
  if (name != NULL && id == NULL && found->name != NULL
      && (strcmp (name, found->name) != 0 || is_whole_object (found)))
    return add_call (self, index);
  return found;
}

static guint
get_place (GadgetOpenaiChatParser *self, Call *call)
{
  guint place = 0;

  g_ptr_array_find (self->calls, call, &place);
  return place;
}

static void
emit_call (GadgetOpenaiChatParser *self, Call *call)
{
  guint place = get_place (self, call);

  if (call->name == NULL || call->ended)
    return;
  if (!call->begun)
    {
      call->begun = TRUE;
      if (call->id == NULL)
        {
          g_autofree char *id = gadget_id_new ();

          call->id = g_strconcat ("call_", id, NULL);
        }
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_BEGIN,
                                      .call_index = place,
                                      .call_id = call->id,
                                      .name = call->name });
    }
  if (call->reported < call->arguments->len)
    {
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_ARGUMENTS,
                                      .call_index = place,
                                      .text = call->arguments->str + call->reported });
      call->reported = call->arguments->len;
    }
}

static void
end_call (GadgetOpenaiChatParser *self, Call *call)
{
  call->ended = TRUE;
  emit (self,
        (GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = get_place (self, call) });
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
  if (text == NULL)
    return TRUE;
  if (strlen (text)
      > GADGET_DIALECT_MAX_ARGUMENTS - MIN (call->arguments->len, GADGET_DIALECT_MAX_ARGUMENTS))
    return fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "The arguments of a tool call are too large",
                 error);
  g_string_append (call->arguments, text);
  return TRUE;
}

static const char *
not_empty (const char *text)
{
  return text != NULL && *text != '\0' ? text : NULL;
}

static gboolean
parse_call (GadgetOpenaiChatParser *self, JsonObject *fragment, GError **error)
{
  JsonObject *function = gadget_json_get_object (fragment, "function");
  const char *id = not_empty (gadget_json_get_string (fragment, "id"));
  const char *name = not_empty (gadget_json_get_string (function, "name"));
  gint64 index = -1;
  Call *call;

  if (fragment == NULL)
    return TRUE;
  gadget_json_get_int (fragment, "index", &index);
  call = find_call (self, index, id, name);
  if (self->calls->len > MAX_CALLS)
    return fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "The answer has too many tool calls", error);
  if (call->id == NULL)
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

  emit_text (self, GADGET_CHAT_TEXT, gadget_json_get_string (part, "text"));
  for (guint i = 0; thinking != NULL && i < json_array_get_length (thinking); i++)
    emit_text (self, GADGET_CHAT_REASONING,
               gadget_json_get_string (gadget_json_get_element (thinking, i), "text"));
}

static gboolean
parse_delta (GadgetOpenaiChatParser *self, JsonObject *delta, GError **error)
{
  const char *reasoning = gadget_json_get_string (delta, "reasoning_content");
  JsonArray *parts = gadget_json_get_array (delta, "content");

  if (reasoning == NULL)
    reasoning = gadget_json_get_string (delta, "reasoning");
  emit_text (self, GADGET_CHAT_REASONING, reasoning);
  emit_text (self, GADGET_CHAT_TEXT, gadget_json_get_string (delta, "content"));
  emit_text (self, GADGET_CHAT_TEXT, gadget_json_get_string (delta, "refusal"));
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    parse_part (self, gadget_json_get_element (parts, i));
  return parse_calls (self, delta, error);
}

/* OpenRouter reports the cost of every response in credits, which are US dollars
 * (openrouter.ai/docs, "Usage Accounting"). Other servers have no such member, or an object. */
static gint64
read_cost (JsonObject *usage)
{
  double dollars = 0;

  if (!gadget_json_get_double (usage, "cost", &dollars) || !(dollars > 0 && dollars < MAX_DOLLARS))
    return 0;
  return (gint64) (dollars * (double) GADGET_COST_DOLLAR + 0.5);
}

static void
parse_usage (GadgetOpenaiChatParser *self, JsonObject *usage)
{
  gint64 input = 0;
  gint64 output = 0;

  if (usage == NULL)
    return;
  gadget_json_get_int (usage, "prompt_tokens", &input);
  gadget_json_get_int (usage, "completion_tokens", &output);
  if (input >= 0 && output >= 0 && input + output > 0)
    emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_USAGE,
                                    .input_tokens = input,
                                    .output_tokens = output,
                                    .cost = read_cost (usage) });
}

/* Returns TRUE if @node is not an error. Some servers only give the event the name "error"
 * (@named), and the object itself is the error. */
static gboolean
check_error (JsonNode *node, gboolean named, GError **error)
{
  GError *reported = gadget_error_parser_read_error (node, 200);

  if (reported == NULL && named)
    reported = gadget_error_parser_read_error (node, 500);
  if (reported != NULL)
    g_propagate_error (error, reported);
  return reported == NULL;
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
    self->n_events++;
  if (delta == NULL)
    delta = gadget_json_get_object (choice, "message");
  if (delta != NULL && !parse_delta (self, delta, error))
    return FALSE;
  reason = not_empty (gadget_json_get_string (choice, "finish_reason"));
  if (reason != NULL)
    {
      g_free (self->finish_reason);
      self->finish_reason = g_strdup (reason);
    }
  parse_usage (self, gadget_json_get_object (object, "usage"));
  return TRUE;
}

static gboolean
handle_event (const char *event, JsonNode *node, gpointer user_data, GError **error)
{
  GadgetOpenaiChatParser *self = user_data;

  if (!check_error (node, g_strcmp0 (event, "error") == 0, error)
      || !parse_object (self, node, error))
    return FALSE;
  if (event == NULL && self->n_events == 0)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer has no choices in it", error);
  return TRUE;
}

/* --- The body -------------------------------------------------------------------------------- */

GadgetOpenaiChatParser *
gadget_openai_chat_parser_new (GadgetChatSink sink, gpointer sink_data)
{
  GadgetOpenaiChatParser *self = g_new0 (GadgetOpenaiChatParser, 1);

  self->sink = sink;
  self->sink_data = sink_data;
  self->framing = gadget_response_framing_new (handle_event, self);
  self->calls = g_ptr_array_new_with_free_func (free_call);
  return self;
}

/**
 * gadget_openai_chat_parser_feed:
 *
 * Returns: %FALSE with a #GadgetProviderError; the parser must not be used any more then
 */
gboolean
gadget_openai_chat_parser_feed (GadgetOpenaiChatParser *self, const char *bytes, gsize length,
                                GError **error)
{
  return gadget_response_framing_feed (self->framing, bytes, length, error);
}

static gboolean
check_reason (GadgetOpenaiChatParser *self, GError **error)
{
  if (g_strcmp0 (self->finish_reason, "content_filter") == 0)
    return fail (GADGET_PROVIDER_ERROR_REFUSED,
                 "The provider's filter stopped the answer (finish_reason “content_filter”)",
                 error);
  return TRUE;
}

/**
 * gadget_openai_chat_parser_end:
 *
 * To be called when the body has ended, or when the parser is done.
 *
 * Returns: %FALSE with a #GadgetProviderError if the response is not complete, or reports a failure
 */
gboolean
gadget_openai_chat_parser_end (GadgetOpenaiChatParser *self, GError **error)
{
  if (!gadget_response_framing_end (self->framing, error))
    return FALSE;
  if (!gadget_response_framing_is_done (self->framing) && self->finish_reason == NULL)
    return gadget_response_framing_fail_cut (self->framing, self->n_events > 0, error);
  if (!check_reason (self, error))
    return FALSE;
  if (g_strcmp0 (self->finish_reason, "length") == 0)
    {
      end_earlier_calls (self, NULL);
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_LIMIT });
    }
  else
    end_calls (self);
  return TRUE;
}

/**
 * gadget_openai_chat_parser_is_done:
 *
 * Returns: %TRUE if the stream said that nothing more will come
 */
gboolean
gadget_openai_chat_parser_is_done (GadgetOpenaiChatParser *self)
{
  return gadget_response_framing_is_done (self->framing);
}
