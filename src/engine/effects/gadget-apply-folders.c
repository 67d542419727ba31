/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folders that are written into while states are applied. Each gets its mode and time at the
 * end: those that it had, or those that were recorded. Until then it is accessible for us. */

#define G_LOG_DOMAIN "gadget-apply-state"

#include "config.h"

#include "gadget-apply-folders.h"

#include "gadget-apply-state-file.h"
#include "gadget-scan.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

struct _GadgetApplyFolders
{
  int root;
  GHashTable *table; /* path → Folder */
};

/* The state that a folder gets at the end. */
typedef struct
{
  GadgetFileState state;
  gboolean
      written; /* whether files were put into it, so that it needs gadget_replacement_sweep () */
} Folder;

GadgetApplyFolders *
_gadget_apply_folders_new (int root)
{
  GadgetApplyFolders *self = g_new0 (GadgetApplyFolders, 1);

  self->root = root;
  self->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
_gadget_apply_folders_free (GadgetApplyFolders *self)
{
  g_hash_table_unref (self->table);
  g_free (self);
}

/* Returns what is to be set on the folder at the end, by default its current mode and time. */
static Folder *
remember (GadgetApplyFolders *self, const char *path, const struct stat *info)
{
  Folder *folder = g_hash_table_lookup (self->table, path);

  if (folder != NULL)
    return folder;
  folder = g_new0 (Folder, 1);
  folder->state.mode = info->st_mode & 07777;
  folder->state.mtime = (gint64) info->st_mtim.tv_sec * NS_PER_SECOND + info->st_mtim.tv_nsec;
  g_hash_table_insert (self->table, g_strdup (path), folder);
  return folder;
}

/* Makes the folder writable and accessible for us; its mode is set again at the end. Where that is
 * not allowed, the operations in the folder fail later. */
static void
unlock (GadgetApplyFolders *self, const char *path, int fd)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
  struct stat info;

  if (fstat (fd, &info) != 0)
    return;
  remember (self, path, &info);
  if ((info.st_mode & 0300) != 0300)
    (void) !chmod (link, (info.st_mode & 07777) | 0700);
}

int
_gadget_apply_folders_open (GadgetApplyFolders *self, const char *path)
{
  g_autofd int fd = _gadget_scan_open (self->root, path, O_PATH | O_DIRECTORY);

  if (fd < 0 && errno == EACCES && *path != '\0')
    {
      g_autofree char *parent = _gadget_tree_dup_parent (path);
      g_autofd int above = _gadget_apply_folders_open (self, parent);

      if (above < 0)
        return -1;
      fd = openat (above, _gadget_tree_get_base_name (path),
                   O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
  if (fd >= 0)
    unlock (self, path, fd);
  return g_steal_fd (&fd);
}

void
_gadget_apply_folders_note_written (GadgetApplyFolders *self, const char *path)
{
  g_autofree char *parent = _gadget_tree_dup_parent (path);
  Folder *folder = g_hash_table_lookup (self->table, parent);

  if (folder != NULL)
    folder->written = TRUE;
}

void
_gadget_apply_folders_forget (GadgetApplyFolders *self, const char *path)
{
  g_hash_table_remove (self->table, path);
}

gboolean
_gadget_apply_folders_set_state (GadgetApplyFolders *self, const char *path,
                                 const GadgetFileState *state)
{
  /* This opens the folders above it as well, and so notes their modes and times. */
  g_autofd int fd = _gadget_apply_folders_open (self, path);
  Folder *folder = fd >= 0 ? g_hash_table_lookup (self->table, path) : NULL;

  if (folder == NULL)
    return FALSE;
  folder->state = *state;
  return TRUE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) b, *(char *const *) a);
}

/* The deepest come first: a folder's times must be set when nothing below is touched any more. */
void
_gadget_apply_folders_finish (GadgetApplyFolders *self, GadgetApplyFailedFunc failed,
                              gpointer user_data)
{
  g_autoptr (GPtrArray) paths = g_hash_table_get_keys_as_ptr_array (self->table);

  g_ptr_array_sort (paths, compare_paths);
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      const Folder *folder = g_hash_table_lookup (self->table, path);
      g_autofd int fd = _gadget_scan_open (self->root, path, O_PATH | O_DIRECTORY);
      g_autoptr (GError) error = NULL;

      if (fd < 0)
        continue;
      if (folder->written)
        gadget_replacement_sweep (fd);
      if (!_gadget_apply_state_set_data (fd, &folder->state, &error))
        failed (path, error->message, user_data);
    }
}
