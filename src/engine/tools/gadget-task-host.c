/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-task-host"

#include "config.h"

#include "gadget-task-host.h"

G_DEFINE_INTERFACE (GadgetTaskHost, gadget_task_host, G_TYPE_OBJECT)

static void
gadget_task_host_default_init (GadgetTaskHostInterface *iface)
{
}

void
gadget_task_host_run_async (GadgetTaskHost *self, const GadgetTask *task, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GADGET_IS_TASK_HOST (self) && task != NULL);
  GADGET_TASK_HOST_GET_IFACE (self)->run_async (self, task, cancellable, callback, user_data);
}

GadgetToolResult *
gadget_task_host_run_finish (GadgetTaskHost *self, GAsyncResult *result)
{
  g_return_val_if_fail (GADGET_IS_TASK_HOST (self), NULL);
  return GADGET_TASK_HOST_GET_IFACE (self)->run_finish (self, result);
}

gboolean
gadget_task_host_may_offer (GadgetTaskHost *self, const char *tool_name)
{
  g_return_val_if_fail (GADGET_IS_TASK_HOST (self) && tool_name != NULL, FALSE);
  return GADGET_TASK_HOST_GET_IFACE (self)->may_offer (self, tool_name);
}

gboolean
gadget_task_host_stop_waiting (GadgetTaskHost *self, GadgetItem *item)
{
  g_return_val_if_fail (GADGET_IS_TASK_HOST (self) && GADGET_IS_ITEM (item), FALSE);
  return GADGET_TASK_HOST_GET_IFACE (self)->stop_waiting (self, item);
}

void
gadget_task_host_abandon (GadgetTaskHost *self)
{
  g_return_if_fail (GADGET_IS_TASK_HOST (self));
  GADGET_TASK_HOST_GET_IFACE (self)->abandon (self);
}
