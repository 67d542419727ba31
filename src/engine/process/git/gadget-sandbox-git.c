/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Protects Git repositories from a command by mounts. A repository runs programs: its hooks, and
 * what its configuration names. If a command put something there, the user's own git, an editor's,
 * or a shell's prompt would run it outside of the sandbox. So of the repositories that are found in
 * the workspace (see gadget-sandbox-git-find.c), in the MAX_REPOSITORIES nearest ones
 *
 *   .git is a mount, so that it cannot be renamed together with its protected parts;
 *   .git/hooks, .git/config, .git/config.worktree and .git/commondir are read-only; the first two
 *   are created if they are missing. The same goes for the repositories of submodules in
 *   .git/modules, for the parts of worktrees in .git/worktrees, where nothing is created, and for
 *   folders that are repositories themselves;
 *   a .git that is a file, of a worktree or submodule, is read-only. The folder that it names is
 *   visible, read-only, if that folder in turn names the workspace: a command may have written the
 *   file, but not that folder.
 *
 * Another command in the same workspace may run meanwhile, and replace a folder by a link. So what
 * was examined is mounted by its descriptor, except directly in the workspace, where .git is a
 * mount for each of these commands.
 *
 * A mount cannot protect a file that does not exist yet, nor what is further down:
 * gadget-sandbox-git-guard.c checks these after the command. While the command still runs there is
 * no protection for them. Runs in a thread. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-path.h"
#include "gadget-sandbox-git-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_REPOSITORIES 32

/* A repository, or the folder of a ".git" file, that is mounted. */
typedef struct
{
  int fd;     /* O_PATH descriptor of the repository, or of the folder of the ".git" file */
  char *base; /* a path to FD, of _gadget_git_dup_base () */
  char *path; /* its path for the command */
  gboolean by_path;
  gboolean is_mount;         /* it is the workspace itself, which is a mount already */
  GCancellable *cancellable; /* (nullable) */
  GadgetGitFunc mount;
  gpointer user_data;
} Mounting;

int
_gadget_git_open (const char *workspace, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  int fd = _gadget_git_open_at (AT_FDCWD, workspace, O_PATH | O_DIRECTORY);

  for (guint i = 0; fd >= 0 && parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      {
        const int next = _gadget_git_open_at (fd, parts[i], O_PATH);

        close (fd);
        fd = next;
      }
  return fd;
}

char *
_gadget_git_dup_base (int fd)
{
  return g_strdup_printf ("/proc/self/fd/%d", fd);
}

/* Creates hooks and config if they are missing, so that a command cannot create them. Only a real
 * repository is changed, in which an empty configuration has no effect. Nothing is created after a
 * cancellation: the disk may have hung until then, and nobody expects a change any more. */
static void
fill_up (const char *git, GCancellable *cancellable)
{
  g_autofree char *hooks = g_build_filename (git, "hooks", NULL);
  g_autofree char *config = g_build_filename (git, "config", NULL);

  if (_gadget_git_get_type (git, "HEAD") != S_IFREG || _gadget_git_get_type (git, "commondir") != 0
      || g_cancellable_is_cancelled (cancellable))
    return;
  if (_gadget_git_get_type (git, "hooks") == 0)
    g_mkdir (hooks, 0755);
  if (_gadget_git_get_type (git, "config") == 0)
    {
      const int fd = open (config, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

      if (fd >= 0)
        close (fd);
    }
}

/* Protects the part itself only: of a symbolic link bubblewrap would protect the target. */
static void
protect_part (const Mounting *self, const char *name, mode_t type)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  g_autofd int fd = _gadget_git_open_at (self->fd, name, O_PATH);
  struct stat info;

  if (fd >= 0 && fstat (fd, &info) == 0 && (info.st_mode & S_IFMT) == type)
    self->mount (path, self->by_path ? -1 : g_steal_fd (&fd), TRUE, self->user_data);
}

static void
protect_repository (const Mounting *self)
{
  fill_up (self->base, self->cancellable);
  if (!self->is_mount)
    self->mount (self->path, self->by_path ? -1 : _gadget_git_dup (self->fd), FALSE,
                 self->user_data);
  protect_part (self, "hooks", S_IFDIR);
  protect_part (self, "config", S_IFREG);
  protect_part (self, "config.worktree", S_IFREG);
  protect_part (self, "commondir", S_IFREG);
}

/* --- Files that stand for a repository ---------------------------------------------------------
 */

/* Returns whether FOLDER names the ".git" file at the path GIT. The repository of a worktree has
 * the path of that file in "gitdir"; the repository of a submodule has its working folder in the
 * configuration. */
static gboolean
points_back (const char *folder, const char *git)
{
  g_autofree char *workspace = g_path_get_dirname (git);
  g_autofree char *gitdir = _gadget_git_read_path (folder, "gitdir");
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (gitdir != NULL)
    {
      g_autofree char *back = _gadget_git_resolve (folder, gitdir);

      return g_strcmp0 (back, git) == 0;
    }
  text = _gadget_git_read (folder, "config");
  if (text == NULL)
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      const char *equals = strchr (line, '=');

      if (!g_str_has_prefix (line, "worktree") || equals == NULL)
        continue;

      g_autofree char *value = g_strstrip (g_strdup (equals + 1));
      g_autofree char *back = _gadget_git_resolve (folder, value);

      return g_strcmp0 (back, workspace) == 0;
    }
  return FALSE;
}

/* SELF is about the folder that contains the ".git" file. */
static void
protect_file (const Mounting *self, const char *workspace)
{
  g_autofree char *git = g_build_filename (self->path, ".git", NULL);
  g_autofree char *folder = _gadget_git_follow (self->base);
  g_autofree char *common_name = NULL;
  g_autofree char *common = NULL;

  protect_part (self, ".git", S_IFREG);
  if (folder == NULL || gadget_path_is_within (folder, workspace) || !points_back (folder, git))
    return;
  common_name = _gadget_git_read_path (folder, "commondir");
  common = common_name != NULL ? _gadget_git_resolve (folder, common_name) : NULL;
  if (common != NULL && gadget_path_is_within (folder, common))
    self->mount (common, -1, TRUE, self->user_data);
  else
    self->mount (folder, -1, TRUE, self->user_data);
}

/* --- All ---------------------------------------------------------------------------------------
 */

gboolean
_gadget_git_place_is_near (const GadgetGitPlace *place)
{
  return *place->path == '\0' || g_str_equal (place->path, ".git");
}

static void
protect_place (const char *workspace, const GadgetGitPlace *place, GCancellable *cancellable,
               GadgetGitFunc mount, gpointer user_data)
{
  const gboolean is_file = place->type == S_IFREG;
  g_autofree char *folder = is_file ? g_path_get_dirname (place->path) : g_strdup (place->path);
  const char *below = g_str_equal (folder, ".") ? "" : folder;
  g_autofree char *path = g_build_filename (workspace, below, NULL);
  g_autofd int fd = _gadget_git_open (workspace, below);
  g_autofree char *base = _gadget_git_dup_base (fd);
  const Mounting mounting = {
    .fd = fd,
    .base = base,
    .path = path,
    .by_path = _gadget_git_place_is_near (place),
    .is_mount = *below == '\0',
    .cancellable = cancellable,
    .mount = mount,
    .user_data = user_data,
  };
  struct stat info;

  if (fd < 0 || fstat (fd, &info) < 0 || !S_ISDIR (info.st_mode))
    return;
  if (is_file)
    protect_file (&mounting, workspace);
  else
    protect_repository (&mounting);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (((const GadgetGitPlace *) a)->path, ((const GadgetGitPlace *) b)->path);
}

guint
_gadget_git_protect (const char *workspace, const GadgetGitPlaces *places,
                     GCancellable *cancellable, GadgetGitFunc mount, gpointer user_data)
{
  g_autoptr (GPtrArray) first = g_ptr_array_new ();

  for (guint i = 0; i < MIN (places->list->len, MAX_REPOSITORIES); i++)
    g_ptr_array_add (first, g_ptr_array_index (places->list, i));
  /* The outer ones come first: a mount would cover earlier mounts inside of it. */
  g_ptr_array_sort_values (first, compare_paths);
  for (guint i = 0; i < first->len; i++)
    {
      const GadgetGitPlace *place = g_ptr_array_index (first, i);

      if (place->type != S_IFLNK)
        protect_place (workspace, place, cancellable, mount, user_data);
    }
  return first->len;
}
