/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading files and waiting. */

#include "config.h"

#include "tools/gadget-tool-arguments.h"
#include "tools/files/gadget-tool-read-file.h"
#include "tools/gadget-tool-wait.h"
#include "workspace/gadget-workspace.h"
#include "tool-call.h"
#include "wait.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *root; /* holds workspace and outside */
  char *workspace;
  char *outside;
} Fixture;

static void
put_file (const char *dir, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = NULL;
  g_autofree char *fifo = NULL;

  fixture->root = g_dir_make_tmp ("gadget-tools-XXXXXX", NULL);
  fixture->workspace = g_build_filename (fixture->root, "work", NULL);
  fixture->outside = g_build_filename (fixture->root, "work-outside", NULL);
  g_assert_cmpint (g_mkdir (fixture->workspace, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->outside, 0700), ==, 0);
  put_file (fixture->workspace, "a.txt", "one\ntwo\nthree\n");
  put_file (fixture->outside, "secret.txt", "secret\n");
  link = g_build_filename (fixture->workspace, "link", NULL);
  g_assert_cmpint (symlink ("../work-outside/secret.txt", link), ==, 0);
  fifo = g_build_filename (fixture->workspace, "fifo", NULL);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
}

static void
remove_in (const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);

  g_unlink (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "a.txt", "link", "fifo", "binary", "big", "latin" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    remove_in (fixture->workspace, names[i]);
  remove_in (fixture->outside, "secret.txt");
  g_assert_cmpint (g_rmdir (fixture->workspace), ==, 0);
  g_assert_cmpint (g_rmdir (fixture->outside), ==, 0);
  g_assert_cmpint (g_rmdir (fixture->root), ==, 0);
  g_free (fixture->root);
  g_free (fixture->workspace);
  g_free (fixture->outside);
}

typedef struct
{
  gboolean done;
  GadgetToolResult *result;
  GError *error;
} Outcome;

static void
executed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->result = gadget_tool_execute_finish (GADGET_TOOL (source), result, &outcome->error);
  outcome->done = TRUE;
}

static void
outcome_clear (Outcome *outcome)
{
  g_clear_pointer (&outcome->result, gadget_tool_result_free);
  g_clear_error (&outcome->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static JsonObject *
parse (const char *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);

  g_assert_nonnull (node);
  return json_node_dup_object (node);
}

static void
execute (GadgetTool *tool, const char *arguments, const char *workspace, Outcome *outcome)
{
  g_autoptr (JsonObject) object = parse (arguments);
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", gadget_tool_get_name (tool));
  const GadgetToolContext context = { workspace, item, TRUE, NULL };

  gadget_tool_execute_async (tool, object, &context, NULL, executed_cb, outcome);
  wait_until (outcome->done);
}

static void
read_file (Fixture *fixture, const char *arguments, Outcome *outcome)
{
  g_autoptr (GadgetTool) tool = gadget_tool_read_file_new ();

  execute (tool, arguments, fixture->workspace, outcome);
}

static void
test_read_whole (Fixture *fixture, gconstpointer data)
{
  g_auto (Outcome) outcome = { 0 };

  read_file (fixture, "{\"path\":\"a.txt\"}", &outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.result->text, ==, "one\ntwo\nthree\n");
  tool_call_says (outcome.result, "Read \u2068a.txt\u2069 · 3 lines");
}

static void
test_read_lines (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *arguments;
    const char *text;
  } cases[] = {
    { "{\"path\":\"a.txt\",\"start_line\":2}", "two\nthree\n" },
    { "{\"path\":\"a.txt\",\"start_line\":2,\"max_lines\":1}", "two\n" },
    { "{\"path\":\"./x/../a.txt\",\"max_lines\":1}", "one\n" },
    { "{\"path\":\"a.txt\",\"start_line\":9}", "[There are only 3 lines.]" },
    { "{\"path\":\"a.txt\",\"start_line\":-5,\"max_lines\":\"x\"}", "one\ntwo\nthree\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = { 0 };

      read_file (fixture, cases[i].arguments, &outcome);
      g_assert_no_error (outcome.error);
      g_assert_cmpstr (outcome.result->text, ==, cases[i].text);
    }
}

static void
test_read_bad (Fixture *fixture, gconstpointer data)
{
  static const char *const arguments[] = {
    "{}",
    "{\"path\":\"\"}",
    "{\"path\":3}",
    "{\"path\":\"nothing\"}",
    "{\"path\":\".\"}",
    "{\"path\":\"link\"}",
    "{\"path\":\"fifo\"}",
    "{\"path\":\"binary\"}",
  };
  g_autofree char *binary = g_build_filename (fixture->workspace, "binary", NULL);

  g_assert_true (g_file_set_contents (binary, "a\0b", 3, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    {
      g_auto (Outcome) outcome = { 0 };

      read_file (fixture, arguments[i], &outcome);
      g_assert_nonnull (outcome.error);
      g_assert_null (outcome.result);
    }
}

static void
test_read_big_and_latin (Fixture *fixture, gconstpointer data)
{
  g_autofree char *big = g_build_filename (fixture->workspace, "big", NULL);
  g_autofree char *megabyte = g_strnfill (1 << 20, 'x');
  g_auto (Outcome) cut = { 0 };
  g_auto (Outcome) latin = { 0 };

  g_assert_true (g_file_set_contents (big, megabyte, 1 << 20, NULL));
  read_file (fixture, "{\"path\":\"big\"}", &cut);
  g_assert_cmpuint (strlen (cut.result->text), <, 66 * 1024);
  g_assert_nonnull (strstr (cut.result->text, "To go on, call this with \"start_byte\": 65536.]"));

  put_file (fixture->workspace, "latin", "gr\xfcn");
  read_file (fixture, "{\"path\":\"latin\"}", &latin);
  g_assert_true (g_utf8_validate (latin.result->text, -1, NULL));
}

static GadgetPrompt *
ask_permission (Fixture *fixture, const char *workspace, const char *arguments)
{
  g_autoptr (GadgetTool) tool = gadget_tool_read_file_new ();
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", "read_file");
  g_autoptr (JsonObject) object = parse (arguments);
  const GadgetToolContext context = { workspace, item, TRUE, NULL };

  return gadget_tool_permission (tool, object, &context);
}

static void
test_read_permission (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetPrompt) inside =
      ask_permission (fixture, fixture->workspace, "{\"path\":\"a.txt\"}");
  /* A sibling whose name begins with the workspace's. */
  g_autoptr (GadgetPrompt) sibling =
      ask_permission (fixture, fixture->workspace, "{\"path\":\"../work-outside/secret.txt\"}");
  g_autoptr (GadgetPrompt) absolute =
      ask_permission (fixture, fixture->workspace, "{\"path\":\"/etc/passwd\"}");
  g_autoptr (GadgetPrompt) none = ask_permission (fixture, NULL, "{\"path\":\"a.txt\"}");

  g_assert_null (inside);
  g_assert_nonnull (sibling);
  g_assert_nonnull (absolute);
  g_assert_cmpstr (gadget_prompt_get_subject (absolute), ==, "/etc/passwd");
  /* "Everything in the sandbox" is not a permission to read anything at all. */
  g_assert_false (gadget_prompt_get_access (absolute, 0)->confined);
  g_assert_nonnull (none);
}

/* The file was read, but its result has not been heard yet when the abort comes: it wins. */
static void
test_read_wins (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GadgetTool) tool = gadget_tool_read_file_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (JsonObject) object = parse ("{\"path\":\"a.txt\"}");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", "read_file");
  const GadgetToolContext context = { fixture->workspace, item, TRUE };
  g_auto (Outcome) outcome = { 0 };

  gadget_tool_execute_async (tool, object, &context, cancellable, executed_cb, &outcome);
  /* The task's result wakes the main context up, which does not go on yet. */
  g_assert_true (g_main_context_acquire (NULL));
  for (gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
       !g_main_context_pending (NULL) && g_get_monotonic_time () < end;)
    g_usleep (1000);
  g_main_context_release (NULL);
  g_assert_false (outcome.done);
  g_cancellable_cancel (cancellable);
  wait_until (outcome.done);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.result->text, ==, "one\ntwo\nthree\n");
}

static void
test_wait_elapses (void)
{
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (0);
  g_autoptr (GadgetTool) tool = gadget_tool_wait_new (clock);
  g_autoptr (JsonObject) object = parse ("{\"seconds\":2.5}");
  g_autoptr (GadgetItem) item = gadget_item_new_tool_call ("c", "wait");
  const GadgetToolContext context = { NULL, item, TRUE, NULL };
  g_auto (Outcome) outcome = { 0 };

  gadget_tool_execute_async (tool, object, &context, NULL, executed_cb, &outcome);
  gadget_clock_advance (clock, 2400 * 1000);
  wait_idle ();
  g_assert_false (outcome.done);
  gadget_clock_advance (clock, 100 * 1000);
  wait_until (outcome.done);
  g_assert_cmpstr (outcome.result->text, ==, "Waited 2.5 seconds.");
  g_assert_false (outcome.result->cut);
}

static const GadgetToolParameter numbers[] = {
  { "strict", GADGET_TOOL_NUMBER, TRUE, NULL, .least = 1, .most = 10, .strict = TRUE },
  { "near", GADGET_TOOL_INTEGER, FALSE, NULL, .least = 1, .most = 10, .fallback = 5 },
  { "all", GADGET_TOOL_INTEGER, FALSE, NULL, .least = 1 },
  { NULL },
};

/* What is given, and how the numbers are read; or what is said. */
static void
test_argument_limits (void)
{
  static const struct
  {
    const char *given;
    gint64 near;
    gint64 all;
    const char *says;
  } cases[] = {
    { "{\"strict\":1}", 5, 0, NULL },
    { "{\"strict\":10,\"near\":10,\"all\":1000000}", 10, 1000000, NULL },
    { "{\"strict\":2.5,\"near\":11,\"all\":0}", 10, 0, NULL },
    { "{\"strict\":\"3\",\"near\":-3,\"all\":-3}", 1, 0, NULL },
    { "{\"strict\":0.5}", 0, 0, "\"strict\" must be a number from 1 to 10." },
    { "{\"strict\":10.5}", 0, 0, "\"strict\" must be a number from 1 to 10." },
    { "{}", 0, 0, "\"strict\" is missing." },
    { "{\"strict\":1,\"near\":1.5}", 0, 0, "\"near\" must be a whole number." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonObject) object = parse (cases[i].given);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].given);
      if (!gadget_tool_arguments_check (object, numbers, &error))
        {
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
          g_assert_cmpstr (error->message, ==, cases[i].says);
          continue;
        }
      g_assert_null (cases[i].says);
      g_assert_cmpint (gadget_tool_arguments_get_integer (object, numbers, "near"), ==,
                       cases[i].near);
      g_assert_cmpint (gadget_tool_arguments_get_integer (object, numbers, "all"), ==,
                       cases[i].all);
    }
}

static const GadgetToolParameter members[] = {
  { "t", GADGET_TOOL_STRING, TRUE },
  { "all", GADGET_TOOL_BOOLEAN },
  { NULL },
};

static const GadgetToolParameter parameters[] = {
  { "n", GADGET_TOOL_NUMBER },
  { "i", GADGET_TOOL_INTEGER },
  { "b", GADGET_TOOL_BOOLEAN },
  { "s", GADGET_TOOL_STRING },
  { "l", GADGET_TOOL_OBJECTS, .members = members },
  { "words", GADGET_TOOL_STRINGS },
  { NULL },
};

/* What is given, and what it is read as; or what is said. */
static void
test_argument_types (void)
{
  static const struct
  {
    const char *given;
    const char *expected;
  } cases[] = {
    { "{\"n\":5}", "{\"n\":5}" },
    { "{\"n\":\" 2.5 \"}", "{\"n\":2.5}" },
    { "{\"n\":\"five\"}", "\"n\" must be a number." },
    { "{\"n\":\"\"}", "\"n\" must be a number." },
    { "{\"n\":\"1e999\"}", "\"n\" must be a number." },
    { "{\"n\":\"nan\"}", "\"n\" must be a number." },
    { "{\"n\":true}", "\"n\" must be a number." },
    { "{\"i\":\"7\"}", "{\"i\":7}" },
    { "{\"i\":7.0}", "{\"i\":7}" },
    { "{\"i\":7.5}", "\"i\" must be a whole number." },
    { "{\"i\":\"1e300\"}", "\"i\" must be a whole number." },
    { "{\"b\":\"True\"}", "{\"b\":true}" },
    { "{\"b\":1}", "\"b\" must be true or false." },
    { "{\"s\":5}", "\"s\" must be a string." },
    { "{\"s\":null,\"other\":[1]}", "{\"other\":[1]}" },
    { "{\"l\":{}}", "\"l[0].t\" is missing." },
    { "{\"l\":{\"T\":1,\"x\":2}}",
      "\"l[0].t\" is missing; these names are unknown: \"T\", \"x\"." },
    { "{\"l\":{\"t\":\"a\"}}", "{\"l\":[{\"t\":\"a\"}]}" },
    { "{\"l\":\"[{\\\"t\\\":\\\"a\\\"}]\"}", "{\"l\":[{\"t\":\"a\"}]}" },
    { "{\"l\":\"{\\\"t\\\":\\\"a\\\"}\"}", "{\"l\":[{\"t\":\"a\"}]}" },
    { "{\"l\":\"a\"}", "\"l\" must be a list." },
    { "{\"words\":\"[]\"}", "\"words\" must be a list." },
    { "{\"l\":[{\"t\":\"a\",\"all\":\"false\"}]}", "{\"l\":[{\"t\":\"a\",\"all\":false}]}" },
    { "{\"l\":[{\"t\":\"a\"},{}]}", "\"l[1].t\" is missing." },
    { "{\"l\":[\"a\"]}", "\"l[0]\" must be an object." },
    { "{\"words\":[\"a\",\"b\"]}", "{\"words\":[\"a\",\"b\"]}" },
    { "{\"words\":[\"a\",5]}", "\"words[1]\" must be a string." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonNode) node = json_from_string (cases[i].given, NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *read = NULL;

      if (!gadget_tool_arguments_check (json_node_get_object (node), parameters, &error))
        {
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
          g_assert_cmpstr (error->message, ==, cases[i].expected);
          continue;
        }
      read = json_to_string (node, FALSE);
      g_assert_cmpstr (read, ==, cases[i].expected);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/engine/tools/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("read-file/whole", test_read_whole);
  ADD ("read-file/lines", test_read_lines);
  ADD ("read-file/bad-input", test_read_bad);
  ADD ("read-file/big-and-latin", test_read_big_and_latin);
  ADD ("read-file/permission", test_read_permission);
  ADD ("read-file/abort-result-wins", test_read_wins);
  g_test_add_func ("/engine/tools/argument-types", test_argument_types);
  g_test_add_func ("/engine/tools/argument-limits", test_argument_limits);
  g_test_add_func ("/engine/tools/wait/elapses", test_wait_elapses);

  return g_test_run ();
}
