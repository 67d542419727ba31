/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search for recovery files. All folders are searched at the same time, each in a thread, and
 * the search continues without those that do not respond for FOLDER_TIMEOUT_MS; a later start finds
 * the files there. A folder that responds is waited for, however many files it has.
 *
 * Only regular files of this user are accepted, in folders to which nobody else can write. A file
 * that was being written when its process was killed is used if it is complete, and removed if it
 * is not; one that a newer version of Gadget wrote stays. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/gadget-blocking.h"
#include "gadget-recovery-draft-private.h"
#include "gadget-recovery-file-private.h"
#include "gadget-recovery-folders.h"
#include "gadget-recovery-format.h"
#include "gadget-recovery-search-private.h"
#include "gadget-recovery-write-private.h"

/* Files with more bytes are not read. */
#define MAX_SIZE (1024 * 1024 * 1024)
#define FOLDER_TIMEOUT_MS 2000

/* A search of all folders, on the main context. */
typedef struct
{
  GTask *task;        /* NULL once it has returned */
  GPtrArray *found;   /* of GadgetFoundFile */
  GPtrArray *pending; /* of FolderSearch, not owned: those that are waited for */
  gint64 started_us;  /* monotonic */
  guint timeout;
} Search;

/* The search of one folder, in a thread. */
typedef struct
{
  Search *search;
  char *folder;
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
note_response (FolderSearch *self)
{
  g_atomic_int_set (&self->responded_ms, get_elapsed_ms (self->search));
}

void
_gadget_found_file_free (gpointer data)
{
  GadgetFoundFile *self = data;

  g_clear_pointer (&self->file, gadget_recovery_file_close);
  g_clear_pointer (&self->write, _gadget_journal_write_free);
  g_clear_pointer (&self->session, _gadget_session_row_free);
  g_clear_pointer (&self->draft, gadget_recovered_draft_free);
  g_free (self);
}

static void
search_clear (gpointer data)
{
  Search *search = data;

  g_clear_pointer (&search->found, g_ptr_array_unref);
  g_ptr_array_unref (search->pending);
}

static void
search_unref (gpointer search)
{
  g_atomic_rc_box_release_full (search, search_clear);
}

static void
folder_search_free (gpointer data)
{
  FolderSearch *self = data;

  search_unref (self->search);
  g_free (self->folder);
  g_free (self->data_dir);
  g_free (self);
}

/* Returns NULL for a file that is not the user's, and for one that another process has locked. */
static GadgetRecoveryFile *
open_found (int folder_fd, const char *folder, const char *name, gint64 *written_at)
{
  struct stat status;
  int fd = openat (folder_fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

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
is_complete (const char *name)
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
read_contents (FolderSearch *self, int fd, GError **error)
{
  g_autoptr (GString) contents = g_string_new (NULL);
  char buffer[32 * 1024];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) != 0)
    {
      const int saved_errno = errno;

      note_response (self);
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
parse_file (GadgetFoundFile *found, const char *name, const GString *contents, const char *data_dir,
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
read_found (FolderSearch *self, int folder_fd, const char *name, GPtrArray *all)
{
  g_autoptr (GadgetFoundFile) found = g_new0 (GadgetFoundFile, 1);
  g_autoptr (GString) contents = NULL;
  g_autoptr (GError) error = NULL;
  gboolean valid;

  found->file = open_found (folder_fd, self->folder, name, &found->written_at);
  note_response (self);
  if (found->file == NULL)
    return;
  contents = read_contents (self, found->file->fd, &error);
  g_atomic_int_set (&self->responded_ms, G_MAXINT);
  valid = contents != NULL && parse_file (found, name, contents, self->data_dir, &error);
  note_response (self);
  if (valid)
    g_ptr_array_add (all, g_steal_pointer (&found));
  else if (is_partial (name)
           && g_error_matches (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT))
    _gadget_recovery_file_remove (g_steal_pointer (&found->file));
  else if (error != NULL)
    g_message ("%s cannot be recovered: %s", found->file->path, error->message);
}

static gpointer
search_folder_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable,
                         GError **error)
{
  FolderSearch *self = data;
  GPtrArray *found = g_ptr_array_new_with_free_func (_gadget_found_file_free);
  const int folder_fd = _gadget_recovery_open_folder (self->folder, NULL);
  g_autoptr (GDir) dir = folder_fd >= 0 ? g_dir_open (self->folder, 0, NULL) : NULL;
  const char *name;

  note_response (self);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_complete (name) || is_partial (name))
      read_found (self, folder_fd, name, found);
  if (folder_fd >= 0)
    close (folder_fd);
  return found;
}

static void
return_found (Search *search)
{
  g_autoptr (GTask) task = g_steal_pointer (&search->task);

  g_clear_handle_id (&search->timeout, g_source_remove);
  g_task_return_pointer (task, g_steal_pointer (&search->found),
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
folder_searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FolderSearch *self = user_data; /* owned by the result */
  Search *search = self->search;
  g_autoptr (GPtrArray) found = gadget_blocking_run_finish (result, NULL);

  if (self->late)
    _gadget_recovery_folder_end_late (self->folder);
  g_ptr_array_remove (search->pending, self);
  /* Files that are found too late are closed, and found by a later start. */
  if (search->task == NULL)
    return;
  if (found != NULL)
    g_ptr_array_extend_and_steal (search->found, g_steal_pointer (&found));
  if (search->pending->len == 0)
    return_found (search);
}

static void schedule_timeout (Search *search, int delay_ms);

static gboolean
search_timeout_cb (gpointer user_data)
{
  Search *search = user_data;
  const int now_ms = get_elapsed_ms (search);
  int next_ms = FOLDER_TIMEOUT_MS;

  search->timeout = 0;
  for (guint i = search->pending->len; i > 0; i--)
    {
      FolderSearch *self = g_ptr_array_index (search->pending, i - 1);
      const int silent_ms = MAX (now_ms - g_atomic_int_get (&self->responded_ms), 0);

      if (silent_ms < FOLDER_TIMEOUT_MS)
        {
          next_ms = MIN (next_ms, FOLDER_TIMEOUT_MS - silent_ms);
          continue;
        }
      self->late = TRUE;
      _gadget_recovery_folder_begin_late (self->folder);
      g_ptr_array_remove_index (search->pending, i - 1);
    }
  if (search->pending->len > 0)
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
search_folder_async (Search *search, const char *folder, const char *data_dir)
{
  FolderSearch *self = g_new0 (FolderSearch, 1);

  self->search = g_atomic_rc_box_acquire (search);
  self->folder = g_strdup (folder);
  self->data_dir = g_strdup (data_dir);
  g_ptr_array_add (search->pending, self);
  gadget_blocking_run_urgent_async (search_folder_in_thread, self, folder_search_free,
                                    (GDestroyNotify) g_ptr_array_unref, folder_searched_cb, self);
}

void
_gadget_recovery_search_async (const char *data_dir, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_auto (GStrv) folders = _gadget_recovery_dup_folders (data_dir);
  Search *search = g_atomic_rc_box_new0 (Search);

  search->task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (search->task, _gadget_recovery_search_async);
  search->found = g_ptr_array_new_with_free_func (_gadget_found_file_free);
  search->pending = g_ptr_array_new ();
  search->started_us = g_get_monotonic_time ();
  for (guint i = 0; folders[i] != NULL; i++)
    if (!_gadget_recovery_folder_is_late (folders[i]))
      search_folder_async (search, folders[i], data_dir);
  /* If there are no folders to search, the search ends in the next iteration of the main loop. */
  schedule_timeout (search, search->pending->len > 0 ? FOLDER_TIMEOUT_MS : 0);
  search_unref (search);
}

GPtrArray *
_gadget_recovery_search_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
