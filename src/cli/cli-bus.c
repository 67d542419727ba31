/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-cli"

#include "config.h"

#include <glib/gi18n.h>

#include "cli-bus.h"

#include "common/gadget-bus.h"

#define TIMEOUT_MS 1000

typedef struct
{
  guint timeout;
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

  /* The connection, should it come after all, is dropped in connected_cb (). */
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
