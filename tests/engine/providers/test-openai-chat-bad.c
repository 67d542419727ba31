/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Answers that are bad, cut off, or of something that is no model server. */

#include "config.h"

#include "openai-chat-fixture.h"

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
  openai_chat_start (f);
  openai_chat_assert_fails (f, bad->code, bad->said);
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
  openai_chat_start (f);
  openai_chat_assert_fails (f, GADGET_PROVIDER_ERROR_TOO_LARGE, "line longer than");
  g_assert_cmpstr (f->text->str, ==, "before");
  g_assert_true (test_wait_until (openai_chat_has_ended, f->server, SOON_MS));
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
  openai_chat_start (f);
  openai_chat_assert_fails (f, GADGET_PROVIDER_ERROR_TOO_LARGE, "larger than 32 MiB");
  g_assert_cmpuint (f->text->len, >=, 32 * 1024 * 1024);
  g_assert_cmpuint (f->text->len, <, 36 * 1000 * 1000);
  g_assert_true (test_wait_until (openai_chat_has_ended, f->server, SOON_MS));
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
  openai_chat_start (f);
  openai_chat_assert_fails (f, GADGET_PROVIDER_ERROR_CUT, "");
  g_assert_cmpstr (f->text->str, ==, "half an ans");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_not_an_address (Fixture *f, gconstpointer data)
{
  openai_chat_use_address (f, "localhost:8080", f->clock);
  openai_chat_start (f);
  openai_chat_assert_fails (f, GADGET_PROVIDER_ERROR_ADDRESS, "localhost:8080");
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
  openai_chat_start (f);
  openai_chat_assert_fails (f, GADGET_PROVIDER_ERROR_AUTH, "characters");
  g_assert_cmpuint (fake_server_count (f->server, FAKE_EVENT_ACCEPT), ==, 0);
}

/* --- Aborts ---------------------------------------------------------------------------------- */

static void
add_bad_answers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_answers); i++)
    {
      g_autofree char *path = g_strconcat ("/engine/openai-chat/bad/", bad_answers[i].name, NULL);

      g_test_add (path, Fixture, &bad_answers[i], openai_chat_set_up, test_bad_answer,
                  openai_chat_tear_down);
    }
}

#define ADD(path, data, func)                                                                      \
  g_test_add ("/engine/openai-chat/" path, Fixture, data, openai_chat_set_up, func,                \
              openai_chat_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_writer_func (openai_chat_search_log, NULL, NULL);
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
