/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A lease is a lock file held open: `leases/SESSION.lock` in the data folder.
 *
 * The lock is an open-file-description lock (F_OFD_SETLK), for three reasons. It belongs to the
 * descriptor, so that two holders within one process exclude each other too; the kernel drops it
 * with the process, so that it cannot be left behind; and F_OFD_GETLK asks about it without taking
 * it, so that a look never makes somebody else's attempt fail. The descriptor is close-on-exec: a
 * tool that outlives us does not keep the lease.
 *
 * The file is removed on release. Between opening and locking it, another process may have removed
 * it; then the lock is on a file without a name, which excludes nobody, and we start again.
 *
 * These calls take some tens of microseconds, on files without content, and are made on the main
 * context: a run must be registered with its lease before its start is acknowledged. They touch no
 * shared state and may be called on the store's thread as well. */

#define G_LOG_DOMAIN "gadget-lease"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gadget-lease.h"

#define MAX_ID_LENGTH 128
#define MAX_ATTEMPTS 100

struct _GadgetLease
{
  char *path;
  int fd;
};

G_DEFINE_QUARK (gadget - lease - error - quark, gadget_lease_error)

/* Ids may come from outside; one that is not a plain name is no session's. */
static char *
make_path (const char *directory, const char *session_id)
{
  gsize length = strlen (session_id);

  if (length == 0 || length > MAX_ID_LENGTH)
    return NULL;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (session_id[i]) && session_id[i] != '-' && session_id[i] != '_')
      return NULL;

  g_autofree char *name = g_strconcat (session_id, ".lock", NULL);

  return g_build_filename (directory, "leases", name, NULL);
}

static void
set_errno_error (GError **error, const char *path, int saved_errno)
{
  g_set_error (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_FAILED, "%s: %s", path,
               g_strerror (saved_errno));
}

static gboolean
still_has_name (int fd, const char *path)
{
  struct stat opened;
  struct stat named;

  return fstat (fd, &opened) == 0 && stat (path, &named) == 0 && opened.st_ino == named.st_ino
         && opened.st_dev == named.st_dev;
}

/* Returns the locked descriptor, -1 with @error, or -2: the file went away meanwhile. */
static int
open_and_lock (const char *path, GError **error)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
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
  if (!still_has_name (fd, path))
    {
      close (fd);
      return -2;
    }
  return fd;
}

/**
 * gadget_lease_acquire:
 * @directory: the data folder, see gadget_store_get_directory ()
 * @session_id: letters, digits, '-' and '_' only
 *
 * Takes the session's lease if nobody has it; never waits.
 *
 * Returns: (transfer full) (nullable): the lease, to be freed with gadget_lease_release (); else
 *   @error is a #GadgetLeaseError
 */
GadgetLease *
gadget_lease_acquire (const char *directory, const char *session_id, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;
  int fd = -2;

  g_return_val_if_fail (directory != NULL && session_id != NULL, NULL);

  path = make_path (directory, session_id);
  if (path == NULL)
    {
      g_set_error_literal (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_FAILED,
                           "this cannot be a session's id");
      return NULL;
    }
  folder = g_path_get_dirname (path);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      set_errno_error (error, folder, errno);
      return NULL;
    }
  for (guint i = 0; i < MAX_ATTEMPTS && fd == -2; i++)
    fd = open_and_lock (path, error);
  if (fd == -2)
    g_set_error_literal (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_BUSY,
                         "the session's lock file keeps changing");
  if (fd < 0)
    return NULL;

  GadgetLease *self = g_new0 (GadgetLease, 1);

  self->path = g_steal_pointer (&path);
  self->fd = fd;
  return self;
}

/**
 * gadget_lease_release:
 * @self: (transfer full): a lease
 */
void
gadget_lease_release (GadgetLease *self)
{
  g_return_if_fail (self != NULL);

  /* In this order: without the name first, nobody can lock what is about to be removed. */
  if (still_has_name (self->fd, self->path))
    g_unlink (self->path);
  close (self->fd);
  g_free (self->path);
  g_free (self);
}

/**
 * gadget_lease_is_held:
 *
 * Asks without taking it. The answer is of the moment: a lease that is not held may be taken at
 * once. One that was held when a turn was written, and is not now, was released or its owner died.
 *
 * Returns: whether this or another process has the session's lease; %TRUE also when it cannot be
 *   told, so that nobody's turn is repaired on a guess
 */
gboolean
gadget_lease_is_held (const char *directory, const char *session_id)
{
  g_autofree char *path = NULL;
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  gboolean held;
  int fd;

  g_return_val_if_fail (directory != NULL && session_id != NULL, FALSE);

  path = make_path (directory, session_id);
  if (path == NULL)
    return FALSE;
  /* Not for writing: see gadget-lease-watch.c. */
  fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
  if (fd < 0)
    return errno != ENOENT;
  held = fcntl (fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
  close (fd);
  return held;
}
