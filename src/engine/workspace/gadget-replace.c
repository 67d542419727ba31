/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file's new content replaces the old one in one step: whoever opens it, at any moment, whatever
 * is killed or loses power, finds the one or the other, whole.
 *
 *   nameless file in the same folder ─▶ content ─▶ owner, attributes, mode ─▶ to disk
 *       ─▶ commit ─▶ is it still what was read? ─▶ a hidden name ─▶ renamed over the old one
 *
 * - Up to the commit nothing can be seen, and when this process ends, in whatever way, nothing is
 *   left. Where the file system has no nameless files (O_TMPFILE), and for the microseconds between
 *   the two last steps, the file has a name that begins with HIDDEN. One that a killed process left
 *   is removed by the next that writes in that folder: whoever writes holds a lock on his, so one
 *   that is not locked is nobody's.
 * - A file that was not there gets its name by linkat (), which never replaces one that somebody
 * else made meanwhile.
 * - The content is on the disk before the rename is. The rename itself is not waited for: after a
 *   loss of power the old content may be there, whole, as may the turn that told of the new one.
 * - A hard link is given up: the other names of the file keep the old content. Writing into the
 * file would change them too, and could not be done in one step.
 * - The mode stays, but for "set user ID" and, for programs, "set group ID": as with any write.
 */

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
#define MAX_SWEPT 4096 /* names of a folder that are looked at */
#define BLOCK (1024 * 1024)
#define LINK_AGE_SECONDS 60
/* So many files are waited for together with all else that is written to their disk. */
#define MIN_AT_ONCE 16

G_DEFINE_QUARK (gadget-replace-error-quark, gadget_replace_error)

struct _GadgetReplacement
{
  GadgetPlace *place;
  GadgetStamp expected;
  int folder; /* where it is written: the place's, before missing folders were made */
  gboolean own_folder;
  int fd;
  char *hidden;  /* (nullable): its name there as long as it is not in its place */
  gboolean over; /* whatever the place says is there is replaced */
  gboolean need_owner;
  gboolean has_mode;
  mode_t mode;
  gboolean synced; /* it is on the disk as it is to be */
  int sync_error;  /* why it is not; the kernel says so only once */
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
               self->place->path, g_strerror (code));
}

static void
set_changed (GError **error, GadgetReplacement *self)
{
  g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_CHANGED,
               "%s was changed since it was read. Read it again, then repeat this.",
               self->place->path);
}

/* Of the kernel's numbers: GLib's are the same in two processes of which one is the other's copy.
 */
static char *
make_hidden_name (void)
{
  guint64 number = 0;

  while (getrandom (&number, sizeof number, 0) < 0 && errno == EINTR)
    ;
  return g_strdup_printf (HIDDEN "%016" G_GINT64_MODIFIER "x", number);
}

/* Nobody sweeps what is locked; what was swept before it was locked has no name any more. */
static gboolean
is_locked (int fd)
{
  struct stat info;

  return flock (fd, LOCK_EX | LOCK_NB) == 0 && fstat (fd, &info) == 0 && info.st_nlink > 0;
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
      if (is_locked (fd))
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
  /* What replaces a private file is private from the beginning. */
  const mode_t mode = self->place->exists || self->over ? 0600 : 0666;

  if (!names_forced)
    self->fd = openat (self->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (self->fd >= 0)
    return flock (self->fd, LOCK_EX | LOCK_NB) == 0;
  if (!names_forced && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
    return FALSE;
  return open_named (self, mode);
}

/* What is there is what was read, and may be replaced. */
static gboolean
check_old (GadgetReplacement *self, GError **error)
{
  const GadgetPlace *place = self->place;

  if (place->exists && !S_ISREG (place->info.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is %s, not a file.",
                   place->path, gadget_place_describe (place->info.st_mode));
      return FALSE;
    }
  if (place->exists && !self->expected.exists)
    {
      g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_EXISTS,
                   "%s exists, and was not read in this chat. Read it first, then repeat this.",
                   place->path);
      return FALSE;
    }
  if (place->exists != self->expected.exists
      || (place->exists
          && !gadget_stamp_matches (&self->expected, place->folder, place->name, &place->info)))
    {
      set_changed (error, self);
      return FALSE;
    }
  if (place->exists && faccessat (place->folder, place->name, W_OK, AT_EACCESS) < 0)
    {
      set_error (error, self, errno);
      return FALSE;
    }
  return TRUE;
}

static gboolean
copy_metadata (GadgetReplacement *self, GError **error)
{
  const GadgetPlace *place = self->place;
  g_autofd int old = openat (place->folder, place->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

  if (old < 0)
    {
      set_error (error, self, errno);
      return FALSE;
    }
  return _gadget_replace_copy_metadata (old, &place->info, self->fd, self->need_owner, place->path,
                                        error);
}

/* Takes the place. */
static GadgetReplacement *
replacement_new (GadgetPlace *place)
{
  GadgetReplacement *self = g_new0 (GadgetReplacement, 1);

  self->place = place;
  self->own_folder = *place->missing != NULL;
  self->folder = self->own_folder ? fcntl (place->folder, F_DUPFD_CLOEXEC, 3) : place->folder;
  self->fd = -1;
  return self;
}

/**
 * gadget_replacement_new:
 * @place: (transfer full): where
 * @expected: (nullable): what the file was when it was read; %NULL where there must be none
 * @need_owner: whether it fails with %GADGET_REPLACE_ERROR_OWNER when the file would belong to
 *   another user or group than before
 *
 * Returns: (nullable): for its content to be written
 */
GadgetReplacement *
gadget_replacement_new (GadgetPlace *place, const GadgetStamp *expected, gboolean need_owner,
                        GError **error)
{
  g_autoptr (GadgetReplacement) self = NULL;

  g_return_val_if_fail (place != NULL, NULL);

  self = replacement_new (place);
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
  if (place->exists && !copy_metadata (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * gadget_replacement_new_over:
 * @place: (transfer full): where; what it says is there is what will be replaced
 * @with_metadata: whether it has the owner and the attributes of that; the caller sets them itself
 *   otherwise
 *
 * Returns: (nullable): for its content to be written; it has mode 0600 unless another is set
 */
GadgetReplacement *
gadget_replacement_new_over (GadgetPlace *place, gboolean with_metadata, GError **error)
{
  g_autoptr (GadgetReplacement) self = NULL;

  g_return_val_if_fail (place != NULL, NULL);

  self = replacement_new (place);
  self->over = TRUE;
  if (place->exists && S_ISDIR (place->info.st_mode))
    {
      set_error (error, self, EISDIR);
      return NULL;
    }
  if (!open_new (self))
    {
      set_error (error, self, errno);
      return NULL;
    }
  if (with_metadata && place->exists && S_ISREG (place->info.st_mode)
      && !copy_metadata (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* One that was not committed leaves nothing. */
void
gadget_replacement_free (GadgetReplacement *self)
{
  if (self->hidden != NULL)
    unlinkat (self->folder, self->hidden, 0);
  if (self->fd >= 0)
    close (self->fd);
  if (self->own_folder && self->folder >= 0)
    close (self->folder);
  gadget_place_free (self->place);
  g_free (self->hidden);
  g_free (self);
}

int
gadget_replacement_get_fd (GadgetReplacement *self)
{
  return self->fd;
}

/* Another mode than the old one's. */
void
gadget_replacement_set_mode (GadgetReplacement *self, mode_t mode)
{
  self->has_mode = TRUE;
  self->mode = mode & 07777;
}

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

/* Not by its time of change, which another name of it that is given up changes as well. */
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
  return self->over ? self->place->exists : self->expected.exists;
}

static gboolean
is_unchanged (GadgetReplacement *self)
{
  const GadgetPlace *place = self->place;
  struct stat info;

  if (fstatat (place->folder, place->name, &info, AT_SYMLINK_NOFOLLOW) < 0)
    return errno == ENOENT && !is_expected (self);
  if (self->over)
    return place->exists && is_same_file (&info, &place->info);
  return gadget_stamp_matches (&self->expected, place->folder, place->name, &info);
}

/* Gives the nameless file a name that must be free. */
static gboolean
link_as (GadgetReplacement *self, const char *name)
{
  g_autofree char *nameless = g_strdup_printf ("/proc/self/fd/%d", self->fd);

  return linkat (AT_FDCWD, nameless, self->place->folder, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Where there was no file: without replacing one that somebody made meanwhile. */
static gboolean
put_new (GadgetReplacement *self)
{
  const GadgetPlace *place = self->place;
  gboolean done;

  if (self->hidden == NULL)
    return link_as (self, place->name);
  done = renameat2 (self->folder, self->hidden, place->folder, place->name, RENAME_NOREPLACE) == 0;
  if (!done && (errno == EINVAL || errno == ENOSYS) && is_unchanged (self))
    done = renameat (self->folder, self->hidden, place->folder, place->name) == 0;
  if (done)
    g_clear_pointer (&self->hidden, g_free);
  return done;
}

static gboolean
put_over_old (GadgetReplacement *self)
{
  const GadgetPlace *place = self->place;

  for (int tries = 0; self->hidden == NULL && tries < MAX_TRIES; tries++)
    {
      g_autofree char *name = make_hidden_name ();

      if (link_as (self, name))
        self->hidden = g_steal_pointer (&name);
      else if (errno != EEXIST)
        return FALSE;
    }
  if (self->hidden == NULL || renameat (self->folder, self->hidden, place->folder, place->name) < 0)
    return FALSE;
  g_clear_pointer (&self->hidden, g_free);
  return TRUE;
}

/* A link cannot be locked, and has such a name for microseconds: an old one is nobody's. */
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

/* Returns whether it has the mode that it is to have. */
static gboolean
apply_mode (GadgetReplacement *self)
{
  mode_t mode = self->mode;

  if (!self->has_mode && self->place->exists)
    {
      mode = self->place->info.st_mode & 07777 & ~(mode_t) S_ISUID;
      if ((mode & S_IXGRP) != 0)
        mode &= ~(mode_t) S_ISGID;
    }
  return (!self->has_mode && !self->place->exists) || fchmod (self->fd, mode) == 0;
}

/* Each of its files would make the disk empty its cache; whatever others have written to it since
 * is waited for instead. Where that is not possible or fails, each file tells for itself. */
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

      /* It begins for all, so that the first that is waited for takes the others along. */
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
 * @replacements: (element-type GadgetReplacement): some whose contents are written
 *
 * Waits until all of them are on the disk, which takes not much longer than for one. For one that
 * this fails for, its commit fails as well, and says why.
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
 * @job: (nullable): the blocking work that this is in: before it is told, a stop leaves nothing,
 * and afterwards what happened is what is answered
 * @stamp: (out) (optional): what the file is now
 *
 * Puts the new content into its place, once.
 *
 * Returns: whether it is there; if not, nothing was changed
 */
gboolean
gadget_replacement_commit (GadgetReplacement *self, GadgetBlocking *job, GadgetStamp *stamp,
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
  if (!gadget_place_make_folders (self->place, error))
    return FALSE;
  if (!is_unchanged (self))
    {
      gadget_place_unmake_folders (self->place);
      set_changed (error, self);
      return FALSE;
    }
  done = is_expected (self) ? put_over_old (self) : put_new (self);
  if (!done)
    {
      const int code = errno;

      gadget_place_unmake_folders (self->place);
      if (code == EEXIST && !is_expected (self))
        set_changed (error, self);
      else
        set_error (error, self, code);
      return FALSE;
    }
  if (stamp != NULL && fstat (self->fd, &info) == 0)
    gadget_stamp_init (stamp, &info);
  if (!self->over)
    gadget_replacement_sweep (self->folder);
  g_clear_fd (&self->fd, NULL);
  return TRUE;
}
