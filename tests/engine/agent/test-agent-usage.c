/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each request is counted once, whoever made it and however it ended; and money is a limit. */

#include "config.h"

#include "subagent-fixture.h"

#include "store/gadget-store-turns.h"
#include "store/usage/gadget-store-usage.h"
#include "store/usage/gadget-usage-report.h"
#include "test-store.h"
#include "wait.h"

#define DOLLAR GADGET_COST_DOLLAR

static GadgetUsageReport *
report (AgentFixture *fixture, GadgetUsageGroups groups)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GadgetUsageReport *found;

  gadget_usage_report_async (fixture->store, gadget_agent_get_prices (fixture->agent), 0,
                             G_MAXINT64, groups, test_result_cb, &slot);
  result = test_take_result (&slot);
  found = gadget_usage_report_finish (result, &error);
  g_assert_no_error (error);
  return found;
}

/* A dollar for each thousand tokens that are sent. */
static void
set_price (AgentFixture *fixture)
{
  const GadgetPrice price = { .input = 1000, .cached = -1, .cache_write = -1 };
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_prices_set_async (gadget_agent_get_prices (fixture->agent), "fake", "model", &price,
                           test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_prices_set_finish (gadget_agent_get_prices (fixture->agent), result, NULL));
}

static GadgetTurn *
start (AgentFixture *fixture, const GadgetTurnOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, "go", options, &error);

  g_assert_no_error (error);
  return gadget_session_get_last_turn (fixture->session);
}

static void
answer (AgentFixture *fixture, gint64 input, gint64 output)
{
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_usage (fixture->provider, input, output);
  subagent_say (fixture, "There are three.");
}

static void
take_step (AgentFixture *fixture, gint64 input)
{
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_usage (fixture->provider, input, 0);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  fake_tool_end (fixture->slow, "done");
}

static GadgetPrompt *
wait_for_card (GadgetTurn *turn, const char *title)
{
  GadgetItem *item;

  wait_until (gadget_turn_get_phase (turn) == GADGET_PHASE_ASKING);
  item = gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
  g_assert_cmpstr (gadget_prompt_get_title (gadget_item_get_prompt (item)), ==, title);
  return gadget_item_get_prompt (item);
}

static void
choose (GadgetPrompt *prompt, guint index)
{
  gadget_prompt_answer (prompt, gadget_prompt_get_choices (prompt)[index]);
}

/* --- Counting --------------------------------------------------------------------------------- */

/* A turn counts what its subagents used, and so do their turns; requests are counted once. A branch
 * and a removed turn change nothing. */
static void
test_once (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) branched = NULL;
  g_autoptr (GadgetUsageReport) by_chat = NULL;
  g_autoptr (GadgetUsageReport) again = NULL;

  fake_provider_usage (fixture->provider, 100, 10);
  subagent_hand_over (fixture, "count", NULL);
  answer (fixture, 1000, 20);
  answer (fixture, 300, 30);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_usage (turn)->input_tokens, ==, 1400);

  by_chat = report (fixture, GADGET_USAGE_BY_CHAT);
  g_assert_cmpuint (by_chat->rows->len, ==, 1);
  g_assert_cmpuint (by_chat->n_chats, ==, 1);
  g_assert_cmpint (by_chat->total.usage.input_tokens, ==, 1400);
  g_assert_cmpint (by_chat->total.usage.output_tokens, ==, 60);
  g_assert_cmpuint (by_chat->total.n_replies, ==, 1);
  g_assert_false (by_chat->total.usage.estimated);
  g_assert_cmpint (by_chat->total.unknown & GADGET_USAGE_COST, !=, 0);

  gadget_store_branch_async (fixture->store, "session", gadget_turn_get_id (turn), "copy", "Copy",
                             test_result_cb, &slot);
  branched = test_take_result (&slot);
  g_assert_true (gadget_store_branch_finish (fixture->store, branched, NULL));
  test_store_delete (fixture->store, "copy");
  again = report (fixture, GADGET_USAGE_BY_MODEL);
  g_assert_cmpint (again->total.usage.input_tokens, ==, 1400);
}

/* What was stopped was used, as far as can be estimated. */
static void
test_stopped (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GadgetUsageReport) found = NULL;

  fake_provider_text (fixture->provider, "This is said before it is stopped.");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  found = report (fixture, 0);
  g_assert_true (found->total.usage.estimated);
  g_assert_cmpint (found->total.usage.input_tokens, >, 0);
  g_assert_cmpint (found->total.usage.output_tokens, >, 0);
  g_assert_cmpint (found->total.usage.input_tokens, ==, gadget_turn_get_usage (turn)->input_tokens);
}

/* The request for a title belongs to the chat, and is no reply. */
static void
test_title (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  g_autoptr (GadgetUsageReport) found = NULL;

  gadget_agent_set_titles (fixture->agent, TRUE);
  agent_start_streaming (fixture, "go");
  answer (fixture, 100, 10);
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);
  answer (fixture, 40, 4);
  wait_until (subagent_count_runs (fixture) == 0);
  found = report (fixture, GADGET_USAGE_BY_CHAT);
  g_assert_cmpuint (found->rows->len, ==, 1);
  g_assert_cmpint (found->total.usage.input_tokens, ==, 140);
  g_assert_cmpuint (found->total.n_replies, ==, 1);
}

/* --- Limits ----------------------------------------------------------------------------------- */

static void
test_turn_asks (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .cost = 2 * DOLLAR } };
  GadgetTurn *turn;

  set_price (fixture);
  turn = start (fixture, &options);
  take_step (fixture, 1500);
  wait_until (gadget_turn_get_usage (turn)->cost == DOLLAR * 3 / 2);
  take_step (fixture, 600);
  choose (wait_for_card (turn, "This turn has reached its limit: $2.00."), 1);
  /* It is 2.10 + 2 now. */
  take_step (fixture, 1999);
  take_step (fixture, 1);
  choose (wait_for_card (turn, "This turn has reached its limit: $4.10."), 0);
  answer (fixture, 1000000, 1);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

static void
test_turn_aborts (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  const GadgetTurnOptions options = { .limits = { .cost = DOLLAR } };
  GadgetTurn *turn;

  set_price (fixture);
  turn = start (fixture, &options);
  take_step (fixture, 1000);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_BUDGET);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "limit/cost");
}

/* Without a price nothing is known to be spent. */
static void
test_no_price (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  const GadgetTurnOptions options = { .limits = { .cost = 1, .day_cost = 1 } };
  GadgetTurn *turn = start (fixture, &options);

  take_step (fixture, 1000);
  answer (fixture, 1000, 1);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpint (gadget_turn_get_usage (turn)->cost, ==, 0);
}

/* The limit of a day counts what other turns, and other processes, have used. */
static void
test_day_asks (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .day_cost = 3 * DOLLAR } };
  const GadgetUsageRecord other = {
    .provider = "elsewhere",
    .model = "x",
    .usage = { .input_tokens = 1, .cost = 2 * DOLLAR, .known = GADGET_USAGE_COST }
  };
  GadgetStore *store = test_store_open (self->directory);
  GadgetTurn *turn;
  guint n_requests;

  set_price (fixture);
  gadget_store_add_usage (store, &other);
  test_store_close (store);
  turn = start (fixture, &options);
  take_step (fixture, 1000);
  choose (wait_for_card (turn, "This turn has reached its limit: $3.00 a day."), 0);
  answer (fixture, 1, 1);
  wait_until (fixture->n_completed == 1);
  n_requests = fake_provider_get_n_requests (fixture->provider);

  /* The next turn asks before it makes a request; a stop while it does works. */
  turn = start (fixture, &options);
  wait_for_card (turn, "This turn has reached its limit: $3.00 a day.");
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_requests);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

/* A turn that is stopped while the store is asked ends at once. */
static void
test_stop_while_reading (SubagentFixture *self, gconstpointer data)
{
  AgentFixture *fixture = &self->agent;
  const GadgetTurnOptions options = { .interactive = TRUE, .limits = { .day_cost = DOLLAR } };

  for (guint i = 0; i < 20; i++)
    {
      GadgetTurn *turn = start (fixture, &options);

      for (guint n = 0; n < i && !fake_provider_is_waiting (fixture->provider); n++)
        g_main_context_iteration (NULL, FALSE);
      agent_abort_now (fixture);
      wait_until (fixture->n_completed == i + 1);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/engine/agent/usage/" path, SubagentFixture, NULL, subagent_set_up, function,       \
              subagent_tear_down)
  ADD ("once", test_once);
  ADD ("stopped", test_stopped);
  ADD ("title", test_title);
  ADD ("turn-asks", test_turn_asks);
  ADD ("turn-aborts", test_turn_aborts);
  ADD ("no-price", test_no_price);
  ADD ("day-asks", test_day_asks);
  ADD ("stop-while-reading", test_stop_while_reading);
  return g_test_run ();
}
