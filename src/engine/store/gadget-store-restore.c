/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Restoring a backup: what it would change, and the restoration itself.
 *
 * The database to restore is made first, in a copy of the backup that is migrated if it is of an
 * older version and gets the chats that were made since, archived: no chat is lost by a
 * restoration. SQLite then copies it into the open database in one transaction, so either the
 * database gets all of it or it stays as it is, and other processes go on with it. The objects in
 * memory do not follow, so the program must be started again. The contents that the database had
 * before are a backup as well, by which the restoration is undone. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gadget-backup-private.h"
#include "gadget-sql.h"
#include "gadget-store-repair.h"
#include "gadget-store-restore.h"
#include "gadget-store-schema.h"

/* The job for one backup. */
typedef struct
{
  char *directory;
  char *name;
  GadgetBackupPreview preview;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->directory);
  g_free (job->name);
  g_free (job);
}

/* --- On the thread ---------------------------------------------------------------------------- */

static sqlite3 *
open_backup (const Job *job, GError **error)
{
  g_autofree char *path = _gadget_backup_dup_path (job->directory, job->name);
  sqlite3 *backup = NULL;
  int code = sqlite3_open_v2 (path, &backup, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

  if (code == SQLITE_OK && _gadget_store_schema_check (backup, error))
    return backup;
  if (code != SQLITE_OK)
    _gadget_sql_set_error (backup, code, error);
  g_prefix_error (error, "%s: ", path);
  sqlite3_close_v2 (backup);
  return NULL;
}

/* Reads when each chat was changed. Databases of version 1 have no subagents. */
static GHashTable *
read_chats (sqlite3 *db, GError **error)
{
  g_autoptr (GHashTable) chats = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (sqlite3_stmt) stmt = NULL;
  gint64 has_parent;
  gboolean has_row;

  if (!_gadget_sql_get_int (
          db, "SELECT count(*) FROM pragma_table_info ('session') WHERE name = 'parent'",
          &has_parent, error))
    return NULL;
  stmt = _gadget_sql_prepare (db,
                              has_parent != 0
                                  ? "SELECT id, updated_at FROM session WHERE parent IS NULL"
                                  : "SELECT id, updated_at FROM session",
                              error);
  while (stmt != NULL && _gadget_sql_next (stmt, &has_row, error))
    {
      gint64 *updated_at;

      if (!has_row)
        return g_steal_pointer (&chats);
      updated_at = g_new (gint64, 1);
      *updated_at = sqlite3_column_int64 (stmt, 1);
      g_hash_table_insert (chats, _gadget_sql_dup_text (stmt, 0), updated_at);
    }
  return NULL;
}

static void
compare (GHashTable *saved, GHashTable *current, GadgetBackupPreview *preview)
{
  GHashTableIter iter;
  gpointer id;
  gpointer updated_at;

  preview->n_chats = g_hash_table_size (saved);
  preview->n_newer = g_hash_table_size (current);
  g_hash_table_iter_init (&iter, saved);
  while (g_hash_table_iter_next (&iter, &id, &updated_at))
    {
      const gint64 *now = g_hash_table_lookup (current, id);

      if (now == NULL)
        preview->n_returning++;
      else
        {
          preview->n_newer--;
          preview->n_older += *(const gint64 *) updated_at < *now;
        }
    }
}

static gboolean
preview (sqlite3 *db, gpointer data, GError **error)
{
  Job *job = data;
  sqlite3 *backup = open_backup (job, error);
  g_autoptr (GHashTable) saved = backup != NULL ? read_chats (backup, error) : NULL;
  g_autoptr (GHashTable) current = saved != NULL ? read_chats (db, error) : NULL;

  sqlite3_close_v2 (backup);
  if (current == NULL)
    return FALSE;
  compare (saved, current, &job->preview);
  return TRUE;
}

/* The tables with rows of chats. In a copied row each key is the old one plus the greatest key that
 * the table of the key had before. */
typedef struct
{
  const char *name;
  const char *condition; /* for a row of the table: whether it belongs to a chat that is copied */
  struct
  {
    const char *name;
    const char *table;
  } keys[3];
} Table;

#define NEWER_SESSIONS "(SELECT number FROM newer)"
#define NEWER_IMPORTS "(SELECT import FROM live.session WHERE number IN " NEWER_SESSIONS ")"
#define NEWER_TURNS "(SELECT number FROM live.turn WHERE session IN " NEWER_SESSIONS ")"
#define NEWER_EFFECTS "(SELECT number FROM live.effect WHERE turn IN " NEWER_TURNS ")"
#define NEWER_IDS "(SELECT id FROM live.session WHERE number IN " NEWER_SESSIONS ")"

static const Table tables[] = {
  { "import", "number IN " NEWER_IMPORTS, { { "number", "import" } } },
  { "session",
    "number IN " NEWER_SESSIONS,
    { { "number", "session" }, { "parent", "session" }, { "import", "import" } } },
  { "queued", "session IN " NEWER_SESSIONS, { { "session", "session" } } },
  { "attachment",
    "session IN " NEWER_SESSIONS,
    { { "number", "attachment" }, { "session", "session" } } },
  { "rule", "session IN " NEWER_IDS, { { "number", "rule" } } },
  { "turn",
    "session IN " NEWER_SESSIONS,
    { { "number", "turn" }, { "session", "session" }, { "import", "import" } } },
  { "run", "turn IN " NEWER_TURNS, { { "turn", "turn" } } },
  { "item", "turn IN " NEWER_TURNS, { { "number", "item" }, { "turn", "turn" } } },
  { "piece", "turn IN " NEWER_TURNS, { { "turn", "turn" } } },
  { "picture", "turn IN " NEWER_TURNS, { { "number", "picture" }, { "turn", "turn" } } },
  { "effect", "turn IN " NEWER_TURNS, { { "number", "effect" }, { "turn", "turn" } } },
  { "change", "effect IN " NEWER_EFFECTS, { { "number", "change" }, { "effect", "effect" } } },
  /* What was used since stays used, whatever becomes of the chats. */
  { "usage", "id NOT IN (SELECT id FROM main.usage)", { { NULL, NULL } } },
};

/* Finds the chats of the database that are not in the copy, with the chats of their subagents, and
 * remembers the greatest key of each table. */
static gboolean
find_newer (sqlite3 *copy, GError **error)
{
  g_autoptr (GString) greatest = g_string_new ("CREATE TEMP TABLE greatest AS SELECT 0 AS none");

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_strcmp0 (tables[i].keys[0].name, "number") == 0)
      g_string_append_printf (greatest,
                              ", (SELECT coalesce (max (number), 0) FROM main.%s) AS \"%s\"",
                              tables[i].name, tables[i].name);
  return _gadget_sql_exec (copy,
                           "CREATE TEMP TABLE newer AS WITH RECURSIVE tree (number) AS ("
                           " SELECT number FROM live.session"
                           "  WHERE parent IS NULL AND id NOT IN (SELECT id FROM main.session)"
                           " UNION ALL"
                           " SELECT below.number FROM live.session AS below JOIN tree"
                           "  ON below.parent = tree.number)"
                           " SELECT number FROM tree",
                           error)
         && _gadget_sql_exec (copy, greatest->str, error)
         && _gadget_sql_exec (copy, "DELETE FROM main.deleted_session WHERE id IN " NEWER_IDS,
                              error);
}

static const char *
find_key_table (const Table *table, const char *column)
{
  for (guint i = 0; i < G_N_ELEMENTS (table->keys); i++)
    if (g_strcmp0 (table->keys[i].name, column) == 0)
      return table->keys[i].table;
  return NULL;
}

static gboolean
copy_rows (sqlite3 *copy, const Table *table, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GString) values = g_string_new (NULL);
  g_autofree char *sql = NULL;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (copy, "SELECT name FROM pragma_table_info (?1)", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, table->name);
  do
    {
      const char *column;
      const char *key_table;

      if (!_gadget_sql_next (stmt, &has_row, error))
        return FALSE;
      if (!has_row)
        break;
      column = (const char *) sqlite3_column_text (stmt, 0);
      key_table = find_key_table (table, column);
      g_string_append_printf (names, "%s\"%s\"", names->len > 0 ? ", " : "", column);
      g_string_append_printf (values, "%s\"%s\"", values->len > 0 ? ", " : "", column);
      if (key_table != NULL)
        g_string_append_printf (values, " + (SELECT \"%s\" FROM greatest)", key_table);
    }
  while (has_row);
  sql = g_strdup_printf ("INSERT INTO main.%s (%s) SELECT %s FROM live.%s WHERE %s", table->name,
                         names->str, values->str, table->name, table->condition);
  return _gadget_sql_exec (copy, sql, error);
}

static gboolean
copy_newer (sqlite3 *copy, gpointer data, GError **error)
{
  if (!find_newer (copy, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!copy_rows (copy, &tables[i], error))
      return FALSE;
  return _gadget_sql_exec (copy,
                           "UPDATE main.session SET pinned = 0, archived = 1"
                           " WHERE id IN " NEWER_IDS " AND parent IS NULL",
                           error);
}

/* Adds the chats of the open database to the copy of a backup that has not got them. */
static gboolean
add_newer (sqlite3 *copy, sqlite3 *db, GError **error)
{
  g_autofree char *quoted = NULL;
  g_autofree char *attach = NULL;
  char *path = sqlite3_mprintf ("%Q", sqlite3_db_filename (db, "main"));

  quoted = g_strdup (path);
  sqlite3_free (path);
  attach = g_strdup_printf ("ATTACH %s AS live", quoted);
  return _gadget_sql_exec (copy, attach, error)
         && _gadget_sql_transaction (copy, copy_newer, NULL, error)
         && _gadget_sql_exec (copy, "DETACH live", error);
}

/* Makes what the database is to be. The file has no name any more when it is open, so that it goes
 * with its connection. */
static sqlite3 *
open_merged (sqlite3 *backup, sqlite3 *db, const Job *job, GError **error)
{
  g_autofree char *path = _gadget_backup_dup_path (job->directory, job->name);
  g_autofree char *copy_path = g_strconcat (path, ".merged", NULL);
  sqlite3 *copy = NULL;
  gboolean ok = _gadget_backup_copy_to_file (backup, copy_path, NULL, error);

  if (ok)
    {
      const int code =
          sqlite3_open_v2 (copy_path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

      if (code != SQLITE_OK)
        _gadget_sql_set_error (copy, code, error);
      ok = code == SQLITE_OK && _gadget_store_schema_migrate (copy, error)
           && add_newer (copy, db, error);
    }
  if (!ok)
    sqlite3_close_v2 (g_steal_pointer (&copy));
  g_unlink (copy_path);
  return copy;
}

static gboolean
restore (sqlite3 *db, gpointer data, GError **error)
{
  const Job *job = data;
  sqlite3 *backup =
      _gadget_store_check_idle (db, job->directory, error) ? open_backup (job, error) : NULL;
  sqlite3 *merged = backup != NULL ? open_merged (backup, db, job, error) : NULL;
  gboolean ok = merged != NULL
                && _gadget_backup_make (db, job->directory, "restore", job->name, NULL, error)
                && _gadget_backup_copy (merged, db, NULL, error);

  sqlite3_close_v2 (merged);
  sqlite3_close_v2 (backup);
  return ok;
}

/* --- On the main context ---------------------------------------------------------------------- */

static Job *
job_new (GadgetStore *store, const char *name)
{
  Job *job = g_new0 (Job, 1);

  job->directory = g_strdup (gadget_store_get_directory (store));
  job->name = g_strdup (name);
  return job;
}

/**
 * gadget_store_preview_backup_async:
 * @name: the name of a backup
 *
 * Compares the chats of a backup with those of the database.
 */
void
gadget_store_preview_backup_async (GadgetStore *self, const char *name,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && name != NULL && strchr (name, '/') == NULL);
  gadget_store_run_async (self, preview, job_new (self, name), job_free, callback, user_data);
}

/**
 * gadget_store_preview_backup_finish:
 * @preview: (out): what restoring the backup would change
 *
 * Returns: whether @preview was set; else @error is a #GadgetStoreError: NEWER or CORRUPT if the
 *   backup cannot be restored
 */
gboolean
gadget_store_preview_backup_finish (GadgetStore *self, GAsyncResult *result,
                                    GadgetBackupPreview *preview, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return FALSE;
  *preview = ((const Job *) gadget_store_get_job_data (result))->preview;
  return TRUE;
}

/**
 * gadget_store_restore_backup_async:
 * @name: the name of a backup
 *
 * Makes a backup of the database, then replaces its content by that of the backup @name; chats that
 * were made since stay, archived. Sessions in memory are not changed, so nothing may be written
 * from them afterwards: the program is to be started again.
 */
void
gadget_store_restore_backup_async (GadgetStore *self, const char *name,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && name != NULL && strchr (name, '/') == NULL);
  gadget_store_run_async (self, restore, job_new (self, name), job_free, callback, user_data);
}

/**
 * gadget_store_restore_backup_finish:
 *
 * Returns: whether the database has the content of the backup; else it is unchanged, and @error is
 *   a #GadgetStoreError: BUSY while a turn is going on
 */
gboolean
gadget_store_restore_backup_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
