/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void gadget_spawn_throttle_wait_async  (GCancellable       *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer            user_data);
void gadget_spawn_throttle_wait_finish (GAsyncResult       *result);

G_END_DECLS
