/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers as they are found in the world: they bend the protocol, and are got on with. */

#include "config.h"

#include "mcp-fixture.h"
#include "test-process.h"
#include "test-wait.h"

#include "mcp/gadget-mcp-client-private.h"

#include <signal.h>
#include <string.h>

#define SOON_MS 10000

static gboolean
is_modern (gconstpointer options)
{
  return strstr (options, "modern") != NULL;
}

static void
assert_call (McpFixture *f, const char *tool, const char *arguments, const char *expected)
{
  g_autofree char *text = mcp_call (f, tool, arguments);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_call_fails (McpFixture *f, const char *tool, const char *arguments, GadgetMcpError code)
{
  g_autoptr (GError) error = NULL;

  mcp_start_call (f, tool, arguments);
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, (int) code);
}

/* --- Messages ---------------------------------------------------------------------------------
 */

static void
test_odd_answers (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call (f, "answers-oddly", "{\"text\":\"string\"}", "understood");
  assert_call (f, "answers-oddly", "{\"text\":\"float\"}", "understood");
  assert_call (f, "answers-oddly", "{\"text\":\"batch\"}", "understood");
  assert_call (f, "counts-oddly", "{\"steps\":2}", "counted");
  g_assert_cmpstr (f->progress->str, ==, "1/2 step 1\n2/2 step 2\n");
}

static void
test_content (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call (f, "mixes", "{}",
               "[audio that is not shown: audio/wav, 100 bytes]\n"
               "[link: file:///a – The file – what it is]\n"
               "[link: file:///b – b.txt]\n"
               "[note:c]\n[data that is not shown: application/x-c, 100 bytes]\n"
               "[note:d]\n<p>d</p>\n"
               "[a picture that is not shown: image/png, 0 bytes. It is not a PNG, "
               "JPEG, GIF or WebP picture.]\n[content of the kind “?”, which cannot be shown]");
  assert_call (f, "only-structured", "{}", "[picture 1: image/png, 28 bytes]\n[1,{\"a\":null}]");
}

/* It speaks before it is spoken to; what it asks is answered. */
static void
test_early (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call (f, "echo", "{\"text\":\"in time\"}", "in time");
  mcp_wait_log (f, "\"id\": \"p\", \"result\": {}", 1);
  g_assert_cmpuint (mcp_count_log (f, "\"code\": -32601"), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "\"code\": -32600"), ==, 1);
  g_assert_null (gadget_item_get_prompt (f->item));
}

/* Nobody could hear it any more; what is under way is not waited for. */
static void
test_closes_output (McpFixture *f, gconstpointer options)
{
  const gint64 began = g_get_monotonic_time ();

  mcp_connect (f);
  assert_call_fails (f, "closes-output", "{}", GADGET_MCP_ERROR_GONE);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 8 * G_USEC_PER_SEC);
  g_assert_error (f->closed, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
  test_wait_alive (f->log, 0);
}

/* --- The list of tools ------------------------------------------------------------------------
 */

static void
test_endless_list (McpFixture *f, gconstpointer options)
{
  const guint most = strstr (options, "round") != NULL ? 2 : 100;

  mcp_connect (f);
  /* Each of them once. */
  g_assert_cmpuint (gadget_mcp_client_get_tools (f->client)->len, ==, 10);
  g_assert_cmpuint (mcp_count_log (f, "\"tools/list\""), ==, most);
  assert_call (f, "echo", "{\"text\":\"all the same\"}", "all the same");
}

static void
set_up_manual (McpFixture *f, gconstpointer options)
{
  f->clock = gadget_clock_new_manual (1);
  mcp_set_up (f, options);
}

static void
test_list_hangs (McpFixture *f, gconstpointer options)
{
  g_autoptr (GError) error = NULL;

  mcp_begin_connect (f);
  mcp_wait_log (f, "\"cursor\": \"10\"", 1);
  gadget_clock_advance (f->clock, 31 * G_USEC_PER_SEC);
  g_assert_true (mcp_end_connect (f, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (gadget_mcp_client_get_tools (f->client)->len, ==, 10);
}

/* It changes while it is asked for. */
static void
test_list_restless (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  g_assert_cmpuint (gadget_mcp_client_get_tools (f->client)->len, ==, 29);
}

/* Each list brings the notice of a change: nobody waits for the end of that, and it is asked less
 * and less often. */
static void
test_list_storm (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call (f, "echo", "{\"text\":\"in a storm\"}", "in a storm");
  g_assert_cmpuint (gadget_mcp_client_get_tools (f->client)->len, ==, 28);
  test_run_for (2000);
  /* Of three pages each. */
  g_assert_cmpuint (mcp_count_log (f, "\"tools/list\""), >=, 3 * 3 + 1);
  g_assert_cmpuint (mcp_count_log (f, "\"tools/list\""), <=, 6 * 3);
}

/* Pages that name each other. */
static void
test_list_pair (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  g_assert_cmpuint (mcp_count_log (f, "\"tools/list\""), ==, 3);
  g_assert_cmpuint (gadget_mcp_client_get_tools (f->client)->len, ==, 10);
}

/* --- HTTP -------------------------------------------------------------------------------------
 */

/* Widespread servers say it in other words than the specification has. */
static void
test_forgets (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call (f, "forgets", "{}", "forgotten");
  assert_call (f, "echo", "{\"text\":\"again\"}", "again");
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"initialize\""), ==, 2);
}

/* A call that comes while the session is renewed waits for the new one. */
static void
test_call_in_renewal (McpFixture *f, gconstpointer options)
{
  const GadgetMcpCallSpec spec = { .server = "mock", .tool = "echo" };
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GadgetMcpResult) one = NULL;
  g_autoptr (GadgetMcpResult) two = NULL;
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  assert_call (f, "forgets", "{}", "forgotten");
  mcp_start_call (f, "echo", "{\"text\":\"one\"}");
  mcp_wait_log (f, "\"method\": \"POST\"", 8);
  test_run_for (100);
  gadget_mcp_client_call_async (f->client, &spec, NULL, test_result_cb, &second);
  one = mcp_finish_call (f, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (one->text, ==, "one");
  g_assert_true (test_wait_result (&second, SOON_MS));
  two = gadget_mcp_client_call_finish (f->client, second, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mcp_count_log (f, "\"kind\": \"unknown-session\""), ==, 1);
}

/* A call that is stopped while it waits for the new session is not kept until there is one. */
static void
test_stop_in_renewal (McpFixture *f, gconstpointer options)
{
  const GadgetMcpCallSpec spec = { .server = "mock", .tool = "echo" };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GadgetMcpResult) one = NULL;
  g_autoptr (GError) stopped = NULL;
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  assert_call (f, "forgets", "{}", "forgotten");
  mcp_start_call (f, "echo", "{\"text\":\"one\"}");
  mcp_wait_log (f, "\"method\": \"POST\"", 8);
  test_run_for (100);
  gadget_mcp_client_call_async (f->client, &spec, cancellable, test_result_cb, &second);
  g_assert_cmpuint (f->client->renewing->len, ==, 2);
  g_cancellable_cancel (cancellable);
  g_assert_true (test_wait_result (&second, SOON_MS));
  g_assert_null (gadget_mcp_client_call_finish (f->client, second, &stopped));
  g_assert_error (stopped, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (f->client->renewing->len, ==, 1);
  one = mcp_finish_call (f, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (one->text, ==, "one");
}

/* What goes on with an answer breaks off again, without a new place to go on from. */
static void
test_resumes_quietly (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call (f, "drops", "{\"steps\":3,\"text\":\"quiet\"}", "resumed");
  g_assert_cmpuint (mcp_count_log (f, "Last-Event-ID"), ==, 3);
}

/* The tool may have done its work: it is not asked to do it again. */
static void
test_answer_is_lost (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call_fails (f, "drops", "{\"steps\":1,\"text\":\"lost\"}", GADGET_MCP_ERROR_GONE);
  test_run_for (100);
  g_assert_cmpuint (mcp_count_log (f, "\"name\": \"drops\""), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"initialize\""), ==, 1);
}

static void
test_batches (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call (f, "echo", "{\"text\":\"listed\"}", "listed");
}

/* Calls are only "accepted", and answered in the stream for what is told unasked. */
static void
test_accepts (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  mcp_wait_log (f, "\"method\": \"GET\"", 1);
  test_run_for (50);
  assert_call (f, "echo", "{\"text\":\"elsewhere\"}", "elsewhere");
  mcp_start_call (f, "slow", "{\"seconds\":60}");
  mcp_wait_log (f, "\"slow\"", 1);
  test_run_for (50);
  mcp_abort (f);
  mcp_wait_log (f, "notifications/cancelled", 1);
  assert_call (f, "echo", "{\"text\":\"next\"}", "next");
}

/* There is no such stream. */
static void
test_accepts_in_vain (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  assert_call_fails (f, "never", "{}", GADGET_MCP_ERROR_GONE);
}

/* Frameworks send it on for a slash; the keys go with it, since it is the same server. */
static void
test_moved (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  g_assert_cmpstr (gadget_mcp_client_get_version (f->client), ==,
                   is_modern (options) ? "2026-07-28" : "2025-11-25");
  assert_call (f, "echo", "{\"text\":\"here\"}", "here");
}

/* To another server they do not. */
static void
test_moved_away (McpFixture *f, gconstpointer options)
{
  g_autoptr (GError) error = NULL;

  mcp_begin_connect (f);
  g_assert_false (mcp_end_connect (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED);
  if (strstr (options, "away") != NULL)
    g_assert_nonnull (strstr (error->message, "http://127.0.0.2:"));
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"POST\""), <=, 8);
}

#define ADD(name, options, function)                                                               \
  g_test_add ("/engine/mcp-strangers/" name, McpFixture, options, mcp_set_up, function,            \
              mcp_tear_down)
#define ADD_BOTH(name, options, function)                                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    ADD ("legacy/" name, "--era legacy" options, function);                                        \
    ADD ("modern/" name, "--era modern" options, function);                                        \
  }                                                                                                \
  G_STMT_END

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);

  ADD_BOTH ("odd-answers", "", test_odd_answers);
  ADD_BOTH ("content", "", test_content);
  ADD_BOTH ("early", " --early", test_early);
  ADD_BOTH ("closes-output", "", test_closes_output);
  ADD ("list/endless", "--list endless", test_endless_list);
  ADD ("list/round", "--list round", test_endless_list);
  ADD ("list/restless", "--list restless", test_list_restless);
  ADD ("list/pair", "--list pair", test_list_pair);
  ADD ("list/storm", "--list storm", test_list_storm);
  g_test_add ("/engine/mcp-strangers/list/hangs", McpFixture, "--list hangs", set_up_manual,
              test_list_hangs, mcp_tear_down);

  ADD ("http/forgets-json", "--http --session-errors json", test_forgets);
  ADD ("http/forgets-bad", "--http --session-errors bad", test_forgets);
  ADD ("http/call-in-renewal", "--http --session-errors json --slow-session 0.5",
       test_call_in_renewal);
  ADD ("http/stop-in-renewal", "--http --session-errors json --slow-session 0.5",
       test_stop_in_renewal);
  ADD ("http/resumes-quietly", "--http", test_resumes_quietly);
  ADD ("http/answer-is-lost", "--http", test_answer_is_lost);
  ADD_BOTH ("http/batches", " --http --batches", test_batches);
  ADD_BOTH ("http/batches-json", " --http --batches --json", test_batches);
  ADD ("http/accepts", "--http --accepts", test_accepts);
  ADD ("http/accepts-in-vain", "--http --accepts --no-get", test_accepts_in_vain);
  ADD_BOTH ("http/moved", " --http --moved here", test_moved);
  ADD_BOTH ("http/moved-away", " --http --moved away", test_moved_away);
  ADD_BOTH ("http/moved-round", " --http --moved round", test_moved_away);

  return g_test_run ();
}
