/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The requests, errors and lists of models of Ollama's own API; see gadget-ollama-format.h. */

#include "config.h"

#include "gadget-ollama-format.h"

#include "gadget-dialect-json.h"
#include "gadget-error-parser.h"
#include "gadget-provider.h"
#include "common/gadget-json.h"

#include <string.h>

/**
 * gadget_ollama_make_url:
 * @base_url: (nullable): as the user gave it: the address of the server, or of one of its APIs
 *   ("…/v1" is the one that is compatible with OpenAI)
 * @path: such as "chat"
 *
 * Returns: (transfer full) (nullable): %NULL if @base_url is not a valid address
 */
char *
gadget_ollama_make_url (const char *base_url, const char *path)
{
  static const char *const tails[] = { "/v1", "/api" };
  g_autofree char *base = g_strdup (base_url != NULL ? base_url : "");
  g_autofree char *full_path = g_strconcat ("api/", path, NULL);

  while (g_str_has_suffix (base, "/"))
    base[strlen (base) - 1] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (tails); i++)
    if (g_str_has_suffix (base, tails[i]))
      {
        base[strlen (base) - strlen (tails[i])] = '\0';
        break;
      }
  return gadget_dialect_make_url (base, "", full_path);
}

/* --- Requests -------------------------------------------------------------------------------- */

/* The documentation knows no ids of calls: results are told apart by their order and
 * "tool_name". */
static void
add_calls (JsonBuilder *builder, const GadgetMessage *message)
{
  guint index = 0;

  gadget_dialect_begin_array (builder, "tool_calls");
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *call = g_ptr_array_index (message->parts, i);

      if (call->type != GADGET_PART_CALL)
        continue;
      json_builder_begin_object (builder);
      gadget_dialect_begin_object (builder, "function");
      gadget_json_add_int (builder, "index", index++);
      gadget_dialect_add_string (builder, "name", call->name);
      gadget_dialect_add_json (builder, "arguments", call->arguments);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_images (JsonBuilder *builder, const GadgetMessage *message)
{
  gadget_dialect_begin_array (builder, "images");
  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);
      g_autofree char *code = NULL;

      if (part->type != GADGET_PART_IMAGE)
        continue;
      code = gadget_dialect_dup_base64 (part);
      json_builder_add_string_value (builder, code);
    }
  json_builder_end_array (builder);
}

/* The history contains only complete reasoning of this very model. */
static void
add_thinking (JsonBuilder *builder, const GadgetMessage *message)
{
  g_autoptr (GString) thinking = g_string_new (NULL);

  for (guint i = 0; i < message->parts->len; i++)
    {
      const GadgetPart *part = g_ptr_array_index (message->parts, i);

      if (part->type == GADGET_PART_REASONING && part->text != NULL)
        g_string_append (thinking, part->text);
    }
  if (thinking->len > 0)
    gadget_dialect_add_string (builder, "thinking", thinking->str);
}

static void
add_message (JsonBuilder *builder, const GadgetMessage *message)
{
  static const char *const roles[] = { "user", "assistant", "tool" };
  g_autofree char *text = gadget_message_dup_text (message);

  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "role", roles[message->role]);
  gadget_dialect_add_string (builder, "content", text);
  add_thinking (builder, message);
  if (gadget_message_count (message, GADGET_PART_IMAGE) > 0)
    add_images (builder, message);
  if (gadget_message_count (message, GADGET_PART_CALL) > 0)
    add_calls (builder, message);
  if (message->role == GADGET_ROLE_TOOL)
    gadget_dialect_add_string (builder, "tool_name", message->name);
  json_builder_end_object (builder);
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
  for (guint i = 0; i < request->messages->len; i++)
    add_message (builder, g_ptr_array_index (request->messages, i));
  json_builder_end_array (builder);
}

/**
 * gadget_ollama_make_request:
 * @with_think: %TRUE to ask for reasoning in a member of its own; models that do not think refuse
 *   that
 *
 * Ollama would silently drop the beginning of a chat that is larger than the context that it has
 * allocated (4096 tokens on most machines), and of a chat that outgrows it during the response.
 * With "truncate" and "shift" off it reports an error instead; old versions ignore these members.
 * The request does not set "num_ctx" or "keep_alive": they would override the user's own settings
 * of the context size and of how long a model stays in memory, and make Ollama load the model
 * again.
 *
 * Returns: (transfer full): the JSON body of a streamed request
 */
GBytes *
gadget_ollama_make_request (GadgetRequest *request, const char *model, gboolean with_think)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "model", model);
  gadget_dialect_add_boolean (builder, "stream", TRUE);
  gadget_dialect_add_boolean (builder, "truncate", FALSE);
  gadget_dialect_add_boolean (builder, "shift", FALSE);
  if (with_think)
    gadget_dialect_add_boolean (builder, "think", TRUE);
  add_messages (builder, request);
  if (request->tools->len > 0)
    gadget_dialect_add_functions (builder, request->tools);
  json_builder_end_object (builder);
  return gadget_dialect_to_bytes (builder);
}

/* --- Errors ---------------------------------------------------------------------------------- */

/**
 * gadget_ollama_read_refusal:
 *
 * For a missing model, the message ends with the way to get it. See
 * gadget_failure_code_from_error ().
 *
 * Returns: (transfer full): the error that the response reports
 */
GError *
gadget_ollama_read_refusal (GadgetHttpResponse *response, const char *body, gsize length)
{
  GError *error = gadget_error_parser_read (response, body, length);

  if (g_error_matches (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_MODEL))
    {
      g_autofree char *said = g_steal_pointer (&error->message);

      error->message = g_strdup_printf ("%s (“ollama pull” gets a model)", said);
    }
  return error;
}

/* --- Models ---------------------------------------------------------------------------------- */

static JsonArray *
get_models (JsonNode *root)
{
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root)
             ? gadget_json_get_array (json_node_get_object (root), "models")
             : NULL;
}

static const char *
get_name (JsonObject *entry)
{
  const char *name = gadget_json_get_string (entry, "model");

  if (name == NULL || *name == '\0')
    name = gadget_json_get_string (entry, "name");
  return name != NULL && *name != '\0' ? name : NULL;
}

/* The list contains models that only make embeddings, too. They can be left out if the version of
 * Ollama reports the capabilities of models. */
static gboolean
can_chat (JsonObject *entry)
{
  JsonArray *capabilities = gadget_json_get_array (entry, "capabilities");

  return capabilities == NULL || json_array_get_length (capabilities) == 0
         || gadget_json_has_string (capabilities, "completion");
}

/* "llama3.2" is short for "llama3.2:latest", and names ignore case. */
static gboolean
is_same_model (const char *one, const char *other)
{
  const char *latest = ":latest";
  const gsize one_length = strlen (one) - (g_str_has_suffix (one, latest) ? strlen (latest) : 0);
  const gsize other_length =
      strlen (other) - (g_str_has_suffix (other, latest) ? strlen (latest) : 0);

  return one_length == other_length && g_ascii_strncasecmp (one, other, one_length) == 0;
}

/**
 * gadget_ollama_read_models:
 * @default_model: (nullable): moved to the front if it is in the list
 *
 * Reads the response of GET /api/tags.
 *
 * Returns: (transfer full) (element-type GadgetModel): the models, or %NULL with
 *   %GADGET_PROVIDER_ERROR_ADDRESS
 */
GPtrArray *
gadget_ollama_read_models (const char *text, gsize length, const char *default_model,
                           GError **error)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  g_autoptr (GPtrArray) models =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_model_unref);
  JsonArray *list = get_models (root);

  if (list == NULL)
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS,
                           gadget_error_parser_is_html (text, length)
                               ? "A web page answered, not an API"
                               : "The answer is not Ollama's list of models");
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *entry = gadget_json_get_element (list, i);
      const char *name = get_name (entry);

      if (name != NULL && can_chat (entry))
        g_ptr_array_insert (models,
                            default_model != NULL && is_same_model (name, default_model) ? 0 : -1,
                            gadget_model_new (name));
    }
  return g_steal_pointer (&models);
}

GBytes *
gadget_ollama_make_show (const char *model)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  gadget_dialect_add_string (builder, "model", model);
  json_builder_end_object (builder);
  return gadget_dialect_to_bytes (builder);
}

/* The context length that the model was trained with: "<architecture>.context_length". 0 if
 * unknown. */
static gint64
get_trained_context (JsonObject *info)
{
  g_autoptr (GList) names = info != NULL ? json_object_get_members (info) : NULL;
  gint64 length = 0;

  for (GList *name = names; name != NULL && length <= 0; name = name->next)
    if (g_str_has_suffix (name->data, ".context_length"))
      gadget_json_get_int (info, name->data, &length);
  return length;
}

/* The context length in the parameters of the model, a line "num_ctx    8192". 0 if unknown. */
static gint64
get_set_context (const char *parameters)
{
  g_auto (GStrv) lines = g_strsplit (parameters != NULL ? parameters : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strchug (lines[i]);

      if (g_str_has_prefix (line, "num_ctx") && g_ascii_isspace (line[strlen ("num_ctx")]))
        return g_ascii_strtoll (line + strlen ("num_ctx"), NULL, 10);
    }
  return 0;
}

/* Versions before 0.6.4 do not report the capabilities of a model. */
static GadgetModelImages
read_images (JsonArray *capabilities)
{
  if (capabilities == NULL || json_array_get_length (capabilities) == 0)
    return GADGET_MODEL_IMAGES_UNKNOWN;
  return gadget_json_has_string (capabilities, "vision") ? GADGET_MODEL_IMAGES_YES
                                                         : GADGET_MODEL_IMAGES_NO;
}

/**
 * gadget_ollama_read_show:
 *
 * Reads the response of POST /api/show. The context length is the one in the model's parameters, or
 * else the longest that the model was trained with. Ollama may allocate less, but reports that only
 * for a loaded model: see gadget_ollama_read_running ().
 *
 * Returns: (transfer full): the model, or %NULL with %GADGET_PROVIDER_ERROR_BAD_ANSWER
 */
GadgetModel *
gadget_ollama_read_show (const char *text, gsize length, const char *model, GError **error)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  JsonObject *object =
      root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  gint64 trained;
  gint64 set;
  GadgetModel *description;

  if (object == NULL)
    {
      g_set_error_literal (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_BAD_ANSWER,
                           "The answer does not describe a model");
      return NULL;
    }
  trained = get_trained_context (gadget_json_get_object (object, "model_info"));
  set = get_set_context (gadget_json_get_string (object, "parameters"));
  description = gadget_model_new (model);
  gadget_model_set_context_length (description, set > 0 && trained > 0 ? MIN (set, trained)
                                                                       : MAX (set, trained));
  gadget_model_set_images (description,
                           read_images (gadget_json_get_array (object, "capabilities")));
  return description;
}

/**
 * gadget_ollama_read_running:
 * @context_length: (out): the context that Ollama allocated, in tokens; 0 if it does not say
 *
 * Reads the response of GET /api/ps.
 *
 * Returns: %FALSE if @model is certainly not in memory. A model in the list may still be loading.
 *   Cloud models are never in the list, and need no loading.
 */
gboolean
gadget_ollama_read_running (const char *text, gsize length, const char *model,
                            gint64 *context_length)
{
  g_autoptr (JsonNode) root = gadget_json_parse (text, length, NULL);
  JsonArray *list = get_models (root);

  *context_length = 0;
  if (list == NULL || g_str_has_suffix (model, "-cloud") || g_str_has_suffix (model, ":cloud"))
    return TRUE;
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *entry = gadget_json_get_element (list, i);
      const char *name = get_name (entry);

      if (name != NULL && is_same_model (name, model))
        {
          gadget_json_get_int (entry, "context_length", context_length);
          return TRUE;
        }
    }
  return FALSE;
}
