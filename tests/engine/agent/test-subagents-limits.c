/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Subagents and the limits of their turn. */

#include "config.h"

#include "subagent-fixture.h"
#include "wait.h"

static GadgetTurn *
start_limited (AgentFixture *fixture, gboolean interactive, const GadgetLimits *limits)
{
  const GadgetTurnOptions options = { .interactive = interactive, .limits = *limits };
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);

  wait_until (fake_provider_is_waiting (fixture->provider));
  return gadget_session_get_last_turn (fixture->session);
}

static void
take_step (AgentFixture *fixture)
{
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  fake_tool_end (fixture->slow, "done");
}

static GadgetPrompt *
get_card (GadgetTurn *turn)
{
  const guint n = gadget_turn_get_n_items (turn);

  return n > 0 ? gadget_item_get_prompt (gadget_turn_get_item (turn, n - 1)) : NULL;
}

/* The steps of a subagent are steps of the turn: it asks, and what is answered is for the turn. */
static void
test_limit_steps (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = start_limited (fixture, TRUE, &(GadgetLimits) { .steps = 3 });
  GadgetTurn *child;
  GadgetPrompt *prompt;

  subagent_hand_over (fixture, "one", NULL);
  child = subagent_get_child_turn (turn, 0);
  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  take_step (fixture);
  wait_until (get_card (child) != NULL);
  prompt = get_card (child);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==,
                   "This turn has reached its limit: 3 steps.");
  g_assert_true (gadget_item_get_asking (gadget_turn_get_item (turn, 0)));
  g_assert_true (gadget_prompt_answer (prompt, gadget_prompt_get_choices (prompt)[1]));
  wait_until (fake_provider_is_waiting (fixture->provider));
  subagent_say (fixture, "one is done");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 5);
  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  take_step (fixture);
  /* Three more, of which the subagent took one. */
  wait_until (get_card (turn) != NULL);
  prompt = get_card (turn);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==,
                   "This turn has reached its limit: 6 steps.");
  g_assert_true (gadget_prompt_answer (prompt, gadget_prompt_get_choices (prompt)[2]));
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
}

/* Stop, in the subagent, is the turn's end. */
static void
test_limit_stop (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = start_limited (fixture, TRUE, &(GadgetLimits) { .steps = 2 });
  GadgetPrompt *prompt;

  subagent_hand_over (fixture, "one", NULL);
  take_step (fixture);
  wait_until (get_card (subagent_get_child_turn (turn, 0)) != NULL);
  prompt = get_card (subagent_get_child_turn (turn, 0));
  g_assert_true (gadget_prompt_answer (prompt, gadget_prompt_get_choices (prompt)[2]));
  agent_assert_aborted (fixture, turn);
}

/* Where nobody is asked it ends the turn, which names the limit. What a subagent uses is counted
 * while it works. */
static void
test_limit_hard (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = start_limited (fixture, FALSE, &(GadgetLimits) { .tokens = 1000 });
  GadgetTurn *child;
  g_autofree char *said = NULL;

  fake_provider_usage (fixture->provider, 300, 100);
  subagent_hand_over (fixture, "one", NULL);
  child = subagent_get_child_turn (turn, 0);
  fake_provider_usage (fixture->provider, 400, 250);
  take_step (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_usage (child)->input_tokens, ==, 400);
  g_assert_cmpint (gadget_turn_get_usage (turn)->input_tokens, ==, 700);
  g_assert_cmpint (gadget_turn_get_usage (turn)->output_tokens, ==, 350);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_BUDGET);
  g_assert_cmpint (gadget_turn_get_stop_reason (child), ==, GADGET_STOP_BUDGET);
  said = gadget_limits_dup_text (turn);
  g_assert_cmpstr (said, ==, "The turn was aborted at its limit: 1000 tokens.");
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 2);
}

/* Several that come to it ask once. One of them that is stopped alone stops waiting. */
static void
test_limit_parallel (SubagentFixture *self, gconstpointer data)
{
  const guint choice = GPOINTER_TO_UINT (data);
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = start_limited (fixture, TRUE, &(GadgetLimits) { .steps = 4 });
  g_autoptr (GadgetPrompt) prompt = NULL;

  fake_provider_set_parallel (fixture->provider);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *part = g_strdup_printf ("part %u", i);

      subagent_call_task (fixture, i, part, NULL);
    }
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_waiting (fixture->provider) == 3);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *part = g_strdup_printf ("part %u", i);

      g_assert_true (fake_provider_choose (fixture->provider, part));
      take_step (fixture);
      wait_until (get_card (subagent_get_child_turn (turn, 0)) != NULL);
    }
  wait_idle ();
  g_assert_null (get_card (subagent_get_child_turn (turn, 1)));
  g_assert_null (get_card (subagent_get_child_turn (turn, 2)));
  g_assert_true (gadget_agent_stop_tool (fixture->agent, fixture->session, "task-2"));
  wait_until (gadget_item_is_settled (gadget_turn_get_item (turn, 2)));
  if (choice == 3)
    {
      /* The one that asks is stopped alone: then the other one asks. */
      g_assert_true (gadget_agent_stop_tool (fixture->agent, fixture->session, "task-0"));
      wait_until (get_card (subagent_get_child_turn (turn, 1)) != NULL);
      agent_abort_now (fixture);
      agent_assert_aborted (fixture, turn);
      return;
    }
  prompt = g_object_ref (get_card (subagent_get_child_turn (turn, 0)));
  g_assert_true (gadget_prompt_answer (prompt, gadget_prompt_get_choices (prompt)[choice]));
  if (choice == 2)
    {
      agent_assert_aborted (fixture, turn);
      return;
    }
  wait_until (fake_provider_get_n_waiting (fixture->provider) == 2);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD_SUBAGENT_TEST ("limits/steps", test_limit_steps, NULL);
  ADD_SUBAGENT_TEST ("limits/stop", test_limit_stop, NULL);
  ADD_SUBAGENT_TEST ("limits/hard", test_limit_hard, NULL);
  ADD_SUBAGENT_TEST ("limits/parallel-continue", test_limit_parallel, GUINT_TO_POINTER (0));
  ADD_SUBAGENT_TEST ("limits/parallel-raise", test_limit_parallel, GUINT_TO_POINTER (1));
  ADD_SUBAGENT_TEST ("limits/parallel-stop", test_limit_parallel, GUINT_TO_POINTER (2));
  ADD_SUBAGENT_TEST ("limits/parallel-one-stopped", test_limit_parallel, GUINT_TO_POINTER (3));

  return g_test_run ();
}
