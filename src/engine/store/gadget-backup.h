/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* So many backups are kept; the oldest ones go. */
#define GADGET_BACKUPS_KEPT 3
/* A backup is due this long after the last one, in milliseconds. */
#define GADGET_BACKUP_INTERVAL_MS (7 * G_TIME_SPAN_DAY / G_TIME_SPAN_MILLISECOND)

/**
 * GadgetBackupReason:
 * @GADGET_BACKUP_WEEKLY: a week had passed, or the user asked for it
 * @GADGET_BACKUP_MIGRATION: the database was about to be migrated to a newer version
 * @GADGET_BACKUP_RESTORATION: another backup was about to be restored
 *
 * Why a backup was made.
 */
typedef enum
{
  GADGET_BACKUP_WEEKLY,
  GADGET_BACKUP_MIGRATION,
  GADGET_BACKUP_RESTORATION,
} GadgetBackupReason;

/**
 * GadgetBackup:
 * @name: the name of the file in the folder of backups
 * @reason: why it was made
 * @made_at: when it was made, in milliseconds since 1970
 * @size: its size in bytes
 *
 * A copy of the database. The top of gadget-backup.c says more.
 */
typedef struct
{
  char *name;
  GadgetBackupReason reason;
  gint64 made_at;
  gint64 size;
} GadgetBackup;

/* Frees @self, also if it is %NULL. */
void       gadget_backup_free                 (GadgetBackup         *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetBackup, gadget_backup_free)

/* Lists the backups of a data folder, newest first. (element-type GadgetBackup) */
void       gadget_backups_list_async          (const char           *directory,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
GPtrArray *gadget_backups_list_finish         (GAsyncResult         *result,
                                               GError              **error);

/* Checks the database and makes a backup of it, if one is due or @always is set. */
void       gadget_backups_make_async          (const char           *directory,
                                               gboolean              always,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean   gadget_backups_make_finish         (GAsyncResult         *result,
                                               GError              **error);

G_END_DECLS
