/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The key and the secret headers of a provider in the keyring: storing header values, and making a
 * provider with what is stored. Secrets that were stored for another address count as missing.
 * Everything happens on the main context; copies of secrets are freed with
 * gadget_secrets_free_key (). */

#define G_LOG_DOMAIN "gadget-provider-list"

#include "config.h"

#include "gadget-provider-secrets.h"

#include "providers/gadget-provider-factory.h"
#include "secrets/gadget-secret-values.h"

/**
 * _gadget_provider_secrets_dup_headers_id:
 * @id: the id of the provider
 *
 * Returns: (transfer full): the id under which the keyring has the provider's secret headers
 */
char *
_gadget_provider_secrets_dup_headers_id (const char *id)
{
  return g_strconcat (GADGET_PROVIDER_HEADERS_KEY_PREFIX, id, NULL);
}

/**
 * _gadget_provider_secrets_asks_keyring:
 *
 * Returns: whether making the provider asks the keyring, which may take long
 */
gboolean
_gadget_provider_secrets_asks_keyring (GadgetSecrets *secrets, GadgetProviderConfig *config)
{
  const char *id = gadget_provider_config_get_id (config);
  g_autofree char *headers_id = _gadget_provider_secrets_dup_headers_id (id);

  return gadget_secrets_asks_keyring (secrets, id)
         || (gadget_provider_config_has_secret_headers (config)
             && gadget_secrets_asks_keyring (secrets, headers_id));
}

/* --- Storing headers -------------------------------------------------------------------------- */

/* The data of a task that stores header values. */
typedef struct
{
  GadgetProviderConfig *config;
  GadgetProviderConfig *before; /* (nullable): the provider before the change */
  char *fresh;                  /* (nullable): values that the user entered */
} Storing;

static void
storing_free (gpointer data)
{
  Storing *storing = data;

  g_object_unref (storing->config);
  g_clear_object (&storing->before);
  gadget_secrets_free_key (storing->fresh);
  g_free (storing);
}

static gboolean
has_name (GadgetProviderConfig *config, const char *name)
{
  const GadgetProviderHeaders *headers = gadget_provider_config_get_headers (config);

  return headers != NULL && g_strv_contains ((const char *const *) headers->secrets, name);
}

/* Returns whether the provider had the secret header before, at the same address. */
static gboolean
had_name (const Storing *storing, const char *name)
{
  g_autofree char *origin = gadget_provider_config_dup_origin (storing->config);
  g_autofree char *before =
      storing->before != NULL ? gadget_provider_config_dup_origin (storing->before) : NULL;

  return g_strcmp0 (before, origin) == 0 && has_name (storing->before, name);
}

static gboolean
has_lost_name (const Storing *storing)
{
  const GadgetProviderHeaders *before =
      storing->before != NULL ? gadget_provider_config_get_headers (storing->before) : NULL;

  for (guint i = 0; before != NULL && before->secrets[i] != NULL; i++)
    if (!has_name (storing->config, before->secrets[i]))
      return TRUE;
  return FALSE;
}

/* @known says whether @values are all that there are; if not, the keyring may have a value for a
 * header that the provider had before. */
static gboolean
check_values (const Storing *storing, const char *values, gboolean known, GError **error)
{
  char **names = gadget_provider_config_get_headers (storing->config)->secrets;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) local_error = NULL;

      if (gadget_provider_headers_check_secret (names[i], values, &local_error)
          || (!known && had_name (storing, names[i])
              && g_error_matches (local_error, GADGET_PROVIDER_HEADERS_ERROR,
                                  GADGET_PROVIDER_HEADERS_ERROR_MISSING)))
        continue;
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  return TRUE;
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gadget_secrets_store_finish (GADGET_SECRETS (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
store_values (GTask *task, const char *values)
{
  const Storing *storing = g_task_get_task_data (task);
  GadgetProviderConfig *config = storing->config;
  g_autofree char *id =
      _gadget_provider_secrets_dup_headers_id (gadget_provider_config_get_id (config));
  g_autofree char *origin = gadget_provider_config_dup_origin (config);

  gadget_secrets_store_async (g_task_get_source_object (task), id,
                              gadget_provider_config_get_name (config), origin, values, NULL,
                              stored_cb, g_object_ref (task));
}

/* @unknown is (nullable) (transfer full): why it is not known what the keyring has. */
static void
store_merged (GTask *task, const char *values, GError *unknown)
{
  const Storing *storing = g_task_get_task_data (task);
  g_autoptr (GError) reason = unknown;
  GError *error = NULL;

  if (!check_values (storing, values, reason == NULL, &error))
    g_task_return_error (task, error);
  else if (storing->fresh == NULL && (reason != NULL || !has_lost_name (storing)))
    g_task_return_boolean (task, TRUE);
  /* Values in the keyring are not replaced by an incomplete set. */
  else if (reason != NULL && !check_values (storing, values, TRUE, NULL))
    g_task_return_error (task, g_steal_pointer (&reason));
  else
    store_values (task, values);
}

static void
old_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Storing *storing = g_task_get_task_data (task);
  GError *error = NULL;
  char *old = gadget_secrets_lookup_finish (GADGET_SECRETS (source), result, &error);
  char *values;

  /* Values that were entered for another address count as missing. */
  if (g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_ORIGIN))
    g_clear_error (&error);
  values = gadget_secret_values_merge (
      gadget_provider_config_get_headers (storing->config)->secrets, old, storing->fresh);
  store_merged (task, values, error);
  gadget_secrets_free_key (old);
  gadget_secrets_free_key (values);
}

/**
 * _gadget_provider_secrets_store_async:
 * @config: the provider, which has secret headers
 * @before: (nullable): the provider before the change
 * @fresh: (nullable): values that the user entered, see gadget-secret-values.h; the other values
 *   are kept if they were entered for the same address
 *
 * Stores the values of the secret headers. Fails with a #GadgetProviderHeadersError, and stores
 * nothing, if a header has no value that can be sent; fails with a #GadgetSecretsError if values
 * that are to be kept cannot be read, or if the keyring cannot be written.
 */
void
_gadget_provider_secrets_store_async (GadgetSecrets *secrets, GadgetProviderConfig *config,
                                      GadgetProviderConfig *before, const char *fresh,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (secrets, NULL, callback, user_data);
  g_autofree char *id =
      _gadget_provider_secrets_dup_headers_id (gadget_provider_config_get_id (config));
  g_autofree char *origin = gadget_provider_config_dup_origin (config);
  Storing *storing = g_new0 (Storing, 1);

  g_task_set_source_tag (task, _gadget_provider_secrets_store_async);
  storing->config = g_object_ref (config);
  g_set_object (&storing->before, before);
  storing->fresh = g_strdup (fresh);
  g_task_set_task_data (task, storing, storing_free);
  gadget_secrets_lookup_async (secrets, id, origin, NULL, old_found_cb, g_steal_pointer (&task));
}

gboolean
_gadget_provider_secrets_store_finish (GadgetSecrets *secrets, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, secrets), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Making a provider ------------------------------------------------------------------------ */

/* The data of a task that makes a provider. */
typedef struct
{
  GadgetProviderConfig *config;
  GadgetHttp *http;
  GadgetClock *clock;
  char *key;
  char *fresh;
  gboolean stored;
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_object_unref (making->config);
  g_object_unref (making->http);
  g_object_unref (making->clock);
  gadget_secrets_free_key (making->key);
  gadget_secrets_free_key (making->fresh);
  g_free (making);
}

/* @old is (nullable): the header values in the keyring. */
static void
return_provider (GTask *task, const char *old)
{
  const Making *making = g_task_get_task_data (task);
  const GadgetProviderHeaders *headers = gadget_provider_config_get_headers (making->config);
  char *values =
      headers != NULL ? gadget_secret_values_merge (headers->secrets, old, making->fresh) : NULL;
  GError *error = NULL;
  GadgetProvider *provider = gadget_provider_new_with_headers (
      making->config, making->http, making->key, values, making->clock, &error);

  gadget_secrets_free_key (values);
  if (provider != NULL)
    g_task_return_pointer (task, provider, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
headers_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  char *old = gadget_secrets_lookup_finish (GADGET_SECRETS (source), result, &error);

  if (error != NULL
      && !g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_UNAVAILABLE)
      && !g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_ORIGIN))
    g_task_return_error (task, g_steal_pointer (&error));
  else if (!g_task_return_error_if_cancelled (task))
    return_provider (task, old);
  gadget_secrets_free_key (old);
}

static void
look_up_headers (GTask *task)
{
  const Making *making = g_task_get_task_data (task);
  g_autofree char *id = NULL;
  g_autofree char *origin = NULL;

  if (!making->stored || !gadget_provider_config_has_secret_headers (making->config))
    {
      return_provider (task, NULL);
      g_object_unref (task);
      return;
    }
  id = _gadget_provider_secrets_dup_headers_id (gadget_provider_config_get_id (making->config));
  origin = gadget_provider_config_dup_origin (making->config);
  gadget_secrets_lookup_async (g_task_get_source_object (task), id, origin,
                               g_task_get_cancellable (task), headers_found_cb, task);
}

/* Many servers on this computer need no key, and there may be no keyring. But nothing is sent
 * without a key if one is known to be in the keyring, or if the server must require one. */
static gboolean
may_do_without_key (GadgetProviderConfig *config, const GError *error)
{
  return (g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_UNAVAILABLE)
          || g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_TIMED_OUT)
          || g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_ORIGIN))
         && !gadget_provider_config_needs_key (config);
}

static void
key_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Making *making = g_task_get_task_data (task);
  GadgetProviderConfig *config = making->config;
  g_autoptr (GError) error = NULL;

  making->key = gadget_secrets_lookup_finish (GADGET_SECRETS (source), result, &error);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (making->key == NULL && error == NULL && gadget_provider_config_get_key_origin (config) != NULL
      && *gadget_provider_config_get_key_origin (config) != '\0')
    g_set_error_literal (&error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_MISSING,
                         "the key is not in the keyring any more");
  if (error != NULL && !may_do_without_key (config, error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (error != NULL)
    g_info ("no key for %s: %s", gadget_provider_config_get_id (config), error->message);
  look_up_headers (g_steal_pointer (&task));
}

/**
 * _gadget_provider_secrets_make_async:
 * @given: lent for the call
 *
 * Makes a provider with its secrets from the keyring. Fails with a #GadgetSecretsError if a secret
 * that is needed cannot be read, with a #GadgetProviderHeadersError if a header has no value that
 * can be sent, and with %G_IO_ERROR_CANCELLED. _gadget_provider_secrets_make_finish () returns the
 * provider (transfer full).
 */
void
_gadget_provider_secrets_make_async (GadgetSecrets *secrets, const GadgetProviderParts *given,
                                     GadgetHttp *http, GadgetClock *clock,
                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (secrets, cancellable, callback, user_data);
  g_autofree char *origin = gadget_provider_config_dup_origin (given->config);
  Making *making = g_new0 (Making, 1);

  g_task_set_source_tag (task, _gadget_provider_secrets_make_async);
  making->config = g_object_ref (given->config);
  making->http = g_object_ref (http);
  making->clock = g_object_ref (clock);
  making->key = g_strdup (given->key);
  making->fresh = g_strdup (given->secret_headers);
  making->stored = given->stored;
  g_task_set_task_data (task, making, making_free);
  if (making->key != NULL || !making->stored)
    look_up_headers (g_steal_pointer (&task));
  else
    gadget_secrets_lookup_async (secrets, gadget_provider_config_get_id (given->config), origin,
                                 cancellable, key_found_cb, g_steal_pointer (&task));
}

GadgetProvider *
_gadget_provider_secrets_make_finish (GadgetSecrets *secrets, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, secrets), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
