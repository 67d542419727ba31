/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps what is needed to undo a command.
 *
 * After a command has overwritten a file its former content is gone, and nobody knows in advance
 * which files a command will touch. So the contents of a workspace are kept before its first
 * command, see gadget-tree-keep.c. From then on only the files whose stat data has changed are
 * kept.
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

#include "gadget-tree-keep.h"
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
  guint n_without_room;
  gboolean loaded;
  gboolean prefetching; /* prefetching is not finished */
  gboolean queued;      /* a prefetch waits in the queue */
  gboolean unsaved;     /* more is kept than the saved tree says */
  gboolean stale;       /* undo has changed files since the last snapshot */
  gint64 saved_at;      /* monotonic time */
  GArray *running;      /* of Running */
};

/* A command that runs in the workspace. */
typedef struct
{
  gint64 effect;
  char *turn_id;
  GadgetRecording known_before; /* how completely the state before it is known */
} Running;

/* Protects @since, and the change of @phase to GADGET_SNAPSHOT_SAVING, in all requests. */
static GMutex request_lock;

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

/* --- Taking snapshots --------------------------------------------------------------------------
 */

static void
keep (GadgetWorkspaceSnapshot *self, int top, GadgetTree *tree, const GadgetKeepLimits *limits)
{
  g_autoptr (GError) error = NULL;

  if (_gadget_tree_keep (tree, top, self->blobs, limits, &error))
    self->unsaved = TRUE;
  if (error != NULL)
    g_message ("files of %s are not kept: %s", self->root, error->message);
}

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
scan (GadgetWorkspaceSnapshot *self, int top, const int *stopping, GError **error)
{
  struct stat except;

  load (self);
  return _gadget_scan_run (top, self->tree,
                           stat (self->data_directory, &except) == 0 ? &except : NULL,
                           &_gadget_scan_limits, stopping, error);
}

gboolean
_gadget_snapshot_request_begin (GadgetSnapshotRequest *request)
{
  gboolean unknown;

  g_mutex_lock (&request_lock);
  unknown = g_atomic_int_get (&request->phase) != GADGET_SNAPSHOT_SAVING;
  if (unknown)
    request->since = gadget_file_clock_get ();
  g_mutex_unlock (&request_lock);
  return unknown;
}

/* Ends the time in which a command may begin with an unknown state: from now on it is known.
 * Returns when a command has begun, or 0. */
static gint64
take_since (GadgetSnapshotRequest *request)
{
  gint64 since;

  g_mutex_lock (&request_lock);
  since = request->since;
  g_atomic_int_set (&request->phase, GADGET_SNAPSHOT_SAVING);
  g_mutex_unlock (&request_lock);
  return since;
}

/* Returns the tree of the workspace now, or at the moment when a command began. */
static GadgetTree *
find_tree (GadgetWorkspaceSnapshot *self, int top, GadgetSnapshotRequest *request, GError **error)
{
  GadgetTree *tree = scan (self, top, NULL, error);
  gint64 since;

  if (tree == NULL)
    return NULL;
  since = take_since (request);
  if (since != 0)
    request->partly = !_gadget_tree_rewind (tree, self->tree, since, top) || self->stale
                      || !gadget_file_clock_is_own (top);
  if (scanned_func != NULL)
    scanned_func (scanned_data);
  return tree;
}

/* Keeps files that changed since the last snapshot however long that takes, and the others until
 * @until. */
static void
keep_in_time (GadgetWorkspaceSnapshot *self, int top, GadgetTree *tree, gint64 until)
{
  GadgetKeepLimits limits = { .changed_only = TRUE };

  keep (self, top, tree, &limits);
  limits = (GadgetKeepLimits) { .until = until };
  if (until > g_get_monotonic_time ())
    keep (self, top, tree, &limits);
}

/* Returns whether the current tree was scanned after the request was made: this happens when
 * another command's snapshot came in between. Then nothing has changed since. */
static gboolean
is_fresh (GadgetWorkspaceSnapshot *self, const GadgetSnapshotRequest *request)
{
  return request->wanted_at != 0 && self->tree != NULL
         && self->tree->seen_end >= request->wanted_at;
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
_gadget_workspace_snapshot_take (GadgetWorkspaceSnapshot *self, GadgetSnapshotRequest *request,
                                 GError **error)
{
  g_autofd int top = open_top (self, error);
  GPtrArray *changes;
  guint64 size;
  gboolean fresh;

  if (top < 0)
    return NULL;
  load (self);
  g_atomic_int_set (&request->known, self->tree != NULL && !self->stale);
  g_atomic_int_set (&request->phase, GADGET_SNAPSHOT_SCANNING);
  fresh = is_fresh (self, request);
  if (fresh)
    {
      take_since (request);
      keep_in_time (self, top, self->tree, request->until);
      changes = g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_change_free);
    }
  else
    {
      GadgetTree *tree = find_tree (self, top, request, error);

      if (tree == NULL)
        return NULL;
      keep_in_time (self, top, tree, request->until);
      _gadget_tree_count_kept (tree, &size, &self->n_without_room);
      changes = adopt (self, tree);
    }
  request->n_unkept = _gadget_tree_count_unkept (self->tree);
  self->prefetching = request->n_unkept > 0;
  if (self->unsaved)
    save (self);
  return changes;
}

GPtrArray *
_gadget_workspace_snapshot_take_since (GadgetWorkspaceSnapshot *self, gint64 begun)
{
  GadgetSnapshotRequest request = { 0 };
  GPtrArray *changes;

  if (self->tree != NULL && self->tree->seen_end < begun)
    {
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->loaded = FALSE;
      self->prefetching = FALSE;
      self->unsaved = FALSE;
    }
  changes = _gadget_workspace_snapshot_take (self, &request, NULL);
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
keep_slice (GadgetWorkspaceSnapshot *self, int top, const int *stopping, GadgetJobQueue *queue)
{
  GadgetKeepLimits limits = { .stopping = stopping, .queue = queue };

  if (!self->prefetching || self->tree == NULL)
    {
      GadgetTree *tree = scan (self, top, stopping, NULL);

      if (tree == NULL)
        return;
      self->unsaved = self->unsaved || self->tree == NULL || self->stale;
      self->stale = FALSE;
      g_clear_pointer (&self->tree, _gadget_tree_free);
      self->tree = tree;
    }
  limits.until = g_get_monotonic_time () + PREFETCH_SLICE_US;
  keep (self, top, self->tree, &limits);
  self->prefetching = _gadget_keep_is_over (&limits);
  if (self->unsaved
      && (!self->prefetching || g_get_monotonic_time () - self->saved_at >= SAVE_INTERVAL_US))
    save (self);
}

gboolean
_gadget_workspace_snapshot_prefetch (GadgetWorkspaceSnapshot *self, const int *stopping,
                                     GadgetJobQueue *queue)
{
  g_autofd int top = -1;

  /* Changes by a running command must show in the snapshot after it, so no new scan is made now. */
  if ((self->running->len > 0 && !self->prefetching) || (top = open_top (self, NULL)) < 0)
    return FALSE;
  keep_slice (self, top, stopping, queue);
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

void
_gadget_workspace_snapshot_begin_command (GadgetWorkspaceSnapshot *self, gint64 effect,
                                          const char *turn_id, GadgetRecording known_before)
{
  const Running running = { effect, g_strdup (turn_id), known_before };

  g_array_append_val (self->running, running);
}

GadgetRecording
_gadget_workspace_snapshot_end_command (GadgetWorkspaceSnapshot *self, gint64 effect)
{
  for (guint i = 0; i < self->running->len; i++)
    {
      const Running *running = &g_array_index (self->running, Running, i);
      const GadgetRecording known_before = running->known_before;

      if (running->effect != effect)
        continue;
      g_array_remove_index (self->running, i);
      return known_before;
    }
  return GADGET_RECORDING_LOST;
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
