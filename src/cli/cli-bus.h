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

G_END_DECLS
