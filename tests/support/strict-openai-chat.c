/* SPDX-License-Identifier: GPL-3.0-or-later */

/* POST /v1/chat/completions, as the strictest of its servers take it. Sources: the API reference
 * ("Create chat completion"), the words of the API's refusals ("An assistant message with
 * 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'", …), and the
 * chat templates that insist on roles that alternate. */

#include "config.h"

#include "strict-body.h"

#include "common/gadget-json.h"

#include <string.h>

#define MAX_CALL_ID 40

static gboolean
check_call (StrictBody *self, JsonObject *call)
{
  JsonObject *function = gadget_json_get_object (call, "function");
  const char *id = gadget_json_get_string (call, "id");
  const char *arguments = gadget_json_get_string (function, "arguments");
  g_autoptr (JsonNode) parsed = NULL;

  if (!strict_has_only (self, call, "a call",
                        (const char *const[]) { "id", "type", "function", NULL })
      || !strict_has_only (self, function, "a call's function",
                           (const char *const[]) { "name", "arguments", NULL }))
    return FALSE;
  if (strict_is_blank (id) || strlen (id) > MAX_CALL_ID)
    return strict_refuse (self, "a call's id is too long, or empty");
  if (g_strcmp0 (gadget_json_get_string (call, "type"), "function") != 0)
    return strict_refuse (self, "a call is not of a function");
  if (!strict_is_name (gadget_json_get_string (function, "name"), 64))
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
check_assistant (StrictBody *self, JsonObject *message)
{
  JsonArray *calls = gadget_json_get_array (message, "tool_calls");
  const char *content = gadget_json_get_string (message, "content");

  if (!strict_has_only (self, message, "an assistant's message",
                        (const char *const[]) { "role", "content", "", "tool_calls", NULL }))
    return FALSE;
  if (json_object_has_member (message, "tool_calls")
      && (calls == NULL || json_array_get_length (calls) == 0))
    return strict_refuse (self, "tool_calls is empty");
  if (strict_is_blank (content) && (calls == NULL || content != NULL))
    return strict_refuse (self, "an assistant's message is empty");
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++)
    if (!check_call (self, gadget_json_get_element (calls, i)))
      return FALSE;
  return TRUE;
}

static gboolean
check_tool (StrictBody *self, JsonObject *message)
{
  const char *id = gadget_json_get_string (message, "tool_call_id");

  if (!strict_has_only (self, message, "a tool's message",
                        (const char *const[]) { "role", "tool_call_id", "content", NULL }))
    return FALSE;
  if (gadget_json_get_string (message, "content") == NULL)
    return strict_refuse (self, "a tool's message has no words");
  if (id == NULL || !g_hash_table_remove (self->open, id))
    return strict_refuse (
        self, "messages with role 'tool' must be a response to a preceding 'tool_calls'");
  return TRUE;
}

static gboolean
check_parts (StrictBody *self, JsonArray *parts)
{
  if (parts == NULL || json_array_get_length (parts) == 0)
    return strict_refuse (self, "a user's message is empty");
  for (guint i = 0; i < json_array_get_length (parts); i++)
    {
      JsonObject *part = gadget_json_get_element (parts, i);
      JsonObject *image = gadget_json_get_object (part, "image_url");

      if (g_strcmp0 (gadget_json_get_string (part, "type"), "image_url") == 0)
        {
          if (!strict_has_only (self, part, "an image",
                                (const char *const[]) { "type", "image_url", NULL })
              || !strict_is_image_url (gadget_json_get_string (image, "url")))
            return strict_refuse (self, "an image is not one");
        }
      else if (!strict_has_only (self, part, "a part",
                                 (const char *const[]) { "type", "text", NULL })
               || strict_is_blank (gadget_json_get_string (part, "text")))
        return strict_refuse (self, "a part of a user's message is empty");
    }
  return TRUE;
}

static gboolean
check_user (StrictBody *self, JsonObject *message)
{
  const char *text = gadget_json_get_string (message, "content");

  if (!strict_has_only (self, message, "a user's message",
                        (const char *const[]) { "role", "content", NULL }))
    return FALSE;
  if (text != NULL)
    return !strict_is_blank (text) || strict_refuse (self, "a user's message is empty");
  return check_parts (self, gadget_json_get_array (message, "content"));
}

static gboolean
check_message (StrictBody *self, JsonObject *message, const char *before, guint index)
{
  const char *role = gadget_json_get_string (message, "role");

  if (g_strcmp0 (role, "tool") == 0)
    return check_tool (self, message);
  if (g_hash_table_size (self->open) > 0)
    return strict_refuse (self, "An assistant message with 'tool_calls' must be followed by tool "
                                "messages responding to each 'tool_call_id'");
  if (g_strcmp0 (role, "system") == 0)
    return index == 0 || strict_refuse (self, "the system's message is not the first");
  if (g_strcmp0 (role, before) == 0)
    return strict_refuse (self, "roles must alternate");
  if (g_strcmp0 (role, "user") == 0)
    return check_user (self, message);
  if (g_strcmp0 (role, "assistant") == 0 && before != NULL && !g_str_equal (before, "system"))
    return check_assistant (self, message);
  return strict_refuse (self, "a message has the role %s", role);
}

static gboolean
check_tools (StrictBody *self)
{
  JsonArray *tools = gadget_json_get_array (self->root, "tools");

  if (!json_object_has_member (self->root, "tools"))
    return TRUE;
  if (tools == NULL || json_array_get_length (tools) == 0)
    return strict_refuse (self, "[] is too short - 'tools'");
  for (guint i = 0; i < json_array_get_length (tools); i++)
    {
      JsonObject *tool = gadget_json_get_element (tools, i);
      JsonObject *function = gadget_json_get_object (tool, "function");

      if (!strict_has_only (self, tool, "a tool",
                            (const char *const[]) { "type", "function", NULL })
          || !strict_has_only (
              self, function, "a function",
              (const char *const[]) { "name", "", "description", "parameters", NULL }))
        return FALSE;
      if (!strict_is_name (gadget_json_get_string (function, "name"), 64))
        return strict_refuse (self, "a function's name does not match '^[a-zA-Z0-9_-]+$'");
    }
  return TRUE;
}

static gboolean
check (StrictBody *self)
{
  JsonArray *messages = gadget_json_get_array (self->root, "messages");
  const guint n = messages != NULL ? json_array_get_length (messages) : 0;
  const char *before = NULL;

  if (!strict_has_only (self, self->root, "the request",
                        (const char *const[]) { "model", "messages", "", "stream", "stream_options",
                                                "tools", NULL })
      || !check_tools (self))
    return FALSE;
  if (n == 0)
    return strict_refuse (self, "[] is too short - 'messages'");
  for (guint i = 0; i < n; i++)
    {
      JsonObject *message = gadget_json_get_element (messages, i);

      if (!check_message (self, message, before, i))
        return FALSE;
      before = gadget_json_get_string (message, "role");
    }
  if (g_hash_table_size (self->open) > 0)
    return strict_refuse (self, "the last calls have no results");
  if (g_strcmp0 (before, "assistant") == 0 || g_strcmp0 (before, "system") == 0)
    return strict_refuse (self, "nothing is asked");
  return TRUE;
}

char *
strict_openai_chat (const char *body, gsize length, GHashTable *issued)
{
  return strict_run (body, length, issued, check);
}
