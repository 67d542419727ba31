/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "gadget-provider-error.h"

#include "http/gadget-http.h"

G_DEFINE_QUARK (gadget-provider-error-quark, gadget_provider_error)

/**
 * gadget_provider_adopt_error:
 * @error: (nullable): changed in place if it is a #GadgetHttpError
 */
void
gadget_provider_adopt_error (GError *error)
{
  static const GadgetProviderError codes[] = {
    [GADGET_HTTP_ERROR_UNREACHABLE] = GADGET_PROVIDER_ERROR_UNREACHABLE,
    [GADGET_HTTP_ERROR_REFUSED] = GADGET_PROVIDER_ERROR_UNREACHABLE,
    [GADGET_HTTP_ERROR_TIMEOUT] = GADGET_PROVIDER_ERROR_TIMEOUT,
    [GADGET_HTTP_ERROR_TLS] = GADGET_PROVIDER_ERROR_TLS,
    [GADGET_HTTP_ERROR_ADDRESS] = GADGET_PROVIDER_ERROR_ADDRESS,
    [GADGET_HTTP_ERROR_CUT] = GADGET_PROVIDER_ERROR_CUT,
    [GADGET_HTTP_ERROR_BAD_ANSWER] = GADGET_PROVIDER_ERROR_BAD_ANSWER,
    [GADGET_HTTP_ERROR_UNSENT] = GADGET_PROVIDER_ERROR_REFUSED,
    [GADGET_HTTP_ERROR_COMPRESSED] = GADGET_PROVIDER_ERROR_COMPRESSED,
    [GADGET_HTTP_ERROR_TOO_LARGE] = GADGET_PROVIDER_ERROR_TOO_LARGE,
  };

  if (error == NULL || error->domain != GADGET_HTTP_ERROR)
    return;
  error->domain = GADGET_PROVIDER_ERROR;
  error->code = (int) codes[error->code];
}
