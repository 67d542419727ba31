/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The providers that the user set up, and settings. Both are copied to plain data on the main
 * context, and read and written on the store's thread. */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-sql.h"
#include "gadget-store-providers.h"

/* A provider as plain data; see #GadgetProviderConfig. */
typedef struct
{
  char *id;
  char *name;
  char *kind;
  char *base_url;
  char *model;
  char *key_origin;
  char *headers; /* (nullable): JSON */
} ProviderRow;

/* The job for one setting. */
typedef struct
{
  char *key;
  char *value;
} Setting;

/* The job that lists the settings whose keys start with "prefix". */
typedef struct
{
  char *prefix;
  GHashTable *values;
} Listing;

static void
provider_row_free (gpointer data)
{
  ProviderRow *row = data;

  g_free (row->id);
  g_free (row->name);
  g_free (row->kind);
  g_free (row->base_url);
  g_free (row->model);
  g_free (row->key_origin);
  g_free (row->headers);
  g_free (row);
}

static void
setting_free (gpointer data)
{
  Setting *setting = data;

  g_free (setting->key);
  g_free (setting->value);
  g_free (setting);
}

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->prefix);
  g_hash_table_unref (listing->values);
  g_free (listing);
}

static Setting *
setting_new (const char *key, const char *value)
{
  Setting *setting = g_new0 (Setting, 1);

  setting->key = g_strdup (key);
  setting->value = g_strdup (value);
  return setting;
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gpointer
read_provider (sqlite3_stmt *stmt)
{
  ProviderRow *row = g_new0 (ProviderRow, 1);

  row->id = _gadget_sql_dup_text (stmt, 0);
  row->name = _gadget_sql_dup_text (stmt, 1);
  row->kind = _gadget_sql_dup_text (stmt, 2);
  row->base_url = _gadget_sql_dup_text (stmt, 3);
  row->model = _gadget_sql_dup_text (stmt, 4);
  row->key_origin = _gadget_sql_dup_text (stmt, 5);
  row->headers = _gadget_sql_dup_text (stmt, 6);
  return row;
}

static gboolean
list_providers (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_read_rows (
      db,
      "SELECT id, name, kind, base_url, model, key_origin, headers FROM provider"
      " ORDER BY position, id",
      read_provider, data, error);
}

static gboolean
save_provider (sqlite3 *db, gpointer data, GError **error)
{
  const ProviderRow *row = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO provider (id, name, kind, base_url, model, key_origin, headers, position)"
      "  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,"
      "  (SELECT coalesce(max(position) + 1, 0) FROM provider))"
      " ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind,"
      "  base_url = excluded.base_url, model = excluded.model, key_origin = excluded.key_origin,"
      "  headers = excluded.headers",
      error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, row->id);
  _gadget_sql_bind_text (stmt, 2, row->name);
  _gadget_sql_bind_text (stmt, 3, row->kind);
  _gadget_sql_bind_text (stmt, 4, row->base_url);
  _gadget_sql_bind_text (stmt, 5, row->model);
  _gadget_sql_bind_text (stmt, 6, row->key_origin);
  _gadget_sql_bind_text (stmt, 7, row->headers);
  return _gadget_sql_run (stmt, error);
}

/* Does not use LIKE or GLOB, because an id may contain their special characters. */
static gboolean
remove_settings (sqlite3 *db, const char *prefix, GError **error)
{
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "DELETE FROM setting WHERE substr(key, 1, length(?1)) = ?1", error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, prefix);
  return _gadget_sql_run (stmt, error);
}

static gboolean
remove_rows (sqlite3 *db, gpointer data, GError **error)
{
  const ProviderRow *row = data;
  g_autofree char *limits = g_strdup_printf (GADGET_SETTING_MODEL_LIMITS "%s/", row->id);

  return _gadget_sql_remove_row (db, "DELETE FROM provider WHERE id = ?1", "provider", row->id,
                                 error)
         && remove_settings (db, limits, error);
}

static gboolean
remove_provider (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_transaction (db, remove_rows, data, error);
}

static gboolean
get_setting (sqlite3 *db, gpointer data, GError **error)
{
  Setting *setting = data;
  g_autoptr (sqlite3_stmt) stmt =
      _gadget_sql_prepare (db, "SELECT value FROM setting WHERE key = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, setting->key);
  if (!_gadget_sql_next (stmt, &has_row, error))
    return FALSE;
  if (has_row)
    setting->value = _gadget_sql_dup_text (stmt, 0);
  return TRUE;
}

static gboolean
list_settings (sqlite3 *db, gpointer data, GError **error)
{
  Listing *listing = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db, "SELECT key, value FROM setting WHERE substr(key, 1, length(?1)) = ?1", error);
  gboolean has_row;

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, listing->prefix);
  while (_gadget_sql_next (stmt, &has_row, error))
    {
      if (!has_row)
        return TRUE;
      g_hash_table_insert (listing->values, _gadget_sql_dup_text (stmt, 0),
                           _gadget_sql_dup_text (stmt, 1));
    }
  return FALSE;
}

static gboolean
set_setting (sqlite3 *db, gpointer data, GError **error)
{
  const Setting *setting = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      setting->value != NULL ? "INSERT INTO setting (key, value) VALUES (?1, ?2)"
                               " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
                             : "DELETE FROM setting WHERE key = ?1",
      error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, setting->key);
  if (setting->value != NULL)
    _gadget_sql_bind_text (stmt, 2, setting->value);
  return _gadget_sql_run (stmt, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

void
gadget_store_list_providers_async (GadgetStore *self, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  gadget_store_run_async (self, list_providers, g_ptr_array_new_with_free_func (provider_row_free),
                          _gadget_sql_unref_rows, callback, user_data);
}

/**
 * gadget_store_list_providers_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetProviderConfig): the providers, without
 *   Guide; %NULL with @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_store_list_providers_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) configs = NULL;
  const GPtrArray *rows;

  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  rows = gadget_store_get_job_data (result);
  configs = g_ptr_array_new_full (rows->len, g_object_unref);
  for (guint i = 0; i < rows->len; i++)
    {
      const ProviderRow *row = g_ptr_array_index (rows, i);
      GadgetProviderConfig *config =
          gadget_provider_config_new (row->id, row->name, row->kind, row->base_url, row->model);

      gadget_provider_config_set_key_origin (config, row->key_origin);
      gadget_provider_config_take_headers (config,
                                           gadget_provider_headers_from_json (row->headers));
      g_ptr_array_add (configs, config);
    }
  return g_steal_pointer (&configs);
}

/**
 * gadget_store_save_provider_async:
 * @config: a valid configuration, not of Guide
 *
 * Stores the provider. A provider with the same id is replaced, and keeps its position.
 */
void
gadget_store_save_provider_async (GadgetStore *self, GadgetProviderConfig *config,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  ProviderRow *row;

  g_return_if_fail (GADGET_IS_STORE (self) && GADGET_IS_PROVIDER_CONFIG (config));
  g_return_if_fail (
      !g_str_equal (gadget_provider_config_get_kind (config), GADGET_PROVIDER_KIND_GUIDE));

  row = g_new0 (ProviderRow, 1);
  row->id = g_strdup (gadget_provider_config_get_id (config));
  row->name = g_strdup (gadget_provider_config_get_name (config));
  if (row->name == NULL)
    row->name = g_strdup (row->id);
  row->kind = g_strdup (gadget_provider_config_get_kind (config));
  row->base_url = g_strdup (gadget_provider_config_get_base_url (config));
  row->model = g_strdup (gadget_provider_config_get_model (config));
  row->key_origin = g_strdup (gadget_provider_config_get_key_origin (config));
  row->headers = gadget_provider_headers_to_json (gadget_provider_config_get_headers (config));
  gadget_store_run_async (self, save_provider, row, provider_row_free, callback, user_data);
}

/**
 * gadget_store_save_provider_finish:
 *
 * Returns: whether the provider is stored; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_save_provider_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_remove_provider_async:
 *
 * Removes the provider with this id, and the limits of its models.
 */
void
gadget_store_remove_provider_async (GadgetStore *self, const char *id, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  ProviderRow *row;

  g_return_if_fail (GADGET_IS_STORE (self) && id != NULL);

  row = g_new0 (ProviderRow, 1);
  row->id = g_strdup (id);
  gadget_store_run_async (self, remove_provider, row, provider_row_free, callback, user_data);
}

/**
 * gadget_store_remove_provider_finish:
 *
 * Returns: whether the provider was removed; else @error is %GADGET_STORE_ERROR_NOT_FOUND or
 *   another #GadgetStoreError
 */
gboolean
gadget_store_remove_provider_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

void
gadget_store_get_setting_async (GadgetStore *self, const char *key, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && key != NULL);

  gadget_store_run_async (self, get_setting, setting_new (key, NULL), setting_free, callback,
                          user_data);
}

/**
 * gadget_store_get_setting_finish:
 * @value: (out) (transfer full) (nullable): the value; %NULL if it is not set
 *
 * Returns: whether the setting could be read; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_get_setting_finish (GadgetStore *self, GAsyncResult *result, char **value,
                                 GError **error)
{
  Setting *setting;

  if (!gadget_store_run_finish (self, result, error))
    return FALSE;
  setting = gadget_store_get_job_data (result);
  *value = g_steal_pointer (&setting->value);
  return TRUE;
}

/**
 * gadget_store_list_settings_async:
 * @prefix: the start of the keys
 *
 * Reads all settings whose keys start with @prefix.
 */
void
gadget_store_list_settings_async (GadgetStore *self, const char *prefix,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  Listing *listing;

  g_return_if_fail (GADGET_IS_STORE (self) && prefix != NULL);

  listing = g_new0 (Listing, 1);
  listing->prefix = g_strdup (prefix);
  listing->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  gadget_store_run_async (self, list_settings, listing, listing_free, callback, user_data);
}

/**
 * gadget_store_list_settings_finish:
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): values by key; %NULL with @error
 *   set to a #GadgetStoreError
 */
GHashTable *
gadget_store_list_settings_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_hash_table_ref (((Listing *) gadget_store_get_job_data (result))->values);
}

/**
 * gadget_store_set_setting_async:
 * @value: (nullable): the value, never a secret; %NULL removes the setting
 *
 * Stores or removes a setting.
 */
void
gadget_store_set_setting_async (GadgetStore *self, const char *key, const char *value,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self) && key != NULL);

  gadget_store_run_async (self, set_setting, setting_new (key, value), setting_free, callback,
                          user_data);
}

/**
 * gadget_store_set_setting_finish:
 *
 * Returns: whether the setting was stored; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_set_setting_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
