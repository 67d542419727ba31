/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "gadget-agent"

#include "config.h"

#include "gadget-save-retry.h"

#define FIRST_RETRY_MS 1000
#define LAST_RETRY_MS 30000
#define MAX_DOUBLINGS 5
#define ANSWER_MS 1000
/* Other writes may succeed ten times a second, and must not cause as many attempts. */
#define RETRY_AT_ONCE_MS 1000

static void
timeout_cb (gpointer user_data)
{
  GadgetSaveRetry *self = user_data;

  self->timeout = 0;
  self->func (self->data);
}

static void
schedule (GadgetSaveRetry *self, guint milliseconds)
{
  _gadget_save_retry_clear (self);
  self->timeout =
      gadget_clock_add_timeout (self->clock, milliseconds, self->name, timeout_cb, self);
}

void
_gadget_save_retry_init (GadgetSaveRetry *self, GadgetClock *clock, const char *name,
                         GSourceOnceFunc func, gpointer data)
{
  *self = (GadgetSaveRetry) { .clock = clock, .name = name, .func = func, .data = data };
}

void
_gadget_save_retry_clear (GadgetSaveRetry *self)
{
  if (self->timeout != 0)
    gadget_clock_remove (self->clock, self->timeout);
  self->timeout = 0;
}

void
_gadget_save_retry_begin (GadgetSaveRetry *self)
{
  self->tried_at = gadget_clock_now (self->clock);
  schedule (self, ANSWER_MS);
}

void
_gadget_save_retry_fail (GadgetSaveRetry *self)
{
  const guint doublings = MIN (self->n_failures, MAX_DOUBLINGS);

  self->n_failures++;
  schedule (self, MIN (FIRST_RETRY_MS << doublings, LAST_RETRY_MS));
}

gboolean
_gadget_save_retry_is_due (GadgetClock *clock, gint64 tried_at)
{
  return gadget_clock_now (clock) - tried_at >= RETRY_AT_ONCE_MS * 1000;
}
