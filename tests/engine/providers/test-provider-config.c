/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "providers/gadget-guide.h"
#include "providers/gadget-http-provider.h"
#include "providers/gadget-provider-factory.h"

static void
test_values (void)
{
  GadgetProviderConfig *config = gadget_provider_config_new (
      "local", "My Server", GADGET_PROVIDER_KIND_OPENAI_CHAT, "http://localhost:8080", "small");
  GadgetProviderConfig *bare =
      gadget_provider_config_new ("guide", NULL, GADGET_PROVIDER_KIND_GUIDE, "", "");

  g_assert_cmpstr (gadget_provider_config_get_id (config), ==, "local");
  g_assert_cmpstr (gadget_provider_config_get_name (config), ==, "My Server");
  g_assert_cmpstr (gadget_provider_config_get_kind (config), ==, "openai-chat");
  g_assert_cmpstr (gadget_provider_config_get_base_url (config), ==, "http://localhost:8080");
  g_assert_cmpstr (gadget_provider_config_get_model (config), ==, "small");
  g_assert_cmpstr (gadget_provider_config_get_name (bare), ==, "guide");
  g_assert_null (gadget_provider_config_get_base_url (bare));
  g_assert_null (gadget_provider_config_get_model (bare));
  g_assert_finalize_object (config);
  g_assert_finalize_object (bare);
}

static void
assert_check (const char *id, const char *kind, const char *base_url, gboolean good)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (gadget_provider_config_check (id, kind, base_url, &error) == good);
  if (!good)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  else
    g_assert_no_error (error);
}

static void
test_check (void)
{
  g_autofree char *longest = g_strnfill (64, 'a');
  g_autofree char *too_long = g_strnfill (65, 'a');

  assert_check ("a", "openai-chat", "http://localhost:8080", TRUE);
  assert_check ("my-server_1.b", "openai-chat", "https://api.example/v1", TRUE);
  assert_check ("a", "openai-chat", "http://[::1]:8080/v1?version=2", TRUE);
  assert_check (longest, "guide", NULL, TRUE);

  assert_check (too_long, "guide", NULL, FALSE);
  assert_check (NULL, "guide", NULL, FALSE);
  assert_check ("", "guide", NULL, FALSE);
  assert_check ("A", "guide", NULL, FALSE);
  assert_check ("a b", "guide", NULL, FALSE);
  assert_check ("a/b", "guide", NULL, FALSE);
  assert_check ("ä", "guide", NULL, FALSE);
  assert_check ("a", "telepathy", "http://localhost", FALSE);
  assert_check ("a", NULL, "http://localhost", FALSE);
  assert_check ("a", "openai-chat", NULL, FALSE);
  assert_check ("a", "openai-responses", NULL, TRUE);
  assert_check ("a", "anthropic", "", TRUE);
  assert_check ("a", "anthropic", "https://proxy.example/anthropic", TRUE);
  assert_check ("a", "anthropic", "proxy.example", FALSE);
  assert_check ("a", "openai-chat", "", FALSE);
  assert_check ("a", "openai-chat", "localhost:8080", FALSE);
  assert_check ("a", "openai-chat", "ftp://localhost", FALSE);
  assert_check ("a", "openai-chat", "http://", FALSE);
  assert_check ("a", "openai-chat", "http:///v1", FALSE);
  assert_check ("a", "openai-chat", "http://user:secret@localhost", FALSE);
  assert_check ("a", "openai-chat", "http://localhost/#x", FALSE);
  assert_check ("a", "openai-chat", "http://local host/", FALSE);
}

static void
test_factory (void)
{
  g_autoptr (GadgetHttp) http = gadget_http_new (NULL);
  g_autoptr (GadgetProviderConfig) chat =
      gadget_provider_config_new ("a", NULL, "openai-chat", "http://localhost", NULL);
  g_autoptr (GadgetProviderConfig) guide =
      gadget_provider_config_new ("guide", NULL, "guide", NULL, NULL);
  g_autoptr (GadgetProviderConfig) other =
      gadget_provider_config_new ("b", NULL, "telepathy", NULL, NULL);
  g_autoptr (GadgetProvider) first = gadget_provider_new_for_config (chat, http, "key", NULL);
  g_autoptr (GadgetProvider) second = gadget_provider_new_for_config (guide, http, NULL, NULL);

  g_assert_true (GADGET_IS_HTTP_PROVIDER (first));
  g_assert_true (GADGET_IS_GUIDE (second));
  g_assert_null (gadget_provider_new_for_config (other, http, NULL, NULL));
}

static GadgetProviderConfig *
make_at (const char *url)
{
  return gadget_provider_config_new ("a", NULL, GADGET_PROVIDER_KIND_OPENAI_CHAT, url, NULL);
}

static void
test_origin (void)
{
  static const struct
  {
    const char *url;
    const char *origin;
    gboolean exposed;
    gboolean needs_key;
  } cases[] = {
    { "https://API.example.com/v1", "https://api.example.com:443", FALSE, TRUE },
    { "http://api.example.com/v1", "http://api.example.com:80", TRUE, TRUE },
    { "HTTP://api.example.com:8080", "http://api.example.com:8080", TRUE, TRUE },
    { "http://8.8.8.8/v1", "http://8.8.8.8:80", TRUE, TRUE },
    { "http://[2606:4700::1111]/v1", "http://[2606:4700::1111]:80", TRUE, TRUE },
    { "http://localhost:11434", "http://localhost:11434", FALSE, FALSE },
    { "http://127.0.0.1:1/v1", "http://127.0.0.1:1", FALSE, FALSE },
    { "http://[::1]:1/v1", "http://[::1]:1", FALSE, FALSE },
    { "http://192.168.1.5/v1", "http://192.168.1.5:80", FALSE, FALSE },
    { "http://10.0.0.5/v1", "http://10.0.0.5:80", FALSE, FALSE },
    { "http://nas/v1", "http://nas:80", FALSE, FALSE },
    { "http://gpu.local/v1", "http://gpu.local:80", FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GadgetProviderConfig) config = make_at (cases[i].url);
      g_autofree char *origin = gadget_provider_config_dup_origin (config);

      g_assert_cmpstr (origin, ==, cases[i].origin);
      g_assert_cmpint (gadget_provider_config_is_exposed (config), ==, cases[i].exposed);
      g_assert_cmpint (gadget_provider_config_needs_key (config), ==, cases[i].needs_key);
      /* It was asked for without one before. */
      gadget_provider_config_set_key_origin (config, "");
      g_assert_false (gadget_provider_config_needs_key (config));
      g_assert_false (gadget_provider_config_has_foreign_key (config));
      gadget_provider_config_set_key_origin (config, origin);
      g_assert_true (gadget_provider_config_needs_key (config));
      g_assert_false (gadget_provider_config_has_foreign_key (config));
      gadget_provider_config_set_key_origin (config, "https://other.example:443");
      g_assert_true (gadget_provider_config_has_foreign_key (config));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/provider-config/values", test_values);
  g_test_add_func ("/engine/provider-config/check", test_check);
  g_test_add_func ("/engine/provider-config/origin", test_origin);
  g_test_add_func ("/engine/provider-config/factory", test_factory);
  return g_test_run ();
}
