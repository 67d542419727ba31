/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sessions are saved, listed, loaded and deleted, with their queues and drafts. */

#include "config.h"

#include "store-sessions-fixture.h"

#include "store/gadget-store-drafts.h"

#include <string.h>

static gboolean delete (GadgetStore *store, const char *id, GError **error)
{
  return test_store_try_delete (store, id, GADGET_DELETE_UNUSED, error);
}

static void
expect_items (GadgetTurn *turn)
{
  GadgetItem *item;

  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
  g_assert_true (gadget_turn_get_saved (turn));
  g_assert_cmpuint (gadget_turn_get_n_items (turn), ==, 5);
  item = gadget_turn_get_item (turn, 0);
  g_assert_cmpint (gadget_item_get_kind (item), ==, GADGET_ITEM_REASONING);
  g_assert_cmpstr (gadget_item_get_text (item), ==, "Hm.");
  item = gadget_turn_get_item (turn, 1);
  g_assert_cmpint (gadget_item_get_kind (item), ==, GADGET_ITEM_TEXT);
  g_assert_cmpstr (gadget_item_get_text (item), ==, "日本語 and \t control \x01 and\nlines");
  g_assert_cmpint (gadget_item_get_started_at (item), ==, 10);
  g_assert_cmpint (gadget_item_get_ended_at (item), ==, 20);
  item = gadget_turn_get_item (turn, 2);
  g_assert_cmpint (gadget_item_get_kind (item), ==, GADGET_ITEM_TOOL_CALL);
  g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_FAILED);
  g_assert_cmpstr (gadget_item_get_call_id (item), ==, "c1");
  g_assert_cmpstr (gadget_item_get_name (item), ==, "shell");
  g_assert_cmpstr (gadget_item_get_arguments (item), ==, "{\"command\":\"ls '%s'\"}");
  g_assert_cmpstr (gadget_item_get_text (item), ==, "live");
  g_assert_cmpstr (gadget_item_get_result (item), ==, "result");
  g_assert_cmpstr (gadget_item_get_summary (item), ==, "ls");
  item = gadget_turn_get_item (turn, 3);
  g_assert_cmpint (gadget_item_get_status (item), ==, GADGET_ITEM_NOT_RUN);
  g_assert_null (gadget_item_get_call_id (item));
  g_assert_null (gadget_item_get_result (item));
  item = gadget_turn_get_item (turn, 4);
  g_assert_cmpint (gadget_item_get_kind (item), ==, GADGET_ITEM_NOTE);
  g_assert_cmpuint (gadget_item_get_step (item), ==, 1);
}

/* What a newer Gadget wrote is shown, and no model is told that it said it. */
static void
test_unknown_kind (StoreFixture *fixture, gconstpointer data)
{
  g_assert_cmpint (gadget_item_kind_from_string ("of-tomorrow"), ==, GADGET_ITEM_NOTE);
  for (guint kind = 0; kind <= GADGET_ITEM_SUMMARY; kind++)
    g_assert_cmpint (
        gadget_item_kind_from_string (gadget_item_kind_to_string ((GadgetItemKind) kind)), ==,
        kind);
}

static void
test_round_trip (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) loaded = NULL;

  gadget_session_set_title (session, "A title");
  gadget_session_set_workspace (session, "/tmp");
  gadget_session_set_model (session, "local", "tiny");
  gadget_session_set_created_at (session, 5);
  store_sessions_add_turn (fixture->store, session, "t1");
  store_sessions_add_turn (fixture->store, session, "t2");

  loaded = test_store_load (fixture->store, "s");
  g_assert_cmpstr (gadget_session_get_title (loaded), ==, "A title");
  g_assert_cmpstr (gadget_session_get_workspace (loaded), ==, "/tmp");
  g_assert_cmpstr (gadget_session_get_provider (loaded), ==, "local");
  g_assert_cmpstr (gadget_session_get_model (loaded), ==, "tiny");
  g_assert_cmpint (gadget_session_get_created_at (loaded), ==, 5);
  g_assert_cmpint (gadget_session_get_updated_at (loaded), ==,
                   gadget_session_get_updated_at (session));
  g_assert_true (gadget_session_get_loaded (loaded));
  g_assert_false (gadget_session_get_queue_paused (loaded));
  g_assert_cmpint (gadget_session_get_last_status (loaded), ==, GADGET_TURN_FINISHED);
  g_assert_cmpuint (gadget_session_get_n_turns (loaded), ==, 2);
  for (guint i = 0; i < 2; i++)
    expect_items (gadget_session_get_turn (loaded, i));
}

static void
test_not_found (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("missing");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_load_session_async (fixture->store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_false (gadget_store_load_session_finish (fixture->store, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  g_assert_false (gadget_session_get_loaded (session));
}

static void
test_list (StoreFixture *fixture, gconstpointer data)
{
  static const char *const order[] = { "c", "a", "b" };
  g_autoptr (GPtrArray) empty = store_sessions_list (fixture->store);
  g_autoptr (GPtrArray) sessions = NULL;

  g_assert_cmpuint (empty->len, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autoptr (GadgetSession) session = gadget_session_new (order[i]);

      gadget_session_set_updated_at (session, 100 - (gint64) i);
      gadget_session_set_title (session, order[i]);
      test_store_save (fixture->store, session);
    }
  sessions = store_sessions_list (fixture->store);
  g_assert_cmpuint (sessions->len, ==, 3);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      GadgetSession *session = g_ptr_array_index (sessions, i);

      g_assert_cmpstr (gadget_session_get_id (session), ==, order[i]);
      g_assert_cmpstr (gadget_session_get_title (session), ==, order[i]);
      g_assert_cmpint (gadget_session_get_updated_at (session), ==, 100 - (gint64) i);
      g_assert_false (gadget_session_get_loaded (session));
      g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 0);
    }
}

static gboolean
count_rows (sqlite3 *db, gpointer data, GError **error)
{
  sqlite3_stmt *stmt = NULL;

  sqlite3_prepare_v2 (db, "SELECT (SELECT count(*) FROM turn), (SELECT count(*) FROM item)", -1,
                      &stmt, NULL);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  g_assert_cmpint (sqlite3_column_int (stmt, 0), ==, 1);
  g_assert_cmpint (sqlite3_column_int (stmt, 1), ==, 5);
  sqlite3_finalize (stmt);
  return TRUE;
}

static gboolean
add_positions (sqlite3 *db, gpointer data, GError **error)
{
  g_assert_cmpint (sqlite3_exec (db,
                                 "INSERT INTO setting (key, value) VALUES ('position:s', '1'),"
                                 " ('position:o', '2'), ('position:ss', '3')",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  return TRUE;
}

/* Where a chat was left goes with it. */
static gboolean
check_positions (sqlite3 *db, gpointer data, GError **error)
{
  sqlite3_stmt *stmt = NULL;

  g_assert_cmpint (sqlite3_prepare_v2 (db,
                                       "SELECT group_concat (key) FROM (SELECT key FROM setting"
                                       " WHERE key LIKE 'position:%' ORDER BY key)",
                                       -1, &stmt, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (stmt, 0), ==, "position:o,position:ss");
  sqlite3_finalize (stmt);
  return TRUE;
}

static void
test_delete (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) other = gadget_session_new ("o");
  g_autoptr (GPtrArray) sessions = NULL;
  g_autoptr (GError) error = NULL;

  store_sessions_add_turn (fixture->store, session, "t1");
  store_sessions_add_turn (fixture->store, other, "t2");
  test_store_run (fixture->store, add_positions, NULL);

  g_assert_true (delete (fixture->store, "s", &error));
  g_assert_no_error (error);
  g_assert_true (delete (fixture->store, "s", &error));
  /* The other one's are left. */
  test_store_run (fixture->store, count_rows, NULL);
  test_store_run (fixture->store, check_positions, NULL);
  sessions = store_sessions_list (fixture->store);
  g_assert_cmpuint (sessions->len, ==, 1);
  g_assert_cmpstr (gadget_session_get_id (g_ptr_array_index (sessions, 0)), ==, "o");
  test_store_load_into (fixture->store, g_ptr_array_index (sessions, 0));
  g_assert_cmpuint (gadget_session_get_n_turns (g_ptr_array_index (sessions, 0)), ==, 1);
}

static void
expect_queue (GadgetSession *session, const char *const *texts)
{
  GListModel *queue = gadget_session_get_queue (session);

  g_assert_cmpuint (g_list_model_get_n_items (queue), ==, g_strv_length ((char **) texts));
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autoptr (GadgetQueuedMessage) message = g_list_model_get_item (queue, i);

      g_assert_cmpstr (gadget_queued_message_get_text (message), ==, texts[i]);
    }
}

static void
test_queue (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) first = NULL;
  g_autoptr (GadgetSession) second = NULL;
  const char *const texts[] = { "two", "one", "three", NULL };
  const char *const fewer[] = { "one", "three", NULL };
  g_autofree char *text = NULL;

  gadget_session_set_loaded (session, TRUE);
  gadget_session_enqueue (session, "one");
  gadget_session_enqueue (session, "two");
  gadget_session_enqueue (session, "three");
  gadget_session_move_queued (session, 1, 0);
  test_store_save (fixture->store, session);
  first = test_store_load (fixture->store, "s");
  expect_queue (first, texts);
  /* Nothing is sent by itself after a start. */
  g_assert_true (gadget_session_get_queue_paused (first));

  /* A listed session, not loaded, knows nothing of the queue and leaves it alone. */
  g_autoptr (GPtrArray) sessions = store_sessions_list (fixture->store);

  gadget_session_set_title (g_ptr_array_index (sessions, 0), "renamed");
  test_store_save (fixture->store, g_ptr_array_index (sessions, 0));
  {
    g_autoptr (GadgetSession) again = test_store_load (fixture->store, "s");

    g_assert_cmpstr (gadget_session_get_title (again), ==, "renamed");
    expect_queue (again, texts);
  }

  text = gadget_session_dequeue (session, 0);
  test_store_save (fixture->store, session);
  second = test_store_load (fixture->store, "s");
  expect_queue (second, fewer);
}

/* A chat that gets another title while it is loaded keeps it; the rest is what was stored. */
static void
test_renamed_while_loading (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) reader = gadget_session_new ("s");
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *slot = NULL;

  gadget_session_set_loaded (session, TRUE);
  gadget_session_set_title (session, "before");
  gadget_session_set_workspace (session, "/tmp");
  gadget_session_set_model (session, "p", "m");
  test_store_save (fixture->store, session);

  gadget_store_load_session_async (fixture->store, reader, test_result_cb, &slot);
  gadget_session_set_title (reader, "Mine");
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (fixture->store, result, NULL));
  g_assert_cmpstr (gadget_session_get_title (reader), ==, "Mine");
  g_assert_cmpstr (gadget_session_get_workspace (reader), ==, "/tmp");
  g_assert_cmpstr (gadget_session_get_provider (reader), ==, "p");
  g_assert_cmpstr (gadget_session_get_model (reader), ==, "m");

  /* What changes elsewhere after that was stored is heard of. */
  test_store_save (fixture->store, reader);
  gadget_session_set_title (session, "Theirs");
  test_store_save (fixture->store, session);
  g_clear_object (&result);
  gadget_store_load_session_async (fixture->store, reader, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (fixture->store, result, NULL));
  g_assert_cmpstr (gadget_session_get_title (reader), ==, "Theirs");
}

/* Who only read the queue does not write it: another process may have added to it since. */
static void
test_queue_of_others (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) reader = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  g_autoptr (GadgetSession) last = NULL;
  const char *const texts[] = { "one", "two", NULL };
  const char *const fewer[] = { "one", NULL };
  g_autofree char *text = NULL;
  g_autofree char *more = NULL;

  gadget_session_set_loaded (session, TRUE);
  gadget_session_enqueue (session, "one");
  test_store_save (fixture->store, session);
  reader = test_store_load (fixture->store, "s");
  gadget_session_enqueue (session, "two");
  test_store_save (fixture->store, session);
  gadget_session_set_title (reader, "renamed");
  test_store_save (fixture->store, reader);
  stored = test_store_load (fixture->store, "s");
  expect_queue (stored, texts);

  /* From its first change on it does, also what it was like at first. */
  text = gadget_session_dequeue (reader, 0);
  gadget_session_enqueue (reader, "x");
  test_store_save (fixture->store, reader);
  more = gadget_session_dequeue (reader, 0);
  gadget_session_enqueue (reader, "one");
  test_store_save (fixture->store, reader);
  last = test_store_load (fixture->store, "s");
  expect_queue (last, fewer);
}

/* Nor are the title, the folder, the model and the mode written by who did not change them: the
 * window may have, while another program works on the chat. */
static void
test_settings_of_others (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) other = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  g_autoptr (GadgetSession) last = NULL;

  gadget_session_set_loaded (session, TRUE);
  gadget_session_set_title (session, "before");
  gadget_session_set_model (session, "p", "m");
  store_sessions_add_turn (fixture->store, session, "t1");
  other = test_store_load (fixture->store, "s");
  gadget_session_set_title (other, "Renamed");
  gadget_session_set_model (other, "q", "n");
  gadget_session_set_mode (other, GADGET_MODE_SANDBOX);
  test_store_save (fixture->store, other);
  gadget_session_set_workspace (session, "/tmp");
  store_sessions_add_turn (fixture->store, session, "t2");
  test_store_save (fixture->store, session);
  stored = test_store_load (fixture->store, "s");
  g_assert_cmpstr (gadget_session_get_title (stored), ==, "Renamed");
  g_assert_cmpstr (gadget_session_get_provider (stored), ==, "q");
  g_assert_cmpstr (gadget_session_get_model (stored), ==, "n");
  g_assert_cmpint (gadget_session_get_mode (stored), ==, GADGET_MODE_SANDBOX);
  g_assert_cmpstr (gadget_session_get_workspace (stored), ==, "/tmp");

  /* What is changed here, and then back to what it was, is. */
  gadget_session_set_title (session, "Mine");
  test_store_save (fixture->store, session);
  gadget_session_set_title (session, "before");
  test_store_save (fixture->store, session);
  last = test_store_load (fixture->store, "s");
  g_assert_cmpstr (gadget_session_get_title (last), ==, "before");
}

/* Nor does who made the session, and has queued nothing: another process may have queued something
 * behind the turn that goes on here. */
static void
test_queue_in_new_session (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GadgetSession) other = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  g_autoptr (GadgetSession) last = NULL;
  const char *const texts[] = { "later", NULL };
  const char *const none[] = { NULL };
  g_autofree char *text = NULL;

  gadget_session_set_loaded (session, TRUE);
  store_sessions_add_turn (fixture->store, session, "t1");
  other = test_store_load (fixture->store, "s");
  gadget_session_enqueue (other, "later");
  test_store_save (fixture->store, other);
  store_sessions_add_turn (fixture->store, session, "t2");
  test_store_save (fixture->store, session);
  stored = test_store_load (fixture->store, "s");
  expect_queue (stored, texts);

  /* What was queued here and is sent leaves the stored queue. */
  gadget_session_enqueue (session, "mine");
  test_store_save (fixture->store, session);
  text = gadget_session_dequeue (session, 0);
  test_store_save (fixture->store, session);
  last = test_store_load (fixture->store, "s");
  expect_queue (last, none);
}

static void
test_draft (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *missing = NULL;
  g_autofree char *fresh = NULL;
  g_autofree char *gone = NULL;

  test_store_save (fixture->store, session);
  before = test_store_load_draft (fixture->store, "s", NULL);
  g_assert_cmpstr (before, ==, "");
  gadget_store_save_draft_async (fixture->store, "s", "half a thought", NULL, NULL, NULL);
  /* Saving the session leaves the draft alone. */
  test_store_save (fixture->store, session);
  after = test_store_load_draft (fixture->store, "s", NULL);
  g_assert_cmpstr (after, ==, "half a thought");
  missing = test_store_load_draft (fixture->store, "none", NULL);
  g_assert_cmpstr (missing, ==, "");
  gadget_store_save_draft_async (fixture->store, NULL, "of no chat yet", NULL, NULL, NULL);
  fresh = test_store_load_draft (fixture->store, NULL, NULL);
  g_assert_cmpstr (fresh, ==, "of no chat yet");
  gadget_store_save_draft_async (fixture->store, NULL, "", NULL, NULL, NULL);
  gone = test_store_load_draft (fixture->store, NULL, NULL);
  g_assert_cmpstr (gone, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/store-sessions/" path, StoreFixture, NULL, test_store_set_up, func,         \
              test_store_tear_down)
  ADD ("unknown-kind", test_unknown_kind);
  ADD ("round-trip", test_round_trip);
  ADD ("not-found", test_not_found);
  ADD ("list", test_list);
  ADD ("delete", test_delete);
  ADD ("queue", test_queue);
  ADD ("queue-of-others", test_queue_of_others);
  ADD ("settings-of-others", test_settings_of_others);
  ADD ("queue-in-new-session", test_queue_in_new_session);
  ADD ("renamed-while-loading", test_renamed_while_loading);
  ADD ("draft", test_draft);

  return g_test_run ();
}
