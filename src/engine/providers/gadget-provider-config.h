/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "common/gadget-types.h"
#include "gadget-provider-headers.h"
#include "gadget-provider-kind.h"

G_BEGIN_DECLS

#define GADGET_TYPE_PROVIDER_CONFIG (gadget_provider_config_get_type ())
G_DECLARE_FINAL_TYPE (GadgetProviderConfig, gadget_provider_config, GADGET, PROVIDER_CONFIG, GObject)

/* A provider as the user set it up. The key is not part of it: see secrets/. Immutable once it is
 * in a list. Getters return (transfer none). */
GadgetProviderConfig *gadget_provider_config_new          (const char           *id,
                                                           const char           *name,
                                                           const char           *kind,
                                                           const char           *base_url,
                                                           const char           *model);
const char           *gadget_provider_config_get_id       (GadgetProviderConfig *self);
const char           *gadget_provider_config_get_name     (GadgetProviderConfig *self);
const char           *gadget_provider_config_get_kind     (GadgetProviderConfig *self);
const char           *gadget_provider_config_get_base_url (GadgetProviderConfig *self);
const char           *gadget_provider_config_get_model    (GadgetProviderConfig *self);

/* The scheme, host and port of the API: "https://api.example.com:443". A key belongs to an
 * origin. */
char                 *gadget_provider_config_dup_origin   (GadgetProviderConfig *self);
/* The origin of the key in the keyring; "" if there is no key, NULL if that is unknown. */
const char           *gadget_provider_config_get_key_origin (GadgetProviderConfig *self);
void                  gadget_provider_config_set_key_origin (GadgetProviderConfig *self,
                                                           const char           *origin);
/* The extra headers that are sent with each request; some may have secret values. */
const GadgetProviderHeaders *gadget_provider_config_get_headers (GadgetProviderConfig *self);
void                  gadget_provider_config_take_headers (GadgetProviderConfig  *self,
                                                           GadgetProviderHeaders *headers);
gboolean              gadget_provider_config_has_secret_headers (GadgetProviderConfig *self);

/* TRUE if there is a key, and it was entered for another origin. */
gboolean              gadget_provider_config_has_foreign_key (GadgetProviderConfig *self);
/* TRUE if the server is on the internet, as far as its address tells. */
gboolean              gadget_provider_config_is_public    (GadgetProviderConfig *self);
/* TRUE if the server is another computer, as far as its address tells. */
gboolean              gadget_provider_config_is_elsewhere (GadgetProviderConfig *self);
/* TRUE if requests without a key make no sense: a key is known, or the server is public. */
gboolean              gadget_provider_config_needs_key    (GadgetProviderConfig *self);
/* TRUE if requests can be read on their way through the internet. */
gboolean              gadget_provider_config_is_exposed   (GadgetProviderConfig *self);

/* Ids are 1 to 64 of a-z, 0-9, '-', '_' and '.'; base URLs are http or https with a host. */
gboolean              gadget_provider_config_check        (const char           *id,
                                                           const char           *kind,
                                                           const char           *base_url,
                                                           GError              **error);

G_END_DECLS
