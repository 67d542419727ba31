/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that are deleted, replaced and brought back: in memory and on disk, whoever else works on
 * the chat, and whenever the process dies. */

#include "config.h"

#include "strict-request.h"
#include "test-store.h"
#include "turn-edits-fixture.h"
#include "wait.h"

#include "agent/gadget-turn-edits.h"
#include "common/gadget-id.h"
#include "store/gadget-store-turns.h"

#include <signal.h>

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/turn-edits/" path, SubagentFixture, NULL, subagent_set_up, function,        \
              subagent_tear_down)

static void
load (GadgetStore *store, GadgetSession *session)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_load_session_async (store, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_load_session_finish (store, result, &error);
  g_assert_no_error (error);
}

/* --- Deleting ------------------------------------------------------------------------------- */

static void
test_delete (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *request = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *id = NULL;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  edits_say (fixture, "three", "third");
  id = g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 1)));
  g_assert_false (gadget_session_get_has_removed (fixture->session));

  edits_delete_nth (fixture, 1);
  edits_expect (fixture, "one three");
  g_assert_true (gadget_session_get_has_removed (fixture->session));
  g_assert_false (gadget_session_is_removal_pending (fixture->session, id));
  request = edits_dup_request (fixture);
  g_assert_cmpstr (request, ==, "one\nfirst\nthree\nthird\nnext\n");

  edits_restore (fixture, id);
  edits_expect (fixture, "one two three");
  g_assert_false (gadget_session_get_has_removed (fixture->session));
  whole = edits_dup_request (fixture);
  g_assert_cmpstr (whole, ==, "one\nfirst\ntwo\nsecond\nthree\nthird\nnext\n");
}

static void
test_delete_all (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  edits_delete_nth (fixture, 0);
  edits_delete_nth (fixture, 0);
  edits_expect (fixture, "");
  g_assert_cmpint (gadget_session_get_last_status (fixture->session), ==, GADGET_TURN_FINISHED);
  edits_say (fixture, "three", "third");
  edits_expect (fixture, "three");
  edits_restore (fixture, NULL);
  edits_expect (fixture, "two three");
  edits_restore (fixture, NULL);
  edits_expect (fixture, "one two three");
}

/* What stays is the same objects, told as one change, of no more than what became otherwise. */
static void
note_change_cb (GListModel *model, guint position, guint removed, guint added, GString *log)
{
  g_string_append_printf (log, "%u-%u+%u ", position, removed, added);
}

static void
test_changes (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GString) log = g_string_new (NULL);
  GadgetTurn *one = edits_say (fixture, "one", "first");
  GadgetTurn *three;

  edits_say (fixture, "two", "second");
  three = edits_say (fixture, "three", "third");
  g_signal_connect (fixture->session, "items-changed", G_CALLBACK (note_change_cb), log);
  edits_delete_nth (fixture, 1);
  edits_restore (fixture, NULL);
  g_assert_cmpstr (log->str, ==, "1-1+0 1-0+1 ");
  g_assert_true (gadget_session_get_turn (fixture->session, 0) == one);
  g_assert_true (gadget_session_get_turn (fixture->session, 2) == three);
  g_string_truncate (log, 0);
  edits_start_over (fixture, 1, "again", "other");
  g_assert_cmpstr (log->str, ==, "1-2+1 ");
  g_string_truncate (log, 0);
  edits_restore (fixture, NULL);
  g_assert_cmpstr (log->str, ==, "1-1+2 ");
  g_signal_handlers_disconnect_by_data (fixture->session, log);
}

static void
test_delete_fails (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  id = g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 0)));
  test_store_run_sql (fixture->store, "CREATE TRIGGER broken BEFORE UPDATE OF removed_at ON turn"
                                      " BEGIN SELECT RAISE (ABORT, 'broken'); END");
  g_assert_false (edits_delete (fixture, id, &error));
  g_assert_true (error->domain == GADGET_STORE_ERROR);
  edits_expect (fixture, "one two");
  test_store_run_sql (fixture->store, "DROP TRIGGER broken");
  edits_delete_nth (fixture, 0);
  edits_expect (fixture, "two");
}

static void
test_busy (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  char byte;

  edits_say (fixture, "one", "first");
  id = g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 0)));
  agent_start_streaming (fixture, "two");
  g_assert_cmpint (gadget_edit_obstacle_find (fixture->session, 0), ==,
                   GADGET_EDIT_OBSTACLE_RUNNING);
  g_assert_false (edits_delete (fixture, id, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY);
  g_clear_error (&error);
  subagent_say (fixture, "second");
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_edit_obstacle_find (fixture->session, 0), ==, GADGET_EDIT_OBSTACLE_NONE);

  worker = test_worker_start ("hold", all->directory, "session", NULL);
  g_assert_cmpint (
      g_input_stream_read (g_subprocess_get_stdout_pipe (worker), &byte, 1, NULL, NULL), ==, 1);
  g_assert_false (edits_delete (fixture, id, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE);
  g_subprocess_force_exit (worker);
  g_subprocess_wait (worker, NULL, NULL);
  edits_expect (fixture, "one two");
  edits_delete_nth (fixture, 0);
  edits_expect (fixture, "two");
}

/* --- Replacing ------------------------------------------------------------------------------ */

static void
test_replace (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *request = NULL;
  GadgetRequest *sent;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  edits_say (fixture, "three", "third");
  edits_start_over (fixture, 1, "again", "other");
  edits_expect (fixture, "one again");
  sent = fake_provider_get_request (fixture->provider,
                                    fake_provider_get_n_requests (fixture->provider) - 1);
  g_assert_cmpuint (sent->messages->len, ==, 3);
  g_assert_cmpstr (request_get_text (sent, 2), ==, "again");
  edits_say (fixture, "more", "still");
  edits_expect (fixture, "one again more");

  /* The two change places, and again. */
  edits_restore (fixture, NULL);
  edits_expect (fixture, "one two three");
  request = edits_dup_request (fixture);
  g_assert_cmpstr (request, ==, "one\nfirst\ntwo\nsecond\nthree\nthird\nnext\n");
  edits_restore (fixture, NULL);
  edits_expect (fixture, "one again more");
  edits_say (fixture, "end", "last");
  edits_restore (fixture, NULL);
  edits_expect (fixture, "one two three");
  edits_say (fixture, "four", "fourth");
  edits_expect (fixture, "one two three four");
}

/* What was deleted in between has its place in either. */
static void
test_replace_and_delete (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  edits_say (fixture, "three", "third");
  edits_delete_nth (fixture, 0);
  edits_start_over (fixture, 1, "again", "other");
  edits_expect (fixture, "two again");
  edits_restore (fixture, NULL);
  edits_expect (fixture, "two three");
  edits_start_over (fixture, 0, "new", "other");
  edits_expect (fixture, "new");
  edits_delete_nth (fixture, 0);
  edits_expect (fixture, "");
  edits_restore (fixture, NULL);
  edits_expect (fixture, "new");
  edits_restore (fixture, NULL);
  edits_expect (fixture, "two three");
}

static void
test_replace_aborted (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  static const GadgetTurnOptions options = { 0 };
  g_autoptr (GadgetRun) run = NULL;
  g_autofree char *request = NULL;

  edits_say (fixture, "one", "first");
  run = gadget_agent_start_over (fixture->agent, fixture->session, 0, "again", &options, NULL);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "half");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  edits_expect (fixture, "again");
  g_assert_cmpint (gadget_session_get_last_status (fixture->session), ==, GADGET_TURN_ABORTED);
  edits_restore (fixture, NULL);
  edits_expect (fixture, "one");
  g_assert_cmpint (gadget_session_get_last_status (fixture->session), ==, GADGET_TURN_FINISHED);
  request = edits_dup_request (fixture);
  g_assert_cmpstr (request, ==, "one\nfirst\nnext\n");
}

/* Neither half of it is on disk; what is in memory stays until it is. */
static void
test_replace_fails (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GadgetSession) fresh = NULL;
  GadgetTurn *turn;

  edits_say (fixture, "one", "first");
  test_store_run_sql (fixture->store, "CREATE TRIGGER broken BEFORE UPDATE OF removed_at ON turn"
                                      " BEGIN SELECT RAISE (ABORT, 'broken'); END");
  edits_start_over (fixture, 0, "again", "other");
  turn = gadget_session_get_last_turn (fixture->session);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_cmpint (gadget_edit_obstacle_find (fixture->session, 0), ==,
                   GADGET_EDIT_OBSTACLE_UNSAVED);
  edits_expect_memory (fixture->session, "again");
  fresh = test_store_load (fixture->store, "session");
  edits_expect_memory (fresh, "one");

  /* Whatever is read meanwhile. */
  load (fixture->store, fixture->session);
  edits_expect_memory (fixture->session, "again");

  test_store_run_sql (fixture->store, "DROP TRIGGER broken");
  gadget_agent_save_again (fixture->agent, fixture->session, turn);
  wait_until (gadget_turn_get_saved (turn));
  edits_expect (fixture, "again");
}

/* --- Somebody else -------------------------------------------------------------------------- */

/* A window of another process, which reads again when it is told that somebody wrote. */
static void
test_other_process (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  GadgetStore *store = test_store_open (all->directory);
  g_autoptr (GadgetSession) other = NULL;
  GadgetTurn *last;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  edits_say (fixture, "three", "third");
  other = test_store_load (store, "session");
  last = gadget_session_get_turn (other, 2);
  edits_delete_nth (fixture, 1);
  load (store, other);
  edits_expect_memory (other, "one three");
  g_assert_true (gadget_session_get_turn (other, 1) == last);
  g_assert_true (gadget_session_get_has_removed (other));

  /* As many as before, and others. */
  edits_restore (fixture, NULL);
  edits_delete_nth (fixture, 0);
  load (store, other);
  edits_expect_memory (other, "two three");
  edits_start_over (fixture, 1, "again", "other");
  edits_say (fixture, "more", "still");
  load (store, other);
  edits_expect_memory (other, "two again more");
  edits_say (fixture, "end", "last");
  load (store, other);
  edits_expect_memory (other, "two again more end");
  test_store_close (store);
}

static void
test_while_loading (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  edits_say (fixture, "one", "first");
  edits_say (fixture, "two", "second");
  edits_say (fixture, "three", "third");
  for (guint wait = 0; wait < 12; wait++)
    {
      GAsyncResult *loaded = NULL;
      GAsyncResult *deleted = NULL;
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GAsyncResult) deletion = NULL;
      g_autofree char *id =
          g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 1)));

      /* All of it is read. */
      edits_restore (fixture, (edits_delete_nth (fixture, 0), NULL));
      gadget_store_load_session_async (fixture->store, fixture->session, test_result_cb, &loaded);
      for (guint i = 0; i < wait && loaded == NULL; i++)
        g_main_context_iteration (NULL, i % 2 == 1);
      gadget_turn_edits_delete_async (fixture->agent, fixture->session, id, test_result_cb,
                                      &deleted);
      edits_expect_memory (fixture->session, "one three");
      result = test_take_result (&loaded);
      edits_expect_memory (fixture->session, "one three");
      deletion = test_take_result (&deleted);
      edits_expect (fixture, "one three");
      edits_restore (fixture, id);
      edits_expect (fixture, "one two three");
    }
}

/* --- What was done ----------------------------------------------------------------------------
 */

static void
test_ledger (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *id = g_strdup (gadget_turn_get_id (edits_say (fixture, "one", "first")));
  g_autoptr (GPtrArray) of_turn = NULL;
  g_autoptr (GPtrArray) of_session = NULL;

  edits_say (fixture, "two", "second");
  edits_put_on_record (fixture->store, id);
  edits_delete_nth (fixture, 0);
  of_turn = edits_list_effects (fixture->store, id);
  g_assert_cmpuint (of_turn->len, ==, 1);
  of_session = edits_list_effects (fixture->store, NULL);
  g_assert_cmpuint (of_session->len, ==, 1);
}

/* --- Killed --------------------------------------------------------------------------------- */

/* Whenever the process dies, the chat is as before or as after. */
static void
test_killed (SubagentFixture *all, gconstpointer data)
{
  const guint n_rounds = 12;

  for (guint round = 0; round < n_rounds; round++)
    {
      g_autofree char *id = g_strdup_printf ("killed-%u", round);
      g_autoptr (GSubprocess) worker = test_worker_start ("edit", all->directory, id, NULL);
      g_autoptr (GadgetSession) session = NULL;
      g_autofree char *prompts = NULL;
      char byte;

      g_assert_cmpint (
          g_input_stream_read (g_subprocess_get_stdout_pipe (worker), &byte, 1, NULL, NULL), ==, 1);
      g_usleep ((gulong) g_test_rand_int_range (0, 40000));
      g_subprocess_send_signal (worker, SIGKILL);
      g_assert_true (g_subprocess_wait (worker, NULL, NULL));
      session = test_store_load (all->agent.store, id);
      prompts = edits_dup_prompts (session);
      if (!g_str_equal (prompts, "one two three") && !g_str_equal (prompts, "one again")
          && !g_str_equal (prompts, "two three"))
        g_error ("the chat is \"%s\"", prompts);
      for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
        g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (session, i)), !=,
                         GADGET_TURN_PROCESSING);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("delete", test_delete);
  ADD ("delete-all", test_delete_all);
  ADD ("changes", test_changes);
  ADD ("delete-fails", test_delete_fails);
  ADD ("busy", test_busy);
  ADD ("replace", test_replace);
  ADD ("replace-and-delete", test_replace_and_delete);
  ADD ("replace-aborted", test_replace_aborted);
  ADD ("replace-fails", test_replace_fails);
  ADD ("other-process", test_other_process);
  ADD ("while-loading", test_while_loading);
  ADD ("ledger", test_ledger);
  ADD ("killed", test_killed);
  return g_test_run ();
}
