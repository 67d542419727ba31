/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-openai-chat-format.h"

#include "common/gadget-json.h"
#include "gadget-provider.h"

#include <string.h>

/* How much of a server's words goes into an error. */
#define MAX_SAID 2000

/**
 * gadget_openai_chat_make_url:
 * @base_url: as the user gave it, with or without a slash at its end
 * @path: such as "chat/completions"
 *
 * Appends @path. An address that is a host alone gets the usual "/v1" in between.
 *
 * Returns: (transfer full) (nullable): %NULL if @base_url is not an address
 */
char *
gadget_openai_chat_make_url (const char *base_url, const char *path)
{
  g_autoptr (GUri) uri = NULL;
  g_autofree char *base_path = NULL;
  g_autofree char *full_path = NULL;
  g_autoptr (GUri) full = NULL;
  gsize length;

  uri = base_url != NULL ? g_uri_parse (base_url, G_URI_FLAGS_ENCODED, NULL) : NULL;
  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return NULL;

  base_path = g_strdup (g_uri_get_path (uri));
  for (length = strlen (base_path); length > 0 && base_path[length - 1] == '/'; length--)
    base_path[length - 1] = '\0';
  full_path = g_strdup_printf ("%s/%s", length > 0 ? base_path : "/v1", path);
  full = g_uri_build (g_uri_get_flags (uri), g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                      g_uri_get_port (uri), full_path, g_uri_get_query (uri), NULL);
  return g_uri_to_string (full);
}

/* --- The request ----------------------------------------------------------------------------- */

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (g_utf8_validate (value, -1, NULL))
    {
      json_builder_add_string_value (builder, value);
    }
  else
    {
      g_autofree char *valid = g_utf8_make_valid (value, -1);

      json_builder_add_string_value (builder, valid);
    }
}

static void
add_calls (JsonBuilder *builder, const GadgetMessage *message)
{
  json_builder_set_member_name (builder, "tool_calls");
  json_builder_begin_array (builder);
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *call = g_ptr_array_index (message->parts, i);

      if (call->type != GADGET_PART_CALL)
        continue;
      json_builder_begin_object (builder);
      add_string (builder, "id", call->call_id);
      add_string (builder, "type", "function");
      json_builder_set_member_name (builder, "function");
      json_builder_begin_object (builder);
      add_string (builder, "name", call->name);
      add_string (builder, "arguments", call->arguments);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* As a data URL. */
static void
add_image (JsonBuilder *builder, const GadgetPart *part)
{
  gsize size;
  const guchar *data = g_bytes_get_data (part->data, &size);
  g_autofree char *code = g_base64_encode (data, size);
  g_autofree char *url = g_strdup_printf ("data:%s;base64,%s", part->mime_type, code);

  add_string (builder, "type", "image_url");
  json_builder_set_member_name (builder, "image_url");
  json_builder_begin_object (builder);
  add_string (builder, "url", url);
  json_builder_end_object (builder);
}

/* Many servers know plain words only, so that parts are used just where there is an image. */
static void
add_content (JsonBuilder *builder, const GadgetMessage *message)
{
  g_autofree char *text = gadget_message_dup_text (message);

  if (gadget_message_count (message, GADGET_PART_IMAGE) == 0)
    {
      add_string (builder, "content", text);
      return;
    }
  json_builder_set_member_name (builder, "content");
  json_builder_begin_array (builder);
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      json_builder_begin_object (builder);
      if (part->type == GADGET_PART_IMAGE)
        add_image (builder, part);
      else
        {
          add_string (builder, "type", "text");
          add_string (builder, "text", part->text);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_message (JsonBuilder *builder, const GadgetMessage *message)
{
  static const char *const roles[] = { "user", "assistant", "tool" };
  const gboolean has_calls = gadget_message_count (message, GADGET_PART_CALL) > 0;

  json_builder_begin_object (builder);
  add_string (builder, "role", roles[message->role]);
  if (message->role == GADGET_ROLE_TOOL)
    add_string (builder, "tool_call_id", message->call_id);
  /* Some servers insist on the member, and refuse an empty text beside calls. */
  if (has_calls && gadget_message_count (message, GADGET_PART_TEXT) == 0)
    {
      json_builder_set_member_name (builder, "content");
      json_builder_add_null_value (builder);
    }
  else if (message->role == GADGET_ROLE_USER)
    add_content (builder, message);
  else
    {
      g_autofree char *text = gadget_message_dup_text (message);

      add_string (builder, "content", text);
    }
  if (has_calls)
    add_calls (builder, message);
  json_builder_end_object (builder);
}

static void
add_messages (JsonBuilder *builder, GadgetRequest *request)
{
  json_builder_set_member_name (builder, "messages");
  json_builder_begin_array (builder);
  if (request->system != NULL && *request->system != '\0')
    {
      json_builder_begin_object (builder);
      add_string (builder, "role", "system");
      add_string (builder, "content", request->system);
      json_builder_end_object (builder);
    }
  for (guint i = 0; i < request->messages->len; i++)
    add_message (builder, g_ptr_array_index (request->messages, i));
  json_builder_end_array (builder);
}

static void
add_tools (JsonBuilder *builder, GPtrArray *tools)
{
  json_builder_set_member_name (builder, "tools");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (tools, i);
      JsonNode *schema = gadget_json_parse (tool->schema, strlen (tool->schema), NULL);

      json_builder_begin_object (builder);
      add_string (builder, "type", "function");
      json_builder_set_member_name (builder, "function");
      json_builder_begin_object (builder);
      add_string (builder, "name", tool->name);
      add_string (builder, "description", tool->description);
      if (schema != NULL)
        {
          json_builder_set_member_name (builder, "parameters");
          json_builder_add_value (builder, schema);
        }
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/**
 * gadget_openai_chat_make_request:
 * @model: (nullable): which one is asked
 * @with_usage: ask for the number of tokens; some servers refuse the question
 *
 * Returns: (transfer full): the JSON body of a streamed request
 */
GBytes *
gadget_openai_chat_make_request (GadgetRequest *request, const char *model, gboolean with_usage)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  char *text;

  json_builder_begin_object (builder);
  if (model != NULL)
    add_string (builder, "model", model);
  json_builder_set_member_name (builder, "stream");
  json_builder_add_boolean_value (builder, TRUE);
  if (with_usage)
    {
      json_builder_set_member_name (builder, "stream_options");
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "include_usage");
      json_builder_add_boolean_value (builder, TRUE);
      json_builder_end_object (builder);
    }
  add_messages (builder, request);
  if (request->tools->len > 0)
    add_tools (builder, request->tools);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  return g_bytes_new_take (text, strlen (text));
}

/* --- Models ---------------------------------------------------------------------------------- */

/* Servers that tell of it do so in members of their own. */
static gint64
read_context_length (JsonObject *entry)
{
  static const char *const names[] = { "context_length", "max_model_len", "max_context_length",
                                       "context_window", NULL };
  JsonObject *meta = gadget_json_get_object (entry, "meta");
  gint64 length = 0;

  for (guint i = 0; names[i] != NULL && length <= 0; i++)
    gadget_json_get_int (entry, names[i], &length);
  if (length <= 0 && meta != NULL)
    gadget_json_get_int (meta, "n_ctx", &length);
  return length;
}

static gboolean
has_model (GPtrArray *models, const char *name)
{
  for (guint i = 0; i < models->len; i++)
    if (g_str_equal (gadget_model_get_name (g_ptr_array_index (models, i)), name))
      return TRUE;
  return FALSE;
}

static void
add_model (GPtrArray *models, JsonObject *entry, const char *default_model)
{
  const char *id = gadget_json_get_string (entry, "id");
  GadgetModel *model;

  if (id == NULL)
    id = gadget_json_get_string (entry, "model");
  if (id == NULL)
    id = gadget_json_get_string (entry, "name");
  if (id == NULL || *id == '\0' || has_model (models, id))
    return;
  model = gadget_model_new (id);
  gadget_model_set_context_length (model, read_context_length (entry));
  g_ptr_array_insert (models, g_strcmp0 (id, default_model) == 0 ? 0 : -1, model);
}

/**
 * gadget_openai_chat_read_models:
 * @default_model: (nullable): comes first, if it is there
 *
 * Reads the answer of GET /models.
 *
 * Returns: (transfer full) (element-type GadgetModel): or %NULL with a #GadgetProviderError
 */
GPtrArray *
gadget_openai_chat_read_models (const char *text, gsize length, const char *default_model,
                                GError **error)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  g_autoptr (GPtrArray) models =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_model_unref);
  JsonObject *object =
      root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonArray *list = gadget_json_get_array (object, "data");

  if (list == NULL)
    list = gadget_json_get_array (object, "models");
  if (list == NULL)
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS,
                           gadget_openai_chat_is_html (text, length)
                               ? "A web page answered, not an API"
                               : "The answer is not a list of models");
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (list); i++)
    add_model (models, gadget_json_get_element (list, i), default_model);
  return g_steal_pointer (&models);
}

/* --- Errors ---------------------------------------------------------------------------------- */

gboolean
gadget_openai_chat_is_html (const char *text, gsize length)
{
  while (length > 0 && g_ascii_isspace (*text))
    {
      text++;
      length--;
    }
  return length > 0 && *text == '<';
}

static gboolean
mentions (const char *text, const char *const *words)
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

static gboolean
is_context (const char *code, const char *message)
{
  static const char *const codes[] = { "context_length_exceeded", "exceed_context_size",
                                       "context_window_exceeded", NULL };
  static const char *const words[] = { "context length",
                                       "context size",
                                       "context window",
                                       "maximum context",
                                       "too many tokens",
                                       "prompt is too long",
                                       "input is too long",
                                       "exceeds the available context",
                                       NULL };

  return mentions (code, codes) || mentions (message, words);
}

static gboolean
is_model (const char *code, const char *message)
{
  static const char *const codes[] = { "model_not_found", "model_not_exist", NULL };

  if (mentions (code, codes))
    return TRUE;
  return mentions (message, (const char *const[]) { "model", NULL })
         && mentions (message, (const char *const[]) { "not found", "does not exist",
                                                       "doesn't exist", "not exist", "no such",
                                                       "unknown model", "not available",
                                                       "try pulling", "invalid model", NULL });
}

static GadgetProviderError
classify (guint status, const char *code, const char *message)
{
  static const char *const quota[] = { "insufficient_quota", "billing", NULL };
  static const char *const rate[] = { "rate_limit", "rate limit", "too many requests", NULL };
  static const char *const busy[] = { "overloaded", "server_error", "unavailable", NULL };

  if (status == 401 || status == 403
      || mentions (code, (const char *const[]) { "invalid_api_key", NULL }))
    return GADGET_PROVIDER_ERROR_AUTH;
  /* Waiting does not help against an empty account. */
  if (mentions (code, quota))
    return GADGET_PROVIDER_ERROR_REFUSED;
  if (status == 429)
    return GADGET_PROVIDER_ERROR_RATE_LIMITED;
  if (is_context (code, message))
    return GADGET_PROVIDER_ERROR_CONTEXT;
  if (status < 500 && is_model (code, message))
    return GADGET_PROVIDER_ERROR_MODEL;
  if (status == 404 || status == 405)
    return GADGET_PROVIDER_ERROR_ADDRESS;
  if (status == 408)
    return GADGET_PROVIDER_ERROR_TIMEOUT;
  if (status >= 500 && status != 501 && status != 505)
    return GADGET_PROVIDER_ERROR_OVERLOADED;
  if (status == 200 && mentions (code, rate))
    return GADGET_PROVIDER_ERROR_RATE_LIMITED;
  if (status == 200 && mentions (code, busy))
    return GADGET_PROVIDER_ERROR_OVERLOADED;
  return GADGET_PROVIDER_ERROR_REFUSED;
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
 * gadget_openai_chat_read_error:
 * @node: (nullable): the parsed answer
 * @status: the HTTP status, 200 within a stream
 *
 * Returns: (transfer full) (nullable): the error that @node tells of, in any of the shapes that
 *   servers use for it; %NULL if it tells of none
 */
GError *
gadget_openai_chat_read_error (JsonNode *node, guint status)
{
  JsonObject *root =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonObject *object = gadget_json_get_object (root, "error");
  const char *message = gadget_json_get_string (object, "message");
  g_autofree char *code = dup_code (object != NULL ? object : root);
  g_autofree char *said = NULL;
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
  said = g_utf8_substring (message != NULL ? message : "", 0,
                           MIN (MAX_SAID, g_utf8_strlen (message != NULL ? message : "", -1)));
  return g_error_new_literal (GADGET_PROVIDER_ERROR, classify (status, code, message),
                              *said != '\0' ? said : "The server told of an error without words");
}

static gboolean
is_loading (guint status, const char *message)
{
  return status == 503
         && mentions (message, (const char *const[]) { "loading model", "model is loading", NULL });
}

/* A body that is not JSON: a proxy's page, or plain words. */
static GError *
read_other_refusal (const GadgetHttpResponse *response, const char *body, gsize length)
{
  g_autofree char *text = g_utf8_make_valid (body, (gssize) MIN (length, MAX_SAID));
  GadgetProviderError code = classify (response->status, NULL, text);

  g_strstrip (text);
  if (gadget_openai_chat_is_html (body, length) || *text == '\0')
    {
      g_clear_pointer (&text, g_free);
      text = g_strdup (length == 0 ? "no explanation" : "a web page");
    }
  if (response->status == 404 && code != GADGET_PROVIDER_ERROR_MODEL)
    code = GADGET_PROVIDER_ERROR_ADDRESS;
  return g_error_new (GADGET_PROVIDER_ERROR, code, "HTTP status %u: %s", response->status, text);
}

/**
 * gadget_openai_chat_read_refusal:
 * @response: of a status that is not 2xx
 *
 * Returns: (transfer full): what it means
 */
GError *
gadget_openai_chat_read_refusal (GadgetHttpResponse *response, const char *body, gsize length)
{
  g_autoptr (JsonNode) root = NULL;
  GError *error;

  if (response->status >= 300 && response->status < 400)
    return g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS,
                        "HTTP status %u: the server points to %s", response->status,
                        response->location != NULL ? response->location : "another address");
  root = length > 0 ? gadget_json_parse (body, length, NULL) : NULL;
  error = gadget_openai_chat_read_error (root, response->status);
  if (error == NULL)
    error = read_other_refusal (response, body, length);
  response->loading = is_loading (response->status, error->message);
  return error;
}
