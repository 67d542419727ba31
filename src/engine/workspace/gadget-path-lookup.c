/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Looks up paths with descriptors, so that no link that is made meanwhile can redirect an access.
 * Paths within the workspace are resolved below its folder; other paths are resolved from "/",
 * without following any link. Blocks: runs in threads. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-path-lookup.h"

#include "gadget-openat2.h"
#include "gadget-workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* A file may be replaced between two steps: then the lookup is repeated, but not endlessly. */
#define MAX_AGAIN 16

/* A lookup in progress. */
typedef struct
{
  const char *resolved;
  char *top;      /* path of the folder that it must not leave: the workspace, or "/" */
  int dir;        /* descriptor of TOP */
  gboolean links; /* whether links are followed */
} Search;

/* A folder that was created. */
typedef struct
{
  int parent;
  char *name;
} Made;

static Made *
made_new (int parent, const char *name)
{
  Made *made = g_new0 (Made, 1);

  made->parent = parent;
  made->name = g_strdup (name);
  return made;
}

static void
made_free (gpointer data)
{
  Made *made = data;

  close (made->parent);
  g_free (made->name);
  g_free (made);
}

static void
search_clear (Search *search)
{
  g_free (search->top);
  if (search->dir >= 0)
    close (search->dir);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

const char *
gadget_path_lookup_describe (mode_t mode)
{
  if (S_ISREG (mode))
    return "a file";
  if (S_ISDIR (mode))
    return "a folder";
  if (S_ISLNK (mode))
    return "a symbolic link";
  if (S_ISFIFO (mode))
    return "a named pipe";
  if (S_ISSOCK (mode))
    return "a socket";
  return "a device";
}

static void
set_error (GError **error, const char *resolved, int code)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s.", resolved,
               g_strerror (code));
}

static void
set_search_error (const Search *search, int code, GError **error)
{
  g_autofree char *real = NULL;

  if (!search->links && (code == ELOOP || code == EXDEV))
    real = realpath (search->resolved, NULL);
  if (real != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                 "%s is a symbolic link, or in one; its real path is %s. Use that.",
                 search->resolved, real);
  else if (code == EXDEV)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                 "%s leads out of the workspace through a symbolic link.", search->resolved);
  else if (code == ELOOP)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                 "%s leads through symbolic links that are not followed.", search->resolved);
  else
    set_error (error, search->resolved, code);
}

/* Returns the path below the top, or NULL with an error. */
static const char *
search_begin (Search *search, const char *root, const char *resolved, GError **error)
{
  const char *relative = gadget_workspace_get_relative (root, resolved);

  search->resolved = resolved;
  search->links = relative != NULL;
  search->top = g_canonicalize_filename (relative != NULL ? root : "/", "/");
  search->dir = open (search->top, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (search->dir < 0)
    {
      set_error (error, search->top, errno);
      return NULL;
    }
  return relative != NULL ? relative : resolved + 1;
}

static char *
read_link_of_fd (int fd)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
  char target[PATH_MAX + 1];
  const ssize_t length = readlink (link, target, sizeof target - 1);

  if (length <= 0 || length >= PATH_MAX)
    return NULL;
  target[length] = '\0';
  return g_strdup (target);
}

/* Returns (transfer full) the path of FD below the top; NULL if it is no longer there. */
static char *
get_real_relative (const Search *search, int fd)
{
  g_autofree char *top = read_link_of_fd (search->dir);
  g_autofree char *real = read_link_of_fd (fd);
  const char *relative = real != NULL ? gadget_workspace_get_relative (top, real) : NULL;

  return g_strdup (relative);
}

/* gadget_path_lookup_free: closes the folder unless it is the caller's. Folders that were created
 * stay. @self must not be %NULL. */
void
gadget_path_lookup_free (GadgetPathLookup *self)
{
  if (self->folder >= 0 && !self->is_borrowed)
    close (self->folder);
  g_strfreev (self->missing);
  g_free (self->name);
  g_free (self->path);
  g_clear_pointer (&self->made, g_ptr_array_unref);
  g_free (self);
}

/* Opens the folder RELATIVE, or the last folder on the way that exists, and notes the missing
 * ones. */
static gboolean
go_to_folder (const Search *search, GadgetPathLookup *self, const char *relative)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = g_strdup (relative);

  while ((self->folder = _gadget_openat2_find (search->dir, path, search->links)) < 0)
    {
      char *slash = strrchr (path, '/');

      if (errno != ENOENT || *path == '\0')
        return FALSE;
      g_ptr_array_insert (missing, 0, g_strdup (slash != NULL ? slash + 1 : path));
      *(slash != NULL ? slash : path) = '\0';
    }
  for (guint i = 0; i < missing->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (missing, i));
  self->missing = g_strv_builder_end (builder);
  return TRUE;
}

/* Examines the entry NAME without following links. Returns FALSE with errno; EAGAIN if a component
 * that was missing exists, which may be a link that leads to nothing. */
static gboolean
examine (GadgetPathLookup *self)
{
  struct stat info;

  if (*self->missing != NULL)
    {
      if (fstatat (self->folder, *self->missing, &info, AT_SYMLINK_NOFOLLOW) == 0)
        {
          errno = EAGAIN;
          return FALSE;
        }
      return errno == ENOENT;
    }
  self->exists = fstatat (self->folder, self->name, &self->info, AT_SYMLINK_NOFOLLOW) == 0;
  return self->exists || errno == ENOENT;
}

static GadgetPathLookup *
find_unfollowed (const Search *search, const char *relative)
{
  g_autoptr (GadgetPathLookup) self = g_new0 (GadgetPathLookup, 1);
  g_autofree char *folder = NULL;
  g_autofree char *rest = NULL;
  const char *slash = strrchr (relative, '/');
  struct stat info;

  self->folder = -1;
  self->name = g_strdup (*relative == '\0' ? "." : slash != NULL ? slash + 1 : relative);
  folder = g_strndup (relative, slash != NULL ? (gsize) (slash - relative) : 0);
  if (!go_to_folder (search, self, folder) || fstat (self->folder, &info) < 0)
    return NULL;
  if (!S_ISDIR (info.st_mode))
    {
      errno = ENOTDIR;
      return NULL;
    }
  if (!examine (self))
    return NULL;

  g_free (folder);
  folder = get_real_relative (search, self->folder);
  if (folder == NULL)
    {
      errno = EAGAIN;
      return NULL;
    }
  rest = g_strjoinv ("/", self->missing);
  self->path =
      g_build_filename (search->top, folder, rest, *relative != '\0' ? self->name : NULL, NULL);
  return g_steal_pointer (&self);
}

/* Looks up the target of a link. */
static GadgetPathLookup *
find_followed (const Search *search, const char *relative)
{
  g_autofd int fd = _gadget_openat2_find (search->dir, relative, search->links);
  g_autofree char *real = NULL;
  g_autoptr (GadgetPathLookup) self = NULL;
  struct stat info;

  if (fd < 0 || fstat (fd, &info) < 0)
    return NULL;
  real = get_real_relative (search, fd);
  if (real != NULL)
    self = find_unfollowed (search, real);
  if (self == NULL || !self->exists || self->info.st_ino != info.st_ino
      || self->info.st_dev != info.st_dev)
    {
      errno = EAGAIN;
      return NULL;
    }
  return g_steal_pointer (&self);
}

GadgetPathLookup *
gadget_path_lookup_find (const char *root, const char *resolved, gboolean should_follow,
                         GError **error)
{
  g_auto (Search) search = { .dir = -1 };
  const char *relative;

  g_return_val_if_fail (resolved != NULL && g_path_is_absolute (resolved), NULL);

  relative = search_begin (&search, root, resolved, error);
  if (relative == NULL)
    return NULL;
  for (int tries = 0; tries < MAX_AGAIN; tries++)
    {
      g_autoptr (GadgetPathLookup) self = find_unfollowed (&search, relative);
      const gboolean is_link = self != NULL && self->exists && S_ISLNK (self->info.st_mode);

      if (is_link && should_follow)
        {
          g_clear_pointer (&self, gadget_path_lookup_free);
          errno = ELOOP;
          if (search.links)
            self = find_followed (&search, relative);
          if (self == NULL && errno == ENOENT)
            errno = EAGAIN;
        }
      if (self != NULL)
        return g_steal_pointer (&self);
      if (errno != EAGAIN)
        {
          set_search_error (&search, errno, error);
          return NULL;
        }
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               "%s is a symbolic link that leads to nothing.", resolved);
  return NULL;
}

GadgetPathLookup *
gadget_path_lookup_find_in (int folder, const char *name, const char *path, GError **error)
{
  g_autoptr (GadgetPathLookup) self = g_new0 (GadgetPathLookup, 1);

  g_return_val_if_fail (name != NULL && strchr (name, '/') == NULL, NULL);

  self->folder = folder;
  self->is_borrowed = TRUE;
  self->missing = g_new0 (char *, 1);
  self->name = g_strdup (name);
  self->path = g_strdup (path);
  if (examine (self))
    return g_steal_pointer (&self);
  set_error (error, path, errno);
  return NULL;
}

static gboolean
make_folder (GadgetPathLookup *self, const char *name)
{
  const int made = mkdirat (self->folder, name, 0777);
  int fd;

  if (made < 0 && errno != EEXIST)
    return FALSE;
  fd = openat (self->folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return FALSE;
  if (made == 0)
    g_ptr_array_add (self->made, made_new (self->folder, name));
  else
    close (self->folder);
  self->folder = fd;
  return TRUE;
}

/**
 * gadget_path_lookup_make_folders:
 *
 * Creates the missing folders, all or none, and moves the lookup into the last one. Blocks.
 *
 * Returns: whether there is no missing folder any more; else @error is a %G_IO_ERROR, and the
 *   folders that were created are removed
 */
gboolean
gadget_path_lookup_make_folders (GadgetPathLookup *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (*self->missing == NULL)
    return TRUE;
  if (self->made == NULL)
    self->made = g_ptr_array_new_with_free_func (made_free);
  for (guint i = 0; self->missing[i] != NULL; i++)
    if (!make_folder (self, self->missing[i]))
      {
        set_error (error, self->path, errno);
        gadget_path_lookup_unmake_folders (self);
        return FALSE;
      }
  g_clear_pointer (&self->missing, g_strfreev);
  self->missing = g_new0 (char *, 1);
  return TRUE;
}

/* gadget_path_lookup_unmake_folders: removes the folders that gadget_path_lookup_make_folders ()
 * created, the innermost first. One that is not empty stays. Blocks. */
void
gadget_path_lookup_unmake_folders (GadgetPathLookup *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = self->made != NULL ? self->made->len : 0; i > 0; i--)
    {
      const Made *made = g_ptr_array_index (self->made, i - 1);

      unlinkat (made->parent, made->name, AT_REMOVEDIR);
    }
}

/* Returns whether the file is on a file system of the kernel, where reading, writing or even
 * opening may have side effects. */
static gboolean
is_kernel_generated (int fd)
{
  struct statfs info;

  if (fstatfs (fd, &info) < 0)
    return TRUE;
  switch ((guint32) info.f_type)
    {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case BPF_FS_MAGIC:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Returns an O_PATH descriptor, or -1 with an error. */
static int
find (const char *root, const char *resolved, char **path, struct stat *info, GError **error)
{
  g_auto (Search) search = { .dir = -1 };
  const char *relative = search_begin (&search, root, resolved, error);
  g_autofd int fd = -1;

  if (relative == NULL)
    return -1;
  fd = _gadget_openat2_find (search.dir, relative, search.links);
  if (fd < 0 && errno == ENOENT)
    {
      /* gadget_path_lookup_find () has the error message for a link that leads to nothing. */
      g_autoptr (GadgetPathLookup) lookup = gadget_path_lookup_find (root, resolved, TRUE, error);

      if (lookup != NULL)
        set_error (error, resolved, ENOENT);
      return -1;
    }
  if (fd < 0 || fstat (fd, info) < 0)
    {
      set_search_error (&search, errno, error);
      return -1;
    }
  if (path != NULL)
    {
      g_autofree char *real = get_real_relative (&search, fd);

      if (real == NULL)
        {
          set_error (error, resolved, ESTALE);
          return -1;
        }
      *path = g_build_filename (search.top, real, NULL);
    }
  return g_steal_fd (&fd);
}

int
gadget_path_lookup_open_regular (const char *root, const char *resolved, char **path,
                                 GError **error)
{
  struct stat info;
  g_autofree char *real = NULL;
  g_autofree char *link = NULL;
  g_autofd int found = -1;
  int fd;

  g_return_val_if_fail (resolved != NULL && g_path_is_absolute (resolved), -1);

  found = find (root, resolved, path != NULL ? &real : NULL, &info, error);
  if (found < 0)
    return -1;
  if (!S_ISREG (info.st_mode) || is_kernel_generated (found))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is %s, not a file.",
                   resolved,
                   S_ISREG (info.st_mode) ? "made up by the kernel"
                                          : gadget_path_lookup_describe (info.st_mode));
      return -1;
    }
  /* This opens exactly the file that was examined. */
  link = g_strdup_printf ("/proc/self/fd/%d", found);
  fd = open (link, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    set_error (error, resolved, errno);
  else if (path != NULL)
    *path = g_steal_pointer (&real);
  return fd;
}

int
gadget_path_lookup_open_folder (const char *root, const char *resolved, char **path, GError **error)
{
  struct stat info;
  g_autofree char *real = NULL;
  g_autofd int found = -1;
  int fd;

  g_return_val_if_fail (resolved != NULL && g_path_is_absolute (resolved), -1);

  found = find (root, resolved, path != NULL ? &real : NULL, &info, error);
  if (found < 0)
    return -1;
  if (!S_ISDIR (info.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY, "%s is %s, not a folder.", resolved,
                   gadget_path_lookup_describe (info.st_mode));
      return -1;
    }
  fd = openat (found, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    set_error (error, resolved, errno);
  else if (path != NULL)
    *path = g_steal_pointer (&real);
  return fd;
}
