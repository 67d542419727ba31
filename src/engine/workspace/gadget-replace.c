/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Replaces the content of a file in one step: a process that opens the file at any moment, even
 * after a crash or loss of power, finds either the old or the new content, complete.
 *
 *   nameless file in the same folder ─▶ content ─▶ owner, attributes, mode ─▶ to disk
 *       ─▶ commit ─▶ is it still what was read? ─▶ a hidden name ─▶ renamed over the old one
 *
 * - Before the commit nothing is visible, and if this process ends in any way, nothing is left. If
 *   the file system has no nameless files (O_TMPFILE), and for the microseconds between the last
 *   two steps, the file has a name that begins with HIDDEN. If a killed process left such a file,
 *   the next write in that folder removes it: a process locks the file that it writes, so a file
 *   that is not locked has no owner. Where files cannot be locked, what a killed process left
 * stays.
 * - If there was no file, the new one gets its name by linkat (), which never replaces a file that
 *   was created meanwhile.
 * - The content is on the disk before the rename. The rename itself is not waited for: after a loss
 *   of power the old content may be there, complete, although the saved turn of the chat reports
 *   the new one.
 * - Hard links are broken: the file's other hard links keep the old content. Writing into the file
 *   would change these too, and could not be done in one step.
 * - The mode is kept, except for set-user-ID and, for programs, set-group-ID, which any write
 *   clears.
 *
 * All functions block and run in threads. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#define HIDDEN GADGET_REPLACE_HIDDEN
#define MAX_TRIES 16
#define MAX_SWEPT 4096 /* names of a folder that are examined */
#define BLOCK (1024 * 1024)
#define LINK_AGE_SECONDS 60
/* From this number of files on, one syncfs () for the file system replaces an fsync () for each
 * file. */
#define MIN_AT_ONCE 16

G_DEFINE_QUARK (gadget-replace-error-quark, gadget_replace_error)

struct _GadgetReplacement
{
  GadgetPathLookup *lookup;
  GadgetFileVersion expected;
  int folder; /* where it is written: the folder of LOOKUP before missing folders are created */
  gboolean own_folder;
  int fd;
  char *hidden;  /* (nullable): its name in FOLDER as long as it is not in its place */
  gboolean over; /* replaces whatever LOOKUP found */
  gboolean need_owner;
  gboolean has_mode;
  mode_t mode;
  gboolean synced; /* the content and the mode are on the disk */
  int sync_error;  /* errno of a failed sync, which the kernel reports only once */
};

static gboolean names_forced;

void
gadget_replacement_force_names (gboolean forced)
{
  names_forced = forced;
}

static void
set_error (GError **error, GadgetReplacement *self, int code)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s. Nothing was changed.",
               self->lookup->path, g_strerror (code));
}

static void
set_changed (GError **error, GadgetReplacement *self)
{
  g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED,
               "%s was changed since it was read. Read it again, then repeat this.",
               self->lookup->path);
}

/* The random number comes from the kernel: the generator of GLib gives the same numbers in a
 * process and its fork. */
static char *
make_hidden_name (void)
{
  guint64 number = 0;

  while (getrandom (&number, sizeof number, 0) < 0 && errno == EINTR)
    ;
  return g_strdup_printf (HIDDEN "%016" G_GINT64_MODIFIER "x", number);
}

/* Returns whether no sweep can take the file for one without an owner: it is locked, or no file can
 * be locked here (ENOLCK on network drives, say). A sweep may have come before the lock. */
static gboolean
is_safe (int fd)
{
  struct stat info;

  if (flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return FALSE;
  return fstat (fd, &info) == 0 && info.st_nlink > 0;
}

static gboolean
open_named (GadgetReplacement *self, mode_t mode)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      g_autofree char *name = make_hidden_name ();
      g_autofd int fd =
          openat (self->folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);

      if (fd < 0 && errno == EEXIST)
        continue;
      if (fd < 0)
        return FALSE;
      if (is_safe (fd))
        {
          self->fd = g_steal_fd (&fd);
          self->hidden = g_steal_pointer (&name);
          return TRUE;
        }
    }
  errno = EBUSY;
  return FALSE;
}

static gboolean
open_new (GadgetReplacement *self)
{
  /* A file that replaces a private one is private from the beginning. */
  const mode_t mode = self->lookup->exists || self->over ? 0600 : 0666;

  if (!names_forced)
    self->fd = openat (self->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (self->fd >= 0)
    {
      /* A file without a name cannot be locked by another process. */
      (void) !flock (self->fd, LOCK_EX | LOCK_NB);
      return TRUE;
    }
  if (!names_forced && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
    return FALSE;
  return open_named (self, mode);
}

/* Checks that the file is the one that was read, and may be replaced. */
static gboolean
check_old (GadgetReplacement *self, GError **error)
{
  const GadgetPathLookup *lookup = self->lookup;

  if (lookup->exists && !S_ISREG (lookup->info.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is %s, not a file.",
                   lookup->path, gadget_path_lookup_describe (lookup->info.st_mode));
      return FALSE;
    }
  if (lookup->exists && !self->expected.exists)
    {
      g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_EXISTS,
                   "%s exists, and was not read in this chat. Read it first, then repeat this.",
                   lookup->path);
      return FALSE;
    }
  if (lookup->exists != self->expected.exists
      || (lookup->exists
          && !gadget_file_version_matches (&self->expected, lookup->folder, lookup->name,
                                           &lookup->info)))
    {
      set_changed (error, self);
      return FALSE;
    }
  if (lookup->exists && faccessat (lookup->folder, lookup->name, W_OK, AT_EACCESS) < 0)
    {
      set_error (error, self, errno);
      return FALSE;
    }
  return TRUE;
}

static gboolean
copy_metadata (GadgetReplacement *self, GError **error)
{
  const GadgetPathLookup *lookup = self->lookup;
  g_autofd int old = openat (lookup->folder, lookup->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

  if (old < 0)
    {
      set_error (error, self, errno);
      return FALSE;
    }
  return _gadget_replace_copy_metadata (old, &lookup->info, self->fd, self->need_owner,
                                        lookup->path, error);
}

/* Takes LOOKUP. */
static GadgetReplacement *
replacement_new (GadgetPathLookup *lookup)
{
  GadgetReplacement *self = g_new0 (GadgetReplacement, 1);

  self->lookup = lookup;
  self->own_folder = *lookup->missing != NULL;
  self->folder = self->own_folder ? fcntl (lookup->folder, F_DUPFD_CLOEXEC, 3) : lookup->folder;
  self->fd = -1;
  return self;
}

/**
 * gadget_replacement_new:
 * @lookup: (transfer full): the file
 * @expected: (nullable): the version that was read; %NULL if the file must not exist
 * @need_owner: whether to fail with %GADGET_REPLACE_ERROR_OWNER if the file would belong to another
 *   user or group than before
 * @error: %GADGET_REPLACE_ERROR or %G_IO_ERROR
 *
 * Begins to replace a file.
 *
 * Returns: (transfer full) (nullable): the replacement, to be written to
 */
GadgetReplacement *
gadget_replacement_new (GadgetPathLookup *lookup, const GadgetFileVersion *expected,
                        gboolean need_owner, GError **error)
{
  g_autoptr (GadgetReplacement) self = NULL;

  g_return_val_if_fail (lookup != NULL, NULL);

  self = replacement_new (lookup);
  self->need_owner = need_owner;
  if (expected != NULL)
    self->expected = *expected;
  if (!check_old (self, error))
    return NULL;
  if (!open_new (self))
    {
      set_error (error, self, errno);
      return NULL;
    }
  if (lookup->exists && !copy_metadata (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * gadget_replacement_new_over:
 * @lookup: (transfer full): the file; what the lookup found is replaced
 * @error: %G_IO_ERROR
 *
 * Begins to replace a file that was not read.
 *
 * Returns: (transfer full) (nullable): the replacement, to be written to; unless a mode is set, it
 *   is that of the old file, or 0600 if there was none
 */
GadgetReplacement *
gadget_replacement_new_over (GadgetPathLookup *lookup, GError **error)
{
  g_autoptr (GadgetReplacement) self = NULL;

  g_return_val_if_fail (lookup != NULL, NULL);

  self = replacement_new (lookup);
  self->over = TRUE;
  if (lookup->exists && S_ISDIR (lookup->info.st_mode))
    {
      set_error (error, self, EISDIR);
      return NULL;
    }
  if (!open_new (self))
    {
      set_error (error, self, errno);
      return NULL;
    }
  if (lookup->exists && S_ISREG (lookup->info.st_mode) && !copy_metadata (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
gadget_replacement_free (GadgetReplacement *self)
{
  if (self->hidden != NULL)
    unlinkat (self->folder, self->hidden, 0);
  if (self->fd >= 0)
    close (self->fd);
  if (self->own_folder && self->folder >= 0)
    close (self->folder);
  gadget_path_lookup_free (self->lookup);
  g_free (self->hidden);
  g_free (self);
}

/* gadget_replacement_get_fd: returns a descriptor for writing the new content, which the
 * replacement closes. (transfer none) */
int
gadget_replacement_get_fd (GadgetReplacement *self)
{
  return self->fd;
}

/**
 * gadget_replacement_set_mode:
 * @mode: permissions such as 0644; other bits than those of chmod () are ignored
 *
 * Without this, the mode is that of the old file.
 */
void
gadget_replacement_set_mode (GadgetReplacement *self, mode_t mode)
{
  self->has_mode = TRUE;
  self->mode = mode & 07777;
}

/**
 * gadget_replacement_write:
 * @data: what comes next of the content
 * @length: in bytes
 * @cancellable: (nullable): stops between two blocks
 *
 * Appends to the new content, of which nobody sees anything before the commit. Blocks.
 *
 * Returns: whether all of it is written; else @error is a %G_IO_ERROR, %G_IO_ERROR_CANCELLED after
 *   a stop
 */
gboolean
gadget_replacement_write (GadgetReplacement *self, const void *data, gsize length,
                          GCancellable *cancellable, GError **error)
{
  const char *rest = data;

  g_return_val_if_fail (self != NULL && (data != NULL || length == 0), FALSE);

  while (length > 0)
    {
      ssize_t n;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      n = write (self->fd, rest, MIN (length, BLOCK));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          set_error (error, self, errno);
          return FALSE;
        }
      rest += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* Compares two files. The ctime does not count, since it also changes when another hard link is
 * removed. */
static gboolean
is_same_file (const struct stat *a, const struct stat *b)
{
  return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_mode == b->st_mode
         && a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec
         && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static gboolean
is_expected (GadgetReplacement *self)
{
  return self->over ? self->lookup->exists : self->expected.exists;
}

static gboolean
is_unchanged (GadgetReplacement *self)
{
  const GadgetPathLookup *lookup = self->lookup;
  struct stat info;

  if (fstatat (lookup->folder, lookup->name, &info, AT_SYMLINK_NOFOLLOW) < 0)
    return errno == ENOENT && !is_expected (self);
  if (self->over)
    return lookup->exists && is_same_file (&info, &lookup->info);
  return gadget_file_version_matches (&self->expected, lookup->folder, lookup->name, &info);
}

/* Gives the nameless file a name, which must be free. */
static gboolean
link_as (GadgetReplacement *self, const char *name)
{
  g_autofree char *nameless = g_strdup_printf ("/proc/self/fd/%d", self->fd);

  return linkat (AT_FDCWD, nameless, self->lookup->folder, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Puts the file into its place if there was none, without replacing one that was created
 * meanwhile. */
static gboolean
put_new (GadgetReplacement *self)
{
  const GadgetPathLookup *lookup = self->lookup;
  gboolean done;

  if (self->hidden == NULL)
    return link_as (self, lookup->name);
  done =
      renameat2 (self->folder, self->hidden, lookup->folder, lookup->name, RENAME_NOREPLACE) == 0;
  if (!done && (errno == EINVAL || errno == ENOSYS) && is_unchanged (self))
    done = renameat (self->folder, self->hidden, lookup->folder, lookup->name) == 0;
  if (done)
    g_clear_pointer (&self->hidden, g_free);
  return done;
}

static gboolean
put_over_old (GadgetReplacement *self)
{
  const GadgetPathLookup *lookup = self->lookup;

  for (int tries = 0; self->hidden == NULL && tries < MAX_TRIES; tries++)
    {
      g_autofree char *name = make_hidden_name ();

      if (link_as (self, name))
        self->hidden = g_steal_pointer (&name);
      else if (errno != EEXIST)
        return FALSE;
    }
  if (self->hidden == NULL
      || renameat (self->folder, self->hidden, lookup->folder, lookup->name) < 0)
    return FALSE;
  g_clear_pointer (&self->hidden, g_free);
  return TRUE;
}

/* Returns whether NAME is a symbolic link that a killed process left. Links cannot be locked, but
 * have such a name for microseconds only, so an old one has no owner. */
static gboolean
is_left_link (int folder, const char *name)
{
  struct stat info;

  return fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK (info.st_mode)
         && info.st_uid == geteuid ()
         && info.st_ctim.tv_sec + LINK_AGE_SECONDS < g_get_real_time () / G_USEC_PER_SEC;
}

void
gadget_replacement_sweep (int folder)
{
  const int fd = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *entry;

  if (dir == NULL)
    return;
  for (int n = 0; n < MAX_SWEPT && (entry = readdir (dir)) != NULL; n++)
    {
      g_autofd int left = -1;
      struct stat info;

      if (!g_str_has_prefix (entry->d_name, HIDDEN))
        continue;
      left = openat (folder, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
      if (is_left_link (folder, entry->d_name)
          || (left >= 0 && fstat (left, &info) == 0 && S_ISREG (info.st_mode)
              && info.st_uid == geteuid () && flock (left, LOCK_EX | LOCK_NB) == 0))
        unlinkat (folder, entry->d_name, 0);
    }
  closedir (dir);
}

/* Sets the mode. Returns whether that worked, or no mode is to be set. */
static gboolean
apply_mode (GadgetReplacement *self)
{
  mode_t mode = self->mode;

  if (!self->has_mode && self->lookup->exists)
    {
      mode = self->lookup->info.st_mode & 07777 & ~(mode_t) S_ISUID;
      if ((mode & S_IXGRP) != 0)
        mode &= ~(mode_t) S_ISGID;
    }
  return (!self->has_mode && !self->lookup->exists) || fchmod (self->fd, mode) == 0;
}

/* Each fsync () would make the disk flush its cache; syncfs () does it once, but also waits for
 * what other processes have written. Returns FALSE if it is not possible or fails: then fsync ()
 * reports the error of each file. */
static gboolean
sync_at_once (GPtrArray *replacements)
{
  struct stat first;

  if (replacements->len < MIN_AT_ONCE)
    return FALSE;
  for (guint i = 0; i < replacements->len; i++)
    {
      const GadgetReplacement *self = g_ptr_array_index (replacements, i);
      struct stat info;

      if (fstat (self->fd, i == 0 ? &first : &info) != 0 || (i > 0 && info.st_dev != first.st_dev))
        return FALSE;
    }
  return syncfs (((const GadgetReplacement *) g_ptr_array_index (replacements, 0))->fd) == 0;
}

static void
sync_each (GPtrArray *replacements)
{
  for (guint i = 0; i < replacements->len; i++)
    {
      const GadgetReplacement *self = g_ptr_array_index (replacements, i);

      /* Writing starts for all files, so that the first fsync () takes the others along. */
      (void) !sync_file_range (self->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    }
  for (guint i = 0; i < replacements->len; i++)
    {
      GadgetReplacement *self = g_ptr_array_index (replacements, i);

      if (!self->synced)
        continue;
      self->synced = fsync (self->fd) == 0;
      self->sync_error = self->synced ? 0 : errno;
    }
}

/**
 * gadget_replacement_sync:
 * @replacements: (element-type GadgetReplacement): replacements whose content is written
 *
 * Waits until all of them are on the disk, which takes not much longer than for one. If that fails
 * for one of them, its commit fails and reports the error.
 */
void
gadget_replacement_sync (GPtrArray *replacements)
{
  for (guint i = 0; i < replacements->len; i++)
    {
      GadgetReplacement *self = g_ptr_array_index (replacements, i);

      self->synced = apply_mode (self);
    }
  if (!sync_at_once (replacements))
    sync_each (replacements);
}

static gboolean
prepare (GadgetReplacement *self, GError **error)
{
  if (self->synced)
    return TRUE;
  if (self->sync_error == 0 && apply_mode (self) && fsync (self->fd) == 0)
    return TRUE;
  set_error (error, self, self->sync_error != 0 ? self->sync_error : errno);
  return FALSE;
}

/**
 * gadget_replacement_commit:
 * @self: the replacement
 * @job: (nullable): the blocking work that calls this. A cancellation before its commit point
 *   leaves nothing; after it the work's result is what happened
 * @version: (out) (optional): the version of the file now
 * @error: %GADGET_REPLACE_ERROR_CHANGED, or %G_IO_ERROR, including %G_IO_ERROR_CANCELLED
 *
 * Puts the new content into its place. To be called once.
 *
 * Returns: whether it is in its place; if not, nothing was changed
 */
gboolean
gadget_replacement_commit (GadgetReplacement *self, GadgetBlocking *job, GadgetFileVersion *version,
                           GError **error)
{
  struct stat info;
  gboolean done;

  g_return_val_if_fail (self != NULL && self->fd >= 0, FALSE);

  if (!prepare (self, error))
    return FALSE;
  if (job != NULL && !gadget_blocking_commit (job))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
      return FALSE;
    }
  if (!gadget_path_lookup_make_folders (self->lookup, error))
    return FALSE;
  if (!is_unchanged (self))
    {
      gadget_path_lookup_unmake_folders (self->lookup);
      set_changed (error, self);
      return FALSE;
    }
  done = is_expected (self) ? put_over_old (self) : put_new (self);
  if (!done)
    {
      const int code = errno;

      gadget_path_lookup_unmake_folders (self->lookup);
      if (code == EEXIST && !is_expected (self))
        set_changed (error, self);
      else
        set_error (error, self, code);
      return FALSE;
    }
  if (version != NULL && fstat (self->fd, &info) == 0)
    gadget_file_version_init (version, &info);
  if (!self->over)
    gadget_replacement_sweep (self->folder);
  g_clear_fd (&self->fd, NULL);
  return TRUE;
}
