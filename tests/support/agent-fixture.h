/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agent/gadget-agent.h"
#include "fake-provider.h"
#include "fake-tool.h"

G_BEGIN_DECLS

/* An agent with one session, a provider and two tools, "slow" and "other", that the test plays. */
typedef struct
{
  GadgetAgent *agent;
  GadgetSession *session;
  FakeProvider *provider;
  FakeTool *slow;
  FakeTool *other;
  GadgetClock *clock;
  GadgetStore *store; /* NULL unless it is there before the set-up */

  /* Of the agent's signal "completed": how often, and what it said last. */
  guint n_completed;
  char *turn_id;
  gboolean success;
  char *message;
} AgentFixture;

void        agent_set_up          (AgentFixture  *fixture,
                                   gconstpointer  data);
void        agent_tear_down       (AgentFixture  *fixture,
                                   gconstpointer  data);

#define agent_test_add(path, function)                                                             \
  g_test_add ("/engine/agent/" path, AgentFixture, NULL, agent_set_up, function, agent_tear_down)

/* Starts a turn; the second waits for its first request, too. */
GadgetTurn *agent_start           (AgentFixture  *fixture,
                                   const char    *prompt);
GadgetTurn *agent_start_streaming (AgentFixture  *fixture,
                                   const char    *prompt);

/* Ends the request that waits with a call of each tool: "a" of slow, "b" of other. */
void        agent_run_two_calls   (AgentFixture  *fixture);

void        agent_abort_now       (AgentFixture  *fixture);

/* What must hold after every abort, as far as it can be seen from here:
 *
 *   I1 one completion · I2 no request and no tool start after the abort · I3 nothing is added ·
 *   I4 the next message is accepted · I7 no prompt left · I8 status aborted, session idle
 */
void        agent_assert_aborted  (AgentFixture  *fixture,
                                   GadgetTurn    *turn);

G_END_DECLS
