/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-client.h"
#include "gadget-mcp-config.h"
#include "http/gadget-http.h"
#include "process/sandbox/gadget-sandbox.h"
#include "secrets/gadget-secrets.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_SERVER (gadget_mcp_server_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpServer, gadget_mcp_server, GADGET, MCP_SERVER, GObject)

/**
 * GadgetMcpStatus:
 * @GADGET_MCP_OFF: not connected; the first use connects
 * @GADGET_MCP_STARTING: being started or reached
 * @GADGET_MCP_READY: connected
 * @GADGET_MCP_FAILED: could not be connected, or was lost; see gadget_mcp_server_get_failure ()
 *
 * The state of the connection.
 */
typedef enum
{
  GADGET_MCP_OFF,
  GADGET_MCP_STARTING,
  GADGET_MCP_READY,
  GADGET_MCP_FAILED,
} GadgetMcpStatus;

/**
 * GadgetMcpHost:
 * @sandbox: (nullable): for confined servers, which cannot be started without it
 * @http: (nullable): the pool of connections, for servers that are reached over HTTP
 * @secrets: the keyring
 * @clock: for pauses and time limits
 *
 * The objects that all servers share.
 */
typedef struct
{
  GadgetSandbox *sandbox;
  GadgetHttp *http;
  GadgetSecrets *secrets;
  GadgetClock *clock;
} GadgetMcpHost;

/* A server that the user set up. It is connected on its first use, and again after the connection
 * was lost, with growing pauses. Its tools are known from the last connection, so they can be
 * offered before it is connected. The properties "status" (which also notifies when the known tools
 * change) and "enabled" notify; the signal "tools-changed" has no parameters. */
GadgetMcpServer       *gadget_mcp_server_new            (const GadgetMcpHost      *host,
                                                         const GadgetMcpConfig    *config,
                                                         const char               *tools);
const GadgetMcpConfig *gadget_mcp_server_get_config     (GadgetMcpServer          *self);
const char            *gadget_mcp_server_get_id         (GadgetMcpServer          *self);
GadgetMcpStatus        gadget_mcp_server_get_status     (GadgetMcpServer          *self);
const GError          *gadget_mcp_server_get_failure    (GadgetMcpServer          *self);
char                  *gadget_mcp_server_dup_complaints (GadgetMcpServer          *self);
gboolean               gadget_mcp_server_get_enabled    (GadgetMcpServer          *self);
void                   gadget_mcp_server_set_enabled    (GadgetMcpServer          *self,
                                                         gboolean                  enabled);
GPtrArray             *gadget_mcp_server_get_tools      (GadgetMcpServer          *self);
gboolean               gadget_mcp_server_set_known_tools (GadgetMcpServer         *self,
                                                         const char               *tools);
const char            *gadget_mcp_server_get_version    (GadgetMcpServer          *self);
void                   gadget_mcp_server_close          (GadgetMcpServer          *self);
void                   gadget_mcp_server_connect_async  (GadgetMcpServer          *self,
                                                         gboolean                  now,
                                                         GCancellable             *cancellable,
                                                         GAsyncReadyCallback       callback,
                                                         gpointer                  user_data);
gboolean               gadget_mcp_server_connect_finish (GadgetMcpServer          *self,
                                                         GAsyncResult             *result,
                                                         GError                  **error);
void                   gadget_mcp_server_try            (GadgetMcpServer          *self);
gboolean               gadget_mcp_server_stop_connecting (GadgetMcpServer         *self);
void                   gadget_mcp_server_call_async     (GadgetMcpServer          *self,
                                                         const GadgetMcpCallSpec  *spec,
                                                         GCancellable             *cancellable,
                                                         GAsyncReadyCallback       callback,
                                                         gpointer                  user_data);
GadgetMcpResult       *gadget_mcp_server_call_finish    (GadgetMcpServer          *self,
                                                         GAsyncResult             *result,
                                                         GError                  **error);

G_END_DECLS
