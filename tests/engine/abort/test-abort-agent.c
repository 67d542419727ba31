/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cases that a provider and tools played by the test show best. */

#include "config.h"

#include "agent-fixture.h"
#include "strict-request.h"
#include "wait.h"

#include <string.h>

/* --- L8, X15: a batch ---------------------------------------------------------------------------
 */

static GadgetPrompt *
dup_prompt (GadgetTurn *turn, guint index)
{
  return g_object_ref (gadget_item_get_prompt (gadget_turn_get_item (turn, index)));
}

static gboolean
has_prompt (GadgetTurn *turn, guint index)
{
  return index < gadget_turn_get_n_items (turn)
         && gadget_item_get_prompt (gadget_turn_get_item (turn, index)) != NULL;
}

static const char *
get_result (GadgetTurn *turn, guint index)
{
  return gadget_item_get_result (gadget_turn_get_item (turn, index));
}

static GadgetItemStatus
get_status (GadgetTurn *turn, guint index)
{
  return gadget_item_get_status (gadget_turn_get_item (turn, index));
}

/* One done, one running, one that waits for permission, one that failed by itself, one that is cut:
 * each has its own kind of end, and the next request has exactly one result for each that was
 * called. */
static void
test_batch (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (FakeTool) asking = fake_tool_new ("asking");

  fake_tool_set_asks (asking, TRUE);
  gadget_toolbox_add (gadget_agent_get_toolbox (fixture->agent), GADGET_TOOL (asking));
  fake_provider_call (fixture->provider, 0, "a", "other", "{}");
  fake_provider_call (fixture->provider, 1, "b", "slow", "{}");
  fake_provider_call (fixture->provider, 2, "c", "asking", "{}");
  fake_provider_call (fixture->provider, 3, "d", "no_such_tool", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other)
              && has_prompt (turn, 2));
  fake_tool_end (fixture->other, "real");
  fake_tool_output (fixture->slow, "half");
  wait_idle ();
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);

  g_assert_cmpint (get_status (turn, 0), ==, GADGET_ITEM_FINISHED);
  g_assert_cmpstr (get_result (turn, 0), ==, "real");
  g_assert_cmpint (get_status (turn, 1), ==, GADGET_ITEM_ABORTED);
  g_assert_cmpstr (get_result (turn, 1), ==, "half");
  g_assert_cmpint (get_status (turn, 2), ==, GADGET_ITEM_NOT_RUN);
  g_assert_cmpstr (get_result (turn, 2), ==, "Interrupted by user");
  g_assert_cmpint (get_status (turn, 3), ==, GADGET_ITEM_FAILED);
  g_assert_cmpuint (fake_tool_get_n_calls (asking), ==, 0);
}

/* Three prompts are open, and each is answered after all: all go, and nothing starts. */
static void
test_three_prompts (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autoptr (GPtrArray) prompts = g_ptr_array_new_with_free_func (g_object_unref);

  fake_tool_set_asks (fixture->slow, TRUE);
  fake_tool_set_asks (fixture->other, TRUE);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_call (fixture->provider, 1, "b", "other", "{}");
  fake_provider_call (fixture->provider, 2, "c", "ask_user", "{\"question\":\"Which?\"}");
  fake_provider_end (fixture->provider);
  wait_until (has_prompt (turn, 0) && has_prompt (turn, 1) && has_prompt (turn, 2));
  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (prompts, dup_prompt (turn, i));
  agent_abort_now (fixture);
  for (guint i = 0; i < 3; i++)
    g_assert_false (gadget_prompt_answer (prompts->pdata[i], GADGET_PROMPT_ALLOW));
  agent_assert_aborted (fixture, turn);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_false (gadget_prompt_is_open (prompts->pdata[i]));
      g_assert_false (gadget_prompt_answer (prompts->pdata[i], GADGET_PROMPT_ALLOW));
    }
}

/* A prompt that would come behind the abort, in the same instant: it is never there. */
static void
test_prompt_behind_abort (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  fake_tool_set_asks (fixture->slow, TRUE);
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  agent_abort_now (fixture);
  fake_provider_end (fixture->provider);
  g_assert_false (has_prompt (turn, 0));
  agent_assert_aborted (fixture, turn);
  g_assert_cmpuint (fake_tool_get_n_calls (fixture->slow), ==, 0);
}

/* --- H10: told once, and that things may have happened ------------------------------------------
 */

static guint
count_words (GadgetRequest *request, const char *words)
{
  guint n = 0;

  for (guint i = 0; i < request->messages->len; i++)
    for (const char *at = request_get_text (request, i); (at = strstr (at, words)) != NULL; at++)
      n++;
  return n;
}

static void
test_told_once (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "write it down");
  GadgetRequest *request;

  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (fixture->slow));
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  request = fake_provider_get_request (fixture->provider, 1);
  g_assert_cmpuint (count_words (request, "may have"), ==, 1);
  /* H11: it is no turn of the user's. */
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 2);
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_turn (fixture->session, 1)), ==,
                   "next");
}

/* --- A12 ----------------------------------------------------------------------------------------
 */

/* Nothing but a limit that was set ends a run, however long it takes. */
static void
test_three_hours (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autofree char *run = g_strdup (gadget_session_get_active_run (fixture->session));

  for (guint i = 0; i < 180; i++)
    {
      gadget_clock_advance (fixture->clock, 60 * G_USEC_PER_SEC);
      wait_idle ();
    }
  g_assert_nonnull (gadget_registry_find (gadget_agent_get_registry (fixture->agent), run));
  g_assert_true (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
}

/* --- A7 -----------------------------------------------------------------------------------------
 */

/* What is unknown, over, or somebody else's is not "aborted", and is left alone. */
static void
test_typed_outcome (AgentFixture *fixture, gconstpointer data)
{
  static const char *const names[][2] = { { "session", "no-such-run" },
                                          { "no-such-session", NULL },
                                          { "other", NULL } };
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autofree char *run = g_strdup (gadget_session_get_active_run (fixture->session));
  g_autoptr (GadgetAbortAck) late = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GadgetAbortAck) ack =
          gadget_agent_abort (fixture->agent, names[i][0], names[i][1], GADGET_STOP_API);

      g_assert_false (ack->aborted);
      g_assert_cmpstr (ack->message, ==, GADGET_ABORT_NOTHING);
      g_assert_cmpuint (g_strv_length (ack->runs), ==, 0);
    }
  g_assert_true (fake_provider_is_waiting (fixture->provider));
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
  /* A5, A6: the name of an old run is nobody's any more. */
  agent_start_streaming (fixture, "again");
  late = gadget_agent_abort (fixture->agent, "session", run, GADGET_STOP_API);
  g_assert_false (late->aborted);
  g_assert_true (fake_provider_is_waiting (fixture->provider));
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/abort/" path, AgentFixture, NULL, agent_set_up, func, agent_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("L8-batch", test_batch);
  ADD ("X15-three-prompts", test_three_prompts);
  ADD ("X15-prompt-behind-abort", test_prompt_behind_abort);
  ADD ("H10-told-once", test_told_once);
  ADD ("A12-three-hours", test_three_hours);
  ADD ("A7-typed-outcome", test_typed_outcome);
  return g_test_run ();
}
