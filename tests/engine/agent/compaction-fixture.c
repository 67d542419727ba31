/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "compaction-fixture.h"
#include "strict-request.h"
#include "wait.h"

#include <string.h>

void
compaction_say (AgentFixture *fixture, const char *text)
{
  fake_provider_text (fixture->provider, text);
  fake_provider_end (fixture->provider);
}

GadgetRequest *
compaction_last_request (AgentFixture *fixture)
{
  return fake_provider_get_request (fixture->provider,
                                    fake_provider_get_n_requests (fixture->provider) - 1);
}

gboolean
compaction_is_due (GadgetRequest *request)
{
  return gadget_request_count_tokens (request) > CONTEXT_LENGTH * 80 / 100;
}

gboolean
compaction_is_requested (AgentFixture *fixture)
{
  return compaction_last_request (fixture)->messages->len == 1
         && strstr (request_get_text (compaction_last_request (fixture), 0),
                    "Write the summary alone.")
                != NULL;
}

void
compaction_fill (AgentFixture *fixture)
{
  g_autofree char *words = g_strnfill (LONG, 'w');

  fake_provider_set_context_length (fixture->provider, CONTEXT_LENGTH);
  agent_start_streaming (fixture, "The password is apple.");
  compaction_say (fixture, words);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (fake_provider_get_n_described (fixture->provider), ==, 0);
  agent_start_streaming (fixture, "Go on.");
  g_assert_cmpuint (compaction_last_request (fixture)->messages->len, ==, 3);
  compaction_say (fixture, "I did.");
  wait_until (fixture->n_completed == 2);
  wait_idle ();
  g_assert_cmpuint (fake_provider_get_n_described (fixture->provider), ==, 1);
  fixture->n_completed = 0;
}

GadgetTurn *
compaction_begin (AgentFixture *fixture)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "What is it?");

  g_assert_true (compaction_is_requested (fixture));
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_COMPACTING);
  return turn;
}

void
compaction_fail_too_long (AgentFixture *fixture)
{
  fake_provider_fail (fixture->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                      GADGET_PROVIDER_ERROR_CONTEXT, "too long"));
}
