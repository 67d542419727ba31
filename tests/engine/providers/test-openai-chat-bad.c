/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers that are bad, cut off, or of something that is no model server. */

#include "config.h"

#include "provider-fixture.h"

#include "providers/gadget-openai-chat.h"

static void
set_up (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_set_up (f, &gadget_openai_chat_dialect, "/v1");
}

static void
tear_down (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_tear_down (f);
}

/* --- Bad answers ----------------------------------------------------------------------------- */

static const ProviderBadAnswer bad_answers[] = {
  { "wrong-key", 401, "application/json",
    "{\"error\":{\"message\":\"Incorrect key: " PROVIDER_FIXTURE_KEY
    "\",\"code\":\"invalid_api_key\"}}",
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
test_bad_answer (ProviderFixture *f, gconstpointer data)
{
  const ProviderBadAnswer *bad = data;

  fake_reply_body (f->reply, bad->status, bad->type, bad->body, NULL);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, bad->code, bad->said);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

static void
test_long_line (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *line = g_strnfill (1000000, 'x');

  fake_reply_chat_begin (f->reply);
  fake_reply_chat_text (f->reply, "before");
  fake_reply_chunk (f->reply, "data: {\"choices\":[{\"delta\":{\"content\":\"");
  fake_reply_repeat (f->reply, line, 10, 0);
  fake_reply_chunk (f->reply, "\"}}]}\n\n");
  fake_reply_chat_finish (f->reply, "stop");
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_TOO_LARGE, "line longer than");
  g_assert_cmpstr (f->text->str, ==, "before");
  provider_fixture_assert_closed (f);
}

/* A model that does not end; what came is kept, and the server need not wait for its end. */
static void
test_endless (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *words = g_strnfill (1000000, 'x');
  g_autofree char *event =
      g_strdup_printf ("data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", words);

  fake_reply_chat_begin (f->reply);
  fake_reply_repeat (f->reply, event, 60, 0);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_TOO_LARGE, "larger than 32 MiB");
  g_assert_cmpuint (f->text->len, >=, 32 * 1024 * 1024);
  g_assert_cmpuint (f->text->len, <, 36 * 1000 * 1000);
  provider_fixture_assert_closed (f);
}

static void
test_cut (ProviderFixture *f, gconstpointer data)
{
  fake_reply_chat_begin (f->reply);
  fake_reply_chat_text (f->reply, "half an ans");
  if (g_strcmp0 (data, "fin") == 0)
    fake_reply_close (f->reply);
  else if (g_strcmp0 (data, "rst") == 0)
    fake_reply_rst (f->reply);
  else
    fake_reply_end (f->reply);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_CUT, "");
  g_assert_cmpstr (f->text->str, ==, "half an ans");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_not_an_address (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_use (f, &gadget_openai_chat_dialect, "localhost:8080", "fake-model",
                        PROVIDER_FIXTURE_KEY);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_ADDRESS, "localhost:8080");
}

static void
test_odd_key (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *url = fake_server_dup_url (f->server, "/v1");

  provider_fixture_use (f, &gadget_openai_chat_dialect, url, "fake-model", "a\r\nX-Evil: 1");
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_AUTH, "characters");
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 0);
}

static void
add_bad_answers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_answers); i++)
    {
      g_autofree char *path = g_strconcat ("/engine/openai-chat/bad/", bad_answers[i].name, NULL);

      g_test_add (path, ProviderFixture, &bad_answers[i], set_up, test_bad_answer, tear_down);
    }
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/openai-chat/" path, ProviderFixture, data, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  provider_fixture_watch_log ();
  add_bad_answers ();
  ADD ("bad/long-line", NULL, test_long_line);
  ADD ("bad/endless", NULL, test_endless);
  ADD ("bad/cut-by-end", "end", test_cut);
  ADD ("bad/cut-by-fin", "fin", test_cut);
  ADD ("bad/cut-by-rst", "rst", test_cut);
  ADD ("bad/not-an-address", NULL, test_not_an_address);
  ADD ("bad/odd-key", NULL, test_odd_key);
  return g_test_run ();
}
