/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-store.h"

G_BEGIN_DECLS

/**
 * GadgetStoreMcpServer:
 * @id: the name that the user gave it
 * @config: how to connect to it, as JSON; without secrets
 * @enabled: whether its tools are offered to the model
 * @tools: (nullable): the tools that it offered the last time, as JSON
 *
 * A row of the table of MCP servers. The code in mcp/ defines the JSON.
 */
typedef struct
{
  char *id;
  char *config;
  gboolean enabled;
  char *tools;
} GadgetStoreMcpServer;

/* The MCP servers that the user set up, in the order in which they were added. */
void       gadget_store_list_mcp_servers_async  (GadgetStore          *self,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
GPtrArray *gadget_store_list_mcp_servers_finish (GadgetStore          *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);
void       gadget_store_save_mcp_server_async   (GadgetStore          *self,
                                                 const char           *id,
                                                 const char           *config,
                                                 gboolean              enabled,
                                                 const char           *tools,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
gboolean   gadget_store_save_mcp_server_finish  (GadgetStore          *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);
void       gadget_store_remove_mcp_server_async (GadgetStore          *self,
                                                 const char           *id,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
gboolean   gadget_store_remove_mcp_server_finish (GadgetStore         *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

G_END_DECLS
