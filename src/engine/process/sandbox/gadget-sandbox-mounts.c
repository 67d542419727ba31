/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists the mounts of a command in bubblewrap. Their order is the policy: the whole root read-only;
 * over it empty folders in place of the user's folders; over these the tool folders, and then the
 * workspace. So a workspace may lie within a hidden folder, but may not contain one. Runs in a
 * thread. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-path.h"
#include "gadget-sandbox-cache-private.h"
#include "gadget-sandbox-private.h"

#include "common/gadget-path.h"

#include <stdlib.h>

#define HELPER_INSIDE "/run/gadget-supervise"

#define add _gadget_argv_add

/* Each mount costs time: the helper gets one only where its folder is hidden. */
const char *
_gadget_mounts_get_helper (const char *helper, GPtrArray *hidden)
{
  const gboolean is_hidden = gadget_path_is_within_any (helper, hidden)
                             || gadget_path_is_within (helper, "/tmp")
                             || gadget_path_is_within (helper, "/run");

  return is_hidden ? HELPER_INSIDE : helper;
}

static void
add_tools (GadgetSandbox *self, GadgetLaunch *launch, GPtrArray *argv, GPtrArray *folders)
{
  for (guint i = 0; self->tools != NULL && i < self->tools->folders->len; i++)
    {
      const GadgetToolFolder *tool = g_ptr_array_index (self->tools->folders, i);

      if (!gadget_path_is_within_any (tool->real, folders))
        add (argv, "--ro-bind-try", tool->real, tool->path, NULL);
    }
  /* The cover is a device, which cannot be opened on such a mount. */
  for (guint i = 0; self->tools != NULL && i < self->tools->masked->len; i++)
    {
      const char *file = g_ptr_array_index (self->tools->masked, i);

      if (!gadget_path_is_within_any (file, folders) && g_file_test (file, G_FILE_TEST_IS_REGULAR))
        _gadget_launch_cover (launch, argv, file);
    }
}

static gboolean
is_empty (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  return dir == NULL || g_dir_read_name (dir) == NULL;
}

/* Cargo builds from what the user's own Cargo has downloaded, until a command downloads by itself.
 * A command may have put a symbolic link into the cache, and bubblewrap would follow it to the
 * target of the mount, so nothing is mounted then. */
static void
add_cargo (GadgetSandbox *self, GPtrArray *argv, const char *cache, const char *name)
{
  g_autofree char *cargo = g_build_filename (cache, "cargo", NULL);
  g_autofree char *own = g_build_filename (cargo, name, NULL);
  g_autofree char *suffix = g_strconcat ("/.cargo/", name, NULL);

  for (guint i = 0; self->tools != NULL && i < self->tools->folders->len; i++)
    {
      const GadgetToolFolder *tool = g_ptr_array_index (self->tools->folders, i);
      g_autofree char *place = g_build_filename (_GADGET_SANDBOX_CACHE, "cargo", name, NULL);

      if (g_str_has_suffix (tool->path, suffix) && !g_file_test (cargo, G_FILE_TEST_IS_SYMLINK)
          && !g_file_test (own, G_FILE_TEST_IS_SYMLINK) && is_empty (own))
        add (argv, "--ro-bind-try", tool->real, place, NULL);
    }
}

/* Returns whether the command has a cache. */
static gboolean
add_cache (GadgetSandbox *self, GadgetLaunch *launch, GPtrArray *argv, GPtrArray *folders,
           const GadgetSandboxCommand *command)
{
  g_autofree char *cache = _gadget_sandbox_prepare_cache (self, launch, folders, command);

  if (cache == NULL)
    return FALSE;
  add (argv, "--bind", cache, _GADGET_SANDBOX_CACHE, NULL);
  add_cargo (self, argv, cache, "registry");
  add_cargo (self, argv, cache, "git");
  return TRUE;
}

/* The user data of mount_git (). */
typedef struct
{
  GadgetLaunch *launch;
  GPtrArray *argv;
} GitMounts;

/* bubblewrap itself ensures that it mounts what the descriptor refers to. */
static void
mount_git (const char *path, int fd, gboolean read_only, gpointer user_data)
{
  const GitMounts *mounts = user_data;
  g_autofree char *number = NULL;

  if (fd < 0)
    {
      add (mounts->argv, read_only ? "--ro-bind-try" : "--bind-try", path, path, NULL);
      return;
    }
  number = g_strdup_printf ("%u", _GADGET_SANDBOX_GIT_FD + mounts->launch->sources->len);
  _gadget_launch_give_fd (mounts->launch, fd, atoi (number));
  add (mounts->argv, read_only ? "--ro-bind-fd" : "--bind-fd", number, path, NULL);
}

static void
end_use (gpointer use)
{
  _gadget_cache_use_free (use);
}

void
_gadget_mounts_protect_git (GadgetSandbox *self, GadgetLaunch *launch, GPtrArray *folders,
                            const GadgetSandboxCommand *command, GadgetGitFunc mount,
                            gpointer user_data)
{
  g_autofree char *notes = folders->len > 0 ? gadget_sandbox_dup_notes_dir (self) : NULL;

  if (folders->len > 0)
    launch->git = gadget_git_guards_new ();
  for (guint i = 0; i < folders->len; i++)
    {
      const char *folder = g_ptr_array_index (folders, i);
      g_autofree char *found = notes != NULL ? gadget_git_notes_check (notes, folder) : NULL;
      GadgetGitGuard *guard = gadget_git_guard_new (folder);

      gadget_git_guard_protect (guard, command->cancellable, mount, user_data);
      gadget_git_guard_set_whole_names (guard, i > 0 || command->workspace == NULL);
      if (notes != NULL)
        gadget_git_guard_note (guard, notes);
      gadget_git_guard_add_found (guard, found);
      if (i == 0 && launch->cache != NULL)
        gadget_git_guard_hold (guard, g_steal_pointer (&launch->cache), end_use);
      g_ptr_array_add (launch->git, guard);
    }
}

static void
hide (GPtrArray *argv, const char *folder)
{
  /* A write there shall fail rather than be lost. Mode 0555 does that for half the cost of a
   * read-only mount, and there is nothing in these folders to protect. */
  if (!g_str_equal (folder, "/var/tmp"))
    add (argv, "--perms", "0555", NULL);
  add (argv, "--tmpfs", folder, NULL);
}

/* Returns whether one of these mounts is within FOLDER, or contains it. TRUE also if FOLDER
 * contains the home folder, in which a path may lead elsewhere by a symbolic link. */
static gboolean
concerns (GPtrArray *mounts, const char *folder, const char *home)
{
  if (home == NULL || gadget_path_is_within (home, folder))
    return TRUE;
  for (guint i = 0; i < mounts->len; i++)
    {
      const char *word = g_ptr_array_index (mounts, i);

      if (*word == '/'
          && (gadget_path_is_within (word, folder) || gadget_path_is_within (folder, word)))
        return TRUE;
    }
  return FALSE;
}

/* bubblewrap reads the list of all mounts again for each bind mount, so the empty folders are
 * mounted after these, except for the folders in which, or in place of which, something else is
 * visible. */
gboolean
_gadget_mounts_add (GadgetSandbox *self, GadgetLaunch *launch, GPtrArray *argv, GPtrArray *hidden,
                    GPtrArray *folders, const GadgetSandboxCommand *command)
{
  const char *helper = command->helper;
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) last = g_ptr_array_new ();
  g_autofree char *home = realpath (g_get_home_dir (), NULL);
  GitMounts mounts = { launch, shown };
  gboolean cached;

  if (!g_str_equal (_gadget_mounts_get_helper (helper, hidden), helper))
    add (shown, "--ro-bind", helper, HELPER_INSIDE, NULL);
  add_tools (self, launch, shown, folders);
  cached = add_cache (self, launch, shown, folders, command);
  for (guint i = 0; i < folders->len; i++)
    add (shown, "--bind", g_ptr_array_index (folders, i), g_ptr_array_index (folders, i), NULL);
  _gadget_mounts_protect_git (self, launch, folders, command, mount_git, &mounts);

  add (argv, "--ro-bind", "/", "/", "--dev", "/dev", NULL);
  if (self->fresh_proc)
    add (argv, "--proc", "/proc", NULL);
  else
    add (argv, "--ro-bind", "/proc", "/proc", NULL);
  add (argv, "--tmpfs", "/tmp", "--dir", _GADGET_SANDBOX_HOME, "--dir", _GADGET_SANDBOX_WORK, NULL);
  g_ptr_array_insert (hidden, 0, g_strdup ("/run"));
  for (guint i = 0; i < hidden->len; i++)
    if (concerns (shown, g_ptr_array_index (hidden, i), home))
      hide (argv, g_ptr_array_index (hidden, i));
    else
      g_ptr_array_add (last, g_ptr_array_index (hidden, i));
  for (guint i = 0; i < shown->len; i++)
    g_ptr_array_add (argv, g_strdup (g_ptr_array_index (shown, i)));
  _gadget_sockets_cover (launch, argv, self->tools, hidden, folders);
  for (guint i = 0; i < last->len; i++)
    hide (argv, g_ptr_array_index (last, i));
  return cached;
}
