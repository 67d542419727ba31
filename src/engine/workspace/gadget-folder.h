/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * GadgetFolderEntry:
 * @name: the name in the file system, which may not be UTF-8
 * @target: the target of a symbolic link; otherwise %NULL
 * @info: of the entry itself, without following links; st_mode is 0 if lstat () failed
 *
 * An entry of a folder.
 */
typedef struct
{
  char *name;
  char *target;
  struct stat info;
} GadgetFolderEntry;

/* Lists the entries of a folder, folders first, each group sorted by name; at most MAX of them, and
 * in MORE whether there are others. FOLDER is a descriptor open for reading. Blocks. Returns
 * (transfer full) (element-type GadgetFolderEntry), or NULL with %G_IO_ERROR. */
GPtrArray *gadget_folder_list (int            folder,
                               guint          max,
                               gboolean      *more,
                               GCancellable  *cancellable,
                               GError       **error);

G_END_DECLS
