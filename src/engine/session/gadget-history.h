/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-request.h"
#include "gadget-session.h"

G_BEGIN_DECLS

/* Converts the recorded turns to a request that every provider accepts, whatever was aborted in
 * them (transfer full). This is the only place that does so; see the .c file for the rules. */
GadgetRequest *gadget_history_build        (GadgetSession *session,
                                            const char    *replay_source);

/* The replay source of summaries. Their replay data is the digest of the turns that they
 * replace. */
#define GADGET_HISTORY_SUMMARY_SOURCE "history"

/* Returns a digest of the ids of turns (element-type utf8) (transfer full). */
char          *gadget_history_digest_turns (GPtrArray     *ids);

/* To be called before a summary is appended to its turn. */
void           gadget_history_mark_summary (GadgetSession *session,
                                            GadgetTurn    *turn,
                                            GadgetItem    *item);

G_END_DECLS
