/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Watches for the end of sleep and for changes of the network. logind announces sleep on the system
 * bus (org.freedesktop.login1.Manager, signal PrepareForSleep: TRUE before it, FALSE after it);
 * GNetworkMonitor announces changes of the network. Where one of the two is missing, its events go
 * unnoticed. */

#define G_LOG_DOMAIN "gadget-network-watch"

#include "config.h"

#include "gadget-network-watch.h"

struct _GadgetNetworkWatch
{
  GObject parent_instance;

  GadgetHttp *http;
  GDBusConnection *bus; /* (nullable) */
  guint subscription;
};

G_DEFINE_FINAL_TYPE (GadgetNetworkWatch, gadget_network_watch, G_TYPE_OBJECT)

static void
network_changed_cb (GadgetNetworkWatch *self)
{
  gadget_http_suspect_connections (self->http);
}

static void
sleep_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface,
          const char *signal, GVariant *parameters, gpointer user_data)
{
  GadgetNetworkWatch *self = user_data;
  gboolean begins = TRUE;

  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(b)")))
    g_variant_get (parameters, "(b)", &begins);
  if (!begins)
    gadget_http_suspect_connections (self->http);
}

static void
weak_ref_free (GWeakRef *weak)
{
  g_weak_ref_clear (weak);
  g_free (weak);
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GWeakRef *weak = user_data;
  g_autoptr (GadgetNetworkWatch) self = g_weak_ref_get (weak);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_finish (result, &error);

  weak_ref_free (weak);
  if (bus == NULL)
    g_debug ("sleep is not heard of: %s", error->message);
  if (self == NULL || bus == NULL)
    return;
  /* Closing the system bus must not end the program. */
  g_dbus_connection_set_exit_on_close (bus, FALSE);
  self->bus = g_steal_pointer (&bus);
  self->subscription = g_dbus_connection_signal_subscribe (
      self->bus, "org.freedesktop.login1", "org.freedesktop.login1.Manager", "PrepareForSleep",
      "/org/freedesktop/login1", NULL, G_DBUS_SIGNAL_FLAGS_NONE, sleep_cb, self, NULL);
}

static void
gadget_network_watch_dispose (GObject *object)
{
  GadgetNetworkWatch *self = GADGET_NETWORK_WATCH (object);

  if (self->subscription != 0)
    g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  self->subscription = 0;
  g_clear_object (&self->bus);
  g_clear_object (&self->http);

  G_OBJECT_CLASS (gadget_network_watch_parent_class)->dispose (object);
}

static void
gadget_network_watch_class_init (GadgetNetworkWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_network_watch_dispose;
}

static void
gadget_network_watch_init (GadgetNetworkWatch *self)
{
}

GadgetNetworkWatch *
_gadget_network_watch_new (GadgetHttp *http)
{
  GadgetNetworkWatch *self = g_object_new (GADGET_TYPE_NETWORK_WATCH, NULL);
  GWeakRef *weak = g_new0 (GWeakRef, 1);

  self->http = g_object_ref (http);
  g_signal_connect_object (g_network_monitor_get_default (), "network-changed",
                           G_CALLBACK (network_changed_cb), self, G_CONNECT_SWAPPED);
  g_weak_ref_init (weak, self);
  g_bus_get (G_BUS_TYPE_SYSTEM, NULL, connected_cb, weak);
  return self;
}
