/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that cannot be saved: tried again by themselves, kept in a file meanwhile, and recovered
 * from that by the next start. */

#include "config.h"

#include "test-faults.h"
#include "test-store.h"
#include "unsaved-fixture.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *
get_text (GadgetSession *session)
{
  return gadget_item_get_text (gadget_turn_get_item (gadget_session_get_last_turn (session), 0));
}

/* --- Again ------------------------------------------------------------------------------------ */

/* P3: as soon as there is room, whoever looks or not. The file is private, and gone then. */
static void
test_by_itself (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = unsaved_make (fixture, "go");
  g_autofree char *path = unsaved_dup_path (fixture, turn);
  g_autofree char *content = NULL;
  struct stat status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_nonnull (strstr (content, "go\n\nprecious\n"));

  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  g_assert_cmpuint (gadget_unsaved_turns_get_n (unsaved_get (fixture)), ==, 0);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
put_off (EngineFixture *fixture, GadgetTurn *turn)
{
  g_autoptr (GError) full =
      g_error_new_literal (GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL, "full");

  for (guint i = 0; i < 8; i++)
    gadget_unsaved_turns_failed (unsaved_get (fixture), turn, full);
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
      wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn) != NULL);
      put_off (fixture, turn);
    }
  test_faults_set (TEST_FAULT_NONE);
  engine_fixture_start (fixture, prompts[4], "text");
  wait_until (gadget_unsaved_turns_get_n (unsaved_get (fixture)) == 0);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 5);

  assert_stored (fixture, prompts, G_N_ELEMENTS (prompts));
}

/* The user saves the later turn again. */
static void
test_order_of_retries (EngineFixture *fixture, gconstpointer data)
{
  static const char *const prompts[] = { "one", "two", "three" };
  GadgetTurn *turn = NULL;

  engine_fixture_start (fixture, prompts[0], "text");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  test_faults_set (TEST_FAULT_FULL);
  for (guint i = 1; i < G_N_ELEMENTS (prompts); i++)
    {
      turn = engine_fixture_start (fixture, prompts[i], "text");
      engine_fixture_abort (fixture);
      wait_until (fixture->n_completed == i + 1);
      wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn) != NULL);
      put_off (fixture, turn);
      test_run_for (5);
    }
  test_run_for (1200); /* the success of another write wakes them */
  test_faults_set (TEST_FAULT_NONE);
  g_assert_true (gadget_unsaved_turns_save (unsaved_get (fixture), turn));
  wait_until (gadget_unsaved_turns_get_n (unsaved_get (fixture)) == 0);

  assert_stored (fixture, prompts, G_N_ELEMENTS (prompts));
}

/* There is room again while a later turn goes on, whose journal writes before the next retry. */
static void
test_order_of_journal (EngineFixture *fixture, gconstpointer data)
{
  static const char *const prompts[] = { "one", "two", "three" };
  GadgetTurn *turn;

  engine_fixture_start (fixture, prompts[0], "text");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  test_faults_set (TEST_FAULT_FULL);
  turn = engine_fixture_start (fixture, prompts[1], "text");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn) != NULL);
  engine_fixture_start (fixture, prompts[2], "text");
  test_run_for (300); /* neither can be written */
  put_off (fixture, turn);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 3);
  wait_until (gadget_unsaved_turns_get_n (unsaved_get (fixture)) == 0);

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
      wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn) != NULL);
      /* They begin in different milliseconds, as turns of people do. */
      test_run_for (5);
    }
  unsaved_start_again (fixture);
  unsaved_assert_recovers (fixture, G_N_ELEMENTS (prompts) - 1);
  assert_stored (fixture, prompts, G_N_ELEMENTS (prompts));
}

/* The next try would be half a minute away; another write that succeeds is a reason to try now. */
static void
test_after_another_write (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = unsaved_make (fixture, "go");

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
  GadgetTurn *turn = unsaved_make (fixture, "go");
  GadgetLease *lease =
      gadget_lease_acquire (fixture->directory, gadget_session_get_id (fixture->session), NULL);

  g_assert_nonnull (lease);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_save_problem (turn) == GADGET_SAVE_CHAT_IN_USE);
  g_assert_false (gadget_turn_get_saved (turn));
  gadget_lease_release (lease);
  wait_until (gadget_turn_get_saved (turn));
}

/* A subagent that was given up ends when another process has the chat, so nothing is committed.
 * What the journal still writes is not the end of the turn. */
static void
test_ended_without_commit (EngineFixture *fixture, gconstpointer data)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  g_autoptr (GadgetSession) session = gadget_engine_new_session (fixture->engine);
  g_autoptr (GadgetSession) stored = NULL;
  g_autoptr (GadgetTurn) turn = gadget_turn_new ("given-up", "go");
  g_autoptr (GadgetItem) text = gadget_item_new (GADGET_ITEM_TEXT);
  g_autoptr (GadgetJournal) journal = NULL;
  g_autoptr (GError) busy =
      g_error_new_literal (GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE, "busy");

  gadget_session_append (session, turn);
  journal = gadget_journal_new (store, session, turn);
  gadget_unsaved_turns_watch (unsaved_get (fixture), journal);
  gadget_turn_append (turn, text);
  gadget_item_append_text (text, "the end", -1);
  gadget_turn_finish (turn);
  gadget_unsaved_turns_add (unsaved_get (fixture), turn, journal, gadget_session_get_id (session),
                            busy);
  test_run_for (500); /* the journal writes what has changed */
  g_assert_cmpuint (gadget_unsaved_turns_get_n (unsaved_get (fixture)), ==, 1);
  wait_until (gadget_turn_get_saved (turn));
  stored = test_store_load (store, gadget_session_get_id (session));
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (stored, 0)), ==,
                   GADGET_TURN_FINISHED);
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
  wait_until ((path = unsaved_dup_path (fixture, turn)) != NULL);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
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
  wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture), turn) != NULL);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  test_dir_free (g_steal_pointer (&kept));
}

/* --- Recovered -------------------------------------------------------------------------------- */

static void
test_recovered (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = unsaved_make (fixture, "go");
  g_autofree char *id = g_strdup (gadget_turn_get_id (turn));
  g_autofree char *path = unsaved_dup_path (fixture, turn);
  g_autoptr (GPtrArray) recovered = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  const GadgetRecoveredChat *one;

  /* Nobody takes it from a process that lives. */
  unsaved_assert_recovers (fixture, 0);
  unsaved_start_again (fixture);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  recovered = unsaved_restore (fixture);
  g_assert_cmpuint (recovered->len, ==, 1);
  one = g_ptr_array_index (recovered, 0);
  g_assert_cmpstr (one->turn_id, ==, id);
  g_assert_cmpstr (one->session_id, ==, gadget_session_get_id (fixture->session));
  g_assert_null (one->path);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  unsaved_assert_recovers (fixture, 0);

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
  wait_until (gadget_unsaved_turns_get_path (unsaved_get (fixture),
                                             gadget_session_get_last_turn (fixture->session))
              != NULL);
  unsaved_start_again (fixture);
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
  unsaved_assert_recovers (fixture, 1);
  stored = engine_fixture_reload (fixture);
  assert_last (stored, GADGET_STOP_USER, "some, and more");
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

  unsaved_load (fixture, session);
  assert_last (session, GADGET_STOP_INTERRUPTED, "some, ");
  assert_last (other, GADGET_STOP_INTERRUPTED, "some, ");
  first = g_object_ref (gadget_session_get_turn (session, 0));
  shown = g_object_ref (gadget_session_get_last_turn (session));
  unsaved_recover (fixture, 1);
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

/* Full again at the next start: the file stays for the one after. */
static void
test_not_yet (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = unsaved_dup_path (fixture, unsaved_make (fixture, "go"));
  g_autoptr (GPtrArray) recovered = NULL;
  const GadgetRecoveredChat *one;

  unsaved_start_again (fixture);
  test_faults_set (TEST_FAULT_FULL);
  recovered = unsaved_restore (fixture);
  g_assert_cmpuint (recovered->len, ==, 1);
  one = g_ptr_array_index (recovered, 0);
  g_assert_cmpstr (one->path, ==, path);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  test_faults_set (TEST_FAULT_NONE);
  unsaved_assert_recovers (fixture, 1);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

/* The process died after the turn was saved and before its file was removed: nothing to tell. */
static void
test_saved_late (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = unsaved_make (fixture, "go");
  g_autofree char *path = unsaved_dup_path (fixture, turn);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_turn_get_saved (turn));
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  unsaved_start_again (fixture);
  unsaved_assert_recovers (fixture, 0);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

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
  GadgetTurn *turn = unsaved_make (fixture, "go");
  g_autofree char *path = unsaved_dup_path (fixture, turn);
  g_autofree char *refused = delete_elsewhere (fixture, "");
  g_autofree char *deleted = NULL;

  g_assert_cmpstr (refused, ==, open_elsewhere);
  deleted = delete_elsewhere (fixture, "force");
  g_assert_cmpstr (deleted, ==, "deleted\n");
  test_faults_set (TEST_FAULT_NONE);
  wait_until (gadget_unsaved_turns_get_n (unsaved_get (fixture)) == 0);
  g_assert_false (gadget_turn_get_saved (turn));
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_DONE);
}

/* The program died, and then the chat was deleted: the next start does not bring it back. */
static void
test_recovered_of_deleted (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = unsaved_make (fixture, "go");
  g_autofree char *path = unsaved_dup_path (fixture, turn);
  g_autofree char *id = g_strdup (gadget_session_get_id (fixture->session));

  unsaved_start_again (fixture);
  g_assert_true (engine_fixture_delete (fixture->engine,
                                        gadget_engine_find_session (fixture->engine, id),
                                        GADGET_DELETE_UNUSED, NULL));
  unsaved_assert_recovers (fixture, 0);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==, 0);
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
  ADD ("order-of-retries", test_order_of_retries);
  ADD ("order-of-journal", test_order_of_journal);
  ADD ("order-of-files", test_order_of_files);
  ADD ("chat-in-use", test_chat_in_use);
  ADD ("ended-without-commit", test_ended_without_commit);
  ADD ("P3-slow", test_slow);
  ADD ("folder-deleted", test_folder_deleted);
  ADD ("recovered", test_recovered);
  ADD ("recovered-over-interrupted", test_recovered_over_interrupted);
  ADD ("recovered-in-open-chat", test_recovered_in_open_chat);
  ADD ("not-yet", test_not_yet);
  ADD ("saved-late", test_saved_late);
  ADD ("chat-deleted-elsewhere", test_chat_deleted_elsewhere);
  ADD ("recovered-of-deleted", test_recovered_of_deleted);

  status = g_test_run ();
  test_dir_free (g_steal_pointer (&home));
  return status;
}
