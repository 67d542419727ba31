/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One button sends and stops, and a double click must never do both. So the button has a meaning
 * (send or stop), which changes with the work, and for a moment after each change it ignores the
 * pointer. The keyboard is not guarded: a user who presses Enter or Space twice has seen which
 * button has the focus.
 *
 *   phase      meaning  shown                         sensitive
 *   idle       send     Send                          yes
 *   running    stop     Cancel                        yes
 *   aborting   stop     Cancel, later "Aborting…"     no
 *   sealing    send     Send                          no
 */

#define G_LOG_DOMAIN "gadget-composer"

#include "config.h"

#include "gadget-stop-control.h"

struct _GadgetStopControl
{
  GObject parent_instance;

  GadgetClock *clock;
  GadgetStopPhase phase;
  gboolean slow;        /* the abort takes longer than GADGET_STOP_DRAW_MS */
  gint64 guarded_until; /* in µs of the clock */
  guint draw_id;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetStopControl, gadget_stop_control, G_TYPE_OBJECT)

static gboolean
means_stop (GadgetStopPhase phase)
{
  return phase == GADGET_STOP_PHASE_RUNNING || phase == GADGET_STOP_PHASE_ABORTING;
}

static void
draw_cb (gpointer user_data)
{
  GadgetStopControl *self = user_data;

  self->draw_id = 0;
  self->slow = TRUE;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
forget_drawing (GadgetStopControl *self)
{
  self->slow = FALSE;
  if (self->draw_id != 0)
    gadget_clock_remove (self->clock, self->draw_id);
  self->draw_id = 0;
}

static void
gadget_stop_control_dispose (GObject *object)
{
  GadgetStopControl *self = GADGET_STOP_CONTROL (object);

  if (self->clock != NULL)
    forget_drawing (self);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (gadget_stop_control_parent_class)->dispose (object);
}

static void
gadget_stop_control_class_init (GadgetStopControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gadget_stop_control_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_stop_control_init (GadgetStopControl *self)
{
  self->guarded_until = G_MININT64;
}

GadgetStopControl *
gadget_stop_control_new (GadgetClock *clock)
{
  GadgetStopControl *self;

  g_return_val_if_fail (GADGET_IS_CLOCK (clock), NULL);

  self = g_object_new (GADGET_TYPE_STOP_CONTROL, NULL);
  self->clock = g_object_ref (clock);
  return self;
}

void
gadget_stop_control_set_phase (GadgetStopControl *self, GadgetStopPhase phase)
{
  g_return_if_fail (GADGET_IS_STOP_CONTROL (self));

  if (self->phase == phase)
    return;
  if (means_stop (self->phase) != means_stop (phase))
    self->guarded_until =
        gadget_clock_now (self->clock) + GADGET_STOP_GUARD_MS * G_TIME_SPAN_MILLISECOND;
  forget_drawing (self);
  self->phase = phase;
  if (phase == GADGET_STOP_PHASE_ABORTING)
    self->draw_id = gadget_clock_add_timeout (self->clock, GADGET_STOP_DRAW_MS,
                                              "[gadget] draw Aborting…", draw_cb, self);
  g_signal_emit (self, signals[CHANGED], 0);
}

GadgetStopPhase
gadget_stop_control_get_phase (GadgetStopControl *self)
{
  g_return_val_if_fail (GADGET_IS_STOP_CONTROL (self), GADGET_STOP_PHASE_IDLE);
  return self->phase;
}

GadgetStopState
gadget_stop_control_get_state (GadgetStopControl *self)
{
  g_return_val_if_fail (GADGET_IS_STOP_CONTROL (self), GADGET_STOP_STATE_SEND);

  if (!means_stop (self->phase))
    return GADGET_STOP_STATE_SEND;
  return self->slow ? GADGET_STOP_STATE_ABORTING : GADGET_STOP_STATE_CANCEL;
}

/**
 * gadget_stop_control_get_sensitive:
 *
 * Returns: whether a press does anything; for sending there must also be a message
 */
gboolean
gadget_stop_control_get_sensitive (GadgetStopControl *self)
{
  g_return_val_if_fail (GADGET_IS_STOP_CONTROL (self), FALSE);
  return self->phase == GADGET_STOP_PHASE_IDLE || self->phase == GADGET_STOP_PHASE_RUNNING;
}

/**
 * gadget_stop_control_is_guarded:
 *
 * Returns: whether the pointer is ignored at the moment
 */
gboolean
gadget_stop_control_is_guarded (GadgetStopControl *self)
{
  g_return_val_if_fail (GADGET_IS_STOP_CONTROL (self), FALSE);
  return gadget_clock_now (self->clock) < self->guarded_until;
}

/**
 * gadget_stop_control_press:
 * @by_pointer: whether a mouse or a finger pressed
 *
 * Returns: what the press means; the caller does it
 */
GadgetStopAction
gadget_stop_control_press (GadgetStopControl *self, gboolean by_pointer)
{
  g_return_val_if_fail (GADGET_IS_STOP_CONTROL (self), GADGET_STOP_ACTION_NONE);

  if (by_pointer && gadget_stop_control_is_guarded (self))
    return GADGET_STOP_ACTION_NONE;
  if (self->phase == GADGET_STOP_PHASE_IDLE)
    return GADGET_STOP_ACTION_SEND;
  return self->phase == GADGET_STOP_PHASE_RUNNING ? GADGET_STOP_ACTION_CANCEL
                                                  : GADGET_STOP_ACTION_NONE;
}
