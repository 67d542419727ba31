/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two presses of Esc within three seconds abort. A key that is held down repeats its press; a
 * repeat is neither a second press nor a new first one, so a press counts only when the key was
 * released since the last one. */

#define G_LOG_DOMAIN "gadget-window"

#include "config.h"

#include "gadget-escape.h"

struct _GadgetEscape
{
  GObject parent_instance;

  GadgetClock *clock;
  gboolean active;
  gboolean held;
  guint armed_id; /* the timeout that disarms; 0 when not armed */
};

enum
{
  ARMED,
  DISARMED,
  ABORT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GadgetEscape, gadget_escape, G_TYPE_OBJECT)

static void
expired_cb (gpointer user_data)
{
  GadgetEscape *self = user_data;

  self->armed_id = 0;
  g_signal_emit (self, signals[DISARMED], 0);
}

static void
gadget_escape_dispose (GObject *object)
{
  GadgetEscape *self = GADGET_ESCAPE (object);

  if (self->armed_id != 0)
    gadget_clock_remove (self->clock, self->armed_id);
  self->armed_id = 0;
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (gadget_escape_parent_class)->dispose (object);
}

static void
gadget_escape_class_init (GadgetEscapeClass *klass)
{
  static const char *const names[N_SIGNALS] = { "armed", "disarmed", "abort" };

  G_OBJECT_CLASS (klass)->dispose = gadget_escape_dispose;

  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
gadget_escape_init (GadgetEscape *self)
{
}

GadgetEscape *
gadget_escape_new (GadgetClock *clock)
{
  GadgetEscape *self;

  g_return_val_if_fail (GADGET_IS_CLOCK (clock), NULL);

  self = g_object_new (GADGET_TYPE_ESCAPE, NULL);
  self->clock = g_object_ref (clock);
  return self;
}

/**
 * gadget_escape_set_active:
 * @active: whether something runs that could be aborted
 *
 * Presses count only while something runs. When it ends, a first press is cancelled.
 */
void
gadget_escape_set_active (GadgetEscape *self, gboolean active)
{
  g_return_if_fail (GADGET_IS_ESCAPE (self));

  self->active = active;
  if (!active)
    gadget_escape_disarm (self);
}

gboolean
gadget_escape_is_armed (GadgetEscape *self)
{
  g_return_val_if_fail (GADGET_IS_ESCAPE (self), FALSE);
  return self->armed_id != 0;
}

/**
 * gadget_escape_press:
 *
 * Returns: whether the press was used; if not, other handlers of Esc may use it
 */
gboolean
gadget_escape_press (GadgetEscape *self)
{
  gboolean repeated;

  g_return_val_if_fail (GADGET_IS_ESCAPE (self), FALSE);

  repeated = self->held;
  self->held = TRUE;
  if (!self->active)
    return FALSE;
  if (repeated)
    return TRUE;
  if (self->armed_id == 0)
    {
      self->armed_id = gadget_clock_add_timeout (self->clock, GADGET_ESCAPE_WINDOW_MS,
                                                 "[gadget] disarm Esc", expired_cb, self);
      g_signal_emit (self, signals[ARMED], 0);
      return TRUE;
    }
  gadget_clock_remove (self->clock, self->armed_id);
  self->armed_id = 0;
  g_signal_emit (self, signals[ABORT], 0);
  return TRUE;
}

/**
 * gadget_escape_hold:
 *
 * The key was pressed for something else, such as closing what is on top. Its repeats do not count
 * either.
 */
void
gadget_escape_hold (GadgetEscape *self)
{
  g_return_if_fail (GADGET_IS_ESCAPE (self));
  self->held = TRUE;
}

/**
 * gadget_escape_release:
 *
 * The key was released, or the window lost the keyboard and cannot see its release any more.
 */
void
gadget_escape_release (GadgetEscape *self)
{
  g_return_if_fail (GADGET_IS_ESCAPE (self));
  self->held = FALSE;
}

/**
 * gadget_escape_disarm:
 *
 * Cancels the first press: its toast was dismissed, or there is nothing to abort any more.
 */
void
gadget_escape_disarm (GadgetEscape *self)
{
  g_return_if_fail (GADGET_IS_ESCAPE (self));

  if (self->armed_id == 0)
    return;
  gadget_clock_remove (self->clock, self->armed_id);
  self->armed_id = 0;
  g_signal_emit (self, signals[DISARMED], 0);
}
