/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Source: Ollama's documentation ("API", "Tool calling", docs/openapi.yaml) and the types that its
 * server decodes a request into (api/types.go), where a member of another type is an error. */

#include "config.h"

#include "strict-ollama.h"

#include "common/gadget-json.h"
#include "strict-json.h"

#include <string.h>

typedef struct
{
  GQueue waiting; /* of const char: the names of calls that have no result yet */
} Check;

static const StrictMember root_members[] = {
  { "model", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "messages", JSON_NODE_ARRAY, G_TYPE_NONE, TRUE },
  { "tools", JSON_NODE_ARRAY, G_TYPE_NONE, FALSE },
  { "format", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "options", JSON_NODE_OBJECT, G_TYPE_NONE, FALSE },
  { "stream", JSON_NODE_VALUE, G_TYPE_BOOLEAN, FALSE },
  { "think", JSON_NODE_VALUE, G_TYPE_NONE, FALSE },
  { "keep_alive", JSON_NODE_VALUE, G_TYPE_NONE, FALSE },
  { "truncate", JSON_NODE_VALUE, G_TYPE_BOOLEAN, FALSE },
  { "shift", JSON_NODE_VALUE, G_TYPE_BOOLEAN, FALSE },
  { NULL },
};

static const StrictMember message_members[] = {
  { "role", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "content", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { "thinking", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { "images", JSON_NODE_ARRAY, G_TYPE_NONE, FALSE },
  { "tool_calls", JSON_NODE_ARRAY, G_TYPE_NONE, FALSE },
  { "tool_name", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { NULL },
};

static const StrictMember call_members[] = {
  { "type", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { "function", JSON_NODE_OBJECT, G_TYPE_NONE, TRUE },
  { NULL },
};

static const StrictMember call_function_members[] = {
  { "index", JSON_NODE_VALUE, G_TYPE_INT64, FALSE },
  { "name", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "arguments", JSON_NODE_OBJECT, G_TYPE_NONE, TRUE },
  { NULL },
};

static const StrictMember tool_members[] = {
  { "type", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "function", JSON_NODE_OBJECT, G_TYPE_NONE, TRUE },
  { NULL },
};

static const StrictMember tool_function_members[] = {
  { "name", JSON_NODE_VALUE, G_TYPE_STRING, TRUE },
  { "description", JSON_NODE_VALUE, G_TYPE_STRING, FALSE },
  { "parameters", JSON_NODE_OBJECT, G_TYPE_NONE, TRUE },
  { NULL },
};

static char *
check_calls (Check *check, JsonArray *calls)
{
  char *wrong = strict_check_array (calls, "tool_calls", JSON_NODE_OBJECT);

  if (wrong == NULL && json_array_get_length (calls) == 0)
    wrong = strict_complain ("tool_calls", "none in it");
  for (guint i = 0; wrong == NULL && i < json_array_get_length (calls); i++)
    {
      JsonObject *call = gadget_json_get_element (calls, i);
      JsonObject *function = gadget_json_get_object (call, "function");

      wrong = strict_check_members (call, "tool_calls", call_members);
      if (wrong == NULL)
        wrong = strict_check_members (function, "tool_calls.function", call_function_members);
      if (wrong == NULL)
        g_queue_push_tail (&check->waiting, (gpointer) gadget_json_get_string (function, "name"));
    }
  return wrong;
}

static gboolean
is_base64 (const char *text)
{
  const gsize length = strlen (text);
  const gsize body =
      strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

  return length > 0 && length % 4 == 0 && length - body <= 2
         && strspn (text + body, "=") == length - body;
}

static char *
check_images (JsonArray *images)
{
  for (guint i = 0; i < json_array_get_length (images); i++)
    {
      JsonNode *node = json_array_get_element (images, i);

      if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING
          || !is_base64 (json_node_get_string (node)))
        return strict_complain ("images", "not base64");
    }
  return NULL;
}

/* Results have no ids: they belong to the calls before them, in their order. */
static char *
check_result (Check *check, JsonObject *message)
{
  const char *name = gadget_json_get_string (message, "tool_name");
  const char *called = g_queue_pop_head (&check->waiting);

  if (name == NULL)
    return strict_complain ("messages", "a result has no “tool_name”");
  if (called == NULL)
    return strict_complain ("messages", "a result without a call");
  return strcmp (name, called) != 0 ? strict_complain ("messages", "a result of another tool")
                                    : NULL;
}

static char *
check_message (Check *check, JsonObject *message)
{
  char *wrong = strict_check_members (message, "messages", message_members);
  const char *role = gadget_json_get_string (message, "role");
  JsonArray *calls = gadget_json_get_array (message, "tool_calls");
  JsonArray *images = gadget_json_get_array (message, "images");
  const char *content = gadget_json_get_string (message, "content");
  const gboolean is_assistant = g_strcmp0 (role, "assistant") == 0;
  const gboolean is_tool = g_strcmp0 (role, "tool") == 0;

  if (wrong != NULL)
    return wrong;
  if (!is_assistant && !is_tool && g_strcmp0 (role, "user") != 0 && g_strcmp0 (role, "system") != 0)
    return strict_complain ("messages", "an unknown role");
  if (!is_assistant && (calls != NULL || json_object_has_member (message, "thinking")))
    return strict_complain ("messages", "only the assistant thinks and calls");
  if (is_tool)
    wrong = check_result (check, message);
  else if (json_object_has_member (message, "tool_name"))
    wrong = strict_complain ("messages", "“tool_name” outside of a result");
  else if (!g_queue_is_empty (&check->waiting))
    wrong = strict_complain ("messages", "a call has no result");
  else if (calls == NULL && images == NULL && (content == NULL || *content == '\0'))
    wrong = strict_complain ("messages", "one is empty");
  if (wrong == NULL && images != NULL)
    wrong = check_images (images);
  if (wrong == NULL && calls != NULL)
    wrong = check_calls (check, calls);
  return wrong;
}

static char *
check_messages (JsonArray *messages)
{
  Check check = { G_QUEUE_INIT };
  char *wrong = strict_check_array (messages, "messages", JSON_NODE_OBJECT);

  if (wrong == NULL && json_array_get_length (messages) == 0)
    wrong = strict_complain ("messages", "none in it");
  for (guint i = 0; wrong == NULL && i < json_array_get_length (messages); i++)
    wrong = check_message (&check, gadget_json_get_element (messages, i));
  if (wrong == NULL && !g_queue_is_empty (&check.waiting))
    wrong = strict_complain ("messages", "a call has no result");
  g_queue_clear (&check.waiting);
  return wrong;
}

static char *
check_tools (JsonArray *tools)
{
  char *wrong = strict_check_array (tools, "tools", JSON_NODE_OBJECT);

  for (guint i = 0; wrong == NULL && i < json_array_get_length (tools); i++)
    {
      JsonObject *tool = gadget_json_get_element (tools, i);
      JsonObject *function = gadget_json_get_object (tool, "function");
      JsonObject *parameters = gadget_json_get_object (function, "parameters");

      wrong = strict_check_members (tool, "tools", tool_members);
      if (wrong == NULL && g_strcmp0 (gadget_json_get_string (tool, "type"), "function") != 0)
        wrong = strict_complain ("tools", "not a function");
      if (wrong == NULL)
        wrong = strict_check_members (function, "tools.function", tool_function_members);
      if (wrong == NULL && gadget_json_get_string (parameters, "type") == NULL)
        wrong = strict_complain ("tools.function.parameters", "“type” is no text");
      if (wrong == NULL && json_object_has_member (parameters, "properties")
          && gadget_json_get_object (parameters, "properties") == NULL)
        wrong = strict_complain ("tools.function.parameters", "“properties” is no object");
    }
  return wrong;
}

static char *
check_think (JsonObject *root)
{
  static const char *const levels[] = { "low", "medium", "high", "max", NULL };
  JsonNode *think = json_object_get_member (root, "think");

  if (think == NULL || json_node_get_value_type (think) == G_TYPE_BOOLEAN)
    return NULL;
  if (json_node_get_value_type (think) == G_TYPE_STRING
      && g_strv_contains (levels, json_node_get_string (think)))
    return NULL;
  return strict_complain ("think", "neither a boolean nor a level");
}

char *
strict_ollama_check (const char *body, gsize length)
{
  g_autoptr (JsonNode) node = gadget_json_parse (body, length, NULL);
  JsonObject *root;
  char *wrong;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return strict_complain ("body", "not a JSON object");
  root = json_node_get_object (node);
  wrong = strict_check_members (root, "body", root_members);
  if (wrong == NULL && *gadget_json_get_string (root, "model") == '\0')
    wrong = strict_complain ("model", "is required");
  if (wrong == NULL)
    wrong = check_think (root);
  if (wrong == NULL)
    wrong = check_messages (gadget_json_get_array (root, "messages"));
  if (wrong == NULL && json_object_has_member (root, "tools"))
    wrong = check_tools (gadget_json_get_array (root, "tools"));
  return wrong;
}
