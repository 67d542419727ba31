/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that cannot be saved while they go on, what is queued behind them, and a process that is
 * killed meanwhile. */

#include "config.h"

#include "test-faults.h"
#include "test-store.h"
#include "unsaved-fixture.h"
#include "unsaved-queue-fixture.h"
#include "wait.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* Starts the second turn of a chat on a disk that is full. One message is queued while it goes on,
 * another, which comes before the one that is paused then, when it is in a file. */
static void
queue_unsaved (EngineFixture *fixture)
{
  GadgetTurn *turn;
  g_autofree char *path = NULL;

  unsaved_queue_make_first (fixture);
  turn = engine_fixture_start (fixture, "second", "some");
  test_run_for (300);
  test_faults_set (TEST_FAULT_FULL);
  unsaved_queue_enqueue_picture (fixture->session, "with a picture");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  wait_until ((path = unsaved_dup_path (fixture, turn)) != NULL);
  gadget_session_enqueue (fixture->session, "queued late");
  wait_until (unsaved_queue_file_has (path, "queued late"));
}

static void
assert_three (GadgetSession *stored)
{
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 3);
  unsaved_queue_assert_queued (stored, 0, "queued now");
  unsaved_queue_assert_queued (stored, 1, "queued late");
  unsaved_queue_assert_queued (stored, 2, "with a picture");
}

static void
test_queue (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  g_autofree char *text = NULL;

  queue_unsaved (fixture);
  unsaved_start_again (fixture);
  unsaved_assert_recovers (fixture, 1);
  unsaved_assert_recovers (fixture, 0);
  text = unsaved_dump (fixture->directory);
  g_assert_nonnull (strstr (text, "hex (data)=89504E47"));
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 2);
  unsaved_queue_assert_queued (stored, 0, "queued late");
  unsaved_queue_assert_queued (stored, 1, "with a picture");
}

/* The chat is shown already. What is queued then does not push the others out. */
static void
test_queue_in_open_chat (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  queue_unsaved (fixture);
  session = unsaved_queue_start_again_loaded (fixture);
  unsaved_recover (fixture, 1);
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 2);
  g_assert_true (gadget_session_get_queue_paused (session));
  gadget_session_enqueue (session, "queued now");
  test_store_save (gadget_engine_get_store (fixture->engine), session);
  stored = engine_fixture_reload (fixture);
  assert_three (stored);
}

/* The file could not be taken at one start, and the user went on: what the file alone has comes
 * behind what is queued now. */
static void
test_queue_of_older_file (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  queue_unsaved (fixture);
  session = unsaved_queue_start_again_loaded (fixture);
  gadget_session_enqueue (session, "queued now");
  gadget_session_set_title (session, "Renamed");
  test_store_save (gadget_engine_get_store (fixture->engine), session);
  unsaved_assert_recovers (fixture, 1);
  stored = engine_fixture_reload (fixture);
  g_assert_cmpstr (gadget_session_get_title (stored), ==, "Renamed");
  assert_three (stored);
}

/* The same message may be queued several times. */
static void
test_queue_of_alike (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn;
  GadgetSession *session;
  g_autofree char *path = NULL;

  queue_unsaved (fixture);
  turn = gadget_session_get_last_turn (fixture->session);
  path = unsaved_dup_path (fixture, turn);
  gadget_session_enqueue (fixture->session, "queued late");
  gadget_session_enqueue (fixture->session, "last");
  wait_until (unsaved_queue_file_has (path, "\"last\""));
  session = unsaved_queue_start_again_loaded (fixture);
  gadget_session_enqueue (session, "queued late");
  test_store_save (gadget_engine_get_store (fixture->engine), session);
  unsaved_assert_recovers (fixture, 1);
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 4);
  unsaved_queue_assert_queued (stored, 0, "queued late");
  unsaved_queue_assert_queued (stored, 1, "queued late");
  unsaved_queue_assert_queued (stored, 2, "last");
  unsaved_queue_assert_queued (stored, 3, "with a picture");
}

/* The queue was changed here before the file was found. Both are kept, here and in the store,
 * whatever is written next. */
static void
test_queue_changed_before (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  queue_unsaved (fixture);
  session = unsaved_queue_start_again_loaded (fixture);
  gadget_session_enqueue (session, "queued now");
  gadget_engine_save (fixture->engine, session);
  unsaved_recover (fixture, 1);
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 3);
  gadget_session_set_title (session, "Renamed");
  gadget_engine_save (fixture->engine, session);
  stored = engine_fixture_reload (fixture);
  assert_three (stored);
}

/* The same when the queue was changed before the chat was read, and nothing is written afterwards.
 */
static void
test_queue_changed_at_once (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  queue_unsaved (fixture);
  unsaved_start_again (fixture);
  session = gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session));
  gadget_session_enqueue (session, "queued now");
  unsaved_recover (fixture, 1);
  wait_until (gadget_session_get_loaded (session));
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 3);
  stored = engine_fixture_reload (fixture);
  assert_three (stored);
}

/* The same for the queue that is in the file of a turn. */
static void
test_queue_outdated (EngineFixture *fixture, gconstpointer data)
{
  const struct rlimit small = { 10, RLIM_INFINITY };
  g_autofree char *path = NULL;
  struct rlimit before;

  queue_unsaved (fixture);
  path = unsaved_dup_path (fixture, gadget_session_get_last_turn (fixture->session));
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  gadget_session_enqueue (fixture->session, "queued last");
  test_run_for (1200);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  wait_until (unsaved_queue_file_has (path, "queued last"));
}

/* A message that waited is sent, and the store gives no answer: until the file of its turn is
 * there, that of the chat still has it. */
static void
test_sent_while_locked (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn;

  unsaved_queue_change_idle (fixture);
  test_faults_set (TEST_FAULT_STALL);
  g_assert_true (gadget_agent_send_queued (gadget_engine_get_agent (fixture->engine),
                                           fixture->session, 0, NULL, NULL));
  turn = gadget_session_get_last_turn (fixture->session);
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = unsaved_dup_path (fixture, turn);

      g_assert_true (unsaved_queue_chat_file_has (fixture, "\"idle\"")
                     || (path != NULL && unsaved_queue_file_has (path, "\"idle\"")));
      test_run_for (20);
    }
  wait_until (!unsaved_queue_chat_file_has (fixture, "\"idle\""));
  test_faults_set (TEST_FAULT_NONE);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  wait_until (!unsaved_queue_chat_file_has (fixture, ""));
}

/* Starts the second turn of a chat when the disk is full already, and queues a message. Returns
 * what its file has then. */
static char *
stream_unsaved (EngineFixture *fixture, GadgetTurn **turn, char **path)
{
  char *content = NULL;

  unsaved_queue_make_first (fixture);
  test_faults_set (TEST_FAULT_FULL);
  *turn = engine_fixture_start (fixture, "second", "some");
  gadget_session_enqueue (fixture->session, "queued");
  wait_until ((*path = unsaved_dup_path (fixture, *turn)) != NULL);
  wait_until (unsaved_queue_file_has (*path, "queued"));
  wait_until (unsaved_queue_file_has (*path, "some"));
  g_assert_true (g_file_get_contents (*path, &content, NULL, NULL));
  /* Nobody is to be told of it, or is asked about it. */
  g_assert_cmpuint (gadget_unsaved_turns_get_n (unsaved_get (fixture)), ==, 0);
  g_assert_true (gadget_turn_get_saved (*turn));
  return content;
}

/* The file is there while the turn goes on. What a killed process leaves is an interrupted turn,
 * and the queue. */
static void
test_killed (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn;

  content = stream_unsaved (fixture, &turn, &path);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  wait_until (unsaved_queue_file_has (path, "\"user\""));
  unsaved_start_again (fixture);
  /* As it was when it went on. */
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  unsaved_assert_recovers (fixture, 1);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 2);
  turn = gadget_session_get_last_turn (stored);
  g_assert_cmpstr (gadget_turn_get_prompt (turn), ==, "second");
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_INTERRUPTED);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "some");
  g_assert_cmpint (gadget_item_get_status (gadget_turn_get_item (turn, 0)), ==,
                   GADGET_ITEM_ABORTED);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 1);
  unsaved_queue_assert_queued (stored, 0, "queued");
}

/* Another program holds the database: the file is there as well, and goes when that has ended. */
static void
test_killed_while_locked (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autoptr (GadgetRun) run = NULL;
  GadgetTurn *turn;

  unsaved_queue_make_first (fixture);
  test_run_for (300);
  test_faults_set (TEST_FAULT_STALL);
  run = gadget_agent_start (gadget_engine_get_agent (fixture->engine), fixture->session, "second",
                            NULL, NULL);
  turn = gadget_session_get_last_turn (fixture->session);
  wait_until ((path = unsaved_dup_path (fixture, turn)) != NULL);
  wait_until (unsaved_queue_file_has (path, "second"));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

/* The same in the middle of an answer, which is in the file as far as it has come. */
static void
test_killed_when_locked (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "some");

  test_run_for (300); /* the journal has it */
  test_faults_set (TEST_FAULT_STALL);
  fake_provider_text (fixture->provider, ", and more");
  wait_until ((path = unsaved_dup_path (fixture, turn)) != NULL);
  fake_provider_text (fixture->provider, ", and the rest");
  wait_until (unsaved_queue_file_has (path, "some, and more, and the rest"));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
}

/* The chat is shown already, with as much of the turn as was journalled. */
static void
test_killed_in_open_chat (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "some");
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  GadgetSession *session;

  test_run_for (300); /* the journal has it */
  test_faults_set (TEST_FAULT_FULL);
  fake_provider_text (fixture->provider, ", and more");
  wait_until ((path = unsaved_dup_path (fixture, turn)) != NULL);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  session = unsaved_queue_start_again_loaded (fixture);
  turn = gadget_session_get_last_turn (session);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "some");
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  unsaved_recover (fixture, 1);
  wait_until (gadget_session_get_last_turn (session) != turn);
  turn = gadget_session_get_last_turn (session);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_INTERRUPTED);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "some, and more");
}

/* The journal had written more by then, and the file was still there: what is stored stays, and the
 * queue comes. */
static void
test_killed_after_room (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn;
  guint n_syncs;

  content = stream_unsaved (fixture, &turn, &path);
  test_faults_set (TEST_FAULT_NONE);
  fake_provider_text (fixture->provider, ", and more");
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  fake_provider_text (fixture->provider, ", and the rest");
  test_run_for (300); /* the journal has it */
  test_faults_set (TEST_FAULT_FULL);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  unsaved_start_again (fixture);
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  n_syncs = test_faults_get_n_syncs ();
  unsaved_assert_recovers (fixture, 1);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (test_faults_get_n_syncs (), >, n_syncs);
  stored = engine_fixture_reload (fixture);
  turn = gadget_session_get_last_turn (stored);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_INTERRUPTED);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==,
                   "some, and more, and the rest");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 1);
  unsaved_queue_assert_queued (stored, 0, "queued");
}

/* There is room again before the turn ends: the file goes, and the queue is stored. */
static void
test_room_while_streaming (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  GadgetStore *other = NULL;
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn;

  content = stream_unsaved (fixture, &turn, &path);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!g_file_test (path, G_FILE_TEST_EXISTS));
  other = test_store_open (fixture->directory);
  stored = test_store_load (other, gadget_session_get_id (fixture->session));
  unsaved_queue_assert_queued (stored, 0, "queued");
  test_store_close (other);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 2);
  g_assert_true (gadget_turn_get_saved (turn));
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
  /* A file that becomes too large is an error of the write. */
  signal (SIGXFSZ, SIG_IGN);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/unsaved-queue/" path, EngineFixture, NULL, engine_fixture_set_up, function, \
              engine_fixture_tear_down)
  ADD ("queue", test_queue);
  ADD ("queue-in-open-chat", test_queue_in_open_chat);
  ADD ("queue-of-older-file", test_queue_of_older_file);
  ADD ("queue-of-alike", test_queue_of_alike);
  ADD ("queue-changed-before", test_queue_changed_before);
  ADD ("queue-changed-at-once", test_queue_changed_at_once);
  ADD ("queue-outdated", test_queue_outdated);
  ADD ("sent-while-locked", test_sent_while_locked);
  ADD ("killed", test_killed);
  ADD ("killed-while-locked", test_killed_while_locked);
  ADD ("killed-when-locked", test_killed_when_locked);
  ADD ("killed-in-open-chat", test_killed_in_open_chat);
  ADD ("killed-after-room", test_killed_after_room);
  ADD ("room-while-streaming", test_room_while_streaming);

  status = g_test_run ();
  test_dir_free (g_steal_pointer (&home));
  return status;
}
