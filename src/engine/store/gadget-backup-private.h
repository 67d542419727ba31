/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder: the files of backups. Everything here may block on the disk. */

#pragma once

#include "gadget-backup.h"

#include <sqlite3.h>

G_BEGIN_DECLS

/* (transfer full): the path of a backup. */
char     *_gadget_backup_dup_path (const char    *directory,
                                   const char    *name);
/* Keeps other processes, and the weekly backup of this one, from making backups, until the returned
 * descriptor is closed; -1 while one is being made. */
int       _gadget_backup_lock     (const char    *directory);
/* Copies the open database @db into a new backup, whose name says @reason, then deletes the oldest
 * ones but @needed (nullable). A copy that was not completed is deleted. */
gboolean  _gadget_backup_make     (sqlite3       *db,
                                   const char    *directory,
                                   const char    *reason,
                                   const char    *needed,
                                   GCancellable  *cancellable,
                                   GError       **error);
/* Copies an open database into a file, which is replaced. */
gboolean  _gadget_backup_copy_to_file (sqlite3   *db,
                                   const char    *path,
                                   GCancellable  *cancellable,
                                   GError       **error);
/* Copies the content of one open database into another, in one transaction. */
gboolean  _gadget_backup_copy     (sqlite3       *from,
                                   sqlite3       *to,
                                   GCancellable  *cancellable,
                                   GError       **error);

G_END_DECLS
