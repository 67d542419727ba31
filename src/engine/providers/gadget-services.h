/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-provider-config.h"
#include "http/gadget-http.h"

G_BEGIN_DECLS

/**
 * GadgetService:
 * @name: the name of the service
 * @kind: one of GADGET_PROVIDER_KIND_*
 * @base_url: the address of its API
 * @key_url: the page on which people make a key
 * @key_prefix: (nullable): how its keys begin; %NULL if other services' keys begin like that
 * @old_key_prefix: (nullable): how keys begin that it no longer makes
 * @check_path: (nullable): a path below @base_url that describes the key of the request; set if the
 *   service lists its models without a key
 *
 * A model service on the internet for which people have a key.
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

/* The number of services; they are static. */
guint                gadget_services_get_n        (void);
const GadgetService *gadget_services_get          (guint                 index);

/* The service whose keys begin like KEY; PREFIX (out) (optional) is set to that beginning.
 * (transfer none) (nullable) */
const GadgetService *gadget_services_find_by_key  (const char           *key,
                                                   const char          **prefix);

/* Asks the service whether it accepts the key, and for the models that are available with it. */
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
