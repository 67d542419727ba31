/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that could not be saved, in files outside of the database.
 *
 * A file is written to the first of these folders that takes it: the data folder, and Gadget's own
 * below the state, the cache, the runtime and the temporary folder, since the disk of the first may
 * be full or read-only. It is private, written whole under another name, locked, and renamed. The
 * lock is an open-file-description lock, as a lease is: it ends with the process, and then the file
 * is for whoever starts next.
 *
 * Restoring looks into all of the folders, takes only regular files of this user from folders that
 * nobody else can write to, and stores what belongs to its database. A turn that is stored already
 * (the write was late, and the process died before it removed the file) is nothing to tell. A file
 * goes only after its turn is committed; what cannot be stored stays for the next time. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/gadget-blocking.h"
#include "gadget-lease.h"
#include "gadget-recovery-file.h"
#include "gadget-recovery.h"
#include "session/gadget-turn-text.h"

#define PREFIX "reply-"
#define SUFFIX ".txt"
#define MAX_SIZE (1024 * 1024 * 1024)

struct _GadgetRecoveryFile
{
  char *path;
  int fd;
};

/* --- Places ----------------------------------------------------------------------------------- */

static void
add_place (GStrvBuilder *places, GHashTable *seen, const char *base, const char *name)
{
  char *path;

  if (base == NULL || !g_path_is_absolute (base))
    return;
  path = g_build_filename (base, name, NULL);
  if (g_hash_table_add (seen, path))
    g_strv_builder_add (places, path);
}

/* In the order in which they are tried. */
static char **
dup_places (const char *data_dir)
{
  g_autoptr (GStrvBuilder) places = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *own = g_strdup_printf ("gadget-%u", (guint) geteuid ());

  add_place (places, seen, data_dir, "unsaved");
  add_place (places, seen, g_get_user_state_dir (), "gadget/unsaved");
  add_place (places, seen, g_get_user_cache_dir (), "gadget/unsaved");
  add_place (places, seen, g_get_user_runtime_dir (), "gadget/unsaved");
  add_place (places, seen, g_get_tmp_dir (), own);
  return g_strv_builder_end (places);
}

static gboolean
set_errno_error (GError **error, const char *path)
{
  const int saved_errno = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno), "%s: %s", path,
               g_strerror (saved_errno));
  return FALSE;
}

/* A descriptor of the folder, -1 if there is none, or if others can change what is in it. */
static int
open_place (const char *path, GError **error)
{
  struct stat status;
  int fd = g_open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);

  if (fd < 0)
    {
      set_errno_error (error, path);
      return -1;
    }
  if (fstat (fd, &status) == 0 && status.st_uid == geteuid () && (status.st_mode & 022) == 0)
    return fd;
  close (fd);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES, "%s: others can write to it", path);
  return -1;
}

static gboolean
lock_file (int fd)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  return fcntl (fd, F_OFD_SETLK, &lock) == 0;
}

/* --- A file ----------------------------------------------------------------------------------- */

const char *
gadget_recovery_file_get_path (GadgetRecoveryFile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->path;
}

/**
 * gadget_recovery_file_close:
 * @self: (transfer full): a file
 */
void
gadget_recovery_file_close (GadgetRecoveryFile *self)
{
  g_return_if_fail (self != NULL);
  close (self->fd);
  g_free (self->path);
  g_free (self);
}

/**
 * gadget_recovery_file_remove:
 * @self: (transfer full): a file
 */
void
gadget_recovery_file_remove (GadgetRecoveryFile *self)
{
  g_return_if_fail (self != NULL);
  if (g_unlink (self->path) != 0 && errno != ENOENT)
    g_message ("%s could not be removed: %s", self->path, g_strerror (errno));
  gadget_recovery_file_close (self);
}

/* --- Writing ---------------------------------------------------------------------------------- */

typedef struct
{
  char *data_dir;
  char *text;
  GadgetJournalWrite *write;
} Writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  g_free (writing->data_dir);
  g_free (writing->text);
  _gadget_journal_write_free (writing->write);
  g_free (writing);
}

static gboolean
write_all (int fd, const char *data, gsize length, const char *path, GError **error)
{
  while (length > 0)
    {
      const gssize n = write (fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return set_errno_error (error, path);
      data += n;
      length -= (gsize) n;
    }
  return fsync (fd) == 0 || set_errno_error (error, path);
}

/* In the folder of the descriptor @place, whose name is @folder. */
static GadgetRecoveryFile *
write_in (int place, const char *folder, const char *id, const char *content, GError **error)
{
  g_autofree char *name = g_strconcat (PREFIX, id, SUFFIX, NULL);
  g_autofree char *partial = g_strconcat (".", name, ".part", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GadgetRecoveryFile *self;
  int fd;

  unlinkat (place, partial, 0);
  fd = openat (place, partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      set_errno_error (error, path);
      return NULL;
    }
  if (!write_all (fd, content, strlen (content), path, error)
      || (!lock_file (fd) && !set_errno_error (error, path))
      || (renameat (place, partial, place, name) != 0 && !set_errno_error (error, path)))
    {
      unlinkat (place, partial, 0);
      close (fd);
      return NULL;
    }
  fsync (place);
  self = g_new0 (GadgetRecoveryFile, 1);
  self->path = g_steal_pointer (&path);
  self->fd = fd;
  return self;
}

static GadgetRecoveryFile *
write_to (const char *folder, const char *id, const char *content, GError **error)
{
  GadgetRecoveryFile *self;
  int place;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      set_errno_error (error, folder);
      return NULL;
    }
  place = open_place (folder, error);
  if (place < 0)
    return NULL;
  self = write_in (place, folder, id, content, error);
  close (place);
  return self;
}

static gpointer
write_somewhere (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Writing *writing = data;
  g_auto (GStrv) places = dup_places (writing->data_dir);
  g_autofree char *content =
      _gadget_recovery_file_format (writing->write, writing->text, writing->data_dir);

  for (guint i = 0; places[i] != NULL; i++)
    {
      g_autoptr (GError) local_error = NULL;
      GadgetRecoveryFile *file =
          write_to (places[i], writing->write->turn->id, content, &local_error);

      if (file != NULL)
        return file;
      g_info ("no recovery file there: %s", local_error->message);
      if (places[i + 1] == NULL)
        g_propagate_error (error, g_steal_pointer (&local_error));
    }
  return NULL;
}

static void
close_file (gpointer file)
{
  gadget_recovery_file_close (file);
}

/**
 * gadget_recovery_write_async:
 * @journal: of the turn, whose state now is what is written
 *
 * Writes the turn to a file outside of @store, in a thread. Cannot be stopped.
 */
void
gadget_recovery_write_async (GadgetStore *store, GadgetJournal *journal,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  Writing *writing;

  g_return_if_fail (GADGET_IS_STORE (store) && GADGET_IS_JOURNAL (journal));

  writing = g_new0 (Writing, 1);
  writing->data_dir = g_strdup (gadget_store_get_directory (store));
  writing->text = gadget_turn_dup_text (gadget_journal_get_turn (journal));
  writing->write = _gadget_journal_take_copy (journal);
  gadget_blocking_run_async (NULL, write_somewhere, writing, writing_free, close_file, callback,
                             user_data);
}

/**
 * gadget_recovery_write_finish:
 *
 * Returns: (transfer full): the file, locked; else @error is a #GFileError, of the last folder
 * tried
 */
GadgetRecoveryFile *
gadget_recovery_write_finish (GAsyncResult *result, GError **error)
{
  return gadget_blocking_run_finish (result, error);
}

/* --- Finding ---------------------------------------------------------------------------------- */

typedef struct
{
  GadgetRecoveryFile *file;
  GadgetJournalWrite *write;
  gboolean stored; /* it need not stay */
  gboolean known;  /* it was stored before */
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->file, gadget_recovery_file_close);
  _gadget_journal_write_free (found->write);
  g_free (found);
}

/* NULL for what is not ours, and for what the process that wrote it still has. */
static GadgetRecoveryFile *
open_found (int place, const char *folder, const char *name)
{
  GadgetRecoveryFile *self;
  struct stat status;
  int fd = openat (place, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode) || status.st_uid != geteuid ()
      || status.st_size > MAX_SIZE || !lock_file (fd))
    {
      close (fd);
      return NULL;
    }
  self = g_new0 (GadgetRecoveryFile, 1);
  self->path = g_build_filename (folder, name, NULL);
  self->fd = fd;
  return self;
}

static void
read_found (int place, const char *folder, const char *name, const char *data_dir, GPtrArray *found)
{
  g_autoptr (GadgetRecoveryFile) file = open_found (place, folder, name);
  g_autofree char *fd_path = NULL;
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;
  GadgetJournalWrite *write = NULL;
  Found *one;
  gsize length;

  if (file == NULL)
    return;
  fd_path = g_strdup_printf ("/proc/self/fd/%d", file->fd);
  if (g_file_get_contents (fd_path, &content, &length, &error))
    write = _gadget_recovery_file_parse (content, length, data_dir, &error);
  if (error != NULL)
    g_message ("%s cannot be recovered: %s", file->path, error->message);
  if (write == NULL)
    return;
  one = g_new0 (Found, 1);
  one->file = g_steal_pointer (&file);
  one->write = write;
  g_ptr_array_add (found, one);
}

static gpointer
find_all (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const char *data_dir = data;
  g_auto (GStrv) places = dup_places (data_dir);
  GPtrArray *found = g_ptr_array_new_with_free_func (found_free);

  for (guint i = 0; places[i] != NULL; i++)
    {
      const int place = open_place (places[i], NULL);
      g_autoptr (GDir) dir = place >= 0 ? g_dir_open (places[i], 0, NULL) : NULL;
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_prefix (name, PREFIX) && g_str_has_suffix (name, SUFFIX))
          read_found (place, places[i], name, data_dir, found);
      if (place >= 0)
        close (place);
    }
  return found;
}

/* --- Restoring -------------------------------------------------------------------------------- */

typedef struct
{
  char *directory;
  GPtrArray *found;
} Restoring;

static void
restoring_free (gpointer data)
{
  Restoring *restoring = data;

  g_free (restoring->directory);
  g_ptr_array_unref (restoring->found);
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

/* The lease is that of the uppermost chat; the file names its parent at most. */
static gboolean
is_in_use (const GadgetSessionRow *session, const char *directory)
{
  return gadget_lease_is_held (directory, session->id)
         || (session->parent != NULL && gadget_lease_is_held (directory, session->parent));
}

static gboolean
restore (sqlite3 *db, const char *directory, Found *found, GError **error)
{
  GadgetJournalWrite *write = found->write;

  /* A turn that goes on, or was found without an end, is what the file knows better. */
  if (!has_row (db,
                "SELECT 1 FROM turn WHERE id = ?1 AND status != 'processing'"
                " AND NOT (status = 'aborted' AND stop_reason = 'interrupted')",
                write->turn->id, &found->known, error))
    return FALSE;
  if (found->known)
    return TRUE;
  if (is_in_use (write->session, directory))
    {
      g_set_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY, "session %s is in use",
                   write->session_id);
      return FALSE;
    }
  return _gadget_journal_write_end (db, write, error);
}

/* One that needs the chat of another file comes after that; else they are in the order in which
 * they began, which is the one that they get in their chats. */
static gint
compare_found (gconstpointer a, gconstpointer b)
{
  const GadgetJournalWrite *first = (*(const Found *const *) a)->write;
  const GadgetJournalWrite *second = (*(const Found *const *) b)->write;
  const gboolean inner[] = { first->session->parent != NULL, second->session->parent != NULL };

  if (inner[0] != inner[1])
    return inner[0] - inner[1];
  if (first->turn->started_at != second->turn->started_at)
    return first->turn->started_at < second->turn->started_at ? -1 : 1;
  return g_strcmp0 (first->turn->id, second->turn->id);
}

static gboolean
restore_all (sqlite3 *db, gpointer data, GError **error)
{
  const Restoring *restoring = data;

  g_ptr_array_sort (restoring->found, compare_found);
  for (guint i = 0; i < restoring->found->len; i++)
    {
      Found *found = g_ptr_array_index (restoring->found, i);
      g_autoptr (GError) local_error = NULL;

      found->stored = restore (db, restoring->directory, found, &local_error);
      /* It was deleted with its chat. */
      if (g_error_matches (local_error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED))
        found->stored = found->known = TRUE;
      if (!found->stored)
        g_message ("%s cannot be recovered now: %s", found->file->path, local_error->message);
    }
  return TRUE;
}

void
gadget_recovered_free (GadgetRecovered *self)
{
  g_free (self->session_id);
  g_free (self->turn_id);
  g_free (self->title);
  g_free (self->path);
  g_free (self);
}

static void
free_recovered (gpointer data)
{
  gadget_recovered_free (data);
}

/* Of what the user is to be told of. */
static GadgetRecovered *
recovered_new (const Found *found)
{
  GadgetRecovered *self = g_new0 (GadgetRecovered, 1);

  self->session_id = g_strdup (found->write->session_id);
  self->turn_id = g_strdup (found->write->turn->id);
  self->title = g_strdup (found->write->session->title);
  self->path = found->stored ? NULL : g_strdup (found->file->path);
  return self;
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
  for (guint i = 0; i < restoring->found->len; i++)
    {
      Found *found = g_ptr_array_index (restoring->found, i);

      if (!found->known)
        g_ptr_array_add (recovered, recovered_new (found));
      if (found->stored)
        gadget_recovery_file_remove (g_steal_pointer (&found->file));
    }
  g_task_return_pointer (task, recovered, (GDestroyNotify) g_ptr_array_unref);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetStore *store = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) found = gadget_blocking_run_finish (result, &error);
  Restoring *restoring;

  if (found == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (found->len == 0)
    {
      g_task_return_pointer (task, g_ptr_array_new_with_free_func (free_recovered),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  restoring = g_new0 (Restoring, 1);
  restoring->directory = g_strdup (gadget_store_get_directory (store));
  restoring->found = g_steal_pointer (&found);
  gadget_store_run_async (store, restore_all, restoring, restoring_free, restored_cb,
                          g_steal_pointer (&task));
}

static void
unref_array (gpointer array)
{
  g_ptr_array_unref (array);
}

/**
 * gadget_recovery_restore_async:
 * @store: an open store
 *
 * Stores the turns of all recovery files that belong to @store and to no living process, each as a
 * turn of its chat, which is made if it is not there, and removes the files of those that are
 * stored then.
 */
void
gadget_recovery_restore_async (GadgetStore *store, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_STORE (store));

  task = g_task_new (store, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_recovery_restore_async);
  gadget_blocking_run_async (NULL, find_all, g_strdup (gadget_store_get_directory (store)), g_free,
                             unref_array, found_cb, task);
}

/**
 * gadget_recovery_restore_finish:
 *
 * Returns: (transfer full) (element-type GadgetRecovered): what was found and was not stored before
 */
GPtrArray *
gadget_recovery_restore_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
