/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds out whether a body is a stream of events or one JSON object, unless it is known to be
 * lines, and calls the parser of the dialect for each JSON value in it. See
 * gadget-response-framing.h. */

#include "config.h"

#include "gadget-response-framing.h"

#include "gadget-provider-error.h"
#include "common/gadget-json.h"
#include "http/gadget-ndjson.h"
#include "http/gadget-sse.h"

#include <string.h>

typedef enum
{
  BODY_UNKNOWN,
  BODY_EVENTS,
  BODY_JSON,
  BODY_LINES,
} Kind;

struct _GadgetResponseFraming
{
  GadgetResponseFramingFunc func;
  gpointer user_data;
  Kind kind;
  GadgetSse *sse;
  GadgetNdjson *lines;
  GByteArray *json;
  gboolean has_lines; /* at least one line was JSON */
  gboolean ending;    /* the line is the last one and has no newline */
  gboolean done;
};

GadgetResponseFraming *
gadget_response_framing_new (GadgetResponseFramingFunc func, gpointer user_data)
{
  GadgetResponseFraming *self = g_new0 (GadgetResponseFraming, 1);

  self->func = func;
  self->user_data = user_data;
  self->sse = gadget_sse_new (GADGET_SSE_MAX_LINE);
  self->lines = gadget_ndjson_new (GADGET_NDJSON_MAX_LINE);
  self->json = g_byte_array_new ();
  return self;
}

GadgetResponseFraming *
gadget_response_framing_new_lines (GadgetResponseFramingFunc func, gpointer user_data)
{
  GadgetResponseFraming *self = gadget_response_framing_new (func, user_data);

  self->kind = BODY_LINES;
  return self;
}

/* gadget_response_framing_free: frees what was read of a value that is not complete. @self may be
 * %NULL. */
void
gadget_response_framing_free (GadgetResponseFraming *self)
{
  if (self == NULL)
    return;
  gadget_sse_free (self->sse);
  gadget_ndjson_free (self->lines);
  g_byte_array_unref (self->json);
  g_free (self);
}

static gboolean
fail (GadgetProviderError code, const char *message, GError **error)
{
  g_set_error_literal (error, GADGET_PROVIDER_ERROR, code, message);
  return FALSE;
}

static gboolean
handle_event (const char *event, const char *data, gsize length, gpointer user_data, GError **error)
{
  GadgetResponseFraming *self = user_data;
  g_autoptr (JsonNode) node = NULL;

  if (self->done)
    return TRUE;
  if (length >= 6 && memcmp (data, "[DONE]", 6) == 0)
    {
      self->done = TRUE;
      return TRUE;
    }
  node = gadget_json_parse_repaired (data, length, NULL);
  if (node == NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "A piece of the answer is not JSON", error);
  return self->func (event, node, self->user_data, error);
}

static gboolean
handle_line (const char *line, gsize length, gpointer user_data, GError **error)
{
  GadgetResponseFraming *self = user_data;
  g_autoptr (JsonNode) node = NULL;

  if (self->done)
    return TRUE;
  if (!self->has_lines && *line == '<')
    return fail (GADGET_PROVIDER_ERROR_ADDRESS, "A web page answered, not an API", error);
  node = gadget_json_parse_repaired (line, length, NULL);
  if (node == NULL && self->ending && *line == '{')
    return fail (GADGET_PROVIDER_ERROR_CUT, "The answer stopped in the middle", error);
  if (node == NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "A line of the answer is not JSON", error);
  self->has_lines = TRUE;
  return self->func (NULL, node, self->user_data, error);
}

static gboolean
is_space_or_mark (char byte)
{
  return g_ascii_isspace (byte) || byte == '\xef' || byte == '\xbb' || byte == '\xbf';
}

/* Skips spaces and a byte order mark at the beginning, which may be split over several parts, and
 * finds out the kind of body from the next byte. */
static gboolean
detect_kind (GadgetResponseFraming *self, const char **bytes, gsize *length, GError **error)
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
  self->kind = **bytes == '{' || **bytes == '[' ? BODY_JSON : BODY_EVENTS;
  return TRUE;
}

/* Converts the errors of the readers of events and lines, which belong to http/. */
static gboolean
adopt (gboolean done, GError **error)
{
  if (!done && error != NULL)
    gadget_provider_adopt_error (*error);
  return done;
}

/**
 * gadget_response_framing_feed:
 *
 * Returns: %FALSE with a #GadgetProviderError; the object must not be fed any more then
 */
gboolean
gadget_response_framing_feed (GadgetResponseFraming *self, const char *bytes, gsize length,
                              GError **error)
{
  if (self->kind == BODY_UNKNOWN && !detect_kind (self, &bytes, &length, error))
    return FALSE;
  if (self->kind == BODY_EVENTS)
    return adopt (gadget_sse_feed (self->sse, bytes, length, handle_event, self, error), error);
  if (self->kind == BODY_LINES)
    return adopt (gadget_ndjson_feed (self->lines, bytes, length, handle_line, self, error), error);
  if (self->kind == BODY_JSON)
    {
      if (length > GADGET_DIALECT_MAX_BODY - MIN (self->json->len, GADGET_DIALECT_MAX_BODY))
        return fail (GADGET_PROVIDER_ERROR_TOO_LARGE, "The answer is larger than 8 MiB", error);
      g_byte_array_append (self->json, (const guint8 *) bytes, (guint) length);
    }
  return TRUE;
}

static gboolean
end_json (GadgetResponseFraming *self, GError **error)
{
  g_autoptr (JsonNode) node =
      gadget_json_parse_repaired ((const char *) self->json->data, self->json->len, NULL);

  self->done = TRUE;
  if (node == NULL)
    return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer is not JSON, or was cut", error);
  return self->func (NULL, node, self->user_data, error);
}

static gboolean
end_lines (GadgetResponseFraming *self, GError **error)
{
  self->ending = TRUE;
  if (!adopt (gadget_ndjson_end (self->lines, handle_line, self, error), error))
    return FALSE;
  return self->has_lines
         || fail (GADGET_PROVIDER_ERROR_CUT, "The server ended its answer before it began", error);
}

/**
 * gadget_response_framing_end:
 *
 * To be called at the end of the body: takes the last event or line, or the whole JSON response.
 *
 * Returns: %FALSE with a #GadgetProviderError, also if the body was empty
 */
gboolean
gadget_response_framing_end (GadgetResponseFraming *self, GError **error)
{
  if (self->kind == BODY_UNKNOWN)
    return fail (GADGET_PROVIDER_ERROR_CUT, "The server ended its answer before it began", error);
  if (self->done)
    return TRUE;
  if (self->kind == BODY_LINES)
    return end_lines (self, error);
  if (self->kind == BODY_JSON)
    return end_json (self, error);
  return adopt (gadget_sse_end (self->sse, handle_event, self, error), error);
}

/* Called when the values so far are the whole response: FUNC gets no more of them. */
void
gadget_response_framing_finish (GadgetResponseFraming *self)
{
  self->done = TRUE;
}

/**
 * gadget_response_framing_is_done:
 *
 * Returns: %TRUE if the stream said "[DONE]", the whole JSON response was taken, or
 *   gadget_response_framing_finish () was called
 */
gboolean
gadget_response_framing_is_done (GadgetResponseFraming *self)
{
  return self->done;
}

/**
 * gadget_response_framing_fail_cut:
 * @has_events: %TRUE if the body had events of the dialect
 *
 * Sets the error for a response without an end.
 *
 * Returns: %FALSE, with a #GadgetProviderError
 */
gboolean
gadget_response_framing_fail_cut (GadgetResponseFraming *self, gboolean has_events, GError **error)
{
  if (has_events || gadget_sse_has_fields (self->sse))
    return fail (GADGET_PROVIDER_ERROR_CUT, "The answer stopped in the middle", error);
  return fail (GADGET_PROVIDER_ERROR_BAD_ANSWER, "The answer is not a stream of events", error);
}
