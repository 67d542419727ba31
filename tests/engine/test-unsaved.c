/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that cannot be saved: tried again by themselves, kept in a file meanwhile, and recovered
 * from that by the next start. */

#include "config.h"

#include "engine-fixture.h"
#include "session/gadget-attachment.h"
#include "store/gadget-recovery.h"
#include "test-faults.h"
#include "test-store.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* A picture that decoders take. */
static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\x02\0\0\0";

static GadgetUnsavedTurns *
get_unsaved (EngineFixture *fixture)
{
  return gadget_agent_get_unsaved (gadget_engine_get_agent (fixture->engine));
}

/* Starts a turn, and ends it when the disk has become full. */
static GadgetTurn *
make_unsaved (EngineFixture *fixture, const char *prompt)
{
  GadgetTurn *turn = engine_fixture_start (fixture, prompt, "precious");
  const guint n_completed = fixture->n_completed;

  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == n_completed + 1);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_cmpint (gadget_turn_get_save_problem (turn), ==, GADGET_SAVE_DISK_FULL);
  wait_until (gadget_unsaved_turns_get_path (get_unsaved (fixture), turn) != NULL);
  return turn;
}

static char *
dup_path (EngineFixture *fixture, GadgetTurn *turn)
{
  return g_strdup (gadget_unsaved_turns_get_path (get_unsaved (fixture), turn));
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(GPtrArray **) user_data = gadget_recovery_restore_finish (result, &error);
  g_assert_no_error (error);
}

static GPtrArray *
restore (EngineFixture *fixture)
{
  GPtrArray *recovered = NULL;

  gadget_recovery_restore_async (gadget_engine_get_store (fixture->engine), restored_cb,
                                 &recovered);
  wait_until (recovered != NULL);
  return recovered;
}

static void
assert_recovers (EngineFixture *fixture, guint n)
{
  g_autoptr (GPtrArray) recovered = restore (fixture);

  g_assert_cmpuint (recovered->len, ==, n);
}

/* As a start after a crash: what the process had in memory is gone. */
static void
start_again (EngineFixture *fixture)
{
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  test_faults_set (TEST_FAULT_NONE);
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
}

static const char *
get_text (GadgetSession *session)
{
  return gadget_item_get_text (gadget_turn_get_item (gadget_session_get_last_turn (session), 0));
}

/* Whatever is stored of turns, but for numbers and times of writing. */
static char *
dump (const char *directory)
{
  static const char *const queries[] = {
    "SELECT id, title, workspace, provider, model, created_at, mode FROM session",
    "SELECT id, position, prompt, status, stop_reason, error_code, error_detail, provider, model,"
    " started_at, ended_at, input_tokens, output_tokens, usage_estimated, receipt, cost,"
    " attachments, removed_at, replaced_by FROM turn ORDER BY position",
    "SELECT position, kind, status, step, text, call_id, name, arguments, result, summary,"
    " started_at, ended_at, replay_source, replay, child, child_turn, attachments FROM item"
    " ORDER BY position",
    "SELECT id, item, position, name, mime_type, width, height, hex (data) FROM picture",
    "SELECT id, kept, hex (data) FROM attachment",
    "SELECT id FROM run",
  };
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  GString *text = g_string_new (NULL);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      sqlite3_stmt *stmt = NULL;

      g_assert_cmpint (sqlite3_prepare_v2 (db, queries[i], -1, &stmt, NULL), ==, SQLITE_OK);
      while (sqlite3_step (stmt) == SQLITE_ROW)
        {
          for (int column = 0; column < sqlite3_column_count (stmt); column++)
            g_string_append_printf (text, "%s=%s\n", sqlite3_column_name (stmt, column),
                                    (const char *) sqlite3_column_text (stmt, column));
        }
      sqlite3_finalize (stmt);
    }
  sqlite3_close (db);
  return g_string_free_and_steal (text);
}

static GadgetPicture *
make_picture (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (png, sizeof png - 1);
  g_autoptr (GError) error = NULL;
  GadgetPicture *picture = gadget_picture_new ("p.png", bytes, &error);

  g_assert_no_error (error);
  return picture;
}

/* --- Again ------------------------------------------------------------------------------------ */

/* P3: as soon as there is room, whoever looks or not. The file is private, and gone then. */
static void
test_by_itself (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = make_unsaved (fixture, "go");
  g_autofree char *path = dup_path (fixture, turn);
  g_autofree char *content = NULL;
  struct stat status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_nonnull (strstr (content, "go\n\nprecious\n"));

  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  g_assert_cmpuint (gadget_unsaved_turns_get_n (get_unsaved (fixture)), ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
put_off (EngineFixture *fixture, GadgetTurn *turn)
{
  g_autoptr (GError) full =
      g_error_new_literal (GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL, "full");

  for (guint i = 0; i < 8; i++)
    _gadget_unsaved_turns_failed (get_unsaved (fixture), turn, full);
}

static void
assert_stored (EngineFixture *fixture, const char *const *prompts, guint n)
{
  g_autoptr (GadgetSession) stored = engine_fixture_reload (fixture);

  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (gadget_turn_get_prompt (gadget_session_get_turn (stored, i)), ==, prompts[i]);
}

/* Turns that were not written at all come before those that are begun when there is room again. */
static void
test_order (EngineFixture *fixture, gconstpointer data)
{
  static const char *const prompts[] = { "one", "two", "three", "four", "five" };

  engine_fixture_start (fixture, prompts[0], "text");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  test_faults_set (TEST_FAULT_FULL);
  for (guint i = 1; i < 4; i++)
    {
      GadgetTurn *turn = engine_fixture_start (fixture, prompts[i], "text");

      engine_fixture_abort (fixture);
      wait_until (fixture->n_completed == i + 1);
      wait_until (gadget_unsaved_turns_get_path (get_unsaved (fixture), turn) != NULL);
      put_off (fixture, turn);
    }
  test_faults_set (TEST_FAULT_NONE);
  engine_fixture_start (fixture, prompts[4], "text");
  wait_until (gadget_unsaved_turns_get_n (get_unsaved (fixture)) == 0);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 5);

  assert_stored (fixture, prompts, G_N_ELEMENTS (prompts));
}

/* The same where they are recovered from files. */
static void
test_order_of_files (EngineFixture *fixture, gconstpointer data)
{
  static const char *const prompts[] = { "one", "two", "three", "four", "five", "six" };

  engine_fixture_start (fixture, prompts[0], "text");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  test_faults_set (TEST_FAULT_FULL);
  for (guint i = 1; i < G_N_ELEMENTS (prompts); i++)
    {
      GadgetTurn *turn = engine_fixture_start (fixture, prompts[i], "text");

      engine_fixture_abort (fixture);
      wait_until (fixture->n_completed == i + 1);
      wait_until (gadget_unsaved_turns_get_path (get_unsaved (fixture), turn) != NULL);
      /* They begin in different milliseconds, as turns of people do. */
      test_run_for (5);
    }
  start_again (fixture);
  assert_recovers (fixture, G_N_ELEMENTS (prompts) - 1);
  assert_stored (fixture, prompts, G_N_ELEMENTS (prompts));
}

/* The next try would be half a minute away; another write that succeeds is a reason to try now. */
static void
test_after_another_write (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = make_unsaved (fixture, "go");

  put_off (fixture, turn);
  test_run_for (1200);
  g_assert_false (gadget_turn_get_saved (turn));
  test_faults_set (TEST_FAULT_NONE);
  g_signal_emit_by_name (gadget_engine_get_store (fixture->engine), "written");
  wait_until (gadget_turn_get_saved (turn));
}

/* Another program works on the chat: said, and saved when it is through. */
static void
test_chat_in_use (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = make_unsaved (fixture, "go");
  GadgetLease *lease =
      gadget_lease_acquire (fixture->directory, gadget_session_get_id (fixture->session), NULL);

  g_assert_nonnull (lease);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_save_problem (turn) == GADGET_SAVE_CHAT_IN_USE);
  g_assert_false (gadget_turn_get_saved (turn));
  gadget_lease_release (lease);
  wait_until (gadget_turn_get_saved (turn));
}

/* A store that takes its time is no failure: the turn is saved by the write that is under way, and
 * its text is in a file until then. */
static void
test_slow (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "slow");
  g_autofree char *path = NULL;

  test_run_for (300); /* the journal has it */
  test_faults_set (TEST_FAULT_STALL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_cmpint (gadget_turn_get_save_problem (turn), ==, GADGET_SAVE_PENDING);
  wait_until ((path = dup_path (fixture, turn)) != NULL);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* A data folder that is deleted takes every write, and keeps none. */
static void
test_folder_deleted (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "homeless");
  g_autofree char *kept = g_strconcat (fixture->directory, "-kept", NULL);

  test_run_for (300); /* the journal has it */
  g_assert_cmpint (g_rename (fixture->directory, kept), ==, 0);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_false (gadget_turn_get_saved (turn));
  wait_until (gadget_unsaved_turns_get_path (get_unsaved (fixture), turn) != NULL);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  test_dir_free (g_steal_pointer (&kept));
}

/* --- Recovered -------------------------------------------------------------------------------- */

static void
test_recovered (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = make_unsaved (fixture, "go");
  g_autofree char *id = g_strdup (gadget_turn_get_id (turn));
  g_autofree char *path = dup_path (fixture, turn);
  g_autoptr (GPtrArray) recovered = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  const GadgetRecovered *one;

  /* Nobody takes it from a process that lives. */
  assert_recovers (fixture, 0);
  start_again (fixture);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  recovered = restore (fixture);
  g_assert_cmpuint (recovered->len, ==, 1);
  one = g_ptr_array_index (recovered, 0);
  g_assert_cmpstr (one->turn_id, ==, id);
  g_assert_cmpstr (one->session_id, ==, gadget_session_get_id (fixture->session));
  g_assert_null (one->path);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  assert_recovers (fixture, 0);

  stored = engine_fixture_reload (fixture);
  turn = gadget_session_get_last_turn (stored);
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 1);
  g_assert_cmpstr (gadget_turn_get_id (turn), ==, id);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_USER);
  g_assert_cmpstr (get_text (stored), ==, "precious");
}

/* The store has the chat's first turn; of the second, a part, when the process dies. */
static char *
cut_off (EngineFixture *fixture)
{
  engine_fixture_start (fixture, "first", "whole");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  engine_fixture_start (fixture, "second", "some, ");
  test_run_for (300);
  test_faults_set (TEST_FAULT_FULL);
  fake_provider_text (fixture->provider, "and more");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  wait_until (gadget_unsaved_turns_get_path (get_unsaved (fixture),
                                             gadget_session_get_last_turn (fixture->session))
              != NULL);
  start_again (fixture);
  return g_strdup (gadget_session_get_id (fixture->session));
}

static void
assert_last (GadgetSession *session, GadgetStopReason reason, const char *text)
{
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 2);
  g_assert_cmpint (gadget_turn_get_stop_reason (gadget_session_get_last_turn (session)), ==,
                   reason);
  g_assert_cmpstr (get_text (session), ==, text);
}

/* It was found without an end meanwhile. */
static void
test_recovered_over_interrupted (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *id = cut_off (fixture);
  g_autoptr (GadgetSession) found = NULL;
  g_autoptr (GadgetSession) stored = NULL;

  found = test_store_load (gadget_engine_get_store (fixture->engine), id);
  assert_last (found, GADGET_STOP_INTERRUPTED, "some, ");
  assert_recovers (fixture, 1);
  stored = engine_fixture_reload (fixture);
  assert_last (stored, GADGET_STOP_USER, "some, and more");
}

static void
load (EngineFixture *fixture, GadgetSession *session)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_engine_load_async (fixture->engine, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_engine_load_finish (fixture->engine, result, NULL));
}

static void
recover (EngineFixture *fixture, guint n)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) recovered = NULL;

  gadget_engine_recover_async (fixture->engine, test_result_cb, &slot);
  result = test_take_result (&slot);
  recovered = gadget_engine_recover_finish (fixture->engine, result, NULL);
  g_assert_nonnull (recovered);
  g_assert_cmpuint (recovered->len, ==, n);
}

/* The chat is shown already when its file is found, here and by another process: what was recovered
 * is shown, and goes with the next request. A turn that ended does not become another, so it is a
 * new object. */
static void
test_recovered_in_open_chat (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *id = cut_off (fixture);
  GadgetSession *session = gadget_engine_find_session (fixture->engine, id);
  GadgetStore *other_store = test_store_open (fixture->directory);
  g_autoptr (GadgetSession) other = test_store_load (other_store, id);
  g_autoptr (GadgetTurn) first = NULL;
  g_autoptr (GadgetTurn) shown = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  load (fixture, session);
  assert_last (session, GADGET_STOP_INTERRUPTED, "some, ");
  assert_last (other, GADGET_STOP_INTERRUPTED, "some, ");
  first = g_object_ref (gadget_session_get_turn (session, 0));
  shown = g_object_ref (gadget_session_get_last_turn (session));
  recover (fixture, 1);
  wait_until (gadget_session_get_last_turn (session) != shown);
  assert_last (session, GADGET_STOP_USER, "some, and more");
  g_assert_true (gadget_session_get_turn (session, 0) == first);
  g_assert_cmpint (gadget_turn_get_stop_reason (shown), ==, GADGET_STOP_INTERRUPTED);

  gadget_store_load_session_async (other_store, other, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_load_session_finish (other_store, result, NULL));
  g_clear_object (&result);
  assert_last (other, GADGET_STOP_USER, "some, and more");
  test_store_close (other_store);
}

/* --- The queue -------------------------------------------------------------------------------- */

static void
enqueue_picture (GadgetSession *session, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message = gadget_queued_message_new (text);
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  g_autoptr (GadgetPicture) picture = make_picture ();

  g_ptr_array_add (attachments, gadget_attachment_new_picture (picture));
  gadget_attachments_set (message, attachments);
  gadget_session_enqueue_message (session, message);
}

static void
assert_queued (GadgetSession *session, guint index, const char *text)
{
  g_autoptr (GadgetQueuedMessage) message =
      g_list_model_get_item (gadget_session_get_queue (session), index);

  g_assert_nonnull (message);
  g_assert_cmpstr (gadget_queued_message_get_text (message), ==, text);
}

static gboolean
file_has (const char *path, const char *text)
{
  g_autofree char *content = NULL;

  return g_file_get_contents (path, &content, NULL, NULL) && strstr (content, text) != NULL;
}

/* Starts the second turn of a chat on a disk that is full. One message is queued while it goes on,
 * another, which comes before the one that is paused then, when it is in a file. */
static void
queue_unsaved (EngineFixture *fixture)
{
  GadgetTurn *turn;
  g_autofree char *path = NULL;

  engine_fixture_start (fixture, "first", "whole");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  turn = engine_fixture_start (fixture, "second", "some");
  test_run_for (300);
  test_faults_set (TEST_FAULT_FULL);
  enqueue_picture (fixture->session, "with a picture");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  wait_until ((path = dup_path (fixture, turn)) != NULL);
  gadget_session_enqueue (fixture->session, "queued late");
  wait_until (file_has (path, "queued late"));
}

static void
test_queue (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  g_autofree char *text = NULL;

  queue_unsaved (fixture);
  start_again (fixture);
  assert_recovers (fixture, 1);
  assert_recovers (fixture, 0);
  text = dump (fixture->directory);
  g_assert_nonnull (strstr (text, "hex (data)=89504E47"));
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 2);
  assert_queued (stored, 0, "queued late");
  assert_queued (stored, 1, "with a picture");
}

/* The chat is shown already. What is queued then does not push the others out. */
static void
test_queue_in_open_chat (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  queue_unsaved (fixture);
  start_again (fixture);
  session = gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session));
  load (fixture, session);
  recover (fixture, 1);
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 2);
  g_assert_true (gadget_session_get_queue_paused (session));
  gadget_session_enqueue (session, "queued now");
  test_store_save (gadget_engine_get_store (fixture->engine), session);
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 3);
  assert_queued (stored, 0, "queued now");
  assert_queued (stored, 1, "queued late");
  assert_queued (stored, 2, "with a picture");
}

/* The file could not be taken at one start, and the user went on: what the file alone has comes
 * behind what is queued now. */
static void
test_queue_of_older_file (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  queue_unsaved (fixture);
  start_again (fixture);
  session = gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session));
  load (fixture, session);
  gadget_session_enqueue (session, "queued now");
  gadget_session_set_title (session, "Renamed");
  gadget_session_set_updated_at (session, gadget_session_get_updated_at (fixture->session) + 1000);
  test_store_save (gadget_engine_get_store (fixture->engine), session);
  assert_recovers (fixture, 1);
  stored = engine_fixture_reload (fixture);
  g_assert_cmpstr (gadget_session_get_title (stored), ==, "Renamed");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 3);
  assert_queued (stored, 0, "queued now");
  assert_queued (stored, 1, "queued late");
  assert_queued (stored, 2, "with a picture");
}

/* Full again at the next start: the file stays for the one after. */
static void
test_not_yet (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_path (fixture, make_unsaved (fixture, "go"));
  g_autoptr (GPtrArray) recovered = NULL;
  const GadgetRecovered *one;

  start_again (fixture);
  test_faults_set (TEST_FAULT_FULL);
  recovered = restore (fixture);
  g_assert_cmpuint (recovered->len, ==, 1);
  one = g_ptr_array_index (recovered, 0);
  g_assert_cmpstr (one->path, ==, path);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  test_faults_set (TEST_FAULT_NONE);
  assert_recovers (fixture, 1);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* The process died after the turn was saved and before its file was removed: nothing to tell. */
static void
test_saved_late (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = make_unsaved (fixture, "go");
  g_autofree char *path = dup_path (fixture, turn);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  start_again (fixture);
  assert_recovers (fixture, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Where the folders of the first choices cannot be made. What lies beside is not touched. */
static char *
delete_elsewhere (EngineFixture *fixture, const char *how)
{
  g_autoptr (GSubprocess) worker = test_worker_start (
      "delete", fixture->directory, gadget_session_get_id (fixture->session), how);
  char *said = NULL;

  g_subprocess_communicate_utf8 (worker, NULL, NULL, &said, NULL, NULL);
  return said;
}

/* Another process does not delete a chat of which this one has the only copy of a turn, shown or
 * not; when it is told to all the same, the turn is not tried again, and its file goes. */
static void
test_chat_deleted_elsewhere (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *open_elsewhere = g_strdup_printf ("%d\n", GADGET_STORE_ERROR_OPEN_ELSEWHERE);
  GadgetTurn *turn = make_unsaved (fixture, "go");
  g_autofree char *path = dup_path (fixture, turn);
  g_autofree char *refused = delete_elsewhere (fixture, "");
  g_autofree char *deleted = NULL;

  g_assert_cmpstr (refused, ==, open_elsewhere);
  deleted = delete_elsewhere (fixture, "force");
  g_assert_cmpstr (deleted, ==, "deleted\n");
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_unsaved_turns_get_n (get_unsaved (fixture)) == 0);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_DONE);
}

/* The program died, and then the chat was deleted: the next start does not bring it back. */
static void
test_recovered_of_deleted (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = make_unsaved (fixture, "go");
  g_autofree char *path = dup_path (fixture, turn);
  g_autofree char *id = g_strdup (gadget_session_get_id (fixture->session));

  start_again (fixture);
  g_assert_true (engine_fixture_delete (fixture->engine,
                                        gadget_engine_find_session (fixture->engine, id),
                                        GADGET_DELETE_UNUSED, NULL));
  assert_recovers (fixture, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==, 0);
}

static void
test_places (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *obstacle = g_build_filename (fixture->directory, "unsaved", NULL);
  g_autofree char *state = g_build_filename (g_get_user_state_dir (), "gadget", "unsaved", NULL);
  g_autofree char *foreign = g_build_filename (state, "reply-foreign.txt", NULL);
  g_autofree char *link = g_build_filename (state, "reply-link.txt", NULL);
  g_autofree char *path = NULL;

  g_assert_true (g_file_set_contents (obstacle, "", 0, NULL));
  path = dup_path (fixture, make_unsaved (fixture, "go"));
  g_assert_true (g_str_has_prefix (path, state));
  g_assert_true (g_file_set_contents (
      foreign, "text\n{\"gadget-unsaved-turn\":1,\"data\":\"/elsewhere\"}\n", -1, NULL));
  g_assert_cmpint (symlink (path, link), ==, 0);
  start_again (fixture);
  assert_recovers (fixture, 1);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_unlink (foreign), ==, 0);
  g_assert_cmpint (g_unlink (link), ==, 0);
}

/* A folder that others can write to is none of ours. */
static void
test_open_folder (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "unsaved", NULL);
  g_autofree char *path = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  path = dup_path (fixture, make_unsaved (fixture, "go"));
  g_assert_false (g_str_has_prefix (path, folder));
}

/* --- All of it -------------------------------------------------------------------------------- */

static void
forget (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (
      sqlite3_exec (db, "PRAGMA foreign_keys = ON; DELETE FROM session", NULL, NULL, NULL), ==,
      SQLITE_OK);
  sqlite3_close (db);
}

/* Starts a turn that has everything a turn can have. */
static GadgetTurn *
start_rich (EngineFixture *fixture)
{
  g_autoptr (GadgetPicture) given = make_picture ();
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  const GadgetTurnOptions options = { .run_id = "rich", .attachments = attachments };
  g_autoptr (GadgetRun) run = NULL;
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gadget_picture_unref);
  GadgetTurn *turn;

  g_ptr_array_add (attachments, gadget_attachment_new_picture (given));
  g_ptr_array_add (attachments, gadget_attachment_new_text ("a.txt", "text\n\"é\"", 9));
  gadget_session_set_workspace (fixture->session, fixture->directory);
  run = gadget_agent_start (gadget_engine_get_agent (fixture->engine), fixture->session, "go",
                            &options, NULL);
  g_assert_nonnull (run);
  wait_until (fake_provider_is_waiting (fixture->provider));
  turn = gadget_session_get_last_turn (fixture->session);
  fake_provider_reasoning (fixture->provider, "hm");
  fake_provider_text (fixture->provider, "two\nlines\n{\"gadget-unsaved-turn\":2}\n");
  fake_provider_call (fixture->provider, 0, "a", "list_dir", "{\"path\":\".\"}");
  fake_provider_call (fixture->provider, 1, "b", "wait", "{\"seconds\":600}");
  fake_provider_usage (fixture->provider, 12, 34);
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_n_items (turn) == 4
              && gadget_item_get_status (gadget_turn_get_item (turn, 2)) == GADGET_ITEM_FINISHED
              && gadget_item_get_status (gadget_turn_get_item (turn, 3)) == GADGET_ITEM_RUNNING);
  g_ptr_array_add (pictures, make_picture ());
  gadget_item_set_pictures (gadget_turn_get_item (turn, 2), pictures);
  gadget_item_set_replay (gadget_turn_get_item (turn, 0), "source", "signature");
  return turn;
}

/* What is recovered is, to the last column, what would have been saved. */
static void
test_everything (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  g_autofree char *saved = NULL;
  g_autofree char *recovered = NULL;
  gsize length;

  turn = start_rich (fixture);
  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  wait_until ((path = dup_path (fixture, turn)) != NULL);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  saved = dump (fixture->directory);
  g_assert_nonnull (strstr (saved, "replay=signature"));
  g_assert_nonnull (strstr (saved, "mime_type=image/png"));
  g_assert_nonnull (strstr (saved, "id=rich"));

  engine_fixture_close (g_steal_pointer (&fixture->engine));
  forget (fixture->directory);
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  assert_recovers (fixture, 1);
  recovered = dump (fixture->directory);
  g_assert_cmpstr (recovered, ==, saved);
}

int
main (int argc, char *argv[])
{
  g_autofree char *home = g_dir_make_tmp ("gadget-unsaved-XXXXXX", NULL);
  g_autofree char *state = g_build_filename (home, "state", NULL);
  int status;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/unsaved/" path, EngineFixture, NULL, engine_fixture_set_up, function,       \
              engine_fixture_tear_down)
  ADD ("P3-by-itself", test_by_itself);
  ADD ("P3-after-another-write", test_after_another_write);
  ADD ("order", test_order);
  ADD ("order-of-files", test_order_of_files);
  ADD ("chat-in-use", test_chat_in_use);
  ADD ("P3-slow", test_slow);
  ADD ("folder-deleted", test_folder_deleted);
  ADD ("recovered", test_recovered);
  ADD ("recovered-over-interrupted", test_recovered_over_interrupted);
  ADD ("recovered-in-open-chat", test_recovered_in_open_chat);
  ADD ("queue", test_queue);
  ADD ("queue-in-open-chat", test_queue_in_open_chat);
  ADD ("queue-of-older-file", test_queue_of_older_file);
  ADD ("not-yet", test_not_yet);
  ADD ("saved-late", test_saved_late);
  ADD ("chat-deleted-elsewhere", test_chat_deleted_elsewhere);
  ADD ("recovered-of-deleted", test_recovered_of_deleted);
  ADD ("places", test_places);
  ADD ("open-folder", test_open_folder);
  ADD ("everything", test_everything);

  status = g_test_run ();
  test_dir_free (g_steal_pointer (&home));
  return status;
}
