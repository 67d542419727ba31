/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A task that waits for the first of several outcomes: the answer of the work, a stop, a time
 * limit. Whoever takes the task from the pending object returns it; the other outcomes are detached
 * in the same moment, and who comes later gets no task. So the task returns once, and neither the
 * stop nor the timeout is called afterwards, even if both became due in the same iteration.
 *
 *     static void
 *     answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
 *     {
 *       g_autoptr (GTask) task = gadget_pending_free_and_take (user_data);
 *       gboolean found = look_up_finish (result);
 *
 *       if (task != NULL)
 *         g_task_return_boolean (task, found);
 *     }
 *
 *     look_up_async (answered_cb, gadget_pending_new (task, cancellable, NULL, NULL));
 *
 * The work that is waited for is not ended: the callback of a stop does that where it can be done.
 * The task should have no check of its cancellable, since an answer that was first has to win.
 *
 * All functions are called in the context in which the object was made, except that an object that
 * is over may be freed anywhere. */

#define G_LOG_DOMAIN "gadget-pending"

#include "config.h"

#include "gadget-pending.h"

#include "gadget-stop-source.h"

struct _GadgetPending
{
  GTask *task;   /* NULL once it was taken */
  GSource *stop; /* (nullable) */
  GadgetClock *clock;
  guint timeout;             /* or 0 */
  GadgetPendingFunc stopped; /* (nullable) */
  GadgetPendingFunc timed_out;
  gpointer data;
};

static void
clear_timeout (GadgetPending *self)
{
  if (self->timeout != 0)
    gadget_clock_remove (self->clock, self->timeout);
  self->timeout = 0;
}

/* The callback may free @self. */
static gboolean
stopped_cb (GCancellable *cancellable, gpointer user_data)
{
  GadgetPending *self = user_data;

  if (self->stopped != NULL)
    self->stopped (self, self->data);
  else
    gadget_pending_return_stopped (self);
  return G_SOURCE_REMOVE;
}

/* The callback may free @self. */
static void
timed_out_cb (gpointer user_data)
{
  GadgetPending *self = user_data;

  self->timeout = 0;
  self->timed_out (self, self->data);
}

/**
 * gadget_pending_new:
 * @task: (transfer full): what waits
 * @cancellable: (nullable): what the user cancels
 * @stopped: (nullable): called once when @cancellable is cancelled, unless the task was taken
 *   before; in the thread-default main context of the caller, never from within
 *   g_cancellable_cancel(). It need not take the task. %NULL returns %G_IO_ERROR_CANCELLED.
 * @data: for @stopped, and for the callback of a timeout
 *
 * Returns: (transfer full): freed with gadget_pending_free () or gadget_pending_free_and_take ()
 */
GadgetPending *
gadget_pending_new (GTask *task, GCancellable *cancellable, GadgetPendingFunc stopped,
                    gpointer data)
{
  GadgetPending *self;

  g_return_val_if_fail (G_IS_TASK (task), NULL);

  self = g_new0 (GadgetPending, 1);
  self->task = task;
  self->stopped = stopped;
  self->data = data;
  self->stop =
      gadget_stop_source_new (cancellable, "[gadget] stop a pending task", stopped_cb, self);
  return self;
}

/**
 * gadget_pending_set_timeout:
 * @clock: measures the time; a reference is kept
 * @milliseconds: from now
 * @timed_out: called once when the time is over, unless the task was taken before; it need not take
 *   the task, and may set another timeout
 *
 * Sets a time limit, in place of the one that was set before. Does nothing when the task was taken.
 */
void
gadget_pending_set_timeout (GadgetPending *self, GadgetClock *clock, guint milliseconds,
                            GadgetPendingFunc timed_out)
{
  g_return_if_fail (self != NULL && GADGET_IS_CLOCK (clock) && timed_out != NULL);

  if (self->task == NULL)
    return;
  clear_timeout (self);
  g_set_object (&self->clock, clock);
  self->timed_out = timed_out;
  self->timeout = gadget_clock_add_timeout (clock, milliseconds, "[gadget] limit of a pending task",
                                            timed_out_cb, self);
}

/**
 * gadget_pending_is_over:
 *
 * Returns: whether the task was taken
 */
gboolean
gadget_pending_is_over (GadgetPending *self)
{
  g_return_val_if_fail (self != NULL, TRUE);
  return self->task == NULL;
}

/**
 * gadget_pending_take:
 *
 * Ends the wait. The callbacks of the stop and of the timeout are not called any more.
 *
 * Returns: (transfer full) (nullable): the task, which the caller has to return; %NULL if another
 *   outcome was first
 */
GTask *
gadget_pending_take (GadgetPending *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  gadget_stop_source_end (&self->stop);
  clear_timeout (self);
  return g_steal_pointer (&self->task);
}

/**
 * gadget_pending_free_and_take:
 * @self: (transfer full):
 *
 * Returns: (transfer full) (nullable): see gadget_pending_take ()
 */
GTask *
gadget_pending_free_and_take (GadgetPending *self)
{
  GTask *task = gadget_pending_take (self);

  gadget_pending_free (self);
  return task;
}

/**
 * gadget_pending_return_stopped:
 *
 * Takes the task and returns %G_IO_ERROR_CANCELLED. Does nothing if another outcome was first.
 */
void
gadget_pending_return_stopped (GadgetPending *self)
{
  g_autoptr (GTask) task = gadget_pending_take (self);

  if (task != NULL)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was stopped.");
}

/**
 * gadget_pending_free:
 * @self: (transfer full): its task was taken
 */
void
gadget_pending_free (GadgetPending *self)
{
  g_return_if_fail (self != NULL && self->task == NULL);

  g_clear_object (&self->clock);
  g_free (self);
}
