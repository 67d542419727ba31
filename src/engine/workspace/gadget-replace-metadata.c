/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copies the metadata of a file: owner and group, then the extended attributes including the access
 * list, see gadget-attributes.h. In this order, since a change of the owner removes some
 * attributes. An access list that the new file got from its folder, and that the old file did not
 * have, is removed. */

#define G_LOG_DOMAIN "gadget-workspace"

#include "config.h"

#include "gadget-replace.h"

#include "gadget-attributes.h"

#include <errno.h>
#include <unistd.h>

static gboolean owner_forced;

void
gadget_replacement_force_owner (gboolean forced)
{
  owner_forced = forced;
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
  g_autoptr (GBytes) attributes = NULL;
  g_autofree char *failed = NULL;

  if (!copy_owner (info, fd, path, need_owner ? error : NULL) && need_owner)
    return FALSE;
  attributes = gadget_attributes_read (old);
  if (gadget_attributes_write (fd, attributes, &failed))
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               "%s: its attribute \"%s\" could not be kept: %s. Nothing was changed.", path, failed,
               g_strerror (errno));
  return FALSE;
}
