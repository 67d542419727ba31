/* SPDX-License-Identifier: GPL-3.0-or-later */

/* When one effect follows another, the changes of the second must not be taken for changes of the
 * first. So the second begins when the snapshot after the first is done, which takes milliseconds.
 * A disk that hangs delays it by a limited time only; then the changes of the two may be mixed
 * up. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-snapshot-barrier.h"

#include "common/gadget-pending.h"

struct _GadgetSnapshotBarrier
{
  guint n_closed;
  GPtrArray *waiting; /* (element-type GadgetPending) (owned) */
};

GadgetSnapshotBarrier *
_gadget_snapshot_barrier_new (void)
{
  GadgetSnapshotBarrier *self = g_new0 (GadgetSnapshotBarrier, 1);

  self->waiting = g_ptr_array_new ();
  return self;
}

/* Each waiter holds a reference to the owner of the barrier, so the list is empty by the time the
 * owner is freed. */
void
_gadget_snapshot_barrier_free (GadgetSnapshotBarrier *self)
{
  g_assert (self->waiting->len == 0);
  g_ptr_array_unref (self->waiting);
  g_free (self);
}

static void
let_go (GadgetPending *waiter)
{
  g_autoptr (GTask) task = gadget_pending_free_and_take (waiter);

  g_task_return_boolean (task, TRUE);
}

static void
timed_out_cb (GadgetPending *waiter, gpointer data)
{
  GadgetSnapshotBarrier *self = data;

  g_ptr_array_remove (self->waiting, waiter);
  let_go (waiter);
}

void
_gadget_snapshot_barrier_close (GadgetSnapshotBarrier *self)
{
  self->n_closed++;
}

void
_gadget_snapshot_barrier_open (GadgetSnapshotBarrier *self)
{
  g_assert (self->n_closed > 0);
  if (--self->n_closed > 0)
    return;
  while (self->waiting->len > 0)
    let_go (g_ptr_array_steal_index (self->waiting, 0));
}

void
_gadget_snapshot_barrier_wait_async (GadgetSnapshotBarrier *self, guint max_wait_ms,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  GadgetPending *waiter;

  g_task_set_source_tag (task, _gadget_snapshot_barrier_wait_async);
  if (self->n_closed == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  waiter = gadget_pending_new (g_steal_pointer (&task), NULL, NULL, self);
  gadget_pending_set_timeout (waiter, gadget_clock_get_default (), max_wait_ms, timed_out_cb);
  g_ptr_array_add (self->waiting, waiter);
}

void
_gadget_snapshot_barrier_wait_finish (GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}
