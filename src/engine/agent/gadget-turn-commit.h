/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-agent.h"
#include "store/gadget-journal.h"

G_BEGIN_DECLS

/* Writes what a turn came to. After 500 ms without an answer the session goes on, and the turn is
 * not saved yet: the write stays queued, the lease of LEASE_SESSION is kept until it is done, and
 * the turn is saved once it succeeded. What failed is tried again, see gadget-unsaved-turns.h. Calls
 * back once, and cannot fail: "saved" of the turn tells. */
void _gadget_turn_commit_async  (GadgetAgent         *agent,
                                 GadgetJournal       *journal,
                                 GadgetTurn          *turn,
                                 const char          *lease_session,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data);
void _gadget_turn_commit_finish (GAsyncResult        *result);

G_END_DECLS
