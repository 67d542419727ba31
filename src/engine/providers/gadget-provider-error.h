/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GADGET_PROVIDER_ERROR (gadget_provider_error_quark ())
GQuark gadget_provider_error_quark (void);

/**
 * GadgetProviderError:
 * @GADGET_PROVIDER_ERROR_UNREACHABLE: no connection: refused, no route, unknown host
 * @GADGET_PROVIDER_ERROR_TIMEOUT: the server did not respond in time
 * @GADGET_PROVIDER_ERROR_TLS: the connection could not be secured
 * @GADGET_PROVIDER_ERROR_AUTH: 401 or 403: the key is missing, wrong or lacks a permission
 * @GADGET_PROVIDER_ERROR_MODEL: the server does not have the model
 * @GADGET_PROVIDER_ERROR_ADDRESS: the server has no API of this kind there (404, an HTML page, …)
 * @GADGET_PROVIDER_ERROR_RATE_LIMITED: 429, and the retries are used up
 * @GADGET_PROVIDER_ERROR_OVERLOADED: 5xx, and the retries are used up
 * @GADGET_PROVIDER_ERROR_REFUSED: the provider refused the request (other 4xx, an error object)
 * @GADGET_PROVIDER_ERROR_CONTEXT: the chat no longer fits the context of the model
 * @GADGET_PROVIDER_ERROR_CUT: the response stopped in the middle
 * @GADGET_PROVIDER_ERROR_BAD_ANSWER: the response cannot be read
 * @GADGET_PROVIDER_ERROR_EMPTY: the response has no content at all
 * @GADGET_PROVIDER_ERROR_QUOTA: the account has no credit left, or its plan is used up
 * @GADGET_PROVIDER_ERROR_COMPRESSED: the response is compressed, although that was not asked for
 * @GADGET_PROVIDER_ERROR_TOO_LARGE: the response, or a part of it, is larger than allowed, or has
 *   too many parts
 *
 * Callers check the cancellable to find out whether a run was aborted, never the error. The message
 * is the server's own text, for details; the text for people is made from the code.
 */
typedef enum
{
  GADGET_PROVIDER_ERROR_UNREACHABLE,
  GADGET_PROVIDER_ERROR_TIMEOUT,
  GADGET_PROVIDER_ERROR_TLS,
  GADGET_PROVIDER_ERROR_AUTH,
  GADGET_PROVIDER_ERROR_MODEL,
  GADGET_PROVIDER_ERROR_ADDRESS,
  GADGET_PROVIDER_ERROR_RATE_LIMITED,
  GADGET_PROVIDER_ERROR_OVERLOADED,
  GADGET_PROVIDER_ERROR_REFUSED,
  GADGET_PROVIDER_ERROR_CONTEXT,
  GADGET_PROVIDER_ERROR_CUT,
  GADGET_PROVIDER_ERROR_BAD_ANSWER,
  GADGET_PROVIDER_ERROR_EMPTY,
  GADGET_PROVIDER_ERROR_QUOTA,
  GADGET_PROVIDER_ERROR_COMPRESSED,
  GADGET_PROVIDER_ERROR_TOO_LARGE,
} GadgetProviderError;

/* Converts an error of http/ to a #GadgetProviderError; any other error stays as it is. */
void gadget_provider_adopt_error (GError *error);

G_END_DECLS
