/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats of Alpaca, whose database is
 * ~/.var/app/com.jeffser.Alpaca/data/com.jeffser.Alpaca/alpaca.db; it exports single chats as such
 * a database as well. The tables are "chat", "message" and "attachment", "chat_folder" since 2025;
 * instances with their keys are others, and are not read.
 *
 * SQLite cannot read a write-ahead log without files beside the database, so it gets a copy of the
 * two. The names of the copy are removed as soon as it is open. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "gadget-import-alpaca.h"

#include "gadget-import-error.h"
#include "store/gadget-sql.h"

#define SIGNATURE "SQLite format 3"
/* A copy that was made while the program wrote is made again so often. */
#define MAX_COPIES 5
#define MAX_VALUE (128 * 1024 * 1024)
/* SQLite calls back after so many of its instructions. */
#define N_INSTRUCTIONS 100000
#define HAS_SYSTEM "EXISTS (SELECT 1 FROM message WHERE chat_id = chat.id AND role = 'system')"

struct _GadgetImportAlpaca
{
  sqlite3 *db;
  sqlite3_stmt *chats;
  sqlite3_stmt *messages;
  sqlite3_stmt *attachments;
};

gboolean
_gadget_import_alpaca_check (const guint8 *bytes, gsize length)
{
  return length >= sizeof SIGNATURE && memcmp (bytes, SIGNATURE, sizeof SIGNATURE) == 0;
}

/* --- The copy --------------------------------------------------------------------------------- */

/* Differs after the file was written. */
typedef struct
{
  gint64 size; /* -1 if the file is not there */
  gint64 seconds;
  gint64 nanoseconds;
} FileState;

static FileState
get_state (const char *path)
{
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    return (FileState) { .size = -1 };
  return (FileState) { info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec };
}

static gboolean
copy_file (const char *from, const char *to, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  return g_file_copy (source, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS,
                      cancellable, NULL, NULL, error);
}

/* Copies the database and its log, in a state that they had at the same time. */
static gboolean
copy (const char *path, const char *to, GCancellable *cancellable, GError **error)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  g_autofree char *log_copy = g_strconcat (to, "-wal", NULL);

  for (guint i = 0; i < MAX_COPIES; i++)
    {
      const FileState before[] = { get_state (path), get_state (log) };
      FileState after[2];

      g_unlink (log_copy);
      if (!copy_file (path, to, cancellable, error)
          || (before[1].size >= 0 && !copy_file (log, log_copy, cancellable, error)))
        return FALSE;
      after[0] = get_state (path);
      after[1] = get_state (log);
      if (memcmp (before, after, sizeof before) == 0)
        return TRUE;
    }
  g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_IN_USE,
                       _ ("Another program is writing to this file. Close it and try again."));
  return FALSE;
}

/* --- The database ----------------------------------------------------------------------------- */

/* An error of SQLite here is not one of Gadget's own data. */
static void
explain (GError **error)
{
  if (error == NULL || *error == NULL || (*error)->domain != GADGET_STORE_ERROR)
    return;
  g_message ("a database to import: %s", (*error)->message);
  g_clear_error (error);
  g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_DAMAGED,
                       _ ("The database in this file is damaged."));
}

static int
progress_cb (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

/* A file of others: nothing in it is run, and no value may be larger than memory allows. */
static gboolean
open_database (GadgetImportAlpaca *self, const char *path, GCancellable *cancellable,
               GError **error)
{
  const int code =
      sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

  if (code != SQLITE_OK)
    {
      _gadget_sql_set_error (self->db, code, error);
      return FALSE;
    }
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, MAX_VALUE);
  sqlite3_progress_handler (self->db, N_INSTRUCTIONS, progress_cb, cancellable);
  /* The first query opens the log, without shared memory. */
  return _gadget_sql_exec (
      self->db, "PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema", error);
}

static gboolean
has_columns (sqlite3 *db, const char *table, const char *columns, guint n_columns)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT count(*) = %u FROM pragma_table_info ('%s') WHERE name IN (%s)"
                       " AND EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table'"
                       "  AND sqlite_schema.name = '%s')",
                       n_columns, table, columns, table);
  gint64 found = 0;

  return _gadget_sql_get_int (db, sql, &found, NULL) && found != 0;
}

static gboolean
prepare (GadgetImportAlpaca *self, GError **error)
{
  const gboolean has_attachments =
      has_columns (self->db, "attachment", "'message_id', 'type', 'name', 'content'", 4);
  const gboolean has_folders = has_columns (self->db, "chat", "'folder'", 1)
                               && has_columns (self->db, "chat_folder", "'id', 'name'", 2);

  if (!has_columns (self->db, "chat", "'id', 'name'", 2)
      || !has_columns (self->db, "message",
                       "'id', 'chat_id', 'role', 'model', 'date_time', 'content'", 6))
    {
      g_set_error_literal (error, GADGET_IMPORT_ERROR, GADGET_IMPORT_ERROR_UNKNOWN,
                           _ ("Gadget cannot read this file. It is a database of another"
                              " program."));
      return FALSE;
    }
  /* The program has no indexes. */
  if (!_gadget_sql_exec (self->db, "CREATE INDEX gadget_message ON message (chat_id, date_time)",
                         error)
      || (has_attachments
          && !_gadget_sql_exec (self->db, "CREATE INDEX gadget_file ON attachment (message_id)",
                                error)))
    return FALSE;
  self->chats = _gadget_sql_prepare (
      self->db,
      has_folders ? "SELECT chat.id, chat.name, (SELECT name FROM chat_folder"
                    "  WHERE chat_folder.id = chat.folder), " HAS_SYSTEM " FROM chat ORDER BY rowid"
                  : "SELECT id, name, '', " HAS_SYSTEM " FROM chat ORDER BY rowid",
      error);
  if (self->chats != NULL)
    self->messages = _gadget_sql_prepare (self->db,
                                          "SELECT id, role, model, date_time, content FROM message"
                                          " WHERE chat_id = ?1 ORDER BY date_time, rowid",
                                          error);
  if (self->messages != NULL)
    self->attachments =
        _gadget_sql_prepare (self->db,
                             has_attachments ? "SELECT type, name, content FROM attachment"
                                               " WHERE message_id = ?1 ORDER BY rowid"
                                             : "SELECT NULL, NULL, NULL WHERE ?1 IS NULL",
                             error);
  return self->attachments != NULL;
}

GadgetImportAlpaca *
_gadget_import_alpaca_new (const char *path, const char *directory, GCancellable *cancellable,
                           GError **error)
{
  g_autoptr (GadgetImportAlpaca) self = g_new0 (GadgetImportAlpaca, 1);
  g_autofree char *folder = g_build_filename (directory, "import", NULL);
  g_autofree char *database = g_build_filename (folder, "copy.db", NULL);
  g_autofree char *log = g_strconcat (database, "-wal", NULL);
  gboolean ok;

  g_mkdir (folder, 0700);
  ok = copy (path, database, cancellable, error)
       && open_database (self, database, cancellable, error);
  g_unlink (database);
  g_unlink (log);
  g_rmdir (folder);
  if (ok && prepare (self, error))
    return g_steal_pointer (&self);
  explain (error);
  return NULL;
}

void
_gadget_import_alpaca_free (GadgetImportAlpaca *self)
{
  sqlite3_finalize (self->chats);
  sqlite3_finalize (self->messages);
  sqlite3_finalize (self->attachments);
  sqlite3_close_v2 (self->db);
  g_free (self);
}

/* --- Chats ------------------------------------------------------------------------------------ */

/* Reads a local time, like 2025/03/01 12:00:00. */
static gint64
parse_time (const char *text)
{
  int part[6] = { 0 };
  g_autoptr (GDateTime) time = NULL;

  if (sscanf (text, "%4d%*1[-/]%2d%*1[-/]%2d%*1[ T]%2d:%2d:%2d", &part[0], &part[1], &part[2],
              &part[3], &part[4], &part[5])
      == 6)
    time = g_date_time_new_local (part[0], part[1], part[2], part[3], part[4], part[5]);
  return time != NULL ? g_date_time_to_unix (time) * 1000 : 0;
}

/* Returns the text of a column, with what is not UTF-8 replaced; "" for NULL. */
static const char *
get_text (const GadgetImportContext *context, sqlite3_stmt *stmt, int column)
{
  const char *text = (const char *) sqlite3_column_text (stmt, column);
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  return valid != NULL ? _gadget_import_memory_dup (context->memory, valid, -1) : "";
}

/* A chat that is read. */
typedef struct
{
  GadgetImportAlpaca *alpaca;
  const GadgetImportContext *context;
  GadgetImportChat *chat;
  const char *message;
  gint64 time;
} Reading;

static void
add_attachment (Reading *self)
{
  const char *type = get_text (self->context, self->alpaca->attachments, 0);
  const char *name = get_text (self->context, self->alpaca->attachments, 1);
  const char *content = get_text (self->context, self->alpaca->attachments, 2);

  if (g_str_equal (type, "thought"))
    _gadget_import_chat_add_item (self->chat, self->message, GADGET_ITEM_REASONING, content,
                                  self->time);
  else if (g_str_equal (type, "tool"))
    {
      _gadget_import_chat_add_call (self->chat, self->message, NULL, name, "", self->time);
      _gadget_import_chat_add_output (self->chat, self->message, NULL, NULL, content, self->time);
    }
  else if (g_str_equal (type, "image") || g_str_equal (type, "audio"))
    _gadget_import_chat_attach_base64 (self->chat, *name != '\0' ? name : type, content);
  else if (!g_str_equal (type, "metadata") && !g_str_equal (type, "model_context"))
    _gadget_import_chat_attach_text (self->chat, *name != '\0' ? name : type, content);
}

/* Calls a function for each row that a statement returns for an id. */
static gboolean
for_each (Reading *self, sqlite3_stmt *stmt, const char *id,
          gboolean (*func) (Reading *self, GError **error), GError **error)
{
  gboolean has_row = TRUE;
  gboolean ok = TRUE;

  _gadget_sql_bind_text (stmt, 1, id);
  while (ok && has_row)
    {
      ok = _gadget_sql_next (stmt, &has_row, error);
      if (ok && has_row)
        ok = func (self, error);
    }
  sqlite3_reset (stmt);
  return ok;
}

static gboolean
attachment_cb (Reading *self, GError **error)
{
  add_attachment (self);
  return TRUE;
}

/* Adds a message with its attachments: files, and what came before an answer. */
static gboolean
message_cb (Reading *self, GError **error)
{
  sqlite3_stmt *stmt = self->alpaca->messages;
  const char *role = get_text (self->context, stmt, 1);
  const char *content = get_text (self->context, stmt, 4);
  const gboolean is_prompt = g_str_equal (role, "user");

  self->message = get_text (self->context, stmt, 0);
  self->time = parse_time (get_text (self->context, stmt, 3));
  if (!is_prompt && !g_str_equal (role, "assistant"))
    return TRUE;
  if (is_prompt)
    _gadget_import_chat_add_prompt (self->chat, self->message, content, self->time);
  if (!for_each (self, self->alpaca->attachments, self->message, attachment_cb, error))
    return FALSE;
  if (is_prompt)
    return TRUE;
  _gadget_import_chat_add_item (self->chat, self->message, GADGET_ITEM_TEXT, content, self->time);
  _gadget_import_chat_set_model (self->chat, get_text (self->context, stmt, 2));
  return TRUE;
}

GadgetImportConverted *
_gadget_import_alpaca_next (GadgetImportAlpaca *self, const GadgetImportContext *context,
                            GError **error)
{
  g_autoptr (GadgetImportConverted) converted = g_new0 (GadgetImportConverted, 1);
  g_autoptr (GadgetImportChat) chat = NULL;
  GadgetImportHeader header = { .source = "alpaca" };
  Reading reading = { self, context, NULL, NULL, 0 };
  GadgetImportValue *row;
  gint64 has_system = 0;
  gboolean has_row;

  converted->rows = g_ptr_array_new ();
  if (!_gadget_sql_next (self->chats, &has_row, error) || !has_row)
    {
      explain (error);
      return NULL;
    }
  header.id = get_text (context, self->chats, 0);
  header.title = get_text (context, self->chats, 1);
  header.folder = get_text (context, self->chats, 2);
  has_system = sqlite3_column_int64 (self->chats, 3);
  chat = reading.chat = _gadget_import_chat_new (context, &header, NULL);
  if (!for_each (&reading, self->messages, header.id, message_cb, error))
    {
      explain (error);
      return NULL;
    }
  row = _gadget_import_chat_end (chat);
  if (row != NULL)
    g_ptr_array_add (converted->rows, row);
  converted->n_missing = _gadget_import_chat_get_n_missing (chat);
  converted->has_instructions = has_system != 0;
  return g_steal_pointer (&converted);
}
