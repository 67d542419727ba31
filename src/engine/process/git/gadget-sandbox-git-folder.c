/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists one folder of a workspace: the folders in it, links that other version control systems
 * would follow to their folders, and whether it may contain or be a repository.
 *
 * A name cannot appear, vanish, or stand for another file without changing the folder's ctime,
 * which no program can set. So a folder need not be listed again while it is the same folder with
 * the same ctime. There are three exceptions: it was listed so soon after a change that a further
 * change could have the same time; it is on another file system than the workspace; or that file
 * system does not use the kernel's clock. The content of the folders below and of files is not
 * covered. Runs in threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-file-clock.h"
#include "gadget-sandbox-git-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define NAMES_BUFFER (32 * 1024)
#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

/* Git needs no permission to list a folder whose files it opens by name. A command may have removed
 * that permission to hide files: then it is restored. Returns FALSE if the folder stays closed. */
static gboolean
open_up (int folder, const char *base, const struct timespec *begun)
{
  struct stat info;

  if (access (base, R_OK | X_OK) == 0)
    return TRUE;
  return fstat (folder, &info) == 0 && begun != NULL && _gadget_git_is_since (&info, begun)
         && chmod (base, (info.st_mode & 07777) | 0700) == 0;
}

static gboolean
is_open (int folder)
{
  struct stat info;

  return fstat (folder, &info) == 0 && info.st_uid == geteuid ()
         && (info.st_mode & (S_IRUSR | S_IXUSR)) == (S_IRUSR | S_IXUSR);
}

static const char *
get_name (const char *path)
{
  return *path != '\0' ? path : ".";
}

/* Returns -1 if the folder cannot be listed. There may be a hundred thousand folders; nearly all
 * belong to the user, and take two system calls. *CLOSED becomes TRUE if not all of its content can
 * be seen. */
static int
open_folder (int top, const char *name, const struct timespec *begun, gboolean *closed)
{
  g_autofd int open = _gadget_git_open_at (top, name, O_RDONLY | O_DIRECTORY);
  g_autofd int folder = -1;
  g_autofree char *base = NULL;

  if (open >= 0 && is_open (open))
    return g_steal_fd (&open);
  folder = _gadget_git_open_at (top, name, O_PATH | O_DIRECTORY);
  if (folder < 0)
    return -1;
  base = _gadget_git_dup_base (folder);
  *closed = !open_up (folder, base, begun);
  return _gadget_git_reopen (base, O_RDONLY | O_DIRECTORY);
}

static mode_t
get_type (int folder, const struct dirent64 *entry)
{
  struct stat info;

  if (entry->d_type != DT_UNKNOWN)
    return DTTOIF (entry->d_type);
  return fstatat (folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_mode & S_IFMT
                                                                          : 0;
}

static gboolean
is_wanted (int folder, const struct dirent64 *entry)
{
  static const char *const unwanted[] = { ".", "..", ".git", NULL };
  const mode_t type = get_type (folder, entry);

  if (type == S_IFLNK)
    return _gadget_git_is_other (entry->d_name);
  return type == S_IFDIR && !g_strv_contains (unwanted, entry->d_name);
}

/* Returns FALSE if not all names were read. */
static gboolean
read_names (GadgetGitFolder *self, int fd, guint max_names)
{
  char buffer[NAMES_BUFFER] __attribute__ ((aligned (16)));
  ssize_t n;

  while ((n = getdents64 (fd, buffer, sizeof buffer)) > 0)
    for (ssize_t at = 0; at < n;)
      {
        const struct dirent64 *entry = (const struct dirent64 *) (buffer + at);

        if (self->n_names >= max_names)
          return FALSE;
        at += entry->d_reclen;
        self->n_names++;
        if (is_wanted (fd, entry))
          g_string_append_len (self->below, entry->d_name, (gssize) strlen (entry->d_name) + 1);
      }
  return n == 0;
}

static gboolean
has (int folder, const char *name)
{
  struct stat info;

  return fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

static gint64
to_ns (const struct timespec *time)
{
  return (gint64) time->tv_sec * NS_PER_SECOND + time->tv_nsec;
}

static void
folder_clear (gpointer data)
{
  GadgetGitFolder *self = data;

  g_string_free (self->below, TRUE);
}

void
_gadget_git_folder_unref (GadgetGitFolder *self)
{
  g_atomic_rc_box_release_full (self, folder_clear);
}

/**
 * _gadget_git_folder_list:
 * @top: descriptor of the workspace
 * @path: a path below it
 * @begun: (nullable): when the command began that may have closed the folder
 * @device: the device of the workspace if its times can be relied on; otherwise 0
 * @max_names: listing ends after so many names
 *
 * Returns: (transfer full): the content of the folder
 */
GadgetGitFolder *
_gadget_git_folder_list (int top, const char *path, const struct timespec *begun, dev_t device,
                         guint max_names)
{
  GadgetGitFolder *self = g_atomic_rc_box_new0 (GadgetGitFolder);
  const gint64 read_at = gadget_file_clock_get ();
  g_autofd int fd = open_folder (top, get_name (path), begun, &self->closed);
  struct stat info = { 0 };
  gboolean whole;

  self->below = g_string_new (NULL);
  whole = fd >= 0 && fstat (fd, &info) == 0 && read_names (self, fd, max_names);
  /* Files in a folder that cannot be listed can still be opened by their names. */
  self->may_be_repository = fd < 0 || self->closed || has (fd, ".git") || has (fd, "HEAD");
  self->device = info.st_dev;
  self->inode = info.st_ino;
  self->changed = info.st_ctim;
  self->lasts = whole && !self->closed && device != 0 && info.st_dev == device
                && !gadget_file_clock_is_racy (to_ns (&info.st_ctim), read_at);
  return self;
}

/**
 * _gadget_git_folder_is_same:
 * @self: a listed folder
 * @top: descriptor of the workspace
 * @path: a path below it
 *
 * Returns: whether @self is still the content of the folder
 */
gboolean
_gadget_git_folder_is_same (const GadgetGitFolder *self, int top, const char *path)
{
  struct stat info;

  return self->lasts && fstatat (top, get_name (path), &info, AT_SYMLINK_NOFOLLOW) == 0
         && info.st_dev == self->device && info.st_ino == self->inode
         && info.st_ctim.tv_sec == self->changed.tv_sec
         && info.st_ctim.tv_nsec == self->changed.tv_nsec;
}
