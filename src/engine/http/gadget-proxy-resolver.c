/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-proxy-resolver"

#include "config.h"

#include "gadget-proxy-resolver.h"

struct _GadgetProxyResolver
{
  GObject parent_instance;
};

static void gadget_proxy_resolver_iface_init (GProxyResolverInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GadgetProxyResolver, gadget_proxy_resolver, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_PROXY_RESOLVER,
                                                      gadget_proxy_resolver_iface_init))

static const char *const direct[] = { "direct://", NULL };

static gboolean
is_this_machine (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_NONE, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  g_autoptr (GInetAddress) number = NULL;

  if (host == NULL)
    return FALSE;
  number = g_inet_address_new_from_string (host);
  if (number != NULL)
    return g_inet_address_get_is_loopback (number);
  return g_ascii_strcasecmp (host, "localhost") == 0;
}

static gchar **
lookup (GProxyResolver *resolver, const gchar *uri, GCancellable *cancellable, GError **error)
{
  if (is_this_machine (uri))
    return g_strdupv ((char **) direct);
  return g_proxy_resolver_lookup (g_proxy_resolver_get_default (), uri, cancellable, error);
}

static void
looked_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char **proxies = g_proxy_resolver_lookup_finish (G_PROXY_RESOLVER (source), result, &error);

  if (proxies == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, proxies, (GDestroyNotify) g_strfreev);
}

static void
lookup_async (GProxyResolver *resolver, const gchar *uri, GCancellable *cancellable,
              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);

  g_task_set_source_tag (task, lookup_async);
  if (is_this_machine (uri))
    g_task_return_pointer (task, g_strdupv ((char **) direct), (GDestroyNotify) g_strfreev);
  else
    g_proxy_resolver_lookup_async (g_proxy_resolver_get_default (), uri, cancellable, looked_up_cb,
                                   g_steal_pointer (&task));
}

static gchar **
lookup_finish (GProxyResolver *resolver, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, resolver), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
gadget_proxy_resolver_iface_init (GProxyResolverInterface *iface)
{
  iface->lookup = lookup;
  iface->lookup_async = lookup_async;
  iface->lookup_finish = lookup_finish;
}

static void
gadget_proxy_resolver_class_init (GadgetProxyResolverClass *klass)
{
}

static void
gadget_proxy_resolver_init (GadgetProxyResolver *self)
{
}

GProxyResolver *
gadget_proxy_resolver_new (void)
{
  return g_object_new (GADGET_TYPE_PROXY_RESOLVER, NULL);
}
