/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The provider against a server that answers well, badly, late or not at all. */

#include "config.h"

#include "fake-server.h"
#include "test-wait.h"

#include "providers/gadget-http-provider.h"
#include "providers/gadget-openai-chat.h"
#include "providers/gadget-retry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOON_MS 8000
#define KEY "sk-very-secret"

typedef struct
{
  FakeServer *server;
  FakeReply *reply;
  GadgetClock *clock; /* manual */
  GadgetHttp *http;
  GadgetProvider *provider;
  GadgetRequest *request;
  GadgetReceipt *receipt;
  GCancellable *cancellable;
  GAsyncResult *result;
  GString *text;
  GString *log;
  guint abort_at_length; /* of the text: aborts from within the sink */
  guint n_retries;
  guint retry_ms;
  guint n_loading;
  guint n_late;
} Fixture;

static void
sink (const GadgetChatEvent *event, gpointer user_data)
{
  Fixture *f = user_data;

  if (g_cancellable_is_cancelled (f->cancellable))
    f->n_late++;
  switch (event->type)
    {
    case GADGET_CHAT_TEXT:
      g_string_append (f->text, event->text);
      if (f->abort_at_length > 0 && f->text->len >= f->abort_at_length)
        g_cancellable_cancel (f->cancellable);
      break;
    case GADGET_CHAT_RETRY:
      f->n_retries++;
      f->retry_ms = event->retry_ms;
      break;
    case GADGET_CHAT_LOADING:
      f->n_loading++;
      break;
    case GADGET_CHAT_CALL_BEGIN:
      g_string_append_printf (f->log, "%s:%s ", event->call_id, event->name);
      break;
    case GADGET_CHAT_CALL_ARGUMENTS:
      g_string_append_printf (f->log, "%s ", event->text);
      break;
    case GADGET_CHAT_USAGE:
      g_string_append_printf (f->log, "usage:%d/%d ", (int) event->input_tokens,
                              (int) event->output_tokens);
      if (event->cost > 0)
        g_string_append_printf (f->log, "cost:%" G_GINT64_FORMAT " ", event->cost);
      break;
    case GADGET_CHAT_REASONING:
    case GADGET_CHAT_CALL_END:
    default:
      break;
    }
}

static void
use_address (Fixture *f, const char *url, GadgetClock *clock)
{
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "fake", "Fake", GADGET_PROVIDER_KIND_OPENAI_CHAT, url, "fake-model");

  g_clear_object (&f->provider);
  g_clear_object (&f->http);
  f->http = gadget_http_new (clock);
  f->provider = gadget_http_provider_new (&gadget_openai_chat_dialect, config, f->http, KEY "\n");
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *url = NULL;

  f->server = fake_server_new ();
  f->reply = fake_server_add_reply (f->server);
  f->clock = gadget_clock_new_manual (1000);
  url = fake_server_dup_url (f->server, "/v1");
  use_address (f, url, f->clock);
  f->request = gadget_request_new ();
  gadget_request_add_message (f->request, GADGET_ROLE_USER, "Hi");
  f->receipt = gadget_receipt_new ();
  f->cancellable = g_cancellable_new ();
  f->text = g_string_new (NULL);
  f->log = g_string_new (NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_cmpuint (f->n_late, ==, 0);
  g_clear_object (&f->result);
  g_assert_finalize_object (f->provider);
  g_assert_finalize_object (f->http);
  g_clear_object (&f->clock);
  gadget_request_unref (f->request);
  g_clear_object (&f->receipt);
  g_clear_object (&f->cancellable);
  g_string_free (f->text, TRUE);
  g_string_free (f->log, TRUE);
  fake_server_free (f->server);
}

static void
start (Fixture *f)
{
  gadget_provider_chat_async (f->provider, f->request, sink, f, f->receipt, f->cancellable,
                              test_result_cb, &f->result);
}

static gboolean
finish (Fixture *f, GError **error)
{
  gboolean good;

  g_assert_true (test_wait_result (&f->result, SOON_MS));
  good = gadget_provider_chat_finish (f->provider, f->result, error);
  g_clear_object (&f->result);
  g_assert_cmpuint (gadget_receipt_get_n_in_flight (f->receipt), ==, 0);
  return good;
}

static void
assert_fails (Fixture *f, GadgetProviderError code, const char *said)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (finish (f, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, said));
  g_assert_null (strstr (error->message, KEY));
}

static void
assert_aborted (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (finish (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gboolean
has_text (gpointer user_data)
{
  return ((Fixture *) user_data)->text->len > 0;
}

static gboolean
has_ended (gpointer user_data)
{
  return fake_server_count_ends (user_data) > 0;
}

/* --- Good answers ---------------------------------------------------------------------------- */

static void
test_text (Fixture *f, gconstpointer data)
{
  const FakeRequest *request;

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_flow (f->reply, "word ", 50, 1000);
  fake_reply_chat_finish (f->reply, "stop");
  start (f);
  g_assert_true (finish (f, NULL));
  g_assert_cmpuint (f->text->len, ==, 250);
  g_assert_cmpstr (f->log->str, ==, "usage:12/34 ");

  request = fake_server_get_request (f->server, 0);
  g_assert_cmpstr (request->path, ==, "/v1/chat/completions");
  g_assert_nonnull (strstr (request->head, "Authorization: Bearer " KEY "\r\n"));
  g_assert_nonnull (strstr (request->body, "\"model\":\"fake-model\""));
  g_assert_null (strstr (request->body, KEY));
  g_assert_null (strstr (request->path, KEY));
}

static void
test_calls (Fixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_call (f->reply, 0, "c1", "shell", "{\"command\"");
  fake_reply_chat_call (f->reply, 0, NULL, NULL, ":\"ls\"}");
  fake_reply_chat_call (f->reply, 1, "c2", "wait", "{}");
  fake_reply_chat_finish (f->reply, "tool_calls");
  start (f);
  g_assert_true (finish (f, NULL));
  g_assert_cmpstr (f->log->str, ==, "c1:shell {\"command\" :\"ls\"} c2:wait {} usage:12/34 ");
}

static void
test_generate (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_reasoning (f->reply, "hm");
  fake_reply_chat_text (f->reply, "A ");
  fake_reply_chat_text (f->reply, "title");
  fake_reply_chat_finish (f->reply, "stop");
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  text = gadget_provider_generate_finish (f->provider, f->result, NULL);
  g_assert_cmpstr (text, ==, "A title");
}

static void
test_generate_abort (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_flow (f->reply, "word ", 10000, 200);
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  test_run_for (100);
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  g_assert_null (gadget_provider_generate_finish (f->provider, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (test_wait_until (has_ended, f->server, SOON_MS));
}

/* A server that does not stream. */
static void
test_json (Fixture *f, gconstpointer data)
{
  fake_reply_body (
      f->reply, 200, "application/json",
      "{\"choices\":[{\"message\":{\"content\":\"Whole\"},\"finish_reason\":\"stop\"}],"
      "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}",
      NULL);
  start (f);
  g_assert_true (finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "Whole");
  g_assert_cmpstr (f->log->str, ==, "usage:1/2 ");
}

/* OpenRouter says what an answer cost, others something else under the same name. */
static void
test_cost (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *cost;
    const char *log;
  } cases[] = {
    { "0.95", "usage:1/2 cost:950000000 " },
    { "0.00000012", "usage:1/2 cost:120 " },
    { "2", "usage:1/2 cost:2000000000 " },
    { "0", "usage:1/2 " },
    { "-1", "usage:1/2 " },
    { "1e300", "usage:1/2 " },
    { "{\"total_cost\":0.5}", "usage:1/2 " },
    { "\"0.5\"", "usage:1/2 " },
    { "null", "usage:1/2 " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *body = g_strdup_printf (
          "{\"choices\":[{\"message\":{\"content\":\"Whole\"},\"finish_reason\":\"stop\"}],"
          "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2,\"cost\":%s}}",
          cases[i].cost);

      g_string_truncate (f->log, 0);
      if (i > 0)
        f->reply = fake_server_add_reply (f->server);
      fake_reply_body (f->reply, 200, "application/json", body, NULL);
      start (f);
      g_assert_true (finish (f, NULL));
      g_assert_cmpstr (f->log->str, ==, cases[i].log);
    }
}

/* A server that cut a character in two, in the middle of a good answer: half a character is lost,
 * not all that follows. */
static void
test_not_utf8 (Fixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 200, "text/event-stream",
                   "data: {\"choices\":[{\"delta\":{\"content\":\"a\xe4\xb8\"}}]}\n\n"
                   "data: {\"choices\":[{\"delta\":{\"content\":\"\x96"
                   "b\"},\"finish_reason\":\"stop\"}]}\n\n"
                   "data: [DONE]\n\n",
                   NULL);
  start (f);
  g_assert_true (finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==,
                   "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                   "b");
}

static void
test_without_usage (Fixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 400, "application/json",
                   "{\"error\":{\"message\":\"Unknown field stream_options\"}}", NULL);
  fake_reply_chat_begin (second);
  fake_reply_chat_text (second, "ok");
  fake_reply_chat_finish (second, "stop");
  start (f);
  g_assert_true (finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 0)->body, "stream_options"));
  g_assert_null (strstr (fake_server_get_request (f->server, 1)->body, "stream_options"));

  /* And it is remembered. */
  start (f);
  g_assert_true (finish (f, NULL));
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
}

static void
test_models (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) models = NULL;

  fake_server_set_models (f->server, "{\"data\":[{\"id\":\"other\"},{\"id\":\"fake-model\"}]}");
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 2);
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 0)), ==, "fake-model");
  g_assert_cmpstr (fake_server_get_request (f->server, 0)->path, ==, "/v1/models");
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 0)->head, "Bearer " KEY));
}

static void
test_models_abort (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_reply_stall (fake_server_set_get_reply (f->server));
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  test_run_for (50);
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  g_assert_null (gadget_provider_list_models_finish (f->provider, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (test_wait_until (has_ended, f->server, SOON_MS));
}

/* --- Bad answers ----------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  guint status;
  const char *type;
  const char *body;
  GadgetProviderError code;
  const char *said;
} BadAnswer;

static const BadAnswer bad_answers[] = {
  { "wrong-key", 401, "application/json",
    "{\"error\":{\"message\":\"Incorrect key: " KEY "\",\"code\":\"invalid_api_key\"}}",
    GADGET_PROVIDER_ERROR_AUTH, "Incorrect key: …" },
  { "html", 200, "text/html", "<!DOCTYPE html><html></html>", GADGET_PROVIDER_ERROR_ADDRESS,
    "web page" },
  { "html-404", 404, "text/html", "<html></html>", GADGET_PROVIDER_ERROR_ADDRESS, "404" },
  { "missing-model", 404, "application/json",
    "{\"error\":{\"message\":\"The model `x` does not exist\",\"code\":\"model_not_found\"}}",
    GADGET_PROVIDER_ERROR_MODEL, "does not exist" },
  { "context", 400, "application/json",
    "{\"error\":{\"message\":\"maximum context length\",\"code\":\"context_length_exceeded\"}}",
    GADGET_PROVIDER_ERROR_CONTEXT, "maximum context length" },
  { "not-sse", 200, "text/plain", "hello there\n", GADGET_PROVIDER_ERROR_BAD_ANSWER,
    "not a stream" },
  { "not-sse-with-its-type", 200, "text/event-stream", "hello there\n",
    GADGET_PROVIDER_ERROR_BAD_ANSWER, "not a stream" },
  { "error-with-200", 200, "application/json", "{\"error\":{\"message\":\"No\"}}",
    GADGET_PROVIDER_ERROR_REFUSED, "No" },
};

static void
test_bad_answer (Fixture *f, gconstpointer data)
{
  const BadAnswer *bad = data;

  fake_reply_body (f->reply, bad->status, bad->type, bad->body, NULL);
  start (f);
  assert_fails (f, bad->code, bad->said);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

static void
test_long_line (Fixture *f, gconstpointer data)
{
  g_autofree char *line = g_strnfill (1000000, 'x');

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_text (f->reply, "before");
  fake_reply_chunk (f->reply, "data: {\"choices\":[{\"delta\":{\"content\":\"");
  fake_reply_repeat (f->reply, line, 10, 0);
  fake_reply_chunk (f->reply, "\"}}]}\n\n");
  fake_reply_chat_finish (f->reply, "stop");
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_TOO_LARGE, "line longer than");
  g_assert_cmpstr (f->text->str, ==, "before");
  g_assert_true (test_wait_until (has_ended, f->server, SOON_MS));
}

/* A model that does not end; what came is kept, and the server need not wait for its end. */
static void
test_endless (Fixture *f, gconstpointer data)
{
  g_autofree char *words = g_strnfill (1000000, 'x');
  g_autofree char *event =
      g_strdup_printf ("data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", words);

  fake_reply_chat_begin (f->reply);
  fake_reply_repeat (f->reply, event, 60, 0);
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_TOO_LARGE, "larger than 32 MiB");
  g_assert_cmpuint (f->text->len, >=, 32 * 1024 * 1024);
  g_assert_cmpuint (f->text->len, <, 36 * 1000 * 1000);
  g_assert_true (test_wait_until (has_ended, f->server, SOON_MS));
}

static void
test_cut (Fixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_text (f->reply, "half an ans");
  if (g_strcmp0 (data, "fin") == 0)
    fake_reply_close (f->reply);
  else if (g_strcmp0 (data, "rst") == 0)
    fake_reply_rst (f->reply);
  else
    fake_reply_end (f->reply);
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_CUT, "");
  g_assert_cmpstr (f->text->str, ==, "half an ans");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_not_an_address (Fixture *f, gconstpointer data)
{
  use_address (f, "localhost:8080", f->clock);
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_ADDRESS, "localhost:8080");
}

static void
test_odd_key (Fixture *f, gconstpointer data)
{
  g_autofree char *url = fake_server_dup_url (f->server, "/v1");
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new (
      "fake", "Fake", GADGET_PROVIDER_KIND_OPENAI_CHAT, url, "fake-model");

  g_clear_object (&f->provider);
  f->provider =
      gadget_http_provider_new (&gadget_openai_chat_dialect, config, f->http, "a\r\nX-Evil: 1");
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_AUTH, "characters");
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 0);
}

/* --- Retries --------------------------------------------------------------------------------- */

typedef struct
{
  Fixture *f;
  guint n;
} Retries;

static gboolean
has_retried (gpointer user_data)
{
  const Retries *retries = user_data;

  return retries->f->n_retries >= retries->n || retries->f->result != NULL;
}

static void
await_retry (Fixture *f, guint n)
{
  g_assert_true (test_wait_until (has_retried, &(Retries) { f, n }, SOON_MS));
  g_assert_null (f->result);
  g_assert_cmpuint (f->n_retries, ==, n);
}

static void
test_retry_then_good (Fixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);
  FakeReply *third = fake_server_add_reply (f->server);

  fake_reply_body (f->reply, 503, "text/plain", "busy", NULL);
  fake_reply_body (second, 429, "application/json", "{\"error\":{\"message\":\"slow\"}}",
                   "Retry-After: 7\r\n");
  fake_reply_chat_begin (third);
  fake_reply_chat_text (third, "at last");
  fake_reply_chat_finish (third, "stop");

  start (f);
  await_retry (f, 1);
  g_assert_cmpuint (f->retry_ms, >=, 250);
  g_assert_cmpuint (f->retry_ms, <=, 500);
  gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
  await_retry (f, 2);
  g_assert_cmpuint (f->retry_ms, ==, 7000);
  gadget_clock_advance (f->clock, 6999 * 1000);
  test_run_for (50);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
  gadget_clock_advance (f->clock, 1000);
  g_assert_true (finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "at last");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
}

static void
test_retries_used_up (Fixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 500, "text/plain", "broken", NULL);
  start (f);
  for (guint i = 1; i <= GADGET_RETRY_MAX; i++)
    {
      await_retry (f, i);
      gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
    }
  assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "broken");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, GADGET_RETRY_MAX + 1);
}

static void
test_retry_unreachable (Fixture *f, gconstpointer data)
{
  use_address (f, "http://127.0.0.1:1/v1", f->clock);
  start (f);
  for (guint i = 1; i <= GADGET_RETRY_MAX; i++)
    {
      await_retry (f, i);
      gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
    }
  assert_fails (f, GADGET_PROVIDER_ERROR_UNREACHABLE, "");
}

static void
test_retry_after_too_long (Fixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 429, "application/json", "{\"error\":{\"message\":\"tomorrow\"}}",
                   "Retry-After: 86400\r\n");
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_RATE_LIMITED, "tomorrow (the server asks to wait until 2");
  g_assert_cmpuint (f->n_retries, ==, 0);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

static void
test_no_retry_after_output (Fixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_text (f->reply, "some");
  fake_reply_chunk (f->reply, "data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n");
  fake_reply_end (f->reply);
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "overloaded");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_retry_after_usage (Fixture *f, gconstpointer data)
{
  FakeReply *second = fake_server_add_reply (f->server);

  fake_reply_chat_begin (f->reply);
  fake_reply_chunk (f->reply, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,"
                              "\"completion_tokens\":0}}\n\n");
  fake_reply_chunk (f->reply, "data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n");
  fake_reply_end (f->reply);
  fake_reply_chat_begin (second);
  fake_reply_chat_text (second, "at last");
  fake_reply_chat_finish (second, "stop");
  start (f);
  await_retry (f, 1);
  gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
  g_assert_true (finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "at last");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
}

static void
test_abort_in_retry (Fixture *f, gconstpointer data)
{
  gint64 began;

  fake_reply_body (f->reply, 503, "text/plain", "busy", "Retry-After: 60\r\n");
  start (f);
  await_retry (f, 1);
  began = g_get_monotonic_time ();
  g_cancellable_cancel (f->cancellable);
  assert_aborted (f);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 100 * 1000);
  gadget_clock_advance (f->clock, 120 * G_USEC_PER_SEC);
  test_run_for (50);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

static void
test_loading (Fixture *f, gconstpointer data)
{
  FakeReply *reply = f->reply;

  for (guint i = 0; i < 10; i++)
    {
      fake_reply_body (reply, 503, "application/json",
                       "{\"error\":{\"message\":\"Loading model\",\"code\":503}}", NULL);
      reply = fake_server_add_reply (f->server);
    }
  fake_reply_chat_begin (reply);
  fake_reply_chat_text (reply, "loaded");
  fake_reply_chat_finish (reply, "stop");
  start (f);
  for (guint i = 0; i < 500 && f->result == NULL; i++)
    {
      test_run_for (5);
      gadget_clock_advance (f->clock, G_USEC_PER_SEC);
    }
  g_assert_true (finish (f, NULL));
  g_assert_cmpuint (f->n_loading, ==, 10);
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_delays (void)
{
  g_assert_cmpuint (gadget_retry_get_delay (0, 0), ==, 250);
  g_assert_cmpuint (gadget_retry_get_delay (0, 1), ==, 500);
  g_assert_cmpuint (gadget_retry_get_delay (1, 1), ==, 1000);
  g_assert_cmpuint (gadget_retry_get_delay (2, 1), ==, 2000);
  g_assert_cmpuint (gadget_retry_get_delay (100, 1), <, 1000000);
}

/* --- Aborts ---------------------------------------------------------------------------------- */

static void
test_abort_before (Fixture *f, gconstpointer data)
{
  g_cancellable_cancel (f->cancellable);
  start (f);
  assert_aborted (f);
  test_run_for (50);
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 0);
}

static void
test_abort_mid_text (Fixture *f, gconstpointer data)
{
  g_autofree char *shown = NULL;

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_flow (f->reply, "word ", 100000, GPOINTER_TO_INT (data));
  start (f);
  g_assert_true (test_wait_until (has_text, f, SOON_MS));
  test_run_for (50);
  shown = g_strdup (f->text->str);
  g_cancellable_cancel (f->cancellable);
  assert_aborted (f);
  g_assert_true (test_wait_until (has_ended, f->server, SOON_MS));
  g_assert_cmpstr (f->text->str, ==, shown);
  g_assert_cmpuint (f->n_retries, ==, 0);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

/* Whoever gets the text aborts: nothing of the same piece comes after. */
static void
test_abort_from_sink (Fixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chunk (f->reply, "data: {\"choices\":[{\"delta\":{\"content\":\"one\"}}]}\n\n"
                              "data: {\"choices\":[{\"delta\":{\"content\":\"two\"}}]}\n\n"
                              "data: {\"choices\":[{\"delta\":{\"content\":\"three\"}}]}\n\n");
  fake_reply_chat_finish (f->reply, "stop");
  f->abort_at_length = 4;
  start (f);
  assert_aborted (f);
  g_assert_cmpstr (f->text->str, ==, "onetwo");
}

/* A stream of nothing but a tool call has no text to look at. */
static void
test_abort_in_call (Fixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_call (f->reply, 0, "c1", "shell", "{\"command\":\"");
  fake_reply_stall (f->reply);
  start (f);
  test_run_for (100);
  g_assert_cmpstr (f->log->str, ==, "c1:shell {\"command\":\" ");
  g_cancellable_cancel (f->cancellable);
  assert_aborted (f);
  g_assert_true (test_wait_until (has_ended, f->server, SOON_MS));
}

/* Errors that look like a cancellation, with nobody having aborted, are the provider's. */
static void
test_nobody_aborted (Fixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chunk (f->reply,
                    "data: {\"error\":{\"message\":\"aborted\",\"type\":\"aborted\"}}\n\n");
  fake_reply_end (f->reply);
  start (f);
  assert_fails (f, GADGET_PROVIDER_ERROR_REFUSED, "aborted");
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/openai-chat/" path, Fixture, data, set_up, func, tear_down)

static void
add_bad_answers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_answers); i++)
    {
      g_autofree char *path = g_strconcat ("/engine/openai-chat/bad/", bad_answers[i].name, NULL);

      g_test_add (path, Fixture, &bad_answers[i], set_up, test_bad_answer, tear_down);
    }
}

/* Whatever is logged, at any level and by any library, the key is not in it. */
static GLogWriterOutput
search_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  for (gsize i = 0; i < n_fields; i++)
    if (fields[i].length < 0 && strstr (fields[i].value, KEY) != NULL)
      {
        fprintf (stderr, "the key was logged\n");
        abort ();
      }
  return g_log_writer_default (level, fields, n_fields, user_data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_writer_func (search_log, NULL, NULL);
  ADD ("text", NULL, test_text);
  ADD ("calls", NULL, test_calls);
  ADD ("generate", NULL, test_generate);
  ADD ("generate-abort", NULL, test_generate_abort);
  ADD ("json", NULL, test_json);
  ADD ("cost", NULL, test_cost);
  ADD ("not-utf8", NULL, test_not_utf8);
  ADD ("without-usage", NULL, test_without_usage);
  ADD ("models", NULL, test_models);
  ADD ("models-abort", NULL, test_models_abort);
  add_bad_answers ();
  ADD ("bad/long-line", NULL, test_long_line);
  ADD ("bad/endless", NULL, test_endless);
  ADD ("bad/cut-by-end", "end", test_cut);
  ADD ("bad/cut-by-fin", "fin", test_cut);
  ADD ("bad/cut-by-rst", "rst", test_cut);
  ADD ("bad/not-an-address", NULL, test_not_an_address);
  ADD ("bad/odd-key", NULL, test_odd_key);
  ADD ("retry/then-good", NULL, test_retry_then_good);
  ADD ("retry/used-up", NULL, test_retries_used_up);
  ADD ("retry/unreachable", NULL, test_retry_unreachable);
  ADD ("retry/after-too-long", NULL, test_retry_after_too_long);
  ADD ("retry/not-after-output", NULL, test_no_retry_after_output);
  ADD ("retry/after-usage", NULL, test_retry_after_usage);
  ADD ("retry/abort", NULL, test_abort_in_retry);
  ADD ("retry/loading", NULL, test_loading);
  g_test_add_func ("/engine/openai-chat/retry/delays", test_delays);
  ADD ("abort/before", NULL, test_abort_before);
  ADD ("abort/mid-text-20", GINT_TO_POINTER (20), test_abort_mid_text);
  ADD ("abort/mid-text-2000", GINT_TO_POINTER (2000), test_abort_mid_text);
  ADD ("abort/from-sink", NULL, test_abort_from_sink);
  ADD ("abort/in-call", NULL, test_abort_in_call);
  ADD ("abort/nobody", NULL, test_nobody_aborted);
  return g_test_run ();
}
