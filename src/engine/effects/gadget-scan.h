/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: looks at a workspace. */

#pragma once

#include "gadget-tree.h"

G_BEGIN_DECLS

/**
 * GadgetScanLimits:
 * @max_entries: names in all; folders for which there is no room are skipped
 * @max_in_folder: names in one folder; a folder with more is skipped
 */
typedef struct
{
  guint max_entries;
  guint max_in_folder;
} GadgetScanLimits;

/* Those of all workspaces. */
extern const GadgetScanLimits _gadget_scan_limits;

/* Opens what PATH names below the folder TOP; no component may be a symbolic link. -1 with errno. */
int         _gadget_scan_open (int                     top,
                               const char             *path,
                               int                     flags);

/* Opens the folder ROOT, a canonical path: it is not followed where a link has taken the place of a
 * folder on the way. -1 with errno. */
int         _gadget_scan_open_root (const char         *root);

/* Blocks. OLD (nullable) is a tree of the same workspace, with which the new one shares what did
 * not change, and whose hashes it takes over. EXCEPT (nullable) is a folder to leave out. Fails without an error as
 * soon as STOPPING (nullable) is set. */
GadgetTree *_gadget_scan_run  (int                     top,
                               const GadgetTree       *old_tree,
                               const struct stat      *except,
                               const GadgetScanLimits *limits,
                               const int              *stopping,
                               GCancellable           *cancellable,
                               GError                **error);

G_END_DECLS
