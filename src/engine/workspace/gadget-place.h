/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * GadgetPlace:
 * @folder: O_PATH descriptor of the folder that it is in, or of the last one on the way to it that
 *   exists
 * @missing: (array zero-terminated=1): folders between @folder and it that do not exist; empty
 *   for most
 * @name: its name in its folder
 * @path: its real path: no symbolic links below the workspace, as far as it exists
 * @exists: whether there is something
 * @info: what it is, if it exists
 * @made: (nullable): the folders that gadget_place_make_folders () made
 * @is_lent: @folder is the caller's
 *
 * Where a file is, or would be: found once, safely, and from then on spoken of by a descriptor and
 * a name without "/", which no link can redirect.
 */
typedef struct
{
  int folder;
  GStrv missing;
  char *name;
  char *path;
  gboolean exists;
  struct stat info;
  GPtrArray *made;
  gboolean is_lent;
} GadgetPlace;

/* All of these block: not for the main context. ROOT is the workspace, RESOLVED a path that
 * gadget_workspace_resolve () made. One in ROOT never leads out of it. One that is not in it must
 * be without symbolic links: what the user allowed is then what is touched. */

/* A symbolic link in the last component is followed, unless FOLLOW is FALSE: for removing, renaming
 * and looking at the link itself. */
GadgetPlace *gadget_place_find         (const char         *root,
                                        const char         *resolved,
                                        gboolean            follow,
                                        GError            **error);
/* What NAME, a name without "/", is in the folder that the descriptor FOLDER (of any kind) stands
 * for; a link is the link itself. FOLDER must stay open as long as the place is used. PATH is what
 * errors call it. */
GadgetPlace *gadget_place_find_in      (int                 folder,
                                        const char         *name,
                                        const char         *path,
                                        GError            **error);
void         gadget_place_free         (GadgetPlace        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPlace, gadget_place_free)

/* Makes the missing folders, all or none, and goes into them. The other one removes them again, as
 * far as nothing was put into them. */
gboolean     gadget_place_make_folders   (GadgetPlace      *self,
                                          GError          **error);
void         gadget_place_unmake_folders (GadgetPlace      *self);

/* Removes what is there; a folder must be empty. */
gboolean     gadget_place_remove       (const GadgetPlace  *self,
                                        GError            **error);

/* Gives it another place, which must be free and whose folder must exist. */
gboolean     gadget_place_rename       (const GadgetPlace  *self,
                                        const GadgetPlace  *to,
                                        GError            **error);

/* Opens a regular file for reading. Devices and pipes are not opened, not even to look at them, nor
 * are files that the kernel makes up (/proc, /sys). Returns a descriptor to be closed, or -1. PATH
 * (out) (optional) is its real path. */
int          gadget_place_open_regular (const char         *root,
                                        const char         *resolved,
                                        char              **path,
                                        GError            **error);

/* Opens a folder for reading. */
int          gadget_place_open_folder  (const char         *root,
                                        const char         *resolved,
                                        char              **path,
                                        GError            **error);

/* In words: "a folder", "a file", "a symbolic link", "a device", … */
const char  *gadget_place_describe     (mode_t              mode);

G_END_DECLS
