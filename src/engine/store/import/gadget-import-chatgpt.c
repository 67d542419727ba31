/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that ChatGPT exports ("conversations.json"). OpenAI does not describe the format; this
 * follows exports from 2023 to 2026.
 *
 * "mapping" is a tree of messages by their ids, and "current_node" the last message of the branch
 * that was shown. A message has an author with a role, and contents of many types; what its
 * recipient is, if not "all", is a tool that the model called, and a message of the role "tool" is
 * its output. Messages of the system, memories, instructions of the user and what the page hides
 * are none of the chat. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-formats.h"

#include "common/gadget-json.h"

#define SOURCE "chatgpt"

/* Between these are marks of citations, in characters for private use. */
#define MARK_BEGIN "\xee\x88\x80" /* U+E200 */
#define MARK_END "\xee\x88\x81"   /* U+E201 */
/* The longest mark, and how many references to pages a message may have; hostile files are not
 * worth more time. */
#define MAX_MARK 4000
#define MAX_REFERENCES 1000

/* What is known of the chat while its messages are added. */
typedef struct
{
  GadgetImportChat *chat;
  JsonObject *call; /* (nullable): the last call, whose output may follow */
} Conversion;

gboolean
_gadget_import_is_chatgpt (JsonObject *object)
{
  return gadget_json_get_object (object, "mapping") != NULL;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* Returns the text of a link in Markdown, NULL if the address is not one of the web (transfer
 * full). */
static char *
dup_link (const char *title, const char *url)
{
  g_autofree char *label = NULL;

  if (url == NULL || !(g_str_has_prefix (url, "https://") || g_str_has_prefix (url, "http://"))
      || strpbrk (url, " <>\n\r\t") != NULL)
    return NULL;
  label = g_strdelimit (g_strdup (title != NULL && *title != '\0' ? title : url), "[]\r\n", ' ');
  return g_strdup_printf ("[%s](<%s>)", label, url);
}

/* Returns the links of a reference, after each other (transfer full). */
static char *
dup_links (JsonObject *reference)
{
  JsonArray *items = gadget_json_get_array (reference, "items");
  g_autoptr (GString) links = g_string_new (NULL);
  g_autofree char *own = dup_link (gadget_json_get_string (reference, "title"),
                                   gadget_json_get_string (reference, "url"));

  if (own != NULL)
    return g_steal_pointer (&own);
  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonObject *item = gadget_json_get_element (items, i);
      g_autofree char *link =
          dup_link (gadget_json_get_string (item, "title"), gadget_json_get_string (item, "url"));

      if (link != NULL)
        g_string_append_printf (links, "%s%s", links->len > 0 ? " " : "", link);
    }
  return g_strdup (links->str);
}

/* Replaces what refers to a page by a link. */
static void
replace_references (GString *text, JsonObject *metadata)
{
  JsonArray *references = gadget_json_get_array (metadata, "content_references");

  for (guint i = 0;
       references != NULL && i < MIN (json_array_get_length (references), MAX_REFERENCES); i++)
    {
      JsonObject *reference = gadget_json_get_element (references, i);
      const char *matched = gadget_json_get_string (reference, "matched_text");
      g_autofree char *links = NULL;

      /* Other texts than marks are words of the answer. */
      if (matched == NULL
          || !(strstr (matched, MARK_BEGIN) != NULL || g_str_has_prefix (matched, "【")))
        continue;
      links = dup_links (reference);
      if (*links != '\0')
        g_string_replace (text, matched, links, 0);
    }
}

/* Returns the end of the mark at @at: of one for private use, or of one like 【3†source】. Returns
 * @at if there is no mark. */
static const char *
find_mark_end (const char *at)
{
  const char *dagger = at + strlen ("【");
  const char *end = NULL;

  if (g_str_has_prefix (at, "\xee\x88"))
    {
      if (g_str_has_prefix (at, MARK_BEGIN))
        end = g_strstr_len (at, MAX_MARK, MARK_END);
      return end != NULL ? end + strlen (MARK_END) : g_utf8_next_char (at);
    }
  if (!g_str_has_prefix (at, "【"))
    return at;
  dagger += strspn (dagger, "0123456789:");
  if (g_str_has_prefix (dagger, "†"))
    end = g_strstr_len (dagger, MAX_MARK, "】");
  return end != NULL ? end + strlen ("】") : at;
}

/* Removes the marks that are left, each with a space before it. */
static void
remove_marks (GString *text)
{
  g_autofree char *old = NULL;

  if (strstr (text->str, "\xee\x88") == NULL && strstr (text->str, "†") == NULL)
    return;
  old = g_strdup (text->str);
  g_string_truncate (text, 0);
  for (const char *at = old; *at != '\0';)
    {
      const char *end = find_mark_end (at);

      if (end == at)
        g_string_append_c (text, *at++);
      else if (text->len > 0 && text->str[text->len - 1] == ' ')
        g_string_truncate (text, text->len - 1);
      at = MAX (at, end);
    }
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

/* Returns the text of the contents (transfer full), and adds up the pictures in it. */
static GString *
read_content (JsonObject *content, guint *n_pictures)
{
  static const char *const members[] = { "text", "result", "content" };
  JsonArray *parts = gadget_json_get_array (content, "parts");
  GString *text = g_string_new (NULL);

  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      JsonNode *node = json_array_get_element (parts, i);
      JsonObject *part = gadget_json_get_element (parts, i);
      const char *type = gadget_json_get_string (part, "content_type");

      if (json_node_get_value_type (node) == G_TYPE_STRING)
        append (text, json_node_get_string (node));
      else
        append (text, gadget_json_get_string (part, "text"));
      *n_pictures += g_strcmp0 (type, "image_asset_pointer") == 0;
    }
  for (guint i = 0; text->len == 0 && i < G_N_ELEMENTS (members); i++)
    append (text, gadget_json_get_string (content, members[i]));
  return text;
}

/* --- Messages --------------------------------------------------------------------------------- */

static gboolean
is_hidden (JsonObject *message)
{
  static const char *const types[] = { "user_editable_context", "model_editable_context",
                                       "reasoning_recap",       "system_message",
                                       "app_pairing_content",   NULL };
  JsonObject *metadata = gadget_json_get_object (message, "metadata");
  JsonObject *author = gadget_json_get_object (message, "author");
  const char *type =
      gadget_json_get_string (gadget_json_get_object (message, "content"), "content_type");
  const char *role = gadget_json_get_string (author, "role");

  return role == NULL || g_str_equal (role, "system")
         || gadget_json_get_flag (metadata, "is_visually_hidden_from_conversation")
         || gadget_json_get_flag (metadata, "is_user_system_message")
         || (type != NULL && g_strv_contains (types, type))
         /* The memory of the account. */
         || g_strcmp0 (gadget_json_get_string (message, "recipient"), "bio") == 0
         || g_strcmp0 (gadget_json_get_string (author, "name"), "bio") == 0;
}

/* Names the files of a message, and its pictures without a name. */
static void
attach (Conversion *self, JsonObject *metadata, guint n_pictures)
{
  JsonArray *files = gadget_json_get_array (metadata, "attachments");

  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonObject *file = gadget_json_get_element (files, i);
      const char *name = gadget_json_get_string (file, "name");
      const char *type = gadget_json_get_string (file, "mime_type");

      if (type != NULL && g_str_has_prefix (type, "image/") && n_pictures > 0)
        n_pictures--;
      if (file != NULL)
        _gadget_import_chat_attach (self->chat, name != NULL ? name : "?", NULL);
    }
  for (; n_pictures > 0; n_pictures--)
    _gadget_import_chat_attach (self->chat, "picture", NULL);
}

static void
add_thoughts (Conversion *self, const char *id, JsonObject *content, gint64 time)
{
  JsonArray *thoughts = gadget_json_get_array (content, "thoughts");
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; thoughts != NULL && i < json_array_get_length (thoughts); i++)
    {
      JsonObject *thought = gadget_json_get_element (thoughts, i);
      const char *summary = gadget_json_get_string (thought, "summary");
      g_autofree char *head =
          summary != NULL && *summary != '\0' ? g_strdup_printf ("**%s**", summary) : NULL;

      append (text, head);
      append (text, gadget_json_get_string (thought, "content"));
    }
  _gadget_import_chat_add_item (self->chat, id, GADGET_ITEM_REASONING, text->str, time);
}

static void
add_answer (Conversion *self, const char *id, JsonObject *message, GString *text, gint64 time)
{
  const char *recipient = gadget_json_get_string (message, "recipient");
  JsonObject *metadata = gadget_json_get_object (message, "metadata");

  if (recipient != NULL && !g_str_equal (recipient, "all"))
    {
      self->call = _gadget_import_chat_add_call (self->chat, id, NULL, recipient, text->str, time);
    }
  else
    {
      replace_references (text, metadata);
      remove_marks (text);
      _gadget_import_chat_add_item (self->chat, id, GADGET_ITEM_TEXT, text->str, time);
    }
  _gadget_import_chat_set_model (self->chat, gadget_json_get_string (metadata, "model_slug"));
}

static void
add_output (Conversion *self, const char *id, JsonObject *author, GString *text, gint64 time)
{
  const char *name = gadget_json_get_string (author, "name");

  remove_marks (text);
  if (self->call == NULL)
    self->call =
        _gadget_import_chat_add_call (self->chat, id, NULL, name != NULL ? name : "tool", "", time);
  _gadget_import_chat_add_output (self->chat, self->call, text->str, time);
}

static void
add_message (Conversion *self, JsonObject *message)
{
  JsonObject *author = gadget_json_get_object (message, "author");
  JsonObject *content = gadget_json_get_object (message, "content");
  const char *role = gadget_json_get_string (author, "role");
  const char *id = gadget_json_get_string (message, "id");
  const gint64 time = _gadget_import_get_time (message, "create_time");
  guint n_pictures = 0;
  g_autoptr (GString) text = NULL;

  if (message == NULL || is_hidden (message))
    return;
  text = read_content (content, &n_pictures);
  if (g_str_equal (role, "user"))
    {
      self->call = NULL;
      _gadget_import_chat_add_prompt (self->chat, id, text->str, time);
    }
  else if (g_str_equal (role, "tool"))
    add_output (self, id, author, text, time);
  else if (g_strcmp0 (gadget_json_get_string (content, "content_type"), "thoughts") == 0)
    add_thoughts (self, id, content, time);
  else
    add_answer (self, id, message, text, time);
  attach (self, gadget_json_get_object (message, "metadata"), n_pictures);
}

/* --- The tree --------------------------------------------------------------------------------- */

/* Returns the last child of the last child and so on, of the node without a parent; for exports
 * that do not name the node that was shown. */
static const char *
find_leaf (JsonObject *mapping)
{
  const guint size = json_object_get_size (mapping);
  JsonObjectIter iter;
  const char *id = NULL;
  const char *name;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, mapping);
  while (id == NULL && json_object_iter_next_ordered (&iter, &name, &node))
    if (JSON_NODE_HOLDS_OBJECT (node)
        && gadget_json_get_string (json_node_get_object (node), "parent") == NULL)
      id = name;
  for (guint i = 0; id != NULL && i < size; i++)
    {
      JsonArray *children =
          gadget_json_get_array (gadget_json_get_object (mapping, id), "children");
      const guint n = children != NULL ? json_array_get_length (children) : 0;
      JsonNode *last = n > 0 ? json_array_get_element (children, n - 1) : NULL;

      if (last == NULL || json_node_get_value_type (last) != G_TYPE_STRING)
        break;
      id = json_node_get_string (last);
    }
  return id;
}

/* Returns the nodes from the beginning to the one that was shown (element-type JsonObject). A
 * circle ends after as many nodes as there are. */
static GPtrArray *
find_branch (JsonObject *object, JsonObject *mapping)
{
  const guint size = json_object_get_size (mapping);
  const char *id = gadget_json_get_string (object, "current_node");
  GPtrArray *branch = g_ptr_array_new ();

  if (gadget_json_get_object (mapping, id != NULL ? id : "") == NULL)
    id = find_leaf (mapping);
  while (id != NULL && branch->len < size)
    {
      JsonObject *node = gadget_json_get_object (mapping, id);

      if (node == NULL)
        break;
      g_ptr_array_add (branch, node);
      id = gadget_json_get_string (node, "parent");
    }
  return branch;
}

GadgetImportChat *
_gadget_import_convert_chatgpt (JsonObject *object)
{
  JsonObject *mapping = gadget_json_get_object (object, "mapping");
  const char *id = gadget_json_get_string (object, "conversation_id");
  g_autoptr (GPtrArray) branch = NULL;
  Conversion self = { 0 };

  if (id == NULL)
    id = gadget_json_get_string (object, "id");
  if (id == NULL || mapping == NULL)
    return NULL;
  self.chat = _gadget_import_chat_new (SOURCE, id, gadget_json_get_string (object, "title"),
                                       _gadget_import_get_time (object, "create_time"),
                                       _gadget_import_get_time (object, "update_time"));
  if (gadget_json_get_flag (object, "is_archived"))
    _gadget_import_chat_set_flag (self.chat, "archived");
  if (gadget_json_get_flag (object, "is_starred")
      || _gadget_import_get_time (object, "pinned_time") != 0)
    _gadget_import_chat_set_flag (self.chat, "pinned");
  branch = find_branch (object, mapping);
  for (guint i = branch->len; i > 0; i--)
    add_message (&self, gadget_json_get_object (g_ptr_array_index (branch, i - 1), "message"));
  return self.chat;
}
