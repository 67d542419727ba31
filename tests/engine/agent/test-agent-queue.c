/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Messages that wait for their turn. */

#include "config.h"

#include "agent-fixture.h"
#include "test-wait.h"
#include "wait.h"

/* U15: after an abort everything queued stays queued, in order, and nothing is sent by itself. */
static void
test_queue (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");

  gadget_session_enqueue (fixture->session, "one");
  gadget_session_enqueue (fixture->session, "two");
  agent_abort_now (fixture);
  agent_assert_aborted (fixture, turn);
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
test_queue_moment (AgentFixture *fixture, gconstpointer data)
{
  GListModel *queue = gadget_session_get_queue (fixture->session);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  guint n_queued = 99;

  agent_start_streaming (fixture, "go");
  gadget_session_enqueue (fixture->session, "one");
  gadget_session_enqueue (fixture->session, "two");
  gadget_session_enqueue (fixture->session, "three");
  gadget_session_set_queue_paused (fixture->session, TRUE);
  g_assert_false (gadget_agent_send_queued (fixture->agent, fixture->session, 1, NULL, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY);
  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, 3);
  g_assert_true (gadget_session_get_queue_paused (fixture->session));

  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  g_signal_connect (fixture->session, "items-changed", G_CALLBACK (queue_when_begun_cb), &n_queued);
  g_assert_true (gadget_agent_send_queued (fixture->agent, fixture->session, 1, NULL, NULL));
  g_assert_cmpuint (n_queued, ==, 2);
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (fixture->session)), ==,
                   "two");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  first = gadget_session_dequeue (fixture->session, 0);
  g_assert_cmpstr (first, ==, "one");
}

static void
assert_waits (AgentFixture *fixture, const char *prompt, guint n_queued)
{
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_last_turn (fixture->session)), ==,
                   prompt);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (fixture->session)), ==,
                    n_queued);
}

static void
finish (AgentFixture *fixture)
{
  fake_provider_text (fixture->provider, "ok");
  fake_provider_end (fixture->provider);
}

/* What is sent after the abort, while the turn settles, begins when it has; what was queued before
 * stays where it is. */
static void
test_after_abort (AgentFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = agent_start_streaming (fixture, "go");
  g_autofree char *left = NULL;

  gadget_session_enqueue (fixture->session, "before");
  agent_abort_now (fixture);
  gadget_session_enqueue (fixture->session, "after");
  gadget_session_steer (fixture->session, "also after");
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);

  wait_until (fixture->n_completed == 1);
  assert_waits (fixture, "also after", 2);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  finish (fixture);
  wait_until (fixture->n_completed == 2);
  assert_waits (fixture, "after", 1);
  finish (fixture);
  wait_until (fixture->n_completed == 3);
  test_run_for (20);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 3);
  g_assert_true (gadget_session_get_queue_paused (fixture->session));
  left = gadget_session_dequeue (fixture->session, 0);
  g_assert_cmpstr (left, ==, "before");
}

/* The next abort pauses what was sent after the one before. */
static void
test_after_abort_twice (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  agent_abort_now (fixture);
  gadget_session_enqueue (fixture->session, "one");
  gadget_session_enqueue (fixture->session, "two");
  wait_until (fixture->n_completed == 1);
  assert_waits (fixture, "one", 1);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  test_run_for (20);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 2);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (fixture->session)), ==, 1);
  g_assert_true (gadget_session_get_queue_paused (fixture->session));
}

/* While one that was paused is left, what is queued goes on by itself. */
static void
test_beside_paused (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  gadget_session_enqueue (fixture->session, "paused");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  agent_start_streaming (fixture, "again");
  gadget_session_enqueue (fixture->session, "queued");
  finish (fixture);
  wait_until (fixture->n_completed == 2);
  assert_waits (fixture, "queued", 1);
  g_assert_true (gadget_session_get_queue_paused (fixture->session));
  finish (fixture);
  wait_until (fixture->n_completed == 3);
}

/* Quitting is a stop as well: what finished in its last instant is followed by nothing. */
static void
test_no_queue_at_the_end (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  agent_start_streaming (fixture, "go");
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  agent_test_add ("U15-queue", test_queue);
  agent_test_add ("queue-moment", test_queue_moment);
  agent_test_add ("after-abort", test_after_abort);
  agent_test_add ("after-abort-twice", test_after_abort_twice);
  agent_test_add ("beside-paused", test_beside_paused);
  agent_test_add ("L7-no-queue-at-the-end", test_no_queue_at_the_end);

  return g_test_run ();
}
