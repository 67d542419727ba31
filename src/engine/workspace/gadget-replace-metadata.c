/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a file has besides its content: owner and group, then its extended attributes, access list
 * among them. In this order, since changing an owner takes things away. Not copied are what speaks
 * of the content alone (capabilities of a program, signatures: the kernel drops the first itself
 * when a file is written) and what belongs to the system ("trusted."). Labels ("security.") are
 * copied where the kernel lets us, and otherwise are what its policy gives to a new file. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-replace.h"

#include <errno.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACCESS_LIST "system.posix_acl_access"
#define MAX_TRIES 8

static gboolean owner_forced;

void
gadget_replacement_force_owner (gboolean forced)
{
  owner_forced = forced;
}

/* The names as they come, each with its NUL; NULL for none. */
static char *
list_names (const char *path, gsize *length)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      const ssize_t size = listxattr (path, NULL, 0);
      g_autofree char *names = NULL;
      ssize_t n;

      if (size <= 0)
        return NULL;
      names = g_malloc ((gsize) size);
      n = listxattr (path, names, (gsize) size);
      if (n < 0 && errno == ERANGE)
        continue;
      *length = n > 0 ? (gsize) n : 0;
      return n > 0 ? g_steal_pointer (&names) : NULL;
    }
  return NULL;
}

static char *
get_value (const char *path, const char *name, gsize *length)
{
  for (int tries = 0; tries < MAX_TRIES; tries++)
    {
      const ssize_t size = getxattr (path, name, NULL, 0);
      g_autofree char *value = NULL;
      ssize_t n;

      if (size < 0)
        return NULL;
      value = g_malloc ((gsize) size + 1);
      n = getxattr (path, name, value, (gsize) size);
      if (n < 0 && errno == ERANGE)
        continue;
      *length = n > 0 ? (gsize) n : 0;
      return n >= 0 ? g_steal_pointer (&value) : NULL;
    }
  return NULL;
}

static gboolean
is_copied (const char *name)
{
  return g_str_has_prefix (name, "user.") || g_str_equal (name, ACCESS_LIST)
         || (g_str_has_prefix (name, "security.") && !g_str_equal (name, "security.capability")
             && !g_str_equal (name, "security.ima") && !g_str_equal (name, "security.evm"));
}

static gboolean
copy_attribute (const char *from, int fd, const char *name)
{
  gsize length = 0;
  g_autofree char *value = get_value (from, name, &length);

  /* Gone in between, or not for us. */
  if (value == NULL)
    return TRUE;
  return fsetxattr (fd, name, value, length, 0) == 0 || g_str_has_prefix (name, "security.");
}

static gboolean
copy_owner (const struct stat *info, int fd, const char *path, GError **error)
{
  struct stat new_info;

  if (fstat (fd, &new_info) == 0 && !owner_forced
      && ((new_info.st_uid == info->st_uid && new_info.st_gid == info->st_gid)
          || fchown (fd, info->st_uid, info->st_gid) == 0))
    return TRUE;
  g_set_error (error, GADGET_REPLACE_ERROR, GADGET_REPLACE_ERROR_OWNER,
               "%s belongs to user %u and group %u, and would belong to user %u and group %u "
               "afterwards. Ask the user whether that is wanted, and how to do it.",
               path, info->st_uid, info->st_gid, new_info.st_uid, new_info.st_gid);
  return FALSE;
}

gboolean
_gadget_replace_copy_metadata (int old, const struct stat *info, int fd, gboolean need_owner,
                               const char *path, GError **error)
{
  g_autofree char *from = g_strdup_printf ("/proc/self/fd/%d", old);
  g_autofree char *names = NULL;
  gsize length = 0;
  gboolean has_access_list = FALSE;

  if (!copy_owner (info, fd, path, need_owner ? error : NULL) && need_owner)
    return FALSE;
  names = list_names (from, &length);
  for (const char *name = names; name != NULL && name < names + length; name += strlen (name) + 1)
    {
      if (!is_copied (name))
        continue;
      has_access_list = has_access_list || g_str_equal (name, ACCESS_LIST);
      if (!copy_attribute (from, fd, name))
        {
          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                       "%s: its attribute \"%s\" could not be kept: %s. Nothing was changed.", path,
                       name, g_strerror (errno));
          return FALSE;
        }
    }
  /* One that the new file has from its folder, and the old one had not. */
  if (!has_access_list)
    fremovexattr (fd, ACCESS_LIST);
  return TRUE;
}
