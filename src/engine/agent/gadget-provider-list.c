/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of the user's providers: it reads them from the store, follows the changes of other
 * processes, adds and removes providers, and makes providers with their secrets. The secrets
 * themselves are handled by gadget-provider-secrets.c. Everything happens on the main context. */

#define G_LOG_DOMAIN "gadget-provider-list"

#include "config.h"

#include "gadget-provider-list.h"

#include "common/gadget-array-model.h"
#include "gadget-provider-secrets.h"
#include "http/gadget-http.h"
#include "providers/gadget-provider-factory.h"
#include "store/gadget-store-providers.h"

#include <glib/gi18n-lib.h>

struct _GadgetProviderList
{
  GObject parent_instance;

  GadgetStore *store; /* (nullable) */
  GadgetSecrets *secrets;
  GadgetClock *clock;
  GadgetHttp *http;
  GPtrArray *configs; /* of GadgetProviderConfig; the Guide is the first */
  GHashTable *put;    /* id → GadgetProvider, set by tests */
  char *default_id;
  guint n_defaults;      /* how often a default was chosen in this process */
  guint n_defaults_read; /* the value of n_defaults when the default was last read */
  gboolean follows;      /* whether it follows the changes of other processes */
};

enum
{
  PROP_0,
  PROP_DEFAULT_ID,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

GADGET_DEFINE_ARRAY_MODEL (GadgetProviderList, gadget_provider_list, GADGET_TYPE_PROVIDER_CONFIG,
                           configs)

static gint
find_index (GadgetProviderList *self, const char *id)
{
  for (guint i = 0; i < self->configs->len; i++)
    if (g_strcmp0 (gadget_provider_config_get_id (g_ptr_array_index (self->configs, i)), id) == 0)
      return (gint) i;
  return -1;
}

static void
gadget_provider_list_finalize (GObject *object)
{
  GadgetProviderList *self = GADGET_PROVIDER_LIST (object);

  g_clear_object (&self->store);
  g_clear_object (&self->secrets);
  g_clear_object (&self->clock);
  g_clear_object (&self->http);
  g_ptr_array_unref (self->configs);
  g_hash_table_unref (self->put);
  g_free (self->default_id);

  G_OBJECT_CLASS (gadget_provider_list_parent_class)->finalize (object);
}

static void
gadget_provider_list_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_DEFAULT_ID:
      g_value_set_string (value,
                          gadget_provider_list_get_default_id (GADGET_PROVIDER_LIST (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gadget_provider_list_class_init (GadgetProviderListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gadget_provider_list_finalize;
  object_class->get_property = gadget_provider_list_get_property;

  props[PROP_DEFAULT_ID] =
      g_param_spec_string ("default-id", NULL, NULL, GADGET_GUIDE_ID,
                           G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gadget_provider_list_init (GadgetProviderList *self)
{
  self->configs = g_ptr_array_new_with_free_func (g_object_unref);
  /* Translators: the name of the built-in provider that explains Gadget */
  g_ptr_array_add (self->configs,
                   gadget_provider_config_new (GADGET_GUIDE_ID, _ ("Guide"),
                                               GADGET_PROVIDER_KIND_GUIDE, NULL, NULL));
  self->put = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

/**
 * gadget_provider_list_new:
 * @store: (nullable): where providers are kept; with %NULL nothing is kept
 *
 * Returns: (transfer full): a list with only the Guide
 */
GadgetProviderList *
gadget_provider_list_new (GadgetStore *store, GadgetSecrets *secrets, GadgetClock *clock)
{
  GadgetProviderList *self = g_object_new (GADGET_TYPE_PROVIDER_LIST, NULL);

  g_set_object (&self->store, store);
  self->secrets = g_object_ref (secrets);
  self->clock = g_object_ref (clock);
  self->http = gadget_http_new (clock);
  return self;
}

/**
 * gadget_provider_list_get_http:
 *
 * Returns: (transfer none): the HTTP client that all providers share
 */
GadgetHttp *
gadget_provider_list_get_http (GadgetProviderList *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_LIST (self), NULL);
  return self->http;
}

/**
 * gadget_provider_list_find:
 * @id: (nullable): %NULL for the default
 *
 * Returns: (transfer none) (nullable): the provider with that id
 */
GadgetProviderConfig *
gadget_provider_list_find (GadgetProviderList *self, const char *id)
{
  gint index;

  g_return_val_if_fail (GADGET_IS_PROVIDER_LIST (self), NULL);

  index = find_index (self, id != NULL ? id : gadget_provider_list_get_default_id (self));
  return index >= 0 ? g_ptr_array_index (self->configs, index) : NULL;
}

/**
 * gadget_provider_list_get_default_id:
 *
 * Returns: (transfer none): the provider of new chats, which is the Guide if none was chosen or the
 *   chosen one is gone
 */
const char *
gadget_provider_list_get_default_id (GadgetProviderList *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_LIST (self), NULL);

  if (self->default_id != NULL
      && (find_index (self, self->default_id) >= 0
          || g_hash_table_contains (self->put, self->default_id)))
    return self->default_id;
  return GADGET_GUIDE_ID;
}

/**
 * gadget_provider_list_get_has_default:
 *
 * Returns: whether the user has chosen a provider for new chats, even if it is the Guide. Changes
 *   are notified as "default-id".
 */
gboolean
gadget_provider_list_get_has_default (GadgetProviderList *self)
{
  g_return_val_if_fail (GADGET_IS_PROVIDER_LIST (self), FALSE);
  return self->default_id != NULL;
}

static void
take_default (GadgetProviderList *self, const char *id)
{
  if (g_set_str (&self->default_id, id))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DEFAULT_ID]);
}

static void
default_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_store_set_setting_finish (GADGET_STORE (source), result, &error))
    g_message ("the default provider is not saved: %s", error->message);
}

void
gadget_provider_list_set_default (GadgetProviderList *self, const char *id)
{
  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self) && id != NULL);

  self->n_defaults++;
  take_default (self, id);
  if (self->store != NULL)
    gadget_store_set_setting_async (self->store, GADGET_SETTING_DEFAULT_PROVIDER, id,
                                    default_saved_cb, NULL);
}

/* --- Loading ---------------------------------------------------------------------------------- */

static void
put_config (GadgetProviderList *self, GadgetProviderConfig *config)
{
  const gint index = find_index (self, gadget_provider_config_get_id (config));

  if (index < 0)
    {
      g_ptr_array_add (self->configs, g_object_ref (config));
      g_list_model_items_changed (G_LIST_MODEL (self), self->configs->len - 1, 0, 1);
      return;
    }
  g_object_unref (g_ptr_array_index (self->configs, index));
  g_ptr_array_index (self->configs, index) = g_object_ref (config);
  g_list_model_items_changed (G_LIST_MODEL (self), (guint) index, 1, 1);
}

static gboolean
has_same_headers (GadgetProviderConfig *a, GadgetProviderConfig *b)
{
  g_autofree char *first = gadget_provider_headers_to_json (gadget_provider_config_get_headers (a));
  g_autofree char *second =
      gadget_provider_headers_to_json (gadget_provider_config_get_headers (b));

  return g_strcmp0 (first, second) == 0;
}

static gboolean
is_same (GadgetProviderConfig *a, GadgetProviderConfig *b)
{
  return g_str_equal (gadget_provider_config_get_id (a), gadget_provider_config_get_id (b))
         && g_strcmp0 (gadget_provider_config_get_name (a), gadget_provider_config_get_name (b))
                == 0
         && g_strcmp0 (gadget_provider_config_get_kind (a), gadget_provider_config_get_kind (b))
                == 0
         && g_strcmp0 (gadget_provider_config_get_base_url (a),
                       gadget_provider_config_get_base_url (b))
                == 0
         && g_strcmp0 (gadget_provider_config_get_model (a), gadget_provider_config_get_model (b))
                == 0
         && g_strcmp0 (gadget_provider_config_get_key_origin (a),
                       gadget_provider_config_get_key_origin (b))
                == 0
         && has_same_headers (a, b);
}

/* Providers that have not changed keep their objects. */
static void
merge (GadgetProviderList *self, GPtrArray *configs)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < configs->len; i++)
    {
      GadgetProviderConfig *config = g_ptr_array_index (configs, i);
      const gint index = find_index (self, gadget_provider_config_get_id (config));

      g_hash_table_add (ids, (gpointer) gadget_provider_config_get_id (config));
      if (index < 0 || !is_same (g_ptr_array_index (self->configs, index), config))
        put_config (self, config);
    }
  /* The first one is the Guide, which is not stored. */
  for (guint i = self->configs->len; i > 1; i--)
    {
      if (g_hash_table_contains (
              ids, gadget_provider_config_get_id (g_ptr_array_index (self->configs, i - 1))))
        continue;
      g_ptr_array_remove_index (self->configs, i - 1);
      g_list_model_items_changed (G_LIST_MODEL (self), i - 1, 1, 0);
    }
}

static void
refreshed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!gadget_provider_list_load_finish (GADGET_PROVIDER_LIST (source), result, &error))
    g_message ("the providers could not be read again: %s", error->message);
}

static void
refresh (GadgetProviderList *self)
{
  gadget_provider_list_load_async (self, refreshed_cb, NULL);
}

static void
default_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetProviderList *self = g_task_get_source_object (task);
  g_autofree char *id = NULL;
  GError *error = NULL;

  if (!gadget_store_get_setting_finish (GADGET_STORE (source), result, &id, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  /* A default that was chosen in this process meanwhile is newer. */
  if (self->n_defaults == self->n_defaults_read)
    take_default (self, id);
  if (!self->follows)
    g_signal_connect_object (self->store, "changed-outside", G_CALLBACK (refresh), self,
                             G_CONNECT_SWAPPED);
  self->follows = TRUE;
  g_task_return_boolean (task, TRUE);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetProviderList *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) configs =
      gadget_store_list_providers_finish (GADGET_STORE (source), result, &error);

  if (configs == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  merge (self, configs);
  self->n_defaults_read = self->n_defaults;
  gadget_store_get_setting_async (self->store, GADGET_SETTING_DEFAULT_PROVIDER, default_loaded_cb,
                                  g_steal_pointer (&task));
}

/**
 * gadget_provider_list_load_async:
 *
 * Reads the providers and the default from the store. After the first time, the list follows the
 * changes of other processes. Fails with a #GadgetStoreError.
 */
void
gadget_provider_list_load_async (GadgetProviderList *self, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_list_load_async);
  if (self->store == NULL)
    g_task_return_boolean (task, TRUE);
  else
    gadget_store_list_providers_async (self->store, listed_cb, g_steal_pointer (&task));
}

/**
 * gadget_provider_list_load_finish:
 *
 * Returns: whether the list has the stored providers; else @error is a #GadgetStoreError
 */
gboolean
gadget_provider_list_load_finish (GadgetProviderList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Adding and removing ---------------------------------------------------------------------- */

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
  put_config (g_task_get_source_object (task), adding->config);
  g_task_return_boolean (task, TRUE);
}

static void
save (GTask *task)
{
  GadgetProviderList *self = g_task_get_source_object (task);
  const Adding *adding = g_task_get_task_data (task);

  if (self->store != NULL)
    {
      gadget_store_save_provider_async (self->store, adding->config, saved_cb, task);
      return;
    }
  put_config (self, adding->config);
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/* Without a keyring the key is kept until the program ends; the user interface says so. */
static void
key_stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  const Adding *adding = g_task_get_task_data (task);
  g_autofree char *origin = gadget_provider_config_dup_origin (adding->config);
  g_autoptr (GError) error = NULL;

  if (!gadget_secrets_store_finish (GADGET_SECRETS (source), result, &error))
    g_info ("the key is not in the keyring: %s", error->message);
  else if (gadget_secrets_get_persistent (GADGET_SECRETS (source)))
    gadget_provider_config_set_key_origin (adding->config, origin);
  save (task);
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
                                adding->key, NULL, key_stored_cb, task);
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
 *
 * Adds a provider, or changes the one with the same id. Keys are bound to the address: a stored key
 * is not used at another address. Fails with a #GadgetProviderHeadersError if a secret header has
 * no value for the address, with a #GadgetSecretsError if values that are to be kept cannot be
 * read, with %G_IO_ERROR_EXISTS for the id of the Guide, or with a #GadgetStoreError.
 */
void
gadget_provider_list_add_async (GadgetProviderList *self, GadgetProviderConfig *config,
                                const char *key, const char *secret_headers,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Adding *adding;

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self) && GADGET_IS_PROVIDER_CONFIG (config));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_list_add_async);
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
 *   #GadgetProviderHeadersError, a #GadgetSecretsError, %G_IO_ERROR_EXISTS or a #GadgetStoreError
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
  const gint index = find_index (self, id);

  if (index > 0)
    {
      g_ptr_array_remove_index (self->configs, (guint) index);
      g_list_model_items_changed (G_LIST_MODEL (self), (guint) index, 1, 0);
    }
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
  if (find_index (self, id) <= 0)
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

/* --- Resolving -------------------------------------------------------------------------------- */

static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
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
  return !g_hash_table_contains (self->put, id) && config != NULL
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
  GadgetProvider *put;

  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gadget_provider_list_resolve_async);
  id = id != NULL ? id : gadget_provider_list_get_default_id (self);
  put = g_hash_table_lookup (self->put, id);
  if (put != NULL)
    {
      g_task_return_pointer (task, g_object_ref (put), g_object_unref);
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
    _gadget_provider_secrets_make_async (
        self->secrets, &(GadgetProviderParts) { .config = config, .stored = TRUE }, self->http,
        self->clock, cancellable, made_cb, g_steal_pointer (&task));
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
                                       made_cb, task);
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

void
gadget_provider_list_put (GadgetProviderList *self, const char *id, GadgetProvider *provider)
{
  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self) && id != NULL);
  g_hash_table_insert (self->put, g_strdup (id), g_object_ref (provider));
}
