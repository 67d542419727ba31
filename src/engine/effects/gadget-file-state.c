/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the current state of one file and keeps its content. Stat data from before and after
 * reading tells whether the content belongs to the rest of the state. */

#define G_LOG_DOMAIN "gadget-workspace-snapshot"

#include "config.h"

#include "gadget-file-state.h"

#include "gadget-unique-timestamp.h"
#include "gadget-scan.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <linux/xattr.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_LINK 4096
#define MAX_TRIES 8
/* After this number of uses the folder is opened anew: it may have been moved. */
#define MAX_USES 200
#define FILE_FLAGS (O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static gboolean
keep_link (GadgetBlobs *blobs, int folder, const char *name, GadgetHash *hash, GadgetKept *kept,
           GError **error)
{
  char target[MAX_LINK];
  const ssize_t length = readlinkat (folder, name, target, sizeof target);

  if (length < 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return FALSE;
    }
  return _gadget_blobs_keep_bytes (blobs, target, (gsize) length, hash, kept, error);
}

guint32
_gadget_read_list_bits (int fd)
{
  guint8 list[4096];
  ssize_t n = fgetxattr (fd, XATTR_NAME_POSIX_ACL_ACCESS, list, sizeof list);

  if (n < 0 && errno == EBADF)
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

      n = getxattr (path, XATTR_NAME_POSIX_ACL_ACCESS, list, sizeof list);
    }
  for (gsize at = sizeof (struct posix_acl_xattr_header);
       n > 0 && at + sizeof (struct posix_acl_xattr_entry) <= (gsize) n;
       at += sizeof (struct posix_acl_xattr_entry))
    {
      struct posix_acl_xattr_entry entry;

      memcpy (&entry, list + at, sizeof entry);
      if (GUINT16_FROM_LE (entry.e_tag) == ACL_GROUP_OBJ)
        return GADGET_MODE_HAS_LIST
               | (GUINT16_FROM_LE (entry.e_perm) & 07u) << GADGET_MODE_LIST_GROUP;
    }
  return 0;
}

static gboolean
keep_regular (GadgetBlobs *blobs, int folder, const char *name, GadgetTreeEntry *entry,
              guint64 max_size, GadgetHash *hash, GadgetKept *kept, GCancellable *cancellable,
              GError **error)
{
  /* O_NOATIME leaves the access time alone; it is allowed for the owner of the file only. */
  g_autofd int fd = openat (folder, name, FILE_FLAGS | O_NOATIME);

  if (fd < 0 && errno == EPERM)
    fd = openat (folder, name, FILE_FLAGS);
  if (fd < 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return FALSE;
    }
  entry->mode |= _gadget_read_list_bits (fd);
  return _gadget_blobs_keep (blobs, fd, entry->size, max_size, hash, kept, cancellable, error);
}

/* Regular files larger than @max_size are not read, nor is anything without content. */
gboolean
_gadget_keep_content (GadgetBlobs *blobs, int folder, const char *name, GadgetTreeEntry *entry,
                      guint64 max_size, GadgetHash *hash, GadgetKept *kept,
                      GCancellable *cancellable, GError **error)
{
  *kept = GADGET_KEPT_UNREAD;
  if (S_ISLNK (entry->mode))
    return keep_link (blobs, folder, name, hash, kept, error);
  if (!S_ISREG (entry->mode) || entry->size > max_size)
    return TRUE;
  return keep_regular (blobs, folder, name, entry, max_size, hash, kept, cancellable, error);
}

/* Keeps the content and sets its hash in @state. Returns FALSE with an error when it cannot be
 * read. */
static gboolean
keep_state (GadgetBlobs *blobs, int folder, const char *name, GadgetTreeEntry *entry,
            guint64 max_size, GadgetFileState *state, GError **error)
{
  GadgetKept kept;
  GadgetHash hash;
  const gboolean ok =
      _gadget_keep_content (blobs, folder, name, entry, max_size, &hash, &kept, NULL, error);

  _gadget_entry_to_state (entry, state);
  state->has_hash = ok && kept != GADGET_KEPT_UNREAD;
  if (state->has_hash)
    memcpy (state->hash, hash.bytes, sizeof state->hash);
  return ok;
}

/* Returns FALSE with errno; ENOENT when nothing exists. */
static gboolean
read_stat (int folder, const char *name, GadgetTreeEntry *entry)
{
  struct stat info;

  if (fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return FALSE;
  *entry = (GadgetTreeEntry) { 0 };
  _gadget_entry_set_stat (entry, &info);
  return TRUE;
}

/* Reads again when the file changes meanwhile, so that all parts of the state belong together. */
static gboolean
read_state (int folder, const char *name, GadgetBlobs *blobs, guint64 max_size,
            GadgetFileState *state, guint64 *inode, GError **error)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      g_autoptr (GError) local_error = NULL;
      GadgetTreeEntry seen;
      GadgetTreeEntry now;
      gboolean kept;

      if (!read_stat (folder, name, &seen))
        {
          *state = (GadgetFileState) { GADGET_FILE_NONE };
          *inode = 0;
          if (errno == ENOENT)
            return TRUE;
          g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno),
                               g_strerror (errno));
          return FALSE;
        }
      *inode = seen.ino;
      kept = keep_state (blobs, folder, name, &seen, max_size, state, &local_error);
      if (read_stat (folder, name, &now) && _gadget_entry_same_stat (&seen, &now))
        {
          if (!kept)
            g_propagate_error (error, g_steal_pointer (&local_error));
          return kept;
        }
    }
  /* The file keeps changing: its content is unknown. */
  state->has_hash = FALSE;
  return TRUE;
}

void
_gadget_parent_folder_clear (GadgetParentFolder *self)
{
  g_clear_fd (&self->fd, NULL);
  g_clear_pointer (&self->path, g_free);
}

/* Returns the descriptor of the folder that @path is in, owned by @self, or -1 with errno. */
static int
open_parent (GadgetParentFolder *self, const char *path)
{
  const char *slash = strrchr (path, '/');
  const gsize length = slash != NULL ? (gsize) (slash - path) : 0;

  if (self->fd >= 0 && self->n_uses++ < MAX_USES && strlen (self->path) == length
      && strncmp (self->path, path, length) == 0)
    return self->fd;
  _gadget_parent_folder_clear (self);
  self->path = g_strndup (path, length);
  self->fd = _gadget_scan_open (self->root, self->path, O_PATH | O_DIRECTORY);
  self->n_uses = 1;
  return self->fd;
}

gboolean
_gadget_file_state_read (GadgetParentFolder *parent, const char *path, GadgetBlobs *blobs,
                         guint64 max_size, GadgetFileState *state, guint64 *inode, GError **error)
{
  const char *name = *path != '\0' ? _gadget_tree_get_base_name (path) : ".";
  const gint64 begun = _gadget_unique_timestamp_next ();
  guint64 number = 0;
  gboolean ok;
  int folder;

  *state = (GadgetFileState) { GADGET_FILE_NONE };
  folder = open_parent (parent, path);
  if (folder < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path,
                   g_strerror (errno));
      return FALSE;
    }
  ok = folder < 0 || read_state (folder, name, blobs, max_size, state, &number, error);
  if (!ok)
    g_prefix_error (error, "%s: ", path);
  if (inode != NULL)
    *inode = number;
  state->seen_begin = begun;
  state->seen_end = _gadget_unique_timestamp_next ();
  return ok;
}
