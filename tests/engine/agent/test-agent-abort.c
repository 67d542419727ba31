/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The agent with a provider and tools that the test plays: an abort at each moment, and after each
 * what agent_assert_aborted () asserts.
 */

#include "config.h"

#include "agent-fixture.h"
#include "wait.h"

static void
test_abort_at_once (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start (fixture, "go");

  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 0);
  agent_assert_aborted (fixture, turn);
}

static void
test_abort_waiting (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_abort_now (fixture);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_ABORTING);
  agent_assert_aborted (fixture, turn);
  g_assert_cmpuint (gadget_receipt_get_n_lines (gadget_turn_get_receipt (turn)), ==, 1);
  g_assert_cmpint (gadget_receipt_get_line (gadget_turn_get_receipt (turn), 0)->kind, ==,
                   GADGET_RECEIPT_CONNECTION);
}

static void
test_abort_mid_text (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  fake_provider_text (fixture->provider, "The key is 42");
  agent_abort_now (fixture);
  /* What arrives after the abort is not shown. */
  fake_provider_text (fixture->provider, " or not");
  agent_assert_aborted (fixture, turn);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "The key is 42");
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
}

static void
test_abort_mid_arguments (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_call_begin (fixture->provider, 1, "b", "other");
  fake_provider_call_arguments (fixture->provider, 1, "{\"x\":");
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 1)), ==,
                   GADGET_ITEM_NOT_RUN);
}

/* The last byte had arrived: an abort that was acknowledged before the end is the end. */
static void
test_abort_last_byte (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  fake_provider_text (fixture->provider, "all");
  agent_abort_now (fixture);
  fake_provider_end (fixture->provider);
  agent_assert_aborted (fixture, turn);
}

static void
test_abort_error_at_once (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_abort_now (fixture);
  fake_provider_fail (fixture->provider, g_error_new_literal (GADGET_PROVIDER_ERROR,
                                                              GADGET_PROVIDER_ERROR_CUT, "reset"));
  agent_assert_aborted (fixture, turn);
}

static void
test_abort_after_end (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GadgetAbortAck) ack = NULL;

  fake_provider_text (fixture->provider, "all");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  ack = gadget_agent_abort (fixture->agent, "session", NULL, GADGET_STOP_USER);
  g_assert_false (ack->aborted);
  g_assert_cmpstr (ack->message, ==, GADGET_ABORT_NOTHING);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (fixture->n_completed, ==, 1);
}

static void
test_abort_in_tools (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  fake_tool_output (fixture->slow, "line 1\n");
  fake_tool_end (fixture->other, "done");
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  /* X12, L8: each keeps what it had, with its own kind of end. */
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
  g_assert_cmpstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), ==, "line 1\n");
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 1)), ==,
                   GADGET_ITEM_FINISHED);
}

/* L9: it finished in the same instant; the work was done, so that is what is recorded. */
static void
test_abort_tool_just_finished (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  agent_abort_now (fixture);
  fake_tool_end (fixture->slow, "real");
  agent_assert_aborted (fixture, turn);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_FINISHED);
  g_assert_cmpstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), ==, "real");
}

static void
test_abort_between_steps (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  fake_tool_end (fixture->slow, "A");
  fake_tool_end (fixture->other, "B");
  /* The second request may be under way or not; nothing of it may stay. */
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

static void
test_abort_in_permission (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GadgetPrompt) prompt = NULL;

  fake_tool_set_asks (fixture->slow, TRUE);
  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->other)
              && gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_ASKING);
  prompt = g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)));
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  /* H14: it is recorded as not started, not as a refusal; a late answer is just not taken. */
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_NOT_RUN);
  g_assert_false (gadget_prompt_answer (prompt, GADGET_PROMPT_ALLOW));
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
}

/* The answer and the abort in one instant: nothing starts after an abort. */
static void
test_abort_answered_permission (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GadgetPrompt) prompt = NULL;

  fake_tool_set_asks (fixture->slow, TRUE);
  agent_run_two_calls (fixture);
  wait_until (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  prompt = g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)));
  agent_abort_now (fixture);
  gadget_prompt_answer (prompt, GADGET_PROMPT_ALLOW);
  agent_assert_aborted (fixture, turn);
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
}

static void
test_abort_in_question (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GadgetPrompt) prompt = NULL;

  fake_provider_call (fixture->provider, 0, "q", "ask_user",
                      "{\"question\":\"Which?\",\"choices\":[\"one\",\"two\"]}");
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_n_items (turn) == 1
              && gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  prompt = g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)));
  g_assert_cmpstrv (gadget_prompt_get_choices (prompt),
                    ((const char *const[]) { "one", "two", NULL }));
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  g_assert_false (gadget_prompt_is_open (prompt));
  g_assert_false (gadget_prompt_answer (prompt, "one"));
}

/* L3: an abort at a random moment of a run of several steps always lands. */
static void
play (AgentFixture *fixture, GRand *rand)
{
  if (fake_provider_is_waiting (fixture->provider))
    switch (g_rand_int_range (rand, 0, 4))
      {
      case 0:
        fake_provider_text (fixture->provider, "word ");
        break;
      case 1:
        agent_run_two_calls (fixture);
        break;
      case 2:
        fake_provider_call_begin (fixture->provider, 0, "x", "slow");
        fake_provider_call_arguments (fixture->provider, 0, "{\"a\"");
        break;
      default:
        fake_provider_reasoning (fixture->provider, "hm ");
      }
  else if (fake_tool_is_running (fixture->slow))
    fake_tool_end (fixture->slow, "A");
  else if (fake_tool_is_running (fixture->other))
    fake_tool_end (fixture->other, "B");
}

static void
test_abort_random (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint round = 0; round < 500; round++)
    {
      /* A chat of 25 turns at most: what is tested is the moment, not the length. */
      if (round % 25 == 24)
        {
          g_object_unref (fixture->session);
          fixture->session = gadget_session_new ("session");
          gadget_session_set_model (fixture->session, "fake", "model");
        }

      GadgetTurn *turn = agent_start (fixture, "go");
      const guint n_moves = (guint) g_rand_int_range (rand, 0, 30);

      for (guint move = 0; move < n_moves; move++)
        {
          if (g_rand_boolean (rand))
            g_main_context_iteration (NULL, FALSE);
          play (fixture, rand);
        }
      agent_abort_now (fixture);
      for (guint move = 0; move < 3; move++)
        play (fixture, rand);
      wait_until (fixture->n_completed == round + 1);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
      g_assert_false (fake_provider_is_waiting (fixture->provider));
      g_assert_false (fake_tool_is_running (fixture->slow));
      g_assert_false (fake_tool_is_running (fixture->other));
    }
}

/* What the stream said so far is less than what was shown, or more. */
static void
test_abort_usage (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autofree char *words = g_strnfill (4000, 'x');
  const GadgetUsage *usage;

  fake_provider_usage (fixture->provider, 100000, 1);
  fake_provider_text (fixture->provider, words);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  usage = gadget_turn_get_usage (turn);
  g_assert_true (usage->estimated);
  g_assert_cmpint (usage->input_tokens, ==, 100000);
  g_assert_cmpint (usage->output_tokens, >=, 500);
}

static void
test_cut_usage (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  const GadgetUsage *usage;

  fake_provider_usage (fixture->provider, 10, 5000);
  fake_provider_text (fixture->provider, "a few words");
  fake_provider_fail (fixture->provider, g_error_new_literal (GADGET_PROVIDER_ERROR,
                                                              GADGET_PROVIDER_ERROR_CUT, "gone"));
  wait_until (fixture->n_completed == 1);
  usage = gadget_turn_get_usage (turn);
  g_assert_true (usage->estimated);
  g_assert_cmpint (usage->output_tokens, ==, 5000);
}

/* T17: while the provider makes it wait, the turn tells until when; an abort ends the wait. */
static void
test_retrying (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  const gint64 before = gadget_turn_get_now (turn);

  g_assert_cmpint (gadget_turn_get_retry_at (turn), ==, 0);
  fake_provider_retry (fixture->provider, 12000);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_RETRYING);
  g_assert_cmpint (gadget_turn_get_retry_at (turn), >=, before + 12000);
  g_assert_cmpint (gadget_turn_get_retry_at (turn), <=, gadget_turn_get_now (turn) + 12000);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

/* The user stops waiting for the turn in the moment in which it unwinds by itself. It is sealed
 * once: what it waited for comes when its outcome is fixed. */
static void
test_give_up (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start (fixture, "hello");

  agent_abort_now (fixture);
  g_assert_true (gadget_agent_give_up (fixture->agent, fixture->session));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  wait_until (fixture->n_completed == 1);
  wait_idle ();
  agent_assert_aborted (fixture, turn);
}

static void
give_up_cb (GadgetAgent *agent, GadgetSession *session, GadgetTurn *turn, const char *run_id,
            AgentFixture *fixture)
{
  agent_abort_now (fixture);
  g_assert_true (gadget_agent_give_up (agent, session));
}

/* Who hears of the start of a turn stops it and does not wait for it: its work has not begun. */
static void
test_give_up_at_start (AgentFixture *fixture, gconstpointer data)
{
  const gulong handler =
      g_signal_connect (fixture->agent, "turn-started", G_CALLBACK (give_up_cb), fixture);
  GadgetTurn *turn = agent_start (fixture, "hello");

  g_signal_handler_disconnect (fixture->agent, handler);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 0);
  agent_assert_aborted (fixture, turn);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("abort-A2-at-once", test_abort_at_once);
  agent_test_add ("abort-T6-before-anything-came", test_abort_waiting);
  agent_test_add ("abort-mid-text", test_abort_mid_text);
  agent_test_add ("abort-H3-mid-arguments", test_abort_mid_arguments);
  agent_test_add ("abort-at-the-last-byte", test_abort_last_byte);
  agent_test_add ("abort-with-an-error", test_abort_error_at_once);
  agent_test_add ("abort-U10-after-the-end", test_abort_after_end);
  agent_test_add ("abort-in-tools", test_abort_in_tools);
  agent_test_add ("abort-L9-tool-just-finished", test_abort_tool_just_finished);
  agent_test_add ("abort-L3-between-steps", test_abort_between_steps);
  agent_test_add ("abort-X15-in-permission", test_abort_in_permission);
  agent_test_add ("abort-answered-permission", test_abort_answered_permission);
  agent_test_add ("abort-X15-in-question", test_abort_in_question);
  agent_test_add ("abort-L3-random", test_abort_random);
  agent_test_add ("abort-usage", test_abort_usage);
  agent_test_add ("cut-usage", test_cut_usage);
  agent_test_add ("abort-T17-retrying", test_retrying);
  agent_test_add ("abort-L9-give-up", test_give_up);
  agent_test_add ("abort-L9-give-up-at-the-start", test_give_up_at_start);

  return g_test_run ();
}
