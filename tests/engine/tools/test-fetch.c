/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is read from the web: pages and other texts, redirects, sizes and times. */

#include "config.h"

#include "fetch-fixture.h"
#include "http/gadget-http.h"

#include <string.h>

/* --- Pages -------------------------------------------------------------------------------------
 */

static void
test_page (FetchFixture *f, gconstpointer data)
{
  const FakeRequest *request;
  g_autofree char *host =
      g_strdup_printf ("Host: " FETCH_NAME ":%u\r\n", fake_server_get_port (f->server));

  fake_reply_body (fetch_add_page (f, "/"), 200, "text/html; charset=iso-8859-1",
                   "<title>T</title><h1>caf\351</h1><a href='x'>l</a><script>no</script>",
                   "Set-Cookie: a=b\r\n");
  fetch_get (f, "#part");
  fetch_assert_text (f, "[What follows came from the web, http://" FETCH_NAME);
  fetch_assert_text (f, "Title: T\n\n# caf\303\251\n\n[l](http://" FETCH_NAME);
  g_assert_false (f->result->failed);
  g_assert_cmpint (f->result->summary->kind, ==, GADGET_CALL_SUMMARY_FETCHED);
  g_assert_cmpint (f->result->summary->numbers[0], >, 10);
  fetch_get (f, "/");
  request = fake_server_get_request (f->server, 1);
  g_assert_nonnull (strstr (request->head, host));
  g_assert_nonnull (strstr (request->head, "User-Agent: Gadget/"));
  g_assert_null (strcasestr (request->head, "cookie"));
  g_assert_null (strcasestr (request->head, "referer"));
  g_assert_null (strcasestr (request->head, "authorization"));
}

static void
test_other_text (FetchFixture *f, gconstpointer data)
{
  fake_reply_body (fetch_add_page (f, "/j"), 200, "application/json", "{\"a\": \"<p>\"}", NULL);
  fake_reply_body (fetch_add_page (f, "/n"), 200, NULL, "<!DOCTYPE html><p>x", NULL);
  fetch_get (f, "/j");
  fetch_assert_text (f, "{\"a\": \"<p>\"}");
  fetch_get (f, "/n");
  fetch_assert_text (f, "]\n\nx");
}

static void
test_no_text (FetchFixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (f, "/pdf");

  fake_reply_head (reply, 200, "application/pdf", "Content-Length: 1234567\r\n");
  fake_reply_raw (reply, "%PDF", -1);
  fake_reply_stall (reply);
  fetch_get (f, "/pdf");
  fetch_assert_text (f, "application/pdf");
  fetch_assert_text (f, "1234567 bytes");
  g_assert_true (f->result->failed);
}

static void
test_status (FetchFixture *f, gconstpointer data)
{
  fake_reply_body (fetch_add_page (f, "/json"), 422, "application/json", "{\"why\":1}", NULL);
  fake_reply_body (fetch_add_page (f, "/html"), 404, "text/html", "<p>gone", NULL);
  fetch_get (f, "/json");
  fetch_assert_failed (f, "status 422");
  fetch_assert_failed (f, "{\"why\":1}");
  fetch_get (f, "/html");
  fetch_assert_failed (f, "status 404");
  g_assert_null (strstr (f->error->message, "gone"));
}

static void
test_addresses (FetchFixture *f, gconstpointer data)
{
  static const char *const bad[] = { "",
                                     "file:///etc/passwd",
                                     "ftp://site.example/",
                                     "gopher://site.example/",
                                     "site.example",
                                     "http://",
                                     "http:///x",
                                     "http://user@site.example/",
                                     "http://user:pass@site.example/",
                                     "javascript:alert(1)" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      fetch_get_url (f, bad[i], "");
      g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    }
  fetch_assert_not_contacted (f);
  g_assert_cmpuint (f->resolver->n_lookups, ==, 0);
}

/* --- Redirects ---------------------------------------------------------------------------------
 */

static void
test_redirect (FetchFixture *f, gconstpointer data)
{
  fetch_add_redirect (f, "/a", 301, "/d/b");
  fetch_add_redirect (f, "/d/b", 307, "c?x=1");
  fake_reply_body (fetch_add_page (f, "/d/c?x=1"), 200, "text/html", "<a href=e>here</a>", NULL);
  fetch_get (f, "/a");
  fetch_assert_text (f, "/d/e)");
  /* Each of them is looked up and judged by itself. */
  g_assert_cmpuint (f->resolver->n_lookups, ==, 3);
}

static void
test_redirect_loop (FetchFixture *f, gconstpointer data)
{
  fetch_add_redirect (f, "/loop", 302, "/loop");
  fetch_get (f, "/loop");
  fetch_assert_failed (f, "redirected more than 10 times");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 11);
}

static void
test_redirect_elsewhere (FetchFixture *f, gconstpointer data)
{
  fetch_add_redirect (f, "/other", 302, "http://other.example/x");
  fetch_add_redirect (f, "/port", 302, "http://" FETCH_NAME ":1/x");
  fetch_add_redirect (f, "/file", 302, "file:///etc/passwd");
  fetch_add_redirect (f, "/user", 302, "http://a:b@" FETCH_NAME "/");
  fetch_get (f, "/other");
  fetch_assert_failed (f, "http://other.example/x");
  fetch_assert_failed (f, "other.example, which was not asked for");
  fetch_get (f, "/port");
  fetch_assert_failed (f, FETCH_NAME ":1, which was not asked for");
  fetch_get (f, "/file");
  fetch_assert_failed (f, "no address that can be read");
  fetch_get (f, "/user");
  fetch_assert_failed (f, "no address that can be read");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 4);
}

/* --- Sizes and times ---------------------------------------------------------------------------
 */

static void
test_parts (FetchFixture *f, gconstpointer data)
{
  g_autoptr (GString) body = g_string_new (NULL);
  g_autofree char *url = fetch_dup_url (f, FETCH_NAME, "/");

  for (guint i = 0; i < 30000; i++)
    g_string_append_printf (body, "\342\202\254%05u ", i);
  fake_reply_body (fetch_add_page (f, "/"), 200, "text/plain; charset=utf-8", body->str, NULL);
  fetch_get_url (f, url, "");
  fetch_assert_text (f, "\342\202\25400000 ");
  fetch_assert_text (f, "[Bytes 0 to 65536 of 270000. To go on, call this with \"start\": 65536.]");
  g_assert_cmpuint (strlen (f->result->text), <, 65536 + 1000);
  fetch_get_url (f, url, ",\"start\":65536");
  fetch_assert_text (f, "[Bytes 65536 to ");
  fetch_get_url (f, url, ",\"start\":269000");
  fetch_assert_text (f, "29999 ");
  g_assert_null (strstr (f->result->text, "To go on"));
  fetch_get_url (f, url, ",\"start\":99999999");
  fetch_assert_text (f, "There are only 270000 bytes");
}

static void
test_too_large (FetchFixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (f, "/");

  f->setup.max_bytes = 100000;
  fake_reply_head (reply, 200, "text/plain", NULL);
  fake_reply_repeat (reply, "0123456789abcdef", 1000000000, 0);
  fetch_get (f, "/");
  fetch_assert_text (f, "of 100000.");
  fetch_assert_text (f, "This is not all of the page: it is larger");
}

static void
test_slow (FetchFixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (f, "/drip");
  const gint64 begun = g_get_monotonic_time ();

  f->setup.total_ms = 300;
  fake_reply_head (reply, 200, "text/plain", NULL);
  fake_reply_repeat (reply, "drop ", 100000, 50);
  reply = fetch_add_page (f, "/silent");
  fake_reply_stall (reply);
  fetch_get (f, "/drip");
  fetch_assert_text (f, "drop drop");
  fetch_assert_text (f, "did not come in time");
  fetch_get (f, "/silent");
  g_assert_error (f->error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TIMEOUT);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 5 * G_USEC_PER_SEC);
}

static void
test_broken (FetchFixture *f, gconstpointer data)
{
  FakeReply *reply = fetch_add_page (f, "/");

  fake_reply_head (reply, 200, "text/plain", "Content-Length: 100\r\n");
  fake_reply_raw (reply, "half", -1);
  fake_reply_close (reply);
  fetch_get (f, "/");
  fetch_assert_text (f, "half");
  fetch_assert_text (f, "broke off");
}

/* --- Packed, though nobody asked ----------------------------------------------------------------
 */

static GBytes *
pack (const char *text, gsize length, GZlibCompressorFormat format)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (format, 9);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream =
      g_converter_output_stream_new (memory, G_CONVERTER (compressor));

  g_assert_true (g_output_stream_write_all (stream, text, length, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

/* In two pieces, the first so long. */
static void
add_packed (FetchFixture *f, const char *path, const char *coding, GBytes *bytes, gsize first)
{
  FakeReply *reply = fetch_add_page (f, path);
  g_autofree char *header = g_strdup_printf ("Content-Encoding: %s\r\nContent-Length: %zu\r\n",
                                             coding, g_bytes_get_size (bytes));
  const char *data = g_bytes_get_data (bytes, NULL);

  fake_reply_head (reply, 200, "text/plain", header);
  fake_reply_raw (reply, data, (gssize) first);
  fake_reply_delay (reply, 30);
  fake_reply_raw (reply, data + first, (gssize) (g_bytes_get_size (bytes) - first));
  fake_reply_end (reply);
}

/* As object stores do, of what is stored so. */
static void
test_packed (FetchFixture *f, gconstpointer data)
{
  g_autofree char *filling = g_strnfill (100000, 'x');
  g_autofree char *text = g_strconcat ("begin ", filling, " end", NULL);
  g_autoptr (GBytes) gzip = pack (text, strlen (text), G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GBytes) deflate = pack (text, strlen (text), G_ZLIB_COMPRESSOR_FORMAT_ZLIB);

  add_packed (f, "/gzip", "gzip", gzip, 5);
  add_packed (f, "/x-gzip", "X-GZIP", gzip, 100);
  add_packed (f, "/deflate", "deflate", deflate, 1);
  add_packed (f, "/br", "br", gzip, 1);
  add_packed (f, "/two", "gzip, gzip", gzip, 1);
  for (guint i = 0; i < 3; i++)
    {
      static const char *const paths[] = { "/gzip", "/x-gzip", "/deflate" };

      fetch_get (f, paths[i]);
      fetch_assert_text (f, "]\n\nbegin xxx");
      fetch_assert_text (f, "[Bytes 0 to 65536 of 100010. To go on");
      g_assert_null (strstr (f->result->text, "not all of the page"));
    }
  fetch_get (f, "/br");
  fetch_assert_failed (f, "(Content-Encoding: br)");
  fetch_get (f, "/two");
  fetch_assert_failed (f, "(Content-Encoding: gzip, gzip)");
  g_assert_nonnull (
      strstr (fake_server_get_request (f->server, 0)->head, "Accept-Encoding: identity"));
}

/* What is broken, and a few bytes that hold a lot. */
static void
test_packed_badly (FetchFixture *f, gconstpointer data)
{
  const gsize large = 50 * 1000 * 1000;
  g_autofree char *zeros = g_strnfill (large, '0');
  g_autoptr (GBytes) bomb = pack (zeros, large, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GBytes) half = g_bytes_new_from_bytes (bomb, 0, 2000);
  g_autoptr (GBytes) wrong = g_bytes_new_static ("no gzip at all", 14);

  add_packed (f, "/bomb", "gzip", bomb, 10);
  add_packed (f, "/half", "gzip", half, 10);
  add_packed (f, "/wrong", "gzip", wrong, 2);
  fetch_get (f, "/bomb");
  fetch_assert_text (f, "larger than what is read");
  fetch_get (f, "/half");
  fetch_assert_text (f, "broke off");
  fetch_get (f, "/wrong");
  fetch_assert_failed (f, "cannot be unpacked");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  fetch_test_add ("page", test_page);
  fetch_test_add ("other-text", test_other_text);
  fetch_test_add ("no-text", test_no_text);
  fetch_test_add ("status", test_status);
  fetch_test_add ("addresses", test_addresses);
  fetch_test_add ("redirect", test_redirect);
  fetch_test_add ("redirect-loop", test_redirect_loop);
  fetch_test_add ("redirect-elsewhere", test_redirect_elsewhere);
  fetch_test_add ("parts", test_parts);
  fetch_test_add ("too-large", test_too_large);
  fetch_test_add ("slow", test_slow);
  fetch_test_add ("broken", test_broken);
  fetch_test_add ("packed", test_packed);
  fetch_test_add ("packed-badly", test_packed_badly);
  return g_test_run ();
}
