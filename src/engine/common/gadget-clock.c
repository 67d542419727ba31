/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The clock of the engine. The system's clock uses GLib's monotonic time and timeouts. A manual
 * clock keeps its own time and list of timeouts, which only gadget_clock_advance () moves and
 * calls. */

#define G_LOG_DOMAIN "gadget-clock"

#include "config.h"

#include "gadget-clock.h"

typedef struct
{
  guint id;
  gint64 due_us;
  GSourceOnceFunc callback;
  gpointer user_data;
} Timeout;

struct _GadgetClock
{
  GObject parent_instance;

  gboolean manual;
  gint64 now_us;    /* manual only */
  GArray *timeouts; /* of Timeout, manual only, in the order in which they were added */
  guint last_id;
};

G_DEFINE_FINAL_TYPE (GadgetClock, gadget_clock, G_TYPE_OBJECT)

static void
gadget_clock_finalize (GObject *object)
{
  GadgetClock *self = GADGET_CLOCK (object);

  g_array_unref (self->timeouts);

  G_OBJECT_CLASS (gadget_clock_parent_class)->finalize (object);
}

static void
gadget_clock_class_init (GadgetClockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gadget_clock_finalize;
}

static void
gadget_clock_init (GadgetClock *self)
{
  self->timeouts = g_array_new (FALSE, FALSE, sizeof (Timeout));
}

/**
 * gadget_clock_get_default:
 *
 * Returns: (transfer none): the clock that follows the system's monotonic time; never freed
 */
GadgetClock *
gadget_clock_get_default (void)
{
  static GadgetClock *clock;

  if (clock == NULL)
    clock = g_object_new (GADGET_TYPE_CLOCK, NULL);
  return clock;
}

/**
 * gadget_clock_new_manual:
 * @start_us: the time at which it begins, in monotonic microseconds
 *
 * This is for tests: time passes, and timeouts fire, in gadget_clock_advance () only.
 *
 * Returns: (transfer full): a clock
 */
GadgetClock *
gadget_clock_new_manual (gint64 start_us)
{
  GadgetClock *self = g_object_new (GADGET_TYPE_CLOCK, NULL);

  self->manual = TRUE;
  self->now_us = start_us;
  return self;
}

/**
 * gadget_clock_now:
 *
 * Returns: monotonic time in microseconds
 */
gint64
gadget_clock_now (GadgetClock *self)
{
  g_return_val_if_fail (GADGET_IS_CLOCK (self), 0);
  return self->manual ? self->now_us : g_get_monotonic_time ();
}

static gint
find_first_due (GadgetClock *self)
{
  gint found = -1;

  for (guint i = 0; i < self->timeouts->len; i++)
    {
      const Timeout *timeout = &g_array_index (self->timeouts, Timeout, i);

      if (timeout->due_us > self->now_us)
        continue;
      if (found < 0 || timeout->due_us < g_array_index (self->timeouts, Timeout, found).due_us)
        found = (gint) i;
    }
  return found;
}

/**
 * gadget_clock_advance:
 * @self: a manual clock
 * @us: how far to move, in microseconds
 *
 * Moves the time forward and calls the timeouts that are due, the earliest first.
 */
void
gadget_clock_advance (GadgetClock *self, gint64 us)
{
  gint index;

  g_return_if_fail (GADGET_IS_CLOCK (self) && self->manual && us >= 0);

  self->now_us += us;
  while ((index = find_first_due (self)) >= 0)
    {
      Timeout due = g_array_index (self->timeouts, Timeout, index);

      g_array_remove_index (self->timeouts, (guint) index);
      due.callback (due.user_data);
    }
}

/**
 * gadget_clock_add_timeout:
 * @milliseconds: from now
 * @name: a static name for the source
 *
 * Calls @callback once, on the main context. A caller that no longer wants the timeout removes it
 * with gadget_clock_remove (), but only before @callback was called.
 *
 * Returns: an id for gadget_clock_remove (), never 0
 */
guint
gadget_clock_add_timeout (GadgetClock *self, guint milliseconds, const char *name,
                          GSourceOnceFunc callback, gpointer user_data)
{
  g_return_val_if_fail (GADGET_IS_CLOCK (self), 0);

  if (!self->manual)
    {
      guint id = g_timeout_add_once (milliseconds, callback, user_data);

      g_source_set_name_by_id (id, name);
      return id;
    }

  Timeout timeout = { ++self->last_id, self->now_us + (gint64) milliseconds * 1000, callback,
                      user_data };

  g_array_append_val (self->timeouts, timeout);
  return timeout.id;
}

/* gadget_clock_remove: removes a timeout of this clock that has not fired; @id is what
 * gadget_clock_add_timeout () returned. Another id is a programming error. */
void
gadget_clock_remove (GadgetClock *self, guint id)
{
  g_return_if_fail (GADGET_IS_CLOCK (self) && id != 0);

  if (!self->manual)
    {
      g_source_remove (id);
      return;
    }
  for (guint i = 0; i < self->timeouts->len; i++)
    if (g_array_index (self->timeouts, Timeout, i).id == id)
      {
        g_array_remove_index (self->timeouts, i);
        return;
      }
  g_critical ("the manual clock has no timeout %u", id);
}

static gint64 wall_shift_ms;

gint64
gadget_clock_wall_ms (void)
{
  return g_get_real_time () / 1000 + wall_shift_ms;
}

void
gadget_clock_shift_wall (gint64 ms)
{
  wall_shift_ms += ms;
}
