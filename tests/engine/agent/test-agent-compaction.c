/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat that outgrows its model: summarised, and everything that can come in between. */

#include "config.h"

#include "agent-fixture.h"
#include "agent/gadget-compaction.h"
#include "session/gadget-history.h"
#include "strict-request.h"
#include "test-wait.h"
#include "wait.h"

#include <string.h>

/* 80 % of it are 13,104 bytes. */
#define CONTEXT_LENGTH 4096
#define LONG 13300

static void
say (AgentFixture *fixture, const char *text)
{
  fake_provider_text (fixture->provider, text);
  fake_provider_end (fixture->provider);
}

static GadgetRequest *
last_request (AgentFixture *fixture)
{
  return fake_provider_get_request (fixture->provider,
                                    fake_provider_get_n_requests (fixture->provider) - 1);
}

static gboolean
is_due (GadgetRequest *request)
{
  return gadget_request_count_tokens (request) > CONTEXT_LENGTH * 80 / 100;
}

static gboolean
is_compaction (AgentFixture *fixture)
{
  return last_request (fixture)->messages->len == 1
         && strstr (request_get_text (last_request (fixture), 0), "Write the summary alone.")
                != NULL;
}

static char *
dump (AgentFixture *fixture)
{
  g_autoptr (GadgetRequest) request = gadget_history_build (fixture->session, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < request->messages->len; i++)
    g_string_append_printf (text, "%s\n", request_get_text (request, i));
  return g_string_free_and_steal (text);
}

/* Two turns: the second, long enough for it to matter, asks how much the model can read, and is not
 * held up by that. */
static void
fill (AgentFixture *fixture)
{
  g_autofree char *words = g_strnfill (LONG, 'w');

  fake_provider_set_context_length (fixture->provider, CONTEXT_LENGTH);
  agent_start_streaming (fixture, "The password is apple.");
  say (fixture, words);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (fake_provider_get_n_described (fixture->provider), ==, 0);
  agent_start_streaming (fixture, "Go on.");
  g_assert_cmpuint (last_request (fixture)->messages->len, ==, 3);
  say (fixture, "I did.");
  wait_until (fixture->n_completed == 2);
  wait_idle ();
  g_assert_cmpuint (fake_provider_get_n_described (fixture->provider), ==, 1);
  fixture->n_completed = 0;
}

static GadgetTurn *
begin_compaction (AgentFixture *fixture)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "What is it?");

  g_assert_true (is_compaction (fixture));
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_COMPACTING);
  return turn;
}

static GadgetRun *
find_run (AgentFixture *fixture, GadgetRunKind kind)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (fixture->agent));

  for (guint i = 0; i < runs->len; i++)
    if (gadget_run_get_kind (g_ptr_array_index (runs, i)) == kind)
      return g_ptr_array_index (runs, i); /* the registry holds it */
  return NULL;
}

static void
test_summary (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;
  GadgetRun *run;
  GadgetRequest *request;

  fill (fixture);
  turn = begin_compaction (fixture);
  run = find_run (fixture, GADGET_RUN_COMPACTION);
  g_assert_true (gadget_run_get_parent (run) == find_run (fixture, GADGET_RUN_TURN));
  g_assert_cmpstr (gadget_run_get_session_id (run), ==, "session");
  request = last_request (fixture);
  g_assert_nonnull (strstr (request_get_text (request, 0), "User: The password is apple."));
  g_assert_cmpuint (request->tools->len, ==, 0);
  g_assert_false (is_due (request));

  say (fixture, " The user's password is apple. \n");
  wait_until (fake_provider_is_waiting (fixture->provider));
  request = last_request (fixture);
  g_assert_cmpuint (request->messages->len, ==, 1);
  g_assert_nonnull (
      strstr (request_get_text (request, 0), "summary of it:]\n\nThe user's password is apple."));
  g_assert_true (g_str_has_suffix (request_get_text (request, 0), "\n\nWhat is it?"));
  g_assert_cmpuint (request->tools->len, >, 0);
  say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 2);
  g_assert_cmpint (gadget_item_get_kind (gadget_turn_get_item (turn, 0)), ==, GADGET_ITEM_SUMMARY);
  g_assert_true (gadget_turn_get_usage (turn)->estimated);

  /* History goes on from there; what was recorded before is as it was. */
  agent_start_streaming (fixture, "Thanks.");
  request = last_request (fixture);
  g_assert_cmpuint (request->messages->len, ==, 3);
  g_assert_cmpstr (request_get_text (request, 1), ==, "It is apple.");
  g_assert_cmpstr (request_get_text (request, 2), ==, "Thanks.");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 2);
  g_assert_cmpuint (gadget_item_get_length (
                        gadget_turn_get_item (gadget_session_get_turn (fixture->session, 0), 0)),
                    ==, LONG);
}

static void
expect_as_before (AgentFixture *fixture, GadgetTurn *turn, const char *before)
{
  g_autofree char *after = NULL;
  const guint n_requests = fake_provider_get_n_requests (fixture->provider);

  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpstr (fixture->message, ==, "aborted");
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 0);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);
  after = dump (fixture);
  g_assert_true (g_str_has_prefix (after, before));
  g_assert_cmpstr (after + strlen (before), ==, "What is it?\n");
  test_run_for (20);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_requests);

  /* The next message works, with a summary after all. */
  agent_start_streaming (fixture, "next");
  g_assert_true (is_compaction (fixture));
  say (fixture, "Apple.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !is_compaction (fixture));
  say (fixture, "ok");
  wait_until (fixture->n_completed == 2);
}

/* L5: the abort ends it in time, and leaves history byte for byte as it was. Named by the session,
 * both runs are told of. */
static void
test_abort (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  g_autofree char *before = NULL;
  GadgetTurn *turn;

  fill (fixture);
  before = dump (fixture);
  turn = begin_compaction (fixture);
  fake_provider_text (fixture->provider, "The user's pass");
  ack = gadget_agent_abort (fixture->agent, "session", NULL, GADGET_STOP_USER);
  g_assert_true (ack->aborted);
  g_assert_cmpuint (g_strv_length (ack->runs), ==, 2);
  expect_as_before (fixture, turn, before);
}

/* The summary is whole; the abort comes in the same instant. */
static void
test_abort_at_the_end (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  GadgetTurn *turn;

  fill (fixture);
  before = dump (fixture);
  turn = begin_compaction (fixture);
  say (fixture, "The user's password is apple.");
  agent_abort_now (fixture);
  expect_as_before (fixture, turn, before);
}

/* L4: in the gap between summary and request. */
static void
abort_when_added_cb (GadgetTurn *turn, guint position, guint removed, guint added,
                     AgentFixture *fixture)
{
  g_signal_handlers_disconnect_by_func (turn, abort_when_added_cb, fixture);
  agent_abort_now (fixture);
}

static void
test_abort_in_the_gap (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;
  guint n_requests;

  fill (fixture);
  turn = begin_compaction (fixture);
  g_signal_connect (turn, "items-changed", G_CALLBACK (abort_when_added_cb), fixture);
  n_requests = fake_provider_get_n_requests (fixture->provider);
  say (fixture, "The user's password is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  test_run_for (20);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_requests);
}

/* A1: its run alone can be stopped: then the turn goes on without a summary. */
static void
test_abort_run (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  GadgetTurn *turn;

  fill (fixture);
  turn = begin_compaction (fixture);
  ack = gadget_agent_abort (fixture->agent, NULL,
                            gadget_run_get_id (find_run (fixture, GADGET_RUN_COMPACTION)),
                            GADGET_STOP_API);
  g_assert_true (ack->aborted);
  wait_until (fake_provider_is_waiting (fixture->provider) && !is_compaction (fixture));
  g_assert_cmpuint (last_request (fixture)->messages->len, ==, 5);
  say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

static void
test_abort_all (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  g_autofree char *before = NULL;
  GadgetTurn *turn;

  fill (fixture);
  before = dump (fixture);
  turn = begin_compaction (fixture);
  ack = gadget_agent_abort (fixture->agent, NULL, NULL, GADGET_STOP_USER);
  g_assert_cmpuint (g_strv_length (ack->runs), ==, 2);
  expect_as_before (fixture, turn, before);
}

/* Without a summary the turn goes on: the model may be able to read more than was thought. */
static void
test_failure (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;

  fill (fixture);
  turn = begin_compaction (fixture);
  fake_provider_fail (fixture->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED, "no"));
  wait_until (fake_provider_is_waiting (fixture->provider) && !is_compaction (fixture));
  g_assert_cmpuint (last_request (fixture)->messages->len, ==, 5);
  say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 1);
}

/* --- How much a model can read ---------------------------------------------------------------- */

/* The second turn asks, and is not answered. */
static GadgetTurn *
begin_describing (AgentFixture *fixture)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn;

  fake_provider_set_context_length (fixture->provider, CONTEXT_LENGTH);
  fake_provider_hold_description (fixture->provider);
  agent_start_streaming (fixture, "The password is apple.");
  say (fixture, words);
  wait_until (fixture->n_completed == 1);
  fixture->n_completed = 0;
  turn = agent_start_streaming (fixture, "Go on.");
  g_assert_true (fake_provider_is_describing (fixture->provider));
  return turn;
}

/* It is stopped with the turn, and the receipt has a line for it. */
static void
test_describing_aborted (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_describing (fixture);
  GadgetReceipt *receipt = gadget_turn_get_receipt (turn);

  g_assert_cmpuint (gadget_receipt_get_n_in_flight (receipt), ==, 2);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_false (fake_provider_is_describing (fixture->provider));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (receipt), ==, 0);
  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gadget_receipt_get_line (receipt, i)->kind, ==, GADGET_RECEIPT_CONNECTION);
}

/* A turn that ends by itself does not wait for it, and leaves nothing behind. */
static void
test_describing_at_the_end (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_describing (fixture);

  say (fixture, "I did.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_false (fake_provider_is_describing (fixture->provider));
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);

  /* It is asked for again where it matters again, and known from then on. */
  turn = agent_start_streaming (fixture, "More.");
  g_assert_true (fake_provider_is_describing (fixture->provider));
  g_assert_cmpuint (fake_provider_get_n_described (fixture->provider), ==, 2);
  fake_provider_describe (fixture->provider);
  say (fixture, "Yes.");
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  agent_start_streaming (fixture, "Even more.");
  g_assert_true (is_compaction (fixture));
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
}

/* An abort that comes while only that is being stopped is taken. */
static void
test_describing_abort_at_the_end (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_describing (fixture);

  say (fixture, "I did.");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

/* What is not Latin weighs more: a chat of the same length in bytes is due earlier. */
static void
test_scripts (AgentFixture *fixture, gconstpointer data)
{
  GString *words = g_string_new (NULL);
  g_autofree char *chinese = NULL;
  g_autoptr (GadgetRequest) latin = gadget_request_new ();
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autofree char *same = NULL;

  for (guint i = 0; i < 3600; i++)
    g_string_append (words, "字");
  chinese = g_string_free_and_steal (words);
  same = g_strnfill (strlen (chinese), 'w');
  gadget_request_add_message (request, GADGET_ROLE_USER, chinese);
  gadget_request_add_message (latin, GADGET_ROLE_USER, same);
  g_assert_cmpint (gadget_request_count_tokens (request), ==, 3600);
  g_assert_cmpint (gadget_request_count_tokens (latin), ==, 2700);
  g_assert_true (is_due (request));
  g_assert_false (is_due (latin));

  /* What is summarised fits as well, and is cut between characters. */
  fake_provider_set_context_length (fixture->provider, CONTEXT_LENGTH);
  agent_start_streaming (fixture, "begin");
  for (guint i = 0; i < 2; i++)
    fake_provider_text (fixture->provider, chinese);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (
      gadget_turn_get_usage (gadget_session_get_turn (fixture->session, 0))->output_tokens, ==,
      7200);
  agent_start_streaming (fixture, "more");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 2);
  agent_start_streaming (fixture, "end");
  g_assert_true (is_compaction (fixture));
  g_assert_true (g_utf8_validate (request_get_text (last_request (fixture), 0), -1, NULL));
  g_assert_cmpint (gadget_request_count_tokens (last_request (fixture)), <,
                   CONTEXT_LENGTH * 8 / 10);
  g_assert_cmpint (gadget_request_count_tokens (last_request (fixture)), >, CONTEXT_LENGTH / 2);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
}

/* --- The provider says it --------------------------------------------------------------------- */

static void
fail_too_long (AgentFixture *fixture)
{
  fake_provider_fail (fixture->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                      GADGET_PROVIDER_ERROR_CONTEXT, "too long"));
}

static void
refuse_until_it_fails (AgentFixture *fixture)
{
  for (guint i = 0; i < 8 && fixture->n_completed == 0; i++)
    {
      fail_too_long (fixture);
      wait_until (fixture->n_completed == 1 || fake_provider_is_waiting (fixture->provider));
    }
  g_assert_cmpuint (fixture->n_completed, ==, 1);
}

/* It is what was said that is too long, not what the tools are. */
static GadgetTurn *
begin_too_long (AgentFixture *fixture)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn;

  agent_start_streaming (fixture, "The password is apple.");
  say (fixture, "I see.");
  wait_until (fixture->n_completed == 1);
  fixture->n_completed = 0;
  turn = agent_start_streaming (fixture, words);
  fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (is_compaction (fixture));
  return turn;
}

static void
test_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  say (fixture, "The password is apple.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !is_compaction (fixture));
  say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* Once: what is too long even then, and without tools, is an error, which says what can be done. */
static void
test_too_long_twice (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  say (fixture, "The password is apple.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !is_compaction (fixture));
  refuse_until_it_fails (fixture);
  g_assert_cmpuint (last_request (fixture)->tools->len, ==, 0);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ERROR);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/context");
}

static void
test_too_long_and_no_summary (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  refuse_until_it_fails (fixture);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ERROR);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/context");
}

/* What is summarized is halved until the model can read it: the provider knows better than an
 * estimate. */
static void
test_summary_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);
  const gint64 tokens = gadget_request_count_tokens (last_request (fixture));

  fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (is_compaction (fixture));
  g_assert_cmpint (gadget_request_count_tokens (last_request (fixture)), <, tokens * 6 / 10);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

/* A summary that fills what it was to make room for is cut. */
static void
test_long_summary (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (LONG, 's');
  GadgetTurn *turn;

  fill (fixture);
  turn = begin_compaction (fixture);
  say (fixture, words);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_false (is_compaction (fixture));
  g_assert_false (is_due (last_request (fixture)));
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

/* Without a summary the tools are left out, when the rest fits. */
static void
test_no_summary_and_no_tools (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  fake_provider_fail (fixture->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED, "no"));
  wait_until (fake_provider_is_waiting (fixture->provider) && !is_compaction (fixture));
  g_assert_cmpuint (last_request (fixture)->tools->len, ==, 0);
  say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* A single prompt that is too long cannot be summarized away; but perhaps it fits without tools. */
static void
test_long_prompt (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn = agent_start_streaming (fixture, words);

  fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpuint (last_request (fixture)->tools->len, ==, 0);
  say (fixture, "ok");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

static void
test_too_long_at_first (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn = agent_start_streaming (fixture, words);

  refuse_until_it_fails (fixture);
  g_assert_cmpstr (gadget_turn_get_error_code (turn), ==, "provider/context");
}

static void
test_abort_too_long (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = begin_too_long (fixture);

  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

/* --- Within a turn ---------------------------------------------------------------------------- */

/* Between two steps; what the user has just said is not of the past. */
static void
test_between_steps (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strnfill (LONG, 'w');
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  const char *text;

  fake_provider_text (fixture->provider, words);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  gadget_session_steer (fixture->session, "only the tests");
  fake_tool_end (fixture->slow, "the result");
  wait_until (fake_provider_is_waiting (fixture->provider));
  fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (is_compaction (fixture));
  g_assert_nonnull (strstr (request_get_text (last_request (fixture), 0), "the result"));
  say (fixture, "The tool said something.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !is_compaction (fixture));
  text = request_get_text (last_request (fixture), 0);
  g_assert_cmpuint (last_request (fixture)->messages->len, ==, 1);
  g_assert_nonnull (strstr (text, "The tool said something.\n\ngo\n\nonly the tests"));
  g_assert_null (strstr (text, "the result"));
  say (fixture, "ok");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

/* Old results are shortened, and say so; those that the model has not read yet are not. */
static void
test_shorten (void)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autofree char *result = g_strnfill (9000, 'r');
  GadgetMessage *message;

  gadget_request_add_message (request, GADGET_ROLE_USER, "go");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *id = g_strdup_printf ("c%u", i);

      message = gadget_request_add_message (request, GADGET_ROLE_ASSISTANT, NULL);
      gadget_message_add_call (message, id, "shell", "{}");
      gadget_request_add_result (request, id, "shell", result);
    }
  _gadget_compaction_shorten (request);
  strict_request_assert (request);
  g_assert_cmpuint (strlen (request_get_text (request, 2)), <, 2200);
  g_assert_nonnull (strstr (request_get_text (request, 2), "7000 characters of this result"));
  g_assert_cmpuint (strlen (request_get_text (request, 4)), ==, 9000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("compaction/summary", test_summary);
  agent_test_add ("compaction/L5-abort", test_abort);
  agent_test_add ("compaction/L5-abort-at-the-end", test_abort_at_the_end);
  agent_test_add ("compaction/L4-abort-in-the-gap", test_abort_in_the_gap);
  agent_test_add ("compaction/A1-abort-run", test_abort_run);
  agent_test_add ("compaction/A1-abort-all", test_abort_all);
  agent_test_add ("compaction/failure", test_failure);
  agent_test_add ("compaction/too-long", test_too_long);
  agent_test_add ("compaction/too-long-twice", test_too_long_twice);
  agent_test_add ("compaction/too-long-and-no-summary", test_too_long_and_no_summary);
  agent_test_add ("compaction/summary-too-long", test_summary_too_long);
  agent_test_add ("compaction/long-summary", test_long_summary);
  agent_test_add ("compaction/no-summary-and-no-tools", test_no_summary_and_no_tools);
  agent_test_add ("compaction/long-prompt", test_long_prompt);
  agent_test_add ("compaction/too-long-at-first", test_too_long_at_first);
  agent_test_add ("compaction/L5-abort-too-long", test_abort_too_long);
  agent_test_add ("compaction/between-steps", test_between_steps);
  agent_test_add ("compaction/describing-aborted", test_describing_aborted);
  agent_test_add ("compaction/describing-at-the-end", test_describing_at_the_end);
  agent_test_add ("compaction/describing-abort-at-the-end", test_describing_abort_at_the_end);
  agent_test_add ("compaction/scripts", test_scripts);
  g_test_add_func ("/engine/agent/compaction/shorten", test_shorten);

  return g_test_run ();
}
