/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Covers Unix sockets. A process that listens on a socket works outside of the sandbox for everyone
 * who connects to it: the daemon of a container, a build server, a database. A read-only mount does
 * not prevent connecting. Most sockets are in /run, /tmp and the home folder, which are empty in
 * the sandbox. This file covers the others, as far as this user may connect to them, and those in
 * the tool folders of the home folder, which are visible. Sockets in the folders that are given to
 * the command were given with them. A socket that is created while the command runs is not covered.
 *
 * The kernel lists sockets with the paths by which they were created, which may belong to another
 * root: a path at which there is no socket here is skipped. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "common/gadget-path.h"
#include "process/git/gadget-sandbox-git.h"
#include "gadget-sandbox-private.h"
#include "common/gadget-path.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST "/proc/net/unix"
/* Each covered socket costs a mount. */
#define MAX_SOCKETS 64

/* Returns the path by which a command would reach the socket (transfer full), or NULL if it would
 * not, or if it is in a folder that was given. */
static char *
dup_name_inside (const char *path, GadgetSandboxTools *tools, GPtrArray *hidden, GPtrArray *folders)
{
  if (gadget_path_is_within_any (path, folders))
    return NULL;
  for (guint i = 0; tools != NULL && i < tools->folders->len; i++)
    {
      const GadgetToolFolder *tool = g_ptr_array_index (tools->folders, i);

      if (gadget_path_is_within (path, tool->real))
        return g_strconcat (tool->path, path + strlen (tool->real), NULL);
    }
  if (gadget_path_is_within (path, "/tmp") || gadget_path_is_within (path, "/run")
      || gadget_path_is_within (path, "/dev") || gadget_path_is_within_any (path, hidden))
    return NULL;
  return g_strdup (path);
}

/* Most sockets are in these folders, which are empty in the sandbox. This saves a look-up of
 * each. */
static gboolean
is_plainly_empty (const char *name)
{
  return strstr (name, "/../") == NULL
         && (g_str_has_prefix (name, "/run/") || g_str_has_prefix (name, "/tmp/"));
}

static gboolean
is_reachable (const char *path)
{
  GStatBuf info;

  return g_lstat (path, &info) == 0 && S_ISSOCK (info.st_mode) && access (path, W_OK) == 0;
}

/**
 * _gadget_sockets_cover:
 * @launch: is told which files are covered
 * @argv: the command line of bubblewrap, after all that is visible
 * @tools: (nullable): their folders are visible although they are hidden otherwise
 * @hidden: (element-type filename): folders that are empty in the sandbox
 * @folders: (element-type filename): folders that are given to the command
 *
 * Covers each socket with a device, to which nothing can connect.
 */
void
_gadget_sockets_cover (GadgetLaunch *launch, GPtrArray *argv, GadgetSandboxTools *tools,
                       GPtrArray *hidden, GPtrArray *folders)
{
  g_autoptr (GHashTable) covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (LIST, &text, NULL, &error))
    {
      gadget_git_note_fd_shortage (error);
      return;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && g_hash_table_size (covered) < MAX_SOCKETS; i++)
    {
      const char *name = strchr (lines[i], '/'); /* the columns before the path are numbers */
      g_autofree char *path = NULL;
      g_autofree char *inside = NULL;

      if (name == NULL || is_plainly_empty (name))
        continue;
      path = realpath (name, NULL);
      if (path == NULL || !is_reachable (path))
        continue;
      inside = dup_name_inside (path, tools, hidden, folders);
      if (inside == NULL || g_hash_table_contains (covered, inside))
        continue;
      _gadget_launch_cover (launch, argv, inside);
      g_hash_table_add (covered, g_steal_pointer (&inside));
    }
}
