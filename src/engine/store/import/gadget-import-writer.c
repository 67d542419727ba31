/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes chats to the database, on a connection of its own.
 *
 * Chats are collected, and written in transactions that end after some milliseconds: each costs
 * as much as several chats do, and other writers get their turn between two of them. Nothing is
 * read from a file within one, since that may take long. After a chat that cannot be stored the
 * transaction is done again with savepoints, which cost as much as the writing.
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
#include <time.h>

#include "gadget-import-writer.h"

#include "gadget-import-chat.h"
#include "gadget-import-clean-up.h"
#include "gadget-import-rows.h"

#include "common/gadget-clock.h"
#include "common/gadget-id.h"
#include "store/lease/gadget-open-lock.h"

#define MAX_FOLDERS 10000
/* So much is collected before it is written, and a transaction ends after so much work, or so
 * long. */
#define MAX_COLLECTED (2 * 1024 * 1024)
#define WORK_US (40 * G_TIME_SPAN_MILLISECOND)
#define MAX_US (200 * G_TIME_SPAN_MILLISECOND)
/* What the connection keeps in memory, in KiB, and what statements with triggers could be undone
 * with. After so many pages SQLite copies the log to the database, waiting for the disk twice. */
#define PRAGMAS                                                                                    \
  "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000"

/* A chat that is there, and the hidden one with the turns for it. */
typedef struct
{
  gint64 chat;
  gint64 hidden;
  gint64 n_turns; /* that the chat had */
  GadgetLease *lease;
  GadgetOpenLock *open_lock;
} Extension;

typedef enum
{
  ADDED,
  EXTENDED,
  UNCHANGED, /* all of the chat is there */
  KEPT,      /* the chat that is there went on otherwise, so it was left as it is */
  BROKEN,
} Result;

/* Chats that are not written yet. */
typedef struct
{
  GPtrArray *chats;
  GadgetImportMemory *memory;
} Collected;

struct _GadgetImportWriter
{
  char *directory;
  GadgetLease *lease;
  sqlite3 *db;
  GCancellable *cancellable; /* (nullable) */
  gint64 number;
  GadgetImportRows *rows;
  GPtrArray *extensions;      /* of Extension */
  GHashTable *folders;        /* of GadgetImportValue, by their ids */
  GadgetImportMemory *memory; /* of these */
  GPtrArray *collected;       /* of Collected */
  gsize collected_size;
  guint next;          /* of these to be written */
  gboolean is_careful; /* whether a chat of the transaction is broken */
  gboolean again;      /* whether the transaction has to be done again */
  GadgetImportReport *report;
  gboolean completed;
};

/* --- Chats that are there --------------------------------------------------------------------- */

/* Finds the chat under its id, or under the one that it has since it was deleted. @number is 0 if
 * it is not there; the chat then has the id under which it can be stored. */
static gboolean
find_chat (GadgetImportWriter *self, Collected *collected, GadgetImportValue *chat, gint64 *number,
           GError **error)
{
  g_autofree char *id = g_strdup (_gadget_import_get_string (chat, "id"));

  for (;;)
    {
      gint64 deleted;
      char *next;

      if (!_gadget_import_rows_get_number (self->rows, "SELECT number FROM session WHERE id = ?1",
                                           id, 0, number, error)
          || !_gadget_import_rows_get_number (
              self->rows, "SELECT 1 FROM deleted_session WHERE id = ?1", id, 0, &deleted, error))
        return FALSE;
      if (*number != 0 || deleted == 0)
        {
          _gadget_import_memory_add_string (collected->memory, chat, "id",
                                            _gadget_import_memory_dup (collected->memory, id, -1));
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
compare_turns (GadgetImportWriter *self, gint64 number, const GadgetImportValue *turns,
               gint64 *n_turns, GError **error)
{
  sqlite3_stmt *stmt = _gadget_import_rows_get_statement (
      self->rows, "SELECT id FROM turn WHERE session = ?1 ORDER BY position", error);
  const GadgetImportValue *turn = _gadget_import_get_first (turns);
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
      if (turn != NULL
          && g_strcmp0 ((const char *) sqlite3_column_text (stmt, 0),
                        _gadget_import_get_string (turn, "id"))
                 == 0)
        {
          ++*n_turns;
          turn = turn->next;
        }
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
  g_autoptr (GadgetImportMemory) memory = _gadget_import_memory_new (NULL);
  GadgetImportValue *row = _gadget_import_memory_new_object (memory);
  g_autofree char *id = gadget_id_new ();

  _gadget_import_memory_add_string (memory, row, "id", id);
  _gadget_import_memory_add_int (memory, row, "created_at", 0);
  _gadget_import_memory_add_int (memory, row, "updated_at", 0);
  return _gadget_import_rows_insert (
      self->rows, "session", row,
      (GadgetImportReference[]) { { "import", self->number }, { NULL } }, number, error);
}

static gboolean
extend (GadgetImportWriter *self, GadgetImportValue *chat, gint64 number, gint64 n_turns,
        GError **error)
{
  gint64 updated_at = 0;
  gint64 import;
  gint64 to = number;

  if (!_gadget_import_rows_get_number (self->rows, "SELECT import FROM session WHERE number = ?1",
                                       NULL, number, &import, error))
    return FALSE;
  if (import != self->number && !insert_hidden (self, &to, error))
    return FALSE;
  _gadget_import_get_int (chat, "updated_at", &updated_at);
  if (!_gadget_import_rows_insert_turns (self->rows, chat, (guint) n_turns, to, FALSE, error)
      || !_gadget_import_rows_insert_new_parts (self->rows, chat, to, error)
      || !_gadget_import_rows_run (
          self->rows, "UPDATE session SET updated_at = max (updated_at, ?2) WHERE number = ?1", to,
          CLAMP (updated_at, 0, GADGET_IMPORT_MAX_TIME), error))
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
add (GadgetImportWriter *self, Collected *collected, GadgetImportValue *chat, Result *result,
     GError **error)
{
  const GadgetImportValue *turns = _gadget_import_get_array (chat, "turns");
  const GadgetImportValue *turn = _gadget_import_get_first (turns);
  gint64 number;
  gint64 n_turns;

  if (!find_chat (self, collected, chat, &number, error))
    return FALSE;
  if (number == 0)
    {
      *result = ADDED;
      return _gadget_import_rows_insert_chat (self->rows, chat, 0, error);
    }
  if (!compare_turns (self, number, turns, &n_turns, error))
    return FALSE;
  for (gint64 i = 0; i < n_turns && turn != NULL; i++)
    turn = turn->next;
  if (n_turns < 0 || is_extended (self, number))
    *result = KEPT;
  else
    *result = turn == NULL ? UNCHANGED : EXTENDED;
  return *result != EXTENDED || extend (self, chat, number, n_turns, error);
}

/* --- Transactions ----------------------------------------------------------------------------- */

static void
collected_free (gpointer data)
{
  Collected *collected = data;

  g_ptr_array_unref (collected->chats);
  _gadget_import_memory_free (collected->memory);
  g_free (collected);
}

static void
count (GadgetImportWriter *self, Result result, gboolean is_branch)
{
  guint *const counts[] = {
    [ADDED] = is_branch ? &self->report->n_branches : &self->report->n_added,
    [EXTENDED] = &self->report->n_extended,
    [UNCHANGED] = &self->report->n_unchanged,
    [KEPT] = &self->report->n_kept,
    [BROKEN] = &self->report->n_broken,
  };

  if (!is_branch || (result != UNCHANGED && result != KEPT))
    ++*counts[result];
}

/* Writes a chat in a transaction. One that cannot be stored fails unless the writer is careful. */
static gboolean
write_chat (GadgetImportWriter *self, Collected *collected, GadgetImportValue *chat,
            gboolean is_branch, GError **error)
{
  const guint n_extensions = self->extensions->len;
  Result result = BROKEN;
  GError *row_error = NULL;

  if (!_gadget_import_rows_is_id (_gadget_import_get_string (chat, "id")))
    {
      count (self, BROKEN, is_branch);
      return TRUE;
    }
  if (self->is_careful && !_gadget_import_rows_run (self->rows, "SAVEPOINT chat", 0, 0, error))
    return FALSE;
  if (add (self, collected, chat, &result, &row_error))
    {
      count (self, result, is_branch);
      return !self->is_careful || _gadget_import_rows_run (self->rows, "RELEASE chat", 0, 0, error);
    }
  self->again = !self->is_careful && _gadget_import_rows_is_broken (self->rows, row_error);
  if (!self->is_careful || !_gadget_import_rows_is_broken (self->rows, row_error))
    {
      g_propagate_error (error, row_error);
      return FALSE;
    }
  g_error_free (row_error);
  count (self, BROKEN, is_branch);
  g_ptr_array_set_size (self->extensions, (int) n_extensions);
  return _gadget_sql_exec (self->db, "ROLLBACK TO chat; RELEASE chat", error);
}

/* Returns the time that the thread has worked. */
static gint64
get_work_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Writes chats until the time of a transaction has passed. @data is the writer. */
static gboolean
write_some (sqlite3 *db, gpointer data, GError **error)
{
  GadgetImportWriter *self = data;
  const gint64 end_us = g_get_monotonic_time () + MAX_US;
  const gint64 work_end_us = get_work_us () + WORK_US;

  while (self->next < self->collected->len && g_get_monotonic_time () < end_us
         && get_work_us () < work_end_us)
    {
      Collected *collected = g_ptr_array_index (self->collected, self->next++);

      _gadget_import_rows_set_memory (self->rows, collected->memory);
      for (guint i = 0; i < collected->chats->len; i++)
        {
          GadgetImportValue *chat = g_ptr_array_index (collected->chats, i);

          /* A chat that was deleted here has another id since it was written. */
          if (i > 0)
            _gadget_import_memory_add_string (
                collected->memory, chat, "origin",
                _gadget_import_get_string (g_ptr_array_index (collected->chats, 0), "id"));
          if (!write_chat (self, collected, chat, i > 0, error))
            return FALSE;
        }
    }
  return TRUE;
}

/* Writes chats in a transaction, if necessary again with care. */
static gboolean
write_transaction (GadgetImportWriter *self, GError **error)
{
  const guint first = self->next;
  const guint n_extensions = self->extensions->len;
  const GadgetImportReport before = *self->report;
  g_autoptr (GError) local_error = NULL;
  gboolean ok;

  self->is_careful = self->again = FALSE;
  ok = _gadget_sql_transaction (self->db, write_some, self, &local_error);
  if (self->again)
    {
      self->next = first;
      *self->report = before;
      g_ptr_array_set_size (self->extensions, (int) n_extensions);
      self->is_careful = TRUE;
      g_clear_error (&local_error);
      ok = _gadget_sql_transaction (self->db, write_some, self, &local_error);
    }
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return ok;
}

gboolean
_gadget_import_writer_flush (GadgetImportWriter *self, GError **error)
{
  for (self->next = 0; self->next < self->collected->len;)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
          || !write_transaction (self, error))
        return FALSE;
      _gadget_import_pause (self->cancellable, GADGET_IMPORT_PAUSE_MS);
    }
  g_ptr_array_set_size (self->collected, 0);
  self->collected_size = 0;
  return TRUE;
}

gboolean
_gadget_import_writer_add (GadgetImportWriter *self, GPtrArray *chats, GadgetImportMemory *memory,
                           gsize size, GError **error)
{
  Collected *collected = g_new0 (Collected, 1);

  collected->chats = chats;
  collected->memory = memory;
  g_ptr_array_add (self->collected, collected);
  self->collected_size += size;
  return self->collected_size < MAX_COLLECTED || _gadget_import_writer_flush (self, error);
}

void
_gadget_import_writer_add_folder (GadgetImportWriter *self, const GadgetImportValue *folder)
{
  const char *id = _gadget_import_get_string (folder, "id");
  g_autoptr (GString) json = NULL;
  GadgetImportValue *copy;

  if (g_hash_table_size (self->folders) == MAX_FOLDERS || !_gadget_import_rows_is_id (id)
      || g_hash_table_contains (self->folders, id))
    return;
  json = g_string_new (NULL);
  _gadget_import_write (folder, json);
  copy = _gadget_import_memory_parse_copy (self->memory, json->str, json->len);
  g_hash_table_insert (self->folders, (gpointer) _gadget_import_get_string (copy, "id"), copy);
}

/* --- The end ---------------------------------------------------------------------------------- */

static char *
dup_session_id (GadgetImportWriter *self, gint64 number)
{
  sqlite3_stmt *stmt = _gadget_import_rows_get_statement (
      self->rows, "SELECT id FROM session WHERE number = ?1", NULL);
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
  if (!_gadget_import_rows_get_number (self->rows, "SELECT count(*) FROM turn WHERE session = ?1",
                                       NULL, extension->chat, &n_turns, error))
    return FALSE;
  *moved = extension->lease != NULL && n_turns == extension->n_turns;
  if (*moved
      && (!_gadget_import_rows_run (self->rows, "UPDATE turn SET session = ?1 WHERE session = ?2",
                                    extension->chat, extension->hidden, error)
          || !_gadget_import_rows_run (self->rows,
                                       "UPDATE attachment SET session = ?1 WHERE session = ?2",
                                       extension->chat, extension->hidden, error)
          || !_gadget_import_rows_run (self->rows,
                                       "UPDATE session SET parent = ?1 WHERE parent = ?2",
                                       extension->chat, extension->hidden, error)
          /* Processes that have the chat read it again when it seems changed. */
          || !_gadget_import_rows_run (
              self->rows,
              "UPDATE session SET updated_at = max (updated_at + 1,"
              " (SELECT updated_at FROM session WHERE number = ?2)) WHERE number = ?1",
              extension->chat, extension->hidden, error)))
    return FALSE;
  return _gadget_import_rows_run (self->rows, "DELETE FROM session WHERE number = ?1",
                                  extension->hidden, 0, error);
}

static gboolean
insert_folders (GadgetImportWriter *self, GError **error)
{
  GHashTableIter iter;
  gpointer id;
  gpointer folder;

  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, &id, &folder))
    {
      g_autoptr (GError) row_error = NULL;
      gint64 exists;

      if (!_gadget_import_rows_get_number (self->rows, "SELECT 1 FROM chat_folder WHERE id = ?1",
                                           id, 0, &exists, error))
        return FALSE;
      if (exists == 0
          && !_gadget_import_rows_insert (
              self->rows, "chat_folder", folder,
              (GadgetImportReference[]) { { "import", self->number }, { NULL } }, NULL, &row_error)
          && !_gadget_import_rows_is_broken (self->rows, row_error))
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
      || !_gadget_import_rows_get_number (
          self->rows,
          "SELECT EXISTS (SELECT 1 FROM session WHERE import = ?1)"
          " OR EXISTS (SELECT 1 FROM turn WHERE import = ?1)"
          " OR EXISTS (SELECT 1 FROM chat_folder WHERE import = ?1)",
          NULL, self->number, &n_added, error))
    return FALSE;
  completion->number = n_added != 0 ? self->number : 0;
  return n_added != 0
             ? _gadget_import_rows_run (self->rows,
                                        "UPDATE import SET ended_at = ?2 WHERE number = ?1",
                                        self->number, gadget_clock_wall_ms (), error)
             : _gadget_import_rows_run (self->rows, "DELETE FROM import WHERE number = ?1",
                                        self->number, 0, error);
}

gboolean
_gadget_import_writer_complete (GadgetImportWriter *self, GError **error)
{
  Completion completion = { .writer = self };

  for (guint i = 0; i < self->extensions->len; i++)
    lock_extension (self, g_ptr_array_index (self->extensions, i));
  self->completed = _gadget_sql_transaction (self->db, complete, &completion, error);
  g_ptr_array_set_size (self->extensions, 0);
  self->report->number = completion.number;
  self->report->n_extended -= completion.n_kept;
  self->report->n_kept += completion.n_kept;
  return self->completed;
}

/* --- A writer --------------------------------------------------------------------------------- */

static gboolean
begin_import (GadgetImportWriter *self, const char *name, GError **error)
{
  sqlite3_stmt *stmt;

  if (!_gadget_sql_exec (self->db, PRAGMAS, error)
      || !_gadget_import_remove_unfinished (self->db, self->cancellable, error))
    return FALSE;
  self->rows = _gadget_import_rows_new (self->db);
  stmt = _gadget_import_rows_get_statement (
      self->rows, "INSERT INTO import (name, started_at) VALUES (?1, ?2)", error);
  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, name);
  _gadget_sql_bind_int (stmt, 2, gadget_clock_wall_ms ());
  if (!_gadget_sql_run (stmt, error))
    return FALSE;
  self->number = sqlite3_last_insert_rowid (self->db);
  _gadget_import_rows_set_import (self->rows, self->number);
  return TRUE;
}

GadgetImportWriter *
_gadget_import_writer_new (const char *directory, const char *name, GadgetImportReport *report,
                           GCancellable *cancellable, GError **error)
{
  g_autoptr (GadgetImportWriter) self = g_new0 (GadgetImportWriter, 1);

  self->directory = g_strdup (directory);
  self->cancellable = cancellable;
  self->extensions = g_ptr_array_new_with_free_func (extension_free);
  self->folders = g_hash_table_new (g_str_hash, g_str_equal);
  self->memory = _gadget_import_memory_new (NULL);
  self->collected = g_ptr_array_new_with_free_func (collected_free);
  self->report = report;
  return _gadget_import_open (directory, &self->db, &self->lease, cancellable, error)
                 && begin_import (self, name, error)
             ? g_steal_pointer (&self)
             : NULL;
}

void
_gadget_import_writer_free (GadgetImportWriter *self)
{
  g_clear_pointer (&self->rows, _gadget_import_rows_free);
  /* After a stop nobody waits for this. */
  if (self->number != 0 && !self->completed && !g_cancellable_is_cancelled (self->cancellable))
    {
      g_autoptr (GError) error = NULL;

      if (!_gadget_import_remove_unfinished (self->db, self->cancellable, &error))
        g_message ("an import could not be removed: %s", error->message);
    }
  g_ptr_array_unref (self->extensions);
  g_hash_table_unref (self->folders);
  _gadget_import_memory_free (self->memory);
  g_ptr_array_unref (self->collected);
  sqlite3_close_v2 (self->db);
  g_clear_pointer (&self->lease, gadget_lease_release);
  g_free (self->directory);
  g_free (self);
}
