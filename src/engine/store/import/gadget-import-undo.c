/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Undoes an import: deletes the chats that it made, and the turns that it added to others. What was
 * gone on with since, is shown in a window or is being worked on stays, and so does the import as
 * long as something of it is there: its undo can be tried again. Each chat is deleted under its
 * lease, in a transaction of its own; see gadget-store-deletion.c. */

#define G_LOG_DOMAIN "gadget-import"

#include "config.h"

#include "gadget-import-undo.h"

#include "gadget-import-clean-up.h"

#include "common/gadget-blocking.h"
#include "store/gadget-store-deletion-private.h"
#include "store/lease/gadget-open-lock.h"

/* A folder is in another one that is in none. */
#define N_FOLDER_LEVELS 2

typedef struct
{
  char *directory;
  gint64 number;
  gboolean all;
  guint n_removed;
  guint n_kept;
} Undo;

/* A chat of the import. */
typedef struct
{
  gint64 number;
  char *id;
  gboolean is_new; /* made by the import, which else added turns to it */
  gboolean went_on;
} Chat;

/* What a transaction works with. */
typedef struct
{
  const Undo *undo;
  const Chat *chat;
} Removal;

static void
chat_free (gpointer data)
{
  Chat *chat = data;

  g_free (chat->id);
  g_free (chat);
}

static gpointer
read_chat (sqlite3_stmt *stmt)
{
  Chat *chat = g_new0 (Chat, 1);

  chat->number = sqlite3_column_int64 (stmt, 0);
  chat->id = _gadget_sql_dup_text (stmt, 1);
  chat->is_new = sqlite3_column_int (stmt, 2);
  chat->went_on = sqlite3_column_int (stmt, 3);
  return chat;
}

/* Returns the chats of the import (element-type Chat). One went on if it has turns of others,
 * behind those of the import if it was there before. */
static GPtrArray *
find_chats (const Undo *self, sqlite3 *db, GError **error)
{
  g_autoptr (GPtrArray) chats = g_ptr_array_new_with_free_func (chat_free);
  g_autofree char *sql = g_strdup_printf (
      "SELECT session.number, session.id, session.import IS %1$" G_GINT64_FORMAT ","
      " EXISTS (SELECT 1 FROM turn WHERE session = session.number"
      "  AND turn.import IS NOT %1$" G_GINT64_FORMAT " AND (session.import IS %1$" G_GINT64_FORMAT
      "   OR position > (SELECT max (position) FROM turn AS added"
      "    WHERE added.session = session.number AND added.import = %1$" G_GINT64_FORMAT ")))"
      " FROM session WHERE session.import = %1$" G_GINT64_FORMAT
      " OR number IN (SELECT session FROM turn WHERE import = %1$" G_GINT64_FORMAT ")",
      self->number);

  return _gadget_sql_read_rows (db, sql, read_chat, chats, error) ? g_steal_pointer (&chats) : NULL;
}

static gboolean
run (sqlite3 *db, const char *sql, gint64 first, gint64 second, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_int (stmt, 1, first);
  if (sqlite3_bind_parameter_count (stmt) > 1)
    _gadget_sql_bind_int (stmt, 2, second);
  return _gadget_sql_run (stmt, error);
}

static gboolean
remove_in_transaction (sqlite3 *db, gpointer data, GError **error)
{
  const Removal *removal = data;
  const gint64 number = removal->chat->number;

  if (removal->chat->is_new)
    return _gadget_deletion_delete (db, removal->chat->id, error);
  /* Processes that have the chat read it again when it seems changed. */
  return run (db, "DELETE FROM turn WHERE session = ?1 AND import = ?2", number,
              removal->undo->number, error)
         && run (db,
                 "UPDATE session SET edits = edits + 1, updated_at = updated_at + 1"
                 " WHERE number = ?1",
                 number, 0, error);
}

/* Removes what the import added, unless the chat went on or is in use. */
static gboolean
remove_chat (Undo *self, sqlite3 *db, const Chat *chat, GError **error)
{
  Removal removal = { self, chat };
  g_autoptr (GadgetOpenLock) open_lock = NULL;
  g_autoptr (GadgetLease) lease = NULL;

  if (!chat->went_on || (self->all && chat->is_new))
    lease = gadget_lease_acquire (self->directory, chat->id, NULL);
  if (lease != NULL)
    open_lock = gadget_open_lock_new (self->directory, chat->id);
  if (open_lock == NULL || !gadget_open_lock_is_alone (open_lock))
    {
      self->n_kept++;
      return TRUE;
    }
  if (!_gadget_sql_transaction (db, remove_in_transaction, &removal, error))
    return FALSE;
  if (chat->is_new)
    gadget_open_lock_mark_deleted (open_lock);
  self->n_removed++;
  _gadget_import_pause (NULL, GADGET_IMPORT_PAUSE_MS);
  return TRUE;
}

/* Removes the folders that nothing is in, the inner ones first, and the import if nothing is left
 * of it. */
static gboolean
remove_rest (sqlite3 *db, gpointer data, GError **error)
{
  const Undo *self = data;
  const char *const empty =
      "DELETE FROM chat_folder WHERE import = ?1"
      " AND NOT EXISTS (SELECT 1 FROM session WHERE session.chat_folder = chat_folder.id)"
      " AND NOT EXISTS (SELECT 1 FROM chat_folder AS inner WHERE inner.parent = chat_folder.id)";

  for (guint level = 0; level < N_FOLDER_LEVELS; level++)
    if (!run (db, empty, self->number, 0, error))
      return FALSE;
  return run (db,
              "DELETE FROM import WHERE number = ?1"
              " AND NOT EXISTS (SELECT 1 FROM session WHERE import = ?1)"
              " AND NOT EXISTS (SELECT 1 FROM turn WHERE import = ?1)"
              " AND NOT EXISTS (SELECT 1 FROM chat_folder WHERE import = ?1)",
              self->number, 0, error);
}

static gboolean
undo (Undo *self, sqlite3 *db, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) chats = NULL;
  gint64 ended = 0;
  g_autofree char *sql = NULL;

  if (self->number == 0
      && !_gadget_sql_get_int (db, "SELECT max (number) FROM import WHERE ended_at IS NOT NULL",
                               &self->number, error))
    return FALSE;
  sql = g_strdup_printf ("SELECT count(*) FROM import WHERE number = %" G_GINT64_FORMAT
                         " AND ended_at IS NOT NULL",
                         self->number);
  if (!_gadget_sql_get_int (db, sql, &ended, error))
    return FALSE;
  if (ended == 0)
    {
      g_set_error_literal (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND,
                           "there is no such import");
      return FALSE;
    }
  chats = find_chats (self, db, error);
  for (guint i = 0; chats != NULL && i < chats->len; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !remove_chat (self, db, g_ptr_array_index (chats, i), error))
      return FALSE;
  return chats != NULL && _gadget_sql_transaction (db, remove_rest, self, error);
}

static gpointer
undo_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  Undo *self = data;
  GadgetLease *lease;
  sqlite3 *db;
  gboolean ok = _gadget_import_open (self->directory, &db, &lease, cancellable, error)
                && undo (self, db, cancellable, error);

  sqlite3_close_v2 (db);
  g_clear_pointer (&lease, gadget_lease_release);
  return ok ? g_memdup2 (self, sizeof *self) : NULL;
}

static void
undo_free (gpointer data)
{
  Undo *self = data;

  g_free (self->directory);
  g_free (self);
}

/**
 * gadget_import_undo_async:
 * @directory: the data folder, whose database a store has opened
 * @number: the number of the import; 0 for the last one
 * @all: also delete chats that the import made and that were gone on with
 *
 * Removes what an import added. After a stop or an error, a part of it is removed.
 */
void
gadget_import_undo_async (const char *directory, gint64 number, gboolean all,
                          GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Undo *self = g_new0 (Undo, 1);

  self->directory = g_strdup (directory);
  self->number = number;
  self->all = all;
  gadget_blocking_run_async (cancellable, undo_in_thread, self, undo_free, g_free, callback,
                             user_data);
}

/**
 * gadget_import_undo_finish:
 * @n_removed: (out): chats that were deleted, or from which turns were removed
 * @n_kept: (out): chats that were left as they are
 *
 * Returns: whether the import was undone as far as possible; else @error is a #GadgetStoreError
 *   (NOT_FOUND if there is no such import, BUSY while another import goes on), or one of
 *   gadget_blocking_run_finish ()
 */
gboolean
gadget_import_undo_finish (GAsyncResult *result, guint *n_removed, guint *n_kept, GError **error)
{
  g_autofree Undo *done = gadget_blocking_run_finish (result, error);

  if (done == NULL)
    return FALSE;
  *n_removed = done->n_removed;
  *n_kept = done->n_kept;
  return TRUE;
}
