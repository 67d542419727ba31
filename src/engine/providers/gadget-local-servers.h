/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "http/gadget-http.h"

G_BEGIN_DECLS

/**
 * GadgetLocalServer:
 * @name: "llama.cpp", "Ollama", …
 * @kind: the kind of provider for the server
 * @base_url: the address of its API
 * @models: the names of its models, possibly none
 *
 * A model server on this machine.
 */
typedef struct
{
  char *name;
  char *kind;
  char *base_url;
  char **models;
} GadgetLocalServer;

/* SELF may be NULL. */
void gadget_local_server_free (GadgetLocalServer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetLocalServer, gadget_local_server_free)

/* Where to look. A list of places ends with a NULL name. */
typedef struct
{
  const char *name;
  const char *kind;
  const char *base_url;
} GadgetLocalServerPlace;

/* Looks for model servers on this machine, at loopback addresses only. All places are asked at
 * once, and have a second each to respond. */
void       gadget_local_servers_find_async  (GadgetHttp                    *http,
                                             const GadgetLocalServerPlace  *places,
                                             GCancellable                  *cancellable,
                                             GAsyncReadyCallback            callback,
                                             gpointer                       user_data);
GPtrArray *gadget_local_servers_find_finish (GadgetHttp                    *http,
                                             GAsyncResult                  *result,
                                             GError                       **error);

G_END_DECLS
