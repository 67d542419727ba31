/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine with a real store: what is kept, and what happens when it cannot be. */

#include "config.h"

#include "engine-fixture.h"
#include "test-faults.h"
#include "test-store.h"
#include "wait.h"

#include <string.h>

static void
test_kept (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn;
  double total_ms;

  engine_fixture_start (fixture, "hello", "Hi");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  turn = engine_fixture_start (fixture, "more", "The key is ");
  fake_provider_text (fixture->provider, "42");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  g_assert_true (gadget_turn_get_saved (turn));
  total_ms = gadget_receipt_get_total_ms (gadget_turn_get_receipt (turn));
  g_assert_cmpfloat (total_ms, >, 0);
  g_assert_true (
      gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session))
      == fixture->session);

  stored = engine_fixture_reload (fixture);
  g_assert_cmpstr (gadget_session_get_title (stored), ==, "hello");
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 2);
  turn = gadget_session_get_turn (stored, 1);
  /* I3, P1, P2: what was shown is what is kept, and as what it was. */
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "The key is 42");
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  g_assert_cmpuint (gadget_receipt_get_n_lines (gadget_turn_get_receipt (turn)), ==, 1);
  g_assert_cmpfloat_with_epsilon (gadget_receipt_get_total_ms (gadget_turn_get_receipt (turn)),
                                  total_ms, 0.001);
}

static char *
dump (GadgetTurn *turn)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      g_string_append_printf (text, "%d %d %u [%s] %s %s %s %s %s\n", gadget_item_get_kind (item),
                              gadget_item_get_status (item), gadget_item_get_step (item),
                              gadget_item_get_text (item), gadget_item_get_call_id (item),
                              gadget_item_get_name (item), gadget_item_get_arguments (item),
                              gadget_item_get_result (item), gadget_item_get_summary (item));
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* I3: an abort among tools; what is on the disk is what was on the screen, every byte of it. */
static void
test_tools_kept (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "First ");
  g_autofree char *shown = NULL;
  g_autofree char *kept = NULL;

  fake_provider_call (fixture->provider, 0, "a", "wait", "{\"seconds\":600}");
  fake_provider_call (fixture->provider, 1, "b", "ask_user", "{\"question\":\"é?\"}");
  fake_provider_call (fixture->provider, 2, "c", "no_such_tool", "{}");
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_n_items (turn) == 4
              && gadget_item_get_status (gadget_turn_get_item (turn, 1)) == GADGET_ITEM_RUNNING);
  gadget_item_append_text (gadget_turn_get_item (turn, 1), "one\n", -1);
  test_run_for (150);
  gadget_item_append_text (gadget_turn_get_item (turn, 1), "two\n", -1);
  engine_fixture_abort (fixture);
  gadget_item_append_text (gadget_turn_get_item (turn, 1), "three", -1);
  wait_until (fixture->n_completed == 1);
  gadget_item_append_text (gadget_turn_get_item (turn, 1), "too late", -1);
  shown = dump (turn);
  stored = engine_fixture_reload (fixture);
  kept = dump (gadget_session_get_turn (stored, 0));
  g_assert_cmpstr (kept, ==, shown);
  g_assert_nonnull (strstr (kept, "[one\ntwo\nthree]"));
}

/* Models name such a file in quotation marks. Whatever is said of it is text. */
static void
test_name_that_is_no_text (EngineFixture *fixture, gconstpointer data)
{
  static const char *const tools[] = { "read_file", "list_dir", "search" };
  GadgetTurn *turn;

  gadget_session_set_workspace (fixture->session, fixture->directory);
  turn = engine_fixture_start (fixture, "go", "Hm");
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    fake_provider_call (fixture->provider, i, tools[i], tools[i],
                        "{\"path\":\"\\\"none\\\\377\\\"\",\"pattern\":\"x\"}");
  fake_provider_end (fixture->provider);
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2);
  for (guint i = 1; i <= G_N_ELEMENTS (tools); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      g_test_message ("%s: %s", gadget_item_get_name (item), gadget_item_get_result (item));
      g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_FAILED);
      g_assert_nonnull (strstr (gadget_item_get_result (item), "none"));
      g_assert_true (g_utf8_validate (gadget_item_get_result (item), -1, NULL));
    }
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
}

/* P3: a full disk does not keep the user from stopping; the turn says that it is not saved. */
static void
test_disk_full (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "precious");

  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "precious");
  g_assert_null (gadget_session_get_active_run (fixture->session));

  test_faults_set (TEST_FAULT_NONE);
  gadget_agent_save_again (gadget_engine_get_agent (fixture->engine), fixture->session, turn);
  wait_until (gadget_turn_get_saved (turn));
  stored = engine_fixture_reload (fixture);
  g_assert_cmpstr (
      gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (stored, 0), 0)), ==,
      "precious");
}

static GadgetLease *
take_lease (EngineFixture *fixture)
{
  return gadget_lease_acquire (
      gadget_store_get_directory (gadget_engine_get_store (fixture->engine)),
      gadget_session_get_id (fixture->session), NULL);
}

/* What could not be saved is saved under the lease, as the turn was: not while another process
 * works on the chat, and nobody else begins to as long as it is written. */
static void
test_save_again_leases (EngineFixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->engine);
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "precious");
  GadgetLease *lease;

  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_false (gadget_turn_get_saved (turn));
  test_faults_set (TEST_FAULT_NONE);

  lease = take_lease (fixture);
  g_assert_nonnull (lease);
  gadget_agent_save_again (agent, fixture->session, turn);
  test_run_for (200);
  g_assert_false (gadget_turn_get_saved (turn));
  gadget_lease_release (lease);

  gadget_agent_save_again (agent, fixture->session, turn);
  g_assert_null (take_lease (fixture));
  wait_until (gadget_turn_get_saved (turn));
  lease = take_lease (fixture);
  g_assert_nonnull (lease);
  gadget_lease_release (lease);
}

/* A disk that hangs: the session goes on after 500 ms, and the turn is saved in the end. */
static void
test_disk_stalls (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "slow");
  const char *id = gadget_session_get_id (fixture->session);
  g_autoptr (GadgetRun) next = NULL;
  gint64 begun;

  test_run_for (300); /* the journal has it */
  test_faults_set (TEST_FAULT_STALL);
  begun = g_get_monotonic_time ();
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 5 * G_USEC_PER_SEC);
  g_assert_false (gadget_turn_get_saved (turn));

  /* No other process may take the turn for a dead one's; our own next message is taken. */
  g_assert_true (gadget_lease_is_held (fixture->directory, id));
  next = gadget_agent_start (gadget_engine_get_agent (fixture->engine), fixture->session, "next",
                             NULL, NULL);
  g_assert_nonnull (next);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  g_assert_true (gadget_lease_is_held (fixture->directory, id));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn)
              && gadget_turn_get_saved (gadget_session_get_last_turn (fixture->session)));
  g_assert_false (gadget_lease_is_held (fixture->directory, id));
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);

  /* Once it is saved nothing of it is kept for another try. */
  engine_fixture_delete_now (fixture);
  g_object_add_weak_pointer (G_OBJECT (turn), (gpointer *) &turn);
  wait_idle ();
  g_clear_object (&fixture->session);
  g_assert_null (turn);
}

/* A chat that could not be saved is still in the list when another process writes. */
static void
test_unsaved_stays (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  g_autoptr (GadgetSession) theirs = gadget_engine_new_session (other);
  GadgetTurn *turn;
  g_autoptr (GadgetRun) run = NULL;

  test_faults_set (TEST_FAULT_FULL);
  turn = engine_fixture_start (fixture, "go", "precious");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_false (gadget_turn_get_saved (turn));
  test_run_for (100); /* not even the chat's row is there */
  test_faults_set (TEST_FAULT_NONE);

  gadget_session_set_model (theirs, "fake", "model");
  run = gadget_agent_start (gadget_engine_get_agent (other), theirs, "theirs", NULL, NULL);
  wait_until (fake_provider_is_waiting (fixture->provider));
  wait_until (gadget_engine_find_session (fixture->engine, gadget_session_get_id (theirs)) != NULL);
  g_assert_true (
      gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session))
      == fixture->session);
  engine_fixture_close (other);
}

/* A disk that hangs from the start on: the abort does not wait for it. */
static void
test_disk_stalls_at_start (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = NULL;
  GadgetTurn *turn;

  test_faults_set (TEST_FAULT_STALL);
  run = gadget_agent_start (gadget_engine_get_agent (fixture->engine), fixture->session, "go", NULL,
                            NULL);
  g_assert_nonnull (run);
  turn = gadget_session_get_last_turn (fixture->session);
  test_run_for (50);
  engine_fixture_abort (fixture);
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 0);

  /* What was asked of the disk comes late, and changes nothing. */
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  test_run_for (100);
  g_assert_true (gadget_session_get_last_turn (fixture->session) == turn);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 0);
  g_assert_cmpuint (fixture->n_completed, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/engine/" path, EngineFixture, NULL, engine_fixture_set_up, function,        \
              engine_fixture_tear_down)
  ADD ("kept", test_kept);
  ADD ("tools-kept", test_tools_kept);
  ADD ("P3-disk-full", test_disk_full);
  ADD ("save-again-leases", test_save_again_leases);
  ADD ("P3-disk-stalls", test_disk_stalls);
  ADD ("unsaved-stays", test_unsaved_stays);
  ADD ("P3-disk-stalls-at-start", test_disk_stalls_at_start);
  ADD ("name-that-is-no-text", test_name_that_is_no_text);

  return g_test_run ();
}
