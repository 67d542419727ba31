/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns, drafts and changes of sessions that could not be saved are recovered from files outside
 * the database; see gadget-recovery-folders.c for their folders, gadget-recovery-write.c for how
 * they are written, and gadget-recovery-search.c for how they are found. The lock of a file is an
 * open-file-description lock, as a lease is: it ends with the process, and then the next process
 * may recover the file.
 *
 * A turn that is stored already (the write was late, and the process died before it removed the
 * file) is not reported. A file is removed only after its content is on the disk of the database; a
 * file that cannot be stored stays for the next time. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <string.h>

#include "store/lease/gadget-lease.h"
#include "gadget-recovery-file-private.h"
#include "gadget-recovery-search-private.h"
#include "gadget-recovery-write-private.h"
#include "gadget-recovery.h"
#include "store/gadget-store-repair.h"
#include "store/gadget-store-schema.h"

/* The job that stores what was found. */
typedef struct
{
  char *directory;
  GPtrArray *turns;    /* of GadgetFoundFile */
  GPtrArray *sessions; /* of GadgetFoundFile, the oldest first */
} Recovery;

static void
recovery_free (gpointer data)
{
  Recovery *recovery = data;

  g_free (recovery->directory);
  g_ptr_array_unref (recovery->turns);
  g_ptr_array_unref (recovery->sessions);
  g_free (recovery);
}

/* A stored turn that is processing, or was found without an end, does not count: it may be less
 * complete than the file. */
static gboolean
turn_is_stored (sqlite3 *db, const char *id, gboolean *stored, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db,
                           "SELECT 1 FROM turn WHERE id = ?1 AND status != 'processing'"
                           " AND NOT (status = 'aborted' AND stop_reason = 'interrupted')",
                           error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  return _gadget_sql_next (stmt, stored, error);
}

/* Fails with %GADGET_STORE_ERROR_BUSY if another process works in the session. The lease is that of
 * the topmost session. The file names only the parent; those above the parent are stored, or the
 * session cannot be stored either. */
static gboolean
check_unused (sqlite3 *db, const GadgetSessionRow *session, const char *directory, GError **error)
{
  const char *id = session->parent != NULL ? session->parent : session->id;
  g_autofree char *topmost = NULL;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "SELECT " GADGET_SQL_LEASE_ID " FROM session WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  topmost = has_row ? _gadget_sql_dup_text (stmt, 0) : g_strdup (id);
  if (!gadget_lease_is_held (directory, topmost) && !gadget_lease_is_held (directory, session->id))
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY, "session %s is in use",
               session->id);
  return FALSE;
}

/* Returns how much of a turn there is, in items and bytes. It only grows. */
static gint64
get_content_size (const GadgetJournalWrite *write)
{
  gint64 size = write->items->len;

  for (guint i = 0; i < write->items->len; i++)
    {
      const GadgetItemRow *item = g_ptr_array_index (write->items, i);

      size += (gint64) (item->text->len + item->arguments->len);
      size += item->result != NULL ? (gint64) strlen (item->result) : 0;
    }
  return size;
}

/* Gets the size of the stored turn in the same way; 0 if it is not stored. */
static gboolean
get_stored_size (sqlite3 *db, const GadgetJournalWrite *write, gint64 *size, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "SELECT count (item.position) + total (length (CAST (text AS BLOB))"
      "  + length (CAST (arguments AS BLOB)) + length (CAST (coalesce (result, '') AS BLOB)))"
      " FROM turn JOIN item ON item.turn = turn.number WHERE turn.id = ?1",
      error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, write->turn->id);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  *size = sqlite3_column_int64 (stmt, 0);
  return TRUE;
}

static gboolean
recover_session (sqlite3 *db, gpointer session, GError **error)
{
  return _gadget_session_row_recover (session, db, error);
}

/* Recovers a turn that was still processing when its file was written. The journal may have stored
 * more after that, and the process may have been killed before it removed the file; then only the
 * session is recovered. */
static gboolean
recover_interrupted_turn (sqlite3 *db, const char *directory, GadgetJournalWrite *write,
                          GError **error)
{
  gint64 stored;

  if (!_gadget_store_repair (db, directory, write->session_id, NULL, error)
      || !get_stored_size (db, write, &stored, error))
    return FALSE;
  if (stored > get_content_size (write))
    return _gadget_sql_transaction_durable (db, recover_session, write->session, error);
  return _gadget_journal_write_end (db, write, error);
}

static gboolean
recover_turn (sqlite3 *db, const char *directory, GadgetFoundFile *found, GError **error)
{
  GadgetJournalWrite *write = found->write;

  if (!turn_is_stored (db, write->turn->id, &found->unreported, error))
    return FALSE;
  if (found->unreported)
    return TRUE;
  if (!check_unused (db, write->session, directory, error))
    return FALSE;
  return write->turn->stop_reason == GADGET_STOP_INTERRUPTED
             ? recover_interrupted_turn (db, directory, write, error)
             : _gadget_journal_write_end (db, write, error);
}

/* Sessions of subagents come last, because they need the session of their parent, which may be in
 * another file. Otherwise turns are in the order in which they started, which becomes their order
 * in the session. Of several files of one turn, the newest is the first. */
static gint
compare_turns (gconstpointer a, gconstpointer b)
{
  const GadgetJournalWrite *first = (*(const GadgetFoundFile *const *) a)->write;
  const GadgetJournalWrite *second = (*(const GadgetFoundFile *const *) b)->write;
  const gint64 written[] = { (*(const GadgetFoundFile *const *) a)->written_at,
                             (*(const GadgetFoundFile *const *) b)->written_at };
  const gboolean is_subagent[] = { first->session->parent != NULL,
                                   second->session->parent != NULL };

  if (is_subagent[0] != is_subagent[1])
    return is_subagent[0] - is_subagent[1];
  if (first->turn->started_at != second->turn->started_at)
    return first->turn->started_at < second->turn->started_at ? -1 : 1;
  if (!g_str_equal (first->turn->id, second->turn->id))
    return strcmp (first->turn->id, second->turn->id);
  return written[0] > written[1] ? -1 : written[0] < written[1];
}

/* Tells whether a newer file had the same turn, which is stored now. */
static gboolean
has_newer_stored_copy (GPtrArray *all, guint i)
{
  const GadgetFoundFile *found = g_ptr_array_index (all, i);
  const GadgetFoundFile *before = i > 0 ? g_ptr_array_index (all, i - 1) : NULL;

  return before != NULL && before->stored
         && g_str_equal (before->write->turn->id, found->write->turn->id);
}

static gboolean
recover_changes (sqlite3 *db, gpointer session, GError **error)
{
  return _gadget_session_row_recover_changes (session, db, error);
}

static gboolean
recover_session_changes (sqlite3 *db, const char *directory, GadgetSessionRow *session,
                         GError **error)
{
  return check_unused (db, session, directory, error)
         && _gadget_sql_transaction_durable (db, recover_changes, session, error);
}

/* Stores those changes of sessions that are not stored yet. With @create, a session that is not
 * stored is created; before that it may be created by one of the turns. */
static void
recover_sessions (sqlite3 *db, const Recovery *recovery, gboolean create)
{
  for (guint i = 0; i < recovery->sessions->len; i++)
    {
      GadgetFoundFile *found = g_ptr_array_index (recovery->sessions, i);
      g_autoptr (GError) error = NULL;

      if (found->stored)
        continue;
      found->stored = recover_session_changes (db, recovery->directory, found->session, &error);
      if (create && g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
        {
          g_clear_error (&error);
          found->stored =
              _gadget_sql_transaction_durable (db, recover_session, found->session, &error);
        }
      if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
        found->stored = found->unreported = TRUE;
      if (create && !found->stored)
        g_message ("%s cannot be recovered now: %s", found->file->path, error->message);
    }
}

static gboolean
recover_all (sqlite3 *db, gpointer data, GError **error)
{
  const Recovery *recovery = data;

  /* Recovered turns update the time of their session, so changes of sessions, which compare that
   * time, come first. */
  recover_sessions (db, recovery, FALSE);
  g_ptr_array_sort (recovery->turns, compare_turns);
  for (guint i = 0; i < recovery->turns->len; i++)
    {
      GadgetFoundFile *found = g_ptr_array_index (recovery->turns, i);
      g_autoptr (GError) local_error = NULL;

      if (has_newer_stored_copy (recovery->turns, i))
        {
          found->stored = found->unreported = TRUE;
          continue;
        }
      found->stored = recover_turn (db, recovery->directory, found, &local_error);
      /* The turn was deleted with its session. */
      if (g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
        found->stored = found->unreported = TRUE;
      if (!found->stored)
        g_message ("%s cannot be recovered now: %s", found->file->path, local_error->message);
    }
  /* A recovered turn may have created its session. */
  recover_sessions (db, recovery, TRUE);
  return TRUE;
}

/* Frees one element of the result of gadget_store_recover_finish (). */
void
gadget_recovered_chat_free (gpointer data)
{
  GadgetRecoveredChat *self = data;

  g_free (self->session_id);
  g_free (self->turn_id);
  g_free (self->title);
  g_free (self->path);
  g_strfreev (self->queue);
  g_free (self);
}

/**
 * gadget_recovered_chat_merge_queue:
 *
 * Returns: %TRUE if the queue of @session was changed here since it was read, so that the recovered
 *   messages were added to it and the caller must save it; %FALSE if the caller must read the queue
 *   again, and if no queue was recovered
 */
gboolean
gadget_recovered_chat_merge_queue (const GadgetRecoveredChat *self, GadgetSession *session)
{
  g_return_val_if_fail (self != NULL && GADGET_IS_SESSION (session), FALSE);
  return self->queue != NULL && _gadget_session_merge_queue (session, self->queue);
}

static GadgetRecoveredChat *
recovered_chat_new (const GadgetFoundFile *found)
{
  GadgetRecoveredChat *self = g_new0 (GadgetRecoveredChat, 1);
  const GadgetSessionRow *session = found->write != NULL ? found->write->session : found->session;

  self->session_id = g_strdup (session->id);
  self->turn_id = found->write != NULL ? g_strdup (found->write->turn->id) : NULL;
  self->title = g_strdup (session->title);
  self->path = found->stored ? NULL : g_strdup (found->file->path);
  self->queue = g_strdupv (session->queue);
  return self;
}

static void
add_recovered (GPtrArray *recovered, GPtrArray *all)
{
  for (guint i = 0; i < all->len; i++)
    {
      GadgetFoundFile *found = g_ptr_array_index (all, i);

      if (!found->unreported)
        g_ptr_array_add (recovered, recovered_chat_new (found));
      if (found->stored)
        gadget_recovery_file_remove_async (g_steal_pointer (&found->file), NULL, NULL);
    }
}

static void
recovered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *recovered = NULL;
  const Recovery *recovery;
  GError *error = NULL;

  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  recovery = gadget_store_get_job_data (result);
  recovered = g_ptr_array_new_with_free_func (gadget_recovered_chat_free);
  add_recovered (recovered, recovery->sessions);
  add_recovered (recovered, recovery->turns);
  g_task_return_pointer (task, recovered, (GDestroyNotify) g_ptr_array_unref);
}

static gint
compare_written (gconstpointer a, gconstpointer b)
{
  const gint64 written[] = { (*(const GadgetFoundFile *const *) a)->written_at,
                             (*(const GadgetFoundFile *const *) b)->written_at };

  return written[0] < written[1] ? -1 : written[0] > written[1];
}

/* Returns the name, without suffix, that the file of a draft or a session has in each folder once
 * it is complete. */
static char *
dup_final_name (const GadgetFoundFile *found)
{
  g_autofree char *name = g_path_get_basename (found->file->path);
  const char *start = name + (*name == '.' ? 1 : 0);
  const char *end = strstr (start, GADGET_RECOVERY_SUFFIX);

  return end != NULL ? g_strndup (start, (gsize) (end - start)) : g_strdup (start);
}

/* Tells whether a newer file has the same draft or session: a file of another folder, or one that
 * was being written to replace this one. */
static gboolean
is_outdated (const GadgetFoundFile *found, GHashTable *newer)
{
  g_autofree char *name = dup_final_name (found);

  return !g_hash_table_add (newer, g_steal_pointer (&name));
}

/* Moves drafts and changes of sessions out of @turns, the oldest first. Only the newest file of
 * each is kept; the others are removed. */
static void
split_by_kind (GPtrArray *turns, GPtrArray *drafts, GPtrArray *sessions)
{
  g_autoptr (GHashTable) newer = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_ptr_array_sort (turns, compare_written);
  for (guint i = turns->len; i > 0; i--)
    {
      g_autoptr (GadgetFoundFile) one = NULL;

      if (((const GadgetFoundFile *) g_ptr_array_index (turns, i - 1))->write != NULL)
        continue;
      one = g_ptr_array_steal_index (turns, i - 1);
      if (is_outdated (one, newer))
        {
          gadget_recovery_file_remove_async (g_steal_pointer (&one->file), NULL, NULL);
        }
      else if (one->session != NULL)
        {
          g_ptr_array_insert (sessions, 0, g_steal_pointer (&one));
        }
      else
        {
          one->draft->file = g_steal_pointer (&one->file);
          g_ptr_array_insert (drafts, 0, g_steal_pointer (&one->draft));
        }
    }
}

static void
searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetStore *store = g_task_get_source_object (task);
  g_autoptr (GPtrArray) turns = _gadget_recovery_search_finish (result);
  g_autoptr (GPtrArray) sessions = g_ptr_array_new_with_free_func (_gadget_found_file_free);
  GPtrArray *drafts = g_ptr_array_new_with_free_func (gadget_recovered_draft_free);
  Recovery *recovery;

  split_by_kind (turns, drafts, sessions);
  g_task_set_task_data (task, drafts, (GDestroyNotify) g_ptr_array_unref);
  if (turns->len == 0 && sessions->len == 0)
    {
      g_task_return_pointer (task, g_ptr_array_new_with_free_func (gadget_recovered_chat_free),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  recovery = g_new0 (Recovery, 1);
  recovery->directory = g_strdup (gadget_store_get_directory (store));
  recovery->turns = g_steal_pointer (&turns);
  recovery->sessions = g_steal_pointer (&sessions);
  gadget_store_run_async (store, recover_all, recovery, recovery_free, recovered_cb,
                          g_steal_pointer (&task));
}

/**
 * gadget_store_recover_async:
 * @store: an open store
 *
 * Recovers all files that belong to @store and that no living process has locked. Turns are stored
 * in their sessions, which are created if necessary, and changes of sessions are stored; then the
 * files of everything that is stored are removed.
 */
void
gadget_store_recover_async (GadgetStore *store, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_STORE (store));

  task = g_task_new (store, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_store_recover_async);
  _gadget_recovery_search_async (gadget_store_get_directory (store), searched_cb, task);
}

/**
 * gadget_store_recover_finish:
 * @drafts: (out) (transfer full) (element-type GadgetRecoveredDraft): the drafts that were
 *   found, with their files, the oldest first; the caller saves them. Not touched on failure
 *
 * Returns: (transfer full) (element-type GadgetRecoveredChat): the turns that were found and were
 *   not stored before, and the changed sessions; %NULL with @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_store_recover_finish (GAsyncResult *result, GPtrArray **drafts, GError **error)
{
  GPtrArray *recovered = g_task_propagate_pointer (G_TASK (result), error);

  if (recovered != NULL)
    *drafts = g_ptr_array_ref (g_task_get_task_data (G_TASK (result)));
  return recovered;
}
