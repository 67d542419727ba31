/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "gadget-tool.h"

G_BEGIN_DECLS

#define GADGET_TYPE_TASK_HOST (gadget_task_host_get_type ())
G_DECLARE_INTERFACE (GadgetTaskHost, gadget_task_host, GADGET, TASK_HOST, GObject)

/**
 * GadgetTask:
 * @item: the call's item
 * @title: what the work is about, for the user
 * @prompt: what the subagent is told; it knows nothing else of the chat
 * @continued: (nullable): the id of an earlier subagent that goes on; %NULL for a new one
 *
 * Work for a subagent. The members are only borrowed for the call.
 */
typedef struct
{
  GadgetItem *item;
  const char *title;
  const char *prompt;
  const char *continued;
} GadgetTask;

/**
 * GadgetTaskHostInterface:
 * @run_async: has a subagent do a task; when the cancellable is cancelled, the subagent and only it
 *   is stopped
 * @run_finish: (transfer full): never fails: an error is a result, too
 *
 * Runs subagents. Tools do not depend on agents, so they get the host with their context.
 */
struct _GadgetTaskHostInterface
{
  GTypeInterface parent_iface;

  void              (*run_async)  (GadgetTaskHost       *self,
                                   const GadgetTask     *task,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
  GadgetToolResult *(*run_finish) (GadgetTaskHost       *self,
                                   GAsyncResult         *result);
};

#define GADGET_TOOL_TASK_NAME "task"

#define GADGET_TYPE_TOOL_TASK (gadget_tool_task_get_type ())
G_DECLARE_FINAL_TYPE (GadgetToolTask, gadget_tool_task, GADGET, TOOL_TASK, GObject)

/* "task": hands work to a subagent and waits for its report. */
GadgetTool *gadget_tool_task_new (void);

G_END_DECLS
