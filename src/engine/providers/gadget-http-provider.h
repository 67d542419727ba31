/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-dialect.h"
#include "http/gadget-http.h"
#include "gadget-provider-config.h"

G_BEGIN_DECLS

#define GADGET_TYPE_HTTP_PROVIDER (gadget_http_provider_get_type ())
G_DECLARE_FINAL_TYPE (GadgetHttpProvider, gadget_http_provider, GADGET, HTTP_PROVIDER, GObject)

/* A provider behind HTTP, for any dialect. */
GadgetProvider *gadget_http_provider_new (const GadgetDialect  *dialect,
                                          GadgetProviderConfig *config,
                                          GadgetHttp           *http,
                                          const char           *key);
void            gadget_http_provider_take_headers (GadgetHttpProvider *self,
                                          char                **headers);

G_END_DECLS
