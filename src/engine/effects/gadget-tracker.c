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
 * so that whoever else needs the keeper's thread does not wait. What is not done when a command
 * begins, or when the program ends, is gone on with: the tree on disk says how far it is.
 *
 * A command does not wait for a look that takes long. The look then finds what the command has
 * touched already: the kernel's own time of each change tells, which nobody can set. Of these files
 * the look before it says how they were, see _gadget_tree_rewind ().
 *
 * The tree is on disk before a command starts, or a little later. */

#define G_LOG_DOMAIN "gadget-tracker"

#include "config.h"

#include "gadget-tracker.h"

#include "common/gadget-file-clock.h"
#include "gadget-file-state.h"
#include "gadget-moment.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define AHEAD_SLICE_US (100 * G_TIME_SPAN_MILLISECOND)
#define SAVE_INTERVAL_US (10 * G_TIME_SPAN_SECOND)

struct _GadgetTracker
{
  char *data_directory;
  char *root;
  char *file;       /* where the tree is on disk */
  char *stale_file; /* an empty file that is there as long as that is out of date */
  GadgetBlobs *blobs;
  GadgetTree *tree; /* (nullable) */
  guint64 n_kept;   /* bytes of the tree that are kept */
  guint n_without_room;
  gboolean loaded;
  gboolean ahead;        /* keeping ahead goes on */
  gint64 until;          /* monotonic; keeping stops there, 0: never */
  const int *stopping;   /* (nullable): and as soon as this is set */
  GAsyncQueue *queue;    /* (nullable): and as soon as something is in it */
  gboolean changed_only; /* of what is to be kept that which changed since the last look */
  gboolean queued;
  gboolean unsaved; /* more is kept than the tree on disk says */
  gboolean stale;   /* files were undone since the last look */
  gint64 saved_at;  /* monotonic */
  GArray *running;  /* of gint64 */
  GArray *partly;   /* of gint64 */
};

/* Of the terms of looks. */
static GMutex terms_lock;

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
  self->stale_file = g_strconcat (self->file, ".stale", NULL);
  self->blobs = blobs;
  self->running = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->partly = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

static void save (GadgetTracker *self);

void
_gadget_tracker_free (GadgetTracker *self)
{
  if (self->tree != NULL && self->unsaved)
    save (self);
  g_array_unref (self->partly);
  g_clear_pointer (&self->tree, _gadget_tree_free);
  g_array_unref (self->running);
  g_free (self->data_directory);
  g_free (self->root);
  g_free (self->file);
  g_free (self->stale_file);
  g_free (self);
}

/* --- Keeping -----------------------------------------------------------------------------------
 */

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
         || (self->stopping != NULL && g_atomic_int_get (self->stopping))
         || (self->queue != NULL && g_async_queue_length (self->queue) > 0);
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
  const gint64 read_at = gadget_file_clock_get ();
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
  self->unsaved = TRUE;
  if (!lacked_content)
    return TRUE;
  if ((entry->flags & GADGET_ENTRY_HASHED) != 0)
    self->n_kept += entry->size;
  if (gadget_file_clock_is_racy (entry->ctime, read_at))
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
      if (self->changed_only && (folder->entries[i].flags & GADGET_ENTRY_WAITING) != 0)
        continue;
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

/* What could not be kept, for whatever reason, cannot be undone, and is tried again the next time.
 */
static void
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
          return;
        }
    }
}

/* --- Looking -----------------------------------------------------------------------------------
 */

static void
save (GadgetTracker *self)
{
  g_autoptr (GError) error = NULL;

  self->unsaved = FALSE;
  self->saved_at = g_get_monotonic_time ();
  if (!_gadget_tree_save (self->tree, self->file, &error))
    g_message ("what is known of %s is not saved: %s", self->root, error->message);
  else if (!self->stale)
    g_unlink (self->stale_file);
}

/* The tree of the last look, of this process or an earlier one. */
static void
load (GadgetTracker *self)
{
  if (self->loaded)
    return;
  self->tree = _gadget_tree_load (self->file);
  self->stale = g_file_test (self->stale_file, G_FILE_TEST_EXISTS);
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

gboolean
_gadget_look_terms_begin (GadgetLookTerms *terms)
{
  gboolean unknown;

  g_mutex_lock (&terms_lock);
  unknown = g_atomic_int_get (&terms->phase) != GADGET_LOOK_KEEPING;
  if (unknown)
    terms->since = gadget_file_clock_get ();
  g_mutex_unlock (&terms_lock);
  return unknown;
}

/* From now on it is known how the workspace is. */
static gint64
take_since (GadgetLookTerms *terms)
{
  gint64 since;

  g_mutex_lock (&terms_lock);
  since = terms->since;
  g_atomic_int_set (&terms->phase, GADGET_LOOK_KEEPING);
  g_mutex_unlock (&terms_lock);
  return since;
}

/* How the workspace is, or was when a command began. */
static GadgetTree *
find_tree (GadgetTracker *self, int top, GadgetLookTerms *terms, GCancellable *cancellable,
           GError **error)
{
  GadgetTree *tree = scan (self, top, cancellable, error);
  gint64 since;

  if (tree == NULL)
    return NULL;
  since = take_since (terms);
  if (since != 0)
    terms->partly = !_gadget_tree_rewind (tree, self->tree, since, top) || self->stale
                    || !gadget_file_clock_is_own (top);
  if (scanned_func != NULL)
    scanned_func (scanned_data);
  return tree;
}

/* What changed is kept however long that takes, the rest as long as there is time. */
static void
keep_in_time (GadgetTracker *self, int top, GadgetTree *tree, gint64 until,
              GCancellable *cancellable)
{
  self->changed_only = TRUE;
  keep_tree (self, top, tree, cancellable);
  self->changed_only = FALSE;
  self->until = until;
  if (until > g_get_monotonic_time ())
    keep_tree (self, top, tree, cancellable);
  self->until = 0;
}

/* Somebody waited for the look at what the command before it did: nothing happened since. */
static gboolean
is_fresh (GadgetTracker *self, const GadgetLookTerms *terms)
{
  return terms->wanted_at != 0 && self->tree != NULL && self->tree->seen_end >= terms->wanted_at;
}

static GPtrArray *
adopt (GadgetTracker *self, GadgetTree *tree)
{
  GPtrArray *changes = self->tree != NULL
                           ? _gadget_tree_compare (self->tree, tree)
                           : g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);

  self->unsaved = self->unsaved || self->tree == NULL || changes->len > 0 || self->stale;
  self->stale = FALSE;
  g_clear_pointer (&self->tree, _gadget_tree_free);
  self->tree = tree;
  return changes;
}

GPtrArray *
_gadget_tracker_look (GadgetTracker *self, GadgetLookTerms *terms, GCancellable *cancellable,
                      GError **error)
{
  g_autofd int top = open_top (self, error);
  GPtrArray *changes;
  gboolean fresh;

  if (top < 0)
    return NULL;
  load (self);
  g_atomic_int_set (&terms->known, self->tree != NULL && !self->stale);
  g_atomic_int_set (&terms->phase, GADGET_LOOK_SCANNING);
  fresh = is_fresh (self, terms);
  if (fresh)
    {
      take_since (terms);
      keep_in_time (self, top, self->tree, terms->until, cancellable);
      changes = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
    }
  else
    {
      GadgetTree *tree = find_tree (self, top, terms, cancellable, error);

      if (tree == NULL)
        return NULL;
      keep_in_time (self, top, tree, terms->until, cancellable);
      count_kept (self, tree);
      changes = adopt (self, tree);
    }
  terms->n_unkept = _gadget_tree_count_unkept (self->tree);
  self->ahead = terms->n_unkept > 0;
  if (self->unsaved)
    save (self);
  return changes;
}

GPtrArray *
_gadget_tracker_look_since (GadgetTracker *self, gint64 begun)
{
  GadgetLookTerms terms = { 0 };
  GPtrArray *changes;

  if (self->tree != NULL && self->tree->seen_end < begun)
    {
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->loaded = FALSE;
      self->ahead = FALSE;
      self->unsaved = FALSE;
    }
  changes = _gadget_tracker_look (self, &terms, NULL, NULL);
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
      self->unsaved = self->unsaved || self->tree == NULL || self->stale;
      self->stale = FALSE;
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->tree = tree;
    }
  self->until = g_get_monotonic_time () + AHEAD_SLICE_US;
  keep_tree (self, top, self->tree, NULL);
  self->ahead = is_over (self);
  self->until = 0;
  if (self->unsaved
      && (!self->ahead || g_get_monotonic_time () - self->saved_at >= SAVE_INTERVAL_US))
    save (self);
}

gboolean
_gadget_tracker_keep_ahead (GadgetTracker *self, const int *stopping, GAsyncQueue *queue)
{
  g_autofd int top = -1;

  /* What a command does is seen by the look after it, and not here. */
  if ((self->running->len > 0 && !self->ahead) || (top = open_top (self, NULL)) < 0)
    return FALSE;
  self->stopping = stopping;
  self->queue = queue;
  keep_slice (self, top);
  self->stopping = NULL;
  self->queue = NULL;
  return self->ahead;
}

void
_gadget_tracker_look_again (GadgetTracker *self)
{
  if (self->running->len == 0)
    self->ahead = FALSE;
}

gboolean
_gadget_tracker_is_ahead (GadgetTracker *self)
{
  return self->ahead;
}

void
_gadget_tracker_set_stale (GadgetTracker *self)
{
  self->stale = TRUE;
  g_file_set_contents_full (self->stale_file, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
}

gboolean
_gadget_tracker_is_queued (GadgetTracker *self)
{
  return self->queued;
}

void
_gadget_tracker_set_queued (GadgetTracker *self, gboolean queued)
{
  self->queued = queued;
}

guint
_gadget_tracker_get_n_unkept (GadgetTracker *self)
{
  return self->tree != NULL ? _gadget_tree_count_unkept (self->tree) : 0;
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

static void
set_listed (GArray *effects, gint64 effect, gboolean listed)
{
  for (guint i = effects->len; i > 0; i--)
    if (g_array_index (effects, gint64, i - 1) == effect)
      g_array_remove_index (effects, i - 1);
  if (listed)
    g_array_append_val (effects, effect);
}

void
_gadget_tracker_set_running (GadgetTracker *self, gint64 effect, gboolean running)
{
  set_listed (self->running, effect, running);
  if (!running)
    set_listed (self->partly, effect, FALSE);
}

void
_gadget_tracker_set_partly (GadgetTracker *self, gint64 effect)
{
  set_listed (self->partly, effect, TRUE);
}

gboolean
_gadget_tracker_is_partly (GadgetTracker *self, gint64 effect)
{
  for (guint i = 0; i < self->partly->len; i++)
    if (g_array_index (self->partly, gint64, i) == effect)
      return TRUE;
  return FALSE;
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
