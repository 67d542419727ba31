/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-turn-environment.h"

G_BEGIN_DECLS

/* Does what comes before the first request of a turn, which is only lookups. If RELOAD, the chat
 * and its pictures are read again, because another process may have worked on the chat before this
 * one took the lease. Then the provider of the turn is made, with its key.
 *
 * The key may be in a locked keyring that never answers, so an abort does not wait for the lookups:
 * the call fails with G_IO_ERROR_CANCELLED in the next iteration of the main context. Other errors
 * are those of gadget_provider_list_resolve_async (). finish () returns the provider
 * (transfer full) (nullable). */
void            _gadget_turn_preparation_async  (GadgetTurnEnvironment *environment,
                                                 GadgetRun            *run,
                                                 GadgetSession        *session,
                                                 GadgetTurn           *turn,
                                                 gboolean              reload,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
GadgetProvider *_gadget_turn_preparation_finish (GAsyncResult         *result,
                                                 GError              **error);

G_END_DECLS
