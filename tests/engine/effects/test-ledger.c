/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each tool leaves in the ledger: in a turn that goes well, and in one whose program is killed
 * when the row is there and nothing was done yet, or when it was done and the row is still open. */

#include "config.h"

#include "agent/gadget-engine.h"
#include "fake-server.h"
#include "test-engine.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* WORK stands for the workspace, SERVER for the address of a server and PORT for that of one where
 * nobody is. */
typedef struct
{
  const char *name;
  const char *tool;
  const char *arguments;
  const char *row;  /* kind, subject and detail */
  const char *ends; /* the outcome */
  const char *made; /* (nullable): a file that is there once it was done */
  const char *gone; /* (nullable): a file that is not there any more then */
} Case;

static const Case cases[] = {
  { "read", "read_file", "{\"path\":\"a.txt\"}", "read|WORK/a.txt|-", "done", NULL, NULL },
  { "read-nothing", "read_file", "{\"path\":\"none\"}", "read|WORK/none|-", "failed", NULL, NULL },
  { "list", "list_dir", "{\"path\":\".\"}", "read|WORK|-", "done", NULL, NULL },
  { "find", "find_files", "{\"pattern\":\"*.txt\"}", "read|WORK|-", "done", NULL, NULL },
  { "search", "search", "{\"pattern\":\"o.d\"}", "read|WORK|o.d", "done", NULL, NULL },
  { "search-badly", "search", "{\"pattern\":\"(\"}", "read|WORK|(", "failed", NULL, NULL },
  { "write", "write_file", "{\"path\":\"new/b.txt\",\"content\":\"b\"}", "change|WORK/new/b.txt|-",
    "done", "new/b.txt", NULL },
  { "edit", "edit_file",
    "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"old\",\"new_text\":\"new\"}]}",
    "change|WORK/a.txt|-", "done", NULL, NULL },
  { "command", "shell", "{\"command\":\"touch made; exit 3\"}", "command|touch made; exit 3|WORK",
    "exit 3", "made", NULL },
  { "command-signalled", "shell", "{\"command\":\"touch made; kill -SEGV $$\"}",
    "command|touch made; kill -SEGV $$|WORK", "signal 11", "made", NULL },
  { "command-deletes", "shell", "{\"command\":\"rm a.txt\"}", "command|rm a.txt|WORK", "exit 0",
    NULL, "a.txt" },
  { "fetch", "fetch", "{\"url\":\"http://SERVER/page\"}", "host|SERVER|http://SERVER/page", "200",
    NULL, NULL },
  { "fetch-missing", "fetch", "{\"url\":\"http://SERVER/none\"}", "host|SERVER|http://SERVER/none",
    "404", NULL, NULL },
  { "fetch-nobody", "fetch", "{\"url\":\"http://127.0.0.1:1/\"}",
    "host|127.0.0.1:1|http://127.0.0.1:1/", "failed", NULL, NULL },
  { "mcp", "helper__echo", "{\"text\":\"hello\"}", "mcp|helper/echo|{\"text\":\"hello\"}", "done",
    NULL, NULL },
  { "mcp-failing", "helper__failing", "{}", "mcp|helper/failing|{}", "failed", NULL, NULL },
};

/* What never ends by itself. */
static const Case endless[] = {
  { "command", "shell", "{\"command\":\"sleep 600\"}", "command|sleep 600|WORK", "aborted", NULL,
    NULL },
  { "fetch", "fetch", "{\"url\":\"http://SERVER/silent\"}", "host|SERVER|http://SERVER/silent",
    "aborted", NULL, NULL },
  { "mcp", "helper__never", "{}", "mcp|helper/never|{}", "aborted", NULL, NULL },
};

typedef struct
{
  char *directory;
  char *workspace;
  char *server_name;
  FakeServer *server;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  FakeReply *reply;

  fixture->directory = test_dir_new ();
  fixture->workspace = test_dir_new ();
  path = g_build_filename (fixture->workspace, "a.txt", NULL);
  g_assert_true (g_file_set_contents (path, "old\n", -1, NULL));
  fixture->server = fake_server_new ();
  fixture->server_name = g_strdup_printf ("127.0.0.1:%u", fake_server_get_port (fixture->server));
  reply = fake_server_add_reply (fixture->server);
  fake_reply_when (reply, "/page");
  fake_reply_head (reply, 200, "text/plain", NULL);
  fake_reply_chunk (reply, "a page");
  fake_reply_end (reply);
  reply = fake_server_add_reply (fixture->server);
  fake_reply_when (reply, "/none");
  fake_reply_head (reply, 404, "text/plain", NULL);
  fake_reply_chunk (reply, "nothing");
  fake_reply_end (reply);
  reply = fake_server_add_reply (fixture->server);
  fake_reply_when (reply, "/silent");
  fake_reply_stall (reply);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fake_server_free (fixture->server);
  g_free (fixture->server_name);
  test_dir_free (fixture->directory);
  test_dir_free (fixture->workspace);
}

static char *
fill_in (Fixture *fixture, const char *text)
{
  g_auto (GStrv) works = g_strsplit (text, "WORK", -1);
  g_autofree char *half = g_strjoinv (fixture->workspace, works);
  g_auto (GStrv) servers = g_strsplit (half, "SERVER", -1);

  return g_strjoinv (fixture->server_name, servers);
}

/* Returns whether it ended by itself. */
static gboolean
work (Fixture *fixture, const Case *row, const char *point)
{
  g_autofree char *program =
      g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "support", "ledger-worker", NULL);
  g_autofree char *arguments = fill_in (fixture, row->arguments);
  const gboolean mcp = g_str_has_prefix (row->tool, "helper__");
  g_autofree char *subject = mcp ? g_strconcat ("helper/", row->tool + 8, NULL) : NULL;
  const char *rule = mcp ? subject : fixture->server_name;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) worker = NULL;

  if (strstr (arguments, "127.0.0.1:1/") != NULL)
    rule = "127.0.0.1:1";
  worker = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, program, fixture->directory,
                             fixture->workspace, point, row->tool, arguments, rule, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  if (g_subprocess_get_if_signaled (worker))
    g_assert_cmpint (g_subprocess_get_term_sig (worker), ==, SIGKILL);
  else
    g_assert_cmpint (g_subprocess_get_exit_status (worker), ==, 0);
  return !g_subprocess_get_if_signaled (worker);
}

/* As another program sees the database: the last row, and all that is known of it. */
static char *
query (Fixture *fixture, const char *sql)
{
  g_autofree char *path = g_build_filename (fixture->directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  char *text = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  if (sqlite3_step (stmt) == SQLITE_ROW)
    text = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  return text;
}

static void
assert_row (Fixture *fixture, const Case *row, const char *outcome)
{
  g_autofree char *filled = fill_in (fixture, row->row);
  g_autofree char *expected = g_strdup_printf ("%s|%s|%s", row->tool, filled, outcome);
  g_autofree char *found =
      query (fixture, "SELECT call_id || '|' || kind || '|' || subject || '|' || "
                      "coalesce (detail, '-') || '|' || coalesce (outcome, 'open') || "
                      "CASE WHEN (ended_at >= started_at) = (outcome IS NULL) "
                      "THEN '|wrong times' ELSE '' END FROM effect ORDER BY number DESC LIMIT 1");

  g_assert_cmpstr (found, ==, expected);
}

static gboolean
is_there (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->workspace, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
assert_done (Fixture *fixture, const Case *row, gboolean done)
{
  g_autofree char *path = g_build_filename (fixture->workspace, "a.txt", NULL);
  g_autofree char *text = NULL;
  const gboolean edits = g_str_equal (row->tool, "edit_file");

  if (row->made != NULL)
    g_assert_cmpint (is_there (fixture, row->made), ==, done);
  if (row->gone != NULL)
    g_assert_cmpint (is_there (fixture, row->gone), ==, !done);
  if (row->gone != NULL)
    return;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, done && edits ? "new\n" : "old\n");
}

/* The next start of a program finds that it was cut short. */
static void
start_again (Fixture *fixture)
{
  g_autofree char *id = query (fixture, "SELECT id FROM session");
  GadgetStore *store = test_store_open (fixture->directory);
  g_autoptr (GadgetSession) session = test_store_load (store, id);
  GadgetTurn *turn = gadget_session_get_turn (session, 0);

  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_cmpint (gadget_turn_get_stop_reason (turn), ==, GADGET_STOP_INTERRUPTED);
  test_store_close (store);
}

static gboolean
is_missing (const Case *row)
{
  if (!g_str_equal (row->tool, "shell"))
    return FALSE;

  g_autoptr (GadgetSandbox) sandbox = test_get_sandbox (); /* skips the test */

  return sandbox == NULL;
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  const Case *row = data;

  if (is_missing (row))
    return;
  g_assert_true (work (fixture, row, "never"));
  assert_row (fixture, row, row->ends);
  assert_done (fixture, row, TRUE);
}

static void
test_aborted (Fixture *fixture, gconstpointer data)
{
  const Case *row = data;

  if (is_missing (row))
    return;
  g_assert_true (work (fixture, row, "abort"));
  assert_row (fixture, row, "aborted");
}

static void
test_killed_begun (Fixture *fixture, gconstpointer data)
{
  const Case *row = data;

  if (is_missing (row))
    return;
  g_assert_false (work (fixture, row, "begun"));
  assert_row (fixture, row, "open");
  assert_done (fixture, row, FALSE);
  g_assert_cmpuint (fake_server_get_n_requests (fixture->server), ==, 0);
  start_again (fixture);
  assert_row (fixture, row, "interrupted");
}

static void
test_killed_ending (Fixture *fixture, gconstpointer data)
{
  const Case *row = data;

  if (is_missing (row))
    return;
  g_assert_false (work (fixture, row, "ending"));
  assert_row (fixture, row, "open");
  assert_done (fixture, row, TRUE);
  start_again (fixture);
  assert_row (fixture, row, "interrupted");
}

/* What a command took away is found by the look afterwards, and can be had back. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  const Case row = {
    "deleted", "shell", "{\"command\":\"rm a.txt; sync\"}", NULL, NULL, NULL, NULL
  };
  g_autofree char *found = NULL;

  if (is_missing (&row))
    return;
  g_assert_true (work (fixture, &row, "never"));
  found = query (fixture, "SELECT cast (path AS TEXT) || '|' || old_type || '|' || new_type || '|' "
                          "|| (old_hash IS NOT NULL) FROM change WHERE length (path) > 0");
  g_assert_cmpstr (found, ==, "a.txt|file|none|1");
}

static gboolean
has_case (const char *tool)
{
  /* They do nothing but wait for somebody; a subagent's tools have rows of their own. */
  static const char *const without[] = { "ask_user", "task", "wait", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (g_str_equal (cases[i].tool, tool))
      return TRUE;
  return g_strv_contains (without, tool);
}

static void
test_every_tool (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetEngine) engine = gadget_engine_new (fixture->directory);
  GListModel *toolbox = G_LIST_MODEL (gadget_agent_get_toolbox (gadget_engine_get_agent (engine)));

  test_engine_open (engine);
  g_assert_cmpuint (g_list_model_get_n_items (toolbox), >, 5);
  for (guint i = 0; i < g_list_model_get_n_items (toolbox); i++)
    {
      g_autoptr (GadgetTool) tool = g_list_model_get_item (toolbox, i);

      if (!has_case (gadget_tool_get_name (tool)))
        g_error ("%s has no row in the table of this test", gadget_tool_get_name (tool));
    }
  test_engine_close (engine, GADGET_STOP_CLOSED);
}

static void
add (const Case *row, const char *when, void (*function) (Fixture *, gconstpointer))
{
  g_autofree char *path = g_strdup_printf ("/engine/ledger/%s/%s", row->name, when);

  g_test_add (path, Fixture, row, set_up, function, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      add (&cases[i], "whole", test_whole);
      add (&cases[i], "killed-begun", test_killed_begun);
      add (&cases[i], "killed-ending", test_killed_ending);
    }
  for (guint i = 0; i < G_N_ELEMENTS (endless); i++)
    add (&endless[i], "aborted", test_aborted);
  g_test_add ("/engine/ledger/every-tool", Fixture, NULL, set_up, test_every_tool, tear_down);
  g_test_add ("/engine/ledger/deleted", Fixture, NULL, set_up, test_deleted, tear_down);
  return g_test_run ();
}
