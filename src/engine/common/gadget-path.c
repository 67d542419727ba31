/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-path.h"

#include <string.h>

/**
 * gadget_path_is_within:
 * @path: a path without "." and ".."
 * @folder: likewise, without a trailing slash unless it is "/"; "" contains all relative paths
 *
 * Compares the names only, without access to the file system.
 *
 * Returns: %TRUE when @path is @folder or lies below it
 */
gboolean
gadget_path_is_within (const char *path, const char *folder)
{
  const gsize length = strlen (folder);

  if (length == 0 || g_str_equal (folder, "/"))
    return TRUE;
  return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/**
 * gadget_path_is_within_any:
 * @path: see gadget_path_is_within ()
 * @folders: (element-type utf8): likewise
 *
 * Returns: %TRUE when @path is one of @folders or lies below one
 */
gboolean
gadget_path_is_within_any (const char *path, GPtrArray *folders)
{
  for (guint i = 0; i < folders->len; i++)
    if (gadget_path_is_within (path, g_ptr_array_index (folders, i)))
      return TRUE;
  return FALSE;
}

/**
 * gadget_path_dup_short:
 * @path: a path, or the text that stands for it
 *
 * Returns: (transfer full): @path for people: with "~" in place of the home folder
 */
char *
gadget_path_dup_short (const char *path)
{
  const char *home = g_get_home_dir ();
  const gsize length = strlen (home);

  if (length > 1 && strncmp (path, home, length) == 0
      && (path[length] == '/' || path[length] == '\0'))
    return g_strconcat ("~", path + length, NULL);
  return g_strdup (path);
}
