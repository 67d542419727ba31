/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-dialect.h"

G_BEGIN_DECLS

/* Sends a request whose small response is read as a whole: a list of models, or the description of
 * one. A failed request is not retried. */
void    gadget_http_lookup_async  (GadgetHttp           *http,
                                   const GadgetDialect  *dialect,
                                   GadgetHttpRequest    *request,
                                   GadgetReceipt        *receipt,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
GBytes *gadget_http_lookup_finish (GadgetHttp           *http,
                                   GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
