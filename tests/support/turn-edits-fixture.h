/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat whose turns are deleted, replaced and brought back. Each of these waits until it is done. */

#pragma once

#include "subagent-fixture.h"

#include "store/gadget-store-effects.h"

G_BEGIN_DECLS

GadgetTurn *edits_say           (AgentFixture   *fixture,
                                 const char     *prompt,
                                 const char     *answer);
gboolean    edits_delete        (AgentFixture   *fixture,
                                 const char     *turn_id,
                                 GError        **error);
void        edits_delete_nth    (AgentFixture   *fixture,
                                 guint           nth);
void        edits_restore       (AgentFixture   *fixture,
                                 const char     *turn_id);
void        edits_start_over    (AgentFixture   *fixture,
                                 guint           index,
                                 const char     *prompt,
                                 const char     *answer);
/* "a b c": the prompts of the chat; expected in memory, and also on disk as somebody else reads it. */
char       *edits_dup_prompts   (GadgetSession  *session);
void        edits_expect_memory (GadgetSession  *session,
                                 const char     *prompts);
void        edits_expect        (AgentFixture   *fixture,
                                 const char     *prompts);

/* The words of the request that is sent now, were the next prompt "next". */
char       *edits_dup_request   (AgentFixture   *fixture);

/* What was done in a turn; listed of the whole chat for NULL. (element-type GadgetEffectRow) */
void        edits_put_on_record (GadgetStore    *store,
                                 const char     *turn_id);
GPtrArray  *edits_list_effects  (GadgetStore    *store,
                                 const char     *turn_id);

G_END_DECLS
