/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads the list of providers and the default from the store: at the start, and again whenever
 * another process has changed the store. Both reads are jobs of the store's thread; what they give
 * is put into the list on the main context. */

#define G_LOG_DOMAIN "gadget-provider-list"

#include "config.h"

#include "gadget-provider-list-private.h"

#include "providers/gadget-provider-headers.h"
#include "store/gadget-store-providers.h"

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
      const gint index =
          _gadget_provider_list_find_index (self, gadget_provider_config_get_id (config));

      g_hash_table_add (ids, (gpointer) gadget_provider_config_get_id (config));
      if (index < 0 || !is_same (g_ptr_array_index (self->configs, index), config))
        _gadget_provider_list_replace_config (self, config);
    }
  /* The first one is the Guide, which is not stored. */
  for (guint i = self->configs->len; i > 1; i--)
    {
      if (g_hash_table_contains (
              ids, gadget_provider_config_get_id (g_ptr_array_index (self->configs, i - 1))))
        continue;
      _gadget_provider_list_remove_at (self, i - 1);
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
    _gadget_provider_list_update_default (self, id);
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
