/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the user says into a turn that is going on. */

#include "config.h"

#include "agent-fixture.h"
#include "strict-request.h"
#include "test-wait.h"
#include "wait.h"

#include <string.h>

static guint
count_queued (AgentFixture *fixture)
{
  return g_list_model_get_n_items (gadget_session_get_queue (fixture->session));
}

static gboolean
is_steering (AgentFixture *fixture, guint index)
{
  g_autoptr (GadgetQueuedMessage) message =
      g_list_model_get_item (gadget_session_get_queue (fixture->session), index);

  return gadget_queued_message_get_steering (message);
}

static const char *
queued_text (AgentFixture *fixture, guint index)
{
  g_autoptr (GadgetQueuedMessage) message =
      g_list_model_get_item (gadget_session_get_queue (fixture->session), index);

  return gadget_queued_message_get_text (message); /* the queue holds it */
}

static void
end_answer (AgentFixture *fixture, const char *text)
{
  fake_provider_text (fixture->provider, text);
  fake_provider_end (fixture->provider);
}

static void
end_calls (AgentFixture *fixture)
{
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  fake_tool_end (fixture->slow, "slow is done");
  fake_tool_end (fixture->other, "other is done");
}

/* The last message of the request that waits. */
static const char *
last_text (AgentFixture *fixture)
{
  GadgetRequest *request = fake_provider_get_request (
      fixture->provider, fake_provider_get_n_requests (fixture->provider) - 1);

  return request_get_text (request, request->messages->len - 1);
}

/* Said while the tools run: the next request has it, after their results, and so has the turn. */
static void
test_next_step (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetRequest *request;

  fake_provider_text (fixture->provider, "I look.");
  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow));
  gadget_session_enqueue (fixture->session, "later");
  gadget_session_steer (fixture->session, "only the tests");
  gadget_session_steer (fixture->session, "and quickly");
  g_assert_cmpuint (count_queued (fixture), ==, 3);
  g_assert_cmpstr (queued_text (fixture, 0), ==, "only the tests");
  g_assert_cmpstr (queued_text (fixture, 1), ==, "and quickly");

  end_calls (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (last_text (fixture), ==, "only the tests\n\nand quickly");
  request = fake_provider_get_request (fixture->provider, 1);
  g_assert_cmpuint (request->messages->len, ==, 5);
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 5);
  g_assert_cmpint (gadget_item_get_kind (gadget_turn_get_item (turn, 3)), ==, GADGET_ITEM_STEER);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 3)), ==, "only the tests");
  g_assert_cmpuint (gadget_item_get_step (gadget_turn_get_item (turn, 3)), ==, 1);
  g_assert_cmpuint (count_queued (fixture), ==, 1);

  end_answer (fixture, "Only the tests, then.");
  /* What waited for a turn of its own has one now; what was said stays where it was said. */
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  request = fake_provider_get_request (fixture->provider, 2);
  g_assert_cmpuint (request->messages->len, ==, 7);
  g_assert_cmpstr (request_get_text (request, 4), ==, "only the tests\n\nand quickly");
  g_assert_cmpstr (request_get_text (request, 5), ==, "Only the tests, then.");
  g_assert_cmpstr (last_text (fixture), ==, "later");
  end_answer (fixture, "ok");
  wait_until (fixture->n_completed == 2);
}

/* Said before the first request is sent: it goes along with the prompt. */
static void
test_first_step (AgentFixture *fixture, gconstpointer data)
{
  agent_start (fixture, "go");
  gadget_session_steer (fixture->session, "slowly");
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (last_text (fixture), ==, "go\n\nslowly");
  end_answer (fixture, "ok");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (gadget_turn_get_n_items (gadget_session_get_last_turn (fixture->session)), ==,
                    2);
}

/* The answer ends the turn: what was said for it is the next turn, before what waited. */
static void
test_no_more_steps (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  gadget_session_enqueue (fixture->session, "later");
  gadget_session_steer (fixture->session, "wait, not that");
  end_answer (fixture, "All done.");
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 2);
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (fixture->session)), ==,
                   "wait, not that");
  g_assert_cmpuint (count_queued (fixture), ==, 1);
  end_answer (fixture, "ok");
  wait_until (fixture->n_completed == 2 && fake_provider_is_waiting (fixture->provider));
  end_answer (fixture, "ok");
  wait_until (fixture->n_completed == 3);
}

/* L7: after an abort it waits, in front and paused, and goes into no other turn by itself. */
static void
test_abort (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow));
  gadget_session_enqueue (fixture->session, "later");
  gadget_session_steer (fixture->session, "only the tests");
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  g_assert_cmpuint (count_queued (fixture), ==, 2);
  g_assert_cmpstr (queued_text (fixture, 0), ==, "only the tests");
  g_assert_false (is_steering (fixture, 0));
  g_assert_true (gadget_session_get_queue_paused (fixture->session));
}

/* The abort comes when the calls have ended and before the next step begins. */
static void
test_abort_before_step (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow));
  gadget_session_steer (fixture->session, "only the tests");
  end_calls (fixture);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  g_assert_cmpuint (count_queued (fixture), ==, 1);
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 2);
}

/* Given to the model, and then aborted: it stays in the turn, once, and history is valid. */
static void
test_abort_after_taken (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_run_two_calls (fixture);
  gadget_session_steer (fixture->session, "only the tests");
  end_calls (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  g_assert_cmpuint (count_queued (fixture), ==, 0);
  g_assert_nonnull (strstr (last_text (fixture), "only the tests"));
  g_assert_nonnull (strstr (last_text (fixture), "interrupted by the user"));
  g_assert_true (g_str_has_suffix (last_text (fixture), "next"));
}

/* Until it is taken it is the user's to take back. */
static void
test_taken_back (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow));
  gadget_session_steer (fixture->session, "only the tests");
  text = gadget_session_dequeue (fixture->session, 0);
  g_assert_cmpstr (text, ==, "only the tests");
  end_calls (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (last_text (fixture), ==, "other is done");
  end_answer (fixture, "ok");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 3);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("steering/next-step", test_next_step);
  agent_test_add ("steering/first-step", test_first_step);
  agent_test_add ("steering/no-more-steps", test_no_more_steps);
  agent_test_add ("steering/L7-abort", test_abort);
  agent_test_add ("steering/abort-before-step", test_abort_before_step);
  agent_test_add ("steering/abort-after-taken", test_abort_after_taken);
  agent_test_add ("steering/taken-back", test_taken_back);

  return g_test_run ();
}
