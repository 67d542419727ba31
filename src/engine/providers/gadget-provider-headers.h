/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The prefix of the keyring entry; the provider's id, which has no ":", follows. */
#define GADGET_PROVIDER_HEADERS_KEY_PREFIX "headers:"

#define GADGET_PROVIDER_HEADERS_ERROR (gadget_provider_headers_error_quark ())
GQuark gadget_provider_headers_error_quark (void);

/**
 * GadgetProviderHeadersError:
 * @GADGET_PROVIDER_HEADERS_ERROR_INVALID: a header cannot be sent
 * @GADGET_PROVIDER_HEADERS_ERROR_MISSING: a secret header has no value
 *
 * The message names the header. It is for people, and never contains a value.
 */
typedef enum
{
  GADGET_PROVIDER_HEADERS_ERROR_INVALID,
  GADGET_PROVIDER_HEADERS_ERROR_MISSING,
} GadgetProviderHeadersError;

/**
 * GadgetProviderHeaders:
 * @plain: headers of the form "Name: value"
 * @secrets: names of the headers whose values are in the keyring, see gadget-secret-values.h
 *
 * The extra headers of each request to a provider. Gateways, for example, want to know the service
 * behind them. The lists are never %NULL.
 */
typedef struct
{
  char **plain;
  char **secrets;
} GadgetProviderHeaders;

/* Copies both lists, which may be NULL. (transfer full) */
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
