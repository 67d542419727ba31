/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat of another program becomes the rows that an export of Gadget has, so that only one place
 * writes to the database. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "gadget-import-chat.h"

#include "common/gadget-json.h"
#include "session/gadget-attachment.h"

#define MAX_TITLE 60 /* characters */
#define MAX_STORED_TITLE 500
/* Before the first program that exports chats, and some decades from now. */
#define MIN_TIME G_GINT64_CONSTANT (946684800000)
#define MAX_TIME G_GINT64_CONSTANT (4102444800000)

struct _GadgetImportChat
{
  char *source;
  char *id;
  JsonObject *row;
  JsonArray *turns;
  gint64 first_time;
  gint64 last_time;
  guint n_missing;
  /* The turn that is being built. */
  JsonObject *turn; /* (nullable) */
  JsonArray *items;
  JsonArray *attachments;
  GString *prompt;
  gint64 turn_time; /* of its last message; 0 if unknown */
  gint64 step;
  gboolean after_output;
};

char *
_gadget_import_make_id (const char *source, const char *chat, const char *message)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *parts[] = { source, chat, message };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_checksum_update (checksum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
  return g_strndup (g_checksum_get_string (checksum), 24);
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
_gadget_import_get_time (JsonObject *object, const char *name)
{
  const char *text = gadget_json_get_string (object, name);
  double number;

  if (text != NULL)
    return _gadget_import_parse_time (text);
  return gadget_json_get_double (object, name, &number) ? read_number (number) : 0;
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

static void
set_title (GadgetImportChat *self, const char *title)
{
  g_autofree char *line = dup_line (title != NULL ? title : "", MAX_STORED_TITLE);

  if (!is_no_title (line))
    json_object_set_string_member (self->row, "title", line);
}

static void
set_title_from_prompt (GadgetImportChat *self)
{
  for (guint i = 0; i < json_array_get_length (self->turns); i++)
    {
      JsonObject *turn = gadget_json_get_element (self->turns, i);
      g_autofree char *line = dup_line (gadget_json_get_string (turn, "prompt"), MAX_TITLE);

      if (*line == '\0')
        continue;
      json_object_set_string_member (self->row, "title", line);
      return;
    }
}

/* --- Building --------------------------------------------------------------------------------- */

GadgetImportChat *
_gadget_import_chat_new (const char *source, const char *id, const char *title, gint64 created_at,
                         gint64 updated_at)
{
  GadgetImportChat *self = g_new0 (GadgetImportChat, 1);
  g_autofree char *own_id = _gadget_import_make_id (source, id, NULL);

  self->source = g_strdup (source);
  self->id = g_strdup (id);
  self->row = json_object_new ();
  self->turns = json_array_new ();
  self->first_time = created_at;
  self->last_time = updated_at;
  json_object_set_string_member (self->row, "id", own_id);
  set_title (self, title);
  return self;
}

static void
end_turn (GadgetImportChat *self)
{
  if (self->turn == NULL)
    return;
  json_object_set_string_member (self->turn, "prompt", self->prompt->str);
  if (json_array_get_length (self->attachments) > 0)
    {
      g_autoptr (JsonNode) node = json_node_new (JSON_NODE_ARRAY);
      g_autofree char *text = NULL;

      json_node_set_array (node, self->attachments);
      text = json_to_string (node, FALSE);
      json_object_set_string_member (self->turn, "attachments", text);
    }
  json_object_set_int_member (self->turn, "ended_at", self->turn_time);
  json_object_set_int_member (self->turn, "changed_at", self->turn_time);
  json_object_set_array_member (self->turn, "items", g_steal_pointer (&self->items));
  json_array_add_object_element (self->turns, g_steal_pointer (&self->turn));
  g_clear_pointer (&self->attachments, json_array_unref);
  g_string_free (g_steal_pointer (&self->prompt), TRUE);
}

void
_gadget_import_chat_free (GadgetImportChat *self)
{
  end_turn (self);
  g_clear_pointer (&self->turns, json_array_unref);
  g_clear_pointer (&self->row, json_object_unref);
  g_free (self->source);
  g_free (self->id);
  g_free (self);
}

void
_gadget_import_chat_set_flag (GadgetImportChat *self, const char *column)
{
  json_object_set_int_member (self->row, column, 1);
}

void
_gadget_import_chat_set_folder (GadgetImportChat *self, const char *name)
{
  g_autofree char *line = dup_line (name, MAX_STORED_TITLE);
  g_autofree char *id = _gadget_import_make_id (self->source, "folder", line);
  JsonObject *folder;

  if (*line == '\0')
    return;
  folder = json_object_new ();
  json_object_set_string_member (folder, "id", id);
  json_object_set_string_member (folder, "name", line);
  json_object_set_object_member (self->row, "folder", folder);
  json_object_set_string_member (self->row, "chat_folder", id);
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
  const guint position = json_array_get_length (self->turns);
  g_autofree char *index = g_strdup_printf ("turn %u", position);
  g_autofree char *id =
      _gadget_import_make_id (self->source, self->id, message != NULL ? message : index);

  self->turn = json_object_new ();
  self->items = json_array_new ();
  self->attachments = json_array_new ();
  self->prompt = g_string_new (NULL);
  self->turn_time = 0;
  self->step = 0;
  self->after_output = FALSE;
  json_object_set_string_member (self->turn, "id", id);
  json_object_set_int_member (self->turn, "position", position);
  json_object_set_string_member (self->turn, "status",
                                 gadget_turn_status_to_string (GADGET_TURN_FINISHED));
  json_object_set_string_member (self->turn, "stop_reason",
                                 gadget_stop_reason_to_string (GADGET_STOP_NONE));
  json_object_set_int_member (self->turn, "started_at", time);
  json_object_set_int_member (self->turn, "input_tokens", 0);
  json_object_set_int_member (self->turn, "output_tokens", 0);
  json_object_set_int_member (self->turn, "usage_estimated", 0);
}

void
_gadget_import_chat_add_prompt (GadgetImportChat *self, const char *message, const char *text,
                                gint64 time)
{
  if (self->turn != NULL && json_array_get_length (self->items) > 0)
    end_turn (self);
  if (self->turn == NULL)
    begin_turn (self, message, time);
  if (self->prompt->len > 0 && *text != '\0')
    g_string_append (self->prompt, "\n\n");
  g_string_append (self->prompt, text);
  note_time (self, time);
}

/* Adds an item; what follows on the output of a call came with another response. */
static JsonObject *
add_item (GadgetImportChat *self, const char *message, GadgetItemKind kind, const char *text,
          gint64 time)
{
  JsonObject *item = json_object_new ();

  if (self->turn == NULL)
    begin_turn (self, message, time);
  self->step += self->after_output;
  self->after_output = FALSE;
  note_time (self, time);
  json_object_set_int_member (item, "position", json_array_get_length (self->items));
  json_object_set_string_member (item, "kind", gadget_item_kind_to_string (kind));
  json_object_set_string_member (item, "status",
                                 gadget_item_status_to_string (GADGET_ITEM_FINISHED));
  json_object_set_int_member (item, "step", self->step);
  json_object_set_string_member (item, "text", text);
  json_object_set_int_member (item, "started_at", time);
  json_object_set_int_member (item, "ended_at", time);
  json_array_add_object_element (self->items, item);
  return item;
}

void
_gadget_import_chat_add_item (GadgetImportChat *self, const char *message, GadgetItemKind kind,
                              const char *text, gint64 time)
{
  if (text[strspn (text, " \t\r\n")] != '\0')
    add_item (self, message, kind, text, time);
}

/* Returns the arguments as a JSON object, which providers require (transfer full). */
static char *
dup_arguments (const char *arguments)
{
  g_autoptr (JsonNode) node = gadget_json_parse (arguments, strlen (arguments), NULL);
  g_autoptr (JsonObject) object = NULL;

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (arguments);
  if (*arguments == '\0')
    return g_strdup ("{}");
  object = json_object_new ();
  json_object_set_string_member (object, "input", arguments);
  g_clear_pointer (&node, json_node_unref);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_set_object (node, object);
  return json_to_string (node, FALSE);
}

JsonObject *
_gadget_import_chat_add_call (GadgetImportChat *self, const char *message, const char *call_id,
                              const char *name, const char *arguments, gint64 time)
{
  JsonObject *item = add_item (self, message, GADGET_ITEM_TOOL_CALL, "", time);
  g_autofree char *object = dup_arguments (arguments);
  g_autofree char *number = g_strdup_printf ("call_%u", json_array_get_length (self->items));

  json_object_set_string_member (item, "call_id", call_id != NULL ? call_id : number);
  json_object_set_string_member (item, "name", name);
  json_object_set_string_member (item, "arguments", object);
  json_object_set_string_member (item, "summary", name);
  json_object_set_string_member (item, "result", "");
  return item;
}

void
_gadget_import_chat_add_output (GadgetImportChat *self, JsonObject *call, const char *text,
                                gint64 time)
{
  const char *old = gadget_json_get_string (call, "text");
  g_autofree char *output = *old != '\0' ? g_strconcat (old, "\n", text, NULL) : g_strdup (text);

  json_object_set_string_member (call, "text", output);
  json_object_set_string_member (call, "result", output);
  if (time != 0)
    json_object_set_int_member (call, "ended_at", time);
  note_time (self, time);
  self->after_output = TRUE;
}

void
_gadget_import_chat_set_model (GadgetImportChat *self, const char *model)
{
  if (self->turn != NULL && model != NULL && *model != '\0')
    json_object_set_string_member (self->turn, "model", model);
}

void
_gadget_import_chat_attach (GadgetImportChat *self, const char *name, const char *text)
{
  g_autofree char *note = NULL;

  if (self->turn == NULL)
    return;
  if (text != NULL && strlen (text) <= GADGET_ATTACHMENT_MAX_TEXT)
    {
      JsonObject *attachment = json_object_new ();

      json_object_set_string_member (attachment, "name", name);
      json_object_set_int_member (attachment, "size", (gint64) strlen (text));
      json_object_set_string_member (attachment, "text", text);
      json_array_add_object_element (self->attachments, attachment);
      return;
    }
  self->n_missing++;
  /* Translators: the name of a file */
  note = g_strdup_printf (_ ("[Not imported: %s]"), name);
  if (json_array_get_length (self->items) > 0)
    add_item (self, NULL, GADGET_ITEM_TEXT, note, self->turn_time);
  else
    g_string_append_printf (self->prompt, "%s%s", self->prompt->len > 0 ? "\n\n" : "", note);
}

guint
_gadget_import_chat_get_n_missing (GadgetImportChat *self)
{
  return self->n_missing;
}

JsonObject *
_gadget_import_chat_end (GadgetImportChat *self)
{
  end_turn (self);
  if (json_array_get_length (self->turns) == 0)
    return NULL;
  if (!json_object_has_member (self->row, "title"))
    set_title_from_prompt (self);
  json_object_set_int_member (self->row, "created_at", self->first_time);
  json_object_set_int_member (self->row, "updated_at", MAX (self->last_time, self->first_time));
  json_object_set_array_member (self->row, "turns", g_steal_pointer (&self->turns));
  return g_steal_pointer (&self->row);
}
