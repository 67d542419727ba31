/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/providers/gadget-provider-list.h"

G_BEGIN_DECLS

/* Asks a provider what it knows about one of its models. PROVIDER_ID may be NULL for the default
 * provider, MODEL may be NULL for the provider's own choice. A question that was cancelled fails
 * with G_IO_ERROR_CANCELLED, even if the answer had arrived. Other errors are those of
 * gadget_provider_list_resolve_async () and a GadgetProviderError. finish () returns
 * (transfer full). */
void         gadget_model_question_ask_async  (GadgetProviderList  *providers,
                                               const char          *provider_id,
                                               const char          *model,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
GadgetModel *gadget_model_question_ask_finish (GadgetProviderList  *providers,
                                               GAsyncResult        *result,
                                               GError             **error);

G_END_DECLS
