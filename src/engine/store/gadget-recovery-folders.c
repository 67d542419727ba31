/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recovery files are in one of these folders: one in the data folder, and others in the user's
 * state, cache, runtime and temporary folders, since the disk of the first folder may be full,
 * read-only, or not responding. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/gadget-blocking.h"
#include "gadget-recovery-folders.h"

/* --- Folders ---------------------------------------------------------------------------------- */

/* Maps a folder to its number of late calls. */
static GHashTable *
get_late (void)
{
  static GHashTable *late;

  if (late == NULL)
    late = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return late;
}

static guint
count_late (const char *path)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (get_late (), path));
}

void
_gadget_recovery_folder_begin_late (const char *path)
{
  g_message ("%s does not answer", path);
  g_hash_table_insert (get_late (), g_strdup (path), GUINT_TO_POINTER (count_late (path) + 1));
}

void
_gadget_recovery_folder_end_late (const char *path)
{
  g_hash_table_insert (get_late (), g_strdup (path), GUINT_TO_POINTER (count_late (path) - 1));
}

gboolean
_gadget_recovery_folder_is_late (const char *path)
{
  return count_late (path) > 0;
}

static void
add_place (GPtrArray *places, GHashTable *seen, const char *base, const char *name)
{
  g_autofree char *path = NULL;

  if (base == NULL || !g_path_is_absolute (base))
    return;
  path = g_build_filename (base, name, NULL);
  if (g_hash_table_contains (seen, path))
    return;
  g_hash_table_add (seen, path);
  g_ptr_array_add (places, g_steal_pointer (&path));
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  return _gadget_recovery_folder_is_late (*(const char *const *) a)
         - _gadget_recovery_folder_is_late (*(const char *const *) b);
}

char **
_gadget_recovery_dup_folders (const char *data_dir)
{
  GPtrArray *places = g_ptr_array_new_null_terminated (6, NULL, TRUE);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *own = g_strdup_printf ("gadget-%u", (guint) geteuid ());

  add_place (places, seen, data_dir, "unsaved");
  add_place (places, seen, g_get_user_state_dir (), "gadget/unsaved");
  add_place (places, seen, g_get_user_cache_dir (), "gadget/unsaved");
  add_place (places, seen, g_get_user_runtime_dir (), "gadget/unsaved");
  add_place (places, seen, g_get_tmp_dir (), own);
  g_ptr_array_sort (places, compare_places);
  return (char **) g_ptr_array_free (places, FALSE);
}

int
_gadget_recovery_open_folder (const char *path, GError **error)
{
  struct stat status;
  int fd = g_open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);

  if (fd < 0)
    {
      const int saved_errno = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno), "%s: %s", path,
                   g_strerror (saved_errno));
      return -1;
    }
  if (fstat (fd, &status) == 0 && status.st_uid == geteuid () && (status.st_mode & 022) == 0)
    return fd;
  close (fd);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES, "%s: others can write to it", path);
  return -1;
}

/* Removing a file checks first whether its name still belongs to it. Without the lock, a newer file
 * could get the name in between and be removed. Each folder has its own lock, so that a folder that
 * does not respond blocks no other. */
GMutex *
_gadget_recovery_lock_names (const char *folder)
{
  static GMutex lock;
  static GHashTable *locks;
  GMutex *names;

  g_mutex_lock (&lock);
  if (locks == NULL)
    locks = g_hash_table_new (g_str_hash, g_str_equal);
  names = g_hash_table_lookup (locks, folder);
  if (names == NULL)
    {
      names = g_new0 (GMutex, 1);
      g_mutex_init (names);
      g_hash_table_insert (locks, g_strdup (folder), names);
    }
  g_mutex_unlock (&lock);

  g_mutex_lock (names);
  return names;
}

/* --- A file ----------------------------------------------------------------------------------- */

gboolean
_gadget_recovery_lock (int fd)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  return fcntl (fd, F_OFD_SETLK, &lock) == 0;
}

GadgetRecoveryFile *
_gadget_recovery_file_new (const char *folder, const char *name, int fd)
{
  GadgetRecoveryFile *self = g_new0 (GadgetRecoveryFile, 1);

  self->path = g_build_filename (folder, name, NULL);
  self->fd = fd;
  return self;
}

/* (transfer none) */
const char *
gadget_recovery_file_get_path (GadgetRecoveryFile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->path;
}

/**
 * gadget_recovery_file_close:
 * @self: (transfer full): a file
 *
 * Unlocks the file, which stays on the disk.
 */
void
gadget_recovery_file_close (GadgetRecoveryFile *self)
{
  g_return_if_fail (self != NULL);
  close (self->fd);
  g_free (self->path);
  g_free (self);
}

/* Tells whether the path still names this file, and not a newer one. */
static gboolean
is_at_its_path (const GadgetRecoveryFile *self)
{
  struct stat own;
  struct stat there;

  return fstat (self->fd, &own) == 0 && g_lstat (self->path, &there) == 0
         && own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

static void
unlink_file (const GadgetRecoveryFile *self)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  GMutex *names = _gadget_recovery_lock_names (folder);

  if (is_at_its_path (self) && unlink (self->path) != 0 && errno != ENOENT)
    g_message ("%s could not be removed: %s", self->path, g_strerror (errno));
  g_mutex_unlock (names);
}

void
_gadget_recovery_file_remove (GadgetRecoveryFile *self)
{
  unlink_file (self);
  gadget_recovery_file_close (self);
}

static gpointer
remove_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  unlink_file (data);
  return GINT_TO_POINTER (TRUE);
}

static void
close_file (gpointer file)
{
  gadget_recovery_file_close (file);
}

/**
 * gadget_recovery_file_remove_async:
 * @self: (transfer full): a file
 * @callback: (nullable): called when the file was removed; its result has no use
 *
 * Removes the file in a thread, since its folder may not respond. A newer file with the same name
 * stays. If no thread can be started the file stays too, and the next start of Gadget finds it.
 */
void
gadget_recovery_file_remove_async (GadgetRecoveryFile *self, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (self != NULL);
  gadget_blocking_run_urgent_async (remove_in_thread, self, close_file, NULL, callback, user_data);
}

/**
 * gadget_recovery_file_replace:
 * @file: (inout) (nullable): an older file, or %NULL
 * @newer: (transfer full): a file with the current text, which @file becomes
 *
 * The older file is removed, unless @newer has overwritten it.
 */
void
gadget_recovery_file_replace (GadgetRecoveryFile **file, GadgetRecoveryFile *newer)
{
  GadgetRecoveryFile *before;

  g_return_if_fail (file != NULL && newer != NULL);

  before = g_steal_pointer (file);
  *file = newer;
  if (before != NULL)
    gadget_recovery_file_remove_async (before, NULL, NULL);
}
