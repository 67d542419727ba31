/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adds, changes and removes providers. The parts of a provider are in two places, and are written
 * one after the other: values of secret headers and the key in the keyring, the rest in the store.
 * The list shows the provider when all are written. Adding can be cancelled until the store is
 * asked. Removing goes the other way: the store comes first, so that an error leaves the provider
 * as it was. */

#define G_LOG_DOMAIN "gadget-provider-list"

#include "config.h"

#include "gadget-provider-list-private.h"

#include "gadget-provider-secrets.h"
#include "store/gadget-store-providers.h"

#include <glib/gi18n-lib.h>

/* The data of a task that adds a provider. */
typedef struct
{
  GadgetProviderConfig *config;
  char *key;
  char *secret_headers; /* (nullable): values that the user entered */
} Adding;

static void
adding_free (gpointer data)
{
  Adding *adding = data;

  g_object_unref (adding->config);
  gadget_secrets_free_key (adding->key);
  gadget_secrets_free_key (adding->secret_headers);
  g_free (adding);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Adding *adding = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gadget_store_save_provider_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  _gadget_provider_list_replace_config (g_task_get_source_object (task), adding->config);
  g_task_return_boolean (task, TRUE);
}

static void
withdrawn_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gadget_secrets_clear_finish (GADGET_SECRETS (source), result, NULL);
  g_task_return_error_if_cancelled (task);
}

/* Ends a task that was cancelled. The key of a provider that is not in the list would never be read
 * or removed, so it does not stay in the keyring. */
static void
withdraw (GTask *task)
{
  GadgetProviderList *self = g_task_get_source_object (task);
  const Adding *adding = g_task_get_task_data (task);
  const char *id = gadget_provider_config_get_id (adding->config);

  if (adding->key != NULL && gadget_provider_list_find (self, id) == NULL)
    {
      gadget_secrets_clear_async (self->secrets, id, NULL, withdrawn_cb, task);
      return;
    }
  g_task_return_error_if_cancelled (task);
  g_object_unref (task);
}

static void
save (GTask *task)
{
  GadgetProviderList *self = g_task_get_source_object (task);
  const Adding *adding = g_task_get_task_data (task);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      withdraw (task);
      return;
    }
  if (self->store != NULL)
    {
      gadget_store_save_provider_async (self->store, adding->config, saved_cb, task);
      return;
    }
  _gadget_provider_list_replace_config (self, adding->config);
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/* Without a keyring the key is kept until the program ends; the user interface says so. */
static void
key_stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Adding *adding = g_task_get_task_data (task);
  g_autofree char *origin = gadget_provider_config_dup_origin (adding->config);
  GError *error = NULL;

  if (!gadget_secrets_store_finish (GADGET_SECRETS (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (gadget_secrets_get_persistent (GADGET_SECRETS (source)))
    gadget_provider_config_set_key_origin (adding->config, origin);
  save (g_steal_pointer (&task));
}

static void
store_key (GTask *task)
{
  GadgetProviderList *self = g_task_get_source_object (task);
  const Adding *adding = g_task_get_task_data (task);
  g_autofree char *origin = gadget_provider_config_dup_origin (adding->config);

  if (adding->key == NULL)
    save (task);
  else
    gadget_secrets_store_async (self->secrets, gadget_provider_config_get_id (adding->config),
                                gadget_provider_config_get_name (adding->config), origin,
                                adding->key, g_task_get_cancellable (task), key_stored_cb, task);
}

static void
headers_stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (_gadget_provider_secrets_store_finish (GADGET_SECRETS (source), result, &error))
    store_key (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static void
headers_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  /* If the keyring cannot be reached it keeps values that are not read any more. */
  gadget_secrets_clear_finish (GADGET_SECRETS (source), result, NULL);
  store_key (user_data);
}

/* This comes first: if a header has no value, nothing has been changed yet. */
static void
store_headers (GTask *task)
{
  GadgetProviderList *self = g_task_get_source_object (task);
  const Adding *adding = g_task_get_task_data (task);
  const char *id = gadget_provider_config_get_id (adding->config);
  GadgetProviderConfig *old = gadget_provider_list_find (self, id);

  if (gadget_provider_config_has_secret_headers (adding->config))
    {
      _gadget_provider_secrets_store_async (self->secrets, adding->config, old,
                                            adding->secret_headers, headers_stored_cb, task);
    }
  else if (old != NULL && gadget_provider_config_has_secret_headers (old))
    {
      g_autofree char *headers_id = _gadget_provider_secrets_dup_headers_id (id);

      gadget_secrets_clear_async (self->secrets, headers_id, NULL, headers_cleared_cb, task);
    }
  else
    store_key (task);
}

/* Keeps what is known about the key. A new provider has none ("" as the origin). Neither has one
 * whose address has changed to one that is not public: servers there may do without a key. */
static void
keep_key_origin (GadgetProviderList *self, GadgetProviderConfig *config)
{
  GadgetProviderConfig *old =
      gadget_provider_list_find (self, gadget_provider_config_get_id (config));

  gadget_provider_config_set_key_origin (
      config, old != NULL ? gadget_provider_config_get_key_origin (old) : "");
  if (gadget_provider_config_has_foreign_key (config) && !gadget_provider_config_is_public (config))
    gadget_provider_config_set_key_origin (config, "");
}

/**
 * gadget_provider_list_add_async:
 * @config: the provider; it must not be in the list yet
 * @key: (nullable): %NULL keeps a key that is stored already
 * @secret_headers: (nullable): values for the secret headers, see gadget-secret-values.h; the other
 *   values are kept
 * @cancellable: (nullable): honored until the store is asked. A new provider leaves no key in the
 *   keyring then; of one that is changed, the keyring may have the new values already
 *
 * Adds a provider, or changes the one with the same id. Keys are bound to the address: a stored key
 * is not used at another address. Fails with a #GadgetProviderHeadersError if a secret header has
 * no value for the address, with a #GadgetSecretsError if values that are to be kept cannot be
 * read, with %G_IO_ERROR_EXISTS for the id of the Guide, with a #GadgetStoreError, or with
 * %G_IO_ERROR_CANCELLED.
 */
void
gadget_provider_list_add_async (GadgetProviderList *self, GadgetProviderConfig *config,
                                const char *key, const char *secret_headers,
                                GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Adding *adding;

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self) && GADGET_IS_PROVIDER_CONFIG (config));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_list_add_async);
  g_task_set_check_cancellable (task, FALSE);
  if (g_str_equal (gadget_provider_config_get_id (config), GADGET_GUIDE_ID))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_EXISTS,
                                       _ ("“guide” is the built-in Guide. Choose another id."));
      return;
    }
  adding = g_new0 (Adding, 1);
  adding->config = g_object_ref (config);
  adding->key = g_strdup (key);
  adding->secret_headers = g_strdup (secret_headers);
  g_task_set_task_data (task, adding, adding_free);
  keep_key_origin (self, config);
  store_headers (g_steal_pointer (&task));
}

/**
 * gadget_provider_list_add_finish:
 *
 * Returns: whether the provider is stored and in the list; else @error is a
 *   #GadgetProviderHeadersError, a #GadgetSecretsError, %G_IO_ERROR_EXISTS, a #GadgetStoreError or
 *   %G_IO_ERROR_CANCELLED
 */
gboolean
gadget_provider_list_add_finish (GadgetProviderList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
removed_headers_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!gadget_secrets_clear_finish (GADGET_SECRETS (source), result, &error) && error != NULL)
    g_message ("the headers are not removed from the keyring: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

static void
key_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  g_autofree char *id = _gadget_provider_secrets_dup_headers_id (g_task_get_task_data (task));
  g_autoptr (GError) error = NULL;

  /* Without a keyring there was no key to remove. */
  if (!gadget_secrets_clear_finish (GADGET_SECRETS (source), result, &error) && error != NULL)
    g_message ("the key is not removed from the keyring: %s", error->message);
  gadget_secrets_clear_async (GADGET_SECRETS (source), id, NULL, removed_headers_cleared_cb, task);
}

static void
removed (GTask *task)
{
  GadgetProviderList *self = g_task_get_source_object (task);
  const char *id = g_task_get_task_data (task);
  const gint index = _gadget_provider_list_find_index (self, id);

  if (index > 0)
    _gadget_provider_list_remove_at (self, (guint) index);
  if (g_strcmp0 (self->default_id, id) == 0)
    gadget_provider_list_set_default (self, GADGET_GUIDE_ID);
  gadget_secrets_clear_async (self->secrets, id, NULL, key_cleared_cb, g_object_ref (task));
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (!gadget_store_remove_provider_finish (GADGET_STORE (source), result, &error))
    g_task_return_error (task, error);
  else
    removed (task);
}

/**
 * gadget_provider_list_remove_async:
 *
 * Removes a provider, its key and its secret headers. If it was the default, the Guide becomes the
 * default. Fails with %G_IO_ERROR_NOT_FOUND if there is no such provider or it is the Guide, or
 * with a #GadgetStoreError. Errors of the keyring are only logged.
 */
void
gadget_provider_list_remove_async (GadgetProviderList *self, const char *id,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self) && id != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_list_remove_async);
  g_task_set_task_data (task, g_strdup (id), g_free);
  if (_gadget_provider_list_find_index (self, id) <= 0)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                               _ ("There is no provider “%s” that can be removed."), id);
      return;
    }
  if (self->store == NULL)
    removed (task);
  else
    gadget_store_remove_provider_async (self->store, id, removed_cb, g_steal_pointer (&task));
}

/**
 * gadget_provider_list_remove_finish:
 *
 * Returns: whether the provider is removed from the store and the list; else @error is
 *   %G_IO_ERROR_NOT_FOUND or a #GadgetStoreError
 */
gboolean
gadget_provider_list_remove_finish (GadgetProviderList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
