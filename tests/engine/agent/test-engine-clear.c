/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Clearing chats that were not used for long, and their attachments: what is cleared, what stays,
 * and what is there when it is stopped or killed. */

#include "config.h"

#include "engine-fixture.h"
#include "store/gadget-storage.h"
#include "store/gadget-store-clear.h"
#include "store/gadget-store-pictures.h"
#include "test-store.h"
#include "wait.h"

#include <string.h>

#define N_CHATS 200
#define OLD 1000 /* when the old chats were used */
#define BEFORE 2000

static GadgetStore *
get_store (EngineFixture *fixture)
{
  return gadget_engine_get_store (fixture->engine);
}

static guint
count (EngineFixture *fixture, const char *sql)
{
  g_autofree char *path = g_build_filename (fixture->directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  guint n;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  n = (guint) sqlite3_column_int (stmt, 0);
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  return n;
}

/* Adds old chats "c1", "c2", …, each with a turn, an item, an image of the message "a1" … of 20,000
 * bytes and one of the result "p1" … of 10,000; then opens the engine again. */
static void
add_chats (EngineFixture *fixture, guint n, const char *more_sql)
{
  g_autofree char *sql = g_strdup_printf (
      "CREATE TEMP TABLE counted AS WITH RECURSIVE all_n (n) AS (SELECT 1 UNION ALL"
      " SELECT n + 1 FROM all_n WHERE n < %u) SELECT n FROM all_n;"
      "INSERT INTO session (number, id, title, created_at, updated_at)"
      " SELECT 1000 + n, 'c' || n, 'Chat', 1, %d FROM counted;"
      "INSERT INTO turn (number, id, session, position, prompt, status, stop_reason, started_at,"
      " ended_at, changed_at, input_tokens, output_tokens, usage_estimated, attachments)"
      " SELECT 1000 + n, 't' || n, 1000 + n, 0, 'A question', 'finished', 'none', 1, 1, 1, 0, 0, 0,"
      " json_array (json_object ('name', 'cat.png', 'size', 20000, 'picture', 'a' || n,"
      "  'mime_type', 'image/png', 'width', 4, 'height', 4)) FROM counted;"
      "INSERT INTO item (turn, position, kind, status, step, text, started_at, ended_at)"
      " SELECT 1000 + n, 0, 'text', 'done', 0, 'An answer', 1, 1 FROM counted;"
      "INSERT INTO attachment (id, session, kept, made_at, data)"
      " SELECT 'a' || n, 1000 + n, 1, 1, zeroblob (20000) FROM counted;"
      "INSERT INTO picture (id, turn, item, position, name, mime_type, width, height, data)"
      " SELECT 'p' || n, 1000 + n, 0, 0, 'plot.png', 'image/png', 4, 4, zeroblob (10000)"
      " FROM counted;"
      "DROP TABLE counted; %s",
      n, OLD, more_sql);

  test_store_run_sql (get_store (fixture), sql);
  g_clear_object (&fixture->session);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
}

static guint
clear_chats (EngineFixture *fixture, gboolean also_pinned)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n;

  gadget_engine_clear_chats_async (fixture->engine, BEFORE, also_pinned, NULL, test_result_cb,
                                   &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_engine_clear_chats_finish (fixture->engine, result, &n, &error));
  g_assert_no_error (error);
  return n;
}

static guint
clear_attachments (EngineFixture *fixture)
{
  GadgetStore *store = get_store (fixture);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n;

  gadget_store_clear_attachments_async (store, BEFORE, FALSE, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_clear_attachments_finish (store, result, &n, &error));
  g_assert_no_error (error);
  return n;
}

static void
measure (EngineFixture *fixture, gboolean also_pinned, gboolean also_unsent, GadgetStorageOld *old)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_storage_measure_old_async (fixture->directory, BEFORE, also_pinned, also_unsent,
                                    test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_storage_measure_old_finish (result, old, &error));
  g_assert_no_error (error);
}

/* Makes the chats 2 to 5 such that they stay: pinned, with a draft, with a queued message, new. */
#define KEEP                                                                                       \
  "UPDATE session SET pinned = 1 WHERE id = 'c2';"                                                 \
  "UPDATE session SET draft = 'not sent' WHERE id = 'c3';"                                         \
  "INSERT INTO queued (session, position, text) VALUES (1004, 0, 'later');"                        \
  "UPDATE session SET updated_at = 5000 WHERE id = 'c5';" /* A subagent of the first chat goes     \
                                                             with it. */                           \
  "INSERT INTO session (number, id, title, created_at, updated_at, parent)"                        \
  " VALUES (900, 'sub', 'Sub', 1, 9000, 1001);"

/* What the preview says is what goes. */
static void
test_chats (EngineFixture *fixture, gconstpointer data)
{
  GadgetStorageOld old;

  add_chats (fixture, 6, KEEP);
  measure (fixture, FALSE, FALSE, &old);
  g_assert_cmpuint (old.n_chats, ==, 2);
  g_assert_cmpint (old.texts, ==, 2 * (gint64) strlen ("A questionAn answer"));
  g_assert_cmpuint (old.n_attachments, ==, 4);
  g_assert_cmpint (old.attachments, ==, 2 * 30000);
  g_assert_cmpuint (clear_chats (fixture, FALSE), ==, 2);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM session WHERE id IN ('c1', 'c6', 'sub')"),
                    ==, 0);
  g_assert_cmpuint (
      count (fixture, "SELECT count(*) FROM session WHERE id IN ('c2', 'c3', 'c4', 'c5')"), ==, 4);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM attachment"), ==, 4);
  g_assert_null (gadget_engine_find_session (fixture->engine, "c1"));
  measure (fixture, TRUE, FALSE, &old);
  g_assert_cmpuint (old.n_chats, ==, 1);
  g_assert_cmpuint (clear_chats (fixture, TRUE), ==, 1);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM session WHERE id = 'c2'"), ==, 0);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM session WHERE id IN ('c3', 'c4', 'c5')"),
                    ==, 3);
}

/* A chat that runs, in this or another process, stays, with its images. */
static void
test_running (EngineFixture *fixture, gconstpointer data)
{
  GadgetStorageOld old;
  g_autoptr (GadgetLease) lease = NULL;

  add_chats (fixture, 2, "");
  fixture->session = g_object_ref (gadget_engine_find_session (fixture->engine, "c1"));
  gadget_session_set_model (fixture->session, "fake", "model");
  engine_fixture_start (fixture, "go on", "x");
  wait_until (count (fixture, "SELECT count(*) FROM turn WHERE status = 'processing'") == 1);
  lease = gadget_lease_acquire (fixture->directory, "c2", NULL);
  test_store_run_sql (get_store (fixture), "UPDATE session SET updated_at = 1000");
  measure (fixture, FALSE, TRUE, &old);
  g_assert_cmpuint (old.n_chats, ==, 1);
  g_assert_cmpuint (clear_chats (fixture, FALSE), ==, 0);
  g_assert_cmpuint (clear_attachments (fixture), ==, 2); /* those of "c2" */
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM attachment WHERE id = 'a1'"), ==, 1);
  engine_fixture_abort (fixture);
  wait_until (gadget_session_get_active_run (fixture->session) == NULL);
}

/* What happens to a chat while others are being cleared is heeded, also what this process does not
 * know yet. */
static void
test_used_meanwhile (EngineFixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n;

  add_chats (fixture, 4, "");
  gadget_engine_clear_chats_async (fixture->engine, BEFORE, FALSE, NULL, test_result_cb, &slot);
  test_store_run_sql (get_store (fixture), "UPDATE session SET pinned = 1 WHERE id = 'c2';"
                                           "UPDATE session SET updated_at = 5000 WHERE id = 'c3'");
  result = test_take_result (&slot);
  g_assert_true (gadget_engine_clear_chats_finish (fixture->engine, result, &n, &error));
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM session WHERE id IN ('c2', 'c3')"), ==,
                    2);
  g_assert_cmpuint (n, ==, 2);
}

static void
used_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *done = user_data;

  *done = TRUE;
}

/* The same of images: they are listed first. */
static void
test_images_used_meanwhile (EngineFixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;
  guint n;

  add_chats (fixture, 2, "");
  gadget_store_clear_attachments_async (get_store (fixture), BEFORE, FALSE, NULL, test_result_cb,
                                        &slot);
  /* The store does one after the other: this comes after the list. */
  gadget_store_check_session_async (get_store (fixture), "c1", used_cb, &done);
  test_store_run_sql (get_store (fixture), "UPDATE session SET pinned = 1 WHERE id = 'c1'");
  result = test_take_result (&slot);
  wait_until (done);
  g_assert_true (gadget_store_clear_attachments_finish (get_store (fixture), result, &n, &error));
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM attachment WHERE id = 'a1'"), ==, 1);
}

static void
stop_cb (GListModel *sessions, guint position, guint removed, guint added,
         GCancellable *cancellable)
{
  g_cancellable_cancel (cancellable);
}

/* When it is stopped, the other chats are there. */
static void
test_stopped (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  guint n;

  add_chats (fixture, N_CHATS, "");
  g_signal_connect (gadget_engine_get_sessions (fixture->engine), "items-changed",
                    G_CALLBACK (stop_cb), cancellable);
  gadget_engine_clear_chats_async (fixture->engine, BEFORE, FALSE, cancellable, test_result_cb,
                                   &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_engine_clear_chats_finish (fixture->engine, result, &n, NULL));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, N_CHATS);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM session"), ==, N_CHATS - n);
  g_signal_handlers_disconnect_by_func (gadget_engine_get_sessions (fixture->engine), stop_cb,
                                        cancellable);
}

/* The bytes are gone and the file is smaller, but the chats have the names. A draft keeps its
 * image. */
static void
test_attachments (EngineFixture *fixture, gconstpointer data)
{
  GadgetStorageOld old;
  g_autoptr (GadgetSession) session = NULL;
  const GadgetPicture *picture;
  GPtrArray *attachments;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  const char *ids[] = { "a1", "p1" };
  guint n_pages;

  add_chats (fixture, 50,
             "INSERT INTO attachment (id, session, kept, made_at, data)"
             " VALUES ('draft', 1001, 0, unixepoch () * 1000, zeroblob (100));"
             "UPDATE session SET draft = 'x' WHERE id = 'c1';");
  n_pages = count (fixture, "PRAGMA page_count");
  measure (fixture, FALSE, TRUE, &old);
  g_assert_cmpuint (old.n_attachments, ==, 100);
  g_assert_cmpuint (clear_attachments (fixture), ==, 100);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM attachment"), ==, 1);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM picture"), ==, 50);
  g_assert_cmpuint (count (fixture, "SELECT sum (length (data)) FROM picture"), ==, 0);
  g_assert_cmpuint (count (fixture, "PRAGMA freelist_count"), ==, 0);
  g_assert_cmpuint (count (fixture, "PRAGMA page_count"), <, n_pages - 50 * 25000 / 4096);
  session = test_store_load (get_store (fixture), "c1");
  attachments = gadget_attachments_get (gadget_session_get_turn (session, 0));
  picture = gadget_attachment_get_picture (g_ptr_array_index (attachments, 0));
  g_assert_cmpstr (gadget_picture_get_name (picture), ==, "cat.png");
  test_store_load_pictures (get_store (fixture), session);
  g_assert_null (gadget_picture_get_data (picture));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      gadget_store_read_picture_async (get_store (fixture), ids[i], test_result_cb, &slot);
      result = test_take_result (&slot);
      g_assert_null (gadget_store_read_picture_finish (get_store (fixture), result, &error));
      g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
      g_clear_error (&error);
      g_clear_object (&result);
    }
  measure (fixture, FALSE, TRUE, &old);
  g_assert_cmpuint (old.n_attachments, ==, 0);
}

/* Killed at any moment: each chat is there with all that it has, or is gone. */
static void
test_killed (EngineFixture *fixture, gconstpointer what)
{
  guint n_left;

  add_chats (fixture, N_CHATS, "");
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GSubprocess) worker = test_worker_start ("clear", fixture->directory, what, NULL);
      char said[16];

      g_assert_cmpint (g_input_stream_read (g_subprocess_get_stdout_pipe (worker), said,
                                            sizeof (said), NULL, NULL),
                       >, 0);
      g_usleep ((gulong) g_test_rand_int_range (0, 20000));
      g_subprocess_send_signal (worker, SIGKILL);
      g_assert_true (g_subprocess_wait (worker, NULL, NULL));
      g_assert_cmpuint (count (fixture, "SELECT count(*) = 0 FROM pragma_integrity_check"
                                        " WHERE integrity_check != 'ok'"),
                        ==, 1);
      n_left = count (fixture, "SELECT count(*) FROM session");
      g_assert_cmpuint (count (fixture, "SELECT count(*) FROM turn"), ==, n_left);
      g_assert_cmpuint (count (fixture, "SELECT count(*) FROM item"), ==, n_left);
      g_assert_cmpuint (count (fixture, "SELECT count(*) FROM picture"), ==, n_left);
      if (g_str_equal (what, "chats"))
        g_assert_cmpuint (count (fixture, "SELECT count(*) FROM attachment"), ==, n_left);
      else
        g_assert_cmpuint (n_left, ==, N_CHATS);
      g_assert_cmpuint (count (fixture, "SELECT count(*) FROM attachment"
                                        " WHERE length (data) != 20000"),
                        ==, 0);
      g_assert_cmpuint (count (fixture, "SELECT count(*) FROM picture"
                                        " WHERE length (data) NOT IN (0, 10000)"),
                        ==, 0);
    }
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  if (g_str_equal (what, "chats"))
    g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==,
                      n_left);
  clear_chats (fixture, FALSE);
  g_assert_cmpuint (count (fixture, "SELECT count(*) FROM session"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/clear/" path, EngineFixture, data, engine_fixture_set_up, func,             \
              engine_fixture_tear_down)
  ADD ("chats", NULL, test_chats);
  ADD ("running", NULL, test_running);
  ADD ("used-meanwhile", NULL, test_used_meanwhile);
  ADD ("images-used-meanwhile", NULL, test_images_used_meanwhile);
  ADD ("stopped", NULL, test_stopped);
  ADD ("attachments", NULL, test_attachments);
  ADD ("killed/chats", "chats", test_killed);
  ADD ("killed/attachments", "attachments", test_killed);
#undef ADD
  return g_test_run ();
}
