/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes providers that can be used: those of the list, with their secrets from the keyring, and
 * those that the user tries before they are saved, with the secrets that were entered. */

#define G_LOG_DOMAIN "gadget-provider-list"

#include "config.h"

#include "gadget-provider-list-private.h"

#include "gadget-provider-secrets.h"
#include "providers/gadget-provider-factory.h"

static void
trial_made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GadgetProvider *provider =
      _gadget_provider_secrets_make_finish (GADGET_SECRETS (source), result, &error);

  if (provider != NULL)
    g_task_return_pointer (task, provider, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void resolve (GTask *task, GadgetProviderConfig *config); /* called again by its callback */

/* The keyring may have waited minutes for its password. A key is not used for an address that the
 * user has removed or changed meanwhile. */
static void
resolved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const char *id = gadget_provider_config_get_id (g_task_get_task_data (task));
  GadgetProviderConfig *config = gadget_provider_list_find (g_task_get_source_object (task), id);
  GError *error = NULL;
  g_autoptr (GadgetProvider) provider =
      _gadget_provider_secrets_make_finish (GADGET_SECRETS (source), result, &error);

  if (provider == NULL)
    g_task_return_error (task, error);
  else if (config == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                             "the provider \"%s\" was removed meanwhile", id);
  else if (config != g_task_get_task_data (task))
    resolve (g_steal_pointer (&task), config);
  else
    g_task_return_pointer (task, g_steal_pointer (&provider), g_object_unref);
}

/* @task is (transfer full). */
static void
resolve (GTask *task, GadgetProviderConfig *config)
{
  const GadgetProviderList *self = g_task_get_source_object (task);

  g_task_set_task_data (task, g_object_ref (config), g_object_unref);
  _gadget_provider_secrets_make_async (
      self->secrets, &(GadgetProviderParts) { .config = config, .stored = TRUE }, self->http,
      self->clock, g_task_get_cancellable (task), resolved_cb, task);
}

/**
 * gadget_provider_list_asks_keyring:
 * @id: (nullable): %NULL for the default
 *
 * Returns: whether gadget_provider_list_resolve_async () asks the keyring, which may take long
 */
gboolean
gadget_provider_list_asks_keyring (GadgetProviderList *self, const char *id)
{
  GadgetProviderConfig *config;

  g_return_val_if_fail (GADGET_IS_PROVIDER_LIST (self), FALSE);

  id = id != NULL ? id : gadget_provider_list_get_default_id (self);
  config = gadget_provider_list_find (self, id);
  return !g_hash_table_contains (self->overrides, id) && config != NULL
         && !g_str_equal (gadget_provider_config_get_kind (config), GADGET_PROVIDER_KIND_GUIDE)
         && _gadget_provider_secrets_asks_keyring (self->secrets, config);
}

/**
 * gadget_provider_list_resolve_async:
 * @id: (nullable): %NULL for the default
 *
 * Makes the provider with that id. Fails with %G_IO_ERROR_NOT_FOUND if there is none, with a
 * #GadgetSecretsError if its key or its secret headers cannot be read, with a
 * #GadgetProviderHeadersError if a header has no value that can be sent, and with
 * %G_IO_ERROR_CANCELLED.
 */
void
gadget_provider_list_resolve_async (GadgetProviderList *self, const char *id,
                                    GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GadgetProviderConfig *config;
  GadgetProvider *override;

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_list_resolve_async);
  id = id != NULL ? id : gadget_provider_list_get_default_id (self);
  override = g_hash_table_lookup (self->overrides, id);
  if (override != NULL)
    {
      g_task_return_pointer (task, g_object_ref (override), g_object_unref);
      return;
    }
  config = gadget_provider_list_find (self, id);
  if (config == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                               "there is no provider \"%s\"", id);
      return;
    }
  if (g_str_equal (gadget_provider_config_get_kind (config), GADGET_PROVIDER_KIND_GUIDE))
    g_task_return_pointer (task,
                           gadget_provider_new_for_config (config, self->http, NULL, self->clock),
                           g_object_unref);
  else
    resolve (g_steal_pointer (&task), config);
}

/**
 * gadget_provider_list_resolve_finish:
 *
 * Returns: (transfer full): a new provider with its key and headers; else %NULL with
 *   %G_IO_ERROR_NOT_FOUND, a #GadgetSecretsError, a #GadgetProviderHeadersError or
 *   %G_IO_ERROR_CANCELLED
 */
GadgetProvider *
gadget_provider_list_resolve_finish (GadgetProviderList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gadget_provider_list_make_async:
 * @config: the provider as the user has entered it; it need not be saved
 * @key: (nullable): the key that the user has entered
 * @secret_headers: (nullable): the header values that the user has entered, see
 *   gadget-secret-values.h
 *
 * Makes a provider that is to be tried. If the list has a provider with the same id, secrets that
 * were not entered are read from the keyring. Fails with a #GadgetSecretsError, a
 * #GadgetProviderHeadersError, or %G_IO_ERROR_CANCELLED.
 */
void
gadget_provider_list_make_async (GadgetProviderList *self, GadgetProviderConfig *config,
                                 const char *key, const char *secret_headers,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GTask *task;
  GadgetProviderParts given = { config, key, secret_headers };

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self) && GADGET_IS_PROVIDER_CONFIG (config));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_list_make_async);
  given.stored = gadget_provider_list_find (self, gadget_provider_config_get_id (config)) != NULL;
  _gadget_provider_secrets_make_async (self->secrets, &given, self->http, self->clock, cancellable,
                                       trial_made_cb, task);
}

/**
 * gadget_provider_list_make_finish:
 *
 * Returns: (transfer full): a provider to try, which is not in the list; else %NULL with a
 *   #GadgetSecretsError, a #GadgetProviderHeadersError or %G_IO_ERROR_CANCELLED
 */
GadgetProvider *
gadget_provider_list_make_finish (GadgetProviderList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
