/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of a workspace at one moment: for each folder its names, with their stat data and,
 * where it is known, the hash of their content; about 110 bytes per file. A folder in which nothing
 * differs is shared with the tree before, so that comparing two trees costs only what differs. */

#define G_LOG_DOMAIN "gadget-tree"

#include "config.h"

#include "gadget-tree.h"

#include <string.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

/* --- Paths -------------------------------------------------------------------------------------
 */

char *
_gadget_tree_make_path (const char *folder, const char *name)
{
  return *folder != '\0' ? g_strconcat (folder, "/", name, NULL) : g_strdup (name);
}

char *
_gadget_tree_dup_parent (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? g_strndup (path, (gsize) (slash - path)) : g_strdup ("");
}

const char *
_gadget_tree_get_base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

/* --- Entries -----------------------------------------------------------------------------------
 */

static gint64
to_ns (const struct timespec *time)
{
  return (gint64) time->tv_sec * NS_PER_SECOND + time->tv_nsec;
}

void
_gadget_entry_set_stat (GadgetTreeEntry *self, const struct stat *info)
{
  self->mtime = to_ns (&info->st_mtim);
  self->ctime = to_ns (&info->st_ctim);
  self->ino = info->st_ino;
  self->size = S_ISREG (info->st_mode) || S_ISLNK (info->st_mode) ? (guint64) info->st_size : 0;
  self->mode = info->st_mode;
}

/* Returns whether nothing happened to the file, as far as its stat data tells. */
gboolean
_gadget_entry_same_stat (const GadgetTreeEntry *a, const GadgetTreeEntry *b)
{
  return a->mtime == b->mtime && a->ctime == b->ctime && a->size == b->size && a->ino == b->ino
         && ((a->mode ^ b->mode) & ~GADGET_MODE_LIST) == 0;
}

gboolean
_gadget_entry_is_unkept (const GadgetTreeEntry *self)
{
  return (S_ISREG (self->mode) || S_ISLNK (self->mode))
         && (self->flags & (GADGET_ENTRY_HASHED | GADGET_ENTRY_REFUSED)) == 0;
}

void
_gadget_entry_to_state (const GadgetTreeEntry *self, GadgetFileState *state)
{
  *state = (GadgetFileState) {
    .type = S_ISREG (self->mode)   ? GADGET_FILE_REGULAR
            : S_ISLNK (self->mode) ? GADGET_FILE_LINK
            : S_ISDIR (self->mode) ? GADGET_FILE_FOLDER
                                   : GADGET_FILE_SPECIAL,
    .mode = self->mode & (S_ISREG (self->mode) ? 01777 | GADGET_MODE_LIST : 07777),
    .size = self->size,
    .mtime = self->mtime,
    .has_hash = (self->flags & GADGET_ENTRY_HASHED) != 0,
  };
  if (state->has_hash)
    memcpy (state->hash, self->hash.bytes, GADGET_HASH_LENGTH);
}

/* --- Folders -----------------------------------------------------------------------------------
 */

GadgetTreeFolder *
_gadget_tree_folder_new (const char *path, const GArray *entries, const GString *names)
{
  GadgetTreeFolder *self = g_new0 (GadgetTreeFolder, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->path = g_strdup (path);
  self->n_entries = entries->len;
  self->entries = g_memdup2 (entries->data, entries->len * sizeof (GadgetTreeEntry));
  self->names = g_memdup2 (names->str, names->len);
  self->names_length = names->len;
  for (guint i = 0; i < self->n_entries; i++)
    self->n_unkept += _gadget_entry_is_unkept (&self->entries[i]);
  return self;
}

GadgetTreeFolder *
_gadget_tree_folder_ref (GadgetTreeFolder *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_gadget_tree_folder_unref (GadgetTreeFolder *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->path);
  g_free (self->entries);
  g_free (self->names);
  g_free (self);
}

const char *
_gadget_tree_get_name (const GadgetTreeFolder *folder, const GadgetTreeEntry *entry)
{
  return folder->names + entry->name;
}

/* --- Trees -------------------------------------------------------------------------------------
 */

GadgetTree *
_gadget_tree_new (void)
{
  GadgetTree *self = g_new0 (GadgetTree, 1);

  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                         (GDestroyNotify) _gadget_tree_folder_unref);
  self->skipped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->assumed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
_gadget_tree_free (GadgetTree *self)
{
  g_hash_table_unref (self->folders);
  g_hash_table_unref (self->skipped);
  g_hash_table_unref (self->assumed);
  g_free (self);
}

guint
_gadget_tree_count_unkept (const GadgetTree *self)
{
  GHashTableIter iter;
  gpointer folder;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, NULL, &folder))
    n += ((const GadgetTreeFolder *) folder)->n_unkept;
  return n;
}

/* Takes ownership of the folder. */
void
_gadget_tree_add (GadgetTree *self, GadgetTreeFolder *folder)
{
  g_hash_table_replace (self->folders, folder->path, folder);
  self->n_entries += folder->n_entries;
}

static const GadgetTreeEntry *
find_in (const GadgetTreeFolder *folder, const char *name)
{
  for (guint i = 0; i < folder->n_entries; i++)
    if (strcmp (_gadget_tree_get_name (folder, &folder->entries[i]), name) == 0)
      return &folder->entries[i];
  return NULL;
}

const GadgetTreeEntry *
_gadget_tree_find (const GadgetTree *self, const char *path)
{
  g_autofree char *parent = _gadget_tree_dup_parent (path);
  const GadgetTreeFolder *folder;

  if (*path == '\0')
    return &self->top;
  folder = g_hash_table_lookup (self->folders, parent);
  return folder != NULL ? find_in (folder, _gadget_tree_get_base_name (path)) : NULL;
}

void
_gadget_tree_add_hashes (const GadgetTree *self, GHashTable *used)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const GadgetTreeFolder *folder = value;

      for (guint i = 0; i < folder->n_entries; i++)
        {
          const GadgetTreeEntry *entry = &folder->entries[i];

          if ((entry->flags & GADGET_ENTRY_HASHED) != 0)
            g_hash_table_add (used, g_memdup2 (&entry->hash, sizeof (GadgetHash)));
        }
    }
}

/* --- Comparing ---------------------------------------------------------------------------------
 */

/* Returns whether the folder, or one above it, was not scanned: then nothing is known of its
 * files. */
static gboolean
lies_in_skipped (const GadgetTree *self, const char *path)
{
  g_autofree char *above = NULL;

  if (g_hash_table_size (self->skipped) == 0)
    return FALSE;
  above = g_strdup (path);
  while (TRUE)
    {
      char *slash;

      if (g_hash_table_contains (self->skipped, above))
        return TRUE;
      slash = strrchr (above, '/');
      if (slash == NULL)
        return FALSE;
      *slash = '\0';
    }
}

static void
add_change (GPtrArray *changes, const char *folder, const char *name, const GadgetTreeEntry *before,
            const GadgetTreeEntry *after)
{
  GadgetFileState old_state = { GADGET_FILE_NONE };
  GadgetFileState new_state = { GADGET_FILE_NONE };
  g_autofree char *path = NULL;

  if (before != NULL)
    _gadget_entry_to_state (before, &old_state);
  if (after != NULL)
    _gadget_entry_to_state (after, &new_state);
  if (gadget_file_state_equal (&old_state, &new_state))
    return;
  path = _gadget_tree_make_path (folder, name);
  g_ptr_array_add (changes, gadget_change_new (path, &old_state, &new_state));
}

static void
add_whole (GPtrArray *changes, const GadgetTreeFolder *folder, gboolean appeared)
{
  for (guint i = 0; i < folder->n_entries; i++)
    {
      const GadgetTreeEntry *entry = &folder->entries[i];

      add_change (changes, folder->path, _gadget_tree_get_name (folder, entry),
                  appeared ? NULL : entry, appeared ? entry : NULL);
    }
}

static void
compare_folders (GPtrArray *changes, const GadgetTreeFolder *before, const GadgetTreeFolder *after)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < before->n_entries; i++)
    g_hash_table_insert (names, (gpointer) _gadget_tree_get_name (before, &before->entries[i]),
                         &before->entries[i]);
  for (guint i = 0; i < after->n_entries; i++)
    {
      const char *name = _gadget_tree_get_name (after, &after->entries[i]);

      add_change (changes, after->path, name, g_hash_table_lookup (names, name),
                  &after->entries[i]);
      g_hash_table_remove (names, name);
    }

  GHashTableIter iter;
  gpointer name;
  gpointer entry;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, &entry))
    add_change (changes, before->path, name, entry, NULL);
}

static void
compare_tops (GPtrArray *changes, const GadgetTree *old_tree, const GadgetTree *new_tree)
{
  GadgetFileState before;
  GadgetFileState after;

  _gadget_entry_to_state (&old_tree->top, &before);
  _gadget_entry_to_state (&new_tree->top, &after);
  if (!gadget_file_state_equal (&before, &after))
    g_ptr_array_add (changes, gadget_change_new ("", &before, &after));
}

static void
set_seen (GPtrArray *changes, const GadgetTree *old_tree, const GadgetTree *new_tree)
{
  for (guint i = 0; i < changes->len; i++)
    {
      GadgetChange *change = g_ptr_array_index (changes, i);

      change->shared = g_hash_table_contains (old_tree->assumed, change->path);
      change->before.seen_begin = old_tree->seen_begin;
      change->before.seen_end = old_tree->seen_end;
      change->after.seen_begin = new_tree->seen_begin;
      change->after.seen_end = new_tree->seen_end;
    }
}

GPtrArray *
_gadget_tree_compare (const GadgetTree *old_tree, const GadgetTree *new_tree)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
  GHashTableIter iter;
  gpointer path;
  gpointer folder;

  compare_tops (changes, old_tree, new_tree);
  g_hash_table_iter_init (&iter, new_tree->folders);
  while (g_hash_table_iter_next (&iter, &path, &folder))
    {
      const GadgetTreeFolder *before = g_hash_table_lookup (old_tree->folders, path);

      if (before == folder || lies_in_skipped (old_tree, path))
        continue;
      if (before != NULL)
        compare_folders (changes, before, folder);
      else
        add_whole (changes, folder, TRUE);
    }
  g_hash_table_iter_init (&iter, old_tree->folders);
  while (g_hash_table_iter_next (&iter, &path, &folder))
    if (!g_hash_table_contains (new_tree->folders, path) && !lies_in_skipped (new_tree, path))
      add_whole (changes, folder, FALSE);
  set_seen (changes, old_tree, new_tree);
  return changes;
}
