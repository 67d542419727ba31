/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * GadgetPathLookup:
 * @folder: O_PATH descriptor of the folder that contains the file, or of the last folder on the way
 *   to it that exists
 * @missing: (array zero-terminated=1): folders between @folder and the file that do not exist;
 *   usually empty
 * @name: the name of the file in its folder
 * @path: the real path: without symbolic links below the workspace, as far as it exists
 * @exists: whether the file exists
 * @info: what it is, if it exists
 * @made: (nullable): the folders that gadget_path_lookup_make_folders () created
 * @is_borrowed: @folder belongs to the caller
 *
 * Where a file is, or would be. The path is looked up once, safely; from then on a descriptor and a
 * name without "/" stand for the file, which no link can redirect.
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
  gboolean is_borrowed;
} GadgetPathLookup;

/* All of these functions block: call them in a thread. ROOT is the workspace, RESOLVED a path that
 * gadget_workspace_resolve () returned. A path within ROOT never leads out of it. A path outside of
 * ROOT must not contain symbolic links, so that exactly the file is accessed that the user allowed.
 * Errors are in the domain %G_IO_ERROR. */

/* Looks up a path. A symbolic link in the last component is followed unless FOLLOW is FALSE, for
 * removing, renaming and examining the link itself. */
GadgetPathLookup *gadget_path_lookup_find           (const char             *root,
                                                     const char             *resolved,
                                                     gboolean                follow,
                                                     GError                **error);
/* Looks up NAME, without "/", in the folder of the descriptor FOLDER (of any kind); a link is not
 * followed. FOLDER must stay open as long as the lookup is used. PATH is its name in errors. */
GadgetPathLookup *gadget_path_lookup_find_in        (int                     folder,
                                                     const char             *name,
                                                     const char             *path,
                                                     GError                **error);
void              gadget_path_lookup_free           (GadgetPathLookup       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetPathLookup, gadget_path_lookup_free)

/* _make_folders () creates the missing folders, all or none, and moves the lookup into the last
 * one. _unmake_folders () removes the folders that were created and are still empty. */
gboolean          gadget_path_lookup_make_folders   (GadgetPathLookup       *self,
                                                     GError                **error);
void              gadget_path_lookup_unmake_folders (GadgetPathLookup       *self);

/* Opens a regular file for reading. Devices and pipes are not opened, not even to examine them, and
 * neither are files that the kernel generates (/proc, /sys). Returns a descriptor (transfer full),
 * or -1. PATH (out) (optional) is the real path. */
int               gadget_path_lookup_open_regular   (const char             *root,
                                                     const char             *resolved,
                                                     char                  **path,
                                                     GError                **error);

/* Opens a folder for reading. Returns a descriptor (transfer full), or -1. PATH (out) (optional) is
 * the real path. */
int               gadget_path_lookup_open_folder    (const char             *root,
                                                     const char             *resolved,
                                                     char                  **path,
                                                     GError                **error);

/* Returns a description of a file type: "a folder", "a file", "a symbolic link", "a device", … */
const char       *gadget_path_lookup_describe       (mode_t                  mode);

G_END_DECLS
