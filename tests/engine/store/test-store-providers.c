/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "test-store.h"

#include "store/gadget-store-providers.h"

static void
save (GadgetStore *store, const char *id, const char *name, const char *base_url, const char *model)
{
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new (id, name, GADGET_PROVIDER_KIND_OPENAI_CHAT, base_url, model);
  g_autofree char *origin = gadget_provider_config_dup_origin (config);
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_provider_config_set_key_origin (config, origin);
  gadget_store_save_provider_async (store, config, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_save_provider_finish (store, result, &error);
  g_assert_no_error (error);
}

static gboolean
remove_one (GadgetStore *store, const char *id, GError **error)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gadget_store_remove_provider_async (store, id, test_result_cb, &slot);
  result = test_take_result (&slot);
  return gadget_store_remove_provider_finish (store, result, error);
}

static GPtrArray *
list (GadgetStore *store)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *configs;

  gadget_store_list_providers_async (store, test_result_cb, &slot);
  result = test_take_result (&slot);
  configs = gadget_store_list_providers_finish (store, result, &error);
  g_assert_no_error (error);
  return configs;
}

static void
expect (GadgetProviderConfig *config, const char *id, const char *name, const char *base_url,
        const char *model)
{
  g_autofree char *origin = gadget_provider_config_dup_origin (config);

  g_assert_cmpstr (gadget_provider_config_get_key_origin (config), ==, origin);
  g_assert_cmpstr (gadget_provider_config_get_id (config), ==, id);
  g_assert_cmpstr (gadget_provider_config_get_name (config), ==, name);
  g_assert_cmpstr (gadget_provider_config_get_kind (config), ==, GADGET_PROVIDER_KIND_OPENAI_CHAT);
  g_assert_cmpstr (gadget_provider_config_get_base_url (config), ==, base_url);
  g_assert_cmpstr (gadget_provider_config_get_model (config), ==, model);
}

static void
test_providers (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_autoptr (GPtrArray) none = list (fixture->store);

  g_assert_cmpuint (none->len, ==, 0);
  save (fixture->store, "z", "Zeta", "http://127.0.0.1:1/v1", "m");
  save (fixture->store, "a", "Alpha", "https://example.org/v1", NULL);
  /* Replaced, in its place. */
  save (fixture->store, "z", "Zeta 2", "http://127.0.0.1:2/v1", "n");

  g_autoptr (GPtrArray) two = list (fixture->store);

  g_assert_cmpuint (two->len, ==, 2);
  expect (g_ptr_array_index (two, 0), "z", "Zeta 2", "http://127.0.0.1:2/v1", "n");
  expect (g_ptr_array_index (two, 1), "a", "Alpha", "https://example.org/v1", NULL);

  g_assert_true (remove_one (fixture->store, "z", &error));
  g_assert_no_error (error);
  g_assert_false (remove_one (fixture->store, "z", &error));
  g_assert_error (error, GADGET_STORE_ERROR, GADGET_STORE_ERROR_NOT_FOUND);

  g_autoptr (GPtrArray) one = list (fixture->store);

  g_assert_cmpuint (one->len, ==, 1);
}

static void
expect_setting (GadgetStore *store, const char *key, const char *expected)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *value = NULL;

  gadget_store_get_setting_async (store, key, test_result_cb, &slot);
  result = test_take_result (&slot);
  g_assert_true (gadget_store_get_setting_finish (store, result, &value, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (value, ==, expected);
}

static void
set_setting (GadgetStore *store, const char *key, const char *value)
{
  GAsyncResult *slot = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_store_set_setting_async (store, key, value, test_result_cb, &slot);
  result = test_take_result (&slot);
  gadget_store_set_setting_finish (store, result, &error);
  g_assert_no_error (error);
}

static void
test_settings (StoreFixture *fixture, gconstpointer data)
{
  expect_setting (fixture->store, GADGET_SETTING_DEFAULT_PROVIDER, NULL);
  set_setting (fixture->store, GADGET_SETTING_DEFAULT_PROVIDER, "z");
  set_setting (fixture->store, GADGET_SETTING_DEFAULT_MODEL, "m");
  set_setting (fixture->store, GADGET_SETTING_DEFAULT_PROVIDER, "a");
  test_store_close (fixture->store);
  fixture->store = test_store_open (fixture->directory);
  expect_setting (fixture->store, GADGET_SETTING_DEFAULT_PROVIDER, "a");
  expect_setting (fixture->store, GADGET_SETTING_DEFAULT_MODEL, "m");
  set_setting (fixture->store, GADGET_SETTING_DEFAULT_PROVIDER, NULL);
  expect_setting (fixture->store, GADGET_SETTING_DEFAULT_PROVIDER, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/engine/store-providers/" path, StoreFixture, NULL, test_store_set_up, func,        \
              test_store_tear_down)
  ADD ("providers", test_providers);
  ADD ("settings", test_settings);

  return g_test_run ();
}
