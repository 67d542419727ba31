/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-settle-waiters.h"

/* For the recovery files, which may be on a disk that works when that of the store does not. */
#define COPY_LIMIT_MS 1000

struct _GadgetSettleWaiters
{
  GadgetClock *clock;
  GadgetSettledFunc is_settled;
  GadgetSettleLateFunc begin_late;
  gpointer owner;   /* (unowned): it owns this */
  GPtrArray *all;   /* of Settling */
  guint n_removing; /* how many files are being removed */
};

/* One waiting task. */
typedef struct
{
  GadgetSettleWaiters *settlings; /* (unowned): the task holds its owner */
  GTask *task;
  guint timeout;
  gboolean late; /* only recovery files are waited for */
} Waiter;

GadgetSettleWaiters *
_gadget_settle_waiters_new (GadgetClock *clock, GadgetSettledFunc is_settled,
                            GadgetSettleLateFunc begin_late, gpointer owner)
{
  GadgetSettleWaiters *self = g_new0 (GadgetSettleWaiters, 1);

  self->clock = g_object_ref (clock);
  self->is_settled = is_settled;
  self->begin_late = begin_late;
  self->owner = owner;
  self->all = g_ptr_array_new ();
  return self;
}

void
_gadget_settle_waiters_free (GadgetSettleWaiters *self)
{
  g_assert (self->all->len == 0);
  g_ptr_array_unref (self->all);
  g_object_unref (self->clock);
  g_free (self);
}

static void
end (Waiter *settling)
{
  g_autoptr (GTask) task = settling->task;

  g_ptr_array_remove (settling->settlings->all, settling);
  if (settling->timeout != 0)
    gadget_clock_remove (settling->settlings->clock, settling->timeout);
  g_free (settling);
  g_task_return_boolean (task, TRUE);
}

static void
late_cb (gpointer user_data)
{
  Waiter *settling = user_data;
  GadgetSettleWaiters *self = settling->settlings;
  g_autoptr (GObject) hold = g_object_ref (self->owner);

  settling->timeout = 0;
  if (settling->late)
    {
      end (settling);
      return;
    }
  settling->late = TRUE;
  settling->timeout = gadget_clock_add_timeout (self->clock, COPY_LIMIT_MS,
                                                "[gadget] write recovery files", late_cb, settling);
  self->begin_late (self->owner);
  _gadget_settle_waiters_check (self);
}

void
_gadget_settle_waiters_add (GadgetSettleWaiters *self, GTask *task, guint milliseconds)
{
  Waiter *settling = g_new0 (Waiter, 1);

  settling->settlings = self;
  settling->task = task;
  settling->timeout = gadget_clock_add_timeout (self->clock, milliseconds,
                                                "[gadget] wait for the store", late_cb, settling);
  g_ptr_array_add (self->all, settling);
}

static Waiter *
find_settled (GadgetSettleWaiters *self)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      Waiter *settling = g_ptr_array_index (self->all, i);

      if (self->n_removing == 0 && self->is_settled (self->owner, settling->late))
        return settling;
    }
  return NULL;
}

void
_gadget_settle_waiters_check (GadgetSettleWaiters *self)
{
  g_autoptr (GObject) hold = g_object_ref (self->owner);
  Waiter *settling;

  while ((settling = find_settled (self)) != NULL)
    end (settling);
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GadgetSettleWaiters *self = user_data;
  g_autoptr (GObject) owner = self->owner;

  self->n_removing--;
  _gadget_settle_waiters_check (self);
}

void
_gadget_settle_waiters_remove (GadgetSettleWaiters *self, GadgetRecoveryFile *file)
{
  self->n_removing++;
  g_object_ref (self->owner);
  gadget_recovery_file_remove_async (file, removed_cb, self);
}
