/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A lease is a lock file held open: `leases/SESSION.lock` in the data folder; see
 * gadget-lock-file.c. A run must be registered with its lease before its start is acknowledged, so
 * it is taken on the main context. */

#define G_LOG_DOMAIN "gadget-lease"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "gadget-lock-file.h"

#define SUFFIX "lock"

struct _GadgetLease
{
  char *path;
  int fd;
};

G_DEFINE_QUARK (gadget-lease-error-quark, gadget_lease_error)

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
 */
void
gadget_lease_release (GadgetLease *self)
{
  g_return_if_fail (self != NULL);

  /* In this order: without the name first, nobody can lock what is about to be removed. */
  if (_gadget_lock_file_has_name (self->fd, self->path))
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

  path = _gadget_lock_file_make_path (directory, session_id, SUFFIX);
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
