/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider-config.h"
#include "http/gadget-http.h"

G_BEGIN_DECLS

/**
 * GadgetService:
 * @name: as the service calls itself
 * @kind: one of GADGET_PROVIDER_KIND_*
 * @base_url: where its API is
 * @key_url: the page on which people make a key
 * @key_prefix: (nullable): what its keys begin with; %NULL where others begin alike
 * @old_key_prefix: (nullable): what keys begin with that it does not make any more
 * @check_path: (nullable): below @base_url, describes the key that asks; for a service that lists
 *   its models to everybody
 *
 * A model service in the internet that people have a key of.
 */
typedef struct
{
  const char *name;
  const char *kind;
  const char *base_url;
  const char *key_url;
  const char *key_prefix;
  const char *old_key_prefix;
  const char *check_path;
} GadgetService;

guint                gadget_services_get_n        (void);
const GadgetService *gadget_services_get          (guint                 index);

/* The service whose keys begin as KEY does, and that beginning. (transfer none) (nullable) */
const GadgetService *gadget_services_find_by_key  (const char           *key,
                                                   const char          **prefix);

/* Asks the service whether it takes the key, and which models there are for it. */
void                 gadget_service_check_async   (const GadgetService  *self,
                                                   GadgetProviderConfig *config,
                                                   GadgetHttp           *http,
                                                   const char           *key,
                                                   GCancellable         *cancellable,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
GPtrArray           *gadget_service_check_finish  (GadgetHttp           *http,
                                                   GAsyncResult         *result,
                                                   GError              **error);

G_END_DECLS
