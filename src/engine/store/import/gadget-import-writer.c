/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes chats to the database, on a connection of its own.
 *
 * Each chat is a transaction of some milliseconds, and other writers get their turn between two of
 * them. Nothing is read from a file within one, since that may take long.
 *
 * All or nothing: a new chat has the number of its import, and lists hide it until the import's row
 * has a time of its end. Turns that a newer file adds to a chat that is there are written to a
 * hidden chat, and moved in the last transaction. The lease "import" is held meanwhile, so hidden
 * chats without a holder of the lease are those of a process that died.
 *
 * The same file twice: ids of chats and turns are those of the file, or follow from them. A chat
 * that is there gets more turns only if those that it has are the first ones of the file: else it
 * went on here, or was changed, and is left alone. A chat that was deleted here gets an id that
 * follows from its old one, since the id of a deleted chat is never used again. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <string.h>

#include "gadget-import-writer.h"

#include "gadget-import-chat.h"
#include "gadget-import-clean-up.h"

#include "common/gadget-clock.h"
#include "common/gadget-id.h"
#include "common/gadget-json.h"
#include "store/lease/gadget-open-lock.h"

#define MAX_FOLDERS 10000
#define MAX_NUMBER ((G_GINT64_CONSTANT (1) << 53) - 1)
/* The end of the year 9999, in milliseconds. */
#define MAX_TIME G_GINT64_CONSTANT (253402300799999)

/* A chat that is there, and the hidden one with the turns for it. */
typedef struct
{
  gint64 chat;
  gint64 hidden;
  gint64 n_turns; /* that the chat had */
  GadgetLease *lease;
  GadgetOpenLock *open_lock;
} Extension;

struct _GadgetImportWriter
{
  char *directory;
  GadgetLease *lease;
  sqlite3 *db;
  GCancellable *cancellable; /* (nullable) */
  gint64 number;
  GHashTable *statements; /* by their SQL */
  GHashTable *columns;    /* by "table.column"; whether it is an integer */
  GPtrArray *extensions;  /* of Extension */
  GPtrArray *folders;     /* of JsonObject */
  gboolean completed;
};

/* A column that refers to another row, by its number. */
typedef struct
{
  const char *column;
  gint64 value;
} Reference;

static gboolean
is_id (const char *id)
{
  const gsize length = id != NULL ? strlen (id) : 0;

  return length > 0 && length <= 128
         && strspn (id, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_") == length;
}

/* --- Statements ------------------------------------------------------------------------------- */

/* Returns the statement, which is prepared once (transfer none). */
static sqlite3_stmt *
get_statement (GadgetImportWriter *self, const char *sql, GError **error)
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
static gboolean
run (GadgetImportWriter *self, const char *sql, gint64 first, gint64 second, GError **error)
{
  sqlite3_stmt *stmt = get_statement (self, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, first);
  if (sqlite3_bind_parameter_count (stmt) > 1)
    _gadget_sql_bind_int (stmt, 2, second);
  return _gadget_sql_run (stmt, error);
}

/* Sets @value to the number that a query with a text, or else a number, returns; 0 if there is no
 * row. */
static gboolean
get_number (GadgetImportWriter *self, const char *sql, const char *text, gint64 number,
            gint64 *value, GError **error)
{
  sqlite3_stmt *stmt = get_statement (self, sql, error);
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
read_columns (GadgetImportWriter *self, GError **error)
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
is_written (GadgetImportWriter *self, const char *table, const char *name)
{
  static const char *const keys[] = {
    "number", "session", "turn", "item", "parent", "import", NULL
  };
  g_autofree char *column = g_strconcat (table, ".", name, NULL);
  const int type = GPOINTER_TO_INT (g_hash_table_lookup (self->columns, column));

  return type != 0 && (type == 1 || !g_strv_contains (keys, name));
}

static char *
make_insert (GadgetImportWriter *self, const char *table, JsonObject *row,
             const Reference *references)
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
    number = number > MAX_TIME ? 0 : MAX (number, 0);
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
static gboolean
insert (GadgetImportWriter *self, const char *table, JsonObject *row, const Reference *references,
        gint64 *number, GError **error)
{
  g_autofree char *sql = make_insert (self, table, row, references);
  sqlite3_stmt *stmt = get_statement (self, sql, error);
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
insert_all (GadgetImportWriter *self, const char *table, JsonObject *owner, const char *member,
            const Reference *references, GError **error)
{
  JsonArray *rows = gadget_json_get_array (owner, member);

  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      JsonObject *row = gadget_json_get_element (rows, i);

      if (row == NULL)
        return fail (error);
      if (!insert (self, table, row, references, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
insert_item (GadgetImportWriter *self, JsonObject *item, gint64 turn, GError **error)
{
  gint64 position;

  if (!gadget_json_get_int (item, "position", &position) || position < 0)
    return fail (error);
  return insert (self, "item", item, (Reference[]) { { "turn", turn }, { NULL } }, NULL, error)
         && insert_all (self, "picture", item, "pictures",
                        (Reference[]) { { "turn", turn }, { "item", position }, { NULL } }, error);
}

static gboolean
insert_turn (GadgetImportWriter *self, JsonObject *turn, gint64 session, gboolean is_child,
             GError **error)
{
  JsonArray *items = gadget_json_get_array (turn, "items");
  gint64 number;
  gint64 position;

  if (!is_id (gadget_json_get_string (turn, "id"))
      || !gadget_json_get_int (turn, "position", &position) || position < 0)
    return fail (error);
  if (!insert (self, "turn", turn,
               (Reference[]) {
                   { "session", session }, { is_child ? NULL : "import", self->number }, { NULL } },
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
  return insert_all (self, "run", turn, "runs", (Reference[]) { { "turn", number }, { NULL } },
                     error)
         && insert_all (self, "piece", turn, "pieces",
                        (Reference[]) { { "turn", number }, { NULL } }, error);
}

/* Inserts the turns of the chat from @first on. */
static gboolean
insert_turns (GadgetImportWriter *self, JsonObject *chat, guint first, gint64 session,
              gboolean is_child, GError **error)
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
static gboolean
insert_chat (GadgetImportWriter *self, JsonObject *chat, gint64 parent, GError **error)
{
  const Reference references[] = { parent != 0 ? (Reference) { "parent", parent }
                                               : (Reference) { "import", self->number },
                                   { NULL } };
  JsonArray *subagents = gadget_json_get_array (chat, "subagents");
  gint64 number;

  if (!is_id (gadget_json_get_string (chat, "id")))
    return fail (error);
  limit_mode (chat);
  if (!insert (self, "session", chat, references, &number, error)
      || !insert_all (self, "queued", chat, "queue",
                      (Reference[]) { { "session", number }, { NULL } }, error)
      || !insert_all (self, "attachment", chat, "attached",
                      (Reference[]) { { "session", number }, { NULL } }, error)
      || !insert_turns (self, chat, 0, number, parent != 0, error))
    return FALSE;
  for (guint i = 0; subagents != NULL && i < json_array_get_length (subagents); i++)
    {
      JsonObject *child = gadget_json_get_element (subagents, i);

      if (child == NULL)
        return fail (error);
      if (!insert_chat (self, child, number, error))
        return FALSE;
    }
  return TRUE;
}

/* Inserts the attachments and the chats of subagents that are not there yet. */
static gboolean
insert_new_parts (GadgetImportWriter *self, JsonObject *chat, gint64 session, GError **error)
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
      if (!get_number (self, "SELECT 1 FROM attachment WHERE id = ?1", id, 0, &exists, error)
          || (exists == 0
              && !insert (self, "attachment", row,
                          (Reference[]) { { "session", session }, { NULL } }, NULL, error)))
        return FALSE;
    }
  for (guint i = 0; subagents != NULL && i < json_array_get_length (subagents); i++)
    {
      JsonObject *child = gadget_json_get_element (subagents, i);
      const char *id = gadget_json_get_string (child, "id");

      if (id == NULL)
        return fail (error);
      if (!get_number (self, "SELECT 1 FROM session WHERE id = ?1", id, 0, &exists, error)
          || (exists == 0 && !insert_chat (self, child, session, error)))
        return FALSE;
    }
  return TRUE;
}

/* --- Chats that are there --------------------------------------------------------------------- */

/* Finds the chat under its id, or under the one that it has since it was deleted. @number is 0 if
 * it is not there; the chat then has the id under which it can be stored. */
static gboolean
find_chat (GadgetImportWriter *self, JsonObject *chat, gint64 *number, GError **error)
{
  g_autofree char *id = g_strdup (gadget_json_get_string (chat, "id"));

  for (;;)
    {
      gint64 deleted;
      char *next;

      if (!get_number (self, "SELECT number FROM session WHERE id = ?1", id, 0, number, error)
          || !get_number (self, "SELECT 1 FROM deleted_session WHERE id = ?1", id, 0, &deleted,
                          error))
        return FALSE;
      if (*number != 0 || deleted == 0)
        {
          json_object_set_string_member (chat, "id", id);
          return TRUE;
        }
      next = _gadget_import_make_id ("deleted", id, NULL);
      g_free (id);
      id = next;
    }
}

/* Sets @n_turns to the number of turns of the chat that is there, or to -1 if these are not the
 * first ones of the file. */
static gboolean
compare_turns (GadgetImportWriter *self, gint64 number, JsonArray *turns, gint64 *n_turns,
               GError **error)
{
  sqlite3_stmt *stmt =
      get_statement (self, "SELECT id FROM turn WHERE session = ?1 ORDER BY position", error);
  const guint length = turns != NULL ? json_array_get_length (turns) : 0;
  gboolean has_row = TRUE;
  gboolean ok = stmt != NULL;

  *n_turns = 0;
  if (ok)
    _gadget_sql_bind_int (stmt, 1, number);
  while (ok && has_row && *n_turns >= 0)
    {
      ok = _gadget_sql_next (stmt, &has_row, error);
      if (!ok || !has_row)
        break;
      if (*n_turns < length
          && g_strcmp0 (
                 (const char *) sqlite3_column_text (stmt, 0),
                 gadget_json_get_string (gadget_json_get_element (turns, (guint) *n_turns), "id"))
                 == 0)
        ++*n_turns;
      else
        *n_turns = -1;
    }
  if (stmt != NULL)
    sqlite3_reset (stmt);
  return ok;
}

/* Makes a hidden chat, whose turns will be those of another one. */
static gboolean
insert_hidden (GadgetImportWriter *self, gint64 *number, GError **error)
{
  g_autoptr (JsonObject) row = json_object_new ();
  g_autofree char *id = gadget_id_new ();

  json_object_set_string_member (row, "id", id);
  json_object_set_int_member (row, "created_at", 0);
  json_object_set_int_member (row, "updated_at", 0);
  return insert (self, "session", row, (Reference[]) { { "import", self->number }, { NULL } },
                 number, error);
}

static gboolean
extend (GadgetImportWriter *self, JsonObject *chat, gint64 number, gint64 n_turns, GError **error)
{
  gint64 updated_at = 0;
  gint64 import;
  gint64 to = number;

  if (!get_number (self, "SELECT import FROM session WHERE number = ?1", NULL, number, &import,
                   error))
    return FALSE;
  if (import != self->number && !insert_hidden (self, &to, error))
    return FALSE;
  gadget_json_get_int (chat, "updated_at", &updated_at);
  if (!insert_turns (self, chat, (guint) n_turns, to, FALSE, error)
      || !insert_new_parts (self, chat, to, error)
      || !run (self, "UPDATE session SET updated_at = max (updated_at, ?2) WHERE number = ?1", to,
               CLAMP (updated_at, 0, MAX_TIME), error))
    return FALSE;
  if (to != number)
    {
      Extension *extension = g_new0 (Extension, 1);

      extension->chat = number;
      extension->hidden = to;
      extension->n_turns = n_turns;
      g_ptr_array_add (self->extensions, extension);
    }
  return TRUE;
}

static void
extension_free (gpointer data)
{
  Extension *extension = data;

  g_clear_pointer (&extension->open_lock, gadget_open_lock_unref);
  g_clear_pointer (&extension->lease, gadget_lease_release);
  g_free (extension);
}

/* A chat may be in more than one file; the longer one counts. */
static gboolean
is_extended (GadgetImportWriter *self, gint64 number)
{
  for (guint i = 0; i < self->extensions->len; i++)
    if (((const Extension *) g_ptr_array_index (self->extensions, i))->chat == number)
      return TRUE;
  return FALSE;
}

static gboolean
add (GadgetImportWriter *self, JsonObject *chat, GadgetImportResult *result, GError **error)
{
  JsonArray *turns = gadget_json_get_array (chat, "turns");
  gint64 number;
  gint64 n_turns;

  if (!find_chat (self, chat, &number, error))
    return FALSE;
  if (number == 0)
    {
      *result = GADGET_IMPORT_ADDED;
      return insert_chat (self, chat, 0, error);
    }
  if (!compare_turns (self, number, turns, &n_turns, error))
    return FALSE;
  if (n_turns < 0 || is_extended (self, number))
    *result = GADGET_IMPORT_KEPT;
  else if (turns == NULL || n_turns == json_array_get_length (turns))
    *result = GADGET_IMPORT_UNCHANGED;
  else
    *result = GADGET_IMPORT_EXTENDED;
  return *result != GADGET_IMPORT_EXTENDED || extend (self, chat, number, n_turns, error);
}

/* --- Transactions ----------------------------------------------------------------------------- */

/* Tells whether the error is that of a row, and not of the database. */
static gboolean
is_broken_row (GadgetImportWriter *self, const GError *error)
{
  const int code = sqlite3_errcode (self->db) & 0xff;

  return g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND)
         || code == SQLITE_CONSTRAINT || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH;
}

/* A chat in a transaction. */
typedef struct
{
  GadgetImportWriter *writer;
  JsonObject *chat;
  GadgetImportResult *result;
  gboolean is_broken; /* whether the chat is what failed */
} Addition;

static gboolean
add_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  Addition *addition = data;

  if (add (addition->writer, addition->chat, addition->result, error))
    return TRUE;
  addition->is_broken = is_broken_row (addition->writer, *error);
  return FALSE;
}

gboolean
_gadget_import_writer_add_chat (GadgetImportWriter *self, JsonObject *chat,
                                GadgetImportResult *result, GError **error)
{
  const guint n_extensions = self->extensions->len;
  Addition addition = { self, chat, result, FALSE };
  g_autoptr (GError) row_error = NULL;

  *result = GADGET_IMPORT_BROKEN;
  if (!is_id (gadget_json_get_string (chat, "id")))
    return TRUE;
  if (!_gadget_sql_transaction (self->db, add_in_transaction, &addition, &row_error))
    {
      if (!addition.is_broken)
        {
          g_propagate_error (error, g_steal_pointer (&row_error));
          return FALSE;
        }
      *result = GADGET_IMPORT_BROKEN;
      g_ptr_array_set_size (self->extensions, (int) n_extensions);
    }
  _gadget_import_pause (self->cancellable, GADGET_IMPORT_PAUSE_MS);
  return TRUE;
}

void
_gadget_import_writer_add_folder (GadgetImportWriter *self, JsonObject *folder)
{
  if (self->folders->len < MAX_FOLDERS && is_id (gadget_json_get_string (folder, "id")))
    g_ptr_array_add (self->folders, json_object_ref (folder));
}

/* --- The end ---------------------------------------------------------------------------------- */

static char *
dup_session_id (GadgetImportWriter *self, gint64 number)
{
  sqlite3_stmt *stmt = get_statement (self, "SELECT id FROM session WHERE number = ?1", NULL);
  gboolean has_row = FALSE;
  char *id = NULL;

  if (stmt == NULL)
    return NULL;
  _gadget_sql_bind_int (stmt, 1, number);
  if (_gadget_sql_next (stmt, &has_row, NULL) && has_row)
    id = _gadget_sql_dup_text (stmt, 0);
  sqlite3_reset (stmt);
  return id;
}

/* Takes the lease of the chat, unless some process works on it or shows it. */
static void
lock_extension (GadgetImportWriter *self, Extension *extension)
{
  g_autofree char *id = dup_session_id (self, extension->chat);

  if (id == NULL)
    return;
  extension->lease = gadget_lease_acquire (self->directory, id, NULL);
  if (extension->lease == NULL)
    return;
  extension->open_lock = gadget_open_lock_new (self->directory, id);
  if (extension->open_lock == NULL || !gadget_open_lock_is_alone (extension->open_lock))
    g_clear_pointer (&extension->lease, gadget_lease_release);
}

/* Moves the turns to the chat that they are for, unless that was changed meanwhile. */
static gboolean
move_turns (GadgetImportWriter *self, const Extension *extension, gboolean *moved, GError **error)
{
  gint64 n_turns;

  *moved = FALSE;
  if (!get_number (self, "SELECT count(*) FROM turn WHERE session = ?1", NULL, extension->chat,
                   &n_turns, error))
    return FALSE;
  *moved = extension->lease != NULL && n_turns == extension->n_turns;
  if (*moved
      && (!run (self, "UPDATE turn SET session = ?1 WHERE session = ?2", extension->chat,
                extension->hidden, error)
          || !run (self, "UPDATE attachment SET session = ?1 WHERE session = ?2", extension->chat,
                   extension->hidden, error)
          || !run (self, "UPDATE session SET parent = ?1 WHERE parent = ?2", extension->chat,
                   extension->hidden, error)
          /* Processes that have the chat read it again when it seems changed. */
          || !run (self,
                   "UPDATE session SET updated_at = max (updated_at + 1,"
                   " (SELECT updated_at FROM session WHERE number = ?2)) WHERE number = ?1",
                   extension->chat, extension->hidden, error)))
    return FALSE;
  return run (self, "DELETE FROM session WHERE number = ?1", extension->hidden, 0, error);
}

static gboolean
insert_folders (GadgetImportWriter *self, GError **error)
{
  for (guint i = 0; i < self->folders->len; i++)
    {
      JsonObject *folder = g_ptr_array_index (self->folders, i);
      g_autoptr (GError) row_error = NULL;
      gint64 exists;

      if (!get_number (self, "SELECT 1 FROM chat_folder WHERE id = ?1",
                       gadget_json_get_string (folder, "id"), 0, &exists, error))
        return FALSE;
      if (exists == 0
          && !insert (self, "chat_folder", folder,
                      (Reference[]) { { "import", self->number }, { NULL } }, NULL, &row_error)
          && !is_broken_row (self, row_error))
        {
          g_propagate_error (error, g_steal_pointer (&row_error));
          return FALSE;
        }
    }
  return TRUE;
}

/* The end of an import. */
typedef struct
{
  GadgetImportWriter *writer;
  gint64 number;
  guint n_kept;
} Completion;

static gboolean
complete (sqlite3 *db, gpointer data, GError **error)
{
  Completion *completion = data;
  GadgetImportWriter *self = completion->writer;
  gint64 n_added;

  for (guint i = 0; i < self->extensions->len; i++)
    {
      gboolean moved;

      if (!move_turns (self, g_ptr_array_index (self->extensions, i), &moved, error))
        return FALSE;
      completion->n_kept += !moved;
    }
  if (!insert_folders (self, error)
      || !get_number (self,
                      "SELECT EXISTS (SELECT 1 FROM session WHERE import = ?1)"
                      " OR EXISTS (SELECT 1 FROM turn WHERE import = ?1)"
                      " OR EXISTS (SELECT 1 FROM chat_folder WHERE import = ?1)",
                      NULL, self->number, &n_added, error))
    return FALSE;
  completion->number = n_added != 0 ? self->number : 0;
  return n_added != 0 ? run (self, "UPDATE import SET ended_at = ?2 WHERE number = ?1",
                             self->number, gadget_clock_wall_ms (), error)
                      : run (self, "DELETE FROM import WHERE number = ?1", self->number, 0, error);
}

gboolean
_gadget_import_writer_complete (GadgetImportWriter *self, gint64 *number, guint *n_kept,
                                GError **error)
{
  Completion completion = { .writer = self };

  for (guint i = 0; i < self->extensions->len; i++)
    lock_extension (self, g_ptr_array_index (self->extensions, i));
  self->completed = _gadget_sql_transaction (self->db, complete, &completion, error);
  g_ptr_array_set_size (self->extensions, 0);
  *number = completion.number;
  *n_kept = completion.n_kept;
  return self->completed;
}

/* --- A writer --------------------------------------------------------------------------------- */

static void
finalize_statement (gpointer stmt)
{
  sqlite3_finalize (stmt);
}

static gboolean
begin_import (GadgetImportWriter *self, const char *name, GError **error)
{
  sqlite3_stmt *stmt;

  if (!_gadget_import_remove_unfinished (self->db, error) || !read_columns (self, error))
    return FALSE;
  stmt = get_statement (self, "INSERT INTO import (name, started_at) VALUES (?1, ?2)", error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, name);
  _gadget_sql_bind_int (stmt, 2, gadget_clock_wall_ms ());
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  self->number = sqlite3_last_insert_rowid (self->db);
  return TRUE;
}

GadgetImportWriter *
_gadget_import_writer_new (const char *directory, const char *name, GCancellable *cancellable,
                           GError **error)
{
  g_autoptr (GadgetImportWriter) self = g_new0 (GadgetImportWriter, 1);

  self->directory = g_strdup (directory);
  self->cancellable = cancellable;
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, finalize_statement);
  self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->extensions = g_ptr_array_new_with_free_func (extension_free);
  self->folders = g_ptr_array_new_with_free_func ((GDestroyNotify) json_object_unref);
  return _gadget_import_open (directory, &self->db, &self->lease, cancellable, error)
                 && begin_import (self, name, error)
             ? g_steal_pointer (&self)
             : NULL;
}

void
_gadget_import_writer_free (GadgetImportWriter *self)
{
  g_hash_table_remove_all (self->statements);
  if (self->number != 0 && !self->completed)
    {
      g_autoptr (GError) error = NULL;

      if (!_gadget_import_remove_unfinished (self->db, &error))
        g_message ("an import could not be removed: %s", error->message);
    }
  g_hash_table_unref (self->statements);
  g_hash_table_unref (self->columns);
  g_ptr_array_unref (self->extensions);
  g_ptr_array_unref (self->folders);
  sqlite3_close_v2 (self->db);
  g_clear_pointer (&self->lease, gadget_lease_release);
  g_free (self->directory);
  g_free (self);
}
