/* SPDX-License-Identifier: GPL-3.0-or-later */

/* When one effect follows another, the changes of the second must not be taken for changes of the
 * first. So the second begins when the snapshot after the first is done, which takes milliseconds.
 * A disk that hangs delays it by a limited time only; then the changes of the two may be mixed
 * up. */

#define G_LOG_DOMAIN "gadget-effects"

#include "config.h"

#include "gadget-snapshot-barrier.h"

struct _GadgetSnapshotBarrier
{
  guint n_closed;
  GPtrArray *waiting; /* of Waiting */
};

/* One caller that waits for the barrier. */
typedef struct
{
  GadgetSnapshotBarrier *barrier;
  GTask *task;
  guint timeout;
} Waiting;

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

/* Removes a waiter from the list. Returns: (transfer full): its task. */
static GTask *
let_go (Waiting *waiting)
{
  GTask *task = waiting->task;

  g_ptr_array_remove (waiting->barrier->waiting, waiting);
  g_clear_handle_id (&waiting->timeout, g_source_remove);
  g_free (waiting);
  return task;
}

static void
late_cb (gpointer user_data)
{
  Waiting *waiting = user_data;

  waiting->timeout = 0;
  g_autoptr (GTask) task = let_go (waiting);

  g_task_return_boolean (task, TRUE);
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
    {
      g_autoptr (GTask) task = let_go (g_ptr_array_index (self->waiting, 0));

      g_task_return_boolean (task, TRUE);
    }
}

void
_gadget_snapshot_barrier_wait_async (GadgetSnapshotBarrier *self, guint max_wait_ms,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Waiting *waiting;

  g_task_set_source_tag (task, _gadget_snapshot_barrier_wait_async);
  if (self->n_closed == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  waiting = g_new0 (Waiting, 1);
  waiting->barrier = self;
  waiting->timeout = g_timeout_add_once (max_wait_ms, late_cb, waiting);
  g_source_set_name_by_id (waiting->timeout, "[gadget] wait for a record");
  waiting->task = g_steal_pointer (&task);
  g_ptr_array_add (self->waiting, waiting);
}

void
_gadget_snapshot_barrier_wait_finish (GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}
