/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Somebody who listens on a socket works outside of the sandbox for whoever connects to it: a
 * container's daemon, a build server, a database. A read-only mount does not refuse that. Most
 * sockets lie in /run, /tmp and the home folder, which are empty inside. Here are the others, as
 * far as this user may connect to them, and those in the tools' folders of the home folder, which
 * are shown again; what is in the folders that are given was given with them. One that comes later,
 * while the command runs, is not covered.
 *
 * The kernel lists them with the names by which they were made, which may be from another root:
 * what is not a socket here is passed over. */

#define G_LOG_DOMAIN "gadget-sandbox"

#include "config.h"

#include "gadget-sandbox-git-private.h"
#include "gadget-sandbox-private.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST "/proc/net/unix"
/* Each costs a mount. */
#define MAX_SOCKETS 64

static gboolean
is_within_any (const char *path, GPtrArray *folders)
{
  for (guint i = 0; i < folders->len; i++)
    if (gadget_path_is_within (path, g_ptr_array_index (folders, i)))
      return TRUE;
  return FALSE;
}

/* (transfer full) (nullable): the name by which a command would reach the socket. */
static char *
dup_name_inside (const char *path, GadgetSandboxTools *tools, GPtrArray *hidden, GPtrArray *folders)
{
  if (is_within_any (path, folders))
    return NULL;
  for (guint i = 0; tools != NULL && i < tools->folders->len; i++)
    {
      const GadgetToolFolder *tool = g_ptr_array_index (tools->folders, i);

      if (gadget_path_is_within (path, tool->real))
        return g_strconcat (tool->path, path + strlen (tool->real), NULL);
    }
  if (gadget_path_is_within (path, "/tmp") || gadget_path_is_within (path, "/run")
      || gadget_path_is_within (path, "/dev") || is_within_any (path, hidden))
    return NULL;
  return g_strdup (path);
}

/* Most of them, and it saves looking at them. */
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
 * @launch: is told which they are
 * @argv: of bubblewrap, behind all that is shown
 * @tools: (nullable): whose folders are shown although they are hidden
 * @hidden: (element-type filename): what is empty inside anyway
 * @folders: (element-type filename): what is given as it is
 *
 * Puts a device in the place of each: nobody listens there.
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
      _gadget_git_note_lacking (error);
      return;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && g_hash_table_size (covered) < MAX_SOCKETS; i++)
    {
      const char *name = strchr (lines[i], '/'); /* the other columns are numbers */
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
