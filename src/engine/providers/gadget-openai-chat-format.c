/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests and lists of models of the OpenAI Chat Completions API; see
 * gadget-openai-chat-format.h. */

#include "config.h"

#include "gadget-openai-chat-format.h"

#include "gadget-dialect-json.h"
#include "gadget-error-parser.h"
#include "common/gadget-json.h"

#include <string.h>

/**
 * gadget_openai_chat_make_url:
 * @base_url: (nullable): as the user gave it; an address without a path gets the usual "/v1"
 * @path: the path to append
 *
 * Returns: (transfer full) (nullable): %NULL if @base_url is not a valid address
 */
char *
gadget_openai_chat_make_url (const char *base_url, const char *path)
{
  return gadget_dialect_make_url (base_url, "/v1", path);
}

/* --- Requests -------------------------------------------------------------------------------- */

static void
add_calls (JsonBuilder *builder, const GadgetMessage *message)
{
  gadget_dialect_begin_array (builder, "tool_calls");
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *call = g_ptr_array_index (message->parts, i);

      if (call->type != GADGET_PART_CALL)
        continue;
      json_builder_begin_object (builder);
      gadget_dialect_add_string (builder, "id", call->call_id);
      gadget_dialect_add_string (builder, "type", "function");
      gadget_dialect_begin_object (builder, "function");
      gadget_dialect_add_string (builder, "name", call->name);
      gadget_dialect_add_string (builder, "arguments", call->arguments);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_image (JsonBuilder *builder, const GadgetPart *part)
{
  g_autofree char *url = gadget_dialect_dup_data_url (part);

  gadget_dialect_add_string (builder, "type", "image_url");
  gadget_dialect_begin_object (builder, "image_url");
  gadget_dialect_add_string (builder, "url", url);
  json_builder_end_object (builder);
}

static void
add_text (JsonBuilder *builder, const char *text)
{
  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "type", "text");
  gadget_dialect_add_string (builder, "text", text);
  json_builder_end_object (builder);
}

/* @with_words: %FALSE to add the images only. */
static void
add_parts (JsonBuilder *builder, const GadgetMessage *message, gboolean with_words)
{
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      if (part->type != GADGET_PART_IMAGE && with_words)
        add_text (builder, part->text);
      if (part->type != GADGET_PART_IMAGE)
        continue;
      json_builder_begin_object (builder);
      add_image (builder, part);
      json_builder_end_object (builder);
    }
}

/* Many servers accept only plain text, so a list of parts is used only for a message with
 * images. */
static void
add_content (JsonBuilder *builder, const GadgetMessage *message)
{
  g_autofree char *text = gadget_message_dup_text (message);

  if (gadget_message_count (message, GADGET_PART_IMAGE) == 0)
    {
      gadget_dialect_add_string (builder, "content", text);
      return;
    }
  gadget_dialect_begin_array (builder, "content");
  add_parts (builder, message, TRUE);
  json_builder_end_array (builder);
}

static void
add_message (JsonBuilder *builder, const GadgetMessage *message)
{
  static const char *const roles[] = { "user", "assistant", "tool" };
  const gboolean has_calls = gadget_message_count (message, GADGET_PART_CALL) > 0;

  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "role", roles[message->role]);
  if (message->role == GADGET_ROLE_TOOL)
    gadget_dialect_add_string (builder, "tool_call_id", message->call_id);
  /* Some servers require the member, and refuse an empty text beside calls. */
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

      gadget_dialect_add_string (builder, "content", text);
    }
  if (has_calls)
    add_calls (builder, message);
  json_builder_end_object (builder);
}

static const GadgetMessage *
get_message (GPtrArray *messages, guint index, GadgetRole role)
{
  const GadgetMessage *message = index < messages->len ? g_ptr_array_index (messages, index) : NULL;

  return message != NULL && message->role == role ? message : NULL;
}

/* Adds the results of a step. A result has only text; the images of tools follow the results as a
 * message of the user, together with what the user says next, since roles alternate. Returns the
 * index of the next message. */
static guint
add_results (JsonBuilder *builder, GPtrArray *messages, guint first)
{
  const GadgetMessage *message;
  guint end = first;
  guint n_images = 0;

  for (; (message = get_message (messages, end, GADGET_ROLE_TOOL)) != NULL; end++)
    {
      add_message (builder, message);
      n_images += gadget_message_count (message, GADGET_PART_IMAGE);
    }
  if (n_images == 0)
    return end;

  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "role", "user");
  gadget_dialect_begin_array (builder, "content");
  add_text (builder, "[What the tools showed:]");
  for (guint i = first; i < end; i++)
    add_parts (builder, g_ptr_array_index (messages, i), FALSE);
  message = get_message (messages, end, GADGET_ROLE_USER);
  if (message != NULL)
    add_parts (builder, message, TRUE);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return message != NULL ? end + 1 : end;
}

static void
add_messages (JsonBuilder *builder, GadgetRequest *request)
{
  gadget_dialect_begin_array (builder, "messages");
  if (request->system != NULL && *request->system != '\0')
    {
      json_builder_begin_object (builder);
      gadget_dialect_add_string (builder, "role", "system");
      gadget_dialect_add_string (builder, "content", request->system);
      json_builder_end_object (builder);
    }
  for (guint i = 0; i < request->messages->len;)
    if (get_message (request->messages, i, GADGET_ROLE_TOOL) != NULL)
      i = add_results (builder, request->messages, i);
    else
      add_message (builder, g_ptr_array_index (request->messages, i++));
  json_builder_end_array (builder);
}

/**
 * gadget_openai_chat_make_request:
 * @model: (nullable): left out if %NULL
 * @with_usage: %TRUE to ask for the number of tokens; some servers refuse that
 *
 * Returns: (transfer full): the JSON body of a streamed request
 */
GBytes *
gadget_openai_chat_make_request (GadgetRequest *request, const char *model, gboolean with_usage)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  if (model != NULL)
    gadget_dialect_add_string (builder, "model", model);
  gadget_dialect_add_boolean (builder, "stream", TRUE);
  if (with_usage)
    {
      gadget_dialect_begin_object (builder, "stream_options");
      gadget_dialect_add_boolean (builder, "include_usage", TRUE);
      json_builder_end_object (builder);
    }
  add_messages (builder, request);
  if (request->tools->len > 0)
    gadget_dialect_add_functions (builder, request->tools);
  json_builder_end_object (builder);

  return gadget_dialect_to_bytes (builder);
}

/* --- Models ---------------------------------------------------------------------------------- */

/* The API does not define the context length; servers report it in members of their own. 0 if
 * unknown. */
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

/* llama.cpp and Ollama list the capabilities of a model. "multimodal" may mean sound only. */
static GadgetModelImages
read_capabilities (JsonArray *capabilities)
{
  if (gadget_json_has_string (capabilities, "vision"))
    return GADGET_MODEL_IMAGES_YES;
  if (!gadget_json_has_string (capabilities, "completion")
      || gadget_json_has_string (capabilities, "multimodal"))
    return GADGET_MODEL_IMAGES_UNKNOWN;
  return GADGET_MODEL_IMAGES_NO;
}

/* OpenRouter, llama-swap and the router of llama.cpp list the input modalities of a model, and
 * Mistral says of each model whether it has vision. OpenAI says nothing. */
static GadgetModelImages
read_images (JsonObject *entry)
{
  JsonObject *architecture = gadget_json_get_object (entry, "architecture");
  JsonArray *inputs = gadget_json_get_array (architecture, "input_modalities");
  gboolean vision;

  if (inputs != NULL && json_array_get_length (inputs) > 0)
    vision = gadget_json_has_string (inputs, "image");
  else if (!gadget_json_get_boolean (gadget_json_get_object (entry, "capabilities"), "vision",
                                     &vision))
    return read_capabilities (gadget_json_get_array (entry, "capabilities"));
  return vision ? GADGET_MODEL_IMAGES_YES : GADGET_MODEL_IMAGES_NO;
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
  gadget_model_set_images (model, read_images (entry));
  g_ptr_array_insert (models, g_strcmp0 (id, default_model) == 0 ? 0 : -1, model);
}

/**
 * gadget_openai_chat_read_models:
 * @default_model: (nullable): moved to the front if it is in the list
 *
 * Reads the response of GET /models.
 *
 * Returns: (transfer full) (element-type GadgetModel): the models, or %NULL with
 *   %GADGET_PROVIDER_ERROR_ADDRESS
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
                           gadget_error_parser_is_html (text, length)
                               ? "A web page answered, not an API"
                               : "The answer is not a list of models");
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (list); i++)
    add_model (models, gadget_json_get_element (list, i), default_model);
  return g_steal_pointer (&models);
}

/* --- More about one model -------------------------------------------------------------------- */

/**
 * gadget_openai_chat_make_more_url:
 * @step: 0 for llama.cpp's address, 1 for LM Studio's
 *
 * If the list does not say how much context a model has and whether it accepts images, servers that
 * the user runs say it outside of this API: llama.cpp in /props (its README; "autoload=false" keeps
 * a server of several models from loading the model for this), LM Studio in /api/v0/models (its
 * documentation, "REST API v0"). Public services are not asked; they always use TLS.
 *
 * Returns: (transfer full) (nullable): the next address to ask; %NULL if everything is known, or
 *   after the last step
 */
char *
gadget_openai_chat_make_more_url (const char *base_url, GadgetModel *model, guint step)
{
  g_autofree char *base = g_strdup (base_url != NULL ? base_url : "");
  g_autofree char *name = g_uri_escape_string (gadget_model_get_name (model), NULL, FALSE);
  g_autofree char *url = NULL;

  if (step > 1 || !g_str_has_prefix (base, "http:")
      || (gadget_model_get_context_length (model) > 0
          && gadget_model_get_images (model) != GADGET_MODEL_IMAGES_UNKNOWN))
    return NULL;
  while (g_str_has_suffix (base, "/"))
    base[strlen (base) - 1] = '\0';
  if (g_str_has_suffix (base, "/v1"))
    base[strlen (base) - strlen ("/v1")] = '\0';
  url = gadget_dialect_make_url (base, "", step == 0 ? "props" : "api/v0/models");
  if (url == NULL || step > 0)
    return g_steal_pointer (&url);
  return g_strdup_printf ("%s%cmodel=%s&autoload=false", url, strchr (url, '?') != NULL ? '&' : '?',
                          name);
}

/* LM Studio's entry for the model. (nullable) */
static JsonObject *
find_entry (JsonArray *list, const char *model)
{
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *entry = gadget_json_get_element (list, i);

      if (g_strcmp0 (gadget_json_get_string (entry, "id"), model) == 0)
        return entry;
    }
  return NULL;
}

static gint64
read_more_context (JsonObject *props, JsonObject *entry)
{
  gint64 length = 0;

  if (!gadget_json_get_int (gadget_json_get_object (props, "default_generation_settings"), "n_ctx",
                            &length)
      && (!gadget_json_get_int (entry, "loaded_context_length", &length) || length <= 0))
    gadget_json_get_int (entry, "max_context_length", &length);
  return length;
}

static GadgetModelImages
read_more_images (JsonObject *props, JsonObject *entry)
{
  const char *type = gadget_json_get_string (entry, "type");
  gboolean vision;

  if (gadget_json_get_boolean (gadget_json_get_object (props, "modalities"), "vision", &vision))
    return vision ? GADGET_MODEL_IMAGES_YES : GADGET_MODEL_IMAGES_NO;
  if (g_strcmp0 (type, "vlm") == 0)
    return GADGET_MODEL_IMAGES_YES;
  return g_strcmp0 (type, "llm") == 0 ? GADGET_MODEL_IMAGES_NO : GADGET_MODEL_IMAGES_UNKNOWN;
}

/**
 * gadget_openai_chat_read_more:
 * @text: the response of one of these addresses
 * @length: of @text in bytes
 * @model: (inout): updated with what @text says
 */
void
gadget_openai_chat_read_more (const char *text, gsize length, GadgetModel *model)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  JsonObject *object =
      root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonObject *entry =
      find_entry (gadget_json_get_array (object, "data"), gadget_model_get_name (model));
  const gint64 context = read_more_context (object, entry);
  const GadgetModelImages images = read_more_images (object, entry);

  if (context > 0)
    gadget_model_set_context_length (model, context);
  if (images != GADGET_MODEL_IMAGES_UNKNOWN)
    gadget_model_set_images (model, images);
}
