/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Limits of time, steps and tokens: who is asked, and what happens where nobody is. */

#include "config.h"

#include "agent-fixture.h"
#include "test-wait.h"
#include "wait.h"

static GadgetTurn *
start (AgentFixture *fixture, const GadgetTurnOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, "go", options, &error);

  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (fixture->provider));
  return gadget_session_get_last_turn (fixture->session);
}

/* One step more: the request that waits calls a tool, which ends. */
static void
take_step (AgentFixture *fixture)
{
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  fake_tool_end (fixture->slow, "done");
}

static void
advance (AgentFixture *fixture, guint ms)
{
  gadget_clock_advance (fixture->clock, ms * G_TIME_SPAN_MILLISECOND);
}

static GadgetItem *
last_item (GadgetTurn *turn)
{
  return gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
}

/* The card of a limit that was reached. */
static GadgetPrompt *
wait_for_card (GadgetTurn *turn, const char *title)
{
  wait_until (gadget_turn_get_phase (turn) == GADGET_PHASE_ASKING);

  GadgetPrompt *prompt = gadget_item_get_prompt (last_item (turn));

  g_assert_cmpint (gadget_item_get_kind (last_item (turn)), ==, GADGET_ITEM_NOTE);
  g_assert_nonnull (prompt);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, title);
  g_assert_cmpuint (g_strv_length ((char **) gadget_prompt_get_choices (prompt)), ==, 3);
  return prompt;
}

static void
choose (GadgetPrompt *prompt, guint choice)
{
  g_assert_true (gadget_prompt_answer (prompt, gadget_prompt_get_choices (prompt)[choice]));
}

static void
finish (AgentFixture *fixture, GadgetTurn *turn)
{
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "all");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

static void
expect_aborted (AgentFixture *fixture, GadgetTurn *turn, GadgetStopReason reason, const char *text)
{
  g_autofree char *said = NULL;
  const guint n_requests = fake_provider_get_n_requests (fixture->provider);

  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, reason);
  g_assert_true (fixture->success);
  g_assert_cmpstr (fixture->message, ==, "aborted");
  said = gadget_limits_dup_text (turn);
  g_assert_cmpstr (said, ==, text);
  g_assert_null (gadget_session_get_active_run (fixture->session));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);
  test_run_for (20);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_requests);

  /* The next message works; the fake provider checks its request. */
  agent_start_streaming (fixture, "next");
  fake_provider_text (fixture->provider, "fine");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
}

/* --- Somebody is there ------------------------------------------------------------------------ */

static void
test_steps_continue (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .steps = 2 } };
  GadgetTurn *turn = start (fixture, &options);

  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  take_step (fixture);
  choose (wait_for_card (turn, "This turn has reached its limit: 2 steps."), 0);
  for (guint i = 0; i < 4; i++)
    {
      wait_until (fake_provider_is_waiting (fixture->provider));
      take_step (fixture);
    }
  finish (fixture, turn);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 7);
}

static void
test_steps_raise (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .steps = 2 } };
  GadgetTurn *turn = start (fixture, &options);

  for (guint i = 0; i < 3; i++)
    {
      wait_until (fake_provider_is_waiting (fixture->provider));
      take_step (fixture);
      wait_until (fake_provider_is_waiting (fixture->provider));
      take_step (fixture);
      choose (wait_for_card (turn, i == 0   ? "This turn has reached its limit: 2 steps."
                                   : i == 1 ? "This turn has reached its limit: 4 steps."
                                            : "This turn has reached its limit: 6 steps."),
              1);
    }
  finish (fixture, turn);
}

static void
test_steps_stop (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .steps = 1 } };
  GadgetTurn *turn = start (fixture, &options);

  take_step (fixture);
  choose (wait_for_card (turn, "This turn has reached its limit: 1 step."), 2);
  /* It was the user who stopped it. */
  expect_aborted (fixture, turn, GADGET_STOP_USER, NULL);
}

/* The usual stop reaches a turn that asks, too. */
static void
test_abort_while_asking (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .steps = 1 } };
  GadgetTurn *turn = start (fixture, &options);
  const GadgetCallSummary *summary;

  take_step (fixture);
  wait_for_card (turn, "This turn has reached its limit: 1 step.");
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  /* Without words: whoever reads it may speak another language. */
  summary = gadget_receipt_get_line (gadget_turn_get_receipt (turn), 0)->summary;
  g_assert_nonnull (summary);
  g_assert_cmpint (summary->kind, ==, GADGET_CALL_SUMMARY_LIMIT_STEPS);
  g_assert_cmpint (summary->numbers[0], ==, 1);
}

/* An answer that ends the turn is not asked about. */
static void
test_last_step (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .steps = 1 } };

  finish (fixture, start (fixture, &options));
}

static void
use_tokens (FakeProvider *provider, gint64 input, gint64 output)
{
  fake_provider_usage (provider, input, output);
}

static void
test_tokens (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .tokens = 1000 } };
  GadgetTurn *turn = start (fixture, &options);

  use_tokens (fixture->provider, 900, 99);
  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  use_tokens (fixture->provider, 1, 0);
  take_step (fixture);
  choose (wait_for_card (turn, "This turn has reached its limit: 1000 tokens."), 1);
  wait_until (fake_provider_is_waiting (fixture->provider));
  use_tokens (fixture->provider, 999, 0);
  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  use_tokens (fixture->provider, 1, 0);
  take_step (fixture);
  choose (wait_for_card (turn, "This turn has reached its limit: 2000 tokens."), 0);
  finish (fixture, turn);
}

/* A number that needs more than 32 bits is shown as it is, on the card and on its button. */
static void
test_many_tokens (AgentFixture *fixture, gconstpointer data)
{
  const gint64 limit = G_GINT64_CONSTANT (5000000000);
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .tokens = limit } };
  GadgetTurn *turn = start (fixture, &options);
  GadgetPrompt *prompt;

  use_tokens (fixture->provider, limit, 0);
  take_step (fixture);
  prompt = wait_for_card (turn, "This turn has reached its limit: 5000000000 tokens.");
  g_assert_cmpstr (gadget_prompt_get_choices (prompt)[1], ==,
                   "Raise the Limit by 5000000000 Tokens");
  choose (prompt, 0);
  finish (fixture, turn);
}

/* Time passes while the model and the tools work, and stands still while the turn asks. */
static void
test_time (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .time_ms = 60000 } };
  GadgetTurn *turn = start (fixture, &options);

  advance (fixture, 59000);
  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  advance (fixture, 1000);
  /* Nothing is cut off in the middle. */
  g_assert_true (fake_provider_is_waiting (fixture->provider));
  take_step (fixture);
  GadgetPrompt *prompt = wait_for_card (turn, "This turn has reached its limit: 1 minute.");

  advance (fixture, 3600000);
  choose (prompt, 1);
  wait_until (fake_provider_is_waiting (fixture->provider));
  advance (fixture, 59000);
  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  advance (fixture, 1000);
  take_step (fixture);
  choose (wait_for_card (turn, "This turn has reached its limit: 2 minutes."), 0);
  finish (fixture, turn);
}

/* What is told of it: as it is used, as it may be, and nothing of a turn that is over. */
static void
test_spending (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE,
                                      .limits = { .time_ms = 60000, .steps = 1 } };
  GadgetTurn *turn = start (fixture, &options);
  GadgetLimits spent;
  GadgetLimits allowed;
  GadgetPrompt *prompt;

  use_tokens (fixture->provider, 9, 1);
  take_step (fixture);
  prompt = wait_for_card (turn, "This turn has reached its limit: 1 step.");
  advance (fixture, 5000);
  g_assert_true (gadget_agent_get_spending (fixture->agent, fixture->session, &spent, &allowed));
  g_assert_cmpuint (spent.time_ms, ==, 0);
  g_assert_cmpuint (spent.steps, ==, 1);
  g_assert_cmpint (spent.tokens, ==, 10);
  g_assert_cmpuint (allowed.time_ms, ==, 60000);
  g_assert_cmpuint (allowed.steps, ==, 1);
  g_assert_cmpint (allowed.tokens, ==, 0);

  choose (prompt, 1);
  wait_until (fake_provider_is_waiting (fixture->provider));
  advance (fixture, 5000);
  g_assert_true (gadget_agent_get_spending (fixture->agent, fixture->session, &spent, &allowed));
  g_assert_cmpuint (spent.time_ms, ==, 5000);
  g_assert_cmpuint (spent.steps, ==, 2);
  g_assert_cmpuint (allowed.steps, ==, 2);
  finish (fixture, turn);
  g_assert_false (gadget_agent_get_spending (fixture->agent, fixture->session, &spent, &allowed));
}

/* --- Nobody is there, or nobody is to be asked ------------------------------------------------ */

static void
test_hard_steps (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .steps = 2, .hard = TRUE } };
  GadgetTurn *turn = start (fixture, &options);

  take_step (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  take_step (fixture);
  expect_aborted (fixture, turn, GADGET_STOP_BUDGET, "The turn was aborted at its limit: 2 steps.");
}

static void
test_nobody_tokens (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .limits = { .tokens = 10 } };
  GadgetTurn *turn = start (fixture, &options);

  use_tokens (fixture->provider, 9, 1);
  take_step (fixture);
  expect_aborted (fixture, turn, GADGET_STOP_BUDGET,
                  "The turn was aborted at its limit: 10 tokens.");
}

/* Hard time is a deadline: it does not wait for a step, and comes when it was to come. */
static void
test_hard_time (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .limits = { .time_ms = 60000 } };
  GadgetTurn *turn = start (fixture, &options);

  fake_provider_text (fixture->provider, "Some text");
  advance (fixture, 59999);
  test_run_for (20);
  g_assert_true (fake_provider_is_waiting (fixture->provider));
  advance (fixture, 1);
  expect_aborted (fixture, turn, GADGET_STOP_DEADLINE,
                  "The turn was aborted at its limit: 1 minute.");
}

/* A deadline asks nobody, whoever is there, and also while a card waits. */
static void
test_deadline (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .interactive = TRUE,
                                      .deadline_ms = 1500,
                                      .limits = { .steps = 1 } };
  GadgetTurn *turn = start (fixture, &options);

  take_step (fixture);
  wait_for_card (turn, "This turn has reached its limit: 1 step.");
  advance (fixture, 1499);
  test_run_for (20);
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  advance (fixture, 1);
  expect_aborted (fixture, turn, GADGET_STOP_DEADLINE,
                  "The turn was aborted at its limit: 1500 milliseconds.");
}

/* The user was first: then it was the user. */
static void
test_user_first (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .deadline_ms = 1000 };
  GadgetTurn *turn = start (fixture, &options);

  fake_tool_set_deaf (fixture->slow, TRUE);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  agent_abort_now (fixture);
  advance (fixture, 1000);
  fake_tool_end (fixture->slow, "late");
  expect_aborted (fixture, turn, GADGET_STOP_USER, NULL);
}

/* It holds for what the queue sends, too. */
static void
test_queue (AgentFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { .limits = { .steps = 1 } };
  GadgetTurn *turn = start (fixture, &options);

  gadget_session_enqueue (fixture->session, "one");
  fake_provider_text (fixture->provider, "all");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  take_step (fixture);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_get_stop_reason (gadget_session_get_last_turn (fixture->session)),
                   ==, GADGET_STOP_BUDGET);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("limits/steps-continue", test_steps_continue);
  agent_test_add ("limits/steps-raise", test_steps_raise);
  agent_test_add ("limits/steps-stop", test_steps_stop);
  agent_test_add ("limits/abort-while-asking", test_abort_while_asking);
  agent_test_add ("limits/last-step", test_last_step);
  agent_test_add ("limits/tokens", test_tokens);
  agent_test_add ("limits/many-tokens", test_many_tokens);
  agent_test_add ("limits/time", test_time);
  agent_test_add ("limits/spending", test_spending);
  agent_test_add ("limits/hard-steps", test_hard_steps);
  agent_test_add ("limits/nobody-tokens", test_nobody_tokens);
  agent_test_add ("limits/hard-time", test_hard_time);
  agent_test_add ("limits/deadline", test_deadline);
  agent_test_add ("limits/user-first", test_user_first);
  agent_test_add ("limits/queue", test_queue);

  return g_test_run ();
}
