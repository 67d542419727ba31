/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that Claude exports ("conversations.json"). Anthropic does not describe the format.
 *
 * Older exports have a message in "text", newer ones in blocks, beside which "text" has the same
 * once more, with a note in place of what it cannot show; so it counts only without blocks. Newer
 * ones also say which message each follows on, of all branches; older ones have one branch. The
 * text of attached documents is there; other files are only named. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-formats.h"

static gboolean
is_chat (const GadgetImportValue *object)
{
  return _gadget_import_get_array (object, "chat_messages") != NULL;
}

static gboolean
read_chat (const GadgetImportContext *context, const GadgetImportValue *object,
           GadgetImportHeader *header, GadgetImportTree *tree)
{
  const GadgetImportValue *project = _gadget_import_get_object (object, "project");
  const GadgetImportValue *messages = _gadget_import_get_array (object, "chat_messages");
  const char *before = NULL;
  gboolean is_tree = FALSE;
  guint n = 0;

  *header = (GadgetImportHeader) {
    .source = "claude",
    .id = _gadget_import_get_string (object, "uuid"),
    .title = _gadget_import_get_string (object, "name"),
    .folder = _gadget_import_get_string (project, "name"),
    .model = _gadget_import_get_string (object, "model"),
    .current = _gadget_import_get_string (object, "current_leaf_message_uuid"),
    .created_at = _gadget_import_get_time (object, "created_at"),
    .updated_at = _gadget_import_get_time (object, "updated_at"),
    .pinned = _gadget_import_get_flag (object, "is_starred"),
  };
  for (const GadgetImportValue *message = messages->first; message != NULL && !is_tree;
       message = message->next)
    {
      is_tree = _gadget_import_get_string (message, "parent_message_uuid") != NULL;
      _gadget_import_memory_relax (context->memory);
    }
  for (const GadgetImportValue *message = messages->first; message != NULL; message = message->next)
    {
      const char *id = _gadget_import_get_string (message, "uuid");

      if (message->type != GADGET_IMPORT_OBJECT)
        continue;
      if (id == NULL)
        id = _gadget_import_memory_printf (context->memory, "message %u", n);
      n++;
      _gadget_import_tree_add (
          tree, id, is_tree ? _gadget_import_get_string (message, "parent_message_uuid") : before,
          _gadget_import_get_time (message, "created_at"), message);
      before = id;
    }
  return TRUE;
}

/* Returns the texts of blocks, or the text that is there instead of them. */
static const char *
make_text (GadgetImportMemory *memory, const GadgetImportValue *owner, const char *member)
{
  const GadgetImportValue *value = _gadget_import_get (owner, member);
  g_autoptr (GString) text = NULL;

  if (value == NULL || value->type == GADGET_IMPORT_STRING)
    return value != NULL ? value->text : "";
  text = g_string_new (NULL);
  for (const GadgetImportValue *block = _gadget_import_get_first (value); block != NULL;
       block = block->next)
    _gadget_import_append (text, _gadget_import_get_string (block, "text"));
  return _gadget_import_memory_dup (memory, text->str, (gssize) text->len);
}

/* Returns the arguments of a call. */
static const char *
make_input (GadgetImportMemory *memory, const GadgetImportValue *block)
{
  const GadgetImportValue *input = _gadget_import_get (block, "input");
  g_autoptr (GString) json = g_string_new (NULL);

  if (input != NULL)
    _gadget_import_write (input, json);
  return _gadget_import_memory_dup (memory, json->str, (gssize) json->len);
}

static void
add_block (GadgetImportMemory *memory, GadgetImportChat *chat, const char *id,
           const GadgetImportValue *block, gint64 time)
{
  const char *type = _gadget_import_get_string (block, "type");
  const char *name = _gadget_import_get_string (block, "name");

  if (g_strcmp0 (type, "text") == 0)
    _gadget_import_chat_add_item (chat, id, GADGET_ITEM_TEXT,
                                  _gadget_import_get_string (block, "text"), time);
  else if (g_strcmp0 (type, "thinking") == 0)
    _gadget_import_chat_add_item (chat, id, GADGET_ITEM_REASONING,
                                  _gadget_import_get_string (block, "thinking"), time);
  else if (g_strcmp0 (type, "tool_use") == 0)
    _gadget_import_chat_add_call (chat, id, _gadget_import_get_string (block, "id"), name,
                                  make_input (memory, block), time);
  else if (g_strcmp0 (type, "tool_result") == 0)
    _gadget_import_chat_add_output (chat, id, _gadget_import_get_string (block, "tool_use_id"),
                                    name, make_text (memory, block, "content"), time);
}

static void
attach (GadgetImportChat *chat, const GadgetImportValue *message)
{
  const GadgetImportValue *documents = _gadget_import_get_array (message, "attachments");
  const GadgetImportValue *files = _gadget_import_get_array (message, "files");

  for (const GadgetImportValue *document = _gadget_import_get_first (documents); document != NULL;
       document = document->next)
    _gadget_import_chat_attach_text (chat, _gadget_import_get_string (document, "file_name"),
                                     _gadget_import_get_string (document, "extracted_content"));
  for (const GadgetImportValue *file = _gadget_import_get_first (files); file != NULL;
       file = file->next)
    if (file->type == GADGET_IMPORT_OBJECT)
      _gadget_import_chat_attach_file (chat, _gadget_import_get_string (file, "file_name"),
                                       _gadget_import_get_string (file, "file_uuid"));
}

static void
add_message (const GadgetImportContext *context, GadgetImportChat *chat,
             const GadgetImportValue *message)
{
  const char *id = _gadget_import_get_string (message, "uuid");
  const char *sender = _gadget_import_get_string (message, "sender");
  const gint64 time = _gadget_import_get_time (message, "created_at");
  const GadgetImportValue *blocks =
      _gadget_import_get_first (_gadget_import_get_array (message, "content"));

  if (g_strcmp0 (sender, "human") == 0)
    {
      _gadget_import_chat_add_prompt (
          chat, id, make_text (context->memory, message, blocks != NULL ? "content" : "text"),
          time);
      attach (chat, message);
      return;
    }
  if (g_strcmp0 (sender, "assistant") != 0)
    return;
  if (blocks == NULL)
    _gadget_import_chat_add_item (chat, id, GADGET_ITEM_TEXT,
                                  _gadget_import_get_string (message, "text"), time);
  for (; blocks != NULL; blocks = blocks->next)
    add_block (context->memory, chat, id, blocks, time);
  attach (chat, message);
}

const GadgetImportFormat _gadget_import_claude = { is_chat, read_chat, add_message };
