/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that Claude exports ("conversations.json"). Anthropic does not describe the format.
 *
 * A chat has its messages in their order. Older exports have a message in "text", newer ones in
 * blocks, beside which "text" has the same once more, with a note in place of what it cannot show;
 * so it counts only without blocks. The text of attached documents is there; files are only named.
 */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include "gadget-import-formats.h"

#include "common/gadget-json.h"

#define SOURCE "claude"

gboolean
_gadget_import_is_claude (JsonObject *object)
{
  return gadget_json_get_array (object, "chat_messages") != NULL;
}

static void
append (GString *text, const char *more)
{
  if (more == NULL || *more == '\0')
    return;
  if (text->len > 0)
    g_string_append (text, "\n\n");
  g_string_append (text, more);
}

/* Returns the texts of blocks, or the text that is there instead of them (transfer full). */
static char *
dup_texts (JsonObject *owner, const char *member)
{
  JsonArray *blocks = gadget_json_get_array (owner, member);
  g_autoptr (GString) text = g_string_new (gadget_json_get_string (owner, member));

  for (guint i = 0; blocks != NULL && i < json_array_get_length (blocks); i++)
    append (text, gadget_json_get_string (gadget_json_get_element (blocks, i), "text"));
  return g_strdup (text->str);
}

/* Returns the arguments of a call (transfer full). */
static char *
dup_input (JsonObject *block)
{
  JsonNode *node = json_object_get_member (block, "input");

  return node != NULL ? json_to_string (node, FALSE) : g_strdup ("");
}

static void
add_block (GadgetImportChat *chat, const char *id, JsonObject *block, JsonObject **call,
           gint64 time)
{
  const char *type = gadget_json_get_string (block, "type");
  const char *name = gadget_json_get_string (block, "name");

  if (g_strcmp0 (type, "text") == 0)
    {
      const char *text = gadget_json_get_string (block, "text");

      _gadget_import_chat_add_item (chat, id, GADGET_ITEM_TEXT, text != NULL ? text : "", time);
    }
  else if (g_strcmp0 (type, "thinking") == 0)
    {
      const char *text = gadget_json_get_string (block, "thinking");

      _gadget_import_chat_add_item (chat, id, GADGET_ITEM_REASONING, text != NULL ? text : "",
                                    time);
    }
  else if (g_strcmp0 (type, "tool_use") == 0)
    {
      g_autofree char *input = dup_input (block);

      *call = _gadget_import_chat_add_call (chat, id, gadget_json_get_string (block, "id"),
                                            name != NULL ? name : "tool", input, time);
    }
  else if (g_strcmp0 (type, "tool_result") == 0)
    {
      g_autofree char *output = dup_texts (block, "content");

      if (*call == NULL)
        *call = _gadget_import_chat_add_call (chat, id, gadget_json_get_string (block, "id"),
                                              name != NULL ? name : "tool", "", time);
      _gadget_import_chat_add_output (chat, *call, output, time);
    }
}

static void
attach (GadgetImportChat *chat, JsonObject *message)
{
  JsonArray *documents = gadget_json_get_array (message, "attachments");
  JsonArray *files = gadget_json_get_array (message, "files");

  for (guint i = 0; documents != NULL && i < json_array_get_length (documents); i++)
    {
      JsonObject *document = gadget_json_get_element (documents, i);
      const char *name = gadget_json_get_string (document, "file_name");

      _gadget_import_chat_attach (chat, name != NULL && *name != '\0' ? name : "text.txt",
                                  gadget_json_get_string (document, "extracted_content"));
    }
  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      const char *name = gadget_json_get_string (gadget_json_get_element (files, i), "file_name");

      if (name != NULL)
        _gadget_import_chat_attach (chat, name, NULL);
    }
}

static void
add_message (GadgetImportChat *chat, JsonObject *message, const char *model)
{
  const char *id = gadget_json_get_string (message, "uuid");
  const char *sender = gadget_json_get_string (message, "sender");
  const gint64 time = _gadget_import_get_time (message, "created_at");
  JsonArray *blocks = gadget_json_get_array (message, "content");
  const guint n_blocks = blocks != NULL ? json_array_get_length (blocks) : 0;
  const char *text = gadget_json_get_string (message, "text");
  JsonObject *call = NULL;

  if (g_strcmp0 (sender, "human") == 0)
    {
      g_autofree char *prompt = dup_texts (message, n_blocks > 0 ? "content" : "text");

      _gadget_import_chat_add_prompt (chat, id, prompt, time);
      attach (chat, message);
      return;
    }
  if (g_strcmp0 (sender, "assistant") != 0)
    return;
  for (guint i = 0; i < n_blocks; i++)
    add_block (chat, id, gadget_json_get_element (blocks, i), &call, time);
  if (n_blocks == 0 && text != NULL)
    _gadget_import_chat_add_item (chat, id, GADGET_ITEM_TEXT, text, time);
  _gadget_import_chat_set_model (chat, model);
}

/* Returns the messages to add (element-type JsonObject). Where messages name those that they follow
 * on, these are the ones of the branch that was shown, or else of the last message. */
static GPtrArray *
find_branch (JsonObject *object, JsonArray *messages)
{
  const guint n = json_array_get_length (messages);
  g_autoptr (GHashTable) by_id = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *branch = g_ptr_array_new ();
  const char *id = gadget_json_get_string (object, "current_leaf_message_uuid");
  JsonObject *last = NULL;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *message = gadget_json_get_element (messages, i);
      const char *uuid = gadget_json_get_string (message, "uuid");

      if (message == NULL)
        continue;
      last = message;
      g_ptr_array_add (branch, message);
      if (uuid != NULL)
        g_hash_table_insert (by_id, (gpointer) uuid, message);
    }
  if (last == NULL || gadget_json_get_string (last, "parent_message_uuid") == NULL)
    return branch;
  g_ptr_array_set_size (branch, 0);
  if (id == NULL || !g_hash_table_contains (by_id, id))
    id = gadget_json_get_string (last, "uuid");
  while (id != NULL && branch->len < n && g_hash_table_contains (by_id, id))
    {
      JsonObject *message = g_hash_table_lookup (by_id, id);

      g_ptr_array_add (branch, message);
      id = gadget_json_get_string (message, "parent_message_uuid");
    }
  for (guint i = 0; i < branch->len / 2; i++)
    {
      gpointer *low = &g_ptr_array_index (branch, i);
      gpointer *high = &g_ptr_array_index (branch, branch->len - 1 - i);
      gpointer other = *low;

      *low = *high;
      *high = other;
    }
  return branch;
}

GadgetImportChat *
_gadget_import_convert_claude (JsonObject *object)
{
  const char *id = gadget_json_get_string (object, "uuid");
  const char *folder = gadget_json_get_string (gadget_json_get_object (object, "project"), "name");
  g_autoptr (GPtrArray) branch = NULL;
  GadgetImportChat *chat;

  if (id == NULL)
    return NULL;
  chat = _gadget_import_chat_new (SOURCE, id, gadget_json_get_string (object, "name"),
                                  _gadget_import_get_time (object, "created_at"),
                                  _gadget_import_get_time (object, "updated_at"));
  if (gadget_json_get_flag (object, "is_starred"))
    _gadget_import_chat_set_flag (chat, "pinned");
  if (folder != NULL)
    _gadget_import_chat_set_folder (chat, folder);
  branch = find_branch (object, gadget_json_get_array (object, "chat_messages"));
  for (guint i = 0; i < branch->len; i++)
    add_message (chat, g_ptr_array_index (branch, i), gadget_json_get_string (object, "model"));
  return chat;
}
