/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The titles that models make, and everything that stops them. */

#include "config.h"

#include "agent-fixture.h"
#include "agent/gadget-agent-private.h"
#include "agent/gadget-engine.h"
#include "agent/gadget-title.h"
#include "strict-request.h"
#include "test-engine.h"
#include "test-store.h"
#include "test-wait.h"
#include "wait.h"

#include <string.h>

static void
set_up (AgentFixture *fixture, gconstpointer data)
{
  agent_set_up (fixture, data);
  gadget_agent_set_titles (fixture->agent, TRUE);
}

static const char *
get_title (AgentFixture *fixture)
{
  return gadget_session_get_title (fixture->session);
}

static void
say (AgentFixture *fixture, const char *text)
{
  fake_provider_text (fixture->provider, text);
  fake_provider_end (fixture->provider);
}

/* A finished turn, and the request for its title waits. */
static GadgetRun *
begin_title (AgentFixture *fixture)
{
  g_autoptr (GPtrArray) runs = NULL;

  agent_start_streaming (fixture, "How do I close a stream?\nIt stays open.");
  say (fixture, "You drop the last reference.");
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  runs = gadget_registry_list (gadget_agent_get_registry (fixture->agent));
  g_assert_cmpuint (runs->len, ==, 1);
  return g_object_ref (g_ptr_array_index (runs, 0));
}

static gboolean
is_idle (AgentFixture *fixture)
{
  g_autoptr (GPtrArray) runs = gadget_registry_list (gadget_agent_get_registry (fixture->agent));

  return runs->len == 0;
}

/* Nobody asks for a title any more. */
static void
expect_none (AgentFixture *fixture, guint n_requests)
{
  test_run_for (30);
  g_assert_true (is_idle (fixture));
  g_assert_cmpuint (fake_provider_get_n_requests (fixture->provider), ==, n_requests);
}

static void
test_clean (void)
{
  static const struct
  {
    const char *answer;
    const char *title;
  } cases[] = {
    { "Closing a stream", "Closing a stream" },
    { "\n\n  \"Closing a stream.\"  \nIt is about streams.", "Closing a stream" },
    { "**Title: Closing a stream**", "Closing a stream" },
    { "# Closing   a\tstream", "Closing a stream" },
    { "„Einen Datenstrom schließen“", "Einen Datenstrom schließen" },
    { "<think>The user wants\na title.</think>\n\nClosing a stream", "Closing a stream" },
    { "<think>I never come to", NULL },
    { "GLib 2.84", "GLib 2.84" },
    { "\"\"", NULL },
    { "  \n ", NULL },
    { "", NULL },
    { "One word after the other until it is far too long for any title there is",
      "One word after the other until it is far too long for any…" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *title = _gadget_title_clean (cases[i].answer);

      g_assert_cmpstr (title, ==, cases[i].title);
    }
}

static void
test_made (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = begin_title (fixture);
  GadgetRequest *request = fake_provider_get_request (fixture->provider, 1);

  g_assert_cmpint (gadget_run_get_kind (run), ==, GADGET_RUN_TITLE);
  g_assert_cmpstr (gadget_run_get_session_id (run), ==, "session");
  /* It is no work of the session: nothing shows Cancel for it. */
  g_assert_null (gadget_session_get_active_run (fixture->session));
  g_assert_cmpstr (get_title (fixture), ==, "How do I close a stream?");
  g_assert_cmpuint (request->messages->len, ==, 1);
  g_assert_cmpuint (request->tools->len, ==, 0);
  g_assert_nonnull (strstr (request_get_text (request, 0), "You drop the last reference."));

  say (fixture, "\"Closing a stream\"\n");
  wait_until (is_idle (fixture));
  g_assert_cmpstr (get_title (fixture), ==, "Closing a stream");
  g_assert_cmpuint (fixture->n_completed, ==, 1);

  /* Once only. */
  agent_start_streaming (fixture, "more");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 2);
  expect_none (fixture, 3);
}

/* However much was said, the request is small. */
static void
test_small (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *prompt = g_strnfill (100000, 'p');
  g_autofree char *answer = g_strnfill (100000, 'a');

  agent_start_streaming (fixture, prompt);
  say (fixture, answer);
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  g_assert_cmpuint (gadget_request_count_tokens (fake_provider_get_request (fixture->provider, 1)),
                    <, 500);
  say (fixture, "Letters");
  wait_until (is_idle (fixture));
}

/* Whichever way it is named in the stop. */
static void
expect_aborted (AgentFixture *fixture, GadgetRun *run, GadgetAbortAck *ack)
{
  g_assert_true (ack->aborted);
  g_assert_cmpuint (g_strv_length (ack->runs), ==, 1);
  g_assert_cmpstr (ack->runs[0], ==, gadget_run_get_id (run));
  wait_until (is_idle (fixture));
  g_assert_cmpstr (get_title (fixture), ==, "How do I close a stream?");
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_run_get_receipt (run)), ==, 0);
  g_assert_cmpuint (fixture->n_completed, ==, 1);
  expect_none (fixture, 2);
}

static void
test_abort_run (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = begin_title (fixture);
  g_autoptr (GadgetAbortAck) ack =
      gadget_agent_abort (fixture->agent, NULL, gadget_run_get_id (run), GADGET_STOP_API);

  expect_aborted (fixture, run, ack);
}

static void
test_abort_session (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = begin_title (fixture);
  g_autoptr (GadgetAbortAck) ack = NULL;

  fake_provider_text (fixture->provider, "Closing");
  ack = gadget_agent_abort (fixture->agent, "session", NULL, GADGET_STOP_USER);
  expect_aborted (fixture, run, ack);
}

/* The whole answer is there; the stop comes in the same instant. */
static void
test_abort_all (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = begin_title (fixture);
  g_autoptr (GadgetAbortAck) ack = NULL;

  say (fixture, "Closing a stream");
  ack = gadget_agent_abort (fixture->agent, NULL, NULL, GADGET_STOP_USER);
  expect_aborted (fixture, run, ack);
}

static void
abort_added_cb (GadgetRegistry *registry, GadgetRun *run, AgentFixture *fixture)
{
  if (gadget_run_get_kind (run) == GADGET_RUN_TITLE)
    g_assert_true (gadget_run_abort (run, GADGET_STOP_USER));
}

/* A2: aborted before it asked, it does not ask. */
static void
test_abort_early (AgentFixture *fixture, gconstpointer data)
{
  g_signal_connect (gadget_agent_get_registry (fixture->agent), "added",
                    G_CALLBACK (abort_added_cb), fixture);
  agent_start_streaming (fixture, "go");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 1 && is_idle (fixture));
  expect_none (fixture, 1);
}

/* S8: after an abort nothing is sent by itself; the turn after it is the first that finished. */
static void
test_none_after_abort (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  fake_provider_text (fixture->provider, "partly");
  agent_abort_now (fixture);
  wait_until (fixture->n_completed == 1);
  expect_none (fixture, 1);

  agent_start_streaming (fixture, "again");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 2 && fake_provider_is_waiting (fixture->provider));
  say (fixture, "Going");
  wait_until (is_idle (fixture));
  g_assert_cmpstr (get_title (fixture), ==, "Going");
}

static void
test_none_after_failure (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  fake_provider_fail (fixture->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_CUT, "cut"));
  wait_until (fixture->n_completed == 1);
  expect_none (fixture, 1);
}

/* What the user called it stays, whenever that was. */
static void
test_renamed (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  gadget_session_set_title (fixture->session, "Mine");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 1);
  expect_none (fixture, 1);
  g_assert_cmpstr (get_title (fixture), ==, "Mine");
}

static void
test_renamed_meanwhile (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = begin_title (fixture);

  gadget_session_set_title (fixture->session, "Mine");
  say (fixture, "Closing a stream");
  wait_until (is_idle (fixture));
  g_assert_cmpstr (get_title (fixture), ==, "Mine");
}

static void
test_failure (AgentFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetRun) run = begin_title (fixture);

  fake_provider_fail (fixture->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED, "no"));
  wait_until (is_idle (fixture));
  g_assert_cmpstr (get_title (fixture), ==, "How do I close a stream?");
  expect_none (fixture, 2);
}

/* Queued messages come first. */
static void
test_queue_first (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  gadget_session_enqueue (fixture->session, "next");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  g_assert_nonnull (gadget_session_get_active_run (fixture->session));
  say (fixture, "ok");
  wait_until (fixture->n_completed == 2 && fake_provider_is_waiting (fixture->provider));
  g_assert_null (gadget_session_get_active_run (fixture->session));
  say (fixture, "Going");
  wait_until (is_idle (fixture));
  g_assert_cmpstr (get_title (fixture), ==, "Going");
}

static void
test_guide (AgentFixture *fixture, gconstpointer data)
{
  gadget_provider_list_override (_gadget_agent_get_environment (fixture->agent)->providers,
                                 GADGET_GUIDE_ID, GADGET_PROVIDER (fixture->provider));
  gadget_session_set_model (fixture->session, GADGET_GUIDE_ID, NULL);
  agent_start_streaming (fixture, "Show me Stop");
  g_assert_cmpstr (get_title (fixture), ==, "Show me Stop");
  say (fixture, "ok");
  wait_until (fixture->n_completed == 1);
  expect_none (fixture, 1);
}

/* A chat that was begun with the Guide is named after what a model says first. */
static void
test_after_guide (AgentFixture *fixture, gconstpointer data)
{
  test_guide (fixture, data);
  gadget_session_set_model (fixture->session, "fake", "model");
  agent_start_streaming (fixture, "How do I close a stream?");
  say (fixture, "You drop the last reference.");
  wait_until (fixture->n_completed == 2 && fake_provider_is_waiting (fixture->provider));
  g_assert_nonnull (strstr (request_get_text (fake_provider_get_request (fixture->provider, 2), 0),
                            "close a stream"));
  say (fixture, "Closing a stream");
  wait_until (is_idle (fixture));
  g_assert_cmpstr (get_title (fixture), ==, "Closing a stream");
}

static void
test_closed (AgentFixture *fixture, gconstpointer data)
{
  agent_start_streaming (fixture, "go");
  say (fixture, "ok");
  gadget_agent_close (fixture->agent);
  wait_until (fixture->n_completed == 1);
  expect_none (fixture, 1);
}

/* --- With a store ----------------------------------------------------------------------------- */

typedef struct
{
  char *folder;
  GadgetEngine *engine;
  GadgetSession *session;
  FakeProvider *provider;
} Whole;

static GadgetEngine *
open_engine (Whole *whole)
{
  GadgetEngine *engine = gadget_engine_new (whole->folder);

  test_engine_open (engine);
  return engine;
}

static void
whole_set_up (Whole *whole, gconstpointer data)
{
  GadgetAgent *agent;
  g_autoptr (GadgetRun) run = NULL;

  whole->folder = test_dir_new ();
  whole->provider = fake_provider_new ();
  whole->engine = open_engine (whole);
  agent = gadget_engine_get_agent (whole->engine);
  gadget_provider_list_override (gadget_engine_get_providers (whole->engine), "fake",
                                 GADGET_PROVIDER (whole->provider));
  gadget_agent_set_titles (agent, TRUE);
  whole->session = gadget_engine_new_session (whole->engine);
  gadget_session_set_model (whole->session, "fake", "model");
  run = gadget_agent_start (agent, whole->session, "first words", NULL, NULL);
  wait_until (fake_provider_is_waiting (whole->provider));
  fake_provider_text (whole->provider, "ok");
  fake_provider_end (whole->provider);
  /* Now the one for the title. */
  wait_until (fake_provider_get_n_requests (whole->provider) == 2);
}

static void
whole_tear_down (Whole *whole, gconstpointer data)
{
  if (whole->engine != NULL)
    test_engine_close (whole->engine, GADGET_STOP_CLOSED);
  g_clear_object (&whole->engine);
  g_clear_object (&whole->session);
  g_clear_object (&whole->provider);
  test_dir_free (whole->folder);
}

static GadgetSession *
reopen (Whole *whole)
{
  test_engine_close (whole->engine, GADGET_STOP_CLOSED);
  g_object_unref (whole->engine);
  whole->engine = open_engine (whole);
  return gadget_engine_find_session (whole->engine, gadget_session_get_id (whole->session));
}

static void
test_stored (Whole *whole, gconstpointer data)
{
  fake_provider_text (whole->provider, "A title");
  fake_provider_end (whole->provider);
  wait_until (g_strcmp0 (gadget_session_get_title (whole->session), "A title") == 0);
  g_assert_cmpstr (gadget_session_get_title (reopen (whole)), ==, "A title");
}

/* Closing stops it, and waits for nothing else. */
static void
test_closing (Whole *whole, gconstpointer data)
{
  g_assert_cmpstr (gadget_session_get_title (reopen (whole)), ==, "first words");
  g_assert_false (fake_provider_is_waiting (whole->provider));
}

/* A deleted chat stays deleted. */
static void
test_deleted (Whole *whole, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_engine_delete_async (whole->engine, whole->session, GADGET_DELETE_UNUSED, test_result_cb,
                              &result);
  wait_until (result != NULL);
  gadget_engine_delete_finish (whole->engine, result, &error);
  g_assert_no_error (error);
  wait_until (!fake_provider_is_waiting (whole->provider));
  test_run_for (50);
  g_assert_null (reopen (whole));
}

/* --- Again ------------------------------------------------------------------------------------ */

/* Sets up the provider, and answers the request for the first title. */
static void
again_set_up (Whole *whole, gconstpointer data)
{
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "fake", "Fake", GADGET_PROVIDER_KIND_OPENAI_CHAT, "http://127.0.0.1:1", "model");

  whole_set_up (whole, data);
  test_engine_add_provider (whole->engine, config);
  gadget_provider_list_override (gadget_engine_get_providers (whole->engine), "fake",
                                 GADGET_PROVIDER (whole->provider));
  fake_provider_text (whole->provider, "A title");
  fake_provider_end (whole->provider);
  wait_until (g_strcmp0 (gadget_session_get_title (whole->session), "A title") == 0);
  wait_until (gadget_engine_can_name (whole->engine, whole->session));
}

/* Begins a request for another title of the chat, which waits. */
static void
begin_again (Whole *whole, GadgetSession *session)
{
  const guint n_requests = fake_provider_get_n_requests (whole->provider);

  g_assert_true (gadget_engine_can_name (whole->engine, session));
  gadget_engine_name_again (whole->engine, session);
  g_assert_false (gadget_engine_can_name (whole->engine, session));
  wait_until (fake_provider_is_waiting (whole->provider));
  g_assert_cmpuint (fake_provider_get_n_requests (whole->provider), ==, n_requests + 1);
}

static void
answer_again (Whole *whole, GadgetSession *session, const char *title)
{
  fake_provider_text (whole->provider, title);
  fake_provider_end (whole->provider);
  wait_until (gadget_engine_can_name (whole->engine, session));
}

/* What the user called the chat is replaced, since the user asks for it; no use of the chat. */
static void
test_again (Whole *whole, gconstpointer data)
{
  const gint64 updated_at = gadget_session_get_updated_at (whole->session);

  gadget_session_set_title (whole->session, "Mine");
  begin_again (whole, whole->session);
  /* A second press while the model is asked does nothing. */
  gadget_engine_name_again (whole->engine, whole->session);
  test_run_for (30);
  g_assert_cmpuint (fake_provider_get_n_requests (whole->provider), ==, 3);
  answer_again (whole, whole->session, "Another title");
  g_assert_cmpstr (gadget_session_get_title (whole->session), ==, "Another title");
  g_assert_cmpint (gadget_session_get_updated_at (whole->session), ==, updated_at);
  g_assert_cmpstr (gadget_session_get_title (reopen (whole)), ==, "Another title");
}

/* The chat came to another subject, which the model is told. */
static void
test_again_later (Whole *whole, gconstpointer data)
{
  g_autoptr (GadgetRun) run = gadget_agent_start (gadget_engine_get_agent (whole->engine),
                                                  whole->session, "last words", NULL, NULL);
  const char *text;

  wait_until (fake_provider_is_waiting (whole->provider));
  fake_provider_text (whole->provider, "ok");
  fake_provider_end (whole->provider);
  wait_until (gadget_session_get_active_run (whole->session) == NULL);
  begin_again (whole, whole->session);
  text = request_get_text (fake_provider_get_request (whole->provider, 3), 0);
  g_assert_nonnull (strstr (text, "first words"));
  g_assert_nonnull (strstr (text, "last words"));
  answer_again (whole, whole->session, "All words");
}

/* The turns of a chat that nobody has opened are read for it, and only for it. */
static void
test_again_unloaded (Whole *whole, gconstpointer data)
{
  GadgetSession *session = reopen (whole);

  gadget_provider_list_override (gadget_engine_get_providers (whole->engine), "fake",
                                 GADGET_PROVIDER (whole->provider));
  g_assert_false (gadget_session_get_loaded (session));
  begin_again (whole, session);
  g_assert_nonnull (
      strstr (request_get_text (fake_provider_get_request (whole->provider, 2), 0), "first words"));
  answer_again (whole, session, "Another title");
  g_assert_cmpstr (gadget_session_get_title (session), ==, "Another title");
  g_assert_false (gadget_session_get_loaded (session));
}

/* A stop while the turns are being read, when there is no request yet. */
static void
test_again_stopped_reading (Whole *whole, gconstpointer data)
{
  GadgetSession *session = reopen (whole);
  g_autoptr (GadgetAbortAck) ack = NULL;

  gadget_provider_list_override (gadget_engine_get_providers (whole->engine), "fake",
                                 GADGET_PROVIDER (whole->provider));
  gadget_engine_name_again (whole->engine, session);
  ack = gadget_agent_abort (gadget_engine_get_agent (whole->engine),
                            gadget_session_get_id (session), NULL, GADGET_STOP_USER);
  g_assert_true (ack->aborted);
  wait_until (gadget_engine_can_name (whole->engine, session));
  test_run_for (50);
  g_assert_cmpuint (fake_provider_get_n_requests (whole->provider), ==, 2);
  g_assert_cmpstr (gadget_session_get_title (session), ==, "A title");
}

static void
naming_failed_cb (GadgetEngine *engine, GadgetSession *session, const GError *error,
                  guint *n_failures)
{
  g_assert_nonnull (error);
  ++*n_failures;
}

static void
test_again_stopped (Whole *whole, gconstpointer data)
{
  g_autoptr (GadgetAbortAck) ack = NULL;
  guint n_failures = 0;

  g_signal_connect (whole->engine, "naming-failed", G_CALLBACK (naming_failed_cb), &n_failures);
  begin_again (whole, whole->session);
  ack = gadget_agent_abort (gadget_engine_get_agent (whole->engine),
                            gadget_session_get_id (whole->session), NULL, GADGET_STOP_USER);
  g_assert_true (ack->aborted);
  wait_until (gadget_engine_can_name (whole->engine, whole->session));
  g_assert_cmpstr (gadget_session_get_title (whole->session), ==, "A title");
  g_assert_cmpuint (n_failures, ==, 0);
}

static void
test_again_renamed_meanwhile (Whole *whole, gconstpointer data)
{
  begin_again (whole, whole->session);
  gadget_session_set_title (whole->session, "Mine");
  answer_again (whole, whole->session, "Another title");
  g_assert_cmpstr (gadget_session_get_title (whole->session), ==, "Mine");
}

/* The user is told, as the request was the user's. */
static void
test_again_failed (Whole *whole, gconstpointer data)
{
  guint n_failures = 0;

  g_signal_connect (whole->engine, "naming-failed", G_CALLBACK (naming_failed_cb), &n_failures);
  begin_again (whole, whole->session);
  fake_provider_fail (whole->provider,
                      g_error_new (GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_OVERLOADED, "no"));
  wait_until (n_failures == 1);
  wait_until (gadget_engine_can_name (whole->engine, whole->session));
  begin_again (whole, whole->session);
  answer_again (whole, whole->session, "");
  g_assert_cmpuint (n_failures, ==, 2);
  g_assert_cmpstr (gadget_session_get_title (whole->session), ==, "A title");
}

/* The only turn goes while the key is looked up: the request was made of what there was. */
static void
test_again_turn_removed (Whole *whole, gconstpointer data)
{
  gadget_engine_name_again (whole->engine, whole->session);
  gadget_session_remove_turn (whole->session, 0);
  wait_until (fake_provider_is_waiting (whole->provider));
  g_assert_nonnull (
      strstr (request_get_text (fake_provider_get_request (whole->provider, 2), 0), "first words"));
  fake_provider_text (whole->provider, "Another title");
  fake_provider_end (whole->provider);
  wait_until (g_strcmp0 (gadget_session_get_title (whole->session), "Another title") == 0);
}

static void
test_can_name (Whole *whole, gconstpointer data)
{
  g_autoptr (GadgetSession) empty = gadget_engine_new_session (whole->engine);
  g_autoptr (GadgetSession) guided = gadget_session_new ("guided");

  g_assert_false (gadget_engine_can_name (whole->engine, empty));
  gadget_session_set_model (guided, GADGET_GUIDE_ID, NULL);
  g_assert_false (gadget_engine_can_name (whole->engine, guided));
  gadget_session_set_model (guided, "gone", NULL);
  g_assert_false (gadget_engine_can_name (whole->engine, guided));
  g_assert_true (
      gadget_engine_begin_delete (whole->engine, whole->session, GADGET_DELETE_UNUSED, NULL));
  g_assert_false (gadget_engine_can_name (whole->engine, whole->session));
  g_assert_true (gadget_engine_cancel_delete (whole->engine, whole->session));
  g_assert_true (gadget_engine_can_name (whole->engine, whole->session));
  gadget_agent_close (gadget_engine_get_agent (whole->engine));
  g_assert_false (gadget_engine_can_name (whole->engine, whole->session));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/title/" path, AgentFixture, NULL, set_up, function, agent_tear_down)
#define ADD_WHOLE(path, function)                                                                  \
  g_test_add ("/engine/title/" path, Whole, NULL, whole_set_up, function, whole_tear_down)
  g_test_add_func ("/engine/title/clean", test_clean);
  ADD ("made", test_made);
  ADD ("small", test_small);
  ADD ("A1-abort-run", test_abort_run);
  ADD ("A1-abort-session", test_abort_session);
  ADD ("A1-abort-all", test_abort_all);
  ADD ("A2-abort-early", test_abort_early);
  ADD ("S8-none-after-abort", test_none_after_abort);
  ADD ("none-after-failure", test_none_after_failure);
  ADD ("renamed", test_renamed);
  ADD ("renamed-meanwhile", test_renamed_meanwhile);
  ADD ("failure", test_failure);
  ADD ("queue-first", test_queue_first);
  ADD ("guide", test_guide);
  ADD ("after-guide", test_after_guide);
  ADD ("closed", test_closed);
  ADD_WHOLE ("stored", test_stored);
  ADD_WHOLE ("closing", test_closing);
  ADD_WHOLE ("deleted", test_deleted);
#define ADD_AGAIN(path, function)                                                                  \
  g_test_add ("/engine/title/again/" path, Whole, NULL, again_set_up, function, whole_tear_down)
  ADD_AGAIN ("made", test_again);
  ADD_AGAIN ("later", test_again_later);
  ADD_AGAIN ("unloaded", test_again_unloaded);
  ADD_AGAIN ("A2-stopped-reading", test_again_stopped_reading);
  ADD_AGAIN ("A1-stopped", test_again_stopped);
  ADD_AGAIN ("renamed-meanwhile", test_again_renamed_meanwhile);
  ADD_AGAIN ("failed", test_again_failed);
  ADD_AGAIN ("turn-removed", test_again_turn_removed);
  ADD_AGAIN ("can-name", test_can_name);

  return g_test_run ();
}
