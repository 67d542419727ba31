/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Corrects the tree of a scan during which a command began. The ctime of each name, from the
 * kernel's clock, tells when it last changed: an older name is as it was when the command began. A
 * newer one was touched since, most likely by the command, and gets the state of the snapshot
 * before. A name that is gone existed if that snapshot has it and the times of its folder have
 * changed since; a new name did not exist.
 *
 * A file that the user changed between that snapshot and the command, and that the command then
 * changed too, thus gets the state of that snapshot. This cannot be detected, so such files are
 * noted as assumed, and undo asks before it touches them: they may contain more than the command's
 * changes. New files are noted too, unless their birth time is after the begin of the command.
 * Files that are gone are not noted, since nothing more of them can be lost. */

#define G_LOG_DOMAIN "gadget-tree"

#include "config.h"

#include "gadget-scan.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

typedef struct
{
  GadgetTree *tree;
  const GadgetTree *old_tree; /* (nullable) */
  gint64 since;               /* when the command began, in nanoseconds */
  int top;
  gboolean known; /* all of the tree is known */
} Rewind;

static gboolean
is_touched (const Rewind *self, const GadgetTreeEntry *entry)
{
  return entry->ctime >= self->since;
}

/* Returns whether the file was created after the command began, as far as the file system tells. */
static gboolean
is_newer (const Rewind *self, const GadgetTreeFolder *folder, const char *name)
{
  g_autofd int fd = _gadget_scan_open (self->top, folder->path, O_PATH | O_DIRECTORY);
  struct statx info;

  return fd >= 0 && statx (fd, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &info) == 0
         && (info.stx_mask & STATX_BTIME) != 0
         && info.stx_btime.tv_sec * NS_PER_SECOND + info.stx_btime.tv_nsec >= self->since;
}

/* Notes that the state of the entry is that of an earlier snapshot. */
static void
assume (Rewind *self, const GadgetTreeFolder *folder, const GadgetTreeEntry *entry)
{
  const char *name = _gadget_tree_get_name (folder, entry);

  if (!S_ISDIR (entry->mode))
    g_hash_table_add (self->tree->assumed, _gadget_tree_make_path (folder->path, name));
}

static void
append (GArray *entries, GString *names, const GadgetTreeFolder *folder,
        const GadgetTreeEntry *entry)
{
  const char *name = _gadget_tree_get_name (folder, entry);
  GadgetTreeEntry copy = *entry;

  copy.name = (guint32) names->len;
  g_string_append_len (names, name, (gssize) strlen (name) + 1);
  g_array_append_val (entries, copy);
}

static GHashTable *
index_names (const GadgetTreeFolder *folder)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; folder != NULL && i < folder->n_entries; i++)
    g_hash_table_insert (names, (gpointer) _gadget_tree_get_name (folder, &folder->entries[i]),
                         &folder->entries[i]);
  return names;
}

/* Appends the names that exist, in the states that they had. */
static void
append_present (Rewind *self, const GadgetTreeFolder *folder, GHashTable *before, GArray *entries,
                GString *names)
{
  const GadgetTreeFolder *old =
      self->old_tree != NULL ? g_hash_table_lookup (self->old_tree->folders, folder->path) : NULL;

  for (guint i = 0; i < folder->n_entries; i++)
    {
      const GadgetTreeEntry *entry = &folder->entries[i];
      const GadgetTreeEntry *was =
          g_hash_table_lookup (before, _gadget_tree_get_name (folder, entry));

      if (!is_touched (self, entry))
        {
          append (entries, names, folder, entry);
          continue;
        }
      if (was != NULL || !is_newer (self, folder, _gadget_tree_get_name (folder, entry)))
        assume (self, folder, entry);
      if (was != NULL)
        append (entries, names, old, was);
      else if (self->old_tree == NULL)
        {
          self->known = FALSE;
          append (entries, names, folder, entry);
        }
    }
}

/* Appends the names that do not exist any more. */
static void
append_gone (const GadgetTreeFolder *old, GHashTable *now, GArray *entries, GString *names)
{
  for (guint i = 0; old != NULL && i < old->n_entries; i++)
    if (!g_hash_table_contains (now, _gadget_tree_get_name (old, &old->entries[i])))
      append (entries, names, old, &old->entries[i]);
}

static gboolean
has_touched (const Rewind *self, const GadgetTreeFolder *folder)
{
  for (guint i = 0; i < folder->n_entries; i++)
    if (is_touched (self, &folder->entries[i]))
      return TRUE;
  return folder->mtime >= self->since;
}

/* Returns: (transfer full) (nullable): the folder as it was, NULL when it has not changed. */
static GadgetTreeFolder *
rewind_folder (Rewind *self, const GadgetTreeFolder *folder)
{
  const GadgetTreeFolder *old =
      self->old_tree != NULL ? g_hash_table_lookup (self->old_tree->folders, folder->path) : NULL;
  g_autoptr (GArray) entries = NULL;
  g_autoptr (GString) names = NULL;
  g_autoptr (GHashTable) before = NULL;
  g_autoptr (GHashTable) now = NULL;
  GadgetTreeFolder *rewound;

  if (folder == old || !has_touched (self, folder))
    return NULL;
  entries = g_array_new (FALSE, TRUE, sizeof (GadgetTreeEntry));
  names = g_string_new (NULL);
  before = index_names (old);
  now = index_names (folder);
  append_present (self, folder, before, entries, names);
  if (folder->mtime >= self->since)
    {
      self->known = self->known && self->old_tree != NULL;
      append_gone (old, now, entries, names);
    }
  rewound = _gadget_tree_folder_new (folder->path, entries, names);
  rewound->mtime = folder->mtime;
  rewound->ctime = folder->ctime;
  /* A racy folder's names are read again in the next scan. */
  rewound->racy = TRUE;
  return rewound;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns copies of the folders' paths, sorted so that a folder comes before the folders in it. */
static GPtrArray *
list_paths (const GadgetTree *tree)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, tree->folders);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_ptr_array_add (paths, g_strdup (path));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

static gboolean
is_folder (const GadgetTree *tree, const char *path)
{
  const GadgetTreeEntry *entry = _gadget_tree_find (tree, path);

  return entry != NULL && S_ISDIR (entry->mode);
}

/* Removes folders that did not exist, and brings back those that did. */
static void
rewind_folders (Rewind *self)
{
  g_autoptr (GPtrArray) now = list_paths (self->tree);
  g_autoptr (GPtrArray) before = NULL;

  if (self->old_tree == NULL)
    return;
  before = list_paths (self->old_tree);
  for (guint i = 0; i < now->len; i++)
    {
      const char *path = g_ptr_array_index (now, i);

      if (*path != '\0' && !g_hash_table_contains (self->old_tree->folders, path)
          && !is_folder (self->tree, path))
        g_hash_table_remove (self->tree->folders, path);
    }
  for (guint i = 0; i < before->len; i++)
    {
      const char *path = g_ptr_array_index (before, i);

      if (!g_hash_table_contains (self->tree->folders, path)
          && !g_hash_table_contains (self->tree->skipped, path) && is_folder (self->tree, path))
        _gadget_tree_add (self->tree, _gadget_tree_folder_ref (
                                          g_hash_table_lookup (self->old_tree->folders, path)));
    }
}

static void
count_entries (GadgetTree *tree)
{
  GHashTableIter iter;
  gpointer folder;

  tree->n_entries = 0;
  g_hash_table_iter_init (&iter, tree->folders);
  while (g_hash_table_iter_next (&iter, NULL, &folder))
    tree->n_entries += ((const GadgetTreeFolder *) folder)->n_entries;
}

gboolean
_gadget_tree_rewind (GadgetTree *tree, const GadgetTree *old_tree, gint64 since, int top)
{
  Rewind self = { tree, old_tree, since, top, TRUE };
  g_autoptr (GPtrArray) paths = list_paths (tree);

  for (guint i = 0; i < paths->len; i++)
    {
      GadgetTreeFolder *rewound =
          rewind_folder (&self, g_hash_table_lookup (tree->folders, g_ptr_array_index (paths, i)));

      if (rewound != NULL)
        _gadget_tree_add (tree, rewound);
    }
  if (is_touched (&self, &tree->top) && old_tree != NULL)
    tree->top = old_tree->top;
  rewind_folders (&self);
  count_entries (tree);
  /* The timestamps of trees are in microseconds. */
  tree->seen_end = MIN (tree->seen_end, since / 1000);
  tree->seen_begin = MIN (tree->seen_begin, tree->seen_end);
  return self.known;
}
