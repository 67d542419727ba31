/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-workspace.h"

#include <string.h>

char *
gadget_workspace_resolve (const char *root, const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);
  return g_canonicalize_filename (path, root != NULL ? root : "/");
}

const char *
gadget_workspace_get_relative (const char *root, const char *resolved)
{
  g_autofree char *clean = NULL;
  gsize length;

  g_return_val_if_fail (resolved != NULL, NULL);

  if (root == NULL)
    return NULL;
  clean = g_canonicalize_filename (root, "/");
  length = strlen (clean);
  if (g_str_equal (clean, "/"))
    length = 0;
  if (strncmp (resolved, clean, length) != 0
      || (resolved[length] != '\0' && resolved[length] != '/'))
    return NULL;
  resolved += length;
  while (*resolved == '/')
    resolved++;
  return resolved;
}

gboolean
gadget_workspace_contains (const char *root, const char *resolved)
{
  return gadget_workspace_get_relative (root, resolved) != NULL;
}

/* A folder with any name can be a repository: git takes it for one if it contains a HEAD, and
 * either some folders or a commondir. "project.git" is the usual name of a repository without a
 * working folder. */
static gboolean
is_version_control (const char *name, gboolean is_last)
{
  static const char *const others[] = { ".hg", ".jj", ".bzr", ".sl", ".pijul", "_darcs", ".repo" };
  const gsize length = strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_ascii_strcasecmp (name, others[i]) == 0)
      return TRUE;
  /* Some file systems ignore case, and FAT has a second, short name for ".git" ("GIT~1"). */
  if (length >= 4 && g_ascii_strcasecmp (name + length - 4, ".git") == 0)
    return TRUE;
  if (g_ascii_strncasecmp (name, "git~", 4) == 0)
    return TRUE;
  return is_last
         && (g_ascii_strcasecmp (name, "HEAD") == 0 || g_ascii_strcasecmp (name, "commondir") == 0);
}

gboolean
gadget_workspace_is_protected (const char *root, const char *resolved)
{
  const char *relative = gadget_workspace_get_relative (root, resolved);
  g_auto (GStrv) parts = NULL;

  if (relative == NULL)
    return TRUE;
  parts = g_strsplit (relative, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (is_version_control (parts[i], parts[i + 1] == NULL))
      return TRUE;
  return FALSE;
}
