/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sessions that are read again while others, or runs of this process, change them. */

#include "config.h"

#include "store-sessions-fixture.h"

static void
count_cb (GListModel *model, guint position, guint removed, guint added, guint *n_removed)
{
  *n_removed += removed;
}

/* What another process adds comes in without disturbing what is there. */
static void
test_reload (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) theirs = gadget_session_new ("s");
  g_autoptr (GadgetSession) ours = NULL;
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t3", "going");
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GadgetLease) lease = NULL;
  GadgetStore *other = test_store_open (fixture->directory);
  GadgetTurn *first;
  GadgetTurn *seen;
  GadgetItem *item;
  guint n_removed = 0;

  store_sessions_add_turn (other, theirs, "t1");
  ours = test_store_load (fixture->store, "s");
  first = gadget_session_get_turn (ours, 0);
  g_signal_connect (ours, "items-changed", G_CALLBACK (count_cb), &n_removed);
  store_sessions_add_turn (other, theirs, "t2");
  test_store_load_into (fixture->store, ours);
  g_assert_cmpuint (gadget_session_get_n_turns (ours), ==, 2);
  g_assert_true (gadget_session_get_turn (ours, 0) == first);

  /* A turn that goes on grows in place. */
  lease = gadget_lease_acquire (fixture->directory, "s", NULL);
  gadget_session_append (theirs, turn);
  journal = gadget_journal_new (other, theirs, turn);
  item = store_sessions_add (turn, gadget_item_new (GADGET_ITEM_TEXT));
  gadget_item_append_text (item, "one ", -1);
  test_journal_flush (journal);
  test_store_load_into (fixture->store, ours);
  g_assert_cmpint (gadget_session_get_last_status (ours), ==, GADGET_TURN_PROCESSING);
  seen = gadget_session_get_turn (ours, 2);
  gadget_item_append_text (item, "two", -1);
  store_sessions_add (turn, gadget_item_new_tool_call ("c", "wait"));
  test_journal_flush (journal);
  test_store_load_into (fixture->store, ours);
  g_assert_true (gadget_session_get_turn (ours, 2) == seen);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (seen, 0)), ==, "one two");
  g_assert_cmpuint (gadget_turn_get_n_items (seen), ==, 2);
  gadget_turn_abort (turn, GADGET_STOP_API);
  g_assert_true (test_journal_commit (journal, NULL));
  test_store_load_into (fixture->store, ours);
  g_assert_true (gadget_session_get_turn (ours, 2) == seen);
  g_assert_cmpint (gadget_turn_get_status (seen), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (seen), ==, GADGET_STOP_API);
  g_assert_cmpuint (n_removed, ==, 0);
  g_clear_object (&journal);
  test_store_close (other);
}

static gboolean
add_pieces (sqlite3 *db, gpointer data, GError **error)
{
  static const char sql[] =
      "INSERT INTO piece SELECT number, 0, column1, column2, column3"
      " FROM turn, (VALUES ('text', 3, '3456789'), ('text', 3 + 2, '56789AB'),"
      "  ('text', 7, '789'), ('text', 40, 'lost'), ('arguments', 0, '{}'))"
      " WHERE turn.id = 't'";

  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  return TRUE;
}

/* Repeated writes overlap, and nothing behind a gap is believed. */
static void
test_pieces (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (fixture->directory, "s", NULL);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) loaded = NULL;
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("t", "a prompt");
  g_autoptr (GadgetJournal) journal = gadget_journal_new (fixture->store, session, turn);
  GadgetItem *item = store_sessions_add (turn, gadget_item_new_tool_call ("c", "shell"));

  gadget_item_append_text (item, "012", -1);
  test_journal_flush (journal);
  test_store_run (fixture->store, add_pieces, NULL);
  loaded = test_store_load (fixture->store, "s");
  item = gadget_turn_get_item (gadget_session_get_turn (loaded, 0), 0);
  g_assert_cmpstr (gadget_item_get_text (item), ==, "0123456789AB");
  g_assert_cmpstr (gadget_item_get_arguments (item), ==, "{}");
}

/* A turn of our own run, begun while the session was being read, stays. */
static void
test_load_beside_run (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) loading = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("mine", "now");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  store_sessions_add_turn (fixture->store, session, "t1");
  gadget_store_load_session_async (fixture->store, loading, test_result_cb, &slot);
  gadget_session_set_active_run (loading, "run");
  gadget_session_append (loading, turn);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (fixture->store, result, NULL));
  g_assert_cmpuint (gadget_session_get_n_turns (loading), ==, 2);
  g_assert_cmpstr (gadget_turn_get_id (gadget_session_get_turn (loading, 0)), ==, "t1");
  g_assert_true (gadget_session_get_turn (loading, 1) == turn);
}

/* A turn of our own run that ended while the session was being read stays, and stays ended. */
static void
test_load_beside_end (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("mine", "now");
  g_autoptr (GadgetTurn) late = gadget_turn_new ("late", "after that");
  g_autoptr (GadgetLease) lease = gadget_lease_acquire (fixture->directory, "s", NULL);
  g_autoptr (GadgetJournal) journal = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  store_sessions_add_turn (fixture->store, session, "t1");
  gadget_session_append (session, turn);
  journal = gadget_journal_new (fixture->store, session, turn);
  gadget_store_load_session_async (fixture->store, session, test_result_cb, &slot);
  gadget_turn_abort (turn, GADGET_STOP_USER);
  gadget_turn_finish (late);
  gadget_session_append (session, late);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (fixture->store, result, NULL));
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 3);
  g_assert_true (gadget_session_get_turn (session, 1) == turn);
  g_assert_true (gadget_session_get_turn (session, 2) == late);
}

static gboolean
set_flag (sqlite3 *db, gpointer flag, GError **error)
{
  g_atomic_int_set ((int *) flag, TRUE);
  return TRUE;
}

static void
session_loaded_cb (GadgetStore *store, GadgetSession *session, GPtrArray *turns)
{
  g_ptr_array_add (turns, g_object_ref (gadget_session_get_last_turn (session)));
}

/* What is read twice at a time is made once: somebody may hold the first objects already. */
static void
test_load_beside_load (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) reader = gadget_session_new ("s");
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *slot = NULL;
  int read = FALSE;

  store_sessions_add_turn (fixture->store, session, "t1");
  g_signal_connect (fixture->store, "session-loaded", G_CALLBACK (session_loaded_cb), turns);
  gadget_store_load_session_async (fixture->store, reader, NULL, NULL);
  gadget_store_load_session_async (fixture->store, reader, test_result_cb, &slot);
  /* Both have been read before anything is made of either. */
  gadget_store_run_async (fixture->store, set_flag, &read, NULL, NULL, NULL);
  while (!g_atomic_int_get (&read))
    g_thread_yield ();
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (fixture->store, result, NULL));
  g_assert_cmpuint (turns->len, ==, 2);
  g_assert_true (g_ptr_array_index (turns, 0) == g_ptr_array_index (turns, 1));
  g_assert_cmpuint (gadget_session_get_n_turns (reader), ==, 1);
  g_signal_handlers_disconnect_by_data (fixture->store, turns);
}

/* A turn that could not be saved stays where it is when the session is read again. */
static void
test_load_beside_unsaved (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetTurn) unsaved = gadget_turn_new ("u", "not saved");

  store_sessions_add_turn (fixture->store, session, "t1");
  gadget_turn_finish (unsaved);
  gadget_session_append (session, unsaved);
  store_sessions_add_turn (fixture->store, session, "t2");
  /* Only now, since a journal writes no turn behind one that is not saved. */
  gadget_turn_set_saved (unsaved, FALSE);
  gadget_session_set_loaded (session, TRUE);
  test_store_load_into (fixture->store, session);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 3);
  g_assert_cmpstr (gadget_turn_get_id (gadget_session_get_turn (session, 0)), ==, "t1");
  g_assert_true (gadget_session_get_turn (session, 1) == unsaved);
  g_assert_cmpstr (gadget_turn_get_id (gadget_session_get_turn (session, 2)), ==, "t2");
}

/* --- Large ------------------------------------------------------------------------------------ */

static gboolean
fill (sqlite3 *db, gpointer data, GError **error)
{
  static const char sql[] =
      "BEGIN;"
      "INSERT INTO session (id, created_at, updated_at) VALUES ('large', 1, 1);"
      "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"
      " INSERT INTO turn (id, session, position, prompt, status, stop_reason, started_at, ended_at,"
      "  changed_at, input_tokens, output_tokens, usage_estimated)"
      " SELECT 't' || i, 1, i, 'prompt ' || i, 'finished', 'none', i, i, i, 1, 1, 0 FROM n;"
      "INSERT INTO item (turn, position, kind, status, step, text, started_at, ended_at)"
      " SELECT number, p.column1, 'text', 'finished', 0, 'paragraph ' || hex (zeroblob (150)), 1, 2"
      " FROM turn, (VALUES (0), (1), (2)) AS p ORDER BY number, p.column1;"
      "COMMIT;";
  char *message = NULL;

  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, &message), ==, SQLITE_OK);
  return TRUE;
}

typedef struct
{
  gint64 last;
  gint64 longest;
} Gaps;

static gboolean
gap_cb (gpointer data)
{
  Gaps *gaps = data;
  gint64 now = g_get_monotonic_time ();

  if (gaps->last != 0)
    gaps->longest = MAX (gaps->longest, now - gaps->last);
  gaps->last = now;
  return G_SOURCE_CONTINUE;
}

static void
test_large (StoreFixture *fixture, gconstpointer data)
{
  Gaps gaps = { 0, 0 };
  gint64 begin;
  gint64 duration;
  guint source;

  gadget_store_run_async (fixture->store, fill, NULL, NULL, NULL, NULL);
  g_autoptr (GPtrArray) sessions = store_sessions_list (fixture->store);

  g_assert_cmpuint (sessions->len, ==, 1);
  source = g_timeout_add (1, gap_cb, &gaps);
  begin = g_get_monotonic_time ();
  test_store_load_into (fixture->store, g_ptr_array_index (sessions, 0));
  duration = g_get_monotonic_time () - begin;
  gap_cb (&gaps);
  g_source_remove (source);
  g_test_message (
      "10,000 turns with 30,000 items in %.0f ms, main context held for at most %.1f ms",
      (double) duration / 1000, (double) gaps.longest / 1000);
  g_assert_cmpuint (gadget_session_get_n_turns (g_ptr_array_index (sessions, 0)), ==, 10000);
  /* Half a second is the goal; a slow machine under a sanitizer gets more. */
  g_assert_cmpint (duration, <, 5 * G_USEC_PER_SEC);

  begin = g_get_monotonic_time ();
  test_store_load_into (fixture->store, g_ptr_array_index (sessions, 0));
  g_test_message ("again in %.1f ms", (double) (g_get_monotonic_time () - begin) / 1000);
  g_assert_cmpuint (gadget_session_get_n_turns (g_ptr_array_index (sessions, 0)), ==, 10000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/store-sessions/" path, StoreFixture, NULL, test_store_set_up, func,         \
              test_store_tear_down)
  ADD ("reload", test_reload);
  ADD ("load-beside-load", test_load_beside_load);
  ADD ("load-beside-run", test_load_beside_run);
  ADD ("load-beside-end", test_load_beside_end);
  ADD ("load-beside-unsaved", test_load_beside_unsaved);
  ADD ("pieces", test_pieces);
  ADD ("large", test_large);

  return g_test_run ();
}
