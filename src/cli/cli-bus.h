/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Connects to the session bus, if one is running. No bus is started, and a bus that does not
 * respond within a second is given up. Fails with G_IO_ERROR_NOT_FOUND, G_IO_ERROR_TIMED_OUT or an
 * error of GDBus. */
void             gadget_cli_bus_connect_async  (GAsyncReadyCallback   callback,
                                                gpointer              user_data);
GDBusConnection *gadget_cli_bus_connect_finish (GAsyncResult         *result,
                                                GError              **error);

/* Releases @name, so that programs that call it from then on learn that it has no owner. Then waits
 * until earlier calls got their replies and the replies are sent: a connection sends in its own
 * thread, and would drop unsent messages when it is closed. */
void             gadget_cli_bus_leave_async    (GDBusConnection      *connection,
                                                const char           *name,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
void             gadget_cli_bus_leave_finish   (GAsyncResult         *result);

G_END_DECLS
