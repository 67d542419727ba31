/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The agent with a provider and tools that the test plays: turns that end by themselves or at a
 * limit, and what a run id means. Its other tests: test-agent-abort.c, -queue.c, -tools.c.
 */

#include "config.h"

#include "agent-fixture.h"
#include "strict-request.h"
#include "wait.h"

static void
test_finish (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_WAITING);
  fake_provider_reasoning (fixture->provider, "hm");
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_REASONING);
  fake_provider_text (fixture->provider, "Hi ");
  fake_provider_text (fixture->provider, "there");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_true (fixture->success);
  g_assert_cmpstr (fixture->message, ==, "finished");
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 2);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 1)), ==, "Hi there");
  g_assert_cmpstr (gadget_session_get_title (fixture->session), ==, "hello");
  g_assert_true (gadget_turn_get_usage (turn)->estimated);
}

static void
test_error (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  fake_provider_text (fixture->provider, "Hi");
  /* T20: an error that looks like a cancellation, when nobody aborted, is a failure. */
  fake_provider_fail (fixture->provider,
                      g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "gone"));
  wait_until (fixture->n_completed == 1);
  g_assert_false (fixture->success);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ERROR);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "Hi");
}

/* The answer is cut at the model's limit: what is whole of it counts. */
static void
test_short_answer (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  fake_provider_text (fixture->provider, "Once upon a");
  fake_provider_call_begin (fixture->provider, 0, "a", "slow");
  fake_provider_call_arguments (fixture->provider, 0, "{\"x\":");
  fake_provider_limit (fixture->provider);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_true (fixture->success);
  g_assert_cmpstr (fixture->message, ==, "finished");
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_LENGTH);
  g_assert_cmpstr (gadget_stop_reason_to_string (GADGET_STOP_LENGTH), ==, "length");
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 1)), ==,
                   GADGET_ITEM_NOT_RUN);
}

/* The user no longer waits for a connection on which nothing comes. */
static void
test_ask_again (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  g_assert_true (gadget_agent_ask_again (fixture->agent, fixture->session));
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2
              && fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "Hi");
  /* A part of the answer is there now, and is kept. */
  g_assert_true (gadget_agent_ask_again (fixture->agent, fixture->session));
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 2);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/cut");
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "Hi");
  g_assert_false (gadget_agent_ask_again (fixture->agent, fixture->session));
}

static void
test_empty_answer (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "hello");

  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/empty");
}

static void
test_tools (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetRequest *second;

  fake_provider_text (fixture->provider, "Two things.");
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_call (fixture->provider, 1, "b", "other", "{}");
  fake_provider_call (fixture->provider, 2, "c", "unknown", "{}");
  fake_provider_call (fixture->provider, 3, "d", "slow", "[1]");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 2);
  fake_tool_end (fixture->other, "B");
  fake_tool_end (fixture->slow, "A");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);

  second = fake_provider_get_request (fixture->provider, 1);
  g_assert_cmpuint (second->messages->len, ==, 6);
  g_assert_cmpstr (request_get_text (second, 2), ==, "A");
  g_assert_cmpstr (request_get_text (second, 3), ==, "B");
  fake_provider_text (fixture->provider, "Done.");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (gadget_item_get_step (gadget_turn_get_item (turn, 5)), ==, 1);
}

static void
test_deadline (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .deadline_ms = 5000 };
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);
  GadgetTurn *turn = gadget_session_get_last_turn (fixture->session);

  wait_until (fake_provider_is_waiting (fixture->provider));
  gadget_clock_advance (fixture->clock, 4999 * 1000);
  g_assert_false (gadget_run_is_aborted (run));
  gadget_clock_advance (fixture->clock, 1000);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_DEADLINE);
  g_assert_true (fixture->success);
}

/* A limit is a limit also while somebody is asked. */
static void
test_deadline_in_question (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .deadline_ms = 5000, .interactive = TRUE };
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);
  GadgetTurn *turn = gadget_session_get_last_turn (fixture->session);
  g_autoptr (GadgetPrompt) prompt = NULL;

  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_call (fixture->provider, 0, "q", "ask_user", "{\"question\":\"Which?\"}");
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_n_items (turn) == 1
              && gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  prompt = g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)));
  gadget_clock_advance (fixture->clock, 5000 * 1000);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_DEADLINE);
  g_assert_false (gadget_prompt_is_open (prompt));
}

static void
test_busy (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GError) error = NULL;

  g_assert_null (gadget_agent_start (fixture->agent, fixture->session, "two", NULL, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

/* A4: a run id that is active gives that run, never a second one with a fresh cancellable. */
static void
test_same_run_id (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .run_id = "mine" };
  g_autoptr (GadgetRun) first =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);
  g_autoptr (GadgetRun) second =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);

  g_assert_true (first == second);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 1);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
}

static void
start_again_cb (GadgetRegistry *registry, GadgetRun *run, AgentFixture *fixture)
{
  const GadgetTurnOptions options = { .run_id = "mine" };
  g_autoptr (GadgetSession) other = gadget_session_new ("other");
  g_autoptr (GadgetRun) again = NULL;

  g_signal_handlers_disconnect_by_func (registry, start_again_cb, fixture);
  gadget_session_set_model (other, "fake", "model");
  again = gadget_agent_start (fixture->agent, other, "again", &options, NULL);
  g_assert_true (again != run);
  g_object_set_data_full (G_OBJECT (fixture->session), "other", g_object_ref (other),
                          g_object_unref);
}

/* A run id that comes again at once: the end of the old run takes nothing from the new one. */
static void
test_run_id_again (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .run_id = "mine" };
  g_autoptr (GadgetRun) first =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);
  GadgetSession *other;

  wait_until (fake_provider_is_waiting (fixture->provider));
  g_signal_handlers_disconnect_by_data (fixture->agent, fixture);
  g_signal_connect (gadget_agent_get_registry (fixture->agent), "removed",
                    G_CALLBACK (start_again_cb), fixture);
  agent_abort_now (fixture);
  wait_until (gadget_session_get_active_run (fixture->session) == NULL);
  wait_until (fake_provider_is_waiting (fixture->provider));
  other = g_object_get_data (G_OBJECT (fixture->session), "other");
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  g_assert_true (gadget_agent_stop_tool (fixture->agent, other, "a"));
  gadget_abort_ack_free (gadget_agent_abort (fixture->agent, "other", "mine", GADGET_STOP_USER));
  wait_until (gadget_session_get_active_run (other) == NULL);
  g_object_set_data (G_OBJECT (fixture->session), "other", NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("finish", test_finish);
  agent_test_add ("T20-cancelled-looking-error", test_error);
  agent_test_add ("empty-answer", test_empty_answer);
  agent_test_add ("ask-again", test_ask_again);
  agent_test_add ("short-answer", test_short_answer);
  agent_test_add ("tools-in-parallel", test_tools);
  agent_test_add ("deadline", test_deadline);
  agent_test_add ("deadline-in-question", test_deadline_in_question);
  agent_test_add ("busy", test_busy);
  agent_test_add ("A4-same-run-id", test_same_run_id);
  agent_test_add ("A5-run-id-again", test_run_id_again);

  return g_test_run ();
}
