/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps what is needed to undo a command.
 *
 * After a command has overwritten a file its former content is gone, and nobody knows in advance
 * which files a command will touch. So the contents of a workspace are kept before its first
 * command: each content once, by reflink where the file system supports it, up to limits of size.
 * From then on only the files whose stat data has changed are kept. Git's objects are not used,
 * although they contain much of it: a blob may differ from the file by filters and line ends, and
 * reading packs would take more code than all of this.
 *
 * A content counts only if the file's stat data was the same before and after reading it. So
 * keeping may go on while the command already runs: a file that it has changed by then is not kept
 * with its new content as the old one, but is recorded as one that cannot be undone.
 *
 * Most of this happens before there is a command, as soon as the folder is known: a little at a
 * time, so that other jobs on the snapshot thread need not wait. What is not done when a command
 * begins, or when the program ends, goes on later: the saved tree tells how far it is.
 *
 * A command does not wait for a snapshot that takes long. The snapshot then finds what the command
 * has already touched by the ctime of the files, which no program can set. For these files it uses
 * the states of the snapshot before it; see _gadget_tree_rewind ().
 *
 * The tree is saved to disk before a command starts, or a little later. */

#define G_LOG_DOMAIN "gadget-workspace-snapshot"

#include "config.h"

#include "gadget-workspace-snapshot.h"

#include "gadget-file-state.h"
#include "gadget-unique-timestamp.h"
#include "common/gadget-file-clock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The duration of one call of _gadget_workspace_snapshot_prefetch (), and the shortest time between
 * two saves of the tree during prefetching. */
#define PREFETCH_SLICE_US (100 * G_TIME_SPAN_MILLISECOND)
#define SAVE_INTERVAL_US (10 * G_TIME_SPAN_SECOND)

struct _GadgetWorkspaceSnapshot
{
  char *data_directory;
  char *root;
  char *file;       /* the saved tree */
  char *stale_file; /* an empty file that exists while the saved tree is out of date */
  GadgetBlobs *blobs;
  GadgetTree *tree; /* (nullable) */
  guint64 n_kept;   /* bytes of the tree that are kept */
  guint n_without_room;
  gboolean loaded;
  gboolean prefetching;  /* prefetching is not finished */
  gint64 until;          /* monotonic time at which keeping stops; 0: never */
  const int *stopping;   /* (nullable): keeping stops when this is set */
  GAsyncQueue *queue;    /* (nullable): keeping stops when a job is in it */
  gboolean changed_only; /* keep only what changed since the last snapshot */
  gboolean queued;       /* a prefetch waits in the queue */
  gboolean unsaved;      /* more is kept than the saved tree says */
  gboolean stale;        /* undo has changed files since the last snapshot */
  gint64 saved_at;       /* monotonic time */
  GArray *running;       /* of Running */
};

/* A command that runs in the workspace. */
typedef struct
{
  gint64 effect;
  char *turn_id;
  gboolean partly; /* its first snapshot is incomplete */
} Running;

/* Protects @since, and the change of @phase to GADGET_SNAPSHOT_SAVING, in all requests. */
static GMutex terms_lock;

static void (*scanned_func) (gpointer);
static gpointer scanned_data;

void
_gadget_workspace_snapshot_set_scanned_func (void (*func) (gpointer), gpointer data)
{
  scanned_func = func;
  scanned_data = data;
}

static void
clear_running (gpointer data)
{
  g_free (((Running *) data)->turn_id);
}

GadgetWorkspaceSnapshot *
_gadget_workspace_snapshot_new (const char *directory, const char *root, GadgetBlobs *blobs)
{
  GadgetWorkspaceSnapshot *self = g_new0 (GadgetWorkspaceSnapshot, 1);
  g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, root, -1);

  self->data_directory = g_strdup (directory);
  self->root = g_strdup (root);
  self->file = g_build_filename (directory, "trees", name, NULL);
  self->stale_file = g_strconcat (self->file, ".stale", NULL);
  self->blobs = blobs;
  self->running = g_array_new (FALSE, FALSE, sizeof (Running));
  g_array_set_clear_func (self->running, clear_running);
  return self;
}

static void save (GadgetWorkspaceSnapshot *self);

void
_gadget_workspace_snapshot_free (GadgetWorkspaceSnapshot *self)
{
  if (self->tree != NULL && self->unsaved)
    save (self);
  g_clear_pointer (&self->tree, _gadget_tree_free);
  g_array_unref (self->running);
  g_free (self->data_directory);
  g_free (self->root);
  g_free (self->file);
  g_free (self->stale_file);
  g_free (self);
}

/* --- Keeping contents --------------------------------------------------------------------------
 */

static gboolean
is_still (const GadgetTreeEntry *entry, const struct stat *info)
{
  GadgetTreeEntry now;

  _gadget_entry_set_stat (&now, info);
  return _gadget_entry_same_stat (entry, &now);
}

static gboolean
is_over (GadgetWorkspaceSnapshot *self)
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
get_max_size (GadgetWorkspaceSnapshot *self)
{
  const guint64 room =
      GADGET_PREFETCH_MAX_WORKSPACE - MIN (self->n_kept, GADGET_PREFETCH_MAX_WORKSPACE);

  return MIN (GADGET_PREFETCH_MAX_FILE, room);
}

/* Keeps the content of a file, and notes it in @next, a copy of its entry. Returns FALSE only when
 * nothing more should be tried. */
static gboolean
keep_content (GadgetWorkspaceSnapshot *self, int fd, const char *name, GadgetTreeEntry *next,
              GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  GadgetKept kept = GADGET_KEPT_UNREAD;
  const gboolean ok = _gadget_keep_content (self->blobs, fd, name, next, get_max_size (self),
                                            &next->hash, &kept, cancellable, &local_error);

  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (!ok || kept != GADGET_KEPT)
    next->flags |= GADGET_ENTRY_REFUSED;
  if (ok && kept != GADGET_KEPT && next->size <= GADGET_PREFETCH_MAX_FILE)
    next->flags |= GADGET_ENTRY_NO_ROOM;
  if (ok && kept != GADGET_KEPT_UNREAD)
    next->flags |= GADGET_ENTRY_HASHED;
  return TRUE;
}

/* Keeps a file if it is as it was scanned before and after that. Returns FALSE only when nothing
 * more should be tried. */
static gboolean
keep_entry (GadgetWorkspaceSnapshot *self, GadgetTreeFolder *folder, GadgetTreeEntry *entry, int fd,
            GCancellable *cancellable, GError **error)
{
  const char *name = _gadget_tree_get_name (folder, entry);
  const gint64 read_at = gadget_file_clock_get ();
  GadgetTreeEntry next = *entry;

  if (!is_as_seen (fd, name, entry))
    return TRUE;
  if (!keep_content (self, fd, name, &next, cancellable, error))
    return FALSE;
  if (!is_as_seen (fd, name, entry))
    return TRUE;
  *entry = next;
  folder->n_unkept--;
  self->unsaved = TRUE;
  if ((entry->flags & GADGET_ENTRY_HASHED) != 0)
    self->n_kept += entry->size;
  if (gadget_file_clock_is_racy (entry->ctime, read_at))
    entry->flags |= GADGET_ENTRY_RACY;
  return TRUE;
}

static gboolean
keep_folder (GadgetWorkspaceSnapshot *self, int top, GadgetTreeFolder *folder,
             GCancellable *cancellable, GError **error)
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
count_kept (GadgetWorkspaceSnapshot *self, const GadgetTree *tree)
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

/* A file that cannot be kept, for whatever reason, cannot be undone; the next snapshot tries
 * again. */
static void
keep_tree (GadgetWorkspaceSnapshot *self, int top, GadgetTree *tree, GCancellable *cancellable)
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

/* --- Taking snapshots --------------------------------------------------------------------------
 */

static void
save (GadgetWorkspaceSnapshot *self)
{
  g_autoptr (GError) error = NULL;

  self->unsaved = FALSE;
  self->saved_at = g_get_monotonic_time ();
  if (!_gadget_tree_save (self->tree, self->file, &error))
    g_message ("what is known of %s is not saved: %s", self->root, error->message);
  else if (!self->stale)
    g_unlink (self->stale_file);
}

/* Loads the tree of the last snapshot, of this process or an earlier one. */
static void
load (GadgetWorkspaceSnapshot *self)
{
  if (self->loaded)
    return;
  self->tree = _gadget_tree_load (self->file);
  self->stale = g_file_test (self->stale_file, G_FILE_TEST_EXISTS);
  /* A new time tells that the tree is in use, so that no sweep removes it. */
  utimensat (AT_FDCWD, self->file, NULL, 0);
  self->loaded = TRUE;
}

static int
open_top (GadgetWorkspaceSnapshot *self, GError **error)
{
  const int top = _gadget_scan_open_root (self->root);

  if (top < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", self->root,
                 g_strerror (errno));
  return top;
}

static GadgetTree *
scan (GadgetWorkspaceSnapshot *self, int top, GCancellable *cancellable, GError **error)
{
  struct stat except;

  load (self);
  return _gadget_scan_run (top, self->tree,
                           stat (self->data_directory, &except) == 0 ? &except : NULL,
                           &_gadget_scan_limits, self->stopping, cancellable, error);
}

gboolean
_gadget_snapshot_request_begin (GadgetSnapshotRequest *terms)
{
  gboolean unknown;

  g_mutex_lock (&terms_lock);
  unknown = g_atomic_int_get (&terms->phase) != GADGET_SNAPSHOT_SAVING;
  if (unknown)
    terms->since = gadget_file_clock_get ();
  g_mutex_unlock (&terms_lock);
  return unknown;
}

/* Ends the time in which a command may begin with an unknown state: from now on it is known.
 * Returns when a command has begun, or 0. */
static gint64
take_since (GadgetSnapshotRequest *terms)
{
  gint64 since;

  g_mutex_lock (&terms_lock);
  since = terms->since;
  g_atomic_int_set (&terms->phase, GADGET_SNAPSHOT_SAVING);
  g_mutex_unlock (&terms_lock);
  return since;
}

/* Returns the tree of the workspace now, or at the moment when a command began. */
static GadgetTree *
find_tree (GadgetWorkspaceSnapshot *self, int top, GadgetSnapshotRequest *terms,
           GCancellable *cancellable, GError **error)
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

/* Keeps files that changed since the last snapshot however long that takes, and the others until
 * @until. */
static void
keep_in_time (GadgetWorkspaceSnapshot *self, int top, GadgetTree *tree, gint64 until,
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

/* Returns whether the current tree was scanned after the request was made: this happens when
 * another command's snapshot came in between. Then nothing has changed since. */
static gboolean
is_fresh (GadgetWorkspaceSnapshot *self, const GadgetSnapshotRequest *terms)
{
  return terms->wanted_at != 0 && self->tree != NULL && self->tree->seen_end >= terms->wanted_at;
}

/* Replaces the tree. Returns the difference. */
static GPtrArray *
adopt (GadgetWorkspaceSnapshot *self, GadgetTree *tree)
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
_gadget_workspace_snapshot_take (GadgetWorkspaceSnapshot *self, GadgetSnapshotRequest *terms,
                                 GCancellable *cancellable, GError **error)
{
  g_autofd int top = open_top (self, error);
  GPtrArray *changes;
  gboolean fresh;

  if (top < 0)
    return NULL;
  load (self);
  g_atomic_int_set (&terms->known, self->tree != NULL && !self->stale);
  g_atomic_int_set (&terms->phase, GADGET_SNAPSHOT_SCANNING);
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
  self->prefetching = terms->n_unkept > 0;
  if (self->unsaved)
    save (self);
  return changes;
}

GPtrArray *
_gadget_workspace_snapshot_take_since (GadgetWorkspaceSnapshot *self, gint64 begun)
{
  GadgetSnapshotRequest terms = { 0 };
  GPtrArray *changes;

  if (self->tree != NULL && self->tree->seen_end < begun)
    {
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->loaded = FALSE;
      self->prefetching = FALSE;
      self->unsaved = FALSE;
    }
  changes = _gadget_workspace_snapshot_take (self, &terms, NULL, NULL);
  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      GadgetChange *change = g_ptr_array_index (changes, i);

      /* A tree from disk has no times. */
      if (change->before.seen_end == 0)
        change->before.seen_begin = change->before.seen_end = begun;
    }
  return changes;
}

/* Scans if necessary and keeps contents for one slice of time. Differences to the last snapshot
 * have no recorded author and are not recorded. */
static void
keep_slice (GadgetWorkspaceSnapshot *self, int top)
{
  if (!self->prefetching || self->tree == NULL)
    {
      GadgetTree *tree = scan (self, top, NULL, NULL);

      if (tree == NULL)
        return;
      self->unsaved = self->unsaved || self->tree == NULL || self->stale;
      self->stale = FALSE;
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->tree = tree;
    }
  self->until = g_get_monotonic_time () + PREFETCH_SLICE_US;
  keep_tree (self, top, self->tree, NULL);
  self->prefetching = is_over (self);
  self->until = 0;
  if (self->unsaved
      && (!self->prefetching || g_get_monotonic_time () - self->saved_at >= SAVE_INTERVAL_US))
    save (self);
}

gboolean
_gadget_workspace_snapshot_prefetch (GadgetWorkspaceSnapshot *self, const int *stopping,
                                     GAsyncQueue *queue)
{
  g_autofd int top = -1;

  /* Changes by a running command must show in the snapshot after it, so no new scan is made now. */
  if ((self->running->len > 0 && !self->prefetching) || (top = open_top (self, NULL)) < 0)
    return FALSE;
  self->stopping = stopping;
  self->queue = queue;
  keep_slice (self, top);
  self->stopping = NULL;
  self->queue = NULL;
  return self->prefetching;
}

void
_gadget_workspace_snapshot_request_rescan (GadgetWorkspaceSnapshot *self)
{
  if (self->running->len == 0)
    self->prefetching = FALSE;
}

gboolean
_gadget_workspace_snapshot_needs_prefetch (GadgetWorkspaceSnapshot *self)
{
  return self->prefetching;
}

void
_gadget_workspace_snapshot_set_tree_stale (GadgetWorkspaceSnapshot *self)
{
  self->stale = TRUE;
  g_file_set_contents_full (self->stale_file, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
}

gboolean
_gadget_workspace_snapshot_is_queued (GadgetWorkspaceSnapshot *self)
{
  return self->queued;
}

void
_gadget_workspace_snapshot_set_queued (GadgetWorkspaceSnapshot *self, gboolean queued)
{
  self->queued = queued;
}

guint
_gadget_workspace_snapshot_get_n_unkept (GadgetWorkspaceSnapshot *self)
{
  return self->tree != NULL ? _gadget_tree_count_unkept (self->tree) : 0;
}

guint
_gadget_workspace_snapshot_get_n_without_room (GadgetWorkspaceSnapshot *self)
{
  return self->n_without_room;
}

gboolean
_gadget_workspace_snapshot_is_taken (GadgetWorkspaceSnapshot *self)
{
  return self->tree != NULL;
}

void
_gadget_workspace_snapshot_begin_command (GadgetWorkspaceSnapshot *self, gint64 effect,
                                          const char *turn_id, gboolean partly)
{
  const Running running = { effect, g_strdup (turn_id), partly };

  g_array_append_val (self->running, running);
}

gboolean
_gadget_workspace_snapshot_end_command (GadgetWorkspaceSnapshot *self, gint64 effect)
{
  for (guint i = 0; i < self->running->len; i++)
    {
      const Running *running = &g_array_index (self->running, Running, i);
      const gboolean partly = running->partly;

      if (running->effect != effect)
        continue;
      g_array_remove_index (self->running, i);
      return partly;
    }
  return FALSE;
}

gboolean
_gadget_workspace_snapshot_is_running (GadgetWorkspaceSnapshot *self)
{
  return self->running->len > 0;
}

GArray *
_gadget_workspace_snapshot_list_running (GadgetWorkspaceSnapshot *self, const char *except_turn)
{
  GArray *effects = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) turns = g_hash_table_new (g_str_hash, g_str_equal);

  if (except_turn != NULL)
    g_hash_table_add (turns, (gpointer) except_turn);
  for (guint i = 0; i < self->running->len; i++)
    {
      const Running *running = &g_array_index (self->running, Running, i);

      if (g_hash_table_add (turns, running->turn_id))
        g_array_append_val (effects, running->effect);
    }
  return effects;
}

char *
_gadget_workspace_snapshot_dup_skipped (GadgetWorkspaceSnapshot *self)
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
