/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns, drafts and changes of sessions that could not be saved, found in files outside the
 * database; see gadget-recovery-folders.c for their folders, and gadget-recovery-write.c for how
 * they are written. The lock of a file is an open-file-description lock, as a lease is: it ends
 * with the process, and then the next process may recover the file.
 *
 * A recovery searches all of the folders at the same time, and continues without those that do not
 * respond for PLACE_LIMIT_MS; a later start finds the files there. A folder that responds is waited
 * for, however many files it has. The recovery accepts only regular files of this user in folders
 * to which nobody else can write, and stores the content that belongs to its database. A turn that
 * is stored already (the write was late, and the process died before it removed the file) is not
 * reported. A file is removed only after its content is on the disk of the database; a file that
 * cannot be stored stays for the next time. A file that was being written when its process was
 * killed is used if it is complete, and removed if it is not; one that a newer version of Gadget
 * wrote stays. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/lease/gadget-lease.h"
#include "gadget-recovery-draft-private.h"
#include "gadget-recovery-file-private.h"
#include "gadget-recovery-format.h"
#include "gadget-recovery-folders.h"
#include "gadget-recovery-write-private.h"
#include "gadget-recovery.h"
#include "gadget-store-repair.h"
#include "gadget-store-schema.h"
#include "common/gadget-blocking.h"

/* Files with more bytes are not read. */
#define MAX_SIZE (1024 * 1024 * 1024)
#define PLACE_LIMIT_MS 2000

/* --- Finding ---------------------------------------------------------------------------------- */

/* A file that was found: of a turn, a session or a draft. */
typedef struct
{
  GadgetRecoveryFile *file;
  GadgetJournalWrite *write;   /* a turn, or NULL */
  GadgetSessionRow *session;   /* changes of a session, or NULL */
  GadgetRecoveredDraft *draft; /* a draft, or NULL */
  gint64 written_at;           /* microseconds since 1970 */
  gboolean stored;             /* its content is stored, so the file can be removed */
  gboolean known;              /* it was stored before, so it is not reported */
} Found;

/* A search of all folders, on the main context. */
typedef struct
{
  GTask *task;       /* NULL once it has returned */
  GPtrArray *found;  /* of Found */
  GPtrArray *looks;  /* of FolderSearch, not owned: those that are waited for */
  gint64 started_us; /* monotonic */
  guint timeout;
} Search;

/* The search of one folder, in a thread. */
typedef struct
{
  Search *search;
  char *place;
  char *data_dir;
  gboolean late;
  int responded_ms; /* atomic: when the folder last responded, since the search was started;
                     * G_MAXINT while the thread works without it */
} FolderSearch;

static int
get_elapsed_ms (const Search *search)
{
  return (int) ((g_get_monotonic_time () - search->started_us) / 1000);
}

static void
note_response (FolderSearch *look)
{
  g_atomic_int_set (&look->responded_ms, get_elapsed_ms (look->search));
}

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->file, gadget_recovery_file_close);
  g_clear_pointer (&found->write, _gadget_journal_write_free);
  g_clear_pointer (&found->session, _gadget_session_row_free);
  g_clear_pointer (&found->draft, gadget_recovered_draft_free);
  g_free (found);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Found, found_free)

static void
search_clear (gpointer data)
{
  Search *search = data;

  g_clear_pointer (&search->found, g_ptr_array_unref);
  g_ptr_array_unref (search->looks);
}

static void
search_unref (gpointer search)
{
  g_atomic_rc_box_release_full (search, search_clear);
}

static void
look_free (gpointer data)
{
  FolderSearch *look = data;

  search_unref (look->search);
  g_free (look->place);
  g_free (look->data_dir);
  g_free (look);
}

/* Returns NULL for a file that is not the user's, and for one that another process has locked. */
static GadgetRecoveryFile *
open_found (int place, const char *folder, const char *name, gint64 *written_at)
{
  struct stat status;
  int fd = openat (place, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode) || status.st_uid != geteuid ()
      || status.st_size > MAX_SIZE || !_gadget_recovery_lock (fd))
    {
      close (fd);
      return NULL;
    }
  *written_at = (gint64) status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000;
  return _gadget_recovery_file_new (folder, name, fd);
}

static gboolean
is_partial (const char *name)
{
  return *name == '.' && g_str_has_suffix (name, GADGET_RECOVERY_PARTIAL_SUFFIX);
}

static gboolean
is_whole (const char *name)
{
  return (g_str_has_prefix (name, GADGET_RECOVERY_TURN_PREFIX)
          || g_str_has_prefix (name, GADGET_RECOVERY_SESSION_PREFIX)
          || g_str_has_prefix (name, GADGET_RECOVERY_DRAFT_PREFIX))
         && g_str_has_suffix (name, GADGET_RECOVERY_SUFFIX);
}

/* Tells whether the file, which may be incomplete, has that prefix. */
static gboolean
is_of_kind (const char *name, const char *prefix)
{
  return g_str_has_prefix (*name == '.' ? name + 1 : name, prefix);
}

static GString *
read_contents (FolderSearch *look, int fd, GError **error)
{
  g_autoptr (GString) contents = g_string_new (NULL);
  char buffer[32 * 1024];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) != 0)
    {
      const int saved_errno = errno;

      note_response (look);
      if (n > 0)
        g_string_append_len (contents, buffer, n);
      else if (saved_errno != EINTR)
        {
          g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno),
                               g_strerror (saved_errno));
          return NULL;
        }
    }
  return g_steal_pointer (&contents);
}

/* Returns FALSE with an error if the file is not valid, and without one if it belongs to another
 * database. */
static gboolean
parse_file (Found *found, const char *name, const GString *contents, const char *data_dir,
            GError **error)
{
  if (is_of_kind (name, GADGET_RECOVERY_DRAFT_PREFIX))
    found->draft = _gadget_recovery_draft_parse (contents->str, contents->len, data_dir, error);
  else if (is_of_kind (name, GADGET_RECOVERY_SESSION_PREFIX))
    found->session = _gadget_recovery_session_parse (contents->str, contents->len, data_dir, error);
  else
    found->write = _gadget_recovery_turn_parse (contents->str, contents->len, data_dir, error);
  return found->write != NULL || found->session != NULL || found->draft != NULL;
}

static void
read_found (FolderSearch *look, int place, const char *name, GPtrArray *all)
{
  g_autoptr (Found) found = g_new0 (Found, 1);
  g_autoptr (GString) contents = NULL;
  g_autoptr (GError) error = NULL;
  gboolean valid;

  found->file = open_found (place, look->place, name, &found->written_at);
  note_response (look);
  if (found->file == NULL)
    return;
  contents = read_contents (look, found->file->fd, &error);
  g_atomic_int_set (&look->responded_ms, G_MAXINT);
  valid = contents != NULL && parse_file (found, name, contents, look->data_dir, &error);
  note_response (look);
  if (valid)
    g_ptr_array_add (all, g_steal_pointer (&found));
  else if (is_partial (name)
           && g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT))
    _gadget_recovery_file_remove (g_steal_pointer (&found->file));
  else if (error != NULL)
    g_message ("%s cannot be recovered: %s", found->file->path, error->message);
}

static gpointer
find_there (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  FolderSearch *look = data;
  GPtrArray *found = g_ptr_array_new_with_free_func (found_free);
  const int place = _gadget_recovery_open_folder (look->place, NULL);
  g_autoptr (GDir) dir = place >= 0 ? g_dir_open (look->place, 0, NULL) : NULL;
  const char *name;

  note_response (look);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_whole (name) || is_partial (name))
      read_found (look, place, name, found);
  if (place >= 0)
    close (place);
  return found;
}

static void
unref_array (gpointer array)
{
  g_ptr_array_unref (array);
}

static void
return_found (Search *search)
{
  g_autoptr (GTask) task = g_steal_pointer (&search->task);

  g_clear_handle_id (&search->timeout, g_source_remove);
  g_task_return_pointer (task, g_steal_pointer (&search->found), unref_array);
}

static void
folder_searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FolderSearch *look = user_data; /* owned by the result */
  Search *search = look->search;
  g_autoptr (GPtrArray) found = gadget_blocking_run_finish (result, NULL);

  if (look->late)
    _gadget_recovery_folder_end_late (look->place);
  g_ptr_array_remove (search->looks, look);
  /* Files that are found too late are closed, and found by a later start. */
  if (search->task == NULL)
    return;
  if (found != NULL)
    g_ptr_array_extend_and_steal (search->found, g_steal_pointer (&found));
  if (search->looks->len == 0)
    return_found (search);
}

static void schedule_timeout (Search *search, int delay_ms);

static gboolean
search_timeout_cb (gpointer user_data)
{
  Search *search = user_data;
  const int now_ms = get_elapsed_ms (search);
  int next_ms = PLACE_LIMIT_MS;

  search->timeout = 0;
  for (guint i = search->looks->len; i > 0; i--)
    {
      FolderSearch *look = g_ptr_array_index (search->looks, i - 1);
      const int silent_ms = MAX (now_ms - g_atomic_int_get (&look->responded_ms), 0);

      if (silent_ms < PLACE_LIMIT_MS)
        {
          next_ms = MIN (next_ms, PLACE_LIMIT_MS - silent_ms);
          continue;
        }
      look->late = TRUE;
      _gadget_recovery_folder_begin_late (look->place);
      g_ptr_array_remove_index (search->looks, i - 1);
    }
  if (search->looks->len > 0)
    schedule_timeout (search, next_ms);
  else
    return_found (search);
  return G_SOURCE_REMOVE;
}

static void
schedule_timeout (Search *search, int delay_ms)
{
  search->timeout = g_timeout_add_full (G_PRIORITY_DEFAULT, (guint) delay_ms, search_timeout_cb,
                                        g_atomic_rc_box_acquire (search), search_unref);
  g_source_set_name_by_id (search->timeout, "[gadget] look for recovery files");
}

static void
look_into (Search *search, const char *place, const char *data_dir)
{
  FolderSearch *look = g_new0 (FolderSearch, 1);

  look->search = g_atomic_rc_box_acquire (search);
  look->place = g_strdup (place);
  look->data_dir = g_strdup (data_dir);
  g_ptr_array_add (search->looks, look);
  gadget_blocking_run_urgent_async (find_there, look, look_free, unref_array, folder_searched_cb,
                                    look);
}

static void
find_all_async (const char *data_dir, GAsyncReadyCallback callback, gpointer user_data)
{
  g_auto (GStrv) places = _gadget_recovery_dup_folders (data_dir);
  Search *search = g_atomic_rc_box_new0 (Search);

  search->task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (search->task, find_all_async);
  search->found = g_ptr_array_new_with_free_func (found_free);
  search->looks = g_ptr_array_new ();
  search->started_us = g_get_monotonic_time ();
  for (guint i = 0; places[i] != NULL; i++)
    if (!_gadget_recovery_folder_is_late (places[i]))
      look_into (search, places[i], data_dir);
  /* If there are no folders to search, the search ends in the next iteration of the main loop. */
  schedule_timeout (search, search->looks->len > 0 ? PLACE_LIMIT_MS : 0);
  search_unref (search);
}

/* --- Restoring -------------------------------------------------------------------------------- */

/* The job that stores what was found. */
typedef struct
{
  char *directory;
  GPtrArray *found;    /* of Found, with turns */
  GPtrArray *sessions; /* of Found, with changes of sessions; the oldest first */
} Restoring;

static void
restoring_free (gpointer data)
{
  Restoring *restoring = data;

  g_free (restoring->directory);
  g_ptr_array_unref (restoring->found);
  g_ptr_array_unref (restoring->sessions);
  g_free (restoring);
}

static gboolean
has_row (sqlite3 *db, const char *sql, const char *id, gboolean *has, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (db, sql, error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, id);
  return _gadget_sql_next (stmt, has, error);
}

/* Fails with %GADGET_STORE_ERROR_BUSY if another process works in the session. The lease is that of
 * the topmost session. The file names only the parent; those above the parent are stored, or the
 * session cannot be stored either. */
static gboolean
check_unused (sqlite3 *db, const GadgetSessionRow *session, const char *directory, GError **error)
{
  const char *known = session->parent != NULL ? session->parent : session->id;
  g_autofree char *topmost = NULL;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "SELECT " GADGET_SQL_LEASE_ID " FROM session WHERE id = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, known);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  topmost = has_row ? _gadget_sql_dup_text (stmt, 0) : g_strdup (known);
  if (!gadget_lease_is_held (directory, topmost) && !gadget_lease_is_held (directory, session->id))
    return TRUE;
  g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY, "session %s is in use",
               session->id);
  return FALSE;
}

/* Measures how much of a turn there is, in items and bytes. It only grows. */
static gint64
measure (const GadgetJournalWrite *write)
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

/* Measures the stored turn in the same way; 0 if it is not stored. */
static gboolean
measure_stored (sqlite3 *db, const GadgetJournalWrite *write, gint64 *size, GError **error)
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
restore_session (sqlite3 *db, gpointer session, GError **error)
{
  return _gadget_session_row_recover (session, db, error);
}

/* Recovers a turn that was still processing when its file was written. The journal may have stored
 * more after that, and the process may have been killed before it removed the file; then only the
 * session is recovered. */
static gboolean
restore_interrupted (sqlite3 *db, const char *directory, GadgetJournalWrite *write, GError **error)
{
  gint64 stored;

  if (!_gadget_store_repair (db, directory, write->session_id, NULL, error)
      || !measure_stored (db, write, &stored, error))
    return FALSE;
  if (stored > measure (write))
    return _gadget_sql_transaction_durable (db, restore_session, write->session, error);
  return _gadget_journal_write_end (db, write, error);
}

static gboolean
restore (sqlite3 *db, const char *directory, Found *found, GError **error)
{
  GadgetJournalWrite *write = found->write;

  /* A stored turn that is processing, or was found without an end, may be less complete than the
   * file. */
  if (!has_row (db,
                "SELECT 1 FROM turn WHERE id = ?1 AND status != 'processing'"
                " AND NOT (status = 'aborted' AND stop_reason = 'interrupted')",
                write->turn->id, &found->known, error))
    return FALSE;
  if (found->known)
    return TRUE;
  if (!check_unused (db, write->session, directory, error))
    return FALSE;
  return write->turn->stop_reason == GADGET_STOP_INTERRUPTED
             ? restore_interrupted (db, directory, write, error)
             : _gadget_journal_write_end (db, write, error);
}

/* Sessions of subagents come last, because they need the session of their parent, which may be in
 * another file. Otherwise turns are in the order in which they started, which becomes their order
 * in the session. Of several files of one turn, the newest is the first. */
static gint
compare_found (gconstpointer a, gconstpointer b)
{
  const GadgetJournalWrite *first = (*(const Found *const *) a)->write;
  const GadgetJournalWrite *second = (*(const Found *const *) b)->write;
  const gint64 written[] = { (*(const Found *const *) a)->written_at,
                             (*(const Found *const *) b)->written_at };
  const gboolean inner[] = { first->session->parent != NULL, second->session->parent != NULL };

  if (inner[0] != inner[1])
    return inner[0] - inner[1];
  if (first->turn->started_at != second->turn->started_at)
    return first->turn->started_at < second->turn->started_at ? -1 : 1;
  if (!g_str_equal (first->turn->id, second->turn->id))
    return strcmp (first->turn->id, second->turn->id);
  return written[0] > written[1] ? -1 : written[0] < written[1];
}

/* Tells whether a newer file had the same turn, which is stored now. */
static gboolean
is_of_same_turn (GPtrArray *all, guint i)
{
  const Found *found = g_ptr_array_index (all, i);
  const Found *before = i > 0 ? g_ptr_array_index (all, i - 1) : NULL;

  return before != NULL && before->stored
         && g_str_equal (before->write->turn->id, found->write->turn->id);
}

static gboolean
restore_changes (sqlite3 *db, gpointer session, GError **error)
{
  return _gadget_session_row_recover_changes (session, db, error);
}

static gboolean
restore_session_changes (sqlite3 *db, const char *directory, GadgetSessionRow *session,
                         GError **error)
{
  return check_unused (db, session, directory, error)
         && _gadget_sql_transaction_durable (db, restore_changes, session, error);
}

/* Stores those changes of sessions that are not stored yet. With @make, a session that is not
 * stored is created; before that it may be created by one of the turns. */
static void
restore_sessions (sqlite3 *db, const Restoring *restoring, gboolean make)
{
  for (guint i = 0; i < restoring->sessions->len; i++)
    {
      Found *found = g_ptr_array_index (restoring->sessions, i);
      g_autoptr (GError) error = NULL;

      if (found->stored)
        continue;
      found->stored = restore_session_changes (db, restoring->directory, found->session, &error);
      if (make && g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND))
        {
          g_clear_error (&error);
          found->stored =
              _gadget_sql_transaction_durable (db, restore_session, found->session, &error);
        }
      if (g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
        found->stored = found->known = TRUE;
      if (make && !found->stored)
        g_message ("%s cannot be recovered now: %s", found->file->path, error->message);
    }
}

static gboolean
restore_all (sqlite3 *db, gpointer data, GError **error)
{
  const Restoring *restoring = data;

  /* Recovered turns update the time of their session, so changes of sessions, which compare that
   * time, come first. */
  restore_sessions (db, restoring, FALSE);
  g_ptr_array_sort (restoring->found, compare_found);
  for (guint i = 0; i < restoring->found->len; i++)
    {
      Found *found = g_ptr_array_index (restoring->found, i);
      g_autoptr (GError) local_error = NULL;

      if (is_of_same_turn (restoring->found, i))
        {
          found->stored = found->known = TRUE;
          continue;
        }
      found->stored = restore (db, restoring->directory, found, &local_error);
      /* The turn was deleted with its session. */
      if (g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
        found->stored = found->known = TRUE;
      if (!found->stored)
        g_message ("%s cannot be recovered now: %s", found->file->path, local_error->message);
    }
  /* A recovered turn may have created its session. */
  restore_sessions (db, restoring, TRUE);
  return TRUE;
}

/* Frees one element of the result of gadget_recovery_restore_finish (). */
void
gadget_recovered_free (GadgetRecovered *self)
{
  g_free (self->session_id);
  g_free (self->turn_id);
  g_free (self->title);
  g_free (self->path);
  g_strfreev (self->queue);
  g_free (self);
}

/**
 * gadget_recovered_merge_queue:
 *
 * Returns: %TRUE if the queue of @session was changed here since it was read, so that the recovered
 *   messages were added to it and the caller must save it; %FALSE if the caller must read the queue
 *   again, and if no queue was recovered
 */
gboolean
gadget_recovered_merge_queue (const GadgetRecovered *self, GadgetSession *session)
{
  g_return_val_if_fail (self != NULL && GADGET_IS_SESSION (session), FALSE);
  return self->queue != NULL && _gadget_session_merge_queue (session, self->queue);
}

static void
free_recovered (gpointer data)
{
  gadget_recovered_free (data);
}

static GadgetRecovered *
recovered_new (const Found *found)
{
  GadgetRecovered *self = g_new0 (GadgetRecovered, 1);
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
      Found *found = g_ptr_array_index (all, i);

      if (!found->known)
        g_ptr_array_add (recovered, recovered_new (found));
      if (found->stored)
        gadget_recovery_file_remove_async (g_steal_pointer (&found->file), NULL, NULL);
    }
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *recovered = NULL;
  const Restoring *restoring;
  GError *error = NULL;

  if (!gadget_store_run_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  restoring = gadget_store_get_job_data (result);
  recovered = g_ptr_array_new_with_free_func (free_recovered);
  add_recovered (recovered, restoring->sessions);
  add_recovered (recovered, restoring->found);
  g_task_return_pointer (task, recovered, (GDestroyNotify) g_ptr_array_unref);
}

static gint
compare_written (gconstpointer a, gconstpointer b)
{
  const gint64 written[] = { (*(const Found *const *) a)->written_at,
                             (*(const Found *const *) b)->written_at };

  return written[0] < written[1] ? -1 : written[0] > written[1];
}

static void
free_draft (gpointer draft)
{
  gadget_recovered_draft_free (draft);
}

/* Returns the name, without suffix, that the file of a draft or a session has in each folder once
 * it is complete. */
static char *
dup_final_name (const Found *found)
{
  g_autofree char *name = g_path_get_basename (found->file->path);
  const char *start = name + (*name == '.' ? 1 : 0);
  const char *end = strstr (start, GADGET_RECOVERY_SUFFIX);

  return end != NULL ? g_strndup (start, (gsize) (end - start)) : g_strdup (start);
}

/* Tells whether a newer file has the same draft or session: a file of another folder, or one that
 * was being written to replace this one. */
static gboolean
is_outdated (const Found *found, GHashTable *newer)
{
  g_autofree char *name = dup_final_name (found);

  return !g_hash_table_add (newer, g_steal_pointer (&name));
}

/* Moves drafts and changes of sessions out of @found, the oldest first. Only the newest file of
 * each is kept; the others are removed. */
static void
take_others (GPtrArray *found, GPtrArray *drafts, GPtrArray *sessions)
{
  g_autoptr (GHashTable) newer = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_ptr_array_sort (found, compare_written);
  for (guint i = found->len; i > 0; i--)
    {
      g_autoptr (Found) one = NULL;

      if (((const Found *) g_ptr_array_index (found, i - 1))->write != NULL)
        continue;
      one = g_ptr_array_steal_index (found, i - 1);
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
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetStore *store = g_task_get_source_object (task);
  g_autoptr (GPtrArray) found = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) sessions = g_ptr_array_new_with_free_func (found_free);
  GPtrArray *drafts = g_ptr_array_new_with_free_func (free_draft);
  Restoring *restoring;

  take_others (found, drafts, sessions);
  g_task_set_task_data (task, drafts, unref_array);
  if (found->len == 0 && sessions->len == 0)
    {
      g_task_return_pointer (task, g_ptr_array_new_with_free_func (free_recovered),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  restoring = g_new0 (Restoring, 1);
  restoring->directory = g_strdup (gadget_store_get_directory (store));
  restoring->found = g_steal_pointer (&found);
  restoring->sessions = g_steal_pointer (&sessions);
  gadget_store_run_async (store, restore_all, restoring, restoring_free, restored_cb,
                          g_steal_pointer (&task));
}

/**
 * gadget_recovery_restore_async:
 * @store: an open store
 *
 * Recovers all files that belong to @store and that no living process has locked. Turns are stored
 * in their sessions, which are created if necessary, and changes of sessions are stored; then the
 * files of everything that is stored are removed.
 */
void
gadget_recovery_restore_async (GadgetStore *store, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_STORE (store));

  task = g_task_new (store, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_recovery_restore_async);
  find_all_async (gadget_store_get_directory (store), found_cb, task);
}

/**
 * gadget_recovery_restore_finish:
 * @drafts: (out) (transfer full) (element-type GadgetRecoveredDraft) (optional): the drafts that
 *   were found, with their files, the oldest first; the caller saves them
 *
 * Returns: (transfer full) (element-type GadgetRecovered): the turns that were found and were not
 *   stored before, and the changed sessions; %NULL with @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_recovery_restore_finish (GAsyncResult *result, GPtrArray **drafts, GError **error)
{
  GPtrArray *recovered = g_task_propagate_pointer (G_TASK (result), error);

  if (recovered != NULL && drafts != NULL)
    *drafts = g_ptr_array_ref (g_task_get_task_data (G_TASK (result)));
  return recovered;
}
