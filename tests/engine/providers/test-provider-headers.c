/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Headers that a user gives to a provider: which can be, where they are kept, what is sent. */

#include "config.h"

#include "agent/gadget-failure.h"
#include "agent/providers/gadget-provider-list.h"
#include "http/gadget-http.h"
#include "providers/gadget-provider-headers.h"
#include "secrets/gadget-secrets.h"

#include "fake-server.h"
#include "test-wait.h"

#include <string.h>

#define SOON_MS 20000
#define SECRET "gateway-secret-55"
#define SECRETS "{\"x-gateway-key\":\"" SECRET "\"}"

static GadgetProviderHeaders *
make_headers (const char *plain, const char *secret)
{
  return gadget_provider_headers_new ((const char *const[]) { plain, NULL },
                                      (const char *const[]) { secret, NULL });
}

static void
assert_refused (const char *plain, const char *secret, const char *says)
{
  g_autoptr (GadgetProviderHeaders) headers = make_headers (plain, secret);
  g_autoptr (GError) error = NULL;

  g_assert_false (gadget_provider_headers_check (headers, &error));
  g_assert_error (error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_INVALID);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, says));
  g_assert_null (strstr (error->message, SECRET));
}

static void
test_check (void)
{
  static const char *const reserved[] = { "Authorization", "X-API-Key",  "x-goog-api-key", "Host",
                                          "content-type",  "Connection", "Accept" };
  g_autoptr (GadgetProviderHeaders) good =
      make_headers ("x-portkey-config: {\"a\": 1}", "a!#$%&'*+-.^_`|~9");
  g_autoptr (GError) error = NULL;

  g_assert_true (gadget_provider_headers_check (good, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    {
      g_autofree char *plain = g_strdup_printf ("%s: " SECRET, reserved[i]);

      assert_refused (plain, NULL, "set by Gadget itself");
      assert_refused (NULL, reserved[i], "set by Gadget itself");
    }
  assert_refused (SECRET, NULL, "Name: value");
  assert_refused (": " SECRET, NULL, "cannot be the name");
  assert_refused ("a b: " SECRET, NULL, "cannot be the name");
  assert_refused ("a\r\nb: " SECRET, NULL, "cannot be the name");
  assert_refused (NULL,
                  "gr\xc3\xb6\xc3\x9f"
                  "e",
                  "cannot be the name");
  assert_refused ("a: " SECRET "\r\nb: c", NULL, "cannot be sent");
  assert_refused ("a: " SECRET "\n b", NULL, "cannot be sent");
  assert_refused ("a: " SECRET "\x7f", NULL, "cannot be sent");
  assert_refused ("a: \xc3\xbc" SECRET, NULL, "cannot be sent");
  assert_refused ("a: ", NULL, "cannot be sent");
  assert_refused ("Same: " SECRET, "same", "given twice");
}

static void
test_apply (void)
{
  g_autoptr (GadgetProviderHeaders) headers = make_headers ("x-gateway:  a b ", "x-gateway-key");
  g_autofree char *json = gadget_provider_headers_to_json (headers);
  g_autoptr (GadgetProviderHeaders) read = gadget_provider_headers_from_json (json);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) pairs = gadget_provider_headers_apply (read, SECRETS, &error);

  g_assert_no_error (error);
  g_assert_null (strstr (json, SECRET));
  g_assert_cmpstrv (pairs,
                    ((const char *[]) { "x-gateway", "a b", "x-gateway-key", SECRET, NULL }));
  g_assert_null (gadget_provider_headers_apply (read, NULL, &error));
  g_assert_error (error, GADGET_PROVIDER_HEADERS_ERROR, GADGET_PROVIDER_HEADERS_ERROR_MISSING);
  g_assert_null (gadget_provider_headers_apply (read, "{\"x-gateway-key\":\"a\\r\\nb: c\"}", NULL));
  /* What nobody can have stored is not sent. */
  g_assert_null (gadget_provider_headers_from_json ("{\"plain\":[\"Authorization: x\"]}"));
  g_assert_null (gadget_provider_headers_from_json ("{\"plain\":[\"a: b\\r\\nc: d\"]}"));
  g_assert_null (gadget_provider_headers_from_json ("["));
  g_assert_null (gadget_provider_headers_from_json (NULL));
}

/* --- On the wire ------------------------------------------------------------------------------ */

typedef struct
{
  FakeServer *server;
  FakeServer *other;
  GadgetSecrets *secrets;
  GadgetProviderList *providers;
} Fixture;

static void
set_up (Fixture *f, gconstpointer kind)
{
  g_autoptr (GadgetClock) clock = gadget_clock_new_manual (0);

  f->server = fake_server_new ();
  f->other = fake_server_new ();
  f->secrets = gadget_secrets_new_in_memory ();
  f->providers = gadget_provider_list_new (NULL, f->secrets, clock);
}

static void
tear_down (Fixture *f, gconstpointer kind)
{
  g_clear_object (&f->providers);
  g_clear_object (&f->secrets);
  fake_server_free (f->server);
  fake_server_free (f->other);
}

/* @headers: (transfer full) */
static gboolean
try_to_add (Fixture *f, FakeServer *server, const char *kind, GadgetProviderHeaders *headers,
            const char *secrets, GError **error)
{
  g_autofree char *url = fake_server_dup_url (server, "/v1");
  g_autoptr (GadgetProviderConfig) config = gadget_provider_config_new ("p", NULL, kind, url, "m");
  g_autoptr (GAsyncResult) result = NULL;

  gadget_provider_config_take_headers (config, headers);
  gadget_provider_list_add_async (f->providers, config, "the-key", secrets, NULL, test_result_cb,
                                  &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  return gadget_provider_list_add_finish (f->providers, result, error);
}

/* @headers: (transfer full) */
static void
add (Fixture *f, FakeServer *server, const char *kind, GadgetProviderHeaders *headers,
     const char *secrets)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (try_to_add (f, server, kind, headers, secrets, &error));
  g_assert_no_error (error);
}

static GadgetProvider *
resolve (Fixture *f, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gadget_provider_list_resolve_async (f->providers, "p", NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  return gadget_provider_list_resolve_finish (f->providers, result, error);
}

static void
ignore (const GadgetChatEvent *event, gpointer user_data)
{
}

static void
chat (GadgetProvider *provider, GError **error)
{
  g_autoptr (GadgetRequest) request = gadget_request_new ();
  g_autoptr (GadgetReceipt) receipt = gadget_receipt_new ();
  g_autoptr (GAsyncResult) result = NULL;

  gadget_request_add_message (request, GADGET_ROLE_USER, "Hi");
  gadget_provider_chat_async (provider, request, ignore, NULL, receipt, NULL, test_result_cb,
                              &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_false (gadget_provider_chat_finish (provider, result, error));
}

static void
list (GadgetProvider *provider, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gadget_provider_list_models_async (provider, NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_null (gadget_provider_list_models_finish (provider, result, error));
}

static void
assert_sent (Fixture *f, guint nth)
{
  const char *head = fake_server_get_request (f->server, nth)->head;

  g_assert_nonnull (strstr (head, "\r\nx-gateway: openai\r\n"));
  g_assert_nonnull (strstr (head, "\r\nx-gateway-key: " SECRET "\r\n"));
  g_assert_nonnull (strstr (head, "the-key\r\n"));
}

/* The server sends both requests on to another one, which gets nothing. */
static void
test_sent (Fixture *f, gconstpointer kind)
{
  g_autofree char *location =
      g_strdup_printf ("Location: http://127.0.0.1:%u/v1/x\r\n", fake_server_get_port (f->other));
  g_autoptr (GadgetProvider) provider = NULL;
  g_autoptr (GError) listed = NULL;
  g_autoptr (GError) answered = NULL;
  g_autoptr (GError) error = NULL;

  fake_reply_body (fake_server_set_get_reply (f->server), 307, "text/plain", "", location);
  fake_reply_body (fake_server_add_reply (f->server), 307, "text/plain", "", location);
  add (f, f->server, kind, make_headers ("x-gateway: openai", "x-gateway-key"), SECRETS);
  provider = resolve (f, &error);
  g_assert_no_error (error);
  list (provider, &listed);
  chat (provider, &answered);
  /* At least the list and the message; Ollama is asked what it has in two places. */
  g_assert_cmpuint (fake_server_get_n_requests (f->server), >=, 2);
  g_assert_cmpuint (fake_server_count_chats (f->server), ==, 1);
  for (guint i = 0; i < fake_server_get_n_requests (f->server); i++)
    assert_sent (f, i);
  g_assert_cmpuint (fake_server_count (f->other, FAKE_EVENT_ACCEPT), ==, 0);
}

/* A server that quotes what it got. */
static void
test_hidden (Fixture *f, gconstpointer kind)
{
  g_autoptr (GadgetProvider) provider = NULL;
  g_autoptr (GError) answered = NULL;
  g_autoptr (GError) error = NULL;

  fake_reply_body (fake_server_add_reply (f->server), 403, "application/json",
                   "{\"error\":{\"message\":\"No " SECRET " for openai, the-key\"}}", NULL);
  add (f, f->server, kind, make_headers ("x-gateway: openai", "x-gateway-key"), SECRETS);
  provider = resolve (f, &error);
  g_assert_no_error (error);
  chat (provider, &answered);
  g_assert_nonnull (strstr (answered->message, "No … for openai, …"));
}

static void
assert_not_added (Fixture *f, FakeServer *server, GadgetProviderHeaders *headers,
                  const char *secrets, int code, const char *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (
      try_to_add (f, server, GADGET_PROVIDER_KIND_OPENAI_CHAT, headers, secrets, &error));
  g_assert_error (error, GADGET_PROVIDER_HEADERS_ERROR, code);
  g_assert_nonnull (strstr (error->message, says));
}

static void
assert_missing (Fixture *f, FakeServer *server, const char *plain, const char *secrets)
{
  assert_not_added (f, server, make_headers (plain, "x-gateway-key"), secrets,
                    GADGET_PROVIDER_HEADERS_ERROR_MISSING, "“x-gateway-key” has no value");
}

static void
assert_can_be_sent (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GadgetProvider) provider = resolve (f, &error);

  g_assert_no_error (error);
}

/* Values belong to the address for which they were entered, and go with their names. What has no
 * value is refused, and changes nothing. */
static void
test_kept (Fixture *f, gconstpointer kind)
{
  g_autoptr (GAsyncResult) result = NULL;

  assert_missing (f, f->server, "x-gateway: openai", NULL);
  g_assert_null (gadget_provider_list_find (f->providers, "p"));
  add (f, f->server, kind, make_headers (NULL, "x-gateway-key"), SECRETS);
  add (f, f->server, kind, make_headers (NULL, "x-gateway-key"), NULL);
  assert_can_be_sent (f);
  assert_missing (f, f->other, NULL, NULL);
  assert_missing (f, f->other, NULL, "{}");
  assert_missing (f, f->server, NULL, "{\"x-gateway-key\":\"\"}");
  assert_not_added (f, f->server, make_headers (NULL, "x-gateway-key"),
                    "{\"x-gateway-key\":\"gr\xc3\xbcn\"}", GADGET_PROVIDER_HEADERS_ERROR_INVALID,
                    "cannot be sent");
  assert_can_be_sent (f);

  add (f, f->server, kind, NULL, NULL);
  assert_missing (f, f->server, NULL, NULL);

  add (f, f->server, kind, make_headers (NULL, "x-gateway-key"), SECRETS);
  gadget_provider_list_remove_async (f->providers, "p", test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_true (gadget_provider_list_remove_finish (f->providers, result, NULL));
  assert_missing (f, f->server, NULL, NULL);
}

static GadgetProviderHeaders *
make_both (void)
{
  return gadget_provider_headers_new (
      NULL, (const char *const[]) { "x-gateway-key", "x-other-key", NULL });
}

/* The value of one of two goes with its name. */
static void
test_one_of_two (Fixture *f, gconstpointer kind)
{
  add (f, f->server, kind, make_both (),
       "{\"x-gateway-key\":\"" SECRET "\",\"x-other-key\":\"b\"}");
  add (f, f->server, kind, make_headers (NULL, "x-gateway-key"), NULL);
  assert_can_be_sent (f);
  assert_not_added (f, f->server, make_both (), NULL, GADGET_PROVIDER_HEADERS_ERROR_MISSING,
                    "“x-other-key” has no value");
  add (f, f->server, kind, make_both (), "{\"x-other-key\":\"c\"}");
  assert_can_be_sent (f);
}

/* A value that is not there any more is told of by its header, and not as the provider's key. */
static void
test_lost (Fixture *f, gconstpointer kind)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *code = NULL;
  g_autoptr (GadgetFailure) failure = NULL;

  add (f, f->server, kind, make_headers (NULL, "x-gateway-key"), SECRETS);
  gadget_secrets_clear_async (f->secrets, GADGET_PROVIDER_HEADERS_KEY_PREFIX "p", NULL,
                              test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_null (resolve (f, &error));
  code = gadget_failure_code_from_error (error);
  failure = gadget_failure_new (code, "Gate");
  g_assert_nonnull (strstr (failure->title, "secret header of Gate"));
}

/* A newer Gadget has stored it. */
static void
test_unknown_kind (Fixture *f, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;

  add (f, f->server, kind, make_headers ("x-gateway: openai", NULL), NULL);
  g_assert_null (resolve (f, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

#define ADD(path, kind, function)                                                                  \
  g_test_add ("/engine/provider-headers/" path, Fixture, kind, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/provider-headers/check", test_check);
  g_test_add_func ("/engine/provider-headers/apply", test_apply);
  ADD ("sent/openai-chat", GADGET_PROVIDER_KIND_OPENAI_CHAT, test_sent);
  ADD ("sent/openai-responses", GADGET_PROVIDER_KIND_OPENAI_RESPONSES, test_sent);
  ADD ("sent/anthropic", GADGET_PROVIDER_KIND_ANTHROPIC, test_sent);
  ADD ("sent/ollama", GADGET_PROVIDER_KIND_OLLAMA, test_sent);
  ADD ("sent/gemini", GADGET_PROVIDER_KIND_GEMINI, test_sent);
  ADD ("hidden", GADGET_PROVIDER_KIND_OPENAI_CHAT, test_hidden);
  ADD ("kept", GADGET_PROVIDER_KIND_OPENAI_CHAT, test_kept);
  ADD ("one-of-two", GADGET_PROVIDER_KIND_OPENAI_CHAT, test_one_of_two);
  ADD ("lost", GADGET_PROVIDER_KIND_OPENAI_CHAT, test_lost);
  ADD ("unknown-kind", "of-the-future", test_unknown_kind);
  return g_test_run ();
}
