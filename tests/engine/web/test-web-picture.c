/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A picture that is loaded from the web: what it may be, from where, and how it is stopped. */

#include "config.h"

#include "fetch-fixture.h"
#include "test-wait.h"
#include "wait.h"
#include "web/gadget-web-picture.h"

#include <string.h>

#define PNG "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\x06"

typedef struct
{
  GBytes *data;
  char *elsewhere;
  GError *error;
  gboolean done;
} Answer;

static void
answer_clear (Answer *self)
{
  g_clear_pointer (&self->data, g_bytes_unref);
  g_clear_pointer (&self->elsewhere, g_free);
  g_clear_error (&self->error);
  self->done = FALSE;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->data = gadget_web_picture_load_finish (result, &answer->elsewhere, &answer->error);
  answer->done = TRUE;
}

static void
start (FetchFixture *f, const char *address, Answer *answer)
{
  answer_clear (answer);
  g_clear_object (&f->cancellable);
  f->cancellable = g_cancellable_new ();
  gadget_web_picture_load_async (&f->setup, address, f->cancellable, loaded_cb, answer);
}

static void
get (FetchFixture *f, const char *path, Answer *answer)
{
  g_autofree char *url = fetch_dup_url (f, FETCH_NAME, path);

  start (f, url, answer);
  wait_until (answer->done);
}

static void
assert_failed (FetchFixture *f, const char *path, GadgetWebPictureError code)
{
  g_auto (Answer) answer = { NULL };

  get (f, path, &answer);
  g_assert_error (answer.error, GADGET_WEB_PICTURE_ERROR, (int) code);
  g_assert_null (answer.data);
  g_assert_true ((answer.elsewhere != NULL) == (code == GADGET_WEB_PICTURE_ERROR_ELSEWHERE));
}

static FakeReply *
add_picture (FetchFixture *f, const char *path, const char *type)
{
  FakeReply *reply = fetch_add_page (f, path);

  fake_reply_head (reply, 200, type, "Connection: close\r\nSet-Cookie: a=b\r\n");
  fake_reply_raw (reply, PNG, sizeof PNG - 1);
  return reply;
}

/* --- What comes --------------------------------------------------------------------------------
 */

static void
test_picture (FetchFixture *f, gconstpointer data)
{
  static const char *const types[] = { "image/png", "image/jpeg", "application/octet-stream",
                                       NULL };
  g_auto (Answer) answer = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = g_strdup_printf ("/%u.png", i);
      const FakeRequest *request;

      fake_reply_close (add_picture (f, path, types[i]));
      get (f, path, &answer);
      g_assert_no_error (answer.error);
      g_assert_cmpmem (g_bytes_get_data (answer.data, NULL), g_bytes_get_size (answer.data), PNG,
                       sizeof PNG - 1);
      request = fake_server_get_request (f->server, i);
      g_assert_cmpstr (request->method, ==, "GET");
      g_assert_nonnull (strstr (request->head, "Accept: image/png"));
      g_assert_null (strcasestr (request->head, "cookie"));
      g_assert_null (strcasestr (request->head, "referer"));
      g_assert_null (strcasestr (request->head, "authorization"));
    }
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, G_N_ELEMENTS (types));
}

static void
test_status (FetchFixture *f, gconstpointer data)
{
  fake_reply_body (fetch_add_page (f, "/gone"), 404, "text/html", "<p>gone", NULL);
  fake_reply_body (fetch_add_page (f, "/secret"), 403, "image/png", "no", NULL);
  fake_reply_body (fetch_add_page (f, "/broken"), 500, "text/plain", "no", NULL);
  assert_failed (f, "/gone", GADGET_WEB_PICTURE_ERROR_MISSING);
  assert_failed (f, "/secret", GADGET_WEB_PICTURE_ERROR_REFUSED);
  assert_failed (f, "/broken", GADGET_WEB_PICTURE_ERROR_REFUSED);
}

/* A page, a drawing, and what only says that it is a picture. */
static void
test_kind (FetchFixture *f, gconstpointer data)
{
  FakeReply *page = fetch_add_page (f, "/page");
  FakeReply *drawing = fetch_add_page (f, "/svg");

  /* Of which no more is waited for. */
  fake_reply_head (page, 200, "text/html", NULL);
  fake_reply_stall (page);
  fake_reply_head (drawing, 200, "image/svg+xml", NULL);
  fake_reply_stall (drawing);
  fake_reply_body (fetch_add_page (f, "/liar"), 200, "image/png", "<svg xmlns='x'/>", NULL);
  fake_reply_body (fetch_add_page (f, "/empty"), 200, "image/png", "", NULL);
  assert_failed (f, "/page", GADGET_WEB_PICTURE_ERROR_KIND);
  assert_failed (f, "/svg", GADGET_WEB_PICTURE_ERROR_KIND);
  assert_failed (f, "/liar", GADGET_WEB_PICTURE_ERROR_KIND);
  assert_failed (f, "/empty", GADGET_WEB_PICTURE_ERROR_KIND);
}

/* One that says so is not begun with, one that does not is given up. */
static void
test_too_large (FetchFixture *f, gconstpointer data)
{
  FakeReply *announced = fetch_add_page (f, "/announced");
  FakeReply *reply = add_picture (f, "/endless", "image/png");

  fake_reply_head (announced, 200, "image/png", "Content-Length: 10485761\r\n");
  fake_reply_stall (announced);
  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *mass = g_strnfill (1024 * 1024, 'x');

      fake_reply_raw (reply, mass, 1024 * 1024);
    }
  fake_reply_stall (reply);
  assert_failed (f, "/announced", GADGET_WEB_PICTURE_ERROR_TOO_LARGE);
  g_assert_cmpuint (fake_server_get_n_sent (f->server), <, 1024);
  assert_failed (f, "/endless", GADGET_WEB_PICTURE_ERROR_TOO_LARGE);
}

static void
test_broken (FetchFixture *f, gconstpointer data)
{
  FakeReply *cut = fetch_add_page (f, "/cut");
  FakeReply *slow = add_picture (f, "/slow", "image/png");

  fake_reply_head (cut, 200, "image/png", "Content-Length: 1000\r\n");
  fake_reply_raw (cut, PNG, sizeof PNG - 1);
  fake_reply_close (cut);
  fake_reply_stall (slow);
  fake_reply_stall (fetch_add_page (f, "/mute"));
  assert_failed (f, "/cut", GADGET_WEB_PICTURE_ERROR_BROKEN);
  f->setup.total_ms = 200;
  assert_failed (f, "/slow", GADGET_WEB_PICTURE_ERROR_SLOW);
  assert_failed (f, "/mute", GADGET_WEB_PICTURE_ERROR_SLOW);
  /* The limit is for the lookup of the address as well. */
  f->resolver->answers[0] = NULL;
  f->resolver->n_lookups = 0;
  assert_failed (f, "/unfound", GADGET_WEB_PICTURE_ERROR_SLOW);
}

/* --- Where from --------------------------------------------------------------------------------
 */

static void
test_redirects (FetchFixture *f, gconstpointer data)
{
  g_auto (Answer) answer = { NULL };

  fake_reply_close (add_picture (f, "/here.png", "image/png"));
  fetch_add_redirect (f, "/same", 302, "/here.png");
  fetch_add_redirect (f, "/other", 302, "https://other.example/x.png?a=b");
  fetch_add_redirect (f, "/own", 302, "http://localhost/x.png");
  fetch_add_redirect (f, "/number", 302, "http://169.254.169.254/x.png");
  fetch_add_redirect (f, "/file", 302, "file:///etc/passwd");
  get (f, "/same", &answer);
  g_assert_no_error (answer.error);
  get (f, "/other", &answer);
  g_assert_error (answer.error, GADGET_WEB_PICTURE_ERROR, GADGET_WEB_PICTURE_ERROR_ELSEWHERE);
  g_assert_cmpstr (answer.elsewhere, ==, "https://other.example/x.png?a=b");
  assert_failed (f, "/own", GADGET_WEB_PICTURE_ERROR_LOCAL);
  assert_failed (f, "/number", GADGET_WEB_PICTURE_ERROR_LOCAL);
  assert_failed (f, "/file", GADGET_WEB_PICTURE_ERROR_REFUSED);
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 6);
}

/* Neither by a name that says it, nor by one that leads there, nor when it does so the second time.
 */
static void
test_local (FetchFixture *f, gconstpointer data)
{
  static const char *const addresses[] = {
    "http://localhost:%u/",   "http://127.0.0.1:%u/", "http://[::1]:%u/",
    "http://192.168.1.1:%u/", "http://router:%u/",    "http://printer.local:%u/",
    "http://10.0.0.1:%u/",    "http://0.0.0.0:%u/x",  "http://a.localhost:%u/",
  };
  static const char *const answers[] = { "127.0.0.2", "10.0.0.1", "::1", "169.254.169.254",
                                         "93.184.216.34 192.168.0.1" };
  g_auto (Answer) answer = { NULL };

  f->setup.classify = gadget_address_classify;
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_auto (GStrv) parts = g_strsplit (addresses[i], "%u", 2);
      g_autofree char *url =
          g_strdup_printf ("%s%u%s", parts[0], fake_server_get_port (f->server), parts[1]);

      start (f, url, &answer);
      wait_until (answer.done);
      g_assert_error (answer.error, GADGET_WEB_PICTURE_ERROR, GADGET_WEB_PICTURE_ERROR_LOCAL);
    }
  f->setup.classify = fetch_classify;
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      f->resolver->answers[0] = answers[i];
      f->resolver->n_lookups = 0;
      assert_failed (f, "/", GADGET_WEB_PICTURE_ERROR_LOCAL);
    }
  fetch_assert_not_contacted (f);
  f->resolver->answers[0] = "127.0.0.1";
  f->resolver->answers[1] = "10.0.0.1";
  f->resolver->n_lookups = 0;
  fetch_add_redirect (f, "/again", 302, "/");
  assert_failed (f, "/again", GADGET_WEB_PICTURE_ERROR_LOCAL);
}

static void
test_addresses (FetchFixture *f, gconstpointer data)
{
  static const char *const bad[] = { "",
                                     "file:///etc/passwd",
                                     "ftp://site.example/a.png",
                                     "a.png",
                                     "//site.example/a",
                                     "http://",
                                     "data:x,y",
                                     "http://user:pass@site.example/a.png",
                                     "javascript:alert(1)" };
  g_autofree char *server = gadget_web_picture_dup_server ("https://Site.Example/a.png");
  g_auto (Answer) answer = { NULL };

  g_assert_cmpstr (server, ==, "site.example");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (gadget_web_picture_dup_server (bad[i]));
      start (f, bad[i], &answer);
      wait_until (answer.done);
      g_assert_error (answer.error, GADGET_WEB_PICTURE_ERROR, GADGET_WEB_PICTURE_ERROR_ADDRESS);
    }
  fetch_assert_not_contacted (f);
}

static void
test_proxy (FetchFixture *f, gconstpointer data)
{
  g_autoptr (GProxyResolver) direct = f->setup.proxies;

  f->setup.proxies = g_simple_proxy_resolver_new ("http://proxy.example:3128", NULL);
  assert_failed (f, "/", GADGET_WEB_PICTURE_ERROR_PROXY);
  fetch_assert_not_contacted (f);
}

/* --- Stopping ----------------------------------------------------------------------------------
 */

static void
stop (FetchFixture *f, Answer *answer)
{
  g_assert_false (answer->done);
  g_cancellable_cancel (f->cancellable);
  wait_until (answer->done);
  g_assert_error (answer->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (test_wait_until (fake_server_have_all_ended, f->server, 1000));
}

static void
test_stop (FetchFixture *f, gconstpointer data)
{
  g_autofree char *mute = fetch_dup_url (f, FETCH_NAME, "/mute");
  g_autofree char *body = fetch_dup_url (f, FETCH_NAME, "/body");
  g_auto (Answer) answer = { NULL };

  fake_reply_stall (fetch_add_page (f, "/mute"));
  fake_reply_stall (add_picture (f, "/body", "image/png"));
  start (f, body, &answer);
  stop (f, &answer);
  fetch_assert_not_contacted (f);
  start (f, mute, &answer);
  wait_until (fake_server_get_n_requests (f->server) == 1);
  stop (f, &answer);
  start (f, body, &answer);
  wait_until (fake_server_count (f->server, FAKE_EVENT_STALL) == 2);
  test_run_for (20);
  stop (f, &answer);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/engine/web-picture/" name, FetchFixture, NULL, fetch_set_up, func, fetch_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("picture", test_picture);
  ADD ("status", test_status);
  ADD ("kind", test_kind);
  ADD ("too-large", test_too_large);
  ADD ("broken", test_broken);
  ADD ("redirects", test_redirects);
  ADD ("local", test_local);
  ADD ("addresses", test_addresses);
  ADD ("proxy", test_proxy);
  ADD ("stop", test_stop);
  return g_test_run ();
}
