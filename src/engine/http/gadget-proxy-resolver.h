/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define GADGET_TYPE_PROXY_RESOLVER (gadget_proxy_resolver_get_type ())
G_DECLARE_FINAL_TYPE (GadgetProxyResolver, gadget_proxy_resolver, GADGET, PROXY_RESOLVER, GObject)

/* The system's proxy resolver, except for this machine: a model server on it is never accessed
 * through a proxy, even if the settings forgot to exclude it. (transfer full) */
GProxyResolver *gadget_proxy_resolver_new (void);

G_END_DECLS
