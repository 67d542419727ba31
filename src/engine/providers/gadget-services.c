/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The services were looked up in November 2026, in their documentation and in that of programs that
 * use them. Mistral's page for keys was not found there:
 *   OpenRouter  https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key
 *   OpenAI      https://platform.openai.com/docs/api-reference/authentication
 *   Anthropic   https://platform.claude.com/docs/en/get-api-key
 *   Gemini      https://ai.google.dev/gemini-api/docs/api-key
 *   Mistral     https://docs.mistral.ai/api/
 *   DeepSeek    https://api-docs.deepseek.com/
 *   Groq        https://console.groq.com/docs/openai
 *   xAI         https://docs.x.ai/docs/introduction
 *
 * Google has made Gemini keys that begin with "AQ." since May 2026, and refuses more and more of
 * the older ones. */

#define G_LOG_DOMAIN "gadget-services"

#include "config.h"

#include "gadget-services.h"

#include "gadget-dialect-json.h"
#include "gadget-http-lookup.h"
#include "gadget-http-provider-private.h"
#include "gadget-provider-factory.h"

static const GadgetService services[] = {
  { "OpenRouter", GADGET_PROVIDER_KIND_OPENAI_CHAT, "https://openrouter.ai/api/v1",
    "https://openrouter.ai/settings/keys", "sk-or-", NULL, "key" },
  { "OpenAI", GADGET_PROVIDER_KIND_OPENAI_RESPONSES, "https://api.openai.com/v1",
    "https://platform.openai.com/api-keys", "sk-proj-", NULL, NULL },
  { "Anthropic", GADGET_PROVIDER_KIND_ANTHROPIC, "https://api.anthropic.com",
    "https://platform.claude.com/settings/keys", "sk-ant-", NULL, NULL },
  { "Gemini", GADGET_PROVIDER_KIND_GEMINI, "https://generativelanguage.googleapis.com/v1beta",
    "https://aistudio.google.com/apikey", "AQ.", "AIza", NULL },
  { "Mistral", GADGET_PROVIDER_KIND_OPENAI_CHAT, "https://api.mistral.ai/v1",
    "https://console.mistral.ai/api-keys", NULL, NULL, NULL },
  { "DeepSeek", GADGET_PROVIDER_KIND_OPENAI_CHAT, "https://api.deepseek.com/v1",
    "https://platform.deepseek.com/api_keys", NULL, NULL, NULL },
  { "Groq", GADGET_PROVIDER_KIND_OPENAI_CHAT, "https://api.groq.com/openai/v1",
    "https://console.groq.com/keys", "gsk_", NULL, NULL },
  { "xAI", GADGET_PROVIDER_KIND_OPENAI_CHAT, "https://api.x.ai/v1", "https://console.x.ai/", "xai-",
    NULL, NULL },
};

guint
gadget_services_get_n (void)
{
  return G_N_ELEMENTS (services);
}

/**
 * gadget_services_get:
 * @index: less than gadget_services_get_n ()
 *
 * Returns: (transfer none): the service; they are in the order in which they are offered
 */
const GadgetService *
gadget_services_get (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (services), NULL);
  return &services[index];
}

const GadgetService *
gadget_services_find_by_key (const char *key, const char **prefix)
{
  g_return_val_if_fail (key != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (services); i++)
    {
      const char *const prefixes[] = { services[i].key_prefix, services[i].old_key_prefix };

      for (guint j = 0; j < G_N_ELEMENTS (prefixes); j++)
        if (prefixes[j] != NULL && g_str_has_prefix (key, prefixes[j]))
          {
            if (prefix != NULL)
              *prefix = prefixes[j];
            return &services[i];
          }
    }
  return NULL;
}

static void
models_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) models =
      gadget_provider_list_models_finish (GADGET_PROVIDER (source), result, &error);

  if (models != NULL)
    g_task_return_pointer (task, g_steal_pointer (&models), (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
key_described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetHttpProvider *provider = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;
  g_autoptr (GBytes) body = gadget_http_lookup_finish (GADGET_HTTP (source), result, &error);

  if (body == NULL)
    {
      _gadget_http_provider_hide_secrets (provider, error);
      g_task_return_error (task, error);
      return;
    }
  gadget_provider_list_models_async (GADGET_PROVIDER (provider), cancellable, models_cb,
                                     g_steal_pointer (&task));
}

/**
 * gadget_service_check_async:
 * @config: a provider of this service, possibly at another address
 * @http: the program's
 * @key: the key to check
 *
 * Fails with %GADGET_PROVIDER_ERROR_AUTH when the service refuses the key.
 */
void
gadget_service_check_async (const GadgetService *self, GadgetProviderConfig *config,
                            GadgetHttp *http, const char *key, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GadgetProvider) provider = NULL;
  GError *error = NULL;
  char *url;

  g_return_if_fail (self != NULL && GADGET_IS_PROVIDER_CONFIG (config) && GADGET_IS_HTTP (http));

  task = g_task_new (http, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_service_check_async);
  provider = gadget_provider_new_for_config (config, http, key, gadget_http_get_clock (http));
  g_task_set_task_data (task, g_object_ref (provider), g_object_unref);
  if (self->check_path == NULL)
    {
      gadget_provider_list_models_async (provider, cancellable, models_cb, g_steal_pointer (&task));
      return;
    }
  url =
      gadget_dialect_make_url (gadget_provider_config_get_base_url (config), "", self->check_path);
  if (_gadget_http_provider_look_up (GADGET_HTTP_PROVIDER (provider), url, NULL, NULL, cancellable,
                                     key_described_cb, task, &error))
    g_steal_pointer (&task);
  else
    g_task_return_error (task, error);
}

/**
 * gadget_service_check_finish:
 *
 * Returns: (transfer full) (element-type GadgetModel): the models if the key is accepted; otherwise
 *   %NULL with a #GadgetProviderError
 */
GPtrArray *
gadget_service_check_finish (GadgetHttp *http, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, http), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
