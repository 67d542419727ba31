/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writing a recovery file. The file is written to the first folder that accepts it. Each folder is
 * tried in a thread of its own; the next one is tried when a folder fails, or has not finished
 * after NEXT_FOLDER_MS, since its file system may hang forever. A folder that finishes after
 * another one has the file removes its own copy.
 *
 * A file is private to the user. It is written completely under another name, and is locked from
 * its creation on; then it is renamed. So a file with such a name that is not locked was left by a
 * process that was killed. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/gadget-blocking.h"
#include "common/gadget-id.h"
#include "common/gadget-memory-file.h"
#include "store/gadget-journal-private.h"
#include "gadget-recovery-file-private.h"
#include "gadget-recovery-format.h"
#include "gadget-recovery-folders.h"
#include "gadget-recovery-write-private.h"
#include "store/gadget-store-rows.h"
#include "session/gadget-turn-text.h"

#define NEXT_FOLDER_MS 300

/* A file to be written. The main context owns the fields above the line; the threads use those
 * below. */
typedef struct
{
  GTask *task; /* NULL once it has returned */
  guint next;  /* index of the next folder */
  guint n_tries;
  GError *error; /* of the last folder that failed */
  /* ---- */
  char **folders;
  char *name;
  GadgetRecoveryFormatFunc format;
  gpointer data;
  GDestroyNotify destroy;
  int is_written; /* atomic: one of the folders has the file */
} Writing;

/* An attempt to write the file in one folder. */
typedef struct
{
  Writing *writing;
  const char *folder;
  guint timeout; /* 0 when the attempt is late */
} Try;

static void
writing_clear (gpointer data)
{
  Writing *writing = data;

  g_clear_error (&writing->error);
  g_strfreev (writing->folders);
  g_free (writing->name);
  writing->destroy (writing->data);
}

static void
try_free (gpointer data)
{
  Try *try = data;

  g_atomic_rc_box_release_full (try->writing, writing_clear);
  g_free (try);
}

/* --- In the thread ---------------------------------------------------------------------------- */

static gboolean
set_errno_error (GError **error, const char *path)
{
  const int saved_errno = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno), "%s: %s", path,
               g_strerror (saved_errno));
  return FALSE;
}

static gboolean
write_all (int fd, const char *data, gsize length, const char *path, GError **error)
{
  return (gadget_write_all (fd, data, length) && fsync (fd) == 0) || set_errno_error (error, path);
}

/* Another process that searches for files may have removed this one before it was locked. */
static gboolean
has_name (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && status.st_nlink > 0;
}

static int
make_partial (int folder_fd, const char *name, char **partial, GError **error)
{
  g_autofree char *id = gadget_id_new ();
  int fd;

  *partial = g_strconcat (".", name, ".", id, GADGET_RECOVERY_PARTIAL_SUFFIX, NULL);
  fd = openat (folder_fd, *partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0 && _gadget_recovery_lock (fd) && has_name (fd))
    return fd;
  set_errno_error (error, name);
  if (fd >= 0)
    {
      unlinkat (folder_fd, *partial, 0);
      close (fd);
    }
  return -1;
}

static gboolean
is_still_wanted (Writing *writing, GError **error)
{
  if (!g_atomic_int_get (&writing->is_written))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_EXISTS, "another folder has the file");
  return FALSE;
}

static gboolean
give_name (Writing *writing, int folder_fd, const char *folder, const char *partial, GError **error)
{
  GMutex *names = _gadget_recovery_lock_names (folder);
  const gboolean given = is_still_wanted (writing, error)
                         && (renameat (folder_fd, partial, folder_fd, writing->name) == 0
                             || set_errno_error (error, partial));

  g_mutex_unlock (names);
  return given;
}

static gboolean
put (Writing *writing, int folder_fd, const char *folder, int fd, const char *partial,
     GError **error)
{
  g_autofree char *content = writing->format (writing->data);

  return write_all (fd, content, strlen (content), partial, error)
         && give_name (writing, folder_fd, folder, partial, error);
}

/* Writes the file in the folder @folder, whose descriptor is @folder_fd. */
static GadgetRecoveryFile *
write_in (Writing *writing, int folder_fd, const char *folder, GError **error)
{
  g_autofree char *partial = NULL;
  int fd = make_partial (folder_fd, writing->name, &partial, error);

  if (fd < 0)
    return NULL;
  if (!put (writing, folder_fd, folder, fd, partial, error))
    {
      unlinkat (folder_fd, partial, 0);
      close (fd);
      return NULL;
    }
  fsync (folder_fd);
  return _gadget_recovery_file_new (folder, writing->name, fd);
}

static gpointer
write_there (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Try *try = data;
  GadgetRecoveryFile *file;
  int folder_fd;

  if (g_mkdir_with_parents (try->folder, 0700) != 0)
    {
      set_errno_error (error, try->folder);
      return NULL;
    }
  folder_fd = _gadget_recovery_open_folder (try->folder, error);
  if (folder_fd < 0)
    return NULL;
  file = write_in (try->writing, folder_fd, try->folder, error);
  close (folder_fd);
  return file;
}

/* --- On the main context ---------------------------------------------------------------------- */

static void try_next (Writing *writing); /* Called again if a folder fails or is late. */

static void
close_file (gpointer file)
{
  gadget_recovery_file_close (file);
}

static void
return_file (Writing *writing, GadgetRecoveryFile *file)
{
  g_autoptr (GTask) task = g_steal_pointer (&writing->task);

  g_atomic_int_set (&writing->is_written, TRUE);
  g_task_return_pointer (task, file, close_file);
}

static void
late_cb (gpointer user_data)
{
  Try *try = user_data;

  try->timeout = 0;
  _gadget_recovery_folder_begin_late (try->folder);
  if (try->writing->task != NULL)
    try_next (try->writing);
}

static void
handle_failure (Writing *writing, gboolean late, GError *error)
{
  g_info ("no recovery file there: %s", error->message);
  g_clear_error (&writing->error);
  writing->error = error;
  if (!late)
    try_next (writing);
  if (writing->n_tries == 0 && writing->task != NULL)
    {
      g_autoptr (GTask) task = g_steal_pointer (&writing->task);

      g_task_return_error (task, g_steal_pointer (&writing->error));
    }
}

static void
tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Try *try = user_data; /* owned by the result */
  Writing *writing = try->writing;
  const gboolean late = try->timeout == 0;
  g_autoptr (GError) error = NULL;
  GadgetRecoveryFile *file = gadget_blocking_run_finish (result, &error);

  if (late)
    _gadget_recovery_folder_end_late (try->folder);
  g_clear_handle_id (&try->timeout, g_source_remove);
  writing->n_tries--;
  if (writing->task != NULL && file != NULL)
    return_file (writing, file);
  else if (file != NULL)
    gadget_recovery_file_remove_async (file, NULL, NULL);
  else if (writing->task != NULL)
    handle_failure (writing, late, g_steal_pointer (&error));
}

static void
try_next (Writing *writing)
{
  Try *try;

  if (writing->folders[writing->next] == NULL)
    return;
  try = g_new0 (Try, 1);
  try->writing = g_atomic_rc_box_acquire (writing);
  try->folder = writing->folders[writing->next++];
  try->timeout = g_timeout_add_once (NEXT_FOLDER_MS, late_cb, try);
  g_source_set_name_by_id (try->timeout, "[gadget] next folder of a recovery file");
  writing->n_tries++;
  gadget_blocking_run_urgent_async (write_there, try, try_free, close_file, tried_cb, try);
}

/**
 * _gadget_recovery_write_async:
 * @data_dir: the folder of the database
 * @name: the name of the file; a file with that name is overwritten
 * @format: returns the text of the file
 * @data: (transfer full): for @format and @destroy, which are called in threads
 *
 * Writes a file; to be ended with gadget_recovery_write_finish (). Cannot be cancelled.
 */
void
_gadget_recovery_write_async (const char *data_dir, const char *name,
                              GadgetRecoveryFormatFunc format, gpointer data,
                              GDestroyNotify destroy, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  Writing *writing = g_atomic_rc_box_new0 (Writing);

  writing->task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (writing->task, _gadget_recovery_write_async);
  writing->folders = _gadget_recovery_dup_folders (data_dir);
  writing->name = g_strdup (name);
  writing->format = format;
  writing->data = data;
  writing->destroy = destroy;
  try_next (writing);
  g_atomic_rc_box_release_full (writing, writing_clear);
}

/* --- Turns ------------------------------------------------------------------------------------ */

/* A turn to be written. */
typedef struct
{
  char *data_dir;
  char *text;
  GadgetJournalWrite *write;
} Turn;

static void
turn_free (gpointer data)
{
  Turn *turn = data;

  g_free (turn->data_dir);
  g_free (turn->text);
  _gadget_journal_write_free (turn->write);
  g_free (turn);
}

static char *
format_turn (gconstpointer data)
{
  const Turn *turn = data;

  return _gadget_recovery_turn_format (turn->write, turn->text, turn->data_dir);
}

/**
 * gadget_recovery_write_async:
 * @journal: the journal of the turn, whose current state is written
 *
 * Writes the turn to a file outside the database, in threads. Cannot be cancelled.
 */
void
gadget_recovery_write_async (GadgetStore *store, GadgetJournal *journal,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *name = NULL;
  Turn *turn;

  g_return_if_fail (GADGET_IS_STORE (store) && GADGET_IS_JOURNAL (journal));

  turn = g_new0 (Turn, 1);
  turn->data_dir = g_strdup (gadget_store_get_directory (store));
  turn->text = gadget_turn_dup_text (gadget_journal_get_turn (journal));
  turn->write = _gadget_journal_dup_all (journal);
  name = g_strconcat (GADGET_RECOVERY_TURN_PREFIX, turn->write->turn->id, GADGET_RECOVERY_SUFFIX,
                      NULL);
  _gadget_recovery_write_async (turn->data_dir, name, format_turn, turn, turn_free, callback,
                                user_data);
}

/* --- Sessions --------------------------------------------------------------------------------- */

/* Changes of a session to be written. */
typedef struct
{
  char *data_dir;
  GadgetSessionRow *row;
} Session;

static void
session_free (gpointer data)
{
  Session *session = data;

  g_free (session->data_dir);
  _gadget_session_row_free (session->row);
  g_free (session);
}

static char *
format_session (gconstpointer data)
{
  const Session *session = data;

  return _gadget_recovery_session_format (session->row, session->data_dir);
}

/**
 * gadget_recovery_write_session_async:
 * @name: the name of the file, without prefix and suffix; a file with that name is overwritten
 * @session: the session, whose current state is written
 *
 * Like gadget_recovery_write_async (), for the settings and the queue that
 * gadget_store_update_session_async () would store.
 *
 * Returns: whether there are such changes, besides the time of the last change; if not, @callback
 *   is not called
 */
gboolean
gadget_recovery_write_session_async (GadgetStore *store, const char *name, GadgetSession *session,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *file_name = NULL;
  g_autoptr (GadgetSessionRow) row = NULL;
  Session *data;

  g_return_val_if_fail (GADGET_IS_STORE (store) && name != NULL && GADGET_IS_SESSION (session),
                        FALSE);

  row = _gadget_session_row_new_from (session);
  if (row->queue == NULL && row->kept == _gadget_session_get_all_settings ())
    return FALSE;
  data = g_new0 (Session, 1);
  data->data_dir = g_strdup (gadget_store_get_directory (store));
  data->row = g_steal_pointer (&row);
  file_name = g_strconcat (GADGET_RECOVERY_SESSION_PREFIX, name, GADGET_RECOVERY_SUFFIX, NULL);
  _gadget_recovery_write_async (data->data_dir, file_name, format_session, data, session_free,
                                callback, user_data);
  return TRUE;
}

/**
 * gadget_recovery_write_finish:
 *
 * Returns: (transfer full): the file, locked; else @error is a #GFileError of the last folder that
 *   failed
 */
GadgetRecoveryFile *
gadget_recovery_write_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
