/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Removes all keys from the keyring, before everything is deleted. Whoever removes one provider is
 * not kept by a keyring that fails; here the user is told that no key is left, so each has to be
 * removed. */

#define G_LOG_DOMAIN "gadget-engine"

#include "config.h"

#include "gadget-engine-private.h"

#include "mcp/gadget-mcp-config.h"
#include "providers/gadget-provider-headers.h"

/* A key that the keyring may have. */
typedef struct
{
  char *id;
  gboolean stored; /* it was stored there, as far as is known */
} Key;

static void
key_free (gpointer data)
{
  Key *key = data;

  g_free (key->id);
  g_free (key);
}

static void
add_key (GPtrArray *keys, const char *prefix, const char *id, gboolean stored)
{
  Key *key = g_new0 (Key, 1);

  key->id = g_strconcat (prefix, id, NULL);
  key->stored = stored;
  g_ptr_array_add (keys, key);
}

static GPtrArray *
list_keys (GadgetEngine *self)
{
  GListModel *providers = G_LIST_MODEL (gadget_engine_get_providers (self));
  GListModel *servers = G_LIST_MODEL (gadget_engine_get_mcp (self));
  GPtrArray *keys = g_ptr_array_new_with_free_func (key_free);

  for (guint i = 0; i < g_list_model_get_n_items (providers); i++)
    {
      g_autoptr (GadgetProviderConfig) config = g_list_model_get_item (providers, i);
      const char *id = gadget_provider_config_get_id (config);

      if (g_str_equal (id, GADGET_GUIDE_ID))
        continue;
      add_key (keys, "", id, g_strcmp0 (gadget_provider_config_get_key_origin (config), "") != 0);
      add_key (keys, GADGET_PROVIDER_HEADERS_KEY_PREFIX, id,
               gadget_provider_config_has_secret_headers (config));
    }
  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (GadgetMcpServer) server = g_list_model_get_item (servers, i);
      const GadgetMcpConfig *config = gadget_mcp_server_get_config (server);

      add_key (keys, GADGET_MCP_KEY_PREFIX, config->id, config->secrets[0] != NULL);
    }
  return keys;
}

static void clear_next (GTask *task); /* calls itself again through its callback */

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetSecrets *secrets = GADGET_SECRETS (source);
  GPtrArray *keys = g_task_get_task_data (task);
  const Key *key = g_ptr_array_index (keys, keys->len - 1);
  const GError *failure = gadget_secrets_get_failure (secrets);

  if (!gadget_secrets_clear_finish (secrets, result, NULL) && (failure == NULL || key->stored))
    {
      if (failure != NULL)
        g_task_return_error (task, g_error_copy (failure));
      else
        g_task_return_new_error_literal (task, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_LOCKED,
                                         "the keyring keeps a key");
      return;
    }
  g_ptr_array_set_size (keys, (gint) keys->len - 1);
  clear_next (g_steal_pointer (&task));
}

/* @task is (transfer full). */
static void
clear_next (GTask *task)
{
  GadgetEngine *self = g_task_get_source_object (task);
  GPtrArray *keys = g_task_get_task_data (task);

  if (keys->len > 0)
    {
      const Key *key = g_ptr_array_index (keys, keys->len - 1);

      gadget_secrets_clear_async (gadget_engine_get_secrets (self), key->id, NULL, cleared_cb,
                                  task);
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

void
_gadget_engine_clear_keys_async (GadgetEngine *self, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, _gadget_engine_clear_keys_async);
  g_task_set_task_data (task, list_keys (self), (GDestroyNotify) g_ptr_array_unref);
  clear_next (task);
}

gboolean
_gadget_engine_clear_keys_finish (GadgetEngine *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
