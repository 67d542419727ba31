/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What models are told before the messages, against the texts in tests/data/instructions. To write
 * those again, set GADGET_TEST_UPDATE to that folder; then read the difference. */

#include "config.h"

#include "agent-fixture.h"
#include "agent/gadget-context-fit.h"
#include "agent/instructions/gadget-instructions.h"
#include "providers/gadget-anthropic-format.h"
#include "test-store.h"
#include "tools/files/gadget-tool-edit-file.h"
#include "tools/files/gadget-tool-list-dir.h"
#include "tools/files/gadget-tool-read-file.h"
#include "tools/files/gadget-tool-write-file.h"
#include "tools/gadget-tool-ask-user.h"
#include "tools/gadget-tool-fetch.h"
#include "tools/gadget-tool-task.h"
#include "tools/gadget-tool-wait.h"
#include "tools/search/gadget-tool-find-files.h"
#include "tools/search/gadget-tool-search.h"
#include "tools/shell/gadget-tool-shell.h"
#include "wait.h"

#include <string.h>

/* 2026-11-28 12:00 UTC, a Saturday. */
#define TODAY_MS (G_GINT64_CONSTANT (1795867200) * 1000)

#define FACTS "The folder is a Git repository, branch \"main\".\nIts last commit is 01234567."

/* How many bytes the instructions and the tools of a chat may have, and how many for a model that
 * can read SMALL tokens. */
#define MAX_BYTES 16000
#define MAX_SMALL_BYTES 5000
#define SMALL 8192

static GPtrArray *
make_tools (const char *const *names)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    gadget_request_add_tool (request, names[i], "", "{}");
  return g_ptr_array_ref (request->tools);
}

/* The name of the system is another one on each computer. */
static char *
dup_without_system (const char *text)
{
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  g_auto (GStrv) parts = g_strsplit (text, system != NULL ? system : "Linux", -1);

  return g_strjoinv ("SYSTEM", parts);
}

static void
assert_text (const char *name, GadgetSession *session, const char *const *tool_names,
             gboolean small)
{
  g_autoptr (GPtrArray) tools = make_tools (tool_names);
  g_autofree char *text = gadget_instructions_new (session, TODAY_MS, tools, small);
  g_autofree char *found = dup_without_system (text);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "instructions", name, NULL);
  g_autofree char *expected = NULL;
  const char *folder = g_getenv ("GADGET_TEST_UPDATE");

  if (folder != NULL)
    {
      g_autofree char *written = g_build_filename (folder, name, NULL);

      g_assert_true (g_file_set_contents (written, found, -1, NULL));
      return;
    }
  g_assert_true (g_file_get_contents (path, &expected, NULL, NULL));
  g_assert_cmpstr (found, ==, expected);
}

static void
test_texts (void)
{
  static const char *const all[] = { "read_file", "list_dir",   "edit_file", "write_file",
                                     "search",    "find_files", "shell",     "fetch",
                                     "ask_user",  "task",       "wait",      NULL };
  static const char *const readers[] = { "read_file", "list_dir", "search", "find_files", NULL };
  g_autoptr (GadgetSession) session = gadget_session_new ("1");
  g_autoptr (GadgetSession) subagent = gadget_session_new ("2");

  assert_text ("plain.txt", session, NULL, FALSE);
  assert_text ("plain-small.txt", session, NULL, TRUE);
  assert_text ("tools-no-folder.txt", session, all, FALSE);
  gadget_session_set_workspace (session, "/home/ada/project");
  gadget_session_set_folder_facts (session, FACTS);
  assert_text ("tools.txt", session, all, FALSE);
  assert_text ("tools-small.txt", session, all, TRUE);
  assert_text ("readers.txt", session, readers, FALSE);
  gadget_session_set_instructions (session, "The file AGENTS.md has these instructions: …");
  assert_text ("readers-instructed.txt", session, readers, FALSE);
  gadget_session_set_parent_id (subagent, "1");
  gadget_session_set_workspace (subagent, "/home/ada/project");
  gadget_session_set_folder_facts (subagent, "");
  assert_text ("subagent.txt", subagent, all, FALSE);
  assert_text ("subagent-small.txt", subagent, all, TRUE);
}

/* A model that can read few tokens gets the beginning of long instructions, in whole characters. */
static void
test_long_instructions (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("1");
  g_autoptr (GPtrArray) tools = make_tools (NULL);
  g_autoptr (GString) instructions = g_string_new ("I");
  g_autofree char *whole = NULL;
  g_autofree char *cut = NULL;

  for (guint i = 0; i < 2000; i++)
    g_string_append (instructions, "é");
  gadget_session_set_instructions (session, instructions->str);
  whole = gadget_instructions_new (session, TODAY_MS, tools, FALSE);
  g_assert_nonnull (strstr (whole, instructions->str));
  cut = gadget_instructions_new (session, TODAY_MS, tools, TRUE);
  g_assert_true (g_utf8_validate (cut, -1, NULL));
  g_assert_true (g_str_has_suffix (cut, "é\n[The rest is left out.]\n"));
  g_assert_cmpuint (strlen (cut), <, 3000);
}

/* The facts belong to the folder. */
static void
test_facts (void)
{
  g_autoptr (GadgetSession) session = gadget_session_new ("1");

  gadget_session_set_workspace (session, "/home/ada/project");
  g_assert_null (gadget_session_get_folder_facts (session));
  gadget_session_set_folder_facts (session, FACTS);
  gadget_session_set_workspace (session, "/home/ada/project");
  g_assert_cmpstr (gadget_session_get_folder_facts (session), ==, FACTS);
  gadget_session_set_workspace (session, "/home/ada/other");
  g_assert_null (gadget_session_get_folder_facts (session));
}

/* --- The beginning of each request is that of the one before ----------------------------------- */

static char *
dup_body (FakeProvider *provider, guint n)
{
  g_autoptr (GBytes) body = gadget_anthropic_make_request (
      fake_provider_get_request (provider, n), "model", GADGET_ANTHROPIC_NO_THINKING, 0);
  g_autofree char *text = g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body));
  g_auto (GStrv) parts = g_strsplit (text, ",\"cache_control\":{\"type\":\"ephemeral\"}", -1);

  return g_strjoinv (NULL, parts);
}

/* Asserts that the request has all of the one before at its beginning, but for marks. */
static void
assert_goes_on (FakeProvider *provider, guint n)
{
  g_autofree char *before = dup_body (provider, n - 1);
  g_autofree char *text = dup_body (provider, n);
  gsize same = 0;

  while (before[same] == text[same] && before[same] != '\0')
    same++;
  g_test_message ("request %u: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes are as before", n,
                  same, strlen (before));
  /* The message that ended there goes on, or the next one begins. */
  g_assert_cmpuint (same + strlen ("]}]}"), >=, strlen (before));
}

static void
test_prefix (AgentFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_canonicalize_filename ("project", g_get_user_data_dir ());
  g_autofree char *head = g_build_filename (folder, ".git/HEAD", NULL);
  g_autofree char *git = g_path_get_dirname (head);

  g_assert_cmpint (g_mkdir_with_parents (git, 0700), ==, 0);
  g_assert_true (g_file_set_contents (head, "ref: refs/heads/main\n", -1, NULL));
  gadget_session_set_workspace (fixture->session, folder);
  agent_start_streaming (fixture, "first");
  g_assert_nonnull (
      strstr (fake_provider_get_request (fixture->provider, 0)->system, "branch \"main\""));
  agent_run_two_calls (fixture);
  wait_until (fake_tool_is_running (fixture->slow) && fake_tool_is_running (fixture->other));
  /* What the turn does to the folder does not change what was said of it. */
  g_assert_true (g_file_set_contents (head, "ref: refs/heads/topic\n", -1, NULL));
  fake_tool_end (fixture->slow, "A");
  fake_tool_end (fixture->other, "B");
  wait_until (fake_provider_get_n_requests (fixture->provider) == 2
              && fake_provider_is_waiting (fixture->provider));
  assert_goes_on (fixture->provider, 1);
  fake_provider_text (fixture->provider, "Done.");
  fake_provider_end (fixture->provider);
  wait_until (fixture->n_completed == 1);

  agent_start_streaming (fixture, "second");
  assert_goes_on (fixture->provider, 2);
  agent_abort_now (fixture);
}

/* --- Size -------------------------------------------------------------------------------------- */

static gsize
count_bytes (GadgetRequest *request)
{
  gsize n = strlen (request->system);

  for (guint i = 0; i < request->tools->len; i++)
    {
      const GadgetToolSpec *tool = g_ptr_array_index (request->tools, i);

      n += strlen (tool->name) + strlen (tool->description) + strlen (tool->schema);
    }
  return n;
}

static gboolean
has_tool (GadgetRequest *request, const char *name)
{
  for (guint i = 0; i < request->tools->len; i++)
    if (g_str_equal (((GadgetToolSpec *) g_ptr_array_index (request->tools, i))->name, name))
      return TRUE;
  return FALSE;
}

/* The tools of a chat as they are; the instructions as they are for SESSION. */
static GadgetRequest *
make_request (GadgetSession *session, GadgetModelLimits *limits, GadgetModelLimit *limit)
{
  g_autoptr (GadgetRipgrep) ripgrep = gadget_ripgrep_new ();
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_BUBBLEWRAP, FALSE);
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  GadgetTool *tools[] = {
    gadget_tool_read_file_new (),
    gadget_tool_write_file_new (),
    gadget_tool_edit_file_new (),
    gadget_tool_list_dir_new (),
    gadget_tool_fetch_new (gadget_clock_get_default ()),
    gadget_tool_find_files_new (ripgrep),
    gadget_tool_search_new (ripgrep),
    gadget_tool_wait_new (gadget_clock_get_default ()),
    gadget_tool_ask_user_new (),
    gadget_tool_task_new (),
    gadget_tool_shell_new (sandbox),
  };

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      gadget_request_add_tool (request, gadget_tool_get_name (tools[i]),
                               gadget_tool_get_description (tools[i]),
                               gadget_tool_get_schema (tools[i]));
      g_object_unref (tools[i]);
    }
  gadget_request_add_message (request, GADGET_ROLE_USER, "Hello");
  g_assert_cmpint (_gadget_context_fit (limits, limit, request, 0, TRUE), ==,
                   GADGET_CONTEXT_FIT_SEND);
  request->system = gadget_instructions_new (session, TODAY_MS, request->tools,
                                             _gadget_model_limit_is_small (limit));
  return g_steal_pointer (&request);
}

static void
test_size (StoreFixture *fixture, gconstpointer data)
{
  GadgetModelLimits *limits = _gadget_model_limits_new (fixture->store);
  GadgetModelLimit *limit = _gadget_model_limits_get (limits, "provider", "model");
  g_autoptr (GadgetSession) session = gadget_session_new ("1");
  g_autoptr (GadgetRequest) request = NULL;
  g_autoptr (GadgetRequest) small = NULL;

  gadget_session_set_workspace (session, "/home/ada/project");
  gadget_session_set_folder_facts (session, FACTS);
  request = make_request (session, limits, limit);
  limit->context_length = SMALL;
  small = make_request (session, limits, limit);
  g_test_message ("%" G_GSIZE_FORMAT " bytes, %u tools; small: %" G_GSIZE_FORMAT " bytes, %u tools",
                  count_bytes (request), request->tools->len, count_bytes (small),
                  small->tools->len);
  g_assert_cmpuint (count_bytes (request), <=, MAX_BYTES);
  g_assert_cmpuint (count_bytes (small), <=, MAX_SMALL_BYTES);
  /* Files and commands are what an agent works with. */
  g_assert_true (has_tool (small, "shell") && has_tool (small, "read_file"));

  _gadget_model_limits_unref (limits);
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/engine/instructions/texts", test_texts);
  g_test_add_func ("/engine/instructions/long-instructions", test_long_instructions);
  g_test_add_func ("/engine/instructions/facts", test_facts);
  g_test_add ("/engine/instructions/size", StoreFixture, NULL, test_store_set_up, test_size,
              test_store_tear_down);
  agent_test_add ("instructions/prefix", test_prefix);
  return g_test_run ();
}
