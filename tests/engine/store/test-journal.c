/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "killed-stream.h"
#include "test-faults.h"
#include "test-store.h"

#include <string.h>

#define SESSION_ID "s"

typedef struct
{
  char *directory;
  GadgetStore *store;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetJournal *journal;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->store = test_store_open (fixture->directory);
  fixture->session = gadget_session_new (SESSION_ID);
  gadget_session_set_loaded (fixture->session, TRUE);
  fixture->turn = gadget_turn_new ("t", "a prompt");
  gadget_session_append (fixture->session, fixture->turn);
  fixture->journal = gadget_journal_new (fixture->store, fixture->session, fixture->turn);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gpointer weak = fixture->journal;

  test_faults_set (TEST_FAULT_NONE);
  if (fixture->journal != NULL)
    {
      g_object_add_weak_pointer (G_OBJECT (fixture->journal), &weak);
      g_object_unref (fixture->journal);
      /* A write may be under way. */
      for (guint i = 0; i < 100 && weak != NULL; i++)
        test_run_for (10);
      g_assert_null (weak);
    }
  test_store_close (fixture->store);
  g_object_unref (fixture->session);
  g_assert_finalize_object (fixture->turn);
  test_dir_free (fixture->directory);
}

/* The stored turn, as it is now, seen by a reader of its own while the lease is held (so that it is
 * not repaired). */
static GadgetTurn *
read_turn (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (fixture->directory, SESSION_ID, &error);
  g_autoptr (GadgetSession) session = NULL;
  GadgetStore *store;
  GadgetTurn *turn;

  g_assert_no_error (error);
  store = test_store_open (fixture->directory);
  session = test_store_load (store, SESSION_ID);
  test_store_close (store);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
  turn = g_object_ref (gadget_session_get_turn (session, 0));
  return turn;
}

static void
expect_same_item (GadgetItem *a, GadgetItem *b)
{
  g_assert_cmpint (gadget_item_get_kind (a), ==, gadget_item_get_kind (b));
  g_assert_cmpint (gadget_item_get_status (a), ==, gadget_item_get_status (b));
  g_assert_cmpuint (gadget_item_get_step (a), ==, gadget_item_get_step (b));
  g_assert_cmpstr (gadget_item_get_text (a), ==, gadget_item_get_text (b));
  g_assert_cmpuint (gadget_item_get_length (a), ==, gadget_item_get_length (b));
  g_assert_cmpstr (gadget_item_get_call_id (a), ==, gadget_item_get_call_id (b));
  g_assert_cmpstr (gadget_item_get_name (a), ==, gadget_item_get_name (b));
  g_assert_cmpstr (gadget_item_get_arguments (a), ==, gadget_item_get_arguments (b));
  g_assert_cmpstr (gadget_item_get_result (a), ==, gadget_item_get_result (b));
  g_assert_cmpstr (gadget_item_get_summary (a), ==, gadget_item_get_summary (b));
  g_assert_cmpint (gadget_item_get_started_at (a), ==, gadget_item_get_started_at (b));
  g_assert_cmpint (gadget_item_get_ended_at (a), ==, gadget_item_get_ended_at (b));
}

static void
expect_same_turn (GadgetTurn *a, GadgetTurn *b)
{
  const GadgetUsage *usage_a = gadget_turn_get_usage (a);
  const GadgetUsage *usage_b = gadget_turn_get_usage (b);

  g_assert_cmpstr (gadget_turn_get_id (a), ==, gadget_turn_get_id (b));
  g_assert_cmpstr (gadget_turn_get_prompt (a), ==, gadget_turn_get_prompt (b));
  g_assert_cmpint (gadget_turn_get_status (a), ==, gadget_turn_get_status (b));
  g_assert_cmpint (gadget_turn_get_stop_reason (a), ==, gadget_turn_get_stop_reason (b));
  g_assert_cmpstr (gadget_turn_get_error_code (a), ==, gadget_turn_get_error_code (b));
  g_assert_cmpstr (gadget_turn_get_error_detail (a), ==, gadget_turn_get_error_detail (b));
  g_assert_cmpstr (gadget_turn_get_provider (a), ==, gadget_turn_get_provider (b));
  g_assert_cmpstr (gadget_turn_get_model (a), ==, gadget_turn_get_model (b));
  g_assert_cmpint (gadget_turn_get_started_at (a), ==, gadget_turn_get_started_at (b));
  g_assert_cmpint (gadget_turn_get_ended_at (a), ==, gadget_turn_get_ended_at (b));
  g_assert_cmpint (usage_a->input_tokens, ==, usage_b->input_tokens);
  g_assert_cmpint (usage_a->output_tokens, ==, usage_b->output_tokens);
  g_assert_cmpint (usage_a->cost, ==, usage_b->cost);
  g_assert_cmpint (usage_a->estimated, ==, usage_b->estimated);
  g_assert_cmpuint (gadget_turn_get_n_items (a), ==, gadget_turn_get_n_items (b));
  for (guint i = 0; i < gadget_turn_get_n_items (a); i++)
    expect_same_item (gadget_turn_get_item (a, i), gadget_turn_get_item (b, i));
}

static void
expect_stored (Fixture *fixture)
{
  g_autoptr (GadgetTurn) stored = read_turn (fixture);

  expect_same_turn (stored, fixture->turn);
}

static GadgetItem *
add_text (GadgetTurn *turn, const char *text)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);

  gadget_turn_append (turn, item);
  gadget_item_append_text (item, text, -1);
  return gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
}

static GadgetItem *
add_call (GadgetTurn *turn, const char *id)
{
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call (id, "shell");

  gadget_turn_append (turn, item);
  return gadget_turn_get_item (turn, gadget_turn_get_n_items (turn) - 1);
}

static void
test_begins_at_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetTurn) stored = NULL;

  /* The first write was queued before anything else could be. */
  gadget_store_close (fixture->store);
  stored = read_turn (fixture);
  g_assert_cmpstr (gadget_turn_get_prompt (stored), ==, "a prompt");
  g_assert_cmpint (gadget_turn_get_status (stored), ==, GADGET_TURN_PROCESSING);
}

static void
test_writes_while_it_happens (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = add_text (fixture->turn, "Grüße, ");
  GadgetItem *call;

  test_run_for (250);
  expect_stored (fixture);

  gadget_item_append_text (text, "Welt", -1);
  test_run_for (250);
  expect_stored (fixture);

  gadget_item_append_text (text, "!", -1);
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);
  call = add_call (fixture->turn, "c1");
  gadget_item_append_arguments (call, "{\"command\": ");
  test_run_for (250);
  expect_stored (fixture);

  gadget_item_append_arguments (call, "\"make\"}");
  gadget_item_set_status (call, GADGET_ITEM_PENDING);
  gadget_item_take_call_summary (call,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "make", NULL));
  test_run_for (250);
  expect_stored (fixture);

  gadget_item_set_started_at (call, 1234);
  gadget_item_set_status (call, GADGET_ITEM_RUNNING);
  gadget_item_append_text (call, "output\n", -1);
  test_run_for (250);
  gadget_item_append_text (call, "more output\n", -1);
  test_run_for (250);
  expect_stored (fixture);

  gadget_item_set_ended_at (call, 2345);
  gadget_item_set_result (call, "all of it");
  gadget_item_set_status (call, GADGET_ITEM_FINISHED);
  gadget_turn_set_usage (fixture->turn, &(GadgetUsage) { 10, 20, 42000000, TRUE });
  test_run_for (250);
  expect_stored (fixture);
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
  GadgetItem *text = add_text (fixture->turn, "");
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
  expect_stored (fixture);
  g_assert_cmpint (count_pieces (fixture), >, 1);
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);
  test_journal_flush (fixture->journal);
  expect_stored (fixture);
  g_assert_cmpint (count_pieces (fixture), ==, 0);
}

static void
end_with_everything (Fixture *fixture)
{
  GadgetReceipt *receipt = gadget_turn_get_receipt (fixture->turn);
  guint connection = gadget_receipt_begin (receipt, GADGET_RECEIPT_CONNECTION, "Ollama");
  guint process = gadget_receipt_begin (receipt, GADGET_RECEIPT_PROCESS, "make");
  GadgetItem *call = add_call (fixture->turn, "c1");

  gadget_turn_set_model (fixture->turn, "local", "tiny");
  gadget_turn_set_usage (fixture->turn, &(GadgetUsage) { 100, 7, 0, FALSE });
  gadget_item_append_arguments (call, "{}");
  gadget_item_append_text (call, "partly", -1);
  gadget_item_set_step (call, 3);
  gadget_item_set_status (call, GADGET_ITEM_ABORTED);
  gadget_receipt_mark_abort (receipt);
  gadget_receipt_end (receipt, connection, "closed", 0);
  gadget_receipt_end (receipt, process, "killed", 4);
  gadget_receipt_mark_settled (receipt);
  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
}

static void
expect_committed (Fixture *fixture)
{
  g_autoptr (GadgetTurn) stored = read_turn (fixture);
  GadgetReceipt *receipt = gadget_turn_get_receipt (stored);
  GadgetReceipt *expected = gadget_turn_get_receipt (fixture->turn);

  expect_same_turn (stored, fixture->turn);
  g_assert_cmpuint (gadget_receipt_get_n_lines (receipt), ==, 2);
  g_assert_cmpint (gadget_receipt_get_line (receipt, 0)->kind, ==, GADGET_RECEIPT_CONNECTION);
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 1)->name, ==, "make");
  g_assert_cmpstr (gadget_receipt_get_line (receipt, 1)->outcome, ==, "killed");
  g_assert_cmpuint (gadget_receipt_get_line (receipt, 1)->count, ==, 4);
  g_assert_cmpfloat_with_epsilon (gadget_receipt_get_total_ms (receipt),
                                  gadget_receipt_get_total_ms (expected), 0.001);
}

static void
test_commit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint n_syncs;

  add_text (fixture->turn, "Hello");
  test_run_for (250);
  end_with_everything (fixture);
  n_syncs = test_faults_get_n_syncs ();
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  /* It waited for the disk. */
  g_assert_cmpuint (test_faults_get_n_syncs (), >, n_syncs);
  expect_committed (fixture);
  g_assert_cmpint (gadget_session_get_updated_at (fixture->session), ==,
                   gadget_turn_get_ended_at (fixture->turn));
}

/* Committed within the iteration in which everything happened: nothing was written before. */
static void
test_commit_at_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  add_text (fixture->turn, "Hello");
  end_with_everything (fixture);
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  expect_committed (fixture);
}

static void
test_error_turn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  gadget_turn_fail (fixture->turn, "provider/auth", "401 Unauthorized");
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  expect_stored (fixture);
}

static void
test_nothing_after_commit (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = add_text (fixture->turn, "before");
  g_autoptr (GadgetTurn) stored = NULL;
  guint n_writes;

  gadget_turn_finish (fixture->turn);
  g_assert_true (test_journal_commit (fixture->journal, NULL));
  n_writes = test_faults_get_n_writes ();
  gadget_item_append_text (text, " and after", -1);
  gadget_item_take_call_summary (text,
                                 gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "late", NULL));
  add_text (fixture->turn, "another");
  test_run_for (400);
  g_assert_cmpuint (test_faults_get_n_writes (), ==, n_writes);

  stored = read_turn (fixture);
  g_assert_cmpuint (gadget_turn_get_n_items (stored), ==, 1);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (stored, 0)), ==, "before");
}

/* A status that is set before the commit is not stored before it. */
static void
test_end_only_by_commit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetTurn) stored = NULL;

  gadget_turn_abort (fixture->turn, GADGET_STOP_USER);
  add_text (fixture->turn, "x");
  test_journal_flush (fixture->journal);
  stored = read_turn (fixture);
  g_assert_cmpint (gadget_turn_get_status (stored), ==, GADGET_TURN_PROCESSING);
  g_assert_cmpint (gadget_turn_get_stop_reason (stored), ==, GADGET_STOP_NONE);
}

static void
test_full_disk_at_commit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  add_text (fixture->turn, "Hello");
  test_run_for (250);
  test_faults_set (TEST_FAULT_FULL);
  end_with_everything (fixture);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (test_journal_commit (fixture->journal, &error));
      g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL);
      g_clear_error (&error);
    }
  test_faults_set (TEST_FAULT_NONE);
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  expect_committed (fixture);
}

/* The disk was full all the time: the commit makes up for everything. */
static void
test_full_disk_from_the_start (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("other");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("u", "another prompt");
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GadgetItem *text;

  test_journal_flush (fixture->journal);
  test_faults_set (TEST_FAULT_FULL);
  journal = gadget_journal_new (fixture->store, session, turn);
  text = add_text (turn, "one ");
  gadget_journal_flush_async (journal, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_false (gadget_journal_flush_finish (journal, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL);
  g_clear_error (&error);
  gadget_item_append_text (text, "two", -1);
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);
  test_run_for (300);
  gadget_turn_finish (turn);
  test_faults_set (TEST_FAULT_NONE);
  g_assert_true (test_journal_commit (journal, &error));
  g_assert_no_error (error);

  stored = test_store_load (fixture->store, "other");
  expect_same_turn (gadget_session_get_turn (stored, 0), turn);
}

/* There is space again in the middle: the journal catches up by itself. */
static void
test_full_disk_for_a_while (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = add_text (fixture->turn, "one ");

  test_run_for (250);
  test_faults_set (TEST_FAULT_FULL);
  gadget_item_append_text (text, "two ", -1);
  gadget_item_take_call_summary (
      text, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "counting", NULL));
  test_run_for (300);
  gadget_item_append_text (text, "three ", -1);
  test_faults_set (TEST_FAULT_NONE);
  test_run_for (1500);
  expect_stored (fixture);
}

static void
ticked_cb (gpointer data)
{
  (*(guint *) data)++;
}

/* Never more than one write is under way, and the main context goes on. */
static void
test_stalled_disk (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = add_text (fixture->turn, "");
  g_autoptr (GError) error = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  guint ticks = 0;

  test_journal_flush (fixture->journal);
  test_faults_set (TEST_FAULT_STALL);
  for (guint i = 0; i < 50; i++)
    {
      gadget_item_append_text (text, "0123456789", -1);
      g_timeout_add_once (1, ticked_cb, &ticks);
      test_run_for (10);
    }
  g_assert_cmpuint (ticks, ==, 50);

  gadget_turn_finish (fixture->turn);
  gadget_journal_commit_async (fixture->journal, test_result_cb, &slot);
  test_run_for (600);
  g_assert_null (slot);
  test_faults_set (TEST_FAULT_NONE);
  result = test_take_result (&slot);
  g_assert_true (gadget_journal_commit_finish (fixture->journal, result, &error));
  g_assert_no_error (error);
  expect_stored (fixture);
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
  GadgetItem *text = add_text (fixture->turn, "x");

  /* Dropped in the middle, with a write under way and a timeout pending. */
  g_clear_object (&fixture->journal);
  gadget_item_append_text (text, "y", -1);
  add_text (fixture->turn, "z");
  test_run_for (300);
}

/* --- Killed ----------------------------------------------------------------------------------- */

/* Some in the first moments, some so late that whatever is not stored as it streams is missed. How
 * little it is where nothing else keeps the disk busy: ./dev bench journal. */
static void
test_killed (void)
{
  gint64 worst = 0;

  for (guint i = 0; i < 16; i++)
    {
      const guint after = (guint) (i % 4 == 0 ? g_test_rand_int_range (2000, 2500)
                                              : g_test_rand_int_range (0, 600));
      char *directory = test_dir_new ();
      gint64 lost = test_killed_stream (directory, after);

      worst = MAX (worst, lost);
      g_test_message ("killed after %u ms, lost %.1f ms", after, (double) lost / 1000.0);
      test_dir_free (directory);
    }
  g_assert_cmpint (worst, <=, 1500 * 1000);
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

      expect_stored (fixture);
      lease = gadget_lease_acquire (fixture->directory, SESSION_ID, NULL);
      stored = test_store_load (fixture->store, SESSION_ID);
      g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 0);
    }
}

typedef struct
{
  GadgetJournal *journal;
  guint *n_flushed;
  gboolean again;
} Flusher;

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Flusher *flusher = user_data;
  g_autoptr (GError) error = NULL;

  gadget_journal_flush_finish (GADGET_JOURNAL (source), result, &error);
  g_assert_no_error (error);
  ++*flusher->n_flushed;
  if (!flusher->again)
    return;
  flusher->again = FALSE;
  gadget_journal_flush_async (flusher->journal, flushed_cb, flusher);
}

/* Two wait for one write, and each of them asks for the next one when it is told. */
static void
test_flush_in_flush (Fixture *fixture, gconstpointer data)
{
  guint n_flushed = 0;
  /* The first is written at once; the others wait for that. */
  Flusher flushers[3] = { { fixture->journal, &n_flushed, FALSE },
                          { fixture->journal, &n_flushed, TRUE },
                          { fixture->journal, &n_flushed, TRUE } };

  test_journal_flush (fixture->journal);
  add_text (fixture->turn, "words");
  for (guint i = 0; i < G_N_ELEMENTS (flushers); i++)
    gadget_journal_flush_async (fixture->journal, flushed_cb, &flushers[i]);
  for (guint i = 0; i < 2000 && n_flushed < 5; i++)
    test_run_for (10);
  g_assert_cmpuint (n_flushed, ==, 5);
  expect_stored (fixture);
}

/* What a provider wants back may come when the item is stored whole already. */
static void
test_late_replay (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetTurn) stored = NULL;

  gadget_turn_append (fixture->turn, item);
  gadget_item_append_text (item, "text", -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  test_journal_flush (fixture->journal);
  gadget_item_set_replay (item, "source", "signature");
  gadget_turn_finish (fixture->turn);
  g_assert_true (test_journal_commit (fixture->journal, NULL));
  stored = read_turn (fixture);
  g_assert_cmpstr (gadget_item_get_replay (gadget_turn_get_item (stored, 0)), ==, "signature");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, func) g_test_add ("/engine/journal/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("begins-at-once", test_begins_at_once);
  ADD ("writes-while-it-happens", test_writes_while_it_happens);
  ADD ("many-deltas", test_many_deltas);
  ADD ("commit", test_commit);
  ADD ("commit-at-once", test_commit_at_once);
  ADD ("error-turn", test_error_turn);
  ADD ("nothing-after-commit", test_nothing_after_commit);
  ADD ("end-only-by-commit", test_end_only_by_commit);
  ADD ("full-disk-at-commit", test_full_disk_at_commit);
  ADD ("full-disk-from-the-start", test_full_disk_from_the_start);
  ADD ("full-disk-for-a-while", test_full_disk_for_a_while);
  ADD ("stalled-disk", test_stalled_disk);
  ADD ("queue-to-turn", test_queue_to_turn);
  ADD ("queue-to-item", test_queue_to_item);
  ADD ("flush-in-flush", test_flush_in_flush);
  ADD ("late-replay", test_late_replay);
  ADD ("dropped", test_no_journal_left);
  g_test_add_func ("/engine/journal/killed-mid-stream", test_killed);

  return g_test_run ();
}
