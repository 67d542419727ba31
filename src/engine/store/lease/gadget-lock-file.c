/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The locks are open-file-description locks (F_OFD_SETLK), for three reasons. A lock belongs to the
 * descriptor, so two holders within one process exclude each other too; the kernel releases it when
 * the process dies, so it cannot be left behind; and F_OFD_GETLK queries it without taking it, so a
 * query never makes another holder's attempt fail. The descriptor is close-on-exec: a tool that
 * outlives this process does not keep the lock.
 *
 * The last holder removes the file. Between opening and locking it, another process may have
 * removed it; then the lock is on a file without a name, which excludes nobody, so taking the lock
 * starts again.
 *
 * These functions take some tens of microseconds, on files with hardly any content, and are called
 * on the main context. They touch no shared state and may be called on the store's thread as
 * well. */

#define G_LOG_DOMAIN "gadget-lease"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gadget-lock-file.h"

#define MAX_ID_LENGTH 128
#define MAX_ATTEMPTS 100

/* Ids may come from other programs, so the id must not be able to leave the folder. */
char *
_gadget_lock_file_make_path (const char *directory, const char *session_id, const char *suffix)
{
  gsize length = strlen (session_id);

  if (length == 0 || length > MAX_ID_LENGTH)
    return NULL;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (session_id[i]) && session_id[i] != '-' && session_id[i] != '_')
      return NULL;

  g_autofree char *name = g_strconcat (session_id, ".", suffix, NULL);

  return g_build_filename (directory, "leases", name, NULL);
}

static void
set_errno_error (GError **error, const char *path, int saved_errno)
{
  g_set_error (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_FAILED, "%s: %s", path,
               g_strerror (saved_errno));
}

gboolean
_gadget_lock_file_has_name (int fd, const char *path)
{
  struct stat opened;
  struct stat named;

  return fstat (fd, &opened) == 0 && stat (path, &named) == 0 && opened.st_ino == named.st_ino
         && opened.st_dev == named.st_dev;
}

/* Returns the locked descriptor, -1 with @error, or -2 if the file was removed meanwhile. */
static int
open_and_lock (const char *path, short type, GError **error)
{
  struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd < 0)
    {
      set_errno_error (error, path, errno);
      return -1;
    }
  if (fcntl (fd, F_OFD_SETLK, &lock) != 0)
    {
      int saved_errno = errno;

      close (fd);
      if (saved_errno == EAGAIN || saved_errno == EACCES)
        g_set_error_literal (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_BUSY,
                             "the session has an active turn already");
      else
        set_errno_error (error, path, saved_errno);
      return -1;
    }
  if (!_gadget_lock_file_has_name (fd, path))
    {
      close (fd);
      return -2;
    }
  return fd;
}

int
_gadget_lock_file_take (const char *path, short type, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = -2;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      set_errno_error (error, folder, errno);
      return -1;
    }
  for (guint i = 0; i < MAX_ATTEMPTS && fd == -2; i++)
    fd = open_and_lock (path, type, error);
  if (fd != -2)
    return fd;
  g_set_error_literal (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_BUSY,
                       "the session's lock file keeps changing");
  return -1;
}
