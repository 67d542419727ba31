/* SPDX-License-Identifier: GPL-3.0-or-later */

/* POST /v1/responses. Sources: the API reference ("Create a model response"), the guide "Reasoning
 * models", and the words of the API's refusals ("Item 'rs_…' of type 'reasoning' was provided
 * without its required following item", "No tool output found for function call", "No tool call
 * found for function call output with call_id", …). */

#include "config.h"

#include "strict-body.h"

#include "common/gadget-json.h"

#include <string.h>

#define MAX_CALL_ID 64
#define MAX_NAME 64

/* --- What the server gave -------------------------------------------------------------------- */

/* The words of its summary go with what is encrypted. */
static char *
dup_words (JsonObject *item)
{
  JsonArray *summary = gadget_json_get_array (item, "summary");
  GString *words = g_string_new (NULL);

  for (guint i = 0; summary != NULL && i < json_array_get_length (summary); i++)
    {
      const char *text = gadget_json_get_string (gadget_json_get_element (summary, i), "text");

      g_string_append_printf (words, "%s|", text != NULL ? text : "");
    }
  return g_string_free_and_steal (words);
}

static void
collect_item (JsonObject *item, GHashTable *issued)
{
  const char *encrypted = gadget_json_get_string (item, "encrypted_content");

  if (encrypted != NULL)
    g_hash_table_insert (issued, g_strdup (encrypted), dup_words (item));
}

static void
collect_response (JsonObject *response, GHashTable *issued)
{
  JsonArray *output = gadget_json_get_array (response, "output");

  for (guint i = 0; output != NULL && i < json_array_get_length (output); i++)
    collect_item (gadget_json_get_element (output, i), issued);
}

static void
collect_cb (JsonObject *event, gpointer user_data)
{
  if (g_strcmp0 (gadget_json_get_string (event, "type"), "response.output_item.done") == 0)
    collect_item (gadget_json_get_object (event, "item"), user_data);
  collect_response (gadget_json_get_object (event, "response"), user_data);
}

void
strict_responses_collect (const char *stream, gsize length, GHashTable *issued)
{
  g_autoptr (JsonNode) whole = gadget_json_parse (stream, length, NULL);

  if (whole != NULL && JSON_NODE_HOLDS_OBJECT (whole))
    collect_response (json_node_get_object (whole), issued);
  strict_each_event (stream, length, collect_cb, issued);
}

/* --- Items ----------------------------------------------------------------------------------- */

static gboolean
check_part (StrictBody *self, JsonObject *part, const char *text_type)
{
  const char *type = gadget_json_get_string (part, "type");

  if (g_strcmp0 (type, "input_image") == 0 && g_str_equal (text_type, "input_text"))
    return strict_has_only (self, part, "an image",
                            (const char *const[]) { "type", "image_url", "detail", NULL })
           && (strict_is_image_url (gadget_json_get_string (part, "image_url"))
               || strict_refuse (self, "an image is not one"));
  if (g_strcmp0 (type, text_type) != 0)
    return strict_refuse (self, "Invalid value: '%s'. Supported values are: '%s'", type, text_type);
  if (g_str_equal (text_type, "output_text") && gadget_json_get_array (part, "annotations") == NULL)
    return strict_refuse (self, "a text of the assistant lacks its annotations");
  return strict_has_only (self, part, "a text",
                          g_str_equal (text_type, "output_text")
                              ? (const char *const[]) { "type", "text", "annotations", NULL }
                              : (const char *const[]) { "type", "text", NULL })
         && (!strict_is_blank (gadget_json_get_string (part, "text"))
             || strict_refuse (self, "a text is empty"));
}

static gboolean
check_parts (StrictBody *self, JsonArray *parts, const char *text_type)
{
  if (parts == NULL || json_array_get_length (parts) == 0)
    return strict_refuse (self, "a message is empty");
  for (guint i = 0; i < json_array_get_length (parts); i++)
    if (!check_part (self, gadget_json_get_element (parts, i), text_type))
      return FALSE;
  return TRUE;
}

static gboolean
check_message (StrictBody *self, JsonObject *item)
{
  const char *role = gadget_json_get_string (item, "role");

  if (!strict_has_only (self, item, "a message",
                        (const char *const[]) { "type", "role", "content", NULL }))
    return FALSE;
  if (g_strcmp0 (role, "user") == 0)
    return check_parts (self, gadget_json_get_array (item, "content"), "input_text");
  if (g_strcmp0 (role, "assistant") == 0)
    return check_parts (self, gadget_json_get_array (item, "content"), "output_text");
  return strict_refuse (self, "a message has the role %s", role);
}

static gboolean
check_call (StrictBody *self, JsonObject *item)
{
  const char *id = gadget_json_get_string (item, "call_id");
  const char *arguments = gadget_json_get_string (item, "arguments");
  g_autoptr (JsonNode) parsed = NULL;

  if (!strict_has_only (self, item, "a function_call",
                        (const char *const[]) { "type", "call_id", "name", "arguments", NULL }))
    return FALSE;
  if (strict_is_blank (id) || strlen (id) > MAX_CALL_ID)
    return strict_refuse (self, "a call's id is too long, or empty");
  if (!strict_is_name (gadget_json_get_string (item, "name"), MAX_NAME))
    return strict_refuse (self, "a function's name does not match '^[a-zA-Z0-9_-]+$'");
  parsed = arguments != NULL ? gadget_json_parse (arguments, strlen (arguments), NULL) : NULL;
  if (parsed == NULL || !JSON_NODE_HOLDS_OBJECT (parsed))
    return strict_refuse (self, "arguments are not an object");
  if (!g_hash_table_add (self->seen, g_strdup (id)))
    return strict_refuse (self, "two calls have one id");
  g_hash_table_insert (self->open, g_strdup (id), g_strdup (""));
  return TRUE;
}

static gboolean
check_output (StrictBody *self, JsonObject *item)
{
  const char *id = gadget_json_get_string (item, "call_id");

  if (!strict_has_only (self, item, "a function_call_output",
                        (const char *const[]) { "type", "call_id", "output", NULL }))
    return FALSE;
  if (id == NULL || !g_hash_table_remove (self->open, id))
    return strict_refuse (self, "No tool call found for function call output with call_id %s", id);
  if (gadget_json_get_string (item, "output") != NULL)
    return TRUE;
  return check_parts (self, gadget_json_get_array (item, "output"), "input_text");
}

static gboolean
check_reasoning (StrictBody *self, JsonObject *item)
{
  const char *encrypted = gadget_json_get_string (item, "encrypted_content");
  g_autofree char *words = dup_words (item);
  const char *given;

  /* With an id the following item would need the one it had. */
  if (!strict_has_only (
          self, item, "a reasoning item",
          (const char *const[]) { "type", "summary", "encrypted_content", "", "content", NULL }))
    return FALSE;
  if (!json_object_has_member (self->root, "include"))
    return strict_refuse (self, "reasoning is not asked for");
  if (strict_is_blank (encrypted))
    return strict_refuse (self, "reasoning without encrypted content is not kept");
  if (self->issued == NULL)
    return TRUE;
  given = g_hash_table_lookup (self->issued, encrypted);
  if (given == NULL)
    return strict_refuse (self, "The encrypted content could not be verified");
  if (strcmp (given, words) != 0)
    return strict_refuse (self, "a reasoning item was changed");
  return TRUE;
}

/* Results come before the user's next words; calls without one may be followed by other calls and
 * results only. */
static gboolean
check_item (StrictBody *self, JsonObject *item, const char *before)
{
  const char *type = gadget_json_get_string (item, "type");
  const char *role = gadget_json_get_string (item, "role");

  if (g_strcmp0 (before, "reasoning") == 0
      && (g_strcmp0 (role, "user") == 0 || g_strcmp0 (type, "function_call_output") == 0))
    return strict_refuse (self,
                          "Item of type 'reasoning' was provided without its required following "
                          "item");
  if (g_strcmp0 (role, "user") == 0 && g_hash_table_size (self->open) > 0)
    return strict_refuse (self, "No tool output found for function call");
  if (g_strcmp0 (type, "message") == 0)
    return check_message (self, item);
  if (g_strcmp0 (type, "function_call") == 0)
    return check_call (self, item);
  if (g_strcmp0 (type, "function_call_output") == 0)
    return check_output (self, item);
  if (g_strcmp0 (type, "reasoning") == 0)
    return check_reasoning (self, item);
  return strict_refuse (self, "an item is of the type %s", type);
}

/* --- The rest -------------------------------------------------------------------------------- */

static gboolean
check_input (StrictBody *self)
{
  JsonArray *input = gadget_json_get_array (self->root, "input");
  const guint n = input != NULL ? json_array_get_length (input) : 0;
  const char *before = NULL;
  const char *role = NULL;

  if (n == 0)
    return strict_refuse (self, "nothing is asked");
  for (guint i = 0; i < n; i++)
    {
      JsonObject *item = gadget_json_get_element (input, i);

      if (!check_item (self, item, before))
        return FALSE;
      before = gadget_json_get_string (item, "type");
      role = gadget_json_get_string (item, "role");
      if (i == 0 && g_strcmp0 (role, "user") != 0)
        return strict_refuse (self, "the first item is not the user's");
    }
  if (g_hash_table_size (self->open) > 0)
    return strict_refuse (self, "No tool output found for function call");
  if (g_strcmp0 (before, "function_call_output") != 0 && g_strcmp0 (role, "user") != 0)
    return strict_refuse (self, "nothing is asked");
  return TRUE;
}

static gboolean
check_tools (StrictBody *self)
{
  JsonArray *tools = gadget_json_get_array (self->root, "tools");

  for (guint i = 0; tools != NULL && i < json_array_get_length (tools); i++)
    {
      JsonObject *tool = gadget_json_get_element (tools, i);
      JsonObject *schema = gadget_json_get_object (tool, "parameters");

      if (!strict_has_only (self, tool, "a tool",
                            (const char *const[]) { "type", "name", "parameters", "strict", "",
                                                    "description", NULL }))
        return FALSE;
      if (!strict_is_name (gadget_json_get_string (tool, "name"), MAX_NAME))
        return strict_refuse (self, "a function's name does not match '^[a-zA-Z0-9_-]+$'");
      if (g_strcmp0 (gadget_json_get_string (schema, "type"), "object") != 0
          || json_object_get_boolean_member (tool, "strict"))
        return strict_refuse (self, "Invalid schema for function");
    }
  return TRUE;
}

static gboolean
check (StrictBody *self)
{
  JsonArray *include = gadget_json_get_array (self->root, "include");

  if (!strict_has_only (self, self->root, "the request",
                        (const char *const[]) { "model", "input", "store", "", "include",
                                                "instructions", "reasoning", "stream", "tools",
                                                NULL }))
    return FALSE;
  if (json_object_get_boolean_member (self->root, "store"))
    return strict_refuse (self, "the server is to keep it");
  if (include != NULL
      && (json_array_get_length (include) != 1
          || g_strcmp0 (json_array_get_string_element (include, 0), "reasoning.encrypted_content")
                 != 0))
    return strict_refuse (self, "include is not known");
  return check_tools (self) && check_input (self);
}

char *
strict_responses (const char *body, gsize length, GHashTable *issued)
{
  return strict_run (body, length, issued, check);
}
