/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stores the contents of files, each content once, under `blobs/` in the data folder, named by its
 * SHA-256 hash.
 *
 * A content is written under a temporary name and renamed when it is complete, so that a name in
 * the store guarantees its content. The writes do not wait for the disk: after a power cut a file
 * may be empty, and therefore the hash is checked again before anything is restored.
 *
 * A larger file is copied first, by reflink where the file system supports it (which costs no
 * space), and the hash is computed from the copy, since the file itself may change meanwhile. Small
 * files are read once.
 *
 * Sweeping removes contents that nothing refers to. Another process may be about to refer to a
 * content that it has just stored, so recent ones are spared; storing a content that exists already
 * renews its time. */

#define G_LOG_DOMAIN "gadget-blobs"

#include "config.h"

#include "gadget-blobs.h"

#include "common/gadget-memory-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of up to this size, in bytes, are read at once and written from memory. */
#define BLOCK (256 * 1024)
/* A content that was stored within this time needs no renewal: it is far less than the age at which
 * contents are swept. */
#define RENEW_SECONDS 600
#define NAME_LENGTH (2 * GADGET_HASH_LENGTH)

struct _GadgetBlobs
{
  char *directory;
  guint64 max_total;

  GMutex lock;      /* protects the members below */
  gboolean counted; /* @total has been computed */
  guint64 total;    /* bytes of all contents, as far as this process knows */
  guint n_temporary;
};

GadgetBlobs *
_gadget_blobs_new (const char *directory, guint64 max_total)
{
  GadgetBlobs *self = g_new0 (GadgetBlobs, 1);

  self->directory = g_build_filename (directory, "blobs", NULL);
  self->max_total = max_total;
  g_mutex_init (&self->lock);
  return self;
}

void
_gadget_blobs_set_max_total (GadgetBlobs *self, guint64 max_total)
{
  self->max_total = max_total;
}

void
_gadget_blobs_free (GadgetBlobs *self)
{
  g_mutex_clear (&self->lock);
  g_free (self->directory);
  g_free (self);
}

guint
_gadget_hash_hash (gconstpointer hash)
{
  guint value;

  memcpy (&value, hash, sizeof value);
  return value;
}

gboolean
_gadget_hash_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, GADGET_HASH_LENGTH) == 0;
}

static gboolean
fail (GError **error, const char *what, int code)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what, g_strerror (code));
  return FALSE;
}

/* --- Names -------------------------------------------------------------------------------------
 */

static char *
make_path (GadgetBlobs *self, const GadgetHash *hash)
{
  char name[NAME_LENGTH + 2];

  for (guint i = 0; i < GADGET_HASH_LENGTH; i++)
    g_snprintf (name + 2 * i + (i > 0), 3, "%02x", hash->bytes[i]);
  name[2] = '/';
  return g_build_filename (self->directory, name, NULL);
}

static gboolean
parse_name (const char *folder, const char *name, GadgetHash *hash)
{
  g_autofree char *whole = g_strconcat (folder, name, NULL);

  if (strlen (whole) != NAME_LENGTH)
    return FALSE;
  for (guint i = 0; i < GADGET_HASH_LENGTH; i++)
    {
      const int high = g_ascii_xdigit_value (whole[2 * i]);
      const int low = g_ascii_xdigit_value (whole[2 * i + 1]);

      if (high < 0 || low < 0)
        return FALSE;
      hash->bytes[i] = (guint8) (high << 4 | low);
    }
  return TRUE;
}

typedef void (*BlobFunc) (const char *path, const GadgetHash *hash, const struct stat *info,
                          gpointer data);

/* Calls @func for every file in the store; its hash is NULL for an unfinished file. */
static void
for_each (GadgetBlobs *self, BlobFunc func, gpointer data)
{
  g_autoptr (GDir) folders = g_dir_open (self->directory, 0, NULL);
  const char *folder;

  while (folders != NULL && (folder = g_dir_read_name (folders)) != NULL)
    {
      g_autofree char *inner = g_build_filename (self->directory, folder, NULL);
      g_autoptr (GDir) names = g_dir_open (inner, 0, NULL);
      const char *name;

      while (names != NULL && (name = g_dir_read_name (names)) != NULL)
        {
          g_autofree char *path = g_build_filename (inner, name, NULL);
          struct stat info;
          GadgetHash hash;

          if (lstat (path, &info) == 0)
            func (path, parse_name (folder, name, &hash) ? &hash : NULL, &info, data);
        }
    }
}

/* --- Space accounting --------------------------------------------------------------------------
 */

static void
add_size (const char *path, const GadgetHash *hash, const struct stat *info, gpointer data)
{
  *(guint64 *) data += (guint64) info->st_size;
}

/* Reserves @size bytes of the limit, or returns FALSE. Contents that other processes store
 * meanwhile do not count: the limit is not exact, it is to keep the store from filling the disk
 * over the years. */
static gboolean
reserve_space (GadgetBlobs *self, guint64 size)
{
  gboolean taken;

  g_mutex_lock (&self->lock);
  if (!self->counted)
    for_each (self, add_size, &self->total);
  self->counted = TRUE;
  taken = self->total + size <= self->max_total;
  if (taken)
    self->total += size;
  g_mutex_unlock (&self->lock);
  return taken;
}

static void
release_space (GadgetBlobs *self, guint64 size)
{
  g_mutex_lock (&self->lock);
  self->total -= MIN (size, self->total);
  g_mutex_unlock (&self->lock);
}

/* --- Storing -----------------------------------------------------------------------------------
 */

/* Creates an empty file to fill, in the folder "tmp", so that it can never be taken for a
 * content. */
static int
make_temporary (GadgetBlobs *self, char **path, GError **error)
{
  g_autofree char *folder = g_build_filename (self->directory, "tmp", NULL);
  int fd;
  guint number;

  g_mutex_lock (&self->lock);
  number = self->n_temporary++;
  g_mutex_unlock (&self->lock);
  *path = g_strdup_printf ("%s/%d-%u-%08x", folder, (int) getpid (), number, g_random_int ());
  fd = open (*path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0 && errno == ENOENT && g_mkdir_with_parents (folder, 0700) == 0)
    fd = open (*path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    fail (error, *path, errno);
  return fd;
}

/* Renames a complete file to its name in the store. */
static gboolean
give_name (const char *temporary, const char *path, GError **error)
{
  g_autofree char *folder = NULL;

  if (g_rename (temporary, path) == 0)
    return TRUE;
  folder = g_path_get_dirname (path);
  if (errno == ENOENT && g_mkdir_with_parents (folder, 0700) == 0
      && g_rename (temporary, path) == 0)
    return TRUE;
  return fail (error, path, errno);
}

/* Returns whether the content exists; if so renews its time, so that no sweep removes it. */
static gboolean
renew (const char *path)
{
  struct stat info;

  if (lstat (path, &info) != 0)
    return FALSE;
  if (ABS (info.st_mtim.tv_sec - g_get_real_time () / G_USEC_PER_SEC) < RENEW_SECONDS)
    return TRUE;
  return utimensat (AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0;
}

static gboolean
write_all (int fd, const guint8 *bytes, gsize length, GError **error)
{
  return gadget_write_all (fd, bytes, length) || fail (error, "writing", errno);
}

/* Reads until the buffer is full or the file ends. Returns the number of bytes, or -1 with
 * @error. */
static gssize
read_full (int fd, guint8 *buffer, gsize length, GError **error)
{
  gsize done = 0;

  while (done < length)
    {
      ssize_t n = read (fd, buffer + done, length - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          fail (error, "reading", errno);
          return -1;
        }
      if (n == 0)
        break;
      done += (gsize) n;
    }
  return (gssize) done;
}

static void
finish_hash (GChecksum *checksum, GadgetHash *hash)
{
  gsize length = GADGET_HASH_LENGTH;

  g_checksum_get_digest (checksum, hash->bytes, &length);
}

gboolean
_gadget_blobs_keep_bytes (GadgetBlobs *self, const void *bytes, gsize length, GadgetHash *hash,
                          GadgetKept *kept, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *path = NULL;
  g_autofree char *temporary = NULL;
  g_autofd int fd = -1;

  g_checksum_update (checksum, bytes, (gssize) length);
  finish_hash (checksum, hash);
  *kept = GADGET_KEPT;
  path = make_path (self, hash);
  if (renew (path))
    return TRUE;
  if (!reserve_space (self, length))
    {
      *kept = GADGET_KEPT_NO_ROOM;
      return TRUE;
    }
  fd = make_temporary (self, &temporary, error);
  if (fd >= 0 && write_all (fd, bytes, length, error) && give_name (temporary, path, error))
    return TRUE;
  if (fd >= 0)
    g_unlink (temporary);
  release_space (self, length);
  return FALSE;
}

/* Computes the hash of a whole file, and copies the file to the descriptor @copy unless that is
 * -1. */
static gboolean
hash_all (int fd, int copy, GadgetHash *hash, GCancellable *cancellable, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint8 *buffer = g_malloc (BLOCK);
  gssize n;

  if (lseek (fd, 0, SEEK_SET) != 0)
    return fail (error, "reading", errno);
  do
    {
      n = read_full (fd, buffer, BLOCK, error);
      if (n < 0 || g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      g_checksum_update (checksum, buffer, n);
      if (copy >= 0 && !write_all (copy, buffer, (gsize) n, error))
        return FALSE;
    }
  while (n == BLOCK);
  finish_hash (checksum, hash);
  return TRUE;
}

/* Copies a file into the store; @known tells whether the content was there already. */
static gboolean
keep_large (GadgetBlobs *self, int fd, GadgetHash *hash, gboolean *known, GCancellable *cancellable,
            GError **error)
{
  g_autofree char *temporary = NULL;
  g_autofree char *path = NULL;
  g_autofd int copy = make_temporary (self, &temporary, error);
  gboolean ok;

  if (copy < 0)
    return FALSE;
  if (ioctl (copy, FICLONE, fd) == 0)
    ok = hash_all (copy, -1, hash, cancellable, error);
  else
    ok = hash_all (fd, copy, hash, cancellable, error);
  if (ok)
    {
      path = make_path (self, hash);
      *known = renew (path);
      if (*known)
        g_unlink (temporary);
      else
        ok = give_name (temporary, path, error);
    }
  if (!ok)
    g_unlink (temporary);
  return ok;
}

/* When there is no room for a new content: finds out whether the store has it already. */
static gboolean
find_large (GadgetBlobs *self, int fd, GadgetHash *hash, GadgetKept *kept,
            GCancellable *cancellable, GError **error)
{
  g_autofree char *path = NULL;

  if (!hash_all (fd, -1, hash, cancellable, error))
    return FALSE;
  path = make_path (self, hash);
  *kept = renew (path) ? GADGET_KEPT : GADGET_KEPT_NO_ROOM;
  return TRUE;
}

/**
 * _gadget_blobs_keep:
 * @fd: a regular file, open for reading at its beginning
 * @size: its size as far as is known, in bytes
 * @max_size: files larger than this are not read
 * @kept: (out): how far the content was kept
 *
 * Stores the content of a file. A caller that needs to know that the file did not change meanwhile
 * compares its stat data before and after.
 *
 * Returns: whether @hash and @kept are set; else @error is a #GIOErrorEnum
 */
gboolean
_gadget_blobs_keep (GadgetBlobs *self, int fd, guint64 size, guint64 max_size, GadgetHash *hash,
                    GadgetKept *kept, GCancellable *cancellable, GError **error)
{
  gboolean known = FALSE;
  gboolean ok;

  if (size > max_size)
    {
      *kept = GADGET_KEPT_UNREAD;
      return TRUE;
    }
  if (size <= BLOCK)
    {
      g_autofree guint8 *buffer = g_malloc (size + 1);
      gssize n = read_full (fd, buffer, size + 1, error);

      if (n < 0)
        return FALSE;
      if (n <= (gssize) size)
        return _gadget_blobs_keep_bytes (self, buffer, (gsize) n, hash, kept, error);
      /* The file has grown. */
    }
  if (!reserve_space (self, size))
    return find_large (self, fd, hash, kept, cancellable, error);
  *kept = GADGET_KEPT;
  ok = keep_large (self, fd, hash, &known, cancellable, error);
  if (!ok || known)
    release_space (self, size);
  return ok;
}

gboolean
_gadget_blobs_has (GadgetBlobs *self, const GadgetHash *hash)
{
  g_autofree char *path = make_path (self, hash);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static int
open_blob (GadgetBlobs *self, const GadgetHash *hash, GError **error)
{
  g_autofree char *path = make_path (self, hash);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

  if (fd < 0)
    fail (error, "what was kept of the file", errno);
  return fd;
}

static gboolean
check_hash (const GadgetHash *wanted, const GadgetHash *found, GError **error)
{
  if (_gadget_hash_equal (wanted, found))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       "what was kept of the file is damaged");
  return FALSE;
}

gboolean
_gadget_blobs_copy_to (GadgetBlobs *self, const GadgetHash *hash, int fd, GError **error)
{
  g_autofd int blob = open_blob (self, hash, error);
  GadgetHash found;
  struct stat info;

  if (blob < 0)
    return FALSE;
  /* Checking the hash reads the content in any case, so small files are simply copied. */
  if (fstat (blob, &info) == 0 && info.st_size > BLOCK && ioctl (fd, FICLONE, blob) == 0)
    return hash_all (blob, -1, &found, NULL, error) && check_hash (hash, &found, error);
  return hash_all (blob, fd, &found, NULL, error) && check_hash (hash, &found, error);
}

/* Used for short contents only: the target of a link, a text to compare. */
GBytes *
_gadget_blobs_read (GadgetBlobs *self, const GadgetHash *hash, gsize max_size, GError **error)
{
  g_autofd int blob = open_blob (self, hash, error);
  g_autofree guint8 *buffer = g_malloc (max_size + 1);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  GadgetHash found;
  gssize n;

  if (blob < 0 || (n = read_full (blob, buffer, max_size + 1, error)) < 0)
    return NULL;
  if ((gsize) n > max_size)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "too long");
      return NULL;
    }
  g_checksum_update (checksum, buffer, n);
  finish_hash (checksum, &found);
  if (!check_hash (hash, &found, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&buffer), (gsize) n);
}

/* --- Sweeping ----------------------------------------------------------------------------------
 */

typedef struct
{
  GHashTable *used;
  gint64 before; /* seconds since 1970 */
  guint n_removed;
  guint64 size;
} Sweep;

static void
sweep_one (const char *path, const GadgetHash *hash, const struct stat *info, gpointer data)
{
  Sweep *sweep = data;

  if (info->st_mtim.tv_sec > sweep->before
      || (hash != NULL && g_hash_table_contains (sweep->used, hash)))
    return;
  if (g_unlink (path) != 0)
    return;
  sweep->n_removed++;
  sweep->size += (guint64) info->st_size;
}

guint
_gadget_blobs_sweep (GadgetBlobs *self, GHashTable *used, gint64 min_age)
{
  Sweep sweep = { used, g_get_real_time () / G_USEC_PER_SEC - min_age, 0, 0 };

  for_each (self, sweep_one, &sweep);
  if (self->counted)
    release_space (self, sweep.size);
  return sweep.n_removed;
}

/* A content that trimming may remove. */
typedef struct
{
  char *path;
  gint64 stored_at; /* seconds since 1970 */
  guint64 size;
} OldBlob;

static void
clear_old_blob (gpointer data)
{
  g_free (((OldBlob *) data)->path);
}

static gint
compare_old_blobs (gconstpointer a, gconstpointer b)
{
  const gint64 first = ((const OldBlob *) a)->stored_at;
  const gint64 second = ((const OldBlob *) b)->stored_at;

  return (first > second) - (first < second);
}

typedef struct
{
  GHashTable *used;
  gint64 before; /* seconds since 1970 */
  guint64 total;
  GArray *old; /* of OldBlob */
} Trim;

static void
list_old (const char *path, const GadgetHash *hash, const struct stat *info, gpointer data)
{
  Trim *trim = data;
  OldBlob blob = { NULL, info->st_mtim.tv_sec, (guint64) info->st_size };

  trim->total += blob.size;
  if (hash == NULL || blob.stored_at > trim->before || g_hash_table_contains (trim->used, hash))
    return;
  blob.path = g_strdup (path);
  g_array_append_val (trim->old, blob);
}

guint
_gadget_blobs_trim (GadgetBlobs *self, guint64 max_total, GHashTable *used, gint64 min_age)
{
  g_autoptr (GArray) old = g_array_new (FALSE, FALSE, sizeof (OldBlob));
  Trim trim = { used, g_get_real_time () / G_USEC_PER_SEC - min_age, 0, old };
  guint n_removed = 0;

  g_array_set_clear_func (old, clear_old_blob);
  for_each (self, list_old, &trim);
  g_array_sort (old, compare_old_blobs);
  for (guint i = 0; i < old->len && trim.total > max_total; i++)
    {
      const OldBlob *blob = &g_array_index (old, OldBlob, i);

      if (g_unlink (blob->path) != 0)
        continue;
      trim.total -= blob->size;
      if (self->counted)
        release_space (self, blob->size);
      n_removed++;
    }
  return n_removed;
}
