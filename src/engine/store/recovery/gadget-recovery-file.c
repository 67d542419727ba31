/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/gadget-blocking.h"
#include "gadget-recovery-file-private.h"
#include "gadget-recovery-folders.h"

gboolean
_gadget_recovery_lock (int fd)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  return fcntl (fd, F_OFD_SETLK, &lock) == 0;
}

GadgetRecoveryFile *
_gadget_recovery_file_new (const char *folder, const char *name, int fd)
{
  GadgetRecoveryFile *self = g_new0 (GadgetRecoveryFile, 1);

  self->path = g_build_filename (folder, name, NULL);
  self->fd = fd;
  return self;
}

/* (transfer none) */
const char *
gadget_recovery_file_get_path (GadgetRecoveryFile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->path;
}

/**
 * gadget_recovery_file_close:
 * @self: (transfer full): a file
 *
 * Unlocks the file, which stays on the disk.
 */
void
gadget_recovery_file_close (GadgetRecoveryFile *self)
{
  g_return_if_fail (self != NULL);
  close (self->fd);
  g_free (self->path);
  g_free (self);
}

/* Tells whether the path still names this file, and not a newer one. */
static gboolean
is_at_its_path (const GadgetRecoveryFile *self)
{
  struct stat own;
  struct stat there;

  return fstat (self->fd, &own) == 0 && g_lstat (self->path, &there) == 0
         && own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

static void
unlink_file (const GadgetRecoveryFile *self)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  GMutex *names = _gadget_recovery_lock_names (folder);

  if (is_at_its_path (self) && unlink (self->path) != 0 && errno != ENOENT)
    g_message ("%s could not be removed: %s", self->path, g_strerror (errno));
  g_mutex_unlock (names);
}

void
_gadget_recovery_file_remove (GadgetRecoveryFile *self)
{
  unlink_file (self);
  gadget_recovery_file_close (self);
}

static gpointer
remove_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  unlink_file (data);
  return GINT_TO_POINTER (TRUE);
}

static void
close_file (gpointer file)
{
  gadget_recovery_file_close (file);
}

/**
 * gadget_recovery_file_remove_async:
 * @self: (transfer full): a file
 * @callback: (nullable): called when the file was removed; its result has no use
 *
 * Removes the file in a thread, since its folder may not respond. A newer file with the same name
 * stays. If no thread can be started the file stays too, and the next start of Gadget finds it.
 */
void
gadget_recovery_file_remove_async (GadgetRecoveryFile *self, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (self != NULL);
  gadget_blocking_run_urgent_async (remove_in_thread, self, close_file, NULL, callback, user_data);
}

/**
 * gadget_recovery_file_replace:
 * @file: (inout) (nullable): an older file, or %NULL
 * @newer: (transfer full): a file with the current text, which @file becomes
 *
 * The older file is removed, unless @newer has overwritten it.
 */
void
gadget_recovery_file_replace (GadgetRecoveryFile **file, GadgetRecoveryFile *newer)
{
  GadgetRecoveryFile *before;

  g_return_if_fail (file != NULL && newer != NULL);

  before = g_steal_pointer (file);
  *file = newer;
  if (before != NULL)
    gadget_recovery_file_remove_async (before, NULL, NULL);
}
