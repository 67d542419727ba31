/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A client and a server that find out what they both speak, over standard input and output. */

#include "config.h"

#include "mcp-fixture.h"
#include "mcp/gadget-mcp-stdio.h"
#include "test-process.h"
#include "test-wait.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define N_TOOLS 28
#define MODERN "2026-07-28"
#define LEGACY "2025-11-25"

static void
assert_speaks (McpFixture *f, const char *version)
{
  GPtrArray *tools = gadget_mcp_client_get_tools (f->client);
  GadgetMcpToolInfo *first;

  g_assert_cmpstr (gadget_mcp_client_get_version (f->client), ==, version);
  /* Three pages of them. */
  g_assert_cmpuint (tools->len, ==, N_TOOLS);
  first = g_ptr_array_index (tools, 0);
  g_assert_cmpstr (gadget_mcp_tool_info_get_name (first), ==, "echo");
  g_assert_cmpstr (gadget_mcp_tool_info_get_description (first), ==, "The tool echo");
  g_assert_nonnull (strstr (gadget_mcp_tool_info_get_schema (first), "\"seconds\""));
}

static void
assert_works (McpFixture *f)
{
  g_autofree char *text = mcp_call (f, "echo", "{\"text\":\"Grüße\"}");

  g_assert_cmpstr (text, ==, "Grüße");
}

/* --- At once ----------------------------------------------------------------------------------
 */

static void
test_legacy (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  assert_speaks (f, LEGACY);
  assert_works (f);
  g_assert_cmpuint (mcp_count_log (f, "notifications/initialized"), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "server/discover"), ==, 1);
}

static void
test_modern (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  assert_speaks (f, MODERN);
  assert_works (f);
  g_assert_cmpuint (mcp_count_log (f, "initialize"), ==, 0);
  /* Every request says who speaks, in which version: discover, three pages, listen, the call. */
  g_assert_cmpuint (mcp_count_log (f, "/protocolVersion\": \"2026-07-28\""), ==, 6);
  g_assert_cmpuint (mcp_count_log (f, "clientCapabilities\": {\"elicitation\""), ==, 6);
}

/* One that speaks both is spoken to in the newer one. */
static void
test_both (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  assert_speaks (f, MODERN);
  assert_works (f);
  g_assert_cmpuint (mcp_count_log (f, "\"initialize\""), ==, 0);
}

/* One that has a result for whatever it is asked. */
static void
test_yes (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  assert_speaks (f, LEGACY);
}

/* One that names the version that it refused is asked once more. */
static void
test_hesitant (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  assert_speaks (f, MODERN);
  g_assert_cmpuint (mcp_count_log (f, "\"server/discover\""), ==, 2);
  g_assert_cmpuint (mcp_count_log (f, "\"initialize\""), ==, 0);
}

/* One that refuses the probe, and names the modern version when it is asked for the other. */
static void
test_asleep (McpFixture *f, gconstpointer data)
{
  mcp_connect (f);
  assert_speaks (f, MODERN);
  g_assert_cmpuint (mcp_count_log (f, "\"server/discover\""), ==, 2);
  g_assert_cmpuint (mcp_count_log (f, "\"initialize\""), ==, 1);
}

static void
assert_fails (McpFixture *f, GadgetMcpError code)
{
  g_autoptr (GError) error = NULL;

  mcp_begin_connect (f);
  g_assert_false (mcp_end_connect (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, (int) code);
}

static void
test_future (McpFixture *f, gconstpointer data)
{
  assert_fails (f, GADGET_MCP_ERROR_VERSION);
}

static void
set_up_no_such_program (McpFixture *f, gconstpointer data)
{
  const char *argv[] = { "/nonexistent/server", NULL };
  const GadgetMcpStdioSpec spec = { .argv = argv };

  f->transport = gadget_mcp_stdio_new (&spec);
  mcp_set_up (f, NULL);
}

static void
test_no_such_program (McpFixture *f, gconstpointer data)
{
  assert_fails (f, GADGET_MCP_ERROR_START);
}

/* What it says before it leaves is its reason. */
static void
test_ends_at_once (McpFixture *f, gconstpointer data)
{
  g_autofree char *complaints = NULL;

  assert_fails (f, GADGET_MCP_ERROR_GONE);
  complaints = gadget_mcp_client_dup_complaints (f->client);
  g_assert_nonnull (strstr (complaints, "unrecognized arguments: --nonsense"));
}

/* --- Late -------------------------------------------------------------------------------------
 */

/* One that does not answer what it does not know. */
static void
test_mute (McpFixture *f, gconstpointer data)
{
  gadget_mcp_client_set_probe_ms (f->client, 300);
  mcp_connect (f);
  assert_speaks (f, LEGACY);
}

static void
set_up_manual (McpFixture *f, gconstpointer options)
{
  f->clock = gadget_clock_new_manual (1);
  mcp_set_up (f, options);
}

static void
pass (McpFixture *f, guint seconds)
{
  gadget_clock_advance (f->clock, (gint64) seconds * G_USEC_PER_SEC);
  test_run_for (20);
}

static void
finish_download (McpFixture *f)
{
  g_autofree char *path = g_strconcat (f->log, ".come", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, "", 0, &error);
  g_assert_no_error (error);
}

static void
remove_download (McpFixture *f, gconstpointer options)
{
  g_autofree char *path = g_strconcat (f->log, ".come", NULL);

  g_remove (path);
  mcp_tear_down (f, options);
}

/* A package that is fetched for 30 s. When it runs, it finds both requests. */
static void
begin_download (McpFixture *f)
{
  mcp_begin_connect (f);
  pass (f, 4);
  pass (f, 2);
  pass (f, 24);
  g_assert_null (f->result);
  finish_download (f);
}

static void
test_download (McpFixture *f, gconstpointer options)
{
  const gboolean modern = strstr (options, "modern") != NULL || strstr (options, "polite") != NULL;
  g_autoptr (GError) error = NULL;

  begin_download (f);
  mcp_end_connect (f, &error);
  g_assert_no_error (error);
  assert_speaks (f, modern ? MODERN : LEGACY);
  assert_works (f);
  g_assert_cmpuint (mcp_count_log (f, "\"initialize\""), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "notifications/cancelled"), ==, 0);
}

/* It answers the probe late, and the other request never. */
static void
test_download_shy (McpFixture *f, gconstpointer options)
{
  g_autoptr (GError) error = NULL;

  begin_download (f);
  mcp_wait_log (f, "\"initialize\"", 1);
  test_run_for (200);
  g_assert_null (f->result);
  pass (f, 6);
  mcp_end_connect (f, &error);
  g_assert_no_error (error);
  assert_speaks (f, MODERN);
  assert_works (f);
}

/* One that never comes is given up at last. */
static void
test_never (McpFixture *f, gconstpointer options)
{
  g_autoptr (GError) error = NULL;

  mcp_begin_connect (f);
  pass (f, 6);
  pass (f, 80);
  g_assert_null (f->result);
  pass (f, 20);
  g_assert_false (mcp_end_connect (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_TIMEOUT);
}

/* Nobody has to wait for it until then; PASSED is how far it was. */
static void
close_while_it_comes (McpFixture *f, guint passed)
{
  g_autoptr (GError) error = NULL;
  const gint64 began = g_get_monotonic_time ();

  mcp_begin_connect (f);
  pass (f, passed);
  gadget_mcp_client_close (f->client);
  g_assert_false (mcp_end_connect (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 5 * G_USEC_PER_SEC);
  test_wait_alive (f->log, 0);
}

static void
test_close_probing (McpFixture *f, gconstpointer options)
{
  close_while_it_comes (f, 1);
}

static void
test_close_late (McpFixture *f, gconstpointer options)
{
  close_while_it_comes (f, 30);
}

#define ADD(name, options, function)                                                               \
  g_test_add ("/engine/mcp-handshake/" name, McpFixture, options, mcp_set_up, function,            \
              mcp_tear_down)
#define ADD_MANUAL(name, options, function)                                                        \
  g_test_add ("/engine/mcp-handshake/" name, McpFixture, options " --download", set_up_manual,     \
              function, remove_download)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);

  ADD ("legacy", "--era legacy", test_legacy);
  ADD ("modern", "--era modern", test_modern);
  ADD ("both", "--era both", test_both);
  ADD ("pinned", "--era pinned", test_both);
  ADD ("yes", "--era yes", test_yes);
  ADD ("hesitant", "--era hesitant", test_hesitant);
  ADD ("asleep", "--era asleep", test_asleep);
  ADD ("future", "--era future", test_future);
  ADD ("ends-at-once", "--nonsense", test_ends_at_once);
  g_test_add ("/engine/mcp-handshake/no-such-program", McpFixture, NULL, set_up_no_such_program,
              test_no_such_program, mcp_tear_down);

  ADD ("mute", "--era mute", test_mute);
  ADD_MANUAL ("download/modern", "--era modern", test_download);
  ADD_MANUAL ("download/polite", "--era polite", test_download);
  ADD_MANUAL ("download/legacy", "--era legacy", test_download);
  ADD_MANUAL ("download/mute", "--era mute", test_download);
  ADD_MANUAL ("download/pinned", "--era pinned", test_download);
  ADD_MANUAL ("download/shy", "--era shy", test_download_shy);
  ADD_MANUAL ("never", "--era modern", test_never);
  ADD_MANUAL ("close/probing", "--era modern", test_close_probing);
  ADD_MANUAL ("close/late", "--era modern", test_close_late);

  return g_test_run ();
}
