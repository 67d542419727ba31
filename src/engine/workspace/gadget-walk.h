/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetWalkFunc:
 * @folder: descriptor of the folder that contains the file
 * @name: the name of the file in @folder
 * @path: the path of the file below the folder that is walked
 * @data: what gadget_walk () was given
 *
 * Called for each regular file.
 *
 * Returns: whether to go on
 */
typedef gboolean (*GadgetWalkFunc) (int         folder,
                                    const char *name,
                                    const char *path,
                                    gpointer    data);

/* Calls FUNC for the files of a folder and of the folders below it, each folder sorted by name.
 * Symbolic links are not followed. Without ALL, hidden and ignored files are skipped. PATH is the
 * real path of the descriptor FOLDER; TOP (nullable) is the folder, which contains it, from which
 * on ignore files count. Blocks. Returns FALSE with %G_IO_ERROR if FOLDER itself could not be read;
 * N_UNREADABLE is the number of folders below that could not. */
gboolean gadget_walk (const char      *top,
                      int              folder,
                      const char      *path,
                      gboolean         all,
                      GadgetWalkFunc   func,
                      gpointer         data,
                      GCancellable    *cancellable,
                      guint           *n_unreadable,
                      GError         **error);

G_END_DECLS
