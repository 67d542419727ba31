/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "fake-server.h"
#include "test-wait.h"

#include "providers/gadget-provider-error.h"
#include "providers/gadget-services.h"

#include <string.h>

#define SOON_MS 5000

/* Checks a key of OpenRouter at the address of this server that ends in @data. */
static void
test_check_path (gconstpointer data)
{
  g_autoptr (FakeServer) server = fake_server_new ();
  g_autoptr (GadgetHttp) http = gadget_http_new (NULL);
  g_autofree char *url = fake_server_dup_url (server, data);
  const GadgetService *service = gadget_services_find_by_key ("sk-or-1", NULL);
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("or", NULL, service->kind, url, NULL);
  const gboolean has_query = strchr (data, '?') != NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) models = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (service->name, ==, "OpenRouter");
  fake_server_set_models (server, "{\"data\":[{\"id\":\"a\"}]}");
  gadget_service_check_async (service, config, http, "sk-or-1", NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  models = gadget_service_check_finish (http, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (models->len, ==, 1);
  g_assert_cmpstr (fake_server_get_request (server, 0)->path, ==,
                   has_query ? "/api/v1/key?version=2" : "/api/v1/key");
  g_assert_cmpstr (fake_server_get_request (server, 1)->path, ==,
                   has_query ? "/api/v1/models?version=2" : "/api/v1/models");
}

/* Without a host there is nothing to ask. */
static void
test_no_address (void)
{
  g_autoptr (GadgetHttp) http = gadget_http_new (NULL);
  const GadgetService *service = gadget_services_find_by_key ("sk-or-1", NULL);
  g_autoptr (GadgetProviderConfig) config =
      gadget_provider_config_new ("or", NULL, service->kind, "openrouter", NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gadget_service_check_async (service, config, http, "sk-or-1", NULL, test_result_cb, &result);
  g_assert_true (test_wait_result (&result, SOON_MS));
  g_assert_null (gadget_service_check_finish (http, result, &error));
  g_assert_error (error, GADGET_PROVIDER_ERROR, GADGET_PROVIDER_ERROR_ADDRESS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/engine/services/check-path/plain", "/api/v1", test_check_path);
  g_test_add_data_func ("/engine/services/check-path/slash", "/api/v1/", test_check_path);
  g_test_add_data_func ("/engine/services/check-path/query", "/api/v1?version=2", test_check_path);
  g_test_add_func ("/engine/services/no-address", test_no_address);
  return g_test_run ();
}
