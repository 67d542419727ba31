/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-server.h"
#include "test-wait.h"

#include "providers/gadget-local-servers.h"
#include "providers/gadget-provider-config.h"

#define SOON_MS 5000
#define CHAT GADGET_PROVIDER_KIND_OPENAI_CHAT

typedef struct
{
  GadgetHttp *http;
  GCancellable *cancellable;
  GAsyncResult *result;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->http = gadget_http_new (NULL);
  f->cancellable = g_cancellable_new ();
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->result);
  g_assert_finalize_object (f->http);
  g_clear_object (&f->cancellable);
}

static GPtrArray *
find (Fixture *f, const GadgetLocalServerPlace *places, GError **error)
{
  gadget_local_servers_find_async (f->http, places, f->cancellable, test_result_cb, &f->result);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  return gadget_local_servers_find_finish (f->http, f->result, error);
}

static void
test_find (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeServer) good = fake_server_new ();
  g_autoptr (FakeServer) empty = fake_server_new ();
  g_autoptr (FakeServer) page = fake_server_new ();
  g_autoptr (FakeServer) ollama = fake_server_new ();
  g_autoptr (FakeServer) mute = fake_server_new ();
  g_autoptr (FakeServer) deaf = fake_server_new_deaf ();
  g_autofree char *good_url = fake_server_dup_url (good, "/v1");
  g_autofree char *empty_url = fake_server_dup_url (empty, "/v1");
  g_autofree char *ollama_url = fake_server_dup_url (ollama, "");
  g_autofree char *page_url = fake_server_dup_url (page, "/v1");
  g_autofree char *mute_url = fake_server_dup_url (mute, "/v1");
  g_autofree char *deaf_url = fake_server_dup_url (deaf, "/v1");
  const GadgetLocalServerPlace places[] = {
    { "Mute", CHAT, mute_url },
    { "Page", CHAT, page_url },
    { "Good", CHAT, good_url },
    { "Deaf", CHAT, deaf_url },
    { "None", CHAT, "http://127.0.0.1:1/v1" },
    { "Empty", CHAT, empty_url },
    { "Ollama", GADGET_PROVIDER_KIND_OLLAMA, ollama_url },
    { "Other", GADGET_PROVIDER_KIND_OLLAMA, good_url },
    { "Elsewhere", CHAT, "http://192.0.2.1:8080/v1" },
    { NULL },
  };
  g_autoptr (GPtrArray) found = NULL;
  const GadgetLocalServer *server;
  gint64 began = g_get_monotonic_time ();

  fake_server_set_models (good, "{\"data\":[{\"id\":\"a\"},{\"id\":\"b\"}]}");
  fake_server_set_models (ollama, "{\"models\":[{\"model\":\"qwen3:8b\"}]}");
  fake_server_set_models (empty, "{\"data\":[]}");
  fake_reply_body (fake_server_set_get_reply (page), 200, "text/html", "<html></html>", NULL);
  fake_reply_stall (fake_server_set_get_reply (mute));

  found = find (f, places, NULL);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 4 * G_USEC_PER_SEC);
  g_assert_cmpuint (found->len, ==, 3);
  server = g_ptr_array_index (found, 0);
  g_assert_cmpstr (server->name, ==, "Good");
  g_assert_cmpstr (server->kind, ==, CHAT);
  g_assert_cmpstr (server->base_url, ==, good_url);
  g_assert_cmpuint (g_strv_length (server->models), ==, 2);
  g_assert_cmpstr (server->models[1], ==, "b");
  server = g_ptr_array_index (found, 1);
  g_assert_cmpstr (server->name, ==, "Empty");
  g_assert_cmpuint (g_strv_length (server->models), ==, 0);
  server = g_ptr_array_index (found, 2);
  g_assert_cmpstr (server->kind, ==, GADGET_PROVIDER_KIND_OLLAMA);
  g_assert_cmpstr (server->base_url, ==, ollama_url);
  g_assert_cmpstr (server->models[0], ==, "qwen3:8b");
  g_assert_cmpstr (fake_server_get_request (ollama, 0)->path, ==, "/api/tags");
}

static void
test_nothing (Fixture *f, gconstpointer data)
{
  const GadgetLocalServerPlace places[] = { { "Elsewhere", CHAT, "http://192.0.2.1/v1" },
                                            { NULL } };
  g_autoptr (GPtrArray) found = find (f, places, NULL);

  g_assert_cmpuint (found->len, ==, 0);
}

static void
test_abort (Fixture *f, gconstpointer data)
{
  g_autoptr (FakeServer) mute = fake_server_new ();
  g_autofree char *url = fake_server_dup_url (mute, "/v1");
  const GadgetLocalServerPlace places[] = { { "Mute", CHAT, url }, { NULL } };
  g_autoptr (GError) error = NULL;
  gint64 began = g_get_monotonic_time ();

  fake_reply_stall (fake_server_set_get_reply (mute));
  gadget_local_servers_find_async (f->http, places, f->cancellable, test_result_cb, &f->result);
  test_run_for (50);
  g_cancellable_cancel (f->cancellable);
  g_assert_true (test_wait_result (&f->result, SOON_MS));
  g_assert_null (gadget_local_servers_find_finish (f->http, f->result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 900 * 1000);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/local-servers/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("find", test_find);
  ADD ("nothing", test_nothing);
  ADD ("abort", test_abort);
  return g_test_run ();
}
