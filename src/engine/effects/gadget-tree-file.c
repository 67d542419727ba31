/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Saves a tree to disk, so that the next process need not read every file again. The file is a
 * cache for this machine: numbers in the byte order and layout of memory. Loading rejects a file in
 * which anything looks wrong. Entries of earlier versions were longer: they had owners and extended
 * attributes.
 *
 *   header · top entry · for each folder: lengths and times, path, entries, names · checksum */

#define G_LOG_DOMAIN "gadget-tree"

#include "config.h"

#include "gadget-tree.h"

#include <glib/gstdio.h>
#include <string.h>

#define MAGIC "GdgtTre1"
#define MAX_SIZE (G_GUINT64_CONSTANT (1) << 30)

typedef struct
{
  char magic[8];
  guint32 entry_size;
  guint32 n_folders;
} Header;

typedef struct
{
  guint32 path_length;
  guint32 n_entries;
  guint64 names_length;
  gint64 mtime;
  gint64 ctime;
  guint64 racy;
} FolderHeader;

/* An entry as earlier versions saved it. It begins like a GadgetTreeEntry. */
typedef struct
{
  gint64 times[2];
  guint64 ino;
  guint64 size;
  guint32 mode;
  guint32 name;
  guint32 flags;
  guint32 others[3];
  GadgetHash hash;
  GadgetHash attributes;
} OldEntry;

G_STATIC_ASSERT (G_STRUCT_OFFSET (OldEntry, others) == G_STRUCT_OFFSET (GadgetTreeEntry, hash));

/* The checksum detects truncated or damaged files; it does not protect against forgery. */
static guint64
compute_checksum (const char *bytes, gsize length)
{
  guint64 value = G_GUINT64_CONSTANT (14695981039346656037);
  guint64 word;

  for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word)
    {
      memcpy (&word, bytes, sizeof word);
      value = (value ^ word) * G_GUINT64_CONSTANT (1099511628211);
      value ^= value >> 29;
    }
  for (; length > 0; bytes++, length--)
    value = (value ^ (guint8) *bytes) * G_GUINT64_CONSTANT (1099511628211);
  return value;
}

gboolean
_gadget_tree_save (const GadgetTree *self, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_sized_new (self->n_entries * 96 + 4096);
  g_autofree char *directory = g_path_get_dirname (path);
  Header header = { MAGIC, sizeof (GadgetTreeEntry), (guint32) g_hash_table_size (self->folders) };
  GHashTableIter iter;
  gpointer value;
  guint64 checksum;

  g_string_append_len (text, (const char *) &header, sizeof header);
  g_string_append_len (text, (const char *) &self->top, sizeof self->top);
  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const GadgetTreeFolder *folder = value;
      FolderHeader head = { (guint32) strlen (folder->path),
                            folder->n_entries,
                            folder->names_length,
                            folder->mtime,
                            folder->ctime,
                            (guint64) folder->racy };

      g_string_append_len (text, (const char *) &head, sizeof head);
      g_string_append_len (text, folder->path, head.path_length);
      g_string_append_len (text, (const char *) folder->entries,
                           (gssize) (folder->n_entries * sizeof (GadgetTreeEntry)));
      g_string_append_len (text, folder->names, (gssize) folder->names_length);
    }
  checksum = compute_checksum (text->str, text->len);
  g_string_append_len (text, (const char *) &checksum, sizeof checksum);
  g_mkdir_with_parents (directory, 0700);
  return g_file_set_contents_full (path, text->str, (gssize) text->len,
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* Advances @at by @length bytes. Returns the former position, or NULL when fewer bytes are left. */
static const char *
take (const char **at, const char *end, guint64 length)
{
  const char *taken = *at;

  if (length > (guint64) (end - *at))
    return NULL;
  *at += length;
  return taken;
}

/* Returns whether every name ends within the names. */
static gboolean
names_are_whole (const GadgetTreeFolder *folder)
{
  if (folder->n_entries > 0
      && (folder->names_length == 0 || folder->names[folder->names_length - 1] != '\0'))
    return FALSE;
  for (guint i = 0; i < folder->n_entries; i++)
    if (folder->entries[i].name >= folder->names_length)
      return FALSE;
  return TRUE;
}

static void
read_entry (GadgetTreeEntry *entry, const char *bytes, guint32 size)
{
  const gsize hash = size == sizeof (OldEntry) ? G_STRUCT_OFFSET (OldEntry, hash)
                                               : G_STRUCT_OFFSET (GadgetTreeEntry, hash);

  memcpy (entry, bytes, G_STRUCT_OFFSET (GadgetTreeEntry, hash));
  memcpy (&entry->hash, bytes + hash, sizeof entry->hash);
}

static gboolean
read_folder (GadgetTree *tree, guint32 entry_size, const char **at, const char *end)
{
  FolderHeader head;
  const char *header = take (at, end, sizeof head);
  const char *path;
  const char *entries;
  const char *names;
  GadgetTreeFolder *folder;

  if (header == NULL)
    return FALSE;
  memcpy (&head, header, sizeof head);
  path = take (at, end, head.path_length);
  entries = path != NULL ? take (at, end, head.n_entries * (guint64) entry_size) : NULL;
  names = entries != NULL ? take (at, end, head.names_length) : NULL;
  if (names == NULL)
    return FALSE;

  folder = g_new0 (GadgetTreeFolder, 1);
  g_atomic_ref_count_init (&folder->ref_count);
  folder->path = g_strndup (path, head.path_length);
  folder->n_entries = head.n_entries;
  folder->entries = g_new0 (GadgetTreeEntry, head.n_entries);
  folder->names = g_memdup2 (names, head.names_length);
  folder->names_length = head.names_length;
  folder->mtime = head.mtime;
  folder->ctime = head.ctime;
  folder->racy = head.racy != 0;
  for (guint i = 0; i < folder->n_entries; i++)
    {
      read_entry (&folder->entries[i], entries + i * (gsize) entry_size, entry_size);
      folder->n_unkept += _gadget_entry_is_unkept (&folder->entries[i]);
    }
  _gadget_tree_add (tree, folder);
  return names_are_whole (folder);
}

/* Returns NULL when there is no usable file. */
GadgetTree *
_gadget_tree_load (const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  g_autoptr (GadgetTree) tree = NULL;
  const char *at;
  const char *end;
  guint64 checksum;
  Header header;

  if (file == NULL || g_mapped_file_get_length (file) > MAX_SIZE
      || g_mapped_file_get_length (file) < sizeof header + sizeof (OldEntry) + sizeof checksum)
    return NULL;
  at = g_mapped_file_get_contents (file);
  end = at + g_mapped_file_get_length (file) - sizeof checksum;
  memcpy (&checksum, end, sizeof checksum);
  memcpy (&header, at, sizeof header);
  if (checksum != compute_checksum (at, (gsize) (end - at)) || memcmp (header.magic, MAGIC, 8) != 0
      || (header.entry_size != sizeof (GadgetTreeEntry) && header.entry_size != sizeof (OldEntry)))
    return NULL;

  tree = _gadget_tree_new ();
  take (&at, end, sizeof header);
  read_entry (&tree->top, take (&at, end, header.entry_size), header.entry_size);
  for (guint32 i = 0; i < header.n_folders; i++)
    if (!read_folder (tree, header.entry_size, &at, end))
      return NULL;
  return g_steal_pointer (&tree);
}
