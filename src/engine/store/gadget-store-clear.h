/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/* Removes the images of chats that were not used for long; gadget-store-clear.c says how. */
void     gadget_store_clear_attachments_async  (GadgetStore          *self,
                                                gint64                before,
                                                gboolean              also_pinned,
                                                GCancellable         *cancellable,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
gboolean gadget_store_clear_attachments_finish (GadgetStore          *self,
                                                GAsyncResult         *result,
                                                guint                *n_removed,
                                                GError              **error);

/* Gives pages of the database that are not used any more back to the file system. */
void     gadget_store_shrink_async             (GadgetStore          *self,
                                                GCancellable         *cancellable,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
void     gadget_store_shrink_finish            (GadgetStore          *self,
                                                GAsyncResult         *result);

G_END_DECLS
