/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A lease is a lock file held open: `leases/SESSION.lock` in the data folder; see
 * gadget-lock-file.c. It is acquired synchronously on the main context, because a run must have its
 * lease before its start is acknowledged. */

#define G_LOG_DOMAIN "gadget-lease"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "gadget-lease.h"
#include "gadget-lock-file.h"

#define SUFFIX "lock"

struct _GadgetLease
{
  char *path;
  int fd;
};

/**
 * gadget_lease_acquire:
 * @directory: the data folder, see gadget_store_get_directory ()
 * @session_id: letters, digits, '-' and '_' only
 *
 * Takes the session's lease if it is free; never blocks.
 *
 * Returns: (transfer full) (nullable): the lease, to be freed with gadget_lease_release (); else
 *   @error is a #GadgetLeaseError
 */
GadgetLease *
gadget_lease_acquire (const char *directory, const char *session_id, GError **error)
{
  g_autofree char *path = NULL;
  int fd;

  g_return_val_if_fail (directory != NULL && session_id != NULL, NULL);

  path = _gadget_lock_file_make_path (directory, session_id, SUFFIX);
  if (path == NULL)
    {
      g_set_error_literal (error, GADGET_LEASE_ERROR, GADGET_LEASE_ERROR_FAILED,
                           "this cannot be a session's id");
      return NULL;
    }
  fd = _gadget_lock_file_take (path, F_WRLCK, error);
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
 *
 * Releases the lease and removes its lock file.
 */
void
gadget_lease_release (GadgetLease *self)
{
  g_return_if_fail (self != NULL);

  /* The name is removed while the file is still locked, so no other process can lock a file that is
   * about to be removed. */
  if (_gadget_lock_file_has_name (self->fd, self->path))
    g_unlink (self->path);
  close (self->fd);
  g_free (self->path);
  g_free (self);
}

/**
 * gadget_lease_is_held:
 *
 * Queries the lease without taking it. The result may be outdated at once: a lease that is not held
 * may be taken. If a lease was held when a turn was written and is not held now, it was released or
 * its owner died.
 *
 * Returns: whether this or another process has the session's lease; %TRUE also if the query fails,
 *   so that the turn of a living process is never repaired by mistake
 */
gboolean
gadget_lease_is_held (const char *directory, const char *session_id)
{
  g_autofree char *path = NULL;
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  gboolean held;
  int fd;

  g_return_val_if_fail (directory != NULL && session_id != NULL, FALSE);

  path = _gadget_lock_file_make_path (directory, session_id, SUFFIX);
  if (path == NULL)
    return FALSE;
  /* Opening for reading only causes no event for #GadgetLeaseWatch; see gadget-lease-watch.c. */
  fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
  if (fd < 0)
    return errno != ENOENT;
  held = fcntl (fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
  close (fd);
  return held;
}
