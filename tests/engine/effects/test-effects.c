/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ledger: a row is there before its effect, and closed after it, whatever happens. */

#include "config.h"

#include "test-faults.h"
#include "test-process.h"
#include "test-store.h"

#include "store/gadget-store-effects-private.h"

#include "tools/files/gadget-tool-read-file.h"
#include "tools/shell/gadget-tool-shell.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

typedef struct
{
  char *directory;
  char *workspace;
  GadgetStore *store;
  GadgetSession *session;
  GadgetTurn *turn;
  GadgetJournal *journal;
  GadgetSnapshotService *service;
  GadgetEffects *effects;
  GCancellable *cancellable;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->workspace = test_dir_new ();
  fixture->store = test_store_open (fixture->directory);
  fixture->session = gadget_session_new ("session");
  fixture->turn = gadget_turn_new ("turn", "Do something");
  fixture->journal = gadget_journal_new (fixture->store, fixture->session, fixture->turn);
  fixture->service = gadget_snapshot_service_new (fixture->store);
  fixture->effects = gadget_effects_new (fixture->service, "turn", "turn", fixture->workspace);
  fixture->cancellable = g_cancellable_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gpointer weak = fixture->service;

  /* What is still being recorded holds them. */
  g_object_add_weak_pointer (G_OBJECT (weak), &weak);
  g_assert_finalize_object (fixture->effects);
  g_object_unref (fixture->service);
  while (weak != NULL)
    g_main_context_iteration (NULL, TRUE);
  test_journal_commit (fixture->journal, NULL);
  g_assert_finalize_object (fixture->journal);
  test_store_close (fixture->store);
  g_object_unref (fixture->session);
  g_object_unref (fixture->turn);
  g_object_unref (fixture->cancellable);
  test_dir_free (fixture->directory);
  test_dir_free (fixture->workspace);
}

static gint64
begin (Fixture *fixture, GadgetEffectKind kind, const char *subject, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_effects_begin_async (fixture->effects, "c1", kind, subject, "detail", fixture->cancellable,
                              test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_effects_begin_finish (fixture->effects, result, error);
}

static GPtrArray *
list (GadgetStore *store, const char *session_id, const char *turn_id)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *rows;

  gadget_store_list_effects_async (store, session_id, turn_id, test_result_cb, &slot);
  result = test_take_result (&slot);
  rows = gadget_store_list_effects_finish (store, result, &error);
  g_assert_no_error (error);
  return rows;
}

/* As another program sees the database. */
static char *
query (const char *directory, const char *sql)
{
  g_autofree char *path = g_build_filename (directory, "gadget.db", NULL);
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  GString *text = g_string_new (NULL);

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count (stmt); i++)
      g_string_append_printf (text, "%s|", (const char *) sqlite3_column_text (stmt, i));
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  return g_string_free_and_steal (text);
}

static const GadgetEffectRow *
only_row (GPtrArray *rows)
{
  g_assert_cmpuint (rows->len, ==, 1);
  return g_ptr_array_index (rows, 0);
}

/* --- Rows --------------------------------------------------------------------------------------
 */

static void
test_row_before_effect (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *stored = NULL;
  gint64 id = begin (fixture, GADGET_EFFECT_HOST, "example.org", &error);

  g_assert_no_error (error);
  g_assert_cmpint (id, >, 0);
  stored = query (fixture->directory,
                  "SELECT kind, subject, detail, call_id, outcome, ended_at FROM effect");
  g_assert_cmpstr (stored, ==, "host|example.org|detail|c1|(null)|0|");

  gadget_effects_end (fixture->effects, id, "200");

  g_autoptr (GPtrArray) rows = list (fixture->store, "session", NULL);
  const GadgetEffectRow *row = only_row (rows);

  g_assert_cmpint (row->number, ==, id);
  g_assert_cmpstr (row->turn_id, ==, "turn");
  g_assert_cmpint (row->kind, ==, GADGET_EFFECT_HOST);
  g_assert_cmpstr (row->outcome, ==, "200");
  g_assert_cmpint (row->ended_at, >=, row->started_at);
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  gint64 first = begin (fixture, GADGET_EFFECT_READ, "/a", NULL);
  gint64 second = begin (fixture, GADGET_EFFECT_CHANGE, "/b\xff", NULL);
  g_autoptr (GPtrArray) rows = NULL;

  gadget_effects_end (fixture->effects, second, "done");
  gadget_effects_end (fixture->effects, first, "failed");
  rows = list (fixture->store, NULL, "turn");
  g_assert_cmpuint (rows->len, ==, 2);
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[0])->subject, ==, "/a");
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[0])->outcome, ==, "failed");
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[1])->subject, ==, "/b\xef\xbf\xbd");
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[1])->outcome, ==, "done");
}

/* Stores a session of a subagent with one turn. */
static void
store_child (Fixture *fixture, const char *id, const char *parent, const char *turn_id)
{
  g_autoptr (GadgetSession) session = gadget_session_new (id);
  g_autoptr (GadgetTurn) turn = gadget_turn_new (turn_id, "Do a part of it");
  g_autoptr (GadgetJournal) journal = NULL;

  gadget_session_set_parent_id (session, parent);
  journal = gadget_journal_new (fixture->store, session, turn);
  test_journal_commit (journal, NULL);
}

/* Of a subagent: under the turn that people see, with the call that did it; and in its own
 * session. */
static void
test_subagent (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetEffects) own = g_steal_pointer (&fixture->effects);
  g_autoptr (GPtrArray) of_child = NULL;
  g_autoptr (GPtrArray) of_grandchild = NULL;
  g_autoptr (GPtrArray) of_chat = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GPtrArray) none = NULL;

  fixture->effects = gadget_effects_new (fixture->service, "turn", "child-turn", NULL);
  gadget_effects_end (fixture->effects, begin (fixture, GADGET_EFFECT_READ, "/a", NULL), "done");
  rows = list (fixture->store, NULL, "turn");
  g_assert_cmpstr (only_row (rows)->call_turn_id, ==, "child-turn");
  none = list (fixture->store, NULL, "child-turn");
  g_assert_cmpuint (none->len, ==, 0);

  store_child (fixture, "child", "session", "child-turn");
  store_child (fixture, "grandchild", "child", "grandchild-turn");
  g_clear_object (&fixture->effects);
  fixture->effects = gadget_effects_new (fixture->service, "turn", "grandchild-turn", NULL);
  gadget_effects_end (fixture->effects, begin (fixture, GADGET_EFFECT_READ, "/b", NULL), "done");
  of_child = list (fixture->store, "child", NULL);
  g_assert_cmpstr (only_row (of_child)->subject, ==, "/a");
  g_assert_cmpstr (only_row (of_child)->turn_id, ==, "turn");
  of_grandchild = list (fixture->store, "grandchild", NULL);
  g_assert_cmpstr (only_row (of_grandchild)->subject, ==, "/b");
  of_chat = list (fixture->store, "session", NULL);
  g_assert_cmpuint (of_chat->len, ==, 2);
}

static void
test_gone_with_the_turn (Fixture *fixture, gconstpointer data)
{
  g_autofree char *left = NULL;

  gadget_effects_end (fixture->effects, begin (fixture, GADGET_EFFECT_READ, "/a", NULL), "done");
  test_store_delete (fixture->store, "session");
  left = query (fixture->directory, "SELECT count(*) FROM effect");
  g_assert_cmpstr (left, ==, "0|");
}

/* Without its row nothing happens, and the model is told why. */
static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) later = NULL;

  test_journal_flush (fixture->journal);
  test_faults_set (TEST_FAULT_FULL);
  g_assert_cmpint (begin (fixture, GADGET_EFFECT_COMMAND, "make", &error), ==, 0);
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL);
  g_assert_true (strstr (error->message, "could not record") != NULL);
  test_faults_set (TEST_FAULT_NONE);
  gadget_effects_end (fixture->effects, begin (fixture, GADGET_EFFECT_COMMAND, "make", &later),
                      "done");
  g_assert_no_error (later);
}

/* The turn itself could not be saved: there is nothing to put the row under. */
static void
test_turn_not_saved (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetEffects) own = g_steal_pointer (&fixture->effects);
  g_autoptr (GError) error = NULL;

  fixture->effects = gadget_effects_new (fixture->service, "another", "another", NULL);
  g_assert_cmpint (begin (fixture, GADGET_EFFECT_READ, "/a", &error), ==, 0);
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);
}

/* --- Many rows ---------------------------------------------------------------------------------
 */

/* Of a ledger with N_ROWS rows of other turns one turn's are found by their index. */
#define N_ROWS 200000

static void
fill_ledger (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->directory, "gadget.db", NULL);
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 20000);
  g_assert_cmpint (
      sqlite3_exec (
          db,
          "BEGIN;"
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
          " i < 2000) INSERT INTO turn (number, id, session, position, prompt, status,"
          " stop_reason, error_code, error_detail, provider, model, started_at, ended_at,"
          " changed_at, input_tokens, output_tokens, usage_estimated, receipt) SELECT 1000 + i, "
          "'other-' || i, session,"
          " 1000 + i, prompt, status, stop_reason, error_code, error_detail, provider,"
          " model, started_at, ended_at, changed_at, input_tokens, output_tokens,"
          " usage_estimated, receipt FROM n, turn WHERE id = 'turn';"
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
          " i < " G_STRINGIFY (
              N_ROWS) ") INSERT INTO effect (turn, owner, call_turn,"
                      " kind, subject, started_at, ended_at, outcome, recording) SELECT"
                      " 1001 + i % 2000, 'effects-x', 'x', 'read', '/srv/file', 1, 2, 'done',"
                      " 'none' FROM n; COMMIT",
          NULL, NULL, NULL),
      ==, SQLITE_OK);
  sqlite3_close (db);
}

static void
assert_uses_index (Fixture *fixture, gboolean of_session, gboolean of_turn)
{
  g_autofree char *sql = _gadget_store_make_effects_sql (of_session, of_turn);
  g_autofree char *question = g_strconcat ("EXPLAIN QUERY PLAN ", sql, NULL);
  g_autofree char *plan = query (fixture->directory, question);
  g_autoptr (GString) text = NULL;

  g_test_message ("%s", plan);
  g_assert_nonnull (strstr (plan, "SEARCH effect USING INDEX effect_turn"));
  /* The ancestors of one session are no table. */
  text = g_string_new (plan);
  g_string_replace (text, "SCAN ancestor", "", 0);
  g_assert_null (strstr (text->str, "SCAN"));
}

static void
test_many_rows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = NULL;
  gint64 took;

  gadget_effects_end (fixture->effects, begin (fixture, GADGET_EFFECT_READ, "/a", NULL), "done");
  fill_ledger (fixture);
  assert_uses_index (fixture, FALSE, TRUE);
  assert_uses_index (fixture, TRUE, TRUE);
  assert_uses_index (fixture, TRUE, FALSE);
  took = g_get_monotonic_time ();
  rows = list (fixture->store, NULL, "turn");
  took = g_get_monotonic_time () - took;
  g_test_message ("one turn of %d rows: %.2f ms", N_ROWS, (double) took / 1000);
  g_assert_cmpstr (only_row (rows)->subject, ==, "/a");
}

/* --- Stopping ----------------------------------------------------------------------------------
 */

static void
test_stopped_before (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = NULL;

  g_cancellable_cancel (fixture->cancellable);
  g_assert_cmpint (begin (fixture, GADGET_EFFECT_READ, "/a", &error), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  rows = list (fixture->store, NULL, NULL);
  g_assert_cmpuint (rows->len, ==, 0);
}

static gboolean
has_written_more (gpointer n_writes)
{
  return test_faults_get_n_writes () > GPOINTER_TO_UINT (n_writes);
}

/* A disk that hangs does not hold a stop. */
static void
test_stopped_meanwhile (Fixture *fixture, gconstpointer data)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = NULL;

  guint n_writes;

  test_journal_flush (fixture->journal);
  test_faults_set (TEST_FAULT_STALL);
  n_writes = test_faults_get_n_writes ();
  gadget_effects_begin_async (fixture->effects, "c1", GADGET_EFFECT_COMMAND, "make", NULL,
                              fixture->cancellable, test_result_cb, &slot);
  g_assert_true (test_wait_until (has_written_more, GUINT_TO_POINTER (n_writes), 10000));
  g_assert_null (slot);
  g_cancellable_cancel (fixture->cancellable);
  result = test_take_result (&slot);
  g_assert_cmpint (gadget_effects_begin_finish (fixture->effects, result, &error), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_faults_set (TEST_FAULT_NONE);

  /* The first look waits for the row, and its callback closes it. */
  g_ptr_array_unref (list (fixture->store, NULL, NULL));
  rows = list (fixture->store, NULL, NULL);
  g_assert_cmpstr (only_row (rows)->outcome, ==, "not-started");
}

/* --- Tools -------------------------------------------------------------------------------------
 */

typedef struct
{
  GadgetTool *tool;
  JsonObject *arguments;
  GadgetItem *item;
  GAsyncResult *slot;
} Call;

static void
call_start (Call *call, Fixture *fixture, GadgetTool *tool, const char *name, const char *value)
{
  GadgetToolContext context = { .workspace = fixture->workspace, .effects = fixture->effects };

  call->tool = tool;
  call->item = context.item = gadget_item_new_tool_call ("c1", "tool");
  call->arguments = json_object_new ();
  call->slot = NULL;
  json_object_set_string_member (call->arguments, name, value);
  gadget_tool_execute_async (tool, call->arguments, &context, fixture->cancellable, test_result_cb,
                             &call->slot);
}

static GadgetToolResult *
call_end (Call *call, GError **error)
{
  g_autoptr (GAsyncResult) result = test_take_result (&call->slot);
  GadgetToolResult *answer = gadget_tool_execute_finish (call->tool, result, error);

  json_object_unref (call->arguments);
  g_object_unref (call->item);
  return answer;
}

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* What the ledger says of one command. */
static char *
run_command (Fixture *fixture, const char *command, gboolean stop)
{
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  g_autoptr (GadgetTool) shell = gadget_tool_shell_new (sandbox);
  g_autofree char *started = g_build_filename (fixture->workspace, "started", NULL);
  g_autoptr (GadgetToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  Call call;

  call_start (&call, fixture, shell, "command", command);
  if (stop)
    {
      g_assert_true (test_wait_until (exists, started, 20000));
      g_cancellable_cancel (fixture->cancellable);
    }
  result = call_end (&call, &error);
  g_assert_no_error (error);

  rows = list (fixture->store, NULL, "turn");
  g_assert_cmpstr (only_row (rows)->subject, ==, command);
  g_assert_cmpstr (only_row (rows)->call_id, ==, "c1");
  g_assert_cmpstr (only_row (rows)->detail, ==, fixture->workspace);
  g_assert_cmpint (only_row (rows)->kind, ==, GADGET_EFFECT_COMMAND);
  return g_strdup (only_row (rows)->outcome);
}

static void
test_command_exit (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outcome = run_command (fixture, "exit 3", FALSE);

  g_assert_cmpstr (outcome, ==, "exit 3");
}

static void
test_command_signal (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outcome = run_command (fixture, "kill -SEGV $$", FALSE);

  g_assert_cmpstr (outcome, ==, "signal 11");
}

static void
test_command_aborted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *outcome = run_command (fixture, "touch started; sleep 600", TRUE);

  g_assert_cmpstr (outcome, ==, "aborted");
}

static void
test_command_needs_its_row (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  g_autoptr (GadgetTool) shell = gadget_tool_shell_new (sandbox);
  g_autofree char *started = g_build_filename (fixture->workspace, "started", NULL);
  g_autoptr (GError) error = NULL;
  Call call;

  test_journal_flush (fixture->journal);
  test_faults_set (TEST_FAULT_FULL);
  call_start (&call, fixture, shell, "command", "touch started");
  g_assert_null (call_end (&call, &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_FULL);
  test_faults_set (TEST_FAULT_NONE);
  g_assert_false (g_file_test (started, G_FILE_TEST_EXISTS));
}

static void
test_read (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetTool) tool = gadget_tool_read_file_new ();
  g_autofree char *path = g_build_filename (fixture->workspace, "a.txt", NULL);
  g_autofree char *missing = g_build_filename (fixture->workspace, "b.txt", NULL);
  g_autoptr (GadgetToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  Call call;

  g_assert_true (g_file_set_contents (path, "text", -1, NULL));
  call_start (&call, fixture, tool, "path", "a.txt");
  result = call_end (&call, NULL);
  g_assert_nonnull (result);
  call_start (&call, fixture, tool, "path", "b.txt");
  g_assert_null (call_end (&call, &error));

  rows = list (fixture->store, NULL, "turn");
  g_assert_cmpuint (rows->len, ==, 2);
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[0])->subject, ==, path);
  g_assert_cmpint (((GadgetEffectRow *) rows->pdata[0])->kind, ==, GADGET_EFFECT_READ);
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[0])->outcome, ==, "done");
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[1])->subject, ==, missing);
  g_assert_cmpstr (((GadgetEffectRow *) rows->pdata[1])->outcome, ==, "failed");
}

/* --- The network -------------------------------------------------------------------------------
 */

static gint64
begin_command (Fixture *fixture, gboolean network)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_effects_begin_command_async (fixture->effects, "c1", "make", NULL, network, NULL,
                                      test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_effects_begin_finish (fixture->effects, result, NULL);
}

/* Of a command it is on record whether it could use the network; of all else it is not asked. */
static void
test_network (Fixture *fixture, gconstpointer data)
{
  static const int expected[] = { 1, 0, -1, 1 };
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_NONE, FALSE);
  g_autoptr (GadgetTool) shell = gadget_tool_shell_new (sandbox);
  g_autoptr (GadgetToolResult) answer = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  Call call;

  gadget_effects_end (fixture->effects, begin_command (fixture, TRUE), "exit 0");
  gadget_effects_end (fixture->effects, begin_command (fixture, FALSE), "exit 0");
  gadget_effects_end (fixture->effects, begin (fixture, GADGET_EFFECT_READ, "/a", NULL), "done");
  /* What is not confined can. */
  call_start (&call, fixture, shell, "command", "true");
  answer = call_end (&call, NULL);
  g_assert_nonnull (answer);
  rows = list (fixture->store, NULL, "turn");
  g_assert_cmpuint (rows->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < rows->len; i++)
    g_assert_cmpint (((GadgetEffectRow *) rows->pdata[i])->network, ==, expected[i]);
}

/* --- Processes that die ------------------------------------------------------------------------
 */

/* Killed in the middle of a command: the row is there, open, and is closed by whoever looks. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = test_dir_new ();
  g_autofree char *started = g_build_filename (fixture->workspace, "started", NULL);
  g_autoptr (GSubprocess) worker =
      test_worker_start ("command", directory, "crashed", fixture->workspace);
  g_autofree char *open_row = NULL;
  g_autofree char *alive_row = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GPtrArray) alive = NULL;
  g_autoptr (GDir) leases = NULL;
  GadgetStore *store;

  g_assert_true (test_wait_until (exists, started, 20000));

  /* As long as the process lives nobody closes it. */
  store = test_store_open (directory);
  alive = list (store, "crashed", NULL);
  g_assert_null (only_row (alive)->outcome);
  g_assert_cmpstr (only_row (alive)->subject, ==, "touch started; sleep 600");

  g_subprocess_send_signal (worker, SIGKILL);
  g_assert_true (g_subprocess_wait (worker, NULL, NULL));
  open_row = query (directory, "SELECT kind, outcome FROM effect");
  g_assert_cmpstr (open_row, ==, "command|(null)|");

  g_autoptr (GadgetSession) session = test_store_load (store, "crashed");

  g_assert_cmpint (gadget_turn_get_status (gadget_session_get_turn (session, 0)), ==,
                   GADGET_TURN_ABORTED);
  rows = list (store, "crashed", NULL);
  g_assert_cmpstr (only_row (rows)->outcome, ==, "interrupted");
  g_assert_cmpint (only_row (rows)->ended_at, >=, only_row (rows)->started_at);
  test_store_close (store);
  test_dir_free (g_steal_pointer (&directory));
}

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/effects/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_faults_install ();

  ADD ("row-before-effect", test_row_before_effect);
  ADD ("order", test_order);
  ADD ("subagent", test_subagent);
  ADD ("gone-with-the-turn", test_gone_with_the_turn);
  ADD ("full-disk", test_full_disk);
  ADD ("turn-not-saved", test_turn_not_saved);
  ADD ("many-rows", test_many_rows);
  ADD ("network", test_network);
  ADD ("stopped-before", test_stopped_before);
  ADD ("stopped-meanwhile", test_stopped_meanwhile);
  ADD ("command-exit", test_command_exit);
  ADD ("command-signal", test_command_signal);
  ADD ("command-aborted", test_command_aborted);
  ADD ("command-needs-its-row", test_command_needs_its_row);
  ADD ("read", test_read);
  ADD ("killed", test_killed);

  return g_test_run ();
}
