/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Gives one file an earlier or later state: content, mode and time of a file, the target of a
 * symbolic link. The content is written by GadgetReplacement, and renamed over the old file: it is
 * replaced whole or not at all, whatever kills the process.
 *
 * Owner, access list and extended attributes are not recorded. A file that is replaced keeps those
 * that it has; one that was deleted comes back with those of a new file, as from "git checkout".
 * Its group then has what the list gave it, and not what its mode says, which is the mask of the
 * list; of a folder it has the mask. Set-user-ID and set-group-ID would give the rights of another
 * owner away, so no file gets them.
 *
 * A file with other hard links is replaced as well, also where only its mode or time is to change.
 * The file becomes a separate one: the other links, which may lie outside of the folder, have the
 * content that they had. Writing in place would reach them too, even where the turn did not touch
 * them.
 *
 * The folder is a descriptor and the name has no "/", so that no symbolic link leads elsewhere; at
 * worst a link that takes the file's place in the meantime is replaced itself. */

#define G_LOG_DOMAIN "gadget-apply-state"

#include "config.h"

#include "gadget-apply-state-file.h"

#include "gadget-file-state.h"
#include "gadget-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)
#define MAX_LINK 4096
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

/* Returns the permissions for the file of a descriptor, which may have no access list. */
static mode_t
get_mode (int fd, const GadgetFileState *state)
{
  const gboolean lacks_list =
      (state->mode & GADGET_MODE_HAS_LIST) != 0 && _gadget_read_list_bits (fd) == 0;

  return lacks_list ? gadget_file_state_get_plain_mode (state)
                    : state->mode & GADGET_MODE_PERMISSIONS;
}

/* Returns whether the file is still as it was when it was inspected. A folder only has to be the
 * same one, since its content is restored as well. The ctime is never compared: it also changes
 * when this job replaces another hard link of the file. */
static gboolean
is_as_seen (const GadgetUndoEntry *entry, gboolean exists, const struct stat *info)
{
  const GadgetFileState *seen = &entry->now;
  GadgetTreeEntry found = { 0 };
  GadgetFileState now;

  if (!exists || entry->inode == 0)
    return exists == (entry->inode != 0);
  _gadget_entry_set_stat (&found, info);
  _gadget_entry_to_state (&found, &now);
  if (found.ino != entry->inode || now.type != seen->type)
    return FALSE;
  return now.type == GADGET_FILE_FOLDER
         || (now.size == seen->size && now.mtime == seen->mtime
             && ((now.mode ^ seen->mode) & GADGET_MODE_PERMISSIONS) == 0);
}

static gboolean
fail_changed (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, "it was changed at this moment");
  return FALSE;
}

static gboolean
check_seen (const GadgetUndoEntry *entry, int folder, const char *name, GError **error)
{
  struct stat info;
  const gboolean exists = fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0;

  if (!exists && errno != ENOENT)
    return fail (error, errno);
  return is_as_seen (entry, exists, &info) || fail_changed (error);
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
  replacement = gadget_replacement_new_over (lookup, error);
  if (replacement == NULL)
    return NULL;
  fd = gadget_replacement_get_fd (replacement);
  if (!_gadget_blobs_copy_to (blobs, (const GadgetHash *) state->hash, fd, error))
    return NULL;
  gadget_replacement_set_mode (replacement, get_mode (fd, state));
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
  return symlinkat (target, folder, name) == 0
         && utimensat (folder, name, times, AT_SYMLINK_NOFOLLOW) == 0;
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
      done = check_seen (entry, folder, name, error);
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
_gadget_apply_state_set_data (int fd, const GadgetFileState *state, GError **error)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  struct timespec times[2];
  struct stat info;
  mode_t mode;

  make_times (times, state->mtime);
  if (fstat (fd, &info) != 0)
    return fail (error, errno);
  /* These bits of the file that is there were set by its owner, and stay. */
  mode = get_mode (fd, state) | (S_ISREG (info.st_mode) ? info.st_mode & 06000 : 0);
  return (chmod (path, mode) == 0 && utimensat (AT_FDCWD, path, times, 0) == 0)
         || fail (error, errno);
}

gboolean
_gadget_apply_state_has_other_links (int folder, const char *name)
{
  struct stat info;

  return fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (info.st_mode)
         && info.st_nlink > 1;
}

gboolean
_gadget_apply_state_adjust (int folder, const char *name, const GadgetUndoEntry *entry,
                            const GadgetFileState *state, GError **error)
{
  g_autofd int fd = openat (folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct timespec times[2];
  struct stat info;

  if (fd < 0 || fstat (fd, &info) != 0)
    return fail (error, errno);
  if (!is_as_seen (entry, TRUE, &info))
    return fail_changed (error);
  if (state->type != GADGET_FILE_LINK)
    return _gadget_apply_state_set_data (fd, state, error);
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

  if (!check_seen (entry, folder, name, error))
    return FALSE;
  if (unlinkat (folder, name, flags) == 0)
    return TRUE;
  if (errno != ENOTEMPTY && errno != EEXIST)
    return fail (error, errno);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_EMPTY,
                       "there is something else in this folder now");
  return FALSE;
}
