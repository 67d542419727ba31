/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps the contents of the files of a tree: each content once, by reflink where the file system
 * supports it, up to limits of size. Git's objects are not used, although they contain much of it:
 * a blob may differ from the file by filters and line ends, and reading packs would take more code
 * than all of this.
 *
 * A content counts only if the file's stat data was the same before and after reading it. So
 * keeping may go on while the command already runs: a file that it has changed by then is not kept
 * with its new content as the old one, but is recorded as one that cannot be undone. */

#define G_LOG_DOMAIN "gadget-workspace-snapshot"

#include "config.h"

#include "gadget-tree-keep.h"

#include "gadget-file-state.h"
#include "gadget-scan.h"
#include "common/gadget-file-clock.h"

#include <fcntl.h>
#include <glib/gstdio.h>

/* One run of _gadget_tree_keep (). */
typedef struct
{
  GadgetBlobs *blobs;
  const GadgetKeepLimits *limits;
  guint64 n_kept; /* bytes of the tree that are kept */
  gboolean any;   /* whether this run has kept something */
} Keeping;

static gboolean
is_still (const GadgetTreeEntry *entry, const struct stat *info)
{
  GadgetTreeEntry now;

  _gadget_entry_set_stat (&now, info);
  return _gadget_entry_same_stat (entry, &now);
}

gboolean
_gadget_keep_is_over (const GadgetKeepLimits *self)
{
  return (self->until != 0 && g_get_monotonic_time () >= self->until)
         || (self->stopping != NULL && g_atomic_int_get (self->stopping))
         || (self->queue != NULL && gadget_job_queue_has_waiting (self->queue));
}

static gboolean
is_as_seen (int fd, const char *name, const GadgetTreeEntry *entry)
{
  struct stat info;

  return fstatat (fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && is_still (entry, &info);
}

static guint64
get_max_size (Keeping *self)
{
  const guint64 room = GADGET_KEEP_MAX_WORKSPACE - MIN (self->n_kept, GADGET_KEEP_MAX_WORKSPACE);

  return MIN (GADGET_KEEP_MAX_FILE, room);
}

/* Keeps the content of a file, and notes it in @next, a copy of its entry. Returns FALSE only when
 * nothing more should be tried. */
static gboolean
keep_content (Keeping *self, int fd, const char *name, GadgetTreeEntry *next, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GadgetKept kept = GADGET_KEPT_UNREAD;
  const gboolean ok = _gadget_keep_content (self->blobs, fd, name, next, get_max_size (self),
                                            &next->hash, &kept, NULL, &local_error);

  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (!ok || kept != GADGET_KEPT)
    next->flags |= GADGET_ENTRY_REFUSED;
  if (ok && kept != GADGET_KEPT && next->size <= GADGET_KEEP_MAX_FILE)
    next->flags |= GADGET_ENTRY_NO_ROOM;
  if (ok && kept != GADGET_KEPT_UNREAD)
    next->flags |= GADGET_ENTRY_HASHED;
  return TRUE;
}

/* Keeps a file if it is as it was scanned before and after that. Returns FALSE only when nothing
 * more should be tried. */
static gboolean
keep_entry (Keeping *self, GadgetTreeFolder *folder, GadgetTreeEntry *entry, int fd, GError **error)
{
  const char *name = _gadget_tree_get_name (folder, entry);
  const gint64 read_at = gadget_file_clock_get ();
  GadgetTreeEntry next = *entry;

  if (!is_as_seen (fd, name, entry))
    return TRUE;
  if (!keep_content (self, fd, name, &next, error))
    return FALSE;
  if (!is_as_seen (fd, name, entry))
    return TRUE;
  *entry = next;
  folder->n_unkept--;
  self->any = TRUE;
  if ((entry->flags & GADGET_ENTRY_HASHED) != 0)
    self->n_kept += entry->size;
  if (gadget_file_clock_is_racy (entry->ctime, read_at))
    entry->flags |= GADGET_ENTRY_RACY;
  return TRUE;
}

static gboolean
keep_folder (Keeping *self, int top, GadgetTreeFolder *folder, GError **error)
{
  g_autofd int fd = _gadget_scan_open (top, folder->path, O_RDONLY | O_DIRECTORY);

  for (guint i = 0; fd >= 0 && i < folder->n_entries; i++)
    {
      if (self->limits->changed_only && (folder->entries[i].flags & GADGET_ENTRY_WAITING) != 0)
        continue;
      if (_gadget_keep_is_over (self->limits))
        return FALSE;
      if (_gadget_entry_is_unkept (&folder->entries[i])
          && !keep_entry (self, folder, &folder->entries[i], fd, error))
        return FALSE;
    }
  return TRUE;
}

void
_gadget_tree_count_kept (const GadgetTree *tree, guint64 *size, guint *n_without_room)
{
  GHashTableIter iter;
  gpointer value;

  *size = 0;
  *n_without_room = 0;
  g_hash_table_iter_init (&iter, tree->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const GadgetTreeFolder *folder = value;

      for (guint i = 0; i < folder->n_entries; i++)
        {
          const guint32 flags = folder->entries[i].flags;

          if ((flags & GADGET_ENTRY_HASHED) != 0)
            *size += folder->entries[i].size;
          *n_without_room += (flags & GADGET_ENTRY_NO_ROOM) != 0;
        }
    }
}

gboolean
_gadget_tree_keep (GadgetTree *tree, int top, GadgetBlobs *blobs, const GadgetKeepLimits *limits,
                   GError **error)
{
  Keeping self = { .blobs = blobs, .limits = limits };
  GHashTableIter iter;
  gpointer value;
  gboolean counted = FALSE;
  guint n_without_room;

  g_hash_table_iter_init (&iter, tree->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GadgetTreeFolder *folder = value;

      if (folder->n_unkept == 0)
        continue;
      if (!counted)
        _gadget_tree_count_kept (tree, &self.n_kept, &n_without_room);
      counted = TRUE;
      if (!keep_folder (&self, top, folder, error))
        break;
    }
  return self.any;
}
