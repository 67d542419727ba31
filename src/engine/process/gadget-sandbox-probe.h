/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "process/sandbox/gadget-sandbox.h"

G_BEGIN_DECLS

/* Finds a sandbox that works on this system by running a command in it. The source has the
 * details. */
void           gadget_sandbox_probe_async  (const char           *workspace,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
GadgetSandbox *gadget_sandbox_probe_finish (GAsyncResult         *result,
                                            GError              **error);

/* Finds out whether commands can have a network of their own, and sets the network kind of
 * SANDBOX. */
void           gadget_sandbox_probe_network_async  (GadgetSandbox        *sandbox,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
void           gadget_sandbox_probe_network_finish (GAsyncResult         *result);

G_END_DECLS
