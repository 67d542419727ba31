/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Compares versions of files. Equal times and identity mean that a file has not changed, but
 * different ones do not mean that it has: a checkout of the same commit or a backup program changes
 * the times only. So the content decides if its digest is known. It also decides if a file was read
 * within the tick of the file system's clock in which it was written: another write within that
 * tick would have left the same times.
 *
 * The table of a chat may be used by all threads; a mutex protects it. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-file-version.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Longer than a tick of any kernel, and than the difference of the clocks of two machines that
 * share files. */
#define FRESH_NS (G_GINT64_CONSTANT (2) * 1000 * 1000 * 1000)
#define BLOCK (64 * 1024)
/* How often a waiting thread checks whether it was cancelled. Nobody waits for that thread then. */
#define LOOK_US (50 * G_TIME_SPAN_MILLISECOND)

struct _GadgetVersionsRead
{
  GMutex lock;
  GCond ended;          /* signaled when a file is unlocked */
  GHashTable *versions; /* (element-type utf8 GadgetFileVersion): by path */
  GHashTable *changing; /* (element-type utf8): paths of the files that are locked */
};

static gint64
to_ns (struct timespec time)
{
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

void
gadget_file_version_init (GadgetFileVersion *self, const struct stat *info)
{
  struct timespec now;

  g_return_if_fail (self != NULL && info != NULL);

  clock_gettime (CLOCK_REALTIME, &now);
  *self = (GadgetFileVersion) {
    .exists = TRUE,
    .device = info->st_dev,
    .inode = info->st_ino,
    .size = info->st_size,
    .mtime_ns = to_ns (info->st_mtim),
    .ctime_ns = to_ns (info->st_ctim),
  };
  self->fresh = to_ns (now) - self->mtime_ns < FRESH_NS;
}

static void
get_digest (GChecksum *checksum, guint8 *digest)
{
  gsize length = 32;

  g_checksum_get_digest (checksum, digest, &length);
}

/**
 * gadget_file_version_set_content:
 * @data: the whole content of the file
 * @length: its size in bytes
 *
 * Adds the digest of the content. Does nothing if @length is not the size of the file, or is more
 * than %GADGET_FILE_VERSION_MAX_CONTENT.
 */
void
gadget_file_version_set_content (GadgetFileVersion *self, const void *data, gsize length)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_return_if_fail (self != NULL && self->exists);

  if ((gint64) length != self->size || length > GADGET_FILE_VERSION_MAX_CONTENT)
    return;
  g_checksum_update (checksum, data, (gssize) length);
  get_digest (checksum, self->digest);
  self->has_digest = TRUE;
}

static gboolean
has_content (const GadgetFileVersion *self, int folder, const char *name)
{
  g_autofd int fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint8 *block = g_malloc (BLOCK);
  guint8 digest[32];
  gint64 size = 0;
  ssize_t n = 0;

  while (fd >= 0 && size <= self->size)
    {
      n = read (fd, block, BLOCK);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      g_checksum_update (checksum, block, n);
      size += n;
    }
  if (fd < 0 || n != 0 || size != self->size)
    return FALSE;
  get_digest (checksum, digest);
  return memcmp (digest, self->digest, sizeof digest) == 0;
}

static gboolean
is_identical (const GadgetFileVersion *self, const GadgetFileVersion *now)
{
  return self->device == now->device && self->inode == now->inode && self->mtime_ns == now->mtime_ns
         && self->ctime_ns == now->ctime_ns;
}

gboolean
gadget_file_version_equals (const GadgetFileVersion *self, const GadgetFileVersion *now)
{
  g_return_val_if_fail (self != NULL && now != NULL, FALSE);

  if (self->exists != now->exists || self->size != now->size)
    return FALSE;
  if (self->has_digest && now->has_digest)
    return memcmp (self->digest, now->digest, sizeof self->digest) == 0;
  return is_identical (self, now);
}

gboolean
gadget_file_version_matches (const GadgetFileVersion *self, int folder, const char *name,
                             const struct stat *info)
{
  GadgetFileVersion now;
  gboolean identical;

  g_return_val_if_fail (self != NULL && name != NULL && info != NULL, FALSE);

  if (!self->exists || !S_ISREG (info->st_mode) || self->size != info->st_size)
    return FALSE;
  gadget_file_version_init (&now, info);
  identical = is_identical (self, &now);
  if (identical && !self->fresh)
    return TRUE;
  return self->has_digest ? has_content (self, folder, name) : identical;
}

/* --- What a chat has read --------------------------------------------------------------------- */

/* gadget_versions_read_new () returns an empty table (transfer full). gadget_versions_read_ref ()
 * and gadget_versions_read_unref () count its references, on any thread. */
GadgetVersionsRead *
gadget_versions_read_new (void)
{
  GadgetVersionsRead *self = g_atomic_rc_box_new0 (GadgetVersionsRead);

  g_mutex_init (&self->lock);
  g_cond_init (&self->ended);
  self->versions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->changing = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

GadgetVersionsRead *
gadget_versions_read_ref (GadgetVersionsRead *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GadgetVersionsRead *self = data;

  g_hash_table_unref (self->versions);
  g_hash_table_unref (self->changing);
  g_cond_clear (&self->ended);
  g_mutex_clear (&self->lock);
}

void
gadget_versions_read_unref (GadgetVersionsRead *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

GadgetVersionsRead *
gadget_versions_read_of (GObject *session)
{
  static const char *key = "gadget-versions-read";
  GadgetVersionsRead *self;

  g_return_val_if_fail (G_IS_OBJECT (session), NULL);

  self = g_object_get_data (session, key);
  if (self == NULL)
    {
      self = gadget_versions_read_new ();
      g_object_set_data_full (session, key, self, (GDestroyNotify) gadget_versions_read_unref);
    }
  return self;
}

/**
 * gadget_versions_read_note:
 * @self: the table of a chat
 * @path: the real path, as in #GadgetPathLookup
 * @version: the version that was read or written
 *
 * From now on the chat may overwrite the file as long as it is still @version.
 */
void
gadget_versions_read_note (GadgetVersionsRead *self, const char *path,
                           const GadgetFileVersion *version)
{
  g_return_if_fail (self != NULL && path != NULL && version != NULL);

  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->versions, g_strdup (path), g_memdup2 (version, sizeof *version));
  g_mutex_unlock (&self->lock);
}

gboolean
gadget_versions_read_lookup (GadgetVersionsRead *self, const char *path, GadgetFileVersion *version)
{
  const GadgetFileVersion *found;

  g_return_val_if_fail (self != NULL && path != NULL && version != NULL, FALSE);

  g_mutex_lock (&self->lock);
  found = g_hash_table_lookup (self->versions, path);
  if (found != NULL)
    *version = *found;
  g_mutex_unlock (&self->lock);
  return found != NULL;
}

gboolean
gadget_versions_read_lock_file (GadgetVersionsRead *self, const char *path,
                                GCancellable *cancellable, GError **error)
{
  gboolean stopped = FALSE;

  g_return_val_if_fail (self != NULL && path != NULL, FALSE);

  g_mutex_lock (&self->lock);
  while (g_hash_table_contains (self->changing, path) && !stopped)
    {
      g_cond_wait_until (&self->ended, &self->lock, g_get_monotonic_time () + LOOK_US);
      stopped = g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  if (!stopped)
    g_hash_table_add (self->changing, g_strdup (path));
  g_mutex_unlock (&self->lock);
  return !stopped;
}

/* gadget_versions_read_unlock_file: undoes gadget_versions_read_lock_file (). A thread that waits
 * for the file goes on. */
void
gadget_versions_read_unlock_file (GadgetVersionsRead *self, const char *path)
{
  g_return_if_fail (self != NULL && path != NULL);

  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->changing, path);
  g_cond_broadcast (&self->ended);
  g_mutex_unlock (&self->lock);
}
