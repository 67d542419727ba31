/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every tool of the real toolbox is started on work that would last minutes, in a real turn, and
 * aborted: when the work has begun, and then at random moments. The turn ends at once, nothing is
 * left alive, no file is half written, and the chat goes on.
 *
 * A tool that has no row in the table fails the test. File systems hang because this program's own
 * read (), write (), fsync () and readdir () stand in front of the system's, for what lies in the
 * workspace. */

#include "config.h"

#include "fake-provider.h"
#include "fake-server.h"
#include "test-engine.h"
#include "test-process.h"
#include "test-store.h"
#include "wait.h"
#include "agent/gadget-engine.h"
#include "common/gadget-blocking.h"
#include "workspace/gadget-file-version.h"

#include <dirent.h>
#include <dlfcn.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_RANDOM 50
/* A tool has 500 ms; what else the machine does is not its fault. */
#define LIMIT_US (3 * G_USEC_PER_SEC)
#define OLD_CONTENT "old content\n"
#define FILE_NAME "file.txt"
#define RIPGREP_NAME ".rg"

/* --- A file system that hangs ----------------------------------------------------------------- */

typedef enum
{
  HANG_NONE = 0,
  HANG_READ = 1 << 0,
  HANG_WRITE = 1 << 1,
  HANG_SYNC = 1 << 2,
  HANG_LIST = 1 << 3,
} Hang;

static GMutex mutex;
static GCond cond;
static Hang hang;
static const char *hung_folder;
static guint n_hanging;

static gboolean
is_hung (int fd)
{
  char link[64];
  char path[PATH_MAX];
  ssize_t length;

  g_snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, sizeof path - 1);
  path[MAX (length, 0)] = '\0';
  return hung_folder != NULL && g_str_has_prefix (path, hung_folder);
}

static void
pass (int fd, Hang what)
{
  g_mutex_lock (&mutex);
  if ((hang & what) != 0 && is_hung (fd))
    {
      n_hanging++;
      while ((hang & what) != 0)
        g_cond_wait (&cond, &mutex);
      n_hanging--;
    }
  g_mutex_unlock (&mutex);
}

static void
set_hang (Hang what)
{
  g_mutex_lock (&mutex);
  hang = what;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&mutex);
}

static guint
count_hanging (void)
{
  guint n;

  g_mutex_lock (&mutex);
  n = n_hanging;
  g_mutex_unlock (&mutex);
  return n;
}

ssize_t
read (int fd, void *buffer, size_t size)
{
  ssize_t (*next) (int, void *, size_t) =
      (ssize_t (*) (int, void *, size_t)) dlsym (RTLD_NEXT, "read");

  pass (fd, HANG_READ);
  return next (fd, buffer, size);
}

ssize_t
write (int fd, const void *buffer, size_t size)
{
  ssize_t (*next) (int, const void *, size_t) =
      (ssize_t (*) (int, const void *, size_t)) dlsym (RTLD_NEXT, "write");

  pass (fd, HANG_WRITE);
  return next (fd, buffer, size);
}

int
fsync (int fd)
{
  int (*next) (int) = (int (*) (int)) dlsym (RTLD_NEXT, "fsync");

  pass (fd, HANG_SYNC);
  return next (fd);
}

struct dirent *
readdir (DIR *dir)
{
  struct dirent *(*next) (DIR *) = (struct dirent * (*) (DIR *) ) dlsym (RTLD_NEXT, "readdir64");

  pass (dirfd (dir), HANG_LIST);
  return next (dir);
}

/* --- The table -------------------------------------------------------------------------------- */

/* When the work has begun. */
typedef enum
{
  READY_HANGING,  /* a thread hangs */
  READY_PROCESS,  /* a process with the marker lives */
  READY_PROMPT,   /* somebody is asked */
  READY_RUNNING,  /* the call runs */
  READY_ASKED,    /* the server was asked for a page */
  READY_SUBAGENT, /* a subagent's request waits for its answer */
} Ready;

typedef struct
{
  const char *tool;
  const char *case_name;
  const char *arguments; /* MARKER and SERVER are replaced */
  Hang hang;
  Ready ready;
} Row;

static const Row rows[] = {
  { "ask_user", "waiting", "{\"question\":\"Which?\"}", HANG_NONE, READY_PROMPT },
  { "edit_file", "reading",
    "{\"path\":\"file.txt\",\"edits\":[{\"old_text\":\"old\",\"new_text\":\"new\"}]}", HANG_READ,
    READY_HANGING },
  { "edit_file", "writing",
    "{\"path\":\"file.txt\",\"edits\":[{\"old_text\":\"old\",\"new_text\":\"new\"}]}", HANG_WRITE,
    READY_HANGING },
  { "fetch", "no-head", "{\"url\":\"SERVER/silent\"}", HANG_NONE, READY_ASKED },
  { "fetch", "body", "{\"url\":\"SERVER/slow\"}", HANG_NONE, READY_ASKED },
  { "find_files", "deaf", "{\"pattern\":\"*\"}", HANG_NONE, READY_PROCESS },
  { "list_dir", "listing", "{\"path\":\".\"}", HANG_LIST, READY_HANGING },
  { "read_file", "reading", "{\"path\":\"file.txt\"}", HANG_READ, READY_HANGING },
  { "search", "deaf", "{\"pattern\":\"old\"}", HANG_NONE, READY_PROCESS },
  { "shell", "deaf", "{\"command\":\"trap '' TERM; sleep MARKER & sleep MARKER\"}", HANG_NONE,
    READY_PROCESS },
  { "task", "asking", "{\"description\":\"x\",\"prompt\":\"Work for hours.\"}", HANG_NONE,
    READY_SUBAGENT },
  { "wait", "waiting", "{\"seconds\":3600}", HANG_NONE, READY_RUNNING },
  { "write_file", "new-file", "{\"path\":\"a/b/new.txt\",\"content\":\"new\"}", HANG_WRITE,
    READY_HANGING },
  { "write_file", "writing", "{\"path\":\"file.txt\",\"content\":\"new\"}", HANG_WRITE,
    READY_HANGING },
  { "write_file", "syncing", "{\"path\":\"file.txt\",\"content\":\"new\"}", HANG_SYNC,
    READY_HANGING },
};

/* --- One abort -------------------------------------------------------------------------------- */

typedef struct
{
  char *directory;
  char *workspace;
  char *marker;
  GadgetEngine *engine;
  GadgetSession *session;
  FakeProvider *provider;
  FakeServer *server;
  guint n_asked; /* requests to the server before this turn */
  guint n_completed;
  gint64 worst_us;
} Fixture;

static void
put_file (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->workspace, FILE_NAME, NULL);
  GadgetFileVersion version;
  struct stat info;

  g_assert_true (g_file_set_contents (path, OLD_CONTENT, -1, NULL));
  g_assert_cmpint (stat (path, &info), ==, 0);
  /* As if the chat had read it. */
  gadget_file_version_init (&version, &info);
  gadget_file_version_set_content (&version, OLD_CONTENT, strlen (OLD_CONTENT));
  gadget_versions_read_note (gadget_versions_read_of (G_OBJECT (fixture->session)), path, &version);
}

/* A program that searches for ever takes the place of ripgrep. It lies in the workspace, since the
 * sandbox shows it there. */
static void
put_ripgrep (Fixture *fixture)
{
  GadgetCommands *commands = gadget_engine_get_commands (fixture->engine);
  g_autofree char *path = g_build_filename (fixture->workspace, RIPGREP_NAME, NULL);
  g_autofree char *script =
      g_strdup_printf ("#!/bin/sh\ntrap '' TERM\nsleep %s & sleep %s & sleep %s\n", fixture->marker,
                       fixture->marker, fixture->marker);

  g_assert_true (g_file_set_contents_full (path, script, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  gadget_ripgrep_set_program (gadget_commands_get_ripgrep (commands), path);
}

static void
assert_untouched (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->workspace, FILE_NAME, NULL);
  g_autofree char *content = NULL;
  g_autoptr (GDir) dir = g_dir_open (fixture->workspace, 0, NULL);
  const char *name;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, OLD_CONTENT);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_true (g_str_equal (name, FILE_NAME) || g_str_equal (name, RIPGREP_NAME));
}

static GadgetTurn *
start (Fixture *fixture, const Row *row)
{
  const GadgetTurnOptions options = { .interactive = TRUE, .approval = GADGET_APPROVAL_AUTO };
  g_auto (GStrv) parts = g_strsplit (row->arguments, "MARKER", -1);
  g_autofree char *marked = g_strjoinv (fixture->marker, parts);
  g_auto (GStrv) others = g_strsplit (marked, "SERVER", -1);
  g_autofree char *server = fake_server_dup_url (fixture->server, "");
  g_autofree char *arguments = g_strjoinv (server, others);
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetRun) run = gadget_agent_start (gadget_engine_get_agent (fixture->engine),
                                                  fixture->session, "go", &options, &error);

  g_assert_no_error (error);
  fixture->n_asked = fake_server_get_n_requests (fixture->server);
  wait_until (fake_provider_is_waiting (fixture->provider));
  fake_provider_call (fixture->provider, 0, "c", row->tool, arguments);
  fake_provider_end (fixture->provider);
  return gadget_session_get_last_turn (fixture->session);
}

static gboolean
is_ready (Fixture *fixture, const Row *row, GadgetTurn *turn)
{
  GadgetItem *item = gadget_turn_get_n_items (turn) > 0 ? gadget_turn_get_item (turn, 0) : NULL;

  if (item != NULL && gadget_item_is_settled (item))
    g_error ("%s ended by itself: %s", row->tool, gadget_item_get_result (item));
  if (item == NULL || gadget_item_get_status (item) != GADGET_ITEM_RUNNING)
    return FALSE;
  switch (row->ready)
    {
    case READY_HANGING:
      return count_hanging () > 0;
    case READY_PROCESS:
      return test_count_alive (fixture->marker) >= 3;
    case READY_PROMPT:
      return gadget_item_get_prompt (item) != NULL;
    case READY_ASKED:
      return fake_server_get_n_requests (fixture->server) > fixture->n_asked;
    case READY_SUBAGENT:
      return fake_provider_is_waiting (fixture->provider);
    case READY_RUNNING:
    default:
      return TRUE;
    }
}

static void
abort_now (Fixture *fixture)
{
  const guint n_completed = fixture->n_completed;
  const gint64 begun = g_get_monotonic_time ();
  g_autoptr (GadgetAbortAck) ack =
      gadget_agent_abort (gadget_engine_get_agent (fixture->engine),
                          gadget_session_get_id (fixture->session), NULL, GADGET_STOP_USER);
  gint64 took;

  g_assert_true (ack->aborted);
  wait_until (fixture->n_completed > n_completed);
  took = g_get_monotonic_time () - begun;
  g_assert_cmpint (took, <, LIMIT_US);
  fixture->worst_us = MAX (fixture->worst_us, took);
}

static void
assert_aborted (Fixture *fixture, GadgetTurn *turn)
{
  g_assert_cmpint (gadget_turn_get_status (turn), ==, GADGET_TURN_ABORTED);
  g_assert_null (gadget_session_get_active_run (fixture->session));
  for (guint i = 0; i < gadget_turn_get_n_items (turn); i++)
    {
      GadgetItem *item = gadget_turn_get_item (turn, i);

      g_assert_true (gadget_item_is_settled (item));
      g_assert_null (gadget_item_get_prompt (item));
      g_assert_cmpint (gadget_item_get_status (item), !=, GADGET_ITEM_FINISHED);
      g_assert_cmpint (gadget_item_get_status (item), !=, GADGET_ITEM_FAILED);
    }
  test_assert_none_alive (fixture->marker);
}

/* AFTER_MS is when it is aborted, -1 for when the work has begun. That the request of the next
 * round is valid after all this, the provider asserts. */
static void
run_once (Fixture *fixture, const Row *row, int after_ms)
{
  GadgetTurn *turn;

  put_file (fixture);
  set_hang (row->hang);
  turn = start (fixture, row);
  if (after_ms < 0)
    wait_until (is_ready (fixture, row, turn));
  else
    test_spin ((guint) after_ms);
  abort_now (fixture);
  assert_aborted (fixture, turn);
  /* What was given up finds nothing to do any more. */
  set_hang (HANG_NONE);
  wait_until (gadget_blocking_get_n_given_up () == 0 && count_hanging () == 0);
  assert_untouched (fixture);
}

/* --- Every tool ------------------------------------------------------------------------------- */

/* Where pages never come to their end, and what fetch may be pointed at. */
static void
start_server (Fixture *fixture)
{
  FakeReply *reply;

  fixture->server = fake_server_new ();
  reply = fake_server_add_reply (fixture->server);
  fake_reply_when (reply, "/silent");
  fake_reply_stall (reply);
  reply = fake_server_add_reply (fixture->server);
  fake_reply_when (reply, "/slow");
  fake_reply_head (reply, 200, "text/html", NULL);
  fake_reply_chunk (reply, "<p>begun");
  fake_reply_stall (reply);
}

static void
allow_server (Fixture *fixture)
{
  g_autofree char *subject =
      g_strdup_printf ("127.0.0.1:%u", fake_server_get_port (fixture->server));
  const GadgetRuleData data = { .kind = GADGET_RULE_HOST,
                                .subject = subject,
                                .unconfined = TRUE,
                                .scope = GADGET_RULE_ALWAYS,
                                .origin = "a test" };
  g_autoptr (GadgetRule) rule = gadget_rule_new (&data);

  gadget_permission_rules_add (
      gadget_policy_get_rules (gadget_agent_get_policy (gadget_engine_get_agent (fixture->engine))),
      rule);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = test_dir_new ();
  fixture->workspace = test_dir_new ();
  fixture->marker = test_marker_new ();
  hung_folder = fixture->workspace;
  fixture->provider = fake_provider_new ();
  fake_provider_set_parallel (fixture->provider);
  fixture->engine = gadget_engine_new (fixture->directory);
  test_engine_open (fixture->engine);
  start_server (fixture);
  allow_server (fixture);
  put_ripgrep (fixture);
  gadget_provider_list_override (gadget_engine_get_providers (fixture->engine), "fake",
                                 GADGET_PROVIDER (fixture->provider));
  test_count_completed (gadget_engine_get_agent (fixture->engine), &fixture->n_completed);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  test_engine_close (fixture->engine, GADGET_STOP_CLOSED);
  g_object_unref (fixture->engine);
  g_object_unref (fixture->provider);
  fake_server_free (fixture->server);
  hung_folder = NULL;
  g_free (fixture->marker);
  test_dir_free (fixture->workspace);
  test_dir_free (fixture->directory);
}

static void
run_row (Fixture *fixture, const Row *row)
{
  fixture->session = gadget_engine_new_session (fixture->engine);
  gadget_session_set_model (fixture->session, "fake", "model");
  gadget_session_set_workspace (fixture->session, fixture->workspace);
  fixture->worst_us = 0;
  run_once (fixture, row, -1);
  for (guint i = 0; i < N_RANDOM; i++)
    run_once (fixture, row, g_test_rand_int_range (0, 40));
  g_test_message ("%s, %s: worst %.1f ms", row->tool, row->case_name,
                  (double) fixture->worst_us / 1000);
  g_clear_object (&fixture->session);
}

static void
assert_sane (GadgetTool *tool)
{
  g_autoptr (JsonNode) schema = json_from_string (gadget_tool_get_schema (tool), NULL);
  g_autoptr (JsonObject) nothing = json_object_new ();
  g_autoptr (GadgetCallSummary) summary = gadget_tool_describe (tool, nothing);
  g_autofree char *title = gadget_call_summary_dup_text (summary);

  g_assert_nonnull (schema);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (schema));
  g_assert_cmpstr (title, !=, "");
  g_assert_cmpstr (gadget_tool_get_description (tool), !=, "");
}

static void
test_every_tool (Fixture *fixture, gconstpointer data)
{
  GListModel *toolbox =
      G_LIST_MODEL (gadget_agent_get_toolbox (gadget_engine_get_agent (fixture->engine)));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < g_list_model_get_n_items (toolbox); i++)
    {
      g_autoptr (GadgetTool) tool = g_list_model_get_item (toolbox, i);
      const char *name = gadget_tool_get_name (tool);

      assert_sane (tool);
      for (guint j = 0; j < G_N_ELEMENTS (rows); j++)
        if (g_str_equal (rows[j].tool, name))
          {
            run_row (fixture, &rows[j]);
            g_hash_table_add (seen, (char *) rows[j].tool);
          }
      if (!g_hash_table_contains (seen, name))
        g_error ("%s has no row in the table of this test", name);
    }
  for (guint j = 0; j < G_N_ELEMENTS (rows); j++)
    if (!g_hash_table_contains (seen, rows[j].tool))
      {
        g_test_message ("%s is not in the toolbox", rows[j].tool);
        g_assert_cmpstr (rows[j].tool, ==, "shell"); /* where there is no sandbox */
      }
}

/* Models get the schemas that are on record: what is made of the tables of parameters is the same
 * text. A tool without a record fails the test. */
static void
test_schemas (Fixture *fixture, gconstpointer data)
{
  GListModel *toolbox =
      G_LIST_MODEL (gadget_agent_get_toolbox (gadget_engine_get_agent (fixture->engine)));
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "data", "tools", "schemas.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  root = json_from_string (text, NULL);
  g_assert_nonnull (root);
  for (guint i = 0; i < g_list_model_get_n_items (toolbox); i++)
    {
      g_autoptr (GadgetTool) tool = g_list_model_get_item (toolbox, i);
      const char *name = gadget_tool_get_name (tool);
      JsonNode *recorded = json_object_get_member (json_node_get_object (root), name);
      g_autofree char *schema = NULL;

      if (recorded == NULL)
        g_error ("%s has no schema in %s", name, path);
      schema = json_to_string (recorded, FALSE);
      g_assert_cmpstr (gadget_tool_get_schema (tool), ==, schema);
      n++;
    }
  /* "shell" is not in the toolbox where there is no sandbox. */
  g_assert_cmpuint (n, >=, json_object_get_size (json_node_get_object (root)) - 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/engine/conformance/X16-every-tool-is-aborted", Fixture, NULL, set_up,
              test_every_tool, tear_down);
  g_test_add ("/engine/conformance/schemas", Fixture, NULL, set_up, test_schemas, tear_down);

  return g_test_run ();
}
