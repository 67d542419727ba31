/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Subagents when all is stopped, wherever they are, and what is deaf to it. */

#include "config.h"

#include "session/gadget-history.h"
#include "strict-request.h"
#include "subagent-fixture.h"
#include "test-store.h"
#include "wait.h"

#define DEPTH 3

typedef enum
{
  IN_MODEL,
  IN_TOOL,
  IN_PERMISSION,
  IN_QUESTION,
  N_PLACES,
} Place;

static const char *const place_names[] = { "model", "tool", "permission", "question" };

/* The subagent whose request waits gets to the place. */
static void
go_to (AgentFixture *fixture, GadgetTurn *turn, Place place)
{
  fake_provider_text (fixture->provider, "So far");
  if (place == IN_MODEL)
    return;
  fake_tool_set_asks (fixture->slow, place == IN_PERMISSION);
  if (place == IN_QUESTION)
    fake_provider_call (fixture->provider, 0, "q", "ask_user", "{\"question\":\"Which?\"}");
  else
    fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  if (place == IN_TOOL)
    wait_until (fake_tool_is_running (fixture->slow));
  else
    wait_until (gadget_item_get_prompt (gadget_turn_get_item (turn, 1)) != NULL);
}

static void
assert_level (AgentFixture *fixture, GadgetSession *session, GadgetTurn *turn)
{
  g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "Go on");
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *kept;

  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  g_assert_null (gadget_session_get_active_run (session));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      g_assert_true (gadget_item_is_settled (item));
      g_assert_null (gadget_item_get_prompt (item));
      g_assert_false (gadget_item_get_asking (item));
    }

  /* I3: what is stored is what was shown. */
  stored = test_store_load (fixture->store, gadget_session_get_id (session));
  kept = gadget_session_get_turn (stored, 0);
  g_assert_cmpint (gadget_turn_get_status (kept), ==, GADGET_TURN_ABORTED);
  g_assert_cmpstr (gadget_session_get_parent_id (stored), ==,
                   gadget_session_get_parent_id (session));
  g_assert_cmpuint (gadget_turn_get_n_items (kept), ==, gadget_turn_get_n_items (turn));
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *shown = gadget_turn_get_item (turn, i);
      GadgetItem *item = gadget_turn_get_item (kept, i);

      g_assert_cmpstr (gadget_item_get_text (item), ==, gadget_item_get_text (shown));
      g_assert_cmpstr (gadget_item_get_result (item), ==, gadget_item_get_result (shown));
      g_assert_cmpstr (gadget_item_get_child_id (item), ==, gadget_item_get_child_id (shown));
    }

  /* I4 */
  gadget_session_append (stored, next);
  request = gadget_history_build (stored, NULL);
  strict_request_assert (request);
}

static guint
count_lines (GadgetReceipt *receipt, GadgetReceiptKind kind)
{
  guint n = 0;

  for (guint i = 0; i < gadget_receipt_get_n_lines (receipt); i++)
    n += gadget_receipt_get_line (receipt, i)->kind == kind;
  return n;
}

/* L10: a chain of three, the last of which is at @data. */
static void
test_abort_chain (SubagentFixture *self, gconstpointer data)
{
  const Place place = GPOINTER_TO_UINT (data);
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turns[DEPTH + 1] = { agent_start_streaming (fixture, "go") };
  GadgetSession *sessions[DEPTH + 1] = { fixture->session };
  g_autoptr (GadgetAbortAck) ack = NULL;
  gint64 began;

  for (guint i = 1; i <= DEPTH; i++)
    {
      subagent_hand_over (fixture, "deeper", NULL);
      turns[i] = subagent_get_child_turn (turns[i - 1], 0);
      sessions[i] = gadget_item_get_child (gadget_turn_get_item (turns[i - 1], 0));
    }
  go_to (fixture, turns[DEPTH], place);
  /* That somebody is waited for is seen all the way up. */
  for (guint i = 0; place >= IN_PERMISSION && i <= DEPTH; i++)
    g_assert_cmpint (gadget_turn_get_phase (turns[i]), ==, GADGET_PHASE_ASKING);

  began = g_get_monotonic_time ();
  ack = gadget_agent_abort (fixture->agent, "session", NULL, GADGET_STOP_USER);
  g_assert_cmpuint (g_strv_length (ack->runs), ==, DEPTH + 1);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 2 * 750 * 1000);
  g_assert_cmpuint (subagent_count_runs (fixture), ==, 0);

  g_assert_cmpuint (count_lines (gadget_turn_get_receipt (turns[0]), GADGET_RECEIPT_SUBAGENT), ==,
                    DEPTH);
  g_assert_cmpuint (count_lines (gadget_turn_get_receipt (turns[0]), GADGET_RECEIPT_CONNECTION), ==,
                    place == IN_MODEL ? 1 : 0);
  g_assert_cmpuint (gadget_receipt_get_n_lines (gadget_turn_get_receipt (turns[0])), ==, DEPTH + 1);
  for (guint i = 0; i <= DEPTH; i++)
    assert_level (fixture, sessions[i], turns[i]);
  agent_assert_aborted (fixture, turns[0]);
}

/* The store does not answer: the levels do not add up their waits for it. */
static gboolean
block (sqlite3 *db, gpointer data, GError **error)
{
  g_mutex_lock (data);
  g_mutex_unlock (data);
  return TRUE;
}

static void
test_abort_stuck_store (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetTurn *deepest = turn;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GMutex gate;

  for (guint i = 0; i < DEPTH; i++)
    {
      subagent_hand_over (fixture, "deeper", NULL);
      deepest = subagent_get_child_turn (deepest, 0);
    }
  g_mutex_init (&gate);
  g_mutex_lock (&gate);
  gadget_store_run_async (fixture->store, block, &gate, NULL, test_result_cb, &slot);
  agent_abort_now (fixture);
  wait_until (gadget_turn_get_status (turn) == GADGET_TURN_ABORTED);
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  gadget_clock_advance (fixture->clock, 500 * 1000);
  wait_until (fixture->n_completed == 1);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_false (gadget_turn_get_saved (deepest));
  /* Late, but written after all. */
  g_mutex_unlock (&gate);
  result = test_take_result (&slot);
  wait_until (gadget_turn_get_saved (turn) && gadget_turn_get_saved (deepest));
  g_mutex_clear (&gate);
}

/* The subagent is over, and waits for the disk, when the abort comes: the turn does not wait for
 * one limit after the other. */
static void
test_abort_behind_end (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GadgetTurn *child;
  GMutex gate;

  subagent_hand_over (fixture, "one", NULL);
  child = subagent_get_child_turn (turn, 0);
  g_mutex_init (&gate);
  g_mutex_lock (&gate);
  gadget_store_run_async (fixture->store, block, &gate, NULL, test_result_cb, &slot);
  subagent_say (fixture, "done");
  wait_until (gadget_turn_get_status (child) == GADGET_TURN_FINISHED);
  agent_abort_now (fixture);
  wait_until (gadget_turn_get_status (turn) == GADGET_TURN_ABORTED);
  /* The work was done: it counts. */
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_FINISHED);
  g_mutex_unlock (&gate);
  result = test_take_result (&slot);
  wait_until (fixture->n_completed == 1 && gadget_turn_get_saved (child));
  g_mutex_clear (&gate);
}

static void
test_abort_at_the_start (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  subagent_call_task (fixture, 0, "one", NULL);
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_n_items (turn) == 1
              && gadget_item_get_child (gadget_turn_get_item (turn, 0)) != NULL);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  /* Two: that of the turn, and that of the next. */
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 2);
  assert_level (fixture, gadget_item_get_child (gadget_turn_get_item (turn, 0)),
                subagent_get_child_turn (turn, 0));
}

/* L8: each of a batch with its own kind of end. */
static void
test_abort_batch (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  fake_provider_set_parallel (fixture->provider);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *prompt = g_strdup_printf ("part %u", i);

      subagent_call_task (fixture, i, prompt, NULL);
    }
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_waiting (fixture->provider) == 3);
  fake_provider_choose (fixture->provider, "part 1");
  subagent_say (fixture, "one is done");
  wait_until (gadget_item_is_settled (gadget_turn_get_item (turn, 1)));
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 1)), ==,
                   GADGET_ITEM_FINISHED);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 2)), ==,
                   GADGET_ITEM_ABORTED);
}

/* L14: it fails in the instant in which it was stopped. */
static void
test_abort_with_failure (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  subagent_hand_over (fixture, "one", NULL);
  agent_abort_now (fixture);
  fake_provider_fail (fixture->provider, g_error_new_literal (GADGET_PROVIDER_ERROR,
                                                              GADGET_PROVIDER_ERROR_CUT, "reset"));
  agent_assert_aborted (fixture, turn);
  g_assert_cmpint (gadget_turn_get_status (subagent_get_child_turn (turn, 0)), ==,
                   GADGET_TURN_ABORTED);
}

/* X17: a tool of the subagent does not listen. Stop Waiting on either card ends it all. */
static void
test_deaf_tool (SubagentFixture *self, gconstpointer data)
{
  const gboolean on_parent = GPOINTER_TO_INT (data);
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetTurn *child;
  GadgetItem *item;

  subagent_hand_over (fixture, "one", NULL);
  child = subagent_get_child_turn (turn, 0);
  item = gadget_turn_get_item (turn, 0);
  fake_tool_set_deaf (fixture->slow, TRUE);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  agent_abort_now (fixture);
  /* One warning, and it names the one that is to blame. */
  g_test_expect_message ("gadget-call-batch", G_LOG_LEVEL_WARNING, "*\"slow\" has not stopped*");
  gadget_clock_advance (fixture->clock, 3100 * 1000);
  g_test_assert_expected_messages ();
  wait_idle ();
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  g_assert_true (gadget_item_get_unresponsive (item));
  g_assert_true (gadget_item_get_unresponsive (gadget_turn_get_item (child, 0)));
  if (on_parent)
    g_assert_true (gadget_agent_stop_waiting (fixture->agent, fixture->session, "task-0"));
  else
    g_assert_true (gadget_agent_stop_waiting (fixture->agent, gadget_item_get_child (item), "a"));
  wait_until (fixture->n_completed == 1);
  g_assert_cmpstr (gadget_receipt_get_line (gadget_turn_get_receipt (turn), 0)->outcome, ==,
                   "stopped-waiting");
  fake_tool_end (fixture->slow, "late");
  agent_assert_aborted (fixture, turn);
  assert_level (fixture, gadget_item_get_child (item), child);
}

/* One subagent was stopped, and a tool of it does not listen: its card says so too. */
static void
test_stop_deaf_tool (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetItem *item;

  subagent_hand_over (fixture, "one", NULL);
  item = gadget_turn_get_item (turn, 0);
  fake_tool_set_deaf (fixture->slow, TRUE);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  g_assert_true (gadget_agent_stop_tool (fixture->agent, fixture->session, "task-0"));
  wait_idle ();
  g_test_expect_message ("gadget-call-batch", G_LOG_LEVEL_WARNING, "*\"slow\" has not stopped*");
  gadget_clock_advance (fixture->clock, 3100 * 1000);
  g_test_assert_expected_messages ();
  g_assert_true (gadget_item_get_unresponsive (item));
  g_assert_true (gadget_agent_stop_waiting (fixture->agent, fixture->session, "task-0"));
  /* The turn goes on with what there is. */
  wait_until (fake_provider_get_n_requests (fixture->provider) == 3);
  g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_ABORTED);
  g_assert_false (gadget_item_get_unresponsive (item));
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  fake_tool_end (fixture->slow, "late");
}

/* A subagent hangs in its provider, which no card of its own can show. When it is no longer waited
 * for, the turn is over: what the subagent does afterwards does not change it. */
static void
test_deaf_provider (SubagentFixture *self, gconstpointer data)
{
  const gboolean stop_alone = GPOINTER_TO_INT (data);
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);
  GadgetUsage usage;
  GadgetTurn *child;
  guint n_lines;

  fake_provider_set_deaf (fixture->provider);
  fake_provider_set_parallel (fixture->provider);
  subagent_hand_over (fixture, "one", NULL);
  child = subagent_get_child_turn (turn, 0);
  fake_provider_text (fixture->provider, "I look at it.");
  if (stop_alone)
    g_assert_true (gadget_agent_stop_tool (fixture->agent, fixture->session, "task-0"));
  else
    agent_abort_now (fixture);
  wait_idle ();
  g_assert_false (gadget_agent_stop_waiting (fixture->agent, fixture->session, "task-0"));
  g_test_expect_message ("gadget-call-batch", G_LOG_LEVEL_WARNING, "*\"task\" has not stopped*");
  gadget_clock_advance (fixture->clock, 3100 * 1000);
  g_test_assert_expected_messages ();
  g_assert_true (gadget_agent_stop_waiting (fixture->agent, fixture->session, "task-0"));
  if (stop_alone)
    {
      wait_until (fake_provider_get_n_waiting (fixture->provider) == 2);
      fake_provider_choose (fixture->provider, "go");
      subagent_say (fixture, "done");
    }
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==,
                   stop_alone ? GADGET_TURN_FINISHED : GADGET_TURN_ABORTED);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (receipt), ==, 0);
  usage = *gadget_turn_get_usage (turn);
  n_lines = gadget_receipt_get_n_lines (receipt);
  if (!stop_alone)
    g_assert_cmpuint (n_lines, ==, 2);
  g_assert_cmpint (gadget_turn_get_status (child), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (subagent_count_runs (fixture), ==, 0);

  g_assert_true (fake_provider_choose (fixture->provider, "one"));
  subagent_say (fixture, "Late, and long enough to count as some tokens.");
  wait_idle ();
  g_assert_cmpint (gadget_turn_get_usage (child)->output_tokens, ==, 0);
  g_assert_cmpuint (gadget_turn_get_n_items (child), ==, 1);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (child, 0)), ==, "I look at it.");
  g_assert_cmpint (gadget_turn_get_usage (turn)->output_tokens, ==, usage.output_tokens);
  g_assert_cmpint (gadget_turn_get_usage (turn)->input_tokens, ==, usage.input_tokens);
  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, n_lines);
  g_assert_null (
      gadget_session_get_active_run (gadget_item_get_child (gadget_turn_get_item (turn, 0))));
  g_assert_cmpuint (fixture->n_completed, ==, 1);
}

static void
test_abort_prompt_answered (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetTurn *child;

  subagent_hand_over (fixture, "one", NULL);
  child = subagent_get_child_turn (turn, 0);
  go_to (fixture, child, IN_PERMISSION);
  g_assert_true (gadget_item_get_asking (gadget_turn_get_item (turn, 0)));
  g_assert_true (gadget_prompt_answer (gadget_item_get_prompt (gadget_turn_get_item (child, 1)),
                                       GADGET_PROMPT_ALLOW));
  wait_until (fake_tool_is_running (fixture->slow));
  g_assert_false (gadget_item_get_asking (gadget_turn_get_item (turn, 0)));
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_TOOLS);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

static void
test_nothing_left (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  guint n_fds = 0;
  guint n_threads = 0;

  for (guint i = 0; i < 60; i++)
    {
      GadgetTurn *turn = agent_start_streaming (fixture, "go");
      GadgetTurn *child;

      subagent_hand_over (fixture, "one", NULL);
      subagent_hand_over (fixture, "two", NULL);
      child = subagent_get_child_turn (subagent_get_child_turn (turn, 0), 0);
      go_to (fixture, child, i % N_PLACES);
      agent_abort_now (fixture);
      wait_until (fixture->n_completed == i + 1);
      if (i == 9)
        {
          n_fds = wait_n_fds ();
          n_threads = wait_n_threads ();
        }
    }
  /* The last of a turn may be closed right after it is told to be over. */
  wait_until (wait_n_fds () <= n_fds);
  wait_until (wait_n_threads () <= n_threads + 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint place = 0; place < N_PLACES; place++)
    {
      g_autofree char *path =
          g_strconcat ("/engine/subagents/abort-L10-chain-in-", place_names[place], NULL);

      g_test_add (path, SubagentFixture, GUINT_TO_POINTER (place), subagent_set_up,
                  test_abort_chain, subagent_tear_down);
    }
  ADD_SUBAGENT_TEST ("abort-P3-stuck-store", test_abort_stuck_store, NULL);
  ADD_SUBAGENT_TEST ("abort-behind-end", test_abort_behind_end, NULL);
  ADD_SUBAGENT_TEST ("abort-A2-at-the-start", test_abort_at_the_start, NULL);
  ADD_SUBAGENT_TEST ("abort-L8-batch", test_abort_batch, NULL);
  ADD_SUBAGENT_TEST ("abort-L14-with-failure", test_abort_with_failure, NULL);
  ADD_SUBAGENT_TEST ("abort-X17-deaf-tool", test_deaf_tool, GINT_TO_POINTER (FALSE));
  ADD_SUBAGENT_TEST ("abort-X17-deaf-tool-parent", test_deaf_tool, GINT_TO_POINTER (TRUE));
  ADD_SUBAGENT_TEST ("stop-X17-deaf-tool", test_stop_deaf_tool, NULL);
  ADD_SUBAGENT_TEST ("abort-X17-deaf-provider", test_deaf_provider, GINT_TO_POINTER (FALSE));
  ADD_SUBAGENT_TEST ("stop-X17-deaf-provider", test_deaf_provider, GINT_TO_POINTER (TRUE));
  ADD_SUBAGENT_TEST ("abort-after-answer", test_abort_prompt_answered, NULL);
  ADD_SUBAGENT_TEST ("abort-R2-nothing-left", test_nothing_left, NULL);

  return g_test_run ();
}
