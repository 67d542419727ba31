/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * GadgetStorage:
 * @chats: the database without the bytes of attachments, in bytes
 * @n_chats: the chats, without archived ones and those of subagents
 * @n_archived: the archived chats
 * @attachments: the bytes of files and pictures in messages and results
 * @n_attachments: how many of them there are
 * @undo: the earlier versions of files, in bytes
 * @caches: what can be made or fetched again, in bytes
 * @backups: the backups, in bytes
 * @free: what is free where the data folder is, in bytes
 *
 * How much the data of a user takes.
 */
typedef struct
{
  gint64 chats;
  guint n_chats;
  guint n_archived;
  gint64 attachments;
  guint n_attachments;
  gint64 undo;
  gint64 caches;
  gint64 backups;
  gint64 free;
} GadgetStorage;

/* Measures the data folder and the folder of caches, in a thread. */
void     gadget_storage_measure_async  (const char          *directory,
                                        const char          *cache_directory,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
gboolean gadget_storage_measure_finish (GAsyncResult        *result,
                                        GadgetStorage       *storage,
                                        GError             **error);

/**
 * GadgetStorageOld:
 * @n_chats: the chats, without those of subagents
 * @texts: the bytes of their texts, without the search index
 * @n_attachments: the images in their messages and results
 * @attachments: the bytes of these
 *
 * What chats take that were not used for long.
 */
typedef struct
{
  guint n_chats;
  gint64 texts;
  guint n_attachments;
  gint64 attachments;
} GadgetStorageOld;

void     gadget_storage_measure_old_async  (const char          *directory,
                                            gint64               before,
                                            gboolean             also_pinned,
                                            gboolean             also_unsent,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
gboolean gadget_storage_measure_old_finish (GAsyncResult        *result,
                                            GadgetStorageOld    *old,
                                            GError             **error);

G_END_DECLS
