/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The caches of compilers and package managers, one for each workspace: what a command puts there
 * is never used by a command of another workspace, nor by the user's own programs. A cache is a
 * folder in Gadget's cache folder, named after a hash of the workspace's path. In the sandbox it is
 * /tmp/cache, and the variables of the common tools point there. A server of tools, which may have
 * keys and the network, has a cache of its own, whatever its folders are, so that it never runs
 * what a command has put there.
 *
 *   NAME/workspace   the path, for people; its modification time is when it was last used
 *   NAME/files-…/    what commands see
 *
 * A path in the workspace could lead the user's own programs into a cache, where a command has put,
 * for example, a repository with hooks. So the folder "files-…" gets another name when the last
 * command that uses it has ended. Commands do not notice the new name.
 *
 * A cache that was not used for 30 days is removed. So are the caches that exceed the limit, those
 * that were not used for longest, but none that was used in the last hour. This happens when Gadget
 * starts, and once an hour while commands run. Commands made the content of a cache, so no symbolic
 * link is followed while it is measured or removed.
 *
 * Preparing and cleaning run in threads. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-blocking.h"
#include "gadget-sandbox-cache-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A cache that was not used for a month can be made again; one that was used within the last hour
 * stays, however large it is. */
#define KEPT_SECONDS (30 * 24 * 60 * 60)
#define IN_USE_SECONDS (60 * 60)
#define NAME_CHARS 24
#define MAX_DEPTH 200

static const char *const places[][2] = {
  { "XDG_CACHE_HOME", "" },
  { "CARGO_HOME", "/cargo" },
  { "GOPATH", "/go" },
  { "npm_config_cache", "/npm" },
  { "npm_config_store_dir", "/pnpm" },
  { "YARN_CACHE_FOLDER", "/yarn" },
  { "BUN_INSTALL_CACHE_DIR", "/bun" },
  { "GRADLE_USER_HOME", "/gradle" },
  { "NUGET_PACKAGES", "/nuget" },
  { "BUNDLE_USER_HOME", "/bundle" },
  { "COMPOSER_HOME", "/composer" },
  { "PIPX_HOME", "/pipx" },
};

#define FILES "files"

struct _GadgetCacheUse
{
  char *files;
  int fd; /* the folder that contains FILES, with a lock */
};

static char *
make_files_name (const char *folder)
{
  g_autofree char *name = g_strdup_printf (FILES "-%08x%08x", g_random_int (), g_random_int ());

  return g_build_filename (folder, name, NULL);
}

/* Returns (transfer full) the path of the folder that commands see; a new one if it does not
 * exist. */
static char *
find_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, FILES))
      return g_build_filename (folder, name, NULL);
  return make_files_name (folder);
}

/**
 * _gadget_cache_use_new:
 * @files: the path that gadget_sandbox_cache_prepare () returned
 *
 * Claims a cache: it keeps its name as long as there is a claim.
 *
 * Returns: (transfer full) (nullable): %NULL if the cache has another name by now
 */
GadgetCacheUse *
_gadget_cache_use_new (const char *files)
{
  g_autofree char *folder = g_path_get_dirname (files);
  g_autofd int fd = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  GadgetCacheUse *self;

  if (fd < 0 || flock (fd, LOCK_SH) != 0 || !g_file_test (files, G_FILE_TEST_IS_DIR))
    return NULL;
  self = g_new0 (GadgetCacheUse, 1);
  self->files = g_strdup (files);
  self->fd = g_steal_fd (&fd);
  return self;
}

/**
 * _gadget_cache_use_free:
 *
 * Releases the claim, and gives the cache another name unless another command uses it.
 */
void
_gadget_cache_use_free (GadgetCacheUse *self)
{
  g_autofree char *folder = g_path_get_dirname (self->files);
  g_autofree char *other = make_files_name (folder);

  if (flock (self->fd, LOCK_EX | LOCK_NB) == 0)
    (void) g_rename (self->files, other);
  close (self->fd);
  g_free (self->files);
  g_free (self);
}

/**
 * gadget_sandbox_cache_prepare:
 * @folder: the folder of all caches
 * @workspace: a canonical path, or a name that does not begin with a slash
 *
 * Creates the workspace's cache if there is none, and notes that it is used now. Blocks.
 *
 * Returns: (transfer full) (nullable): the folder for commands; %NULL if it cannot be created
 */
char *
gadget_sandbox_cache_prepare (const char *folder, const char *workspace)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, workspace, -1);
  g_autofree char *name = g_strndup (hash, NAME_CHARS);
  g_autofree char *own = g_build_filename (folder, name, NULL);
  g_autofree char *files = find_files (own);
  g_autofree char *note = g_build_filename (own, "workspace", NULL);

  if (g_mkdir_with_parents (files, 0700) != 0)
    return NULL;
  if (utimensat (AT_FDCWD, note, NULL, AT_SYMLINK_NOFOLLOW) != 0)
    g_file_set_contents (note, workspace, -1, NULL);
  return g_steal_pointer (&files);
}

/* Commands may take modules from the module cache of the user's Go. */
static void
add_go_source (GadgetSandboxTools *tools, GPtrArray *variables)
{
  for (guint i = 0; tools != NULL && i < tools->folders->len; i++)
    {
      const GadgetToolFolder *folder = g_ptr_array_index (tools->folders, i);

      if (g_str_has_suffix (folder->path, "/go/pkg/mod"))
        g_ptr_array_add (variables, g_strdup_printf ("GOPROXY=file://%s/cache/download,"
                                                     "https://proxy.golang.org,direct",
                                                     folder->path));
    }
}

/**
 * _gadget_cache_list_variables:
 * @folder: the path of the cache as commands see it
 * @tools: (nullable): the tools that commands see
 * @variables: (element-type utf8): "NAME=value" strings are added to it
 *
 * Lists the variables that point the common tools to the cache.
 */
void
_gadget_cache_list_variables (const char *folder, GadgetSandboxTools *tools, GPtrArray *variables)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    g_ptr_array_add (variables, g_strconcat (places[i][0], "=", folder, places[i][1], NULL));
  add_go_source (tools, variables);
}

/* --- Cleaning ----------------------------------------------------------------------------------
 */

static void remove_inside (int fd, guint depth);

static void
remove_entry (int parent, const char *name, guint depth)
{
  g_autofd int fd = -1;

  if (unlinkat (parent, name, 0) == 0)
    return;
  fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || depth == 0)
    return;
  /* Go makes its module folders read-only. */
  fchmod (fd, 0700);
  remove_inside (fd, depth - 1);
  unlinkat (parent, name, AT_REMOVEDIR);
}

static void
remove_inside (int fd, guint depth)
{
  const int copy = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      remove_entry (fd, entry->d_name, depth);
  if (dir != NULL)
    closedir (dir);
  else if (copy >= 0)
    close (copy);
}

static guint64 measure_inside (int fd, guint depth);

static guint64
measure_entry (int parent, const char *name, guint depth)
{
  struct stat info;
  g_autofd int fd = -1;

  if (fstatat (parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return 0;
  if (S_ISDIR (info.st_mode) && depth > 0)
    fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return (guint64) info.st_blocks * 512 + (fd >= 0 ? measure_inside (fd, depth - 1) : 0);
}

static guint64
measure_inside (int fd, guint depth)
{
  const int copy = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  DIR *dir = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;
  guint64 size = 0;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      size += measure_entry (fd, entry->d_name, depth);
  if (dir != NULL)
    closedir (dir);
  else if (copy >= 0)
    close (copy);
  return size;
}

/* The cache of one workspace. */
typedef struct
{
  char *name;
  gint64 used; /* seconds since 1970 */
} Cache;

static void
cache_free (gpointer data)
{
  Cache *cache = data;

  g_free (cache->name);
  g_free (cache);
}

static int
compare_use (gconstpointer a, gconstpointer b)
{
  const Cache *first = a;
  const Cache *second = b;

  return first->used < second->used ? -1 : first->used > second->used;
}

/* Returns the caches, the one that was not used for longest first. */
static GPtrArray *
list_caches (const char *folder, int fd)
{
  GPtrArray *caches = g_ptr_array_new_with_free_func (cache_free);
  g_autoptr (GDir) dir = fd >= 0 ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *note = g_build_filename (name, "workspace", NULL);
      struct stat info;
      Cache *cache;

      if (fstatat (fd, note, &info, AT_SYMLINK_NOFOLLOW) != 0
          && fstatat (fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        continue;
      cache = g_new0 (Cache, 1);
      cache->name = g_strdup (name);
      cache->used = info.st_mtime;
      g_ptr_array_add (caches, cache);
    }
  g_ptr_array_sort_values (caches, compare_use);
  return caches;
}

typedef struct
{
  char *folder;
  guint64 max_total;
} Cleaning;

static void
cleaning_free (gpointer data)
{
  Cleaning *cleaning = data;

  g_free (cleaning->folder);
  g_free (cleaning);
}

/* Returns the number of removed caches plus one, since NULL would be an error. */
static gpointer
clean_in_thread (GadgetBlocking *job, gpointer data, GCancellable *cancellable, GError **error)
{
  const Cleaning *cleaning = data;
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofd int fd = open (cleaning->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_autoptr (GPtrArray) caches = list_caches (cleaning->folder, fd);
  guint64 total = 0;
  gsize n_removed = 0;

  for (guint i = caches->len; i > 0; i--)
    {
      const Cache *cache = g_ptr_array_index (caches, i - 1);
      const gint64 age = now - cache->used;
      const guint64 size = age < KEPT_SECONDS ? measure_entry (fd, cache->name, MAX_DEPTH) : 0;

      if (age < IN_USE_SECONDS || (age < KEPT_SECONDS && total + size <= cleaning->max_total))
        {
          total += size;
          continue;
        }
      remove_entry (fd, cache->name, MAX_DEPTH);
      n_removed++;
    }
  return GSIZE_TO_POINTER (n_removed + 1);
}

/**
 * gadget_sandbox_cache_clean_async:
 * @folder: the folder of all caches
 * @max_total: the bytes that all caches may take together, usually %GADGET_SANDBOX_CACHE_MAX_TOTAL
 * @callback: (scope async): called when the caches are cleaned
 * @user_data: for @callback
 *
 * Removes in a thread the caches that were not used for 30 days, and those that exceed the limit.
 */
void
gadget_sandbox_cache_clean_async (const char *folder, guint64 max_total,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  Cleaning *cleaning = g_new0 (Cleaning, 1);

  cleaning->folder = g_strdup (folder);
  cleaning->max_total = max_total;
  gadget_blocking_run_async (NULL, clean_in_thread, cleaning, cleaning_free, NULL, callback,
                             user_data);
}

/**
 * gadget_sandbox_cache_clean_finish:
 *
 * Returns: how many caches were removed
 */
gssize
gadget_sandbox_cache_clean_finish (GAsyncResult *result)
{
  const gsize n = GPOINTER_TO_SIZE (gadget_blocking_run_finish (result, NULL));

  return n > 0 ? (gssize) n - 1 : 0;
}
