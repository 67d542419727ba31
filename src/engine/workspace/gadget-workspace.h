/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Computes with the paths of a workspace, without accessing the disk. Functions that access the
 * disk are in gadget-path-lookup.h (finding one file safely), gadget-folder.h (listing a folder)
 * and gadget-replace.h (writing). */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns PATH, as the model wrote it, as an absolute path without "..": relative to ROOT, or to
 * "/" if ROOT is NULL. (transfer full) */
char       *gadget_workspace_resolve      (const char *root,
                                           const char *path);

/* Returns whether a resolved path lies within ROOT (nullable) by its name. */
gboolean    gadget_workspace_contains     (const char *root,
                                           const char *resolved);

/* Returns the part of a resolved path below ROOT (nullable), "" for ROOT itself; NULL if it does
 * not lie within ROOT. The result is a part of RESOLVED. */
const char *gadget_workspace_get_relative (const char *root,
                                           const char *resolved);

/* Returns whether a resolved path is one from which a program of the user runs something, above all
 * git's folder: a change there has effects outside of the sandbox although it is in the workspace.
 * TRUE also for paths outside of ROOT. */
gboolean    gadget_workspace_is_protected (const char *root,
                                           const char *resolved);

G_END_DECLS
