/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A client and a server over HTTP; see test-mcp-client.c for what is the same on every way. */

#include "config.h"

#include "fake-server.h"
#include "mcp-fixture.h"
#include "mcp/gadget-mcp-http.h"
#include "test-wait.h"

#include <signal.h>
#include <string.h>

#define SOON_MS 10000
#define HTTP_LEGACY "--http --era legacy"
#define HTTP_MODERN "--http --era modern"

static gboolean
is_modern (gconstpointer options)
{
  return strstr (options, "modern") != NULL;
}

static void
test_results (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;
  g_autofree char *structured = NULL;
  g_autofree char *large = NULL;

  mcp_connect (f);
  g_assert_cmpstr (gadget_mcp_client_get_version (f->client), ==,
                   is_modern (options) ? "2026-07-28" : "2025-11-25");
  g_assert_cmpuint (gadget_mcp_client_get_tools (f->client)->len, ==, 28);
  text = mcp_call (f, "echo", "{\"text\":\"Grüße\"}");
  g_assert_cmpstr (text, ==, "Grüße");
  structured = mcp_call (f, "structured", "{}");
  g_assert_cmpstr (structured, ==, "{\"degrees\":21}");
  large = mcp_call (f, "large", "{\"steps\":3000000}");
  g_assert_nonnull (strstr (large, "of 3000000 bytes are left out"));
}

/* The session is named by every request but the first, and deleted at the end. */
static void
test_session (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "echo", "{\"text\":\"x\"}");
  g_assert_cmpuint (mcp_count_log (f, "\"MCP-Protocol-Version\": \"2025-11-25\""), >=, 5);
  g_assert_cmpuint (mcp_count_log (f, "\"Mcp-Session-Id\""), >=, 5);
  g_assert_cmpuint (mcp_count_log (f, "unknown-session"), ==, 0);
  mcp_wait_log (f, "\"GET\"", 1);
  gadget_mcp_client_close (f->client);
  mcp_wait_log (f, "\"DELETE\"", 1);
}

/* Where it is not to be had, nothing asks for it again. */
static void
test_no_get (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  mcp_wait_log (f, "\"GET\"", 1);
  test_run_for (200);
  g_assert_cmpuint (mcp_count_log (f, "\"GET\""), ==, 1);
}

static void
test_headers (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "header", "{\"text\":\"Grüße\"}");
  g_assert_cmpuint (mcp_count_log (f, "\"Mcp-Name\": \"header\""), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "\"Mcp-Param-Text\": \"=?base64?R3LDvMOfZQ==?=\""), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "\"Mcp-Method\": \"tools/call\""), ==, 1);
  g_assert_cmpuint (mcp_count_log (f, "Mcp-Session-Id"), ==, 0);
  g_assert_cmpuint (mcp_count_log (f, "\"GET\""), ==, 0);
}

static void
test_progress (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "counts", "{\"steps\":3}");
  g_assert_cmpstr (f->progress->str, ==, "1/3 step 1\n2/3 step 2\n3/3 step 3\n");
}

static gboolean
has_new_tool (gpointer user_data)
{
  return gadget_mcp_client_get_tools (((McpFixture *) user_data)->client)->len == 29;
}

static void
test_list_changed (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  mcp_wait_log (f, is_modern (options) ? "subscriptions/listen" : "\"GET\"", 1);
  test_run_for (50);
  text = mcp_call (f, "grows", "{}");
  g_assert_true (test_wait_until (has_new_tool, f, SOON_MS));
}

/* What was not told while nobody listened is looked for. */
static void
test_listens_again (McpFixture *f, const char *arguments)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  mcp_wait_log (f, "subscriptions/listen", 1);
  test_run_for (50);
  text = mcp_call (f, "grows", arguments);
  g_assert_cmpstr (text, ==, "grown");
  g_assert_true (test_wait_until (has_new_tool, f, SOON_MS));
}

static void
test_listen_cut (McpFixture *f, gconstpointer options)
{
  test_listens_again (f, "{\"text\":\"cuts\"}");
  mcp_wait_log (f, "\"Mcp-Method\": \"subscriptions/listen\"", 2);
}

static void
test_listen_ended (McpFixture *f, gconstpointer options)
{
  test_listens_again (f, "{\"text\":\"ends\"}");
  mcp_wait_log (f, "\"Mcp-Method\": \"subscriptions/listen\"", 2);
}

/* It is over: nothing listens, or is about to. */
static void
test_listen_closed (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  mcp_wait_log (f, "subscriptions/listen", 1);
  test_run_for (50);
  text = mcp_call (f, "grows", "{\"text\":\"cuts\"}");
  test_run_for (50);
  gadget_mcp_client_close (f->client);
  test_run_for (1500);
  g_assert_cmpuint (mcp_count_log (f, "\"Mcp-Method\": \"subscriptions/listen\""), ==, 1);
}

static void
test_asks (McpFixture *f, gconstpointer options)
{
  g_autoptr (GadgetMcpResult) result = NULL;

  mcp_connect (f);
  mcp_start_call (f, "asks", "{}");
  mcp_answer (f, "Ada");
  result = mcp_finish_call (f, NULL);
  g_assert_cmpstr (result->text, ==, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
}

/* X18: the stream is closed; the older version is told besides. */
static void
test_abort (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;
  gint64 began;

  mcp_connect (f);
  mcp_start_call (f, "slow", "{\"seconds\":60}");
  mcp_wait_log (f, "\"slow\"", 1);
  began = g_get_monotonic_time ();
  mcp_abort (f);
  mcp_wait_log (f, "\"kind\": \"closed\"", 1);
  g_test_message ("seen %.1f ms later", (double) (g_get_monotonic_time () - began) / 1000);
  if (is_modern (options))
    test_run_for (100);
  else
    mcp_wait_log (f, "notifications/cancelled", 1);
  g_assert_cmpuint (mcp_count_log (f, "notifications/cancelled"), ==, is_modern (options) ? 0 : 1);
  text = mcp_call (f, "echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
  g_assert_cmpuint (mcp_count_log (f, "\"initialize\""), ==, is_modern (options) ? 0 : 1);
}

static void
test_answers_cancelled (McpFixture *f, gconstpointer options)
{
  static const char *const tools[] = { "stubborn", "refuses", "never" };

  mcp_connect (f);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *text = NULL;

      mcp_start_call (f, tools[i], "{}");
      mcp_wait_log (f, tools[i], 1);
      mcp_abort (f);
      test_run_for (150);
      text = mcp_call (f, "echo", "{\"text\":\"same\"}");
      g_assert_cmpstr (text, ==, "same");
    }
}

static void
test_abort_anywhere (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GadgetMcpResult) result = NULL;

      mcp_start_call (f, i % 2 == 0 ? "counts" : "drops", "{\"text\":\"x\",\"steps\":2}");
      test_run_for ((guint) g_test_rand_int_range (0, 12));
      g_cancellable_cancel (f->cancellable);
      result = mcp_finish_call (f, &error);
      if (result == NULL && !is_modern (options))
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  text = mcp_call (f, "echo", "{\"text\":\"after\"}");
  g_assert_cmpstr (text, ==, "after");
}

static void
test_abort_asking (McpFixture *f, gconstpointer options)
{
  mcp_connect (f);
  mcp_start_call (f, "asks", "{}");
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  mcp_abort (f);
  if (!is_modern (options))
    mcp_wait_log (f, "\"action\": \"cancel\"", 1);
}

/* X21: that it does not accept the notification harms nothing. */
static void
test_rejected_cancel (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  mcp_start_call (f, "slow", "{\"seconds\":60}");
  mcp_wait_log (f, "\"slow\"", 1);
  mcp_abort (f);
  mcp_wait_log (f, "notifications/cancelled", 1);
  test_run_for (50);
  g_assert_cmpuint (f->n_closed, ==, 0);
  text = mcp_call (f, "echo", "{\"text\":\"next\"}");
  g_assert_cmpstr (text, ==, "next");
}

/* A call in a session that is gone begins a new one. */
static void
test_forgets (McpFixture *f, gconstpointer options)
{
  g_autofree char *forgotten = NULL;
  g_autofree char *text = NULL;

  mcp_connect (f);
  forgotten = mcp_call (f, "forgets", "{}");
  g_assert_cmpstr (forgotten, ==, "forgotten");
  text = mcp_call (f, "echo", "{\"text\":\"again\"}");
  g_assert_cmpstr (text, ==, "again");
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"initialize\""), ==, 2);
  g_assert_cmpuint (mcp_count_log (f, "unknown-session"), >=, 1);
}

/* A server that forgets a session was perhaps started anew, with other tools. */
static void
test_forgets_and_grows (McpFixture *f, gconstpointer options)
{
  g_autofree char *forgotten = NULL;
  g_autofree char *text = NULL;

  mcp_connect (f);
  forgotten = mcp_call (f, "forgets", "{\"text\":\"grows\"}");
  g_assert_false (has_new_tool (f));
  f->n_tools_changed = 0;
  text = mcp_call (f, "echo", "{\"text\":\"again\"}");
  g_assert_cmpstr (text, ==, "again");
  g_assert_true (test_wait_until (has_new_tool, f, SOON_MS));
  g_assert_cmpuint (f->n_tools_changed, ==, 1);
}

static void
test_resumes (McpFixture *f, gconstpointer options)
{
  g_autofree char *once = NULL;
  g_autofree char *thrice = NULL;

  mcp_connect (f);
  once = mcp_call (f, "drops", "{\"steps\":1}");
  g_assert_cmpstr (once, ==, "resumed");
  g_assert_cmpuint (mcp_count_log (f, "Last-Event-ID"), ==, 1);
  thrice = mcp_call (f, "drops", "{\"steps\":3}");
  g_assert_cmpstr (thrice, ==, "resumed");
  g_assert_cmpuint (mcp_count_log (f, "Last-Event-ID"), ==, 4);
}

/* The server dies in the middle of the call. Nothing listens at its address any more, so that no
 * answer can come: the call does not wait for one. */
static void
test_dies (McpFixture *f, gconstpointer options)
{
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_start_call (f, "drops", "{\"text\":\"killed\"}");
  mcp_wait_log (f, "\"drops\"", 1);
  test_run_for (50);
  g_assert_cmpint (kill (f->process, SIGKILL), ==, 0);
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
}

/* The same where the answer was to come in the stream for what is told unasked. */
static void
test_dies_elsewhere (McpFixture *f, gconstpointer options)
{
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_wait_log (f, "\"method\": \"GET\"", 1);
  mcp_start_call (f, "slow", "{\"seconds\":60}");
  mcp_wait_log (f, "\"slow\"", 1);
  test_run_for (50);
  g_assert_cmpint (kill (f->process, SIGKILL), ==, 0);
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
}

/* The modern version cannot take it up. */
static void
test_lost (McpFixture *f, gconstpointer options)
{
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_start_call (f, "drops", "{\"steps\":1}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_GONE);
  g_assert_cmpuint (mcp_count_log (f, "\"GET\""), ==, 0);
}

/* --- Tasks --- */

/* A poll that fails says nothing about the task. */
static void
test_task_poll_fails (McpFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "task", "{\"seconds\":0.1,\"text\":\"fails\",\"steps\":3}");
  g_assert_cmpstr (text, ==, "task done");
  g_assert_cmpuint (mcp_count_log (f, "\"method\": \"tasks/cancel\""), ==, 0);
}

/* When none succeeds, nobody will fetch the result: the server is told to stop. */
static void
test_task_polls_fail (McpFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_start_call (f, "task", "{\"seconds\":60,\"text\":\"fails\",\"steps\":100}");
  g_assert_null (mcp_finish_call (f, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED);
  mcp_wait_log (f, "\"method\": \"tasks/cancel\"", 1);
}

/* The question of a task belongs to the call that began the task, not to a later one. */
static void
test_task_asks (McpFixture *f, gconstpointer data)
{
  g_autoptr (GadgetItem) later = gadget_item_new (GADGET_ITEM_TOOL_CALL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (JsonObject) arguments = json_object_new ();
  const GadgetMcpCallSpec spec = {
    .server = "mock", .tool = "never", .arguments = arguments, .item = later
  };
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (GadgetMcpResult) result = NULL;
  g_autoptr (GError) error = NULL;

  mcp_connect (f);
  mcp_start_call (f, "task", "{\"text\":\"asks\"}");
  gadget_mcp_client_call_async (f->client, &spec, cancellable, test_result_cb, &ended);
  g_assert_true (test_wait_until (mcp_has_prompt, f, SOON_MS));
  g_assert_null (gadget_item_get_prompt (later));
  mcp_answer (f, "Ada");
  result = mcp_finish_call (f, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (result->text, ==, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
  g_cancellable_cancel (cancellable);
  g_assert_true (test_wait_result (&ended, SOON_MS));
  g_assert_null (gadget_mcp_client_call_finish (f->client, ended, NULL));
}

static void
assert_fails (McpFixture *f, GadgetMcpError code)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_mcp_client_connect_async (f->client, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_false (gadget_mcp_client_connect_finish (f->client, result, &error));
  g_assert_error (error, GADGET_MCP_ERROR, (int) code);
}

static void
set_up_key (McpFixture *f, gconstpointer options)
{
  f->headers[0] = "Authorization";
  f->headers[1] = strstr (options, "modern") != NULL ? "Bearer right" : "Bearer wrong";
  mcp_set_up (f, options);
}

static void
test_wrong_key (McpFixture *f, gconstpointer options)
{
  assert_fails (f, GADGET_MCP_ERROR_REFUSED);
}

static void
test_right_key (McpFixture *f, gconstpointer options)
{
  g_autofree char *text = NULL;

  mcp_connect (f);
  text = mcp_call (f, "echo", "{\"text\":\"in\"}");
}

static void
set_up_nobody (McpFixture *f, gconstpointer options)
{
  f->http = gadget_http_new (NULL);
  f->transport = gadget_mcp_http_new (f->http, "nobody", "http://127.0.0.1:1/mcp", NULL);
  mcp_set_up (f, NULL);
}

static void
test_nobody (McpFixture *f, gconstpointer options)
{
  assert_fails (f, GADGET_MCP_ERROR_START);
  g_clear_object (&f->http);
}

/* T5: what answers nothing at all holds nobody up, and is given up. */
static void
test_deaf (McpFixture *f, gconstpointer options)
{
  g_autoptr (FakeServer) server = fake_server_new_deaf ();
  g_autofree char *url = fake_server_dup_url (server, "/mcp");
  g_autoptr (GadgetHttp) http = gadget_http_new (NULL);
  GadgetHttpLimits limits = *gadget_http_get_limits (http);
  g_autoptr (GadgetMcpTransport) transport = NULL;
  g_autoptr (GadgetMcpClient) client = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gint64 began = g_get_monotonic_time ();

  limits.connect_ms = 300;
  gadget_http_set_limits (http, &limits);
  transport = gadget_mcp_http_new (http, "deaf", url, NULL);
  client = gadget_mcp_client_new (transport, gadget_clock_get_default ());
  gadget_mcp_client_connect_async (client, test_result_cb, &result);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 100 * 1000);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_false (gadget_mcp_client_connect_finish (client, result, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_START);
  g_assert_cmpint (g_get_monotonic_time () - began, >=, 250 * 1000);
  gadget_mcp_client_close (client);
  test_run_for (50);
}

/* A server of the transport of 2024 answers with a page, of which nothing is shown. */
static void
test_page (McpFixture *f, gconstpointer path)
{
  g_autoptr (FakeServer) server = fake_server_new ();
  g_autofree char *url = fake_server_dup_url (server, path);
  g_autoptr (GadgetHttp) http = gadget_http_new (NULL);
  g_autoptr (GadgetMcpTransport) transport = gadget_mcp_http_new (http, "page", url, NULL);
  g_autoptr (GadgetMcpClient) client =
      gadget_mcp_client_new (transport, gadget_clock_get_default ());
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4; i++)
    fake_reply_body (fake_server_add_reply (server), 405, "text/html",
                     "<!DOCTYPE html>\n<title>Error</title>\n<pre>Cannot POST</pre>", NULL);
  gadget_mcp_client_connect_async (client, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_false (gadget_mcp_client_connect_finish (client, result, &error));
  g_assert_error (error, GADGET_MCP_ERROR, GADGET_MCP_ERROR_REFUSED);
  g_assert_null (strchr (error->message, '<'));
  g_assert_nonnull (strstr (error->message, g_str_equal (path, "/sse") ? "SSE" : "web page"));
  gadget_mcp_client_close (client);
  test_run_for (50);
}

#define ADD(name, options, function)                                                               \
  g_test_add ("/engine/mcp-http/" name, McpFixture, options, mcp_set_up, function, mcp_tear_down)
#define ADD_LEGACY(name, function)                                                                 \
  g_test_add ("/engine/mcp-http/legacy/" name, McpFixture, HTTP_LEGACY, mcp_set_up, function,      \
              mcp_tear_down)
#define ADD_MODERN(name, function)                                                                 \
  g_test_add ("/engine/mcp-http/modern/" name, McpFixture, HTTP_MODERN, mcp_set_up, function,      \
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

  ADD_BOTH ("results", test_results);
  ADD ("legacy/json", HTTP_LEGACY " --json --no-get", test_results);
  ADD ("modern/json", HTTP_MODERN " --json", test_results);
  ADD_LEGACY ("session", test_session);
  ADD ("legacy/no-get", HTTP_LEGACY " --no-get", test_no_get);
  ADD_MODERN ("headers", test_headers);
  ADD_BOTH ("progress", test_progress);
  ADD_BOTH ("list-changed", test_list_changed);
  ADD_MODERN ("listen-cut", test_listen_cut);
  ADD_MODERN ("listen-ended", test_listen_ended);
  ADD_MODERN ("listen-closed", test_listen_closed);
  ADD_BOTH ("asks", test_asks);
  ADD_BOTH ("X18-abort", test_abort);
  ADD_BOTH ("task", mcp_test_task);
  ADD_BOTH ("task/poll-fails", test_task_poll_fails);
  ADD_BOTH ("task/polls-fail", test_task_polls_fail);
  ADD_LEGACY ("task/asks", test_task_asks);
  ADD_BOTH ("X22-abort-task", mcp_test_abort_task);
  ADD_BOTH ("X19-answers-cancelled", test_answers_cancelled);
  ADD_BOTH ("abort-anywhere", test_abort_anywhere);
  ADD_BOTH ("X23-abort-asking", test_abort_asking);
  ADD ("X21-rejected-cancel", HTTP_LEGACY " --rejects-cancel", test_rejected_cancel);
  ADD_LEGACY ("forgets", test_forgets);
  ADD_LEGACY ("forgets/grows", test_forgets_and_grows);
  ADD_LEGACY ("resumes", test_resumes);
  ADD_BOTH ("dies", test_dies);
  ADD ("legacy/dies-elsewhere", HTTP_LEGACY " --accepts", test_dies_elsewhere);
  ADD_MODERN ("lost", test_lost);
  ADD_LEGACY ("unreadable", mcp_test_unreadable);
  ADD ("legacy/unreadable-json", HTTP_LEGACY " --json --no-get", mcp_test_unreadable);
  g_test_add ("/engine/mcp-http/wrong-key", McpFixture, HTTP_LEGACY, set_up_key, test_wrong_key,
              mcp_tear_down);
  g_test_add ("/engine/mcp-http/right-key", McpFixture, HTTP_MODERN, set_up_key, test_right_key,
              mcp_tear_down);
  g_test_add ("/engine/mcp-http/nobody", McpFixture, NULL, set_up_nobody, test_nobody,
              mcp_tear_down);
  g_test_add ("/engine/mcp-http/page", McpFixture, "/mcp", NULL, test_page, NULL);
  g_test_add ("/engine/mcp-http/page-of-2024", McpFixture, "/sse", NULL, test_page, NULL);
  g_test_add ("/engine/mcp-http/T5-deaf", McpFixture, NULL, NULL, test_deaf, NULL);

  return g_test_run ();
}
