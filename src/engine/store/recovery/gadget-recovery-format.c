/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A recovery file is text, so that people can read it without Gadget: a sentence, the prompt, the
 * response. Its last line is one JSON object with everything that the database would have stored;
 * later the turn is stored from it. The fields of each row are the columns of its table. A field
 * that is missing in a file, because an older Gadget wrote it, is empty; an unknown field is
 * ignored. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-recovery-format.h"

#include "common/gadget-i18n.h"
#include "common/gadget-json.h"
#include "store/gadget-store-pictures-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define VERSION_KEY "gadget-unsaved-turn"
#define SESSION_VERSION_KEY "gadget-unsaved-chat"
#define VERSION 1

/* --- Writing ---------------------------------------------------------------------------------- */

static void
add_string (JsonBuilder *json, const char *name, const char *value)
{
  g_autofree char *valid = NULL;

  if (value == NULL)
    return;
  valid = g_utf8_validate (value, -1, NULL) ? NULL : g_utf8_make_valid (value, -1);
  json_builder_set_member_name (json, name);
  json_builder_add_string_value (json, valid != NULL ? valid : value);
}

static void
add_attachments (JsonBuilder *json, const char *name, const GadgetAttachmentRows *attachments)
{
  if (attachments == NULL)
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_value (json, _gadget_attachment_rows_to_json (attachments));
}

static void
add_number (JsonBuilder *json, const GadgetStoreColumn *column, gint64 number)
{
  if (column->words != NULL)
    add_string (json, column->member, column->words->to_word ((guint) number));
  else
    gadget_json_add_int (json, column->member, number);
}

static void
add_column (JsonBuilder *json, gconstpointer row, const GadgetStoreColumn *column)
{
  switch (column->type)
    {
    case GADGET_STORE_TEXT:
      add_string (json, column->member, G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case GADGET_STORE_STRING:
      add_string (json, column->member,
                  G_STRUCT_MEMBER (const GString *, row, column->offset)->str);
      break;
    case GADGET_STORE_ATTACHMENTS:
      add_attachments (json, column->member,
                       G_STRUCT_MEMBER (const GadgetAttachmentRows *, row, column->offset));
      break;
    case GADGET_STORE_BOOLEAN:
      gadget_json_add_boolean (json, column->member,
                               G_STRUCT_MEMBER (gboolean, row, column->offset));
      break;
    case GADGET_STORE_INT64:
    case GADGET_STORE_UINT:
    default:
      add_number (json, column, _gadget_store_column_get_number (column, row));
    }
}

static void
add_columns (JsonBuilder *json, gconstpointer row, const GadgetStoreTable *table)
{
  for (guint i = 0; i < table->n_columns; i++)
    add_column (json, row, &table->columns[i]);
}

static void
add_strv (JsonBuilder *json, const char *name, char **strings)
{
  if (strings == NULL)
    return;
  json_builder_set_member_name (json, name);
  json_builder_begin_array (json);
  for (guint i = 0; strings[i] != NULL; i++)
    json_builder_add_string_value (json, strings[i]);
  json_builder_end_array (json);
}

/* Adds the attachments of queued messages, which recovery files call "given". */
static void
add_queue_attachments (JsonBuilder *json, GPtrArray *attachments)
{
  json_builder_set_member_name (json, "given");
  json_builder_begin_array (json);
  for (guint i = 0; attachments != NULL && i < attachments->len; i++)
    json_builder_add_value (json,
                            _gadget_attachment_rows_to_json (g_ptr_array_index (attachments, i)));
  json_builder_end_array (json);
}

static void
add_session (JsonBuilder *json, const char *name, const GadgetSessionRow *session)
{
  json_builder_set_member_name (json, name);
  json_builder_begin_object (json);
  add_columns (json, session, &_gadget_session_table);
  add_strv (json, "queue", session->queue);
  add_queue_attachments (json, session->queue_attachments);
  json_builder_end_object (json);
}

static void
add_turn (JsonBuilder *json, const GadgetTurnRow *turn)
{
  json_builder_set_member_name (json, "turn");
  json_builder_begin_object (json);
  add_columns (json, turn, &_gadget_turn_table);
  json_builder_end_object (json);
}

static void
add_item (JsonBuilder *json, const GadgetItemRow *item)
{
  json_builder_begin_object (json);
  add_columns (json, item, &_gadget_item_table);
  if (item->pictures != NULL)
    {
      json_builder_set_member_name (json, "pictures");
      json_builder_add_value (json, _gadget_picture_rows_to_json (item->pictures));
    }
  json_builder_end_object (json);
}

char *
_gadget_recovery_turn_format (const GadgetJournalWrite *write, const char *text,
                              const char *data_dir)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *line = NULL;

  json_builder_begin_object (json);
  gadget_json_add_int (json, VERSION_KEY, VERSION);
  add_string (json, "data", data_dir);
  add_session (json, "session", write->session);
  add_turn (json, write->turn);
  json_builder_set_member_name (json, "items");
  json_builder_begin_array (json);
  for (guint i = 0; i < write->items->len; i++)
    add_item (json, g_ptr_array_index (write->items, i));
  json_builder_end_array (json);
  add_strv (json, "replaced", write->replaced);
  add_string (json, "run", write->run_id);
  json_builder_end_object (json);
  root = json_builder_get_root (json);
  line = json_to_string (root, FALSE);
  return g_strdup_printf (
      "%s\n\n%s\n\n%s\n",
      _ ("Gadget could not save this reply. It is added to its chat when Gadget is started again; "
         "the last line is for that."),
      text, line);
}

static char *
dup_queue_text (const GadgetSessionRow *session)
{
  g_autoptr (GString) text = g_string_new (session->title);

  for (guint i = 0; session->queue != NULL && session->queue[i] != NULL; i += 2)
    g_string_append_printf (text, "\n\n%s", session->queue[i]);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

char *
_gadget_recovery_session_format (const GadgetSessionRow *session, const char *data_dir)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = dup_queue_text (session);
  g_autofree char *line = NULL;

  json_builder_begin_object (json);
  gadget_json_add_int (json, SESSION_VERSION_KEY, VERSION);
  add_string (json, "data", data_dir);
  add_session (json, "session", session);
  gadget_json_add_int (json, "kept", session->kept);
  if (session->before != NULL)
    add_session (json, "before", session->before);
  json_builder_end_object (json);
  root = json_builder_get_root (json);
  line = json_to_string (root, FALSE);
  return g_strdup_printf (
      "%s\n\n%s\n\n%s\n",
      _ ("Gadget could not save this chat’s title and the messages that wait in it. They are "
         "added to the chat when Gadget is started again; the last line is for that."),
      text, line);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static GadgetAttachmentRows *
read_attachments (JsonObject *object, const char *name)
{
  JsonObject *attachments = gadget_json_get_object (object, name);

  return attachments != NULL ? _gadget_attachment_rows_from_json (attachments) : NULL;
}

static void
read_number (JsonObject *object, gpointer row, const GadgetStoreColumn *column)
{
  gint64 number = 0;

  if (column->words != NULL)
    number = column->words->from_word (gadget_json_get_string (object, column->member));
  else
    gadget_json_get_int (object, column->member, &number);
  if (column->type == GADGET_STORE_UINT)
    number = CLAMP (number, 0, G_MAXINT);
  _gadget_store_column_set_number (column, row, number);
}

static void
read_column (JsonObject *object, gpointer row, const GadgetStoreColumn *column)
{
  const char *text;

  switch (column->type)
    {
    case GADGET_STORE_TEXT:
      text = gadget_json_get_string (object, column->member);
      G_STRUCT_MEMBER (char *, row, column->offset) = g_strdup (text);
      break;
    case GADGET_STORE_STRING:
      text = gadget_json_get_string (object, column->member);
      G_STRUCT_MEMBER (GString *, row, column->offset) = g_string_new (text);
      break;
    case GADGET_STORE_ATTACHMENTS:
      G_STRUCT_MEMBER (GadgetAttachmentRows *, row, column->offset) =
          read_attachments (object, column->member);
      break;
    case GADGET_STORE_BOOLEAN:
      G_STRUCT_MEMBER (gboolean, row, column->offset) =
          gadget_json_get_flag (object, column->member);
      break;
    case GADGET_STORE_INT64:
    case GADGET_STORE_UINT:
    default:
      read_number (object, row, column);
    }
}

static void
read_columns (JsonObject *object, gpointer row, const GadgetStoreTable *table)
{
  for (guint i = 0; i < table->n_columns; i++)
    read_column (object, row, &table->columns[i]);
}

static char **
read_strv (JsonObject *object, const char *name)
{
  JsonArray *array = gadget_json_get_array (object, name);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (array == NULL)
    return NULL;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      const char *text =
          JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
              ? json_node_get_string (node)
              : "";

      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

static void
free_attachments (gpointer rows)
{
  _gadget_attachment_rows_free (rows);
}

static GPtrArray *
read_queue_attachments (JsonObject *object)
{
  GPtrArray *attachments = g_ptr_array_new_with_free_func (free_attachments);
  JsonArray *array = gadget_json_get_array (object, "given");

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *element = gadget_json_get_element (array, i);
      GadgetAttachmentRows *rows =
          element != NULL ? _gadget_attachment_rows_from_json (element) : NULL;

      if (rows != NULL)
        g_ptr_array_add (attachments, rows);
    }
  return attachments;
}

static GadgetSessionRow *
read_session (JsonObject *object)
{
  GadgetSessionRow *session = g_new0 (GadgetSessionRow, 1);

  read_columns (object, session, &_gadget_session_table);
  session->queue = read_strv (object, "queue");
  /* Texts and attachments of the messages alternate. */
  if (session->queue != NULL && g_strv_length (session->queue) % 2 != 0)
    g_clear_pointer (&session->queue, g_strfreev);
  session->queue_attachments = read_queue_attachments (object);
  return session;
}

static GadgetTurnRow *
read_turn (JsonObject *object)
{
  GadgetTurnRow *turn = g_new0 (GadgetTurnRow, 1);

  read_columns (object, turn, &_gadget_turn_table);
  return turn;
}

static GadgetItemRow *
read_item (JsonObject *object, guint position)
{
  GadgetItemRow *item = g_new0 (GadgetItemRow, 1);
  JsonArray *pictures = gadget_json_get_array (object, "pictures");

  read_columns (object, item, &_gadget_item_table);
  item->position = position;
  item->whole = TRUE;
  item->pictures = pictures != NULL ? _gadget_picture_rows_from_json (pictures) : NULL;
  return item;
}

static GadgetJournalWrite *
read_write (JsonObject *root)
{
  JsonObject *session = gadget_json_get_object (root, "session");
  JsonObject *turn = gadget_json_get_object (root, "turn");
  JsonArray *items = gadget_json_get_array (root, "items");
  g_autoptr (GadgetJournalWrite) write = NULL;

  if (session == NULL || turn == NULL || items == NULL)
    return NULL;
  write = g_new0 (GadgetJournalWrite, 1);
  write->session = read_session (session);
  write->recovered = TRUE;
  write->session_id = g_strdup (write->session->id);
  write->turn = read_turn (turn);
  write->items = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_item_row_free);
  write->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) _gadget_piece_row_free);
  for (guint i = 0; i < json_array_get_length (items); i++)
    {
      JsonObject *item = gadget_json_get_element (items, i);

      if (item == NULL)
        return NULL;
      g_ptr_array_add (write->items, read_item (item, i));
    }
  write->replaced = read_strv (root, "replaced");
  write->run_id = g_strdup (gadget_json_get_string (root, "run"));
  if (write->session_id == NULL || write->turn->id == NULL || write->turn->prompt == NULL)
    return NULL;
  return g_steal_pointer (&write);
}

/* Returns the last line (transfer none), which is not terminated, and its length in bytes. */
static const char *
find_last_line (const char *contents, gsize length, gsize *line_length)
{
  const char *newline;

  while (length > 0 && contents[length - 1] == '\n')
    length--;
  newline = g_strrstr_len (contents, (gssize) length, "\n");
  newline = newline != NULL ? newline + 1 : contents;
  *line_length = length - (gsize) (newline - contents);
  return newline;
}

JsonNode *
_gadget_recovery_parse (const char *contents, gsize length, const char *version_key, gint64 newest,
                        GError **error)
{
  gsize line_length;
  const char *line = find_last_line (contents, length, &line_length);
  g_autoptr (JsonNode) root = gadget_json_parse (line, line_length, NULL);
  gint64 version = 0;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root)
      || !gadget_json_get_int (json_node_get_object (root), version_key, &version) || version < 1)
    g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT, "the last line has no %s",
                 version_key);
  else if (version > newest)
    g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NEWER,
                         "a newer version of Gadget wrote it");
  else
    return g_steal_pointer (&root);
  return NULL;
}

GadgetJournalWrite *
_gadget_recovery_turn_parse (const char *contents, gsize length, const char *data_dir,
                             GError **error)
{
  g_autoptr (JsonNode) root =
      _gadget_recovery_parse (contents, length, VERSION_KEY, VERSION, error);
  JsonObject *object = root != NULL ? json_node_get_object (root) : NULL;
  GadgetJournalWrite *write;

  if (object == NULL || g_strcmp0 (gadget_json_get_string (object, "data"), data_dir) != 0)
    return NULL;
  write = read_write (object);
  if (write == NULL)
    g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT,
                         "this is not a reply that could not be saved");
  return write;
}

GadgetSessionRow *
_gadget_recovery_session_parse (const char *contents, gsize length, const char *data_dir,
                                GError **error)
{
  g_autoptr (JsonNode) root =
      _gadget_recovery_parse (contents, length, SESSION_VERSION_KEY, VERSION, error);
  JsonObject *object = root != NULL ? json_node_get_object (root) : NULL;
  g_autoptr (GadgetSessionRow) session = NULL;
  gint64 kept = 0;

  if (object == NULL || g_strcmp0 (gadget_json_get_string (object, "data"), data_dir) != 0)
    return NULL;
  if (gadget_json_get_object (object, "session") != NULL)
    session = read_session (gadget_json_get_object (object, "session"));
  if (session == NULL || session->id == NULL)
    {
      g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT,
                           "this is not a chat that could not be saved");
      return NULL;
    }
  gadget_json_get_int (object, "kept", &kept);
  session->kept = (GadgetSessionSettings) kept;
  if (gadget_json_get_object (object, "before") != NULL)
    session->before = read_session (gadget_json_get_object (object, "before"));
  return g_steal_pointer (&session);
}
