/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Gives one file an earlier or later state. Its content is written by GadgetReplacement: the file
 * is replaced whole or not at all, whatever kills the process. The file gets the extended
 * attributes, the access list and, where the system allows it, the owner that were recorded; where
 * these are not known, those of the file that it replaces.
 *
 * The folder is a descriptor and the name has no "/", so that no symbolic link leads elsewhere; at
 * worst a link that takes the file's place in the meantime is replaced itself. */

#define G_LOG_DOMAIN "gadget-apply-state"

#include "config.h"

#include "gadget-apply-state-file.h"

#include "workspace/gadget-attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)
#define MAX_LINK 4096
#define MAX_ATTRIBUTES (16 * 1024 * 1024)
#define MAX_TRIES 16

static gboolean
fail (GError **error, int code)
{
  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (code), g_strerror (code));
  return FALSE;
}

static void
make_times (struct timespec times[2], gint64 mtime)
{
  times[0] = (struct timespec) { .tv_nsec = UTIME_OMIT };
  times[1] = (struct timespec) { mtime / NS_PER_SECOND, mtime % NS_PER_SECOND };
}

static GadgetFileType
get_type (mode_t mode)
{
  return S_ISREG (mode)   ? GADGET_FILE_REGULAR
         : S_ISLNK (mode) ? GADGET_FILE_LINK
         : S_ISDIR (mode) ? GADGET_FILE_FOLDER
                          : GADGET_FILE_SPECIAL;
}

/* Returns whether the file is still as it was when it was inspected. A folder only has to be the
 * same one, since its content is restored as well. For a file with several hard links mode and time
 * are not compared: this job may just have changed them through another link. For the same reason
 * ctime is never compared. */
static gboolean
is_as_seen (const GadgetUndoEntry *entry, gboolean exists, const struct stat *info)
{
  const GadgetFileState *seen = &entry->now;

  if (!exists || entry->inode == 0)
    return exists == (entry->inode != 0);
  if (info->st_ino != entry->inode || get_type (info->st_mode) != seen->type)
    return FALSE;
  if (seen->type == GADGET_FILE_FOLDER)
    return TRUE;
  if (seen->type != GADGET_FILE_SPECIAL && (guint64) info->st_size != seen->size)
    return FALSE;
  return info->st_nlink > 1
         || ((info->st_mode & 07777) == seen->mode
             && (gint64) info->st_mtim.tv_sec * NS_PER_SECOND + info->st_mtim.tv_nsec
                    == seen->mtime);
}

static gboolean
fail_changed (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, "it was changed at this moment");
  return FALSE;
}

gboolean
_gadget_apply_state_check_seen (const GadgetUndoEntry *entry, int folder, const char *name,
                                GError **error)
{
  struct stat info;
  const gboolean exists = fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0;

  if (!exists && errno != ENOENT)
    return fail (error, errno);
  return is_as_seen (entry, exists, &info) || fail_changed (error);
}

/* --- Owner and attributes -----------------------------------------------------------------------
 */

static gboolean
set_attributes (GadgetBlobs *blobs, int fd, const GadgetFileState *state, GError **error)
{
  g_autoptr (GBytes) attributes = NULL;
  g_autofree char *failed = NULL;

  if (state->attributes == GADGET_ATTRIBUTES_UNKNOWN)
    return TRUE;
  if (state->attributes == GADGET_ATTRIBUTES_KEPT)
    {
      attributes = _gadget_blobs_read (blobs, (const GadgetHash *) state->attributes_hash,
                                       MAX_ATTRIBUTES, error);
      if (attributes == NULL)
        {
          g_prefix_error (error, "its attributes: ");
          return FALSE;
        }
    }
  if (gadget_attributes_write (fd, attributes, &failed))
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "its attribute \"%s\": %s", failed,
               g_strerror (errno));
  return FALSE;
}

/* Called before the attributes and the mode are set, since a change of the owner removes some of
 * them. Where it is not allowed, note_done () in gadget-apply-state.c reports that. */
static void
set_owner (int fd, const GadgetFileState *state)
{
  struct stat info;

  if (!state->has_owner || fstat (fd, &info) != 0
      || (info.st_uid == state->uid && info.st_gid == state->gid))
    return;
  if (fchownat (fd, "", state->uid, state->gid, AT_EMPTY_PATH) != 0)
    (void) !fchownat (fd, "", (uid_t) -1, state->gid, AT_EMPTY_PATH);
}

gboolean
_gadget_apply_state_set_data (GadgetBlobs *blobs, int fd, const GadgetFileState *state,
                              GError **error)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  struct timespec times[2];

  set_owner (fd, state);
  if (!set_attributes (blobs, fd, state, error))
    return FALSE;
  make_times (times, state->mtime);
  return (chmod (path, state->mode) == 0 && utimensat (AT_FDCWD, path, times, 0) == 0)
         || fail (error, errno);
}

/* --- Writing -----------------------------------------------------------------------------------
 */

GadgetReplacement *
_gadget_apply_state_write (GadgetBlobs *blobs, int folder, const char *name,
                           const GadgetUndoEntry *entry, const GadgetFileState *state,
                           GError **error)
{
  GadgetPathLookup *lookup = gadget_path_lookup_find_in (folder, name, entry->path, error);
  g_autoptr (GadgetReplacement) replacement = NULL;
  struct timespec times[2];
  int fd;

  if (lookup == NULL)
    return NULL;
  if (!is_as_seen (entry, lookup->exists, &lookup->info))
    {
      gadget_path_lookup_free (lookup);
      fail_changed (error);
      return NULL;
    }
  replacement = gadget_replacement_new_over (
      lookup, state->attributes == GADGET_ATTRIBUTES_UNKNOWN || !state->has_owner, error);
  if (replacement == NULL)
    return NULL;
  fd = gadget_replacement_get_fd (replacement);
  if (!_gadget_blobs_copy_to (blobs, (const GadgetHash *) state->hash, fd, error))
    return NULL;
  set_owner (fd, state);
  if (!set_attributes (blobs, fd, state, error))
    return NULL;
  gadget_replacement_set_mode (replacement, state->mode);
  make_times (times, state->mtime);
  if (futimens (fd, times) != 0)
    {
      fail (error, errno);
      return NULL;
    }
  return g_steal_pointer (&replacement);
}

static gboolean
make_link (int folder, const char *name, const char *target, const GadgetFileState *state)
{
  struct timespec times[2];

  make_times (times, state->mtime);
  if (symlinkat (target, folder, name) != 0)
    return FALSE;
  if (state->has_owner)
    (void) !fchownat (folder, name, state->uid, state->gid, AT_SYMLINK_NOFOLLOW);
  return utimensat (folder, name, times, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Creates the link under a temporary name and renames it over the existing file. */
static gboolean
replace_by_link (int folder, const char *name, const char *target, const GadgetUndoEntry *entry,
                 const GadgetFileState *state, GError **error)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      g_autofree char *hidden =
          g_strdup_printf (GADGET_REPLACE_HIDDEN "%08x%08x", g_random_int (), g_random_int ());
      gboolean done;
      int code;

      if (!make_link (folder, hidden, target, state))
        {
          code = errno;
          if (code == EEXIST)
            continue;
          unlinkat (folder, hidden, 0);
          return fail (error, code);
        }
      done = _gadget_apply_state_check_seen (entry, folder, name, error);
      if (done && renameat (folder, hidden, folder, name) == 0)
        return TRUE;
      code = errno;
      unlinkat (folder, hidden, 0);
      return done ? fail (error, code) : FALSE;
    }
  return fail (error, EBUSY);
}

gboolean
_gadget_apply_state_put_link (GadgetBlobs *blobs, int folder, const char *name,
                              const GadgetUndoEntry *entry, const GadgetFileState *state,
                              GError **error)
{
  g_autoptr (GBytes) bytes =
      _gadget_blobs_read (blobs, (const GadgetHash *) state->hash, MAX_LINK, error);
  g_autofree char *target = NULL;

  if (bytes == NULL)
    return FALSE;
  target = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  if (entry->inode != 0)
    return replace_by_link (folder, name, target, entry, state, error);
  return make_link (folder, name, target, state) || fail (error, errno);
}

/* --- Mode and time -----------------------------------------------------------------------------
 */

gboolean
_gadget_apply_state_adjust (GadgetBlobs *blobs, int folder, const char *name,
                            const GadgetUndoEntry *entry, const GadgetFileState *state,
                            GError **error)
{
  g_autofd int fd = openat (folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct timespec times[2];
  struct stat info;

  if (fd < 0 || fstat (fd, &info) != 0)
    return fail (error, errno);
  if (!is_as_seen (entry, TRUE, &info))
    return fail_changed (error);
  if (state->type != GADGET_FILE_LINK)
    return _gadget_apply_state_set_data (blobs, fd, state, error);
  set_owner (fd, state);
  make_times (times, state->mtime);
  return utimensat (folder, name, times, AT_SYMLINK_NOFOLLOW) == 0 || fail (error, errno);
}

/* --- Removing ----------------------------------------------------------------------------------
 */

gboolean
_gadget_apply_state_remove (int folder, const char *name, const GadgetUndoEntry *entry,
                            GError **error)
{
  const int flags = entry->now.type == GADGET_FILE_FOLDER ? AT_REMOVEDIR : 0;

  if (!_gadget_apply_state_check_seen (entry, folder, name, error))
    return FALSE;
  if (unlinkat (folder, name, flags) == 0)
    return TRUE;
  if (errno != ENOTEMPTY && errno != EEXIST)
    return fail (error, errno);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_EMPTY,
                       "there is something else in this folder now");
  return FALSE;
}
