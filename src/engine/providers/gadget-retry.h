/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "http/gadget-http-stream.h"

G_BEGIN_DECLS

/* The number of attempts after the first one, and the longest wait that a server may ask for. */
#define GADGET_RETRY_MAX 3
#define GADGET_RETRY_LONGEST_MS (60 * 1000)

/**
 * GadgetRetryHandler:
 * @http: receives each response
 * @has_output: %TRUE if the user was shown a part of the response; the request is not sent again
 *   then
 * @retrying: called when the request will be sent again after @ms; has to discard what the last
 *   attempt left
 * @loading: called when the server is loading the model; the request is sent again until it is
 *   loaded
 *
 * Receives the responses of all attempts.
 */
typedef struct
{
  GadgetHttpHandler http;
  gboolean (*has_output) (gpointer user_data);
  void     (*retrying)   (guint    ms,
                          gpointer user_data);
  void     (*loading)    (gpointer user_data);
} GadgetRetryHandler;

/* Sends a request, and sends it again where that may help; no other layer does. */
void     gadget_retry_send_async  (GadgetHttp               *http,
                                   GadgetHttpRequest        *request,
                                   const GadgetRetryHandler *handler,
                                   gpointer                  handler_data,
                                   GadgetReceipt            *receipt,
                                   GCancellable             *cancellable,
                                   GAsyncReadyCallback       callback,
                                   gpointer                  user_data);
gboolean gadget_retry_send_finish (GadgetHttp               *http,
                                   GAsyncResult             *result,
                                   GError                  **error);

guint    gadget_retry_get_delay   (guint                     attempt,
                                   double                    random);

G_END_DECLS
