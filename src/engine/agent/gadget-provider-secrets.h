/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to the list of providers: what the keyring has of a provider, which is its key and the
 * secret ones of its headers. Both are bound to the provider's address. */

#pragma once

#include "http/gadget-http.h"
#include "providers/gadget-provider-config.h"
#include "providers/gadget-provider.h"
#include "secrets/gadget-secrets.h"

G_BEGIN_DECLS

/**
 * GadgetProviderGiven:
 * @key: (nullable): the key that was entered; %NULL for that of the keyring
 * @secret_headers: (nullable): those that were entered, see gadget-secret-values.h; the others are
 *   in the keyring
 * @stored: whether the keyring may have what was not entered
 *
 * The parts that a provider is made of. All of them are lent.
 */
typedef struct
{
  GadgetProviderConfig *config;
  const char *key;
  const char *secret_headers;
  gboolean stored;
} GadgetProviderGiven;

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
                                                         const GadgetProviderGiven *given,
                                                         GadgetHttp                *http,
                                                         GadgetClock               *clock,
                                                         GCancellable              *cancellable,
                                                         GAsyncReadyCallback        callback,
                                                         gpointer                   user_data);
GadgetProvider *_gadget_provider_secrets_make_finish    (GadgetSecrets             *secrets,
                                                         GAsyncResult              *result,
                                                         GError                   **error);

G_END_DECLS
