/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "providers/gadget-provider.h"
#include "providers/gadget-provider-config.h"

G_BEGIN_DECLS

#define GADGET_TYPE_PROVIDER_LIST (gadget_provider_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetProviderList, gadget_provider_list, GADGET, PROVIDER_LIST, GObject)

typedef struct _GadgetHttp GadgetHttp;
typedef struct _GadgetSecrets GadgetSecrets;

#define GADGET_GUIDE_ID "guide"

/* The providers that the user has: a GListModel of #GadgetProviderConfig, of which the built-in
 * Guide is always the first. They are kept in the store, and their keys in the keyring. Property
 * "default-id". For lookups see gadget-provider-list.c. */
GadgetProviderList   *gadget_provider_list_new            (GadgetStore           *store,
                                                           GadgetSecrets         *secrets,
                                                           GadgetClock           *clock);
void                  gadget_provider_list_load_async     (GadgetProviderList    *self,
                                                           GAsyncReadyCallback    callback,
                                                           gpointer               user_data);
gboolean              gadget_provider_list_load_finish    (GadgetProviderList    *self,
                                                           GAsyncResult          *result,
                                                           GError               **error);
GadgetHttp           *gadget_provider_list_get_http       (GadgetProviderList    *self);
GadgetProviderConfig *gadget_provider_list_find           (GadgetProviderList    *self,
                                                           const char            *id);
const char           *gadget_provider_list_get_default_id (GadgetProviderList    *self);
gboolean              gadget_provider_list_get_has_default (GadgetProviderList   *self);
/* Chooses the provider of new chats, by its id, and stores the choice. */
void                  gadget_provider_list_set_default    (GadgetProviderList    *self,
                                                           const char            *id);

/* Add or replace a provider, try one that is not saved, or remove one. If the keyring does not take
 * a key, adding does not fail: the key is kept until the program ends, see
 * gadget_secrets_get_persistent (). */
void                  gadget_provider_list_add_async      (GadgetProviderList    *self,
                                                           GadgetProviderConfig  *config,
                                                           const char            *key,
                                                           const char            *secret_headers,
                                                           GCancellable          *cancellable,
                                                           GAsyncReadyCallback    callback,
                                                           gpointer               user_data);
gboolean              gadget_provider_list_add_finish     (GadgetProviderList    *self,
                                                           GAsyncResult          *result,
                                                           GError               **error);
void                  gadget_provider_list_make_async     (GadgetProviderList    *self,
                                                           GadgetProviderConfig  *config,
                                                           const char            *key,
                                                           const char            *secret_headers,
                                                           GCancellable          *cancellable,
                                                           GAsyncReadyCallback    callback,
                                                           gpointer               user_data);
GadgetProvider       *gadget_provider_list_make_finish    (GadgetProviderList    *self,
                                                           GAsyncResult          *result,
                                                           GError               **error);
void                  gadget_provider_list_remove_async   (GadgetProviderList    *self,
                                                           const char            *id,
                                                           GAsyncReadyCallback    callback,
                                                           gpointer               user_data);
gboolean              gadget_provider_list_remove_finish  (GadgetProviderList    *self,
                                                           GAsyncResult          *result,
                                                           GError               **error);

/* Make the provider of an id (NULL for the default), with its key from the keyring. finish ()
 * returns (transfer full). */
gboolean              gadget_provider_list_asks_keyring   (GadgetProviderList    *self,
                                                           const char            *id);
void                  gadget_provider_list_resolve_async  (GadgetProviderList    *self,
                                                           const char            *id,
                                                           GCancellable          *cancellable,
                                                           GAsyncReadyCallback    callback,
                                                           gpointer               user_data);
GadgetProvider       *gadget_provider_list_resolve_finish (GadgetProviderList    *self,
                                                           GAsyncResult          *result,
                                                           GError               **error);

/* For tests: PROVIDER is used for ID from now on. The list owns a reference. */
void                  gadget_provider_list_override       (GadgetProviderList    *self,
                                                           const char            *id,
                                                           GadgetProvider        *provider);

G_END_DECLS
