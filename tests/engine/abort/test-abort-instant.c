/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The instant at which the outcome is fixed (ABORT.md, section 2; cases L9, U6, A14): what ends a
 * turn and what aborts it come from two threads that leave a barrier together. Whatever the order
 * is, there is one outcome, and it is the one that the acknowledgement promised. */

#include "config.h"

#include "abort-fixture.h"
#include "agent-fixture.h"
#include "wait.h"

#define N_TURNS 1000

/* --- Two threads --------------------------------------------------------------------------------
 */

typedef struct
{
  GMutex mutex;
  GCond cond;
  guint n_waiting;
  guint generation;
} Barrier;

typedef struct
{
  Barrier *barrier;
  GSourceFunc func;
  gpointer data;
  /* So that neither always wins: the end of an answer needs some rounds of the main loop until it
   * is the outcome. */
  guint spin;
  int priority;
} Racer;

static void
barrier_pass (Barrier *self)
{
  guint generation;

  g_mutex_lock (&self->mutex);
  generation = self->generation;
  if (++self->n_waiting == 2)
    {
      self->n_waiting = 0;
      self->generation++;
      g_cond_broadcast (&self->cond);
    }
  while (generation == self->generation)
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

static gpointer
run_racer (gpointer data)
{
  Racer *self = data;

  barrier_pass (self->barrier);
  for (volatile guint i = 0; i < self->spin; i++)
    ;
  /* Never called here, as g_main_context_invoke () would while the main loop does not run. */
  g_idle_add_full (self->priority, self->func, self->data, NULL);
  return NULL;
}

/* Both are called on the main context. */
static void
race (Barrier *barrier, GSourceFunc one, GSourceFunc two, gpointer data)
{
  Racer racers[2];
  GThread *threads[2];

  for (guint i = 0; i < 2; i++)
    {
      racers[i] = (Racer) {
        .barrier = barrier,
        .func = i == 0 ? one : two,
        .data = data,
        .spin = (guint) g_test_rand_int_range (0, 3000),
        .priority = g_test_rand_bit () ? G_PRIORITY_DEFAULT : G_PRIORITY_DEFAULT_IDLE,
      };
      threads[i] = g_thread_new ("racer", run_racer, &racers[i]);
    }
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
}

/* --- The end of an answer -----------------------------------------------------------------------
 */

typedef struct
{
  AbortFixture abort;
  FakeProvider *provider;
  guint n_done;
  gboolean acknowledged;
  const char *message;
} Answer;

static void
answer_set_up (Answer *self, gconstpointer data)
{
  abort_set_up (&self->abort, FAKE_SERVER_PLAIN, NULL);
  self->provider = fake_provider_new ();
  gadget_provider_list_override (gadget_engine_get_providers (self->abort.engine), "fake",
                                 GADGET_PROVIDER (self->provider));
}

static void
answer_tear_down (Answer *self, gconstpointer data)
{
  abort_tear_down (&self->abort);
  g_object_unref (self->provider);
}

static gboolean
end_answer_cb (gpointer user_data)
{
  Answer *self = user_data;

  self->n_done++;
  /* The abort may have been first, and have ended the request already. */
  if (fake_provider_is_waiting (self->provider))
    fake_provider_end (self->provider);
  return G_SOURCE_REMOVE;
}

static gboolean
fail_answer_cb (gpointer user_data)
{
  Answer *self = user_data;

  self->n_done++;
  if (fake_provider_is_waiting (self->provider))
    fake_provider_fail (self->provider, g_error_new (GADGET_PROVIDER_ERROR,
                                                     GADGET_PROVIDER_ERROR_CUT, "connection lost"));
  return G_SOURCE_REMOVE;
}

static gboolean
abort_answer_cb (gpointer user_data)
{
  Answer *self = user_data;
  g_autoptr (GadgetAbortAck) ack =
      gadget_agent_abort (gadget_engine_get_agent (self->abort.engine),
                          gadget_session_get_id (self->abort.session), NULL, GADGET_STOP_USER);

  self->n_done++;
  self->acknowledged = ack->aborted;
  self->message = ack->message;
  return G_SOURCE_REMOVE;
}

static void
assert_as_promised (Answer *self, GadgetTurnStatus otherwise)
{
  g_assert_cmpint (gadget_turn_get_status (self->abort.turn), ==,
                   self->acknowledged ? GADGET_TURN_ABORTED : otherwise);
  g_assert_cmpint (gadget_turn_get_stop_reason (self->abort.turn), ==,
                   self->acknowledged ? GADGET_STOP_USER : GADGET_STOP_NONE);
  g_assert_cmpstr (self->message, ==,
                   self->acknowledged ? GADGET_ABORT_SIGNALED : GADGET_ABORT_NOTHING);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (self->abort.turn, 0)), ==,
                   "The last byte");
}

static void
test_answer (Answer *self, gconstpointer data)
{
  Barrier barrier = { 0 };
  guint n_aborted = 0;

  for (guint i = 0; i < N_TURNS; i++)
    {
      const gboolean fails = i % 4 == 3;

      if (i % 20 == 0)
        abort_new_session (&self->abort);
      abort_start (&self->abort, "go", GADGET_APPROVAL_ASK);
      wait_until (fake_provider_is_waiting (self->provider));
      fake_provider_text (self->provider, "The last byte");
      self->n_done = 0;
      race (&barrier, fails ? fail_answer_cb : end_answer_cb, abort_answer_cb, self);
      wait_until (self->n_done == 2 && self->abort.n_completed > i);
      wait_idle ();
      g_assert_cmpuint (self->abort.n_completed, ==, i + 1); /* I1 */
      assert_as_promised (self, fails ? GADGET_TURN_ERROR : GADGET_TURN_FINISHED);
      n_aborted += self->acknowledged;
    }
  g_test_message ("%u of %u were aborted", n_aborted, N_TURNS);
  /* A race that only one can win shows nothing. */
  g_assert_cmpuint (n_aborted, >, N_TURNS / 50);
  g_assert_cmpuint (n_aborted, <, N_TURNS - N_TURNS / 50);
}

/* From the moment at which the outcome is fixed until it is written, abort answers FALSE. */
static void
test_sealing (Answer *self, gconstpointer data)
{
  g_autoptr (GadgetRun) run = NULL;
  guint n_sealing = 0;

  for (guint i = 0; i < 50; i++)
    {
      abort_start (&self->abort, "go", GADGET_APPROVAL_ASK);
      run = g_object_ref (gadget_registry_find (
          gadget_agent_get_registry (gadget_engine_get_agent (self->abort.engine)),
          gadget_session_get_active_run (self->abort.session)));
      wait_until (fake_provider_is_waiting (self->provider));
      fake_provider_text (self->provider, "The last byte");
      fake_provider_end (self->provider);
      wait_until (gadget_run_get_state (run) != GADGET_RUN_RUNNING);
      n_sealing += gadget_run_get_state (run) == GADGET_RUN_SEALING;
      abort_answer_cb (self);
      g_assert_false (self->acknowledged);
      wait_until (self->abort.n_completed == i + 1);
      assert_as_promised (self, GADGET_TURN_FINISHED);
      g_clear_object (&run);
    }
  g_assert_cmpuint (n_sealing, >, 0);
}

/* --- The end of a tool --------------------------------------------------------------------------
 */

typedef struct
{
  AgentFixture *agent;
  guint n_done;
  gboolean ended;
} ToolEnd;

static gboolean
end_tool_cb (gpointer user_data)
{
  ToolEnd *self = user_data;

  self->n_done++;
  if (fake_tool_is_running (self->agent->slow))
    {
      self->ended = TRUE;
      fake_tool_end (self->agent->slow, "real");
    }
  return G_SOURCE_REMOVE;
}

static gboolean
abort_tool_cb (gpointer user_data)
{
  ToolEnd *self = user_data;

  self->n_done++;
  agent_abort_now (self->agent);
  return G_SOURCE_REMOVE;
}

/* A result that did arrive is the one that is kept; one that did not is not made up. */
static void
test_tool (AgentFixture *fixture, gconstpointer data)
{
  Barrier barrier = { 0 };
  guint n_ended = 0;

  for (guint i = 0; i < N_TURNS; i++)
    {
      ToolEnd end = { fixture, 0, FALSE };
      GadgetTurn *turn;
      GadgetItem *item;

      if (i % 20 == 0)
        {
          g_object_unref (fixture->session);
          fixture->session = gadget_session_new ("session");
          gadget_session_set_model (fixture->session, "fake", "model");
        }
      turn = agent_start_streaming (fixture, "go");
      fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
      fake_provider_end (fixture->provider);
      wait_until (fake_tool_is_running (fixture->slow));
      item = gadget_turn_get_item (turn, 0);
      race (&barrier, end_tool_cb, abort_tool_cb, &end);
      wait_until (end.n_done == 2 && fixture->n_completed > i);
      wait_idle ();
      g_assert_cmpuint (fixture->n_completed, ==, i + 1);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
      g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 1);
      g_assert_cmpint (gadget_item_get_status (item), ==,
                       end.ended ? GADGET_ITEM_FINISHED : GADGET_ITEM_ABORTED);
      if (end.ended)
        g_assert_cmpstr (gadget_item_get_result (item), ==, "real");
      n_ended += end.ended;
    }
  g_test_message ("%u of %u had a real result", n_ended, N_TURNS);
  g_assert_cmpuint (n_ended, >, N_TURNS / 50);
  g_assert_cmpuint (n_ended, <, N_TURNS - N_TURNS / 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/abort/L9-answer-ends-at-once", Answer, NULL, answer_set_up, test_answer,
              answer_tear_down);
  g_test_add ("/abort/L9-sealing", Answer, NULL, answer_set_up, test_sealing, answer_tear_down);
  g_test_add ("/abort/L9-tool-ends-at-once", AgentFixture, NULL, agent_set_up, test_tool,
              agent_tear_down);
  return g_test_run ();
}
