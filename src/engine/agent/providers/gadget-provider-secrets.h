/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the files of GadgetProviderList: the secrets of a provider in the keyring, which are its
 * key and the values of its secret headers. Both are bound to the origin of the provider's
 * address. */

#pragma once

#include "http/gadget-http.h"
#include "providers/gadget-provider-config.h"
#include "providers/gadget-provider.h"
#include "secrets/gadget-secrets.h"

G_BEGIN_DECLS

/**
 * GadgetProviderParts:
 * @config: the provider
 * @key: (nullable): the key that the user entered; %NULL for the key in the keyring
 * @secret_headers: (nullable): the header values that the user entered, see gadget-secret-values.h;
 *   the others are in the keyring
 * @stored: whether the keyring may have what was not entered
 *
 * The parts that a provider is made of. All pointers are lent.
 */
typedef struct
{
  GadgetProviderConfig *config;
  const char *key;
  const char *secret_headers;
  gboolean stored;
} GadgetProviderParts;

char           *_gadget_provider_secrets_dup_headers_id (const char                *id);
gboolean        _gadget_provider_secrets_asks_keyring   (GadgetSecrets             *secrets,
                                                         GadgetProviderConfig      *config);
void            _gadget_provider_secrets_store_async    (GadgetSecrets             *secrets,
                                                         GadgetProviderConfig      *config,
                                                         GadgetProviderConfig      *before,
                                                         const char                *fresh,
                                                         GAsyncReadyCallback        callback,
                                                         gpointer                   user_data);
gboolean        _gadget_provider_secrets_store_finish   (GadgetSecrets             *secrets,
                                                         GAsyncResult              *result,
                                                         GError                   **error);
void            _gadget_provider_secrets_make_async     (GadgetSecrets             *secrets,
                                                         const GadgetProviderParts *given,
                                                         GadgetHttp                *http,
                                                         GadgetClock               *clock,
                                                         GCancellable              *cancellable,
                                                         GAsyncReadyCallback        callback,
                                                         gpointer                   user_data);
GadgetProvider *_gadget_provider_secrets_make_finish    (GadgetSecrets             *secrets,
                                                         GAsyncResult              *result,
                                                         GError                   **error);

G_END_DECLS
