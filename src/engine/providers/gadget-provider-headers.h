/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* In the keyring: what stands before the provider's id, which has no ":". */
#define GADGET_PROVIDER_HEADERS_KEY_PREFIX "headers:"

#define GADGET_PROVIDER_HEADERS_ERROR (gadget_provider_headers_error_quark ())
GQuark gadget_provider_headers_error_quark (void);

/**
 * GadgetProviderHeadersError:
 * @GADGET_PROVIDER_HEADERS_ERROR_INVALID: one of them cannot be
 * @GADGET_PROVIDER_HEADERS_ERROR_MISSING: a secret one has no value
 *
 * The message, for people and without values, says which.
 */
typedef enum
{
  GADGET_PROVIDER_HEADERS_ERROR_INVALID,
  GADGET_PROVIDER_HEADERS_ERROR_MISSING,
} GadgetProviderHeadersError;

/**
 * GadgetProviderHeaders:
 * @plain: "Name: value"
 * @secrets: names of those whose values are in the keyring, see gadget-secret-values.h
 *
 * The extra headers of each request to a provider: gateways want to know the service behind them,
 * for example. Vectors are never %NULL.
 */
typedef struct
{
  char **plain;
  char **secrets;
} GadgetProviderHeaders;

GadgetProviderHeaders *gadget_provider_headers_new       (const char *const            *plain,
                                                          const char *const            *secrets);
GadgetProviderHeaders *gadget_provider_headers_copy      (const GadgetProviderHeaders  *self);
void                   gadget_provider_headers_free      (GadgetProviderHeaders        *self);
gboolean               gadget_provider_headers_is_reserved (const char                 *name);
gboolean               gadget_provider_headers_is_name   (const char                   *name);
gboolean               gadget_provider_headers_check     (const GadgetProviderHeaders  *self,
                                                          GError                      **error);
gboolean               gadget_provider_headers_check_secret (const char                *name,
                                                          const char                   *values,
                                                          GError                      **error);
char                  *gadget_provider_headers_to_json   (const GadgetProviderHeaders  *self);
GadgetProviderHeaders *gadget_provider_headers_from_json (const char                   *json);
char                 **gadget_provider_headers_apply     (const GadgetProviderHeaders  *self,
                                                          const char                   *secrets,
                                                          GError                      **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetProviderHeaders, gadget_provider_headers_free)

G_END_DECLS
