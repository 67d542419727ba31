/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat of another program becomes the rows that an export of Gadget has, so that only one place
 * writes to the database. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "gadget-import-chat.h"

#include "common/gadget-image-info.h"
#include "common/gadget-json.h"
#include "session/gadget-attachment.h"

#define ID_LENGTH 24
#define MAX_TITLE 60 /* characters */
#define MAX_STORED_TITLE 500
#define MAX_COPIED_OUTPUT 4096 /* bytes */
/* A chat with its branches has no more bytes of files: a file can refer to the same one often. */
#define MAX_ATTACHED (256 * 1024 * 1024)
/* Before the first program that exports chats, and some decades from now. */
#define MIN_TIME G_GINT64_CONSTANT (946684800000)
#define MAX_TIME G_GINT64_CONSTANT (4102444800000)

struct _GadgetImportChat
{
  const GadgetImportContext *context;
  GadgetImportMemory *memory;
  const char *source;
  const char *model; /* (nullable) */
  const char *key;   /* tells the chat from all others of the source */
  GadgetImportValue *row;
  GadgetImportValue *turns;
  GadgetImportValue *attached;
  guint n_turns; /* that ended */
  guint n_files;
  gint64 first_time;
  gint64 last_time;
  /* Since the fork. */
  guint n_missing;
  guint n_shared;
  gboolean has_own;
  /* The turn that is being built. */
  GadgetImportValue *turn; /* (nullable) */
  GadgetImportValue *items;
  GadgetImportValue *attachments;
  GadgetImportValue *call; /* (nullable): the last one */
  const char *first_prompt;
  GString *prompt;  /* (nullable): if it has several parts */
  GString *output;  /* (nullable): of the call, as long as it grows */
  gint64 turn_time; /* of its last message; 0 if unknown */
  guint n_items;
  guint step;
  gboolean has_model;
  gboolean after_output;
};

static char *
digest (const char *const *parts, guint n_parts)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < n_parts; i++)
    if (parts[i] != NULL)
      g_checksum_update (checksum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
  return g_strndup (g_checksum_get_string (checksum), ID_LENGTH);
}

/* Ids of one chat begin the same, so that they are neighbors in the index of the database. */
char *
_gadget_import_make_id (const char *source, const char *chat, const char *message)
{
  const char *const parts[] = { source, chat, message };
  g_autofree char *chat_id = digest (parts, 2);
  g_autofree char *id = NULL;

  if (message == NULL)
    return g_steal_pointer (&chat_id);
  id = digest (parts, 3);
  memcpy (id, chat_id, ID_LENGTH / 2);
  return g_steal_pointer (&id);
}

/* --- Times ------------------------------------------------------------------------------------ */

static gint64
check_time (double ms)
{
  return ms >= (double) MIN_TIME && ms < (double) MAX_TIME ? (gint64) ms : 0;
}

/* The units differ by the size of the number: they do not overlap within the years that are
 * possible. */
static gint64
read_number (double number)
{
  static const double factors[] = { 1000, 1, 1e-3, 1e-6 };

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (check_time (number * factors[i]) != 0)
      return check_time (number * factors[i]);
  return 0;
}

gint64
_gadget_import_parse_time (const char *text)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (text, zone);
  char *end;
  double number;

  if (time != NULL)
    return check_time ((double) g_date_time_to_unix_usec (time) / 1000);
  number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' ? read_number (number) : 0;
}

gint64
_gadget_import_get_time (const GadgetImportValue *object, const char *name)
{
  const char *text = _gadget_import_get_string (object, name);
  double number;

  if (text != NULL)
    return _gadget_import_parse_time (text);
  return _gadget_import_get_double (object, name, &number) ? read_number (number) : 0;
}

void
_gadget_import_append (GString *text, const char *more)
{
  if (more == NULL || *more == '\0')
    return;
  if (text->len > 0)
    g_string_append (text, "\n\n");
  g_string_append (text, more);
}

/* --- Titles ----------------------------------------------------------------------------------- */

/* Returns the beginning of the text in one line (transfer full). */
static char *
dup_line (const char *text, glong max)
{
  g_autofree char *line = NULL;
  glong length;

  text += strspn (text, " \t\r\n");
  line = g_strndup (text, strcspn (text, "\r\n"));
  g_strchomp (line);
  length = g_utf8_strlen (line, -1);
  if (length <= max)
    return g_steal_pointer (&line);
  *g_utf8_offset_to_pointer (line, max) = '\0';
  g_strchomp (line);
  return g_strconcat (line, "…", NULL);
}

/* Programs have these titles for chats that were not named. */
static gboolean
is_no_title (const char *title)
{
  static const char *const names[] = { "", "New chat", "New Chat", "Untitled", NULL };

  return title == NULL || g_strv_contains (names, title);
}

/* Returns the title, or the beginning of the first prompt (nullable). */
static const char *
make_title (GadgetImportMemory *memory, const char *title, const GadgetImportValue *turns)
{
  g_autofree char *line = dup_line (title != NULL ? title : "", MAX_STORED_TITLE);

  if (!is_no_title (line))
    return _gadget_import_memory_dup (memory, line, -1);
  for (const GadgetImportValue *turn = turns->first; turn != NULL; turn = turn->next)
    {
      g_autofree char *prompt = dup_line (_gadget_import_get_string (turn, "prompt"), MAX_TITLE);

      if (*prompt != '\0')
        return _gadget_import_memory_dup (memory, prompt, -1);
    }
  return NULL;
}

/* --- Building --------------------------------------------------------------------------------- */

/* Returns an id of something in the chat, or of the chat. */
static const char *
make_id (GadgetImportChat *self, const char *part)
{
  g_autofree char *id = _gadget_import_make_id (self->source, self->key, part);

  return _gadget_import_memory_dup (self->memory, id, -1);
}

static void
add_string (GadgetImportChat *self, GadgetImportValue *row, const char *name, const char *text)
{
  _gadget_import_memory_add_string (self->memory, row, name, text);
}

static void
add_int (GadgetImportChat *self, GadgetImportValue *row, const char *name, gint64 number)
{
  _gadget_import_memory_add_int (self->memory, row, name, number);
}

static GadgetImportValue *
add_object (GadgetImportChat *self, GadgetImportValue *array)
{
  return _gadget_import_memory_add (self->memory, array, NULL, GADGET_IMPORT_OBJECT);
}

static GadgetImportValue *
new_array (GadgetImportChat *self, const char *name)
{
  GadgetImportValue *array = _gadget_import_memory_new_object (self->memory);

  array->name = name;
  array->type = GADGET_IMPORT_ARRAY;
  return array;
}

/* Puts the chat into a folder, whose row is a member "folder" of the chat. */
static void
add_folder (GadgetImportChat *self, const char *name)
{
  g_autofree char *line = dup_line (name, MAX_STORED_TITLE);
  g_autofree char *id = _gadget_import_make_id (self->source, "folder", line);
  const char *copy = _gadget_import_memory_dup (self->memory, id, -1);
  GadgetImportValue *folder;

  if (*line == '\0')
    return;
  folder = _gadget_import_memory_add (self->memory, self->row, "folder", GADGET_IMPORT_OBJECT);
  add_string (self, folder, "id", copy);
  add_string (self, folder, "name", _gadget_import_memory_dup (self->memory, line, -1));
  add_string (self, self->row, "chat_folder", copy);
}

GadgetImportChat *
_gadget_import_chat_new (const GadgetImportContext *context, const GadgetImportHeader *header,
                         const char *branch)
{
  GadgetImportChat *self = g_new0 (GadgetImportChat, 1);

  self->context = context;
  self->memory = context->memory;
  self->source = header->source;
  self->model = header->model;
  self->key = branch != NULL
                  ? _gadget_import_memory_printf (self->memory, "%s\n%s", header->id, branch)
                  : header->id;
  self->row = _gadget_import_memory_new_object (self->memory);
  self->turns = new_array (self, "turns");
  self->first_time = header->created_at;
  self->last_time = header->updated_at;
  add_string (self, self->row, "id", make_id (self, NULL));
  if (header->archived)
    add_int (self, self->row, "archived", 1);
  if (header->pinned)
    add_int (self, self->row, "pinned", 1);
  if (header->folder != NULL)
    add_folder (self, header->folder);
  if (header->title != NULL)
    add_string (self, self->row, "title", header->title);
  return self;
}

/* Stores the output of the last call. */
static void
end_output (GadgetImportChat *self)
{
  const char *text;

  if (self->output == NULL)
    return;
  text = _gadget_import_memory_dup (self->memory, self->output->str, (gssize) self->output->len);
  /* Of several members with a name the last one counts. */
  add_string (self, self->call, "text", text);
  add_string (self, self->call, "result", text);
  g_string_free (g_steal_pointer (&self->output), TRUE);
}

static void
end_turn (GadgetImportChat *self)
{
  if (self->turn == NULL)
    return;
  end_output (self);
  if (self->prompt != NULL)
    self->first_prompt =
        _gadget_import_memory_dup (self->memory, self->prompt->str, (gssize) self->prompt->len);
  add_string (self, self->turn, "prompt", self->first_prompt);
  if (self->attachments->first != NULL)
    {
      g_autoptr (GString) json = g_string_new (NULL);

      _gadget_import_write (self->attachments, json);
      add_string (self, self->turn, "attachments",
                  _gadget_import_memory_dup (self->memory, json->str, (gssize) json->len));
    }
  if (!self->has_model && self->n_items > 0)
    _gadget_import_chat_set_model (self, self->model);
  add_int (self, self->turn, "ended_at", self->turn_time);
  add_int (self, self->turn, "changed_at", self->turn_time);
  _gadget_import_value_append (self->turn, self->items);
  _gadget_import_value_append (self->turns, g_steal_pointer (&self->turn));
  self->n_turns++;
  self->call = NULL;
  if (self->prompt != NULL)
    g_string_free (g_steal_pointer (&self->prompt), TRUE);
}

void
_gadget_import_chat_free (GadgetImportChat *self)
{
  end_turn (self);
  g_free (self);
}

static void
note_time (GadgetImportChat *self, gint64 time)
{
  if (time == 0)
    return;
  if (self->first_time == 0)
    self->first_time = time;
  self->last_time = MAX (self->last_time, time);
  self->turn_time = MAX (self->turn_time, time);
}

static void
begin_turn (GadgetImportChat *self, const char *message, gint64 time)
{
  const char *part = message != NULL
                         ? message
                         : _gadget_import_memory_printf (self->memory, "turn %u", self->n_turns);

  self->turn = _gadget_import_memory_new_object (self->memory);
  self->items = new_array (self, "items");
  self->attachments = new_array (self, NULL);
  self->first_prompt = "";
  self->turn_time = 0;
  self->n_items = self->step = 0;
  self->has_model = self->after_output = FALSE;
  add_string (self, self->turn, "id", make_id (self, part));
  add_int (self, self->turn, "position", self->n_turns);
  add_string (self, self->turn, "status", gadget_turn_status_to_string (GADGET_TURN_FINISHED));
  add_string (self, self->turn, "stop_reason", gadget_stop_reason_to_string (GADGET_STOP_NONE));
  add_int (self, self->turn, "started_at", time);
  add_int (self, self->turn, "input_tokens", 0);
  add_int (self, self->turn, "output_tokens", 0);
  add_int (self, self->turn, "usage_estimated", 0);
}

/* Notes that something was added to the turn. */
static void
note_own (GadgetImportChat *self, gint64 time)
{
  note_time (self, time);
  if (self->has_own)
    return;
  self->has_own = TRUE;
  self->n_shared = self->n_turns;
}

/* Adds a part to the prompt, which is only copied if it has several. The text may be NULL. */
static void
add_to_prompt (GadgetImportChat *self, const char *text)
{
  if (self->prompt == NULL && *self->first_prompt == '\0')
    {
      self->first_prompt = text != NULL ? text : "";
      return;
    }
  if (self->prompt == NULL)
    self->prompt = g_string_new (self->first_prompt);
  _gadget_import_append (self->prompt, text);
}

void
_gadget_import_chat_add_prompt (GadgetImportChat *self, const char *message, const char *text,
                                gint64 time)
{
  if (self->turn != NULL && self->n_items > 0)
    end_turn (self);
  if (self->turn == NULL)
    begin_turn (self, message, time);
  add_to_prompt (self, text);
  note_own (self, time);
}

/* Adds an item; what follows on the output of a call came with another response. */
static GadgetImportValue *
add_item (GadgetImportChat *self, const char *message, GadgetItemKind kind, const char *text,
          gint64 time)
{
  GadgetImportValue *item;

  if (self->turn == NULL)
    begin_turn (self, message, time);
  item = add_object (self, self->items);
  self->step += self->after_output;
  self->after_output = FALSE;
  note_own (self, time);
  add_int (self, item, "position", self->n_items++);
  add_string (self, item, "kind", gadget_item_kind_to_string (kind));
  add_string (self, item, "status", gadget_item_status_to_string (GADGET_ITEM_FINISHED));
  add_int (self, item, "step", self->step);
  add_string (self, item, "text", text);
  add_int (self, item, "started_at", time);
  add_int (self, item, "ended_at", time);
  return item;
}

void
_gadget_import_chat_add_item (GadgetImportChat *self, const char *message, GadgetItemKind kind,
                              const char *text, gint64 time)
{
  if (text != NULL && text[strspn (text, " \t\r\n")] != '\0')
    add_item (self, message, kind, text, time);
}

/* Returns the arguments as a JSON object, which providers require. */
static const char *
make_arguments (GadgetImportChat *self, const char *arguments)
{
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);
  g_autoptr (GString) json = NULL;
  GadgetImportValue *object;

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return arguments;
  if (*arguments == '\0')
    return "{}";
  json = g_string_new (NULL);
  object = _gadget_import_memory_new_object (self->memory);
  add_string (self, object, "input", arguments);
  _gadget_import_write (object, json);
  return _gadget_import_memory_dup (self->memory, json->str, (gssize) json->len);
}

void
_gadget_import_chat_add_call (GadgetImportChat *self, const char *message, const char *call_id,
                              const char *name, const char *arguments, gint64 time)
{
  GadgetImportValue *item = add_item (self, message, GADGET_ITEM_TOOL_CALL, "", time);

  end_output (self);
  if (call_id == NULL)
    call_id = _gadget_import_memory_printf (self->memory, "call_%u", self->n_items);
  if (name == NULL || *name == '\0')
    name = "tool";
  add_string (self, item, "call_id", call_id);
  add_string (self, item, "name", name);
  add_string (self, item, "arguments", make_arguments (self, arguments));
  add_string (self, item, "summary", name);
  add_string (self, item, "result", "");
  self->call = item;
}

/* Makes the call with that id the last one. One that has a long output already stays as it is,
 * since to copy it again and again would take too long. */
static void
find_call (GadgetImportChat *self, const char *call_id)
{
  GadgetImportValue *item = self->turn != NULL && call_id != NULL ? self->items->first : NULL;

  while (item != NULL && g_strcmp0 (_gadget_import_get_string (item, "call_id"), call_id) != 0)
    item = item->next;
  if (item == NULL || item == self->call)
    return;
  end_output (self);
  self->call = strlen (_gadget_import_get_string (item, "text")) <= MAX_COPIED_OUTPUT ? item : NULL;
}

void
_gadget_import_chat_add_output (GadgetImportChat *self, const char *message, const char *call_id,
                                const char *name, const char *text, gint64 time)
{
  find_call (self, call_id);
  if (self->call == NULL)
    _gadget_import_chat_add_call (self, message, call_id, name, "", time);
  if (self->output == NULL)
    self->output = g_string_new (_gadget_import_get_string (self->call, "text"));
  if (self->output->len > 0)
    g_string_append_c (self->output, '\n');
  g_string_append (self->output, text);
  if (time != 0)
    add_int (self, self->call, "ended_at", time);
  note_own (self, time);
  self->after_output = TRUE;
}

void
_gadget_import_chat_set_model (GadgetImportChat *self, const char *model)
{
  if (self->turn == NULL || model == NULL || *model == '\0')
    return;
  add_string (self, self->turn, "model", model);
  self->has_model = TRUE;
}

/* --- Attachments ------------------------------------------------------------------------------ */

/* Names a file that is missing. */
static void
name_missing (GadgetImportChat *self, const char *name)
{
  /* Translators: the name of a file */
  const char *note = _gadget_import_memory_printf (self->memory, _ ("[Not imported: %s]"), name);

  self->n_missing++;
  if (self->n_items > 0)
    add_item (self, NULL, GADGET_ITEM_TEXT, note, self->turn_time);
  else
    add_to_prompt (self, note);
}

void
_gadget_import_chat_attach_text (GadgetImportChat *self, const char *name, const char *text)
{
  GadgetImportValue *attachment;

  if (self->turn == NULL)
    return;
  if (name == NULL || *name == '\0')
    name = "text.txt";
  if (text == NULL || strlen (text) > GADGET_ATTACHMENT_MAX_TEXT)
    {
      name_missing (self, name);
      return;
    }
  attachment = add_object (self, self->attachments);
  add_string (self, attachment, "name", name);
  add_int (self, attachment, "size", (gint64) strlen (text));
  add_string (self, attachment, "text", text);
}

static void
add_bytes (GadgetImportChat *self, GadgetImportValue *row, GBytes *bytes)
{
  GadgetImportValue *value =
      _gadget_import_memory_add (self->memory, row, "data", GADGET_IMPORT_BYTES);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  value->text = _gadget_import_memory_dup (self->memory, data, (gssize) length);
  value->length = (guint32) length;
}

static void
add_description (GadgetImportChat *self, GadgetImportValue *row, const char *name,
                 const GadgetImageInfo *info)
{
  if (name != NULL)
    add_string (self, row, "name", name);
  add_string (self, row, "mime_type", info->mime_type);
  add_int (self, row, "width", info->width);
  add_int (self, row, "height", info->height);
}

/* Adds the image to the prompt, or to the call that it came from. */
static void
attach_image (GadgetImportChat *self, const char *name, const GadgetImageInfo *info, GBytes *bytes)
{
  const char *id =
      make_id (self, _gadget_import_memory_printf (self->memory, "file %u", self->n_files++));
  GadgetImportValue *row;
  GadgetImportValue *pictures;

  if (self->n_items == 0)
    {
      row = add_object (self, self->attachments);
      add_description (self, row, name, info);
      add_int (self, row, "size", (gint64) g_bytes_get_size (bytes));
      add_string (self, row, "picture", id);
      if (self->attached == NULL)
        self->attached =
            _gadget_import_memory_add (self->memory, self->row, "attached", GADGET_IMPORT_ARRAY);
      row = add_object (self, self->attached);
      add_string (self, row, "id", id);
      add_int (self, row, "kept", 1);
      add_int (self, row, "made_at", self->turn_time);
      add_bytes (self, row, bytes);
      return;
    }
  if (self->call == NULL)
    _gadget_import_chat_add_call (self, NULL, NULL, "image", "", self->turn_time);
  pictures = _gadget_import_get_array (self->call, "pictures");
  if (pictures == NULL)
    pictures =
        _gadget_import_memory_add (self->memory, self->call, "pictures", GADGET_IMPORT_ARRAY);
  row = add_object (self, pictures);
  add_string (self, row, "id", id);
  add_int (self, row, "position", self->n_files);
  add_description (self, row, name, info);
  add_bytes (self, row, bytes);
}

void
_gadget_import_chat_attach_bytes (GadgetImportChat *self, const char *name, GBytes *bytes)
{
  GadgetImageInfo info;
  gsize length = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  if (self->turn == NULL)
    return;
  if (length == 0 || _gadget_import_memory_get_size (self->memory) + length > MAX_ATTACHED)
    name_missing (self, name != NULL ? name : _ ("image"));
  else if (!gadget_image_info_read (&info, data, length))
    _gadget_import_chat_attach_text (
        self, name,
        g_utf8_validate_len (data, length, NULL)
            ? _gadget_import_memory_dup (self->memory, data, (gssize) length)
            : NULL);
  else if (length > GADGET_PICTURE_MAX_BYTES
           || MAX (info.width, info.height) > GADGET_PICTURE_MAX_SIDE)
    name_missing (self, name != NULL ? name : _ ("image"));
  else
    attach_image (self, name, &info, bytes);
}

void
_gadget_import_chat_attach_base64 (GadgetImportChat *self, const char *name, const char *base64)
{
  const char *comma = g_str_has_prefix (base64, "data:") ? strchr (base64, ',') : NULL;
  gsize length;
  guchar *data = g_base64_decode (comma != NULL ? comma + 1 : base64, &length);
  g_autoptr (GBytes) bytes = g_bytes_new_take (data, length);

  _gadget_import_chat_attach_bytes (self, name, bytes);
}

void
_gadget_import_chat_attach_file (GadgetImportChat *self, const char *name, const char *id)
{
  const char *own_name = NULL;
  g_autoptr (GBytes) bytes =
      id != NULL && self->context->find_file != NULL
          ? self->context->find_file (id, &own_name, self->context->user_data)
          : NULL;

  _gadget_import_chat_attach_bytes (self, name != NULL ? name : own_name, bytes);
}

/* --- The end ---------------------------------------------------------------------------------- */

void
_gadget_import_chat_fork (GadgetImportChat *self)
{
  self->has_own = FALSE;
  self->n_missing = 0;
}

gboolean
_gadget_import_chat_has_own (GadgetImportChat *self)
{
  return self->has_own;
}

guint
_gadget_import_chat_get_n_missing (GadgetImportChat *self)
{
  return self->n_missing;
}

guint
_gadget_import_chat_get_n_shared (GadgetImportChat *self)
{
  return self->n_shared;
}

GadgetImportValue *
_gadget_import_chat_end (GadgetImportChat *self)
{
  const char *title;

  end_turn (self);
  if (self->n_turns == 0)
    return NULL;
  title = make_title (self->memory, _gadget_import_get_string (self->row, "title"), self->turns);
  if (title != NULL)
    add_string (self, self->row, "title", title);
  add_int (self, self->row, "created_at", self->first_time);
  add_int (self, self->row, "updated_at", MAX (self->last_time, self->first_time));
  _gadget_import_value_append (self->row, self->turns);
  return self->row;
}
