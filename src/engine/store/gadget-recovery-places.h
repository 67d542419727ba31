/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the folders in which recovery files are, and one of these files. */

#pragma once

#include "gadget-recovery.h"

G_BEGIN_DECLS

struct _GadgetRecoveryFile
{
  char *path;
  int fd; /* locked */
};

GadgetRecoveryFile *_gadget_recovery_file_new      (const char  *folder,
                                                    const char  *name,
                                                    int          fd);

/* The folders, in the order in which they are tried. Those that are late come last. */
char              **_gadget_recovery_dup_places    (const char  *data_dir);
/* A descriptor of the folder; -1 if there is none, or if others can change what is in it. */
int                 _gadget_recovery_open_place    (const char  *path,
                                                    GError     **error);
gboolean            _gadget_recovery_lock          (int          fd);

/* In threads, which may have to wait long. Names of files in the folder are given and removed under
 * the lock that is returned. */
GMutex             *_gadget_recovery_lock_names    (const char  *folder);
/* Takes the file. */
void                _gadget_recovery_file_remove   (GadgetRecoveryFile *self);

/* On the main context: a call in the folder has taken too long, and has returned after all. */
void                _gadget_recovery_place_begin_late (const char *path);
void                _gadget_recovery_place_end_late (const char *path);
gboolean            _gadget_recovery_place_is_late (const char  *path);

G_END_DECLS
