/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chats that are deleted, or about to be, in one engine and in two; the locks of two engines
 * exclude each other as those of two processes do. */

#include "config.h"

#include "agent/gadget-turn-edits.h"
#include "store/gadget-store-drafts.h"
#include "engine-fixture.h"
#include "test-store.h"
#include "wait.h"

typedef struct
{
  char *directory;
  FakeProvider *provider;
  GadgetEngine *engine;
  GadgetSession *session; /* of one turn */
  GadgetEngine *other;    /* (nullable) */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->provider = fake_provider_new ();
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  fixture->session = engine_fixture_chat (fixture->engine, fixture->provider, "first");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->session);
  if (fixture->other != NULL)
    engine_fixture_close (fixture->other);
  if (fixture->engine != NULL)
    engine_fixture_close (fixture->engine);
  g_clear_object (&fixture->provider);
  test_dir_free (fixture->directory);
}

static void
begin_delete (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  gadget_engine_begin_delete (fixture->engine, fixture->session, GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
}

static void
finish_delete (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  engine_fixture_delete (fixture->engine, fixture->session, GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
}

/* (transfer none): the chat, as the other engine has it */
static GadgetSession *
open_other (Fixture *fixture)
{
  fixture->other = engine_fixture_open (fixture->directory, fixture->provider);
  return gadget_engine_find_session (fixture->other, gadget_session_get_id (fixture->session));
}

static guint
count_listed (GadgetEngine *engine)
{
  return g_list_model_get_n_items (gadget_engine_get_sessions (engine));
}

static guint
count_stored (Fixture *fixture)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) sessions = NULL;

  gadget_store_list_sessions_async (store, 0, test_result_cb, &slot);
  result = test_take_result (&slot);
  sessions = gadget_store_list_sessions_finish (store, result, NULL);
  g_assert_nonnull (sessions);
  return sessions->len;
}

static void
assert_start_fails (GadgetEngine *engine, GadgetSession *session, GadgetAgentError code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (gadget_engine_get_agent (engine), session, "more", NULL, &error);

  g_assert_null (run);
  g_assert_error (error, GADGET_AGENT_ERROR, (int) code);
  g_assert_null (gadget_session_get_active_run (session));
}

static void
assert_starts (Fixture *fixture, GadgetEngine *engine, GadgetSession *session)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (gadget_engine_get_agent (engine), session, "more", NULL, &error);

  g_assert_no_error (error);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_end (fixture->provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
}

static gboolean
send_queued (Fixture *fixture, GError **error)
{
  return gadget_agent_send_queued (gadget_engine_get_agent (fixture->engine), fixture->session, 0,
                                   NULL, error);
}

static void
delete_turn (Fixture *fixture, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_turn_edits_delete_async (
      gadget_engine_get_agent (fixture->engine), fixture->session,
      gadget_turn_get_id (gadget_session_get_turn (fixture->session, 0)), test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_turn_edits_delete_finish (result, error);
}

static void
load (GadgetEngine *engine, GadgetSession *session, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_engine_load_async (engine, session, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_engine_load_finish (engine, result, error);
}

/* --- In one process --------------------------------------------------------------------------- */

/* Out of the list, and nothing gets in, whoever tries. */
static void
test_pending_takes_nothing (Fixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->engine);
  g_autoptr (GError) queued = NULL;
  g_autoptr (GError) edited = NULL;
  g_autoptr (GError) over = NULL;
  g_autoptr (GadgetRun) run = NULL;
  const GadgetTurnOptions options = { 0 };

  gadget_session_enqueue (fixture->session, "later");
  begin_delete (fixture);
  g_assert_cmpuint (count_listed (fixture->engine), ==, 0);
  g_assert_cmpuint (count_stored (fixture), ==, 1);
  assert_start_fails (fixture->engine, fixture->session, GADGET_AGENT_ERROR_DELETED);
  g_assert_false (send_queued (fixture, &queued));
  g_assert_error (queued, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED);
  run = gadget_agent_start_over (agent, fixture->session, 0, "other", &options, &over);
  g_assert_null (run);
  g_assert_error (over, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED);
  delete_turn (fixture, &edited);
  g_assert_error (edited, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 1);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
}

/* The same object is back, and everything can be done with it. */
/* Begun and taken back, or done: nothing holds the chat because of that. */
static void
test_released (Fixture *fixture, gconstpointer data)
{
  const guint n_before = G_OBJECT (fixture->session)->ref_count;

  for (guint i = 0; i < 5; i++)
    {
      begin_delete (fixture);
      g_assert_true (gadget_engine_cancel_delete (fixture->engine, fixture->session));
    }
  g_assert_cmpuint (G_OBJECT (fixture->session)->ref_count, ==, n_before);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) listed = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (gadget_engine_cancel_delete (fixture->engine, fixture->session));
  begin_delete (fixture);
  g_assert_false (
      gadget_engine_begin_delete (fixture->engine, fixture->session, GADGET_DELETE_UNUSED, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED);
  /* What others write meanwhile does not bring it back. */
  g_signal_emit_by_name (gadget_engine_get_store (fixture->engine), "changed-outside");
  g_assert_cmpuint (count_stored (fixture), ==, 1);
  test_run_for (50);
  g_assert_cmpuint (count_listed (fixture->engine), ==, 0);

  g_assert_true (gadget_engine_cancel_delete (fixture->engine, fixture->session));
  listed = g_list_model_get_item (gadget_engine_get_sessions (fixture->engine), 0);
  g_assert_true (listed == fixture->session);
  assert_starts (fixture, fixture->engine, fixture->session);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 2);
}

/* Several are pending together, wherever they stand in the list; each keeps its place in it. */
static void
test_several (Fixture *fixture, gconstpointer data)
{
  GadgetSession *chats[3] = { fixture->session };
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i < G_N_ELEMENTS (chats); i++)
    chats[i] = engine_fixture_chat (fixture->engine, fixture->provider, "more");
  gadget_session_set_pinned (chats[0], TRUE);
  gadget_session_set_archived (chats[1], TRUE);
  gadget_session_set_pinned (chats[2], TRUE);
  gadget_session_set_archived (chats[2], TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (chats); i++)
    {
      gadget_engine_save (fixture->engine, chats[i]);
      gadget_engine_begin_delete (fixture->engine, chats[i], GADGET_DELETE_UNUSED, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (count_listed (fixture->engine), ==, 0);
  g_assert_true (gadget_engine_cancel_delete (fixture->engine, chats[1]));
  g_assert_true (gadget_engine_cancel_delete (fixture->engine, chats[2]));
  g_assert_cmpuint (count_listed (fixture->engine), ==, 2);
  engine_fixture_delete (fixture->engine, chats[0], GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
  engine_fixture_delete (fixture->engine, chats[2], GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_listed (fixture->engine), ==, 1);
  g_assert_cmpuint (count_stored (fixture), ==, 1);
  g_assert_true (gadget_session_get_archived (chats[1]));
  g_assert_false (gadget_session_get_pinned (chats[1]));
  for (guint i = 1; i < G_N_ELEMENTS (chats); i++)
    g_object_unref (chats[i]);
}

/* The process that could have taken it back dies: the chat is there, and anybody may delete it. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = g_strdup (gadget_session_get_id (fixture->session));
  g_autoptr (GSubprocess) worker = NULL;
  g_autoptr (GError) error = NULL;
  char said[6] = "";

  g_clear_object (&fixture->session);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  worker = test_worker_start ("begin-delete", fixture->directory, id, "");
  g_assert_true (
      g_input_stream_read_all (g_subprocess_get_stdout_pipe (worker), said, 5, NULL, NULL, NULL));
  g_assert_cmpstr (said, ==, "begun");
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  fixture->session = g_object_ref (gadget_engine_find_session (fixture->engine, id));
  g_assert_false (
      engine_fixture_delete (fixture->engine, fixture->session, GADGET_DELETE_FORCE, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY);
  g_clear_error (&error);
  g_subprocess_force_exit (worker);
  g_subprocess_wait (worker, NULL, NULL);
  g_assert_cmpuint (count_stored (fixture), ==, 1);
  assert_starts (fixture, fixture->engine, fixture->session);
  finish_delete (fixture);
  g_assert_cmpuint (count_stored (fixture), ==, 0);
}

static void
test_done (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  begin_delete (fixture);
  finish_delete (fixture);
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_DONE);
  g_assert_cmpuint (count_listed (fixture->engine), ==, 0);
  g_assert_cmpuint (count_stored (fixture), ==, 0);
  assert_start_fails (fixture->engine, fixture->session, GADGET_AGENT_ERROR_DELETED);
  g_assert_false (gadget_engine_cancel_delete (fixture->engine, fixture->session));
  load (fixture->engine, fixture->session, &error);
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED);
}

/* One that has something unsent is deleted only with it; else it is as it was. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  gadget_store_save_draft_async (gadget_engine_get_store (fixture->engine),
                                 gadget_session_get_id (fixture->session), "a draft", NULL, NULL,
                                 NULL);
  g_assert_false (
      engine_fixture_delete (fixture->engine, fixture->session, GADGET_DELETE_UNUSED, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_UNSENT);
  g_assert_cmpuint (count_listed (fixture->engine), ==, 1);
  assert_starts (fixture, fixture->engine, fixture->session);
  g_clear_error (&error);
  engine_fixture_delete (fixture->engine, fixture->session, GADGET_DELETE_UNSENT, &error);
  g_assert_no_error (error);
}

/* Closing finishes it. Without that, as when the program dies, the chat is kept. */
static void
test_closing (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store;

  begin_delete (fixture);
  g_assert_cmpuint (count_stored (fixture), ==, 1);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  store = test_store_open (fixture->directory);
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_DONE);
  test_store_close (store);
  g_clear_object (&fixture->session);
  fixture->engine = engine_fixture_open (fixture->directory, fixture->provider);
  g_assert_cmpuint (count_listed (fixture->engine), ==, 0);
}

/* The turn ends by itself in the very moment in which it is stopped for the deletion: no title is
 * asked for then, and no queued message sent. */
static void
test_nothing_after_the_last_turn (Fixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->engine);
  g_autoptr (GadgetSession) session = gadget_engine_new_session (fixture->engine);
  g_autoptr (GadgetRun) run = NULL;
  gboolean pending = FALSE;

  gadget_agent_set_titles (agent, TRUE);
  gadget_session_set_model (session, "fake", "model");
  run = gadget_agent_start (agent, session, "second", NULL, NULL);
  gadget_session_enqueue (session, "third");
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_set_object (&fixture->session, session);
  g_signal_connect_swapped (agent, "completed", G_CALLBACK (begin_delete), fixture);
  fake_provider_text (fixture->provider, "Done.");
  fake_provider_end (fixture->provider);
  wait_until (gadget_session_get_deletion (session) == GADGET_DELETION_PENDING);
  g_signal_handlers_disconnect_by_data (agent, fixture);
  test_run_for (50);
  pending = fake_provider_is_waiting (fixture->provider);
  g_assert_false (pending);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 2);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (session)), ==, 1);
}

/* What is done for the chat besides is stopped, and not begun again when the deletion is taken
 * back; the chat is as it was. */
static void
test_title (Fixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->engine);
  g_autoptr (GadgetSession) session = NULL;
  g_autofree char *title = NULL;

  gadget_agent_set_titles (agent, TRUE);
  session = engine_fixture_chat (fixture->engine, fixture->provider, "second");
  wait_until (fake_provider_is_waiting (fixture->provider));
  title = g_strdup (gadget_session_get_title (session));
  g_set_object (&fixture->session, session);
  begin_delete (fixture);
  wait_until (!fake_provider_is_waiting (fixture->provider));
  g_assert_true (gadget_engine_cancel_delete (fixture->engine, session));
  test_run_for (50);
  g_assert_false (fake_provider_is_waiting (fixture->provider));
  g_assert_cmpstr (gadget_session_get_title (session), ==, title);
  assert_starts (fixture, fixture->engine, session);
}

static GadgetSession *
branch (Fixture *fixture)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_engine_branch_async (fixture->engine, fixture->session,
                              gadget_turn_get_id (gadget_session_get_turn (fixture->session, 0)),
                              "Branch", test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_engine_branch_finish (fixture->engine, result, NULL);
}

/* A chat that lost its turns meanwhile keeps the title that it has, and one that began with them
 * its own. */
static void
test_title_beside_edits (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) session = NULL;
  g_autoptr (GadgetSession) copy = NULL;
  g_autoptr (GError) error = NULL;

  gadget_agent_set_titles (gadget_engine_get_agent (fixture->engine), TRUE);
  session = engine_fixture_chat (fixture->engine, fixture->provider, "second");
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_set_object (&fixture->session, session);
  copy = branch (fixture);
  g_assert_nonnull (copy);
  delete_turn (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "A title");
  fake_provider_end (fixture->provider);
  wait_until (!fake_provider_is_waiting (fixture->provider));
  test_run_for (50);
  g_assert_cmpstr (gadget_session_get_title (session), ==, "second");
  g_assert_cmpstr (gadget_session_get_title (copy), ==, "Branch");
  g_assert_cmpuint (gadget_session_get_n_turns (copy), ==, 1);
}

/* The chats of its subagents stay as long as it does, and go with it. */
static void
test_subagents (Fixture *fixture, gconstpointer data)
{
  GadgetStore *store = gadget_engine_get_store (fixture->engine);
  g_autoptr (GadgetSession) child = gadget_session_new ("child");
  g_autoptr (GadgetSession) loaded = NULL;
  g_autoptr (GadgetSession) gone = gadget_session_new ("child");
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_session_set_parent_id (child, gadget_session_get_id (fixture->session));
  test_store_save (store, child);
  begin_delete (fixture);
  g_assert_true (gadget_engine_cancel_delete (fixture->engine, fixture->session));
  loaded = test_store_load (store, "child");
  delete_turn (fixture, NULL);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 0);
  g_clear_object (&loaded);
  loaded = test_store_load (store, "child");
  finish_delete (fixture);
  gadget_store_load_session_async (store, gone, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_false (gadget_store_load_session_finish (store, result, NULL));
  /* A subagent that was let go of, and ends now. */
  gadget_store_save_session_async (store, child, test_result_cb, &slot);
  g_clear_object (&result);
  result = test_take_result (&slot);
  g_assert_false (gadget_store_save_session_finish (store, result, NULL));
}

/* --- Two processes ---------------------------------------------------------------------------- */

/* As long as it can be taken back here, nobody else works on it or deletes it. */
static void
test_pending_elsewhere (Fixture *fixture, gconstpointer data)
{
  GadgetSession *theirs = open_other (fixture);
  g_autoptr (GError) error = NULL;

  begin_delete (fixture);
  assert_start_fails (fixture->other, theirs, GADGET_AGENT_ERROR_BUSY_ELSEWHERE);
  g_assert_false (engine_fixture_delete (fixture->other, theirs, GADGET_DELETE_FORCE, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY);
  g_assert_true (gadget_engine_cancel_delete (fixture->engine, fixture->session));
  load (fixture->other, theirs, NULL);
  assert_starts (fixture, fixture->other, theirs);
}

/* A turn goes on here: nobody deletes its chat, whatever they insist on. */
static void
test_running (Fixture *fixture, gconstpointer data)
{
  GadgetSession *theirs = open_other (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = gadget_agent_start (gadget_engine_get_agent (fixture->engine),
                                                  fixture->session, "more", NULL, NULL);

  g_assert_nonnull (run);
  wait_until (fake_provider_is_waiting (fixture->provider));
  g_assert_false (engine_fixture_delete (fixture->other, theirs, GADGET_DELETE_FORCE, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_false (
      engine_fixture_delete (fixture->engine, fixture->session, GADGET_DELETE_FORCE, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY);
  fake_provider_text (fixture->provider, "All of it");
  fake_provider_end (fixture->provider);
  wait_until (gadget_session_get_active_run (fixture->session) == NULL);
  g_assert_true (gadget_turn_get_saved (gadget_session_get_last_turn (fixture->session)));
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_NONE);
}

/* A chat that is held here is not deleted there, unless the user insists; whoever deletes their own
 * does not stand in their own way. */
static void
test_held (Fixture *fixture, gconstpointer data)
{
  GadgetSession *theirs = open_other (fixture);
  g_autoptr (GError) error = NULL;

  gadget_engine_hold_session (fixture->engine, fixture->session);
  gadget_engine_hold_session (fixture->engine, fixture->session);
  g_assert_false (engine_fixture_delete (fixture->other, theirs, GADGET_DELETE_UNSENT, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN_ELSEWHERE);
  gadget_engine_release_session (fixture->engine, fixture->session);
  begin_delete (fixture);
  g_assert_true (gadget_engine_cancel_delete (fixture->engine, fixture->session));
  g_clear_error (&error);
  g_assert_false (engine_fixture_delete (fixture->other, theirs, GADGET_DELETE_UNSENT, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_OPEN_ELSEWHERE);
  gadget_engine_release_session (fixture->engine, fixture->session);
  g_clear_error (&error);
  engine_fixture_delete (fixture->other, theirs, GADGET_DELETE_UNUSED, &error);
  g_assert_no_error (error);
}

/* Deleted there by force while it is held here: the next message is not taken, before anything of
 * it was seen here, and nothing of the chat is ever stored again. */
static void
test_forced (Fixture *fixture, gconstpointer data)
{
  GadgetSession *theirs = open_other (fixture);
  g_autoptr (GError) error = NULL;

  gadget_engine_hold_session (fixture->engine, fixture->session);
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_NONE);
  engine_fixture_delete (fixture->other, theirs, GADGET_DELETE_FORCE, &error);
  g_assert_no_error (error);
  assert_start_fails (fixture->engine, fixture->session, GADGET_AGENT_ERROR_DELETED);
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_DONE);
  g_assert_cmpuint (count_listed (fixture->engine), ==, 0);
  gadget_engine_save (fixture->engine, fixture->session);
  g_assert_cmpuint (count_stored (fixture), ==, 0);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
}

/* Whoever holds it, and then makes sure that it is there, knows. */
static void
test_found_deleted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_other (fixture);
  finish_delete (fixture);
  g_clear_object (&fixture->session);
  fixture->session = g_list_model_get_item (gadget_engine_get_sessions (fixture->other), 0);
  /* The list may have been read again already. */
  if (fixture->session == NULL)
    return;
  gadget_engine_hold_session (fixture->other, fixture->session);
  load (fixture->other, fixture->session, &error);
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_DELETED);
  g_assert_cmpint (gadget_session_get_deletion (fixture->session), ==, GADGET_DELETION_DONE);
  g_assert_cmpuint (count_listed (fixture->other), ==, 0);
}

/* Seen by the list, which is read again when another process has written. */
static void
test_seen_by_list (Fixture *fixture, gconstpointer data)
{
  GadgetSession *theirs = open_other (fixture);
  g_autoptr (GadgetSession) hold = g_object_ref (theirs);

  finish_delete (fixture);
  wait_until (gadget_session_get_deletion (hold) == GADGET_DELETION_DONE);
  g_assert_cmpuint (count_listed (fixture->other), ==, 0);
}

/* Another process deletes the chat, by force, in whatever moment of a message being sent here. One
 * of the two wins, whole. */
static void
test_race (Fixture *fixture, gconstpointer data)
{
  guint n_deleted = 0;

  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (GadgetSession) session =
          engine_fixture_chat (fixture->engine, fixture->provider, "first");
      const char *id = gadget_session_get_id (session);
      g_autoptr (GSubprocess) worker = NULL;
      g_autoptr (GadgetRun) run = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *said = NULL;

      gadget_engine_hold_session (fixture->engine, session);
      worker = test_worker_start ("delete", fixture->directory, id, "force");
      test_run_for (i * 3);
      run = gadget_agent_start (gadget_engine_get_agent (fixture->engine), session, "more", NULL,
                                &error);
      g_subprocess_communicate_utf8 (worker, NULL, NULL, &said, NULL, NULL);
      if (run != NULL)
        {
          wait_until (fake_provider_is_waiting (fixture->provider));
          fake_provider_end (fixture->provider);
          wait_until (gadget_session_get_active_run (session) == NULL);
          g_assert_cmpstr (said, !=, "deleted\n");
          g_assert_true (gadget_turn_get_saved (gadget_session_get_turn (session, 1)));
          finish_delete ((g_set_object (&fixture->session, session), fixture));
        }
      else
        {
          /* Who asks for the lease while the other one has it is told that, and can try again. */
          if (g_error_matches (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE))
            assert_start_fails (fixture->engine, session, GADGET_AGENT_ERROR_DELETED);
          else
            g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED);
          g_assert_cmpstr (said, ==, "deleted\n");
          n_deleted++;
        }
      gadget_engine_release_session (fixture->engine, session);
      /* The one of the fixture, as long as no other was deleted in its place. */
      g_assert_cmpuint (count_stored (fixture), ==, 1);
    }
  g_test_message ("%u of 12 were deleted first", n_deleted);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/deletion/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("pending-takes-nothing", test_pending_takes_nothing);
  ADD ("cancel", test_cancel);
  ADD ("several", test_several);
  ADD ("killed", test_killed);
  ADD ("released", test_released);
  ADD ("done", test_done);
  ADD ("refused", test_refused);
  ADD ("closing", test_closing);
  ADD ("nothing-after-the-last-turn", test_nothing_after_the_last_turn);
  ADD ("title", test_title);
  ADD ("title-beside-edits", test_title_beside_edits);
  ADD ("subagents", test_subagents);
  ADD ("running", test_running);
  ADD ("pending-elsewhere", test_pending_elsewhere);
  ADD ("held", test_held);
  ADD ("forced", test_forced);
  ADD ("found-deleted", test_found_deleted);
  ADD ("seen-by-list", test_seen_by_list);
  ADD ("race", test_race);

  return g_test_run ();
}
