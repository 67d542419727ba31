/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the folders that may contain recovery files, and a single recovery
 * file. */

#pragma once

#include "gadget-recovery.h"

G_BEGIN_DECLS

/* An open recovery file. */
struct _GadgetRecoveryFile
{
  char *path;
  int fd; /* locked, see _gadget_recovery_lock () */
};

/* Takes ownership of FD, which is locked (transfer full). */
GadgetRecoveryFile *_gadget_recovery_file_new          (const char         *folder,
                                                        const char         *name,
                                                        int                 fd);

/* Returns the folders in the order in which they are tried, late ones last (transfer full).
 * DATA_DIR is the folder of the database. */
char              **_gadget_recovery_dup_folders       (const char         *data_dir);
/* Returns a descriptor of the folder, or -1 with a #GFileError: it cannot be opened, or other users
 * can write to it. */
int                 _gadget_recovery_open_folder       (const char         *path,
                                                        GError            **error);
/* Locks a recovery file without waiting; FALSE if another process has it. */
gboolean            _gadget_recovery_lock              (int                 fd);

/* The following two functions run in threads and may block for a long time.
 * _gadget_recovery_lock_names () locks a mutex of the folder (transfer none); names in the folder
 * are assigned and removed only while it is locked. */
GMutex             *_gadget_recovery_lock_names        (const char         *folder);
/* Removes the file, unless a newer one has its name, and frees SELF (transfer full). */
void                _gadget_recovery_file_remove       (GadgetRecoveryFile *self);

/* On the main context: a call in the folder is late because it took too long, or a late call has
 * returned after all. A folder is late while it has late calls. */
void                _gadget_recovery_folder_begin_late (const char         *path);
void                _gadget_recovery_folder_end_late   (const char         *path);
gboolean            _gadget_recovery_folder_is_late    (const char         *path);

G_END_DECLS
