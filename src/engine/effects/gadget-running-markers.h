/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: marker files that tell other processes, and the next start, which
 * commands run in a workspace. All functions may be called in any thread and block for
 * microseconds. @directory is the data folder, @root the workspace, @effect the row of the
 * command. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets the marker of a command that starts now, after the snapshot before it; @owner is the lease
 * of this process. Removes it when the command's changes are known. */
void   _gadget_running_markers_set        (const char *directory,
                                           const char *root,
                                           gint64      effect,
                                           const char *owner);
void   _gadget_running_markers_remove     (const char *directory,
                                           const char *root,
                                           gint64      effect);

/* Returns when the marker was set, in microseconds since 1970; 0 when there is none. */
gint64 _gadget_running_markers_get        (const char *directory,
                                           const char *root,
                                           gint64      effect);

/* Adds to @roots (utf8) the workspaces in which other living processes run commands. @owner is the
 * lease of this process. */
void   _gadget_running_markers_add_others (const char *directory,
                                           const char *owner,
                                           GPtrArray  *roots);

/* Removes markers older than @max_age seconds, which nothing needs any longer. */
void   _gadget_running_markers_sweep      (const char *directory,
                                           gint64      max_age);

G_END_DECLS
