/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chat that outgrows its model: summarised, and everything that can come in between. */

#include "config.h"

#include "agent-fixture.h"
#include "agent/gadget-compaction.h"
#include "compaction-fixture.h"
#include "session/gadget-history.h"
#include "strict-request.h"
#include "test-wait.h"
#include "wait.h"

#include <string.h>

static char *
dump (AgentFixture *fixture)
{
  g_autoptr (GadgetRequest) request = gadget_history_build (fixture->session, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < request->messages->len; i++)
    g_string_append_printf (text, "%s\n", request_get_text (request, i));
  return g_string_free_and_steal (text);
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

  compaction_fill (fixture);
  turn = compaction_begin (fixture);
  run = find_run (fixture, GADGET_RUN_COMPACTION);
  g_assert_true (gadget_run_get_parent (run) == find_run (fixture, GADGET_RUN_TURN));
  g_assert_cmpstr (gadget_run_get_session_id (run), ==, "session");
  request = compaction_last_request (fixture);
  g_assert_nonnull (strstr (request_get_text (request, 0), "User: The password is apple."));
  g_assert_cmpuint (request->tools->len, ==, 0);
  g_assert_false (compaction_is_due (request));

  compaction_say (fixture, " The user's password is apple. \n");
  wait_until (fake_provider_is_waiting (fixture->provider));
  request = compaction_last_request (fixture);
  g_assert_cmpuint (request->messages->len, ==, 1);
  g_assert_nonnull (
      strstr (request_get_text (request, 0), "summary of it:]\n\nThe user's password is apple."));
  g_assert_true (g_str_has_suffix (request_get_text (request, 0), "\n\nWhat is it?"));
  g_assert_cmpuint (request->tools->len, >, 0);
  compaction_say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 2);
  g_assert_cmpint (gadget_item_get_kind (gadget_turn_get_item (turn, 0)), ==, GADGET_ITEM_SUMMARY);
  g_assert_true (gadget_turn_get_usage (turn)->estimated);

  /* History goes on from there; what was recorded before is as it was. */
  agent_start_streaming (fixture, "Thanks.");
  request = compaction_last_request (fixture);
  g_assert_cmpuint (request->messages->len, ==, 3);
  g_assert_cmpstr (request_get_text (request, 1), ==, "It is apple.");
  g_assert_cmpstr (request_get_text (request, 2), ==, "Thanks.");
  compaction_say (fixture, "ok");
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
  g_assert_true (compaction_is_requested (fixture));
  compaction_say (fixture, "Apple.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  compaction_say (fixture, "ok");
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

  compaction_fill (fixture);
  before = dump (fixture);
  turn = compaction_begin (fixture);
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

  compaction_fill (fixture);
  before = dump (fixture);
  turn = compaction_begin (fixture);
  compaction_say (fixture, "The user's password is apple.");
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

  compaction_fill (fixture);
  turn = compaction_begin (fixture);
  g_signal_connect (turn, "items-changed", G_CALLBACK (abort_when_added_cb), fixture);
  n_requests = fake_provider_get_n_requests (fixture->provider);
  compaction_say (fixture, "The user's password is apple.");
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

  compaction_fill (fixture);
  turn = compaction_begin (fixture);
  ack = gadget_agent_abort (fixture->agent, NULL,
                            gadget_run_get_id (find_run (fixture, GADGET_RUN_COMPACTION)),
                            GADGET_STOP_API);
  g_assert_true (ack->aborted);
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  g_assert_cmpuint (compaction_last_request (fixture)->messages->len, ==, 5);
  compaction_say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
}

static void
test_abort_all (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  g_autofree char *before = NULL;
  GadgetTurn *turn;

  compaction_fill (fixture);
  before = dump (fixture);
  turn = compaction_begin (fixture);
  ack = gadget_agent_abort (fixture->agent, NULL, NULL, GADGET_STOP_USER);
  g_assert_cmpuint (g_strv_length (ack->runs), ==, 2);
  expect_as_before (fixture, turn, before);
}

/* Without a summary the turn goes on: the model may be able to read more than was thought. */
static void
test_failure (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;

  compaction_fill (fixture);
  turn = compaction_begin (fixture);
  fake_provider_fail (fixture->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED, "no"));
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  g_assert_cmpuint (compaction_last_request (fixture)->messages->len, ==, 5);
  compaction_say (fixture, "It is apple.");
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 1);
}

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
  compaction_fail_too_long (fixture);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_true (compaction_is_requested (fixture));
  g_assert_nonnull (strstr (request_get_text (compaction_last_request (fixture), 0), "the result"));
  compaction_say (fixture, "The tool said something.");
  wait_until (fake_provider_is_waiting (fixture->provider) && !compaction_is_requested (fixture));
  text = request_get_text (compaction_last_request (fixture), 0);
  g_assert_cmpuint (compaction_last_request (fixture)->messages->len, ==, 1);
  g_assert_nonnull (strstr (text, "The tool said something.\n\ngo\n\nonly the tests"));
  g_assert_null (strstr (text, "the result"));
  compaction_say (fixture, "ok");
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
  agent_test_add ("compaction/between-steps", test_between_steps);
  g_test_add_func ("/engine/agent/compaction/shorten", test_shorten);

  return g_test_run ();
}
