/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-provider-factory.h"

#include "gadget-dialects.h"
#include "gadget-guide.h"
#include "gadget-http-provider.h"
#include "secrets/gadget-secret-values.h"

/**
 * gadget_provider_new_for_config:
 * @http: the program's
 * @key: (nullable): from the keyring
 * @clock: (nullable): %NULL for the system's
 *
 * Returns: (transfer full) (nullable): the provider; %NULL for an unknown kind, which
 *   gadget_provider_config_check () refuses
 */
GadgetProvider *
gadget_provider_new_for_config (GadgetProviderConfig *config, GadgetHttp *http, const char *key,
                                GadgetClock *clock)
{
  const char *kind = gadget_provider_config_get_kind (config);
  const GadgetDialect *dialect = gadget_dialects_find (kind);

  if (g_strcmp0 (kind, GADGET_PROVIDER_KIND_GUIDE) == 0)
    return gadget_guide_new (clock);
  return dialect != NULL ? gadget_http_provider_new (dialect, config, http, key) : NULL;
}

/**
 * gadget_provider_new_with_headers:
 * @key: (nullable): from the keyring
 * @secret_headers: (nullable): from the keyring, too; see gadget-secret-values.h
 * @clock: (nullable): %NULL for the system's
 *
 * Like gadget_provider_new_for_config (), with the headers of @config.
 *
 * Returns: (transfer full) (nullable): %NULL with a #GadgetProviderHeadersError when a secret
 *   header has no value that can be sent, or with %G_IO_ERROR_NOT_FOUND for an unknown kind
 */
GadgetProvider *
gadget_provider_new_with_headers (GadgetProviderConfig *config, GadgetHttp *http, const char *key,
                                  const char *secret_headers, GadgetClock *clock, GError **error)
{
  const GadgetProviderHeaders *headers = gadget_provider_config_get_headers (config);
  char **pairs = NULL;
  GadgetProvider *provider;

  if (headers != NULL)
    pairs = gadget_provider_headers_apply (headers, secret_headers, error);
  if (headers != NULL && pairs == NULL)
    return NULL;
  provider = gadget_provider_new_for_config (config, http, key, clock);
  if (provider == NULL)
    {
      gadget_secret_values_free (pairs);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the kind \"%s\" is not known",
                   gadget_provider_config_get_kind (config));
      return NULL;
    }
  if (pairs != NULL)
    gadget_http_provider_take_headers (GADGET_HTTP_PROVIDER (provider), pairs);
  return provider;
}
