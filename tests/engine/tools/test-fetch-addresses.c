/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where fetch may go: addresses, names, proxies, certificates, and what it asks the user for. */

#include "config.h"

#include "fetch-fixture.h"
#include "http/gadget-http.h"

#include <string.h>

/* --- Where it leads to -------------------------------------------------------------------------
 */

static void
test_classify (void)
{
  static const struct
  {
    const char *number;
    GadgetAddressKind kind;
  } rows[] = {
    { "93.184.216.34", GADGET_ADDRESS_PUBLIC },
    { "172.32.0.1", GADGET_ADDRESS_PUBLIC },
    { "100.128.0.1", GADGET_ADDRESS_PUBLIC },
    { "2606:2800:220:1::1", GADGET_ADDRESS_PUBLIC },
    { "::ffff:93.184.216.34", GADGET_ADDRESS_PUBLIC },
    { "64:ff9b::5db8:d822", GADGET_ADDRESS_PUBLIC },
    { "127.0.0.1", GADGET_ADDRESS_OWN },
    { "127.255.255.254", GADGET_ADDRESS_OWN },
    { "::1", GADGET_ADDRESS_OWN },
    { "::ffff:127.0.0.1", GADGET_ADDRESS_OWN },
    { "64:ff9b::7f00:1", GADGET_ADDRESS_OWN },
    { "2002:7f00:1::", GADGET_ADDRESS_OWN },
    { "10.1.2.3", GADGET_ADDRESS_LOCAL },
    { "172.16.0.1", GADGET_ADDRESS_LOCAL },
    { "172.31.255.255", GADGET_ADDRESS_LOCAL },
    { "192.168.1.1", GADGET_ADDRESS_LOCAL },
    { "100.64.0.1", GADGET_ADDRESS_LOCAL },
    { "100.127.255.255", GADGET_ADDRESS_LOCAL },
    { "169.254.1.1", GADGET_ADDRESS_LOCAL },
    { "fc00::1", GADGET_ADDRESS_LOCAL },
    { "fdff::1", GADGET_ADDRESS_LOCAL },
    { "fe80::1", GADGET_ADDRESS_LOCAL },
    { "fec0::1", GADGET_ADDRESS_LOCAL },
    { "::ffff:10.0.0.1", GADGET_ADDRESS_LOCAL },
    { "0.0.0.0", GADGET_ADDRESS_FORBIDDEN },
    { "0.1.2.3", GADGET_ADDRESS_FORBIDDEN },
    { "::", GADGET_ADDRESS_FORBIDDEN },
    { "::7f00:1", GADGET_ADDRESS_FORBIDDEN },
    { "169.254.169.254", GADGET_ADDRESS_FORBIDDEN },
    { "::ffff:169.254.169.254", GADGET_ADDRESS_FORBIDDEN },
    { "fd00:ec2::254", GADGET_ADDRESS_FORBIDDEN },
    { "224.0.0.1", GADGET_ADDRESS_FORBIDDEN },
    { "255.255.255.255", GADGET_ADDRESS_FORBIDDEN },
    { "ff02::1", GADGET_ADDRESS_FORBIDDEN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GInetAddress) address = g_inet_address_new_from_string (rows[i].number);

      g_assert_nonnull (address);
      if (gadget_address_classify (address) != rows[i].kind)
        g_error ("%s is not %d", rows[i].number, (int) rows[i].kind);
    }
}

static void
test_private (FetchFixture *f, gconstpointer data)
{
  static const char *const answers[] = {
    "127.0.0.2",        "10.0.0.1",        "::1",
    "::ffff:127.0.0.1", "169.254.169.254", "93.184.216.34 192.168.0.1",
    "127.0.0.1 fe80::1"
  };

  f->setup.classify = fetch_classify;
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      f->resolver->answers[0] = answers[i];
      f->resolver->n_lookups = 0;
      fetch_get (f, "/");
      g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
      fetch_assert_failed (f, FETCH_NAME " has the address ");
    }
  fetch_assert_not_contacted (f);
}

/* With the real judgement: this computer only where that was said. */
static void
test_local (FetchFixture *f, gconstpointer data)
{
  g_autofree char *by_name = fetch_dup_url (f, "localhost", "/");
  g_autofree char *by_number = fetch_dup_url (f, "127.0.0.1", "/");
  g_autofree char *by_other_name = fetch_dup_url (f, FETCH_NAME, "/");
  g_autofree char *by_trick = fetch_dup_url (f, "127.1", "/");

  f->setup.classify = gadget_address_classify;
  fake_reply_body (fetch_add_page (f, "/"), 200, "text/plain", "here", NULL);
  fetch_get_url (f, by_other_name, "");
  fetch_assert_failed (f, "\"local\": true");
  /* No number in any of its other forms is taken for a name. */
  fetch_get_url (f, by_trick, "");
  fetch_assert_failed (f, "was not found");
  fetch_assert_not_contacted (f);
  fetch_get_url (f, by_other_name, ",\"local\":true");
  fetch_assert_text (f, "here");
  fetch_get_url (f, by_name, "");
  fetch_assert_text (f, "here");
  fetch_get_url (f, by_number, "");
  fetch_assert_text (f, "here");
}

/* The second answer would lead into the local network; it is never asked for, and a redirect, for
 * which it is, is refused. */
static void
test_rebinding (FetchFixture *f, gconstpointer data)
{
  fetch_add_redirect (f, "/again", 302, "/");
  fake_reply_body (fetch_add_page (f, "/"), 200, "text/plain", "first", NULL);
  f->resolver->answers[1] = "127.0.0.2";
  fetch_get (f, "/");
  fetch_assert_text (f, "first");
  g_assert_cmpuint (f->resolver->n_lookups, ==, 1);
  f->resolver->n_lookups = 0;
  fetch_get (f, "/again");
  fetch_assert_failed (f, "127.0.0.2");
  g_assert_cmpuint (fake_server_get_n_requests (f->server), ==, 2);
}

static void
test_proxy (FetchFixture *f, gconstpointer data)
{
  g_object_unref (f->setup.proxies);
  f->setup.proxies = g_simple_proxy_resolver_new ("http://127.0.0.1:1", NULL);
  fetch_get (f, "/");
  fetch_assert_failed (f, "through a proxy");
  fetch_assert_not_contacted (f);
}

/* A certificate is compared with the name that was asked for, not with the address. */
static void
test_tls (FetchFixture *f, gconstpointer data)
{
  g_autoptr (FakeServer) server = fake_server_new_of_kind (FAKE_SERVER_TLS);
  g_autofree char *good = g_strdup_printf ("https://localhost:%u/", fake_server_get_port (server));
  g_autofree char *bad =
      g_strdup_printf ("https://" FETCH_NAME ":%u/", fake_server_get_port (server));
  g_autofree char *header =
      g_strdup_printf ("Location: http://localhost:%u/x\r\n", fake_server_get_port (server));
  FakeReply *reply = fake_server_add_reply (server);

  fake_reply_when (reply, "/");
  fake_reply_body (reply, 302, "text/plain", "", header);
  fake_tls_set_trusted (TRUE);
  fetch_get_url (f, bad, "");
  g_assert_error (f->error, GADGET_HTTP_ERROR, GADGET_HTTP_ERROR_TLS);
  g_assert_cmpuint (fake_server_get_n_requests (server), ==, 0);
  fetch_get_url (f, good, "");
  fetch_assert_failed (f, "from https to http");
  fake_tls_set_trusted (FALSE);
}

/* --- Permission --------------------------------------------------------------------------------
 */

static GadgetPrompt *
ask (FetchFixture *f, const char *arguments)
{
  g_autoptr (JsonNode) node = json_from_string (arguments, NULL);
  const GadgetToolContext context = { .interactive = TRUE };

  if (f->tool == NULL)
    f->tool = gadget_tool_fetch_new_with_setup (&f->setup);
  return gadget_tool_permission (f->tool, json_node_get_object (node), &context);
}

static void
assert_asks (FetchFixture *f, const char *arguments, const char *subject, const char *detail)
{
  g_autoptr (GadgetPrompt) prompt = ask (f, arguments);

  g_assert_nonnull (strstr (gadget_prompt_get_detail (prompt), detail));
  g_assert_cmpuint (gadget_prompt_get_n_accesses (prompt), ==, subject != NULL ? 1 : 0);
  if (subject == NULL)
    return;
  g_assert_cmpint (gadget_prompt_get_access (prompt, 0)->kind, ==, GADGET_ACCESS_HOST);
  g_assert_cmpstr (gadget_prompt_get_access (prompt, 0)->subject, ==, subject);
  g_assert_false (gadget_prompt_get_access (prompt, 0)->confined);
}

static void
test_permission (FetchFixture *f, gconstpointer data)
{
  assert_asks (f, "{\"url\":\"https://Example.COM/x\"}", "example.com", "in the internet");
  assert_asks (f, "{\"url\":\"http://example.com.:80\"}", "example.com", "in the internet");
  assert_asks (f, "{\"url\":\"https://example.com:8443/\"}", "example.com:8443", "in the internet");
  assert_asks (f, "{\"url\":\"http://b\303\274cher.example/\"}", "xn--bcher-kva.example",
               "in the internet");
  assert_asks (f, "{\"url\":\"http://localhost:8080/\"}", "localhost:8080", "on this computer");
  assert_asks (f, "{\"url\":\"http://[::1]:8080/\"}", "[::1]:8080", "on this computer");
  assert_asks (f, "{\"url\":\"http://192.168.1.1/\"}", "192.168.1.1", "in the local network");
  assert_asks (f, "{\"url\":\"http://printer.local/\"}", "printer.local", "in the local network");
  assert_asks (f, "{\"url\":\"http://router/\"}", "router", "in the local network");
  /* No rule for a name in the internet opens what is near. */
  assert_asks (f, "{\"url\":\"http://example.com/\",\"local\":true}", NULL, "in the local network");
  g_assert_null (ask (f, "{\"url\":\"file:///etc/passwd\"}"));
  g_assert_null (ask (f, "{}"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/fetch/classify", test_classify);
  fetch_test_add ("private", test_private);
  fetch_test_add ("local", test_local);
  fetch_test_add ("rebinding", test_rebinding);
  fetch_test_add ("proxy", test_proxy);
  fetch_test_add ("tls", test_tls);
  fetch_test_add ("permission", test_permission);
  return g_test_run ();
}
