/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetWalkFunc:
 * @folder: the folder that it is in, open
 * @name: its name there
 * @path: its path below the folder that is walked
 *
 * A regular file was met.
 *
 * Returns: whether to go on
 */
typedef gboolean (*GadgetWalkFunc) (int         folder,
                                    const char *name,
                                    const char *path,
                                    gpointer    data);

/* Meets the files of a folder and of those below it, each folder by name. Symbolic links are not
 * followed. Without ALL, what is hidden or ignored is passed over. TOP (nullable) is the folder in
 * which FOLDER's real path PATH lies and from which on ignore files count. Blocks. FALSE with an
 * error if FOLDER itself could not be read; N_UNREADABLE is how many below it could not. */
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
