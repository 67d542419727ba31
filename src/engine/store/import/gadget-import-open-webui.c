/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that Open WebUI exports ("Export Chats", or one chat as JSON).
 *
 * "chat.history" is a tree of messages by their ids, and "currentId" the last one of the branch
 * that was shown. Older versions had only "chat.messages", a list. Reasoning and calls of tools are
 * parts of the text of an answer, as elements <details>. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-formats.h"

#include "common/gadget-json.h"

#define SOURCE "open-webui"

#define DETAILS "<details type=\""
#define DETAILS_END "</details>"

/* Returns the messages by their ids, which old versions do not have. */
static JsonObject *
get_tree (JsonObject *chat)
{
  return gadget_json_get_object (gadget_json_get_object (chat, "history"), "messages");
}

gboolean
_gadget_import_is_open_webui (JsonObject *object)
{
  JsonObject *chat = gadget_json_get_object (object, "chat");

  return get_tree (chat) != NULL || gadget_json_get_array (chat, "messages") != NULL;
}

/* --- Parts of answers ------------------------------------------------------------------------- */

/* Returns the value of an attribute of the element that begins at @element and whose first tag ends
 * at @end (transfer full) (nullable). */
static char *
dup_attribute (const char *element, const char *end, const char *name)
{
  static const char *const escapes[][2] = {
    { "&quot;", "\"" }, { "&#x27;", "'" }, { "&#39;", "'" },
    { "&lt;", "<" },    { "&gt;", ">" },   { "&amp;", "&" }
  };
  g_autofree char *begin = g_strdup_printf (" %s=\"", name);
  const char *value = g_strstr_len (element, end - element, begin);
  const char *quote;
  g_autoptr (GString) text = NULL;

  if (value == NULL)
    return NULL;
  value += strlen (begin);
  quote = memchr (value, '"', (gsize) (end - value));
  if (quote == NULL)
    return NULL;
  text = g_string_new_len (value, quote - value);
  for (guint i = 0; i < G_N_ELEMENTS (escapes); i++)
    g_string_replace (text, escapes[i][0], escapes[i][1], 0);
  return g_strdup (text->str);
}

/* Returns the text that a value, which is JSON of a text or anything else, stands for (transfer
 * full). */
static char *
dup_value (const char *json)
{
  g_autoptr (JsonNode) node = json != NULL ? gadget_json_parse (json, strlen (json), NULL) : NULL;

  if (node != NULL && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  return g_strdup (json != NULL ? json : "");
}

/* Returns the lines of a quotation, behind the summary of the element (transfer full). */
static char *
dup_reasoning (const char *begin, const char *end)
{
  const char *summary = g_strstr_len (begin, end - begin, "</summary>");
  g_autofree char *inner = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (summary != NULL)
    begin = summary + strlen ("</summary>");
  inner = g_strndup (begin, (gsize) (end - begin));
  lines = g_strsplit (g_strstrip (inner), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = lines[i];

      if (g_str_has_prefix (line, "&gt;"))
        line += strlen ("&gt;");
      else if (*line == '>')
        line++;
      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line + (*line == ' '));
    }
  return g_strdup (text->str);
}

/* Adds what an element contains. Returns FALSE if it is none of those that are known. */
static gboolean
add_details (GadgetImportChat *chat, const char *id, const char *element, const char *tag_end,
             const char *end, gint64 time)
{
  g_autofree char *type = dup_attribute (element, tag_end, "type");

  if (g_strcmp0 (type, "reasoning") == 0)
    {
      g_autofree char *text = dup_reasoning (tag_end + 1, end);

      _gadget_import_chat_add_item (chat, id, GADGET_ITEM_REASONING, text, time);
    }
  else if (g_strcmp0 (type, "tool_calls") == 0)
    {
      g_autofree char *call_id = dup_attribute (element, tag_end, "id");
      g_autofree char *name = dup_attribute (element, tag_end, "name");
      g_autofree char *arguments = dup_attribute (element, tag_end, "arguments");
      g_autofree char *result = dup_attribute (element, tag_end, "result");
      g_autofree char *given = dup_value (arguments);
      g_autofree char *output = dup_value (result);
      JsonObject *call = _gadget_import_chat_add_call (chat, id, call_id,
                                                       name != NULL ? name : "tool", given, time);

      _gadget_import_chat_add_output (chat, call, output, time);
    }
  else
    return FALSE;
  return TRUE;
}

static void
add_text (GadgetImportChat *chat, const char *id, const char *begin, const char *end, gint64 time)
{
  g_autofree char *text = g_strndup (begin, (gsize) (end - begin));

  _gadget_import_chat_add_item (chat, id, GADGET_ITEM_TEXT, g_strstrip (text), time);
}

/* Adds the parts of an answer in their order. */
static void
add_answer (GadgetImportChat *chat, const char *id, const char *content, gint64 time)
{
  const char *from = content;
  const char *at = content;

  while ((at = strstr (at, DETAILS)) != NULL)
    {
      const char *tag_end = strchr (at, '>');
      const char *end = tag_end != NULL ? strstr (tag_end, DETAILS_END) : NULL;

      if (end == NULL)
        break;
      add_text (chat, id, from, at, time);
      from = at;
      at = end + strlen (DETAILS_END);
      if (add_details (chat, id, from, tag_end, end, time))
        from = at;
    }
  add_text (chat, id, from, content + strlen (content), time);
}

/* --- Messages --------------------------------------------------------------------------------- */

static void
attach (GadgetImportChat *chat, JsonObject *message)
{
  JsonArray *files = gadget_json_get_array (message, "files");

  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonObject *file = gadget_json_get_element (files, i);
      const char *name = gadget_json_get_string (file, "name");

      if (file != NULL)
        _gadget_import_chat_attach (chat, name != NULL && *name != '\0' ? name : "picture", NULL);
    }
}

static void
add_message (GadgetImportChat *chat, JsonObject *message)
{
  const char *id = gadget_json_get_string (message, "id");
  const char *role = gadget_json_get_string (message, "role");
  const char *content = gadget_json_get_string (message, "content");
  const char *failure =
      gadget_json_get_string (gadget_json_get_object (message, "error"), "content");
  const gint64 time = _gadget_import_get_time (message, "timestamp");

  if (content == NULL)
    content = "";
  if (g_strcmp0 (role, "user") == 0)
    _gadget_import_chat_add_prompt (chat, id, content, time);
  else if (g_strcmp0 (role, "assistant") == 0)
    {
      add_answer (chat, id, content, time);
      if (failure != NULL)
        _gadget_import_chat_add_item (chat, id, GADGET_ITEM_NOTE, failure, time);
      _gadget_import_chat_set_model (chat, gadget_json_get_string (message, "model"));
    }
  else
    return;
  attach (chat, message);
}

static void
add_messages (GadgetImportChat *chat, JsonObject *object)
{
  JsonObject *tree = get_tree (object);
  JsonArray *list = gadget_json_get_array (object, "messages");
  const char *id = gadget_json_get_string (gadget_json_get_object (object, "history"), "currentId");
  g_autoptr (GPtrArray) branch = g_ptr_array_new ();

  /* A circle ends after as many messages as there are. */
  while (id != NULL && tree != NULL && branch->len < json_object_get_size (tree))
    {
      JsonObject *message = gadget_json_get_object (tree, id);

      if (message == NULL)
        break;
      g_ptr_array_add (branch, message);
      id = gadget_json_get_string (message, "parentId");
    }
  for (guint i = branch->len; i > 0; i--)
    add_message (chat, g_ptr_array_index (branch, i - 1));
  for (guint i = 0; branch->len == 0 && list != NULL && i < json_array_get_length (list); i++)
    add_message (chat, gadget_json_get_element (list, i));
}

GadgetImportChat *
_gadget_import_convert_open_webui (JsonObject *object)
{
  JsonObject *inner = gadget_json_get_object (object, "chat");
  const char *id = gadget_json_get_string (object, "id");
  const char *title = gadget_json_get_string (object, "title");
  gint64 created_at = _gadget_import_get_time (object, "created_at");
  GadgetImportChat *chat;

  if (id == NULL)
    id = gadget_json_get_string (inner, "id");
  if (id == NULL || inner == NULL)
    return NULL;
  if (title == NULL)
    title = gadget_json_get_string (inner, "title");
  if (created_at == 0)
    created_at = _gadget_import_get_time (inner, "timestamp");
  chat = _gadget_import_chat_new (SOURCE, id, title, created_at,
                                  _gadget_import_get_time (object, "updated_at"));
  if (gadget_json_get_flag (object, "archived"))
    _gadget_import_chat_set_flag (chat, "archived");
  if (gadget_json_get_flag (object, "pinned"))
    _gadget_import_chat_set_flag (chat, "pinned");
  add_messages (chat, inner);
  return chat;
}
