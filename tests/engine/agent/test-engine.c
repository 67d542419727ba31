/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The engine with a real store: two engines on one folder, the end of an engine, and changes beside
 * a turn. */

#include "config.h"

#include "engine-fixture.h"
#include "fake-tool.h"
#include "strict-request.h"
#include "test-engine.h"
#include "test-faults.h"
#include "test-store.h"
#include "wait.h"

static void
test_lease (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  g_autoptr (GadgetSession) same = gadget_session_new (gadget_session_get_id (fixture->session));
  g_autoptr (GError) error = NULL;

  engine_fixture_start (fixture, "go", "x");
  g_assert_null (
      gadget_agent_start (gadget_engine_get_agent (other), same, "me too", NULL, &error));
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_BUSY_ELSEWHERE);
  g_assert_cmpuint (gadget_session_get_n_turns (same), ==, 0);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  engine_fixture_close (other);
}

static void
notified_cb (GObject *object, GParamSpec *pspec, guint *n_notified)
{
  ++*n_notified;
}

/* Another process's chat comes into the list, and its new turns into a chat that is shown. */
static void
test_followed (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  const char *id = gadget_session_get_id (fixture->session);
  GadgetSession *seen;
  guint n_notified = 0;

  engine_fixture_start (fixture, "one", "x");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  wait_until (gadget_engine_find_session (other, id) != NULL
              && gadget_session_get_last_status (gadget_engine_find_session (other, id))
                     == GADGET_TURN_FINISHED);
  seen = gadget_engine_find_session (other, id);
  gadget_engine_load_async (other, seen, NULL, NULL);
  wait_until (gadget_session_get_loaded (seen));
  g_assert_cmpuint (gadget_session_get_n_turns (seen), ==, 1);

  /* It is followed while it streams, too. */
  g_signal_connect (seen, "notify::loaded", G_CALLBACK (notified_cb), &n_notified);
  engine_fixture_start (fixture, "two", "y");
  wait_until (gadget_session_get_n_turns (seen) == 2
              && gadget_turn_get_n_items (gadget_session_get_turn (seen, 1)) == 1);
  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (seen, 1)), ==,
                   GADGET_TURN_PROCESSING);
  fake_provider_text (fixture->provider, "es");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  wait_until (gadget_session_get_n_turns (seen) == 2
              && gadget_turn_get_status (gadget_session_get_turn (seen, 1))
                     == GADGET_TURN_FINISHED);
  g_assert_cmpstr (
      gadget_item_get_text (gadget_turn_get_item (gadget_session_get_turn (seen, 1), 0)), ==,
      "yes");
  g_assert_true (gadget_engine_find_session (other, id) == seen);
  /* It can be written in all the while. */
  g_assert_cmpuint (n_notified, ==, 0);
  engine_fixture_close (other);
}

/* A chat that was loaded, and gone on with by another process before this one took the lease: the
 * request has what the other one did. */
static void
test_gone_on_elsewhere (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  GadgetAgent *agent = gadget_engine_get_agent (other);
  g_autoptr (GadgetSession) seen = NULL;
  g_autoptr (GadgetRun) run = NULL;
  guint n_completed = 0;
  GadgetRequest *request;

  engine_fixture_start (fixture, "one", "first");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  seen =
      test_store_load (gadget_engine_get_store (other), gadget_session_get_id (fixture->session));
  engine_fixture_start (fixture, "two", "second");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpuint (gadget_session_get_n_turns (seen), ==, 1);

  test_count_completed (agent, &n_completed);
  run = gadget_agent_start (agent, seen, "three", NULL, NULL);
  g_assert_nonnull (run);
  wait_until (fake_provider_is_waiting (fixture->provider));
  request = fake_provider_get_request (fixture->provider, 2);
  g_assert_cmpuint (request->messages->len, ==, 5);
  g_assert_cmpstr (request_get_text (request, 2), ==, "two");
  g_assert_cmpstr (request_get_text (request, 4), ==, "three");
  g_assert_cmpuint (gadget_session_get_n_turns (seen), ==, 3);
  g_assert_cmpstr (gadget_turn_get_id (gadget_session_get_last_turn (seen)), ==,
                   gadget_run_get_turn_id (run));
  fake_provider_text (fixture->provider, "third");
  fake_provider_end (fixture->provider);
  wait_until (n_completed == 1);
  engine_fixture_close (other);
}

static void
test_close (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn;

  engine_fixture_start (fixture, "go", "until the end");
  stored = engine_fixture_reload (fixture);
  turn = gadget_session_get_turn (stored, 0);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_CLOSED);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "until the end");
}

static void
opened_or_not_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gadget_engine_open_finish (GADGET_ENGINE (source), result, NULL);
  *(gboolean *) user_data = TRUE;
}

/* Closed before it was open: both are answered, and nothing is left. */
static void
test_close_while_opening (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *engine = gadget_engine_new (fixture->directory);
  gboolean opened = FALSE;

  gadget_engine_open_async (engine, opened_or_not_cb, &opened);
  engine_fixture_close (engine);
  wait_until (opened);
}

/* Closing while a turn that finished is being written: the queue stays for the next start. */
static void
test_close_keeps_queue (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;

  engine_fixture_start (fixture, "go", "all of it");
  gadget_session_enqueue (fixture->session, "later");
  fake_provider_end (fixture->provider);
  wait_until (gadget_turn_get_status (gadget_session_get_last_turn (fixture->session))
              == GADGET_TURN_FINISHED);
  g_assert_cmpuint (fixture->n_completed, ==, 0);
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, 1);
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 1);
}

static void
test_delete (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) busy = NULL;

  engine_fixture_start (fixture, "go", "x");
  g_assert_false (
      engine_fixture_delete (fixture->engine, fixture->session, GADGET_DELETE_UNUSED, &busy));
  g_assert_error (busy, GADGET_STORE_ERROR, GADGET_STORE_ERROR_BUSY);
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  engine_fixture_delete_now (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine)), ==, 0);
}

static void
abort_now_cb (gpointer user_data)
{
  engine_fixture_abort (user_data);
}

/* A tool may answer within the very call that stops it. */
static void
test_hasty_tool (EngineFixture *fixture, gconstpointer data)
{
  GadgetAgent *agent = gadget_engine_get_agent (fixture->engine);
  g_autoptr (FakeTool) tool = fake_tool_new ("slow");
  GadgetTurn *turn;

  fake_tool_set_hasty (tool, TRUE);
  gadget_toolbox_add (gadget_agent_get_toolbox (agent), GADGET_TOOL (tool));
  turn = engine_fixture_start (fixture, "go", "x");
  fake_provider_call (fixture->provider, 0, "a", "slow", "{}");
  fake_provider_end (fixture->provider);
  wait_until (fake_tool_is_running (tool));
  g_idle_add_once (abort_now_cb, fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_phase (turn), ==, GADGET_PHASE_IDLE);
}

static guint
count_stored (GadgetEngine *engine)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) sessions = NULL;

  gadget_store_list_sessions_async (gadget_engine_get_store (engine), 0, test_result_cb, &slot);
  result = test_take_result (&slot);
  sessions = gadget_store_list_sessions_finish (gadget_engine_get_store (engine), result, NULL);
  g_assert_nonnull (sessions);
  return sessions->len;
}

/* A title comes for a chat that another process has deleted meanwhile: it stays deleted. */
static void
test_title_after_delete (EngineFixture *fixture, gconstpointer data)
{
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  GadgetAgent *agent = gadget_engine_get_agent (fixture->engine);

  gadget_agent_set_titles (agent, TRUE);
  engine_fixture_start (fixture, "go", "x");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  g_assert_cmpuint (count_stored (other), ==, 1);
  test_store_delete (gadget_engine_get_store (other), gadget_session_get_id (fixture->session));
  fake_provider_text (fixture->provider, "A title");
  fake_provider_end (fixture->provider);
  wait_until (g_strcmp0 (gadget_session_get_title (fixture->session), "A title") == 0);
  g_assert_cmpuint (count_stored (fixture->engine), ==, 0);
  engine_fixture_close (other);
}

/* The list is being read again while the user gives a chat another title: what was read is older,
 * and is not taken for the news. */
static void
test_renamed_while_refreshing (EngineFixture *fixture, gconstpointer data)
{
  engine_fixture_start (fixture, "go", "x");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpuint (count_stored (fixture->engine), ==, 1);

  g_signal_emit_by_name (gadget_engine_get_store (fixture->engine), "changed-outside");
  gadget_session_set_title (fixture->session, "Mine");
  gadget_engine_save (fixture->engine, fixture->session);
  g_assert_cmpuint (count_stored (fixture->engine), ==, 1);
  wait_idle ();
  g_assert_cmpstr (gadget_session_get_title (fixture->session), ==, "Mine");
}

/* What is chosen for a chat while another process works on it. */
static void
test_changed_beside_turn (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (FakeProvider) provider = fake_provider_new ();
  GadgetEngine *other = NULL;
  GadgetSession *session;

  engine_fixture_start (fixture, "first", "x");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  other = engine_fixture_open (fixture->directory, provider);
  session = gadget_engine_find_session (other, gadget_session_get_id (fixture->session));
  engine_fixture_start (fixture, "second", "y");
  wait_until (gadget_session_get_remote_run (session) != NULL);
  gadget_session_set_title (session, "Renamed");
  gadget_session_set_model (session, "another", "model");
  gadget_engine_save (other, session);
  test_run_for (300);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  wait_until (gadget_session_get_remote_run (session) == NULL);
  g_assert_cmpstr (gadget_session_get_title (session), ==, "Renamed");
  g_assert_cmpstr (gadget_session_get_provider (session), ==, "another");
  engine_fixture_close (other);
}

/* R2: many turns, many aborts; nothing is left over. */
static void
test_baseline (EngineFixture *fixture, gconstpointer data)
{
  guint n_fds = 0;
  guint n_threads = 0;

  for (guint i = 1; i <= 60; i++)
    {
      engine_fixture_start (fixture, "go", "x");
      engine_fixture_abort (fixture);
      wait_until (fixture->n_completed == i);
      if (i == 10)
        {
          n_fds = wait_n_fds ();
          n_threads = wait_n_threads ();
        }
    }
  wait_idle ();
  g_assert_cmpuint (wait_n_fds (), <=, n_fds);
  g_assert_cmpuint (wait_n_threads (), <=, n_threads + 1);
}

/* What another process adds, changes and removes of the providers is known here. */
static void
test_providers_followed (EngineFixture *fixture, gconstpointer data)
{
  GadgetProviderList *here = gadget_engine_get_providers (fixture->engine);
  GadgetEngine *other = engine_fixture_open (fixture->directory, fixture->provider);
  GadgetProviderList *there = gadget_engine_get_providers (other);
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("mine", "Mine", "ollama", "http://127.0.0.1:9", "one");
  g_autoptr (GadgetProviderConfig) changed =
      gadget_provider_config_new ("mine", "Mine", "ollama", "http://127.0.0.1:9", "two");
  g_autoptr (GAsyncResult) added = NULL;
  g_autoptr (GAsyncResult) again = NULL;
  g_autoptr (GAsyncResult) removed = NULL;
  GadgetProviderConfig *found;

  gadget_provider_list_add_async (there, config, NULL, NULL, NULL, test_result_cb, &added);
  wait_until (added != NULL && gadget_provider_list_find (here, "mine") != NULL);
  gadget_provider_list_add_async (there, changed, NULL, NULL, NULL, test_result_cb, &again);
  wait_until (again != NULL && (found = gadget_provider_list_find (here, "mine")) != NULL
              && g_strcmp0 (gadget_provider_config_get_model (found), "two") == 0);
  gadget_provider_list_set_default (there, "mine");
  wait_until (g_str_equal (gadget_provider_list_get_default_id (here), "mine"));
  gadget_provider_list_remove_async (there, "mine", test_result_cb, &removed);
  wait_until (removed != NULL && gadget_provider_list_find (here, "mine") == NULL);
  engine_fixture_close (other);
}

/* A provider whose adding is cancelled before the store is asked is not added, and leaves no key.
 */
static void
test_adding_cancelled (EngineFixture *fixture, gconstpointer data)
{
  GadgetProviderList *providers = gadget_engine_get_providers (fixture->engine);
  GadgetSecrets *secrets = gadget_engine_get_secrets (fixture->engine);
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("mine", "Mine", "ollama", "http://127.0.0.1:9", "one");
  const guint n_before = g_list_model_get_n_items (G_LIST_MODEL (providers));

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GAsyncResult) added = NULL;
      g_autoptr (GAsyncResult) found = NULL;
      g_autoptr (GError) error = NULL;

      if (i == 0)
        g_cancellable_cancel (cancellable);
      gadget_provider_list_add_async (providers, config, "key", NULL, cancellable, test_result_cb,
                                      &added);
      g_cancellable_cancel (cancellable);
      wait_until (added != NULL);
      g_assert_false (gadget_provider_list_add_finish (providers, added, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (providers)), ==, n_before);
      gadget_secrets_lookup_async (secrets, "mine", NULL, NULL, test_result_cb, &found);
      wait_until (found != NULL);
      g_assert_null (gadget_secrets_lookup_finish (secrets, found, NULL));
    }
}

/* Another process works on a chat, says nothing for a while, and is killed: it is on no bus, and
 * nobody writes to the database any more. */
static void
test_killed_owner (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) worker = test_worker_start ("silent", fixture->directory, "other", NULL);
  GadgetSession *session;
  GadgetTurn *turn;

  wait_until ((session = gadget_engine_find_session (fixture->engine, "other")) != NULL);
  g_assert_cmpstr (gadget_session_get_remote_run (session), ==, "silent-run");
  g_assert_true (gadget_session_is_working (session));
  g_assert_null (gadget_session_get_active_run (session));
  gadget_engine_load_async (fixture->engine, session, NULL, NULL);
  wait_until (gadget_session_get_loaded (session));
  turn = gadget_session_get_last_turn (session);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_PROCESSING);

  g_subprocess_send_signal (worker, SIGKILL);
  wait_until (!gadget_session_is_working (session));
  g_assert_true (gadget_session_get_last_turn (session) == turn);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_INTERRUPTED);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/engine/" path, EngineFixture, NULL, engine_fixture_set_up, function,        \
              engine_fixture_tear_down)
  ADD ("lease", test_lease);
  ADD ("followed", test_followed);
  ADD ("killed-owner", test_killed_owner);
  ADD ("changed-beside-turn", test_changed_beside_turn);
  ADD ("providers-followed", test_providers_followed);
  ADD ("adding-cancelled", test_adding_cancelled);
  ADD ("gone-on-elsewhere", test_gone_on_elsewhere);
  ADD ("close", test_close);
  ADD ("close-while-opening", test_close_while_opening);
  ADD ("L7-close-keeps-queue", test_close_keeps_queue);
  ADD ("delete", test_delete);
  ADD ("hasty-tool", test_hasty_tool);
  ADD ("title-after-delete", test_title_after_delete);
  ADD ("renamed-while-refreshing", test_renamed_while_refreshing);
  ADD ("R2-baseline", test_baseline);

  return g_test_run ();
}
