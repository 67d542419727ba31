/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that ChatGPT exports ("conversations.json"). OpenAI does not describe the format; this
 * follows exports from 2023 to 2026.
 *
 * "mapping" is a tree of messages by their ids, and "current_node" the last message of the branch
 * that was shown. A message has an author with a role, and contents of many types; what its
 * recipient is, if not "all", is a tool that the model called, and a message of the role "tool" is
 * its output. Messages of the system, memories, instructions of the user and what the page hides
 * are none of the chat. A file that a message points to is in the archive, under a name that begins
 * with its id. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-formats.h"

/* Between these are marks of citations, in characters for private use. */
#define MARK_BEGIN "\xee\x88\x80" /* U+E200 */
#define MARK_END "\xee\x88\x81"   /* U+E201 */
#define MARK_SEPARATOR "\xee\x88\x82"
/* The longest mark, and how many references to pages a message may have; hostile files are not
 * worth more time. */
#define MAX_MARK 4000
#define MAX_REFERENCES 1000

/* The files of a message may be in its contents and in a list beside them. */
#define MAX_FILES 100

static gboolean
is_chat (const GadgetImportValue *object)
{
  return _gadget_import_get_object (object, "mapping") != NULL;
}

/* The tree names nodes, of which those at the top have no message. */
static gboolean
read_chat (const GadgetImportContext *context, const GadgetImportValue *object,
           GadgetImportHeader *header, GadgetImportTree *tree)
{
  *header = (GadgetImportHeader) {
    .source = "chatgpt",
    .id = _gadget_import_get_string (object, "conversation_id"),
    .title = _gadget_import_get_string (object, "title"),
    .current = _gadget_import_get_string (object, "current_node"),
    .created_at = _gadget_import_get_time (object, "create_time"),
    .updated_at = _gadget_import_get_time (object, "update_time"),
    .archived = _gadget_import_get_flag (object, "is_archived"),
    .pinned = _gadget_import_get_flag (object, "is_starred")
              || _gadget_import_get_time (object, "pinned_time") != 0,
  };
  if (header->id == NULL)
    header->id = _gadget_import_get_string (object, "id");
  for (const GadgetImportValue *node =
           _gadget_import_get_first (_gadget_import_get_object (object, "mapping"));
       node != NULL; node = node->next)
    {
      const GadgetImportValue *message = _gadget_import_get_object (node, "message");

      _gadget_import_tree_add (tree, node->name, _gadget_import_get_string (node, "parent"),
                               _gadget_import_get_time (message, "create_time"), message);
    }
  return TRUE;
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

/* Returns what the page shows of a reference: links after each other, or the name of a thing
 * (transfer full). */
static char *
dup_reference (const GadgetImportValue *reference)
{
  const char *alt = _gadget_import_get_string (reference, "alt");
  g_autoptr (GString) links = g_string_new (NULL);
  g_autofree char *own = dup_link (_gadget_import_get_string (reference, "title"),
                                   _gadget_import_get_string (reference, "url"));

  if (own != NULL)
    return g_steal_pointer (&own);
  for (const GadgetImportValue *item =
           _gadget_import_get_first (_gadget_import_get_array (reference, "items"));
       item != NULL; item = item->next)
    {
      g_autofree char *link = dup_link (_gadget_import_get_string (item, "title"),
                                        _gadget_import_get_string (item, "url"));

      if (link != NULL)
        g_string_append_printf (links, "%s%s", links->len > 0 ? " " : "", link);
    }
  if (links->len == 0 && alt != NULL && strpbrk (alt, "[]<>") == NULL)
    g_string_append (links, alt);
  return g_strdup (links->str);
}

/* Replaces what refers to a page by a link. */
static void
replace_references (GString *text, const GadgetImportValue *metadata)
{
  const GadgetImportValue *reference =
      _gadget_import_get_first (_gadget_import_get_array (metadata, "content_references"));

  for (guint i = 0; reference != NULL && i < MAX_REFERENCES; reference = reference->next, i++)
    {
      const char *matched = _gadget_import_get_string (reference, "matched_text");
      g_autofree char *shown = NULL;

      /* Other texts than marks are words of the answer. */
      if (matched == NULL
          || !(strstr (matched, MARK_BEGIN) != NULL || g_str_has_prefix (matched, "【")))
        continue;
      shown = dup_reference (reference);
      if (*shown != '\0')
        g_string_replace (text, matched, shown, 0);
    }
}

/* Tells whether a character for private use is there: U+E000 to U+F8FF. */
static gboolean
is_private (const char *at)
{
  const guchar first = (guchar) at[0];

  return first == 0xee || (first == 0xef && (guchar) at[1] <= 0xa3);
}

/* Returns the end of the mark at @at: of one for private use, or of one like 【3†source】. Returns
 * @at if there is no mark. */
static const char *
find_mark_end (const char *at)
{
  const char *dagger = at + strlen ("【");
  const char *end = NULL;

  if (is_private (at))
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

/* Appends the name of the thing that a mark is about, like entity["city","Paris"]. Returns FALSE if
 * it has none. */
static gboolean
append_entity (GString *text, const char *mark, const char *end)
{
  const char *prefix = MARK_BEGIN "entity" MARK_SEPARATOR "[\"";
  const gssize length = (gssize) strlen (prefix);
  const char *name;
  const char *quote;

  /* A mark without an end is only its first character. */
  if (!g_str_has_prefix (mark, prefix) || end - mark < length)
    return FALSE;
  name = g_strstr_len (mark + length, end - mark - length, "\",\"");
  if (name == NULL)
    return FALSE;
  name += strlen ("\",\"");
  quote = memchr (name, '"', (gsize) (end - name));
  if (quote == NULL)
    return FALSE;
  g_string_append_len (text, name, quote - name);
  return TRUE;
}

/* Removes the marks that are left, each with a space before it. */
static void
remove_marks (GString *text)
{
  g_autofree char *old = g_strdup (text->str);

  g_string_truncate (text, 0);
  for (const char *at = old; *at != '\0';)
    {
      const char *end = find_mark_end (at);

      if (end == at)
        g_string_append_c (text, *at++);
      else if (!append_entity (text, at, end) && text->len > 0 && text->str[text->len - 1] == ' ')
        g_string_truncate (text, text->len - 1);
      at = MAX (at, end);
    }
}

/* --- Messages --------------------------------------------------------------------------------- */

/* A message that is added. */
typedef struct
{
  GadgetImportChat *chat;
  const char *id;
  gint64 time;
  GadgetImportMemory *memory;
  const char *text;
  const char *files[MAX_FILES]; /* the ids of those in the contents */
  guint n_files;
} Message;

/* Returns the id in the address of a file. */
static const char *
get_file_id (const char *address)
{
  const char *slashes = strstr (address, "://");

  return slashes != NULL ? slashes + strlen ("://") : address;
}

static void
note_file (Message *self, const char *address)
{
  if (address != NULL && self->n_files < MAX_FILES)
    self->files[self->n_files++] = get_file_id (address);
}

/* Reads the text of the contents, which is only copied if it has several parts, and which files are
 * in it. */
static void
read_content (Message *self, const GadgetImportValue *content)
{
  static const char *const members[] = { "text", "result", "content" };
  g_autoptr (GString) joined = NULL;

  self->text = "";
  for (const GadgetImportValue *part =
           _gadget_import_get_first (_gadget_import_get_array (content, "parts"));
       part != NULL; part = part->next)
    {
      const char *text = _gadget_import_to_string (part);

      if (text == NULL)
        text = _gadget_import_get_string (part, "text");
      if (*self->text != '\0' && joined == NULL)
        joined = g_string_new (self->text);
      if (joined != NULL)
        _gadget_import_append (joined, text);
      else if (text != NULL)
        self->text = text;
      note_file (self, _gadget_import_get_string (part, "asset_pointer"));
      note_file (self,
                 _gadget_import_get_string (_gadget_import_get_object (part, "audio_asset_pointer"),
                                            "asset_pointer"));
    }
  if (joined != NULL)
    self->text = _gadget_import_memory_dup (self->memory, joined->str, (gssize) joined->len);
  for (guint i = 0; *self->text == '\0' && i < G_N_ELEMENTS (members); i++)
    if (_gadget_import_get_string (content, members[i]) != NULL)
      self->text = _gadget_import_get_string (content, members[i]);
}

/* Makes links of the marks in the text, and removes the others. */
static void
replace_marks (Message *self, const GadgetImportValue *metadata)
{
  g_autoptr (GString) text = NULL;

  if (strpbrk (self->text, "\xee\xef") == NULL && strstr (self->text, "【") == NULL)
    return;
  text = g_string_new (self->text);
  replace_references (text, metadata);
  remove_marks (text);
  self->text = _gadget_import_memory_dup (self->memory, text->str, (gssize) text->len);
}

static gboolean
is_hidden (const GadgetImportValue *message)
{
  static const char *const types[] = { "user_editable_context", "model_editable_context",
                                       "reasoning_recap",       "system_message",
                                       "app_pairing_content",   NULL };
  const GadgetImportValue *metadata = _gadget_import_get_object (message, "metadata");
  const GadgetImportValue *author = _gadget_import_get_object (message, "author");
  const char *type =
      _gadget_import_get_string (_gadget_import_get_object (message, "content"), "content_type");
  const char *role = _gadget_import_get_string (author, "role");

  return role == NULL || g_str_equal (role, "system")
         || _gadget_import_get_flag (metadata, "is_visually_hidden_from_conversation")
         || _gadget_import_get_flag (metadata, "is_user_system_message")
         || (type != NULL && g_strv_contains (types, type))
         /* The memory of the account. */
         || g_strcmp0 (_gadget_import_get_string (message, "recipient"), "bio") == 0
         || g_strcmp0 (_gadget_import_get_string (author, "name"), "bio") == 0;
}

/* Attaches the files in the contents under the names in the list, and those that only the list
 * has. */
static void
attach (Message *self, const GadgetImportValue *metadata)
{
  const GadgetImportValue *list =
      _gadget_import_get_first (_gadget_import_get_array (metadata, "attachments"));
  gboolean attached[MAX_FILES] = { FALSE };

  for (const GadgetImportValue *file = list; file != NULL; file = file->next)
    {
      const char *id = _gadget_import_get_string (file, "id");

      for (guint i = 0; i < self->n_files; i++)
        attached[i] = attached[i] || g_strcmp0 (self->files[i], id) == 0;
      if (file->type == GADGET_IMPORT_OBJECT)
        _gadget_import_chat_attach_file (self->chat, _gadget_import_get_string (file, "name"), id);
    }
  for (guint i = 0; i < self->n_files; i++)
    if (!attached[i])
      _gadget_import_chat_attach_file (self->chat, NULL, self->files[i]);
}

static void
add_thoughts (Message *self, const GadgetImportValue *content)
{
  const GadgetImportValue *thoughts = _gadget_import_get (content, "thoughts");
  g_autoptr (GString) text = g_string_new (_gadget_import_to_string (thoughts));

  for (const GadgetImportValue *thought = _gadget_import_get_first (thoughts); thought != NULL;
       thought = thought->next)
    {
      const char *summary = _gadget_import_get_string (thought, "summary");
      g_autofree char *head =
          summary != NULL && *summary != '\0' ? g_strdup_printf ("**%s**", summary) : NULL;

      _gadget_import_append (text, head);
      _gadget_import_append (text, _gadget_import_get_string (thought, "content"));
    }
  self->text = _gadget_import_memory_dup (self->memory, text->str, (gssize) text->len);
  replace_marks (self, NULL);
  _gadget_import_chat_add_item (self->chat, self->id, GADGET_ITEM_REASONING, self->text,
                                self->time);
}

static void
add_answer (Message *self, const GadgetImportValue *message)
{
  const char *recipient = _gadget_import_get_string (message, "recipient");
  const GadgetImportValue *metadata = _gadget_import_get_object (message, "metadata");

  if (recipient != NULL && !g_str_equal (recipient, "all"))
    _gadget_import_chat_add_call (self->chat, self->id, NULL, recipient, self->text, self->time);
  else
    {
      replace_marks (self, metadata);
      _gadget_import_chat_add_item (self->chat, self->id, GADGET_ITEM_TEXT, self->text, self->time);
    }
  _gadget_import_chat_set_model (self->chat, _gadget_import_get_string (metadata, "model_slug"));
}

static void
add_message (const GadgetImportContext *context, GadgetImportChat *chat,
             const GadgetImportValue *message)
{
  const GadgetImportValue *author = _gadget_import_get_object (message, "author");
  const GadgetImportValue *content = _gadget_import_get_object (message, "content");
  const char *role = _gadget_import_get_string (author, "role");
  Message self = { .chat = chat };

  if (message == NULL || is_hidden (message))
    return;
  self.id = _gadget_import_get_string (message, "id");
  self.time = _gadget_import_get_time (message, "create_time");
  self.memory = context->memory;
  read_content (&self, content);
  if (g_str_equal (role, "user"))
    _gadget_import_chat_add_prompt (chat, self.id, self.text, self.time);
  else if (g_str_equal (role, "tool"))
    {
      replace_marks (&self, NULL);
      _gadget_import_chat_add_output (
          chat, self.id, NULL, _gadget_import_get_string (author, "name"), self.text, self.time);
    }
  else if (g_strcmp0 (_gadget_import_get_string (content, "content_type"), "thoughts") == 0)
    add_thoughts (&self, content);
  else
    add_answer (&self, message);
  attach (&self, _gadget_import_get_object (message, "metadata"));
}

const GadgetImportFormat _gadget_import_chatgpt = { is_chat, read_chat, add_message };
