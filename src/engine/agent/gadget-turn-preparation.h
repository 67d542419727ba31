/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"

G_BEGIN_DECLS

/* What comes before a turn's first request and only looks things up: with RELOAD the chat, which
 * another process may have gone on with before this one took the lease; the provider and its key,
 * in a keyring that may be locked and never answer. So it is not waited for after an abort: then it
 * fails with G_IO_ERROR_CANCELLED in the next iteration. */
void            _gadget_turn_preparation_async  (GadgetAgent          *agent,
                                                 GadgetRun            *run,
                                                 GadgetSession        *session,
                                                 GadgetTurn           *turn,
                                                 gboolean              reload,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
GadgetProvider *_gadget_turn_preparation_finish (GAsyncResult         *result,
                                                 GError              **error);

G_END_DECLS
