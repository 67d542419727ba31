/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Subagents: what they are given and bring back, and one of them stopped alone. */

#include "config.h"

#include "strict-request.h"
#include "subagent-fixture.h"
#include "wait.h"

#define DEPTH 3

static GadgetRegistry *
get_registry (AgentFixture *fixture)
{
  return gadget_agent_get_registry (fixture->agent);
}

static gboolean
is_offered (GadgetRequest *request, const char *tool)
{
  for (guint i = 0; i < request->tools->len; i++)
    if (g_str_equal (((GadgetToolSpec *) g_ptr_array_index (request->tools, i))->name, tool))
      return TRUE;
  return FALSE;
}

static GadgetRequest *
get_last_request (AgentFixture *fixture)
{
  return fake_provider_get_request (fixture->provider,
                                    fake_provider_get_n_requests (fixture->provider) - 1);
}

/* --- The ordinary way ------------------------------------------------------------------------- */

static void
test_report (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetRequest *request;
  GadgetTurn *child;
  GadgetItem *item;
  const char *result;

  subagent_hand_over (fixture, "count", NULL);
  item = gadget_turn_get_item (turn, 0);
  child = subagent_get_child_turn (turn, 0);
  /* It knows the prompt, that it is a subagent, and nothing of the chat. */
  request = get_last_request (fixture);
  g_assert_cmpuint (request->messages->len, ==, 1);
  g_assert_cmpstr (request_get_text (request, 0), ==, "count");
  g_assert_nonnull (strstr (request->system, "subagent"));
  g_assert_cmpstr (request->model, ==, "model");
  g_assert_cmpstr (gadget_item_get_summary (item), ==, "Do count");
  g_assert_cmpstr (gadget_session_get_parent_id (gadget_item_get_child (item)), ==, "session");
  g_assert_cmpstr (gadget_session_get_workspace (gadget_item_get_child (item)), ==,
                   self->workspace);

  fake_provider_text (fixture->provider, "Let me look.");
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  fake_tool_end (fixture->slow, "3");
  wait_until (fake_provider_is_waiting (fixture->provider));
  subagent_say (fixture, "There are three.");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 4);

  /* The report is what came last, and the id is there to go on with. */
  result = gadget_item_get_result (item);
  g_assert_true (g_str_has_prefix (result, "There are three."));
  g_assert_nonnull (strstr (result, gadget_item_get_child_id (item)));
  g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_FINISHED);
  g_assert_cmpint (gadget_turn_get_status (child), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  /* What it used, the turn used. */
  g_assert_cmpint (gadget_turn_get_usage (turn)->output_tokens, >,
                   gadget_turn_get_usage (child)->output_tokens);
  g_assert_cmpint (gadget_turn_get_usage (child)->output_tokens, >, 0);
}

/* A1: known before it works, as what it is, and gone with its end. */
static void
test_registered (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GPtrArray) runs = NULL;
  GadgetRun *child;

  subagent_hand_over (fixture, "one", NULL);
  runs = gadget_registry_list (get_registry (fixture));
  g_assert_cmpuint (runs->len, ==, 2);
  child = g_ptr_array_index (runs, 1);
  g_assert_cmpint (gadget_run_get_kind (child), ==, GADGET_RUN_SUBAGENT);
  g_assert_true (gadget_run_get_parent (child) == g_ptr_array_index (runs, 0));
  g_assert_cmpstr (gadget_run_get_session_id (child), ==,
                   gadget_item_get_child_id (gadget_turn_get_item (turn, 0)));
  g_assert_cmpstr (gadget_run_get_turn_id (child), ==,
                   gadget_turn_get_id (subagent_get_child_turn (turn, 0)));
  /* What would stop now: the subagent, and its connection. */
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 2);
  subagent_say (fixture, "one is done");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 3);
  g_assert_cmpuint (subagent_count_runs (fixture), ==, 1);
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
}

static void
test_limits (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetTurn *deepest = turn;

  for (guint i = 0; i < DEPTH; i++)
    {
      g_assert_true (is_offered (get_last_request (fixture), "task"));
      g_assert_true (is_offered (get_last_request (fixture), "ask_user"));
      subagent_hand_over (fixture, "deeper", NULL);
      deepest = subagent_get_child_turn (deepest, 0);
    }
  g_assert_false (is_offered (get_last_request (fixture), "task"));
  g_assert_true (is_offered (get_last_request (fixture), "slow"));
  /* A model may call what it is not offered. */
  subagent_call_task (fixture, 0, "too deep", NULL);
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (deepest, 0)), ==,
                   GADGET_ITEM_FAILED);
  g_assert_null (gadget_item_get_child_id (gadget_turn_get_item (deepest, 0)));
  g_assert_cmpuint (subagent_count_runs (fixture), ==, DEPTH + 1);
  for (guint i = 0; i <= DEPTH; i++)
    {
      wait_until (fake_provider_is_waiting (fixture->provider));
      subagent_say (fixture, "done");
    }
  wait_until (fixture->n_completed == 1);
}

/* Nobody is there: then its questions go to the agent that gave it the work. */
static void
test_not_interactive (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, "go", NULL, NULL);

  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (is_offered (get_last_request (fixture), "ask_user"));
  subagent_hand_over (fixture, "one", NULL);
  g_assert_false (is_offered (get_last_request (fixture), "ask_user"));
  subagent_say (fixture, "one is done");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 3);
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
}

static void
test_parallel (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  fake_provider_set_parallel (fixture->provider);
  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *prompt = g_strdup_printf ("part %u", i);

      subagent_call_task (fixture, i, prompt, NULL);
    }
  fake_provider_end (fixture->provider);
  /* Eight work, the ninth is told why it does not. */
  wait_until (fake_provider_get_n_waiting (fixture->provider) == 8);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 8)), ==, GADGET_ITEM_FAILED);
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *prompt = g_strdup_printf ("part %u", 7 - i);

      g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 9);
      g_assert_true (fake_provider_choose (fixture->provider, prompt));
      subagent_say (fixture, prompt);
      wait_until (gadget_item_is_settled (gadget_turn_get_item (turn, 7 - i)));
    }
  /* One request with all results, in the order of the calls. */
  wait_until (fake_provider_get_n_requests (fixture->provider) == 10);
  g_assert_true (
      g_str_has_prefix (gadget_item_get_result (gadget_turn_get_item (turn, 3)), "part 3"));
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
}

static void
test_failure (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetItem *item;

  subagent_hand_over (fixture, "one", NULL);
  item = gadget_turn_get_item (turn, 0);
  fake_provider_text (fixture->provider, "Half of it");
  fake_provider_fail (fixture->provider, g_error_new_literal (GADGET_PROVIDER_ERROR,
                                                              GADGET_PROVIDER_ERROR_CUT, "reset"));
  wait_until (fake_provider_get_n_requests (fixture->provider) == 3);
  g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_FAILED);
  g_assert_nonnull (strstr (gadget_item_get_result (item), "reset"));
  g_assert_nonnull (strstr (gadget_item_get_result (item), "Half of it"));
  g_assert_nonnull (strstr (gadget_item_get_result (item), gadget_item_get_child_id (item)));
  g_assert_cmpint (gadget_turn_get_status (subagent_get_child_turn (turn, 0)), ==,
                   GADGET_TURN_ERROR);
  /* The turn goes on. */
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* --- Stopping one ----------------------------------------------------------------------------- */

static void
assert_stopped_alone (AgentFixture *fixture, GadgetTurn *turn)
{
  GadgetItem *item = gadget_turn_get_item (turn, 0);
  GadgetTurn *child = subagent_get_child_turn (turn, 0);

  /* L12: what it had, and its id. */
  g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_ABORTED);
  g_assert_nonnull (strstr (gadget_item_get_result (item), "stopped by the user"));
  g_assert_nonnull (strstr (gadget_item_get_result (item), "Half of it"));
  g_assert_nonnull (strstr (gadget_item_get_result (item), gadget_item_get_child_id (item)));
  g_assert_cmpint (gadget_turn_get_status (child), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (gadget_receipt_get_n_lines (gadget_turn_get_receipt (child)), ==, 1);
  /* The turn was not aborted, and has no receipt. */
  g_assert_cmpuint (gadget_receipt_get_n_lines (gadget_turn_get_receipt (turn)), ==, 0);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  g_assert_null (gadget_session_get_active_run (gadget_item_get_child (item)));
}

/* L12: one is stopped; the turn goes on, and with it, later, the same subagent. */
static void
test_stop_and_continue (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GadgetSession *child;
  GadgetRequest *request;

  subagent_hand_over (fixture, "one", NULL);
  fake_provider_text (fixture->provider, "Half of it");
  g_assert_true (gadget_agent_stop_tool (fixture->agent, fixture->session, "task-0"));
  wait_until (fake_provider_get_n_requests (fixture->provider) == 3);
  assert_stopped_alone (fixture, turn);
  child = gadget_item_get_child (gadget_turn_get_item (turn, 0));

  subagent_hand_over (fixture, "go on", gadget_session_get_id (child));
  g_assert_true (gadget_item_get_child (gadget_turn_get_item (turn, 1)) == child);
  g_assert_cmpuint (gadget_session_get_n_turns (child), ==, 2);
  request = get_last_request (fixture);
  g_assert_cmpstr (request_get_text (request, 0), ==, "one");
  g_assert_cmpstr (request_get_text (request, 1), ==, "Half of it");
  g_assert_true (g_str_has_suffix (request_get_text (request, 2), "go on"));
  subagent_say (fixture, "The other half");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 5);
  g_assert_true (
      g_str_has_prefix (gadget_item_get_result (gadget_turn_get_item (turn, 1)), "The other half"));
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* Stopped by its run's id: from a terminal, say. */
static void
test_stop_by_run (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GadgetAbortAck) ack = NULL;
  GadgetSession *child;

  subagent_hand_over (fixture, "one", NULL);
  fake_provider_text (fixture->provider, "Half of it");
  child = gadget_item_get_child (gadget_turn_get_item (turn, 0));
  ack = gadget_agent_abort (fixture->agent, NULL, gadget_session_get_active_run (child),
                            GADGET_STOP_API);
  g_assert_true (ack->aborted);
  g_assert_cmpuint (g_strv_length (ack->runs), ==, 1);
  wait_until (fake_provider_get_n_requests (fixture->provider) == 3);
  assert_stopped_alone (fixture, turn);
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
}

/* L8: one of two is stopped; both results go back in one request. */
static void
test_stop_one_of_two (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  fake_provider_set_parallel (fixture->provider);
  subagent_call_task (fixture, 0, "one", NULL);
  subagent_call_task (fixture, 1, "two", NULL);
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_waiting (fixture->provider) == 2);
  g_assert_true (gadget_agent_stop_tool (fixture->agent, fixture->session, "task-0"));
  wait_until (gadget_item_is_settled (gadget_turn_get_item (turn, 0)));
  g_assert_cmpint (gadget_turn_get_status (subagent_get_child_turn (turn, 1)), ==,
                   GADGET_TURN_PROCESSING);
  g_assert_true (fake_provider_choose (fixture->provider, "two"));
  subagent_say (fixture, "two is done");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 4);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 1)), ==,
                   GADGET_ITEM_FINISHED);
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
}

static void
test_continue_refused (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  /* A11: neither a chat that is not there nor one that is not its own. */
  subagent_call_task (fixture, 0, "nobody", "no-such-chat");
  subagent_call_task (fixture, 1, "myself", "session");
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, i)), ==,
                     GADGET_ITEM_FAILED);
  subagent_say (fixture, "done");
  wait_until (fixture->n_completed == 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD_SUBAGENT_TEST ("report", test_report, NULL);
  ADD_SUBAGENT_TEST ("A1-registered", test_registered, NULL);
  ADD_SUBAGENT_TEST ("depth", test_limits, NULL);
  ADD_SUBAGENT_TEST ("not-interactive", test_not_interactive, NULL);
  ADD_SUBAGENT_TEST ("parallel", test_parallel, NULL);
  ADD_SUBAGENT_TEST ("failure", test_failure, NULL);
  ADD_SUBAGENT_TEST ("L12-stop-and-continue", test_stop_and_continue, NULL);
  ADD_SUBAGENT_TEST ("stop-by-run", test_stop_by_run, NULL);
  ADD_SUBAGENT_TEST ("L8-stop-one-of-two", test_stop_one_of_two, NULL);
  ADD_SUBAGENT_TEST ("A11-continue-refused", test_continue_refused, NULL);

  return g_test_run ();
}
