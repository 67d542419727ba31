/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetBackupPreview:
 * @n_chats: the chats of the backup
 * @n_returning: those that are not in the database now
 * @n_older: those that are older in the backup than they are now
 * @n_newer: the chats of the database that are not in the backup, which will be archived
 *
 * The difference that restoring a backup would make.
 */
typedef struct
{
  guint n_chats;
  guint n_returning;
  guint n_older;
  guint n_newer;
} GadgetBackupPreview;

void       gadget_store_preview_backup_async  (GadgetStore          *self,
                                               const char           *name,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean   gadget_store_preview_backup_finish (GadgetStore          *self,
                                               GAsyncResult         *result,
                                               GadgetBackupPreview  *preview,
                                               GError              **error);

/* Replaces the content of the database by a backup, after a backup of that content was made. */
void       gadget_store_restore_backup_async  (GadgetStore          *self,
                                               const char           *name,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
gboolean   gadget_store_restore_backup_finish (GadgetStore          *self,
                                               GAsyncResult         *result,
                                               GError              **error);

G_END_DECLS
