/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-sandbox.h"
#include "tool-call.h"
#include "tools/shell/gadget-shell-labels.h"
#include "tools/shell/gadget-tool-shell.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GadgetSandbox *sandbox;
  GadgetTool *tool;
  char *folder;
  GadgetItem *item;
  GCancellable *cancellable;
  GMainLoop *loop;
  GadgetToolResult *result;
  GError *error;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->sandbox = test_get_sandbox ();
  if (self->sandbox == NULL)
    return;
  self->tool = gadget_tool_shell_new (self->sandbox);
  self->folder = g_dir_make_tmp ("gadget-shell-XXXXXX", NULL);
  self->item = gadget_item_new_tool_call ("call-1", "shell");
  self->cancellable = g_cancellable_new ();
  self->loop = g_main_loop_new (NULL, FALSE);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  g_assert_finalize_object (self->tool);
  g_assert_finalize_object (self->item);
  g_object_unref (self->cancellable);
  g_assert_finalize_object (self->sandbox);
  g_main_loop_unref (self->loop);
  g_rmdir (self->folder);
  g_free (self->folder);
  g_clear_pointer (&self->result, gadget_tool_result_free);
  g_clear_error (&self->error);
}

static JsonObject *
make_arguments (const char *command)
{
  JsonObject *arguments = json_object_new ();

  json_object_set_string_member (arguments, "command", command);
  return arguments;
}

static void
executed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *self = user_data;

  self->result = gadget_tool_execute_finish (GADGET_TOOL (source), result, &self->error);
  g_main_loop_quit (self->loop);
}

static void
begin (Fixture *self, JsonObject *arguments)
{
  GadgetToolContext context = { .workspace = self->folder, .item = self->item };

  if (!gadget_tool_check_arguments (self->tool, arguments, &self->error))
    {
      g_idle_add_once ((GSourceOnceFunc) g_main_loop_quit, self->loop);
      return;
    }
  gadget_tool_execute_async (self->tool, arguments, &context, self->cancellable, executed_cb, self);
}

static void
run (Fixture *self, const char *command)
{
  g_autoptr (JsonObject) arguments = make_arguments (command);

  begin (self, arguments);
  g_main_loop_run (self->loop);
}

static void
test_plain (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  run (self, "pwd; echo err >&2");
  g_assert_no_error (self->error);

  g_autofree char *expected = g_strdup_printf ("%s\nerr", self->folder);
  g_autofree char *shown = g_strdup_printf ("%s\nerr\n", self->folder);
  g_autofree char *summary = NULL;

  g_assert_cmpstr (self->result->text, ==, expected);
  g_assert_cmpstr (gadget_item_get_text (self->item), ==, shown);
  g_assert_false (self->result->failed);
  summary = gadget_call_summary_dup_text (self->result->summary);
  g_assert_true (g_str_has_prefix (summary, "Ran \u2068pwd; echo err >&2\u2069"));
  g_assert_null (strstr (summary, "0.0"));
  g_assert_cmpuint (self->result->count, ==, 0);
}

static void
test_failure (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  run (self, "echo partly; exit 2");
  g_assert_no_error (self->error);
  g_assert_true (self->result->failed);
  g_assert_cmpstr (self->result->text, ==, "partly\n[Exit status 2]");
  tool_call_says (self->result, "Ran \u2068echo partly; exit 2\u2069 · failed, exit status 2");
}

static void
test_silent (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  run (self, "true");
  g_assert_no_error (self->error);
  g_assert_cmpstr (self->result->text, ==, "[The command succeeded and wrote nothing.]");
  g_assert_cmpstr (gadget_item_get_text (self->item), ==, "");
}

static void
test_signalled (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  run (self, "kill -SEGV $$");
  g_assert_no_error (self->error);
  g_assert_true (self->result->failed);
  g_assert_true (g_str_has_prefix (self->result->text, "[The command was ended by signal 11"));
}

static void
test_leftovers (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("sleep %s & echo started", marker);

  if (self->sandbox == NULL)
    return;
  run (self, command);
  g_assert_no_error (self->error);
  g_assert_false (self->result->failed);
  g_assert_true (
      g_str_has_prefix (self->result->text, "started\n[1 background process was still running"));
  g_assert_nonnull (strstr (self->result->text, "and was ended with it: sleep. "));
  g_assert_cmpuint (self->result->count, ==, 1);
  test_assert_none_alive (marker);
}

static gboolean
abort_cb (gpointer user_data)
{
  Fixture *self = user_data;

  if (strstr (gadget_item_get_text (self->item), "ready") == NULL)
    return G_SOURCE_CONTINUE;
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

static void
test_abort (Fixture *self, gconstpointer data)
{
  const gboolean stubborn = data != NULL;
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = NULL;

  if (self->sandbox == NULL)
    return;
  command = g_strdup_printf ("%s sleep %s & setsid sleep %s & sleep 0.1; echo ready; wait",
                             stubborn ? "trap '' TERM;" : "trap 'echo late' TERM;", marker, marker);
  g_timeout_add (5, abort_cb, self);
  run (self, command);
  g_assert_no_error (self->error);
  test_assert_none_alive (marker);
  g_assert_cmpstr (self->result->text, ==, "ready");
  g_assert_cmpstr (gadget_item_get_text (self->item), ==, "ready\n");
  g_assert_false (self->result->failed);
  g_assert_cmpstr (self->result->outcome, ==, stubborn ? "killed" : "ended");
  g_assert_cmpuint (self->result->count, ==, 2);
  g_assert_cmpint (self->result->summary->kind, ==, GADGET_CALL_SUMMARY_INTERRUPTED);
}

static void
test_abort_before (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  run (self, "echo never");
  g_assert_error (self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (gadget_item_get_text (self->item), ==, "");
}

static void
test_timeout (Fixture *self, gconstpointer data)
{
  g_autofree char *marker = test_marker_new ();
  g_autofree char *command = g_strdup_printf ("echo begun; sleep %s", marker);
  g_autoptr (JsonObject) arguments = make_arguments (command);

  if (self->sandbox == NULL)
    return;
  json_object_set_int_member (arguments, "timeout_seconds", 1);
  begin (self, arguments);
  g_main_loop_run (self->loop);
  g_assert_no_error (self->error);
  g_assert_true (self->result->failed);
  g_assert_cmpstr (self->result->text, ==,
                   "begun\n[The command was ended after its time limit of 1 seconds.]");
  g_assert_cmpint (self->result->summary->kind, ==, GADGET_CALL_SUMMARY_TIMED_OUT);
  g_assert_cmpint (self->result->summary->numbers[0], ==, 1000);
  g_assert_false (g_cancellable_is_cancelled (self->cancellable));
  test_assert_none_alive (marker);
}

static void
test_long_output (Fixture *self, gconstpointer data)
{
  if (self->sandbox == NULL)
    return;
  run (self, "echo first; head -c 10000000 /dev/zero | tr '\\0' x; echo; echo last");
  g_assert_no_error (self->error);
  g_assert_true (g_str_has_prefix (self->result->text, "first\nxx"));
  g_assert_true (g_str_has_suffix (self->result->text, "x\nlast"));
  g_assert_nonnull (strstr (self->result->text, " bytes left out]"));
  g_assert_cmpuint (strlen (self->result->text), <, 66 * 1024);
  g_assert_true (g_str_has_prefix (gadget_item_get_text (self->item), "first\nxx"));
  g_assert_true (g_str_has_suffix (gadget_item_get_text (self->item), "x\nlast\n"));
  g_assert_nonnull (strstr (gadget_item_get_text (self->item), " not shown]"));
  g_assert_cmpuint (gadget_item_get_length (self->item), <, 258 * 1024);
}

static void
test_bad_arguments (Fixture *self, gconstpointer data)
{
  static const char *const bad[] = {
    "{}",
    "{\"command\":7}",
    "{\"command\":null}",
    "{\"command\":\"\"}",
    "{\"command\":[\"ls\"]}",
    "{\"command\":\"ls\",\"timeout_seconds\":0}",
    "{\"command\":\"ls\",\"timeout_seconds\":-5}",
    "{\"command\":\"ls\",\"timeout_seconds\":1e99}",
    "{\"command\":\"ls\",\"timeout_seconds\":\"soon\"}",
    "{\"command\":\"ls\",\"timeout_seconds\":{}}",
    "{\"command\":\"ls\",\"network\":\"yes\"}",
    "{\"command\":\"ls\",\"pty\":1}",
  };

  if (self->sandbox == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (JsonNode) node = json_from_string (bad[i], NULL);
      JsonObject *arguments = json_node_get_object (node);
      GadgetToolContext context = { .workspace = self->folder };
      g_autoptr (GadgetPrompt) prompt = gadget_tool_permission (self->tool, arguments, &context);
      g_autoptr (GadgetCallSummary) title = gadget_tool_describe (self->tool, arguments);

      g_assert_nonnull (prompt);
      g_assert_nonnull (title);
      begin (self, arguments);
      g_main_loop_run (self->loop);
      g_assert_error (self->error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_assert_null (self->result);
      g_clear_error (&self->error);
    }
}

static void
test_permission (Fixture *self, gconstpointer data)
{
  g_autoptr (JsonObject) arguments = make_arguments ("meson test\nrm -r build");
  g_autofree char *inside = g_build_filename (g_get_home_dir (), "Projects", "x", NULL);
  GadgetToolContext context = { .workspace = inside };
  GadgetToolContext bare = { 0 };
  g_autoptr (GadgetPrompt) prompt = NULL;
  g_autoptr (GadgetPrompt) without = NULL;
  g_autoptr (GadgetCallSummary) title = NULL;

  if (self->sandbox == NULL)
    return;
  prompt = gadget_tool_permission (self->tool, arguments, &context);
  g_assert_cmpint (gadget_prompt_get_kind (prompt), ==, GADGET_PROMPT_PERMISSION);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, "Run this command?");
  g_assert_cmpstr (gadget_prompt_get_subject (prompt), ==, "meson test\nrm -r build");
  g_assert_cmpstr (gadget_prompt_get_detail (prompt), ==,
                   "Writes here · reads this folder, system files · no network");
  g_assert_cmpstr (gadget_prompt_get_text (prompt, GADGET_PROMPT_PLACE), ==, "~/Projects/x");
  g_assert_null (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING));
  without = gadget_tool_permission (self->tool, arguments, &bare);
  g_assert_cmpstr (gadget_prompt_get_detail (without), ==,
                   "Writes in an empty folder of its own · reads system files · no network");
  title = gadget_tool_describe (self->tool, arguments);
  g_assert_cmpint (title->kind, ==, GADGET_CALL_SUMMARY_RUNNING);
  g_assert_cmpstr (title->subject, ==, "meson test…");
  g_assert_cmpstr (gadget_tool_get_name (self->tool), ==, "shell");
  g_assert_cmpint (gadget_tool_get_receipt_kind (self->tool), ==, GADGET_RECEIPT_PROCESS);

  g_autoptr (JsonNode) schema = json_from_string (gadget_tool_get_schema (self->tool), NULL);

  g_assert_nonnull (schema);
}

static void
test_network_permission (Fixture *self, gconstpointer data)
{
  g_autoptr (JsonObject) arguments = make_arguments ("curl example.org");
  GadgetToolContext context = { .workspace = "/srv/x" };
  g_autoptr (GadgetPrompt) prompt = NULL;
  g_autoptr (GadgetPrompt) own = NULL;
  g_autoptr (GadgetPrompt) script = NULL;
  const GadgetAccess *access;

  if (self->sandbox == NULL)
    return;
  json_object_set_boolean_member (arguments, "network", TRUE);
  prompt = gadget_tool_permission (self->tool, arguments, &context);
  g_assert_cmpstr (gadget_prompt_get_title (prompt), ==, "Run this command with the network?");
  g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, 2);
  access = gadget_prompt_get_access (prompt, 1);
  g_assert_cmpint (access->kind, ==, GADGET_ACCESS_NETWORK);
  g_assert_cmpstr (access->subject, ==, "curl example.org");
  g_assert_false (access->confined);
  g_assert_nonnull (
      strstr (gadget_prompt_get_detail (prompt),
              " · network: any server\nIt may send what it can read to any server, and "
              "reach services of this computer."));

  /* It says what it does; a script could do anything. */
  g_assert_null (gadget_prompt_get_text (prompt, GADGET_PROMPT_WARNING));
  json_object_set_string_member (arguments, "command", "bash ./b.sh");
  script = gadget_tool_permission (self->tool, arguments, &context);
  g_assert_nonnull (gadget_prompt_get_text (script, GADGET_PROMPT_WARNING));

  gadget_sandbox_set_network_kind (self->sandbox, GADGET_NETWORK_OWN);
  own = gadget_tool_permission (self->tool, arguments, &context);
  g_assert_nonnull (strstr (gadget_prompt_get_detail (own), "reaches no service of this computer"));
}

static void
assert_summary (const GadgetProcessResult *ended, const char *words)
{
  g_autoptr (GadgetCallSummary) summary = _gadget_shell_make_summary ("make", 60, ended);
  g_autofree char *said = gadget_call_summary_dup_text (summary);

  g_assert_cmpstr (said, ==, words);
}

/* What took no time is not said to have taken any. */
static void
test_summary (Fixture *self, gconstpointer data)
{
  GadgetProcessResult ended = { .elapsed_ms = 20 };

  assert_summary (&ended, "Ran \u2068make\u2069");
  ended.elapsed_ms = 60;
  assert_summary (&ended, "Ran \u2068make\u2069 · 0.1 s");
  ended.exit_status = 3;
  assert_summary (&ended, "Ran \u2068make\u2069 · failed, exit status 3");
  ended.elapsed_ms = 6040;
  assert_summary (&ended, "Ran \u2068make\u2069 · failed, exit status 3 · 6.0 s");
  ended.signal = SIGSEGV;
  assert_summary (&ended, "Ran \u2068make\u2069 · ended by a signal: Segmentation fault · 6.0 s");
  ended.timed_out = TRUE;
  assert_summary (&ended, "Ran \u2068make\u2069 · time limit of 1 min 0 s reached");
  ended.aborted = TRUE;
  assert_summary (&ended, "Ran \u2068make\u2069 · interrupted after 6 s");
}

static void
test_remarks (Fixture *self, gconstpointer data)
{
  const GadgetProcessResult ended = { .confirmed = TRUE, .unchecked = TRUE };
  g_autoptr (GString) text = g_string_new ("");

  _gadget_shell_append_remarks (text, 60, &ended);
  g_assert_nonnull (
      strstr (text->str, "so it was not checked yet whether the command put what version"));
}

static void
test_terminal (Fixture *self, gconstpointer data)
{
  g_autoptr (JsonObject) arguments =
      make_arguments ("test -t 0 && test -t 1 && tty; stty size; echo $TERM");

  if (self->sandbox == NULL)
    return;
  json_object_set_boolean_member (arguments, "pty", TRUE);
  begin (self, arguments);
  g_main_loop_run (self->loop);
  g_assert_no_error (self->error);
  g_assert_cmpstr (self->result->text, ==, "/dev/pts/0\r\n24 80\r\nxterm-256color");
}

static void
test_disarmed (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = NULL;

  if (self->sandbox == NULL)
    return;
  run (self, "mkdir -p .git/hooks; echo x > .git/HEAD; cp /bin/true .git/hooks/pre-commit");
  g_assert_no_error (self->error);
  g_assert_nonnull (
      strstr (self->result->text, "In .git the command put what Git, or another version"));
  g_assert_nonnull (
      strstr (gadget_item_get_text (self->item), "[.git: what version control would have run"));
  folder = g_build_filename (self->folder, ".git", NULL);
  test_remove_tree (folder);
}

/* Stands for flatpak-spawn where the portal does not show the folder. */
static const char blind_spawn[] = "#!/bin/bash\n"
                                  "while [[ $1 == --* ]]; do shift; done\n"
                                  "exec /usr/bin/bwrap --ro-bind / / --dev /dev --proc /proc "
                                  "--unshare-user-try --chdir / -- \"$@\"\n";

static void
test_flatpak_blind (Fixture *self, gconstpointer data)
{
  g_autoptr (GadgetSandbox) sandbox = gadget_sandbox_new (GADGET_SANDBOX_FLATPAK, FALSE);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *program = NULL;

  if (self->sandbox == NULL)
    return;
  program = g_build_filename (self->folder, "flatpak-spawn", NULL);
  g_assert_true (
      g_file_set_contents_full (program, blind_spawn, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  g_assert_finalize_object (self->tool);
  self->tool = gadget_tool_shell_new (sandbox);
  g_setenv ("PATH", self->folder, TRUE);
  run (self, "echo ran");
  g_setenv ("PATH", path, TRUE);
  g_assert_no_error (self->error);
  g_assert_true (self->result->failed);
  g_assert_nonnull (strstr (self->result->text, "cannot show this folder to commands"));
  g_assert_nonnull (strstr (self->result->text, "flatpak override --user --filesystem"));
  g_assert_null (strstr (self->result->text, "ran"));
  g_remove (program);
}

#define ADD(path, data, function)                                                                  \
  g_test_add ("/engine/tool-shell/" path, Fixture, data, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("plain", NULL, test_plain);
  ADD ("failure", NULL, test_failure);
  ADD ("silent", NULL, test_silent);
  ADD ("signalled", NULL, test_signalled);
  ADD ("leftovers", NULL, test_leftovers);
  ADD ("abort", NULL, test_abort);
  ADD ("abort-stubborn", GINT_TO_POINTER (1), test_abort);
  ADD ("abort-before", NULL, test_abort_before);
  ADD ("timeout", NULL, test_timeout);
  ADD ("long-output", NULL, test_long_output);
  ADD ("bad-arguments", NULL, test_bad_arguments);
  ADD ("permission", NULL, test_permission);
  ADD ("network-permission", NULL, test_network_permission);
  ADD ("summary", NULL, test_summary);
  ADD ("remarks", NULL, test_remarks);
  ADD ("terminal", NULL, test_terminal);
  ADD ("flatpak-blind", NULL, test_flatpak_blind);
  ADD ("disarmed", NULL, test_disarmed);
  return g_test_run ();
}
