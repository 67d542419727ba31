/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The limit for all caches together, in bytes. */
#define GADGET_SANDBOX_CACHE_MAX_TOTAL (G_GUINT64_CONSTANT (8) << 30)

/* A claim on a cache: while there is one, the cache keeps its name. */
typedef struct _GadgetCacheUse GadgetCacheUse;

/* Private writable caches of commands, one for each workspace. The source describes them. */
char   *gadget_sandbox_cache_prepare      (const char           *folder,
                                           const char           *workspace);
void    gadget_sandbox_cache_clean_async  (const char           *folder,
                                           guint64               max_total,
                                           GAsyncReadyCallback   callback,
                                           gpointer              user_data);
gssize  gadget_sandbox_cache_clean_finish (GAsyncResult         *result);

G_END_DECLS
