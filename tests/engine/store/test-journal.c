/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the journal of a turn writes while it happens, and what its commit stores. */

#include "config.h"

#include "journal-fixture.h"
#include "test-faults.h"
#include "test-store.h"

static void
test_begins_at_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetTurn) stored = NULL;

  /* The first write was queued before anything else could be. */
  gadget_store_close (fixture->store);
  stored = journal_read_turn (fixture);
  g_assert_cmpstr (gadget_turn_get_prompt (stored), ==, "a prompt");
  g_assert_cmpint (gadget_turn_get_status (stored), ==, GADGET_TURN_PROCESSING);
}

static void
test_writes_while_it_happens (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = journal_add_text (fixture->turn, "Grüße, ");
  GadgetItem *call;

  test_run_for (250);
  journal_expect_stored (fixture);

  gadget_item_append_text (text, "Welt", -1);
  test_run_for (250);
  journal_expect_stored (fixture);

  gadget_item_append_text (text, "!", -1);
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);
  call = journal_add_call (fixture->turn, "c1");
  gadget_item_append_arguments (call, "{\"command\": ");
  test_run_for (250);
  journal_expect_stored (fixture);

  gadget_item_append_arguments (call, "\"make\"}");
  gadget_item_set_status (call, GADGET_ITEM_PENDING);
  gadget_item_take_call_summary (call,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "make", NULL));
  test_run_for (250);
  journal_expect_stored (fixture);

  gadget_item_set_started_at (call, 1234);
  gadget_item_set_status (call, GADGET_ITEM_RUNNING);
  gadget_item_append_text (call, "output\n", -1);
  test_run_for (250);
  gadget_item_append_text (call, "more output\n", -1);
  test_run_for (250);
  journal_expect_stored (fixture);

  gadget_item_set_ended_at (call, 2345);
  gadget_item_set_result (call, "all of it");
  gadget_item_set_status (call, GADGET_ITEM_FINISHED);
  gadget_turn_set_usage (fixture->turn, &(GadgetUsage) { 10, 20, 42000000, TRUE });
  test_run_for (250);
  journal_expect_stored (fixture);
}

static gboolean
count_rows (sqlite3 *db, gpointer data, GError **error)
{
  sqlite3_stmt *stmt = NULL;

  sqlite3_prepare_v2 (db, "SELECT count(*) FROM piece", -1, &stmt, NULL);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  *(int *) data = sqlite3_column_int (stmt, 0);
  sqlite3_finalize (stmt);
  return TRUE;
}

static int
count_pieces (Fixture *fixture)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_run_async (fixture->store, count_rows, g_new0 (int, 1), g_free, test_result_cb,
                          &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_run_finish (fixture->store, result, NULL));
  return *(int *) gadget_store_get_job_data (result);
}

/* Text comes in many small pieces; what is sent to the thread is about their number of intervals,
 * and their bytes once. */
static void
test_many_deltas (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = journal_add_text (fixture->turn, "");
  guint n_before;

  test_run_for (150);
  n_before = test_faults_get_n_writes ();
  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *delta = g_strdup_printf ("word %u ", i);

      gadget_item_append_text (text, delta, -1);
      test_run_for (1);
    }
  test_run_for (250);
  g_test_message ("%u page writes for 500 deltas", test_faults_get_n_writes () - n_before);
  journal_expect_stored (fixture);
  g_assert_cmpint (count_pieces (fixture), >, 1);
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);
  test_journal_flush (fixture->journal);
  journal_expect_stored (fixture);
  g_assert_cmpint (count_pieces (fixture), ==, 0);
}

static void
test_commit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint n_syncs;

  journal_add_text (fixture->turn, "Hello");
  test_run_for (250);
  journal_end_with_everything (fixture);
  n_syncs = test_faults_get_n_syncs ();
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  /* It waited for the disk. */
  g_assert_cmpuint (test_faults_get_n_syncs (), >, n_syncs);
  journal_expect_committed (fixture);
  g_assert_cmpint (gadget_session_get_updated_at (fixture->session), ==,
                   gadget_turn_get_ended_at (fixture->turn));
}

/* Committed within the iteration in which everything happened: nothing was written before. */
static void
test_commit_at_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  journal_add_text (fixture->turn, "Hello");
  journal_end_with_everything (fixture);
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  journal_expect_committed (fixture);
}

static void
test_error_turn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  gadget_turn_fail (fixture->turn, "provider/auth", "401 Unauthorized");
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  journal_expect_stored (fixture);
}

static void
test_nothing_after_commit (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = journal_add_text (fixture->turn, "before");
  g_autoptr (GadgetTurn) stored = NULL;
  guint n_writes;

  gadget_turn_finish (fixture->turn);
  g_assert_true (test_journal_commit (fixture->journal, NULL));
  n_writes = test_faults_get_n_writes ();
  gadget_item_append_text (text, " and after", -1);
  gadget_item_take_call_summary (text,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "late", NULL));
  journal_add_text (fixture->turn, "another");
  test_run_for (400);
  g_assert_cmpuint (test_faults_get_n_writes (), ==, n_writes);

  stored = journal_read_turn (fixture);
  g_assert_cmpuint (gadget_turn_get_n_items (stored), ==, 1);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (stored, 0)), ==, "before");
}

/* A status that is set before the commit is not stored before it. */
static void
test_end_only_by_commit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetTurn) stored = NULL;

  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  journal_add_text (fixture->turn, "x");
  test_journal_flush (fixture->journal);
  stored = journal_read_turn (fixture);
  g_assert_cmpint (gadget_turn_get_status (stored), ==, GADGET_TURN_PROCESSING);
  g_assert_cmpint (gadget_turn_get_stop_reason (stored), ==, GADGET_STOP_NONE);
}

/* A queued message leaves the queue with the transaction that stores its turn. */
static void
test_queue_to_turn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GadgetTurn) turn = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  g_autofree char *text = NULL;

  gadget_session_enqueue (fixture->session, "next");
  gadget_session_enqueue (fixture->session, "after that");
  test_store_save (fixture->store, fixture->session);
  gadget_turn_finish (fixture->turn);
  g_assert_true (test_journal_commit (fixture->journal, NULL));

  text = gadget_session_dequeue (fixture->session, 0);
  turn = gadget_turn_new ("t2", text);
  journal = gadget_journal_new (fixture->store, fixture->session, turn);
  gadget_turn_finish (turn);
  g_assert_true (test_journal_commit (journal, NULL));
  stored = test_store_load (fixture->store, SESSION_ID);
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 2);
  g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_turn (stored, 1)), ==, "next");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 1);
}

static void
test_no_journal_left (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = journal_add_text (fixture->turn, "x");

  /* Dropped in the middle, with a write under way and a timeout pending. */
  g_clear_object (&fixture->journal);
  gadget_item_append_text (text, "y", -1);
  journal_add_text (fixture->turn, "z");
  test_run_for (300);
}

/* What the user says into the turn leaves the stored queue with the write that stores the item,
 * also when that write has to be repeated. */
static void
test_queue_to_item (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_STEER);
      g_autoptr (GadgetSession) stored = NULL;
      g_autoptr (GadgetLease) lease = NULL;
      g_autoptr (GadgetQueuedMessage) message = NULL;

      gadget_session_steer (fixture->session, "quickly");
      test_store_save (fixture->store, fixture->session);
      test_journal_flush (fixture->journal);
      if (i == 1)
        test_faults_set (TEST_FAULT_FULL);
      message = gadget_session_take_steering (fixture->session);
      gadget_item_append_text (item, gadget_queued_message_get_text (message), -1);
      gadget_item_set_status (item, GADGET_ITEM_FINISHED);
      gadget_turn_append (fixture->turn, item);
      if (i == 1)
        {
          test_run_for (300);
          test_faults_set (TEST_FAULT_NONE);
        }
      test_journal_flush (fixture->journal);

      journal_expect_stored (fixture);
      lease = gadget_lease_acquire (fixture->directory, SESSION_ID, NULL);
      stored = test_store_load (fixture->store, SESSION_ID);
      g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/journal/" path, Fixture, NULL, journal_set_up, func, journal_tear_down)
  ADD ("begins-at-once", test_begins_at_once);
  ADD ("writes-while-it-happens", test_writes_while_it_happens);
  ADD ("many-deltas", test_many_deltas);
  ADD ("commit", test_commit);
  ADD ("commit-at-once", test_commit_at_once);
  ADD ("error-turn", test_error_turn);
  ADD ("nothing-after-commit", test_nothing_after_commit);
  ADD ("end-only-by-commit", test_end_only_by_commit);
  ADD ("queue-to-turn", test_queue_to_turn);
  ADD ("queue-to-item", test_queue_to_item);
  ADD ("dropped", test_no_journal_left);

  return g_test_run ();
}
