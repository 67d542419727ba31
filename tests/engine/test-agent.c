/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The agent with a provider and tools that the test plays: an abort at each moment, and after each
 * the invariants of the abort contract that can be seen from here:
 *
 *   I1 one completion · I2 no request and no tool start after the abort · I3 nothing is added ·
 *   I4 the next message is accepted · I7 no prompt left · I8 status aborted, session idle
 */

#include "config.h"

#include "agent/gadget-agent.h"
#include "fake-provider.h"
#include "fake-tool.h"
#include "secrets/gadget-secrets.h"
#include "strict-request.h"
#include "test-wait.h"
#include "tools/gadget-tool-ask-user.h"
#include "wait.h"

#include <string.h>

typedef struct
{
  GadgetAgent *agent;
  GadgetSession *session;
  FakeProvider *provider;
  FakeTool *slow;
  FakeTool *other;
  GadgetClock *clock;

  guint n_completed;
  char *turn_id;
  gboolean success;
  char *message;
} Fixture;

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              Fixture *fixture)
{
  fixture->n_completed++;
  g_set_str (&fixture->turn_id, turn_id);
  g_set_str (&fixture->message, message);
  fixture->success = success;
  /* Whoever hears it can send at once. */
  g_assert_null (gadget_session_get_active_run (fixture->session));
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (agent));

  g_assert_cmpuint (runs->len, ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSecrets) secrets = gadget_secrets_new ();
  g_autoptr (GadgetToolbox) toolbox = gadget_toolbox_new ();
  g_autoptr (GadgetTool) ask_user = gadget_tool_ask_user_new ();
  g_autoptr (GadgetProviderList) providers = NULL;

  fixture->clock = gadget_clock_new_manual (0);
  fixture->provider = fake_provider_new ();
  fixture->slow = fake_tool_new ("slow");
  fixture->other = fake_tool_new ("other");
  gadget_toolbox_add (toolbox, GADGET_TOOL (fixture->slow));
  gadget_toolbox_add (toolbox, GADGET_TOOL (fixture->other));
  gadget_toolbox_add (toolbox, ask_user);
  providers = gadget_provider_list_new (NULL, secrets, fixture->clock);
  gadget_provider_list_put (providers, "fake", GADGET_PROVIDER (fixture->provider));
  fixture->agent = gadget_agent_new (providers, toolbox, NULL, fixture->clock);
  fixture->session = gadget_session_new ("session");
  gadget_session_set_model (fixture->session, "fake", "model");
  g_signal_connect (fixture->agent, "completed", G_CALLBACK (completed_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (fixture->agent), (gpointer *) &fixture->agent);
  g_object_add_weak_pointer (G_OBJECT (fixture->session), (gpointer *) &fixture->session);
  wait_idle ();
  g_object_unref (fixture->agent);
  g_object_unref (fixture->session);
  /* Nothing holds on to a turn that is over. */
  g_assert_null (fixture->agent);
  g_assert_null (fixture->session);
  g_clear_object (&fixture->provider);
  g_clear_object (&fixture->slow);
  g_clear_object (&fixture->other);
  g_clear_object (&fixture->clock);
  g_free (fixture->turn_id);
  g_free (fixture->message);
}

static GadgetTurn *
start (Fixture *fixture, const char *prompt)
{
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, prompt, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (gadget_session_get_active_run (fixture->session), ==, gadget_run_get_id (run));
  return gadget_session_get_last_turn (fixture->session);
}

static GadgetTurn *
start_streaming (Fixture *fixture, const char *prompt)
{
  GadgetTurn *turn = start (fixture, prompt);

  wait_until (fake_provider_is_waiting (fixture->provider));
  return turn;
}

static void
abort_now (Fixture *fixture)
{
  g_autoptr (GadgetAbortAck) ack = gadget_agent_abort (
      fixture->agent, gadget_session_get_id (fixture->session), NULL, GADGET_STOP_USER);

  g_assert_true (ack->aborted);
  g_assert_cmpstr (ack->message, ==, GADGET_ABORT_SIGNALED);
}

/* What must hold after every abort. */
static void
assert_aborted (Fixture *fixture, GadgetTurn *turn)
{
  const guint n_requests = fake_provider_get_n_requests (fixture->provider);
  const guint n_calls =
      fake_tool_get_n_calls (fixture->slow) + fake_tool_get_n_calls (fixture->other);
  const guint n_completed = fixture->n_completed;
  GadgetTurn *next;

  wait_until (fixture->n_completed > 0);
  g_assert_cmpuint (fixture->n_completed, ==, 1);
  g_assert_cmpstr (fixture->turn_id, ==, gadget_turn_get_id (turn));
  g_assert_true (fixture->success);
  g_assert_cmpstr (fixture->message, ==, "aborted");
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      g_assert_true (gadget_item_is_settled (gadget_turn_get_item (turn, i)));
      g_assert_null (gadget_item_get_prompt (gadget_turn_get_item (turn, i)));
    }

  g_assert_cmpuint (n_completed, <=, 1);
  test_run_for (20);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_requests);
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow) + fake_tool_get_n_calls (fixture->other),
                    ==, n_calls);

  /* The next message works; the fake provider checks its request. */
  next = start_streaming (fixture, "next");
  fake_provider_text (fixture->provider, "fine");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_get_status (next), ==, GADGET_TURN_FINISHED);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

static void
test_finish (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "hello");

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
test_error (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "hello");

  fake_provider_text (fixture->provider, "Hi");
  /* T20: an error that looks like a cancellation, when nobody aborted, is a failure. */
  fake_provider_fail (fixture->provider,
                      g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "gone"));
  wait_until (fixture->n_completed == 1);
  g_assert_false (fixture->success);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ERROR);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "Hi");
}

static void
test_empty_answer (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "hello");

  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/empty");
}

static void
test_tools (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");
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
  g_assert_cmpstr (((GadgetMessage *) g_ptr_array_index (second->messages, 2))->text, ==, "A");
  g_assert_cmpstr (((GadgetMessage *) g_ptr_array_index (second->messages, 3))->text, ==, "B");
  fake_provider_text (fixture->provider, "Done.");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (gadget_item_get_step (gadget_turn_get_item (turn, 5)), ==, 1);
}

/* --- An abort at each moment ------------------------------------------------------------------ */

static void
test_abort_at_once (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start (fixture, "go");

  abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 0);
  assert_aborted (fixture, turn);
}

static void
test_abort_waiting (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  abort_now (fixture);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_ABORTING);
  assert_aborted (fixture, turn);
  g_assert_cmpuint (gadget_receipt_get_n_lines (gadget_turn_get_receipt (turn)), ==, 1);
  g_assert_cmpint (gadget_receipt_get_line (gadget_turn_get_receipt (turn), 0)->kind, ==,
                   GADGET_RECEIPT_CONNECTION);
}

static void
test_abort_mid_text (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  fake_provider_text (fixture->provider, "The key is 42");
  abort_now (fixture);
  /* What arrives after the abort is not shown. */
  fake_provider_text (fixture->provider, " or not");
  assert_aborted (fixture, turn);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "The key is 42");
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
}

static void
test_abort_mid_arguments (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_call_begin (fixture->provider, 1, "b", "other");
  fake_provider_call_arguments (fixture->provider, 1, "{\"x\":");
  abort_now (fixture);
  assert_aborted (fixture, turn);
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 1)), ==,
                   GADGET_ITEM_NOT_RUN);
}

/* The last byte had arrived: an abort that was acknowledged before the end is the end. */
static void
test_abort_last_byte (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  fake_provider_text (fixture->provider, "all");
  abort_now (fixture);
  fake_provider_end (fixture->provider);
  assert_aborted (fixture, turn);
}

static void
test_abort_error_at_once (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  abort_now (fixture);
  fake_provider_fail (fixture->provider, g_error_new_literal (GADGET_PROVIDER_ERROR,
                                                              GADGET_PROVIDER_ERROR_CUT, "reset"));
  assert_aborted (fixture, turn);
}

static void
test_abort_after_end (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");
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
run_two_calls (Fixture *fixture)
{
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_call (fixture->provider, 1, "b", "other", "{}");
  fake_provider_end (fixture->provider);
}

static void
test_abort_in_tools (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  fake_tool_output (fixture->slow, "line 1\n");
  fake_tool_end (fixture->other, "done");
  abort_now (fixture);
  assert_aborted (fixture, turn);
  /* X12, L8: each keeps what it had, with its own kind of end. */
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
  g_assert_cmpstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), ==, "line 1\n");
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 1)), ==,
                   GADGET_ITEM_FINISHED);
}

/* L9: it finished in the same instant; the work was done, so that is what is recorded. */
static void
test_abort_tool_just_finished (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  abort_now (fixture);
  fake_tool_end (fixture->slow, "real");
  assert_aborted (fixture, turn);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_FINISHED);
  g_assert_cmpstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), ==, "real");
}

static void
test_abort_between_steps (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  fake_tool_end (fixture->slow, "A");
  fake_tool_end (fixture->other, "B");
  /* The second request may be under way or not; nothing of it may stay. */
  abort_now (fixture);
  assert_aborted (fixture, turn);
}

static void
test_abort_in_permission (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");
  g_autoptr (GadgetPrompt) prompt = NULL;

  fake_tool_set_asks (fixture->slow, TRUE);
  run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->other)
              && gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_ASKING);
  prompt = g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)));
  abort_now (fixture);
  assert_aborted (fixture, turn);
  /* H14: it is recorded as not started, not as a refusal; a late answer is just not taken. */
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_NOT_RUN);
  g_assert_false (gadget_prompt_answer (prompt, GADGET_PROMPT_ALLOW));
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
}

/* The answer and the abort in one instant: nothing starts after an abort. */
static void
test_abort_answered_permission (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");
  g_autoptr (GadgetPrompt) prompt = NULL;

  fake_tool_set_asks (fixture->slow, TRUE);
  run_two_calls (fixture);
  wait_until (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  prompt = g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)));
  abort_now (fixture);
  gadget_prompt_answer (prompt, GADGET_PROMPT_ALLOW);
  assert_aborted (fixture, turn);
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
}

static void
test_abort_in_question (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");
  g_autoptr (GadgetPrompt) prompt = NULL;

  fake_provider_call (fixture->provider, 0, "q", "ask_user",
                      "{\"question\":\"Which?\",\"choices\":[\"one\",\"two\"]}");
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_n_items (turn) == 1
              && gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  prompt = g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)));
  g_assert_cmpstrv (gadget_prompt_get_choices (prompt),
                    ((const char *const[]) { "one", "two", NULL }));
  abort_now (fixture);
  assert_aborted (fixture, turn);
  g_assert_false (gadget_prompt_is_open (prompt));
  g_assert_false (gadget_prompt_answer (prompt, "one"));
}

static void
test_question_answered (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  fake_provider_call (
      fixture->provider, 0, "q", "ask_user",
      "{\"question\":\"Which?\",\"choices\":[\"one\",\"two\"],\"allow_text\":false}");
  fake_provider_end (fixture->provider);
  wait_until (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  g_assert_false (
      gadget_prompt_answer (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)), "three"));
  g_assert_true (
      gadget_prompt_answer (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)), "two"));
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);
  g_assert_cmpstr (gadget_item_get_result (gadget_turn_get_item (turn, 0)), ==, "two");
  fake_provider_text (fixture->provider, "ok");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
}

static void
test_denied (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  fake_tool_set_asks (fixture->slow, TRUE);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)) != NULL);
  gadget_prompt_answer (gadget_item_get_prompt (gadget_turn_get_item (turn, 0)),
                        GADGET_PROMPT_DENY);
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==, GADGET_ITEM_FAILED);
  fake_provider_text (fixture->provider, "ok");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
}

static void
test_stop_tool (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  fake_tool_output (fixture->slow, "part");
  g_assert_true (gadget_agent_stop_tool (fixture->agent, fixture->session, "a"));
  g_assert_false (gadget_agent_stop_tool (fixture->agent, fixture->session, "zzz"));
  wait_until (!fake_tool_is_running (fixture->slow));
  g_assert_true (fake_tool_is_running (fixture->other));
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  fake_tool_end (fixture->other, "B");
  /* The turn goes on with both results. */
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
  fake_provider_text (fixture->provider, "ok");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* X17: the warning at 3 s, no unblocking behind the tool's back, and Stop waiting. */
static void
test_deaf_tool (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");
  GadgetItem *item;

  fake_tool_set_deaf (fixture->slow, TRUE);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  item = gadget_turn_get_item (turn, 0);
  fake_tool_output (fixture->slow, "shown");
  abort_now (fixture);
  gadget_clock_advance (fixture->clock, 2900 * 1000);
  wait_idle ();
  g_assert_false (gadget_item_get_unresponsive (item));
  g_assert_false (gadget_agent_stop_waiting (fixture->agent, fixture->session, "a"));

  g_test_expect_message ("gadget-turn-loop", G_LOG_LEVEL_WARNING, "*\"slow\" has not stopped*");
  gadget_clock_advance (fixture->clock, 200 * 1000);
  g_test_assert_expected_messages ();
  g_assert_true (gadget_item_get_unresponsive (item));
  /* Once, and the turn is still not over. */
  gadget_clock_advance (fixture->clock, 60 * G_USEC_PER_SEC);
  wait_idle ();
  g_assert_cmpuint (fixture->n_completed, ==, 0);

  g_assert_true (gadget_agent_stop_waiting (fixture->agent, fixture->session, "a"));
  wait_until (fixture->n_completed == 1);
  g_assert_cmpstr (gadget_receipt_get_line (gadget_turn_get_receipt (turn), 0)->outcome, ==,
                   "stopped-waiting");
  /* Its late words and its late result are dropped. */
  fake_tool_output (fixture->slow, " late");
  fake_tool_end (fixture->slow, "late");
  assert_aborted (fixture, turn);
  g_assert_cmpstr (gadget_item_get_text (item), ==, "shown");
  g_assert_cmpstr (gadget_item_get_result (item), ==, "shown");
}

static void
test_deadline (Fixture *fixture, gconstpointer data)
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
test_deadline_in_question (Fixture *fixture, gconstpointer data)
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

/* --- Sessions, runs, queue -------------------------------------------------------------------- */

static void
test_busy (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");
  g_autoptr (GError) error = NULL;

  g_assert_null (gadget_agent_start (fixture->agent, fixture->session, "two", NULL, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY);
  abort_now (fixture);
  assert_aborted (fixture, turn);
}

/* A4: a run id that is active gives that run, never a second one with a fresh cancellable. */
static void
test_same_run_id (Fixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .run_id = "mine" };
  g_autoptr (GadgetRun) first =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);
  g_autoptr (GadgetRun) second =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);

  g_assert_true (first == second);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 1);
  abort_now (fixture);
  wait_until (fixture->n_completed == 1);
}

/* U15: after an abort everything queued stays queued, in order, and nothing is sent by itself. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = start_streaming (fixture, "go");

  gadget_session_enqueue (fixture->session, "one");
  gadget_session_enqueue (fixture->session, "two");
  abort_now (fixture);
  assert_aborted (fixture, turn);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (fixture->session)), ==, 2);
  g_assert_true (gadget_session_get_queue_paused (fixture->session));

  /* Sending one by hand goes on with the others after it finished. */
  g_assert_true (gadget_agent_send_queued (fixture->agent, fixture->session, 0, NULL, NULL));
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (fixture->session)), ==,
                   "one");
  fake_provider_text (fixture->provider, "ok");
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (fixture->session)), ==,
                   "two");
  fake_provider_text (fixture->provider, "ok");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 4);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (fixture->session)), ==, 0);
}

static void
queue_when_begun_cb (GadgetSession *session, guint position, guint removed, guint added,
                     guint *n_queued)
{
  *n_queued = g_list_model_get_n_items (gadget_session_get_queue (session));
}

/* A queued message is in the queue or a turn, never both; and it is back where it was when it could
 * not be sent. */
static void
test_queue_moment (Fixture *fixture, gconstpointer data)
{
  GListModel *queue = gadget_session_get_queue (fixture->session);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  guint n_queued = 99;

  start_streaming (fixture, "go");
  gadget_session_enqueue (fixture->session, "one");
  gadget_session_enqueue (fixture->session, "two");
  gadget_session_enqueue (fixture->session, "three");
  gadget_session_set_queue_paused (fixture->session, TRUE);
  g_assert_false (gadget_agent_send_queued (fixture->agent, fixture->session, 1, NULL, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY);
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 3);
  g_assert_true (gadget_session_get_queue_paused (fixture->session));

  abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_signal_connect (fixture->session, "items-changed", G_CALLBACK (queue_when_begun_cb), &n_queued);
  g_assert_true (gadget_agent_send_queued (fixture->agent, fixture->session, 1, NULL, NULL));
  g_assert_cmpuint (n_queued, ==, 2);
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (fixture->session)), ==,
                   "two");
  abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  first = gadget_session_dequeue (fixture->session, 0);
  g_assert_cmpstr (first, ==, "one");
}

/* Quitting is a stop as well: what finished in its last instant is followed by nothing. */
static void
test_no_queue_at_the_end (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  start_streaming (fixture, "go");
  gadget_session_enqueue (fixture->session, "one");
  fake_provider_text (fixture->provider, "all");
  fake_provider_end (fixture->provider);
  gadget_agent_close (fixture->agent);
  wait_until (fixture->n_completed == 1);
  test_run_for (20);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (fixture->session)), ==, 1);
  g_assert_null (gadget_agent_start (fixture->agent, fixture->session, "two", NULL, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_FAILED);
}

static void
start_again_cb (GadgetRegistry *registry, GadgetRun *run, Fixture *fixture)
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
test_run_id_again (Fixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .run_id = "mine" };
  g_autoptr (GadgetRun) first =
      gadget_agent_start (fixture->agent, fixture->session, "go", &options, NULL);
  GadgetSession *other;

  wait_until (fake_provider_is_waiting (fixture->provider));
  g_signal_handlers_disconnect_by_func (fixture->agent, completed_cb, fixture);
  g_signal_connect (gadget_agent_get_registry (fixture->agent), "removed",
                    G_CALLBACK (start_again_cb), fixture);
  abort_now (fixture);
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

/* L3: an abort at a random moment of a run of several steps always lands. */
static void
play (Fixture *fixture, GRand *rand)
{
  if (fake_provider_is_waiting (fixture->provider))
    switch (g_rand_int_range (rand, 0, 4))
      {
      case 0:
        fake_provider_text (fixture->provider, "word ");
        break;
      case 1:
        run_two_calls (fixture);
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
test_abort_random (Fixture *fixture, gconstpointer data)
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

      GadgetTurn *turn = start (fixture, "go");
      const guint n_moves = (guint) g_rand_int_range (rand, 0, 30);

      for (guint move = 0; move < n_moves; move++)
        {
          if (g_rand_boolean (rand))
            g_main_context_iteration (NULL, FALSE);
          play (fixture, rand);
        }
      abort_now (fixture);
      for (guint move = 0; move < 3; move++)
        play (fixture, rand);
      wait_until (fixture->n_completed == round + 1);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
      g_assert_false (fake_provider_is_waiting (fixture->provider));
      g_assert_false (fake_tool_is_running (fixture->slow));
      g_assert_false (fake_tool_is_running (fixture->other));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/agent/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("finish", test_finish);
  ADD ("T20-cancelled-looking-error", test_error);
  ADD ("empty-answer", test_empty_answer);
  ADD ("tools-in-parallel", test_tools);
  ADD ("abort-A2-at-once", test_abort_at_once);
  ADD ("abort-T6-before-anything-came", test_abort_waiting);
  ADD ("abort-mid-text", test_abort_mid_text);
  ADD ("abort-H3-mid-arguments", test_abort_mid_arguments);
  ADD ("abort-at-the-last-byte", test_abort_last_byte);
  ADD ("abort-with-an-error", test_abort_error_at_once);
  ADD ("abort-U10-after-the-end", test_abort_after_end);
  ADD ("abort-in-tools", test_abort_in_tools);
  ADD ("abort-L9-tool-just-finished", test_abort_tool_just_finished);
  ADD ("abort-L3-between-steps", test_abort_between_steps);
  ADD ("abort-X15-in-permission", test_abort_in_permission);
  ADD ("abort-answered-permission", test_abort_answered_permission);
  ADD ("abort-X15-in-question", test_abort_in_question);
  ADD ("question-answered", test_question_answered);
  ADD ("permission-denied", test_denied);
  ADD ("stop-one-tool", test_stop_tool);
  ADD ("X17-deaf-tool", test_deaf_tool);
  ADD ("deadline", test_deadline);
  ADD ("deadline-in-question", test_deadline_in_question);
  ADD ("busy", test_busy);
  ADD ("A4-same-run-id", test_same_run_id);
  ADD ("U15-queue", test_queue);
  ADD ("queue-moment", test_queue_moment);
  ADD ("L7-no-queue-at-the-end", test_no_queue_at_the_end);
  ADD ("A5-run-id-again", test_run_id_again);
  ADD ("abort-L3-random", test_abort_random);

  return g_test_run ();
}
