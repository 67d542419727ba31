/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-request.h"
#include "gadget-session.h"

G_BEGIN_DECLS

/* The recorded turns as a request that every provider accepts, whatever was aborted in them. The
 * one place where that is done; see the source for the rules. (transfer full) */
GadgetRequest *gadget_history_build        (GadgetSession *session,
                                            const char    *replay_source);

/* A summary's "replay source": its replay is the digest of the turns that it stands for. */
#define GADGET_HISTORY_SUMMARY_SOURCE "history"

char          *gadget_history_digest_turns (GPtrArray     *ids);

/* Before a summary is appended to its turn. */
void           gadget_history_mark_summary (GadgetSession *session,
                                            GadgetTurn    *turn,
                                            GadgetItem    *item);

G_END_DECLS
