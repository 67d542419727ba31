/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-refusal.h"

#include "common/gadget-json.h"

#include <string.h>

/* How much of a server's words goes into an error. */
#define MAX_SAID 2000

gboolean
gadget_refusal_is_html (const char *text, gsize length)
{
  while (length > 0 && g_ascii_isspace (*text))
    {
      text++;
      length--;
    }
  return length > 0 && *text == '<';
}

/* Whether one of the words, which are in lower case, occurs in the text in any case. */
gboolean
gadget_refusal_mentions (const char *text, const char *const *words)
{
  g_autofree char *lower = NULL;

  if (text == NULL)
    return FALSE;
  lower = g_ascii_strdown (text, -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Below this it is no limit, but the beginning of a range, or part of a name. */
#define LEAST_LIMIT 256

/**
 * gadget_refusal_find_limit:
 * @name: what was refused, as the message names it
 * @asked: how much was asked for
 *
 * Returns: how much may be asked for, if @message says that @asked is too much; else 0
 */
gint64
gadget_refusal_find_limit (const char *message, const char *name, gint64 asked)
{
  const char *p = strstr (message, name);

  while (p != NULL && *p != '\0')
    {
      char *end = (char *) p + 1;

      if (g_ascii_isdigit (*p))
        {
          const guint64 number = g_ascii_strtoull (p, &end, 10);

          if (number >= LEAST_LIMIT && number < (guint64) asked)
            return (gint64) number;
        }
      p = end;
    }
  return 0;
}

static gboolean
is_context (const char *code, const char *message)
{
  static const char *const codes[] = { "context_length_exceeded", "exceed_context_size",
                                       "context_window_exceeded", NULL };
  static const char *const words[] = { "context length",       "context size",
                                       "context window",       "maximum context",
                                       "too many tokens",      "prompt is too long",
                                       "input is too long",    "exceeds the available context",
                                       "exceed context limit", NULL };

  return gadget_refusal_mentions (code, codes) || gadget_refusal_mentions (message, words);
}

/* Waiting does not help against an empty account. Not every "quota" is meant: some servers call
 * their limit of requests so. */
static gboolean
is_quota (guint status, const char *code, const char *message)
{
  static const char *const codes[] = { "insufficient_quota", "insufficient_balance",
                                       "insufficient_credits", "billing", NULL };
  static const char *const words[] = { "credit balance is too low", "insufficient balance",
                                       "insufficient credits", "insufficient_quota", NULL };

  return status == 402 || gadget_refusal_mentions (code, codes)
         || gadget_refusal_mentions (message, words);
}

static gboolean
is_model (const char *code, const char *message)
{
  static const char *const codes[] = { "model_not_found", "model_not_exist", NULL };
  static const char *const not_found[] = { "not_found_error", NULL };

  if (gadget_refusal_mentions (code, codes))
    return TRUE;
  /* Anthropic says no more than "model: its-name". */
  if (gadget_refusal_mentions (code, not_found) && message != NULL
      && g_str_has_prefix (message, "model:"))
    return TRUE;
  return gadget_refusal_mentions (message, (const char *const[]) { "model", NULL })
         && gadget_refusal_mentions (
             message, (const char *const[]) {
                          "not found", "does not exist", "doesn't exist", "not exist", "no such",
                          "unknown model", "not available", "try pulling", "invalid model",
                          "must provide a model", "model is required", "missing model", NULL });
}

/**
 * gadget_refusal_of_images:
 * @message: (nullable): why a request that had images in it was refused
 *
 * Returns: whether another one without them is worth trying
 */
GadgetImageRefusal
gadget_refusal_of_images (const char *message)
{
  static const char *const images[] = { "image",       "vision", "multimodal", "multi-modal",
                                        "multi modal", "mmproj", NULL };
  static const char *const unable[] = { "support",      "mmproj",     "unknown variant",
                                        "missing data", "text only",  "text-only",
                                        "no endpoint",  "not accept", "not allowed",
                                        "not compiled", NULL };
  static const char *const faults[] = { "format", "media type", "media_type", "mime", "too large",
                                        "exceed", "dimension",  "at most",    NULL };
  static const char *const strings[] = { "must be a string",   "be a valid string",
                                         "expected a string",  "expected string",
                                         "should be a string", NULL };
  static const char *const roles[] = { "roles must alternate", NULL };

  if (gadget_refusal_mentions (message, (const char *const[]) { "content", NULL })
      && gadget_refusal_mentions (message, strings))
    return GADGET_IMAGES_ALL_REFUSED;
  if (gadget_refusal_mentions (message, images))
    return gadget_refusal_mentions (message, unable) && !gadget_refusal_mentions (message, faults)
               ? GADGET_IMAGES_ALL_REFUSED
               : GADGET_IMAGES_THESE_REFUSED;
  /* Of images that tools gave, some dialects make a message of the user's. */
  return gadget_refusal_mentions (message, roles) ? GADGET_IMAGES_THESE_REFUSED
                                                  : GADGET_IMAGES_NOT_MEANT;
}

/* Some servers call it an error of theirs, which waiting would mend. */
static gboolean
is_image_input (const char *message)
{
  return gadget_refusal_mentions (
      message, (const char *const[]) { "image input", "image_url", "mmproj", NULL });
}

/**
 * gadget_refusal_classify:
 * @status: the HTTP status, 200 within a stream
 * @code: (nullable): the codes of the error, in one text
 * @message: (nullable): its words
 */
GadgetProviderError
gadget_refusal_classify (guint status, const char *code, const char *message)
{
  static const char *const rate[] = { "rate_limit", "rate limit", "too many requests", NULL };
  static const char *const busy[] = { "overloaded",    "server_error", "api_error",
                                      "timeout_error", "unavailable",  NULL };

  if (status == 401 || (status == 403 && !is_quota (status, code, message))
      || gadget_refusal_mentions (code,
                                  (const char *const[]) { "invalid_api_key", "authentication_error",
                                                          "permission_error", NULL }))
    return GADGET_PROVIDER_ERROR_AUTH;
  if (is_quota (status, code, message))
    return GADGET_PROVIDER_ERROR_QUOTA;
  if (status == 429)
    return GADGET_PROVIDER_ERROR_RATE_LIMITED;
  if (is_context (code, message))
    return GADGET_PROVIDER_ERROR_CONTEXT;
  if (status >= 400 && is_image_input (message)
      && gadget_refusal_of_images (message) == GADGET_IMAGES_ALL_REFUSED)
    return GADGET_PROVIDER_ERROR_REFUSED;
  if (status < 500 && is_model (code, message))
    return GADGET_PROVIDER_ERROR_MODEL;
  if (status == 404 || status == 405)
    return GADGET_PROVIDER_ERROR_ADDRESS;
  if (status == 408)
    return GADGET_PROVIDER_ERROR_TIMEOUT;
  if (status >= 500 && status != 501 && status != 505)
    return GADGET_PROVIDER_ERROR_OVERLOADED;
  if (status == 200 && gadget_refusal_mentions (code, rate))
    return GADGET_PROVIDER_ERROR_RATE_LIMITED;
  if (status == 200 && gadget_refusal_mentions (code, busy))
    return GADGET_PROVIDER_ERROR_OVERLOADED;
  return GADGET_PROVIDER_ERROR_REFUSED;
}

/**
 * gadget_refusal_new:
 * @status: the HTTP status, 200 within a stream
 * @code: (nullable): the codes of the error, in one text
 * @message: (nullable): its words, of any length
 *
 * Returns: (transfer full): of the class that these tell of
 */
GError *
gadget_refusal_new (guint status, const char *code, const char *message)
{
  g_autofree char *said = NULL;

  if (message == NULL)
    message = "";
  said = g_utf8_substring (message, 0, MIN (MAX_SAID, g_utf8_strlen (message, -1)));
  return g_error_new_literal (GADGET_PROVIDER_ERROR,
                              gadget_refusal_classify (status, code, message),
                              *said != '\0' ? said : "The server told of an error without words");
}

/* The code of an error object: a string, or (in some servers) a status as a number. */
static char *
dup_code (JsonObject *object)
{
  const char *code = gadget_json_get_string (object, "code");
  const char *type = gadget_json_get_string (object, "type");

  return g_strconcat (code != NULL ? code : "", " ", type != NULL ? type : "", NULL);
}

/**
 * gadget_refusal_read_error:
 * @node: (nullable): the parsed answer
 * @status: the HTTP status, 200 within a stream
 *
 * Returns: (transfer full) (nullable): the error that @node tells of, in any of the shapes that
 *   servers use for it; %NULL if it tells of none
 */
GError *
gadget_refusal_read_error (JsonNode *node, guint status)
{
  JsonObject *root =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonObject *object = gadget_json_get_object (root, "error");
  const char *message = gadget_json_get_string (object, "message");
  g_autofree char *code = dup_code (object != NULL ? object : root);
  gint64 number;

  if (message == NULL)
    message = gadget_json_get_string (root, "error");
  if (message == NULL
      && (status != 200 || g_strcmp0 (gadget_json_get_string (root, "object"), "error") == 0))
    message = gadget_json_get_string (root, "message");
  if (message == NULL && status != 200)
    message = gadget_json_get_string (root, "detail");
  if (message == NULL && object == NULL)
    return NULL;

  if (status == 200 && gadget_json_get_int (object != NULL ? object : root, "code", &number)
      && number >= 400 && number < 600)
    status = (guint) number;
  return gadget_refusal_new (status, code, message);
}

static gboolean
is_loading (guint status, const char *message)
{
  return status == 503
         && gadget_refusal_mentions (
             message, (const char *const[]) { "loading model", "model is loading", NULL });
}

/* A body that is not JSON: a proxy's page, or plain words. */
static GError *
read_other_refusal (const GadgetHttpResponse *response, const char *body, gsize length)
{
  g_autofree char *text = g_utf8_make_valid (body, (gssize) MIN (length, MAX_SAID));
  GadgetProviderError code = gadget_refusal_classify (response->status, NULL, text);

  g_strstrip (text);
  if (response->coding != NULL)
    {
      g_clear_pointer (&text, g_free);
      text = g_strdup_printf ("compressed data that was not asked for (Content-Encoding: %s)",
                              response->coding);
    }
  else if (gadget_refusal_is_html (body, length) || *text == '\0')
    {
      g_clear_pointer (&text, g_free);
      text = g_strdup (length == 0 ? "no explanation" : "a web page");
    }
  if (response->status == 404 && code != GADGET_PROVIDER_ERROR_MODEL)
    code = GADGET_PROVIDER_ERROR_ADDRESS;
  return g_error_new (GADGET_PROVIDER_ERROR, code, "HTTP status %u: %s", response->status, text);
}

/**
 * gadget_refusal_read:
 * @response: of a status that is not 2xx
 *
 * Returns: (transfer full): what it means
 */
GError *
gadget_refusal_read (GadgetHttpResponse *response, const char *body, gsize length)
{
  g_autoptr (JsonNode) root = NULL;
  GError *error;

  if (response->status >= 300 && response->status < 400)
    return g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS,
                        "HTTP status %u: the server points to %s", response->status,
                        response->location != NULL ? response->location : "another address");
  root = length > 0 ? gadget_json_parse (body, length, NULL) : NULL;
  error = gadget_refusal_read_error (root, response->status);
  if (error == NULL)
    error = read_other_refusal (response, body, length);
  response->loading = is_loading (response->status, error->message);
  return error;
}
