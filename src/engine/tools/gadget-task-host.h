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
 * @run_async: see gadget_task_host_run_async ()
 * @run_finish: see gadget_task_host_run_finish ()
 * @may_offer: see gadget_task_host_may_offer ()
 * @stop_waiting: see gadget_task_host_stop_waiting ()
 * @give_up: see gadget_task_host_give_up ()
 *
 * Runs the subagents of one turn. Neither the tool "task" nor the loop of a turn depends on what a
 * subagent is: both are given the host.
 */
struct _GadgetTaskHostInterface
{
  GTypeInterface parent_iface;

  void              (*run_async)    (GadgetTaskHost       *self,
                                     const GadgetTask     *task,
                                     GCancellable         *cancellable,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data);
  GadgetToolResult *(*run_finish)   (GadgetTaskHost       *self,
                                     GAsyncResult         *result);
  gboolean          (*may_offer)    (GadgetTaskHost       *self,
                                     const char           *tool_name);
  gboolean          (*stop_waiting) (GadgetTaskHost       *self,
                                     GadgetItem           *item);
  void              (*give_up)      (GadgetTaskHost       *self);
};

/* Has a subagent do TASK. When CANCELLABLE is cancelled, the subagent and only it is stopped.
 * finish () never fails: an error is a result, too. (transfer full) */
void              gadget_task_host_run_async    (GadgetTaskHost       *self,
                                                 const GadgetTask     *task,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
GadgetToolResult *gadget_task_host_run_finish   (GadgetTaskHost       *self,
                                                 GAsyncResult         *result);

/* Returns whether the model of the turn may be offered the tool: subagents at the largest depth
 * have no subagents, and a subagent without a user has nobody to ask. */
gboolean          gadget_task_host_may_offer    (GadgetTaskHost       *self,
                                                 const char           *tool_name);

/* Ends the wait of the subagent of ITEM, a call of the turn, for whatever it waits for. Returns
 * FALSE if ITEM has no subagent that works. */
gboolean          gadget_task_host_stop_waiting (GadgetTaskHost       *self,
                                                 GadgetItem           *item);

/* Ends all subagents that work, without whatever they wait for. */
void              gadget_task_host_give_up      (GadgetTaskHost       *self);

G_END_DECLS
