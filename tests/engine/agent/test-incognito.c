/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Incognito chats: that nothing of them is stored, also when the process is killed; and that the
 * user can keep one.
 *
 * What is stored is looked for as text in all files below the folder of the test, which has the
 * folders for data, caches, states and temporary files of another process in it. Each such test has
 * a twin with an ordinary chat, in which the text is found. */

#include "config.h"

#include "engine-fixture.h"
#include "test-engine.h"
#include "test-store.h"
#include "wait.h"

#include "session/gadget-attachment.h"
#include "tools/gadget-tool-task.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define MARKER "xylophonequark"

/* --- Looking for text -------------------------------------------------------------------------- */

static gboolean
has_marker (const char *path)
{
  g_autofree char *data = NULL;
  gsize length;

  if (!g_file_get_contents (path, &data, &length, NULL))
    return FALSE;
  return memmem (data, length, MARKER, strlen (MARKER)) != NULL;
}

/* The first file below a folder that has the marker in it, or in its name. (nullable) */
static char *
find_marker (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      const gboolean is_link = g_file_test (path, G_FILE_TEST_IS_SYMLINK);
      char *found = NULL;

      if (strstr (name, MARKER) != NULL)
        return g_steal_pointer (&path);
      if (!is_link && g_file_test (path, G_FILE_TEST_IS_DIR))
        found = find_marker (path);
      else if (!is_link && g_file_test (path, G_FILE_TEST_IS_REGULAR) && has_marker (path))
        found = g_steal_pointer (&path);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* --- The other process -------------------------------------------------------------------------- */

static void
begin_answer (FakeProvider *provider)
{
  wait_until (fake_provider_is_waiting (provider));
}

/* The next response calls a tool. */
static void
call (FakeProvider *provider, const char *tool, const char *arguments)
{
  begin_answer (provider);
  fake_provider_reasoning (provider, "I consider " MARKER);
  fake_provider_call (provider, 0, "a", tool, arguments);
  fake_provider_end (provider);
}

static void
start (GadgetEngine *engine, GadgetSession *session, const char *prompt, GPtrArray *attachments)
{
  const GadgetTurnOptions options = { .attachments = attachments };
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run =
      gadget_agent_start (gadget_engine_get_agent (engine), session, prompt, &options, &error);

  g_assert_no_error (error);
}

/* The subagent says the marker, and goes on. */
static void
work_with_tools (FakeProvider *provider, const char *workspace)
{
  g_autofree char *file = g_build_filename (workspace, "a.txt", NULL);

  g_assert_true (g_file_set_contents (file, "the old " MARKER, -1, NULL));
  call (provider, "read_file", "{\"path\": \"a.txt\"}");
  call (provider, "write_file", "{\"path\": \"a.txt\", \"content\": \"the new " MARKER "\"}");
  call (provider, GADGET_TOOL_TASK_NAME,
        "{\"description\": \"" MARKER "\", \"prompt\": \"say " MARKER "\"}");
  begin_answer (provider);
  fake_provider_text (provider, "I am its subagent: " MARKER);
  fake_provider_end (provider);
  begin_answer (provider);
}

/* Ends one turn with an attachment, tools and a subagent, and is in the middle of the next one. */
static int
be_worker (const char *folder, gboolean incognito)
{
  g_autofree char *data = g_build_filename (folder, "data", "gadget", NULL);
  g_autofree char *workspace = g_build_filename (folder, "workspace", NULL);
  g_autoptr (FakeProvider) provider = fake_provider_new ();
  g_autoptr (GPtrArray) attachments = gadget_attachments_new ();
  GadgetEngine *engine;
  GadgetSession *session;

  g_mkdir_with_parents (data, 0700);
  g_mkdir_with_parents (workspace, 0700);
  engine = engine_fixture_open (data, provider);
  session = incognito ? gadget_engine_new_incognito (engine) : gadget_engine_new_session (engine);
  gadget_session_set_model (session, "fake", "model");
  gadget_session_set_workspace (session, workspace);
  gadget_session_set_mode (session, GADGET_MODE_ACCEPT_EDITS);
  gadget_engine_hold_session (engine, session);
  gadget_agent_set_titles (gadget_engine_get_agent (engine), TRUE);
  g_ptr_array_add (attachments, gadget_attachment_new_text ("a.txt", "attached " MARKER, 20));
  start (engine, session, "a prompt with " MARKER, attachments);
  work_with_tools (provider, workspace);
  fake_provider_text (provider, "an answer with " MARKER);
  fake_provider_end (provider);
  wait_until (gadget_session_get_active_run (session) == NULL);
  gadget_session_enqueue (session, "queued " MARKER);
  gadget_engine_save (engine, session);
  /* The ordinary chat is being named now; a request for a title would be waiting here. */
  test_run_for (50);
  g_assert_cmpint (fake_provider_is_waiting (provider), ==, !incognito);
  if (!incognito)
    {
      fake_provider_text (provider, "A title");
      fake_provider_end (provider);
      test_run_for (50);
    }
  start (engine, session, "the next prompt: " MARKER, NULL);
  begin_answer (provider);
  fake_provider_text (provider, "an answer that is cut: " MARKER);
  test_run_for (500); /* far longer than the journal waits */
  puts ("ready");
  fflush (stdout);
  test_run_for (1000 * 60);
  return 0;
}

static GSubprocess *
start_worker (const char *folder, const char *kind)
{
  static const char *const names[] = { "XDG_DATA_HOME",   "XDG_CACHE_HOME",  "XDG_STATE_HOME",
                                       "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "TMPDIR" };
  static const char *const folders[] = { "data", "cache", "state", "config", "runtime", "tmp" };
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *worker;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, folders[i], NULL);

      g_mkdir_with_parents (path, 0700);
      g_subprocess_launcher_setenv (launcher, names[i], path, TRUE);
    }
  worker = g_subprocess_launcher_spawn (launcher, &error, program, "--worker", folder, kind, NULL);
  g_assert_no_error (error);
  return worker;
}

static void
wait_for_ready (GSubprocess *worker)
{
  g_autoptr (GDataInputStream) lines =
      g_data_input_stream_new (g_subprocess_get_stdout_pipe (worker));
  g_autofree char *line = NULL;

  /* It tells nobody anything else: neither the test nor a log. */
  line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  g_assert_cmpstr (line, ==, "ready");
}

static void
kill_worker (GSubprocess *worker)
{
  g_subprocess_send_signal (worker, SIGKILL);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
}

/* @data: "incognito" or "stored" */
static void
test_killed (gconstpointer data)
{
  const gboolean incognito = g_str_equal (data, "incognito");
  g_autofree char *folder = test_dir_new ();
  g_autofree char *workspace = g_build_filename (folder, "workspace", NULL);
  g_autofree char *stored = g_build_filename (folder, "data", "gadget", NULL);
  g_autoptr (GSubprocess) worker = start_worker (folder, data);
  g_autofree char *file = g_build_filename (workspace, "a.txt", NULL);
  g_autofree char *text = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GadgetEngine *engine;
  g_autoptr (FakeProvider) provider = fake_provider_new ();

  wait_for_ready (worker);
  /* What the model changed in the user's own files stays changed. */
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "the new " MARKER);
  g_assert_cmpint (g_unlink (file), ==, 0);
  before = find_marker (folder);
  /* Another process finds no chat, neither now nor after the crash. */
  engine = engine_fixture_open (stored, provider);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (engine)), ==,
                    incognito ? 0 : 1);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_incognito (engine)), ==, 0);
  kill_worker (worker);
  engine_fixture_close (engine);
  after = find_marker (folder);
  if (incognito)
    {
      g_assert_cmpstr (before, ==, NULL);
      g_assert_cmpstr (after, ==, NULL);
    }
  else
    {
      g_assert_nonnull (before);
      g_assert_nonnull (after);
    }
  engine = engine_fixture_open (stored, provider);
  g_assert_cmpuint (g_list_model_get_n_items (gadget_engine_get_sessions (engine)), ==,
                    incognito ? 0 : 1);
  engine_fixture_close (engine);
  g_clear_object (&worker);
  test_dir_free (g_steal_pointer (&folder));
}

/* --- In this process ---------------------------------------------------------------------------- */

static void
set_up (EngineFixture *fixture, gconstpointer data)
{
  engine_fixture_set_up (fixture, data);
  g_object_unref (fixture->session);
  fixture->session = gadget_engine_new_incognito (fixture->engine);
  gadget_session_set_model (fixture->session, "fake", "model");
}

static guint
count_incognito (EngineFixture *fixture)
{
  return g_list_model_get_n_items (gadget_engine_get_incognito (fixture->engine));
}

static guint
count_listed (EngineFixture *fixture)
{
  return g_list_model_get_n_items (gadget_engine_get_sessions (fixture->engine));
}

static void
finish_turn (EngineFixture *fixture, const char *prompt)
{
  const guint n_completed = fixture->n_completed;

  engine_fixture_start (fixture, prompt, "An answer");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == n_completed + 1);
}

static void
test_listed (EngineFixture *fixture, gconstpointer data)
{
  const char *id = gadget_session_get_id (fixture->session);

  g_assert_cmpuint (count_incognito (fixture), ==, 1);
  g_assert_true (gadget_engine_find_incognito (fixture->engine, id) == fixture->session);
  g_assert_null (gadget_engine_find_session (fixture->engine, id));
  finish_turn (fixture, "first");
  g_assert_cmpuint (count_listed (fixture), ==, 0);
  g_assert_null (gadget_session_get_title (fixture->session));
  /* The model is told of earlier turns all the same. */
  finish_turn (fixture, "second");
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 2);
}

/* The receipt of the turn says what was stopped, and the next message is taken. */
static void
test_abort (EngineFixture *fixture, gconstpointer data)
{
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "half");

  gadget_session_enqueue (fixture->session, "later");
  engine_fixture_abort (fixture);
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (gadget_turn_get_receipt (turn)), ==, 0);
  g_assert_true (gadget_session_get_queue_paused (fixture->session));
  finish_turn (fixture, "again");
}

static void
test_queue (EngineFixture *fixture, gconstpointer data)
{
  engine_fixture_start (fixture, "go", "x");
  gadget_session_enqueue (fixture->session, "later");
  gadget_engine_save (fixture->engine, fixture->session);
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1 && fake_provider_is_waiting (fixture->provider));
  fake_provider_text (fixture->provider, "y");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 2);
}

/* What is replaced is gone: nothing can be brought back. */
static void
test_start_over (EngineFixture *fixture, gconstpointer data)
{
  const GadgetTurnOptions options = { 0 };
  g_autoptr (GadgetRun) run = NULL;

  finish_turn (fixture, "first");
  run = gadget_agent_start_over (gadget_engine_get_agent (fixture->engine), fixture->session, 0,
                                 "other", &options, NULL);
  begin_answer (fixture->provider);
  fake_provider_text (fixture->provider, "x");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  g_assert_cmpuint (gadget_session_get_n_turns (fixture->session), ==, 1);
  g_assert_false (gadget_session_get_has_removed (fixture->session));
  gadget_engine_keep_incognito (fixture->engine, fixture->session);
}

static void
test_close (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GadgetTurn *turn = engine_fixture_start (fixture, "go", "half");
  g_autoptr (GadgetRun) run = NULL;

  gadget_engine_close_incognito (fixture->engine, fixture->session);
  /* What still runs is known to be of an incognito chat. */
  g_assert_nonnull (
      gadget_engine_find_incognito (fixture->engine, gadget_session_get_id (fixture->session)));
  wait_until (fixture->n_completed == 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_CLOSED);
  g_assert_cmpuint (count_incognito (fixture), ==, 0);
  g_assert_null (
      gadget_engine_find_incognito (fixture->engine, gadget_session_get_id (fixture->session)));
  run = gadget_agent_start (gadget_engine_get_agent (fixture->engine), fixture->session, "more",
                            NULL, &error);
  g_assert_error (error, GADGET_AGENT_ERROR, GADGET_AGENT_ERROR_DELETED);
  /* It cannot be kept any more. */
  gadget_engine_keep_incognito (fixture->engine, fixture->session);
  g_assert_cmpuint (count_listed (fixture), ==, 0);
}

/* --- Keeping ----------------------------------------------------------------------------------- */

static void
keep (EngineFixture *fixture)
{
  gadget_engine_keep_incognito (fixture->engine, fixture->session);
  g_assert_false (gadget_session_get_incognito (fixture->session));
  g_assert_cmpuint (count_incognito (fixture), ==, 0);
  g_assert_cmpuint (count_listed (fixture), ==, 1);
}

static void
test_keep (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;

  finish_turn (fixture, "first");
  finish_turn (fixture, "second");
  gadget_session_enqueue (fixture->session, "queued");
  gadget_session_set_queue_paused (fixture->session, TRUE);
  keep (fixture);
  g_assert_cmpstr (gadget_session_get_title (fixture->session), ==, "first");
  finish_turn (fixture, "third");
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      static const char *const prompts[] = { "first", "second", "third" };
      GadgetTurn *turn = gadget_session_get_turn (stored, i);

      g_assert_cmpstr (gadget_turn_get_prompt (turn), ==, prompts[i]);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
      g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==, "An answer");
    }
  g_assert_cmpuint (g_list_model_get_n_items (gadget_session_get_queue (stored)), ==, 1);
}

/* @data: NULL, or "abort" */
static void
test_keep_running (EngineFixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSession) stored = NULL;
  GadgetTurn *turn;

  finish_turn (fixture, "first");
  engine_fixture_start (fixture, "second", "One half, ");
  keep (fixture);
  fake_provider_text (fixture->provider, "the other half.");
  if (data != NULL)
    engine_fixture_abort (fixture);
  else
    fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 2);
  stored = engine_fixture_reload (fixture);
  g_assert_cmpuint (gadget_session_get_n_turns (stored), ==, 2);
  turn = gadget_session_get_turn (stored, 1);
  g_assert_cmpint (gadget_turn_get_status (turn), ==,
                   data != NULL ? GADGET_TURN_ABORTED : GADGET_TURN_FINISHED);
  g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==,
                   "One half, the other half.");
}

/* Both the subagent that has ended and the one that works are stored with the chat. */
static void
test_keep_subagents (EngineFixture *fixture, gconstpointer data)
{
  char *ids[2] = { NULL, NULL };
  GadgetTurn *turn;
  GadgetStore *store;

  start (fixture->engine, fixture->session, "go", NULL);
  call (fixture->provider, GADGET_TOOL_TASK_NAME, "{\"description\": \"a\", \"prompt\": \"one\"}");
  begin_answer (fixture->provider);
  fake_provider_text (fixture->provider, "done");
  fake_provider_end (fixture->provider);
  call (fixture->provider, GADGET_TOOL_TASK_NAME, "{\"description\": \"b\", \"prompt\": \"two\"}");
  begin_answer (fixture->provider);
  fake_provider_text (fixture->provider, "half");
  turn = gadget_session_get_last_turn (fixture->session);
  for (guint i = 0, n = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetSession *child = gadget_item_get_child (gadget_turn_get_item (turn, i));

      if (child == NULL)
        continue;
      g_assert_true (gadget_session_get_incognito (child));
      ids[n++] = g_strdup (gadget_session_get_id (child));
    }
  keep (fixture);
  fake_provider_text (fixture->provider, " of it");
  fake_provider_end (fixture->provider);
  begin_answer (fixture->provider);
  fake_provider_text (fixture->provider, "all");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);
  g_clear_object (&fixture->session);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  store = test_store_open (fixture->directory);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GadgetSession) child = test_store_load (store, ids[i]);

      turn = gadget_session_get_last_turn (child);
      g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_FINISHED);
      g_assert_cmpstr (gadget_item_get_text (gadget_turn_get_item (turn, 0)), ==,
                       i == 0 ? "done" : "half of it");
      g_free (ids[i]);
    }
  test_store_close (store);
}

/* --- Rules ------------------------------------------------------------------------------------- */

static GadgetPermissionRules *
get_rules (GadgetEngine *engine)
{
  return gadget_policy_get_rules (gadget_agent_get_policy (gadget_engine_get_agent (engine)));
}

static guint
count_rules (GadgetEngine *engine)
{
  return g_list_model_get_n_items (G_LIST_MODEL (get_rules (engine)));
}

/* @data: NULL, or "keep" */
static void
test_rules (EngineFixture *fixture, gconstpointer data)
{
  const GadgetRuleData rule_data = { .kind = GADGET_RULE_COMMAND,
                                     .subject = MARKER,
                                     .scope = GADGET_RULE_SESSION,
                                     .session = gadget_session_get_id (fixture->session),
                                     .origin = "a test" };
  g_autoptr (GadgetRule) rule = gadget_rule_new (&rule_data);
  g_autofree char *found = NULL;
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_permission_rules_replace (get_rules (fixture->engine), rule, FALSE);
  /* To read what is stored does not take it away. */
  gadget_permission_rules_refresh_async (get_rules (fixture->engine), test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_cmpuint (count_rules (fixture->engine), ==, 1);
  finish_turn (fixture, "first");
  if (data != NULL)
    keep (fixture);
  else
    gadget_engine_close_incognito (fixture->engine, fixture->session);
  g_assert_cmpuint (count_rules (fixture->engine), ==, data != NULL ? 1 : 0);
  g_clear_object (&fixture->session);
  engine_fixture_close (g_steal_pointer (&fixture->engine));
  found = find_marker (fixture->directory);
  g_assert_true ((found != NULL) == (data != NULL));
}

int
main (int argc, char **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "--worker"))
    return be_worker (argv[2], g_str_equal (argv[3], "incognito"));
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function, data)                                                                  \
  g_test_add ("/engine/incognito/" path, EngineFixture, data, set_up, function,                    \
              engine_fixture_tear_down)
  g_test_add_data_func ("/engine/incognito/killed", "incognito", test_killed);
  g_test_add_data_func ("/engine/incognito/killed-stored", "stored", test_killed);
  ADD ("listed", test_listed, NULL);
  ADD ("abort", test_abort, NULL);
  ADD ("queue", test_queue, NULL);
  ADD ("start-over", test_start_over, NULL);
  ADD ("close", test_close, NULL);
  ADD ("keep", test_keep, NULL);
  ADD ("keep-running", test_keep_running, NULL);
  ADD ("keep-running-abort", test_keep_running, "abort");
  ADD ("keep-subagents", test_keep_subagents, NULL);
  ADD ("rules", test_rules, NULL);
  ADD ("rules-kept", test_rules, "keep");
#undef ADD
  return g_test_run ();
}
