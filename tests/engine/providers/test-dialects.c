/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The provider against a server that speaks a dialect well, badly, late or not at all: the same for
 * each row. What all of them share is tested with openai-chat. */

#include "config.h"

#include "fake-dialect.h"
#include "provider-fixture.h"
#include "strict-body.h"

#include "providers/gadget-anthropic.h"
#include "providers/gadget-openai-chat.h"
#include "providers/gadget-openai-responses.h"

#include <string.h>

/**
 * Row:
 * @whole: of tests/data/KIND/, an answer with everything
 * @path: where chats are asked
 * @key: the header that has it
 * @extra: in a request, unless the server said @refusal
 */
typedef struct
{
  const GadgetDialect *dialect;
  StrictFunc strict;
  const char *whole;
  const char *path;
  const char *key;
  const char *extra;
  const char *refusal;
} Row;

static const Row rows[] = {
  { &gadget_anthropic_dialect, strict_anthropic, "thinking-text-calls.body", "/v1/messages",
    "x-api-key: ", "\"adaptive\"",
    "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
    "\"adaptive thinking is not supported on this model\"}}" },
  { &gadget_openai_responses_dialect, strict_responses, "reasoning-text-calls.body",
    "/v1/responses", "Authorization: Bearer ", "\"include\"",
    "{\"error\":{\"message\":\"Encrypted content is not supported with this model.\","
    "\"type\":\"invalid_request_error\",\"param\":\"include\",\"code\":null}}" },
};

/* A server of this dialect may choose the model. */
static const Row choosing = { .dialect = &gadget_openai_chat_dialect,
                              .strict = strict_openai_chat,
                              .path = "/v1/chat/completions" };

static void
set_up (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_set_up (f, ((const Row *) data)->dialect, "/v1");
}

static void
tear_down (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_tear_down (f);
}

static const FakeDialect *
get_fake (gconstpointer data)
{
  return fake_dialect_find (((const Row *) data)->dialect->kind.id);
}

static void
answer (gconstpointer data, FakeReply *reply, const char *text)
{
  fake_dialect_begin_text (get_fake (data), reply);
  fake_dialect_text (get_fake (data), reply, text);
  fake_dialect_end_text (get_fake (data), reply);
}

static void
check_request (ProviderFixture *f, const Row *row, guint nth)
{
  const FakeRequest *request = fake_server_get_request (f->server, nth);
  g_autofree char *wrong = row->strict (request->body, strlen (request->body), NULL);

  g_assert_cmpstr (wrong, ==, NULL);
  g_assert_cmpstr (request->method, ==, "POST");
  g_assert_cmpstr (request->path, ==, row->path);
}

/* --- Good answers ---------------------------------------------------------------------------- */

static void
test_text (ProviderFixture *f, gconstpointer data)
{
  const Row *row = data;
  g_autofree char *key = g_strconcat (row->key, PROVIDER_FIXTURE_KEY "\r\n", NULL);

  fake_dialect_begin_text (get_fake (data), f->reply);
  fake_dialect_flow (get_fake (data), f->reply, "word ", 50, 1000);
  fake_dialect_end_text (get_fake (data), f->reply);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (f->text->len, ==, 250);
  g_assert_true (g_str_has_suffix (f->log->str, "usage:12/34 "));
  check_request (f, row, 0);
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 0)->head, key));
}

static void
test_whole (ProviderFixture *f, gconstpointer data)
{
  const Row *row = data;
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "data", row->dialect->kind.id, row->whole, NULL);
  g_autofree char *body = NULL;

  g_assert_true (g_file_get_contents (path, &body, NULL, NULL));
  fake_reply_head (f->reply, 200, "text/event-stream", NULL);
  fake_reply_chunk (f->reply, body);
  fake_reply_end (f->reply);
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "I read both.");
  g_assert_nonnull (strstr (f->log->str, "reasoning-end:"));
  g_assert_nonnull (strstr (f->log->str, "call:read_file "));
}

static void
test_generate (ProviderFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  answer (data, f->reply, "A title");
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  text = gadget_provider_generate_finish (f->provider, f->result, NULL);
  g_assert_cmpstr (text, ==, "A title");
  check_request (f, data, 0);
}

static void
test_models (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) models = NULL;

  fake_server_set_models (f->server, "{\"data\":[{\"id\":\"other\"},{\"id\":\"fake-model\"}]}");
  gadget_provider_list_models_async (f->provider, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  models = gadget_provider_list_models_finish (f->provider, f->result, NULL);
  g_assert_cmpuint (models->len, ==, 2);
  g_assert_cmpstr (gadget_model_get_name (g_ptr_array_index (models, 0)), ==, "fake-model");
  g_assert_true (g_str_has_prefix (fake_server_get_request (f->server, 0)->path, "/v1/models"));
}

#define MODELS                                                                                     \
  "{\"data\":[{\"id\":\"text-embedding-3\"},{\"id\":\"first-model\"},{\"id\":\"fake-model\"}]}"

/* Where no model was chosen it is the server's first one for chats. It is asked once. */
static void
test_no_model (ProviderFixture *f, gconstpointer data)
{
  const Row *row = data;
  g_autofree char *source = NULL;
  g_autofree char *expected = g_strconcat (row->dialect->kind.id, "/first-model", NULL);

  provider_fixture_drop_model (f, row->dialect, "/v1");
  fake_server_set_models (f->server, MODELS);
  answer (data, f->reply, "ok");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
  g_assert_true (g_str_has_prefix (fake_server_get_request (f->server, 0)->path, "/v1/models"));
  check_request (f, row, 1);
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 1)->body, "\"first-model\""));
  source = gadget_provider_dup_replay_source (f->provider, NULL);
  g_assert_cmpstr (source, ==, expected);

  answer (data, fake_server_add_reply (f->server), "again");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
}

static void
test_no_model_at_all (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_drop_model (f, ((const Row *) data)->dialect, "/v1");
  fake_server_set_models (f->server, "{\"data\":[]}");
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_MODEL, "names none");
}

static void
test_no_model_abort (ProviderFixture *f, gconstpointer data)
{
  provider_fixture_drop_model (f, ((const Row *) data)->dialect, "/v1");
  fake_server_set_models (f->server, MODELS);
  provider_fixture_start (f);
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
}

/* A server that chooses by itself is asked only when it does not. */
static void
test_no_model_refused (ProviderFixture *f, gconstpointer data)
{
  const Row *row = data;

  provider_fixture_drop_model (f, row->dialect, "/v1");
  fake_server_set_models (f->server, MODELS);
  fake_reply_body (f->reply, 400, "application/json",
                   "{\"error\":{\"message\":\"you must provide a model parameter\","
                   "\"type\":\"invalid_request_error\",\"param\":null,\"code\":null}}",
                   NULL);
  answer (data, fake_server_add_reply (f->server), "ok");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
  g_assert_null (strstr (fake_server_get_request (f->server, 0)->body, "\"model\""));
  check_request (f, row, 2);
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 2)->body, "\"first-model\""));
}

/* What the model does not know is left out, and that is remembered. */
static void
test_refused_extra (ProviderFixture *f, gconstpointer data)
{
  const Row *row = data;

  fake_reply_body (f->reply, 400, "application/json", row->refusal, NULL);
  answer (data, fake_server_add_reply (f->server), "ok");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 0)->body, row->extra));
  g_assert_null (strstr (fake_server_get_request (f->server, 1)->body, row->extra));
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);

  /* Another model may know it. */
  f->request->model = g_strdup ("other");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 3)->body, row->extra));
}

/* As if a tool had shown something. */
static void
show_picture (ProviderFixture *f)
{
  g_autoptr (GBytes) data = g_bytes_new_static ("picture", 7);
  GadgetMessage *message =
      gadget_request_add_message (f->request, GADGET_ROLE_ASSISTANT, "I look.");

  gadget_message_add_call (message, "look1", "look", "{}");
  message = gadget_request_add_result (f->request, "look1", "look", "Here.");
  gadget_message_add_image (message, "p.png", "image/png", data);
}

#define PICTURE "cGljdHVyZQ=="

/* It is in every request from then on, so that a model which takes none must not end the chat. */
static void
test_pictures_refused (ProviderFixture *f, gconstpointer data)
{
  show_picture (f);
  fake_reply_body (f->reply, 500, "application/json",
                   "{\"error\":{\"code\":500,\"message\":\"image input is not supported - hint: if "
                   "this is unexpected, you may need to provide the mmproj\"}}",
                   NULL);
  answer (data, fake_server_add_reply (f->server), "ok");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_cmpuint (f->n_retries, ==, 0);
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 0)->body, PICTURE));
  g_assert_null (strstr (fake_server_get_request (f->server, 1)->body, PICTURE));
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 1)->body, "is not shown to you"));
  g_assert_cmpuint (f->n_left_out, ==, 1);
  /* And it is remembered. */
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 3);
  g_assert_null (strstr (fake_server_get_request (f->server, 2)->body, PICTURE));
  g_assert_cmpuint (f->n_left_out, ==, 2);
  for (guint i = 0; i < 3; i++)
    check_request (f, data, i);
}

/* One that the server finds wrong says nothing of the model. */
static void
test_one_picture_refused (ProviderFixture *f, gconstpointer data)
{
  show_picture (f);
  fake_reply_body (f->reply, 400, "application/json",
                   "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Could not process "
                   "image\"}}",
                   NULL);
  answer (data, fake_server_add_reply (f->server), "ok");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_null (strstr (fake_server_get_request (f->server, 1)->body, PICTURE));
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_nonnull (strstr (fake_server_get_request (f->server, 2)->body, PICTURE));
}

#define REFUSAL(message)                                                                           \
  "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"" message "\"}" \
  "}"

static gboolean
asked (ProviderFixture *f, guint nth, const char *text)
{
  return strstr (fake_server_get_request (f->server, nth)->body, text) != NULL;
}

/* The model thinks in no way and says so step by step; then it names the most that it takes. All
 * of that is known from then on. */
static void
test_terms (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 400, "application/json",
                   REFUSAL ("adaptive thinking is not supported on this model"), NULL);
  fake_reply_body (fake_server_add_reply (f->server), 400, "application/json",
                   REFUSAL ("max_tokens: 32000 > 8192, which is the maximum allowed number of "
                            "output tokens for fake-model"),
                   NULL);
  fake_reply_body (fake_server_add_reply (f->server), 400, "application/json",
                   REFUSAL ("'fake-model' does not support thinking."), NULL);
  answer (data, fake_server_add_reply (f->server), "ok");
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "ok");
  g_assert_true (asked (f, 0, "\"adaptive\""));
  g_assert_true (asked (f, 1, "\"budget_tokens\":16000"));
  g_assert_true (asked (f, 2, "\"budget_tokens\":4096"));
  g_assert_false (asked (f, 3, "thinking"));
  provider_fixture_start (f);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 5);
  g_assert_false (asked (f, 4, "thinking"));
  g_assert_true (asked (f, 4, "\"max_tokens\":8192"));
  for (guint i = 0; i < 5; i++)
    check_request (f, data, i);
}

/* A server that never has enough is not asked for ever. */
static void
test_endless_terms (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 400, "application/json", REFUSAL ("max_tokens: 32000 > 8192"), NULL);
  fake_reply_body (fake_server_add_reply (f->server), 400, "application/json",
                   REFUSAL ("max_tokens: 8192 > 4096"), NULL);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_REFUSED, "8192 > 4096");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
}

/* --- Bad answers ----------------------------------------------------------------------------- */

static void
test_wrong_key (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 401, "application/json",
                   "{\"error\":{\"type\":\"authentication_error\",\"message\":\"invalid key "
                   "" PROVIDER_FIXTURE_KEY "\"}}",
                   NULL);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_AUTH, "invalid key …");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
}

static void
test_rate_limit (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 429, "application/json",
                   "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}",
                   "Retry-After: 7\r\n");
  answer (data, fake_server_add_reply (f->server), "at last");
  provider_fixture_start (f);
  provider_fixture_await_retry (f, 1);
  g_assert_cmpuint (f->retry_ms, ==, 7000);
  gadget_clock_advance (f->clock, 7000 * 1000);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "at last");
}

static void
test_overloaded (ProviderFixture *f, gconstpointer data)
{
  fake_reply_body (f->reply, 529, "application/json",
                   "{\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}", NULL);
  provider_fixture_start (f);
  for (guint i = 1; i <= 100 && f->result == NULL; i++)
    {
      test_run_for (20);
      gadget_clock_advance (f->clock, 60 * G_USEC_PER_SEC);
    }
  g_assert_cmpuint (f->n_retries, >, 0);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "Overloaded");
}

static void
test_error_in_stream (ProviderFixture *f, gconstpointer data)
{
  fake_dialect_begin_text (get_fake (data), f->reply);
  fake_dialect_text (get_fake (data), f->reply, "Half");
  fake_dialect_fail (get_fake (data), f->reply);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "Overloaded");
  g_assert_cmpstr (f->text->str, ==, "Half");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

/* Nothing was shown but what it cost so far: the request is sent again. */
static void
test_error_at_once (ProviderFixture *f, gconstpointer data)
{
  fake_dialect_begin_text (get_fake (data), f->reply);
  fake_dialect_fail (get_fake (data), f->reply);
  answer (data, fake_server_add_reply (f->server), "at last");
  provider_fixture_start (f);
  provider_fixture_await_retry (f, 1);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 1);
  gadget_clock_advance (f->clock, (gint64) f->retry_ms * 1000);
  g_assert_true (provider_fixture_finish (f, NULL));
  g_assert_cmpstr (f->text->str, ==, "at last");
  g_assert_cmpuint (f->n_retries, ==, 1);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
  check_request (f, data, 1);
}

static void
test_error_after_reasoning (ProviderFixture *f, gconstpointer data)
{
  fake_dialect_begin_calls (get_fake (data), f->reply);
  fake_dialect_cut_reasoning (get_fake (data), f->reply, "Hm");
  fake_dialect_fail (get_fake (data), f->reply);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "Overloaded");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

static void
test_error_in_call (ProviderFixture *f, gconstpointer data)
{
  fake_dialect_begin_calls (get_fake (data), f->reply);
  fake_dialect_cut_call (get_fake (data), f->reply, 0, "shell");
  fake_dialect_fail (get_fake (data), f->reply);
  provider_fixture_start (f);
  provider_fixture_assert_fails (f, GADGET_PROVIDER_ERROR_OVERLOADED, "Overloaded");
  g_assert_cmpuint (f->n_retries, ==, 0);
}

/* --- Aborts ---------------------------------------------------------------------------------- */

static void
test_abort_mid_text (ProviderFixture *f, gconstpointer data)
{
  fake_dialect_begin_text (get_fake (data), f->reply);
  fake_dialect_flow (get_fake (data), f->reply, "word ", 100000, 200);
  provider_fixture_start (f);
  provider_fixture_abort_mid_text (f);
}

typedef struct
{
  ProviderFixture *f;
  const char *text;
} Awaited;

static gboolean
is_logged (gpointer user_data)
{
  const Awaited *awaited = user_data;

  return strstr (awaited->f->log->str, awaited->text) != NULL;
}

static void
abort_when_logged (ProviderFixture *f, const char *text)
{
  g_autofree char *log = NULL;

  provider_fixture_start (f);
  g_assert_true (test_wait_until (is_logged, &(Awaited) { f, text }, PROVIDER_FIXTURE_SOON_MS));
  log = g_strdup (f->log->str);
  g_cancellable_cancel (f->cancellable);
  provider_fixture_assert_aborted (f);
  provider_fixture_assert_closed (f);
  g_assert_cmpstr (f->log->str, ==, log);
}

static void
test_abort_mid_call (ProviderFixture *f, gconstpointer data)
{
  fake_dialect_begin_calls (get_fake (data), f->reply);
  fake_dialect_cut_call (get_fake (data), f->reply, 0, "shell");
  fake_reply_stall (f->reply);
  abort_when_logged (f, "{\"comm");
  g_assert_null (strstr (f->log->str, "end:"));
}

static void
test_abort_mid_reasoning (ProviderFixture *f, gconstpointer data)
{
  fake_dialect_begin_calls (get_fake (data), f->reply);
  fake_dialect_cut_reasoning (get_fake (data), f->reply, "Let me think");
  fake_reply_stall (f->reply);
  abort_when_logged (f, "reasoning:Let me think");
  g_assert_null (strstr (f->log->str, "reasoning-end:"));
}

static void
test_abort_generate (ProviderFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_dialect_begin_text (get_fake (data), f->reply);
  fake_dialect_flow (get_fake (data), f->reply, "word ", 100000, 200);
  gadget_provider_generate_async (f->provider, f->request, f->receipt, f->cancellable,
                                  test_result_cb, &f->result);
  test_run_for (100);
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, PROVIDER_FIXTURE_SOON_MS));
  g_assert_null (gadget_provider_generate_finish (f->provider, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  provider_fixture_assert_closed (f);
}

static const struct
{
  const char *name;
  void (*func) (ProviderFixture *f, gconstpointer data);
} tests[] = {
  { "text", test_text },
  { "whole", test_whole },
  { "generate", test_generate },
  { "models", test_models },
  { "no-model", test_no_model },
  { "no-model-at-all", test_no_model_at_all },
  { "no-model-abort", test_no_model_abort },
  { "refused-extra", test_refused_extra },
  { "pictures-refused", test_pictures_refused },
  { "one-picture-refused", test_one_picture_refused },
  { "wrong-key", test_wrong_key },
  { "rate-limit", test_rate_limit },
  { "overloaded", test_overloaded },
  { "error-in-stream", test_error_in_stream },
  { "error-at-once", test_error_at_once },
  { "error-after-reasoning", test_error_after_reasoning },
  { "error-in-call", test_error_in_call },
  { "abort-mid-text", test_abort_mid_text },
  { "abort-mid-call", test_abort_mid_call },
  { "abort-mid-reasoning", test_abort_mid_reasoning },
  { "abort-generate", test_abort_generate },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  provider_fixture_watch_log ();
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
      {
        g_autofree char *path =
            g_strdup_printf ("/engine/%s/%s", rows[row].dialect->kind.id, tests[i].name);

        g_test_add (path, ProviderFixture, &rows[row], set_up, tests[i].func, tear_down);
      }
  g_test_add ("/engine/anthropic/terms", ProviderFixture, &rows[0], set_up, test_terms, tear_down);
  g_test_add ("/engine/anthropic/endless-terms", ProviderFixture, &rows[0], set_up,
              test_endless_terms, tear_down);
  g_test_add ("/engine/openai-chat/no-model-refused", ProviderFixture, &choosing, set_up,
              test_no_model_refused, tear_down);
  return g_test_run ();
}
