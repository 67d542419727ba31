/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The MCP servers that the user has set up, and their tools in the toolbox.
 *
 * Memory is ahead of the store: a change made here takes effect at once and is written afterwards.
 * The list is read again when the store says that other processes have written. If something was
 * changed here while the servers were being read, the result is not used and the servers are read
 * again; the store runs its jobs in order, so the next result has the change. Everything happens on
 * the main context. */

#define G_LOG_DOMAIN "gadget-mcp"

#include "config.h"

#include "gadget-mcp-list.h"

#include "common/gadget-array-model.h"
#include "secrets/gadget-secret-values.h"
#include "store/gadget-store-mcp.h"
#include "tools/gadget-tool-mcp.h"

#include <glib/gi18n-lib.h>

/* In milliseconds. A connection that cannot be made should fail soon. An answer may take as long as
 * the tool works, which the client limits. */
#define CONNECT_MS (15 * 1000)
#define ANSWER_MS (25 * 60 * 60 * 1000)

struct _GadgetMcpList
{
  GObject parent_instance;

  GadgetStore *store;
  GadgetToolbox *toolbox;
  GadgetMcpHost host;
  GPtrArray *servers;
  GHashTable *offered; /* GadgetMcpServer → GPtrArray, its tools in the toolbox */

  guint n_writes;      /* how many writes were started */
  guint n_writes_read; /* the value of n_writes when the read under way started */
  gboolean refreshing;
  gboolean refresh_again;
};

GADGET_DEFINE_ARRAY_MODEL (GadgetMcpList, gadget_mcp_list, GADGET_TYPE_MCP_SERVER, servers)

/* --- The toolbox ------------------------------------------------------------------------------
 */

static void
withdraw (GadgetMcpList *self, GadgetMcpServer *server)
{
  GPtrArray *tools = g_hash_table_lookup (self->offered, server);

  for (guint i = 0; tools != NULL && i < tools->len; i++)
    gadget_toolbox_remove (self->toolbox, gadget_tool_get_name (g_ptr_array_index (tools, i)));
  g_hash_table_remove (self->offered, server);
}

static GadgetTool *
make_tool (GadgetMcpList *self, GadgetMcpServer *server, GadgetMcpToolInfo *info)
{
  const char *id = gadget_mcp_server_get_id (server);

  for (guint clash = 0; clash < 2; clash++)
    {
      g_autofree char *name =
          gadget_tool_mcp_make_name (id, gadget_mcp_tool_info_get_name (info), clash == 1);

      if (gadget_toolbox_find (self->toolbox, name) == NULL)
        return gadget_tool_mcp_new (server, info, name);
    }
  return NULL; /* the server has listed the tool twice */
}

static void
offer (GadgetMcpList *self, GadgetMcpServer *server)
{
  GPtrArray *infos = gadget_mcp_server_get_tools (server);
  GPtrArray *tools;

  withdraw (self, server);
  if (!gadget_mcp_server_get_enabled (server))
    return;
  tools = g_ptr_array_new_with_free_func (g_object_unref);
  g_hash_table_insert (self->offered, server, tools);
  for (guint i = 0; i < infos->len; i++)
    {
      GadgetTool *tool = make_tool (self, server, g_ptr_array_index (infos, i));

      if (tool == NULL)
        continue;
      gadget_toolbox_add (self->toolbox, tool);
      g_ptr_array_add (tools, tool);
    }
}

/* --- Keeping ----------------------------------------------------------------------------------
 */

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gadget_store_save_mcp_server_finish (GADGET_STORE (source), result, &error))
    {
      if (task != NULL)
        g_task_return_boolean (task, TRUE);
    }
  else if (task != NULL)
    {
      g_task_return_error (task, error);
    }
  else
    {
      g_message ("an MCP server is not saved: %s", error->message);
      g_error_free (error);
    }
}

/* @task is (nullable) (transfer full): returns when the server was saved. */
static void
save (GadgetMcpList *self, GadgetMcpServer *server, GTask *task)
{
  const GadgetMcpConfig *config = gadget_mcp_server_get_config (server);
  g_autofree char *json = gadget_mcp_config_to_json (config);
  g_autofree char *tools = gadget_mcp_tool_infos_to_json (gadget_mcp_server_get_tools (server));

  self->n_writes++;
  gadget_store_save_mcp_server_async (
      self->store, config->id, json, gadget_mcp_server_get_enabled (server), tools, saved_cb, task);
}

static void
changed_cb (GadgetMcpServer *server, GadgetMcpList *self)
{
  offer (self, server);
  save (self, server, NULL);
}

/* @old is (nullable): the server that is replaced; NULL adds @server at the end. */
static void
put (GadgetMcpList *self, GadgetMcpServer *server, GadgetMcpServer *old)
{
  guint position = self->servers->len;

  g_signal_connect_object (server, "tools-changed", G_CALLBACK (changed_cb), self,
                           G_CONNECT_DEFAULT);
  if (old != NULL && g_ptr_array_find (self->servers, old, &position))
    {
      g_autoptr (GadgetMcpServer) hold = g_object_ref (old);

      withdraw (self, old);
      g_signal_handlers_disconnect_by_data (old, self);
      gadget_mcp_server_close (old);
      g_object_unref (g_ptr_array_index (self->servers, position));
      g_ptr_array_index (self->servers, position) = g_object_ref (server);
      g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 1);
    }
  else
    {
      g_ptr_array_add (self->servers, g_object_ref (server));
      g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
    }
  offer (self, server);
}

static void
take_out (GadgetMcpList *self, GadgetMcpServer *server)
{
  g_autoptr (GadgetMcpServer) hold = g_object_ref (server);
  guint position;

  withdraw (self, server);
  g_signal_handlers_disconnect_by_data (server, self);
  gadget_mcp_server_close (server);
  if (!g_ptr_array_find (self->servers, server, &position))
    return;
  g_ptr_array_remove_index (self->servers, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

/**
 * gadget_mcp_list_find:
 *
 * Returns: (transfer none) (nullable): the server with that id
 */
GadgetMcpServer *
gadget_mcp_list_find (GadgetMcpList *self, const char *id)
{
  g_return_val_if_fail (GADGET_IS_MCP_LIST (self) && id != NULL, NULL);

  for (guint i = 0; i < self->servers->len; i++)
    if (g_str_equal (gadget_mcp_server_get_id (g_ptr_array_index (self->servers, i)), id))
      return g_ptr_array_index (self->servers, i);
  return NULL;
}

/* --- Loading ----------------------------------------------------------------------------------
 */

static gboolean
is_same_config (const GadgetMcpConfig *one, const GadgetMcpConfig *other)
{
  g_autofree char *first = gadget_mcp_config_to_json (one);
  g_autofree char *second = gadget_mcp_config_to_json (other);

  return g_str_equal (first, second);
}

static void
merge_row (GadgetMcpList *self, const GadgetStoreMcpServer *row)
{
  GadgetMcpServer *known = gadget_mcp_list_find (self, row->id);
  g_autoptr (GadgetMcpConfig) config = gadget_mcp_config_from_json (row->id, row->config);
  g_autoptr (GadgetMcpServer) server = NULL;

  if (!gadget_mcp_config_check (config, NULL))
    return;
  if (known != NULL && is_same_config (gadget_mcp_server_get_config (known), config))
    {
      const gboolean switched = gadget_mcp_server_get_enabled (known) != row->enabled;

      gadget_mcp_server_set_enabled (known, row->enabled);
      if (gadget_mcp_server_set_known_tools (known, row->tools) || switched)
        offer (self, known);
      return;
    }
  server = gadget_mcp_server_new (&self->host, config, row->tools);
  gadget_mcp_server_set_enabled (server, row->enabled);
  put (self, server, known);
}

static void
merge (GadgetMcpList *self, GPtrArray *rows)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < rows->len; i++)
    {
      const GadgetStoreMcpServer *row = g_ptr_array_index (rows, i);

      g_hash_table_add (ids, row->id);
      merge_row (self, row);
    }
  for (guint i = self->servers->len; i > 0; i--)
    {
      GadgetMcpServer *server = g_ptr_array_index (self->servers, i - 1);

      if (!g_hash_table_contains (ids, gadget_mcp_server_get_id (server)))
        take_out (self, server);
    }
}

static void refresh (GadgetMcpList *self); /* calls itself again if the result is too old */

static void
refreshed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GadgetMcpList) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows =
      gadget_store_list_mcp_servers_finish (GADGET_STORE (source), result, &error);
  const gboolean again = self->refresh_again || self->n_writes != self->n_writes_read;

  self->refreshing = FALSE;
  self->refresh_again = FALSE;
  if (rows == NULL)
    g_message ("the MCP servers could not be read again: %s", error->message);
  if (again)
    refresh (self);
  else if (rows != NULL)
    merge (self, rows);
}

static void
refresh (GadgetMcpList *self)
{
  if (self->refreshing)
    {
      self->refresh_again = TRUE;
      return;
    }
  self->refreshing = TRUE;
  self->n_writes_read = self->n_writes;
  gadget_store_list_mcp_servers_async (self->store, refreshed_cb, g_object_ref (self));
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetMcpList *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) rows =
      gadget_store_list_mcp_servers_finish (GADGET_STORE (source), result, &error);

  if (rows == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  merge (self, rows);
  g_signal_connect_object (self->store, "changed-outside", G_CALLBACK (refresh), self,
                           G_CONNECT_SWAPPED);
  g_task_return_boolean (task, TRUE);
}

/**
 * gadget_mcp_list_load_async:
 * @sandbox: (nullable): where servers that are processes run
 *
 * Reads the servers from the store; called once. No server is started, which is left to its first
 * use. After this the list follows the changes of other processes. Fails with a #GadgetStoreError.
 */
void
gadget_mcp_list_load_async (GadgetMcpList *self, GadgetSandbox *sandbox,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (GADGET_IS_MCP_LIST (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_list_load_async);
  g_set_object (&self->host.sandbox, sandbox);
  gadget_store_list_mcp_servers_async (self->store, listed_cb, task);
}

/**
 * gadget_mcp_list_load_finish:
 *
 * Returns: whether the list has the stored servers; else @error is a #GadgetStoreError
 */
gboolean
gadget_mcp_list_load_finish (GadgetMcpList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Adding -----------------------------------------------------------------------------------
 */

/* The data of a task that adds a server. */
typedef struct
{
  GadgetMcpConfig *config;
  char *secrets; /* (nullable) */
} Adding;

static void
adding_free (gpointer data)
{
  Adding *adding = data;

  gadget_mcp_config_free (adding->config);
  gadget_secrets_free_key (adding->secrets);
  g_free (adding);
}

static void
add_server (GTask *task)
{
  GadgetMcpList *self = g_task_get_source_object (task);
  const Adding *adding = g_task_get_task_data (task);
  GadgetMcpServer *old = gadget_mcp_list_find (self, adding->config->id);
  g_autoptr (GadgetMcpServer) server = gadget_mcp_server_new (&self->host, adding->config, NULL);

  if (old != NULL)
    gadget_mcp_server_set_enabled (server, gadget_mcp_server_get_enabled (old));
  put (self, server, old);
  save (self, server, task);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (gadget_secrets_store_finish (GADGET_SECRETS (source), result, &error))
    add_server (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static char *
dup_key (const char *id)
{
  return g_strconcat (GADGET_MCP_KEY_PREFIX, id, NULL);
}

/* @values is (nullable): all values that are known; other values are in the keyring if @old has
 * their names. */
static gboolean
check_secrets (const GadgetMcpConfig *config, const char *values, const GadgetMcpConfig *old,
               GError **error)
{
  for (guint i = 0; config->secrets[i] != NULL; i++)
    {
      const char *name = config->secrets[i];
      char *value = gadget_secret_values_dup (values, name);
      const gboolean has_value =
          value != NULL ? *value != '\0'
                        : old != NULL && g_strv_contains ((const char *const *) old->secrets, name);

      gadget_secrets_free_key (value);
      if (has_value)
        continue;
      g_set_error (error, GADGET_MCP_CONFIG_ERROR, GADGET_MCP_CONFIG_ERROR_INVALID,
                   _ ("The secret “%s” has no value. Enter it, or remove it."), name);
      return FALSE;
    }
  return TRUE;
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Adding *adding = g_task_get_task_data (task);
  GError *error = NULL;
  char *old = gadget_secrets_lookup_finish (GADGET_SECRETS (source), result, &error);
  g_autofree char *key = dup_key (adding->config->id);
  char *all;

  /* Without a keyring there are no values to keep. A keyring that stays locked may have some. */
  if (error != NULL
      && !g_error_matches (error, GADGET_SECRETS_ERROR, GADGET_SECRETS_ERROR_UNAVAILABLE))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  all = gadget_secret_values_merge (adding->config->secrets, old, adding->secrets);
  if (check_secrets (adding->config, all, NULL, &error))
    gadget_secrets_store_async (GADGET_SECRETS (source), key, adding->config->id, NULL, all, NULL,
                                stored_cb, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
  gadget_secrets_free_key (old);
  gadget_secrets_free_key (all);
}

/**
 * gadget_mcp_list_add_async:
 * @secrets: (nullable): values for secrets, made by gadget_secret_values_to_json (); values that
 *   are not among them are kept. %NULL keeps all values.
 *
 * Adds a server, or changes the one with the same id, which keeps its place and stays enabled or
 * disabled. Fails with %GADGET_MCP_CONFIG_ERROR_INVALID if @config is invalid or a secret has no
 * value, with a #GadgetSecretsError if the keyring cannot be read or written, or with a
 * #GadgetStoreError.
 */
void
gadget_mcp_list_add_async (GadgetMcpList *self, const GadgetMcpConfig *config, const char *secrets,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *key = NULL;
  GadgetMcpServer *old;
  Adding *adding;
  GError *error = NULL;

  g_return_if_fail (GADGET_IS_MCP_LIST (self) && config != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_list_add_async);
  old = gadget_mcp_list_find (self, config->id);
  if (!gadget_mcp_config_check (config, &error)
      || (secrets == NULL
          && !check_secrets (config, NULL, old != NULL ? gadget_mcp_server_get_config (old) : NULL,
                             &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  adding = g_new0 (Adding, 1);
  adding->config = gadget_mcp_config_copy (config);
  adding->secrets = g_strdup (secrets);
  g_task_set_task_data (task, adding, adding_free);
  if (secrets == NULL)
    {
      add_server (g_steal_pointer (&task));
      return;
    }
  key = dup_key (config->id);
  gadget_secrets_lookup_async (self->host.secrets, key, NULL, NULL, found_cb,
                               g_steal_pointer (&task));
}

/**
 * gadget_mcp_list_add_finish:
 *
 * Returns: whether the server is stored and in the list; else @error is
 *   %GADGET_MCP_CONFIG_ERROR_INVALID, a #GadgetSecretsError or a #GadgetStoreError
 */
gboolean
gadget_mcp_list_add_finish (GadgetMcpList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- Removing ---------------------------------------------------------------------------------
 */

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  /* If the keyring cannot be reached it keeps values that are not read any more. */
  gadget_secrets_clear_finish (GADGET_SECRETS (source), result, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GadgetMcpList *self = g_task_get_source_object (task);
  g_autofree char *key = dup_key (g_task_get_task_data (task));
  GadgetMcpServer *server;
  GError *error = NULL;

  if (!gadget_store_remove_mcp_server_finish (GADGET_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  server = gadget_mcp_list_find (self, g_task_get_task_data (task));
  if (server != NULL)
    take_out (self, server);
  gadget_secrets_clear_async (self->host.secrets, key, NULL, cleared_cb, g_steal_pointer (&task));
}

/* Removes a server and its secrets. Fails with a GadgetStoreError. */
void
gadget_mcp_list_remove_async (GadgetMcpList *self, const char *id, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_return_if_fail (GADGET_IS_MCP_LIST (self) && id != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, gadget_mcp_list_remove_async);
  g_task_set_task_data (task, g_strdup (id), g_free);
  self->n_writes++;
  gadget_store_remove_mcp_server_async (self->store, id, removed_cb, g_steal_pointer (&task));
}

/**
 * gadget_mcp_list_remove_finish:
 *
 * Returns: whether the server is removed from the store and the list; else @error is a
 *   #GadgetStoreError. Secrets that the keyring did not remove are only logged
 */
gboolean
gadget_mcp_list_remove_finish (GadgetMcpList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
gadget_mcp_list_set_enabled (GadgetMcpList *self, GadgetMcpServer *server, gboolean enabled)
{
  g_return_if_fail (GADGET_IS_MCP_LIST (self) && GADGET_IS_MCP_SERVER (server));

  if (gadget_mcp_server_get_enabled (server) == enabled)
    return;
  gadget_mcp_server_set_enabled (server, enabled);
  offer (self, server);
  save (self, server, NULL);
}

/* Ends all attempts to connect; established connections stay. Returns whether there was an
 * attempt. */
gboolean
gadget_mcp_list_stop_connecting (GadgetMcpList *self)
{
  gboolean any = FALSE;

  g_return_val_if_fail (GADGET_IS_MCP_LIST (self), FALSE);

  for (guint i = 0; i < self->servers->len; i++)
    any |= gadget_mcp_server_stop_connecting (g_ptr_array_index (self->servers, i));
  return any;
}

/* Closes all connections. */
void
gadget_mcp_list_close (GadgetMcpList *self)
{
  g_return_if_fail (GADGET_IS_MCP_LIST (self));

  for (guint i = 0; i < self->servers->len; i++)
    gadget_mcp_server_close (g_ptr_array_index (self->servers, i));
}

/* --- The object -------------------------------------------------------------------------------
 */

static void
gadget_mcp_list_finalize (GObject *object)
{
  GadgetMcpList *self = GADGET_MCP_LIST (object);

  g_hash_table_unref (self->offered);
  g_ptr_array_unref (self->servers);
  g_clear_object (&self->store);
  g_clear_object (&self->toolbox);
  g_clear_object (&self->host.sandbox);
  g_clear_object (&self->host.http);
  g_clear_object (&self->host.secrets);
  g_clear_object (&self->host.clock);

  G_OBJECT_CLASS (gadget_mcp_list_parent_class)->finalize (object);
}

static void
gadget_mcp_list_class_init (GadgetMcpListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_mcp_list_finalize;
}

static void
gadget_mcp_list_init (GadgetMcpList *self)
{
  self->servers = g_ptr_array_new_with_free_func (g_object_unref);
  self->offered = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

/**
 * gadget_mcp_list_new:
 *
 * Returns: (transfer full): an empty list; see gadget_mcp_list_load_async ()
 */
GadgetMcpList *
gadget_mcp_list_new (GadgetStore *store, GadgetSecrets *secrets, GadgetClock *clock,
                     GadgetToolbox *toolbox)
{
  GadgetMcpList *self = g_object_new (GADGET_TYPE_MCP_LIST, NULL);
  GadgetHttpLimits limits;

  self->store = g_object_ref (store);
  self->toolbox = g_object_ref (toolbox);
  self->host.secrets = g_object_ref (secrets);
  self->host.clock = g_object_ref (clock);
  self->host.http = gadget_http_new (clock);
  limits = *gadget_http_get_limits (self->host.http);
  limits.connect_ms = CONNECT_MS;
  limits.first_byte_ms = ANSWER_MS;
  limits.idle_ms = ANSWER_MS;
  gadget_http_set_limits (self->host.http, &limits);
  return self;
}
