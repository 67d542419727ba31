/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "subagent-fixture.h"

#include "test-store.h"
#include "wait.h"

void
subagent_set_up (SubagentFixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->agent.store = test_store_open (fixture->directory);
  agent_set_up (&fixture->agent, NULL);
  /* Of its own: what lies in a workspace is read, and kept. */
  fixture->workspace = test_dir_new ();
  gadget_session_set_workspace (fixture->agent.session, fixture->workspace);
}

void
subagent_tear_down (SubagentFixture *fixture, gconstpointer data)
{
  agent_tear_down (&fixture->agent, NULL);
  test_store_close (fixture->agent.store);
  test_dir_free (fixture->directory);
  test_dir_free (fixture->workspace);
}

guint
subagent_count_runs (AgentFixture *fixture)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (fixture->agent));

  return runs->len;
}

void
subagent_call_task (AgentFixture *fixture, guint index, const char *prompt, const char *continued)
{
  g_autofree char *id = g_strdup_printf ("task-%u", index);
  g_autofree char *more =
      continued != NULL ? g_strdup_printf (",\"continue\":\"%s\"", continued) : g_strdup ("");
  g_autofree char *arguments =
      g_strdup_printf ("{\"description\":\"Do %s\",\"prompt\":\"%s\"%s}", prompt, prompt, more);

  fake_provider_call (fixture->provider, index, id, "task", arguments);
}

/* The request that waits hands work to one subagent, whose first request is then waited for. */
void
subagent_hand_over (AgentFixture *fixture, const char *prompt, const char *continued)
{
  const guint n_requests = fake_provider_get_n_requests (fixture->provider);

  subagent_call_task (fixture, 0, prompt, continued);
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_requests (fixture->provider) == n_requests + 1
              && fake_provider_is_waiting (fixture->provider));
}

void
subagent_say (AgentFixture *fixture, const char *text)
{
  fake_provider_text (fixture->provider, text);
  fake_provider_end (fixture->provider);
}

GadgetTurn *
subagent_get_child_turn (GadgetTurn *turn, guint index)
{
  GadgetTurn *child = gadget_item_get_child_turn (gadget_turn_get_item (turn, index));

  g_assert_nonnull (child);
  return child;
}
