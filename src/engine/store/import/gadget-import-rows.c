/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of chats, from JSON to the database. Which members of an object become columns follows
 * from the tables, so nothing here knows them; those that are not there are passed over. Each table
 * has one statement with all its columns, of which those without a value get their default. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-rows.h"

#include "common/gadget-types.h"

#define MAX_NUMBER ((G_GINT64_CONSTANT (1) << 53) - 1)

struct _GadgetImportRows
{
  sqlite3 *db;
  gint64 import;
  GadgetImportMemory *memory;
  GHashTable *statements; /* by their SQL */
  GHashTable *tables;     /* of Table, by their names */
};

/* What a row is inserted with. */
typedef struct
{
  sqlite3_stmt *insert;
  GHashTable *columns; /* by their names: twice the parameter, and 1 more for an integer */
} Table;

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

static void
table_free (gpointer data)
{
  Table *self = data;

  g_hash_table_unref (self->columns);
  sqlite3_finalize (self->insert);
  g_free (self);
}

static Table *
table_new (GadgetImportRows *self, const char *name, GError **error)
{
  Table *table = g_new0 (Table, 1);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GString) values = g_string_new (NULL);
  g_autofree char *query =
      g_strdup_printf ("SELECT name, type = 'INTEGER', dflt_value FROM pragma_table_info ('%s')"
                       " WHERE name != 'number'",
                       name);
  g_autofree char *sql = NULL;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (self->db, query, error);
  gboolean has_row = TRUE;
  gboolean ok = stmt != NULL;

  table->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  while (ok && (ok = _gadget_sql_next (stmt, &has_row, error)) && has_row)
    {
      const guint index = g_hash_table_size (table->columns) + 1;
      char *column = _gadget_sql_dup_text (stmt, 0);
      g_autofree char *value = _gadget_sql_dup_text (stmt, 2);

      g_string_append_printf (names, "%s\"%s\"", index > 1 ? ", " : "", column);
      g_string_append_printf (values, value != NULL ? "%scoalesce (?%u, %s)" : "%s?%u",
                              index > 1 ? ", " : "", index, value);
      g_hash_table_insert (table->columns, column,
                           GUINT_TO_POINTER (index * 2 + (guint) sqlite3_column_int (stmt, 1)));
    }
  sql = g_strdup_printf ("INSERT INTO %s (%s) VALUES (%s)", name, names->str, values->str);
  if (ok)
    table->insert = _gadget_sql_prepare (self->db, sql, error);
  if (table->insert != NULL)
    return table;
  table_free (table);
  return NULL;
}

static Table *
get_table (GadgetImportRows *self, const char *name, GError **error)
{
  Table *table = g_hash_table_lookup (self->tables, name);

  if (table == NULL)
    {
      table = table_new (self, name, error);
      if (table != NULL)
        g_hash_table_insert (self->tables, (gpointer) name, table);
    }
  return table;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Returns the parameter for a member of a row; 0 if it is not written. Numbers by which rows refer
 * to each other are not: they are those of another database. */
static int
find_parameter (const Table *table, const char *name)
{
  static const char *const keys[] = {
    "number", "session", "turn", "item", "parent", "import", NULL
  };
  const guint found = GPOINTER_TO_UINT (g_hash_table_lookup (table->columns, name));

  return found % 2 == 1 && g_strv_contains (keys, name) ? 0 : (int) found / 2;
}

/* Binds bytes, which are those of a text in a column of texts. */
static void
bind_base64 (sqlite3_stmt *stmt, int index, const char *table, const char *name,
             const GadgetImportValue *value)
{
  const char *base64 = _gadget_import_get_string (value, "base64");
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

/* Binds a value. Texts and bytes stay where they are until the row is inserted. */
static void
bind_value (sqlite3_stmt *stmt, int index, const char *table, const GadgetImportValue *value)
{
  switch (value->type)
    {
    case GADGET_IMPORT_OBJECT:
      bind_base64 (stmt, index, table, value->name, value);
      break;
    case GADGET_IMPORT_STRING:
      sqlite3_bind_text64 (stmt, index, value->text, value->length, SQLITE_STATIC, SQLITE_UTF8);
      break;
    case GADGET_IMPORT_BYTES:
      sqlite3_bind_blob64 (stmt, index, value->text, value->length, SQLITE_STATIC);
      break;
    case GADGET_IMPORT_NUMBER:
      bind_number (stmt, index, value->name, g_ascii_strtoll (value->text, NULL, 10));
      break;
    case GADGET_IMPORT_TRUE:
    case GADGET_IMPORT_FALSE:
      _gadget_sql_bind_int (stmt, index, value->type == GADGET_IMPORT_TRUE);
      break;
    case GADGET_IMPORT_NULL:
    case GADGET_IMPORT_ARRAY:
    default:
      break;
    }
}

/* Inserts a row with its references, which end with a NULL column. Sets @number to its number. */
gboolean
_gadget_import_rows_insert (GadgetImportRows *self, const char *name, const GadgetImportValue *row,
                            const GadgetImportReference *references, gint64 *number, GError **error)
{
  const Table *table = get_table (self, name, error);

  if (table == NULL)
    return FALSE;
  for (const GadgetImportValue *value = _gadget_import_get_first (row); value != NULL;
       value = value->next)
    {
      const int index = find_parameter (table, value->name);

      if (index > 0)
        bind_value (table->insert, index, name, value);
    }
  for (; references->column != NULL; references++)
    _gadget_sql_bind_int (table->insert,
                          GPOINTER_TO_INT (g_hash_table_lookup (table->columns, references->column))
                              / 2,
                          references->value);
  if (!_gadget_sql_run (table->insert, error))
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
insert_all (GadgetImportRows *self, const char *table, const GadgetImportValue *owner,
            const char *member, const GadgetImportReference *references, GError **error)
{
  for (const GadgetImportValue *row =
           _gadget_import_get_first (_gadget_import_get_array (owner, member));
       row != NULL; row = row->next)
    {
      _gadget_import_memory_relax (self->memory);
      if (row->type != GADGET_IMPORT_OBJECT)
        return fail (error);
      if (!_gadget_import_rows_insert (self, table, row, references, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
insert_item (GadgetImportRows *self, const GadgetImportValue *item, gint64 turn, GError **error)
{
  gint64 position;

  _gadget_import_memory_relax (self->memory);
  if (!_gadget_import_get_int (item, "position", &position) || position < 0)
    return fail (error);
  return _gadget_import_rows_insert (self, "item", item,
                                     (GadgetImportReference[]) { { "turn", turn }, { NULL } }, NULL,
                                     error)
         && insert_all (
             self, "picture", item, "pictures",
             (GadgetImportReference[]) { { "turn", turn }, { "item", position }, { NULL } }, error);
}

static gboolean
insert_turn (GadgetImportRows *self, const GadgetImportValue *turn, gint64 session,
             gboolean is_child, GError **error)
{
  gint64 number;
  gint64 position;

  _gadget_import_memory_relax (self->memory);
  if (!_gadget_import_rows_is_id (_gadget_import_get_string (turn, "id"))
      || !_gadget_import_get_int (turn, "position", &position) || position < 0)
    return fail (error);
  if (!_gadget_import_rows_insert (
          self, "turn", turn,
          (GadgetImportReference[]) {
              { "session", session }, { is_child ? NULL : "import", self->import }, { NULL } },
          &number, error))
    return FALSE;
  for (const GadgetImportValue *item =
           _gadget_import_get_first (_gadget_import_get_array (turn, "items"));
       item != NULL; item = item->next)
    if (!insert_item (self, item, number, error))
      return FALSE;
  return insert_all (self, "run", turn, "runs",
                     (GadgetImportReference[]) { { "turn", number }, { NULL } }, error)
         && insert_all (self, "piece", turn, "pieces",
                        (GadgetImportReference[]) { { "turn", number }, { NULL } }, error);
}

/* Inserts the turns of the chat from @first on. */
gboolean
_gadget_import_rows_insert_turns (GadgetImportRows *self, const GadgetImportValue *chat,
                                  guint first, gint64 session, gboolean is_child, GError **error)
{
  const GadgetImportValue *turn =
      _gadget_import_get_first (_gadget_import_get_array (chat, "turns"));

  for (guint i = 0; turn != NULL; turn = turn->next, i++)
    if (i >= first && !insert_turn (self, turn, session, is_child, error))
      return FALSE;
  return TRUE;
}

/* What an agent may do without asking is never imported, nor are rules and effects. */
static void
limit_mode (GadgetImportValue *chat)
{
  const char *mode = _gadget_import_get_string (chat, "mode");

  if (g_strcmp0 (mode, gadget_mode_to_string (GADGET_MODE_READ_ONLY)) == 0)
    return;
  for (GadgetImportValue *value = chat->first; value != NULL; value = value->next)
    if (g_str_equal (value->name, "mode"))
      value->type = GADGET_IMPORT_NULL;
}

/* Inserts a chat, or the chat of a subagent of the chat with the number @parent if that is not
 * 0. */
gboolean
_gadget_import_rows_insert_chat (GadgetImportRows *self, GadgetImportValue *chat, gint64 parent,
                                 GError **error)
{
  const GadgetImportReference references[] = {
    parent != 0 ? (GadgetImportReference) { "parent", parent }
                : (GadgetImportReference) { "import", self->import },
    { NULL }
  };
  gint64 number;

  if (chat->type != GADGET_IMPORT_OBJECT
      || !_gadget_import_rows_is_id (_gadget_import_get_string (chat, "id")))
    return fail (error);
  limit_mode (chat);
  if (!_gadget_import_rows_insert (self, "session", chat, references, &number, error)
      || !insert_all (self, "queued", chat, "queue",
                      (GadgetImportReference[]) { { "session", number }, { NULL } }, error)
      || !insert_all (self, "attachment", chat, "attached",
                      (GadgetImportReference[]) { { "session", number }, { NULL } }, error)
      || !_gadget_import_rows_insert_turns (self, chat, 0, number, parent != 0, error))
    return FALSE;
  for (GadgetImportValue *child =
           _gadget_import_get_first (_gadget_import_get_array (chat, "subagents"));
       child != NULL; child = child->next)
    if (!_gadget_import_rows_insert_chat (self, child, number, error))
      return FALSE;
  return TRUE;
}

/* Sets @exists to whether a row with the id of another one is there. */
static gboolean
find_row (GadgetImportRows *self, const char *sql, const GadgetImportValue *row, gint64 *exists,
          GError **error)
{
  const char *id = _gadget_import_get_string (row, "id");

  if (id == NULL)
    return fail (error);
  return _gadget_import_rows_get_number (self, sql, id, 0, exists, error);
}

/* Inserts the attachments and the chats of subagents that are not there yet. */
gboolean
_gadget_import_rows_insert_new_parts (GadgetImportRows *self, GadgetImportValue *chat,
                                      gint64 session, GError **error)
{
  gint64 exists;

  for (const GadgetImportValue *row =
           _gadget_import_get_first (_gadget_import_get_array (chat, "attached"));
       row != NULL; row = row->next)
    if (!find_row (self, "SELECT 1 FROM attachment WHERE id = ?1", row, &exists, error)
        || (exists == 0
            && !_gadget_import_rows_insert (
                self, "attachment", row,
                (GadgetImportReference[]) { { "session", session }, { NULL } }, NULL, error)))
      return FALSE;
  for (GadgetImportValue *child =
           _gadget_import_get_first (_gadget_import_get_array (chat, "subagents"));
       child != NULL; child = child->next)
    if (!find_row (self, "SELECT 1 FROM session WHERE id = ?1", child, &exists, error)
        || (exists == 0 && !_gadget_import_rows_insert_chat (self, child, session, error)))
      return FALSE;
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

void
_gadget_import_rows_set_memory (GadgetImportRows *self, GadgetImportMemory *memory)
{
  self->memory = memory;
}

GadgetImportRows *
_gadget_import_rows_new (sqlite3 *db)
{
  GadgetImportRows *self = g_new0 (GadgetImportRows, 1);

  self->db = db;
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, finalize_statement);
  self->tables = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, table_free);
  return self;
}

void
_gadget_import_rows_free (GadgetImportRows *self)
{
  g_hash_table_unref (self->statements);
  g_hash_table_unref (self->tables);
  g_free (self);
}
