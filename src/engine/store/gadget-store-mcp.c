/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-store"

#include "config.h"

#include "gadget-sql.h"
#include "gadget-store-mcp.h"

static void
server_free (gpointer data)
{
  GadgetStoreMcpServer *server = data;

  g_free (server->id);
  g_free (server->config);
  g_free (server->tools);
  g_free (server);
}

/* --- On the thread ---------------------------------------------------------------------------- */

static gpointer
read_server (sqlite3_stmt *stmt)
{
  GadgetStoreMcpServer *server = g_new0 (GadgetStoreMcpServer, 1);

  server->id = _gadget_sql_dup_text (stmt, 0);
  server->config = _gadget_sql_dup_text (stmt, 1);
  server->enabled = sqlite3_column_int (stmt, 2) != 0;
  server->tools = _gadget_sql_dup_text (stmt, 3);
  return server;
}

static gboolean
list_servers (sqlite3 *db, gpointer data, GError **error)
{
  return _gadget_sql_read_rows (
      db, "SELECT id, config, enabled, tools FROM mcp_server ORDER BY position, id", read_server,
      data, error);
}

static gboolean
save_server (sqlite3 *db, gpointer data, GError **error)
{
  const GadgetStoreMcpServer *server = data;
  g_autoptr (sqlite3_stmt) stmt = _gadget_sql_prepare (
      db,
      "INSERT INTO mcp_server (id, config, enabled, tools, position) VALUES (?1, ?2, ?3, ?4,"
      "  (SELECT coalesce(max(position) + 1, 0) FROM mcp_server))"
      " ON CONFLICT (id) DO UPDATE SET config = excluded.config, enabled = excluded.enabled,"
      "  tools = excluded.tools",
      error);

  if (stmt == NULL)
    return FALSE;
  _gadget_sql_bind_text (stmt, 1, server->id);
  _gadget_sql_bind_text (stmt, 2, server->config);
  sqlite3_bind_int (stmt, 3, server->enabled);
  _gadget_sql_bind_text (stmt, 4, server->tools);
  return _gadget_sql_run (stmt, error);
}

static gboolean
remove_server (sqlite3 *db, gpointer data, GError **error)
{
  const GadgetStoreMcpServer *server = data;

  return _gadget_sql_remove_row (db, "DELETE FROM mcp_server WHERE id = ?1", "MCP server",
                                 server->id, error);
}

/* --- On the main context ---------------------------------------------------------------------- */

void
gadget_store_list_mcp_servers_async (GadgetStore *self, GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  g_return_if_fail (GADGET_IS_STORE (self));

  gadget_store_run_async (self, list_servers, g_ptr_array_new_with_free_func (server_free),
                          _gadget_sql_unref_rows, callback, user_data);
}

/**
 * gadget_store_list_mcp_servers_finish:
 *
 * Returns: (transfer full) (nullable) (element-type GadgetStoreMcpServer): the servers; %NULL with
 *   @error set to a #GadgetStoreError
 */
GPtrArray *
gadget_store_list_mcp_servers_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  if (!gadget_store_run_finish (self, result, error))
    return NULL;
  return g_ptr_array_ref (gadget_store_get_job_data (result));
}

/**
 * gadget_store_save_mcp_server_async:
 * @id: the name of the server
 * @config: how to connect to it, as JSON; without secrets
 * @enabled: whether its tools are offered to the model
 * @tools: (nullable): its tools as JSON
 *
 * Stores a server. A server with the same id is replaced, and keeps its position.
 */
void
gadget_store_save_mcp_server_async (GadgetStore *self, const char *id, const char *config,
                                    gboolean enabled, const char *tools,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetStoreMcpServer *server;

  g_return_if_fail (GADGET_IS_STORE (self) && id != NULL && config != NULL);

  server = g_new0 (GadgetStoreMcpServer, 1);
  server->id = g_strdup (id);
  server->config = g_strdup (config);
  server->enabled = enabled;
  server->tools = g_strdup (tools);
  gadget_store_run_async (self, save_server, server, server_free, callback, user_data);
}

/**
 * gadget_store_save_mcp_server_finish:
 *
 * Returns: whether the server is stored; else @error is a #GadgetStoreError
 */
gboolean
gadget_store_save_mcp_server_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}

/**
 * gadget_store_remove_mcp_server_async:
 * @id: the name of the server
 *
 * Removes a server and the tools that are known of it. Its secrets are in the keyring, which is
 * left alone.
 */
void
gadget_store_remove_mcp_server_async (GadgetStore *self, const char *id,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  GadgetStoreMcpServer *server;

  g_return_if_fail (GADGET_IS_STORE (self) && id != NULL);

  server = g_new0 (GadgetStoreMcpServer, 1);
  server->id = g_strdup (id);
  gadget_store_run_async (self, remove_server, server, server_free, callback, user_data);
}

/**
 * gadget_store_remove_mcp_server_finish:
 *
 * Returns: whether the server was removed; else @error is %GADGET_STORE_ERROR_NOT_FOUND or another
 *   #GadgetStoreError
 */
gboolean
gadget_store_remove_mcp_server_finish (GadgetStore *self, GAsyncResult *result, GError **error)
{
  return gadget_store_run_finish (self, result, error);
}
