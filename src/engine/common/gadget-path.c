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
