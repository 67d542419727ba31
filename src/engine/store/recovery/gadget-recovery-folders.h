/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the folders that may contain recovery files. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the folders in the order in which they are tried, late ones last (transfer full).
 * DATA_DIR is the folder of the database. */
char   **_gadget_recovery_dup_folders       (const char  *data_dir);
/* Returns a descriptor of the folder, or -1 with a #GFileError: it cannot be opened, or other users
 * can write to it. */
int      _gadget_recovery_open_folder       (const char  *path,
                                             GError     **error);

/* Runs in threads and may block for a long time. Locks a mutex of the folder (transfer none); names
 * in the folder are assigned and removed only while it is locked. */
GMutex  *_gadget_recovery_lock_names        (const char  *folder);

/* On the main context: a call in the folder is late because it took too long, or a late call has
 * returned after all. A folder is late while it has late calls. */
void     _gadget_recovery_folder_begin_late (const char  *path);
void     _gadget_recovery_folder_end_late   (const char  *path);
gboolean _gadget_recovery_folder_is_late    (const char  *path);

G_END_DECLS
