/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-http-message.h"
#include "gadget-http.h"
#include "session/gadget-receipt.h"

G_BEGIN_DECLS

/* The decision of the handler after a part of the body. */
typedef enum
{
  GADGET_HTTP_MORE,   /* read on */
  GADGET_HTTP_DONE,   /* the response is complete, even if the body goes on */
  GADGET_HTTP_FAILED, /* the error is set */
} GadgetHttpVerdict;

/**
 * GadgetHttpHandler:
 * @head: called for a status of 2xx and its headers; %FALSE with an error ends the exchange
 * @data: called for each part of the body of such a response
 * @end: (nullable): called at the end of that body unless @data has returned %GADGET_HTTP_DONE;
 *   %FALSE with an error if the response is not complete
 * @refusal: called for any other status with the beginning of its body; returns the error
 *   (transfer full)
 *
 * Receives a response. None of the functions is called after the cancellable was cancelled.
 */
typedef struct
{
  gboolean          (*head)    (GadgetHttpResponse  *response,
                                gpointer             user_data,
                                GError             **error);
  GadgetHttpVerdict (*data)    (const char          *bytes,
                                gsize                length,
                                gpointer             user_data,
                                GError             **error);
  gboolean          (*end)     (gpointer             user_data,
                                GError             **error);
  GError           *(*refusal) (GadgetHttpResponse  *response,
                                const char          *body,
                                gsize                length,
                                gpointer             user_data);
} GadgetHttpHandler;

void     gadget_http_stream_async  (GadgetHttp               *http,
                                    GadgetHttpRequest        *request,
                                    const GadgetHttpHandler  *handler,
                                    gpointer                  handler_data,
                                    GadgetReceipt            *receipt,
                                    GCancellable             *cancellable,
                                    GAsyncReadyCallback       callback,
                                    gpointer                  user_data);
gboolean gadget_http_stream_finish (GadgetHttp               *http,
                                    GAsyncResult             *result,
                                    GadgetHttpResponse      **response,
                                    GError                  **error);

G_END_DECLS
