/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider-list.h"

G_BEGIN_DECLS

/* What is known of a model (NULL: the provider's own choice) of one of the providers (NULL: the
 * default). A question that was cancelled is never answered, even if the answer had come. */
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
