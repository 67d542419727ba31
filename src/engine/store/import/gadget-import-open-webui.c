/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that Open WebUI exports ("Export Chats", or one chat as JSON).
 *
 * "chat.history" is a tree of messages by their ids, and "currentId" the last one of the branch
 * that was shown; answers of several models are children of the same message. Older versions had
 * only "chat.messages", a list, which newer ones have as well. Reasoning, calls of tools and code
 * that was run are parts of the text of an answer, as elements <details> on lines of their own. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-formats.h"

#define DETAILS "<details type=\""
#define DETAILS_END "</details>"

/* Returns the messages by their ids, which old versions do not have. */
static const GadgetImportValue *
get_tree (const GadgetImportValue *chat)
{
  return _gadget_import_get_object (_gadget_import_get_object (chat, "history"), "messages");
}

static gboolean
is_chat (const GadgetImportValue *object)
{
  const GadgetImportValue *chat = _gadget_import_get_object (object, "chat");

  return get_tree (chat) != NULL || _gadget_import_get_array (chat, "messages") != NULL;
}

static void
add_node (GadgetImportTree *tree, const char *id, const char *parent,
          const GadgetImportValue *message)
{
  _gadget_import_tree_add (tree, id, parent, _gadget_import_get_time (message, "timestamp"),
                           message);
}

static void
read_messages (const GadgetImportContext *context, const GadgetImportValue *chat,
               GadgetImportTree *tree)
{
  const GadgetImportValue *history = get_tree (chat);
  const char *before = NULL;
  guint n = 0;

  for (const GadgetImportValue *message = _gadget_import_get_first (history); message != NULL;
       message = message->next, n++)
    add_node (tree, message->name, _gadget_import_get_string (message, "parentId"), message);
  if (n > 0)
    return;
  for (const GadgetImportValue *message =
           _gadget_import_get_first (_gadget_import_get_array (chat, "messages"));
       message != NULL; message = message->next)
    {
      const char *id = _gadget_import_memory_printf (context->memory, "message %u", n++);

      add_node (tree, id, before, message);
      before = id;
    }
}

/* Returns the folder of a chat: exports do not name it, but may have tags. */
static const char *
get_tag (const GadgetImportValue *object, const GadgetImportValue *chat)
{
  const GadgetImportValue *tag = _gadget_import_get_first (
      _gadget_import_get_array (_gadget_import_get_object (object, "meta"), "tags"));

  if (tag == NULL)
    tag = _gadget_import_get_first (_gadget_import_get_array (chat, "tags"));
  return tag == NULL || tag->type == GADGET_IMPORT_STRING ? _gadget_import_to_string (tag)
                                                          : _gadget_import_get_string (tag, "name");
}

static gboolean
has_text (const char *text)
{
  return text != NULL && *text != '\0';
}

static gboolean
read_chat (const GadgetImportContext *context, const GadgetImportValue *object,
           GadgetImportHeader *header, GadgetImportTree *tree)
{
  const GadgetImportValue *chat = _gadget_import_get_object (object, "chat");
  const GadgetImportValue *params = _gadget_import_get_object (chat, "params");

  *header = (GadgetImportHeader) {
    .source = "open-webui",
    .id = _gadget_import_get_string (object, "id"),
    .title = _gadget_import_get_string (object, "title"),
    .folder = get_tag (object, chat),
    .current = _gadget_import_get_string (_gadget_import_get_object (chat, "history"), "currentId"),
    .created_at = _gadget_import_get_time (object, "created_at"),
    .updated_at = _gadget_import_get_time (object, "updated_at"),
    .archived = _gadget_import_get_flag (object, "archived"),
    .pinned = _gadget_import_get_flag (object, "pinned"),
    .has_instructions = has_text (_gadget_import_get_string (params, "system"))
                        || has_text (_gadget_import_get_string (chat, "system")),
  };
  if (header->id == NULL)
    header->id = _gadget_import_get_string (chat, "id");
  if (header->title == NULL)
    header->title = _gadget_import_get_string (chat, "title");
  if (header->created_at == 0)
    header->created_at = _gadget_import_get_time (chat, "timestamp");
  read_messages (context, chat, tree);
  return TRUE;
}

/* --- Parts of answers ------------------------------------------------------------------------- */

/* An element <details> in an answer. */
typedef struct
{
  GadgetImportMemory *memory;
  GadgetImportChat *chat;
  const char *message;
  gint64 time;
  const char *begin;
  const char *tag_end; /* where its first tag ends */
  const char *end;     /* where its last one begins */
} Element;

/* Returns the value of an attribute (nullable). */
static const char *
get_attribute (const Element *self, const char *name)
{
  static const char *const escapes[][2] = {
    { "&quot;", "\"" }, { "&#x27;", "'" }, { "&#39;", "'" },
    { "&lt;", "<" },    { "&gt;", ">" },   { "&amp;", "&" }
  };
  g_autofree char *begin = g_strdup_printf (" %s=\"", name);
  const char *value = g_strstr_len (self->begin, self->tag_end - self->begin, begin);
  const char *quote;
  g_autoptr (GString) text = NULL;

  if (value == NULL)
    return NULL;
  value += strlen (begin);
  quote = memchr (value, '"', (gsize) (self->tag_end - value));
  if (quote == NULL)
    return NULL;
  text = g_string_new_len (value, quote - value);
  for (guint i = 0; i < G_N_ELEMENTS (escapes); i++)
    g_string_replace (text, escapes[i][0], escapes[i][1], 0);
  return _gadget_import_memory_dup (self->memory, text->str, (gssize) text->len);
}

/* Returns the text that an attribute, which is JSON of a text or anything else, stands for. */
static const char *
get_value (const Element *self, const char *name)
{
  const char *json = get_attribute (self, name);
  const char *value;

  if (json == NULL || *json != '"')
    return json != NULL ? json : "";
  value = _gadget_import_to_string (
      _gadget_import_memory_parse_copy (self->memory, json, strlen (json)));
  return value != NULL ? value : json;
}

/* Returns what is in the element behind its summary, without the marks of a quotation. */
static const char *
get_content (const Element *self)
{
  const char *begin = self->tag_end + 1;
  const char *summary = g_strstr_len (begin, self->end - begin, "</summary>");
  g_autofree char *inner = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (summary != NULL)
    begin = summary + strlen ("</summary>");
  inner = g_strndup (begin, (gsize) (self->end - begin));
  lines = g_strsplit (g_strstrip (inner), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = lines[i];

      if (g_str_has_prefix (line, "&gt;"))
        line += strlen ("&gt;");
      else if (*line == '>')
        line++;
      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "",
                              line + (line != lines[i] && *line == ' '));
    }
  return _gadget_import_memory_dup (self->memory, text->str, (gssize) text->len);
}

/* Adds code that was run, without the fence around it. */
static void
add_code (const Element *self)
{
  g_autofree char *code = g_strdup (get_content (self));
  const char *output = get_attribute (self, "output");
  char *begin = code;

  if (g_str_has_prefix (code, "```"))
    {
      begin += strcspn (begin, "\n");
      begin += *begin == '\n';
      if (g_str_has_suffix (begin, "```"))
        begin[strlen (begin) - strlen ("```")] = '\0';
    }
  _gadget_import_chat_add_call (self->chat, self->message, NULL, "code_interpreter",
                                _gadget_import_memory_dup (self->memory, g_strchomp (begin), -1),
                                self->time);
  if (output != NULL)
    _gadget_import_chat_add_output (self->chat, self->message, NULL, NULL, output, self->time);
}

/* Adds what an element contains. Returns FALSE if it is none of those that are known. */
static gboolean
add_details (const Element *self)
{
  const char *type = get_attribute (self, "type");

  if (g_strcmp0 (type, "reasoning") == 0)
    _gadget_import_chat_add_item (self->chat, self->message, GADGET_ITEM_REASONING,
                                  get_content (self), self->time);
  else if (g_strcmp0 (type, "code_interpreter") == 0)
    add_code (self);
  else if (g_strcmp0 (type, "tool_calls") == 0)
    {
      const char *id = get_attribute (self, "id");

      _gadget_import_chat_add_call (self->chat, self->message, id, get_attribute (self, "name"),
                                    get_value (self, "arguments"), self->time);
      _gadget_import_chat_add_output (self->chat, self->message, id, NULL,
                                      get_value (self, "result"), self->time);
    }
  else
    return FALSE;
  return TRUE;
}

static void
add_text (const Element *self, const char *begin, const char *end)
{
  g_autofree char *text = g_strndup (begin, (gsize) (end - begin));

  _gadget_import_chat_add_item (self->chat, self->message, GADGET_ITEM_TEXT,
                                _gadget_import_memory_dup (self->memory, g_strstrip (text), -1),
                                self->time);
}

/* Finds the next line that begins with an element, from a line on, and that is not in a block of
 * code. Returns NULL if there is none. */
static const char *
find_element (const char *line)
{
  gboolean in_code = FALSE;

  while (line != NULL)
    {
      if (g_str_has_prefix (line, "```"))
        in_code = !in_code;
      else if (!in_code && g_str_has_prefix (line, DETAILS))
        return line;
      line = strchr (line, '\n');
      line = line != NULL ? line + 1 : NULL;
    }
  return NULL;
}

/* Adds the parts of an answer in their order. */
static void
add_answer (Element *self, const char *content)
{
  const char *from = content;
  const char *next = find_element (content);

  while (next != NULL)
    {
      self->begin = next;
      self->tag_end = strchr (next, '>');
      self->end = self->tag_end != NULL ? strstr (self->tag_end, DETAILS_END) : NULL;
      if (self->end == NULL)
        break;
      next = self->end + strlen (DETAILS_END);
      add_text (self, from, self->begin);
      from = add_details (self) ? next : self->begin;
      next += strspn (next, "\n");
      next = find_element (next);
    }
  add_text (self, from, content + strlen (content));
}

/* --- Messages --------------------------------------------------------------------------------- */

/* An image is there as a "data:" URL, or only on the server; of a document there is its text. */
static void
attach (GadgetImportChat *chat, const GadgetImportValue *message)
{
  for (const GadgetImportValue *file =
           _gadget_import_get_first (_gadget_import_get_array (message, "files"));
       file != NULL; file = file->next)
    {
      const GadgetImportValue *inner = _gadget_import_get_object (file, "file");
      const char *name = _gadget_import_get_string (file, "name");
      const char *url = _gadget_import_get_string (file, "url");
      const char *text =
          _gadget_import_get_string (_gadget_import_get_object (inner, "data"), "content");

      if (name == NULL || *name == '\0')
        name = _gadget_import_get_string (inner, "filename");
      if (text != NULL && *text != '\0')
        _gadget_import_chat_attach_text (chat, name, text);
      else if (url != NULL && g_str_has_prefix (url, "data:"))
        _gadget_import_chat_attach_base64 (chat, name, url);
      else if (file->type == GADGET_IMPORT_OBJECT)
        _gadget_import_chat_attach_file (chat, name, _gadget_import_get_string (file, "id"));
    }
}

static void
add_message (const GadgetImportContext *context, GadgetImportChat *chat,
             const GadgetImportValue *message)
{
  const char *id = _gadget_import_get_string (message, "id");
  const char *role = _gadget_import_get_string (message, "role");
  const char *content = _gadget_import_get_string (message, "content");
  const char *failure =
      _gadget_import_get_string (_gadget_import_get_object (message, "error"), "content");
  const gint64 time = _gadget_import_get_time (message, "timestamp");
  Element element = { context->memory, chat, id, time, NULL, NULL, NULL };

  if (g_strcmp0 (role, "user") == 0)
    _gadget_import_chat_add_prompt (chat, id, content, time);
  else if (g_strcmp0 (role, "assistant") == 0)
    {
      add_answer (&element, content != NULL ? content : "");
      _gadget_import_chat_add_item (chat, id, GADGET_ITEM_NOTE, failure, time);
      _gadget_import_chat_set_model (chat, _gadget_import_get_string (message, "model"));
    }
  else
    return;
  attach (chat, message);
}

const GadgetImportFormat _gadget_import_open_webui = { is_chat, read_chat, add_message };
