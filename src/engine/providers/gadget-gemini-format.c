/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests, lists of models and errors of the Gemini API; see gadget-gemini-format.h. */

#include "config.h"

#include "gadget-gemini-format.h"

#include "gadget-dialect-json.h"
#include "gadget-error-parser.h"
#include "gadget-provider.h"
#include "common/gadget-json.h"

#include <string.h>

/* The signature that the documentation ("Thought signatures") gives for calls of another model, and
 * for calls that were recorded without one. Models from the third generation on refuse a step whose
 * first call has no signature. */
#define NO_SIGNATURE "skip_thought_signature_validator"

/* The path for an address that has none. */
#define DEFAULT_PATH "/v1beta"

/* --- Addresses ------------------------------------------------------------------------------- */

/* Gadget's names of models leave out "models/"; the names of other collections ("tunedModels/…")
 * are complete. */
static char *
make_model_path (const char *model, const char *method)
{
  g_autofree char *name = g_uri_escape_string (model, "/", FALSE);

  return g_strconcat (strchr (name, '/') != NULL ? "" : "models/", name, method, NULL);
}

/* The following functions return %NULL if @base_url is not a valid address. (transfer full) */
char *
gadget_gemini_make_chat_url (const char *base_url, const char *model)
{
  g_autofree char *path = make_model_path (model, ":streamGenerateContent?alt=sse");

  return gadget_dialect_make_url (base_url, DEFAULT_PATH, path);
}

/**
 * gadget_gemini_make_model_url:
 *
 * Returns: (transfer full) (nullable): the address that describes @model; %NULL if @base_url is not
 *   valid
 */
char *
gadget_gemini_make_model_url (const char *base_url, const char *model)
{
  g_autofree char *path = make_model_path (model, "");

  return gadget_dialect_make_url (base_url, DEFAULT_PATH, path);
}

/* Asks for the largest page, which usually holds all models. */
char *
gadget_gemini_make_models_url (const char *base_url)
{
  return gadget_dialect_make_url (base_url, DEFAULT_PATH, "models?pageSize=1000");
}

/* The address of the next page; @text is the current page. %NULL after the last page.
 * (transfer full) */
char *
gadget_gemini_make_next_url (const char *base_url, const char *text, gsize length)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  const char *token = root != NULL && JSON_NODE_HOLDS_OBJECT (root)
                          ? gadget_json_get_string (json_node_get_object (root), "nextPageToken")
                          : NULL;
  g_autofree char *escaped = NULL;
  g_autofree char *path = NULL;

  if (token == NULL || *token == '\0')
    return NULL;
  escaped = g_uri_escape_string (token, NULL, FALSE);
  path = g_strconcat ("models?pageSize=1000&pageToken=", escaped, NULL);
  return gadget_dialect_make_url (base_url, DEFAULT_PATH, path);
}

/* --- Requests -------------------------------------------------------------------------------- */

/* A member of the replay data of the part. (transfer full) (nullable) */
static char *
dup_replay_member (const GadgetPart *part, const char *name)
{
  g_autoptr (JsonNode) node =
      part->replay != NULL ? gadget_json_parse (part->replay, strlen (part->replay), NULL) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  return g_strdup (gadget_json_get_string (json_node_get_object (node), name));
}

/* A name has to begin with a letter or an underscore. */
static void
add_name (JsonBuilder *builder, const char *name)
{
  g_autofree char *longer = NULL;

  if (!g_ascii_isalpha (*name) && *name != '_')
    name = longer = g_strconcat ("_", name, NULL);
  gadget_dialect_add_string (builder, "name", name);
}

/* An id is sent only if the API gave it; Gadget's own ids mean nothing to the API. */
static void
add_call (JsonBuilder *builder, const GadgetPart *call, gboolean needs_signature)
{
  g_autofree char *id = dup_replay_member (call, GADGET_GEMINI_ID);
  g_autofree char *signature = dup_replay_member (call, GADGET_GEMINI_SIGNATURE);

  gadget_dialect_begin_object (builder, "functionCall");
  if (id != NULL)
    gadget_dialect_add_string (builder, "id", id);
  add_name (builder, call->name);
  gadget_dialect_add_json (builder, "args", call->arguments);
  json_builder_end_object (builder);
  if (signature != NULL)
    gadget_dialect_add_string (builder, "thoughtSignature", signature);
  else if (needs_signature)
    gadget_dialect_add_string (builder, "thoughtSignature", NO_SIGNATURE);
}

static void
add_image (JsonBuilder *builder, const GadgetPart *image)
{
  g_autofree char *code = gadget_dialect_dup_base64 (image);

  gadget_dialect_begin_object (builder, "inlineData");
  gadget_dialect_add_string (builder, "mimeType", image->mime_type);
  gadget_dialect_add_string (builder, "data", code);
  json_builder_end_object (builder);
}

static void
add_reasoning (JsonBuilder *builder, const GadgetPart *part)
{
  g_autofree char *signature = dup_replay_member (part, GADGET_GEMINI_SIGNATURE);

  gadget_dialect_add_boolean (builder, "thought", TRUE);
  gadget_dialect_add_string (builder, "text", part->text != NULL ? part->text : "");
  if (signature != NULL)
    gadget_dialect_add_string (builder, "thoughtSignature", signature);
}

/* A signature stands for the thinking before it. It often arrives after the text, in a part of its
 * own without text, so it is sent back in the same way. */
static void
add_text (JsonBuilder *builder, const GadgetPart *part)
{
  g_autofree char *signature = dup_replay_member (part, GADGET_GEMINI_SIGNATURE);

  gadget_dialect_add_string (builder, "text", part->text);
  if (signature == NULL)
    return;
  json_builder_end_object (builder);
  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "text", "");
  gadget_dialect_add_string (builder, "thoughtSignature", signature);
}

/* @signs: TRUE if the first call of a step must have a signature. */
static void
add_parts (JsonBuilder *builder, const GadgetMessage *message, gboolean signs)
{
  gboolean is_first_call = TRUE;

  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      json_builder_begin_object (builder);
      if (part->type == GADGET_PART_CALL)
        {
          add_call (builder, part, signs && is_first_call);
          is_first_call = FALSE;
        }
      else if (part->type == GADGET_PART_IMAGE)
        add_image (builder, part);
      else if (part->type == GADGET_PART_REASONING)
        add_reasoning (builder, part);
      else
        add_text (builder, part);
      json_builder_end_object (builder);
    }
}

/* The call of the result at index @result, in the assistant message before it. (nullable) */
static const GadgetPart *
find_call (GPtrArray *messages, guint result)
{
  const char *id = ((GadgetMessage *) g_ptr_array_index (messages, result))->call_id;

  for (guint i = result; i > 0; i--)
    {
      const GadgetMessage *message = g_ptr_array_index (messages, i - 1);

      if (message->role == GADGET_ROLE_USER)
        return NULL;
      for (guint part = 0; part < message->parts->len; part++)
        {
          const GadgetPart *call = g_ptr_array_index (message->parts, part);

          if (call->type == GADGET_PART_CALL && g_strcmp0 (call->call_id, id) == 0)
            return call;
        }
    }
  return NULL;
}

static void
add_result (JsonBuilder *builder, GPtrArray *messages, guint index)
{
  const GadgetMessage *message = g_ptr_array_index (messages, index);
  const GadgetPart *call = find_call (messages, index);
  g_autofree char *id = call != NULL ? dup_replay_member (call, GADGET_GEMINI_ID) : NULL;
  g_autofree char *text = gadget_message_dup_text (message);

  json_builder_begin_object (builder);
  gadget_dialect_begin_object (builder, "functionResponse");
  if (id != NULL)
    gadget_dialect_add_string (builder, "id", id);
  add_name (builder, message->name);
  gadget_dialect_begin_object (builder, "response");
  gadget_dialect_add_string (builder, message->failed ? "error" : "output", text);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static void
add_images (JsonBuilder *builder, const GadgetMessage *message)
{
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      if (part->type != GADGET_PART_IMAGE)
        continue;
      json_builder_begin_object (builder);
      add_image (builder, part);
      json_builder_end_object (builder);
    }
}

/* Adds one content of the user: the results of one step together and first, then the images of
 * tools, then the user's own text, which may follow an aborted turn. Returns the index of the next
 * message. */
static guint
add_user_content (JsonBuilder *builder, GPtrArray *messages, guint first)
{
  guint n_results = 0;
  guint end = first;

  while (end < messages->len
         && ((GadgetMessage *) g_ptr_array_index (messages, end))->role == GADGET_ROLE_TOOL)
    {
      add_result (builder, messages, end++);
      n_results++;
    }
  for (guint i = first; i < first + n_results; i++)
    add_images (builder, g_ptr_array_index (messages, i));
  for (; end < messages->len
         && ((GadgetMessage *) g_ptr_array_index (messages, end))->role == GADGET_ROLE_USER;
       end++)
    add_parts (builder, g_ptr_array_index (messages, end), FALSE);
  return end;
}

static void
add_contents (JsonBuilder *builder, GPtrArray *messages, gboolean signs)
{
  gadget_dialect_begin_array (builder, "contents");
  for (guint i = 0; i < messages->len;)
    {
      const GadgetMessage *message = g_ptr_array_index (messages, i);
      const gboolean is_model = message->role == GADGET_ROLE_ASSISTANT;

      json_builder_begin_object (builder);
      gadget_dialect_add_string (builder, "role", is_model ? "model" : "user");
      gadget_dialect_begin_array (builder, "parts");
      if (is_model)
        {
          add_parts (builder, message, signs);
          i++;
        }
      else
        i = add_user_content (builder, messages, i);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_system (JsonBuilder *builder, const char *system)
{
  gadget_dialect_begin_object (builder, "systemInstruction");
  gadget_dialect_begin_array (builder, "parts");
  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "text", system);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* "parameters" accepts only a part of OpenAPI's schemas; "parametersJsonSchema" accepts those of
 * the tools. */
static void
add_tools (JsonBuilder *builder, GPtrArray *tools)
{
  gadget_dialect_begin_array (builder, "tools");
  json_builder_begin_object (builder);
  gadget_dialect_begin_array (builder, "functionDeclarations");
  for (guint i = 0; i < tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (tools, i);

      json_builder_begin_object (builder);
      add_name (builder, tool->name);
      gadget_dialect_add_string (builder, "description", tool->description);
      gadget_dialect_add_json (builder, "parametersJsonSchema", tool->schema);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
}

static void
add_thinking (JsonBuilder *builder)
{
  gadget_dialect_begin_object (builder, "generationConfig");
  gadget_dialect_begin_object (builder, "thinkingConfig");
  gadget_dialect_add_boolean (builder, "includeThoughts", TRUE);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

/* The generations before the third accept signatures but do not require them. */
static gboolean
demands_signatures (const char *model)
{
  return !gadget_error_parser_mentions (
      model, (const char *const[]) { "gemini-1", "gemini-2", "gemma", NULL });
}

/**
 * gadget_gemini_make_request:
 * @with_thoughts: %TRUE to ask for the model's thinking; models that do not think refuse that
 *
 * Returns: (transfer full): the JSON body of a request
 */
GBytes *
gadget_gemini_make_request (GadgetRequest *request, const char *model, gboolean with_thoughts)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  if (request->system != NULL && *request->system != '\0')
    add_system (builder, request->system);
  add_contents (builder, request->messages, demands_signatures (model));
  if (request->tools->len > 0)
    add_tools (builder, request->tools);
  if (with_thoughts)
    add_thinking (builder);
  json_builder_end_object (builder);
  return gadget_dialect_to_bytes (builder);
}

/* --- Models ---------------------------------------------------------------------------------- */

static gboolean
can_chat (JsonObject *entry)
{
  return gadget_json_has_string (gadget_json_get_array (entry, "supportedGenerationMethods"),
                                 "generateContent");
}

/* (transfer full) (nullable): NULL for an entry without a name */
static GadgetModel *
read_model (JsonObject *entry)
{
  const char *name = gadget_json_get_string (entry, "name");
  gint64 context = 0;
  GadgetModel *model;

  if (name != NULL && g_str_has_prefix (name, "models/"))
    name += strlen ("models/");
  if (name == NULL || *name == '\0')
    return NULL;
  model = gadget_model_new (name);
  gadget_json_get_int (entry, "inputTokenLimit", &context);
  gadget_model_set_context_length (model, context);
  return model;
}

static JsonObject *
get_root (JsonNode *root)
{
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
}

/**
 * gadget_gemini_read_models:
 * @default_model: (nullable): moved to the front if it is in the list
 *
 * Reads the response of GET /models, and keeps the models that generate content.
 *
 * Returns: (transfer full) (element-type GadgetModel): the models, or %NULL with
 *   %GADGET_PROVIDER_ERROR_ADDRESS
 */
GPtrArray *
gadget_gemini_read_models (const char *text, gsize length, const char *default_model,
                           GError **error)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  g_autoptr (GPtrArray) models =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_model_unref);
  JsonArray *list = gadget_json_get_array (get_root (root), "models");

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
      GadgetModel *model = can_chat (entry) ? read_model (entry) : NULL;

      if (model != NULL)
        g_ptr_array_insert (
            models, g_strcmp0 (gadget_model_get_name (model), default_model) == 0 ? 0 : -1, model);
    }
  return g_steal_pointer (&models);
}

/**
 * gadget_gemini_read_description:
 *
 * Reads the response of GET /models/NAME.
 *
 * Returns: (transfer full): the model, or %NULL with %GADGET_PROVIDER_ERROR_BAD_ANSWER
 */
GadgetModel *
gadget_gemini_read_description (const char *text, gsize length, const char *model, GError **error)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  GadgetModel *description = read_model (get_root (root));

  if (description == NULL)
    g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_BAD_ANSWER,
                         "The answer does not describe a model");
  return description;
}

/* --- Errors ---------------------------------------------------------------------------------- */

/* The error object of a response; in a stream it is inside an array. (nullable) */
static JsonObject *
find_error (JsonNode *node)
{
  JsonObject *root = get_root (node);

  if (root == NULL && node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    root = gadget_json_get_element (json_node_get_array (node), 0);
  return gadget_json_get_object (root, "error");
}

static GadgetProviderError
classify (guint status, const char *name, const char *message, JsonObject *error)
{
  JsonArray *details = gadget_json_get_array (error, "details");

  /* The server reports a wrong key as status 400 with one of these messages. */
  if (gadget_error_parser_mentions (message,
                                    (const char *const[]) { "api key not valid", "api key expired",
                                                            "api_key_invalid", NULL }))
    return GADGET_PROVIDER_ERROR_AUTH;
  if (gadget_error_parser_mentions (message, (const char *const[]) { "input token count", NULL }))
    return GADGET_PROVIDER_ERROR_CONTEXT;
  for (guint i = 0; details != NULL && i < json_array_get_length (details); i++)
    {
      JsonObject *detail = gadget_json_get_element (details, i);
      JsonArray *violations = gadget_json_get_array (detail, "violations");

      if (g_strcmp0 (gadget_json_get_string (detail, "reason"), "API_KEY_INVALID") == 0)
        return GADGET_PROVIDER_ERROR_AUTH;
      /* A retry after a minute does not help against a daily limit. */
      for (guint v = 0; violations != NULL && v < json_array_get_length (violations); v++)
        if (gadget_error_parser_mentions (
                gadget_json_get_string (gadget_json_get_element (violations, v), "quotaId"),
                (const char *const[]) { "perday", NULL }))
          return GADGET_PROVIDER_ERROR_REFUSED;
    }
  if (g_strcmp0 (name, "RESOURCE_EXHAUSTED") == 0)
    return GADGET_PROVIDER_ERROR_RATE_LIMITED;
  return gadget_error_parser_classify (status, name, message);
}

/**
 * gadget_gemini_read_error:
 * @node: (nullable): the parsed response
 * @status: the HTTP status, 200 within a stream
 *
 * Returns: (transfer full) (nullable): the error in @node; %NULL if there is none
 */
GError *
gadget_gemini_read_error (JsonNode *node, guint status)
{
  JsonObject *object = find_error (node);
  const char *message = gadget_json_get_string (object, "message");
  const char *name = gadget_json_get_string (object, "status");
  gint64 code = 0;
  GError *error;

  if (object == NULL)
    return NULL;
  if (status == 200 && gadget_json_get_int (object, "code", &code) && code >= 400 && code < 600)
    status = (guint) code;
  error = gadget_error_parser_new (status, name, message);
  error->code = (gint) classify (status, name, message, object);
  return error;
}

/* The delay of a google.rpc.RetryInfo such as "34.07s", as seconds rounded up. (transfer full)
 * (nullable): %NULL if there is none */
static char *
dup_retry_delay (JsonNode *node)
{
  JsonArray *details = gadget_json_get_array (find_error (node), "details");

  for (guint i = 0; details != NULL && i < json_array_get_length (details); i++)
    {
      const char *text =
          gadget_json_get_string (gadget_json_get_element (details, i), "retryDelay");
      const double delay = text != NULL ? g_ascii_strtod (text, NULL) : -1;

      if (delay >= 0 && delay < 1e6)
        return g_strdup_printf ("%d", (int) delay + (delay > (int) delay));
    }
  return NULL;
}

/**
 * gadget_gemini_read_refusal:
 * @response: a response whose status is not 2xx; @retry_after is set if only the body gives the
 *   delay
 * @body: the beginning of its body
 * @length: of @body in bytes
 *
 * Returns: (transfer full): the error that the response reports
 */
GError *
gadget_gemini_read_refusal (GadgetHttpResponse *response, const char *body, gsize length)
{
  g_autoptr (JsonNode) node = length > 0 ? gadget_json_parse (body, length, NULL) : NULL;
  GError *error = gadget_gemini_read_error (node, response->status);

  if (error == NULL)
    return gadget_error_parser_read (response, body, length);
  if (response->retry_after == NULL)
    response->retry_after = dup_retry_delay (node);
  return error;
}
