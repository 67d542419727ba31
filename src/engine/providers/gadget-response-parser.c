/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-response-parser.h"

#include "gadget-error-parser.h"
#include "common/gadget-id.h"
#include "common/gadget-json.h"

#include <string.h>

static gboolean
take (const char *event, JsonNode *node, gpointer user_data, GError **error)
{
  GadgetResponseParser *self = user_data;

  return self->klass->parse_value (self, event, node, error);
}

/**
 * gadget_response_parser_new:
 * @klass: of the dialect
 * @sink: gets the events of the response, from feed and end
 *
 * Returns: (transfer full): a parser for the body of one response, fed in parts of any size
 */
GadgetResponseParser *
gadget_response_parser_new (const GadgetResponseParserClass *klass, GadgetChatSink sink,
                            gpointer sink_data)
{
  GadgetResponseParser *self = g_malloc0 (klass->size);

  self->klass = klass;
  self->sink = sink;
  self->sink_data = sink_data;
  self->framing = klass->lines ? gadget_response_framing_new_lines (take, self)
                               : gadget_response_framing_new (take, self);
  if (klass->init != NULL)
    klass->init (self);
  return self;
}

/* gadget_response_parser_free: frees the struct of the dialect, too, and passes no event any more.
 * @self may be %NULL. */
void
gadget_response_parser_free (GadgetResponseParser *self)
{
  if (self == NULL)
    return;
  if (self->klass->clear != NULL)
    self->klass->clear (self);
  gadget_response_framing_free (self->framing);
  g_free (self->finish_reason);
  g_free (self);
}

/**
 * gadget_response_parser_feed:
 *
 * Returns: %FALSE with a #GadgetProviderError; the parser must not be used any more then
 */
gboolean
gadget_response_parser_feed (GadgetResponseParser *self, const char *bytes, gsize length,
                             GError **error)
{
  return gadget_response_framing_feed (self->framing, bytes, length, error);
}

/**
 * gadget_response_parser_is_done:
 *
 * Returns: %TRUE if the response said that nothing more will come; not each dialect says so
 */
gboolean
gadget_response_parser_is_done (GadgetResponseParser *self)
{
  return gadget_response_framing_is_done (self->framing);
}

/**
 * gadget_response_parser_end:
 *
 * To be called when the body has ended, or when the parser is done.
 *
 * Returns: %FALSE with a #GadgetProviderError if the response is not complete, or reports a failure
 */
gboolean
gadget_response_parser_end (GadgetResponseParser *self, GError **error)
{
  return gadget_response_framing_end (self->framing, error) && self->klass->end (self, error);
}

/* gadget_response_parser_finish: is called by a dialect when the response said that it is complete.
 * The rest of the body is not read. */
void
gadget_response_parser_finish (GadgetResponseParser *self)
{
  self->done = TRUE;
  gadget_response_framing_finish (self->framing);
}

/* --- Events ---------------------------------------------------------------------------------- */

void
gadget_response_parser_emit (GadgetResponseParser *self, GadgetChatEvent event)
{
  self->sink (&event, self->sink_data);
}

/**
 * gadget_response_parser_emit_text:
 * @type: an event that has a text
 * @text: (nullable): UTF-8; %NULL and "" are no event
 *
 * Passes an event to the sink, which borrows @text for the call.
 */
void
gadget_response_parser_emit_text (GadgetResponseParser *self, GadgetChatEventType type,
                                  const char *text)
{
  if (text != NULL && *text != '\0')
    gadget_response_parser_emit (self, (GadgetChatEvent) { .type = type, .text = text });
}

/* Counts that make no sense, or say nothing, are no event. A part is at most the whole. */
void
gadget_response_parser_emit_usage (GadgetResponseParser *self, GadgetUsage usage)
{
  if (usage.input_tokens < 0 || usage.output_tokens < 0
      || usage.input_tokens + usage.output_tokens == 0)
    return;
  usage.cached_tokens = MIN (usage.cached_tokens, usage.input_tokens);
  usage.cache_write_tokens =
      MIN (usage.cache_write_tokens, usage.input_tokens - usage.cached_tokens);
  usage.reasoning_tokens = MIN (usage.reasoning_tokens, usage.output_tokens);
  gadget_response_parser_emit (self,
                               (GadgetChatEvent) { .type = GADGET_CHAT_USAGE, .usage = usage });
}

void
gadget_response_parser_read_part (JsonObject *object, const char *name, GadgetUsageParts part,
                                  GadgetUsage *usage)
{
  gint64 tokens;

  if (!gadget_json_get_int (object, name, &tokens) || tokens < 0)
    return;
  usage->known |= part;
  if (part == GADGET_USAGE_CACHED)
    usage->cached_tokens = tokens;
  else if (part == GADGET_USAGE_CACHE_WRITE)
    usage->cache_write_tokens = tokens;
  else
    usage->reasoning_tokens = tokens;
}

void
gadget_response_parser_read_details (JsonObject *input, JsonObject *output, GadgetUsage *usage)
{
  gadget_response_parser_read_part (input, "cached_tokens", GADGET_USAGE_CACHED, usage);
  gadget_response_parser_read_part (input, "cache_write_tokens", GADGET_USAGE_CACHE_WRITE, usage);
  gadget_response_parser_read_part (output, "reasoning_tokens", GADGET_USAGE_REASONING, usage);
}

/**
 * gadget_response_parser_begin_call:
 * @id: (nullable): as the server gave it; an id is made if there is none
 * @prefix: what a made id begins with
 * @name: of the tool
 * @index: (out): the index of the call in its events
 *
 * Returns: %FALSE with %GADGET_PROVIDER_ERROR_TOO_LARGE for more than #GADGET_DIALECT_MAX_CALLS
 */
gboolean
gadget_response_parser_begin_call (GadgetResponseParser *self, const char *id, const char *prefix,
                                   const char *name, guint *index, GError **error)
{
  g_autofree char *made_id = NULL;

  if (self->n_calls >= GADGET_DIALECT_MAX_CALLS)
    return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_TOO_LARGE,
                                        "The answer has too many tool calls", error);
  if (id == NULL || *id == '\0')
    {
      g_autofree char *unique = gadget_id_new ();

      id = made_id = g_strconcat (prefix, unique, NULL);
    }
  gadget_response_parser_emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_BEGIN,
                                                         .call_index = self->n_calls,
                                                         .call_id = id,
                                                         .name = name });
  *index = self->n_calls++;
  return TRUE;
}

/* Passes on more of the arguments of a call. */
void
gadget_response_parser_append_arguments (GadgetResponseParser *self, guint index, const char *text)
{
  if (text != NULL && *text != '\0')
    gadget_response_parser_emit (self, (GadgetChatEvent) { .type = GADGET_CHAT_CALL_ARGUMENTS,
                                                           .call_index = index,
                                                           .text = text });
}

/* @replay: (nullable): see #GadgetChatEvent */
void
gadget_response_parser_end_call (GadgetResponseParser *self, guint index, const char *replay)
{
  gadget_response_parser_emit (
      self,
      (GadgetChatEvent) { .type = GADGET_CHAT_CALL_END, .call_index = index, .replay = replay });
}

/* --- Limits and failures --------------------------------------------------------------------- */

/**
 * gadget_response_parser_check_part_size:
 * @used: the bytes that were received before
 * @text: (nullable): what follows them
 * @message: of the error
 *
 * Returns: %FALSE with %GADGET_PROVIDER_ERROR_TOO_LARGE if both together are too large
 */
gboolean
gadget_response_parser_check_part_size (gsize used, const char *text, const char *message,
                                        GError **error)
{
  const gsize limit = GADGET_DIALECT_MAX_ARGUMENTS;

  if (text == NULL || strlen (text) <= limit - MIN (used, limit))
    return TRUE;
  return gadget_response_parser_fail (GADGET_PROVIDER_ERROR_TOO_LARGE, message, error);
}

/**
 * gadget_response_parser_check_error:
 * @event: (nullable): the name of the event. Some servers only give it the name "error", and the
 *   value itself is the error
 *
 * Returns: %FALSE with a #GadgetProviderError if the server reports an error
 */
gboolean
gadget_response_parser_check_error (const char *event, JsonNode *node, GError **error)
{
  GError *reported = gadget_error_parser_read_error (node, 200);

  if (reported == NULL && g_strcmp0 (event, "error") == 0)
    reported = gadget_error_parser_read_error (node, 500);
  if (reported != NULL)
    g_propagate_error (error, reported);
  return reported == NULL;
}

gboolean
gadget_response_parser_fail (GadgetProviderError code, const char *message, GError **error)
{
  g_set_error_literal (error, GADGET_PROVIDER_ERROR, code, message);
  return FALSE;
}

/* The body ended, and the response did not. */
gboolean
gadget_response_parser_fail_cut (GadgetResponseParser *self, GError **error)
{
  return gadget_response_framing_fail_cut (self->framing, self->begun, error);
}
