/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of the user's providers: its lookups, and the provider of new chats. Everything happens
 * on the main context. The list is read from the store, and read again when another process changes
 * it, by gadget-provider-list-loading.c; gadget-provider-list-editing.c adds and removes providers;
 * gadget-provider-list-resolving.c makes providers that can be used, with their secrets. */

#define G_LOG_DOMAIN "gadget-provider-list"

#include "config.h"

#include "gadget-provider-list-private.h"

#include "common/gadget-array-model.h"
#include "http/gadget-http.h"
#include "store/gadget-store-providers.h"

#include <glib/gi18n-lib.h>

enum
{
  PROP_0,
  PROP_DEFAULT_ID,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

GADGET_DEFINE_ARRAY_MODEL (GadgetProviderList, gadget_provider_list, GADGET_TYPE_PROVIDER_CONFIG,
                           configs)

gint
_gadget_provider_list_find_index (GadgetProviderList *self, const char *id)
{
  for (guint i = 0; i < self->configs->len; i++)
    if (g_strcmp0 (gadget_provider_config_get_id (g_ptr_array_index (self->configs, i)), id) == 0)
      return (gint) i;
  return -1;
}

void
_gadget_provider_list_replace_config (GadgetProviderList *self, GadgetProviderConfig *config)
{
  const gint index =
      _gadget_provider_list_find_index (self, gadget_provider_config_get_id (config));

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

void
_gadget_provider_list_remove_at (GadgetProviderList *self, guint index)
{
  g_ptr_array_remove_index (self->configs, index);
  g_list_model_items_changed (G_LIST_MODEL (self), index, 1, 0);
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
  g_hash_table_unref (self->overrides);
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
  self->overrides = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
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

  index = _gadget_provider_list_find_index (
      self, id != NULL ? id : gadget_provider_list_get_default_id (self));
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
      && (_gadget_provider_list_find_index (self, self->default_id) >= 0
          || g_hash_table_contains (self->overrides, self->default_id)))
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

void
_gadget_provider_list_update_default (GadgetProviderList *self, const char *id)
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
  _gadget_provider_list_update_default (self, id);
  if (self->store != NULL)
    gadget_store_set_setting_async (self->store, GADGET_SETTING_DEFAULT_PROVIDER, id,
                                    default_saved_cb, NULL);
}

void
gadget_provider_list_override (GadgetProviderList *self, const char *id, GadgetProvider *provider)
{
  g_return_if_fail (GADGET_IS_PROVIDER_LIST (self) && id != NULL);
  g_hash_table_insert (self->overrides, g_strdup (id), g_object_ref (provider));
}
