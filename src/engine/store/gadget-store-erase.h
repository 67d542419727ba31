/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/* Deleting everything, in three steps; gadget-store-erase.c explains them. */
void     gadget_store_check_erasable_async (GadgetStore        *self,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
gboolean gadget_store_check_erasable_finish (GadgetStore       *self,
                                           GAsyncResult        *result,
                                           GError             **error);
void     gadget_store_erase_async         (GadgetStore         *self,
                                           gboolean             also_providers,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
gboolean gadget_store_erase_finish        (GadgetStore         *self,
                                           GAsyncResult        *result,
                                           GError             **error);
void     gadget_store_purge_async         (GadgetStore         *self,
                                           const char          *cache_directory,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
gboolean gadget_store_purge_finish        (GadgetStore         *self,
                                           GAsyncResult        *result,
                                           gboolean            *purged,
                                           GError             **error);
void     gadget_store_end_purge_async     (GadgetStore         *self,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
gboolean gadget_store_end_purge_finish    (GadgetStore         *self,
                                           GAsyncResult        *result,
                                           GError             **error);

G_END_DECLS
