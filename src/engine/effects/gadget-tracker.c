/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What has to be kept so that a command can be undone.
 *
 * After a command has overwritten a file its old bytes are gone, and nobody knows beforehand which
 * files a command will touch. So the bytes of a workspace are kept before its first command: once,
 * each content once, by reflink where the file system can, up to limits of size; and from then on
 * only what the cached stat data says has changed. Not taken from git's objects, although they hold
 * much of it: what is there may differ from the file by filters and line ends, and reading packs
 * would be more code than all of this.
 *
 * A content is kept together with the stat data that was seen before and after reading it, so that
 * keeping may go on while the command runs already: what it has changed by then is not taken for
 * the old bytes, but is recorded as what cannot be undone.
 *
 * Most of it is done before there is a command, as soon as the folder is known: a little at a time,
 * so that whoever else needs the keeper's thread does not wait.
 *
 * The tree is on disk before a command starts. */

#define G_LOG_DOMAIN "gadget-tracker"

#include "config.h"

#include "gadget-tracker.h"

#include "gadget-file-state.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)
#define TICK_NS (20 * G_GINT64_CONSTANT (1000000))
#define AHEAD_SLICE_US (100 * G_TIME_SPAN_MILLISECOND)

struct _GadgetTracker
{
  char *data_directory;
  char *root;
  char *file; /* where the tree is on disk */
  GadgetBlobs *blobs;
  GadgetTree *tree; /* (nullable) */
  guint64 n_kept;   /* bytes of the tree that are kept */
  guint n_without_room;
  gboolean loaded;
  gboolean ahead;      /* keeping ahead goes on */
  gint64 until;        /* monotonic; keeping stops there, 0: never */
  const int *stopping; /* (nullable): and as soon as this is set */
  GArray *running;     /* of gint64 */
};

static void (*scanned_func) (gpointer);
static gpointer scanned_data;

void
_gadget_tracker_set_scanned_func (void (*func) (gpointer), gpointer data)
{
  scanned_func = func;
  scanned_data = data;
}

GadgetTracker *
_gadget_tracker_new (const char *directory, const char *root, GadgetBlobs *blobs)
{
  GadgetTracker *self = g_new0 (GadgetTracker, 1);
  g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, root, -1);

  self->data_directory = g_strdup (directory);
  self->root = g_strdup (root);
  self->file = g_build_filename (directory, "trees", name, NULL);
  self->blobs = blobs;
  self->running = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

void
_gadget_tracker_free (GadgetTracker *self)
{
  g_clear_pointer (&self->tree, _gadget_tree_free);
  g_array_unref (self->running);
  g_free (self->data_directory);
  g_free (self->root);
  g_free (self->file);
  g_free (self);
}

/* --- Keeping -----------------------------------------------------------------------------------
 */

static gint64
get_coarse_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME_COARSE, &now);
  return (gint64) now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

static gboolean
is_still (const GadgetTreeEntry *entry, const struct stat *info)
{
  GadgetTreeEntry now;

  _gadget_entry_set_stat (&now, info);
  return _gadget_entry_same_stat (entry, &now);
}

static gboolean
is_over (GadgetTracker *self)
{
  return (self->until != 0 && g_get_monotonic_time () >= self->until)
         || (self->stopping != NULL && g_atomic_int_get (self->stopping));
}

static gboolean
is_as_seen (int fd, const char *name, const GadgetTreeEntry *entry)
{
  struct stat info;

  return fstatat (fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && is_still (entry, &info);
}

static guint64
get_max_size (GadgetTracker *self)
{
  const guint64 room =
      GADGET_KEEP_AHEAD_WORKSPACE - MIN (self->n_kept, GADGET_KEEP_AHEAD_WORKSPACE);

  return MIN (GADGET_KEEP_AHEAD_FILE, room);
}

/* Into what is known of it beforehand: NEXT becomes the entry if it is still as it was seen. FALSE
 * only when nothing more should be tried. */
static gboolean
keep_parts (GadgetTracker *self, int fd, const char *name, GadgetTreeEntry *next,
            GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GadgetKept kept = GADGET_KEPT_UNREAD;
  gboolean ok = TRUE;

  if (_gadget_entry_lacks_attributes (next))
    next->flags |= _gadget_keep_attributes (self->blobs, fd, name, &next->attributes);
  if (!_gadget_entry_lacks_content (next))
    return TRUE;
  ok = _gadget_keep_content (self->blobs, fd, name, next, get_max_size (self), &next->hash, &kept,
                             cancellable, &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (!ok || kept != GADGET_KEPT)
    next->flags |= GADGET_ENTRY_REFUSED;
  if (ok && kept != GADGET_KEPT && next->size <= GADGET_KEEP_AHEAD_FILE)
    next->flags |= GADGET_ENTRY_NO_ROOM;
  if (ok && kept != GADGET_KEPT_UNREAD)
    next->flags |= GADGET_ENTRY_HASHED;
  return TRUE;
}

/* Keeps an entry as it was seen. FALSE only when nothing more should be tried. */
static gboolean
keep_entry (GadgetTracker *self, GadgetTreeFolder *folder, GadgetTreeEntry *entry, int fd,
            GCancellable *cancellable, GError **error)
{
  const char *name = _gadget_tree_get_name (folder, entry);
  const gint64 read_at = get_coarse_time ();
  const gboolean lacked_content = _gadget_entry_lacks_content (entry);
  GadgetTreeEntry next = *entry;

  if (!is_as_seen (fd, name, entry))
    return TRUE;
  if (!keep_parts (self, fd, name, &next, cancellable, error))
    return FALSE;
  if (!is_as_seen (fd, name, entry))
    return TRUE;
  *entry = next;
  folder->n_unkept--;
  if (!lacked_content)
    return TRUE;
  if ((entry->flags & GADGET_ENTRY_HASHED) != 0)
    self->n_kept += entry->size;
  if (entry->ctime + (entry->ctime % NS_PER_SECOND == 0 ? 2 * NS_PER_SECOND : TICK_NS) > read_at)
    entry->flags |= GADGET_ENTRY_RACY;
  return TRUE;
}

static gboolean
keep_folder (GadgetTracker *self, int top, GadgetTreeFolder *folder, GCancellable *cancellable,
             GError **error)
{
  g_autofd int fd = _gadget_scan_open (top, folder->path, O_RDONLY | O_DIRECTORY);

  for (guint i = 0; fd >= 0 && i < folder->n_entries; i++)
    {
      if (is_over (self) || g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (_gadget_entry_is_unkept (&folder->entries[i])
          && !keep_entry (self, folder, &folder->entries[i], fd, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static void
count_kept (GadgetTracker *self, const GadgetTree *tree)
{
  GHashTableIter iter;
  gpointer value;

  self->n_kept = 0;
  self->n_without_room = 0;
  g_hash_table_iter_init (&iter, tree->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const GadgetTreeFolder *folder = value;

      for (guint i = 0; i < folder->n_entries; i++)
        {
          const guint32 flags = folder->entries[i].flags;

          if ((flags & GADGET_ENTRY_HASHED) != 0)
            self->n_kept += folder->entries[i].size;
          self->n_without_room += (flags & GADGET_ENTRY_NO_ROOM) != 0;
        }
    }
}

/* Whether anything was to be kept. What could not be, for whatever reason, cannot be undone, and
 * is tried again the next time. */
static gboolean
keep_tree (GadgetTracker *self, int top, GadgetTree *tree, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  GHashTableIter iter;
  gpointer value;
  gboolean any = FALSE;

  g_hash_table_iter_init (&iter, tree->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GadgetTreeFolder *folder = value;

      if (folder->n_unkept == 0)
        continue;
      if (!any)
        count_kept (self, tree);
      any = TRUE;
      if (!keep_folder (self, top, folder, cancellable, &error))
        {
          if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            g_message ("files of %s are not kept: %s", self->root, error->message);
          return any;
        }
    }
  return any;
}

/* --- Looking -----------------------------------------------------------------------------------
 */

static void
save (GadgetTracker *self)
{
  g_autoptr (GError) error = NULL;

  if (!_gadget_tree_save (self->tree, self->file, &error))
    g_message ("what is known of %s is not saved: %s", self->root, error->message);
}

/* The tree of the last look, of this process or an earlier one. */
static void
load (GadgetTracker *self)
{
  if (self->loaded)
    return;
  self->tree = _gadget_tree_load (self->file);
  /* It is in use, and no sweep takes it. */
  utimensat (AT_FDCWD, self->file, NULL, 0);
  self->loaded = TRUE;
}

static int
open_top (GadgetTracker *self, GError **error)
{
  const int top = _gadget_scan_open_root (self->root);

  if (top < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", self->root,
                 g_strerror (errno));
  return top;
}

static GadgetTree *
scan (GadgetTracker *self, int top, GCancellable *cancellable, GError **error)
{
  struct stat except;

  load (self);
  return _gadget_scan_run (top, self->tree,
                           stat (self->data_directory, &except) == 0 ? &except : NULL,
                           &_gadget_scan_limits, self->stopping, cancellable, error);
}

GPtrArray *
_gadget_tracker_look (GadgetTracker *self, int *phase, GCancellable *cancellable, GError **error)
{
  g_autofd int top = open_top (self, error);
  g_autoptr (GadgetTree) tree = NULL;
  GPtrArray *changes;
  gboolean kept;

  if (top < 0)
    return NULL;
  g_atomic_int_set (phase, GADGET_LOOK_SCANNING);
  tree = scan (self, top, cancellable, error);
  if (tree == NULL)
    return NULL;
  g_atomic_int_set (phase, GADGET_LOOK_KEEPING);
  if (scanned_func != NULL)
    scanned_func (scanned_data);
  self->ahead = FALSE;
  kept = keep_tree (self, top, tree, cancellable);
  count_kept (self, tree);

  changes = self->tree != NULL
                ? _gadget_tree_compare (self->tree, tree)
                : g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
  kept = kept || self->tree == NULL || changes->len > 0;
  g_clear_pointer (&self->tree, _gadget_tree_free);
  self->tree = g_steal_pointer (&tree);
  if (kept)
    save (self);
  return changes;
}

GPtrArray *
_gadget_tracker_look_since (GadgetTracker *self, gint64 begun, int *phase)
{
  GPtrArray *changes;

  if (self->tree != NULL && self->tree->seen_end < begun)
    {
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->loaded = FALSE;
      self->ahead = FALSE;
    }
  changes = _gadget_tracker_look (self, phase, NULL, NULL);
  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      GadgetChange *change = g_ptr_array_index (changes, i);

      /* What comes from the disk does not say. */
      if (change->before.seen_end == 0)
        change->before.seen_begin = change->before.seen_end = begun;
    }
  return changes;
}

/* What differs from the last look was done by nobody who is on record. */
static void
keep_slice (GadgetTracker *self, int top)
{
  if (!self->ahead || self->tree == NULL)
    {
      GadgetTree *tree = scan (self, top, NULL, NULL);

      if (tree == NULL)
        return;
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->tree = tree;
    }
  self->until = g_get_monotonic_time () + AHEAD_SLICE_US;
  keep_tree (self, top, self->tree, NULL);
  self->ahead = is_over (self);
  self->until = 0;
  if (!self->ahead)
    save (self);
}

gboolean
_gadget_tracker_keep_ahead (GadgetTracker *self, const int *stopping)
{
  g_autofd int top = -1;

  if (self->running->len > 0 || (top = open_top (self, NULL)) < 0)
    return FALSE;
  self->stopping = stopping;
  keep_slice (self, top);
  self->stopping = NULL;
  return self->ahead;
}

gboolean
_gadget_tracker_is_ahead (GadgetTracker *self)
{
  return self->ahead;
}

guint
_gadget_tracker_get_n_without_room (GadgetTracker *self)
{
  return self->n_without_room;
}

gboolean
_gadget_tracker_has_looked (GadgetTracker *self)
{
  return self->tree != NULL;
}

void
_gadget_tracker_set_running (GadgetTracker *self, gint64 effect, gboolean running)
{
  for (guint i = self->running->len; i > 0; i--)
    if (g_array_index (self->running, gint64, i - 1) == effect)
      g_array_remove_index (self->running, i - 1);
  if (running)
    g_array_append_val (self->running, effect);
}

/* The one that runs for the longest time, or 0. */
gint64
_gadget_tracker_get_running (GadgetTracker *self)
{
  return self->running->len > 0 ? g_array_index (self->running, gint64, 0) : 0;
}

/* Those that the last look could not look into. */
char *
_gadget_tracker_dup_skipped (GadgetTracker *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  GHashTableIter iter;
  gpointer path;

  if (self->tree == NULL || g_hash_table_size (self->tree->skipped) == 0)
    return NULL;
  g_hash_table_iter_init (&iter, self->tree->skipped);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_strv_builder_add (builder, path);
  paths = g_strv_builder_end (builder);
  return g_strjoinv ("\n", paths);
}
