/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-task-host"

#include "config.h"

#include "gadget-task-host.h"

G_DEFINE_INTERFACE (GadgetTaskHost, gadget_task_host, G_TYPE_OBJECT)

static void
gadget_task_host_default_init (GadgetTaskHostInterface *iface)
{
}

/**
 * gadget_task_host_run_async:
 * @task: what the subagent is to do; borrowed for the call
 * @cancellable: stops this subagent and no other
 *
 * Starts a subagent, or lets an earlier one go on. Main context only.
 */
void
gadget_task_host_run_async (GadgetTaskHost *self, const GadgetTask *task, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_TASK_HOST (self) && task != NULL);
  GADGET_TASK_HOST_GET_IFACE (self)->run_async (self, task, cancellable, callback, user_data);
}

/**
 * gadget_task_host_run_finish:
 *
 * Returns: (transfer full): what the model gets; never %NULL, since an error is a result, too
 */
GadgetToolResult *
gadget_task_host_run_finish (GadgetTaskHost *self, GAsyncResult *result)
{
  g_return_val_if_fail (GADGET_IS_TASK_HOST (self), NULL);
  return GADGET_TASK_HOST_GET_IFACE (self)->run_finish (self, result);
}

/**
 * gadget_task_host_may_offer:
 * @tool_name: the name that models use
 *
 * Returns: whether the model of the turn may be offered the tool
 */
gboolean
gadget_task_host_may_offer (GadgetTaskHost *self, const char *tool_name)
{
  g_return_val_if_fail (GADGET_IS_TASK_HOST (self) && tool_name != NULL, FALSE);
  return GADGET_TASK_HOST_GET_IFACE (self)->may_offer (self, tool_name);
}

/**
 * gadget_task_host_stop_waiting:
 *
 * Returns: %TRUE if the subagent of @item worked, and waits no longer for what it waited for;
 *   %FALSE if @item has no such subagent
 */
gboolean
gadget_task_host_stop_waiting (GadgetTaskHost *self, GadgetItem *item)
{
  g_return_val_if_fail (GADGET_IS_TASK_HOST (self) && GADGET_IS_ITEM (item), FALSE);
  return GADGET_TASK_HOST_GET_IFACE (self)->stop_waiting (self, item);
}

/* gadget_task_host_give_up: ends all subagents that work, without whatever they wait for. */
void
gadget_task_host_give_up (GadgetTaskHost *self)
{
  g_return_if_fail (GADGET_IS_TASK_HOST (self));
  GADGET_TASK_HOST_GET_IFACE (self)->give_up (self);
}
