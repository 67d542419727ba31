/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The session bus for one invocation: connecting with a time limit, and leaving without losing
 * messages. */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-bus.h"

#include "common/gadget-bus.h"

#define TIMEOUT_MS 1000
#define LEAVE_TIMEOUT_MS 500
/* The caller of a method is identified by two calls to the bus, and gets its reply then. */
#define LEAVE_TRIPS 3

/* The task data of connecting. */
typedef struct
{
  guint timeout; /* 0 once it has fired */
} Connect;

static void
connect_free (Connect *connecting)
{
  g_clear_handle_id (&connecting->timeout, g_source_remove);
  g_free (connecting);
}

static gboolean
timeout_cb (gpointer user_data)
{
  GTask *task = user_data;
  Connect *connecting = g_task_get_task_data (task);

  /* If the connection arrives after all, connected_cb () drops it. */
  connecting->timeout = 0;
  g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                                   _ ("The session bus does not answer"));
  return G_SOURCE_REMOVE;
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Connect *connecting = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection =
      g_dbus_connection_new_for_address_finish (result, &error);

  if (connecting->timeout == 0)
    return;
  g_clear_handle_id (&connecting->timeout, g_source_remove);
  if (connection != NULL)
    g_task_return_pointer (task, g_steal_pointer (&connection), g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
gadget_cli_bus_connect_async (GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *address = gadget_bus_dup_address ();
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Connect *connecting;

  g_task_set_source_tag (task, gadget_cli_bus_connect_async);
  if (address == NULL)
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                                       _ ("There is no session bus"));
      return;
    }
  connecting = g_new0 (Connect, 1);
  g_task_set_task_data (task, connecting, (GDestroyNotify) connect_free);
  connecting->timeout = g_timeout_add (TIMEOUT_MS, timeout_cb, task);
  g_source_set_name_by_id (connecting->timeout, "[gadget] session bus does not answer");
  g_dbus_connection_new_for_address (address,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                         | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                     NULL, NULL, connected_cb, g_steal_pointer (&task));
}

GDBusConnection *
gadget_cli_bus_connect_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Leaving -----------------------------------------------------------------------------------*/

static void make_trip (GTask *task, const char *method,
                       GVariant *parameters); /* recursive: one call after another */

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_dbus_connection_flush_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
trip_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GDBusConnection *connection = G_DBUS_CONNECTION (source);
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (connection, result, NULL);
  const guint n = GPOINTER_TO_UINT (g_task_get_task_data (task));

  g_task_set_task_data (task, GUINT_TO_POINTER (n + 1), NULL);
  if (reply != NULL && n < LEAVE_TRIPS)
    make_trip (task, "GetId", NULL);
  else
    g_dbus_connection_flush (connection, NULL, flushed_cb, g_steal_pointer (&task));
}

static void
make_trip (GTask *task, const char *method, GVariant *parameters)
{
  g_dbus_connection_call (g_task_get_source_object (task), "org.freedesktop.DBus",
                          "/org/freedesktop/DBus", "org.freedesktop.DBus", method, parameters, NULL,
                          G_DBUS_CALL_FLAGS_NONE, LEAVE_TIMEOUT_MS, NULL, trip_cb,
                          g_object_ref (task));
}

void
gadget_cli_bus_leave_async (GDBusConnection *connection, const char *name,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (connection, NULL, callback, user_data);

  g_task_set_source_tag (task, gadget_cli_bus_leave_async);
  make_trip (task, "ReleaseName", g_variant_new ("(s)", name));
}

void
gadget_cli_bus_leave_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, gadget_cli_bus_leave_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
