/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-mcp-channel.h"
#include "gadget-mcp-content.h"
#include "session/gadget-item.h"

G_BEGIN_DECLS

#define GADGET_TYPE_MCP_CALL (gadget_mcp_call_get_type ())
G_DECLARE_FINAL_TYPE (GadgetMcpCall, gadget_mcp_call, GADGET, MCP_CALL, GObject)

/**
 * GadgetMcpCallSpec:
 * @server: the server's name, shown with its questions
 * @tool: the tool's name, as the server knows it
 * @arguments: (nullable): the tool's arguments
 * @headers: (nullable): names and values in turn, for a transport that has headers
 * @as_task: the tool wants to be called as a task (2025-11-25)
 * @item: (nullable): the item that shows the server's questions; %NULL when no user is there to
 *   answer
 * @progress: (nullable): called for each progress notification, never after the callback
 * @task_begun: (nullable): called when the server continues the call as a task with that id
 * @user_data: for @progress and @task_begun; must stay valid until the call's callback
 *
 * The tool to call, and how. The members need to be valid only while the function that gets the
 * struct runs; it copies them.
 */
typedef struct
{
  const char *server;
  const char *tool;
  JsonObject *arguments;
  const char *const *headers;
  gboolean as_task;
  GadgetItem *item;
  GadgetMcpProgressFunc progress;
  void (*task_begun) (const char *task_id, gpointer user_data);
  gpointer user_data;
} GadgetMcpCallSpec;

/* A copy owns its members, except for @user_data. */
GadgetMcpCallSpec *gadget_mcp_call_spec_copy (const GadgetMcpCallSpec *self);
void               gadget_mcp_call_spec_free (GadgetMcpCallSpec       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GadgetMcpCallSpec, gadget_mcp_call_spec_free)

/* One call of a server's tool, including the questions that the server asks meanwhile. An object
 * runs once. */
GadgetMcpCall   *gadget_mcp_call_new        (GadgetMcpChannel            *channel,
                                             const GadgetMcpCallSpec     *spec);
void             gadget_mcp_call_run_async  (GadgetMcpCall               *self,
                                             GCancellable                *cancellable,
                                             GAsyncReadyCallback          callback,
                                             gpointer                     user_data);
GadgetMcpResult *gadget_mcp_call_run_finish (GadgetMcpCall               *self,
                                             GAsyncResult                *result,
                                             GError                     **error);
gboolean         gadget_mcp_call_is_of      (GadgetMcpCall               *self,
                                             gint64                       request_id,
                                             const char                  *task_id);
void             gadget_mcp_call_ask        (GadgetMcpCall               *self,
                                             const GadgetJsonRpcMessage  *message);

G_END_DECLS
