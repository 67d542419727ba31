/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Starting a process takes the main loop some milliseconds, more on a busy machine: nothing else
 * runs until the child has executed the other program. A model may ask for a hundred commands at
 * once. So only one process is started in each iteration of the main context, and what the user
 * does meanwhile, above all cancelling, is handled in between. */

#define G_LOG_DOMAIN "gadget-spawn-throttle"

#include "config.h"

#include "gadget-spawn-throttle.h"

static GQueue waiting = G_QUEUE_INIT; /* (element-type GTask) (owned) */

static gboolean
may_start_cb (gpointer user_data)
{
  gboolean more = TRUE;

  /* Waiters that were cancelled start no process, so the next one is let through as well. */
  while (more && !g_queue_is_empty (&waiting))
    {
      g_autoptr (GTask) task = g_queue_pop_head (&waiting);

      more = g_cancellable_is_cancelled (g_task_get_cancellable (task));
      g_task_return_boolean (task, TRUE);
    }
  return g_queue_is_empty (&waiting) ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/**
 * gadget_spawn_throttle_wait_async:
 * @cancellable: (nullable): a cancelled waiter does not count as a start and does not delay others
 * @callback: (scope async): starts one process
 * @user_data: for @callback
 *
 * Waits until the caller may start one process. Main context only.
 */
void
gadget_spawn_throttle_wait_async (GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gadget_spawn_throttle_wait_async);
  g_task_set_check_cancellable (task, FALSE);
  g_queue_push_tail (&waiting, task);
  if (g_queue_get_length (&waiting) == 1)
    {
      g_autoptr (GSource) source = g_idle_source_new ();

      g_source_set_priority (source, G_PRIORITY_DEFAULT);
      g_source_set_static_name (source, "[gadget] turn to start a process");
      g_source_set_callback (source, may_start_cb, NULL, NULL);
      g_source_attach (source, g_task_get_context (task));
    }
}

/**
 * gadget_spawn_throttle_wait_finish:
 * @result: what the callback was given
 *
 * Ends the wait. It never fails: the caller checks its cancellable itself.
 */
void
gadget_spawn_throttle_wait_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, gadget_spawn_throttle_wait_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
