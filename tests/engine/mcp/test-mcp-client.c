/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A client and a server that misbehaves, over standard input and output. */

#include "config.h"

#include "mcp-fixture.h"
#include "mcp/gadget-mcp-downloader.h"
#include "mcp/gadget-mcp-stdio.h"
#include "test-process.h"
#include "test-wait.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define SOON_MS 10000

/* --- Results ----------------------------------------------------------------------------------
 */

static void
test_results (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetMcpResult) picture = NULL;
  g_autoptr (GadgetMcpResult) failing = NULL;
  g_autofree char *structured = NULL;
  g_autofree char *large = NULL;
  GadgetPicture *shown;

  mcp_connect (f);
  structured = mcp_call (f, "structured", "{}");
  g_assert_cmpstr (structured, ==, "{\"degrees\":21}");

  mcp_start_call (f, "picture", "{}");
  picture = mcp_finish_call (f, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (
      picture->text, ==,
      "Look:\n[picture 1: image/png, 28 bytes]\n[link: file:///a – a]\n[note:b]\ninside\n"
      "[content of the kind “hologram”, which cannot be shown]");
  g_assert_cmpuint (picture->pictures->len, ==, 1);
  shown = g_ptr_array_index (picture->pictures, 0);
  g_assert_cmpstr (gadget_picture_get_mime_type (shown), ==, "image/png");
  g_assert_cmpuint (g_bytes_get_size (gadget_picture_get_data (shown)), ==, 28);

  mcp_start_call (f, "failing", "{}");
  failing = mcp_finish_call (f, &error);
  g_assert_no_error (error);
  g_assert_true (failing->failed);
  g_assert_cmpstr (failing->text, ==, "It went wrong");

  large = mcp_call (f, "large", "{\"steps\":5000000}");
  g_assert_cmpuint (strlen (large), <, GADGET_MCP_MAX_TEXT + 200);
  g_assert_nonnull (strstr (large, "of 5000000 bytes are left out"));

  mcp_start_call (f, "no such tool", "{}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_JSON_RPC_ERROR, GADGET_JSON_RPC_INVALID_PARAMS);
  g_assert_cmpstr (error->message, ==, "Unknown tool: no such tool");
}

static void
test_progress (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "counts", "{\"steps\":3}");
  g_assert_cmpstr (text, ==, "counted");
  g_assert_cmpstr (f->progress->str, ==, "1/3 step 1\n2/3 step 2\n3/3 step 3\n");
}

static gboolean
has_new_tool (gpointer user_data)
{
  McpFixture *f = user_data;

  return gadget_mcp_client_get_tools (f->client)->len == 29;
}

static void
test_list_changed (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  if (g_str_equal (data, "--era modern"))
    mcp_wait_log (f, "subscriptions/listen", 1);
  text = mcp_call (f, "grows", "{}");
  g_assert_true (test_wait_until (has_new_tool, f, SOON_MS));
  g_assert_cmpuint (f->n_tools_changed, ==, 2);
}

static void
test_environment (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "environment", "{\"text\":\"TOKEN\"}");
  g_assert_cmpstr (text, ==, "s3cret-of-the-mock");
  g_assert_cmpuint (test_count_alive ("s3cret-of-the-mock"), ==, 0);
  g_clear_pointer (&text, g_free);
  text = mcp_call (f, "environment", "{\"text\":\"GADGET_SOURCE_ROOT\"}");
  g_assert_cmpstr (text, ==, "(unset)");
}

/* --- Misbehaviour -----------------------------------------------------------------------------
 */

static void
test_garbage (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetMcpResult) result = NULL;
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "garbage", "{}");
  g_assert_cmpstr (text, ==, "after all");
  g_clear_pointer (&text, g_free);
  text = gadget_mcp_client_dup_complaints (f->client);
  g_assert_nonnull (strstr (text, "a greeting where only messages belong\n"));
  g_assert_nonnull (strstr (text, "Welcome to this server!\n"));
  g_clear_pointer (&text, g_free);
  text = mcp_call (f, "echo", "{\"text\":\"still here\"}");
  g_assert_cmpstr (text, ==, "still here");
}

static void
test_flood (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "floods", "{\"steps\":20000}");
  g_assert_cmpstr (text, ==, "flooded");
}

static void
test_dies (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *complaints = NULL;

  mcp_connect (f);
  mcp_start_call (f, "dies", "{\"text\":\"no more\"}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
  g_assert_nonnull (strstr (error->message, "status 3"));
  complaints = gadget_mcp_client_dup_complaints (f->client);
  g_assert_nonnull (strstr (complaints, "I give up: no more"));
  g_assert_error (f->closed, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
  g_clear_error (&error);
  mcp_start_call (f, "echo", "{}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
}

static void
test_half (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_start_call (f, "half", "{}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
}

static void
test_last_words (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "last-words", "{}");
  g_assert_cmpstr (text, ==, "goodbye");
}

static void
test_too_large (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_start_call (f, "large", "{\"steps\":34000000}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL);
}

/* --- Stopping ---------------------------------------------------------------------------------
 */

/* X18: the server is told, of the right request. */
static void
test_abort (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;
  gint64 began;

  mcp_connect (f);
  mcp_start_call (f, "slow", "{\"seconds\":60}");
  mcp_wait_log (f, "\"slow\"", 1);
  began = g_get_monotonic_time ();
  mcp_abort (f);
  mcp_wait_log (f, "notifications/cancelled", 1);
  g_test_message ("heard %.1f ms later", (double) (g_get_monotonic_time () - began) / 1000);
  /* The ids before: discover, initialize or listen, three pages. */
  g_assert_cmpuint (mcp_count_log (f, "\"requestId\": 6"), ==, 1);
  text = mcp_call (f, "echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
  g_assert_cmpuint (mcp_count_log (f, "notifications/cancelled"), ==, 1);
}

/* X19: whatever it answers to a request that was cancelled, it is not restarted, and goes on. */
static void
test_answers_cancelled (McpFixture *f, gconstpointer data)
{
  static const char *const tools[] = { "stubborn", "refuses", "never", "slow" };

  mcp_connect (f);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *text = NULL;

      mcp_start_call (f, tools[i], "{\"seconds\":60}");
      mcp_wait_log (f, tools[i], 1);
      mcp_abort (f);
      mcp_wait_log (f, "notifications/cancelled", i + 1);
      test_run_for (250);
      text = mcp_call (f, "echo", "{\"text\":\"same\"}");
      g_assert_cmpstr (text, ==, "same");
    }
  g_assert_cmpuint (mcp_count_log (f, "server/discover"), ==, 1);
  g_assert_cmpuint (f->n_closed, ==, 0);
}

/* X20: it reads no more, and its pipe is full. */
static void
test_wedged (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *filling = g_strnfill (300000, 'x');
  g_autofree char *large = g_strdup_printf ("{\"text\":\"%s\"}", filling);
  g_autofree char *huge_text = g_strnfill (17 * 1024 * 1024, 'x');
  g_autofree char *huge = g_strdup_printf ("{\"text\":\"%s\"}", huge_text);

  mcp_connect (f);
  mcp_start_call (f, "never", "{}");
  mcp_wait_log (f, "never", 1);
  mcp_abort (f);
  for (guint i = 0; i < 3; i++)
    {
      mcp_start_call (f, "echo", large);
      test_run_for (50);
      g_test_message ("stopped in %.1f ms", mcp_abort (f));
    }
  /* What does not fit into the queue fails at once. */
  mcp_start_call (f, "echo", huge);
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_WEDGED);
}

static void
test_abort_before (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GadgetMcpCallSpec spec = { .server = "mock", .tool = "echo" };

  mcp_connect (f);
  f->cancellable = g_cancellable_new ();
  g_cancellable_cancel (f->cancellable);
  gadget_mcp_client_call_async (f->client, &spec, f->cancellable, test_result_cb, &f->result);
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  test_run_for (100);
  g_assert_cmpuint (mcp_count_log (f, "tools/call"), ==, 0);
}

static void
test_abort_anywhere (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GadgetMcpResult) result = NULL;

      mcp_start_call (f, i % 2 == 0 ? "counts" : "echo", "{\"text\":\"x\",\"steps\":20}");
      test_run_for ((guint) g_test_rand_int_range (0, 8));
      g_cancellable_cancel (f->cancellable);
      result = mcp_finish_call (f, &error);
      if (result == NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  text = mcp_call (f, "echo", "{\"text\":\"after\"}");
  g_assert_cmpstr (text, ==, "after");
}

/* Nothing of the server is left when the connection is closed in the middle of a call. */
static void
test_close_in_call (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint n_before = test_count_alive (f->log);

  mcp_connect (f);
  g_assert_cmpuint (test_count_alive (f->log), >, n_before);
  mcp_start_call (f, "never", "{}");
  mcp_wait_log (f, "never", 1);
  gadget_mcp_client_close (f->client);
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
  g_assert_null (f->closed);
  test_wait_alive (f->log, 0);
}

/* --- Tasks ------------------------------------------------------------------------------------
 */

/* One whose beginning is told after the stop is not left to itself. */
static void
test_abort_before_task (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  mcp_start_call (f, "late-task", "{}");
  mcp_wait_log (f, "\"name\": \"late-task\"", 1);
  mcp_abort (f);
  mcp_wait_log (f, "\"method\": \"tasks/cancel\"", 1);
  text = mcp_call (f, "echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"tasks/cancel\""), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "tasks/get"), ==, 0);
}

/* The call fails while the server goes on with its task: the task is stopped with the call. */
static void
test_task_of_failed_call (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint n_asked;

  mcp_connect (f);
  mcp_start_call (f, "task", "{\"seconds\":60,\"text\":\"samples\"}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_PROTOCOL);
  mcp_wait_log (f, "\"method\": \"tasks/cancel\"", 1);
  n_asked = mcp_count_log (f, "tasks/get");
  test_run_for (300); /* six times its interval */
  g_assert_cmpuint (mcp_count_log (f, "tasks/get"), ==, n_asked);
  text = mcp_call (f, "echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"tasks/cancel\""), ==, 1);
}

static void
set_up_sandboxed (McpFixture *f, gconstpointer options)
{
  f->sandbox = test_get_sandbox ();
  mcp_set_up (f, options);
}

static void
test_sandboxed (McpFixture *f, gconstpointer data)
{
  if (f->sandbox == NULL)
    {
      gadget_mcp_client_close (f->client);
      return;
    }
  test_environment (f, data);
  mcp_start_call (f, "slow", "{\"seconds\":60}");
  mcp_wait_log (f, "\"slow\"", 1);
  mcp_abort (f);
  mcp_wait_log (f, "notifications/cancelled", 1);
  gadget_mcp_client_close (f->client);
  test_wait_alive (f->log, 0);
}

/* Without the network "npx" would try for more than a minute; told so, it says at once that it
 * lacks what it has not downloaded before. */
static void
set_up_downloader (McpFixture *f, gconstpointer options)
{
  static const char script[] = "#!/bin/sh\n"
                               "[ \"$npm_config_offline\" = true ] || sleep 3600\n"
                               "echo ENOTCACHED >&2\n"
                               "exit 1\n";
  g_autofree char *folder = g_dir_make_tmp ("gadget-npx-XXXXXX", NULL);
  g_autofree char *npx = g_build_filename (folder, "npx", NULL);
  const char *argv[] = { npx, "-y", "a-server", NULL };
  const char *folders[] = { folder, NULL };
  GadgetMcpStdioSpec spec = { .argv = argv, .folders = folders };

  spec.sandbox = f->sandbox = test_get_sandbox ();
  g_assert_true (g_file_set_contents_full (npx, script, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  f->transport = gadget_mcp_stdio_new (&spec);
  f->script = g_steal_pointer (&npx);
  mcp_set_up (f, options);
}

static void
test_downloader (McpFixture *f, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (f->script);
  g_autoptr (GError) error = NULL;

  if (f->sandbox == NULL)
    gadget_mcp_client_close (f->client);
  else
    {
      mcp_begin_connect (f);
      g_assert_false (mcp_end_connect (f, &error));
      g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
      g_assert_nonnull (strstr (error->message, "npx"));
    }
  g_remove (f->script);
  g_rmdir (folder);
}

static void
test_downloader_names (void)
{
  static const struct
  {
    const char *argv[4];
    const char *name;
  } commands[] = {
    { { "npx", "-y", "a" }, "npx" },    { { "/usr/bin/uvx", "a" }, "uvx" },
    { { "pipx", "run", "a" }, "pipx" }, { { "pipx", "list" }, NULL },
    { { "npm", "exec", "a" }, "npm" },  { { "npm", "start" }, NULL },
    { { "node", "npx" }, NULL },        { { "python3", "-m", "a" }, NULL },
  };
  const char *own[] = { "npm_config_offline=false", "A=b", NULL };
  g_auto (GStrv) variables = gadget_mcp_downloader_list_environment (FALSE, own);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_assert_cmpstr (gadget_mcp_downloader_find (commands[i].argv), ==, commands[i].name);
  /* What the user has set stays. */
  g_assert_true (g_strv_contains ((const char *const *) variables, "npm_config_offline=false"));
  g_assert_false (g_strv_contains ((const char *const *) variables, "npm_config_offline=true"));
  g_assert_true (g_strv_contains ((const char *const *) variables, "UV_OFFLINE=1"));
}

#define ADD(name, options, function)                                                               \
  g_test_add ("/engine/mcp-client/" name, McpFixture, options, mcp_set_up, function, mcp_tear_down)
#define ADD_LEGACY(name, function)                                                                 \
  g_test_add ("/engine/mcp-client/legacy/" name, McpFixture, "--era legacy", mcp_set_up, function, \
              mcp_tear_down)
#define ADD_MODERN(name, function)                                                                 \
  g_test_add ("/engine/mcp-client/modern/" name, McpFixture, "--era modern", mcp_set_up, function, \
              mcp_tear_down)
#define ADD_BOTH(name, function)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    ADD_LEGACY (name, function);                                                                   \
    ADD_MODERN (name, function);                                                                   \
  }                                                                                                \
  G_STMT_END

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);

  g_test_add_func ("/engine/mcp-client/downloader-names", test_downloader_names);
  g_test_add ("/engine/mcp-client/downloader", McpFixture, NULL, set_up_downloader, test_downloader,
              mcp_tear_down);
  g_test_add ("/engine/mcp-client/sandboxed", McpFixture, "--era legacy", set_up_sandboxed,
              test_sandboxed, mcp_tear_down);

  ADD_BOTH ("results", test_results);
  ADD_BOTH ("progress", test_progress);
  ADD_BOTH ("list-changed", test_list_changed);
  ADD_BOTH ("environment", test_environment);
  ADD_BOTH ("garbage", test_garbage);
  ADD_BOTH ("unreadable", mcp_test_unreadable);
  ADD_BOTH ("flood", test_flood);
  ADD_BOTH ("dies", test_dies);
  ADD_BOTH ("half", test_half);
  ADD_BOTH ("last-words", test_last_words);
  ADD ("legacy/too-large", "--era legacy", test_too_large);
  ADD_BOTH ("X18-abort", test_abort);
  ADD_BOTH ("task", mcp_test_task);
  ADD_BOTH ("X22-abort-task", mcp_test_abort_task);
  ADD_BOTH ("X22-abort-before-task", test_abort_before_task);
  ADD_MODERN ("X22-task-of-failed-call", test_task_of_failed_call);
  ADD_BOTH ("X19-answers-cancelled", test_answers_cancelled);
  ADD ("legacy/X20-wedged", "--era legacy --deaf", test_wedged);
  ADD ("modern/X20-wedged", "--era modern --deaf", test_wedged);
  ADD_BOTH ("abort-before", test_abort_before);
  ADD_BOTH ("abort-anywhere", test_abort_anywhere);
  ADD_BOTH ("close-in-call", test_close_in_call);

  return g_test_run ();
}
