/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Databases of earlier versions are migrated; those that cannot be opened stay as they are. */

#include "config.h"

#include "session/gadget-attachment.h"
#include "store-fixture.h"
#include "store/gadget-store-schema.h"
#include "test-faults.h"
#include "test-store.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void
expect_open_error (const char *directory, GadgetStoreError code)
{
  GadgetStore *store = gadget_store_new (directory);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_open_async (store, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_false (gadget_store_open_finish (store, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, (int) code);
  g_test_message ("%s", error->message);
  g_clear_object (&result);
  test_store_close (store);
}

/* Plain SQLite, beside the store. */
static void
run_sql (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* For every version there has been, tests/data/store-N.sql is a dump of a small database of it. */
static void
test_migrates (Fixture *fixture, gconstpointer data)
{
  guint newest = _gadget_store_schema_get_version ();

  for (guint version = 1; version <= newest; version++)
    {
      g_autofree char *name = g_strdup_printf ("store-%u.sql", version);
      g_autofree char *dump = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
      g_autofree char *directory = g_build_filename (fixture->directory, name, NULL);
      g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
      g_autofree char *sql = NULL;
      g_autoptr (GError) error = NULL;

      g_file_get_contents (dump, &sql, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
      run_sql (path, sql);
      g_assert_cmpint (store_get_int (path, "PRAGMA user_version"), ==, version);

      GadgetStore *store = test_store_open (directory);
      g_autoptr (GadgetSession) session = test_store_load (store, "session-a");

      g_assert_cmpstr (gadget_session_get_title (session), ==, "An old chat");
      g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
      g_assert_cmpstr (
          gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (session, 0), 0)), ==,
          "It's old.");
      if (version >= 2)
        {
          GadgetItem *item = gadget_turn_get_item (gadget_session_get_turn (session, 0), 1);

          g_assert_cmpstr (gadget_item_get_replay (item), ==, "signature");
          g_assert_cmpstr (gadget_item_get_replay_source (item), ==, "anthropic/model");
        }
      if (version >= 3)
        {
          GadgetItem *item = gadget_turn_get_item (gadget_session_get_turn (session, 0), 2);
          g_autoptr (GadgetSession) child = test_store_load (store, "session-b");

          g_assert_cmpstr (gadget_item_get_summary (item), ==, "Do it");
          g_assert_cmpstr (gadget_item_get_child_id (item), ==, "session-b");
          g_assert_cmpstr (gadget_item_get_child_turn_id (item), ==, "turn-b");
          g_assert_cmpstr (gadget_session_get_parent_id (child), ==, "session-a");
        }
      if (version >= 8)
        {
          GPtrArray *given = gadget_attachments_get (gadget_session_get_turn (session, 0));

          g_assert_nonnull (given);
          g_assert_cmpstr (gadget_attachment_get_name (g_ptr_array_index (given, 0)), ==,
                           "dot.png");
        }
      g_assert_cmpint (gadget_turn_get_usage (gadget_session_get_turn (session, 0))->cost, ==,
                       version >= 10 ? 42000000 : 0);
      g_assert_cmpint (gadget_session_get_mode (session), ==,
                       version >= 4 ? GADGET_MODE_ACCEPT_EDITS : GADGET_MODE_ASK);
      g_assert_cmpint (gadget_session_get_pinned (session), ==, version >= 13);
      g_assert_cmpstr (gadget_session_get_chat_folder (session), ==,
                       version >= 13 ? "folder-a" : NULL);
      test_store_close (store);
      g_assert_cmpint (store_get_int (path, "PRAGMA user_version"), ==, newest);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM deleted_session"), ==,
                       version >= 11 ? 1 : 0);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM rule"), ==, version >= 4 ? 2 : 0);
      g_assert_cmpint (store_get_int (path,
                                      "SELECT count(*) FROM change WHERE old_seen_end = 1000000"
                                      " AND new_seen_begin = 1200000"),
                       ==, version >= 4 ? 1 : 0);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM effect WHERE network IS NULL"),
                       ==, version == 4 ? 1 : 0);
      g_assert_cmpint (
          store_get_int (path, "SELECT count(*) FROM provider WHERE headers IS NOT NULL"), ==,
          version >= 12 ? 1 : 0);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM chat_folder"), ==,
                       version >= 13 ? 1 : 0);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM import JOIN session"
                                            " ON session.import = import.number"),
                       ==, version >= 15 ? 1 : 0);
      /* The turn of the subagent is counted by the other one; an imported one is not. */
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM usage WHERE turn = 'turn-a'"), ==,
                       version == 15 ? 0 : 1);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM usage"), ==,
                       version == 15 ? 0 : 1);
      /* The texts of older databases are still to be indexed. */
      g_assert_cmpint (store_get_int (path, "SELECT next FROM search_build"), ==,
                       version >= 14 ? 0 : store_get_int (path, "SELECT max (number) FROM turn"));
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM search WHERE search MATCH 'old'"),
                       ==, version >= 14 ? 2 : 0);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM run"), ==, version >= 9 ? 1 : 0);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM change WHERE shared = 1"), ==,
                       version >= 9 ? 1 : 0);
      g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM pragma_foreign_key_check"), ==,
                       0);
    }
}

/* A migrated database and a new one have the same schema. */
static char *
dup_schema (const char *path)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  GString *text = g_string_new (NULL);

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db,
                                       "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
                                       " ORDER BY name",
                                       -1, &stmt, NULL),
                   ==, SQLITE_OK);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    g_string_append_printf (text, "%s\n", sqlite3_column_text (stmt, 0));
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  return g_string_free_and_steal (text);
}

static void
test_same_schema (Fixture *fixture, gconstpointer data)
{
  g_autofree char *dump = g_test_build_filename (G_TEST_DIST, "data", "store-1.sql", NULL);
  g_autofree char *directory = g_build_filename (fixture->directory, "old", NULL);
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  g_autofree char *sql = NULL;
  g_autofree char *migrated = NULL;
  g_autofree char *fresh = NULL;

  g_assert_true (g_file_get_contents (dump, &sql, NULL, NULL));
  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  run_sql (path, sql);
  test_store_close (test_store_open (directory));
  test_store_close (test_store_open (fixture->directory));
  migrated = dup_schema (path);
  fresh = dup_schema (fixture->path);
  g_assert_cmpstr (migrated, ==, fresh);
}

/* --- Databases that cannot be opened ---------------------------------------------------------- */

static void
expect_untouched (Fixture *fixture, GadgetStoreError code)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length;
  gsize after_length;

  g_assert_true (g_file_get_contents (fixture->path, &before, &before_length, NULL));
  expect_open_error (fixture->directory, code);
  g_assert_true (g_file_get_contents (fixture->path, &after, &after_length, NULL));
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_not_a_database (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strnfill (8192, 'x');

  g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
  expect_untouched (fixture, GADGET_STORE_ERROR_CORRUPT);
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *contents = NULL;
  gsize length;

  test_store_close (test_store_open (fixture->directory));
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  g_assert_cmpuint (length, >, 4096);
  /* The header is whole, the table of tables is not. */
  memset (contents + 100, 0xa5, 3000);
  g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) length, NULL));
  expect_untouched (fixture, GADGET_STORE_ERROR_CORRUPT);
}

static void
test_newer (Fixture *fixture, gconstpointer data)
{
  test_store_close (test_store_open (fixture->directory));
  run_sql (fixture->path, "PRAGMA user_version = 9999");
  expect_untouched (fixture, GADGET_STORE_ERROR_NEWER);
}

static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  run_sql (fixture->path, "CREATE TABLE notes (text)");
  expect_untouched (fixture, GADGET_STORE_ERROR_CORRUPT);
}

static void
test_no_place (Fixture *fixture, gconstpointer data)
{
  g_autofree char *under_file = g_build_filename (fixture->path, "deeper", NULL);

  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  expect_open_error (under_file, GADGET_STORE_ERROR_OPEN);
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  expect_open_error (fixture->directory, GADGET_STORE_ERROR_OPEN);
}

/* A disk that is full when the database is to be made. */
static void
test_full_at_first (Fixture *fixture, gconstpointer data)
{
  test_faults_set (TEST_FAULT_FULL);
  expect_open_error (fixture->directory, GADGET_STORE_ERROR_FULL);
  test_faults_set (TEST_FAULT_NONE);
  test_store_close (test_store_open (fixture->directory));
}

/* What a user without rights is told; this process may be one who has all of them. */
static char *
open_as_nobody (Fixture *fixture)
{
  enum
  {
    NOBODY = 65534
  };
  g_autofree char *user = g_strdup_printf ("%d", NOBODY);
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GError) error = NULL;
  char *answer = NULL;

  g_assert_cmpint (chown (fixture->directory, NOBODY, (gid_t) -1), ==, 0);
  g_assert_cmpint (chown (fixture->path, NOBODY, (gid_t) -1), ==, 0);
  worker = test_worker_start ("open", fixture->directory, "-", user);
  g_subprocess_communicate_utf8 (worker, NULL, NULL, &answer, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  test_store_close (test_store_open (fixture->directory));
  g_assert_cmpint (g_chmod (fixture->path, 0400), ==, 0);
  g_assert_cmpint (g_chmod (fixture->directory, 0500), ==, 0);
  if (g_access (fixture->path, W_OK) != 0)
    expect_untouched (fixture, GADGET_STORE_ERROR_OPEN);
  else
    {
      g_autofree char *answer = open_as_nobody (fixture);
      g_autofree char *expected = g_strdup_printf ("%d\n", GADGET_STORE_ERROR_OPEN);

      if (g_str_equal (answer, "not allowed\n"))
        g_test_skip ("this user may write to read-only files, and may not become another");
      else
        g_assert_cmpstr (answer, ==, expected);
    }
  g_assert_cmpint (g_chmod (fixture->directory, 0700), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/store/" path, Fixture, NULL, store_set_up, func, store_tear_down)
  ADD ("migrates-from-every-version", test_migrates);
  ADD ("same-schema", test_same_schema);
  ADD ("not-a-database", test_not_a_database);
  ADD ("damaged", test_damaged);
  ADD ("newer", test_newer);
  ADD ("foreign", test_foreign);
  ADD ("no-place", test_no_place);
  ADD ("full-at-first", test_full_at_first);
  ADD ("read-only", test_read_only);

  return g_test_run ();
}
