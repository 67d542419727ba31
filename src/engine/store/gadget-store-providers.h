/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"
#include "providers/gadget-provider-config.h"

G_BEGIN_DECLS

/* Settings: the id of the provider that new sessions get, and its model. */
#define GADGET_SETTING_DEFAULT_PROVIDER "default-provider"
#define GADGET_SETTING_DEFAULT_MODEL "default-model"
/* Settings: known limits of how much the models of providers can read. The key is this prefix, the
 * provider's id, a slash and the model. They are removed with the provider. */
#define GADGET_SETTING_MODEL_LIMITS "model-limits/"
/* Settings: for how many days the earlier versions of files are kept, 0 for no limit; and how many
 * megabytes they may take. Once a day what is beyond is removed. */
#define GADGET_SETTING_UNDO_DAYS "undo-days"
#define GADGET_UNDO_DAYS_DEFAULT 90
#define GADGET_SETTING_UNDO_MEGABYTES "undo-megabytes"
#define GADGET_UNDO_MEGABYTES_DEFAULT 2000
/* Settings: the prices of models that the user has set. The key is this prefix, the provider's id, a
 * slash and the model. They stay when the provider is removed, as the usage does. */
#define GADGET_SETTING_PRICES "price/"

/* The providers that the user set up, in the order in which they were added. Their keys are not
 * stored here: see secrets/. Guide needs no setup and is never among them. */
void       gadget_store_list_providers_async   (GadgetStore           *self,
                                                GAsyncReadyCallback    callback,
                                                gpointer               user_data);
GPtrArray *gadget_store_list_providers_finish  (GadgetStore           *self,
                                                GAsyncResult          *result,
                                                GError               **error);
void       gadget_store_save_provider_async    (GadgetStore           *self,
                                                GadgetProviderConfig  *config,
                                                GAsyncReadyCallback    callback,
                                                gpointer               user_data);
gboolean   gadget_store_save_provider_finish   (GadgetStore           *self,
                                                GAsyncResult          *result,
                                                GError               **error);
void       gadget_store_remove_provider_async  (GadgetStore           *self,
                                                const char            *id,
                                                GAsyncReadyCallback    callback,
                                                gpointer               user_data);
gboolean   gadget_store_remove_provider_finish (GadgetStore           *self,
                                                GAsyncResult          *result,
                                                GError               **error);

/* Settings: strings by key. */
void       gadget_store_get_setting_async      (GadgetStore           *self,
                                                const char            *key,
                                                GAsyncReadyCallback    callback,
                                                gpointer               user_data);
gboolean   gadget_store_get_setting_finish     (GadgetStore           *self,
                                                GAsyncResult          *result,
                                                char                 **value,
                                                GError               **error);
void       gadget_store_list_settings_async    (GadgetStore           *self,
                                                const char            *prefix,
                                                GAsyncReadyCallback    callback,
                                                gpointer               user_data);
GHashTable *gadget_store_list_settings_finish  (GadgetStore           *self,
                                                GAsyncResult          *result,
                                                GError               **error);
void       gadget_store_set_setting_async      (GadgetStore           *self,
                                                const char            *key,
                                                const char            *value,
                                                GAsyncReadyCallback    callback,
                                                gpointer               user_data);
gboolean   gadget_store_set_setting_finish     (GadgetStore           *self,
                                                GAsyncResult          *result,
                                                GError               **error);

G_END_DECLS
