/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: reads the stat data of every file of a workspace. */

#pragma once

#include "gadget-tree.h"

G_BEGIN_DECLS

/**
 * GadgetScanLimits:
 * @max_entries: names in total; folders that would exceed it are skipped
 * @max_in_folder: names in one folder; a folder with more is skipped
 *
 * Limits of one scan.
 */
typedef struct
{
  guint max_entries;
  guint max_in_folder;
} GadgetScanLimits;

/* The limits that apply to all workspaces. */
extern const GadgetScanLimits _gadget_scan_limits;

/* Opens @path below the folder @top; no component of it may be a symbolic link. Returns a
 * descriptor, or -1 with errno. */
int         _gadget_scan_open (int                     top,
                               const char             *path,
                               int                     flags);

/* Opens the folder @root, a canonical path. Fails where a symbolic link has taken the place of a
 * folder on the way. Returns a descriptor, or -1 with errno. */
int         _gadget_scan_open_root (const char         *root);

/* Scans the folder @top. Blocks. @old_tree (nullable) is an earlier tree of the same workspace; the
 * new tree shares its unchanged folders and takes over the hashes of unchanged files. @except
 * (nullable) is a folder to leave out. Returns: (transfer full) (nullable): NULL with a
 * #GIOErrorEnum, or without an error as soon as @stopping (nullable) is set. */
GadgetTree *_gadget_scan_run  (int                     top,
                               const GadgetTree       *old_tree,
                               const struct stat      *except,
                               const GadgetScanLimits *limits,
                               const int              *stopping,
                               GError                **error);

G_END_DECLS
