/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-channel.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_TASK (gadget_mcp_task_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpTask, gadget_mcp_task, GADGET, MCP_TASK, GObject)

/**
 * GadgetMcpTaskAskFunc:
 * @requests: the server's questions, by their keys; each key is passed once
 *
 * The questions must be answered with gadget_mcp_task_update ().
 */
typedef void (*GadgetMcpTaskAskFunc) (JsonObject *requests, gpointer user_data);

/* Work that a server continues after it responded to the request, and that is polled. Sources: MCP
 * 2025-11-25, basic/utilities/tasks, and the extension io.modelcontextprotocol/tasks of
 * 2026-07-28. */
GadgetMcpTask *gadget_mcp_task_new        (GadgetMcpChannel      *channel,
                                           JsonObject            *task);
void           gadget_mcp_task_stop_late  (GadgetMcpChannel      *channel,
                                           JsonObject            *result);
const char    *gadget_mcp_task_get_id     (GadgetMcpTask         *self);
gint64         gadget_mcp_task_get_request_id (GadgetMcpTask     *self);
void           gadget_mcp_task_run_async  (GadgetMcpTask         *self,
                                           GadgetMcpTaskAskFunc   ask,
                                           gpointer               ask_data,
                                           GCancellable          *cancellable,
                                           GAsyncReadyCallback    callback,
                                           gpointer               user_data);
JsonObject    *gadget_mcp_task_run_finish (GadgetMcpTask         *self,
                                           GAsyncResult          *result,
                                           GError               **error);
void           gadget_mcp_task_stop       (GadgetMcpTask         *self);
void           gadget_mcp_task_update     (GadgetMcpTask         *self,
                                           JsonObject            *responses);

G_END_DECLS
