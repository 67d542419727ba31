/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Source: the documentation of the Gemini API ("Generating content", "Function calling", "Thought
 * signatures"), and its refusals: a protocol buffer as JSON, so that an unknown member is an error;
 * roles alternate; a step's results follow it at once, as many as its calls; the first call of a
 * step has a signature. */

#include "config.h"

#include "strict-gemini.h"

#include "common/gadget-json.h"
#include "strict-json.h"

#include <string.h>

static const StrictMember root_members[] = {
  { "contents", JSON_NODE_ARRAY, G_TYPE_NONE, TRUE },
  { "systemInstruction", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "tools", JSON_NODE_ARRAY, G_TYPE_NONE, FALSE },
  { "toolConfig", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "generationConfig", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "safetySettings", JSON_NODE_ARRAY, G_TYPE_NONE, FALSE },
  { NULL },
};

static const StrictMember content_members[] = {
  { "role", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "parts", JSON_NODE_ARRAY, G_TYPE_NONE, TRUE },
  { NULL },
};

static const StrictMember system_members[] = {
  { "parts", JSON_NODE_ARRAY, G_TYPE_NONE, TRUE },
  { NULL },
};

static const StrictMember part_members[] = {
  { "text", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { "inlineData", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "functionCall", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "functionResponse", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "thought", JSON_NODE_VALUE, G_TYPE_BOOLEAN, FALSE },
  { "thoughtSignature", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { NULL },
};

static const StrictMember data_members[] = {
  { "mimeType", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "data", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { NULL },
};

static const StrictMember call_members[] = {
  { "id", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { "name", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "args", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { NULL },
};

static const StrictMember response_members[] = {
  { "id", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { "name", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "response", JSON_NODE_OBJECT, G_TYPE_NONE, TRUE },
  { NULL },
};

static const StrictMember tool_members[] = {
  { "functionDeclarations", JSON_NODE_ARRAY, G_TYPE_NONE, TRUE },
  { NULL },
};

static const StrictMember function_members[] = {
  { "name", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "description", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "parametersJsonSchema", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { NULL },
};

static const StrictMember config_members[] = {
  { "thinkingConfig", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "maxOutputTokens", JSON_NODE_VALUE, G_TYPE_INT64, FALSE },
  { "temperature", JSON_NODE_VALUE, G_TYPE_NONE, FALSE },
  { NULL },
};

static const StrictMember thinking_members[] = {
  { "includeThoughts", JSON_NODE_VALUE, G_TYPE_BOOLEAN, FALSE },
  { "thinkingBudget", JSON_NODE_VALUE, G_TYPE_INT64, FALSE },
  { NULL },
};

static char *
check_name (const char *name)
{
  if (g_regex_match_simple ("^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$", name, G_REGEX_DOLLAR_ENDONLY, 0))
    return NULL;
  return g_strdup_printf ("name: “%s” is none", name);
}

/* Either alphabet: a protocol buffer's bytes. */
static gboolean
is_base64 (const char *text)
{
  const gsize body =
      strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_");

  return body > 0 && strlen (text) - body <= 2 && strspn (text + body, "=") == strlen (text) - body;
}

static char *
check_words (JsonObject *part)
{
  const char *text = gadget_json_get_string (part, "text");

  if (*text == '\0' && !json_object_has_member (part, "thoughtSignature"))
    return strict_complain ("parts", "empty text");
  return NULL;
}

static char *
check_data (JsonObject *data)
{
  char *wrong = strict_check_members (data, "inlineData", data_members);

  if (wrong == NULL && !is_base64 (gadget_json_get_string (data, "data")))
    wrong = strict_complain ("inlineData", "not base64");
  return wrong;
}

static char *
check_function (JsonObject *function, const char *where, const StrictMember *members)
{
  char *wrong = strict_check_members (function, where, members);

  return wrong != NULL ? wrong : check_name (gadget_json_get_string (function, "name"));
}

static char *
check_part (JsonObject *part, gboolean is_model)
{
  char *wrong = strict_check_members (part, "parts", part_members);
  JsonObject *data = gadget_json_get_object (part, "inlineData");
  JsonObject *call = gadget_json_get_object (part, "functionCall");
  JsonObject *response = gadget_json_get_object (part, "functionResponse");
  const gboolean has_text = json_object_has_member (part, "text");
  const char *signature = gadget_json_get_string (part, "thoughtSignature");

  if (wrong != NULL)
    return wrong;
  if ((data != NULL) + (call != NULL) + (response != NULL) + has_text != 1)
    return strict_complain ("parts", "one has not exactly one kind of data");
  if (call != NULL && !is_model)
    return strict_complain ("parts", "the user does not call");
  if (response != NULL && is_model)
    return strict_complain ("parts", "the model has no results");
  if (json_object_has_member (part, "thought") && (!has_text || !is_model))
    return strict_complain ("parts", "only words of the model are thoughts");
  if (signature != NULL && (!is_model || !is_base64 (signature)))
    return strict_complain ("parts", "the signature is none");
  if (has_text)
    return check_words (part);
  if (data != NULL)
    return check_data (data);
  return call != NULL ? check_function (call, "functionCall", call_members)
                      : check_function (response, "functionResponse", response_members);
}

/* Results first, as many as there were calls, in their order. */
static char *
check_results (GPtrArray *calls, JsonArray *parts)
{
  guint n_results = 0;

  for (guint i = 0; i < json_array_get_length (parts); i++)
    {
      JsonObject *response =
          gadget_json_get_object (gadget_json_get_element (parts, i), "functionResponse");
      JsonObject *call = n_results < calls->len ? g_ptr_array_index (calls, n_results) : NULL;

      if (response == NULL)
        continue;
      if (i != n_results++)
        return strict_complain ("functionResponse", "comes after something else");
      if (call == NULL)
        return strict_complain ("functionResponse", "more than there were calls");
      if (strcmp (gadget_json_get_string (response, "name"), gadget_json_get_string (call, "name"))
          != 0)
        return strict_complain ("functionResponse", "of another function");
      if (g_strcmp0 (gadget_json_get_string (response, "id"), gadget_json_get_string (call, "id"))
          != 0)
        return strict_complain ("functionResponse", "with another id");
    }
  return n_results < calls->len ? strict_complain ("functionResponse", "fewer than calls") : NULL;
}

static char *
gather_calls (GPtrArray *calls, JsonArray *parts)
{
  g_ptr_array_set_size (calls, 0);
  for (guint i = 0; i < json_array_get_length (parts); i++)
    {
      JsonObject *part = gadget_json_get_element (parts, i);
      JsonObject *call = gadget_json_get_object (part, "functionCall");

      if (call == NULL)
        continue;
      if (calls->len == 0 && !json_object_has_member (part, "thoughtSignature"))
        return strict_complain ("functionCall", "is missing a thought_signature");
      g_ptr_array_add (calls, call);
    }
  return NULL;
}

static char *
check_parts (JsonArray *parts, gboolean is_model)
{
  char *wrong = strict_check_array (parts, "parts", JSON_NODE_OBJECT);

  if (wrong == NULL && json_array_get_length (parts) == 0)
    wrong = strict_complain ("parts", "none in it");
  for (guint i = 0; wrong == NULL && i < json_array_get_length (parts); i++)
    wrong = check_part (gadget_json_get_element (parts, i), is_model);
  return wrong;
}

static char *
check_contents (JsonArray *contents)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new ();
  char *wrong = strict_check_array (contents, "contents", JSON_NODE_OBJECT);
  const guint n = json_array_get_length (contents);

  if (wrong == NULL && n % 2 == 0)
    wrong = strict_complain ("contents", "the user must begin and end");
  for (guint i = 0; wrong == NULL && i < n; i++)
    {
      JsonObject *content = gadget_json_get_element (contents, i);
      JsonArray *parts = gadget_json_get_array (content, "parts");
      const gboolean is_model = i % 2 == 1;

      wrong = strict_check_members (content, "contents", content_members);
      if (wrong == NULL
          && strcmp (gadget_json_get_string (content, "role"), is_model ? "model" : "user") != 0)
        wrong = strict_complain ("contents", "roles do not alternate");
      if (wrong == NULL)
        wrong = check_parts (parts, is_model);
      if (wrong == NULL)
        wrong = is_model ? gather_calls (calls, parts) : check_results (calls, parts);
    }
  return wrong;
}

static char *
check_tools (JsonArray *tools)
{
  char *wrong = strict_check_array (tools, "tools", JSON_NODE_OBJECT);

  for (guint i = 0; wrong == NULL && i < json_array_get_length (tools); i++)
    {
      JsonObject *tool = gadget_json_get_element (tools, i);
      JsonArray *functions = gadget_json_get_array (tool, "functionDeclarations");

      wrong = strict_check_members (tool, "tools", tool_members);
      if (wrong == NULL)
        wrong = strict_check_array (functions, "functionDeclarations", JSON_NODE_OBJECT);
      for (guint f = 0; wrong == NULL && f < json_array_get_length (functions); f++)
        wrong = check_function (gadget_json_get_element (functions, f), "functionDeclarations",
                                function_members);
    }
  return wrong;
}

static char *
check_config (JsonObject *config)
{
  JsonObject *thinking = gadget_json_get_object (config, "thinkingConfig");
  char *wrong = strict_check_members (config, "generationConfig", config_members);

  if (wrong == NULL && thinking != NULL)
    wrong = strict_check_members (thinking, "thinkingConfig", thinking_members);
  return wrong;
}

char *
strict_gemini_check (const char *body, gsize length)
{
  g_autoptr (JsonNode) node = gadget_json_parse (body, length, NULL);
  JsonObject *root;
  JsonObject *system;
  char *wrong;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return strict_complain ("body", "not a JSON object");
  root = json_node_get_object (node);
  system = gadget_json_get_object (root, "systemInstruction");
  wrong = strict_check_members (root, "body", root_members);
  if (wrong == NULL && system != NULL)
    wrong = strict_check_members (system, "systemInstruction", system_members);
  if (wrong == NULL && system != NULL)
    wrong = check_parts (gadget_json_get_array (system, "parts"), FALSE);
  if (wrong == NULL)
    wrong = check_contents (gadget_json_get_array (root, "contents"));
  if (wrong == NULL && json_object_has_member (root, "tools"))
    wrong = check_tools (gadget_json_get_array (root, "tools"));
  if (wrong == NULL && json_object_has_member (root, "generationConfig"))
    wrong = check_config (gadget_json_get_object (root, "generationConfig"));
  return wrong;
}
