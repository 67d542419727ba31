/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static void
entry_free (gpointer data)
{
  GadgetFolderEntry *entry = data;

  g_free (entry->name);
  g_free (entry->target);
  g_free (entry);
}

static GadgetFolderEntry *
entry_new (int folder, const char *name)
{
  GadgetFolderEntry *entry = g_new0 (GadgetFolderEntry, 1);
  char target[PATH_MAX + 1];
  ssize_t length;

  entry->name = g_strdup (name);
  if (fstatat (folder, name, &entry->info, AT_SYMLINK_NOFOLLOW) < 0)
    memset (&entry->info, 0, sizeof entry->info);
  if (S_ISLNK (entry->info.st_mode))
    {
      length = readlinkat (folder, name, target, sizeof target - 1);
      entry->target = g_strndup (target, length > 0 ? (gsize) length : 0);
    }
  return entry;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const GadgetFolderEntry *left = a;
  const GadgetFolderEntry *right = b;
  const gboolean left_is_folder = S_ISDIR (left->info.st_mode);

  if (left_is_folder != S_ISDIR (right->info.st_mode))
    return left_is_folder ? -1 : 1;
  return strcmp (left->name, right->name);
}

/* Returns FALSE at the end, and with an error. */
static gboolean
read_next (DIR *dir, const char **name, GError **error)
{
  const struct dirent *entry;

  do
    {
      errno = 0;
      entry = readdir (dir);
    }
  while (entry != NULL && (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, "..")));
  if (entry == NULL && errno != 0)
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  *name = entry != NULL ? entry->d_name : NULL;
  return entry != NULL;
}

GPtrArray *
gadget_folder_list (int folder, guint max, gboolean *more, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (entry_free);
  g_autoptr (GError) failure = NULL;
  const int fd = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  const char *name;

  g_return_val_if_fail (more != NULL, NULL);

  if (dir == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return NULL;
    }
  *more = FALSE;
  while (!*more && !g_cancellable_set_error_if_cancelled (cancellable, &failure)
         && read_next (dir, &name, &failure))
    {
      *more = entries->len == max;
      if (!*more)
        g_ptr_array_add (entries, entry_new (fd, name));
    }
  closedir (dir);
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  g_ptr_array_sort_values (entries, compare);
  return g_steal_pointer (&entries);
}
