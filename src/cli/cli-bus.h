/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The session bus, if there is one already: none is started, and one that does not answer is not
 * waited for longer than a moment. */
void             gadget_cli_bus_connect_async  (GAsyncReadyCallback   callback,
                                                gpointer              user_data);
GDBusConnection *gadget_cli_bus_connect_finish (GAsyncResult         *result,
                                                GError              **error);

/* Gives the NAME back: who calls us from then on is told that there is nobody of that name. Then waits
 * until what came before is answered and sent; a connection sends in a thread of its own, and would
 * drop the rest when it goes. */
void             gadget_cli_bus_leave_async    (GDBusConnection      *connection,
                                                const char           *name,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
void             gadget_cli_bus_leave_finish   (GAsyncResult         *result);

G_END_DECLS
