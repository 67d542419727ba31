/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats as JSON: each object is a row of the database with its columns as members, so nothing is
 * lost, and a new column is exported without a change here. Left out are the keys by which rows
 * refer to each other, as objects contain what belongs to them. data/docs/export.md describes the
 * format, and what is not exported. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "common/gadget-clock.h"
#include "gadget-export-private.h"
#include "store/gadget-store-schema.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define FORMAT "gadget-chats"
#define VERSION 1

/* Adds a value that is no text: {"base64": …}. */
static void
add_base64 (JsonObject *row, const char *name, sqlite3_stmt *stmt, int column)
{
  const gsize length = (gsize) sqlite3_column_bytes (stmt, column);
  g_autofree char *base64 = g_base64_encode (sqlite3_column_blob (stmt, column), length);
  JsonObject *value = json_object_new ();

  json_object_set_string_member (value, "base64", base64);
  json_object_set_object_member (row, name, value);
}

static void
add_text (JsonObject *row, const char *name, sqlite3_stmt *stmt, int column)
{
  const char *text = (const char *) sqlite3_column_text (stmt, column);

  if (g_utf8_validate (text, sqlite3_column_bytes (stmt, column), NULL))
    json_object_set_string_member (row, name, text);
  else
    add_base64 (row, name, stmt, column);
}

/* Adds a number, unless it is a key by which rows refer to each other. */
static void
add_number (JsonObject *row, const char *name, gint64 number)
{
  static const char *const keys[] = {
    "number", "session", "turn", "item", "parent", "import", NULL
  };

  if (!g_strv_contains (keys, name))
    json_object_set_int_member (row, name, number);
}

static void
add_column (JsonObject *row, sqlite3_stmt *stmt, int column)
{
  const char *name = sqlite3_column_name (stmt, column);

  switch (sqlite3_column_type (stmt, column))
    {
    case SQLITE_INTEGER:
      add_number (row, name, sqlite3_column_int64 (stmt, column));
      break;
    case SQLITE_TEXT:
      add_text (row, name, stmt, column);
      break;
    case SQLITE_BLOB:
      add_base64 (row, name, stmt, column);
      break;
    case SQLITE_NULL:
    default:
      break;
    }
}

/* Writes the row as an object without its closing brace, so that members can follow. */
static gboolean
open_row (GadgetExport *self, sqlite3_stmt *stmt, GError **error)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *row = json_object_new ();
  g_autofree char *text = NULL;

  for (int i = 0; i < sqlite3_column_count (stmt); i++)
    add_column (row, stmt, i);
  json_node_take_object (node, row);
  text = json_to_string (node, FALSE);
  text[strlen (text) - 1] = '\0';
  return _gadget_export_write (self, text, error);
}

static gboolean
write_row (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  return _gadget_export_write (self, index > 0 ? ",\n" : "\n", error)
         && open_row (self, stmt, error) && _gadget_export_write (self, "}", error);
}

/* Writes a member whose value is an array with an element for each row of a query. */
static gboolean
write_array (GadgetExport *self, const char *name, const char *sql, gint64 key,
             GadgetExportRowFunc write_element, GError **error)
{
  g_autofree char *begin = g_strdup_printf (",\"%s\":[", name);

  return _gadget_export_write (self, begin, error)
         && _gadget_export_foreach (self, sql, key, write_element, error)
         && _gadget_export_write (self, "]", error);
}

static gboolean
write_item (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  return _gadget_export_write (self, index > 0 ? ",\n" : "\n", error)
         && open_row (self, stmt, error)
         && write_array (self, "pictures",
                         "SELECT picture.* FROM item JOIN picture"
                         " ON picture.turn = item.turn AND picture.item = item.position"
                         " WHERE item.number = ?1 ORDER BY picture.position",
                         sqlite3_column_int64 (stmt, 0), write_row, error)
         && _gadget_export_write (self, "}", error);
}

static gboolean
write_turn (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  const gint64 number = sqlite3_column_int64 (stmt, 0);

  return _gadget_export_write (self, index > 0 ? ",\n" : "\n", error)
         && open_row (self, stmt, error)
         && write_array (self, "runs", "SELECT * FROM run WHERE turn = ?1 ORDER BY id", number,
                         write_row, error)
         && write_array (self, "items", "SELECT * FROM item WHERE turn = ?1 ORDER BY position",
                         number, write_item, error)
         && write_array (self, "pieces",
                         "SELECT * FROM piece WHERE turn = ?1 ORDER BY position, field, offset",
                         number, write_row, error)
         && _gadget_export_write (self, "}", error);
}

static gboolean
write_session (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  const gint64 number = sqlite3_column_int64 (stmt, 0);

  return _gadget_export_write (self, index > 0 ? ",\n" : "\n", error)
         && open_row (self, stmt, error)
         && write_array (self, "queue", "SELECT * FROM queued WHERE session = ?1 ORDER BY position",
                         number, write_row, error)
         && write_array (self, "attached",
                         "SELECT * FROM attachment WHERE session = ?1 ORDER BY id", number,
                         write_row, error)
         && write_array (self, "turns", "SELECT * FROM turn WHERE session = ?1 ORDER BY position",
                         number, write_turn, error)
         && write_array (self, "subagents",
                         "SELECT * FROM session WHERE parent = ?1 ORDER BY number", number,
                         write_session, error)
         && _gadget_export_write (self, "}", error);
}

static gboolean
write_chat (GadgetExport *self, sqlite3_stmt *stmt, guint index, GError **error)
{
  return write_session (self, stmt, self->n_chats, error);
}

gboolean
_gadget_export_json_begin (GadgetExport *self, GError **error)
{
  g_autofree char *begin = g_strdup_printf (
      "{\"format\":\"" FORMAT "\",\"version\":%d,\"schema\":%u,\"exported_at\":%" G_GINT64_FORMAT,
      VERSION, _gadget_store_schema_get_version (), gadget_clock_wall_ms ());

  return _gadget_export_write (self, begin, error)
         && write_array (self, "folders", "SELECT * FROM chat_folder WHERE ?1 = 0 ORDER BY id", 0,
                         write_row, error)
         && _gadget_export_write (self, ",\"chats\":[", error);
}

gboolean
_gadget_export_json_chat (GadgetExport *self, gint64 number, GError **error)
{
  return _gadget_export_foreach (self, "SELECT * FROM session WHERE number = ?1", number,
                                 write_chat, error);
}

gboolean
_gadget_export_json_end (GadgetExport *self, GError **error)
{
  return _gadget_export_write (self, "]}\n", error);
}
