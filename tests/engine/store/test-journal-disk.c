/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The journal beside a disk that is full or stalls, and what is stored when its process is killed.
 */

#include "config.h"

#include "journal-fixture.h"
#include "killed-stream.h"
#include "test-faults.h"
#include "test-store.h"

static void
test_full_disk_at_commit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  journal_add_text (fixture->turn, "Hello");
  test_run_for (250);
  test_faults_set (TEST_FAULT_FULL);
  journal_end_with_everything (fixture);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (test_journal_commit (fixture->journal, &error));
      g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL);
      g_clear_error (&error);
    }
  test_faults_set (TEST_FAULT_NONE);
  g_assert_true (test_journal_commit (fixture->journal, &error));
  g_assert_no_error (error);
  journal_expect_committed (fixture);
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
  GadgetItem *text;

  test_journal_flush (fixture->journal);
  test_faults_set (TEST_FAULT_FULL);
  journal = gadget_journal_new (fixture->store, session, turn);
  text = journal_add_text (turn, "one ");
  g_assert_false (test_journal_write (journal));
  gadget_item_append_text (text, "two", -1);
  gadget_item_set_status (text, GADGET_ITEM_FINISHED);
  test_run_for (300);
  gadget_turn_finish (turn);
  test_faults_set (TEST_FAULT_NONE);
  g_assert_true (test_journal_commit (journal, &error));
  g_assert_no_error (error);

  stored = test_store_load (fixture->store, "other");
  journal_expect_same_turn (gadget_session_get_turn (stored, 0), turn);
}

/* There is space again in the middle: the journal catches up by itself. */
static void
test_full_disk_for_a_while (Fixture *fixture, gconstpointer data)
{
  GadgetItem *text = journal_add_text (fixture->turn, "one ");

  test_run_for (250);
  test_faults_set (TEST_FAULT_FULL);
  gadget_item_append_text (text, "two ", -1);
  gadget_item_take_call_summary (
      text, gadget_call_summary_new (GADGET_CALL_SUMMARY_TEXT, "counting", NULL));
  test_run_for (300);
  gadget_item_append_text (text, "three ", -1);
  test_faults_set (TEST_FAULT_NONE);
  test_run_for (1500);
  journal_expect_stored (fixture);
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
  GadgetItem *text = journal_add_text (fixture->turn, "");
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
  journal_expect_stored (fixture);
}

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
  stored = journal_read_turn (fixture);
  g_assert_cmpstr (gadget_item_get_replay (gadget_turn_get_item (stored, 0)), ==, "signature");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/journal/" path, Fixture, NULL, journal_set_up, func, journal_tear_down)
  ADD ("full-disk-at-commit", test_full_disk_at_commit);
  ADD ("full-disk-from-the-start", test_full_disk_from_the_start);
  ADD ("full-disk-for-a-while", test_full_disk_for_a_while);
  ADD ("stalled-disk", test_stalled_disk);
  ADD ("late-replay", test_late_replay);
  g_test_add_func ("/engine/journal/killed-mid-stream", test_killed);

  return g_test_run ();
}
