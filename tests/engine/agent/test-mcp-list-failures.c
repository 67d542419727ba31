/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers that fail, are lost and found again, and calls of their tools that are stopped. */

#include "config.h"

#include "mcp-list-fixture.h"
#include "test-process.h"
#include "test-wait.h"

#include <signal.h>
#include <string.h>

typedef McpListFixture Fixture;

/* --- Failures ---------------------------------------------------------------------------------
 */

static void
test_no_sandbox (Fixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpConfig) config = mcp_list_make_config (f, "mock", "--era legacy");
  g_autoptr (GError) error = NULL;

  config->confined = TRUE;
  g_assert_false (mcp_list_connect (mcp_list_add (f, config, NULL), &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_START);
  g_assert_cmpuint (test_count_alive (f->log), ==, 0);
}

static void
set_up_manual (Fixture *f, gconstpointer data)
{
  mcp_list_set_up (f, data);
  mcp_list_close (f);
  g_object_unref (f->clock);
  f->clock = gadget_clock_new_manual (1000000);
  mcp_list_open (f);
}

/* Lost in a call, it fails at once for a while, and is then started again. */
static void
test_lost (Fixture *f, gconstpointer data)
{
  GadgetMcpServer *server = mcp_list_add_and_connect (f, "mock", "--era legacy");
  g_autoptr (GError) error = NULL;
  g_autofree char *complaints = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 2; i++)
    {
      mcp_list_start_call (f, "mock__dies", "{\"text\":\"why not\"}");
      g_assert_null (mcp_list_finish_call (f, &error));
      g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
      g_clear_error (&error);
      g_assert_cmpint (gadget_mcp_server_get_status (server), ==, GADGET_MCP_FAILED);
      complaints = gadget_mcp_server_dup_complaints (server);
      g_assert_nonnull (strstr (complaints, "I give up: why not"));
      g_clear_pointer (&complaints, g_free);

      /* Within the pause: the reason, and no start. */
      mcp_list_start_call (f, "mock__echo", "{}");
      g_assert_null (mcp_list_finish_call (f, &error));
      g_assert_nonnull (strstr (error->message, "status 3"));
      g_clear_error (&error);
      g_assert_cmpuint (test_count_alive (f->log), ==, 0);

      gadget_clock_advance (f->clock, G_USEC_PER_SEC);
      text = mcp_list_call (f, "mock__echo", "{\"text\":\"back\"}");
      g_assert_cmpstr (text, ==, "back");
      g_clear_pointer (&text, g_free);
    }
}

/* The pause grows while it fails in a row. */
static void
test_backoff (Fixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpConfig) config = gadget_mcp_config_new ("broken");
  GadgetMcpServer *server;
  guint pause = 1;

  config->command = g_strsplit ("/nonexistent/server", " ", -1);
  config->confined = FALSE;
  server = mcp_list_add (f, config, NULL);
  for (guint i = 0; i < 9; i++)
    {
      g_autoptr (GAsyncResult) early = NULL;
      g_autoptr (GAsyncResult) due = NULL;
      g_autoptr (GError) error = NULL;

      gadget_mcp_server_connect_async (server, FALSE, NULL, test_result_cb, &due);
      g_assert_cmpint (gadget_mcp_server_get_status (server), ==, GADGET_MCP_STARTING);
      g_assert_true (test_wait_result (&due, SOON_MS));
      g_assert_false (gadget_mcp_server_connect_finish (server, due, &error));
      gadget_clock_advance (f->clock, (gint64) pause * G_USEC_PER_SEC - 1);
      gadget_mcp_server_connect_async (server, FALSE, NULL, test_result_cb, &early);
      g_assert_cmpint (gadget_mcp_server_get_status (server), ==, GADGET_MCP_FAILED);
      g_assert_true (test_wait_result (&early, SOON_MS));
      g_assert_false (gadget_mcp_server_connect_finish (server, early, NULL));
      gadget_clock_advance (f->clock, 1);
      pause = MIN (pause * 2, 60);
    }
}

/* --- Stopping ---------------------------------------------------------------------------------
 */

static void
abort_now (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  gint64 began = g_get_monotonic_time ();

  g_cancellable_cancel (f->cancellable);
  g_assert_null (mcp_list_finish_call (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 500 * 1000);
  g_clear_object (&f->cancellable);
  f->cancellable = g_cancellable_new ();
}

static void
test_abort (Fixture *f, gconstpointer data)
{
  static const char *const tools[] = { "mock__slow", "mock__never", "mock__asks" };
  g_autofree char *text = NULL;

  mcp_list_add_and_connect (f, "mock", data);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      mcp_list_start_call (f, tools[i], "{\"seconds\":60}");
      test_run_for (100);
      abort_now (f);
      g_assert_null (gadget_item_get_prompt (f->item));
    }
  text = mcp_list_call (f, "mock__echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
}

/* A server that takes its time to start holds up no stop; what was begun is not wasted. */
static void
test_abort_in_start (Fixture *f, gconstpointer data)
{
  GadgetMcpServer *server = mcp_list_add_and_connect (f, "mock", "--era legacy --slow-start 0.5");
  g_autofree char *text = NULL;

  gadget_mcp_server_close (server);
  test_wait_alive (f->log, 0);
  mcp_list_start_call (f, "mock__echo", "{}");
  test_run_for (50);
  abort_now (f);
  g_assert_cmpint (gadget_mcp_server_get_status (server), ==, GADGET_MCP_STARTING);
  text = mcp_list_call (f, "mock__echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
}

/* Switched off, it is not waited for any more. */
static void
test_disable_in_start (Fixture *f, gconstpointer data)
{
  g_autoptr (GadgetMcpConfig) config =
      mcp_list_make_config (f, "mock", "--era modern --slow-start 60");
  GadgetMcpServer *server = mcp_list_add (f, config, NULL);
  const gint64 began = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  gadget_mcp_server_connect_async (server, TRUE, NULL, test_result_cb, &f->result);
  test_run_for (100);
  gadget_mcp_list_set_enabled (f->list, server, FALSE);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  g_assert_false (gadget_mcp_server_connect_finish (server, f->result, &error));
  g_clear_object (&f->result);
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
  test_wait_alive (f->log, 0);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 10 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);

  g_test_add ("/engine/mcp-list/no-sandbox", Fixture, NULL, mcp_list_set_up, test_no_sandbox,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/lost", Fixture, NULL, set_up_manual, test_lost, mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/backoff", Fixture, NULL, set_up_manual, test_backoff,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/abort-legacy", Fixture, "--era legacy", mcp_list_set_up, test_abort,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/abort-modern", Fixture, "--era modern", mcp_list_set_up, test_abort,
              mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/abort-in-start", Fixture, NULL, mcp_list_set_up,
              test_abort_in_start, mcp_list_tear_down);
  g_test_add ("/engine/mcp-list/disable-in-start", Fixture, NULL, mcp_list_set_up,
              test_disable_in_start, mcp_list_tear_down);

  return g_test_run ();
}
