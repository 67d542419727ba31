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

#include "gadget-recovery-folders.h"

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
add_folder (GPtrArray *folders, GHashTable *seen, const char *base, const char *name)
{
  g_autofree char *path = NULL;

  if (base == NULL || !g_path_is_absolute (base))
    return;
  path = g_build_filename (base, name, NULL);
  if (g_hash_table_contains (seen, path))
    return;
  g_hash_table_add (seen, path);
  g_ptr_array_add (folders, g_steal_pointer (&path));
}

static int
compare_folders (gconstpointer a, gconstpointer b)
{
  return _gadget_recovery_folder_is_late (*(const char *const *) a)
         - _gadget_recovery_folder_is_late (*(const char *const *) b);
}

char **
_gadget_recovery_dup_folders (const char *data_dir)
{
  GPtrArray *folders = g_ptr_array_new_null_terminated (6, NULL, TRUE);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *own = g_strdup_printf ("gadget-%u", (guint) geteuid ());

  add_folder (folders, seen, data_dir, "unsaved");
  add_folder (folders, seen, g_get_user_state_dir (), "gadget/unsaved");
  add_folder (folders, seen, g_get_user_cache_dir (), "gadget/unsaved");
  add_folder (folders, seen, g_get_user_runtime_dir (), "gadget/unsaved");
  add_folder (folders, seen, g_get_tmp_dir (), own);
  g_ptr_array_sort (folders, compare_folders);
  return (char **) g_ptr_array_free (folders, FALSE);
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
