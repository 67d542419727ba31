/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans a workspace like "git status" does: it reads the stat data of every name, never contents,
 * and compares it with that of the last tree.
 *
 * Two threads take folders from a common list. Each folder is opened below the workspace's own
 * descriptor, and its names are read and looked up relative to it. A folder whose own times did not
 * change still has the same names, which are not read again where the file system is reliable in
 * that. A folder in which nothing changed at all is shared with the old tree.
 *
 * Left out are: anything named ".git" (git manages its own objects, and undoing half of what git
 * does to them would break more than it repairs) or a ".git" that was set aside; temporary files of
 * GadgetReplacement; what lies on another file system; folders that cannot be read; and those that
 * are too large. Folders that are left out for the last three reasons are listed in the tree as
 * skipped. */

#define G_LOG_DOMAIN "gadget-scan"

#include "config.h"

#include "gadget-scan.h"

#include "common/gadget-file-clock.h"
#include "gadget-unique-timestamp.h"
#include "workspace/gadget-replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_THREADS 2
#define MAX_AGAIN 16
#define NAMES_BUFFER (64 * 1024)
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)

const GadgetScanLimits _gadget_scan_limits = { .max_entries = 500000, .max_in_folder = 50000 };

/* The data that the threads share; @lock protects the members below it. */
typedef struct
{
  int top;
  dev_t device;
  gboolean has_times;         /* file times are reliable: see gadget_file_clock_is_own () */
  const GadgetTree *old_tree; /* (nullable) */
  const struct stat *except;  /* (nullable) */
  const GadgetScanLimits *limits;
  const int *stopping; /* (nullable) */

  GMutex lock;
  GCond changed;
  GPtrArray *pile; /* of paths still to scan */
  guint n_working;
  guint n_waiting;
  GadgetTree *tree;
} Scan;

/* Buffers that one thread reuses for each folder. */
typedef struct
{
  GArray *entries;
  GString *names;
  GPtrArray *folders; /* paths of the folders found in this folder */
  char buffer[NAMES_BUFFER] __attribute__ ((aligned (16)));
} Scratch;

/* --- Opening -----------------------------------------------------------------------------------
 */

/* Replaces openat2() on kernels that do not have it. */
static int
open_by_component (int top, const char *path, int flags)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  int fd = fcntl (top, F_DUPFD_CLOEXEC, 3);

  for (guint i = 0; fd >= 0 && parts[i] != NULL; i++)
    {
      const gboolean last = parts[i + 1] == NULL;
      const int next =
          openat (fd, parts[i], last ? flags : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      const int saved_errno = errno;

      close (fd);
      errno = saved_errno;
      fd = next;
    }
  return fd;
}

int
_gadget_scan_open (int top, const char *path, int flags)
{
  struct open_how how = {
    .flags = (guint64) (flags | O_NOFOLLOW | O_CLOEXEC),
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
  };
  int fd = -1;

  if (*path == '\0')
    path = ".";
  for (int tries = 0; tries < MAX_AGAIN; tries++)
    {
      fd = (int) syscall (SYS_openat2, top, path, &how, sizeof how);
      if (fd >= 0 || errno != EAGAIN)
        break;
    }
  if (fd < 0 && (errno == ENOSYS || errno == EPERM))
    fd = open_by_component (top, path, flags | O_NOFOLLOW | O_CLOEXEC);
  return fd;
}

int
_gadget_scan_open_root (const char *root)
{
  g_autofd int top = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

  return _gadget_scan_open (top, root + strspn (root, "/"), O_RDONLY | O_DIRECTORY);
}

/* --- One folder --------------------------------------------------------------------------------
 */

static void
skip (Scan *scan, const char *path)
{
  g_mutex_lock (&scan->lock);
  g_hash_table_add (scan->tree->skipped, g_strdup (path));
  g_mutex_unlock (&scan->lock);
}

/* Returns whether a name is not part of the tree. GADGET_REPLACE_HIDDEN begins the temporary names
 * of files that an edit writes. */
static gboolean
is_left_out (const char *name)
{
  return strcmp (name, ".") == 0 || strcmp (name, "..") == 0 || strcmp (name, ".git") == 0
         || g_str_has_prefix (name, ".git.from-command")
         || g_str_has_prefix (name, GADGET_REPLACE_HIDDEN);
}

/* Returns FALSE when the folder has too many names, or cannot be read. */
static gboolean
read_names (Scan *scan, Scratch *scratch, int fd)
{
  ssize_t n;

  while ((n = getdents64 (fd, scratch->buffer, sizeof scratch->buffer)) > 0)
    {
      for (ssize_t at = 0; at < n;)
        {
          const struct dirent64 *found = (const struct dirent64 *) (scratch->buffer + at);

          at += found->d_reclen;
          if (is_left_out (found->d_name))
            continue;
          if (scratch->entries->len >= scan->limits->max_in_folder)
            return FALSE;
          g_array_set_size (scratch->entries, scratch->entries->len + 1);
          g_array_index (scratch->entries, GadgetTreeEntry, scratch->entries->len - 1).name =
              (guint32) scratch->names->len;
          g_string_append_len (scratch->names, found->d_name, (gssize) strlen (found->d_name) + 1);
        }
    }
  return n == 0;
}

static void
take_names (Scratch *scratch, const GadgetTreeFolder *old)
{
  g_array_append_vals (scratch->entries, old->entries, old->n_entries);
  g_string_append_len (scratch->names, old->names, (gssize) old->names_length);
}

/* Finds the old entry of a name. The order is mostly the same, so the hash table is made late. */
static const GadgetTreeEntry *
find_old (const GadgetTreeFolder *old, GHashTable **index, guint at, const char *name)
{
  if (old == NULL)
    return NULL;
  if (*index == NULL && at < old->n_entries
      && strcmp (_gadget_tree_get_name (old, &old->entries[at]), name) == 0)
    return &old->entries[at];
  if (*index == NULL)
    {
      *index = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; i < old->n_entries; i++)
        g_hash_table_insert (*index, (gpointer) _gadget_tree_get_name (old, &old->entries[i]),
                             &old->entries[i]);
    }
  return g_hash_table_lookup (*index, name);
}

/* Fills in one entry; returns FALSE when the file is gone. Sets @same to FALSE when it differs from
 * @old. */
static gboolean
read_entry (Scan *scan, Scratch *scratch, int fd, const char *path, GadgetTreeEntry *entry,
            const GadgetTreeEntry *old, gboolean *same)
{
  const char *name = scratch->names->str + entry->name;
  struct stat info;

  if (fstatat (fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return FALSE;
  entry->flags = scan->old_tree == NULL ? GADGET_ENTRY_WAITING : 0;
  _gadget_entry_set_stat (entry, &info);
  if (old != NULL && _gadget_entry_same_stat (entry, old) && (old->flags & GADGET_ENTRY_RACY) == 0)
    {
      entry->flags = old->flags;
      if (_gadget_entry_is_unkept (old))
        entry->flags |= GADGET_ENTRY_WAITING;
      entry->hash = old->hash;
      entry->mode = old->mode;
    }
  else
    *same = FALSE;

  if (S_ISDIR (info.st_mode))
    {
      char *below = _gadget_tree_make_path (path, name);
      const gboolean excepted = scan->except != NULL && info.st_ino == scan->except->st_ino
                                && info.st_dev == scan->except->st_dev;

      if (info.st_dev == scan->device && !excepted)
        g_ptr_array_add (scratch->folders, below);
      else
        {
          if (!excepted)
            skip (scan, below);
          g_free (below);
        }
    }
  return TRUE;
}

/* Returns whether the folder is unchanged, including the order of its names. */
static gboolean
read_entries (Scan *scan, Scratch *scratch, int fd, const char *path, const GadgetTreeFolder *old)
{
  g_autoptr (GHashTable) index = NULL;
  gboolean same = old != NULL && old->n_entries == scratch->entries->len;
  guint n = 0;

  for (guint i = 0; i < scratch->entries->len; i++)
    {
      GadgetTreeEntry *entry = &g_array_index (scratch->entries, GadgetTreeEntry, i);
      const GadgetTreeEntry *before = find_old (old, &index, i, scratch->names->str + entry->name);

      if (!read_entry (scan, scratch, fd, path, entry, before, &same))
        continue;
      if (n != i)
        g_array_index (scratch->entries, GadgetTreeEntry, n) = *entry;
      n++;
    }
  same = same && n == scratch->entries->len;
  g_array_set_size (scratch->entries, n);
  return same && index == NULL;
}

static void
note_times (GadgetTreeFolder *folder, const struct stat *info, gint64 read_at)
{
  GadgetTreeEntry own;

  _gadget_entry_set_stat (&own, info);
  folder->mtime = own.mtime;
  folder->ctime = own.ctime;
  folder->racy = gadget_file_clock_is_racy (own.ctime, read_at);
}

static gboolean
has_same_times (const GadgetTreeFolder *old, const struct stat *info)
{
  GadgetTreeEntry own;

  _gadget_entry_set_stat (&own, info);
  return old != NULL && !old->racy && old->mtime == own.mtime && old->ctime == own.ctime;
}

static GadgetTreeFolder *
scan_folder (Scan *scan, Scratch *scratch, const char *path)
{
  GadgetTreeFolder *old =
      scan->old_tree != NULL ? g_hash_table_lookup (scan->old_tree->folders, path) : NULL;
  const gint64 read_at = gadget_file_clock_get ();
  g_autofd int fd = _gadget_scan_open (scan->top, path, FOLDER_FLAGS);
  GadgetTreeFolder *folder;
  struct stat info;

  g_array_set_size (scratch->entries, 0);
  g_string_truncate (scratch->names, 0);
  g_ptr_array_set_size (scratch->folders, 0);
  /* The folder is gone, or is not a folder any more: its entry, which was read a moment ago, is all
   * that is recorded. */
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
    return NULL;
  if (fd < 0 || fstat (fd, &info) != 0 || info.st_dev != scan->device)
    {
      skip (scan, path);
      return NULL;
    }
  if (scan->has_times && has_same_times (old, &info))
    take_names (scratch, old);
  else if (!read_names (scan, scratch, fd))
    {
      skip (scan, path);
      return NULL;
    }
  if (read_entries (scan, scratch, fd, path, old) && has_same_times (old, &info))
    return _gadget_tree_folder_ref (old);
  folder = _gadget_tree_folder_new (path, scratch->entries, scratch->names);
  note_times (folder, &info, read_at);
  return folder;
}

/* --- All folders -------------------------------------------------------------------------------
 */

static gboolean
is_stopping (Scan *scan)
{
  return scan->stopping != NULL && g_atomic_int_get (scan->stopping);
}

static char *
take_path (Scan *scan)
{
  char *path = NULL;

  g_mutex_lock (&scan->lock);
  while (scan->pile->len == 0 && scan->n_working > 0)
    {
      scan->n_waiting++;
      g_cond_wait (&scan->changed, &scan->lock);
      scan->n_waiting--;
    }
  if (scan->pile->len > 0 && !is_stopping (scan))
    {
      path = g_ptr_array_steal_index (scan->pile, scan->pile->len - 1);
      scan->n_working++;
    }
  g_mutex_unlock (&scan->lock);
  return path;
}

static void
put_result (Scan *scan, Scratch *scratch, GadgetTreeFolder *folder)
{
  g_mutex_lock (&scan->lock);
  if (folder != NULL && scan->tree->n_entries + folder->n_entries > scan->limits->max_entries)
    {
      g_hash_table_add (scan->tree->skipped, g_strdup (folder->path));
      _gadget_tree_folder_unref (folder);
    }
  else if (folder != NULL)
    {
      _gadget_tree_add (scan->tree, folder);
      for (guint i = 0; i < scratch->folders->len; i++)
        g_ptr_array_add (scan->pile, g_steal_pointer (&scratch->folders->pdata[i]));
    }
  scan->n_working--;
  /* A broadcast costs a system call even when no thread waits. */
  if (scan->n_waiting > 0)
    g_cond_broadcast (&scan->changed);
  g_mutex_unlock (&scan->lock);
}

static gpointer
work (gpointer data)
{
  Scan *scan = data;
  Scratch *scratch = g_new (Scratch, 1);
  char *path;

  scratch->entries = g_array_new (FALSE, TRUE, sizeof (GadgetTreeEntry));
  scratch->names = g_string_new (NULL);
  scratch->folders = g_ptr_array_new_with_free_func (g_free);
  while ((path = take_path (scan)) != NULL)
    {
      put_result (scan, scratch, scan_folder (scan, scratch, path));
      g_free (path);
    }
  g_array_unref (scratch->entries);
  g_string_free (scratch->names, TRUE);
  g_ptr_array_unref (scratch->folders);
  g_free (scratch);
  return NULL;
}

static void
work_in_threads (Scan *scan)
{
  GThread *threads[MAX_THREADS - 1] = { NULL };
  const guint n = MIN (g_get_num_processors (), MAX_THREADS) - 1;

  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_try_new ("gadget-scan", work, scan, NULL);
  work (scan);
  for (guint i = 0; i < n; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
}

GadgetTree *
_gadget_scan_run (int top, const GadgetTree *old_tree, const struct stat *except,
                  const GadgetScanLimits *limits, const int *stopping, GError **error)
{
  Scan scan = {
    .top = top,
    .old_tree = old_tree,
    .except = except,
    .limits = limits,
    .stopping = stopping,
  };
  const gint64 begun = _gadget_unique_timestamp_next ();
  struct stat info;

  if (fstat (top, &info) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return NULL;
    }
  scan.device = info.st_dev;
  scan.has_times = gadget_file_clock_is_own (top);
  g_mutex_init (&scan.lock);
  g_cond_init (&scan.changed);
  scan.pile = g_ptr_array_new_with_free_func (g_free);
  scan.tree = _gadget_tree_new ();
  scan.tree->seen_begin = begun;
  _gadget_entry_set_stat (&scan.tree->top, &info);
  g_ptr_array_add (scan.pile, g_strdup (""));

  work_in_threads (&scan);
  scan.tree->seen_end = _gadget_unique_timestamp_next ();

  g_ptr_array_unref (scan.pile);
  g_cond_clear (&scan.changed);
  g_mutex_clear (&scan.lock);
  if (is_stopping (&scan))
    {
      _gadget_tree_free (scan.tree);
      return NULL;
    }
  return scan.tree;
}
