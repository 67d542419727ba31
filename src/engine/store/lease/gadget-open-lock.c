/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An open lock is a lock file held open: `leases/SESSION.open` in the data folder; see
 * gadget-lock-file.c. Its content says whether the session was deleted while a process had the
 * lock. The file is written under the session's lease, and a turn starts under the lease; so a
 * process that has both knows, without a query to the database, that the session still exists. That
 * holds for a session that was in the database after the lock was taken. */

#define G_LOG_DOMAIN "gadget-lease"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "gadget-lock-file.h"
#include "gadget-open-lock.h"

#define SUFFIX "open"
#define DELETED "deleted\n"

struct _GadgetOpenLock
{
  char *path;
  int fd;
};

/**
 * gadget_open_lock_new:
 * @directory: the data folder, see gadget_store_get_directory ()
 * @session_id: the id of the session
 *
 * Returns: (transfer full) (nullable): the lock; %NULL if its file cannot be created or locked
 */
GadgetOpenLock *
gadget_open_lock_new (const char *directory, const char *session_id)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  GadgetOpenLock *self;
  int fd;

  g_return_val_if_fail (directory != NULL && session_id != NULL, NULL);

  path = _gadget_lock_file_make_path (directory, session_id, SUFFIX);
  if (path == NULL)
    return NULL;
  fd = _gadget_lock_file_take (path, F_RDLCK, &error);
  if (fd < 0)
    {
      g_message ("other programs do not see that session %s is open: %s", session_id,
                 error->message);
      return NULL;
    }
  self = g_rc_box_new0 (GadgetOpenLock);
  self->path = g_steal_pointer (&path);
  self->fd = fd;
  return self;
}

GadgetOpenLock *
gadget_open_lock_ref (GadgetOpenLock *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_rc_box_acquire (self);
}

static void
release (gpointer data)
{
  GadgetOpenLock *self = data;
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  /* The last holder removes the file: while it is locked for writing, no other process can have the
   * lock. */
  if (fcntl (self->fd, F_OFD_SETLK, &lock) == 0
      && _gadget_lock_file_has_name (self->fd, self->path))
    g_unlink (self->path);
  close (self->fd);
  g_free (self->path);
}

/* gadget_open_lock_unref: releases the lock with the last reference. */
void
gadget_open_lock_unref (GadgetOpenLock *self)
{
  g_return_if_fail (self != NULL);
  g_rc_box_release_full (self, release);
}

gboolean
gadget_open_lock_is_alone (GadgetOpenLock *self)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  g_return_val_if_fail (self != NULL, FALSE);

  /* The query ignores this process's own lock, which is on the same file description. */
  return fcntl (self->fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

/* gadget_open_lock_mark_deleted: writes to the file of the lock, which the other processes read. A
 * failure is only logged. */
void
gadget_open_lock_mark_deleted (GadgetOpenLock *self)
{
  g_return_if_fail (self != NULL);

  if (pwrite (self->fd, DELETED, strlen (DELETED), 0) != (ssize_t) strlen (DELETED))
    g_message ("%s: %s", self->path, g_strerror (errno));
}

/**
 * gadget_open_lock_is_deleted:
 *
 * Returns: whether any process has called gadget_open_lock_mark_deleted () for the session
 */
gboolean
gadget_open_lock_is_deleted (GadgetOpenLock *self)
{
  char byte;

  g_return_val_if_fail (self != NULL, FALSE);
  return pread (self->fd, &byte, 1, 0) == 1;
}
