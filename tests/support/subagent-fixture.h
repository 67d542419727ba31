/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent-fixture.h"

G_BEGIN_DECLS

/* Subagents, on a real store, with a provider and tools that the test plays. */
typedef struct
{
  AgentFixture agent;
  char *directory;
  char *workspace;
} SubagentFixture;

void        subagent_set_up         (SubagentFixture *fixture,
                                     gconstpointer    data);
void        subagent_tear_down      (SubagentFixture *fixture,
                                     gconstpointer    data);
guint       subagent_count_runs     (AgentFixture    *fixture);

/* The request that waits calls for a subagent; CONTINUED (nullable) is an earlier one's id. */
void        subagent_call_task      (AgentFixture    *fixture,
                                     guint            index,
                                     const char      *prompt,
                                     const char      *continued);
/* The same with one call only, until that subagent's first request waits. */
void        subagent_hand_over      (AgentFixture    *fixture,
                                     const char      *prompt,
                                     const char      *continued);
void        subagent_say            (AgentFixture    *fixture,
                                     const char      *text);
/* (transfer none): the turn of the subagent that the item at INDEX was handed to */
GadgetTurn *subagent_get_child_turn (GadgetTurn      *turn,
                                     guint            index);

#define ADD_SUBAGENT_TEST(path, function, data)                                                    \
  g_test_add ("/engine/subagents/" path, SubagentFixture, data, subagent_set_up, function,         \
              subagent_tear_down)

G_END_DECLS
