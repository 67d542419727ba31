/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of chats, from JSON to the database. Which members of an object become columns follows
 * from the tables, so nothing here knows them; those that are not there are passed over. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-rows.h"

#include "common/gadget-json.h"
#include "common/gadget-types.h"

#define MAX_NUMBER ((G_GINT64_CONSTANT (1) << 53) - 1)

struct _GadgetImportRows
{
  sqlite3 *db;
  gint64 import;
  GHashTable *statements; /* by their SQL */
  GHashTable *columns;    /* by "table.column"; 2 for an integer, else 1 */
};

gboolean
_gadget_import_rows_is_id (const char *id)
{
  const gsize length = id != NULL ? strlen (id) : 0;

  return length > 0 && length <= 128
         && strspn (id, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_") == length;
}

/* --- Statements ------------------------------------------------------------------------------- */

/* Returns the statement, which is prepared once (transfer none). */
sqlite3_stmt *
_gadget_import_rows_get_statement (GadgetImportRows *self, const char *sql, GError **error)
{
  sqlite3_stmt *stmt = g_hash_table_lookup (self->statements, sql);

  if (stmt == NULL)
    {
      stmt = _gadget_sql_prepare (self->db, sql, error);
      if (stmt != NULL)
        g_hash_table_insert (self->statements, g_strdup (sql), stmt);
    }
  return stmt;
}

/* Runs a statement with two numbers. */
gboolean
_gadget_import_rows_run (GadgetImportRows *self, const char *sql, gint64 first, gint64 second,
                         GError **error)
{
  sqlite3_stmt *stmt = _gadget_import_rows_get_statement (self, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, first);
  if (sqlite3_bind_parameter_count (stmt) > 1)
    _gadget_sql_bind_int (stmt, 2, second);
  return _gadget_sql_run (stmt, error);
}

/* Sets @value to the number that a query with a text, or else a number, returns; 0 if there is no
 * row. */
gboolean
_gadget_import_rows_get_number (GadgetImportRows *self, const char *sql, const char *text,
                                gint64 number, gint64 *value, GError **error)
{
  sqlite3_stmt *stmt = _gadget_import_rows_get_statement (self, sql, error);
  gboolean has_row = FALSE;
  gboolean ok;

  if (stmt == NULL)
    return FALSE;
  if (text != NULL)
    _gadget_sql_bind_text (stmt, 1, text);
  else
    _gadget_sql_bind_int (stmt, 1, number);
  ok = _gadget_sql_next (stmt, &has_row, error);
  if (ok)
    *value = has_row ? sqlite3_column_int64 (stmt, 0) : 0;
  sqlite3_reset (stmt);
  sqlite3_clear_bindings (stmt);
  return ok;
}

static gboolean
read_columns (GadgetImportRows *self, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      self->db,
      "SELECT list.name || '.' || columns.name, columns.type = 'INTEGER'"
      " FROM pragma_table_list AS list JOIN pragma_table_info (list.name) AS columns"
      " WHERE list.schema = 'main' AND list.name IN ('session', 'queued', 'attachment', 'turn',"
      " 'run', 'item', 'piece', 'picture', 'chat_folder')",
      error);
  gboolean has_row;

  while (stmt != NULL && _gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      g_hash_table_insert (self->columns, _gadget_sql_dup_text (stmt, 0),
                           GINT_TO_POINTER (sqlite3_column_int (stmt, 1) + 1));
    }
  return FALSE;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Tells whether the member of a row is written to a column. Numbers by which rows refer to each
 * other are not: they are those of another database. */
static gboolean
is_written (GadgetImportRows *self, const char *table, const char *name)
{
  static const char *const keys[] = {
    "number", "session", "turn", "item", "parent", "import", NULL
  };
  g_autofree char *column = g_strconcat (table, ".", name, NULL);
  const int type = GPOINTER_TO_INT (g_hash_table_lookup (self->columns, column));

  return type != 0 && (type == 1 || !g_strv_contains (keys, name));
}

static char *
make_insert (GadgetImportRows *self, const char *table, JsonObject *row,
             const GadgetImportReference *references)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  g_autoptr (GString) values = g_string_new (NULL);
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  g_string_append_printf (sql, "INSERT INTO %s (", table);
  for (; references->column != NULL; references++)
    {
      g_string_append_printf (sql, "%s%s", values->len > 0 ? ", " : "", references->column);
      g_string_append (values, values->len > 0 ? ", ?" : "?");
    }
  json_object_iter_init_ordered (&iter, row);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (!JSON_NODE_HOLDS_ARRAY (node) && is_written (self, table, name))
      {
        g_string_append_printf (sql, "%s\"%s\"", values->len > 0 ? ", " : "", name);
        g_string_append (values, values->len > 0 ? ", ?" : "?");
      }
  g_string_append_printf (sql, ") VALUES (%s)", values->str);
  return g_strdup (sql->str);
}

/* Binds bytes, which are those of a text in a column of texts. */
static void
bind_base64 (sqlite3_stmt *stmt, int index, const char *table, const char *name, JsonObject *value)
{
  const char *base64 = gadget_json_get_string (value, "base64");
  gsize length = 0;
  guchar *bytes = base64 != NULL ? g_base64_decode (base64, &length) : NULL;
  gboolean is_text;

  if (bytes == NULL)
    return;
  is_text = !g_str_equal (name, "data") || g_str_equal (table, "piece");
  if (is_text)
    sqlite3_bind_text64 (stmt, index, (const char *) bytes, length, g_free, SQLITE_UTF8);
  else
    sqlite3_bind_blob64 (stmt, index, bytes, length, g_free);
}

static void
bind_number (sqlite3_stmt *stmt, int index, const char *name, gint64 number)
{
  if (g_str_has_suffix (name, "_at"))
    number = number > GADGET_IMPORT_MAX_TIME ? 0 : MAX (number, 0);
  _gadget_sql_bind_int (stmt, index, CLAMP (number, -MAX_NUMBER, MAX_NUMBER));
}

static void
bind_node (sqlite3_stmt *stmt, int index, const char *table, const char *name, JsonNode *node)
{
  const GType type = json_node_get_value_type (node);

  if (JSON_NODE_HOLDS_OBJECT (node))
    bind_base64 (stmt, index, table, name, json_node_get_object (node));
  else if (type == G_TYPE_STRING)
    _gadget_sql_bind_text (stmt, index, json_node_get_string (node));
  else if (type == G_TYPE_INT64)
    bind_number (stmt, index, name, json_node_get_int (node));
  else if (type == G_TYPE_BOOLEAN)
    _gadget_sql_bind_int (stmt, index, json_node_get_boolean (node));
}

/* Inserts a row with its references, which end with a NULL column. Sets @number to its number. */
gboolean
_gadget_import_rows_insert (GadgetImportRows *self, const char *table, JsonObject *row,
                            const GadgetImportReference *references, gint64 *number, GError **error)
{
  g_autofree char *sql = make_insert (self, table, row, references);
  sqlite3_stmt *stmt = _gadget_import_rows_get_statement (self, sql, error);
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  int index = 1;

  if (stmt == NULL)
    return FALSE;
  for (; references->column != NULL; references++)
    _gadget_sql_bind_int (stmt, index++, references->value);
  json_object_iter_init_ordered (&iter, row);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (!JSON_NODE_HOLDS_ARRAY (node) && is_written (self, table, name))
      bind_node (stmt, index++, table, name, node);
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  if (number != NULL)
    *number = sqlite3_last_insert_rowid (self->db);
  return TRUE;
}

/* Fails as a broken row does. */
static gboolean
fail (GError **error)
{
  g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                       "the chat is not complete");
  return FALSE;
}

/* Inserts the rows of a member, which is an array of objects, or is not there. */
static gboolean
insert_all (GadgetImportRows *self, const char *table, JsonObject *owner, const char *member,
            const GadgetImportReference *references, GError **error)
{
  JsonArray *rows = gadget_json_get_array (owner, member);

  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      JsonObject *row = gadget_json_get_element (rows, i);

      if (row == NULL)
        return fail (error);
      if (!_gadget_import_rows_insert (self, table, row, references, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
insert_item (GadgetImportRows *self, JsonObject *item, gint64 turn, GError **error)
{
  gint64 position;

  if (!gadget_json_get_int (item, "position", &position) || position < 0)
    return fail (error);
  return _gadget_import_rows_insert (self, "item", item,
                                     (GadgetImportReference[]) { { "turn", turn }, { NULL } }, NULL,
                                     error)
         && insert_all (
             self, "picture", item, "pictures",
             (GadgetImportReference[]) { { "turn", turn }, { "item", position }, { NULL } }, error);
}

static gboolean
insert_turn (GadgetImportRows *self, JsonObject *turn, gint64 session, gboolean is_child,
             GError **error)
{
  JsonArray *items = gadget_json_get_array (turn, "items");
  gint64 number;
  gint64 position;

  if (!_gadget_import_rows_is_id (gadget_json_get_string (turn, "id"))
      || !gadget_json_get_int (turn, "position", &position) || position < 0)
    return fail (error);
  if (!_gadget_import_rows_insert (
          self, "turn", turn,
          (GadgetImportReference[]) {
              { "session", session }, { is_child ? NULL : "import", self->import }, { NULL } },
          &number, error))
    return FALSE;
  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonObject *item = gadget_json_get_element (items, i);

      if (item == NULL)
        return fail (error);
      if (!insert_item (self, item, number, error))
        return FALSE;
    }
  return insert_all (self, "run", turn, "runs",
                     (GadgetImportReference[]) { { "turn", number }, { NULL } }, error)
         && insert_all (self, "piece", turn, "pieces",
                        (GadgetImportReference[]) { { "turn", number }, { NULL } }, error);
}

/* Inserts the turns of the chat from @first on. */
gboolean
_gadget_import_rows_insert_turns (GadgetImportRows *self, JsonObject *chat, guint first,
                                  gint64 session, gboolean is_child, GError **error)
{
  JsonArray *turns = gadget_json_get_array (chat, "turns");

  for (guint i = first; turns != NULL && i < json_array_get_length (turns); i++)
    {
      JsonObject *turn = gadget_json_get_element (turns, i);

      if (turn == NULL)
        return fail (error);
      if (!insert_turn (self, turn, session, is_child, error))
        return FALSE;
    }
  return TRUE;
}

/* What an agent may do without asking is never imported, nor are rules and effects. */
static void
limit_mode (JsonObject *chat)
{
  const char *mode = gadget_json_get_string (chat, "mode");

  if (g_strcmp0 (mode, gadget_mode_to_string (GADGET_MODE_READ_ONLY)) != 0)
    json_object_set_string_member (chat, "mode", gadget_mode_to_string (GADGET_MODE_ASK));
}

/* Inserts a chat, or the chat of a subagent of the chat with the number @parent if that is not
 * 0. */
gboolean
_gadget_import_rows_insert_chat (GadgetImportRows *self, JsonObject *chat, gint64 parent,
                                 GError **error)
{
  const GadgetImportReference references[] = {
    parent != 0 ? (GadgetImportReference) { "parent", parent }
                : (GadgetImportReference) { "import", self->import },
    { NULL }
  };
  JsonArray *subagents = gadget_json_get_array (chat, "subagents");
  gint64 number;

  if (!_gadget_import_rows_is_id (gadget_json_get_string (chat, "id")))
    return fail (error);
  limit_mode (chat);
  if (!_gadget_import_rows_insert (self, "session", chat, references, &number, error)
      || !insert_all (self, "queued", chat, "queue",
                      (GadgetImportReference[]) { { "session", number }, { NULL } }, error)
      || !insert_all (self, "attachment", chat, "attached",
                      (GadgetImportReference[]) { { "session", number }, { NULL } }, error)
      || !_gadget_import_rows_insert_turns (self, chat, 0, number, parent != 0, error))
    return FALSE;
  for (guint i = 0; subagents != NULL && i < json_array_get_length (subagents); i++)
    {
      JsonObject *child = gadget_json_get_element (subagents, i);

      if (child == NULL)
        return fail (error);
      if (!_gadget_import_rows_insert_chat (self, child, number, error))
        return FALSE;
    }
  return TRUE;
}

/* Inserts the attachments and the chats of subagents that are not there yet. */
gboolean
_gadget_import_rows_insert_new_parts (GadgetImportRows *self, JsonObject *chat, gint64 session,
                                      GError **error)
{
  JsonArray *attached = gadget_json_get_array (chat, "attached");
  JsonArray *subagents = gadget_json_get_array (chat, "subagents");
  gint64 exists;

  for (guint i = 0; attached != NULL && i < json_array_get_length (attached); i++)
    {
      JsonObject *row = gadget_json_get_element (attached, i);
      const char *id = gadget_json_get_string (row, "id");

      if (id == NULL)
        return fail (error);
      if (!_gadget_import_rows_get_number (self, "SELECT 1 FROM attachment WHERE id = ?1", id, 0,
                                           &exists, error)
          || (exists == 0
              && !_gadget_import_rows_insert (
                  self, "attachment", row,
                  (GadgetImportReference[]) { { "session", session }, { NULL } }, NULL, error)))
        return FALSE;
    }
  for (guint i = 0; subagents != NULL && i < json_array_get_length (subagents); i++)
    {
      JsonObject *child = gadget_json_get_element (subagents, i);
      const char *id = gadget_json_get_string (child, "id");

      if (id == NULL)
        return fail (error);
      if (!_gadget_import_rows_get_number (self, "SELECT 1 FROM session WHERE id = ?1", id, 0,
                                           &exists, error)
          || (exists == 0 && !_gadget_import_rows_insert_chat (self, child, session, error)))
        return FALSE;
    }
  return TRUE;
}

/* Tells whether the error is that of a row, and not of the database. */
gboolean
_gadget_import_rows_is_broken (GadgetImportRows *self, const GError *error)
{
  const int code = sqlite3_errcode (self->db) & 0xff;

  return g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND)
         || code == SQLITE_CONSTRAINT || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH;
}

static void
finalize_statement (gpointer stmt)
{
  sqlite3_finalize (stmt);
}

void
_gadget_import_rows_set_import (GadgetImportRows *self, gint64 import)
{
  self->import = import;
}

GadgetImportRows *
_gadget_import_rows_new (sqlite3 *db, GError **error)
{
  g_autoptr (GadgetImportRows) self = g_new0 (GadgetImportRows, 1);

  self->db = db;
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, finalize_statement);
  self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return read_columns (self, error) ? g_steal_pointer (&self) : NULL;
}

void
_gadget_import_rows_free (GadgetImportRows *self)
{
  g_hash_table_unref (self->statements);
  g_hash_table_unref (self->columns);
  g_free (self);
}
