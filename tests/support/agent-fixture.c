/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agent-fixture.h"

#include "secrets/gadget-secrets.h"
#include "test-wait.h"
#include "tools/gadget-tool-ask-user.h"
#include "tools/gadget-tool-task.h"
#include "wait.h"

static void
completed_cb (GadgetAgent *agent, const char *turn_id, gboolean success, const char *message,
              AgentFixture *fixture)
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

void
agent_set_up (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSecrets) secrets = gadget_secrets_new ();
  g_autoptr (GadgetToolbox) toolbox = gadget_toolbox_new ();
  g_autoptr (GadgetTool) ask_user = gadget_tool_ask_user_new ();
  g_autoptr (GadgetTool) task = gadget_tool_task_new ();
  g_autoptr (GadgetProviderList) providers = NULL;

  fixture->clock = gadget_clock_new_manual (0);
  fixture->provider = fake_provider_new ();
  fixture->slow = fake_tool_new ("slow");
  fixture->other = fake_tool_new ("other");
  gadget_toolbox_add (toolbox, GADGET_TOOL (fixture->slow));
  gadget_toolbox_add (toolbox, GADGET_TOOL (fixture->other));
  gadget_toolbox_add (toolbox, ask_user);
  gadget_toolbox_add (toolbox, task);
  providers = gadget_provider_list_new (NULL, secrets, fixture->clock);
  gadget_provider_list_override (providers, "fake", GADGET_PROVIDER (fixture->provider));
  fixture->agent = gadget_agent_new (providers, toolbox, fixture->store, fixture->clock);
  fixture->session = gadget_session_new ("session");
  gadget_session_set_loaded (fixture->session, TRUE);
  gadget_session_set_model (fixture->session, "fake", "model");
  g_signal_connect (fixture->agent, "completed", G_CALLBACK (completed_cb), fixture);
}

void
agent_tear_down (AgentFixture *fixture, gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (fixture->agent), (gpointer *) &fixture->agent);
  g_object_add_weak_pointer (G_OBJECT (fixture->session), (gpointer *) &fixture->session);
  wait_idle ();
  g_object_unref (fixture->agent);
  g_object_unref (fixture->session);
  /* Nothing holds on to a turn that is over, but a write that is under way. */
  g_assert_null (fixture->agent);
  wait_until (fixture->session == NULL);
  g_clear_object (&fixture->provider);
  g_clear_object (&fixture->slow);
  g_clear_object (&fixture->other);
  g_clear_object (&fixture->clock);
  g_free (fixture->turn_id);
  g_free (fixture->message);
}

GadgetTurn *
agent_start (AgentFixture *fixture, const char *prompt)
{
  const GadgetTurnOptions options = { .interactive = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (fixture->agent, fixture->session, prompt, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (gadget_session_get_active_run (fixture->session), ==, gadget_run_get_id (run));
  return gadget_session_get_last_turn (fixture->session);
}

GadgetTurn *
agent_start_streaming (AgentFixture *fixture, const char *prompt)
{
  GadgetTurn *turn = agent_start (fixture, prompt);

  wait_until (fake_provider_is_waiting (fixture->provider));
  return turn;
}

void
agent_abort_now (AgentFixture *fixture)
{
  g_autoptr (GadgetAbortAck) ack = gadget_agent_abort (
      fixture->agent, gadget_session_get_id (fixture->session), NULL, GADGET_STOP_USER);

  g_assert_true (ack->aborted);
  g_assert_cmpstr (ack->message, ==, GADGET_ABORT_SIGNALED);
}

void
agent_assert_aborted (AgentFixture *fixture, GadgetTurn *turn)
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
  next = agent_start_streaming (fixture, "next");
  fake_provider_text (fixture->provider, "fine");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_get_status (next), ==, GADGET_TURN_FINISHED);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
}

void
agent_run_two_calls (AgentFixture *fixture)
{
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_call (fixture->provider, 1, "b", "other", "{}");
  fake_provider_end (fixture->provider);
}
