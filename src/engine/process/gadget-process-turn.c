/* SPDX-License-Identifier: GPL-3.0-or-later */

/* To start a process takes the main loop some milliseconds, and on a busy machine some more: until
 * the child has become the other program, nothing else is done. A model may ask for a hundred
 * commands at once. One is started in each iteration of the main context, so that what the user
 * does meanwhile, a stop above all, is seen in between. */

#include "config.h"

#include "gadget-process-turn.h"

static GQueue waiting = G_QUEUE_INIT; /* (element-type GTask) */

static gboolean
turn_cb (gpointer user_data)
{
  gboolean more = TRUE;

  /* Those that were stopped start nothing. */
  while (more && !g_queue_is_empty (&waiting))
    {
      g_autoptr (GTask) task = g_queue_pop_head (&waiting);

      more = g_cancellable_is_cancelled (g_task_get_cancellable (task));
      g_task_return_boolean (task, TRUE);
    }
  return g_queue_is_empty (&waiting) ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/**
 * gadget_process_take_turn_async:
 * @cancellable: (nullable): whose turn comes at once when it was cancelled
 * @callback: (scope async): starts one process
 *
 * On the main context alone.
 */
void
gadget_process_take_turn_async (GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gadget_process_take_turn_async);
  g_task_set_check_cancellable (task, FALSE);
  g_queue_push_tail (&waiting, task);
  if (g_queue_get_length (&waiting) == 1)
    {
      g_autoptr (GSource) source = g_idle_source_new ();

      g_source_set_priority (source, G_PRIORITY_DEFAULT);
      g_source_set_static_name (source, "[gadget] turn to start a process");
      g_source_set_callback (source, turn_cb, NULL, NULL);
      g_source_attach (source, g_task_get_context (task));
    }
}

void
gadget_process_take_turn_finish (GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, gadget_process_take_turn_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}
