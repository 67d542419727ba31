/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which chats are unread, and the place of chats in the list when two processes change it. */

#include "config.h"

#include "engine-fixture.h"
#include "test-engine.h"
#include "test-store.h"
#include "wait.h"

static gboolean
is_unread (EngineFixture *fixture)
{
  return gadget_session_get_unread (fixture->session);
}

/* Runs a turn to its end. */
static void
finish_turn (EngineFixture *fixture)
{
  const guint n_completed = fixture->n_completed;

  engine_fixture_start (fixture, "go", "x");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == n_completed + 1);
}

static void
test_ended (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  int window = 0;

  gadget_engine_set_viewed (fixture->engine, &window, NULL);
  finish_turn (fixture);
  g_assert_true (is_unread (fixture));
  stored = engine_fixture_reload (fixture);
  g_assert_true (gadget_session_get_unread (stored));
}

static void
test_failed (EngineFixture *fixture, gconstpointer data)
{
  int window = 0;

  gadget_engine_set_viewed (fixture->engine, &window, NULL);
  engine_fixture_start (fixture, "go", "x");
  fake_provider_fail (fixture->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT, "cut"));
  wait_until (fixture->n_completed == 1);
  g_assert_true (is_unread (fixture));
}

/* The user has stopped it, and so knows how it ended; another program may have stopped it, too. */
static void
test_aborted (EngineFixture *fixture, gconstpointer data)
{
  int window = 0;

  gadget_engine_set_viewed (fixture->engine, &window, NULL);
  engine_fixture_start (fixture, "go", "x");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_false (is_unread (fixture));
  engine_fixture_start (fixture, "go", "x");
  gadget_abort_ack_free (
      gadget_agent_abort (gadget_engine_get_agent (fixture->engine), NULL, NULL, GADGET_STOP_API));
  wait_until (fixture->n_completed == 2);
  g_assert_true (is_unread (fixture));
}

/* As in gadget-cli: nobody has said what is looked at. */
static void
test_without_windows (EngineFixture *fixture, gconstpointer data)
{
  finish_turn (fixture);
  g_assert_false (is_unread (fixture));
}

static void
test_viewed (EngineFixture *fixture, gconstpointer data)
{
  int one = 0;
  int two = 0;

  gadget_engine_set_viewed (fixture->engine, &one, fixture->session);
  gadget_engine_set_viewed (fixture->engine, &two, fixture->session);
  finish_turn (fixture);
  g_assert_false (is_unread (fixture));
  gadget_engine_set_viewed (fixture->engine, &one, NULL);
  finish_turn (fixture);
  g_assert_false (is_unread (fixture));
  gadget_engine_set_viewed (fixture->engine, &two, NULL);
  finish_turn (fixture);
  g_assert_true (is_unread (fixture));
}

/* To look at the chat is stored, and is no use of it. */
static void
test_read (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  gint64 updated_at;
  int window = 0;

  gadget_engine_set_viewed (fixture->engine, &window, NULL);
  finish_turn (fixture);
  updated_at = gadget_session_get_updated_at (fixture->session);
  test_run_for (20);
  gadget_engine_set_viewed (fixture->engine, &window, fixture->session);
  g_assert_false (is_unread (fixture));
  stored = engine_fixture_reload (fixture);
  g_assert_false (gadget_session_get_unread (stored));
  g_assert_cmpint (gadget_session_get_updated_at (stored), ==, updated_at);
}

/* It asks, and is read while it goes on. */
static void
test_asks (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;
  int window = 0;

  gadget_engine_set_viewed (fixture->engine, &window, NULL);
  turn = engine_fixture_start (fixture, "go", "x");
  g_assert_false (is_unread (fixture));
  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  g_assert_true (is_unread (fixture));
  gadget_engine_set_viewed (fixture->engine, &window, fixture->session);
  gadget_turn_set_phase (turn, GADGET_PHASE_STREAMING);
  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  g_assert_false (is_unread (fixture));
  gadget_turn_set_phase (turn, GADGET_PHASE_STREAMING);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  /* The turn is watched no longer. */
  gadget_engine_set_viewed (fixture->engine, &window, NULL);
  gadget_turn_set_phase (turn, GADGET_PHASE_ASKING);
  g_assert_false (is_unread (fixture));
}

/* --- Two processes ---------------------------------------------------------------------------- */

/* One pins, the other archives; neither makes the chat look used. */
static void
test_merged (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other;
  GadgetSession *same;
  gint64 updated_at;

  finish_turn (fixture);
  updated_at = gadget_session_get_updated_at (fixture->session);
  other = engine_fixture_open (fixture->directory, fixture->provider);
  same = gadget_engine_find_session (other, gadget_session_get_id (fixture->session));
  test_run_for (20);
  gadget_session_set_pinned (fixture->session, TRUE);
  gadget_engine_save (fixture->engine, fixture->session);
  gadget_session_set_archived (same, TRUE);
  gadget_engine_save (other, same);
  wait_until (gadget_session_get_pinned (same) && gadget_session_get_archived (fixture->session));
  g_assert_true (gadget_session_get_archived (same));
  g_assert_true (gadget_session_get_pinned (fixture->session));
  g_assert_cmpint (gadget_session_get_updated_at (same), ==, updated_at);
  g_assert_cmpint (gadget_session_get_updated_at (fixture->session), ==, updated_at);
  engine_fixture_close (other);
}

/* Another program, gadget-cli perhaps, pins the chat. */
static void
test_pinned_elsewhere (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = NULL;
  gint64 begun;

  finish_turn (fixture);
  worker =
      test_worker_start ("pin", fixture->directory, gadget_session_get_id (fixture->session), "");
  g_assert_true (g_subprocess_wait_check (worker, NULL, NULL));
  begun = g_get_monotonic_time ();
  wait_until (gadget_session_get_pinned (fixture->session));
  g_test_message ("seen after %d ms", (int) ((g_get_monotonic_time () - begun) / 1000));
}

/* It is seen while a turn goes on, too. */
static void
test_merged_while_active (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other;
  GadgetSession *same;

  finish_turn (fixture);
  other = engine_fixture_open (fixture->directory, fixture->provider);
  same = gadget_engine_find_session (other, gadget_session_get_id (fixture->session));
  engine_fixture_start (fixture, "more", "x");
  gadget_session_set_pinned (same, TRUE);
  gadget_engine_save (other, same);
  wait_until (gadget_session_get_pinned (fixture->session));
  g_assert_nonnull (gadget_session_get_active_run (fixture->session));
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  g_assert_true (gadget_session_get_pinned (fixture->session));
  engine_fixture_close (other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func)                                                                            \
  g_test_add ("/engine/agent/unread/" name, EngineFixture, NULL, engine_fixture_set_up, func,      \
              engine_fixture_tear_down)
  ADD ("ended", test_ended);
  ADD ("failed", test_failed);
  ADD ("aborted", test_aborted);
  ADD ("without-windows", test_without_windows);
  ADD ("viewed", test_viewed);
  ADD ("read", test_read);
  ADD ("asks", test_asks);
  ADD ("pinned-elsewhere", test_pinned_elsewhere);
  ADD ("merged", test_merged);
  ADD ("merged-while-active", test_merged_while_active);
#undef ADD
  return g_test_run ();
}
