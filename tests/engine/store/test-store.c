/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The store: its files and settings, its queue of jobs, two processes, and its end. */

#include "config.h"

#include "store-fixture.h"
#include "store/gadget-store-schema.h"
#include "test-faults.h"
#include "test-store.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

static gboolean
is_store_thread (sqlite3 *db, gpointer data, GError **error)
{
  GThread **thread = data;

  *thread = g_thread_self ();
  return TRUE;
}

static gboolean
append_number (sqlite3 *db, gpointer data, GError **error)
{
  GArray *numbers = *(GArray **) data;
  int number = (int) numbers->len;

  g_array_append_val (numbers, number);
  return TRUE;
}

static gboolean
count_sessions (sqlite3 *db, gpointer data, GError **error)
{
  sqlite3_stmt *stmt = NULL;

  sqlite3_prepare_v2 (db, "SELECT count(*) FROM session", -1, &stmt, NULL);
  sqlite3_step (stmt);
  *(gint64 *) data = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  return TRUE;
}

static gint64
get_n_sessions (GadgetStore *store)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_run_async (store, count_sessions, g_new0 (gint64, 1), g_free, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_run_finish (store, result, &error);
  g_assert_no_error (error);
  return *(gint64 *) gadget_store_get_job_data (result);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static void
expect_mode (const char *directory, const char *name, guint mode)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmphex (info.st_mode & 0777, ==, mode);
}

static void
test_private_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = g_build_filename (fixture->directory, "new", "gadget", NULL);
  mode_t old_mask = umask (0);
  GadgetStore *store = test_store_open (directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");

  test_store_save (store, session);
  umask (old_mask);
  expect_mode (fixture->directory, "new/gadget", 0700);
  expect_mode (directory, "gadget.db", 0600);
  expect_mode (directory, "gadget.db-wal", 0600);
  expect_mode (directory, "gadget.db-shm", 0600);
  test_store_close (store);
}

static void
test_settings (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);

  test_store_close (store);
  g_assert_cmpint (store_get_int (fixture->path, "PRAGMA user_version"), ==,
                   _gadget_store_schema_get_version ());
  g_assert_cmpint (store_get_int (fixture->path, "SELECT count(*) FROM pragma_journal_mode"
                                                 " WHERE journal_mode = 'wal'"),
                   ==, 1);
}

/* --- The queue -------------------------------------------------------------------------------- */

static void
test_fifo (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = gadget_store_new (fixture->directory);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (int));
  GAsyncResult *opened = NULL;
  GAsyncResult *last = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GThread *thread;

  /* Queued before the end of opening, and done after it. */
  gadget_store_open_async (store, test_result_cb, &opened);
  for (guint i = 0; i < 100; i++)
    gadget_store_run_async (store, append_number, g_memdup2 (&numbers, sizeof (numbers)), g_free,
                            NULL, NULL);
  gadget_store_run_async (store, is_store_thread, g_new0 (GThread *, 1), g_free, test_result_cb,
                          &last);
  result = test_take_result (&last);
  g_assert_nonnull (opened);
  g_assert_true (gadget_store_open_finish (store, opened, NULL));
  g_clear_object (&opened);
  g_assert_true (gadget_store_run_finish (store, result, NULL));
  thread = *(GThread **) gadget_store_get_job_data (result);
  g_assert_true (thread != g_thread_self ());
  g_clear_object (&result);

  g_assert_cmpuint (numbers->len, ==, 100);
  for (int i = 0; i < 100; i++)
    g_assert_cmpint (g_array_index (numbers, int, i), ==, i);
  test_store_close (store);
}

static void
test_jobs_fail_with_open (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = gadget_store_new (fixture->directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GError) error = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  gadget_store_open_async (store, NULL, NULL);
  gadget_store_save_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_false (gadget_store_save_session_finish (store, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN);
  g_clear_object (&result);

  /* The reason goes away, and it is tried again. */
  g_assert_cmpint (g_rmdir (fixture->path), ==, 0);
  gadget_store_open_async (store, NULL, NULL);
  test_store_save (store, session);
  g_assert_cmpint (get_n_sessions (store), ==, 1);
  test_store_close (store);
}

static void
test_close_drains (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetStore) store = test_store_open (fixture->directory);
  g_autoptr (GError) error = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *id = g_strdup_printf ("s%u", i);
      g_autoptr (GadgetSession) session = gadget_session_new (id);

      gadget_store_save_session_async (store, session, NULL, NULL);
    }
  gadget_store_close (store);
  g_assert_cmpint (store_get_int (fixture->path, "SELECT count(*) FROM session"), ==, 50);

  gadget_store_list_sessions_async (store, 0, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_null (gadget_store_list_sessions_finish (store, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_CLOSED);
}

/* Writes as another process does. */
static void
run_outside (const Fixture *fixture, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 5000);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* Lists unless the list is the known one still. Returns the digest of what there is. */
static guint64
list_again (GadgetStore *store, guint64 known, gboolean *is_known)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) sessions = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_list_sessions_async (store, known, test_result_cb, &slot);
  result = test_take_result (&slot);
  sessions = gadget_store_list_sessions_finish (store, result, &error);
  g_assert_no_error (error);
  *is_known = sessions == NULL;
  return gadget_store_get_listed_digest (result);
}

/* What is written meanwhile and is not in the list costs the main context nothing. */
static void
test_known_list (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  guint64 empty;
  guint64 first;
  guint64 second;
  gboolean is_known;

  empty = list_again (store, 0, &is_known);
  g_assert_false (is_known);
  test_store_save (store, session);
  first = list_again (store, empty, &is_known);
  g_assert_false (is_known);
  g_assert_cmpuint (list_again (store, first, &is_known), ==, first);
  g_assert_true (is_known);
  /* An import goes on. */
  run_outside (fixture, "INSERT INTO import (number, name, started_at) VALUES (1, 'f', 1);"
                        "INSERT INTO session (id, created_at, updated_at, import)"
                        " VALUES ('hidden', 1, 1, 1)");
  g_assert_cmpuint (list_again (store, first, &is_known), ==, first);
  g_assert_true (is_known);
  run_outside (fixture, "UPDATE import SET ended_at = 2");
  second = list_again (store, first, &is_known);
  g_assert_false (is_known);
  g_assert_cmpuint (second, !=, first);
  test_store_close (store);
}

static gboolean
count_misses (sqlite3 *db, gpointer data, GError **error)
{
  int highest;

  return sqlite3_db_status (db, SQLITE_DBSTATUS_CACHE_MISS, data, &highest, FALSE) == SQLITE_OK;
}

/* A list reads none of the texts of chats, however many there are. */
static void
test_list_reads_little (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  int before = 0;
  int after = 0;
  gboolean is_known;

  run_outside (
      fixture,
      "INSERT INTO session (id, created_at, updated_at) VALUES ('s', 1, 1);"
      "INSERT INTO turn (id, session, position, status, prompt, stop_reason, started_at, ended_at, "
      "changed_at,"
      " input_tokens, output_tokens, usage_estimated)"
      " WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
      " SELECT 't' || i, number, i, 'finished', hex (zeroblob (1500)), 'none', 1, 1, 1, 0, 0, 0"
      " FROM n, session");
  test_store_run (store, count_misses, &before);
  list_again (store, 0, &is_known);
  test_store_run (store, count_misses, &after);
  g_assert_cmpint (after - before, <, 200);
  test_store_close (store);
}

static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  g_autoptr (GError) error = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  test_faults_set (TEST_FAULT_FULL);
  gadget_store_save_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_false (gadget_store_save_session_finish (store, result, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL);
  g_clear_object (&result);
  /* Reading still works, and writing does once there is space. */
  g_assert_cmpint (get_n_sessions (store), ==, 0);
  test_faults_set (TEST_FAULT_NONE);
  test_store_save (store, session);
  g_assert_cmpint (get_n_sessions (store), ==, 1);
  test_store_close (store);
}

/* A disk that does not answer holds up the thread, never the main context. */
static void
test_stalled_disk (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("s");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  test_faults_set (TEST_FAULT_STALL);
  gadget_store_save_session_async (store, session, test_result_cb, &slot);
  test_run_for (200);
  g_assert_null (slot);
  test_faults_set (TEST_FAULT_NONE);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_save_session_finish (store, result, NULL));
  g_clear_object (&result);
  test_store_close (store);
}

/* --- Two processes ---------------------------------------------------------------------------- */

static void
test_two_processes (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N_WORKERS = 4,
    N_TURNS = 40
  };
  g_autofree char *directory = g_build_filename (fixture->directory, "fresh", NULL);
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  g_autofree char *n_turns = g_strdup_printf ("%d", N_TURNS);
  GSubprocess *workers[N_WORKERS];
  GadgetStore *store;

  /* They make the database at the same time, too. */
  for (guint i = 0; i < N_WORKERS; i++)
    {
      g_autofree char *id = g_strdup_printf ("session-%u", i);

      workers[i] = test_worker_start ("write", directory, id, n_turns);
    }
  for (guint i = 0; i < N_WORKERS; i++)
    {
      g_autoptr (GError) error = NULL;

      g_subprocess_wait_check (workers[i], NULL, &error);
      g_assert_no_error (error);
      g_object_unref (workers[i]);
    }
  store = test_store_open (directory);
  for (guint i = 0; i < N_WORKERS; i++)
    {
      g_autofree char *id = g_strdup_printf ("session-%u", i);
      g_autoptr (GadgetSession) session = test_store_load (store, id);

      g_assert_cmpuint (gadget_session_get_n_turns (session), ==, N_TURNS);
    }
  test_store_close (store);
  g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM turn WHERE status = 'finished'"), ==,
                   N_WORKERS * N_TURNS);
  g_assert_cmpint (store_get_int (path, "SELECT count(*) FROM piece"), ==, 0);
}

static void
changed_cb (GadgetStore *store, guint *n_changes)
{
  (*n_changes)++;
}

static void
test_changed_outside (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = test_store_open (fixture->directory);
  g_autoptr (GadgetSession) session = gadget_session_new ("ours");
  g_autoptr (GSubprocess) worker = NULL;
  guint n_changes = 0;

  g_signal_connect (store, "changed-outside", G_CALLBACK (changed_cb), &n_changes);
  /* Our own writes are nothing new to us. */
  test_store_save (store, session);
  test_run_for (1000);
  gadget_session_set_title (session, "a title");
  test_store_save (store, session);
  test_run_for (1000);
  g_assert_cmpuint (n_changes, ==, 0);

  worker = test_worker_start ("write", fixture->directory, "theirs", "1");
  for (guint i = 0; i < 100 && n_changes == 0; i++)
    test_run_for (100);
  g_assert_cmpuint (n_changes, >, 0);
  g_assert_true (g_subprocess_wait_check (worker, NULL, NULL));
  test_run_for (1500);
  n_changes = 0;
  test_run_for (1000);
  g_assert_cmpuint (n_changes, ==, 0);
  g_assert_cmpint (get_n_sessions (store), ==, 2);
  test_store_close (store);
}

/* --- The end ---------------------------------------------------------------------------------- */

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
test_finalize (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store;
  gpointer weak;
  guint n_fds;
  guint n_threads;

  /* What GLib starts once and keeps. */
  store = test_store_open (fixture->directory);
  test_run_for (50);
  test_store_close (store);
  n_fds = count_entries ("/proc/self/fd");
  n_threads = count_entries ("/proc/self/task");

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GadgetSession) session = gadget_session_new ("s");

      store = test_store_open (fixture->directory);
      weak = store;
      g_object_add_weak_pointer (G_OBJECT (store), &weak);
      gadget_store_save_session_async (store, session, NULL, NULL);
      /* Not closed: the queued job keeps it until it is done. */
      g_object_unref (store);
      g_assert_nonnull (weak);
      for (guint n = 0; n < 100 && weak != NULL; n++)
        test_run_for (10);
      g_assert_null (weak);
    }
  g_assert_cmpuint (count_entries ("/proc/self/fd"), ==, n_fds);
  /* A thread of GLib's own may have ended meanwhile. */
  g_assert_cmpuint (count_entries ("/proc/self/task"), <=, n_threads);

  /* One that was never opened. */
  store = gadget_store_new (NULL);
  g_assert_true (g_str_has_suffix (gadget_store_get_directory (store), "/gadget"));
  weak = store;
  g_object_add_weak_pointer (G_OBJECT (store), &weak);
  g_object_unref (store);
  g_assert_null (weak);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/store/" path, Fixture, NULL, store_set_up, func, store_tear_down)
  ADD ("private-files", test_private_files);
  ADD ("settings", test_settings);
  ADD ("fifo", test_fifo);
  ADD ("jobs-fail-with-open", test_jobs_fail_with_open);
  ADD ("close-drains", test_close_drains);
  ADD ("known-list", test_known_list);
  ADD ("list-reads-little", test_list_reads_little);
  ADD ("full-disk", test_full_disk);
  ADD ("stalled-disk", test_stalled_disk);
  ADD ("two-processes", test_two_processes);
  ADD ("changed-outside", test_changed_outside);
  ADD ("finalize", test_finalize);

  return g_test_run ();
}
