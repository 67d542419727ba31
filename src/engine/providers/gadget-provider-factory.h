/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "http/gadget-http.h"
#include "gadget-provider-config.h"
#include "gadget-provider.h"

G_BEGIN_DECLS

GadgetProvider *gadget_provider_new_for_config (GadgetProviderConfig  *config,
                                                GadgetHttp            *http,
                                                const char            *key,
                                                GadgetClock           *clock);
GadgetProvider *gadget_provider_new_with_headers (GadgetProviderConfig *config,
                                                GadgetHttp            *http,
                                                const char            *key,
                                                const char            *secret_headers,
                                                GadgetClock           *clock,
                                                GError               **error);

G_END_DECLS
