/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Converts the errors of servers to #GadgetProviderError. Servers use different shapes and codes
 * for the same errors, so that many of the decisions look for typical words of the message. Pure
 * functions. */

#include "config.h"

#include "gadget-error-parser.h"

#include "common/gadget-json.h"

#include <string.h>

/* The maximum length of a server's message in an error, in characters; in bytes when the body is
 * not JSON. */
#define MAX_SAID 2000

gboolean
gadget_error_parser_is_html (const char *text, gsize length)
{
  while (length > 0 && g_ascii_isspace (*text))
    {
      text++;
      length--;
    }
  return length > 0 && *text == '<';
}

/**
 * gadget_error_parser_mentions:
 * @text: (nullable): the text to search
 * @words: in lower case
 *
 * Returns: %TRUE if one of @words occurs in @text, in upper or lower case
 */
gboolean
gadget_error_parser_mentions (const char *text, const char *const *words)
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

/* A smaller number is not a limit, but the beginning of a range or a part of a name. */
#define LEAST_LIMIT 256

/**
 * gadget_error_parser_find_limit:
 * @message: the message of the error
 * @name: the name of the refused parameter in @message
 * @asked: the value that was sent
 *
 * Returns: the allowed value, if @message says that @asked is too large; otherwise 0
 */
gint64
gadget_error_parser_find_limit (const char *message, const char *name, gint64 asked)
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

  return gadget_error_parser_mentions (code, codes)
         || gadget_error_parser_mentions (message, words);
}

/* The account has no credit, and waiting does not help. The word "quota" alone is not enough, since
 * some servers use it for their limit of requests. */
static gboolean
is_quota (guint status, const char *code, const char *message)
{
  static const char *const codes[] = { "insufficient_quota", "insufficient_balance",
                                       "insufficient_credits", "billing", NULL };
  static const char *const words[] = { "credit balance is too low", "insufficient balance",
                                       "insufficient credits", "insufficient_quota", NULL };

  return status == 402 || gadget_error_parser_mentions (code, codes)
         || gadget_error_parser_mentions (message, words);
}

static gboolean
is_model (const char *code, const char *message)
{
  static const char *const codes[] = { "model_not_found", "model_not_exist", NULL };
  static const char *const not_found[] = { "not_found_error", NULL };

  if (gadget_error_parser_mentions (code, codes))
    return TRUE;
  /* Anthropic's message is just "model: its-name". */
  if (gadget_error_parser_mentions (code, not_found) && message != NULL
      && g_str_has_prefix (message, "model:"))
    return TRUE;
  return gadget_error_parser_mentions (message, (const char *const[]) { "model", NULL })
         && gadget_error_parser_mentions (
             message, (const char *const[]) {
                          "not found", "does not exist", "doesn't exist", "not exist", "no such",
                          "unknown model", "not available", "try pulling", "invalid model",
                          "must provide a model", "model is required", "missing model", NULL });
}

/**
 * gadget_error_parser_of_images:
 * @message: (nullable): the error of a request that had images
 *
 * Returns: whether the error is about the images, and whether about all images
 */
GadgetImageRefusal
gadget_error_parser_of_images (const char *message)
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

  if (gadget_error_parser_mentions (message, (const char *const[]) { "content", NULL })
      && gadget_error_parser_mentions (message, strings))
    return GADGET_IMAGES_ALL_REFUSED;
  if (gadget_error_parser_mentions (message, images))
    return gadget_error_parser_mentions (message, unable)
                   && !gadget_error_parser_mentions (message, faults)
               ? GADGET_IMAGES_ALL_REFUSED
               : GADGET_IMAGES_THESE_REFUSED;
  /* Some dialects send images of tools as a message of the user, and then roles may not
   * alternate. */
  return gadget_error_parser_mentions (message, roles) ? GADGET_IMAGES_THESE_REFUSED
                                                       : GADGET_IMAGES_NOT_MEANT;
}

/* Some servers report missing image support as an error of their own (5xx), which would be
 * retried. */
static gboolean
is_image_input (const char *message)
{
  return gadget_error_parser_mentions (
      message, (const char *const[]) { "image input", "image_url", "mmproj", NULL });
}

/**
 * gadget_error_parser_classify:
 * @status: the HTTP status, 200 within a stream
 * @code: (nullable): all codes of the error in one text
 * @message: (nullable): the message of the error
 *
 * Returns: the code for the error
 */
GadgetProviderError
gadget_error_parser_classify (guint status, const char *code, const char *message)
{
  static const char *const rate[] = { "rate_limit", "rate limit", "too many requests", NULL };
  static const char *const busy[] = { "overloaded",    "server_error", "api_error",
                                      "timeout_error", "unavailable",  NULL };

  if (status == 401 || (status == 403 && !is_quota (status, code, message))
      || gadget_error_parser_mentions (code, (const char *const[]) { "invalid_api_key",
                                                                     "authentication_error",
                                                                     "permission_error", NULL }))
    return GADGET_PROVIDER_ERROR_AUTH;
  if (is_quota (status, code, message))
    return GADGET_PROVIDER_ERROR_QUOTA;
  if (status == 429)
    return GADGET_PROVIDER_ERROR_RATE_LIMITED;
  if (is_context (code, message))
    return GADGET_PROVIDER_ERROR_CONTEXT;
  if (status >= 400 && is_image_input (message)
      && gadget_error_parser_of_images (message) == GADGET_IMAGES_ALL_REFUSED)
    return GADGET_PROVIDER_ERROR_REFUSED;
  if (status < 500 && is_model (code, message))
    return GADGET_PROVIDER_ERROR_MODEL;
  if (status == 404 || status == 405)
    return GADGET_PROVIDER_ERROR_ADDRESS;
  if (status == 408)
    return GADGET_PROVIDER_ERROR_TIMEOUT;
  if (status >= 500 && status != 501 && status != 505)
    return GADGET_PROVIDER_ERROR_OVERLOADED;
  if (status == 200 && gadget_error_parser_mentions (code, rate))
    return GADGET_PROVIDER_ERROR_RATE_LIMITED;
  if (status == 200 && gadget_error_parser_mentions (code, busy))
    return GADGET_PROVIDER_ERROR_OVERLOADED;
  return GADGET_PROVIDER_ERROR_REFUSED;
}

/**
 * gadget_error_parser_new:
 * @status: the HTTP status, 200 within a stream
 * @code: (nullable): all codes of the error in one text
 * @message: (nullable): the message of the error, of any length
 *
 * Returns: (transfer full): a #GadgetProviderError with the code of gadget_error_parser_classify()
 */
GError *
gadget_error_parser_new (guint status, const char *code, const char *message)
{
  g_autofree char *said = NULL;

  if (message == NULL)
    message = "";
  said = g_utf8_substring (message, 0, MIN (MAX_SAID, g_utf8_strlen (message, -1)));
  return g_error_new_literal (GADGET_PROVIDER_ERROR,
                              gadget_error_parser_classify (status, code, message),
                              *said != '\0' ? said : "The server told of an error without words");
}

/* The codes of an error object in one text. Some servers give a status as a number instead, which
 * is left out. (transfer full) */
static char *
dup_code (JsonObject *object)
{
  const char *code = gadget_json_get_string (object, "code");
  const char *type = gadget_json_get_string (object, "type");

  return g_strconcat (code != NULL ? code : "", " ", type != NULL ? type : "", NULL);
}

/**
 * gadget_error_parser_read_error:
 * @node: (nullable): the parsed response
 * @status: the HTTP status, 200 within a stream
 *
 * Returns: (transfer full) (nullable): the error in @node, in any of the shapes that servers use;
 *   %NULL if there is none
 */
GError *
gadget_error_parser_read_error (JsonNode *node, guint status)
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
  return gadget_error_parser_new (status, code, message);
}

static gboolean
is_loading (guint status, const char *message)
{
  return status == 503
         && gadget_error_parser_mentions (
             message, (const char *const[]) { "loading model", "model is loading", NULL });
}

/* Handles a body that is not JSON: the page of a proxy, or plain text. */
static GError *
read_other_refusal (const GadgetHttpResponse *response, const char *body, gsize length)
{
  g_autofree char *text = g_utf8_make_valid (body, (gssize) MIN (length, MAX_SAID));
  GadgetProviderError code = gadget_error_parser_classify (response->status, NULL, text);

  g_strstrip (text);
  if (response->coding != NULL)
    {
      g_clear_pointer (&text, g_free);
      text = g_strdup_printf ("compressed data that was not asked for (Content-Encoding: %s)",
                              response->coding);
    }
  else if (gadget_error_parser_is_html (body, length) || *text == '\0')
    {
      g_clear_pointer (&text, g_free);
      text = g_strdup (length == 0 ? "no explanation" : "a web page");
    }
  if (response->status == 404 && code != GADGET_PROVIDER_ERROR_MODEL)
    code = GADGET_PROVIDER_ERROR_ADDRESS;
  return g_error_new (GADGET_PROVIDER_ERROR, code, "HTTP status %u: %s", response->status, text);
}

/**
 * gadget_error_parser_read:
 * @response: a response whose status is not 2xx; @loading is set if the server is loading the model
 * @body: the beginning of its body
 * @length: of @body in bytes
 *
 * Returns: (transfer full): the error that the response reports
 */
GError *
gadget_error_parser_read (GadgetHttpResponse *response, const char *body, gsize length)
{
  g_autoptr (JsonNode) root = NULL;
  GError *error;

  if (response->status >= 300 && response->status < 400)
    return g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS,
                        "HTTP status %u: the server points to %s", response->status,
                        response->location != NULL ? response->location : "another address");
  root = length > 0 ? gadget_json_parse (body, length, NULL) : NULL;
  error = gadget_error_parser_read_error (root, response->status);
  if (error == NULL)
    error = read_other_refusal (response, body, length);
  response->loading = is_loading (response->status, error->message);
  return error;
}
