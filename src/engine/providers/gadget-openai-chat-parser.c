/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What comes is told apart by its first byte that is not a space, because content types can't be
 * trusted: '{' is a whole JSON answer, '<' is a web page, anything else must be an event stream.
 *
 * Tool calls come as fragments. The rule is: a fragment belongs to the call of its "index"; but
 * servers leave the index out, give whole calls all with index 0, give a new id with every
 * fragment, or repeat the name. See find_call (). A call is announced once its name is known. */

#include "config.h"

#include "gadget-openai-chat-parser.h"

#include "common/gadget-id.h"
#include "common/gadget-json.h"
#include "gadget-openai-chat-format.h"
#include "gadget-sse.h"

#include <string.h>

/* More calls than this in one answer are a server gone wild. */
#define MAX_CALLS 128

typedef enum
{
  BODY_UNKNOWN,
  BODY_EVENTS,
  BODY_JSON,
} Body;

typedef struct
{
  gint64 index; /* the server's, -1 if it gave none */
  char *id;
  char *name;
  GString *arguments;
  gsize told; /* bytes of the arguments that the sink was given */
  gboolean begun;
  gboolean ended;
} Call;

struct _GadgetOpenaiChatParser
{
  GadgetChatSink sink;
  gpointer sink_data;
  Body body;
  GadgetSse *sse;
  GByteArray *json;
  GPtrArray *calls; /* of Call; its place is the call_index of the events */
  char *finish_reason;
  guint n_events; /* objects with choices, usage or an error */
  gboolean done;  /* [DONE] came */
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

GadgetOpenaiChatParser *
gadget_openai_chat_parser_new (GadgetChatSink sink, gpointer sink_data)
{
  GadgetOpenaiChatParser *self = g_new0 (GadgetOpenaiChatParser, 1);

  self->sink = sink;
  self->sink_data = sink_data;
  self->sse = gadget_sse_new (GADGET_SSE_MAX_LINE);
  self->json = g_byte_array_new ();
  self->calls = g_ptr_array_new_with_free_func (free_call);
  return self;
}

void
gadget_openai_chat_parser_free (GadgetOpenaiChatParser *self)
{
  if (self == NULL)
    return;
  gadget_sse_free (self->sse);
  g_byte_array_unref (self->json);
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

static gboolean
is_whole_object (const GString *text)
{
  g_autoptr (JsonNode) node = text->len > 0 ? gadget_json_parse (text->str, text->len, NULL) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node);
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

/* The last call of this index (or the last of all, without one), unless the fragment begins
 * another: it has a name, and an id that is not that call's, and that call is whole or has
 * another name. */
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
      && (g_strcmp0 (name, found->name) != 0 || is_whole_object (found->arguments)))
    return add_call (self, index);
  /* Whole calls without ids and without indices, one after another. */
  if (name != NULL && id == NULL && index < 0 && found->name != NULL
      && is_whole_object (found->arguments))
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
tell_call (GadgetOpenaiChatParser *self, Call *call)
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
  if (call->told < call->arguments->len)
    {
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_ARGUMENTS,
                                      .call_index = place,
                                      .text = call->arguments->str + call->told });
      call->told = call->arguments->len;
    }
}

static gboolean
take_arguments (Call *call, JsonObject *function, GError **error)
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
  if (strlen (text) > GADGET_SSE_MAX_LINE - MIN (call->arguments->len, GADGET_SSE_MAX_LINE))
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The arguments of a tool call are too large",
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
take_call (GadgetOpenaiChatParser *self, JsonObject *fragment, GError **error)
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
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer has too many tool calls", error);
  if (call->id == NULL)
    call->id = g_strdup (id);
  if (call->name == NULL)
    call->name = g_strdup (name);
  if (!take_arguments (call, function, error))
    return FALSE;
  tell_call (self, call);
  return TRUE;
}

static gboolean
take_calls (GadgetOpenaiChatParser *self, JsonObject *delta, GError **error)
{
  JsonArray *calls = gadget_json_get_array (delta, "tool_calls");

  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    if (!take_call (self, gadget_json_get_element (calls, i), error))
      return FALSE;
  return TRUE;
}

/* The answer is complete, and with it every call. A call without arguments has none: {}. */
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
      tell_call (self, call);
      call->ended = TRUE;
      emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = i });
    }
}

/* --- Objects --------------------------------------------------------------------------------- */

static gboolean
take_delta (GadgetOpenaiChatParser *self, JsonObject *delta, GError **error)
{
  const char *reasoning = gadget_json_get_string (delta, "reasoning_content");
  JsonArray *parts = gadget_json_get_array (delta, "content");

  if (reasoning == NULL)
    reasoning = gadget_json_get_string (delta, "reasoning");
  emit_text (self, GADGET_CHAT_REASONING, reasoning);
  emit_text (self, GADGET_CHAT_TEXT, gadget_json_get_string (delta, "content"));
  emit_text (self, GADGET_CHAT_TEXT, gadget_json_get_string (delta, "refusal"));
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    emit_text (self, GADGET_CHAT_TEXT,
               gadget_json_get_string (gadget_json_get_element (parts, i), "text"));
  return take_calls (self, delta, error);
}

static void
take_usage (GadgetOpenaiChatParser *self, JsonObject *usage)
{
  gint64 input = 0;
  gint64 output = 0;

  if (usage == NULL)
    return;
  gadget_json_get_int (usage, "prompt_tokens", &input);
  gadget_json_get_int (usage, "completion_tokens", &output);
  if (input >= 0 && output >= 0 && input + output > 0)
    emit (self, (GadgetChatEvent) {
                    .type = GADGET_CHAT_USAGE, .input_tokens = input, .output_tokens = output });
}

/* TRUE if there is none. Some servers say it in the event's name, and the object is the error. */
static gboolean
check_error (JsonNode *node, gboolean named, GError **error)
{
  GError *told = gadget_openai_chat_read_error (node, 200);

  if (told == NULL && named)
    told = gadget_openai_chat_read_error (node, 500);
  if (told != NULL)
    g_propagate_error (error, told);
  return told == NULL;
}

/* One object of the stream ("delta"), or the whole answer ("message"). */
static gboolean
take_object (GadgetOpenaiChatParser *self, JsonNode *node, GError **error)
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
  if (delta != NULL && !take_delta (self, delta, error))
    return FALSE;
  reason = not_empty (gadget_json_get_string (choice, "finish_reason"));
  if (reason != NULL)
    {
      g_free (self->finish_reason);
      self->finish_reason = g_strdup (reason);
    }
  take_usage (self, gadget_json_get_object (object, "usage"));
  return TRUE;
}

static gboolean
take_event (const char *event, const char *data, gsize length, gpointer user_data, GError **error)
{
  GadgetOpenaiChatParser *self = user_data;
  g_autoptr (JsonNode) node = NULL;

  if (self->done)
    return TRUE;
  if (length >= 6 && memcmp (data, "[DONE]", 6) == 0)
    {
      self->done = TRUE;
      return TRUE;
    }
  node = gadget_json_parse (data, length, NULL);
  if (node == NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "A piece of the answer is not JSON", error);
  return check_error (node, g_str_equal (event, "error"), error) && take_object (self, node, error);
}

/* --- The body -------------------------------------------------------------------------------- */

static gboolean
is_space_or_mark (char byte)
{
  return g_ascii_isspace (byte) || byte == '\xef' || byte == '\xbb' || byte == '\xbf';
}

/* Skips spaces and a byte order mark at the beginning, wherever the pieces are split, and looks at
 * what follows. */
static gboolean
tell_apart (GadgetOpenaiChatParser *self, const char **bytes, gsize *length, GError **error)
{
  while (*length > 0 && is_space_or_mark (**bytes))
    {
      (*bytes)++;
      (*length)--;
    }
  if (*length == 0)
    return TRUE;
  if (**bytes == '<')
    return fail (GADGET_PROVIDER_ERROR_ADDRESS, "A web page answered, not an API", error);
  self->body = **bytes == '{' ? BODY_JSON : BODY_EVENTS;
  return TRUE;
}

/**
 * gadget_openai_chat_parser_feed:
 *
 * Returns: %FALSE with a #GadgetProviderError; then the parser is of no further use
 */
gboolean
gadget_openai_chat_parser_feed (GadgetOpenaiChatParser *self, const char *bytes, gsize length,
                                GError **error)
{
  if (self->body == BODY_UNKNOWN && !tell_apart (self, &bytes, &length, error))
    return FALSE;
  if (self->body == BODY_EVENTS)
    return gadget_sse_feed (self->sse, bytes, length, take_event, self, error);
  if (self->body == BODY_JSON)
    {
      if (length > GADGET_SSE_MAX_LINE - MIN (self->json->len, GADGET_SSE_MAX_LINE))
        return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer is larger than 8 MiB", error);
      g_byte_array_append (self->json, (const guint8 *) bytes, (guint) length);
    }
  return TRUE;
}

static gboolean
end_json (GadgetOpenaiChatParser *self, GError **error)
{
  g_autoptr (JsonNode) node =
      gadget_json_parse ((const char *) self->json->data, self->json->len, NULL);

  if (node == NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer is not JSON, or was cut", error);
  if (!check_error (node, FALSE, error) || !take_object (self, node, error))
    return FALSE;
  if (self->n_events == 0)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer has no choices in it", error);
  self->done = TRUE;
  return TRUE;
}

static gboolean
check_reason (GadgetOpenaiChatParser *self, GError **error)
{
  if (g_strcmp0 (self->finish_reason, "length") == 0)
    return fail (GADGET_PROVIDER_ERROR_CUT,
                 "The model came to its limit of tokens (finish_reason “length”)", error);
  if (g_strcmp0 (self->finish_reason, "content_filter") == 0)
    return fail (GADGET_PROVIDER_ERROR_REFUSED,
                 "The provider's filter stopped the answer (finish_reason “content_filter”)",
                 error);
  return TRUE;
}

/**
 * gadget_openai_chat_parser_end:
 *
 * The body has ended, or said that it is complete.
 *
 * Returns: %FALSE with a #GadgetProviderError if it was not, or says that something went wrong
 */
gboolean
gadget_openai_chat_parser_end (GadgetOpenaiChatParser *self, GError **error)
{
  if (self->body == BODY_JSON && !self->done && !end_json (self, error))
    return FALSE;
  if (self->body == BODY_EVENTS && !self->done
      && !gadget_sse_end (self->sse, take_event, self, error))
    return FALSE;
  if (self->body == BODY_UNKNOWN)
    return fail (GADGET_PROVIDER_ERROR_CUT, "The server ended its answer before it began", error);
  if (!self->done && self->finish_reason == NULL)
    {
      if (self->n_events == 0 && !gadget_sse_has_fields (self->sse))
        return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer is not a stream of events",
                     error);
      return fail (GADGET_PROVIDER_ERROR_CUT, "The answer stopped in the middle", error);
    }
  if (!check_reason (self, error))
    return FALSE;
  end_calls (self);
  return TRUE;
}

/**
 * gadget_openai_chat_parser_is_done:
 *
 * Returns: whether the stream said that nothing more will come
 */
gboolean
gadget_openai_chat_parser_is_done (GadgetOpenaiChatParser *self)
{
  return self->done;
}
