/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "mcp/gadget-mcp-server.h"
#include "store/gadget-store.h"
#include "tools/gadget-toolbox.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_LIST (gadget_mcp_list_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpList, gadget_mcp_list, GADGET, MCP_LIST, GObject)

/* The MCP servers that the user has set up: a GListModel of GadgetMcpServer, kept in the store,
 * with their secrets in the keyring. The tools of enabled servers are in the toolbox, as they were
 * last listed by the servers. */
GadgetMcpList   *gadget_mcp_list_new           (GadgetStore            *store,
                                                GadgetSecrets          *secrets,
                                                GadgetClock            *clock,
                                                GadgetToolbox          *toolbox);
void             gadget_mcp_list_load_async    (GadgetMcpList          *self,
                                                GadgetSandbox          *sandbox,
                                                GAsyncReadyCallback     callback,
                                                gpointer                user_data);
gboolean         gadget_mcp_list_load_finish   (GadgetMcpList          *self,
                                                GAsyncResult           *result,
                                                GError                **error);
GadgetMcpServer *gadget_mcp_list_find          (GadgetMcpList          *self,
                                                const char             *id);
void             gadget_mcp_list_add_async     (GadgetMcpList          *self,
                                                const GadgetMcpConfig  *config,
                                                const char             *secrets,
                                                GAsyncReadyCallback     callback,
                                                gpointer                user_data);
gboolean         gadget_mcp_list_add_finish    (GadgetMcpList          *self,
                                                GAsyncResult           *result,
                                                GError                **error);
void             gadget_mcp_list_remove_async  (GadgetMcpList          *self,
                                                const char             *id,
                                                GAsyncReadyCallback     callback,
                                                gpointer                user_data);
gboolean         gadget_mcp_list_remove_finish (GadgetMcpList          *self,
                                                GAsyncResult           *result,
                                                GError                **error);
/* Enables or disables a server, and stores that. The toolbox follows. */
void             gadget_mcp_list_set_enabled   (GadgetMcpList          *self,
                                                GadgetMcpServer        *server,
                                                gboolean                enabled);
gboolean         gadget_mcp_list_stop_connecting (GadgetMcpList        *self);
void             gadget_mcp_list_close         (GadgetMcpList          *self);

G_END_DECLS
