/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Turns that are deleted, replaced and brought back, and chats that begin with those of others: in
 * memory, on disk, and as the next request has them, for every dialect. */

#include "config.h"

#include "strict-body.h"
#include "strict-request.h"
#include "subagent-fixture.h"
#include "test-store.h"
#include "wait.h"

#include "agent/gadget-turn-edits.h"
#include "common/gadget-id.h"
#include "providers/gadget-anthropic.h"
#include "providers/gadget-gemini.h"
#include "providers/gadget-ollama.h"
#include "providers/gadget-openai-chat.h"
#include "providers/gadget-openai-responses.h"
#include "session/gadget-history.h"
#include "store/gadget-store-effects.h"
#include "store/gadget-store-turns.h"

#include <signal.h>
#include <string.h>

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/turn-edits/" path, SubagentFixture, NULL, subagent_set_up, function,        \
              subagent_tear_down)

static GadgetTurn *
say (AgentFixture *fixture, const char *prompt, const char *answer)
{
  const guint n = fixture->n_completed;
  GadgetTurn *turn = agent_start_streaming (fixture, prompt);

  subagent_say (fixture, answer);
  wait_until (fixture->n_completed == n + 1);
  return turn;
}

/* "a b c": the prompts of the chat. */
static char *
dup_prompts (GadgetSession *session)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < gadget_session_get_n_turns (session); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            gadget_turn_get_prompt (gadget_session_get_turn (session, i)));
  return g_string_free_and_steal (text);
}

static void
expect_memory (GadgetSession *session, const char *prompts)
{
  g_autofree char *text = dup_prompts (session);

  g_assert_cmpstr (text, ==, prompts);
}

/* In memory, and on disk as somebody else reads it. */
static void
expect (AgentFixture *fixture, const char *prompts)
{
  g_autoptr (GadgetSession) fresh = test_store_load (fixture->store, "session");

  expect_memory (fixture->session, prompts);
  expect_memory (fresh, prompts);
}

static gboolean delete (AgentFixture *fixture, const char *turn_id, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_turn_edits_delete_async (fixture->agent, fixture->session, turn_id, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_turn_edits_delete_finish (result, error);
}

static void
delete_nth (AgentFixture *fixture, guint nth)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id =
      g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, nth)));

  delete (fixture, id, &error);
  g_assert_no_error (error);
}

static void
restore (AgentFixture *fixture, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_turn_edits_restore_async (fixture->agent, fixture->session, turn_id, test_result_cb,
                                   &slot);
  result = test_take_result (&slot);
  gadget_turn_edits_restore_finish (result, &error);
  g_assert_no_error (error);
}

static void
start_over (AgentFixture *fixture, guint index, const char *prompt, const char *answer)
{
  static const GadgetTurnOptions options = { 0 };
  const guint n = fixture->n_completed;
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start_over (fixture->agent, fixture->session, index, prompt, &options, &error);

  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (fixture->provider));
  subagent_say (fixture, answer);
  wait_until (fixture->n_completed == n + 1);
}

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

static gboolean
run_sql (sqlite3 *db, gpointer data, GError **error)
{
  g_assert_cmpint (sqlite3_exec (db, data, NULL, NULL, NULL), ==, SQLITE_OK);
  return TRUE;
}

static void
sql (GadgetStore *store, const char *text)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_run_async (store, run_sql, (gpointer) text, NULL, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_run_finish (store, result, NULL));
}

/* The words of the request that is sent now, were the next prompt "next". */
static char *
dup_request (AgentFixture *fixture)
{
  g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "next");
  g_autoptr (GadgetRequest) request = NULL;
  GString *text = g_string_new (NULL);
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < gadget_session_get_n_turns (fixture->session); i++)
    g_ptr_array_add (turns, g_object_ref (gadget_session_get_turn (fixture->session, i)));
  gadget_session_append (fixture->session, next);
  request = gadget_history_build (fixture->session, NULL);
  gadget_session_take_turns (fixture->session, g_steal_pointer (&turns));
  strict_request_assert (request);
  for (guint i = 0; i < request->messages->len; i++)
    g_string_append_printf (text, "%s\n", request_get_text (request, i));
  return g_string_free_and_steal (text);
}

/* --- Deleting ------------------------------------------------------------------------------- */

static void
test_delete (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *request = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *id = NULL;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  say (fixture, "three", "third");
  id = g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 1)));
  g_assert_false (gadget_session_get_has_removed (fixture->session));

  delete_nth (fixture, 1);
  expect (fixture, "one three");
  g_assert_true (gadget_session_get_has_removed (fixture->session));
  g_assert_false (gadget_session_is_leaving (fixture->session, id));
  request = dup_request (fixture);
  g_assert_cmpstr (request, ==, "one\nfirst\nthree\nthird\nnext\n");

  restore (fixture, id);
  expect (fixture, "one two three");
  g_assert_false (gadget_session_get_has_removed (fixture->session));
  whole = dup_request (fixture);
  g_assert_cmpstr (whole, ==, "one\nfirst\ntwo\nsecond\nthree\nthird\nnext\n");
}

static void
test_delete_all (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  delete_nth (fixture, 0);
  delete_nth (fixture, 0);
  expect (fixture, "");
  g_assert_cmpint (gadget_session_get_last_status (fixture->session), ==, GADGET_TURN_FINISHED);
  say (fixture, "three", "third");
  expect (fixture, "three");
  restore (fixture, NULL);
  expect (fixture, "two three");
  restore (fixture, NULL);
  expect (fixture, "one two three");
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
  GadgetTurn *one = say (fixture, "one", "first");
  GadgetTurn *three;

  say (fixture, "two", "second");
  three = say (fixture, "three", "third");
  g_signal_connect (fixture->session, "items-changed", G_CALLBACK (note_change_cb), log);
  delete_nth (fixture, 1);
  restore (fixture, NULL);
  g_assert_cmpstr (log->str, ==, "1-1+0 1-0+1 ");
  g_assert_true (gadget_session_get_turn (fixture->session, 0) == one);
  g_assert_true (gadget_session_get_turn (fixture->session, 2) == three);
  g_string_truncate (log, 0);
  start_over (fixture, 1, "again", "other");
  g_assert_cmpstr (log->str, ==, "1-2+1 ");
  g_string_truncate (log, 0);
  restore (fixture, NULL);
  g_assert_cmpstr (log->str, ==, "1-1+2 ");
  g_signal_handlers_disconnect_by_data (fixture->session, log);
}

static void
test_delete_fails (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  id = g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 0)));
  sql (fixture->store, "CREATE TRIGGER broken BEFORE UPDATE OF removed_at ON turn"
                       " BEGIN SELECT RAISE (ABORT, 'broken'); END");
  g_assert_false (delete (fixture, id, &error));
  g_assert_true (error->domain == GADGET_STORE_ERROR);
  expect (fixture, "one two");
  sql (fixture->store, "DROP TRIGGER broken");
  delete_nth (fixture, 0);
  expect (fixture, "two");
}

static void
test_busy (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  char byte;

  say (fixture, "one", "first");
  id = g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 0)));
  agent_start_streaming (fixture, "two");
  g_assert_cmpint (gadget_turn_edits_get_obstacle (fixture->session, 0), ==,
                   GADGET_EDIT_OBSTACLE_RUNNING);
  g_assert_false (delete (fixture, id, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY);
  g_clear_error (&error);
  subagent_say (fixture, "second");
  wait_until (fixture->n_completed == 2);
  g_assert_cmpint (gadget_turn_edits_get_obstacle (fixture->session, 0), ==,
                   GADGET_EDIT_OBSTACLE_NONE);

  worker = test_worker_start ("hold", all->directory, "session", NULL);
  g_assert_cmpint (
      g_input_stream_read (g_subprocess_get_stdout_pipe (worker), &byte, 1, NULL, NULL), ==, 1);
  g_assert_false (delete (fixture, id, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE);
  g_subprocess_force_exit (worker);
  g_subprocess_wait (worker, NULL, NULL);
  expect (fixture, "one two");
  delete_nth (fixture, 0);
  expect (fixture, "two");
}

/* --- Replacing ------------------------------------------------------------------------------ */

static void
test_replace (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *request = NULL;
  GadgetRequest *sent;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  say (fixture, "three", "third");
  start_over (fixture, 1, "again", "other");
  expect (fixture, "one again");
  sent = fake_provider_get_request (fixture->provider,
                                    fake_provider_get_n_requests (fixture->provider) - 1);
  g_assert_cmpuint (sent->messages->len, ==, 3);
  g_assert_cmpstr (request_get_text (sent, 2), ==, "again");
  say (fixture, "more", "still");
  expect (fixture, "one again more");

  /* The two change places, and again. */
  restore (fixture, NULL);
  expect (fixture, "one two three");
  request = dup_request (fixture);
  g_assert_cmpstr (request, ==, "one\nfirst\ntwo\nsecond\nthree\nthird\nnext\n");
  restore (fixture, NULL);
  expect (fixture, "one again more");
  say (fixture, "end", "last");
  restore (fixture, NULL);
  expect (fixture, "one two three");
  say (fixture, "four", "fourth");
  expect (fixture, "one two three four");
}

/* What was deleted in between has its place in either. */
static void
test_replace_and_delete (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  say (fixture, "three", "third");
  delete_nth (fixture, 0);
  start_over (fixture, 1, "again", "other");
  expect (fixture, "two again");
  restore (fixture, NULL);
  expect (fixture, "two three");
  start_over (fixture, 0, "new", "other");
  expect (fixture, "new");
  delete_nth (fixture, 0);
  expect (fixture, "");
  restore (fixture, NULL);
  expect (fixture, "new");
  restore (fixture, NULL);
  expect (fixture, "two three");
}

static void
test_replace_aborted (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  static const GadgetTurnOptions options = { 0 };
  g_autoptr (GadgetRun) run = NULL;
  g_autofree char *request = NULL;

  say (fixture, "one", "first");
  run = gadget_agent_start_over (fixture->agent, fixture->session, 0, "again", &options, NULL);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "half");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  expect (fixture, "again");
  g_assert_cmpint (gadget_session_get_last_status (fixture->session), ==, GADGET_TURN_ABORTED);
  restore (fixture, NULL);
  expect (fixture, "one");
  g_assert_cmpint (gadget_session_get_last_status (fixture->session), ==, GADGET_TURN_FINISHED);
  request = dup_request (fixture);
  g_assert_cmpstr (request, ==, "one\nfirst\nnext\n");
}

/* Neither half of it is on disk; what is in memory stays until it is. */
static void
test_replace_fails (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GadgetSession) fresh = NULL;
  GadgetTurn *turn;

  say (fixture, "one", "first");
  sql (fixture->store, "CREATE TRIGGER broken BEFORE UPDATE OF removed_at ON turn"
                       " BEGIN SELECT RAISE (ABORT, 'broken'); END");
  start_over (fixture, 0, "again", "other");
  turn = gadget_session_get_last_turn (fixture->session);
  g_assert_false (gadget_turn_get_saved (turn));
  g_assert_cmpint (gadget_turn_edits_get_obstacle (fixture->session, 0), ==,
                   GADGET_EDIT_OBSTACLE_UNSAVED);
  expect_memory (fixture->session, "again");
  fresh = test_store_load (fixture->store, "session");
  expect_memory (fresh, "one");

  /* Whatever is read meanwhile. */
  load (fixture->store, fixture->session);
  expect_memory (fixture->session, "again");

  sql (fixture->store, "DROP TRIGGER broken");
  gadget_agent_save_again (fixture->agent, fixture->session, turn);
  wait_until (gadget_turn_get_saved (turn));
  expect (fixture, "again");
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

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  say (fixture, "three", "third");
  other = test_store_load (store, "session");
  last = gadget_session_get_turn (other, 2);
  delete_nth (fixture, 1);
  load (store, other);
  expect_memory (other, "one three");
  g_assert_true (gadget_session_get_turn (other, 1) == last);
  g_assert_true (gadget_session_get_has_removed (other));

  /* As many as before, and others. */
  restore (fixture, NULL);
  delete_nth (fixture, 0);
  load (store, other);
  expect_memory (other, "two three");
  start_over (fixture, 1, "again", "other");
  say (fixture, "more", "still");
  load (store, other);
  expect_memory (other, "two again more");
  say (fixture, "end", "last");
  load (store, other);
  expect_memory (other, "two again more end");
  test_store_close (store);
}

static void
test_while_loading (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  say (fixture, "three", "third");
  for (guint wait = 0; wait < 12; wait++)
    {
      GAsyncResult *loaded = NULL;
      GAsyncResult *deleted = NULL;
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GAsyncResult) deletion = NULL;
      g_autofree char *id =
          g_strdup (gadget_turn_get_id (gadget_session_get_turn (fixture->session, 1)));

      /* All of it is read. */
      restore (fixture, (delete_nth (fixture, 0), NULL));
      gadget_store_load_session_async (fixture->store, fixture->session, test_result_cb, &loaded);
      for (guint i = 0; i < wait && loaded == NULL; i++)
        g_main_context_iteration (NULL, i % 2 == 1);
      gadget_turn_edits_delete_async (fixture->agent, fixture->session, id, test_result_cb,
                                      &deleted);
      expect_memory (fixture->session, "one three");
      result = test_take_result (&loaded);
      expect_memory (fixture->session, "one three");
      deletion = test_take_result (&deleted);
      expect (fixture, "one three");
      restore (fixture, id);
      expect (fixture, "one two three");
    }
}

/* --- What else there is of a turn ----------------------------------------------------------- */

static GPtrArray *
list_effects (GadgetStore *store, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GPtrArray *rows;

  gadget_store_list_effects_async (store, turn_id == NULL ? "session" : NULL, turn_id,
                                   test_result_cb, &slot);
  result = test_take_result (&slot);
  rows = gadget_store_list_effects_finish (store, result, NULL);
  g_assert_nonnull (rows);
  return rows;
}

static void
put_on_record (GadgetStore *store, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  const GadgetEffectRow row = {
    .turn_id = (char *) turn_id,
    .call_turn_id = (char *) turn_id,
    .kind = GADGET_EFFECT_COMMAND,
    .subject = (char *) "make",
    .recording = GADGET_RECORDING_NONE,
  };
  gint64 number;

  gadget_store_begin_effect_async (store, &row, "nobody", test_result_cb, &slot);
  result = test_take_result (&slot);
  number = gadget_store_begin_effect_finish (store, result, NULL);
  g_assert_cmpint (number, >, 0);
  gadget_store_end_effect (store, number, "exit 0");
}

static void
test_ledger (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *id = g_strdup (gadget_turn_get_id (say (fixture, "one", "first")));
  g_autoptr (GPtrArray) of_turn = NULL;
  g_autoptr (GPtrArray) of_session = NULL;

  say (fixture, "two", "second");
  put_on_record (fixture->store, id);
  delete_nth (fixture, 0);
  of_turn = list_effects (fixture->store, id);
  g_assert_cmpuint (of_turn->len, ==, 1);
  of_session = list_effects (fixture->store, NULL);
  g_assert_cmpuint (of_session->len, ==, 1);
}

static void
summarise (GadgetSession *session, guint index, gboolean marked)
{
  GadgetTurn *turn = gadget_session_get_turn (session, index);
  g_autoptr (GadgetItem) item = gadget_item_new (GADGET_ITEM_SUMMARY);

  gadget_item_append_text (item, "the summary", -1);
  gadget_item_set_status (item, GADGET_ITEM_FINISHED);
  if (marked)
    gadget_history_mark_summary (session, turn, item);
  gadget_turn_append (turn, item);
}

static gboolean
has_summary (AgentFixture *fixture)
{
  g_autofree char *request = dup_request (fixture);

  return strstr (request, "the summary") != NULL;
}

static void
test_summary (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  say (fixture, "three", "third");
  say (fixture, "four", "fourth");
  summarise (fixture->session, 2, TRUE);
  g_assert_true (has_summary (fixture));

  /* What comes behind it is not of it. */
  delete_nth (fixture, 3);
  g_assert_true (has_summary (fixture));

  /* What it stands for is not said any more, and else nothing is missing. */
  delete_nth (fixture, 0);
  g_assert_false (has_summary (fixture));
  {
    g_autofree char *request = dup_request (fixture);

    g_assert_cmpstr (request, ==, "two\nsecond\nthree\nthird\nnext\n");
  }
  restore (fixture, NULL);
  g_assert_true (has_summary (fixture));

  /* One that was made while a turn was out does not say what that said. */
  delete_nth (fixture, 1);
  summarise (fixture->session, 1, TRUE);
  g_assert_true (has_summary (fixture));
  restore (fixture, NULL);
  g_assert_true (has_summary (fixture)); /* the first one */
  start_over (fixture, 0, "new", "other");
  g_assert_false (has_summary (fixture));
}

/* Of before there were marks. */
static void
test_old_summary (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  say (fixture, "one", "first");
  say (fixture, "two", "second");
  summarise (fixture->session, 1, FALSE);
  g_assert_true (has_summary (fixture));
  delete_nth (fixture, 0);
  g_assert_false (has_summary (fixture));
}

/* --- Every dialect -------------------------------------------------------------------------- */

static void
check_dialects (AgentFixture *fixture)
{
  static const GadgetDialect *const dialects[] = {
    &gadget_openai_chat_dialect, &gadget_openai_responses_dialect, &gadget_anthropic_dialect,
    &gadget_ollama_dialect,      &gadget_gemini_dialect,
  };
  g_autoptr (GadgetTurn) next = gadget_turn_new ("next", "next");
  g_autoptr (GPtrArray) turns = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < gadget_session_get_n_turns (fixture->session); i++)
    g_ptr_array_add (turns, g_object_ref (gadget_session_get_turn (fixture->session, i)));
  gadget_session_append (fixture->session, next);
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    {
      const GadgetTerms terms = { 0 };
      g_autoptr (GadgetRequest) request = gadget_history_build (fixture->session, NULL);
      g_autoptr (GBytes) body = NULL;
      g_autofree char *wrong = NULL;
      const char *text;
      gsize length;

      gadget_request_add_tool (request, "slow", "Waits.", "{\"type\":\"object\"}");
      body = dialects[i]->make_chat_body (request, "model", &terms);
      text = g_bytes_get_data (body, &length);
      wrong = strict_find (dialects[i]->kind)->check (text, length, NULL);
      g_assert_cmpstr (wrong, ==, NULL);
    }
  gadget_session_take_turns (fixture->session, g_steal_pointer (&turns));
}

/* Turns with calls, an aborted one, one of which nothing came: whichever is missing. */
static void
test_dialects (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;

  say (fixture, "one", "first");
  agent_start_streaming (fixture, "two");
  agent_run_two_calls (fixture);
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 2);
  agent_start_streaming (fixture, "three");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 3);
  say (fixture, "four", "fourth");
  check_dialects (fixture);
  for (guint mask = 1; mask < 16; mask++)
    {
      guint n_deleted = 0;

      for (guint i = 4; i > 0; i--)
        if (mask & (1u << (i - 1)))
          {
            delete_nth (fixture, i - 1);
            n_deleted++;
          }
      check_dialects (fixture);
      while (n_deleted-- > 0)
        restore (fixture, NULL);
      expect (fixture, "one two three four");
    }
  start_over (fixture, 1, "again", "other");
  check_dialects (fixture);
}

/* --- Branches ------------------------------------------------------------------------------- */

static GadgetSession *
branch (AgentFixture *fixture, const char *turn_id, const char *new_id, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_branch_async (fixture->store, "session", turn_id, new_id, "A branch", test_result_cb,
                             &slot);
  result = test_take_result (&slot);
  return gadget_store_branch_finish (fixture->store, result, error)
             ? test_store_load (fixture->store, new_id)
             : NULL;
}

static void
test_branch (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GPtrArray) effects = NULL;
  g_autoptr (GError) error = NULL;
  GadgetTurn *one = say (fixture, "one", "first");
  GadgetTurn *three;

  say (fixture, "two", "second");
  three = say (fixture, "three", "third");
  say (fixture, "four", "fourth");
  put_on_record (fixture->store, gadget_turn_get_id (one));
  delete_nth (fixture, 1);
  copy = branch (fixture, gadget_turn_get_id (three), "copy", &error);
  g_assert_no_error (error);
  expect_memory (copy, "one three");
  g_assert_false (gadget_session_get_has_removed (copy));
  g_assert_cmpstr (gadget_session_get_title (copy), ==, "A branch");
  g_assert_cmpstr (gadget_session_get_workspace (copy), ==, all->workspace);
  g_assert_cmpstr (gadget_turn_get_id (gadget_session_get_turn (copy, 0)), !=,
                   gadget_turn_get_id (one));
  g_assert_cmpstr (
      gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (copy, 1), 0)), ==,
      "third");
  effects = list_effects (fixture->store, gadget_turn_get_id (gadget_session_get_turn (copy, 0)));
  g_assert_cmpuint (effects->len, ==, 0);
  expect (fixture, "one three four");

  sql (fixture->store, "DELETE FROM session WHERE id = 'session'");
  g_clear_object (&copy);
  copy = test_store_load (fixture->store, "copy");
  expect_memory (copy, "one three");
}

static void
test_branch_of_nothing (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autofree char *id = g_strdup (gadget_turn_get_id (say (fixture, "one", "first")));
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GError) error = NULL;
  GadgetTurn *turn;

  delete_nth (fixture, 0);
  g_assert_null (branch (fixture, id, "copy", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  g_clear_error (&error);
  turn = agent_start_streaming (fixture, "two");
  fake_provider_text (fixture->provider, "half");
  g_assert_null (branch (fixture, gadget_turn_get_id (turn), "copy", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
}

/* It can be gone on with in both, and neither sees the other. */
static void
test_branch_subagent (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  GadgetTurn *turn = agent_start_streaming (fixture, "one");
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GadgetSession) child = NULL;
  g_autofree char *old_id = NULL;
  GadgetItem *item;

  subagent_hand_over (fixture, "sub", NULL);
  subagent_say (fixture, "found");
  wait_until (fake_provider_is_waiting (fixture->provider));
  subagent_say (fixture, "first");
  wait_until (fixture->n_completed == 1);
  old_id = g_strdup (gadget_item_get_child_id (gadget_turn_get_item (turn, 0)));
  copy = branch (fixture, gadget_turn_get_id (turn), "copy", NULL);
  item = gadget_turn_get_item (gadget_session_get_turn (copy, 0), 0);
  g_assert_nonnull (gadget_item_get_child_id (item));
  g_assert_cmpstr (gadget_item_get_child_id (item), !=, old_id);
  g_assert_null (strstr (gadget_item_get_result (item), old_id));
  g_assert_nonnull (strstr (gadget_item_get_result (item), gadget_item_get_child_id (item)));
  child = test_store_load (fixture->store, gadget_item_get_child_id (item));
  g_assert_cmpstr (gadget_session_get_parent_id (child), ==, "copy");
  expect_memory (child, "sub");
  g_assert_cmpstr (gadget_item_get_child_turn_id (item), ==,
                   gadget_turn_get_id (gadget_session_get_turn (child, 0)));
}

static void
test_branch_summary (SubagentFixture *all, gconstpointer data)
{
  AgentFixture *fixture = &all->agent;
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GadgetRequest) request = NULL;
  GadgetTurn *turn;
  g_autofree char *digest = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  g_ptr_array_add (ids, (gpointer) gadget_turn_get_id (say (fixture, "one", "first")));
  turn = say (fixture, "two", "second");
  digest = gadget_history_digest_turns (ids);
  text = g_strdup_printf ("INSERT INTO item (turn, position, kind, status, step, text, started_at,"
                          " ended_at, replay_source, replay)"
                          " SELECT number, 9, 'summary', 'finished', 0, 'the summary', 0, 0,"
                          " 'history', '%s' FROM turn WHERE id = '%s'",
                          digest, gadget_turn_get_id (turn));
  sql (fixture->store, text);
  copy = branch (fixture, gadget_turn_get_id (turn), "copy", NULL);
  request = gadget_history_build (copy, NULL);
  g_assert_nonnull (strstr (request_get_text (request, 0), "the summary"));
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
      prompts = dup_prompts (session);
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
  ADD ("summary", test_summary);
  ADD ("old-summary", test_old_summary);
  ADD ("dialects", test_dialects);
  ADD ("branch", test_branch);
  ADD ("branch-of-nothing", test_branch_of_nothing);
  ADD ("branch-subagent", test_branch_subagent);
  ADD ("branch-summary", test_branch_summary);
  ADD ("killed", test_killed);
  return g_test_run ();
}
