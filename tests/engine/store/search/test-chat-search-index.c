/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The index while it is built, after kills and after damage; and searches that are stopped. */

#include "config.h"

#include "search-fixture.h"
#include <sqlite3.h>

#include <signal.h>

/* Every row that can be compared: the words of the index do not say where they are, but FTS5 lists
 * for each word its rows. */
#define DUMP "SELECT term, doc FROM temp.words ORDER BY term, doc"

static char *
dump_index (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  GString *dump = g_string_new (NULL);
  sqlite3_stmt *stmt = NULL;
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "CREATE VIRTUAL TABLE temp.words"
                                 " USING fts5vocab (main, search, instance)",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, DUMP, -1, &stmt, NULL), ==, SQLITE_OK);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    g_string_append_printf (dump, "%s %s\n", sqlite3_column_text (stmt, 0),
                            sqlite3_column_text (stmt, 1));
  g_assert_cmpint (sqlite3_finalize (stmt), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return g_string_free_and_steal (dump);
}

static gint64
get_int (Fixture *fixture, const char *sql)
{
  g_autofree char *path = g_build_filename (fixture->directory, "gadget.db", NULL);
  sqlite3_stmt *stmt = NULL;
  sqlite3 *db = NULL;
  gint64 value;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  value = sqlite3_column_int64 (stmt, 0);
  g_assert_cmpint (sqlite3_finalize (stmt), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return value;
}

static void
rebuild (Fixture *fixture)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_chat_search_rebuild_async (fixture->search, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_chat_search_rebuild_finish (fixture->search, result, &error);
  g_assert_no_error (error);
}

static gboolean
check (Fixture *fixture)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean intact;

  gadget_chat_search_check_async (fixture->search, test_result_cb, &slot);
  result = test_take_result (&slot);
  intact = gadget_chat_search_check_finish (fixture->search, result, &error);
  g_assert_no_error (error);
  return intact;
}

/* The index is what a new one would be. */
static void
expect_right (Fixture *fixture)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  search_settle (fixture);
  g_assert_true (check (fixture));
  before = dump_index (fixture->directory);
  g_assert_cmpstr (before, !=, "");
  rebuild (fixture);
  search_settle (fixture);
  after = dump_index (fixture->directory);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpuint (gadget_chat_search_get_n_indexed (fixture->search), ==,
                    gadget_chat_search_get_n_chats (fixture->search));
}

static void
test_rebuild (Fixture *fixture, gconstpointer data)
{
  search_add_session (fixture, "a");
  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *id = g_strdup_printf ("t%u", i);

      search_add_turn (fixture, "a", id, "a prompt of 北京大学");
      search_add_item (fixture, id, "text", "an answer");
      search_add_item (fixture, id, "tool-call", "an output");
    }
  test_store_run_sql (fixture->store, "UPDATE item SET name = 'shell' WHERE kind = 'tool-call';"
                                      "UPDATE item SET text = 'changed' WHERE number % 7 = 0;"
                                      "DELETE FROM item WHERE number % 5 = 0;"
                                      "DELETE FROM turn WHERE number % 11 = 0");
  expect_right (fixture);
  g_assert_cmpuint (gadget_chat_search_get_n_chats (fixture->search), ==, 1);
  g_assert_cmpuint (search_count (fixture, "大学"), ==, 46);
}

/* The newest chats come first, and n-indexed follows. */
static void
test_progress (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *session = g_strdup_printf ("s%u", i);
      g_autofree char *turn = g_strdup_printf ("t%u", i);

      search_add_session (fixture, session);
      search_add_turn (fixture, session, turn, "common");
    }
  search_settle (fixture);
  test_store_run_sql (fixture->store, "UPDATE search_build SET next = 12");
  rebuild (fixture);
  search_settle (fixture);
  g_assert_cmpuint (gadget_chat_search_get_n_chats (fixture->search), ==, 20);
  g_assert_cmpuint (gadget_chat_search_get_n_indexed (fixture->search), ==, 20);
  g_assert_cmpuint (search_count (fixture, "common"), ==, 20);
}

#define BLOCKS "UPDATE search_data SET block = x'00ff00ff' WHERE id > 10"
#define STRUCTURE "UPDATE search_data SET block = x'ffffffffffffffff' WHERE id = 10"

/* A damaged index is told from damaged chats: these are written and read as ever, and the index is
 * right when it was built again. */
static void
test_damage (Fixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetSession) session = NULL;
  const GadgetChatSearchQuery query = { .text = "mango" };

  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t", "mango");
  search_settle (fixture);
  test_store_run_sql (fixture->store, data);
  gadget_chat_search_find_async (fixture->search, &query, NULL, NULL, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_null (gadget_chat_search_find_finish (fixture->search, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CORRUPT);
  g_assert_true (gadget_chat_search_get_damaged (fixture->search));
  search_add_turn (fixture, "a", "u", "papaya");
  session = test_store_load (fixture->store, "a");
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 2);
  g_assert_false (check (fixture));
  rebuild (fixture);
  g_assert_false (gadget_chat_search_get_damaged (fixture->search));
  g_assert_cmpuint (search_count (fixture, "mango"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "papaya"), ==, 1);
  expect_right (fixture);
}

/* A damage is seen also by the indexing, and the next process can repair it. */
static void
test_damage_before (Fixture *fixture, gconstpointer data)
{
  search_add_session (fixture, "a");
  search_add_turn (fixture, "a", "t", "mango");
  search_settle (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->search));
  test_store_run_sql (fixture->store, data);
  test_store_close (fixture->store);
  fixture->store = test_store_open (fixture->directory);
  search_add_turn (fixture, "a", "u", "papaya");
  fixture->search = gadget_chat_search_new (fixture->store);
  gadget_chat_search_start (fixture->search);
  while (!gadget_chat_search_get_damaged (fixture->search))
    g_main_context_iteration (NULL, TRUE);
  rebuild (fixture);
  g_assert_cmpuint (search_count (fixture, "mango papaya"), ==, 0);
  g_assert_cmpuint (search_count (fixture, "mango"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "papaya"), ==, 1);
  expect_right (fixture);
}

static void
first_cb (const GadgetChatSearchResults *results, gpointer user_data)
{
  guint *n = user_data;

  g_assert_false (results->complete);
  g_assert_cmpuint (results->n_matches, >, 0);
  (*n)++;
}

#define MANY                                                                                       \
  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"               \
  " INSERT INTO item (turn, position, kind, status, step, text, started_at, ended_at)"             \
  " SELECT 1 + i / 10000, i % 10000, 'text', 'finished', 0,"                                       \
  "  'everywhere ' || i || ' w' || (i * 7919 % 1000), 0, 0 FROM n"

static void
add_many (Fixture *fixture)
{
  search_add_session (fixture, "a");
  for (guint i = 0; i < 7; i++)
    {
      g_autofree char *id = g_strdup_printf ("t%u", i);

      search_add_turn (fixture, "a", id, "prompt");
    }
  test_store_run_sql (fixture->store, MANY);
  search_settle (fixture);
}

/* A cancelled search ends at once, whether it runs or waits, and the next one is not disturbed. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  const GadgetChatSearchQuery query = { .text = "everywhere" };
  g_autoptr (GadgetChatSearchResults) results = NULL;
  guint n_first = 0;

  add_many (fixture);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      GAsyncResult *slot = NULL;
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;
      gint64 begin_us;

      gadget_chat_search_find_async (fixture->search, &query, NULL, NULL, cancellable,
                                     test_result_cb, &slot);
      g_usleep (i * 300);
      begin_us = g_get_monotonic_time ();
      g_cancellable_cancel (cancellable);
      result = test_take_result (&slot);
      g_assert_null (gadget_chat_search_find_finish (fixture->search, result, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpint (g_get_monotonic_time () - begin_us, <, G_TIME_SPAN_SECOND);
    }
  results = search_find (fixture, "everywhere");
  g_assert_cmpuint (results->n_matches, ==, 60000);
  g_assert_true (results->complete);
  g_clear_pointer (&results, gadget_chat_search_results_free);
  for (guint i = 0; i < 50 && n_first == 0; i++)
    {
      GAsyncResult *slot = NULL;
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GadgetChatSearchResults) whole = NULL;

      gadget_chat_search_find_async (fixture->search, &query, first_cb, &n_first, NULL,
                                     test_result_cb, &slot);
      result = test_take_result (&slot);
      whole = gadget_chat_search_find_finish (fixture->search, result, NULL);
      g_assert_cmpuint (whole->n_matches, ==, 60000);
      g_assert_cmpuint (n_first, <=, 1);
    }
  g_assert_cmpuint (n_first, ==, 1);
}

/* The beginning of many words: the first results are those of some of the words. */
static void
test_begin (Fixture *fixture, gconstpointer data)
{
  const GadgetChatSearchQuery query = { .text = "eve" };
  g_autoptr (GadgetChatSearchResults) results = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  guint n_first = 0;

  search_add_session (fixture, "a");
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *id = g_strdup_printf ("t%u", i);
      g_autofree char *prompt = g_strdup_printf ("Even%c%c and ever", 'a' + i % 26, 'a' + i / 26);

      search_add_turn (fixture, "a", id, prompt);
    }
  search_settle (fixture);
  gadget_chat_search_find_async (fixture->search, &query, first_cb, &n_first, NULL, test_result_cb,
                                 &slot);
  result = test_take_result (&slot);
  results = gadget_chat_search_find_finish (fixture->search, result, NULL);
  g_assert_cmpuint (n_first, ==, 1);
  g_assert_true (results->complete);
  g_assert_cmpuint (results->n_matches, ==, 40);
  g_assert_cmpuint (search_count (fixture, "eveny"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "and evena"), ==, 2);
  g_assert_cmpuint (search_count (fixture, "\"and eve"), ==, 40);
  g_assert_cmpuint (search_count (fixture, "evenx"), ==, 1);
  g_assert_cmpuint (search_count (fixture, "evenxb"), ==, 0);
}

/* A process that commits and deletes chats, indexes them and builds the index again is killed at
 * any moment. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  const guint n_kills = g_test_slow () ? 100 : 10;

  for (guint i = 0; i < n_kills; i++)
    {
      g_autoptr (GSubprocess) worker = test_worker_start ("index", fixture->directory, "s", NULL);
      char said[16];

      g_assert_cmpint (g_input_stream_read (g_subprocess_get_stdout_pipe (worker), said,
                                            sizeof (said), NULL, NULL),
                       >, 0);
      g_usleep ((gulong) g_test_rand_int_range (0, 200000));
      g_subprocess_send_signal (worker, SIGKILL);
      g_assert_true (g_subprocess_wait (worker, NULL, NULL));
      if (i % 5 == 4)
        expect_right (fixture);
    }
  expect_right (fixture);
  g_assert_cmpint (get_int (fixture, "SELECT count(*) FROM turn"), >, 0);
  g_assert_cmpint (get_int (fixture, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"),
                   ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/chat-search/" path, Fixture, NULL, search_set_up, function, search_tear_down)
  ADD ("rebuild", test_rebuild);
  ADD ("progress", test_progress);
  g_test_add ("/engine/chat-search/damage/blocks", Fixture, BLOCKS, search_set_up, test_damage,
              search_tear_down);
  g_test_add ("/engine/chat-search/damage/structure", Fixture, STRUCTURE, search_set_up,
              test_damage, search_tear_down);
  g_test_add ("/engine/chat-search/damage/before", Fixture, STRUCTURE, search_set_up,
              test_damage_before, search_tear_down);
  ADD ("cancel", test_cancel);
  ADD ("begin", test_begin);
  ADD ("killed", test_killed);
#undef ADD

  return g_test_run ();
}
