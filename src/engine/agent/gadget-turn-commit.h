/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"
#include "store/gadget-journal.h"

G_BEGIN_DECLS

/* Writes what a turn came to. It has 500 ms: after that the turn counts as not saved and the
 * session goes on; the write stays queued, the lease of LEASE_SESSION is kept until it is done, and
 * the turn learns when it succeeded after all. Calls back once, and cannot fail: "saved" of the
 * turn tells. */
void _gadget_turn_commit_async  (GadgetAgent         *agent,
                                 GadgetJournal       *journal,
                                 GadgetTurn          *turn,
                                 const char          *lease_session,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data);
void _gadget_turn_commit_finish (GAsyncResult        *result);

G_END_DECLS
