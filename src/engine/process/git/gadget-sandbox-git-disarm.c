/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Removes from a repository what a command put there and git would run. Everything is done through
 * descriptors of the folders that were examined, since another command in the workspace may run.
 * Runs in threads. */

#include "config.h"

#include "common/gadget-path.h"
#include "gadget-sandbox-git-guard-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static gboolean
set_aside_in (const char *folder, const char *name)
{
  g_autofd int fd = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

  return fd >= 0 && _gadget_git_set_aside (fd, name);
}

/* Removes the permission to execute from the file itself, whatever is called NAME by then. */
static gboolean
take_right (int folder, const char *name)
{
  g_autofd int fd = _gadget_git_open_at (folder, name, O_PATH);
  g_autofree char *path = _gadget_git_dup_base (fd);
  struct stat info;

  return fd >= 0 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && (info.st_mode & 0111) != 0
         && chmod (path, info.st_mode & 0666) == 0;
}

/* Returns whether the hook could have been run. */
static gboolean
disarm_hook (int folder, const char *base, const char *name)
{
  if (g_str_has_suffix (name, ".sample"))
    return FALSE;
  return _gadget_git_get_type (base, name) == S_IFREG ? take_right (folder, name)
                                                      : _gadget_git_set_aside (folder, name);
}

/* Disarms a file of a remote or branch, whose address may be that of a program. */
static gboolean
disarm_address (int folder, const char *base, const char *name)
{
  g_autofree char *text = _gadget_git_read (base, name);

  return (text == NULL || strstr (text, "::") != NULL) && gadget_git_get_fd_shortage () == 0
         && _gadget_git_set_aside (folder, name);
}

static guint
disarm_folder (const char *git, GadgetGitPart part)
{
  const char *part_name = _gadget_git_part_get_name (part);
  g_autofree char *path = g_build_filename (git, part_name, NULL);
  const mode_t type = _gadget_git_get_type (path, NULL);
  g_autofd int fd = _gadget_git_open_at (AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
  g_autofree char *base = _gadget_git_dup_base (fd);
  g_autoptr (GDir) dir = fd >= 0 ? _gadget_git_open_dir (base) : NULL;
  const char *name;
  guint n_disarmed = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n_disarmed += part == GADGET_GIT_PART_HOOKS ? disarm_hook (fd, base, name)
                                                : disarm_address (fd, base, name);
  /* The content behind a link cannot be judged. Nor can that of a folder in which files can be
   * opened by their names, but which cannot be listed. */
  if (type == S_IFLNK || (type == S_IFDIR && dir == NULL && gadget_git_get_fd_shortage () == 0))
    n_disarmed += set_aside_in (git, part_name) ? 1 : 0;
  return n_disarmed;
}

static gboolean
disarm_config (GadgetGitGuard *self, const char *git, const char *name)
{
  g_autofree char *config = g_build_filename (git, name, NULL);
  g_autofree char *text = _gadget_git_read (git, name);

  if (_gadget_git_get_type (config, NULL) == 0 || gadget_git_get_fd_shortage () != 0
      || (text != NULL && _gadget_git_is_harmless (text, git, self->workspace)))
    return FALSE;
  return set_aside_in (git, name);
}

/* Returns the path below the workspace (nullable) (transfer none) if PATH, a real path, is that of
 * a repository in the workspace that is checked itself. */
static const char *
find_looked_at (GadgetGitGuard *self, const char *path)
{
  const char *below;

  if (path == NULL || !gadget_path_is_within (path, self->workspace))
    return NULL;
  below = path + strlen (self->workspace);
  return *below == '/' && g_hash_table_contains (self->looked_at, below + 1) ? below + 1 : NULL;
}

static gboolean
disarm_common (GadgetGitGuard *self, const char *git)
{
  g_autofree char *common = _gadget_git_find_common (git);

  return _gadget_git_get_type (git, _gadget_git_part_get_name (GADGET_GIT_PART_COMMONDIR)) != 0
         && find_looked_at (self, common) == NULL
         && set_aside_in (git, _gadget_git_part_get_name (GADGET_GIT_PART_COMMONDIR));
}

/* Returns whether the part contained something that could have been run. */
static gboolean
disarm_part (GadgetGitGuard *self, const char *git, GadgetGitPart part)
{
  if (_gadget_git_part_is_folder (part))
    return disarm_folder (git, part) > 0;
  if (part == GADGET_GIT_PART_COMMONDIR)
    return disarm_common (self, git);
  return disarm_config (self, git, _gadget_git_part_get_name (part));
}

gboolean
_gadget_git_guard_disarm_repository (GadgetGitGuard *self, const char *git,
                                     const GadgetGitState *known)
{
  gboolean found = FALSE;

  for (guint i = 0; i < GADGET_GIT_N_PARTS; i++)
    {
      g_autofree char *now = NULL;

      if (known != NULL && known->kept[i])
        continue;
      now = _gadget_git_describe_part (git, i, known != NULL ? known->parts[i] : NULL);
      if (*now != '\0' && (known == NULL || g_strcmp0 (now, known->parts[i]) != 0))
        found = disarm_part (self, git, i) || found;
    }
  return _gadget_git_orders_disarm (known != NULL ? known->orders : NULL, git, NULL) || found;
}

static gboolean
is_part_changed_since (GadgetGitGuard *self, const char *git, GadgetGitPart part)
{
  g_autofree char *path = g_build_filename (git, _gadget_git_part_get_name (part), NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (_gadget_git_changed_since (path, &self->begun))
    return TRUE;
  if (!_gadget_git_part_is_folder (part) || _gadget_git_get_type (path, NULL) != S_IFDIR)
    return FALSE;
  dir = _gadget_git_open_dir (path);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *hook = g_build_filename (path, name, NULL);

      if (_gadget_git_changed_since (hook, &self->begun))
        return TRUE;
    }
  return FALSE;
}

gboolean
_gadget_git_guard_disarm_unknown (GadgetGitGuard *self, const char *git)
{
  gboolean found = FALSE;

  for (guint i = 0; i < GADGET_GIT_N_PARTS; i++)
    if (is_part_changed_since (self, git, i))
      found = disarm_part (self, git, i) || found;
  return _gadget_git_orders_disarm (NULL, git, &self->begun) || found;
}

static gboolean
is_name_of_parts (const char *name)
{
  return g_str_equal (name, "modules") || g_str_equal (name, "worktrees");
}

/* Returns whether the ".git" file in FOLDER leads to the repository of a submodule or worktree,
 * which lies in "modules" or "worktrees" of the outer repository, whatever that is called, and is
 * checked itself. It can run nothing that the outer repository could not, and the files that its
 * configuration names in FOLDER are checked as well. */
static gboolean
leads_to_part (GadgetGitGuard *self, const char *folder)
{
  g_autofree char *git = _gadget_git_follow (folder);
  const char *below = find_looked_at (self, git);
  g_auto (GStrv) parts = g_strsplit (below != NULL ? below : "", "/", -1);
  g_autoptr (GString) whole = g_string_new (NULL);

  for (guint i = 0; parts[0] != NULL && parts[i + 1] != NULL; i++)
    {
      if (is_name_of_parts (parts[i]) && g_hash_table_contains (self->looked_at, whole->str))
        return TRUE;
      g_string_append_printf (whole, "%s%s", whole->len > 0 ? "/" : "", parts[i]);
    }
  return FALSE;
}

gboolean
_gadget_git_guard_set_aside (GadgetGitGuard *self, const GadgetGitPlace *place, const char *folder)
{
  if (place->type == S_IFREG && leads_to_part (self, folder))
    return FALSE;
  return set_aside_in (folder, ".git");
}
