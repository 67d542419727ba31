/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Private to this folder. */

#pragma once

#include "gadget-turn-environment.h"
#include "store/gadget-journal.h"

G_BEGIN_DECLS

/* Writes the final state of a turn. If the store has not answered after 500 ms, this calls back
 * anyway, and the turn is marked as not saved: the write stays queued, the lease of LEASE_SESSION
 * is held until the write has ended, and the turn is marked as saved if the write succeeds. Failed
 * writes are repeated, see gadget-unsaved-turns.h. Calls back once and cannot fail; the property
 * "saved" of the turn has the result. */
void _gadget_turn_commit_async  (GadgetTurnEnvironment *environment,
                                 GadgetJournal       *journal,
                                 GadgetTurn          *turn,
                                 const char          *lease_session_id,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data);
void _gadget_turn_commit_finish (GAsyncResult        *result);

G_END_DECLS
