/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats in which nothing runs, and whose changes cannot be saved. */

#include "config.h"

#include "store/gadget-store-providers.h"
#include "test-faults.h"
#include "test-store.h"
#include "unsaved-fixture.h"
#include "unsaved-queue-fixture.h"
#include "wait.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static gboolean
has_queue (GadgetStore *store, GadgetSession **session, const char *id)
{
  g_clear_object (session);
  *session = test_store_load (store, id);
  return g_list_model_get_n_items (gadget_session_get_queue (*session)) > 0;
}

/* What is queued when no turn goes on is written by itself when there is room. */
static void
test_queue_of_idle_chat (EngineFixture *fixture, gconstpointer data)
{
  GadgetStore *other = NULL;
  g_autoptr (GadgetSession) stored = NULL;

  unsaved_queue_make_first (fixture);
  gadget_session_set_queue_paused (fixture->session, TRUE);
  test_run_for (300);
  test_faults_set (TEST_FAULT_FULL);
  unsaved_queue_enqueue_picture (fixture->session, "idle");
  gadget_engine_save (fixture->engine, fixture->session);
  test_run_for (1200);
  test_faults_set (TEST_FAULT_NONE);
  gadget_store_set_setting_async (gadget_engine_get_store (fixture->engine), "another", "write",
                                  NULL, NULL);
  other = test_store_open (fixture->directory);
  wait_until (has_queue (other, &stored, gadget_session_get_id (fixture->session)));
  unsaved_queue_assert_queued (stored, 0, "idle");
  test_store_close (other);
}

static void
assert_changed (EngineFixture *fixture)
{
  g_autoptr (GadgetSession) stored = engine_fixture_reload (fixture);
  g_autofree char *text = unsaved_dump (fixture->directory);

  g_assert_cmpstr (gadget_session_get_title (stored), ==, "Renamed");
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 2);
  unsaved_queue_assert_queued (stored, 0, "idle");
  unsaved_queue_assert_queued (stored, 1, "idle, too");
  g_assert_nonnull (strstr (text, "hex (data)=89504E47"));
}

/* The process ends before there is room. */
static void
test_idle_killed (EngineFixture *fixture, gconstpointer data)
{
  GadgetSession *session;

  unsaved_queue_change_idle (fixture);
  session = unsaved_queue_start_again_loaded (fixture);
  unsaved_recover (fixture, 0);
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 2);
  g_assert_cmpstr (gadget_session_get_title (session), ==, "Renamed");
  g_assert_true (gadget_session_get_queue_paused (session));
  wait_until (!unsaved_queue_chat_file_has (fixture, ""));
  assert_changed (fixture);
}

/* There is room again: the file goes. */
static void
test_idle_saved (EngineFixture *fixture, gconstpointer data)
{
  unsaved_queue_change_idle (fixture);
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!unsaved_queue_chat_file_has (fixture, ""));
  assert_changed (fixture);
}

/* Another process writes before the chat is saved: what is read then does not undo the change. */
static void
test_idle_read_again (EngineFixture *fixture, gconstpointer data)
{
  GadgetStore *store;

  unsaved_queue_change_idle (fixture);
  store = gadget_engine_get_store (fixture->engine);
  g_signal_emit_by_name (store, "changed-outside");
  test_run_for (300);
  g_assert_cmpstr (gadget_session_get_title (fixture->session), ==, "Renamed");
  unsaved_load (fixture, fixture->session);
  g_assert_cmpstr (gadget_session_get_title (fixture->session), ==, "Renamed");
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!unsaved_queue_chat_file_has (fixture, ""));
  assert_changed (fixture);
}

/* The store gives no answer. */
static void
test_idle_slow (EngineFixture *fixture, gconstpointer data)
{
  unsaved_queue_make_first (fixture);
  test_run_for (300);
  test_faults_set (TEST_FAULT_STALL);
  gadget_session_set_title (fixture->session, "Renamed");
  gadget_engine_save (fixture->engine, fixture->session);
  wait_until (unsaved_queue_chat_file_has (fixture, "Renamed"));
  test_faults_set (TEST_FAULT_NONE);
  wait_until (!unsaved_queue_chat_file_has (fixture, ""));
}

/* The user went on before the file was found: what is in it comes behind. */
static void
test_idle_changed_since (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  unsaved_queue_change_idle (fixture);
  session = unsaved_queue_start_again_loaded (fixture);
  gadget_session_enqueue (session, "queued now");
  gadget_engine_save (fixture->engine, session);
  unsaved_recover (fixture, 0);
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 3);
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 3);
  unsaved_queue_assert_queued (stored, 0, "queued now");
}

/* The user gave another title before the file was found: that is the later one. */
static void
test_idle_renamed_since (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetSession *session;

  unsaved_queue_change_idle (fixture);
  session = unsaved_queue_start_again_loaded (fixture);
  gadget_session_set_title (session, "Renamed since");
  test_store_save (gadget_engine_get_store (fixture->engine), session);
  unsaved_recover (fixture, 0);
  wait_until (g_list_model_get_n_items (gadget_session_get_queue (session)) == 2);
  g_assert_cmpstr (gadget_session_get_title (session), ==, "Renamed since");
  stored = engine_fixture_reload (fixture);
  g_assert_cmpstr (gadget_session_get_title (stored), ==, "Renamed since");
}

/* It does not come back when its chat was deleted. */
static void
test_idle_deleted (EngineFixture *fixture, gconstpointer data)
{
  GadgetSession *session;

  unsaved_queue_change_idle (fixture);
  session = unsaved_queue_start_again_loaded (fixture);
  g_assert_true (engine_fixture_delete (fixture->engine, session, GADGET_DELETE_UNUSED, NULL));
  unsaved_recover (fixture, 0);
  wait_until (!unsaved_queue_chat_file_has (fixture, ""));
}

/* The chat is not stored at all: it comes with its first turn. */
static void
test_renamed_before_first (EngineFixture *fixture, gconstpointer data)
{
  g_autofree char *path = unsaved_dup_path (fixture, unsaved_make (fixture, "first"));
  GadgetSession *session;

  gadget_session_set_title (fixture->session, "Renamed");
  gadget_engine_save (fixture->engine, fixture->session);
  wait_until (unsaved_queue_file_has (path, "Renamed"));
  unsaved_start_again (fixture);
  unsaved_recover (fixture, 1);
  session = gadget_engine_find_session (fixture->engine, gadget_session_get_id (fixture->session));
  g_assert_nonnull (session);
  g_assert_cmpstr (gadget_session_get_title (session), ==, "Renamed");
  unsaved_load (fixture, session);
  g_assert_cmpuint (gadget_session_get_n_turns (session), ==, 1);
}

/* No file can be written, or none that is so large: closing asks. */
static void
test_idle_lost (EngineFixture *fixture, gconstpointer data)
{
  const struct rlimit small = { 10, RLIM_INFINITY };
  struct rlimit before;

  unsaved_queue_change_idle (fixture);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  gadget_session_set_title (fixture->session, "Renamed again");
  gadget_engine_save (fixture->engine, fixture->session);
  wait_until (unsaved_queue_count_lost (fixture) == 1);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  wait_until (unsaved_queue_chat_file_has (fixture, "Renamed again"));
  wait_until (unsaved_queue_count_lost (fixture) == 0);
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
  ADD ("queue-of-idle-chat", test_queue_of_idle_chat);
  ADD ("idle-killed", test_idle_killed);
  ADD ("idle-saved", test_idle_saved);
  ADD ("idle-read-again", test_idle_read_again);
  ADD ("idle-slow", test_idle_slow);
  ADD ("idle-changed-since", test_idle_changed_since);
  ADD ("idle-renamed-since", test_idle_renamed_since);
  ADD ("idle-deleted", test_idle_deleted);
  ADD ("idle-lost", test_idle_lost);
  ADD ("renamed-before-first", test_renamed_before_first);

  status = g_test_run ();
  test_dir_free (g_steal_pointer (&home));
  return status;
}
