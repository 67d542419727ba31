/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-call.h"
#include "gadget-mcp-tool-info.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_CLIENT (gadget_mcp_client_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpClient, gadget_mcp_client, GADGET, MCP_CLIENT, GObject)

/* One connection to a server, from the handshake to the end. Signals:
 *
 *   tools-changed ()   gadget_mcp_client_get_tools () returns another list
 *   closed (error)     the connection ended; @error, a GError, is NULL after
 *                      gadget_mcp_client_close () */
GadgetMcpClient *gadget_mcp_client_new            (GadgetMcpTransport       *transport,
                                                   GadgetClock              *clock);
void             gadget_mcp_client_set_probe_ms   (GadgetMcpClient          *self,
                                                   guint                     probe_ms);
void             gadget_mcp_client_connect_async  (GadgetMcpClient          *self,
                                                   GAsyncReadyCallback       callback,
                                                   gpointer                  user_data);
gboolean         gadget_mcp_client_connect_finish (GadgetMcpClient          *self,
                                                   GAsyncResult             *result,
                                                   GError                  **error);
void             gadget_mcp_client_close          (GadgetMcpClient          *self);
GPtrArray       *gadget_mcp_client_get_tools      (GadgetMcpClient          *self);
const char      *gadget_mcp_client_get_version    (GadgetMcpClient          *self);
char            *gadget_mcp_client_dup_complaints (GadgetMcpClient          *self);
guint            gadget_mcp_client_get_n_pending  (GadgetMcpClient          *self);
void             gadget_mcp_client_call_async     (GadgetMcpClient          *self,
                                                   const GadgetMcpCallSpec  *spec,
                                                   GCancellable             *cancellable,
                                                   GAsyncReadyCallback       callback,
                                                   gpointer                  user_data);
GadgetMcpResult *gadget_mcp_client_call_finish    (GadgetMcpClient          *self,
                                                   GAsyncResult             *result,
                                                   GError                  **error);

G_END_DECLS
