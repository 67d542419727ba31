/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files that were hard links of one file become that again. The recorded states identify a file by
 * its former inode number; a file that is written now gets another one. So the first path of the
 * file that is in its final state becomes the file, and the other paths become hard links of it.
 * The first path may also be one that the turn did not touch: the workspace is scanned for it. */

#define G_LOG_DOMAIN "gadget-apply-state"

#include "config.h"

#include "gadget-hard-links.h"

#include "gadget-apply-state-file.h"
#include "gadget-file-state.h"
#include "gadget-snapshot-service-private.h"
#include "workspace/gadget-replace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_TRIES 16

struct _GadgetHardLinks
{
  GadgetBlobs *blobs;
  int root;
  GPtrArray *entries;
  gboolean redo;
  GHashTable *counts; /* inode number → number of entries */
  GHashTable *files;  /* former inode number → GPtrArray of paths where the file may be now */
};

static gboolean
is_one_of_several (const GadgetFileState *state)
{
  return state->type == GADGET_FILE_REGULAR && state->n_links > 1 && state->inode != 0;
}

/* A state that was recorded when the other links were gone says that its file has one link. So the
 * inode number decides, not n_links. */
gboolean
_gadget_hard_links_has (GadgetHardLinks *self, const GadgetFileState *state)
{
  return state->type == GADGET_FILE_REGULAR && g_hash_table_contains (self->files, &state->inode);
}

static const GadgetFileState *
get_target (GadgetHardLinks *self, guint index)
{
  const GadgetUndoEntry *entry = g_ptr_array_index (self->entries, index);

  return self->redo ? &entry->after : &entry->before;
}

/* Returns the list of paths of a file, created on first use. */
static GPtrArray *
get_paths (GadgetHardLinks *self, guint64 inode)
{
  GPtrArray *places = g_hash_table_lookup (self->files, &inode);

  if (places != NULL)
    return places;
  places = g_ptr_array_new_with_free_func (g_free);
  g_hash_table_insert (self->files, g_memdup2 (&inode, sizeof inode), places);
  return places;
}

static guint
count_entries (GadgetHardLinks *self, guint64 inode)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, &inode));
}

guint
_gadget_hard_links_count (GadgetHardLinks *self, const GadgetFileState *target)
{
  if (!is_one_of_several (target))
    return 1;
  return self->redo ? MIN (count_entries (self, target->inode), target->n_links) : target->n_links;
}

/* Adds the paths in @tree whose inode numbers belong to one of the files. */
static void
add_found (GadgetHardLinks *self, const GadgetTree *tree)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, tree->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const GadgetTreeFolder *folder = value;

      for (guint i = 0; i < folder->n_entries; i++)
        {
          const GadgetTreeEntry *entry = &folder->entries[i];
          const char *name = _gadget_tree_get_name (folder, entry);

          if (S_ISREG (entry->mode) && g_hash_table_contains (self->files, &entry->ino))
            g_ptr_array_add (get_paths (self, entry->ino),
                             *folder->path != '\0' ? g_build_filename (folder->path, name, NULL)
                                                   : g_strdup (name));
        }
    }
}

/* Returns whether the entries contain all hard links of all files. */
static gboolean
are_complete (GadgetHardLinks *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (is_one_of_several (get_target (self, i))
        && count_entries (self, get_target (self, i)->inode) < get_target (self, i)->n_links)
      return FALSE;
  return TRUE;
}

static void
add_entry (GadgetHardLinks *self, guint64 inode, const char *path)
{
  g_ptr_array_add (get_paths (self, inode), g_strdup (path));
  g_hash_table_insert (self->counts, g_memdup2 (&inode, sizeof inode),
                       GUINT_TO_POINTER (count_entries (self, inode) + 1));
}

GadgetHardLinks *
_gadget_hard_links_new (GadgetBlobs *blobs, int fd, const char *root, GPtrArray *entries,
                        gboolean redo)
{
  GadgetHardLinks *self = g_new0 (GadgetHardLinks, 1);
  g_autoptr (GadgetTree) tree = NULL;

  self->blobs = blobs;
  self->root = fd;
  self->entries = entries;
  self->redo = redo;
  self->counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->files = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                       (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < entries->len; i++)
    if (is_one_of_several (get_target (self, i)))
      get_paths (self, get_target (self, i)->inode);
  for (guint i = 0; i < entries->len; i++)
    if (_gadget_hard_links_has (self, get_target (self, i)))
      add_entry (self, get_target (self, i)->inode,
                 ((GadgetUndoEntry *) g_ptr_array_index (entries, i))->path);
  /* The whole disk is not scanned. */
  if (!are_complete (self) && strcmp (root, "/") != 0)
    tree = _gadget_scan_run (fd, NULL, NULL, &_gadget_scan_limits, NULL, NULL, NULL);
  if (tree != NULL)
    add_found (self, tree);
  return self;
}

void
_gadget_hard_links_free (GadgetHardLinks *self)
{
  g_hash_table_unref (self->counts);
  g_hash_table_unref (self->files);
  g_free (self);
}

void
_gadget_hard_links_add (GadgetHardLinks *self, const GadgetFileState *target, const char *path)
{
  if (_gadget_hard_links_has (self, target))
    g_ptr_array_insert (get_paths (self, target->inode), 0, g_strdup (path));
}

/* --- Linking -----------------------------------------------------------------------------------
 */

/* Inode numbers are reused, and several files may have the same time: the contents must be
 * equal. */
static gboolean
is_target (GadgetHardLinks *self, const char *path, const GadgetFileState *target, guint64 *inode)
{
  GadgetFileState now;

  return target->has_hash
         && _gadget_file_state_read (self->root, path, self->blobs, GADGET_SNAPSHOT_MAX_FILE, &now,
                                     inode, NULL)
         && now.has_hash && now.mtime == target->mtime && gadget_file_state_same (&now, target);
}

/* Returns the file, open with O_PATH, or -1 when it is at none of its paths. */
static int
find_file (GadgetHardLinks *self, const GadgetUndoEntry *entry, const GadgetFileState *target,
           struct stat *info)
{
  GPtrArray *places = get_paths (self, target->inode);

  for (guint i = 0; i < places->len; i++)
    {
      const char *path = g_ptr_array_index (places, i);
      guint64 inode = 0;
      g_autofd int fd = -1;

      if (strcmp (path, entry->path) == 0 || !is_target (self, path, target, &inode))
        continue;
      fd = _gadget_scan_open (self->root, path, O_PATH);
      if (fd >= 0 && fstat (fd, info) == 0 && info->st_ino == inode)
        return g_steal_fd (&fd);
    }
  return -1;
}

static gboolean
link_as (int fd, int folder, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

  return linkat (AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Links the file under a temporary name and renames that over the existing file. */
static gboolean
link_over (int fd, int folder, const char *name, const GadgetUndoEntry *entry, GError **error)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      g_autofree char *hidden =
          g_strdup_printf (GADGET_REPLACE_HIDDEN "%08x%08x", g_random_int (), g_random_int ());
      gboolean done;

      if (!link_as (fd, folder, hidden))
        {
          if (errno == EEXIST)
            continue;
          return FALSE;
        }
      done = _gadget_apply_state_check_seen (entry, folder, name, error)
             && renameat (folder, hidden, folder, name) == 0;
      if (!done)
        unlinkat (folder, hidden, 0);
      return done;
    }
  return FALSE;
}

gboolean
_gadget_hard_links_link (GadgetHardLinks *self, int folder, const char *name,
                         const GadgetUndoEntry *entry, const GadgetFileState *target,
                         GError **error)
{
  struct stat file;
  struct stat old;
  g_autofd int fd =
      _gadget_hard_links_has (self, target) ? find_file (self, entry, target, &file) : -1;

  if (fd < 0)
    return FALSE;
  if (fstatat (folder, name, &old, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT && entry->inode == 0 && link_as (fd, folder, name);
  /* rename() does nothing for two hard links of the same file. */
  if (old.st_ino == file.st_ino && old.st_dev == file.st_dev)
    return TRUE;
  return link_over (fd, folder, name, entry, error);
}
